//! State formulas as sets of nodes, bottom up.

use servanda_engine::{Budget, Options, RunFault};
use servanda_lower::{Lowering, Over, PathFormula, State, StateFormula};
use servanda_model::{Expr, Program};
use servanda_space::Space;

use crate::Halt;
use crate::fairness::Fair;
use crate::graph::Graph;
use crate::history;
use crate::recall::{Recall, View};
use crate::tableau::{Tableau, Truth};

/// What is known of one question so far.
pub(crate) struct Evaluation<'a, 'm> {
    pub(crate) space: &'a Space<'m>,
    pub(crate) lowering: &'a mut Lowering<'m>,
    pub(crate) options: Options,
    pub(crate) budget: &'a dyn Budget,
    pub(crate) graph: Graph,
    pub(crate) truth: Truth,
    /// The fairness constraints.
    pub(crate) fair: Vec<Fair>,
    /// What agents remember, once the graph is unrolled.
    pub(crate) recall: Option<Recall>,
}

impl<'a, 'm> Evaluation<'a, 'm> {
    /// Nothing is known but the graph, and the fairness constraints in it.
    pub(crate) fn new(
        (space, lowering): (&'a Space<'m>, &'a mut Lowering<'m>),
        options: Options,
        (graph, fair): (Graph, Vec<Fair>),
        budget: &'a dyn Budget,
    ) -> Self {
        Evaluation { space, lowering, options, budget, graph, truth: Truth::default(), fair, recall: None }
    }

    /// Makes sure that `truth` knows a state formula. This may replace the graph by one whose nodes remember more;
    /// everything known is carried over, so after several calls read all results from `truth`, not before.
    pub(crate) fn evaluate(&mut self, id: StateFormula) -> Result<(), Halt> {
        if self.truth.contains_key(&id) {
            return Ok(());
        }
        let set = match self.lowering.arena.state(id).clone() {
            State::True => vec![true; self.graph.nodes()],
            State::Proposition(proposition) => {
                let by_state = self.holds_by_state(self.lowering.arena.proposition_expr(proposition))?;
                self.by_node(&by_state)
            }
            State::Not(a) => {
                self.evaluate(a)?;
                self.truth[&a].iter().map(|value| !value).collect()
            }
            State::And(a, b) => self.pointwise(a, b, |a, b| a && b)?,
            State::Or(a, b) => self.pointwise(a, b, |a, b| a || b)?,
            State::Exists { path, over } => return self.exists(id, path, over),
            State::SomePrevious(a) => {
                self.evaluate(a)?;
                self.some_previous(&self.truth[&a])
            }
            State::SomePast(a) => {
                self.evaluate(a)?;
                self.some_past(&self.truth[&a])
            }
            State::Committed { debtor, creditor, limit, body } => {
                self.committed(debtor, creditor, limit, body)?
            }
            State::Knows { relation, correct, body } => {
                self.evaluate(body)?;
                self.knows(&relation, &correct, body, View::Now)?
            }
            State::Able { group, goal } => self.able(&group, &goal)?,
        };
        self.truth.insert(id, set);
        Ok(())
    }

    fn pointwise(
        &mut self,
        a: StateFormula,
        b: StateFormula,
        join: fn(bool, bool) -> bool,
    ) -> Result<Vec<bool>, Halt> {
        self.evaluate(a)?;
        self.evaluate(b)?;
        Ok(self.truth[&a].iter().zip(&self.truth[&b]).map(|(a, b)| join(*a, *b)).collect())
    }

    /// What holds of states, read at nodes.
    pub(crate) fn by_node(&self, by_state: &[bool]) -> Vec<bool> {
        self.graph.state.iter().map(|state| by_state[*state as usize]).collect()
    }

    /// `E ψ`.
    fn exists(&mut self, id: StateFormula, psi: PathFormula, over: Over) -> Result<(), Halt> {
        for part in self.lowering.arena.state_parts(psi) {
            self.evaluate(part)?;
        }
        // Fair paths are infinite, whatever is asked of them.
        if over == Over::Relation
            && self.fair.is_empty()
            && let Some(operator) = self.lowering.arena.ctl(psi)
        {
            let set = self.strict_ctl(operator)?;
            self.truth.insert(id, set);
            return Ok(());
        }
        let tableau = self.tableau(psi)?;
        if !self.lowering.arena.looks_back(psi) {
            self.truth.insert(id, tableau.exists(&self.graph));
            return Ok(());
        }
        let remembered = history::split(&self.graph, &tableau, self.budget)?;
        self.replace_graph(remembered.graph, &remembered.was);
        self.truth.insert(id, remembered.holds);
        Ok(())
    }

    /// The tableau of a path formula whose state formulas are known.
    pub(crate) fn tableau(&self, psi: PathFormula) -> Result<Tableau, Halt> {
        let Evaluation { graph, lowering, truth, fair, .. } = self;
        Tableau::new(graph, &lowering.arena, psi, truth, fair, self.space, self.budget)
    }

    /// Goes on with another graph, each of whose nodes was some node of the present one.
    pub(crate) fn replace_graph(&mut self, graph: Graph, was: &[usize]) {
        let carried = |set: &mut Vec<bool>| *set = was.iter().map(|node| set[*node]).collect();
        self.truth.values_mut().for_each(carried);
        self.fair.iter_mut().for_each(|fair| fair.carry(was));
        if let Some(recall) = &mut self.recall {
            recall.carry(was);
        }
        self.graph = graph;
    }

    /// Where an expression holds, state by state.
    pub(crate) fn holds_by_state(&self, expr: &Expr) -> Result<Vec<bool>, Halt> {
        let program = Program::new(expr, &self.space.layout);
        let mut stack = Vec::new();
        let mut result = Vec::with_capacity(self.space.len());
        for state in 0..self.space.len() as u32 {
            // Outside of the reachable states a proposition without a value is false: nobody can get there.
            result.push(match program.holds(self.space.state(state), &mut stack) {
                Ok(value) => value,
                Err(_) if !self.space.is_reachable(state) => false,
                Err(kind) => {
                    let fault = RunFault::of_proposition(self.space.view(state), kind);
                    return Err(Halt::Fault(Box::new(fault)));
                }
            });
        }
        Ok(result)
    }
}

/// Repeats `Z := rule(place, step(Z))` until nothing changes.
pub(crate) fn fixpoint(
    start: &[bool],
    step: impl Fn(&[bool]) -> Vec<bool>,
    rule: impl Fn(usize, bool) -> bool,
) -> Vec<bool> {
    let mut set = start.to_vec();
    loop {
        let again: Vec<bool> = step(&set).into_iter().enumerate().map(|(at, next)| rule(at, next)).collect();
        if again == set {
            return set;
        }
        set = again;
    }
}
