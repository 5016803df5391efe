//! Scenarios: finite runs that the model has, or must not have.
//!
//! A scenario is about the model as it is: fairness does not count, and a state without successors ends a run, whatever the reading of
//! deadlocks. Engines are asked whether no initial state has such a run, since they look at all initial states.

use servanda_engine::{Budget, Deadlock, Options, Progress, Spread, Stop, Validity, Verdict};
use servanda_evidence::{Because, Claim, Evidence, EvidenceKind};
use servanda_logic::Unary;
use servanda_model::{Model, Mover, Property, Scenario, ScenarioStep};
use servanda_report::{CheckReport, Input, PropertyReport, Reached, ScenarioReport, Statistics, Trace};

use crate::check::decide;
use crate::{CheckOptions, Loaded, Question, ReachedDeadlock, Traces, Watch};

/// So many labels are listed.
const MOST_LABELS: usize = 20;

/// Decides questions of which some are scenarios.
pub(crate) fn check(
    loaded: &Loaded,
    questions: &[Question],
    options: CheckOptions,
    watch: Watch<'_>,
) -> CheckReport {
    let is_scenario = |index: &usize| questions[*index].property.scenario.is_some();
    let (bare, own) = as_it_is(loaded, options);
    let mut report = match &bare {
        None => ask(loaded, questions, (0..questions.len()).collect(), options, watch),
        Some(bare) => {
            let (scenarios, others): (Vec<usize>, Vec<usize>) = (0..questions.len()).partition(is_scenario);
            if others.is_empty() {
                ask(bare, questions, scenarios, own, watch)
            } else {
                let mut report = ask(loaded, questions, others.clone(), options, watch);
                let own = CheckOptions { reached_deadlock: ReachedDeadlock::Noted, ..own };
                let second = ask(bare, questions, scenarios.clone(), own, watch);
                join(&mut report, (&others, &scenarios), second);
                report
            }
        }
    };
    for (question, property) in questions.iter().zip(&mut report.properties) {
        if let Some(scenario) = &question.property.scenario {
            turn(property, scenario);
            let wanted = property.expected.unwrap_or(true) || options.traces == Traces::Shown;
            if property.verdict == Verdict::False && wanted && report.run.input == Input::Good {
                let reached = reach(bare.as_ref().unwrap_or(loaded), question, scenario, own, watch);
                if let Some(told) = &mut property.scenario {
                    told.reached = reached;
                }
            }
        }
    }
    report
}

/// The model without what does not count for scenarios, where it cannot be asked as it stands, and the options for them.
pub fn as_it_is(loaded: &Loaded, options: CheckOptions) -> (Option<Loaded>, CheckOptions) {
    let readings =
        Options { deadlock: Deadlock::Loop, validity: Validity::Initial, recall: None, ..options.readings };
    let model = loaded.model();
    let same = !model.has_fairness() && readings == options.readings;
    let bare =
        || loaded.with_model(Model { fairness: Vec::new(), step_fairness: Vec::new(), ..model.clone() });
    ((!same).then(bare), CheckOptions { readings, ..options })
}

/// Asks some of the questions, scenarios turned round.
fn ask(
    loaded: &Loaded,
    questions: &[Question],
    chosen: Vec<usize>,
    options: CheckOptions,
    watch: Watch<'_>,
) -> CheckReport {
    let asked: Vec<Question> = chosen.iter().map(|index| turned(&questions[*index])).collect();
    let budget = Listener { budget: watch.budget, questions, chosen };
    decide(loaded, &asked, options, Watch { budget: &budget, ..watch })
}

/// A scenario as engines are asked about it: that no initial state has such a run.
fn turned(question: &Question) -> Question {
    match question.property.scenario {
        None => question.clone(),
        Some(_) => {
            let formula = question.property.formula.clone().unary(Unary::Not);
            Question { property: Property { formula, ..question.property.clone() }, ..question.clone() }
        }
    }
}

fn opposite(verdict: &Verdict) -> Verdict {
    match verdict {
        Verdict::True => Verdict::False,
        Verdict::False => Verdict::True,
        Verdict::Unknown(reason) => Verdict::Unknown(reason.clone()),
    }
}

/// Whoever hears of verdicts hears of those that were asked for.
struct Listener<'b> {
    budget: &'b dyn Budget,
    questions: &'b [Question],
    chosen: Vec<usize>,
}

impl Budget for Listener<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.budget.progress(progress)
    }

    fn room(&self, bytes: usize) -> Result<(), Stop> {
        self.budget.room(bytes)
    }

    fn reached(&self, states: f64) {
        self.budget.reached(states);
    }

    fn spread(&self, spread: &Spread) {
        self.budget.spread(spread);
    }

    fn deciding(&self, question: usize, _: usize) {
        if let Some(index) = self.chosen.get(question) {
            self.budget.deciding(*index, self.questions.len());
        }
    }

    fn decided(&self, question: usize, engine: &'static str, verdict: &Verdict, seconds: f64) {
        let Some(index) = self.chosen.get(question) else { return };
        match self.questions[*index].property.scenario {
            None => self.budget.decided(*index, engine, verdict, seconds),
            Some(_) => self.budget.decided(*index, engine, &opposite(verdict), seconds),
        }
    }
}

