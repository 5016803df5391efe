//! Circuits in a solver (Tseitin's encoding), gate by gate as they are needed.

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph, Node};
use servanda_engine::{Budget, Halt};

use crate::cdcl::Cdcl;
use crate::definitions::Definitions;
use crate::effort::{Effort, internal};
use crate::solver::{Cadical, Solver};

/// After so many gates the budget is asked whether to go on.
const STEPS: u32 = 20_000;

/// A solver that knows gates of a graph. The clauses of gates are definitions: they exclude nothing.
pub(crate) struct Wired<S> {
    solver: S,
    literals: FxHashMap<usize, i32>,
}

/// Gates in CaDiCaL.
pub(crate) type Gates<'b> = Wired<Cadical<'b>>;

impl<S: Solver> Wired<S> {
    /// Gates in a solver that is new.
    pub(crate) fn over(solver: S) -> Self {
        let mut solver = solver;
        let truth = solver.variable();
        solver.add_clause(&[truth]);
        let literals = std::iter::once((0, -truth)).collect();
        Wired { solver, literals }
    }

    /// The literal of an edge; its gates are added if they are new.
    pub(crate) fn literal(&mut self, graph: &Graph, edge: Edge) -> i32 {
        if !self.literals.contains_key(&edge.node()) {
            self.add_gates(graph, edge.node());
        }
        let literal = self.literals[&edge.node()];
        if edge.is_negated() { -literal } else { literal }
    }

    fn add_gates(&mut self, graph: &Graph, root: usize) {
        let mut todo = vec![root];
        let mut steps = 0_u32;
        while let Some(&node) = todo.last() {
            steps += 1;
            if steps.is_multiple_of(STEPS) && self.solver.is_stopped() {
                // Whatever stands for the gate, nobody will be told what it is worth.
                let literal = self.solver.variable();
                self.literals.insert(root, literal);
                return;
            }
            if self.literals.contains_key(&node) {
                todo.pop();
                continue;
            }
            let Node::And(a, b) = graph.node(node) else {
                let literal = self.solver.variable();
                self.literals.insert(node, literal);
                todo.pop();
                continue;
            };
            let before = todo.len();
            todo.extend([a.node(), b.node()].into_iter().filter(|node| !self.literals.contains_key(node)));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let of = |edge: Edge| {
                let literal = self.literals[&edge.node()];
                if edge.is_negated() { -literal } else { literal }
            };
            let (a, b) = (of(a), of(b));
            let gate = self.solver.gate(a, b);
            self.literals.insert(node, gate);
        }
    }

    /// The literals of many edges.
    pub(crate) fn row(&mut self, graph: &Graph, edges: &[Edge]) -> Vec<i32> {
        edges.iter().map(|edge| self.literal(graph, *edge)).collect()
    }

    /// A new literal that stands for no gate.
    pub(crate) fn fresh(&mut self) -> i32 {
        self.solver.variable()
    }

    /// Excludes the assignments that make all literals of a clause false.
    pub(crate) fn add(&mut self, clause: &[i32]) {
        self.solver.add_clause(clause);
    }

    /// From now on only assignments that make the edge true.
    pub(crate) fn require(&mut self, graph: &Graph, edge: Edge) {
        let literal = self.literal(graph, edge);
        self.solver.add_clause(&[literal]);
    }

    /// The solver itself.
    pub(crate) fn solver(&mut self) -> &mut S {
        &mut self.solver
    }

    /// The value of a literal in the assignment just found.
    pub(crate) fn value(&self, literal: i32) -> bool {
        self.solver.value(literal)
    }

    /// The literals with the values they have in the assignment just found.
    pub(crate) fn assigned(&self, literals: &[i32]) -> Vec<i32> {
        self.carried(literals, literals)
    }

