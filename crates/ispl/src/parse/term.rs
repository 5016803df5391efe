//! Conditions and values.
//!
//! | operators, tightest first | groups |
//! |---|---|
//! | `- ~` before one operand | |
//! | `* /` | to the left |
//! | `+ -` | to the left |
//! | `&` | to the left |
//! | <code>&#124; ^</code> | to the left |
//! | `= <> < <= > >=` | not at all |
//! | `!` | `!x = 1` is `!(x = 1)` |
//! | `and` | |
//! | `or` | |

use servanda_syntax::{Diagnostic, Span};

use super::Reader;
use crate::ast::{BitOperator, Operator, Relation, Term, TermKind};
use crate::token::TokenKind;

/// Highest tree that is built; long sums grow one without any nesting.
const HIGHEST_TREE: u32 = 1000;

const OR: u8 = 1;
const AND: u8 = 2;
const COMPARISON: u8 = 3;
const BIT_OR: u8 = 4;
const BIT_AND: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;

#[derive(Clone, Copy)]
enum Infix {
    And,
    Or,
    Compare(Relation),
    Bits(BitOperator),
    Arithmetic(Operator),
}

impl Infix {
    fn level(self) -> u8 {
        match self {
            Infix::Or => OR,
            Infix::And => AND,
            Infix::Compare(_) => COMPARISON,
            Infix::Bits(BitOperator::Or | BitOperator::Xor) => BIT_OR,
            Infix::Bits(BitOperator::And) => BIT_AND,
            Infix::Arithmetic(Operator::Add | Operator::Subtract) => SUM,
            Infix::Arithmetic(Operator::Multiply | Operator::Divide) => PRODUCT,
        }
    }
}

