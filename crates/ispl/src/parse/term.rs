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

use servanda_logic::Binary;
use servanda_model::Arithmetic;
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use super::Reader;
use super::chain;
use crate::ast::{BitOperator, Term, TermKind};

/// Highest tree that is built; long sums grow one without any nesting.
const HIGHEST_TREE: u32 = 1000;

/// What messages call what stands beside operators.
const OPERAND: &str = "a condition or a value";

const OR: u8 = 1;
const AND: u8 = 2;
const COMPARISON: u8 = 3;
const BIT_OR: u8 = 4;
const BIT_AND: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    And,
    Or,
    Compare(Binary),
    Bits(BitOperator),
    Arithmetic(Arithmetic),
}

impl Infix {
    fn level(self) -> u8 {
        match self {
            Infix::Or => OR,
            Infix::And => AND,
            Infix::Compare(_) => COMPARISON,
            Infix::Bits(BitOperator::Or | BitOperator::Xor) => BIT_OR,
            Infix::Bits(BitOperator::And) => BIT_AND,
            Infix::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => SUM,
            Infix::Arithmetic(_) => PRODUCT,
        }
    }
}

/// What waits for an operand.
enum Waiting {
    /// An opening parenthesis.
    Parenthesis(Span),
    /// An operator with one operand.
    Prefix(Prefix, Span),
    /// An operator whose left operand is known.
    Infix(Infix, Term),
    /// Operators on numbers that bind as tightly as each other, each with the operand at its left.
    Chain(Vec<(Term, Infix)>),
}

#[derive(Clone, Copy)]
enum Prefix {
    Not,
    Complement,
    Minus,
}

