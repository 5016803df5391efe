// The log, the line that a finding is about, and the rule that it breaks.
import { useEffect, useRef } from "preact/hooks";
import type { Audited, Place } from "../../protocol";
import { languageOf, type Store } from "../../store";
import { scrollWithin } from "../scroll";
import { around, pretty, type Log } from "./log";
import type { AuditSession } from "./session";

const SHOWN = 60;
const LONGEST = 300;

export function LogView({ session, log, audited }: { session: AuditSession; log: Log; audited: Audited | null }) {
  const line = session.line.value;
  const slice = new Set(session.slice.value === null ? [] : (audited?.slices[session.slice.value]?.lines ?? []));
  const broken = new Set(audited?.findings.map((finding) => finding.line) ?? []);
  const { from, to } = around(log.lines.length, line ?? 1, SHOWN);
  const here = useRef<HTMLLIElement>(null);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => scrollWithin(list.current, here.current), [line]);
  const step = (by: number): void => {
    session.line.value = Math.max(1, Math.min(log.lines.length, (line ?? 1) + by));
  };
  const nearest = (by: 1 | -1): void => {
    const sorted = [...slice].sort((one, two) => (one - two) * by);
    session.line.value = sorted.find((each) => (each - (line ?? 0)) * by > 0) ?? line;
  };
  return (
    <section aria-label="Log">
      <div class="row wrap">
        <h3 class="grow">{log.name}</h3>
        <button type="button" class="button small" onClick={() => step(-SHOWN)} disabled={from === 1}>Earlier</button>
        <span class="soft">lines {from} to {to} of {log.lines.length}</span>
        <button type="button" class="button small" onClick={() => step(SHOWN)} disabled={to === log.lines.length}>Later</button>
        {slice.size > 0 && <><button type="button" class="button small" onClick={() => nearest(-1)}>Previous of the slice</button><button type="button" class="button small" onClick={() => nearest(1)}>Next of the slice</button></>}
      </div>
      <ol ref={list} class="log" tabIndex={0} aria-label={`Lines ${from} to ${to}`}>
        {log.lines.slice(from - 1, to).map((text, at) => {
          const number = from + at;
          const isHere = number === line;
          return (
            <li key={number} ref={isHere ? here : undefined} class={`${isHere ? "is-here" : ""}${slice.has(number) ? " is-of-slice" : ""}${broken.has(number) ? " is-broken" : ""}`}>
              <button type="button" class="plain" aria-current={isHere ? "true" : undefined} onClick={() => (session.line.value = number)}>
                <span class="log-number">{number}</span>
                {broken.has(number) && <span class="tag bad">finding</span>}
                {slice.has(number) && <span class="visually-hidden"> of the slice </span>}
                <code>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</code>
              </button>
            </li>
          );
        })}
      </ol>
      {line !== null && log.lines[line - 1] !== undefined && <details class="log-line"><summary>Line {line} in full</summary><pre tabIndex={0}>{pretty(log.lines[line - 1] ?? "")}</pre></details>}
    </section>
  );
}

const BESIDE = 6;

/** The rule in its model. */
export function Rule({ store, audited, place }: { store: Store; audited: Audited; place: Place }) {
  const text = audited.models?.[place.path];
  const open = (): void => {
    if (text !== undefined && !store.documentOf(place.path)) store.add({ key: `audit:${place.path}`, path: place.path, origin: "example", language: languageOf(place.path), text });
    void store.reveal(place, true);
  };
  const lines = text?.split("\n") ?? [];
  const first = Math.max(1, place.line - BESIDE);
  return (
    <section aria-label="The broken rule">
      <div class="row wrap"><h3 class="grow">The rule: {place.path}, line {place.line}</h3><button type="button" class="button small" onClick={open}>Open the model there</button></div>
      {text !== undefined && (
        <pre class="rule" tabIndex={0} aria-label={`Lines around ${place.line} of ${place.path}`}>
          {lines.slice(first - 1, place.endLine + BESIDE).map((line, at) => {
            const number = first + at;
            const isRule = number >= place.line && number <= place.endLine;
            return <span key={number} class={isRule ? "rule-line" : undefined}><span class="log-number">{number}</span>{isRule ? <mark>{line}</mark> : line}{"\n"}</span>;
          })}
        </pre>
      )}
    </section>
  );
}
