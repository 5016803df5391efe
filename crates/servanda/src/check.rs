//! Deciding properties.

use num_bigint::BigUint;
use servanda_engine::{Counts, FORGETS, Halt, Limited, Options, Stop, Verdict};
use servanda_lower::MaybeLowering;
use servanda_model::{Level, Model, StateView};
use servanda_report::{CheckReport, Finding, Location, Phase, PropertyReport, Run, Space, Statistics, Trace};
use servanda_syntax::{Code, Diagnostic};

use crate::engine::{
    self, Answer, ENUMERATE, EngineChoice, Few, Look, Outcome, Plan, Ready, Setup, TABLEAU, Task, Visits,
    Worked,
};
use crate::halt;
use crate::slices::{self, Searchers, Slices};
use crate::warnings::Effort;
use crate::watch::not_yet_stopped;
use crate::{EngineOptions, Language, Loaded, Question, Watch, other_side, scenario, trace, warnings};

/// What a reachable deadlock means for the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ReachedDeadlock {
    /// It is worth a note.
    #[default]
    Noted,
    /// It is a failure.
    Failure,
}

/// What becomes of a model in which nothing is and nothing happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EmptyModel {
    /// It is an error: most likely something else was meant, a file that was cut off for example.
    #[default]
    Refused,
    /// It is checked like any other.
    Allowed,
}

/// Are verdicts shown with evidence?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Traces {
    /// No.
    #[default]
    Hidden,
    /// Yes, where there is something to show.
    Shown,
}

/// What to take for granted when deciding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CheckOptions {
    /// The readings of docs/formulas.md.
    pub readings: Options,
    /// Whether a reachable deadlock is a failure.
    pub reached_deadlock: ReachedDeadlock,
    /// Which engine works, and with what.
    pub engine: EngineOptions,
    /// Whether verdicts are shown with evidence.
    pub traces: Traces,
    /// Whether states are counted where no verdict needs it.
    pub counted: bool,
    /// The least level at which a verdict that is not as wanted is a failure.
    pub level: Level,
    /// Whether a model without anything in it is refused.
    pub empty: EmptyModel,
}

/// The reference engine is asked what no other engine knows, in models with at most so many states.
const MOST_STATES_OF_REFERENCE: u64 = 100_000;

/// Decides every question and looks for what is suspicious about the model. A run that is stopped still reports the
/// verdicts it has; the others are unknown, with the reason.
pub fn check(
    loaded: &Loaded,
    questions: &[Question],
    options: CheckOptions,
    watch: Watch<'_>,
) -> CheckReport {
    if loaded.is_empty() && options.empty == EmptyModel::Refused {
        let engine = Plan::new(loaded, options.engine.engine).lead();
        let mut report = CheckReport { run: loaded.run(engine), ..CheckReport::default() };
        report.run.reject([empty(loaded)]);
        return report;
    }
    let plain = questions.iter().all(|question| question.property.scenario.is_none());
    let check = if plain { decide } else { scenario::check };
    let mut report = CheckReport { level: options.level, ..check(loaded, questions, options, watch) };
    if questions.is_empty() && options.reached_deadlock == ReachedDeadlock::Noted {
        report.run.findings.push(nothing_asked(loaded));
    }
    report
}

/// A model in which nothing is and nothing happens is hardly what was meant: nothing that is said of it is a success.
pub(crate) fn empty(loaded: &Loaded) -> Finding {
    let name = loaded.shown_name();
    let message = format!("{name} is empty: it has no roles, no variables and no transitions");
    let error = Finding::error(Code::EmptyModel, message);
    error.help("check that it is the right file and that it is complete; `check --allow-empty` accepts it")
}

/// Who asks nothing is told that nothing was decided.
fn nothing_asked(loaded: &Loaded) -> Finding {
    let name = loaded.shown_name();
    let note = Finding::note(Code::NoProperty, format!("nothing was decided: {name} has no property"));
    note.help(match loaded.language() {
        Language::Pact => "write `property NAME = FORMULA` in it, or ask with --formula",
        Language::Ispl => "write formulas in it, or ask with --formula",
        Language::Ccs | Language::Aut => "ask with --formula",
    })
}

