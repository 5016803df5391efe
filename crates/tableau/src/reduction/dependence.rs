//! Which commands get into each other's way, found once for a model from what its commands read and write.
//!
//! Two commands *accord* when from every state in which both can run they can run in both orders, and both orders lead to the same state.
//! A command that cannot run has a part of its guard that does not hold; its *enablers* are the commands that may change that.
//! Both are what stubborn sets are made of (Valmari, "Stubborn sets for reduced state space generation"; from the parts of guards as in
//! Laarman, Pater, van de Pol and Weber, "Guard-based partial-order reduction").

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use servanda_model::{Behaviour, Bounds, Expr, Footprint, Layout, Model, Place, Places, Program};

use super::Flaw;

/// With more commands than this, comparing each with each takes longer than most searches.
const MOST_COMMANDS: usize = 2048;

/// Guards and values of more nodes than this in all are not looked through.
const MOST_NODES: usize = 1 << 18;

/// A part of guards.
pub(super) struct Conjunct {
    pub(super) program: Program,
    /// The commands that may make it true where it is not.
    pub(super) enablers: Vec<u32>,
}

/// What the reduction knows of a model.
pub(crate) struct Dependence {
    /// By command, the commands that it does not accord with.
    pub(super) conflicts: Vec<Vec<u32>>,
    /// By command, the parts of its guard from left to right, by number.
    pub(super) guards: Vec<Vec<u32>>,
    pub(super) conjuncts: Vec<Conjunct>,
    footprints: Vec<Footprint>,
    /// By place, the commands that may change it.
    writers: FxHashMap<Place, Vec<u32>>,
    places: Places,
}

impl Dependence {
    /// `None` where there is nothing to be gained: agents act in rounds, no two commands can both run and accord, or there are too many
    /// commands to find out.
    pub(crate) fn new(model: &Model, layout: &Layout, flaws: Option<Flaw>) -> Option<Self> {
        let Behaviour::Commands(commands) = &model.behaviour else { return None };
        if commands.len() < 2 || commands.len() > MOST_COMMANDS {
            return None;
        }
        let mut left = MOST_NODES;
        for command in commands {
            let values = command.updates.iter().map(|(_, value)| value);
            for expr in std::iter::once(&command.guard).chain(values) {
                left = left.checked_sub(expr.size_up_to(left + 1))?;
            }
        }
        let bounds = Bounds::of_domains(model);
        let footprints: Vec<Footprint> =
            commands.iter().map(|command| Footprint::new(model, &bounds, command)).collect();
        let conflicts = conflicts(&footprints, flaws)?;
        let mut writers: FxHashMap<Place, Vec<u32>> = FxHashMap::default();
        for (command, own) in footprints.iter().enumerate() {
            own.writes.keys().for_each(|place| writers.entry(*place).or_default().push(command as u32));
        }
        let (guards, conjuncts, places) = (Vec::new(), Vec::new(), Places::new(model));
        let mut dependence = Dependence { conflicts, guards, conjuncts, footprints, writers, places };
        dependence.divide_guards(layout, flaws);
        Some(dependence)
    }

    /// The parts of all guards, each once, with their enablers.
    fn divide_guards(&mut self, layout: &Layout, flaws: Option<Flaw>) {
        let mut numbers: FxHashMap<&Expr, u32> = FxHashMap::default();
        let (mut guards, mut conjuncts) = (Vec::new(), Vec::new());
        for own in &self.footprints {
            let mut parts = Vec::new();
            for part in &own.conjuncts {
                let number = *numbers.entry(part).or_insert_with(|| {
                    let mut enablers = self.enablers(part);
                    if flaws == Some(Flaw::MissingEnabler) {
                        enablers.pop();
                    }
                    conjuncts.push(Conjunct { program: Program::new(part, layout), enablers });
                    (conjuncts.len() - 1) as u32
                });
                parts.push(number);
            }
            guards.push(parts);
        }
        (self.guards, self.conjuncts) = (guards, conjuncts);
    }

    /// The commands that may make a condition true where it is not, in order.
    pub(super) fn enablers(&self, condition: &Expr) -> Vec<u32> {
        let mut enablers = self.writers_of(&self.places.read_by([condition]));
        let nothing = BTreeMap::new();
        enablers.retain(|enabler| {
            worth_after(&self.footprints[*enabler as usize], condition, &nothing) != Some(false)
        });
        enablers
    }

    fn writers_of(&self, places: &[Place]) -> Vec<u32> {
        let writers = places.iter().filter_map(|place| self.writers.get(place));
        let mut writers: Vec<u32> = writers.flatten().copied().collect();
        writers.sort_unstable();
        writers.dedup();
        writers
    }

    /// The commands that may change what the assignments of a command read.
    pub(super) fn writers_of_values(&self, command: u32) -> Vec<u32> {
        self.writers_of(&self.footprints[command as usize].value_reads)
    }

    /// May a command, or its guard, have no value in some state?
    pub(super) fn may_fault(&self, command: u32) -> bool {
        self.footprints[command as usize].may_fault
    }

    /// By command: may it change what one of these conditions is worth?
    pub(super) fn changing<'e>(&self, conditions: impl IntoIterator<Item = &'e Expr>) -> Vec<bool> {
        let read = self.places.read_by(conditions);
        self.footprints.iter().map(|own| own.writes_one_of(&read)).collect()
    }
}

/// By command, those that it does not accord with; `None` where no two that can both run accord.
fn conflicts(footprints: &[Footprint], flaws: Option<Flaw>) -> Option<Vec<Vec<u32>>> {
    let mut conflicts = vec![Vec::new(); footprints.len()];
    let mut some_accord = false;
    for (number, a) in footprints.iter().enumerate() {
        for (other, b) in footprints.iter().enumerate().skip(number + 1) {
            if a.excludes(b) {
                continue;
            }
            if accord(a, b, flaws) {
                some_accord = true;
            } else {
                conflicts[number].push(other as u32);
                conflicts[other].push(number as u32);
            }
        }
    }
    some_accord.then_some(conflicts)
}

/// Do two commands accord, in all states in which both can run?
fn accord(a: &Footprint, b: &Footprint, flaws: Option<Flaw>) -> bool {
    let both_write = |(place, value): (&Place, &Option<i64>)| match b.writes.get(place) {
        Some(also) => value.is_none() || value != also,
        None => false,
    };
    if a.writes.iter().any(both_write) {
        return false;
    }
    keeps(a, b) && (keeps(b, a) || flaws == Some(Flaw::MissingDependence))
}

/// Does the one leave alone what the other needs: whether it can run, and what it does?
fn keeps(one: &Footprint, other: &Footprint) -> bool {
    if one.writes_one_of(&other.value_reads) {
        return false;
    }
    if !one.writes_one_of(&other.guard_reads) {
        return true;
    }
    // Whether a guard without a value stays so is not asked of what is known where it holds.
    !other.guard_may_fault
        && other.conjuncts.iter().all(|part| worth_after(one, part, &other.tests) == Some(true))
}

/// What a condition is worth after a command, in a state in which these tests held; `None` where that is not known. A condition that
/// the command does not touch is worth what it was, which counts as true.
fn worth_after(command: &Footprint, condition: &Expr, tests: &BTreeMap<Place, i64>) -> Option<bool> {
    let places = command.places;
    if !command.writes_one_of(&places.read_by([condition])) {
        return Some(true);
    }
    let known = |leaf: &Expr| places.of(leaf).and_then(|place| command.after(place, tests));
    condition.value_of(&known).map(|value| value != 0)
}