/// Puts the verdicts of scenarios between the others.
fn join(report: &mut CheckReport, (others, scenarios): (&[usize], &[usize]), second: CheckReport) {
    let first = std::mem::take(&mut report.properties);
    let numbered = others.iter().zip(first).chain(scenarios.iter().zip(second.properties));
    let mut all: Vec<(&usize, PropertyReport)> = numbered.collect();
    all.sort_by_key(|(index, _)| **index);
    report.properties = all.into_iter().map(|(_, property)| property).collect();
    report.run.phases.extend(second.run.phases);
    if second.run.input == Input::Bad {
        report.run.reject(second.run.findings.into_iter().filter(|finding| finding.diagnostic.is_error()));
    }
}

/// From whether no run has the scenario to whether some run has it.
fn turn(property: &mut PropertyReport, scenario: &Scenario) {
    property.verdict = opposite(&property.verdict);
    property.scenario =
        Some(ScenarioReport { steps: scenario.steps.iter().map(words).collect(), reached: None });
    property.trace = match std::mem::replace(&mut property.trace, Trace::NotAsked) {
        Trace::Evidence { evidence, origins } => {
            Trace::Evidence { evidence: Box::new(witness(*evidence, &property.formula)), origins }
        }
        Trace::Nothing(_) => Trace::Nothing("no run has it".to_owned()),
        other => other,
    };
}

/// Evidence against `!E (steps)`, which has been replayed, is the run itself.
fn witness(evidence: Evidence, text: &str) -> Evidence {
    let start = evidence.line().path;
    let formula = evidence.claim.formula;
    let claim = Claim { formula, text: text.to_owned(), holds: true, because: Because::State };
    Evidence { kind: EvidenceKind::Witness, start, claim, formula: text.to_owned(), ..evidence }
}

/// A step as it is written in a scenario.
fn words(step: &ScenarioStep) -> String {
    match step {
        ScenarioStep::Anything => "...".to_owned(),
        ScenarioStep::Step(does) => {
            let text = does.to_string();
            let inner = text.strip_prefix("does(").and_then(|text| text.strip_suffix(')'));
            inner.unwrap_or(&text).to_owned()
        }
    }
}

/// How far runs get in a scenario that no run has to the end: the longest beginning that is possible, and what can happen after it.
fn reach(
    loaded: &Loaded,
    question: &Question,
    scenario: &Scenario,
    options: CheckOptions,
    watch: Watch<'_>,
) -> Option<Reached> {
    let mut quiet = CheckOptions { traces: Traces::Hidden, counted: false, ..options };
    quiet.engine.statistics = Statistics::Hidden;
    let beginning = |steps: usize| {
        let scenario = Scenario { steps: scenario.steps[..steps].to_vec() };
        let formula = scenario.formula(question.property.span).unary(Unary::Not);
        let property = Property { formula, scenario: None, ..question.property.clone() };
        Question { property, ..question.clone() }
    };
    let is_step = |steps: &usize| matches!(scenario.steps[steps - 1], ScenarioStep::Step(_));
    let lengths: Vec<usize> = (1..scenario.steps.len()).filter(is_step).collect();
    let silent = Listener { budget: watch.budget, questions: &[], chosen: Vec::new() };
    let watch = Watch { budget: &silent, ..watch };
    let asked: Vec<Question> = lengths.iter().map(|steps| beginning(*steps)).collect();
    let verdicts =
        if asked.is_empty() { Vec::new() } else { decide(loaded, &asked, quiet, watch).properties };
    let possible = lengths.iter().zip(&verdicts).filter(|(_, property)| property.verdict == Verdict::False);
    let steps = possible.map(|(steps, _)| *steps).max().unwrap_or(0);
    let unknown = |property: &PropertyReport| property.verdict.decided().is_none();
    if verdicts.iter().any(unknown) {
        return None;
    }
    if steps == 0 {
        let mut first = Mover::new(loaded.model()).initial_states();
        let mut instead = Vec::new();
        while let Ok(Some(state)) = first.try_next(|| watch.budget.progress(Progress::Deciding { nodes: 0 }))
        {
            possible_labels(loaded.model(), &state, watch, &mut instead);
            if instead.len() > MOST_LABELS {
                break;
            }
        }
        return Some(Reached { steps, run: None, instead });
    }
    let shown = CheckOptions { traces: Traces::Shown, ..quiet };
    let mut report = decide(loaded, &[beginning(steps)], shown, watch);
    match report.properties.pop().map(|property| property.trace) {
        Some(Trace::Evidence { evidence, .. }) => {
            let done: Vec<String> = scenario.steps[..steps].iter().map(words).collect();
            let run = witness(*evidence, &format!("{{ {} }}", done.join("; ")));
            let mut instead = Vec::new();
            possible_labels(loaded.model(), &run.start.states[run.start.last()].packed, watch, &mut instead);
            Some(Reached { steps, run: Some(Box::new(run)), instead })
        }
        _ => None,
    }
}

/// What can happen in a state, each label once.
fn possible_labels(model: &Model, state: &[u64], watch: Watch<'_>, labels: &mut Vec<String>) {
    let go_on = || watch.budget.progress(Progress::Deciding { nodes: 0 });
    // What cannot be taken because of a fault, or is not known in time, is left out.
    let _ = Mover::new(model).try_for_each_possible(state, go_on, |cause, _| {
        let label = model.show_cause(cause);
        if labels.len() <= MOST_LABELS && !labels.contains(&label) {
            labels.push(label);
        }
    });
}