/// Decides questions of which none is a scenario.
pub(crate) fn decide(
    loaded: &Loaded,
    questions: &[Question],
    options: CheckOptions,
    watch: Watch<'_>,
) -> CheckReport {
    let CheckOptions { readings, engine: chosen, traces, counted, .. } = options;
    let counted = counted || wants_counts(questions, options);
    let plan = Plan::new(loaded, chosen.engine);
    let mut report = CheckReport { run: loaded.run(plan.lead()), ..CheckReport::default() };
    // Where time is over already, large models are not even looked at.
    if let Err(halt) = not_yet_stopped(watch) {
        return not_begun(loaded, questions, (plan.lead(), halt), report);
    }
    report.run.findings.extend(other_side::warnings(loaded, questions));
    let lowered = engine::lower(loaded, questions, readings);
    let setup = Setup::new(&lowered, readings, chosen);
    let (parts, lowered_parts): (Vec<_>, Vec<_>);
    let look = Look::ahead(&plan, setup, watch);
    let is_all = look.as_ref().is_some_and(Look::is_all);
    let plan = informed(plan, look.as_ref(), || ask_what_is_reached(&lowered, questions));
    // Where few states are all, nothing is gained by leaving something out.
    parts = if is_all { Vec::new() } else { slices::cut(&lowered, questions, setup, chosen, watch.budget) };
    lowered_parts = parts.iter().map(|part| part.lowered(&lowered)).collect();
    let (mut sliced, look) = slices::decide(&plan, setup, (&parts, &lowered_parts), questions, look, watch);
    let mut outcome = match &mut sliced {
        Some(sliced) => sliced.complete(&plan, setup, (questions, counted), watch),
        None => engine::run(&plan, setup, Task { questions, skipped: &[], whole: counted }, look, watch),
    };
    if chosen.engine == EngineChoice::Auto {
        ask_reference(&mut outcome, setup, questions, watch, &mut report.run);
    }
    report.run.engine = main_engine(&outcome, &plan);
    report.properties = verdicts(&outcome, questions, loaded.model(), &mut report.run);
    for (index, one, other) in &outcome.disagreements {
        report.run.reject([disagreement(&questions[*index], one, other)]);
    }
    report.run.choice = (chosen.engine == EngineChoice::Auto).then(|| outcome.choice(&plan));
    let mut model = loaded.model_report();
    let mut engines = take_engines(outcome, counted, (loaded, watch), &mut report, &mut model.space);
    if let Some(sliced) = &sliced {
        report.run.slices = parts.iter().map(|part| part.report(questions, loaded.model())).collect();
        report.run.phases.insert(0, sliced.phase.clone());
        report.run.savings = report.run.savings.or(sliced.savings());
    }
    if !engines.is_empty() {
        let races = plan.members.len() > 1;
        let few = plan.few.filter(|_| races || plan.first_look).map(Few::told).is_some_and(|few| {
            let mut in_slices = sliced.iter().flat_map(|sliced| &sliced.engines);
            !in_slices.any(|part| are_many(part, few))
                && look_around(&mut engines, few, setup, watch, &mut report.run)
        });
        if few && races {
            // What the others know may or may not be there.
            engines.truncate(1);
        }
        let looking = if few || counted || !races { engines.len() } else { 0 };
        // Engines that visit states one by one look at every state anyway.
        let visits = !plan.first_look && engine::visits(plan.lead()) != Visits::None && sliced.is_none();
        let effort = if counted || visits { Effort::Whole } else { Effort::Bounded };
        let (asked, slices) = ((loaded, questions, looking), (parts.as_slice(), &mut sliced));
        let known = (engines.as_mut_slice(), slices);
        model.space = find_suspicious(known, asked, (options, effort), (setup, watch), &mut report);
        if races && !few && chosen.statistics == Statistics::Hidden {
            keep_states_alone(&mut model.space);
        }
    }
    if let (Traces::Shown, Ok(lowering)) = (traces, &lowered) {
        let decided = report.run.engine;
        let checker = |lowering: &_, engines| trace::checker(lowering, readings, chosen, engines, decided);
        let searchers = Searchers::new((&parts, &lowered_parts), sliced, checker);
        let routes = trace::routes(&mut engines, questions, &report, watch);
        let checker = trace::checker(lowering, readings, chosen, engines, decided);
        trace::add(loaded, questions, (checker, searchers, &routes), watch, &mut report);
    }
    report.model = Some(model);
    report
}

