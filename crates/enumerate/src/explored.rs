//! A model explored once, and the questions that can be asked of it.

use servanda_engine::{
    Budget, Conformance, Counts, Deadlock, Engine, Options, PROMISED_KNOWLEDGE, Past, Satisfying,
    StoppedTime, Unkeepable, UnreachableLocation, Validity, Verdict,
};
use servanda_logic::Formula;
use servanda_lower::{IntoLowering, Lowering, StateFormula};
use servanda_model::StateView;
use servanda_space::Space;
use servanda_syntax::Span;

use crate::Halt;
use crate::evaluate::Evaluation;
use crate::fairness::Fair;
use crate::graph::Graph;

/// A model with all its states in memory.
pub struct Explored<'m> {
    /// Its states, all of them expanded.
    pub space: Space<'m>,
    lowering: Lowering<'m>,
    pub(crate) options: Options,
    /// The graph of the states on (fair) runs.
    pub(crate) graph: Graph,
    pub(crate) fair: Vec<Fair>,
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
        let mut evaluation = Evaluation::new((&space, &mut lowering), options, (graph, Vec::new()), budget);
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
        let known = (self.graph.clone(), self.fair.clone());
        Evaluation::new((&self.space, &mut self.lowering), self.options, known, budget)
    }

    /// The model's formulas in core form, to build questions that the surface language cannot ask.
    pub fn lowering_mut(&mut self) -> &mut Lowering<'m> {
        &mut self.lowering
    }

    /// Decides a ground state formula.
    pub fn decide(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        self.decide_core(id, budget)
    }

    /// Decides a state formula that was built in core form with [`Explored::lowering_mut`].
    pub fn decide_core(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        let validity = self.options.validity;
        let verdict = match self.options.recall.filter(|_| self.lowering.needs_recall(id)) {
            Some(steps) => self.decide_recalling(id, steps, budget),
            None => self.evaluation(budget).decide(id, validity),
        };
        match verdict {
            Err(Halt::TooLarge(reason)) => Ok(Verdict::Unknown(reason)),
            verdict => verdict,
        }
    }

    /// Runs may become many more with each step, so short ones are tried first: what these decide longer ones do not change.
    fn decide_recalling(
        &mut self,
        id: StateFormula,
        steps: u32,
        budget: &dyn Budget,
    ) -> Result<Verdict, Halt> {
        let validity = self.options.validity;
        let mut tried = steps.min(1);
        loop {
            let verdict = self.evaluation(budget).decide_recalling(id, tried, validity)?;
            if tried == steps || verdict.decided().is_some() {
                return Ok(verdict);
            }
            tried = steps.min(2 * tried);
        }
    }

    /// By state whether a ground state formula holds there; `None` where that depends on how the state was reached, and where it is on no run.
    ///
    /// # Errors
    ///
    /// The formula cannot be decided, or the budget says stop.
    pub fn value_by_state(
        &mut self,
        formula: &Formula,
        budget: &dyn Budget,
    ) -> Result<Vec<Option<bool>>, Halt> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        self.evaluation(budget).value_by_state(id)
    }

    /// Conformance of acts (docs/formulas.md section 4).
    pub fn conformance(&mut self, budget: &dyn Budget) -> Result<Conformance, Halt> {
        self.evaluation(budget).conformance()
    }
}

impl Engine for Explored<'_> {
    fn name(&self) -> &'static str {
        "enumerate"
    }

    fn decide(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        Explored::decide(self, property, budget)
    }

    fn explore(&mut self, _: &dyn Budget) -> Result<(), Halt> {
        Ok(())
    }

    fn is_explored(&self) -> bool {
        true
    }

    fn counts(&self) -> Option<Counts> {
        Some(self.space.counts())
    }

    fn deadlock(&mut self, _: &dyn Budget) -> Result<Option<StateView>, Halt> {
        Ok(self.space.nearest_deadlock())
    }

    fn no_initial_state(&self) -> bool {
        self.space.initial().is_empty()
    }

    fn no_fair_run(&mut self, _: &dyn Budget) -> Result<bool, Halt> {
        Ok(self.space.model.has_fairness() && self.graph.initial.is_empty())
    }

    /// Only models that act in rounds lose moves; others report a fault.
    fn lost_moves(&mut self, _: &dyn Budget) -> Result<Vec<(Span, StateView)>, Halt> {
        Ok(self.space.lost_moves())
    }

    fn unreachable_locations(&mut self) -> Result<Vec<UnreachableLocation>, Halt> {
        Ok(self.space.unreachable_locations())
    }

    fn stopped_time(&mut self, _: &dyn Budget) -> Result<Option<StoppedTime>, Halt> {
        Ok(self.space.stopped_time())
    }

    fn satisfying(
        &mut self,
        formula: &Formula,
        most: usize,
        budget: &dyn Budget,
    ) -> Result<Satisfying, Halt> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        self.evaluation(budget).satisfying(id, most)
    }

    fn unkeepable(&mut self, budget: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        if self.options.recall.is_some() && self.lowering.promises_knowledge() {
            return Err(Halt::TooLarge(PROMISED_KNOWLEDGE.to_owned()));
        }
        self.evaluation(budget).unkeepable()
    }
}

impl Evaluation<'_, '_> {
    pub(crate) fn is_valid(&self, id: StateFormula, validity: Validity) -> bool {
        let holds = &self.truth[&id];
        match validity {
            Validity::Initial => self.graph.initial.iter().all(|node| holds[*node]),
            Validity::Reachable => (0..holds.len()).all(|node| holds[node] || !self.graph.on_run[node]),
        }
    }
}
