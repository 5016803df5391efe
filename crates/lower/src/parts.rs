//! The parts of formulas, each visited once however often it is shared.

use rustc_hash::FxHashSet;
use servanda_model::Expr;

use crate::{Arena, Path, PathFormula, State, StateFormula};

/// Written out without sharing, a condition may be so large at most to be made an expression.
const MOST_CONDITION: u32 = 1 << 12;

impl Arena {
    /// The parts of path formulas outside of the state formulas in them, operands first, each once.
    pub fn path_parts(&self, roots: &[PathFormula]) -> Vec<PathFormula> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        // A formula is taken up twice: to look at its operands, and when these have been dealt with.
        let mut todo: Vec<(PathFormula, bool)> = roots.iter().rev().map(|root| (*root, false)).collect();
        while let Some((id, operands_done)) = todo.pop() {
            if operands_done {
                found.push(id);
            } else if seen.insert(id) {
                todo.push((id, true));
                let operands: Vec<PathFormula> = self.path(id).operands().collect();
                todo.extend(operands.into_iter().rev().map(|operand| (operand, false)));
            }
        }
        found
    }

    /// The largest state formulas in a path formula.
    pub fn state_parts(&self, id: PathFormula) -> Vec<StateFormula> {
        self.state_parts_of(&[id])
    }

    /// The largest state formulas in some path formulas.
    pub fn state_parts_of(&self, paths: &[PathFormula]) -> Vec<StateFormula> {
        self.path_parts(paths).into_iter().filter_map(|part| self.as_state(part)).collect()
    }

    /// The largest state formulas directly inside a state formula. The contents of commitments are not part of it.
    pub fn operands(&self, id: StateFormula) -> Vec<StateFormula> {
        match self.state(id) {
            State::Proposition(_) | State::True => Vec::new(),
            State::Not(a) | State::SomePrevious(a) | State::SomePast(a) | State::Knows { body: a, .. } => {
                vec![*a]
            }
            State::And(a, b) | State::Or(a, b) => vec![*a, *b],
            State::Exists { path, .. } | State::Committed { body: path, .. } => self.state_parts(*path),
            State::Able { goal, .. } => goal.parts().collect(),
        }
    }

    /// The past operators of a path formula, operands first, outside of the state formulas in it.
    pub fn past_operators(&self, id: PathFormula) -> Vec<PathFormula> {
        self.past_operators_of(&[id])
    }

    /// What has to be remembered of a position for a past operator: its operand, or for `S` the operator itself.
    pub fn remembered_of(&self, operator: PathFormula) -> PathFormula {
        match *self.path(operator) {
            Path::Previous(operand) => operand,
            _ => operator,
        }
    }

    /// The past operators of some path formulas.
    pub fn past_operators_of(&self, paths: &[PathFormula]) -> Vec<PathFormula> {
        let is_past = |part: &PathFormula| matches!(self.path(*part), Path::Previous(_) | Path::Since(..));
        self.path_parts(paths).into_iter().filter(is_past).collect()
    }

    /// The state propositions that a formula refers to, in the order of their numbers. The contents of commitments are not
    /// part of it.
    pub fn propositions_in(&self, id: StateFormula) -> impl Iterator<Item = &Expr> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let State::Proposition(proposition) = self.state(id) {
                found.push(*proposition);
            }
            todo.extend(self.operands(id));
        }
        found.sort_unstable();
        found.into_iter().map(|proposition| self.proposition_expr(proposition))
    }

    /// A formula that refers to the present state alone, as a condition on it; `None` where it refers to more, or would be too
    /// large without sharing.
    pub fn condition(&self, id: StateFormula) -> Option<Expr> {
        if self.of_state(id).size > MOST_CONDITION {
            return None;
        }
        Some(match *self.state(id) {
            State::True => Expr::TRUE,
            State::Proposition(proposition) => self.proposition_expr(proposition).clone(),
            State::Not(a) => self.condition(a)?.negate(),
            State::And(a, b) => Expr::and([self.condition(a)?, self.condition(b)?]),
            State::Or(a, b) => Expr::or([self.condition(a)?, self.condition(b)?]),
            State::Exists { .. }
            | State::SomePrevious(_)
            | State::SomePast(_)
            | State::Committed { .. }
            | State::Knows { .. }
            | State::Able { .. } => return None,
        })
    }
}
