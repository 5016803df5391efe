// The counterexample or witness as a message chart: stepped through, with the state beside it and the source marked.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Drawing } from "../chart/drawing";
import { HEAD, LOOP_FOLD, describe, foldsOf, lay, type Row } from "../chart/layout";
import { branchesOf, runsAlong, type Path } from "../chart/path";
import type { Run } from "../protocol";
import type { Shown, Store } from "../store";
import { Icon } from "../ui/icon";
import { StateView } from "../ui/state";
import { VerdictBadge } from "../ui/verdict";
import { explain } from "./explain";
import { Export } from "./export";
import { isTyping } from "./keys";
import type { Panel, PanelProps } from "./panel";
import { Words } from "./words";

function Chart({ store }: PanelProps) {
  const shown = store.shown.value;
  const job = store.explaining.value;
  if (job) {
    return (
      <div class="empty-panel" role="status">
        <p>Looking for what shows it …</p>
        <button type="button" class="button danger" onClick={() => job.stop()}><Icon name="stop" /> Stop</button>
      </div>
    );
  }
  if (!shown) {
    return (
      <div class="empty-panel">
        <p><strong>Chart</strong></p>
        <p>Check a property; where a run shows the verdict, <em>Chart</em> beside it draws that run here. Then step through it with <kbd>↓</kbd> and <kbd>↑</kbd>.</p>
        <button type="button" class="button" onClick={() => (store.panel.value = "properties")}>To the properties</button>
      </div>
    );
  }
  return <ShownChart key={JSON.stringify([shown.key, shown.verdict.name, shown.subject.text.length])} shown={shown} store={store} />;
}

function ShownChart({ shown, store }: { shown: Shown; store: Store }) {
  const { evidence, verdict, subject } = shown;
  const [path, setPath] = useState<Path>([0]);
  const runs = runsAlong(evidence, path);
  const run = runs.at(-1);
  const document = store.documents.value.find((each) => each.key === shown.key);
  const isScenario = verdict.verdict === "possible" || verdict.verdict === "impossible";
  const isOld = document !== undefined && document.text.value !== subject.text;
  return (
    <div class="chart-panel" onKeyDown={(event) => { if (event.key === "Escape" && !event.defaultPrevented && !isTyping(event)) store.closeChart(); }}>
      <h2 class="visually-hidden">Chart</h2>
      <div class="bar">
        <VerdictBadge verdict={verdict} /> <strong class="name">{verdict.name}</strong>
        <span class="soft">{evidence.kind}</span>
        <span class="fill" />
        {shown.formula === undefined && (
          <button type="button" class="button quiet small" onClick={() => store.openPanel("simulator", { replay: isScenario ? { scenario: verdict.name } : { property: verdict.name } })} title="Go on from this run in the simulator"><Icon name="play" /> Simulate</button>
        )}
        <Export shown={shown} store={store} />
        <button type="button" class="button quiet small" onClick={() => store.closeChart()} title="Close the chart (Escape)"><Icon name="close" /><span class="visually-hidden">Close the chart</span></button>
      </div>
      {isOld && (
        <p class="old"><Icon name="info" /> The text was changed since this was drawn.{" "}
          <button type="button" class="plain link" onClick={() => { const now = store.subject.value; if (now) void explain(store, now, shown.key, shown.formula === undefined ? { property: verdict.name } : { formula: shown.formula }); }}>Draw it again</button>
        </p>
      )}
      {evidence.runs.length > 1 && (
        <label class="which">Run <select value={path[0]} onChange={(event) => setPath([Number(event.currentTarget.value)])}>
          {evidence.runs.map((each, index) => <option key={index} value={index}>{index + 1}. {each.title}</option>)}
        </select></label>
      )}
      {path.length > 1 && (
        <nav class="crumbs" aria-label="Branches">
          {runs.slice(0, -1).map((each, depth) => <button key={depth} type="button" class="plain link" onClick={() => setPath(path.slice(0, depth + 1))}>{depth === 0 ? "the run" : `branch ${depth}`}<span class="visually-hidden">: {each.title}</span></button>)}
          <span aria-current="true">branch {path.length - 1}</span>
        </nav>
      )}
      {run && <RunView key={path.join(".")} run={run} shown={shown} store={store} onBranch={(index) => setPath([...path, index])} />}
    </div>
  );
}

interface RunViewProps { run: Run; shown: Shown; store: Store; onBranch: (index: number) => void }

