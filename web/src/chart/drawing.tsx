// The chart itself, drawn from its layout. The steps are a list that is walked with the arrow keys.
import type { Branch } from "./path";
import { CHAR, HEAD, LINE, describe, isBetween, type Head, type Layout, type Row } from "./layout";
import type { StepData } from "../protocol";

export interface DrawingProps {
  layout: Layout;
  label: string;
  at: number;
  /** Rows whose source the cursor is on. */
  marked: ReadonlySet<Row>;
  branches: Branch[];
  onChoose: (moment: number) => void;
  onToggle: (fold: number) => void;
  onBranch: (branch: Branch) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

const idOf = (row: Row): string => `row-${row.kind}-${row.moment}`;

export function Drawing({ layout, label, at, marked, branches, onChoose, onToggle, onBranch, onKeyDown }: DrawingProps) {
  const { heads, rows, width, height } = layout;
  const chosen = rows.find((row) => row.kind !== "back" && row.first <= at && at <= row.moment);
  return (
    <>
    <svg class="chart-heads" width={width} height={HEAD - 6} viewBox={`0 0 ${width} ${HEAD - 6}`} aria-hidden="true">
      {heads.map((head) => <Top key={head.role} head={head} />)}
    </svg>
    <svg class="chart" width={width} height={height}>
      <g aria-hidden="true">
        {rows.map((row) => <Ground key={idOf(row)} row={row} isChosen={row === chosen} isMarked={marked.has(row)} />)}
        {heads.map((head) => <Lifeline key={head.role} head={head} height={height} />)}
        {layout.bars.map((bar, index) => (
          <rect key={index} class={bar.isKeepable ? "owed" : "owed unkeepable"} x={bar.x} y={bar.top} width={6} height={Math.max(bar.bottom - bar.top, 2)} rx={2}><title>In force: {bar.text}</title></rect>
        ))}
        {layout.loop && <Loop loop={layout.loop} left={layout.left} />}
        {rows.map((row) => <g key={idOf(row)} class={`row ${row.kind}${row === chosen ? " chosen" : marked.has(row) ? " marked" : ""}`}><Body row={row} layout={layout} /></g>)}
      </g>
      {/* What is seen is above; these are what is clicked, walked through and read aloud. */}
      <g class="steps" role="listbox" tabindex={0} aria-label={label} aria-activedescendant={chosen ? idOf(chosen) : undefined} onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <g key={idOf(row)} id={idOf(row)} role="option" aria-selected={row === chosen} aria-label={spokenRow(row)} onClick={() => onChoose(row.moment)} onDblClick={() => row.fold && onToggle(row.fold.id)}>
            <rect class={row === chosen ? "hit chosen-hit" : "hit"} x={1} y={row.y + 1} width="99.5%" height={row.height - 2} />
          </g>
        ))}
      </g>
      {rows.map((row) => (row.fold ?? row.unfolded) && <FoldButton key={idOf(row)} row={row} left={layout.left} onToggle={onToggle} />)}
      {branches.map((branch) => <BranchButton key={branch.index} branch={branch} rows={rows} at={layout.right} onBranch={onBranch} />)}
    </svg>
    </>
  );
}

function spokenRow(row: Row): string {
  const notes = row.notes.map((note) => note.full).join(", ");
  switch (row.kind) {
    case "start": return `The beginning${notes ? `: ${notes}` : ""}`;
    case "fold": return `Folded: ${row.fold?.text ?? ""}`;
    case "back": return `Then ${describe(row.step)}, and again from step ${row.moment}`;
    case "step": return `${row.moment}. ${describe(row.step)}${notes ? `; ${notes}` : ""}`;
  }
}

function Ground({ row, isChosen, isMarked }: { row: Row; isChosen: boolean; isMarked: boolean }) {
  if (!isChosen && !isMarked) return null;
  return (
    <>
      {isMarked && <rect class="marked" x={0} y={row.y} width="100%" height={row.height} />}
      {isChosen && <rect class="chosen" x={0} y={row.y} width="100%" height={row.height} />}
      {isChosen && <rect class="chosen-edge" x={0} y={row.y} width={3} height={row.height} />}
    </>
  );
}

function Lifeline({ head, height }: { head: Head; height: number }) {
  return (
    <g class="lifeline">
      <line x1={head.x} y1={30} x2={head.x} y2={height - 6} />
    </g>
  );
}

function Top({ head }: { head: Head }) {
  return (
    <g class="head">
      <rect x={head.x - head.width / 2} y={6} width={head.width} height={24} rx={4} />
      <text x={head.x} y={22}>{head.role}</text>
    </g>
  );
}

function Loop({ loop, left }: { loop: NonNullable<Layout["loop"]>; left: number }) {
  const x = left - 14;
  if (loop.isEnd) return <text class="loop-word" x={x + 6} y={loop.bottom + 22}>and so for ever</text>;
  return (
    <g class="loop">
      <path d={`M${left - 4} ${loop.bottom}H${x + 6}Q${x} ${loop.bottom} ${x} ${loop.bottom - 6}V${loop.top + 6}Q${x} ${loop.top} ${x + 6} ${loop.top}H${left - 6}`} />
      <path class="tip" d={`M${left - 2} ${loop.top}l-8 -4v8z`} />
      <text transform={`translate(${x - 5} ${(loop.top + loop.bottom) / 2}) rotate(-90)`}>again and again</text>
    </g>
  );
}

