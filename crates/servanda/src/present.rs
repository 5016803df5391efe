//! What formulas are worth at a point of a run, for those who walk through a model.
//!
//! Where the model is small enough for the reference engine, all its points are known and so is the value at this one, whatever the formula
//! remembers of the way here. Otherwise the engines are asked whether it holds, or fails, wherever a run is in this state.

use std::cell::OnceCell;
use std::collections::HashMap;

use servanda_engine::{Limited, Options, Validity, Verdict};
use servanda_enumerate::{Explored, Walker};
use servanda_logic::{Binary, Formula, Kind, Reference, Unary};
use servanda_lower::{Lowering, StateFormula};
use servanda_model::{Expr, Layout, NamedProposition, Property, StepKind};
use servanda_report::Statistics;
use servanda_syntax::{Diagnostic, Span};

use crate::check::decide;
use crate::{CheckOptions, Loaded, Question, ReachedDeadlock, Traces, Watch};

/// The reference engine is asked about models with at most so many states.
const MOST_STATES: u64 = 50_000;
/// Nor does it make more nodes than these for one formula.
const MOST_NODES: u64 = 1 << 22;

/// The states of a model, once somebody has asked for them.
pub struct Known<'l> {
    loaded: &'l Loaded,
    options: CheckOptions,
    explored: OnceCell<Option<Explored<'l>>>,
}

impl<'l> Known<'l> {
    /// Nothing is known yet.
    pub fn new(loaded: &'l Loaded, options: CheckOptions) -> Self {
        Known { loaded, options, explored: OnceCell::new() }
    }

    /// The states, if they are not too many.
    fn explored(&self, watch: Watch<'_>) -> Option<&Explored<'l>> {
        let explore = || {
            let within = Limited::new(watch.budget).space(MOST_STATES, u64::MAX).nodes(MOST_NODES);
            Explored::new(self.loaded.model(), self.options.readings, &within).ok()
        };
        self.explored.get_or_init(explore).as_ref()
    }
}

/// The values of formulas; what has been found out about a formula is kept.
pub struct Present<'k, 'l> {
    known: &'k Known<'l>,
    formulas: HashMap<String, (StateFormula, Option<Walker<'k, 'l>>)>,
    lowering: Option<Lowering<'l>>,
}

/// A run up to a point: its states, packed, and the steps between them.
pub type RunSoFar<'r> = (&'r [Vec<u64>], &'r [StepKind]);

impl<'k, 'l> Present<'k, 'l> {
    /// No formula has been asked about yet.
    pub fn new(known: &'k Known<'l>) -> Self {
        Present { known, formulas: HashMap::default(), lowering: None }
    }

    /// Has a ground state formula a meaning in the model?
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn has_meaning(&mut self, formula: &Formula) -> Result<(), Vec<Diagnostic>> {
        self.lowering()?.property(formula).map(|_| ())
    }

    fn lowering(&mut self) -> Result<&mut Lowering<'l>, Vec<Diagnostic>> {
        let readings = self.known.options.readings;
        Ok(match &mut self.lowering {
            Some(lowering) => lowering,
            none => none.insert(Lowering::new(self.known.loaded.model(), readings.acts, readings.deadlock)?),
        })
    }

    /// The value of a ground state formula at the end of a run.
    ///
    /// # Errors
    ///
    /// What is wrong with the formula.
    pub fn value(
        &mut self,
        formula: &Formula,
        run: RunSoFar<'_>,
        watch: Watch<'_>,
    ) -> Result<Verdict, Vec<Diagnostic>> {
        let text = formula.to_string();
        let known = match self.formulas.remove(&text) {
            Some(known) => known,
            None => self.look(formula, watch)?,
        };
        let (id, walker) = self.formulas.entry(text).or_insert(known);
        Ok(match walker {
            Some(walker) => match point(walker, run).and_then(|point| walker.holds(*id, point)) {
                Some(value) => Verdict::from(value),
                None => Verdict::Unknown(UNFAIR.to_owned()),
            },
            None => ask(self.known, formula, run, watch),
        })
    }

