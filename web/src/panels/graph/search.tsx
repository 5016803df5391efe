// Looking for states: by words, by a formula, by what is wrong with them.
import { useState } from "preact/hooks";
import type { Graph } from "../../protocol";
import { Icon } from "../../ui/icon";
import { grouped } from "../../ui/words";
import type { GraphSession } from "./session";

export function Search({ session, show }: { session: GraphSession; show: (node: number) => void }) {
  const [text, setText] = useState("");
  const [kind, setKind] = useState<"words" | "formula">("words");
  const found = session.found.value;
  const at = found?.states.indexOf(session.selected.value ?? -1) ?? -1;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    if (kind === "words") session.search(text);
    else session.find(text.trim());
  };
  const step = (by: number): void => {
    const count = found?.states.length ?? 0;
    const to = found?.states[(at < 0 ? (by > 0 ? 0 : count - 1) : at + by + count) % count];
    if (to !== undefined) show(to);
  };
  return (
    <>
      <form class="row wrap" role="search" aria-label="States of the graph" onSubmit={submit}>
        <label><span class="visually-hidden">What to look for is</span>
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value as typeof kind)}><option value="words">words</option><option value="formula">a formula</option></select>
        </label>
        <input class="grow mono" type="search" aria-label={kind === "words" ? "Words in a state" : "A formula that holds in a state"} placeholder={kind === "words" ? "paid = true" : "EF delivered"} value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} autocomplete="off" />
        <button type="submit" class="button" disabled={text.trim() === ""}><Icon name="search" /> Find</button>
      </form>
      {found && (
        <p class="row wrap" role="status">
          <span>{grouped(found.count)} {found.count === "1" ? "state" : "states"}: <code>{found.what}</code>{at >= 0 ? `; this is ${at + 1}` : ""}</span>
          <button type="button" class="button small" disabled={found.states.length === 0} onClick={() => step(-1)}><Icon name="back" /> Previous</button>
          <button type="button" class="button small" disabled={found.states.length === 0} onClick={() => step(1)}><Icon name="next" /> Next</button>
          <button type="button" class="button quiet small" onClick={() => session.forget()}><Icon name="close" /> Clear</button>
        </p>
      )}
    </>
  );
}

/** What deserves a look, with how much of it there is. */
export function Kinds({ session, graph, show }: { session: GraphSession; graph: Graph; show: (node: number) => void }) {
  const kinds: [string, number[]][] = [
    ["start", graph.nodes.filter((node) => node.isInitial).map((node) => node.id)],
    ["deadlock", graph.nodes.filter((node) => node.isDeadlock).map((node) => node.id)],
    ["end", graph.nodes.filter((node) => node.isFinal).map((node) => node.id)],
    ["promise that cannot be kept", graph.nodes.filter((node) => node.unkeepable.length > 0).map((node) => node.id)],
  ];
  const look = (what: string, states: number[]): void => {
    session.showAll(what, states);
    const [first] = states;
    if (first !== undefined) show(first);
  };
  return (
    <div class="row wrap" role="group" aria-label="Marked states">
      {kinds.map(([what, states]) => (
        <button key={what} type="button" class="button small" disabled={states.length === 0} aria-pressed={session.found.value?.what === what} onClick={() => look(what, states)}>
          {what}: {states.length}
        </button>
      ))}
    </div>
  );
}