impl Reader<'_> {
    /// A condition.
    pub(super) fn term(&mut self) -> Option<Term> {
        self.operators(OR)
    }

    /// What may stand after the `=` of an assignment: anything that needs no parentheses to end before `and`.
    pub(super) fn value(&mut self) -> Option<Term> {
        self.operators(BIT_OR)
    }

    fn infix(&self) -> Option<Infix> {
        Some(match self.cursor.kind(0) {
            TokenKind::Symbol(symbol) => match symbol {
                "=" => Infix::Compare(Relation::Equal),
                "<>" => Infix::Compare(Relation::NotEqual),
                "<" => Infix::Compare(Relation::Less),
                "<=" => Infix::Compare(Relation::LessEqual),
                ">" => Infix::Compare(Relation::Greater),
                ">=" => Infix::Compare(Relation::GreaterEqual),
                "|" => Infix::Bits(BitOperator::Or),
                "^" => Infix::Bits(BitOperator::Xor),
                "&" => Infix::Bits(BitOperator::And),
                "+" => Infix::Arithmetic(Operator::Add),
                "-" => Infix::Arithmetic(Operator::Subtract),
                "*" => Infix::Arithmetic(Operator::Multiply),
                "/" => Infix::Arithmetic(Operator::Divide),
                _ => return None,
            },
            TokenKind::Word => match self.cursor.word(0)? {
                "and" => Infix::And,
                "or" => Infix::Or,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Operands joined by operators that bind at least as tightly as `loosest`.
    fn operators(&mut self, loosest: u8) -> Option<Term> {
        let mut left = self.operand()?;
        let mut compared = false;
        while let Some(infix) = self.infix().filter(|infix| infix.level() >= loosest) {
            let place = self.cursor.span();
            if matches!(infix, Infix::Compare(_)) && compared {
                let error = Diagnostic::error("chained-comparison", "comparisons cannot be chained", place);
                self.cursor.report(error.help("join two comparisons with `and`"));
                return None;
            }
            self.cursor.bump();
            let right = self.operators(infix.level() + 1)?;
            compared = matches!(infix, Infix::Compare(_));
            let span = left.span.to(right.span);
            left = Term::new(joined(infix, left, right), span);
            if left.height > HIGHEST_TREE {
                let error = Diagnostic::error("term-too-long", "this expression is too long", span);
                self.cursor.report(error.help("group the operands of long chains with parentheses"));
                return None;
            }
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<Term> {
        let start = self.cursor.span();
        match self.cursor.kind(0) {
            TokenKind::Symbol("(") => {
                self.cursor.bump();
                self.cursor.deeper()?;
                let inner = self.operators(OR)?;
                self.cursor.shallower();
                if !self.cursor.eat(")") {
                    self.cursor.unexpected("`)`");
                    if let Some(error) = self.cursor.diagnostics.last_mut() {
                        let message = "opened here".to_owned();
                        error.labels.push(servanda_syntax::Label { span: start, message });
                    }
                    return None;
                }
                Some(inner)
            }
            TokenKind::Symbol("!") => self.prefixed(start, COMPARISON, TermKind::Not),
            TokenKind::Symbol("~") => self.prefixed(start, u8::MAX, TermKind::Complement),
            TokenKind::Symbol("-") => self.prefixed(start, u8::MAX, TermKind::Minus),
            TokenKind::Number(value) => {
                self.cursor.bump();
                Some(Term::new(TermKind::Number(value), start))
            }
            TokenKind::Word => self.word(start),
            _ => {
                self.cursor.unexpected("a condition or a value");
                None
            }
        }
    }

    fn prefixed(&mut self, start: Span, loosest: u8, node: fn(Box<Term>) -> TermKind) -> Option<Term> {
        self.cursor.bump();
        self.cursor.deeper()?;
        let inner = self.operators(loosest)?;
        self.cursor.shallower();
        let span = start.to(inner.span);
        Some(match (node(Box::new(inner)), loosest) {
            (TermKind::Minus(inner), _) if matches!(inner.kind, TermKind::Number(_)) => match inner.kind {
                TermKind::Number(value) => Term::new(TermKind::Number(-value), span),
                kind => Term::new(kind, span),
            },
            (kind, _) => Term::new(kind, span),
        })
    }

    fn word(&mut self, start: Span) -> Option<Term> {
        match self.cursor.word(0) {
            Some("true") => {
                self.cursor.bump();
                return Some(Term::new(TermKind::Truth(true), start));
            }
            Some("false") => {
                self.cursor.bump();
                return Some(Term::new(TermKind::Truth(false), start));
            }
            Some("and" | "or") => {
                self.cursor.unexpected("a condition or a value");
                return None;
            }
            _ => {}
        }
        let first = self.cursor.name("a condition or a value")?;
        if !self.cursor.eat(".") {
            return Some(Term::new(TermKind::Name(first.text), first.span));
        }
        let second = self.cursor.name("the name of a variable, or `Action`")?;
        let span = first.span.to(second.span);
        Some(Term::new(TermKind::Dotted(first, second), span))
    }
}

/// Chains of `and` and of `or` become one node, however they are grouped, so that their length costs no depth.
fn joined(infix: Infix, left: Term, right: Term) -> TermKind {
    match infix {
        Infix::And => TermKind::And(flat(left, right, |kind| match kind {
            TermKind::And(parts) => Ok(parts),
            other => Err(other),
        })),
        Infix::Or => TermKind::Or(flat(left, right, |kind| match kind {
            TermKind::Or(parts) => Ok(parts),
            other => Err(other),
        })),
        Infix::Compare(relation) => TermKind::Compare(relation, Box::new(left), Box::new(right)),
        Infix::Bits(operator) => TermKind::Bits(operator, Box::new(left), Box::new(right)),
        Infix::Arithmetic(operator) => TermKind::Arithmetic(operator, Box::new(left), Box::new(right)),
    }
}

fn flat(left: Term, right: Term, parts: fn(TermKind) -> Result<Vec<Term>, TermKind>) -> Vec<Term> {
    let Term { kind, span, height } = left;
    let mut all = match parts(kind) {
        Ok(parts) => parts,
        Err(kind) => vec![Term { kind, span, height }],
    };
    let Term { kind, span, height } = right;
    match parts(kind) {
        Ok(parts) => all.extend(parts),
        Err(kind) => all.push(Term { kind, span, height }),
    }
    all
}