    /// Decides a formula at all points, if these are not too many.
    fn look(
        &mut self,
        formula: &Formula,
        watch: Watch<'_>,
    ) -> Result<(StateFormula, Option<Walker<'k, 'l>>), Vec<Diagnostic>> {
        let (known, readings) = (self.known, self.known.options.readings);
        let lowering = self.lowering()?;
        let id = lowering.property(formula)?;
        // What agents remember depends on the run, which the points do not tell.
        if readings.recall.is_some() && lowering.needs_recall(id) {
            return Ok((id, None));
        }
        let within = Limited::new(watch.budget).nodes(MOST_NODES);
        let explored = known.explored(watch);
        Ok((id, explored.and_then(|explored| explored.walker(lowering, &[id], &within).ok())))
    }
}

const UNFAIR: &str = "no run that satisfies the fairness constraints comes by here";

fn point(walker: &Walker<'_, '_>, (states, steps): RunSoFar<'_>) -> Option<servanda_enumerate::WalkPoint> {
    let (first, rest) = states.split_first()?;
    let start = walker.start(first)?;
    rest.iter().zip(steps).try_fold(start, |at, (state, kind)| walker.step(at, kind, state))
}

/// Asks the engines whether the formula holds, or fails, at all points in the state where the run ends.
fn ask(known: &Known<'_>, formula: &Formula, (states, _): RunSoFar<'_>, watch: Watch<'_>) -> Verdict {
    let (loaded, options) = (known.loaded, known.options);
    let unknown = |reason: &str| Verdict::Unknown(reason.to_owned());
    let Some(state) = states.last() else { return unknown("no initial state is chosen") };
    let mut model = loaded.model().clone();
    let layout = Layout::new(&model);
    let variables = model
        .variables()
        .map(|(id, _)| Expr::variable(id).equals(Expr::Constant(layout.variable(id).read(state))));
    let in_force = model.commitments().map(|(id, _)| match layout.commitment(id).read(state) {
        0 => Expr::Not(Box::new(Expr::InForce(id))),
        _ => Expr::InForce(id),
    });
    let condition = Expr::And(variables.chain(in_force).collect());
    // No name of a text looks like this.
    let name = "<here>";
    model.propositions.push(NamedProposition { name: name.to_owned(), condition });
    let with_here = loaded.with_model(model);
    let here = Formula::new(Kind::Name(Reference::plain(name, Span::default())), Span::default());
    let whenever = |what: Formula| {
        let here = here.clone().binary(Binary::Implies, what);
        let formula = here.unary(Unary::Globally).unary(Unary::ForAll);
        let property = Property::new(name, formula.to_string(), formula, Span::default());
        Question { property, source: loaded.source.clone() }
    };
    let questions = [whenever(formula.clone()), whenever(formula.clone().unary(Unary::Not))];
    let mut options = CheckOptions {
        readings: Options { validity: Validity::Initial, ..options.readings },
        reached_deadlock: ReachedDeadlock::Noted,
        traces: Traces::Hidden,
        counted: false,
        ..options
    };
    options.engine.statistics = Statistics::Hidden;
    let report = decide(&with_here, &questions, options, watch);
    match report.properties.iter().map(|property| property.verdict.clone()).collect::<Vec<_>>().as_slice() {
        [Verdict::True, Verdict::True] => unknown(UNFAIR),
        [Verdict::True, _] => Verdict::True,
        [_, Verdict::True] => Verdict::False,
        [Verdict::False, Verdict::False] => unknown("that depends on how one came here"),
        [Verdict::Unknown(reason), _] | [_, Verdict::Unknown(reason)] => Verdict::Unknown(reason.clone()),
        _ => unknown("it was not decided"),
    }
}