function Body({ row, layout }: { row: Row; layout: Layout }) {
  const middle = row.y + row.height / 2;
  return (
    <>
      {row.kind === "start" && <text class="small halo" x={(layout.heads[0]?.x ?? layout.left) + 8} y={middle + 4}>start</text>}
      {row.kind === "fold" && <text class="small" x={layout.left + 24} y={middle + 4}>{row.fold?.text}</text>}
      {row.step && <Step step={row.step} row={row} layout={layout} />}
      {row.notes.map((note, index) => (
        <text key={index} class={`note ${note.tone}`} x={layout.notesAt} y={row.y + row.height / 2 + 4 + (index - (row.notes.length - 1) / 2) * LINE}>{note.text}</text>
      ))}
    </>
  );
}

function Step({ step, row, layout }: { step: StepData; row: Row; layout: Layout }) {
  const from = layout.heads.find((head) => head.role === step.from);
  if (from && isBetween(step)) return <Arrows step={step} from={from} row={row} layout={layout} />;
  const middle = row.y + row.height / 2;
  const width = Math.max(...row.lines.map((line) => line.length)) * CHAR + 16;
  const [first, last] = [layout.heads[0], layout.heads.at(-1)];
  const centre = from?.x ?? ((first?.x ?? layout.left) + (last?.x ?? layout.right)) / 2;
  const box = from ? { x: centre - width / 2, width } : { x: Math.max(layout.left, Math.min(centre - width / 2, (first?.x ?? 0) - 12)), width: 0 };
  if (!from) box.width = Math.max(width, (last?.x ?? 0) + 12 - box.x);
  const height = row.lines.length * LINE + 7;
  return (
    <g class={`own ${step.kind}`}>
      {step.kind === "time"
        ? <line class="tick" x1={box.x} x2={box.x + box.width} y1={middle} y2={middle} />
        : <rect x={box.x} y={middle - height / 2} width={box.width} height={height} rx={step.kind === "internal" ? 10 : 4} />}
      {row.lines.map((line, index) => (
        <text key={index} class="label halo" x={box.x + box.width / 2} y={middle + 4 + (index - (row.lines.length - 1) / 2) * LINE}>{line}</text>
      ))}
    </g>
  );
}

function Arrows({ step, from, row, layout }: { step: StepData; from: Head; row: Row; layout: Layout }) {
  const y = row.y + row.height - 10;
  const ends = layout.heads.filter((head) => head !== from && step.to.includes(head.role)).map((head) => head.x);
  const far = ends.reduce((best, x) => (Math.abs(x - from.x) > Math.abs(best - from.x) ? x : best), from.x);
  const isLost = step.kind === "lost";
  return (
    <g class={`arrow ${step.kind}`}>
      {ends.map((x) => {
        const towards = x > from.x ? 1 : -1;
        const end = isLost ? from.x + (x - from.x) * 0.72 : x;
        return (
          <g key={x}>
            <line x1={from.x} x2={end - (isLost ? 0 : towards * 7)} y1={y} y2={y} />
            {isLost
              ? <path class="lost-mark" d={`M${end - 5} ${y - 5}l10 10M${end + 5} ${y - 5}l-10 10`} />
              : <path class="tip" d={`M${end} ${y}l${-towards * 9} -4.5v9z`} />}
          </g>
        );
      })}
      <text class="label halo" x={(from.x + far) / 2} y={y - 6}>{row.lines[0]}</text>
    </g>
  );
}

function press(event: KeyboardEvent, act: () => void): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  act();
}

function FoldButton({ row, left, onToggle }: { row: Row; left: number; onToggle: (fold: number) => void }) {
  const fold = row.fold ?? row.unfolded;
  if (!fold) return null;
  const isFolded = row.fold !== undefined;
  const y = row.y + row.height / 2;
  const act = (): void => onToggle(fold.id);
  return (
    <g class="fold-button" role="button" tabindex={0} aria-expanded={!isFolded} aria-label={`${isFolded ? "Unfold" : "Fold"} ${fold.text}`} onClick={act} onKeyDown={(event) => press(event, act)}>
      <title>{isFolded ? "Unfold" : "Fold"} {fold.text}</title>
      <rect x={left - 2} y={y - 9} width={18} height={18} rx={4} />
      <path d={isFolded ? `M${left + 2} ${y}h10M${left + 7} ${y - 5}v10` : `M${left + 2} ${y}h10`} />
    </g>
  );
}

function BranchButton({ branch, rows, at, onBranch }: { branch: Branch; rows: Row[]; at: number; onBranch: (branch: Branch) => void }) {
  const row = rows.find((each) => each.kind !== "back" && each.first <= branch.at && branch.at <= each.moment);
  if (!row) return null;
  const y = row.y + row.height - 3;
  const x = at - 6 + branch.slot * 20;
  const act = (): void => onBranch(branch);
  return (
    <g class="branch-button" role="button" tabindex={0} aria-label={`Branch: ${branch.why}`} onClick={act} onKeyDown={(event) => press(event, act)}>
      <title>{branch.why}</title>
      <path d={`M${x} ${y - 7}l8 7l-8 7l-8 -7z`} />
    </g>
  );
}
