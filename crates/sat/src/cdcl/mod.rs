//! A small solver for very many small questions about one circuit: what IC3 asks.
//!
//! Clause learning as in MiniSat (Eén and Sörensson, "An extensible SAT-solver"), with what a solver for all purposes does not have:
//! a question is decided on the gates that it depends on, and the others are neither decided nor propagated. Since gates are
//! functions of their inputs, whatever is found for a part of the circuit can be continued to all of it. For the same reason inputs are
//! decided, and gates only where there have been conflicts of late: most questions have few. A question may
//! bring one clause of its own, which is forgotten afterwards with all that was learnt from it.
//!
//! Nothing rests on it alone: runs are replayed on the circuit, and invariants are checked by CaDiCaL.

mod analyse;
mod clauses;
mod heap;
mod propagate;
mod search;
#[cfg(test)]
mod tests;

use clauses::{Arena, Clause, NONE, Watch};
use heap::Heap;

use crate::solver::Solver;

/// A variable with a sign: twice its number, one more where it is negated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Literal(u32);

impl Literal {
    fn of(number: i32) -> Literal {
        Literal((number.unsigned_abs() - 1) << 1 | u32::from(number < 0))
    }

    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// What a literal is worth so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Open,
    True,
    False,
}

/// About how many literals are propagated between two conflicts.
const TICKS_PER_CONFLICT: u64 = 200;

/// Stands for all questions.
const ALWAYS: u32 = u32::MAX;

/// Stands for all questions, in which the variable gets a value only if it follows or is assumed.
const PASSIVE: u32 = u32::MAX - 1;

/// The solver. Variables are numbers from 1 on, as in DIMACS files.
pub(crate) struct Cdcl {
    arena: Arena,
    /// By literal: the clauses to look at when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// By literal.
    values: Vec<Value>,
    /// By variable: at which decision it got its value, and by which clause.
    levels: Vec<u32>,
    reasons: Vec<Clause>,
    phases: Vec<bool>,
    trail: Vec<Literal>,
    /// Where on the trail each decision stands.
    decisions: Vec<usize>,
    /// What of the trail has been propagated.
    done: usize,
    heap: Heap,
    /// What the question depends on that is no gate: first what is part of all questions (so many), then its own.
    leaves: Vec<u32>,
    lasting_leaves: usize,
    /// Those before have a value; and for each decision those before which had one then.
    next_leaf: usize,
    leaves_passed: Vec<usize>,
    seen: Vec<bool>,
    learnt: Vec<Clause>,
    clause_step: f32,
    most_learnt: usize,
    /// By variable: the inputs of the gate that it is the output of.
    inputs: Vec<Box<[u32]>>,
    /// By variable: the last question that it was part of, `ALWAYS` where it is part of all.
    domain: Vec<u32>,
    question: u32,
    /// Stands for the clause that belongs to one question only, and the clauses that rest on it.
    temporary: Literal,
    rests_on_it: Vec<Clause>,
    /// The assumptions that the last refutation needed.
    needed: Vec<Literal>,
    /// The clauses contradict each other.
    broken: bool,
    /// How many literals have been propagated.
    ticks: u64,
}

impl Default for Cdcl {
    fn default() -> Self {
        let mut solver = Cdcl {
            arena: Arena::default(),
            watches: Vec::new(),
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            phases: Vec::new(),
            trail: Vec::new(),
            decisions: Vec::new(),
            done: 0,
            heap: Heap::new(),
            leaves: Vec::new(),
            lasting_leaves: 0,
            next_leaf: 0,
            leaves_passed: Vec::new(),
            seen: Vec::new(),
            learnt: Vec::new(),
            clause_step: 1.0,
            most_learnt: 2000,
            inputs: Vec::new(),
            domain: Vec::new(),
            question: 1,
            temporary: Literal(0),
            rests_on_it: Vec::new(),
            needed: Vec::new(),
            broken: false,
            ticks: 0,
        };
        let temporary = solver.variable();
        solver.temporary = Literal::of(temporary);
        solver.never_decide(temporary);
        solver
    }
}

impl Solver for Cdcl {
    fn variable(&mut self) -> i32 {
        self.levels.push(0);
        self.reasons.push(NONE);
        self.phases.push(false);
        self.seen.push(false);
        self.inputs.push(Box::default());
        self.domain.push(0);
        self.heap.grow();
        for _ in 0..2 {
            self.watches.push(Vec::new());
            self.values.push(Value::Open);
        }
        self.levels.len() as i32
    }

    fn gate(&mut self, a: i32, b: i32) -> i32 {
        let gate = self.variable();
        self.depends(gate, &[a, b]);
        self.add_clause(&[-gate, a]);
        self.add_clause(&[-gate, b]);
        self.add_clause(&[gate, -a, -b]);
        gate
    }