/// The plan, by what a first look has found, and by whether it is asked which states can be reached and nothing else.
fn informed(plan: Plan, look: Option<&Look<'_>>, ask_what_is_reached: impl FnOnce() -> bool) -> Plan {
    let plan = match look {
        Some(look) if look.is_all() => {
            return if look.are_few() { plan.knowing_all_states() } else { plan };
        }
        Some(look) => plan.knowing_widths(&look.widths()),
        None => plan,
    };
    if plan.members.len() > 1 && ask_what_is_reached() { plan.asking_what_is_reached() } else { plan }
}

/// Is it all that the questions ask whether states in which a condition holds can be reached?
fn ask_what_is_reached(lowered: &MaybeLowering<'_>, questions: &[Question]) -> bool {
    let Ok(lowering) = lowered else { return false };
    let mut lowering = lowering.clone();
    !questions.is_empty()
        && !lowering.model.has_fairness()
        && questions.iter().filter(|question| question.property.refused.is_none()).all(|question| {
            let property = lowering.property(&question.property.formula);
            property.is_ok_and(|id| {
                let arena = &lowering.arena;
                arena.sometime(id).or_else(|| arena.never(id)).is_some_and(|goal| arena.is_condition(goal))
            })
        })
}

/// Must states be counted? Who asks nothing wants to know how large the model is.
fn wants_counts(questions: &[Question], options: CheckOptions) -> bool {
    questions.is_empty()
        || options.engine.statistics == Statistics::Shown
        || options.reached_deadlock == ReachedDeadlock::Failure
}

/// Who has counted the states has not always counted the rest.
fn keep_states_alone(space: &mut Space) {
    if let Space::Whole(counts) = space {
        (counts.transitions, counts.initial, counts.diameter, counts.bytes) = (None, None, None, None);
    }
}

/// The report of a run that is over before it has begun.
fn not_begun(
    loaded: &Loaded,
    questions: &[Question],
    (engine, halt): (&'static str, Halt),
    mut report: CheckReport,
) -> CheckReport {
    let reason = halt.to_string();
    let answer = |question: &Question| {
        let reason = question.property.refused.clone().unwrap_or_else(|| reason.clone());
        let answer = Answer { engine, verdict: Verdict::Unknown(reason), seconds: 0.0, fault: None };
        property(question, answer)
    };
    report.properties = questions.iter().map(answer).collect();
    let mut model = loaded.model_report();
    model.space = halt::partial_space(halt, loaded, &mut report.run).0;
    report.model = Some(model);
    report
}

/// The reference engine answers what nobody knows, if the model is small enough for it.
fn ask_reference<'m>(
    outcome: &mut Outcome<'m>,
    setup: Setup<'m>,
    questions: &[Question],
    watch: Watch<'_>,
    run: &mut Run,
) {
    let open: Vec<usize> = (0..questions.len()).filter(|index| outcome.answers[*index].is_none()).collect();
    let ready: Vec<&Worked<'_>> = outcome.worked.iter().filter(|worked| worked.engine.is_ok()).collect();
    // Where no engine could be made ready the model is at fault, or there is no time left.
    let beyond = outcome.worked.iter().any(|worked| matches!(worked.engine, Err(Halt::TooLarge(_))));
    if open.is_empty() || (ready.is_empty() && !beyond) || not_yet_stopped(watch).is_err() {
        return;
    }
    let known = ready.iter().find_map(|worked| worked.engine.as_ref().ok()?.counts());
    let limited = Limited::new(watch.budget).space(MOST_STATES_OF_REFERENCE, u64::MAX);
    let too_large = known.as_ref().is_some_and(|counts| counts.states > MOST_STATES_OF_REFERENCE.into());
    let asked: Vec<Question> = open.iter().map(|index| questions[*index].clone()).collect();
    let plan = Plan::one(ENUMERATE, "no other engine knows");
    let mut second = if too_large {
        let halt = Halt::Stopped { stop: Stop::Bound, states: 0, transitions: 0 };
        Outcome::halted(ENUMERATE, halt, open.len())
    } else {
        let task = Task { questions: &asked, skipped: &[], whole: false };
        engine::run(&plan, setup, task, None, Watch { budget: &limited, ..watch })
    };
    for (index, answer) in open.iter().zip(second.answers) {
        if let Some(Answer { engine, verdict, seconds, .. }) = &answer {
            watch.budget.decided(*index, engine, verdict, *seconds);
        }
        outcome.answers[*index] = answer;
    }
    for worked in &mut second.worked {
        let mut unknown = vec![None; questions.len()];
        let why = worked.engine.as_ref().err().map(ToString::to_string);
        for (index, reason) in open.iter().zip(worked.unknown.drain(..)) {
            unknown[*index] = reason.or_else(|| why.clone());
        }
        worked.unknown = unknown;
        worked.techniques = vec![None; questions.len()];
        let states =
            worked.engine.as_ref().ok().and_then(|engine| engine.counts()).map(|counts| counts.states);
        if let (Some(states), Some(known)) = (states, &known)
            && states != known.states
        {
            run.reject([different_spaces(&run.file, &known.states, &states)]);
        }
    }
    outcome.worked.append(&mut second.worked);
}

