//! Results for programs to read: one object, its fields as promised to scripts.
//!
//! Counts are strings of decimal digits, since they may pass what a reader's numbers can hold; what is not known is
//! `null`. Fields may be added and are never renamed or removed.

mod equiv;
mod trace;

use serde::Serialize;
use servanda_engine::Verdict;

use crate::{
    ActReport, CheckReport, ClaimReport, ConformReport, Counts, Finding, Input, ModelReport, PropertyReport,
    Run, SizeReport, Space, Statistics, Status, Trace,
};

/// The reports of one `check`: one object for one file; for several, one object with an array `files`.
pub fn check(reports: &[CheckReport], statistics: Statistics) -> String {
    match reports {
        [report] => write(&check_object(report, statistics)),
        reports => {
            let files = reports.iter().map(|report| check_object(report, statistics)).collect();
            write(&Files { servanda: VERSION, files })
        }
    }
}

pub use equiv::equiv;

/// The report of one `size`.
pub fn size(report: &SizeReport, statistics: Statistics) -> String {
    let counts = report.model.as_ref().and_then(ModelReport::counts);
    write(&SizeObject {
        run: run_object(&report.run),
        model: report.model.as_ref().map(|model| SizeModel {
            counts: model_object(model),
            diameter: counts.and_then(|counts| Some(counts.diameter?.to_string())),
            initial: counts.and_then(|counts| Some(counts.initial?.to_string())),
            memory_bytes: counts.and_then(|counts| counts.bytes),
        }),
        stats: (statistics == Statistics::Shown).then(|| stats_object(counts, &report.run)),
        end: end_object(&report.run),
    })
}

/// The report of one `conform`.
pub fn conform(report: &ConformReport) -> String {
    let conforms = match report.status() {
        Status::Wanted => Some(true),
        Status::Unwanted => Some(false),
        Status::Undecided | Status::Invalid => None,
    };
    let turns = match (&report.decided, report.run.input) {
        (Ok(()), Input::Good) => Some(Turns {
            alternate: report.turns.is_none(),
            twice: report.turns.as_ref().map(|turn| Twice {
                role: &turn.role,
                first: &turn.first,
                second: &turn.second,
                state: &turn.state,
            }),
        }),
        _ => None,
    };
    write(&ConformObject {
        run: run_object(&report.run),
        model: report.model.as_ref().map(model_object),
        conforms,
        reason: report.decided.as_ref().err(),
        acts: report.acts.iter().map(act_object).collect(),
        turns,
        claims: report.claims.iter().map(claim_object).collect(),
        end: end_object(&report.run),
    })
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize)]
struct Files<'a> {
    servanda: &'static str,
    files: Vec<CheckObject<'a>>,
}

/// The fields every object begins with.
#[derive(Serialize)]
struct RunObject<'a> {
    servanda: &'static str,
    file: &'a str,
    engine: &'static str,
}

/// The fields every object ends with.
#[derive(Serialize)]
struct EndObject<'a> {
    diagnostics: Vec<DiagnosticObject<'a>>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct CheckObject<'a> {
    #[serde(flatten)]
    run: RunObject<'a>,
    model: Option<ModelObject<'a>>,
    properties: Vec<PropertyObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<StatsObject<'a>>,
    #[serde(flatten)]
    end: EndObject<'a>,
}

#[derive(Serialize)]
struct SizeObject<'a> {
    #[serde(flatten)]
    run: RunObject<'a>,
    model: Option<SizeModel<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<StatsObject<'a>>,
    #[serde(flatten)]
    end: EndObject<'a>,
}

#[derive(Serialize)]
struct ConformObject<'a> {
    #[serde(flatten)]
    run: RunObject<'a>,
    model: Option<ModelObject<'a>>,
    conforms: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a String>,
    acts: Vec<ActObject<'a>>,
    turns: Option<Turns<'a>>,
    claims: Vec<ClaimObject<'a>>,
    #[serde(flatten)]
    end: EndObject<'a>,
}

#[derive(Serialize)]
struct ModelObject<'a> {
    name: &'a str,
    agents: usize,
    states: Option<String>,
    transitions: Option<String>,
    deadlocks: Option<String>,
    /// How far a run came that did not see everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<ReachedObject<'a>>,
}

