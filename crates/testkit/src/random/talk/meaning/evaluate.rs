//! The values of expressions.

use super::super::outline::{Pattern, Value};
use super::super::term::{Operator, Term};
use super::{Fault, Meaning, Place, Sent};

/// What names stand for that are no variables: what is received, and indices.
pub(super) type Local = Vec<(String, Value)>;

impl Meaning {
    /// Is a condition true?
    ///
    /// # Errors
    /// When it has no value.
    pub fn is_true(&self, place: &Place, condition: &Term) -> Result<bool, Fault> {
        self.holds(place, condition, &Vec::new())
    }

    pub(super) fn holds(&self, place: &Place, condition: &Term, local: &Local) -> Result<bool, Fault> {
        match self.value(place, condition, local)? {
            Value::Bool(value) => Ok(value),
            other => panic!("{condition} is {other}, no truth value"),
        }
    }

    pub(super) fn int(&self, place: &Place, term: &Term, local: &Local) -> Result<i64, Fault> {
        match self.value(place, term, local)? {
            Value::Int(value) => Ok(value),
            other => panic!("{term} is {other}, no number"),
        }
    }

    pub(super) fn value(&self, place: &Place, term: &Term, local: &Local) -> Result<Value, Fault> {
        Ok(match term {
            Term::Value(value) => value.clone(),
            Term::Name(name) => match local.iter().rev().find(|(own, _)| own == name) {
                Some((_, value)) => value.clone(),
                None => match self.flat.parameters.iter().find(|(own, _)| own == name) {
                    Some((_, value)) => Value::Int(*value),
                    None => place.values[name].clone(),
                },
            },
            Term::Element(array, index) => {
                let index = self.int(place, index, local)?;
                place.values.get(&format!("{array}[{index}]")).cloned().ok_or(Fault)?
            }
            Term::Not(operand) => Value::Bool(!self.holds(place, operand, local)?),
            Term::Binary(operator, left, right) => self.joined(place, *operator, left, right, local)?,
            Term::If(condition, yes, no) => {
                let taken = if self.holds(place, condition, local)? { yes } else { no };
                self.value(place, taken, local)?
            }
            Term::Over(word, index, last, body) => {
                let bound = |number: i64| {
                    let mut local = local.clone();
                    local.push((index.clone(), Value::Int(number)));
                    local
                };
                match *word {
                    "sum" => {
                        let mut sum = 0;
                        for number in 1..=*last {
                            sum += self.int(place, body, &bound(number))?;
                        }
                        Value::Int(sum)
                    }
                    word => {
                        let mut all = Vec::new();
                        for number in 1..=*last {
                            all.push(self.holds(place, body, &bound(number))?);
                        }
                        Value::Bool(if word == "all" { !all.contains(&false) } else { all.contains(&true) })
                    }
                }
            }
            Term::At(machine, state) => Value::Bool(place.at[machine] == *state),
            Term::Length(channel) => Value::Int(place.under_way[channel].len() as i64),
            Term::Carries(channel, oldest, pattern) => {
                let mut asked = place.under_way[channel].iter().take(if *oldest { 1 } else { usize::MAX });
                Value::Bool(asked.any(|sent| pattern.means(sent)))
            }
            Term::Active(name) => {
                let own = self.flat.commitments.iter().find(|own| own.name == *name).expect("a commitment");
                let content = own.content.replace("{}", &own.about);
                Value::Bool(place.in_force.contains(&(own.debtor.clone(), own.creditor.clone(), content)))
            }
            Term::Final => Value::Bool(self.is_final(place)),
        })
    }

    fn joined(
        &self,
        place: &Place,
        operator: Operator,
        left: &Term,
        right: &Term,
        local: &Local,
    ) -> Result<Value, Fault> {
        let left_value = self.value(place, left, local)?;
        // The right side is read only where the left does not decide.
        match (operator, &left_value) {
            (Operator::And, Value::Bool(false)) => return Ok(Value::Bool(false)),
            (Operator::Or, Value::Bool(true)) | (Operator::Implies, Value::Bool(false)) => {
                return Ok(Value::Bool(true));
            }
            _ => {}
        }
        let right_value = self.value(place, right, local)?;
        Ok(match (operator, &left_value, &right_value) {
            (Operator::Equal, a, b) => Value::Bool(a == b),
            (Operator::NotEqual, a, b) => Value::Bool(a != b),
            (Operator::And | Operator::Or | Operator::Implies, _, b) => b.clone(),
            (Operator::Add, Value::Int(a), Value::Int(b)) => Value::Int(a + b),
            (Operator::Subtract, Value::Int(a), Value::Int(b)) => Value::Int(a - b),
            (Operator::Remainder, Value::Int(a), Value::Int(b)) => {
                if *b == 0 {
                    return Err(Fault);
                }
                Value::Int(a % b)
            }
            (Operator::Min, Value::Int(a), Value::Int(b)) => Value::Int(*a.min(b)),
            (Operator::Max, Value::Int(a), Value::Int(b)) => Value::Int(*a.max(b)),
            (Operator::Less, Value::Int(a), Value::Int(b)) => Value::Bool(a < b),
            (Operator::LessEqual, Value::Int(a), Value::Int(b)) => Value::Bool(a <= b),
            (_, a, b) => panic!("{a} and {b} cannot be joined by {operator:?}"),
        })
    }
}

impl Pattern {
    /// Does it mean this message?
    pub fn means(&self, sent: &Sent) -> bool {
        let values = self.arguments.iter().zip(&sent.values);
        self.name == sent.name
            && self.received == sent.received
            && self.by.as_ref().is_none_or(|by| sent.by.as_ref() == Some(by))
            && self.to.as_ref().is_none_or(|to| sent.to.is_empty() || sent.to.contains(to))
            && values.into_iter().all(|(wanted, value)| wanted.as_ref().is_none_or(|wanted| wanted == value))
    }
}
