//! Conditions on one field or one word of a state, decided by a few instructions.

use super::form::FieldSum;
use crate::{Expr, Field, Layout};

/// The values of a field that make a condition true, as bits; the field has at most six.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(super) field: Field,
    pub(super) set: u64,
}

/// A condition ready to be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// These bits of a word are so.
    Word { word: u32, mask: u64, code: u64 },
    /// The field is one of a set.
    Among { word: u32, shift: u32, mask: u32, set: u64 },
}

impl Choice {
    /// The field must have so few values.
    const MOST_VALUES: u64 = 64;

    /// Of a condition (or, where `sign` is not set, of its opposite) that reads one field only and always has a value.
    pub(crate) fn of(expr: &Expr, sign: bool, layout: &Layout) -> Option<Self> {
        match expr {
            Expr::Not(inner) => Choice::of(inner, !sign, layout),
            Expr::And(parts) | Expr::Or(parts) => {
                let all = matches!(expr, Expr::And(_)) == sign;
                let (first, others) = parts.split_first()?;
                let mut choice = Choice::of(first, sign, layout)?;
                for other in others {
                    let other =
                        Choice::of(other, sign, layout).filter(|other| other.field == choice.field)?;
                    choice.set = if all { choice.set & other.set } else { choice.set | other.set };
                }
                Some(choice)
            }
            Expr::Compare(comparison, left, right) => {
                let sum = FieldSum::of_difference(left, right, layout)?;
                let ([(field, coefficient)], []) = (&sum.fields[..], &sum.others[..]) else { return None };
                let holds = |value: i64| comparison.holds(coefficient * value + sum.constant(), 0);
                Choice::by(*field, |value| holds(value) == sign)
            }
            _ => Choice::by(layout.field_of(expr)?, |value| (value != 0) == sign),
        }
    }

    fn by(field: Field, is_chosen: impl Fn(i64) -> bool) -> Option<Self> {
        if field.mask() >= Choice::MOST_VALUES {
            return None;
        }
        let chosen = (0..=field.mask()).filter(|code| is_chosen(field.low() + *code as i64));
        Some(Choice { field, set: chosen.fold(0, |set, code| set | 1 << code) })
    }

    /// Every value the field can have, and those that no state has besides.
    fn everything(field: Field) -> u64 {
        u64::MAX >> (Choice::MOST_VALUES - 1 - field.mask())
    }
}

impl Test {
    /// What always holds.
    pub(crate) const ALWAYS: Test = Test::Word { word: 0, mask: 0, code: 0 };

    /// What never holds.
    const NEVER: Test = Test::Word { word: 0, mask: 0, code: 1 };

    /// Does it hold?
    #[inline]
    pub(crate) fn holds(&self, state: &[u64]) -> bool {
        match *self {
            Test::Word { word, mask, code } => state[word as usize] & mask == code,
            Test::Among { word, shift, mask, set } => {
                set >> (state[word as usize] >> shift & u64::from(mask)) & 1 == 1
            }
        }
    }

    /// All these at once: those of one field together, and those that leave one value together with others of the same word.
    pub(crate) fn all(choices: &[Choice]) -> Vec<Test> {
        let mut merged: Vec<Choice> = Vec::new();
        for choice in choices {
            match merged.iter_mut().find(|other| other.field == choice.field) {
                Some(other) => other.set &= choice.set,
                None => merged.push(*choice),
            }
        }
        let (mut words, mut others) = (Vec::new(), Vec::new());
        for Choice { field, set } in merged {
            if set == 0 {
                return vec![Test::NEVER];
            } else if set == Choice::everything(field) {
                continue;
            } else if set.count_ones() == 1 {
                add_word(&mut words, field, field.low() + i64::from(set.trailing_zeros()));
            } else {
                let (word, shift, mask) = (field.word() as u32, field.shift(), field.mask() as u32);
                others.push(Test::Among { word, shift, mask, set });
            }
        }
        words.append(&mut others);
        words
    }
}

/// A field has a value, besides what is tested already.
fn add_word(tests: &mut Vec<Test>, field: Field, value: i64) {
    let (bits, place) = (field.bits_in_word(), field.word() as u32);
    for test in tests.iter_mut() {
        if let Test::Word { word, mask, code } = test
            && *word == place
        {
            *mask |= bits;
            *code |= field.code_in_word(value);
            return;
        }
    }
    tests.push(Test::Word { word: place, mask: bits, code: field.code_in_word(value) });
}
