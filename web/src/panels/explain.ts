// Asks for the evidence of a verdict and shows it in the chart.
import { describeEnd } from "../jobs";
import type { Subject } from "../protocol";
import type { Store } from "../store";

export async function explain(store: Store, subject: Subject, key: string, what: { property?: string; formula?: string }): Promise<void> {
  let hasAnswer = false;
  let refused: string | null = null;
  store.explaining.value?.stop();
  // Drawn again, it still belongs to where it was first asked for.
  if (store.panel.value !== "chart") store.chartFrom = { panel: store.panel.value, focus: document.activeElement };
  store.openPanel("chart");
  const job = store.jobs.start({ kind: "explain", subject, limits: store.limits.value, ...what }, (event) => {
    if (event.event === "refused") refused = event.message;
    if (event.event !== "evidence") return;
    hasAnswer = true;
    const { evidence, verdict, why } = event;
    if (evidence) store.shown.value = { evidence, verdict, subject, key, ...what };
    else store.complain(why ?? `There is nothing to show for ${verdict.name}.`);
  });
  store.explaining.value = job;
  const end = await job.ended;
  if (store.explaining.value === job) store.explaining.value = null;
  if (store.shown.value === null && store.explaining.value === null && store.panel.value === "chart") store.closeChart();
  if (!hasAnswer && end.reason !== "stopped") store.complain(refused ?? describeEnd(end) ?? "The job told nothing.");
}
