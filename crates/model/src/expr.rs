//! Expressions over the state: typed by construction, integers throughout (a boolean is 0 or 1, an enumeration
//! literal its position).

use servanda_logic::Binary;

use crate::{AgentId, CommitmentId, VariableId};

/// An expression over one state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant.
    Constant(i64),
    /// The value of a variable.
    Variable(VariableId),
    /// 1 when the commitment is in force.
    InForce(CommitmentId),
    /// The position of the action that an agent takes in this round; only in the guards of [`crate::Line`]s.
    Action(AgentId),
    /// Logical negation.
    Not(Box<Expr>),
    /// Conjunction, left to right, stopping at the first false operand.
    And(Vec<Expr>),
    /// Disjunction, left to right, stopping at the first true operand.
    Or(Vec<Expr>),
    /// Comparison of integers.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Arithmetic.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

impl Comparison {
    /// Does it hold between two values?
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
        }
    }
}

/// Arithmetic operators on integers; division truncates towards zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl Arithmetic {
    /// What an operator of formulas calculates, if it does.
    pub fn of(op: Binary) -> Option<Self> {
        Some(match op {
            Binary::Add => Arithmetic::Add,
            Binary::Subtract => Arithmetic::Subtract,
            Binary::Multiply => Arithmetic::Multiply,
            Binary::Divide => Arithmetic::Divide,
            Binary::Remainder => Arithmetic::Remainder,
            _ => return None,
        })
    }

    /// The result, if it exists and fits 64 bits.
    pub fn calculate(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Divide => left.checked_div(right),
            Arithmetic::Remainder => left.checked_rem(right),
        }
    }
}

impl Expr {
    /// Does it calculate anywhere? Only then can it be without a value.
    pub fn has_arithmetic(&self) -> bool {
        matches!(self, Expr::Arithmetic(..)) || self.operands().any(Expr::has_arithmetic)
    }

    /// The expressions directly below.
    fn operands(&self) -> impl Iterator<Item = &Expr> {
        let (list, pair): (&[Expr], [Option<&Expr>; 2]) = match self {
            Expr::Constant(_) | Expr::Variable(_) | Expr::InForce(_) | Expr::Action(_) => (&[], [None, None]),
            Expr::Not(inner) => (&[], [Some(inner), None]),
            Expr::And(parts) | Expr::Or(parts) => (parts, [None, None]),
            Expr::Compare(_, left, right) | Expr::Arithmetic(_, left, right) => {
                (&[], [Some(left), Some(right)])
            }
        };
        list.iter().chain(pair.into_iter().flatten())
    }

    /// Always true.
    pub const TRUE: Expr = Expr::Constant(1);
    /// Always false.
    pub const FALSE: Expr = Expr::Constant(0);

    /// The value of a variable.
    pub fn variable(variable: VariableId) -> Expr {
        Expr::Variable(variable)
    }

    /// Logical negation.
    pub fn negate(self) -> Expr {
        match self {
            Expr::Constant(value) => Expr::Constant(i64::from(value == 0)),
            Expr::Not(inner) => *inner,
            other => Expr::Not(Box::new(other)),
        }
    }

    /// Conjunction, flattened.
    pub fn and(parts: impl IntoIterator<Item = Expr>) -> Expr {
        flat(parts, Expr::TRUE, Expr::And)
    }

    /// Disjunction, flattened.
    pub fn or(parts: impl IntoIterator<Item = Expr>) -> Expr {
        flat(parts, Expr::FALSE, Expr::Or)
    }

    /// `self op value`, for an operator that compares.
    pub fn compared(self, op: Binary, value: Expr) -> Expr {
        let (comparison, left, right) = match op {
            Binary::NotEqual => (Comparison::NotEqual, self, value),
            Binary::Less => (Comparison::Less, self, value),
            Binary::LessEqual => (Comparison::LessEqual, self, value),
            Binary::Greater => (Comparison::Less, value, self),
            Binary::GreaterEqual => (Comparison::LessEqual, value, self),
            _ => (Comparison::Equal, self, value),
        };
        Expr::Compare(comparison, Box::new(left), Box::new(right))
    }

    /// `self = value`.
    pub fn equals(self, value: Expr) -> Expr {
        self.compared(Binary::Equal, value)
    }

    /// `self < value`.
    pub fn less_than(self, value: Expr) -> Expr {
        self.compared(Binary::Less, value)
    }

    /// `self op value`, calculated when it is asked for.
    pub fn calculated(self, op: Arithmetic, value: Expr) -> Expr {
        Expr::Arithmetic(op, Box::new(self), Box::new(value))
    }

    /// `self + value`.
    pub fn plus(self, value: Expr) -> Expr {
        self.calculated(Arithmetic::Add, value)
    }

    /// Calls `visit` for every variable read.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VariableId)) {
        match self {
            Expr::Variable(variable) => visit(*variable),
            _ => self.operands().for_each(|operand| operand.for_each_variable(visit)),
        }
    }

    /// The value where only some of what is read has one: `leaf` knows that of variables, commitments and actions.
    pub fn value_of(&self, leaf: &impl Fn(&Expr) -> Option<i64>) -> Option<i64> {
        match self {
            Expr::Constant(value) => Some(*value),
            Expr::Variable(_) | Expr::InForce(_) | Expr::Action(_) => leaf(self),
            Expr::Not(inner) => inner.value_of(leaf).map(|value| i64::from(value == 0)),
            Expr::And(parts) => connective(parts, leaf, 0),
            Expr::Or(parts) => connective(parts, leaf, 1),
            Expr::Compare(comparison, left, right) => {
                let (left, right) = (left.value_of(leaf)?, right.value_of(leaf)?);
                Some(i64::from(comparison.holds(left, right)))
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                let (left, right) = (left.value_of(leaf)?, right.value_of(leaf)?);
                arithmetic.calculate(left, right)
            }
        }
    }
}

/// A conjunction (`decisive` is 0) or disjunction (1): decided by one decisive part, or by all parts.
fn connective(parts: &[Expr], leaf: &impl Fn(&Expr) -> Option<i64>, decisive: i64) -> Option<i64> {
    let mut undecided = false;
    for part in parts {
        match part.value_of(leaf) {
            Some(value) if (value != 0) == (decisive != 0) => return Some(decisive),
            Some(_) => {}
            None => undecided = true,
        }
    }
    (!undecided).then_some(1 - decisive)
}

/// Parts joined by one connective: those that are so joined themselves are taken apart, and what changes nothing is left out.
fn flat(parts: impl IntoIterator<Item = Expr>, neutral: Expr, join: fn(Vec<Expr>) -> Expr) -> Expr {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Expr::And(inner) if neutral == Expr::TRUE => flat.extend(inner),
            Expr::Or(inner) if neutral == Expr::FALSE => flat.extend(inner),
            other if other == neutral => {}
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => neutral,
        1 => flat.remove(0),
        _ => join(flat),
    }
}
