// Formulas: type one, read it in words, see it as an automaton, have it decided.
import { effect } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Subject } from "../../protocol";
import type { Store } from "../../store";
import { Icon } from "../../ui/icon";
import { VerdictBadge } from "../../ui/verdict";
import { duration, expectation } from "../../ui/words";
import { download } from "../export";
import type { Panel, PanelProps } from "../panel";
import { Picture } from "../picture";
import { Words } from "../words";
import { History } from "./history";
import { Inquiry } from "./inquiry";
import { freshName, hindrance, insertProperty, isName } from "./insert";
import { parts } from "./underline";

function FormulaPanel({ subject, store }: PanelProps) {
  const inquiry = useMemo(() => new Inquiry({ jobs: store.jobs, limits: () => store.limits.value, announce: (text) => store.announce(text) }), [store]);
  const history = useMemo(() => new History(localStorage), []);
  useEffect(() => effect(() => {
    if (store.intent.value?.panel !== formulaPanel.id) return;
    const given = store.takeIntent(formulaPanel.id)?.["formula"];
    const wanted = store.subject.peek();
    if (typeof given === "string" && wanted) inquiry.type(given, wanted);
  }), [store, inquiry]);
  // Another text may give another answer.
  const isShown = store.panel.value === formulaPanel.id;
  useEffect(() => {
    if (subject && isShown) inquiry.type(inquiry.text.peek(), subject);
  }, [subject, isShown]);
  if (!subject) return null;
  const view = inquiry.view.value;
  const isOld = inquiry.asked.value !== inquiry.text.value;
  return (
    <div class="pane formula">
      <h2 class="visually-hidden">Formula</h2>
      <Input inquiry={inquiry} subject={subject} done={() => history.add(inquiry.text.peek())} />
      {inquiry.message.value !== "" && <p class="flag warn" role="status"><Icon name="warning" /> <Words text={inquiry.message.value} /></p>}
      <div id="formula-findings">{inquiry.findings.value.length > 0 && <ul class="findings" aria-label="Findings in the formula">
        {inquiry.findings.value.map((finding, at) => (
          <li key={at} class="finding"><span class={finding.severity === "error" ? "bad" : finding.severity === "warning" ? "warn" : "soft"}>{finding.severity}</span> <Words text={finding.message} />{finding.place && <span class="where">{finding.place.line}:{finding.place.column}</span>}{finding.help.map((help) => <p key={help} class="help"><Words text={help} /></p>)}</li>
        ))}
      </ul>}</div>
      <div class={isOld ? "formula-answer is-old" : "formula-answer"} aria-busy={inquiry.isBusy.value}>
        {view?.verdict && <p role="status"><VerdictBadge verdict={view.verdict} /> {view.verdict.verdict === "unknown" && <Words text={expectation(view.verdict)} />} <span class="soft">{view.verdict.engine}, {duration(view.verdict.seconds)}</span></p>}
        {view && view.words !== "" && <section aria-label="In words"><h3>In words</h3><p><Words text={view.words} /></p></section>}
        {view && view.notes.length > 0 && <ul class="notes">{view.notes.map((note) => <li key={note}><Words text={note} /></li>)}</ul>}
        {view?.automaton && (
          <section aria-label="As an automaton">
            <div class="row"><h3 class="grow">As an automaton</h3><button type="button" class="button small" onClick={() => download(new Blob([view.automaton ?? ""], { type: "image/svg+xml" }), "formula.svg")}><Icon name="download" /> SVG</button></div>
            <Picture svg={view.automaton} label={`Automaton of ${view.text}`} />
          </section>
        )}
      </div>
      {view && view.findings.every((finding) => finding.severity !== "error") && !isOld && <Insert store={store} subject={subject} formula={view.text || inquiry.asked.value} />}
      <Kept history={history} use={(text) => { inquiry.type(text, subject); inquiry.ask(subject); }} />
    </div>
  );
}

