// A drawing that came from elsewhere, shown as a picture: nothing in it can run or fetch anything.
import { useEffect, useState } from "preact/hooks";

export function Picture({ svg, label }: { svg: string; label: string }) {
  const [address, setAddress] = useState("");
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    setAddress(made);
    setIsBroken(false);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  if (isBroken) return <p class="soft">The drawing could not be read.</p>;
  return address === "" ? null : <div class="picture" tabIndex={0} role="group" aria-label={label}><img src={address} alt={label} onError={() => setIsBroken(true)} /></div>;
}
