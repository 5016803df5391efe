// Two branches side by side.
import { describe } from "../../chart/layout";
import type { StepData } from "../../protocol";
import { Words } from "../words";
import type { Comparison, Difference } from "./compare";

export function CompareView({ comparison, goTo, unpin }: { comparison: Comparison; goTo: (node: number) => void; unpin: () => void }) {
  const { left, right, common, rows } = comparison;
  return (
    <section class="sim-compare" aria-label="Comparison of two branches">
      <div class="row">
        <h3>Moment {left.node} (pinned) and moment {right.node}</h3>
        <button type="button" class="button" onClick={unpin}>End the comparison</button>
      </div>
      <p><Words text={sentence(comparison)} /></p>
      {rows.length > 0 && (
        <div class="scroll-x" tabIndex={0} role="group" aria-label="Steps after they part">
          <table class="grid">
            <thead><tr><th scope="col">step</th><th scope="col">to moment {left.node}</th><th scope="col">to moment {right.node}</th><th scope="col">states</th></tr></thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index} class={row.isSameStep ? undefined : "changed"}>
                  <th scope="row">{common + index}</th>
                  {[row.left, row.right].map((node, side) => (
                    <td key={side}>{node ? <button type="button" class="plain" onClick={() => goTo(node.node)}>{node.step ? describe(node.step) : "beginning"}</button> : "–"}</td>
                  ))}
                  <td>{row.left && row.right ? (row.isSameState ? "the same" : "differ") : ""}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Differences title="Values that differ" of={comparison.values} left={left.node} right={right.node} />
      <Differences title="Commitments that differ" of={comparison.inForce} left={left.node} right={right.node} />
      <Differences title="Watched formulas that differ" of={comparison.watched} left={left.node} right={right.node} />
    </section>
  );
}

/** Where the two part, in words. */
function sentence({ left, right, common, rows, isSameState }: Comparison): string {
  if (left.node === right.node) return "This is the pinned moment itself: go to another one to compare.";
  const end = isSameState ? " Both end in the same state." : "";
  if (common === 0) return `They begin in different initial states.${end}`;
  const shared = common === 1 ? "Only the beginning is common." : `The first ${common} moments are common.`;
  const title = (step: StepData | undefined): string => (step ? `\`${describe(step)}\`` : "nothing more");
  return `${shared} Then they part: ${title(rows[0]?.left?.step)} on one side, ${title(rows[0]?.right?.step)} on the other.${end}`;
}

function Differences({ title, of, left, right }: { title: string; of: Difference[]; left: number; right: number }) {
  if (of.length === 0) return null;
  return (
    <table class="grid">
      <caption>{title}</caption>
      <thead><tr><th scope="col">name</th><th scope="col">at {left}</th><th scope="col">at {right}</th></tr></thead>
      <tbody>{of.map((each) => <tr key={each.name}><th scope="row">{each.name}</th><td>{each.left}</td><td>{each.right}</td></tr>)}</tbody>
    </table>
  );
}