/// The engine that decided most; who leads at first where nobody did.
fn main_engine(outcome: &Outcome<'_>, plan: &Plan) -> &'static str {
    let decided =
        |name: &str| outcome.answers.iter().flatten().filter(|answer| answer.engine == name).count();
    // Of several the first in the plan, since the last of the greatest is taken.
    let most = plan.members.iter().rev().map(|(entry, _)| entry.name).max_by_key(|name| decided(name));
    match most {
        Some(name) if decided(name) > 0 => name,
        // Nothing was asked, or nothing decided: whoever can say most about the model.
        _ => {
            let ready = outcome
                .worked
                .iter()
                .find(|worked| worked.engine.as_ref().is_ok_and(|engine| engine.is_explored()));
            ready.map_or(plan.lead(), |worked| worked.name)
        }
    }
}

/// The verdicts in the order asked, and what is wrong with the input where it is to blame for one that is missing.
fn verdicts(
    outcome: &Outcome<'_>,
    questions: &[Question],
    model: &Model,
    run: &mut Run,
) -> Vec<PropertyReport> {
    let unanswered = |index: usize| {
        let mut words: Vec<String> = Vec::new();
        let mut said: Vec<&str> = Vec::new();
        for worked in &outcome.worked {
            let reason = worked.unknown[index].as_deref().filter(|reason| !said.contains(reason));
            // Whoever cannot say anything about it is only worth mentioning where nobody else was asked.
            let reason = reason.filter(|reason| *reason != FORGETS || outcome.worked.len() == 1);
            let Some(reason) = reason else { continue };
            words.push(if said.is_empty() {
                reason.to_owned()
            } else {
                format!("{}: {reason}", worked.name)
            });
            said.push(reason);
        }
        let verdict = Verdict::Unknown(words.join("; "));
        Answer { engine: run.engine, verdict, seconds: 0.0, fault: None }
    };
    let answers: Vec<Answer> = (0..questions.len())
        .map(|index| outcome.answers[index].clone().unwrap_or_else(|| unanswered(index)))
        .collect();
    let report = |(question, answer): (&Question, Answer)| {
        if let Some(fault) = &answer.fault {
            let (source, span) = (&question.source, question.property.span);
            halt::reason(fault.clone(), halt::Asked { model: Some(model), source, span }, run);
        }
        property(question, answer)
    };
    questions.iter().zip(answers).map(report).collect()
}

/// Takes the engines out of what they have done, those first that know all states. Where there is none the model is to blame, or a limit.
/// Where states are counted somebody has to know them all.
fn take_engines<'m>(
    outcome: Outcome<'m>,
    counted: bool,
    (loaded, watch): (&Loaded, Watch<'_>),
    report: &mut CheckReport,
    space: &mut Space,
) -> Vec<Ready<'m>> {
    let answered = outcome.answers.iter().all(Option::is_some) && !outcome.answers.is_empty();
    let (mut engines, mut halts) = (Vec::new(), Vec::new());
    for worked in outcome.worked {
        let decided = worked.name == report.run.engine;
        if decided || report.properties.iter().any(|property| property.engine == worked.name) {
            report.run.phases.extend(worked.phases);
        }
        let by = |(property, words): (&PropertyReport, Option<String>)| Some((property.name.clone(), words?));
        // Who has decided nothing may or may not have come far enough to say more about the model: what is warned of must not depend on it.
        let idle = !report.properties.is_empty()
            && report.properties.iter().all(|property| property.engine != worked.name);
        match worked.engine {
            Ok(engine)
                if idle
                    && answered
                    && engine::visits(worked.name) != Visits::Needed
                    && !(counted && engine.is_explored()) =>
            {
                drop(engine);
            }
            Ok(engine) => {
                if decided {
                    report.run.diagrams = engine.diagrams();
                    report.run.solving = engine.solving();
                    report.run.savings = engine.savings();
                    report.run.symmetry = engine.symmetry_savings(watch.budget);
                    report.run.spread = engine.spread();
                }
                if let (true, Some(solving)) = (decided, &mut report.run.solving) {
                    solving.decided_by =
                        report.properties.iter().zip(worked.techniques).filter_map(by).collect();
                }
                engines.push(engine);
            }
            Err(halt) => halts.push(halt),
        }
    }
    if engines.is_empty() {
        // The one that has seen most says most.
        let seen = |halt: &Halt| match halt {
            Halt::Fault(_) | Halt::Invalid(_) => u64::MAX,
            Halt::Stopped { states, .. } => states + 1,
            Halt::TooLarge(_) | Halt::NotOffered => 0,
        };
        let halt = halts.into_iter().rev().max_by_key(seen).unwrap_or(Halt::NotOffered);
        let (part, reason) = halt::partial_space(halt, loaded, &mut report.run);
        *space = if answered { Space::NotNeeded } else { part };
        // Who was refused has been told why.
        let open = report.properties.iter_mut().filter(|property| property.verdict.decided().is_none());
        for property in open.filter(|_| !answered) {
            property.verdict = Verdict::Unknown(reason.clone());
        }
    }
    engines.sort_by_key(|engine| !engine.is_explored());
    engines
}

