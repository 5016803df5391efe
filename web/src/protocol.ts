// What the page and the server say to each other. The Rust side of the same messages is `crates/serve` (files, sockets, processes) and
// `crates/servanda/src/workbench` (what jobs answer). Numbers of lines and columns are from 1; columns count UTF-16 code units, as
// JavaScript does, and the end of a place is just after its last character.

// ---------------------------------------------------------------- plain requests
// Every address below /api needs the token: as the header `x-servanda-token`, for sockets as `?token=`.
//   GET  /api/info              -> Info
//   GET  /api/files             -> FileEntry[]                 everything in the directory that the workbench can open
//   GET  /api/file?path=P       -> FileText
//   PUT  /api/file?path=P       body: the text; header `x-servanda-version`: the version that was read, or `new`
//                               -> { version }, or 409 with FileText where the file is another one by now
//   GET  /api/gallery           -> GalleryEntry[]
//   GET  /api/gallery/NAME      -> { text, language, beside: { [path]: text } }   what it uses comes with it
//   GET  /api/library           -> LibraryEntry[]              protocols that logs are judged by
//   GET  /api/errors/CODE       -> { markdown }                the page about a code of a finding
//   WS   /api/language          one message of the Language Server Protocol per text frame; `file:///` is the directory
//   WS   /api/jobs              FromPage and FromServer, one per text frame
// What is refused has a status of 400 and more, and its body is a sentence for people: 401 the token, 403 not allowed, 404 not there,
// 408 too slow, 409 changed meanwhile, 413 too large, 415 not a text, 428 the header with the version is missing. A socket that the server closes
// has a reason: 1008 what was said is not understood, 1011 the language server is gone (a new socket starts a new one).
// GET /errors/CODE is the page about a code for people, without a token.

export type Language = "pact" | "ispl" | "ccs";

export interface Info { version: string; directory: string; limits: { seconds: number; megabytes: number; jobs: number; fileBytes: number; messageBytes: number } }
export interface FileEntry { path: string; language: Language | "log" | "mapping" | "other"; bytes: number }
export interface FileText { path: string; text: string; version: string; language: FileEntry["language"] }
export interface GalleryEntry { name: string; title: string; about: string; language: Language; group: "protocols" | "papers" | "language" }
export interface LibraryEntry { name: string; title: string; about: string; sources: string[] }

// ---------------------------------------------------------------- jobs
export type FromPage =
  | { id: number; start: Request }
  | { id: number; say: Say }        // to a job that converses: simulate, graph
  | { id: number; stop: true };

export type FromServer =
  | { id: number; event: Event }
  | { id: number; end: End };

/** How a job came to its end. Whatever was told before stays true. */
export interface End { reason: "finished" | "stopped" | "time" | "memory" | "crashed" | "refused"; message?: string }

/** The text a job is about. */
export interface Subject {
  language: Language;
  path: string;                       // relative to the directory, or the name of an example
  text: string;
  open?: Record<string, string>;      // other texts as they stand in the page, or that came with an example
  parameters?: Record<string, number>;
  process?: string;                   // CCS: which of its processes is meant, where that is not clear
}
/** The server lowers them to its own. The time of simulate and graph is that of work on one answer: waiting for people does not count. */
export interface Limits { seconds?: number; megabytes?: number }

export type Request = { subject: Subject; limits?: Limits } & (
  | { kind: "check"; properties?: string[]; formulas?: string[]; engine?: string; explain?: number }   // none named: all; so many verdicts that are not as wanted are also explained
  | { kind: "explain"; property?: string; formula?: string; chart?: boolean }
  | { kind: "draw"; property?: string; formula?: string; format: "svg" | "html" | "itf" | "mermaid" | "text" }
  | { kind: "simulate"; seed?: number }
  | { kind: "graph"; by: "state" | "control" | { variables: string[] }; most: number }
  | { kind: "formula"; formula: string }
  | { kind: "format" }
) | { kind: "audit"; limits?: Limits; log: string; logName: string; library?: string; source?: string; mapping?: string; models?: Record<string, string>; complete?: boolean; level?: Level };

export type Level = "must" | "should" | "may";

export interface Place { path: string; line: number; column: number; endLine: number; endColumn: number }
export interface Finding { severity: "error" | "warning" | "note"; code: string; message: string; help: string[]; place?: Place }

export type Event =
  | { event: "findings"; findings: Finding[] }                    // all that are known by now: they replace those told before
  | { event: "asked"; properties: Asked[] }                       // first, so that the page can list them; simulate tells it too: what can be replayed
  | { event: "progress"; phase: string; states?: number; nodes?: number; rate?: number; seconds: number; decided: number; of: number }
  | { event: "verdict"; verdict: Verdict }                        // a later one of the same name replaces it
  | { event: "model"; states: string; transitions?: string; deadlocks?: string; seconds: number }   // counts may exceed 2^53
  | { event: "evidence"; evidence: Evidence | null; verdict: Verdict; why?: string; chart?: string }
  | { event: "drawing"; text: string }
  | { event: "node"; node: SimulatorNode }
  | { event: "watched"; node: number; watched: Watched[] }
  | { event: "refused"; message: string; findings?: Finding[] }   // what was said makes no sense; the job goes on
  | { event: "graph"; graph: Graph }
  | { event: "alike"; alike: Alike }
  | { event: "satisfying"; states: number[]; count: string }
  | { event: "path"; states: number[]; edges: number[] }
  | { event: "formula"; formula: FormulaView }
  | { event: "formatted"; text: string }
  | { event: "audited"; audited: Audited };

