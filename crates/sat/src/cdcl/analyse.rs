//! What is learnt from a conflict, and which assumptions a refutation needs.

use super::clauses::{Clause, NONE};
use super::{Cdcl, Literal};

impl Cdcl {
    /// The clause of the first literal through which all of the conflict goes, that literal first and one of the level to return to
    /// second.
    pub(super) fn learn(&mut self, conflict: Clause) -> (Vec<Literal>, u32) {
        let mut learnt = vec![Literal(0)];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let mut uip = None;
        loop {
            self.bump_clause(clause);
            for place in 0..self.arena.len(clause) {
                let literal = self.arena.literal(clause, place);
                let variable = literal.variable();
                if Some(literal) == uip || self.seen[variable] || self.levels[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.heap.bump(variable as u32);
                if self.levels[variable] == self.level() {
                    open += 1;
                } else {
                    learnt.push(literal);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].variable()] {
                    break;
                }
            }
            let literal = self.trail[at];
            self.seen[literal.variable()] = false;
            open -= 1;
            uip = Some(literal);
            if open == 0 {
                learnt[0] = !literal;
                break;
            }
            clause = self.reasons[literal.variable()];
        }
        let marked = learnt.clone();
        let mut kept = 1;
        for place in 1..learnt.len() {
            if !self.follows(learnt[place]) {
                learnt.swap(kept, place);
                kept += 1;
            }
        }
        learnt.truncate(kept);
        for literal in marked {
            self.seen[literal.variable()] = false;
        }
        self.heap.age();
        let level_of = |literal: &Literal| self.levels[literal.variable()];
        let latest = (1..learnt.len()).max_by_key(|place| level_of(&learnt[*place]));
        let level = latest.map_or(0, |place| {
            learnt.swap(1, place);
            level_of(&learnt[1])
        });
        (learnt, level)
    }

    /// Is the literal false because others of the clause are?
    fn follows(&self, literal: Literal) -> bool {
        let reason = self.reasons[literal.variable()];
        reason != NONE
            && self.arena.literals(reason).all(|other| {
                let variable = other.variable();
                variable == literal.variable() || self.seen[variable] || self.levels[variable] == 0
            })
    }

    fn bump_clause(&mut self, clause: Clause) {
        let activity = self.arena.activity(clause) + self.clause_step;
        self.arena.set_activity(clause, activity);
        if activity > 1e20 {
            for clause in &self.learnt {
                self.arena.set_activity(*clause, self.arena.activity(*clause) * 1e-20);
            }
            self.arena.set_activity(clause, 1.0);
            self.clause_step *= 1e-20;
        }
    }

    /// Notes the assumptions from which the literals follow that make a clause false.
    pub(super) fn blame(&mut self, culprits: impl IntoIterator<Item = Literal>) {
        self.needed.clear();
        let mut marked = Vec::new();
        for literal in culprits {
            if self.levels[literal.variable()] > 0 && !self.seen[literal.variable()] {
                self.seen[literal.variable()] = true;
                marked.push(literal.variable());
            }
        }
        let begin = self.decisions.first().copied().unwrap_or(self.trail.len());
        for at in (begin..self.trail.len()).rev() {
            let literal = self.trail[at];
            if !self.seen[literal.variable()] {
                continue;
            }
            let reason = self.reasons[literal.variable()];
            if reason == NONE {
                self.needed.push(literal);
                continue;
            }
            for place in 0..self.arena.len(reason) {
                let variable = self.arena.literal(reason, place).variable();
                if self.levels[variable] > 0 && !self.seen[variable] {
                    self.seen[variable] = true;
                    marked.push(variable);
                }
            }
        }
        for variable in marked {
            self.seen[variable] = false;
        }
    }
}
