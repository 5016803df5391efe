//! Which values a message can carry: as few as can be known, since each is a transition of its own.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use servanda_model::{Domain, Expr, VariableId};
use servanda_syntax::{Code, Findings};

use super::Elaborator;
use super::labels::{Argument, Said};

/// Values of the variables that the arguments read which are tried out, all together.
const MOST_TRIALS: u64 = 20_000;

/// Different values that one message of a transition carries.
const MOST_TUPLES: u64 = 100_000;

/// What a message can carry.
#[derive(Default)]
pub(super) struct Payload {
    /// The values, in order.
    pub(super) tuples: Vec<Vec<i64>>,
    /// Can an argument be outside its type, or without a value?
    pub(super) can_fail: bool,
}

impl Elaborator<'_> {
    pub(super) fn payload(&mut self, said: &Said) -> Option<Payload> {
        let values: Vec<&Expr> = said
            .arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Value(value) => Some(value),
                Argument::Open | Argument::Bound(..) => None,
            })
            .collect();
        let mut read: BTreeSet<VariableId> = BTreeSet::new();
        for value in &values {
            value.for_each_variable(&mut |variable| read.extend([variable]));
        }
        let domains: Vec<(VariableId, Domain)> = read
            .into_iter()
            .map(|variable| (variable, self.model.variable(variable).domain.clone()))
            .collect();
        let trials = domains.iter().try_fold(1_u64, |all, (_, domain)| all.checked_mul(domain.size()));
        // How many values a place of a channel has is not known yet.
        let of_channel = domains.iter().any(|(variable, _)| self.model.variable(*variable).is_slot);
        let more = of_channel || values.iter().any(|value| reads_more(value));
        if trials.is_some_and(|trials| trials <= MOST_TRIALS) && !more {
            return Some(tried(&values, &said.types, &domains));
        }
        let count = said.types.iter().try_fold(1_u64, |all, domain| all.checked_mul(domain.size()));
        if count.is_none_or(|count| count > MOST_TUPLES) {
            let message = format!("this message can carry more than {MOST_TUPLES} different values");
            return self.diagnostics.error(Code::TooManyTransitions, message, said.span);
        }
        let mut tuples = vec![Vec::new()];
        for domain in &said.types {
            let longer = |tuple: &Vec<i64>| {
                (domain.low()..=domain.high())
                    .map(|value| [tuple.as_slice(), &[value]].concat())
                    .collect::<Vec<_>>()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        Some(Payload { tuples, can_fail: true })
    }
}

/// Does the expression read anything but variables?
fn reads_more(value: &Expr) -> bool {
    matches!(value, Expr::InForce(_) | Expr::Action(_)) || value.operands().any(reads_more)
}

/// The values for all values of the variables.
fn tried(values: &[&Expr], types: &[Domain], read: &[(VariableId, Domain)]) -> Payload {
    let mut tuples: BTreeSet<Vec<i64>> = BTreeSet::new();
    let mut can_fail = false;
    let mut state: FxHashMap<VariableId, i64> = read.iter().map(|(id, domain)| (*id, domain.low())).collect();
    loop {
        let leaf = |leaf: &Expr| match leaf {
            Expr::Variable(variable) => state.get(variable).copied(),
            _ => None,
        };
        let tuple: Option<Vec<i64>> = values.iter().map(|value| value.value_of(&leaf)).collect();
        match tuple.filter(|tuple| tuple.iter().zip(types).all(|(value, domain)| domain.contains(*value))) {
            Some(tuple) => tuples.extend([tuple]),
            None => can_fail = true,
        }
        let mut next = read.iter();
        let more = next.by_ref().any(|(id, domain)| match state.get_mut(id) {
            Some(value) if *value < domain.high() => {
                *value += 1;
                true
            }
            Some(value) => {
                *value = domain.low();
                false
            }
            None => false,
        });
        if !more {
            if tuples.is_empty() {
                // Somebody must find out that none is of its type.
                tuples.insert(types.iter().map(Domain::low).collect());
            }
            return Payload { tuples: tuples.into_iter().collect(), can_fail };
        }
    }
}
