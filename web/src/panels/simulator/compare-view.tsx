// Two branches side by side.
import type { Comparison, Difference } from "./compare";

export function CompareView({ comparison, goTo, unpin }: { comparison: Comparison; goTo: (node: number) => void; unpin: () => void }) {
  const { left, right, common, rows } = comparison;
  const parts = rows[0];
  const title = (step: { label: string } | undefined): string => (step ? `\`${step.label}\`` : "nothing more");
  return (
    <section class="sim-compare" aria-label="Comparison of two branches">
      <div class="row">
        <h3>Moment {left.node} (pinned) and moment {right.node}</h3>
        <button type="button" class="button" onClick={unpin}>End the comparison</button>
      </div>
      <p>
        {left.node === right.node
          ? "This is the pinned moment itself: go to another one to compare."
          : common === 0
            ? "They begin in different initial states."
            : parts
              ? `The first ${common} ${common === 1 ? "moment is" : "moments are"} common. Then they part: ${title(parts.left?.step)} on one side, ${title(parts.right?.step)} on the other.`
              : "They are the same run."}
        {left.node !== right.node && comparison.isSameState && " Both end in the same state."}
      </p>
      {rows.length > 0 && (
        <div class="scroll-x" tabIndex={0} role="group" aria-label="Steps after they part">
          <table class="grid">
            <thead><tr><th scope="col">step</th><th scope="col">to moment {left.node}</th><th scope="col">to moment {right.node}</th><th scope="col">states</th></tr></thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index} class={row.isSameStep ? undefined : "changed"}>
                  <th scope="row">{common + index}</th>
                  {[row.left, row.right].map((node, side) => (
                    <td key={side}>{node ? <button type="button" class="plain" onClick={() => goTo(node.node)}>{node.step?.label ?? "beginning"}</button> : "–"}</td>
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