function Input({ inquiry, subject, done }: { inquiry: Inquiry; subject: Subject; done: () => void }) {
  const backdrop = useRef<HTMLPreElement>(null);
  const text = inquiry.text.value;
  const isFresh = inquiry.asked.value === text || inquiry.view.value === null;
  const findings = isFresh ? inquiry.findings.value : [];
  const hasErrors = findings.some((finding) => finding.severity === "error");
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    done();
    inquiry.ask(subject);
  };
  return (
    <div>
      <label class="heading" for="formula-input">Formula</label>
      <div class="underlined">
        <pre ref={backdrop} aria-hidden="true">{parts(text, findings).map((part, at) => (part.severity ? <mark key={at} class={part.severity}>{part.text}</mark> : <span key={at}>{part.text}</span>))}{"\n"}</pre>
        <textarea
          id="formula-input" rows={3} spellcheck={false} autocomplete="off" autocapitalize="off" placeholder="AG (asked -> F answered)" value={text} aria-invalid={hasErrors} aria-describedby="formula-findings formula-hint"
          onInput={(event) => inquiry.type(event.currentTarget.value, subject)} onKeyDown={onKeyDown} onBlur={done}
          onScroll={(event) => { if (backdrop.current) backdrop.current.scrollTop = event.currentTarget.scrollTop; }}
        />
      </div>
      <p class="soft" id="formula-hint">Read and decided as you type, with the words of {subject.path}. Enter asks at once and keeps it. {inquiry.isBusy.value && <button type="button" class="button small" onClick={() => inquiry.stop()}><Icon name="stop" /> Stop</button>}</p>
    </div>
  );
}

function Insert({ store, subject, formula }: { store: Store; subject: Subject; formula: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  const why = hindrance(subject.language, subject.text);
  const needsName = subject.language === "pact";
  const name = typed ?? freshName(subject.text);
  const isTaken = new RegExp(`^\\s*property\\s+${name.replace(/\W/g, "")}\\b`, "m").test(subject.text);
  const insert = (event: Event): void => {
    event.preventDefault();
    const document = store.active.peek();
    if (!document) return;
    const { text, line } = insertProperty(subject.language, document.text.peek(), name, formula);
    document.text.value = text;
    setTyped(null);
    const place = { path: document.path, line, column: 1, endLine: line, endColumn: (text.split("\n")[line - 1] ?? "").length + 1 };
    void store.reveal(place);
    store.announce(`Inserted at line ${line}`);
  };
  if (why) return <p class="soft">{why}</p>;
  return (
    <form class="row wrap" aria-label="Insert as a property" onSubmit={insert}>
      {needsName && <label class="row">Name <input type="text" class="mono" value={name} onInput={(event) => setTyped(event.currentTarget.value)} spellcheck={false} autocomplete="off" aria-invalid={!isName(name) || isTaken} /></label>}
      <button type="submit" class="button" disabled={needsName && (!isName(name) || isTaken)}><Icon name="plus" /> Insert into the text</button>
      {needsName && isTaken && <span class="bad">there is a property {name} already</span>}
    </form>
  );
}

function Kept({ history, use }: { history: History; use: (text: string) => void }) {
  const formulas = history.formulas.value;
  if (formulas.length === 0) return null;
  return (
    <section aria-label="Asked before">
      <h3>Asked before</h3>
      <ul class="edge-list">
        {formulas.map((text) => (
          <li key={text} class="row">
            <button type="button" class="plain grow" onClick={() => use(text)}><code>{text}</code></button>
            <button type="button" class="button quiet small" aria-label={`Forget ${text}`} onClick={() => history.remove(text)}><Icon name="close" /></button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const formulaPanel: Panel = {
  id: "formula",
  title: "Formula",
  about: "Type a formula: read it in words, see it as an automaton, have it decided at once.",
  component: FormulaPanel,
};