    // The variables of clauses that are no gates must be part of all questions.
    fn add_clause(&mut self, clause: &[i32]) {
        self.undo(0);
        let Some(literals) = self.open_literals(clause) else { return };
        match literals[..] {
            [] => self.broken = true,
            [one] => self.assign(one, NONE),
            _ => {
                let clause = self.arena.add(&literals);
                self.watch(clause, &literals);
            }
        }
    }

    fn solve(&mut self, assumptions: &[i32], conflicts: u32) -> Option<bool> {
        self.solve_with(assumptions, None, u64::from(conflicts) * TICKS_PER_CONFLICT)
    }

    // What the question did not depend on is false.
    fn value(&self, literal: i32) -> bool {
        self.values[Literal::of(literal).index()] == Value::True
    }

    fn needed(&self, assumption: i32) -> bool {
        self.needed.contains(&Literal::of(assumption))
    }
}

impl Cdcl {
    /// A variable is a function of these; a clause for that mentions the variable. It may itself be among them.
    pub(crate) fn depends(&mut self, output: i32, literals: &[i32]) {
        let output = output.unsigned_abs() - 1;
        let mut inputs: Vec<u32> = literals.iter().map(|literal| literal.unsigned_abs() - 1).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|input| *input != output);
        self.inputs[output as usize] = inputs.into();
    }

    /// From now on every question is about these, and about what they depend on, too.
    pub(crate) fn part_of_all(&mut self, literals: &[i32]) {
        self.undo(0);
        self.forget_leaves();
        let mut todo: Vec<u32> = literals.iter().map(|literal| literal.unsigned_abs() - 1).collect();
        while let Some(variable) = todo.pop() {
            if self.domain[variable as usize] < PASSIVE {
                self.domain[variable as usize] = ALWAYS;
                self.include(variable, &mut todo);
            }
        }
        self.lasting_leaves = self.leaves.len();
        // Its own leaves are gone, so there is no question until the next focus.
        self.question += 1;
    }

    /// From now on the variable is part of every question, but nothing is decided about it: it only switches clauses on.
    pub(crate) fn never_decide(&mut self, variable: i32) {
        self.undo(0);
        self.domain[variable.unsigned_abs() as usize - 1] = PASSIVE;
    }

    /// The next questions are about these, and about what they depend on; no longer about what others were about.
    pub(crate) fn focus(&mut self, literals: &[i32]) {
        self.undo(0);
        // What others were about stays in the heap and is passed over when its turn comes.
        self.question += 1;
        self.forget_leaves();
        let mut todo: Vec<u32> = literals.iter().map(|literal| literal.unsigned_abs() - 1).collect();
        while let Some(variable) = todo.pop() {
            let last = self.domain[variable as usize];
            if last < PASSIVE && last != self.question {
                self.domain[variable as usize] = self.question;
                self.include(variable, &mut todo);
            }
        }
    }

    /// The leaves of the last question are no longer those of this one.
    fn forget_leaves(&mut self) {
        self.leaves.truncate(self.lasting_leaves);
        // Others may come to stand where some stood that have a value for good.
        self.next_leaf = 0;
    }

    /// A variable that the question has come to depend on, and what it depends on itself. Only leaves need be decided, since gates follow
    /// from them; others are where conflicts have been of late.
    fn include(&mut self, variable: u32, todo: &mut Vec<u32>) {
        if self.heap.is_hot(variable) {
            self.heap.insert(variable);
        }
        let inputs = &self.inputs[variable as usize];
        if inputs.is_empty() {
            self.leaves.push(variable);
        }
        todo.extend(inputs);
    }

    fn concerns(&self, variable: usize) -> bool {
        self.domain[variable] >= PASSIVE || self.domain[variable] == self.question
    }

    fn may_decide(&self, variable: usize) -> bool {
        self.domain[variable] == ALWAYS || self.domain[variable] == self.question
    }

    /// The literals of a clause that are not false for good, each once; `None` where one is true.
    fn open_literals(&self, clause: &[i32]) -> Option<Vec<Literal>> {
        let mut literals: Vec<Literal> = Vec::with_capacity(clause.len());
        for literal in clause.iter().map(|number| Literal::of(*number)) {
            match self.values[literal.index()] {
                Value::True => return None,
                Value::False => {}
                Value::Open if literals.contains(&!literal) => return None,
                Value::Open if literals.contains(&literal) => {}
                Value::Open => literals.push(literal),
            }
        }
        Some(literals)
    }

    fn watch(&mut self, clause: Clause, literals: &[Literal]) {
        let is_pair = literals.len() == 2;
        for (own, other) in [(literals[0], literals[1]), (literals[1], literals[0])] {
            self.watches[own.index()].push(Watch { clause, other, is_pair });
        }
    }

    /// How much has been done so far; a measure that does not depend on the machine.
    pub(crate) fn ticks(&self) -> u64 {
        self.ticks
    }
}