#[derive(Serialize)]
struct ReachedObject<'a> {
    states: Option<String>,
    transitions: Option<String>,
    reason: &'a str,
}

#[derive(Serialize)]
struct SizeModel<'a> {
    #[serde(flatten)]
    counts: ModelObject<'a>,
    diameter: Option<String>,
    initial: Option<String>,
    memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct PropertyObject<'a> {
    name: &'a str,
    formula: &'a str,
    verdict: &'static str,
    expected: Option<&'static str>,
    engine: &'static str,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<trace::TraceObject<'a>>,
    /// Why there is no trace although one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_trace: Option<&'a str>,
}

#[derive(Serialize)]
struct DiagnosticObject<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    more: &'a str,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct StatsObject<'a> {
    initial: Option<String>,
    diameter: Option<String>,
    memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagrams: Option<DiagramsObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solving: Option<SolvingObject<'a>>,
    phases: Vec<PhaseObject>,
}

#[derive(Serialize)]
struct DiagramsObject<'a> {
    bits: usize,
    reachable_nodes: usize,
    peak_nodes: usize,
    iterations: u64,
    order: &'a [String],
}

#[derive(Serialize)]
struct SolvingObject<'a> {
    bits: usize,
    gates: usize,
    calls: u64,
    decided_by: Vec<DecidedByObject<'a>>,
}

#[derive(Serialize)]
struct DecidedByObject<'a> {
    property: &'a str,
    technique: &'a str,
}

#[derive(Serialize)]
struct PhaseObject {
    name: &'static str,
    seconds: f64,
}

#[derive(Serialize)]
struct ActObject<'a> {
    label: &'a str,
    certainty: &'static str,
    transitions: String,
    certain: String,
    possible: String,
    never: String,
    why: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    decomposition: DecompositionObject<'a>,
}

#[derive(Serialize)]
struct DecompositionObject<'a> {
    states: &'a [Vec<String>],
    edges: Vec<EdgeObject<'a>>,
}

#[derive(Serialize)]
struct EdgeObject<'a> {
    from: usize,
    rule: &'a str,
    to: usize,
}

#[derive(Serialize)]
struct Turns<'a> {
    alternate: bool,
    twice: Option<Twice<'a>>,
}

#[derive(Serialize)]
struct Twice<'a> {
    role: &'a str,
    first: &'a str,
    second: &'a str,
    state: &'a str,
}

#[derive(Serialize)]
struct ClaimObject<'a> {
    label: &'a str,
    matches: bool,
    difference: Option<&'a str>,
    line: usize,
    column: usize,
}

fn check_object(report: &CheckReport, statistics: Statistics) -> CheckObject<'_> {
    let counts = report.model.as_ref().and_then(ModelReport::counts);
    CheckObject {
        run: run_object(&report.run),
        model: report.model.as_ref().map(model_object),
        properties: report.properties.iter().map(property_object).collect(),
        stats: (statistics == Statistics::Shown).then(|| stats_object(counts, &report.run)),
        end: end_object(&report.run),
    }
}

fn run_object(run: &Run) -> RunObject<'_> {
    RunObject { servanda: VERSION, file: &run.file, engine: run.engine }
}

fn end_object(run: &Run) -> EndObject<'_> {
    EndObject {
        diagnostics: run.findings.iter().map(diagnostic_object).collect(),
        seconds: rounded(run.seconds),
        peak_memory_bytes: run.peak_memory_bytes,
    }
}

fn model_object(model: &ModelReport) -> ModelObject<'_> {
    let counts = model.counts();
    ModelObject {
        name: &model.name,
        agents: model.agents,
        states: counts.map(|counts| counts.states.to_string()),
        transitions: counts.and_then(|counts| Some(counts.transitions.as_ref()?.to_string())),
        deadlocks: counts.map(|counts| counts.deadlocks.to_string()),
        reached: match &model.space {
            Space::Part { reason, states, transitions } => Some(ReachedObject {
                states: Some(states.to_string()),
                transitions: Some(transitions.to_string()),
                reason,
            }),
            Space::Uncounted { reason } => Some(ReachedObject { states: None, transitions: None, reason }),
            Space::NotExplored | Space::NotNeeded | Space::Whole(_) => None,
        },
    }
}

