//! State formulas as sets of states, bottom up.

use rustc_hash::FxHashMap;
use servanda_circuit::Edge;
use servanda_engine::{Budget, Halt, Past, RunFault};
use servanda_lower::{Ctl, Over, PathFormula, State, StateFormula};
use servanda_model::{Expr, Layout};

use crate::Technique;
use crate::backward;
use crate::effort::{Effort, internal};
use crate::forward::{Reach, after};
use crate::project::before;
use crate::sat::Sat;

/// And so many questions are asked.
const FEW_CALLS: u64 = 20_000;

/// Which bits of the state count.
#[derive(Clone, Copy)]
enum Part {
    /// Those of the model.
    Model,
    /// All.
    WithMemory,
}

impl Sat<'_> {
    /// Where a state formula holds; right on all states of fair runs of the right types. Evaluating a formula that
    /// remembers the past adds bits to the state; sets known before stay right, since they do not mention the new bits.
    pub(crate) fn evaluate(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Edge, Halt> {
        if let Some(set) = self.truth.get(&id) {
            return Ok(*set);
        }
        let set = match self.lowering.arena.state(id).clone() {
            State::True => Edge::TRUE,
            State::Proposition(proposition) => {
                let expr = self.lowering.arena.proposition_expr(proposition).clone();
                self.proposition(&expr, budget)?
            }
            State::Not(a) => !self.evaluate(a, budget)?,
            State::And(a, b) => {
                let (a, b) = (self.evaluate(a, budget)?, self.evaluate(b, budget)?);
                self.system.graph.and(a, b)
            }
            State::Or(a, b) => {
                let (a, b) = (self.evaluate(a, budget)?, self.evaluate(b, budget)?);
                self.system.graph.or(a, b)
            }
            State::Exists { path, over } => self.exists(path, over, budget)?,
            State::SomePrevious(a) => self.had(a, Reach::Step, budget)?,
            State::SomePast(a) => self.had(a, Reach::Closure, budget)?,
            State::Committed { debtor, creditor, limit, body } => {
                let broken = self.lowering.broken_promise(debtor, creditor, limit, body);
                !self.evaluate(broken, budget)?
            }
            State::Knows { relation, correct, body } => {
                let body = self.evaluate(body, budget)?;
                self.knows(&relation, &correct, body, budget)?
            }
            State::Able { group, goal } => self.able(&group, &goal, budget)?,
        };
        self.truth.insert(id, set);
        Ok(set)
    }

    /// Where a state formula holds; right in initial states on fair runs. Only there is what remembers the future decided, so
    /// what is found out is kept apart.
    pub(crate) fn evaluate_at_start(
        &mut self,
        id: StateFormula,
        known: &mut FxHashMap<StateFormula, Edge>,
        budget: &dyn Budget,
    ) -> Result<Edge, Halt> {
        if let Some(set) = known.get(&id) {
            return Ok(*set);
        }
        let set = match *self.lowering.arena.state(id) {
            State::Not(a) => !self.evaluate_at_start(a, known, budget)?,
            State::And(a, b) => {
                let a = self.evaluate_at_start(a, known, budget)?;
                let b = self.evaluate_at_start(b, known, budget)?;
                self.system.graph.and(a, b)
            }
            State::Or(a, b) => {
                let a = self.evaluate_at_start(a, known, budget)?;
                let b = self.evaluate_at_start(b, known, budget)?;
                self.system.graph.or(a, b)
            }
            State::Exists { path, .. } if self.lowering.arena.remembers_what_lies_ahead(path) => {
                for part in self.lowering.arena.state_parts(path) {
                    self.evaluate(part, budget)?;
                }
                self.tableau_at_start(path, budget)?
            }
            State::True
            | State::Proposition(_)
            | State::Exists { .. }
            | State::SomePrevious(_)
            | State::SomePast(_)
            | State::Committed { .. }
            | State::Knows { .. }
            | State::Able { .. } => self.evaluate(id, budget)?,
        };
        known.insert(id, set);
        Ok(set)
    }

    fn proposition(&mut self, expr: &Expr, budget: &dyn Budget) -> Result<Edge, Halt> {
        let truth = self.system.truth(expr)?;
        if truth.defined != Edge::TRUE {
            let without_value = self.system.graph.without(self.universe, truth.defined);
            if let Some(state) = self.reachable(without_value, budget)? {
                let model = self.system.encoding.model;
                let layout = Layout::new(model);
                let packed = self.system.encoding.pack(&layout, |bit| state[bit]);
                let fault = RunFault::of_condition(model, &layout, &packed, expr);
                let fault = fault.ok_or_else(|| internal("a fault that is none"))?;
                return Err(Halt::Fault(Box::new(fault)));
            }
        }
        // Elsewhere a proposition without a value is false: nobody can get there.
        Ok(self.system.graph.and(truth.value, truth.defined))
    }

    /// The reachable states with what is remembered, on fair runs or not; `None` if there are too many kinds of them.
    pub(crate) fn reached(&mut self, budget: &dyn Budget) -> Result<Option<Edge>, Halt> {
        if let Some(known) = self.reached {
            return Ok(known);
        }
        if self.memory.is_empty() {
            self.narrow(budget)?;
            return Ok(self.base_reached.flatten());
        }
        let reached = self.close(self.initial, Part::WithMemory, budget)?;
        self.reached = Some(reached);
        Ok(reached)
    }

    /// Looks for all reachable states, if that is quick: most protocols have few, and sets that need to be right only there
    /// are small.
    pub(crate) fn narrow(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        if self.options.past == Past::All || self.choices.bound.is_some() || self.base_reached.is_some() {
            return Ok(());
        }
        let reached = self.close(self.system.initial, Part::Model, budget)?;
        self.base_reached = Some(reached);
        if let Some(reached) = reached {
            self.known = reached;
        }
        Ok(())
    }

    fn close(&mut self, from: Edge, part: Part, budget: &dyn Budget) -> Result<Option<Edge>, Halt> {
        self.note(Technique::Reachability);
        let effort = Effort::limited(budget, &self.calls, FEW_CALLS);
        let machine = match part {
            Part::Model => &self.base,
            Part::WithMemory => &self.machine,
        };
        let most = self.choices.few_cubes;
        match after(&mut self.system.graph, machine, from, Reach::Closure, most, &effort) {
            Err(Halt::TooLarge(_)) if effort.is_spent() => Ok(None),
            reached => reached,
        }
    }

    /// `EY` and `EP`: who has a predecessor, or a past, in a set. Predecessors are states, so memory is left out.
    fn had(&mut self, a: StateFormula, reach: Reach, budget: &dyn Budget) -> Result<Edge, Halt> {
        let set = self.evaluate(a, budget)?;
        let set = self.forget(set);
        self.narrow(budget)?;
        let effort = Effort::new(budget, &self.calls);
        let graph = &mut self.system.graph;
        let possible = if self.options.past == Past::All {
            self.system.typed
        } else if let Some(reached) = self.base_reached.flatten() {
            reached
        } else {
            let all = after(graph, &self.base, self.system.initial, Reach::Closure, usize::MAX, &effort)?;
            let all = all.unwrap_or(Edge::FALSE);
            self.base_reached = Some(Some(all));
            self.known = all;
            all
        };
        let possible = graph.and(possible, self.universe);
        let from = graph.and(possible, set);
        let mut machine = self.base.clone();
        if self.universe != Edge::TRUE {
            let next = machine.at_next(graph, self.universe);
            machine.valid = graph.and(machine.valid, next);
        }
        let had = after(graph, &machine, from, reach, usize::MAX, &effort)?;
        self.note(Technique::Reachability);
        Ok(had.unwrap_or(Edge::FALSE))
    }

    /// `E ψ`.
    fn exists(&mut self, psi: PathFormula, over: Over, budget: &dyn Budget) -> Result<Edge, Halt> {
        if let (Over::AllPaths | Over::Relation, Some(operator)) = (over, self.lowering.arena.ctl(psi)) {
            return self.ctl(operator, budget);
        }
        for part in self.lowering.arena.state_parts(psi) {
            self.evaluate(part, budget)?;
        }
        self.tableau(psi, budget)
    }

    /// `E ψ` where ψ is one CTL operator.
    fn ctl(&mut self, operator: Ctl, budget: &dyn Budget) -> Result<Edge, Halt> {
        match operator {
            Ctl::Next(a) => {
                let a = self.evaluate(a, budget)?;
                self.next(a, budget)
            }
            Ctl::Until(a, b) => {
                let (a, b) = (self.evaluate(a, budget)?, self.evaluate(b, budget)?);
                self.until(a, b, budget)
            }
            Ctl::Release(a, b) => {
                let (a, b) = (self.evaluate(a, budget)?, self.evaluate(b, budget)?);
                let stays = self.globally(b, budget)?;
                let both = self.system.graph.and(a, b);
                let released = self.until(b, both, budget)?;
                Ok(self.system.graph.or(stays, released))
            }
        }
    }

    /// `E X a`
    pub(crate) fn next(&mut self, a: Edge, budget: &dyn Budget) -> Result<Edge, Halt> {
        self.note(Technique::Fixpoint);
        self.narrow(budget)?;
        let care = self.care();
        let effort = Effort::new(budget, &self.calls);
        let a = self.system.graph.and(a, self.universe);
        before(&mut self.system.graph, &self.machine, a, Edge::TRUE, care, &effort)
    }

    /// `E (a U b)`
    pub(crate) fn until(&mut self, a: Edge, b: Edge, budget: &dyn Budget) -> Result<Edge, Halt> {
        self.note(Technique::Fixpoint);
        self.narrow(budget)?;
        let care = self.care();
        let effort = Effort::new(budget, &self.calls);
        let graph = &mut self.system.graph;
        let b = graph.and(b, self.universe);
        backward::until(graph, &self.machine, a, b, care, &effort)
    }

    /// `E G a` on fair paths.
    pub(crate) fn globally(&mut self, a: Edge, budget: &dyn Budget) -> Result<Edge, Halt> {
        self.note(Technique::Fixpoint);
        self.narrow(budget)?;
        let care = self.care();
        let effort = Effort::new(budget, &self.calls);
        let graph = &mut self.system.graph;
        let a = graph.and(a, self.universe);
        backward::globally(graph, &self.machine, a, &self.fair, care, &effort)
    }
}
