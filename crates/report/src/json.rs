//! Results for programs to read: one object, its fields as promised to scripts.
//!
//! Counts are strings of decimal digits, since they may pass what a reader's numbers can hold; what is not known is
//! `null`. Fields may be added and are never renamed or removed.

mod equiv;
mod trace;

use servanda_engine::Verdict;

use servanda_json::{Json, Object, legend, list, state};
use servanda_model::CommitmentView;

use crate::visible::escaped;
use crate::{
    ActConformance, ActReport, CheckReport, ClaimReport, ConformReport, Counts, Finding, Input, Level,
    ModelReport, PropertyReport, Run, ScenarioReport, Space, StatesReport, Statistics, Status, Trace,
    WalksReport,
};

pub use equiv::{duties, equiv};

/// The reports of one `check`: one object for one file; for several, one object with an array `files`.
pub fn check(reports: &[CheckReport], statistics: Statistics) -> String {
    several(reports, |report| check_object(report, statistics))
}

fn several(reports: &[CheckReport], object: impl Fn(&CheckReport) -> Object) -> String {
    escaped(match reports {
        [report] => object(report).pretty(),
        reports => Object::new("servanda", VERSION).with("files", list(reports, object)).pretty(),
    })
}

/// An object on a line of its own, with nothing in it that a terminal would obey.
pub(crate) fn line(object: &Object) -> String {
    // Only keys that are no strings and failing writers make this fail, and there are none here.
    escaped(serde_json::to_string(object).unwrap_or_default()) + "\n"
}

fn check_object(report: &CheckReport, statistics: Statistics) -> Object {
    beginning(&report.run)
        .with("model", report.model.as_ref().map(model_object))
        .with("properties", list(&report.properties, property_object))
        .and(stats(report.model.as_ref(), &report.run, statistics))
        .and(end(&report.run))
}

/// A verdict of `check` as a line, as soon as it is known; what is said of the whole file follows when all is known.
pub fn verdict_line(
    run: &Run,
    (name, formula): (&str, &str),
    (engine, verdict, seconds): (&str, &Verdict, f64),
) -> String {
    let place = Object::new("type", "verdict").with("file", &run.file);
    let property = Object::new("name", name).with("formula", formula).with("verdict", verdict.word());
    let by = Object::new("engine", engine).with("seconds", rounded(seconds));
    line(&place.with_some("params", parameters(run)).and(property).and(by))
}

/// The report of a file as a line: the object that `--format json` has for it.
pub fn file_line(report: &CheckReport, statistics: Statistics) -> String {
    line(&Object::new("type", "file").and(check_object(report, statistics)))
}

/// The last line of `check`: how it ended.
pub fn summary_line(files: usize, status: Status) -> String {
    line(
        &Object::new("type", "summary")
            .with("servanda", VERSION)
            .with("files", files)
            .with("ok", status.is_wanted()),
    )
}

/// The reports of one `size`: one object for one model; one with an array `files` for several settings of its parameters.
pub fn size(reports: &[CheckReport], statistics: Statistics) -> String {
    several(reports, |report| size_object(report, statistics))
}

fn size_object(report: &CheckReport, statistics: Statistics) -> Object {
    let model = report.model.as_ref();
    beginning(&report.run)
        .with("model", model.map(|model| model_object(model).and(further_counts(model.counts()))))
        .and(stats(model, &report.run, statistics))
        .and(end(&report.run))
}

/// What the walks of one `sim --random` have seen.
pub fn walks(report: &WalksReport) -> String {
    let place = |(machine, location, visits): &(String, String, u64)| {
        let machine = (!machine.is_empty()).then_some(machine);
        Object::new("machine", machine).with("state", location).with("visits", *visits)
    };
    let step = |(label, count): &(String, u64)| Object::new("label", label).with("count", *count);
    let scenario = |(name, walks): &(String, u64)| Object::new("name", name).with("walks", *walks);
    let run = beginning(&report.run);
    run.with("seed", report.seed)
        .with("walks", report.walks)
        .with("steps_taken", report.steps)
        .with("ended", report.ends)
        .with("different_states", report.states)
        .with("steps", list(&report.labels, step))
        .with("control_states", list(&report.locations, place))
        .with("scenarios", list(&report.scenarios, scenario))
        .pretty()
}

/// The report of one `states`.
pub fn states(report: &StatesReport, statistics: Statistics) -> String {
    let found = report.found.as_ref().ok();
    let cubes = report.cubes.as_ref().map(|(cubes, all)| {
        let cube = |cube: &Vec<String>| Json::from(cube.as_slice());
        Object::new("first", list(cubes, cube)).with("complete", *all)
    });
    // States are given with commitments written out; only cubes call them by their names.
    let cubed = report.cubes.iter().flat_map(|(cubes, _)| cubes).flatten();
    let cubed = cubed.map(String::as_str).collect::<Vec<_>>().join("\n");
    let legend = legend(&CommitmentView::mentioned(&report.commitments, &cubed));
    beginning(&report.run)
        .with("formula", &report.formula)
        .with("reachable", found.map(|found| found.reachable.to_string()))
        .with("satisfying", found.map(|found| found.count.to_string()))
        .with("depends_on_history", found.map(|found| found.depends.to_string()))
        .with("reason", report.found.as_ref().err())
        .with("states", found.map(|found| list(&found.first, state)))
        .with_some("cubes", cubes)
        .with_some("commitments", legend)
        .and(stats(None, &report.run, statistics))
        .and(end(&report.run))
        .pretty()
}