fn property_object(property: &PropertyReport) -> PropertyObject<'_> {
    PropertyObject {
        name: &property.name,
        formula: &property.formula,
        verdict: property.verdict.word(),
        expected: property.expected.map(|expected| if expected { "true" } else { "false" }),
        engine: property.engine,
        seconds: rounded(property.seconds),
        reason: match &property.verdict {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::True | Verdict::False => None,
        },
        trace: match &property.trace {
            Trace::Evidence { evidence, .. } => Some(trace::object(evidence)),
            Trace::NotAsked | Trace::Nothing(_) | Trace::GivenUp(_) => None,
        },
        no_trace: match &property.trace {
            Trace::Nothing(reason) | Trace::GivenUp(reason) => Some(reason),
            Trace::NotAsked | Trace::Evidence { .. } => None,
        },
    }
}

fn diagnostic_object(finding: &Finding) -> DiagnosticObject<'_> {
    let diagnostic = &finding.diagnostic;
    let place = finding.source.as_ref().map(|source| source.place(diagnostic.span.start));
    DiagnosticObject {
        severity: diagnostic.severity.word(),
        code: diagnostic.code.word(),
        message: &diagnostic.message,
        file: finding.source.as_ref().map(|source| source.name()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        detail: diagnostic.note_at_span.as_deref(),
        more: &finding.more,
        help: diagnostic.help.as_deref(),
    }
}

fn stats_object<'a>(counts: Option<&Counts>, run: &'a Run) -> StatsObject<'a> {
    StatsObject {
        initial: counts.and_then(|counts| Some(counts.initial?.to_string())),
        diameter: counts.and_then(|counts| Some(counts.diameter?.to_string())),
        memory_bytes: counts.and_then(|counts| counts.bytes),
        choice: run.choice.as_deref(),
        diagrams: run.diagrams.as_ref().map(|diagrams| DiagramsObject {
            bits: diagrams.bits,
            reachable_nodes: diagrams.reachable_nodes,
            peak_nodes: diagrams.peak_nodes,
            iterations: diagrams.iterations,
            order: &diagrams.order,
        }),
        solving: run.solving.as_ref().map(|solving| SolvingObject {
            bits: solving.bits,
            gates: solving.gates,
            calls: solving.calls,
            decided_by: solving
                .decided_by
                .iter()
                .map(|(property, technique)| DecidedByObject { property, technique })
                .collect(),
        }),
        phases: run
            .phases
            .iter()
            .map(|phase| PhaseObject { name: phase.name, seconds: rounded(phase.seconds) })
            .collect(),
    }
}

fn act_object(act: &ActReport) -> ActObject<'_> {
    ActObject {
        label: &act.label,
        certainty: act.certainty.word(),
        transitions: act.transitions.to_string(),
        certain: act.certain.to_string(),
        possible: act.possible.to_string(),
        never: act.never.to_string(),
        why: act.why.as_deref(),
        line: act.place.map(|(line, _)| line),
        column: act.place.map(|(_, column)| column),
        decomposition: DecompositionObject {
            states: &act.decomposition.states,
            edges: act
                .decomposition
                .edges
                .iter()
                .map(|(from, rule, to)| EdgeObject { from: *from, rule, to: *to })
                .collect(),
        },
    }
}

fn claim_object(claim: &ClaimReport) -> ClaimObject<'_> {
    ClaimObject {
        label: &claim.label,
        matches: claim.difference.is_none(),
        difference: claim.difference.as_deref(),
        line: claim.place.0,
        column: claim.place.1,
    }
}

/// Microseconds are as much as a clock can tell.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// One object and a line's end.
pub(crate) fn write(object: &impl Serialize) -> String {
    match serde_json::to_string_pretty(object) {
        Ok(text) => text + "\n",
        // Only maps with keys that are no strings and failing writers make this happen, and there are none here.
        Err(error) => format!("{{\"error\": {:?}}}\n", error.to_string()),
    }
}
