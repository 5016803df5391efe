// What can happen next, by who acts.
import { saying } from "../../chart/layout";
import type { Choice, StateData } from "../../protocol";
import { grouped, visited, type Tree } from "./tree";

interface ChoicesProps { tree: Tree; node: number; choices: Choice[]; isAtCursor: (choice: Choice) => boolean; take: (index: number) => void; hover: (choice: Choice | null) => void }

export function Choices({ tree, node, choices, isAtCursor, take, hover }: ChoicesProps) {
  // Keys are given in the order in which the choices stand on the page.
  const groups = grouped(choices);
  const order = groups.flatMap((group) => group.choices);
  return (
    <>
      {groups.map((group) => (
        <fieldset key={group.actor} class="sim-group">
          <legend>{group.actor}</legend>
          {group.choices.map((choice) => {
            const key = order.indexOf(choice) + 1;
            return (
              <button
                key={choice.index} type="button" class={`sim-choice${isAtCursor(choice) ? " is-at-cursor" : ""}`} onClick={() => take(choice.index)} aria-keyshortcuts={key <= 9 ? String(key) : undefined}
                onMouseEnter={() => hover(choice)} onMouseLeave={() => hover(null)} onFocus={() => hover(choice)} onBlur={() => hover(null)}
              >
                {key <= 9 && <kbd aria-hidden="true">{key}</kbd>}
                <span class="sim-label">{saying(choice.step)}</span>
                {choice.step.to.length > 0 && <span class="soft"> to {choice.step.to.join(", ")}</span>}
                {choice.step.kind === "lost" && <span class="tag">lost</span>}
                {visited(tree, node, choice.index) !== undefined && <span class="tag">visited</span>}
                {isAtCursor(choice) && <span class="tag">at the cursor</span>}
                <Changes choice={choice} />
              </button>
            );
          })}
        </fieldset>
      ))}
    </>
  );
}

/** The order in which keys choose. */
export function keyOrder(choices: Choice[]): Choice[] {
  return grouped(choices).flatMap((group) => group.choices);
}

function Changes({ choice }: { choice: Choice }) {
  if (choice.changes.length === 0) return <span class="sim-changes soft">nothing changes</span>;
  return (
    <span class="sim-changes">
      {choice.changes.map(({ name, from, to }) => (
        <span key={name} class="sim-change">{name} <span class="was">{from}</span><span aria-hidden="true"> → </span><span class="visually-hidden"> becomes </span><span class="now">{to === "" ? "gone" : to}</span></span>
      ))}
    </span>
  );
}

/** One of several initial states. */
export function Beginnings({ states, choose }: { states: StateData[]; choose: (index: number) => void }) {
  // Only what differs helps to choose.
  const first = states[0];
  const names = (first?.values ?? []).map((value) => value.name).filter((name) => new Set(states.map((state) => valueOf(state, name))).size > 1);
  return (
    <fieldset class="sim-group">
      <legend>Where does it begin?</legend>
      {states.map((state, index) => (
        <button key={index} type="button" class="sim-choice sim-beginning" onClick={() => choose(index)} aria-keyshortcuts={index < 9 ? String(index + 1) : undefined}>
          {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
          <span class="sim-label">{names.map((name) => `${name} = ${valueOf(state, name)}`).join(", ") || `initial state ${index + 1}`}</span>
        </button>
      ))}
    </fieldset>
  );
}

const valueOf = (state: StateData, name: string): string => state.values.find((value) => value.name === name)?.value ?? "–";
