//! What follows from what has been decided.

use super::clauses::{Clause, NONE, Watch};
use super::{Cdcl, Literal, Value};

impl Cdcl {
    pub(super) fn level(&self) -> u32 {
        self.decisions.len() as u32
    }

    pub(super) fn assign(&mut self, literal: Literal, reason: Clause) {
        let variable = literal.variable();
        self.values[literal.index()] = Value::True;
        self.values[(!literal).index()] = Value::False;
        self.levels[variable] = self.level();
        self.reasons[variable] = reason;
        self.trail.push(literal);
    }

    /// Takes back what was decided at later levels.
    pub(super) fn undo(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let begin = self.decisions[level as usize];
        while self.trail.len() > begin {
            let Some(literal) = self.trail.pop() else { break };
            let variable = literal.variable();
            self.values[literal.index()] = Value::Open;
            self.values[(!literal).index()] = Value::Open;
            self.reasons[variable] = NONE;
            self.phases[variable] = literal.0 & 1 == 0;
            if self.heap.is_hot(variable as u32) && self.may_decide(variable) {
                self.heap.insert(variable as u32);
            }
        }
        self.next_leaf = self.leaves_passed[level as usize];
        self.leaves_passed.truncate(level as usize);
        self.decisions.truncate(level as usize);
        self.done = begin;
    }

    /// Assigns what follows; gives a clause all of whose literals are false, if there is one.
    pub(super) fn propagate(&mut self) -> Option<Clause> {
        while let Some(&literal) = self.trail.get(self.done) {
            self.done += 1;
            self.ticks += 1;
            let falsified = !literal;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let conflict = self.visit(falsified, &mut watches);
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    fn visit(&mut self, falsified: Literal, watches: &mut Vec<Watch>) -> Option<Clause> {
        let (mut read, mut kept) = (0, 0);
        let mut conflict = None;
        while read < watches.len() {
            let watch = watches[read];
            read += 1;
            let known = self.values[watch.other.index()];
            if known == Value::True {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            if !watch.is_pair {
                if self.arena.is_gone(watch.clause) {
                    continue;
                }
                match self.other_watch(falsified, watch) {
                    Moved::Elsewhere => continue,
                    Moved::Satisfied(first) => {
                        watches[kept] = Watch { other: first, ..watch };
                        kept += 1;
                        continue;
                    }
                    Moved::No(first) => {
                        watches[kept] = Watch { other: first, ..watch };
                        kept += 1;
                        if !self.implied(first, watch.clause) {
                            conflict = Some(watch.clause);
                            break;
                        }
                    }
                }
            } else {
                watches[kept] = watch;
                kept += 1;
                if !self.implied(watch.other, watch.clause) {
                    conflict = Some(watch.clause);
                    break;
                }
            }
        }
        watches.copy_within(read.., kept);
        watches.truncate(kept + watches.len() - read);
        conflict
    }

    /// All other literals of a clause are false: makes this one true, unless the question is not about it; `false` where it is false
    /// already.
    fn implied(&mut self, literal: Literal, clause: Clause) -> bool {
        match self.values[literal.index()] {
            Value::False => return false,
            Value::True => {}
            Value::Open => {
                if self.level() == 0 || self.concerns(literal.variable()) {
                    self.assign(literal, clause);
                }
            }
        }
        true
    }

    /// Looks for another literal of a clause that is not false.
    fn other_watch(&mut self, falsified: Literal, watch: Watch) -> Moved {
        let clause = watch.clause;
        if self.arena.literal(clause, 0) == falsified {
            self.arena.swap(clause, 0, 1);
        }
        let first = self.arena.literal(clause, 0);
        if self.values[first.index()] == Value::True {
            return Moved::Satisfied(first);
        }
        for at in 2..self.arena.len(clause) {
            let literal = self.arena.literal(clause, at);
            if self.values[literal.index()] != Value::False {
                self.arena.swap(clause, 1, at);
                self.watches[literal.index()].push(Watch { clause, other: first, is_pair: false });
                return Moved::Elsewhere;
            }
        }
        Moved::No(first)
    }
}

/// What became of a watch.
enum Moved {
    Elsewhere,
    /// Its other literal is true.
    Satisfied(Literal),
    /// There is but the other literal left.
    No(Literal),
}
