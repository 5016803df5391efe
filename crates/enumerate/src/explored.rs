//! A model explored once, and the questions that can be asked of it.

use servanda_engine::{
    Budget, Conformance, Deadlock, Options, Past, Unkeepable, UnreachableLocation, Validity, Verdict,
};
use servanda_logic::Formula;
use servanda_lower::{IntoLowering, Lowering, StateFormula};
use servanda_model::StateView;
use servanda_space::{Counts, Space};
use servanda_syntax::Span;

use crate::Halt;
use crate::evaluate::Evaluation;
use crate::graph::Graph;
use crate::tableau::Truth;

/// A model with all its states in memory.
pub struct Explored<'m> {
    pub(crate) space: Space<'m>,
    lowering: Lowering<'m>,
    pub(crate) options: Options,
    /// The graph of the states on (fair) runs.
    pub(crate) graph: Graph,
    pub(crate) fair: Vec<Vec<bool>>,
}

impl<'m> Explored<'m> {
    /// Explores the model.
    pub fn new(model: impl IntoLowering<'m>, options: Options, budget: &dyn Budget) -> Result<Self, Halt> {
        let mut lowering = model.into_lowering(options.acts, options.deadlock).map_err(Halt::Invalid)?;
        let model = lowering.model;
        // Deadlocks get their loops in the graph.
        let mut space = Space::new(model, Deadlock::Strict, budget)?;
        space.explore(budget)?;
        if options.past == Past::All {
            space.add_all_typed_states(budget)?;
            space.explore(budget)?;
        }
        let graph = Graph::new(&space, options.deadlock);
        let mut evaluation = Evaluation {
            space: &space,
            lowering: &mut lowering,
            options,
            budget,
            graph,
            truth: Truth::default(),
            fair: Vec::new(),
        };
        evaluation.keep_fair_runs().map_err(|halt| match halt {
            // The states are all there by now, whatever the evaluation was doing.
            Halt::Stopped { stop, .. } => {
                let states = space.reachable_len() as u64;
                Halt::Stopped { stop, states, transitions: space.transitions() }
            }
            other => other,
        })?;
        let (graph, fair) = (evaluation.graph, evaluation.fair);
        Ok(Explored { space, lowering, options, graph, fair })
    }

    pub(crate) fn evaluation<'a>(&'a mut self, budget: &'a dyn Budget) -> Evaluation<'a, 'm> {
        Evaluation {
            space: &self.space,
            lowering: &mut self.lowering,
            options: self.options,
            budget,
            graph: self.graph.clone(),
            truth: Truth::default(),
            fair: self.fair.clone(),
        }
    }

    /// The model's formulas in core form, to build questions that the surface language cannot ask.
    pub fn lowering_mut(&mut self) -> &mut Lowering<'m> {
        &mut self.lowering
    }

    /// The size of the model.
    pub fn counts(&self) -> Counts {
        self.space.counts()
    }

    /// A deadlock nearest to an initial state.
    pub fn deadlock_example(&self) -> Option<StateView> {
        self.space.nearest_deadlock()
    }

    /// Are there fairness constraints that no run satisfies? Then every formula is vacuously true.
    pub fn no_fair_run(&self) -> bool {
        !self.space.model.fairness.is_empty() && self.graph.initial.is_empty()
    }

    /// The places of moves that were lost because a value did not exist or did not fit a variable's range, with the
    /// nearest state where it happens. Only models that act in rounds lose moves; others report a fault.
    pub fn lost_moves(&self) -> Vec<(Span, StateView)> {
        self.space.lost_moves()
    }

    /// Is there no initial state at all?
    pub fn no_initial_state(&self) -> bool {
        self.space.initial().is_empty()
    }

    /// Decides a ground state formula.
    pub fn decide(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        self.decide_core(id, budget)
    }

    /// Decides a state formula that was built in core form with [`Explored::lowering_mut`].
    pub fn decide_core(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        let validity = self.options.validity;
        let mut evaluation = self.evaluation(budget);
        match evaluation.evaluate(id) {
            Ok(()) => Ok(Verdict::from(evaluation.is_valid(id, validity))),
            Err(Halt::TooLarge(reason)) => Ok(Verdict::Unknown(reason)),
            Err(other) => Err(other),
        }
    }

    /// The promises that no run can keep.
    pub fn unkeepable(&mut self, budget: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        self.evaluation(budget).unkeepable()
    }

    /// The control states that no run reaches.
    pub fn unreachable_locations(&self) -> Vec<UnreachableLocation> {
        let states = self.space.reachable();
        UnreachableLocation::outside(self.space.model, &self.space.layout, |see| states.for_each(see))
    }

    /// Conformance of acts (docs/formulas.md section 4).
    pub fn conformance(&mut self, budget: &dyn Budget) -> Result<Conformance, Halt> {
        self.evaluation(budget).conformance()
    }
}

impl Evaluation<'_, '_> {
    fn is_valid(&self, id: StateFormula, validity: Validity) -> bool {
        let holds = &self.truth[&id];
        match validity {
            Validity::Initial => self.graph.initial.iter().all(|node| holds[*node]),
            Validity::Reachable => (0..holds.len()).all(|node| holds[node] || !self.graph.on_run[node]),
        }
    }
}
