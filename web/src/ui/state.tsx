// A state as a table: values by whom they belong to, what changed, what is in force, who knows what.
import type { InForce, Knows, StateData, Value } from "../protocol";
import { Icon } from "./icon";

export interface StateViewProps {
  state: StateData;
  /** Names of values that the last step changed. */
  changed?: string[];
  /** The state before: then changes show what they were. */
  before?: StateData;
  knows?: Knows[];
}

export function StateView({ state, changed = [], before, knows = [] }: StateViewProps) {
  const isChanged = new Set(changed);
  const earlier = new Map(before?.values.map((value) => [value.name, value.value]));
  return (
    <div class="state">
      {state.isDeadlock && <p class="flag bad"><Icon name="warning" /> Deadlock: nothing can happen next.</p>}
      {state.isFinal && <p class="flag"><Icon name="yes" /> The end: nothing has to happen next.</p>}
      {byOwner(state.values).map(([owner, values]) => (
        <table key={owner} class="values">
          <caption>{owner === "" ? "Shared" : owner}{owner !== "" && areSeenAlike(values) && <span class="seen">, {seenBy(values[0] as Value)}</span>}</caption>
          <tbody>
            {values.map((value) => (
              <tr key={value.name} class={isChanged.has(value.name) ? "changed" : undefined}>
                <th scope="row" title={seenBy(value)}>{shortName(value)}{!areSeenAlike(values) && isHidden(value, values) && <span class="seen"> {seenBy(value)}</span>}</th>
                <td>
                  {isChanged.has(value.name) && earlier.has(value.name) && (
                    <><span class="was">{earlier.get(value.name)}</span><span class="arrow" aria-label="became"> → </span></>
                  )}
                  <span class="now">{value.value}</span>
                  {isChanged.has(value.name) && <span class="visually-hidden"> (changed)</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      <Commitments inForce={state.inForce} before={before?.inForce} />
      {knows.length > 0 && <KnowledgeList knows={knows} />}
    </div>
  );
}

/** The name without the owner that the table names. */
function shortName({ name, owner }: Value): string {
  return owner !== undefined && name.startsWith(`${owner}.`) ? name.slice(owner.length + 1) : name;
}

function seenBy(value: Value): string {
  return value.seenBy.length > 0 ? `seen by ${value.seenBy.join(", ")}` : "seen by nobody";
}

/** Are all of them seen by the same? Then it is said once. */
function areSeenAlike(values: Value[]): boolean {
  return new Set(values.map((value) => value.seenBy.join("\n"))).size === 1;
}

/** Is it seen by fewer than others of the same owner? */
function isHidden(value: Value, values: Value[]): boolean {
  return value.seenBy.length < Math.max(...values.map((each) => each.seenBy.length));
}

/** Values by whom they belong to, in the order in which the owners first come; what belongs to nobody comes first. */
function byOwner(values: Value[]): [string, Value[]][] {
  const found = new Map<string, Value[]>([["", []]]);
  for (const value of values) {
    const owner = value.owner ?? "";
    const list = found.get(owner);
    if (list) list.push(value);
    else found.set(owner, [value]);
  }
  return [...found].filter(([, list]) => list.length > 0);
}

function Commitments({ inForce, before }: { inForce: InForce[]; before?: InForce[] }) {
  if (inForce.length === 0 && !before?.length) return null;
  const had = new Set(before?.map((each) => each.text));
  const has = new Set(inForce.map((each) => each.text));
  const gone = before?.filter((each) => !has.has(each.text)) ?? [];
  return (
    <section class="in-force">
      <h4>In force</h4>
      <ul>
        {inForce.map((each) => (
          <li key={each.text} class={before && !had.has(each.text) ? "changed" : undefined}>
            <strong>{each.name}</strong> <span class="soft">{each.debtor} to {each.creditor}:</span> <code>{each.content}</code>
            {before && !had.has(each.text) && <span class="tag">new</span>}
            {each.keepable === false && <span class="tag bad"><Icon name="warning" /> cannot be kept</span>}
          </li>
        ))}
        {gone.map((each) => <li key={each.text} class="gone"><strong>{each.name}</strong> <span class="tag">no longer in force</span></li>)}
        {inForce.length === 0 && gone.length === 0 && <li class="soft">nothing</li>}
      </ul>
    </section>
  );
}

const KNOWN: Record<Knows["value"], [one: string, several: string]> = {
  true: ["knows it is true", "know it is true"],
  false: ["knows it is false", "know it is false"],
  "not known": ["does not know", "do not know"],
};

function KnowledgeList({ knows }: { knows: Knows[] }) {
  const texts = [...new Set(knows.map((each) => each.text))];
  return (
    <section class="knows">
      <h4>Who knows what</h4>
      <dl>
        {texts.map((text) => (
          <div key={text}>
            <dt><code>{text}</code></dt>
            <dd>{whoKnows(knows.filter((each) => each.text === text))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What the roles know of one condition, those of one mind together. */
export function whoKnows(knows: Knows[]): string {
  const values = [...new Set(knows.map((each) => each.value))];
  const [only] = values;
  if (values.length === 1 && only && knows.length > 1) return only === "not known" ? "nobody knows" : `everybody ${KNOWN[only][0]}`;
  return values.map((value) => {
    const roles = knows.filter((each) => each.value === value).map((each) => each.role);
    return `${roles.join(", ")} ${KNOWN[value][roles.length === 1 ? 0 : 1]}`;
  }).join("; ");
}
