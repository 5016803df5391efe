//! Expressions over the state: typed by construction, integers throughout (a boolean is 0 or 1, an enumeration
//! literal its position).

mod build;
mod known;
mod range;
mod sum;

use servanda_logic::Binary;

use crate::{AgentId, CommitmentId, FaultKind, VariableId};

pub(crate) use known::position;
pub use range::Range;
pub(crate) use range::{compared, joined};
pub use sum::Sum;

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
    /// A condition, the value where it holds, and the value where it does not; only the one that is taken is read.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// One of several values by its number; only that one is read. An element of an array is one; of an array of several dimensions,
    /// one inside another.
    Select {
        /// Its number.
        index: Box<Expr>,
        /// The number of the first option.
        low: i64,
        /// The values, numbered from `low` on; any other number is a fault.
        options: Vec<Expr>,
    },
    /// No value at all: reading it is a fault.
    Fault(FaultKind),
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
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
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
            Binary::Min => Arithmetic::Min,
            Binary::Max => Arithmetic::Max,
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
            Arithmetic::Min => Some(left.min(right)),
            Arithmetic::Max => Some(left.max(right)),
        }
    }

    /// The result, or why there is none.
    ///
    /// # Errors
    /// Where it does not exist or does not fit 64 bits.
    pub fn checked(self, left: i64, right: i64) -> Result<i64, FaultKind> {
        let divides = matches!(self, Arithmetic::Divide | Arithmetic::Remainder);
        let why = if divides && right == 0 { FaultKind::DivisionByZero } else { FaultKind::Overflow };
        self.calculate(left, right).ok_or(why)
    }
}

impl Expr {
    /// Is there anything in it that may be without a value in some state?
    pub fn can_fault(&self) -> bool {
        match self {
            Expr::Fault(_) | Expr::Select { .. } => true,
            Expr::Arithmetic(Arithmetic::Min | Arithmetic::Max, ..) => self.operands().any(Expr::can_fault),
            Expr::Arithmetic(..) => true,
            _ => self.operands().any(Expr::can_fault),
        }
    }

    /// The number of its nodes, or `most` if there are more.
    pub fn size_up_to(&self, most: usize) -> usize {
        let mut size = 1;
        for operand in self.operands() {
            if size >= most {
                return most;
            }
            size += operand.size_up_to(most - size);
        }
        size.min(most)
    }

    /// The expressions directly below.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let (three, list): ([Option<&Expr>; 3], &[Expr]) = match self {
            Expr::Constant(_) | Expr::Variable(_) | Expr::InForce(_) | Expr::Action(_) | Expr::Fault(_) => {
                ([None; 3], &[])
            }
            Expr::Not(inner) => ([Some(inner), None, None], &[]),
            Expr::And(parts) | Expr::Or(parts) => ([None; 3], parts),
            Expr::Compare(_, left, right) | Expr::Arithmetic(_, left, right) => {
                ([Some(left), Some(right), None], &[])
            }
            Expr::If(condition, then, otherwise) => ([Some(condition), Some(then), Some(otherwise)], &[]),
            Expr::Select { index, options, .. } => ([Some(index), None, None], options),
        };
        three.into_iter().flatten().chain(list)
    }

    /// The parts of a conjunction, from left to right; of anything else itself.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match self {
            Expr::And(parts) => parts.iter().flat_map(Expr::conjuncts).collect(),
            other => vec![other],
        }
    }

    /// The same with every expression directly below replaced.
    ///
    /// # Errors
    /// The first one of `change`.
    pub fn try_map_operands<E>(&self, mut change: impl FnMut(&Expr) -> Result<Expr, E>) -> Result<Expr, E> {
        let mut one = |expr: &Expr| change(expr).map(Box::new);
        Ok(match self {
            Expr::Constant(_) | Expr::Variable(_) | Expr::InForce(_) | Expr::Action(_) | Expr::Fault(_) => {
                self.clone()
            }
            Expr::Not(inner) => Expr::Not(one(inner)?),
            Expr::And(parts) => Expr::And(parts.iter().map(change).collect::<Result<_, E>>()?),
            Expr::Or(parts) => Expr::Or(parts.iter().map(change).collect::<Result<_, E>>()?),
            Expr::Compare(comparison, left, right) => Expr::Compare(*comparison, one(left)?, one(right)?),
            Expr::Arithmetic(arithmetic, left, right) => {
                Expr::Arithmetic(*arithmetic, one(left)?, one(right)?)
            }
            Expr::If(condition, then, otherwise) => Expr::If(one(condition)?, one(then)?, one(otherwise)?),
            Expr::Select { index, low, options } => {
                let index = one(index)?;
                let options = options.iter().map(change).collect::<Result<_, E>>()?;
                Expr::Select { index, low: *low, options }
            }
        })
    }

    /// Calls `visit` for every variable read.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VariableId)) {
        match self {
            Expr::Variable(variable) => visit(*variable),
            _ => self.operands().for_each(|operand| operand.for_each_variable(visit)),
        }
    }

    /// Calls `visit` for every commitment asked for.
    pub fn for_each_commitment(&self, visit: &mut impl FnMut(CommitmentId)) {
        match self {
            Expr::InForce(commitment) => visit(*commitment),
            _ => self.operands().for_each(|operand| operand.for_each_commitment(visit)),
        }
    }

    /// Calls `visit` for every agent whose action is read.
    pub fn for_each_action(&self, visit: &mut impl FnMut(AgentId)) {
        match self {
            Expr::Action(agent) => visit(*agent),
            _ => self.operands().for_each(|operand| operand.for_each_action(visit)),
        }
    }
}