/// How tightly the operators of a chain bind; it has one at least.
fn level_of(chain: &[(Term, Infix)]) -> u8 {
    chain.first().map_or(0, |(_, infix)| infix.level())
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
        Some(match self.cursor.spelling(0) {
            "|" => Infix::Bits(BitOperator::Or),
            "^" => Infix::Bits(BitOperator::Xor),
            "&" => Infix::Bits(BitOperator::And),
            "and" => Infix::And,
            "or" => Infix::Or,
            text => {
                let op = Binary::written(text).filter(|op| !op.joins_formulas())?;
                Arithmetic::of(op).map_or(Infix::Compare(op), Infix::Arithmetic)
            }
        })
    }

    /// Operands joined by operators that bind at least as tightly as `loosest`.
    ///
    /// Generated files nest parentheses thousands of levels deep, so what waits is kept in a list, not on the stack.
    fn operators(&mut self, loosest: u8) -> Option<Term> {
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut parentheses = 0_usize;
        loop {
            let mut current = self.operand(&mut waiting, &mut parentheses)?;
            loop {
                let next = self.infix().filter(|infix| parentheses > 0 || infix.level() >= loosest);
                let level = next.map_or(0, Infix::level);
                current = self.reduced(current, &mut waiting, level)?;
                if let Some(infix) = next {
                    self.cursor.bump();
                    match waiting.last_mut() {
                        Some(Waiting::Chain(chain)) if level_of(chain) == infix.level() => {
                            chain.push((current, infix));
                        }
                        _ if infix.level() > COMPARISON => {
                            waiting.push(Waiting::Chain(vec![(current, infix)]));
                        }
                        _ => waiting.push(Waiting::Infix(infix, current)),
                    }
                    break;
                }
                match waiting.pop() {
                    Some(Waiting::Parenthesis(start)) => {
                        if !self.cursor.eat(")") {
                            return self.cursor.missing("`)`", start, "opened here");
                        }
                        parentheses -= 1;
                    }
                    // Only a parenthesis waits here: what else waited has got its operand.
                    _ => return Some(current),
                }
            }
        }
    }

    /// Reads up to the next operand; what stands before it waits.
    fn operand(&mut self, waiting: &mut Vec<Waiting>, parentheses: &mut usize) -> Option<Term> {
        loop {
            let start = self.cursor.span();
            let prefix = match self.cursor.spelling(0) {
                "(" => {
                    self.cursor.bump();
                    *parentheses += 1;
                    waiting.push(Waiting::Parenthesis(start));
                    continue;
                }
                "!" => Prefix::Not,
                "~" => Prefix::Complement,
                "-" => Prefix::Minus,
                word @ ("true" | "false") => {
                    self.cursor.bump();
                    return Some(Term::new(TermKind::Truth(word == "true"), start));
                }
                "and" | "or" => return self.cursor.unexpected(OPERAND),
                _ => match self.cursor.number() {
                    Some(value) => {
                        self.cursor.bump();
                        return Some(Term::new(TermKind::Number(value), start));
                    }
                    None => return self.name_or_dotted(OPERAND, "the name of a variable, or `Action`"),
                },
            };
            self.cursor.bump();
            waiting.push(Waiting::Prefix(prefix, start));
        }
    }

    /// Gives the operand to every operator that waits and binds tighter than what follows.
    fn reduced(&mut self, operand: Term, waiting: &mut Vec<Waiting>, next: u8) -> Option<Term> {
        let mut current = operand;
        loop {
            current = match waiting.pop() {
                Some(Waiting::Prefix(prefix, start)) if next < prefix.level() => {
                    prefix.applied(current, start)
                }
                Some(Waiting::Infix(Infix::Compare(_), _)) if next == COMPARISON => {
                    let place = self.cursor.span();
                    let error =
                        Diagnostic::error(Code::ChainedComparison, "comparisons cannot be chained", place);
                    return self.cursor.diagnostics.refuse(error.help(match current.kind {
                        TermKind::Bits(..) => {
                            "join conditions with `and` and `or`: `&`, `|` and `^` bind tighter than `=`"
                        }
                        _ => "join two comparisons with `and`",
                    }));
                }
                Some(Waiting::Infix(infix, left)) if next <= infix.level() => {
                    let span = left.span.to(current.span);
                    Term::new(joined(infix, left, current), span)
                }
                Some(Waiting::Chain(operands)) if next < level_of(&operands) => {
                    chain::joined_all(operands, current)
                }
                other => {
                    waiting.extend(other);
                    return Some(current);
                }
            };
            if current.height > HIGHEST_TREE {
                let error = Diagnostic::error(Code::TermTooLong, "this expression is too long", current.span);
                let error = error.help(format!("{HIGHEST_TREE} operations are read within one another"));
                return self.cursor.diagnostics.refuse(error);
            }
        }
    }

    /// A name, or two with a dot between them; the messages say what the first and the second would be of.
    pub(super) fn name_or_dotted(&mut self, first: &str, second: &str) -> Option<Term> {
        let first = self.cursor.name_span(first)?;
        if !self.cursor.eat(".") {
            return Some(Term::new(TermKind::Name, first));
        }
        let second = self.cursor.name_span(second)?;
        let (agent, name) = (first.end - first.start, second.end - second.start);
        Some(Term::new(TermKind::Dotted { agent, name }, first.to(second)))
    }
}

impl Prefix {
    /// What follows ends its operand if it binds less tightly than this.
    fn level(self) -> u8 {
        match self {
            Prefix::Not => COMPARISON,
            Prefix::Complement | Prefix::Minus => u8::MAX,
        }
    }

    fn applied(self, operand: Term, start: Span) -> Term {
        let span = start.to(operand.span);
        let kind = match (self, operand.kind) {
            (Prefix::Minus, TermKind::Number(value)) => TermKind::Number(-value),
            (prefix, kind) => {
                let operand = Box::new(Term { kind, ..operand });
                match prefix {
                    Prefix::Not => TermKind::Not(operand),
                    Prefix::Complement => TermKind::Complement(operand),
                    Prefix::Minus => TermKind::Minus(operand),
                }
            }
        };
        Term::new(kind, span)
    }
}

/// Chains of `and` and of `or` become one node, however they are grouped, so that their length costs no depth.
pub(super) fn joined(infix: Infix, left: Term, right: Term) -> TermKind {
    match infix {
        Infix::And => TermKind::And(flat(left, right, |kind| match kind {
            TermKind::And(parts) => Ok(parts),
            other => Err(other),
        })),
        Infix::Or => TermKind::Or(flat(left, right, |kind| match kind {
            TermKind::Or(parts) => Ok(parts),
            other => Err(other),
        })),
        Infix::Compare(relation) => TermKind::Compare(relation, Box::new([left, right])),
        Infix::Bits(operator) => TermKind::Bits(operator, Box::new([left, right])),
        Infix::Arithmetic(operator) => TermKind::Arithmetic(operator, Box::new([left, right])),
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
