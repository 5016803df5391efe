//! The search for an assignment.

use super::clauses::{Clause, NONE};
use super::{Cdcl, Literal, Value};

/// So many conflicts before the first restart.
const RESTART: u64 = 100;

impl Cdcl {
    /// Is there an assignment that satisfies all clauses, the assumptions, and a clause of this question's own? `None` after so much
    /// work.
    pub(crate) fn solve_with(
        &mut self,
        assumptions: &[i32],
        own: Option<&[i32]>,
        ticks: u64,
    ) -> Option<bool> {
        self.undo(0);
        self.forget_temporary();
        self.needed.clear();
        if self.broken || self.propagate().is_some() {
            self.broken = true;
            return Some(false);
        }
        if self.learnt.len() > self.most_learnt {
            self.forget_half();
        }
        self.make_room();
        let mut assumed: Vec<Literal> = Vec::with_capacity(assumptions.len() + 1);
        if let Some(clause) = own
            && let Some(mut literals) = self.open_literals(clause)
        {
            match literals.len() {
                0 => return Some(false),
                // One literal is as good as an assumption, but for what is needed: it is not one of them.
                _ => {
                    literals.push(!self.temporary);
                    let clause = self.arena.add(&literals);
                    self.watch_temporary(clause, &literals);
                    assumed.push(self.temporary);
                }
            }
        }
        assumed.extend(assumptions.iter().map(|number| Literal::of(*number)));
        let end = self.ticks.saturating_add(ticks);
        let mut round = 0;
        loop {
            round += 1;
            let found = self.search(&assumed, RESTART * luby(round), end);
            if found.is_some() || self.ticks >= end {
                return found;
            }
            self.undo(0);
        }
    }

    fn search(&mut self, assumed: &[Literal], conflicts: u64, end: u64) -> Option<bool> {
        let mut met = 0;
        loop {
            if let Some(conflict) = self.propagate() {
                met += 1;
                if self.level() == 0 {
                    self.broken = true;
                    return Some(false);
                }
                if self.level() as usize <= assumed.len() {
                    // Only assumptions have been made, so that nothing can be decided otherwise.
                    let culprits: Vec<Literal> = self.arena.literals(conflict).collect();
                    self.blame(culprits);
                    return Some(false);
                }
                let (learnt, level) = self.learn(conflict);
                self.undo(level);
                self.keep(&learnt);
                continue;
            }
            if met >= conflicts || self.ticks >= end {
                return None;
            }
            match self.decide(assumed) {
                Next::Go(literal) => {
                    self.decisions.push(self.trail.len());
                    self.leaves_passed.push(self.next_leaf);
                    if let Some(literal) = literal {
                        self.assign(literal, NONE);
                    }
                }
                Next::Found => return Some(true),
                Next::Refuted(literal) => {
                    self.blame([literal]);
                    if !self.needed.contains(&literal) {
                        self.needed.push(literal);
                    }
                    return Some(false);
                }
            }
        }
    }

    fn decide(&mut self, assumed: &[Literal]) -> Next {
        if let Some(&literal) = assumed.get(self.decisions.len()) {
            return match self.values[literal.index()] {
                Value::True => Next::Go(None),
                Value::False => Next::Refuted(literal),
                Value::Open => Next::Go(Some(literal)),
            };
        }
        while let Some(variable) = self.heap.pop() {
            if self.values[(variable << 1) as usize] == Value::Open && self.may_decide(variable as usize) {
                return Next::Go(Some(self.as_before(variable)));
            }
        }
        while let Some(&variable) = self.leaves.get(self.next_leaf) {
            if self.values[(variable << 1) as usize] == Value::Open {
                return Next::Go(Some(self.as_before(variable)));
            }
            self.next_leaf += 1;
        }
        debug_assert!(
            (0..self.domain.len()).all(|at| self.values[2 * at] != Value::Open || !self.may_decide(at)),
            "a gate does not follow from its inputs"
        );
        Next::Found
    }

    /// The variable with the value that it had last.
    fn as_before(&self, variable: u32) -> Literal {
        let literal = Literal(variable << 1);
        if self.phases[variable as usize] { literal } else { !literal }
    }

    /// Adds what was learnt, and what follows from it at once.
    fn keep(&mut self, learnt: &[Literal]) {
        if let [one] = learnt {
            self.assign(*one, NONE);
            return;
        }
        let clause = self.arena.add(learnt);
        if learnt.contains(&!self.temporary) {
            self.watch_temporary(clause, learnt);
        } else {
            self.watch(clause, learnt);
            self.learnt.push(clause);
        }
        self.arena.set_activity(clause, self.clause_step);
        self.clause_step /= 0.999;
        self.assign(learnt[0], clause);
    }

    /// Watches a clause that will be forgotten: whoever watches it must look whether it is still there.
    fn watch_temporary(&mut self, clause: Clause, literals: &[Literal]) {
        for (own, other) in [(literals[0], literals[1]), (literals[1], literals[0])] {
            self.watches[own.index()].push(super::Watch { clause, other, is_pair: false });
        }
        self.rests_on_it.push(clause);
    }

    fn forget_temporary(&mut self) {
        for clause in std::mem::take(&mut self.rests_on_it) {
            self.arena.remove(clause);
        }
    }

    /// Forgets those learnt clauses that have been of little use. Nothing is decided.
    fn forget_half(&mut self) {
        let mut learnt = std::mem::take(&mut self.learnt);
        learnt.sort_unstable_by(|a, b| self.arena.activity(*b).total_cmp(&self.arena.activity(*a)));
        let half = learnt.len() / 2;
        for (at, clause) in learnt.into_iter().enumerate() {
            // Pairs are watched without looking whether they are there.
            if at < half || self.arena.len(clause) == 2 {
                self.learnt.push(clause);
            } else {
                self.arena.remove(clause);
            }
        }
        self.most_learnt += 100;
    }

    /// Gives back the room of clauses that are gone. Nothing is decided.
    fn make_room(&mut self) {
        if !self.arena.is_sparse() {
            return;
        }
        for watches in &mut self.watches {
            watches.retain(|watch| watch.is_pair || !self.arena.is_gone(watch.clause));
        }
        let moved = self.arena.compact();
        for watch in self.watches.iter_mut().flatten() {
            watch.clause = moved(watch.clause);
        }
        for clause in &mut self.learnt {
            *clause = moved(*clause);
        }
        for literal in &self.trail {
            // What is so for good needs no reason.
            self.reasons[literal.variable()] = NONE;
        }
    }
}

/// What comes next.
enum Next {
    /// A decision, or none where an assumption is true already.
    Go(Option<Literal>),
    /// Everything the question is about has a value.
    Found,
    /// An assumption is false.
    Refuted(Literal),
}

/// 1 1 2 1 1 2 4 1 1 2 ..: Luby's sequence, from 1 on.
fn luby(at: u64) -> u64 {
    let mut at = at;
    loop {
        let bits = 64 - at.leading_zeros();
        if at == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        at -= (1 << (bits - 1)) - 1;
    }
}
