//! Expressions of talks.

use std::fmt;

use super::outline::{Pattern, Value};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A value.
    Value(Value),
    /// A variable, a clock, a parameter, what is received, or an index.
    Name(String),
    /// An element of an array.
    Element(String, Box<Term>),
    /// `!`
    Not(Box<Term>),
    /// Two operands.
    Binary(Operator, Box<Term>, Box<Term>),
    /// `if then else`
    If(Box<Term>, Box<Term>, Box<Term>),
    /// `any`, `all` or `sum` over indices from 1 on.
    Over(&'static str, String, i64, Box<Term>),
    /// Where a machine is.
    At(String, String),
    /// How many messages are under way.
    Length(String),
    /// Some message under way matches, or the oldest does.
    Carries(String, bool, Pattern),
    /// A commitment is in force.
    Active(String),
    /// The state is final.
    Final,
}

servanda_syntax::named! {
    /// What joins two operands.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Operator {
        /// `+`
        Add = "+",
        /// `-`
        Subtract = "-",
        /// `%`
        Remainder = "%",
        /// `min`
        Min = "min",
        /// `max`
        Max = "max",
        /// `=`
        Equal = "=",
        /// `!=`
        NotEqual = "!=",
        /// `<`
        Less = "<",
        /// `<=`
        LessEqual = "<=",
        /// `&`
        And = "&",
        /// `|`
        Or = "|",
        /// `->`
        Implies = "->",
    }
}

impl Term {
    /// An integer.
    pub fn int(number: i64) -> Term {
        Term::Value(Value::Int(number))
    }

    /// A name.
    pub fn name(name: &str) -> Term {
        Term::Name(name.to_owned())
    }

    /// Two operands, joined.
    pub fn with(self, operator: Operator, other: Term) -> Term {
        Term::Binary(operator, Box::new(self), Box::new(other))
    }

    /// The expressions in it.
    pub fn parts(&self) -> Vec<&Term> {
        match self {
            Term::Element(_, part) | Term::Not(part) | Term::Over(_, _, _, part) => vec![part],
            Term::Binary(_, left, right) => vec![left, right],
            Term::If(condition, yes, no) => vec![condition, yes, no],
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => write!(f, "{number}"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Literal(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Value(value) => write!(f, "{value}"),
            Term::Name(name) => f.write_str(name),
            Term::Element(array, index) => write!(f, "{array}[{index}]"),
            Term::Not(operand) => write!(f, "!({operand})"),
            Term::Binary(operator @ (Operator::Min | Operator::Max), left, right) => {
                write!(f, "{}({left}, {right})", operator.word())
            }
            Term::Binary(operator, left, right) => write!(f, "({left} {} {right})", operator.word()),
            Term::If(condition, yes, no) => write!(f, "(if {condition} then {yes} else {no})"),
            Term::Over(word, index, last, body) => write!(f, "({word} {index} in 1..{last} : {body})"),
            Term::At(machine, state) if machine.is_empty() => write!(f, "in {state}"),
            Term::At(machine, state) => write!(f, "{machine} in {state}"),
            Term::Length(channel) => write!(f, "{channel}.length"),
            Term::Carries(channel, true, pattern) => write!(f, "{channel}.head({pattern})"),
            Term::Carries(channel, false, pattern) => write!(f, "{channel}.has({pattern})"),
            Term::Active(commitment) => write!(f, "active({commitment})"),
            Term::Final => f.write_str("final"),
        }
    }
}
