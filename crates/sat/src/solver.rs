//! What is asked of a SAT solver, and CaDiCaL behind it.
//!
//! Variables are numbers from 1 on and a negative number is a negated variable, as in DIMACS files.

/// An incremental SAT solver with assumptions and cores.
pub trait Solver {
    /// A new variable.
    fn variable(&mut self) -> i32;

    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[i32]);

    /// Is there an assignment that satisfies all clauses and the assumptions? `None` after so many conflicts.
    fn solve(&mut self, assumptions: &[i32], conflicts: u32) -> Option<bool>;

    /// The value of a literal in the assignment just found.
    fn value(&self, literal: i32) -> bool;

    /// Was this assumption needed to see that there is no assignment?
    fn needed(&self, assumption: i32) -> bool;
}

/// CaDiCaL.
pub struct Cadical {
    solver: cadical::Solver,
    variables: i32,
}

impl Default for Cadical {
    fn default() -> Self {
        Cadical { solver: cadical::Solver::new(), variables: 0 }
    }
}

impl Solver for Cadical {
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
}
