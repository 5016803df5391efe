//! Comparing models by what they do, and making them smaller.

use servanda_equiv::{
    Comparison, Difference, Explanation, Failure, Order, Preorder, Relation, Side, usual_atom,
};
use servanda_lts::{Action, Labels, Lts, Unexplored};
use servanda_report::{
    Compared, DifferenceKind, DifferenceReport, EquivReport, Finding, Run, SystemReport, Way,
};
use servanda_syntax::Code;

use crate::convert::unfit;
use crate::language::Labelling;
use crate::watch::not_yet_stopped;
use crate::{Loaded, Refusal, Watch};

/// What was named on the command line, and the model it stands for, or why there is none.
pub type Named<'a> = (&'a str, Result<&'a Loaded, Vec<Finding>>);

/// Decides whether two models are related. Without both models the report says why they cannot be had.
pub fn equiv(models: [Named<'_>; 2], comparison: Comparison, watch: Watch<'_>) -> EquivReport {
    let mut report = EquivReport {
        run: Run::new(models[0].0, "equiv"),
        relation: comparison.word(),
        relation_name: comparison.name(),
        way: if matches!(comparison, Comparison::Equivalence(_)) { Way::Both } else { Way::One },
        verdicts: comparison.verdicts(),
        systems: models.each_ref().map(system_report),
        outcome: Compared::Undecided(NO_MEANING.to_owned()),
    };
    let run = &mut report.run;
    report.outcome = match systems(models, &mut report.systems, run, watch) {
        Err(reason) => Compared::Undecided(reason),
        Ok([left, right]) => {
            let answer = servanda_equiv::compare(&left.1, &right.1, comparison, watch.budget);
            compared(answer, run, |difference| {
                described(difference, comparison, property(difference, &left, &right))
            })
        }
    };
    report
}

/// What is said where the input is bad.
pub(crate) const NO_MEANING: &str = "the input has no meaning";

/// A system of which nothing is known yet.
pub(crate) fn system_report((name, _): &Named<'_>) -> SystemReport {
    SystemReport { file: (*name).to_owned(), size: None }
}

/// The models and their transition systems, whose sizes are entered into the reports; or why they cannot be had.
pub(crate) fn systems<'a>(
    models: [Named<'a>; 2],
    reports: &mut [SystemReport; 2],
    run: &mut Run,
    watch: Watch<'_>,
) -> Result<[(&'a Loaded, Lts); 2], String> {
    let [left, right] = match models.map(|(_, loaded)| loaded) {
        [Ok(left), Ok(right)] => [left, right],
        loaded => {
            run.reject(loaded.into_iter().filter_map(Result::err).flatten());
            return Err(NO_MEANING.to_owned());
        }
    };
    run.findings.extend(left.findings.iter().chain(&right.findings).cloned());
    let systems = [left, right].map(|loaded| system(loaded, watch).map_err(|why| refusal(why, loaded)));
    for (report, system) in reports.iter_mut().zip(&systems) {
        let size = |lts: &Lts| (lts.states() as u64, lts.transitions() as u64);
        report.size = system.as_ref().ok().map(size);
    }
    match systems {
        [Ok(one), Ok(other)] => Ok([(left, one), (right, other)]),
        systems => {
            let mut reasons = Vec::new();
            for refusal in systems.into_iter().filter_map(Result::err) {
                match refusal {
                    Refusal::Invalid(findings) => run.reject(findings),
                    Refusal::Undecided(why) => reasons.push(why),
                }
            }
            // Both may have failed; the first reason is reason enough.
            Err(reasons.into_iter().next().unwrap_or_else(|| NO_MEANING.to_owned()))
        }
    }
}

/// An answer for a report, with the difference as described; the run is told of mistakes of the program.
pub(crate) fn compared(
    answer: Result<Option<Difference>, Failure>,
    run: &mut Run,
    described: impl FnOnce(&Difference) -> DifferenceReport,
) -> Compared {
    match answer {
        Ok(None) => Compared::Holds,
        Ok(Some(difference)) => Compared::Different(described(&difference)),
        Err(Failure::Halt(halt)) => Compared::Undecided(halt.to_string()),
        Err(Failure::Internal(message)) => {
            let help = "this is a mistake of servanda and not of the files; please report it";
            let error = Finding::error(Code::InternalError, format!("internal error: {message}"));
            run.reject([error.help(help)]);
            Compared::Undecided(message)
        }
    }
}

/// The smallest system equivalent to a model.
pub struct Minimised {
    /// Its text.
    pub aut: String,
    /// States and transitions of the model.
    pub before: (usize, usize),
    /// States and transitions of the result.
    pub after: (usize, usize),
}

/// Makes the smallest system that is equivalent to a model.
///
/// # Errors
///
/// Why there is none.
pub fn minimise(loaded: &Loaded, relation: Relation, watch: Watch<'_>) -> Result<Minimised, Refusal> {
    let before = system(loaded, watch).map_err(|why| refusal(why, loaded))?;
    let after = servanda_equiv::minimise(&before, relation, watch.budget);
    let after = after.map_err(|halt| Refusal::Undecided(halt.to_string()))?;
    let aut = servanda_aut::write(&after).map_err(|reason| unfit(loaded, ".aut", &reason))?;
    let size = |lts: &Lts| (lts.states(), lts.transitions());
    Ok(Minimised { aut, before: size(&before), after: size(&after) })
}

/// The transition system of a model: what can be reached, numbered in the same way whatever the language.
pub(crate) fn system(loaded: &Loaded, watch: Watch<'_>) -> Result<Lts, Unexplored> {
    not_yet_stopped(watch)?;
    match loaded.transition_system() {
        Some(lts) => Ok(lts.reachable()),
        None => Ok(servanda_lts::explore(loaded.model(), watch.budget)?.reachable()),
    }
}

/// Why there is no transition system.
pub(crate) fn refusal(why: Unexplored, loaded: &Loaded) -> Refusal {
    let number = match why {
        Unexplored::Halt(halt) => return Refusal::new(halt, &loaded.source),
        Unexplored::NoInitialState => "no initial state",
        Unexplored::SeveralInitialStates => "several initial states",
    };
    let error = Finding::error(Code::InitialStates, format!("{} has {number}", loaded.shown_name()));
    Refusal::Invalid(vec![error.help("a transition system begins in exactly one state")])
}

/// A difference in words.
pub(crate) fn described(
    difference: &Difference,
    comparison: Comparison,
    property: Option<String>,
) -> DifferenceReport {
    let names = |actions: &[Action]| {
        actions.iter().map(|action| difference.labels.name(*action).to_owned()).collect::<Vec<String>>()
    };
    let kind = match &difference.explanation {
        Explanation::Run(run) => {
            DifferenceKind::Run { trace: names(&run.trace), refused: run.refused.as_deref().map(names) }
        }
        Explanation::Formula(_) => match comparison {
            Comparison::Equivalence(Relation::Simulation)
            | Comparison::Preorder(Preorder { order: Order::Simulates, .. }) => {
                DifferenceKind::Unsimulated(difference.to_string())
            }
            _ => DifferenceKind::Formula(difference.to_string()),
        },
    };
    DifferenceReport { in_left: difference.side == Side::Left, kind, property }
}

/// The difference as a formula for `check`; `None` where no words fit the languages of both models.
pub(crate) fn property(
    difference: &Difference,
    left: &(&Loaded, Lts),
    right: &(&Loaded, Lts),
) -> Option<String> {
    let said = |atom: &dyn Fn(&str) -> String| servanda_equiv::property(difference, atom);
    match [left, right].map(|(loaded, _)| loaded.language().front_end().labels) {
        // ISPL has words for the connectives, and its labels contain none of the signs.
        [Labelling::Joint, Labelling::Joint] => {
            said(&joint_action).map(|property| property.replace(" & ", " and ").replace(" | ", " or "))
        }
        [Labelling::Joint, _] | [_, Labelling::Joint] => None,
        // A plain name means just that label; in other languages it may stand for several. Every .aut file knows the
        // internal label.
        [Labelling::AsWritten, Labelling::AsWritten] => {
            let in_both = |label: &str| has_label(&left.1, label) && has_label(&right.1, label);
            said(&|label| usual_atom(label, label == Labels::INTERNAL || in_both(label)))
        }
        _ => said(&|label| usual_atom(label, false)),
    }
}

/// `A.x, B.y` in the words of ISPL: everybody's part.
fn joint_action(label: &str) -> String {
    let parts: Vec<String> = label.split(", ").map(|part| format!("does({part})")).collect();
    match parts.as_slice() {
        [one] => one.clone(),
        parts => format!("({})", parts.join(" & ")),
    }
}

/// Does some transition have this label?
fn has_label(lts: &Lts, label: &str) -> bool {
    let Some(action) = lts.labels().find(label) else { return false };
    lts.all_states().any(|state| lts.successors(state, action).next().is_some())
}
