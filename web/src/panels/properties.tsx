// Properties with their verdicts: check one, all, on save; what is done, at which rate; stop.
import { useState } from "preact/hooks";
import type { Asked, Subject, Verdict } from "../protocol";
import { uriOf } from "../editor/language";
import type { Document, Results, Store } from "../store";
import { Findings } from "../ui/findings";
import { Icon } from "../ui/icon";
import { VerdictBadge } from "../ui/verdict";
import { duration, expectation, grouped } from "../ui/words";
import { explain } from "./explain";
import type { Panel, PanelProps } from "./panel";
import { Progress } from "./progress";
import { Settings } from "./settings";

function Properties({ subject, store }: PanelProps) {
  const document = store.active.value;
  const key = document?.key ?? "";
  const { checks } = store;
  const running = checks.running.value?.key === key ? checks.running.value : null;
  const results = store.results.value.get(key);
  const [hasSettings, showSettings] = useState(false);
  if (!subject || !document) return null;
  const isOld = results !== undefined && results.verdicts.size > 0 && results.text !== subject.text;
  const listed = results?.asked.length ? results.asked : outlined(store, document);
  return (
    <>
      <h2 class="visually-hidden">Properties</h2>
      <div class="bar">
        <button type="button" class="button primary" onClick={() => void checks.start(subject, key)} title="Ctrl+Enter"><Icon name="play" /> Check all</button>
        {results && !running && <span class="summary">{results.verdicts.size > 0 ? checks.summary(key) : ""}</span>}
        <span class="fill" />
        <label class="check"><input type="checkbox" checked={store.checksOnSave.value} onChange={(event) => (store.checksOnSave.value = event.currentTarget.checked)} /> on save</label>
        <button type="button" class="button quiet small" aria-expanded={hasSettings} onClick={() => showSettings(!hasSettings)}><Icon name="settings" /> Settings</button>
      </div>
      {hasSettings && <Settings store={store} />}
      {running && <Progress running={running} onStop={() => void checks.stop()} />}
      {checks.trouble.value && !running && <p class="trouble"><Icon name="warning" /> {checks.trouble.value}</p>}
      {isOld && <p class="old"><Icon name="info" /> The text was changed since: these verdicts are about what it was.</p>}
      {results && <Findings findings={results.findings} store={store} />}
      <List listed={listed} results={results} subject={subject} store={store} isOld={isOld} running={running?.names === null ? "all" : running?.names ?? null} />
      {results?.model && <Model model={results.model} />}
    </>
  );
}

/** Before the first check: what the language service reads in the text. */
function outlined(store: Store, document: Document): Asked[] {
  const items = store.outlines.value.get(uriOf(document)) ?? [];
  return items.filter((item) => item.kind === "property" || item.kind === "scenario").map((item) => ({
    name: item.name,
    formula: "",
    isScenario: item.kind === "scenario",
    place: { path: document.path, line: item.line, column: 1, endLine: item.endLine, endColumn: 1 },
  }));
}

interface ListProps { listed: Asked[]; results: Results | undefined; subject: Subject; store: Store; isOld: boolean; running: "all" | ReadonlySet<string> | null }

function List({ listed, results, subject, store, isOld, running }: ListProps) {
  if (listed.length === 0) {
    return <div class="empty-panel"><p>{results?.text ? "The model asks nothing: it has no properties. Ask something in the panel Formula." : "Check the model to see what it promises and whether that is so."}</p></div>;
  }
  return (
    <ul class={isOld ? "properties of-old" : "properties"} aria-label="Properties">
      {listed.map((asked) => {
        const verdict = results?.verdicts.get(asked.name);
        const isRunning = verdict === undefined && (running === "all" || (running?.has(asked.name) ?? false));
        return <Item key={asked.name} asked={asked} verdict={verdict} isRunning={isRunning} subject={subject} store={store} />;
      })}
    </ul>
  );
}

interface ItemProps { asked: Asked; verdict: Verdict | undefined; isRunning: boolean; subject: Subject; store: Store }

function Item({ asked, verdict, isRunning, subject, store }: ItemProps) {
  const key = store.active.value?.key ?? "";
  const { place } = asked;
  const isShown = store.shown.value?.verdict.name === asked.name && store.shown.value.key === key;
  return (
    <li class={isShown ? "property shown" : "property"}>
      <div class="head">
        {verdict ? <VerdictBadge verdict={verdict} /> : <span class="verdict none">{isRunning ? "checking" : "not checked"}</span>}
        {place
          ? <button type="button" class="plain name" onClick={() => void store.reveal(place, true)} title={`${place.path}, line ${place.line}`}>{asked.name}</button>
          : <span class="name">{asked.name}</span>}
        {asked.isScenario && <span class="tag">scenario</span>}
        {asked.level && asked.level !== "must" && <span class="tag">{asked.level}</span>}
        <span class="fill" />
        {verdict && (
          <span class="facts">
            {expectation(verdict) && <span class={verdict.verdict === "unknown" ? "warn" : verdict.asWanted ? undefined : "bad"}>{expectation(verdict)}</span>}
            <span>{duration(verdict.seconds)}</span>
            <span>{verdict.engine}</span>
          </span>
        )}
        {verdict?.hasEvidence && (
          <button type="button" class="button small" onClick={() => void explain(store, subject, key, { property: asked.name })}>
            <Icon name="eye" /> Chart<span class="visually-hidden"> of {asked.name}</span>
          </button>
        )}
        <button type="button" class="button quiet small" title={`Check ${asked.name}`} onClick={() => void store.checks.start(subject, key, [asked.name])}>
          <Icon name="play" /><span class="visually-hidden">Check {asked.name}</span>
        </button>
      </div>
      {asked.formula && <code class="property-formula">{asked.formula}</code>}
    </li>
  );
}

function Model({ model }: { model: NonNullable<Results["model"]> }) {
  return (
    <p class="model soft">
      {grouped(model.states)} {model.states === "1" ? "state" : "states"}
      {model.transitions !== undefined && <>, {grouped(model.transitions)} {model.transitions === "1" ? "transition" : "transitions"}</>}
      {model.deadlocks !== undefined && <>, {model.deadlocks === "0" ? "no" : grouped(model.deadlocks)} {model.deadlocks === "1" ? "deadlock" : "deadlocks"}</>}
      , {duration(model.seconds)}
    </p>
  );
}

export const properties: Panel = {
  id: "properties",
  title: "Properties",
  about: "What the model claims, and whether it is so.",
  component: Properties,
};
