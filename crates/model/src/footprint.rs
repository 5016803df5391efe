//! What a command reads and writes, as far as its text says.

use std::collections::BTreeMap;

use crate::{Bounds, Command, Comparison, Expr, Model, guard_may_fault, values_may_fault};

/// A part of a state: a variable or, numbered behind these, whether a commitment is in force.
pub type Place = u32;

/// A command as those see it who ask what depends on what.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// The places of the model.
    pub places: Places,
    /// The parts of its guard, from left to right.
    pub conjuncts: Vec<Expr>,
    /// The places that have one value only wherever the guard holds.
    pub tests: BTreeMap<Place, i64>,
    /// The places that the guard reads, in order.
    pub guard_reads: Vec<Place>,
    /// The places that the assigned values read, in order.
    pub value_reads: Vec<Place>,
    /// The places that may get another value, and which where it is always the same.
    pub writes: BTreeMap<Place, Option<i64>>,
    /// May it fail to run although its guard holds, or have a guard without a value? That somebody can come to such a state must not
    /// be overlooked.
    pub may_fault: bool,
    /// May the guard have no value?
    pub guard_may_fault: bool,
}

/// The places of a model.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    variables: usize,
}

impl Places {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        Places { variables: model.variables.len() }
    }

    /// The place that an expression is, if it is one.
    pub fn of(self, leaf: &Expr) -> Option<Place> {
        match leaf {
            Expr::Variable(variable) => Some(variable.0),
            Expr::InForce(commitment) => Some((self.variables + commitment.index()) as Place),
            _ => None,
        }
    }

    /// The places that expressions read, in order.
    pub fn read_by<'e>(self, expressions: impl IntoIterator<Item = &'e Expr>) -> Vec<Place> {
        let mut found = Vec::new();
        for expr in expressions {
            self.collect(expr, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect(self, expr: &Expr, found: &mut Vec<Place>) {
        match self.of(expr) {
            Some(place) => found.push(place),
            None => expr.operands().for_each(|operand| self.collect(operand, found)),
        }
    }

    /// `place = value`, where a condition says nothing else.
    fn test(self, condition: &Expr) -> Option<(Place, i64)> {
        match condition {
            Expr::Variable(_) | Expr::InForce(_) => self.of(condition).map(|place| (place, 1)),
            Expr::Not(inner) => self.of(inner).map(|place| (place, 0)),
            Expr::Compare(Comparison::Equal, left, right) => match (&**left, &**right) {
                (leaf, Expr::Constant(value)) | (Expr::Constant(value), leaf) => {
                    self.of(leaf).map(|place| (place, *value))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl Footprint {
    /// That of a command, where variables have the values that the bounds say.
    pub fn new(model: &Model, bounds: &Bounds, command: &Command) -> Self {
        let places = Places::new(model);
        let conjuncts: Vec<Expr> = command.guard.conjuncts().into_iter().cloned().collect();
        let guard_may_fault = guard_may_fault(bounds, command);
        // Behind a part that may have no value nothing is known of the states in which the guard cannot be read.
        let tested = conjuncts.iter().filter(|_| !guard_may_fault).filter_map(|part| places.test(part));
        let tests: BTreeMap<Place, i64> = tested.collect();
        let known = |leaf: &Expr| places.of(leaf).and_then(|place| tests.get(&place)).copied();
        let mut writes: BTreeMap<Place, Option<i64>> = BTreeMap::new();
        for (variable, value) in &command.updates {
            writes.insert(variable.0, value.value_of(&known));
        }
        let commitments = [(&command.effect.remove, 0), (&command.effect.add, 1)];
        for (changed, value) in commitments {
            let changed = changed.iter().filter_map(|id| places.of(&Expr::InForce(*id)));
            writes.extend(changed.map(|place| (place, Some(value))));
        }
        // What a place is written to that has this value already is not written, nor is what is written to itself.
        writes.retain(|place, value| value.is_none() || tests.get(place) != value.as_ref());
        for (variable, _) in command.updates.iter().filter(|(to, value)| *value == Expr::Variable(*to)) {
            writes.remove(&variable.0);
        }
        // A value that is always the same is not read, unless it may not exist.
        let values_may_fault = values_may_fault(model, bounds, command);
        let updates = command.updates.iter();
        let computed = updates.filter(|(to, _)| values_may_fault || writes.get(&to.0) == Some(&None));
        Footprint {
            places,
            guard_reads: places.read_by(&conjuncts),
            value_reads: places.read_by(computed.map(|(_, value)| value)),
            conjuncts,
            tests,
            writes,
            may_fault: guard_may_fault || values_may_fault,
            guard_may_fault,
        }
    }

    /// Does it write one of these places, which are in order?
    pub fn writes_one_of(&self, places: &[Place]) -> bool {
        self.writes.keys().any(|place| places.binary_search(place).is_ok())
    }

    /// Can there be no state in which the guards of both hold?
    pub fn excludes(&self, other: &Footprint) -> bool {
        let (fewer, more) = if self.tests.len() <= other.tests.len() { (self, other) } else { (other, self) };
        fewer.tests.iter().any(|(place, value)| more.tests.get(place).is_some_and(|also| also != value))
    }

    /// What is known of a place after this command, in a state in which its guard and those tests held.
    pub fn after(&self, place: Place, tests: &BTreeMap<Place, i64>) -> Option<i64> {
        match self.writes.get(&place) {
            Some(value) => *value,
            None => self.tests.get(&place).or_else(|| tests.get(&place)).copied(),
        }
    }
}