/// The report of one `conform`.
pub fn conform(report: &ConformReport) -> String {
    let twice = report.turns.as_ref().map(|turn| {
        Object::new("role", &turn.role)
            .with("first", &turn.first)
            .with("second", &turn.second)
            .with("state", turn.state.to_string())
    });
    let turns = match (&report.decided, report.run.input) {
        (Ok(()), Input::Good) => Some(Object::new("alternate", twice.is_none()).with("twice", twice)),
        _ => None,
    };
    let shown = beginning(&report.run)
        .with("model", report.model.as_ref().map(model_object))
        .with("conforms", report.status().is_wanted())
        .with_some("reason", report.decided.as_ref().err())
        .with("acts", list(&report.acts, act_object))
        .with("turns", turns)
        .with("claims", list(&report.claims, claim_object));
    let legend = legend(&CommitmentView::mentioned(&report.commitments, &shown.pretty()));
    shown.with_some("commitments", legend).and(end(&report.run)).pretty()
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The fields with which the object about one file begins.
fn beginning(run: &Run) -> Object {
    Object::new("servanda", VERSION)
        .with("file", &run.file)
        .with_some("params", parameters(run))
        .with("engine", run.engine)
}

/// The parameters that were set, if any were.
fn parameters(run: &Run) -> Option<Object> {
    let set = run.parameters.iter();
    (!run.parameters.is_empty())
        .then(|| set.fold(Object::default(), |object, (name, value)| object.with(name, *value)))
}

/// The fields every object ends with.
fn end(run: &Run) -> Object {
    Object::new("diagnostics", list(&run.findings, diagnostic_object))
        .with("seconds", rounded(run.seconds))
        .with("peak_memory_bytes", run.peak_memory_bytes)
}

fn model_object(model: &ModelReport) -> Object {
    let counts = model.counts();
    let reached = match &model.space {
        Space::Part { reason, states, transitions } => {
            Some((Some(states.to_string()), Some(transitions.to_string()), reason))
        }
        Space::Uncounted { reason } => Some((None, None, reason)),
        Space::NotExplored | Space::NotNeeded | Space::Whole(_) => None,
    };
    // How far a run came that did not see everything.
    let reached = reached.map(|(states, transitions, reason)| {
        Object::new("states", states).with("transitions", transitions).with("reason", reason)
    });
    Object::new("name", &model.name)
        .with("agents", model.agents)
        .with("states", counts.map(|counts| counts.states.to_string()))
        .with("transitions", counts.and_then(|counts| Some(counts.transitions.as_ref()?.to_string())))
        .with("deadlocks", counts.map(|counts| counts.deadlocks.to_string()))
        .with_some("reached", reached)
}

/// What not every engine counts.
fn further_counts(counts: Option<&Counts>) -> Object {
    Object::new("diameter", counts.and_then(|counts| Some(counts.diameter?.to_string())))
        .with("initial", counts.and_then(|counts| Some(counts.initial?.to_string())))
        .with("memory_bytes", counts.and_then(|counts| counts.bytes))
}

fn property_object(property: &PropertyReport) -> Object {
    let reason = match &property.verdict {
        Verdict::Unknown(reason) => Some(reason),
        Verdict::True | Verdict::False => None,
    };
    // Why there is no trace although one was asked for.
    let (trace, no_trace) = match &property.trace {
        Trace::Evidence { evidence, .. } => (Some(trace::object(evidence)), None),
        Trace::Nothing(reason) | Trace::GivenUp(reason) => (None, Some(reason)),
        Trace::NotAsked => (None, None),
    };
    Object::new("name", &property.name)
        .with("formula", &property.formula)
        .with("verdict", property.verdict.word())
        .with("expected", property.expected.map(|expected| if expected { "true" } else { "false" }))
        .with_some("level", (property.level != Level::Must).then(|| property.level.word()))
        .with_some("cite", property.cite.as_deref())
        .with_some("scenario", property.scenario.as_ref().map(scenario_object))
        .with("engine", property.engine)
        .with("seconds", rounded(property.seconds))
        .with_some("reason", reason)
        .with_some("trace", trace)
        .with_some("no_trace", no_trace)
}

/// The steps, and how far runs get where that is told.
fn scenario_object(scenario: &ScenarioReport) -> Object {
    let reached = scenario.reached.as_ref().map(|reached| {
        Object::new("steps", reached.steps)
            .with("instead", reached.instead.as_slice())
            .with("trace", reached.run.as_ref().map(|run| trace::object(run)))
    });
    Object::new("steps", scenario.steps.as_slice()).with_some("reached", reached)
}

fn diagnostic_object(finding: &Finding) -> Object {
    let diagnostic = &finding.diagnostic;
    let place = finding.source.as_ref().map(|source| source.place(diagnostic.span.start));
    Object::new("severity", diagnostic.severity.word())
        .with("code", diagnostic.code.word())
        .with("message", &diagnostic.message)
        .with("file", finding.source.as_ref().map(|source| source.name_at(diagnostic.span.start)))
        .with("line", place.map(|place| place.line))
        .with("column", place.map(|place| place.column))
        .with_some("detail", diagnostic.note_at_span.as_deref())
        .with_some("more", (!finding.more.is_empty()).then_some(&finding.more))
        .with("help", diagnostic.help.as_deref())
}

/// Counts, work and times, where they are wanted.
fn stats(model: Option<&ModelReport>, run: &Run, statistics: Statistics) -> Object {
    if statistics == Statistics::Hidden {
        return Object::default();
    }
    let counts = model.and_then(ModelReport::counts);
    let diagrams = run.diagrams.as_ref().map(|diagrams| {
        Object::new("bits", diagrams.bits)
            .with("reachable_nodes", diagrams.reachable_nodes)
            .with("peak_nodes", diagrams.peak_nodes)
            .with("iterations", diagrams.iterations)
            .with("order", diagrams.order.as_slice())
    });
    let solving = run.solving.as_ref().map(|solving| {
        let decided_by = list(&solving.decided_by, |(property, technique)| {
            Object::new("property", property).with("technique", technique)
        });
        Object::new("bits", solving.bits)
            .with("gates", solving.gates)
            .with("calls", solving.calls)
            .with("decided_by", decided_by)
    });
    let reduction = run.savings.map(|savings| {
        Object::new("searches", savings.properties)
            .with("places", savings.places)
            .with("steps_taken", savings.taken)
            .with("steps_left_out", savings.left_out)
    });
    let slices = list(&run.slices, |slice| {
        Object::new("properties", slice.properties.as_slice())
            .with("variables_left_out", slice.variables.as_slice())
            .with("variables", slice.all_variables)
            .with("commitments_left_out", slice.commitments)
            .with("commitments", slice.all_commitments)
            .with("transitions_left_out", slice.commands)
            .with("transitions", slice.all_commands)
    });
    let symmetry = run.symmetry.as_ref().map(|savings| {
        Object::new("properties", savings.properties)
            .with("states_visited", savings.visited)
            .with("states_stood_for", savings.stand_for.to_string())
    });
    let workers = run.spread.as_ref().map(|spread| {
        list(&spread.workers, |share| {
            Object::new("states", share.states.to_string()).with("memory_bytes", share.bytes)
        })
    });
    let phases =
        list(&run.phases, |phase| Object::new("name", phase.name).with("seconds", rounded(phase.seconds)));
    let stats = Object::new("initial", counts.and_then(|counts| Some(counts.initial?.to_string())))
        .with("diameter", counts.and_then(|counts| Some(counts.diameter?.to_string())))
        .with("memory_bytes", counts.and_then(|counts| counts.bytes))
        .with_some("choice", run.choice.as_deref())
        .with_some("diagrams", diagrams)
        .with_some("solving", solving)
        .with_some("reduction", reduction)
        .with_some("slices", (!run.slices.is_empty()).then_some(slices))
        .with_some("symmetry", symmetry)
        .with_some("workers", workers)
        .with_some("balance", run.spread.as_ref().map(|spread| rounded(spread.balance())))
        .with("phases", phases);
    Object::new("stats", stats)
}

fn act_object(act: &ActReport) -> Object {
    let edges = list(&act.decomposition.edges, |(from, rule, to)| {
        Object::new("from", *from).with("rule", rule).with("to", *to)
    });
    let states = list(&act.decomposition.states, |state| state.clone());
    let judged = act.judged.as_ref();
    let place = act.place.as_ref();
    let count = |number: fn(&ActConformance) -> u64| judged.map_or(0, number).to_string();
    Object::new("label", &act.label)
        .with("certainty", act.word())
        .with("transitions", count(|judged| judged.transitions))
        .with("certain", count(|judged| judged.certain))
        .with("possible", count(|judged| judged.possible))
        .with("never", count(|judged| judged.never))
        .with("why", judged.and_then(|judged| judged.why.as_deref()))
        .with_some("file", place.and_then(|place| place.file.as_deref()))
        .with("line", place.map(|place| place.line))
        .with("column", place.map(|place| place.column))
        .with("decomposition", Object::new("states", states).with("edges", edges))
}

fn claim_object(claim: &ClaimReport) -> Object {
    Object::new("label", &claim.label)
        .with("matches", claim.difference.is_none())
        .with("difference", claim.difference.as_deref())
        .with_some("file", claim.place.file.as_deref())
        .with("line", claim.place.line)
        .with("column", claim.place.column)
}

/// Microseconds are as much as a clock can tell.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
