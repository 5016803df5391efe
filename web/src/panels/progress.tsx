// How far a job is: what is done, at which rate, and a button that stops it.
import { useEffect, useState } from "preact/hooks";
import type { Running } from "../checks";
import { Icon } from "../ui/icon";
import { duration, grouped } from "../ui/words";

export function Progress({ running, onStop }: { running: Running; onStop: () => void }) {
  const { progress, isStopping, since } = running;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(progress?.seconds ?? 0, (now - since) / 1000);
  return (
    <div class="progress">
      {progress && progress.of > 0 ? <progress max={progress.of} value={progress.decided} aria-label="Properties decided" /> : <progress aria-label="Checking" />}
      <span class="words">
        {progress ? `${progress.phase}` : "starting"}
        {progress && progress.of > 0 && <>, {progress.decided} of {progress.of} decided</>}
        {progress?.states !== undefined && <>, {grouped(progress.states)} states</>}
        {progress?.nodes !== undefined && <>, {grouped(progress.nodes)} nodes</>}
        {progress?.rate !== undefined && <>, {grouped(Math.round(progress.rate))} per second</>}
        , {duration(seconds)}
      </span>
      <button type="button" class="button small danger" disabled={isStopping} onClick={onStop}><Icon name="stop" /> {isStopping ? "Stopping" : "Stop"}</button>
    </div>
  );
}
