//! What is asked of a SAT solver, and CaDiCaL behind it.
//!
//! Variables are numbers from 1 on and a negative number is a negated variable, as in DIMACS files.

use servanda_engine::{Budget, Halt, Progress};

/// So often CaDiCaL asks whether to go on before the budget is asked; it does so every few decisions.
const PATIENCE: u64 = 10;

/// An incremental SAT solver with assumptions and cores.
pub trait Solver {
    /// A new variable.
    fn variable(&mut self) -> i32;

    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[i32]);

    /// A new variable that is true where both literals are.
    fn gate(&mut self, a: i32, b: i32) -> i32 {
        let gate = self.variable();
        self.add_clause(&[-gate, a]);
        self.add_clause(&[-gate, b]);
        self.add_clause(&[gate, -a, -b]);
        gate
    }

    /// Is asked again and again while gates are added: should that stop, since no question will be answered anyway?
    fn is_stopped(&mut self) -> bool {
        false
    }

    /// Is there an assignment that satisfies all clauses and the assumptions? `None` after so many conflicts.
    fn solve(&mut self, assumptions: &[i32], conflicts: u32) -> Option<bool>;

    /// The value of a literal in the assignment just found.
    fn value(&self, literal: i32) -> bool;

    /// Was this assumption needed to see that there is no assignment?
    fn needed(&self, assumption: i32) -> bool;
}

/// CaDiCaL.
#[derive(Default)]
pub struct Cadical<'b> {
    solver: cadical::Solver<Asks<'b>>,
    variables: i32,
}

/// What CaDiCaL asks while it works: a question may take minutes, and much of that without a conflict.
struct Asks<'b> {
    budget: &'b dyn Budget,
    /// How many questions were asked before this one.
    questions: u64,
    askings: u64,
    stopped: Option<Halt>,
}

impl cadical::Callbacks for Asks<'_> {
    fn terminate(&mut self) -> bool {
        self.askings += 1;
        if self.askings.is_multiple_of(PATIENCE) {
            self.stopped = Progress::Deciding { nodes: self.questions }.tell(self.budget).err();
        }
        self.stopped.is_some()
    }
}

impl<'b> Cadical<'b> {
    /// One that stops when the budget says so; see [`Cadical::stopped`].
    pub(crate) fn within(budget: &'b dyn Budget) -> Self {
        let mut solver = cadical::Solver::new();
        solver.set_callbacks(Some(Asks { budget, questions: 0, askings: 0, stopped: None }));
        Cadical { solver, variables: 0 }
    }

    /// Says how many questions were asked before the next one.
    pub(crate) fn set_questions(&mut self, questions: u64) {
        if let Some(asks) = self.solver.get_callbacks() {
            asks.questions = questions;
        }
    }

    /// Why the last question has no answer, if it was not for the number of conflicts.
    pub(crate) fn stopped(&mut self) -> Option<Halt> {
        self.solver.get_callbacks().and_then(|asks| asks.stopped.take())
    }

    /// How often it has asked whether to go on: about how much it has done.
    pub(crate) fn askings(&mut self) -> u64 {
        self.solver.get_callbacks().map_or(0, |asks| asks.askings)
    }
}

impl Solver for Cadical<'_> {
    fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn add_clause(&mut self, clause: &[i32]) {
        self.solver.add_clause(clause.iter().copied());
    }

    fn solve(&mut self, assumptions: &[i32], conflicts: u32) -> Option<bool> {
        // The only name that could be refused is one that CaDiCaL does not know.
        let _ = self.solver.set_limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        self.solver.solve_with(assumptions.iter().copied())
    }

    fn is_stopped(&mut self) -> bool {
        self.solver.get_callbacks().is_some_and(|asks| {
            if asks.stopped.is_none() {
                asks.stopped = Progress::Deciding { nodes: asks.questions }.tell(asks.budget).err();
            }
            asks.stopped.is_some()
        })
    }

    fn value(&self, literal: i32) -> bool {
        // A variable that occurs in no clause has no value; any will do.
        self.solver.value(literal) == Some(true)
    }

    fn needed(&self, assumption: i32) -> bool {
        self.solver.failed(assumption)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use servanda_engine::Stop;

    use super::*;

    #[test]
    fn cores_name_the_assumptions_that_clash() {
        let mut solver = Cadical::default();
        let (a, b, c) = (solver.variable(), solver.variable(), solver.variable());
        solver.add_clause(&[-a, -b]);
        assert_eq!(solver.solve(&[a, c], 100), Some(true));
        assert!(solver.value(c) && !solver.value(b));
        assert_eq!(solver.solve(&[a, b, c], 100), Some(false));
        assert!(solver.needed(a) && solver.needed(b) && !solver.needed(c));
    }

    /// Says stop when it is asked for the fiftieth time.
    #[derive(Default)]
    struct Impatient(AtomicU64);

    impl Budget for Impatient {
        fn progress(&self, _: Progress) -> Result<(), Stop> {
            if self.0.fetch_add(1, Ordering::Relaxed) < 50 { Ok(()) } else { Err(Stop::Time) }
        }
    }

    #[test]
    fn one_long_question_is_given_up_when_the_budget_says_so() {
        let budget = Impatient::default();
        let mut solver = Cadical::within(&budget);
        // More pigeons than holes, which takes far longer than this test may.
        let holes = 14;
        let places: Vec<Vec<i32>> =
            (0..=holes).map(|_| (0..holes).map(|_| solver.variable()).collect()).collect();
        for row in &places {
            solver.add_clause(row);
        }
        for (number, one) in places.iter().enumerate() {
            for (one, other) in places[..number].iter().flat_map(|other| one.iter().zip(other)) {
                solver.add_clause(&[-one, -other]);
            }
        }
        assert_eq!(solver.solve(&[], u32::MAX), None);
        assert!(matches!(solver.stopped(), Some(Halt::Stopped { stop: Stop::Time, .. })));
        assert_eq!(budget.0.load(Ordering::Relaxed), 51, "nobody is asked again after that");
    }
}
