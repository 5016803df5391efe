//! Stubborn sets: of the commands that can run in a state those after which the others can wait.
//!
//! A set of commands is closed when with each command that can run it has all that this one does not accord with, and with each that
//! cannot run all enablers of one part of its guard that does not hold. Whatever is done without it leaves those of its commands that can
//! run as they are: they can be done first, with the same result (Valmari's strong stubborn sets).

use std::sync::Arc;

use servanda_model::CommandId;

use super::dependence::Dependence;

/// So many commands are tried to begin a set with.
const MOST_SEEDS: usize = 24;

/// Chooses among the commands that can run. It has scratch space of its own.
pub(super) struct Stubborn {
    dependence: Arc<Dependence>,
    /// By command: would somebody who watches the property notice it?
    visible: Vec<bool>,
    /// The number of the state that is looked at, and of the set that is made.
    state: u32,
    set: u32,
    /// By command, the last state in which it could run, the last set that it was in, and the last set that was chosen and has it.
    can_run: Vec<u32>,
    member: Vec<u32>,
    /// By part of guards, the last state in which it was looked at, and what it was worth.
    parts: Vec<(u32, Option<bool>)>,
    todo: Vec<u32>,
    best: Vec<CommandId>,
    stack: Vec<i64>,
}

impl Stubborn {
    pub(super) fn new(dependence: Arc<Dependence>, visible: Vec<bool>) -> Self {
        let (commands, parts) = (dependence.guards.len(), dependence.conjuncts.len());
        Stubborn {
            dependence,
            visible,
            state: 0,
            set: 0,
            can_run: vec![0; commands],
            member: vec![0; commands],
            parts: vec![(0, None); parts],
            todo: Vec::new(),
            best: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Of the commands that can run in a state some, none of them visible, after which the others can wait; `None` where all must be
    /// taken.
    pub(super) fn choose(&mut self, state: &[u64], can_run: &[CommandId]) -> Option<&[CommandId]> {
        self.begin(can_run);
        self.best.clear();
        // A set is worth making only while it is smaller than the best one.
        let mut fewest = can_run.len();
        let mut seeds = 0;
        for seed in can_run {
            if fewest <= 1 || seeds == MOST_SEEDS {
                break;
            }
            if self.visible[seed.index()] {
                continue;
            }
            seeds += 1;
            self.set += 1;
            self.todo.clear();
            self.put(&[seed.0]);
            if let Some(size) = self.close(state, fewest, true) {
                fewest = size;
                let in_set = |command: &&CommandId| self.member[command.index()] == self.set;
                self.best = can_run.iter().filter(in_set).copied().collect();
            }
        }
        (fewest < can_run.len()).then_some(&self.best)
    }

    fn begin(&mut self, can_run: &[CommandId]) {
        if self.state == u32::MAX || self.set > u32::MAX - MOST_SEEDS as u32 - 1 {
            // After four thousand million of them numbers begin again, and what was noted with the old ones is forgotten.
            (self.state, self.set) = (0, 0);
            self.can_run.fill(0);
            self.member.fill(0);
            self.parts.fill((0, None));
        }
        self.state += 1;
        for command in can_run {
            self.can_run[command.index()] = self.state;
        }
    }

    /// Of the commands that can run in a state those that must be taken by who has to do one of these first; `None`: all.
    pub(super) fn lead_to(
        &mut self,
        state: &[u64],
        can_run: &[CommandId],
        needed: impl FnOnce(&mut Self) -> Option<Vec<u32>>,
    ) -> Option<&[CommandId]> {
        self.begin(can_run);
        self.set += 1;
        self.todo.clear();
        let needed = needed(self)?;
        self.put(&needed);
        self.best.clear();
        self.close(state, can_run.len(), false)?;
        let in_set = |command: &&CommandId| self.member[command.index()] == self.set;
        self.best.extend(can_run.iter().filter(in_set));
        Some(&self.best)
    }

    /// Adds commands to the set that is made.
    fn put(&mut self, commands: &[u32]) {
        for command in commands {
            if self.member[*command as usize] != self.set {
                self.member[*command as usize] = self.set;
                self.todo.push(*command);
            }
        }
    }

    /// Is a command in the set that is made?
    pub(super) fn has(&self, command: u32) -> bool {
        self.member[command as usize] == self.set
    }

    /// Closes the set, as long as fewer than so many in it can run and, where it is asked for, none of those is visible; how many can run.
    fn close(&mut self, state: &[u64], fewer_than: usize, unseen: bool) -> Option<usize> {
        let dependence = self.dependence.clone();
        let mut running = 0;
        while let Some(command) = self.todo.pop() {
            let needed = if self.can_run[command as usize] == self.state {
                running += 1;
                if running >= fewer_than || unseen && self.visible[command as usize] {
                    return None;
                }
                &dependence.conflicts[command as usize]
            } else {
                self.enablers(command, state, &dependence)?
            };
            self.put(needed);
        }
        Some(running)
    }

    /// The enablers of a part of the guard that does not hold, the part chosen so that they are few.
    pub(super) fn enablers<'d>(
        &mut self,
        command: u32,
        state: &[u64],
        dependence: &'d Dependence,
    ) -> Option<&'d Vec<u32>> {
        let mut best: Option<(usize, &Vec<u32>)> = None;
        for part in &dependence.guards[command as usize] {
            if self.holds(*part, state, dependence) != Some(false) {
                continue;
            }
            let enablers = &dependence.conjuncts[*part as usize].enablers;
            let new = enablers.iter().filter(|other| !self.has(**other)).count();
            if best.is_none_or(|(fewest, _)| new < fewest) {
                best = Some((new, enablers));
            }
            // Where a later part may have no value, the guard can come to that before this part holds.
            if new == 0 || dependence.may_fault(command) {
                break;
            }
        }
        best.map(|(_, enablers)| enablers)
    }

    fn holds(&mut self, part: u32, state: &[u64], dependence: &Dependence) -> Option<bool> {
        let (looked_at, worth) = self.parts[part as usize];
        if looked_at == self.state {
            return worth;
        }
        let worth = dependence.conjuncts[part as usize].program.holds(state, &mut self.stack).ok();
        self.parts[part as usize] = (self.state, worth);
        worth
    }
}
