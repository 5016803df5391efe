// The line between two parts of the page: dragged, or moved with the arrow keys.
import { useEffect, useRef, useState } from "preact/hooks";

interface GripProps { name: "side" | "panels"; label: string; least: number; most: number; fromRight?: boolean }

const STEP = 24;

export function Grip({ name, label, least, most, fromRight = false }: GripProps) {
  const element = useRef<HTMLDivElement>(null);
  const kept = Number(localStorage.getItem(`servanda.width.${name}`)) || null;
  const [width, setWidth] = useState<number | null>(kept);
  useEffect(() => {
    const shell = element.current?.closest<HTMLElement>(".shell");
    if (width === null) shell?.style.removeProperty(`--${name}`);
    else {
      shell?.style.setProperty(`--${name}`, `${width}px`);
      localStorage.setItem(`servanda.width.${name}`, String(width));
    }
  }, [width]);
  const fit = (wanted: number): void => setWidth(Math.round(Math.min(Math.max(wanted, least), Math.min(most, innerWidth - 420))));
  const now = (): number => {
    const box = element.current?.getBoundingClientRect();
    if (!box) return least;
    return fromRight ? innerWidth - box.left - 3 : box.left + 3;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const grows = fromRight ? "ArrowLeft" : "ArrowRight";
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") fit(now() + (event.key === grows ? STEP : -STEP));
    else if (event.key === "Home") fit(least);
    else if (event.key === "End") fit(most);
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent): void => {
    event.preventDefault();
    element.current?.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (element.current?.hasPointerCapture(event.pointerId)) fit(fromRight ? innerWidth - event.clientX : event.clientX);
  };
  return (
    <div
      ref={element} class={`grip of-${name}`} role="separator" tabIndex={0} aria-orientation="vertical" aria-label={label}
      aria-valuemin={least} aria-valuemax={most} aria-valuenow={width ?? Math.round((least + most) / 2)}
      onKeyDown={onKeyDown} onPointerDown={onPointerDown} onPointerMove={onPointerMove} onDblClick={() => { localStorage.removeItem(`servanda.width.${name}`); setWidth(null); }}
    />
  );
}
