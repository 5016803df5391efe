// The audit: drop a log, see what in it breaks which rule.
import { effect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Findings } from "../../ui/findings";
import { Icon } from "../../ui/icon";
import type { Panel, PanelProps } from "../panel";
import { Words } from "../words";
import { AuditFindings } from "./findings-view";
import { logOf } from "./log";
import { LogView, Rule } from "./log-view";
import { AuditSession, spoken } from "./session";
import { Setup } from "./setup";
import { Slices } from "./slices-view";

function AuditPanel({ store }: PanelProps) {
  const session = useMemo(() => new AuditSession({ jobs: store.jobs, limits: () => store.limits.value, announce: (text) => store.announce(text) }), [store]);
  useEffect(() => effect(() => {
    if (store.intent.value?.panel !== audit.id) return;
    const intent = store.takeIntent(audit.id);
    if (typeof intent?.["text"] === "string") session.take(logOf(String(intent["name"] ?? "log"), intent["text"]));
  }), [store, session]);
  const audited = session.audited.value;
  const log = session.judged.value ?? session.log.value;
  const rule = session.finding.value?.rule;
  return (
    <div class="pane audit">
      <h2 class="visually-hidden">Audit</h2>
      <Setup session={session} store={store} />
      {session.isBusy.value && <p class="progress" role="status"><span class="words">The log is being judged. {session.progress.value}</span></p>}
      {session.message.value !== "" && <p class="flag warn" role="status"><Icon name="warning" /> <Words text={session.message.value} /></p>}
      <Findings findings={session.findings.value} store={store} />
      {audited && (
        <>
          <p class={audited.findings.length === 0 ? "flag" : "flag warn"} role="status"><Icon name={audited.findings.length === 0 ? "yes" : "warning"} /> {spoken(audited)}{!audited.isWhole && " Only a part was judged."}</p>
          <AuditFindings session={session} audited={audited} />
          {rule && <Rule store={store} audited={audited} place={rule} />}
          <Slices session={session} audited={audited} />
        </>
      )}
      {log && <LogView session={session} log={log} audited={audited} />}
    </div>
  );
}

export const audit: Panel = {
  id: "audit",
  title: "Audit",
  about: "Drop a log of what programs said to each other: see what in it breaks which rule of a protocol.",
  component: AuditPanel,
  needsNoSubject: true,
};
