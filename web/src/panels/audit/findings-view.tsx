// What was found: each with its line, its rule and what would have been possible.
import { useState } from "preact/hooks";
import type { AuditFinding, Audited, Level } from "../../protocol";
import { Icon } from "../../ui/icon";
import { Words } from "../words";
import { counts, type AuditSession } from "./session";

const TONES: Record<Level, string> = { must: "bad", should: "warn", may: "soft" };
const KINDS: Record<AuditFinding["kind"], string> = {
  "not-possible": "not possible here", property: "a property is false", commitment: "a commitment is broken", unmatched: "no rule of the mapping", "late-line": "came too late",
  "bad-line": "cannot be read", limit: "a limit was reached",
};
const MOST = 200;

export function AuditFindings({ session, audited }: { session: AuditSession; audited: Audited }) {
  const [level, setLevel] = useState<Level | "all">("all");
  const shown = audited.findings.filter((finding) => level === "all" || finding.level === level);
  const count = counts(audited);
  if (audited.findings.length === 0) return null;
  return (
    <section aria-label="Findings">
      <div class="row wrap">
        <h3 class="grow">Findings</h3>
        {(["all", "must", "should", "may"] as const).map((each) => (
          <button key={each} type="button" class="button small" aria-pressed={level === each} disabled={each !== "all" && count[each] === 0} onClick={() => setLevel(each)}>{each} {each === "all" ? audited.findings.length : count[each]}</button>
        ))}
      </div>
      <ul class="audit-findings">
        {shown.slice(0, MOST).map((finding, at) => <Item key={at} finding={finding} session={session} />)}
      </ul>
      {shown.length > MOST && <p class="soft">and {shown.length - MOST} more</p>}
    </section>
  );
}

function Item({ finding, session }: { finding: AuditFinding; session: AuditSession }) {
  const isHere = session.finding.value === finding;
  return (
    <li class={isHere ? "is-here" : undefined}>
      <button type="button" class="plain" aria-pressed={isHere} onClick={() => session.look(finding)}>
        <span class={TONES[finding.level]}><Icon name={finding.level === "may" ? "info" : "warning"} /> <strong>{finding.level}</strong></span> line {finding.line}: <Words text={finding.message} />
      </button>
      <p class="soft">
        {KINDS[finding.kind]} · {finding.view} {finding.key} · <code>{finding.code}</code>
        {finding.citation && <> · {finding.citation}</>}
        {finding.since !== undefined && <> · since <button type="button" class="plain link" onClick={() => (session.line.value = finding.since ?? null)}>line {finding.since}</button></>}
      </p>
      {finding.possible.length > 0 && (
        <p>Possible would have been: {finding.possible.map(({ role, labels }, at) => <span key={role}>{at > 0 && "; "}{labels.map((label, n) => <span key={label}>{n > 0 && ", "}<code>{label}</code></span>)}</span>)}</p>
      )}
      {finding.explanation && <p><Words text={finding.explanation} /></p>}
    </li>
  );
}