    /// Literals of another solver, with the values that these have in the assignment just found.
    pub(crate) fn carried(&self, own: &[i32], other: &[i32]) -> Vec<i32> {
        own.iter().zip(other).map(|(own, other)| if self.value(*own) { *other } else { -other }).collect()
    }

    /// A literal that says that two rows are the same, for each of their positions.
    pub(crate) fn sameness(&mut self, one: &[i32], other: &[i32]) -> Vec<i32> {
        let mut all = Vec::with_capacity(one.len());
        for (a, b) in one.iter().zip(other) {
            let same = self.fresh();
            self.add(&[-same, -a, *b]);
            self.add(&[-same, *a, -b]);
            all.push(same);
        }
        all
    }

    /// Did the last refutation use this assumption?
    pub(crate) fn is_needed(&self, assumption: i32) -> bool {
        self.solver.needed(assumption)
    }

    /// Those of the assumptions that the last refutation used.
    pub(crate) fn needed(&self, assumptions: &[i32]) -> Vec<i32> {
        assumptions.iter().copied().filter(|literal| self.solver.needed(*literal)).collect()
    }
}

impl Wired<Cdcl> {
    /// Adds the gates that definitions keep. The solver is new.
    pub(crate) fn define(&mut self, definitions: &Definitions) {
        let mut row = vec![0; definitions.len()];
        let mut inputs = Vec::new();
        for kept in definitions.kept() {
            let known = self.literals.get(&kept.node).copied();
            let literal = known.unwrap_or_else(|| self.solver.variable());
            self.literals.insert(kept.node, literal);
            row[kept.place] = literal;
            let of = |literal: &u32| {
                let own: i32 = row[(literal >> 1) as usize];
                if literal & 1 == 1 { -own } else { own }
            };
            inputs.clear();
            for clause in kept.clauses {
                let clause: Vec<i32> = clause.iter().map(of).collect();
                self.solver.add_clause(&clause);
                inputs.extend(clause);
            }
            self.solver.depends(literal, &inputs);
        }
    }
}

impl<'b> Gates<'b> {
    /// Gates in a solver that stops when the budget says so.
    pub(crate) fn new(budget: &'b dyn Budget) -> Self {
        Wired::over(Cadical::within(budget))
    }

    /// Is there an assignment with these assumptions?
    pub(crate) fn solve(&mut self, assumptions: &[i32], effort: &Effort<'_>) -> Result<bool, Halt> {
        loop {
            if let Some(answer) = self.try_solve(assumptions, u32::MAX, effort)? {
                return Ok(answer);
            }
        }
    }

    /// The same, giving up (`None`) after so many conflicts.
    pub(crate) fn try_solve(
        &mut self,
        assumptions: &[i32],
        conflicts: u32,
        effort: &Effort<'_>,
    ) -> Result<Option<bool>, Halt> {
        effort.spend()?;
        if let Some(halt) = self.solver.stopped() {
            return Err(halt);
        }
        self.solver.set_questions(effort.calls());
        let answer = self.solver.solve(assumptions, conflicts);
        self.solver.stopped().map_or(Ok(answer), Err)
    }

    /// A small part of the candidates that, with what is fixed, still cannot be satisfied. All of them together must not
    /// be satisfiable.
    pub(crate) fn minimal(
        &mut self,
        fixed: &[i32],
        candidates: &[i32],
        effort: &Effort<'_>,
    ) -> Result<Vec<i32>, Halt> {
        let with = |some: &[i32]| -> Vec<i32> { fixed.iter().chain(some).copied().collect() };
        if self.solve(&with(candidates), effort)? {
            return Err(internal("a full assignment does not decide a circuit"));
        }
        let mut kept = self.needed(candidates);
        let mut tried = 0;
        while tried < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(tried);
            if self.solve(&with(&fewer), effort)? {
                tried += 1;
            } else {
                // What was found necessary before stays so with fewer candidates.
                kept = self.needed(&fewer);
                tried = tried.min(kept.len());
            }
        }
        Ok(kept)
    }
}
