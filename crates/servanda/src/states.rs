//! The states where a formula holds.

use servanda_engine::{Budget, Engine as _, Halt, Options};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_lower::Lowering;
use servanda_report::{Finding, Phase, StatesReport};
use servanda_sat::{Sat, SatOptions};
use servanda_symbolic::{Symbolic, usual_order};
use servanda_syntax::{Code, nearest};

use crate::{BDD, ENUMERATE, EngineChoice, EngineOptions, Loaded, Question, Refusal, SAT, Watch, halt};

/// What is shown of the states where a formula holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatesOptions {
    /// So many of them, or so many cubes.
    pub most: usize,
    /// Are cubes shown instead of states?
    pub cubes: bool,
    /// What stands on top of the order of the diagrams' variables.
    pub order: Vec<String>,
    /// Is a better order looked for before anything is evaluated?
    pub reorder: bool,
}

/// Finds the states where a formula holds, with the engine `enumerate` if that is chosen and with `bdd` otherwise.
pub fn states(
    loaded: &Loaded,
    question: &Question,
    (wanted, readings): (&StatesOptions, Options),
    chosen: EngineOptions,
    watch: Watch<'_>,
) -> StatesReport {
    let engine = if chosen.engine == EngineChoice::Only(ENUMERATE) { ENUMERATE } else { BDD };
    let mut report = StatesReport {
        run: loaded.run(engine),
        formula: question.property.text.clone(),
        found: Err(String::new()),
        cubes: None,
        commitments: loaded.model().view_named_commitments(),
    };
    let unknown = unknown_in(&wanted.order, loaded, watch.budget);
    if !unknown.is_empty() {
        report.run.reject(unknown);
        return report;
    }
    let (formula, most) = (&question.property.formula, if wanted.cubes { 0 } else { wanted.most });
    let (found, seconds) = watch.timed(|| {
        speaks_of_states(loaded, formula, readings)?;
        if engine == ENUMERATE {
            let mut explored = Explored::new(loaded.model(), readings, watch.budget)?;
            return explored.satisfying(formula, most, watch.budget);
        }
        let mut symbolic = diagrams(loaded, wanted, readings, chosen, watch)?;
        let found = symbolic.satisfying(formula, most, watch.budget)?;
        if wanted.cubes {
            report.cubes = Some(symbolic.cubes(formula, wanted.most, watch.budget)?);
        }
        report.run.diagrams = symbolic.diagrams();
        Ok(found)
    });
    report.run.phases.push(Phase { name: "evaluating", seconds });
    let (model, source) = (Some(loaded.model()), &question.source);
    let asked = halt::Asked { model, source, span: question.property.span };
    report.found = found.map_err(|halt| halt::reason(halt, asked, &mut report.run));
    report
}

/// The set of the states where a formula holds in the notation of its engine: clauses in the DIMACS format if `sat` is chosen, a diagram in
/// the DOT language otherwise.
///
/// # Errors
///
/// Why there is none.
pub fn state_set(
    loaded: &Loaded,
    question: &Question,
    (wanted, readings): (&StatesOptions, Options),
    chosen: EngineOptions,
    watch: Watch<'_>,
) -> Result<String, Refusal> {
    let unknown = unknown_in(&wanted.order, loaded, watch.budget);
    if !unknown.is_empty() {
        return Err(Refusal::Invalid(unknown));
    }
    let formula = &question.property.formula;
    let set = speaks_of_states(loaded, formula, readings).and_then(|()| {
        if chosen.engine == EngineChoice::Only(SAT) {
            Sat::new(loaded.model(), readings, SatOptions::default(), watch.budget)?
                .satisfying_formula(formula, watch.budget)
        } else {
            diagrams(loaded, wanted, readings, chosen, watch)?.drawn(formula, watch.budget)
        }
    });
    set.map_err(|halt| Refusal::new(halt, &question.source))
}

/// What agents remember is no matter of states.
pub(crate) fn speaks_of_states(loaded: &Loaded, formula: &Formula, readings: Options) -> Result<(), Halt> {
    if readings.recall.is_none() {
        return Ok(());
    }
    let lowering = Lowering::new(loaded.model(), readings.acts, readings.deadlock);
    let mut lowering = lowering.map_err(Halt::Invalid)?;
    let id = lowering.property(formula).map_err(Halt::Invalid)?;
    if lowering.needs_recall(id) {
        let reason = "with `--recall` what is known depends on the run and not on the state alone";
        return Err(Halt::TooLarge(reason.to_owned()));
    }
    Ok(())
}

/// What an order names and the model has not.
fn unknown_in(order: &[String], loaded: &Loaded, budget: &dyn Budget) -> Vec<Finding> {
    if order.is_empty() {
        return Vec::new();
    }
    // When the budget stops here, it stops the engine as well, which says so.
    let Ok(known) = usual_order(loaded.model(), budget) else { return Vec::new() };
    let unknown = |name: &String| {
        let error = Finding::error(Code::UnknownName, format!("--order: the model has no variable `{name}`"));
        match nearest(name, known.iter().map(String::as_str)) {
            Some(best) => error.help(format!("did you mean `{best}`?")),
            None => error.help(format!("its variables are {}", known.join(", "))),
        }
    };
    order.iter().filter(|name| !known.contains(name)).map(unknown).collect()
}

fn diagrams<'m>(
    loaded: &'m Loaded,
    wanted: &StatesOptions,
    readings: Options,
    chosen: EngineOptions,
    watch: Watch<'_>,
) -> Result<Symbolic<'m>, Halt> {
    let mut symbolic =
        Symbolic::ordered(loaded.model(), readings, (chosen.nodes, &wanted.order), watch.budget)?;
    if wanted.reorder {
        symbolic.sift(watch.budget)?;
    }
    Ok(symbolic)
}