/// Does somebody know that there are more states than are visited for what is told of the model? If there are so many in a slice, so there are
/// in the whole.
fn are_many(engines: &[Ready<'_>], few: Few) -> bool {
    let many = |counts: Counts| counts.states > few.states.into();
    engines.iter().any(|engine| engine.is_explored() && engine.counts().is_some_and(many))
}

/// Visits the states of a model that has few, whoever has decided what was asked, and says whether it has: then what is warned of depends
/// on the model, and not on who was first or on the time that anything took. The engine that visits states is the first then.
fn look_around<'m>(
    engines: &mut Vec<Ready<'m>>,
    few: Few,
    setup: Setup<'m>,
    watch: Watch<'_>,
    run: &mut Run,
) -> bool {
    if are_many(engines, few) {
        return false;
    }
    let own = match engines.iter().position(|engine| engine.name() == TABLEAU) {
        Some(at) => Ok(engines.remove(at)),
        None => engine::prepare(TABLEAU, setup, watch.budget),
    };
    // What stands in the way is said where something is missing.
    let Ok(own) = own else { return false };
    engines.insert(0, own);
    let own = &mut engines[0];
    if !own.is_explored() {
        let _ = watch.phase(&mut run.phases, "exploring", || {
            not_yet_stopped(watch)?;
            few.visit(own, watch.budget)
        });
    }
    own.is_explored()
        && own.counts().is_some_and(|counts| {
            counts.states <= few.states.into()
                && counts.transitions.is_some_and(|transitions| transitions <= few.transitions.into())
        })
}