export interface Asked { name: string; formula: string; level?: Level; isScenario: boolean; place?: Place }
export interface Verdict {
  name: string; verdict: "true" | "false" | "unknown" | "possible" | "impossible"; reason?: string;
  expected?: boolean; asWanted: boolean; level?: Level; engine: string; seconds: number; hasEvidence: boolean;
}

// ---------------------------------------------------------------- states
/** One value of a state, as it is written. */
export interface Value { name: string; value: string; kind: "control" | "variable" | "clock" | "channel"; owner?: string; seenBy: string[] }
export interface InForce { name: string; debtor: string; creditor: string; content: string; text: string; keepable?: boolean }
export interface StateData { values: Value[]; inForce: InForce[]; isDeadlock: boolean; isFinal: boolean }
/** What happens in a step. */
export interface StepData { label: string; from?: string; to: string[]; kind: "message" | "act" | "internal" | "time" | "joint" | "lost"; places: Place[] }

// ---------------------------------------------------------------- evidence
/** Why a verdict is what it is: a tree of runs, each a line that may end in a loop. */
export interface Evidence {
  kind: "counterexample" | "witness";
  roles: string[];
  runs: Run[];
  legend: { name: string; text: string }[];
}
export interface Run {
  title: string;                      // "A run on which `paid -> F delivered` is false"
  moments: Moment[];                  // at least one; the first has no step
  loopTo?: number;                    // from the last moment back to this one
  loopStep?: StepData;                // by this step; without it nothing happens any more
  branches: { at: number; run: Run; why: string }[];   // what else was shown at a moment
  judged: { at: number; text: string; value: boolean }[];   // which parts of the formula hold where
}
export interface Moment { step?: StepData; state: StateData; changed: string[]; knows: Knows[] }
/** Which of the conditions the formula refers to a role knows to be true or false. */
export interface Knows { role: string; text: string; value: "true" | "false" | "not known" }

// ---------------------------------------------------------------- simulator
export type Say =
  | { take: number; at: number }                // what happens next, from a node
  | { choose: number }                          // one of several initial states; the answer is a node without a parent
  | { watch: string } | { unwatch: string }
  | { look: number }                            // tells a node (and what is watched there) again
  | { replay: { property?: string; scenario?: string; itf?: string } }
  | { random: number; at: number }              // so many steps by chance
  | { alike: number; role: string }             // graph: the states a role cannot tell from this one
  | { find: string }                            // graph: the states where a formula holds
  | { way: number };                            // graph: a shortest way from an initial state

/** A moment that was visited. Numbers are given in order; the tree of branches is kept by the page. */
export interface SimulatorNode {
  node: number; parent?: number; step?: StepData; state: StateData; changed: string[];
  choices: Choice[]; watched: Watched[];
  initial?: StateData[];                        // node 0 of a model with several initial states: choose one
  trouble?: string;                             // why something is not among the choices
  loopTo?: number;                              // the last node of a replayed run that ends in a loop: the node it goes back to
}
export interface Choice { index: number; step: StepData; changes: { name: string; from: string; to: string }[] }
export interface Watched { text: string; value: "true" | "false" | "unknown"; reason?: string }

// ---------------------------------------------------------------- graph
export interface Graph {
  by: "state" | "control" | "variables";
  nodes: GraphNode[]; edges: GraphEdge[];
  states: string; isWhole: boolean; message?: string;   // not whole: what to do about it
  roles: string[]; variables: string[];
}
export interface GraphNode { id: number; text: string; state?: StateData; states: number; isInitial: boolean; isDeadlock: boolean; isFinal: boolean; unkeepable: string[] }
export interface GraphEdge { id: number; from: number; to: number; labels: string[]; place?: Place }
export interface Alike { state: number; role: string; states: number[]; sees: { name: string; value: string }[]; differs: { name: string; values: string[] }[] }

// ---------------------------------------------------------------- formulas
/** Places in `findings` are places in the formula as it was typed. */
export interface FormulaView {
  text: string; words: string; automaton?: string /* SVG */; notes: string[]; findings: Finding[]; verdict?: Verdict;
}

// ---------------------------------------------------------------- audit
export interface Audited {
  lines: number; slices: AuditSlice[]; findings: AuditFinding[]; isWhole: boolean; message?: string;
  models?: Record<string, string>;              // the texts the log was judged by, by the path that `rule` names
}
export interface AuditFinding {
  kind: "not-possible" | "property" | "commitment" | "unmatched" | "late-line" | "bad-line" | "limit";
  level: Level; isCertain: boolean /* in whatever order lines came */; code: string; message: string; citation?: string; line: number; since?: number; view: string; key: string;
  possible: { role: string; labels: string[] }[]; explanation?: string; rule?: Place;
}
export interface AuditSlice { view: string; key: string; lines: number[]; verdicts: { name: string; verdict: "true" | "false" | "open" | "left"; line?: number; level: Level }[]; commitments: AuditCommitment[]; fitness: number; chart?: string /* SVG */ }
/** What became of a commitment: `open` may still be kept; `owed` is not kept at the end of a log that is whole. */
export interface AuditCommitment { name: string; debtor: string; creditor: string; outcome: "kept" | "broken" | "open" | "owed" | "released" | "claimed"; line?: number }
