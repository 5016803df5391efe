// What the language service finds wrong in the text in front, as a list below it.
import { uriOf } from "../editor/language";
import type { Problem, Store } from "../store";
import { Icon, type IconName } from "../ui/icon";

const LOOKS: Record<Problem["severity"], { icon: IconName; tone: string }> = {
  error: { icon: "no", tone: "bad" },
  warning: { icon: "warning", tone: "warn" },
  note: { icon: "info", tone: "soft" },
};

export function Problems({ store }: { store: Store }) {
  const document = store.active.value;
  const problems = document ? store.problems.value.get(uriOf(document)) ?? [] : [];
  if (!document || !store.listsProblems.value || problems.length === 0) return null;
  const { path } = document;
  return (
    <section class="problem-list" aria-label="Problems">
      <div class="problem-head">
        <h2>Problems</h2>
        <button type="button" class="button quiet small" aria-label="Close the list of problems" onClick={() => (store.listsProblems.value = false)}><Icon name="close" /></button>
      </div>
      <ul>
        {problems.map((problem, index) => {
          const { icon, tone } = LOOKS[problem.severity];
          const { line, column } = problem;
          return (
            <li key={index}>
              <span class={tone}><Icon name={icon} /> {problem.severity}</span>
              <button type="button" class="plain" onClick={() => void store.reveal({ path, line, column, endLine: line, endColumn: column }, true)}>{problem.message}</button>
              <span class="where">line {line}</span>
              <a href={`errors/${encodeURIComponent(problem.code)}`} target="_blank" rel="noopener">{problem.code}</a>
              {problem.fixes.map((fix) => <button key={fix.name} type="button" class="button small" onClick={fix.apply}>{fix.name}</button>)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