/// Counts, deadlocks and everything else that gives cause to warn. The first engines, so many, say what is known of all states.
fn find_suspicious<'m>(
    (engines, slices): (&mut [Ready<'m>], Slices<'_, 'm>),
    (loaded, questions, looking): (&Loaded, &[Question], usize),
    (options, effort): (CheckOptions, Effort),
    (setup, watch): (Setup<'m>, Watch<'_>),
    report: &mut CheckReport,
) -> Space {
    let CheckOptions { reached_deadlock, engine: chosen, .. } = options;
    let counts = count(&mut engines[..looking], chosen.statistics, watch, &mut report.run);
    let ((), seconds) = watch.timed(|| {
        if let Some(counts) = &counts {
            report.forbidden_deadlock =
                counts.deadlocks != BigUint::ZERO && reached_deadlock == ReachedDeadlock::Failure;
            let example = example_of_deadlock(engines, counts, watch);
            let found = warnings::deadlocks(&counts.deadlocks, example, reached_deadlock);
            report.run.findings.extend(found);
        } else if reached_deadlock == ReachedDeadlock::Failure {
            look_for_deadlock(engines, watch, report);
        }
        let known = (engines, looking, slices);
        warnings::add(known, (loaded, questions), (counts.as_ref(), effort), (setup, watch), report);
    });
    report.run.phases.push(Phase { name: "looking for warnings", seconds });
    counts.map_or(Space::NotNeeded, Space::Whole)
}

/// A deadlock with the fewest steps to it, where there is one. Diagrams go there step by step, and each of thousands of steps may cost what all
/// states cost where they are visited one by one; so, where there are few of them, that is done.
fn example_of_deadlock(engines: &mut [Ready<'_>], counts: &Counts, watch: Watch<'_>) -> Option<StateView> {
    if counts.deadlocks == BigUint::ZERO {
        return None;
    }
    let few = counts.states <= MOST_STATES_OF_REFERENCE.into();
    let mut order: Vec<&mut Ready<'_>> = engines.iter_mut().collect();
    order.sort_by_key(|engine| few && engine::visits(engine.name()) != Visits::Needed);
    order.into_iter().find_map(|engine| engine.deadlock(watch.budget).ok()).flatten()
}

/// The size of the model, where some engine knows it. Counting transitions with diagrams may cost more than everything else, so that is
/// done only where it is wanted.
pub(crate) fn count(
    engines: &mut [Ready<'_>],
    statistics: Statistics,
    watch: Watch<'_>,
    run: &mut Run,
) -> Option<Counts> {
    let explored = || engines.iter().filter(|engine| engine.is_explored());
    // Who has visited the states knows how many steps there are.
    let has_all = |engine: &&Ready<'_>| engine.counts().is_some_and(|counts| counts.transitions.is_some());
    let engine = explored().find(has_all).or_else(|| explored().next())?;
    let mut counts = engine.counts()?;
    if counts.transitions.is_none() && statistics == Statistics::Shown {
        let counted = watch.phase(&mut run.phases, "counting transitions", || {
            not_yet_stopped(watch)?;
            engine.transitions()
        });
        match counted {
            Ok(transitions) => counts.transitions = Some(transitions),
            Err(halt) => run.findings.push(warnings::not_known("how many transitions there are", &halt)),
        }
    }
    Some(counts)
}

/// Engines that disagree are a mistake of this program, and nothing that either says can be trusted.
fn disagreement(question: &Question, one: &Answer, other: &Answer) -> Finding {
    let says = |answer: &Answer| format!("{} says {}", answer.engine, answer.verdict.word());
    let name = &question.property.name;
    let message = format!("internal error: `{name}`: {}, {}", says(one), says(other));
    let error = Diagnostic::error(Code::EnginesDisagree, message, question.property.span);
    let help = "this is a mistake of servanda and not of the file; please report it, with the file";
    Finding::placed(error.help(help), &question.source)
}

/// The same for engines that see different models.
fn different_spaces(file: &str, one: &BigUint, other: &BigUint) -> Finding {
    let message = format!("internal error: {file}: one engine finds {one} reachable states, another {other}");
    let help = "this is a mistake of servanda and not of the file; please report it";
    Finding::error(Code::EnginesDisagree, message).help(help)
}

/// Where states are not counted a deadlock that must not be is looked for by itself.
fn look_for_deadlock(engines: &mut [Ready<'_>], watch: Watch<'_>, report: &mut CheckReport) {
    let found =
        not_yet_stopped(watch).and_then(|()| warnings::ask(engines, |engine| engine.deadlock(watch.budget)));
    match found {
        Ok(None) => {}
        Ok(Some(state)) => {
            report.forbidden_deadlock = true;
            let found = warnings::deadlocks(&1_u32.into(), Some(state), ReachedDeadlock::Failure);
            report.run.findings.extend(found);
        }
        Err(halt) => report.run.findings.push(warnings::not_known("whether a deadlock is reachable", &halt)),
    }
}

fn property(question: &Question, given: Answer) -> PropertyReport {
    let Answer { engine, verdict, seconds, .. } = given;
    let property = &question.property;
    PropertyReport {
        name: property.name.clone(),
        formula: property.text.clone(),
        verdict,
        expected: property.expected,
        engine,
        seconds,
        trace: Trace::NotAsked,
        level: property.level,
        cite: property.cite.clone(),
        scenario: None,
        location: Location::of(&question.source, property.span),
    }
}
