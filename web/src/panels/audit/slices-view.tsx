// The slices of a log: one small run of a model for each key.
import { useState } from "preact/hooks";
import type { AuditCommitment, Audited, AuditSlice } from "../../protocol";
import { Icon, type IconName } from "../../ui/icon";
import { grouped } from "../../ui/words";
import { Picture } from "../picture";
import type { AuditSession } from "./session";

type SliceVerdict = AuditSlice["verdicts"][number]["verdict"];
const ICONS: Record<SliceVerdict, IconName> = { true: "yes", false: "no", open: "question", left: "warning" };
const TONES: Record<SliceVerdict, string> = { true: "good", false: "bad", open: "warn", left: "bad" };
const WORDS: Record<SliceVerdict, string> = { true: "true", false: "false", open: "open", left: "left the protocol" };
type Outcome = AuditCommitment["outcome"];
const OUTCOMES: Record<Outcome, { icon: IconName; tone: string; words: string }> = {
  broken: { icon: "no", tone: "bad", words: "broken" },
  claimed: { icon: "warning", tone: "bad", words: "claimed to be kept" },
  owed: { icon: "warning", tone: "warn", words: "still owed" },
  open: { icon: "question", tone: "warn", words: "open" },
  kept: { icon: "yes", tone: "good", words: "kept" },
  released: { icon: "info", tone: "soft", words: "released" },
};
const PAGE = 50;

export function Slices({ session, audited }: { session: AuditSession; audited: Audited }) {
  const [text, setText] = useState("");
  const [page, setPage] = useState(0);
  const wanted = text.trim().toLowerCase();
  const all = audited.slices.map((slice, at) => ({ slice, at })).filter(({ slice }) => `${slice.view} ${slice.key}`.toLowerCase().includes(wanted));
  const pages = Math.max(1, Math.ceil(all.length / PAGE));
  const here = Math.min(page, pages - 1);
  const selected = session.slice.value === null ? undefined : audited.slices[session.slice.value];
  return (
    <section aria-label="Slices">
      <div class="row wrap"><h3 class="grow">Slices</h3><input type="search" aria-label="Find slices by view or key" placeholder="view or key" value={text} onInput={(event) => setText(event.currentTarget.value)} /></div>
      <div class="scroll-x" tabIndex={0} role="group" aria-label="Table of slices">
        <table class="grid">
          <thead><tr><th scope="col">slice</th><th scope="col">lines</th><th scope="col">verdicts</th><th scope="col">commitments</th><th scope="col">fitness</th></tr></thead>
          <tbody>
            {all.slice(here * PAGE, (here + 1) * PAGE).map(({ slice, at }) => (
              <tr key={at} class={session.slice.value === at ? "is-here" : undefined}>
                <th scope="row"><button type="button" class="plain" aria-pressed={session.slice.value === at} onClick={() => choose(session, slice, at)}>{slice.view} {slice.key}</button></th>
                <td>{slice.lines.length}</td>
                <td>{summary(slice)}</td>
                <td>{promised(slice)}</td>
                <td>{Math.round(slice.fitness * 100)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && <p class="row wrap"><button type="button" class="button small" disabled={here === 0} onClick={() => setPage(here - 1)}>Previous page</button> page {here + 1} of {pages} ({grouped(all.length)} slices) <button type="button" class="button small" disabled={here === pages - 1} onClick={() => setPage(here + 1)}>Next page</button></p>}
      {selected && <Slice slice={selected} session={session} />}
    </section>
  );
}

function choose(session: AuditSession, slice: AuditSlice, at: number): void {
  session.slice.value = at;
  session.finding.value = null;
  session.line.value = slice.lines[0] ?? null;
}

/** How many of its verdicts are what. */
export function summary(slice: AuditSlice): string {
  const order: SliceVerdict[] = ["false", "left", "open", "true"];
  return order.map((verdict) => [slice.verdicts.filter((each) => each.verdict === verdict).length, WORDS[verdict]] as const).filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`).join(", ") || "–";
}

/** How many of its commitments are what: those that want something done first. */
export function promised(slice: AuditSlice): string {
  const order = Object.keys(OUTCOMES) as Outcome[];
  return order.map((outcome) => [slice.commitments.filter((each) => each.outcome === outcome).length, OUTCOMES[outcome].words] as const).filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`).join(", ") || "–";
}

/** What became of the commitments of a slice. */
function Commitments({ slice, session }: { slice: AuditSlice; session: AuditSession }) {
  if (slice.commitments.length === 0) return null;
  return (
    <table class="grid">
      <thead><tr><th scope="col">commitment</th><th scope="col">who owes whom</th><th scope="col">what became of it</th><th scope="col">decided at</th></tr></thead>
      <tbody>
        {slice.commitments.map(({ name, debtor, creditor, outcome, line }, at) => (
          <tr key={at}>
            <th scope="row">{name}</th>
            <td>{debtor} owes {creditor}</td>
            <td class={OUTCOMES[outcome].tone}><Icon name={OUTCOMES[outcome].icon} /> {OUTCOMES[outcome].words}</td>
            <td>{line === undefined ? "" : <button type="button" class="plain link" onClick={() => (session.line.value = line)}>line {line}</button>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Slice({ slice, session }: { slice: AuditSlice; session: AuditSession }) {
  return (
    <section class="audit-slice" aria-label={`Slice ${slice.view} ${slice.key}`}>
      <h4>{slice.view} {slice.key}</h4>
      {slice.verdicts.length > 0 && (
        <table class="grid">
          <thead><tr><th scope="col">property</th><th scope="col">level</th><th scope="col">verdict</th><th scope="col">decided at</th></tr></thead>
          <tbody>
            {slice.verdicts.map((each) => (
              <tr key={each.name}>
                <th scope="row">{each.name}</th>
                <td>{each.level}</td>
                <td class={TONES[each.verdict]}><Icon name={ICONS[each.verdict]} /> {WORDS[each.verdict]}</td>
                <td>{each.line === undefined ? "" : <button type="button" class="plain link" onClick={() => (session.line.value = each.line ?? null)}>line {each.line}</button>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Commitments slice={slice} session={session} />
      {slice.chart && <Picture svg={slice.chart} label={`Chart of ${slice.view} ${slice.key}`} />}
    </section>
  );
}
