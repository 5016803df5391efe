// Errors, warnings and notes, each a button that goes to its place.
import { useState } from "preact/hooks";
import type { Finding } from "../protocol";
import type { Store } from "../store";
import { Icon, type IconName } from "./icon";
import { Markdown } from "./markdown";

const ICONS: Record<Finding["severity"], IconName> = { error: "no", warning: "warning", note: "info" };
const TONES: Record<Finding["severity"], string> = { error: "bad", warning: "warn", note: "soft" };

export function Findings({ findings, store }: { findings: Finding[]; store: Store }) {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map((finding, at) => <FindingItem key={at} finding={finding} store={store} />)}
    </ul>
  );
}

function FindingItem({ finding, store }: { finding: Finding; store: Store }) {
  const { place } = finding;
  const [page, setPage] = useState<string | null>(null);
  const toggle = async (): Promise<void> => {
    if (page !== null) return setPage(null);
    const found = await store.trying(() => store.api.errorPage(finding.code));
    if (found) setPage(found.markdown);
  };
  return (
    <li class="finding">
      <span class={TONES[finding.severity]}><Icon name={ICONS[finding.severity]} /> {finding.severity}</span>
      {" "}
      {place
        ? <button type="button" class="plain" onClick={() => void store.reveal(place, true)}>{finding.message}<span class="where">{place.path}:{place.line}:{place.column}</span></button>
        : <span>{finding.message}</span>}
      {finding.code && <button type="button" class="code" aria-expanded={page !== null} onClick={() => void toggle()}>{finding.code}</button>}
      {finding.help.map((help) => <p key={help} class="help">{help}</p>)}
      {page !== null && <Markdown text={page} />}
    </li>
  );
}