function RunView({ run, shown, store, onBranch }: RunViewProps) {
  const { evidence } = shown;
  const last = run.moments.length - 1;
  const [at, setAt] = useState(0);
  const [folded, setFolded] = useState<ReadonlySet<number>>(() => new Set(foldsOf(run).map((_, id) => id)));
  const layout = useMemo(() => lay(evidence.roles, run, { folded, isLoopFolded: folded.has(LOOP_FOLD) }), [run, folded]);
  const marked = useMarked(layout.rows, shown, store);
  const scroller = useRef<HTMLDivElement>(null);
  const branches = branchesOf(run);

  const choose = (moment: number): void => {
    const to = Math.min(Math.max(moment, 0), last);
    setAt(to);
    const places = run.moments[to]?.step?.places ?? [];
    store.mark(places);
    // Only where its text is in front: a chart must not pull another text away from who looks at it.
    const first = places[0];
    if (first && (store.activeKey.value === shown.key || first.path !== shown.subject.path)) void store.reveal(first);
  };
  const toggle = (fold: number): void => {
    const next = new Set(folded);
    if (!next.delete(fold)) next.add(fold);
    setFolded(next);
  };
  useEffect(() => () => store.mark([]), []);
  // Who asked for the chart with the keyboard goes on in it: the button is hidden now, and the focus nowhere.
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) scroller.current?.querySelector<SVGElement>(".steps")?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const row = layout.rows.find((each) => each.kind !== "back" && each.first <= at && at <= each.moment);
    const box = scroller.current;
    if (!row || !box) return;
    const slack = 24;
    if (row.y - slack - HEAD < box.scrollTop) box.scrollTop = row.y - slack - HEAD;
    else if (row.y + row.height + slack > box.scrollTop + box.clientHeight) box.scrollTop = row.y + row.height + slack - box.clientHeight;
    const involved = [row.step?.from, ...(row.step?.to ?? [])];
    const columns = layout.heads.filter((head) => involved.includes(head.role));
    if (columns.length === 0) return;
    const left = Math.min(...columns.map((head) => head.x)) - slack;
    const right = Math.max(...columns.map((head) => head.x)) + slack;
    if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
    if (left < box.scrollLeft) box.scrollLeft = left;
  }, [at, layout]);

  /** The next moment that has a row of its own. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: at - 1, j: at + 1, k: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: last }[event.key];
    const row = layout.rows.find((each) => each.fold && each.first <= at && at <= each.moment);
    if (event.key === "Enter" && row?.fold) toggle(row.fold.id);
    else if (to === undefined) return;
    else choose(to === last + 1 && run.loopTo !== undefined && run.loopStep ? run.loopTo : to);
    event.preventDefault();
  };
  const moment = run.moments[at];
  return (
    <>
      <p class="run-title"><Words text={run.title} /></p>
      <div class="steps-bar" role="toolbar" aria-label="Steps">
        <button type="button" class="button small" disabled={at === 0} onClick={() => choose(0)} title="First (Home)"><Icon name="first" /><span class="visually-hidden">First</span></button>
        <button type="button" class="button small" disabled={at === 0} onClick={() => choose(at - 1)} title="Back (↑)"><Icon name="back" /> Back</button>
        <button type="button" class="button small" disabled={at === last} onClick={() => choose(at + 1)} title="Next (↓)">Next <Icon name="next" /></button>
        <button type="button" class="button small" disabled={at === last} onClick={() => choose(last)} title="Last (End)"><Icon name="last" /><span class="visually-hidden">Last</span></button>
        <span class="count">{at} of {last}</span>
        <span class="fill" />
        {run.loopTo !== undefined && run.loopTo < last && (
          <button type="button" class="button quiet small" aria-pressed={folded.has(LOOP_FOLD)} onClick={() => toggle(LOOP_FOLD)}><Icon name="loop" /> Fold the loop</button>
        )}
      </div>
      <div class="chart-and-state">
        <div class="chart-scroll" ref={scroller}>
          <Drawing layout={layout} label={`Steps: ${run.title}`} at={at} marked={marked} branches={branches} onChoose={choose} onToggle={toggle} onBranch={(branch) => onBranch(branch.index)} onKeyDown={onKeyDown} />
          {branches.length > 0 && (
            <ul class="branches" aria-label="Branches">
              {branches.map((branch) => <li key={branch.index}><button type="button" class="plain link" onClick={() => onBranch(branch.index)}><Icon name="branch" /> at {branch.at}: <Words text={branch.why} /></button></li>)}
            </ul>
          )}
        </div>
        <section class="moment" aria-label="The state at this step" tabIndex={0}>
          <h3>{at === 0 ? "The beginning" : `${at}. ${describe(moment?.step)}`}</h3>
          {moment && <StateView state={moment.state} changed={moment.changed} before={run.moments[at - 1]?.state} knows={moment.knows} />}
          {moment && <button type="button" class="button small" onClick={() => store.openPanel("knowledge", { state: moment.state })}><Icon name="eye" /> Who knows what here</button>}
          {evidence.legend.length > 0 && (
            <dl class="legend">{evidence.legend.map(({ name, text }) => <div key={name}><dt>{name}</dt><dd><code>{text}</code></dd></div>)}</dl>
          )}
        </section>
      </div>
    </>
  );
}

/** The rows whose steps come from the line that the cursor is on. */
function useMarked(rows: Row[], shown: Shown, store: Store): ReadonlySet<Row> {
  const cursor = store.cursor.value;
  const path = cursor && store.documents.value.find((each) => each.key === cursor.key)?.path;
  if (!cursor || (cursor.key !== shown.key && path === shown.subject.path)) return new Set();
  return new Set(rows.filter((row) => row.step?.places.some((place) => (place.path === path || place.path === "") && place.line <= cursor.line && cursor.line <= place.endLine)));
}

export const chart: Panel = { id: "chart", title: "Chart", about: "The run that shows a verdict, as a message chart.", component: Chart };
