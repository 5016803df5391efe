// A verdict: a picture AND the word; the colour says whether it is what was wanted.
import type { Verdict } from "../protocol";
import { Icon, type IconName } from "./icon";
import { tone } from "./words";

const ICONS: Record<Verdict["verdict"], IconName> = { true: "yes", possible: "yes", false: "no", impossible: "no", unknown: "question" };

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  return (
    <span class={`verdict ${tone(verdict)}`}>
      <Icon name={ICONS[verdict.verdict]} />
      {verdict.verdict}
    </span>
  );
}
