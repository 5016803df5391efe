//! Random expressions.

use super::super::outline::{Type, Value};
use super::super::term::{Operator, Term};
use super::Maker;

/// What can be read: expressions with their types, resolved.
pub(super) type Readable = (Term, Type);

impl Maker<'_> {
    /// A type without names.
    pub(in super::super) fn resolved(&self, of: &Type) -> Type {
        match of {
            Type::UpTo(name) => {
                let value = self.talk.parameters.iter().find(|(own, _)| own == name);
                Type::Range(0, value.map_or(0, |(_, value)| *value))
            }
            Type::Named(name) => {
                let own = self.talk.types.iter().find(|(own, _)| own == name);
                own.map_or(Type::Bool, |(_, of)| self.resolved(of))
            }
            other => other.clone(),
        }
    }

    /// The values of a type.
    pub(in super::super) fn values(&self, of: &Type) -> Vec<Value> {
        match self.resolved(of) {
            Type::Range(low, high) => (low..=high).map(Value::Int).collect(),
            Type::Enumeration(literals) => literals.into_iter().map(Value::Literal).collect(),
            _ => vec![Value::Bool(false), Value::Bool(true)],
        }
    }

    /// What can be read everywhere; what is received stands in `more`.
    fn readable(&self, more: &[Readable]) -> Vec<Readable> {
        let mut found = more.to_vec();
        for variable in &self.talk.variables {
            let of = self.resolved(&variable.of);
            if variable.size.is_none() {
                found.push((Term::Name(variable.name.clone()), of));
                continue;
            }
            let other = Term::int(3).with(Operator::Subtract, Term::name("i"));
            for index in [Term::name("i"), other, Term::int(1), Term::int(2)] {
                found.push((Term::Element(variable.name.clone(), Box::new(index)), of.clone()));
            }
        }
        for clock in &self.talk.clocks {
            found.push((Term::Name(clock.name.clone()), Type::Range(0, clock.end)));
        }
        for (name, value) in self.talk.parameters.iter().filter(|_| !self.is_part) {
            found.push((Term::Name(name.clone()), Type::Range(*value, *value)));
        }
        found
    }

    /// An expression of a type.
    pub(super) fn term(&mut self, of: &Type, depth: usize, more: &[Readable]) -> Term {
        match self.resolved(of) {
            Type::Bool => self.condition(depth, more),
            own => {
                let fits = |(_, other): &Readable| match (&own, other) {
                    (Type::Range(low, high), Type::Range(from, to)) => low <= from && to <= high,
                    (Type::Enumeration(_), other) => *other == own,
                    _ => false,
                };
                let atoms: Vec<Term> =
                    self.readable(more).into_iter().filter(fits).map(|(term, _)| term).collect();
                if depth == 0 || self.dice.chance(40) {
                    let values = self.values(&own);
                    let constant = values[self.dice.below(values.len())].clone();
                    return match self.dice.among(&atoms) {
                        Some(term) if self.dice.chance(60) => term.clone(),
                        _ => Term::Value(constant),
                    };
                }
                self.larger(&own, depth, more)
            }
        }
    }

    /// An expression of a type, made of others.
    fn larger(&mut self, of: &Type, depth: usize, more: &[Readable]) -> Term {
        let one = self.term(of, depth - 1, more);
        let other = self.term(of, depth - 1, more);
        match (self.dice.below(4), of) {
            (0, Type::Range(..)) => one.with(Operator::Min, other),
            (1, Type::Range(..)) => one.with(Operator::Max, other),
            (2, Type::Range(0, high)) => {
                let sum = one.with(Operator::Add, Term::int(1 + self.dice.below(2) as i64));
                sum.with(Operator::Remainder, Term::int(high + 1))
            }
            _ => Term::If(Box::new(self.condition(depth - 1, more)), Box::new(one), Box::new(other)),
        }
    }

    /// A condition.
    pub(in super::super) fn condition(&mut self, depth: usize, more: &[Readable]) -> Term {
        if depth > 0 && self.dice.chance(50) {
            let one = self.condition(depth - 1, more);
            return match self.dice.below(5) {
                0 => Term::Not(Box::new(one)),
                1 => one.with(Operator::And, self.condition(depth - 1, more)),
                2 => one.with(Operator::Or, self.condition(depth - 1, more)),
                3 => one.with(Operator::Implies, self.condition(depth - 1, more)),
                _ => {
                    let (yes, no) = (self.condition(depth - 1, more), self.condition(depth - 1, more));
                    Term::If(Box::new(one), Box::new(yes), Box::new(no))
                }
            };
        }
        if self.dice.chance(25)
            && let Some(special) = self.special()
        {
            return special;
        }
        let atoms = self.readable(more);
        let Some((term, of)) = self.dice.among(&atoms).cloned() else {
            return Term::Value(Value::Bool(true));
        };
        match of {
            Type::Bool => term,
            of => {
                let operator = match (&of, self.dice.below(4)) {
                    (Type::Range(..), 0) => Operator::Less,
                    (Type::Range(..), 1) => Operator::LessEqual,
                    (_, 2) => Operator::NotEqual,
                    _ => Operator::Equal,
                };
                let right = self.term(&of, depth.min(1), more);
                term.with(operator, right)
            }
        }
    }

    /// A condition on something other than variables.
    fn special(&mut self) -> Option<Term> {
        match self.dice.below(5) {
            0 => {
                let number = self.dice.below(self.talk.machines.len().max(1));
                let name = self.talk.machines.get(number)?.name.clone();
                let used = self.used(number);
                Some(Term::At(name, used[self.dice.below(used.len())].clone()))
            }
            1 if !self.in_argument => {
                let channel = self.dice.among(&self.talk.channels)?.name.clone();
                let length = Term::Length(channel);
                Some(length.with(Operator::Less, Term::int(1 + self.dice.below(2) as i64)))
            }
            2 if !self.in_argument => {
                let channel = self.dice.among(&self.talk.channels)?.clone();
                let mut pattern = self.said_pattern()?;
                let base = pattern.name.split('[').next()?.to_owned();
                if !channel.carries.iter().any(|own| *own == pattern.name || *own == base) {
                    return None;
                }
                pattern.received = false;
                if pattern.by.is_none() || self.dice.chance(50) {
                    (pattern.by, pattern.to) = (None, None);
                }
                let oldest = !channel.unordered && self.dice.chance(50);
                Some(Term::Carries(channel.name, oldest, pattern))
            }
            3 => {
                let name = self.dice.among(&self.talk.commitments)?.name.clone();
                // Something must put it in force.
                Some(Term::Active(name))
            }
            _ => {
                let array = self.talk.variables.iter().find(|own| own.size.is_some())?;
                let element = Term::Element(array.name.clone(), Box::new(Term::name("k")));
                let body = match array.of {
                    Type::Bool => element,
                    _ => element.with(Operator::Equal, Term::int(1)),
                };
                let (word, is_bool) = (self.dice.pick(&["any", "all", "sum"]), array.of == Type::Bool);
                Some(match (word, is_bool) {
                    ("sum", true) => {
                        let number = Term::If(Box::new(body), Box::new(Term::int(1)), Box::new(Term::int(0)));
                        Term::Over("sum", "k".to_owned(), 2, Box::new(number))
                            .with(Operator::Less, Term::int(2))
                    }
                    ("all", _) => Term::Over("all", "k".to_owned(), 2, Box::new(body)),
                    _ => Term::Over("any", "k".to_owned(), 2, Box::new(body)),
                })
            }
        }
    }
}
