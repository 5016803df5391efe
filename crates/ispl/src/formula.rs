//! Formulas, as MCMAS groups them.
//!
//! | operators, tightest first | groups |
//! |---|---|
//! | `A E X F G AX ... <g>X` and their kin | |
//! | after `LTL` and `CTL*`: `U` | to the left |
//! | `!` | after `LTL` and `CTL*`, `!p U q` is `!(p U q)`, as in MCMAS |
//! | `and` | |
//! | `or` | |
//! | `->` | to the right |
//! | `<->` | to the right |
//! | without a prefix: `U`, once between parentheses | `A(p and q U r)` is `A((p and q) U r)` |
//!
//! Beyond MCMAS the other operators of the common logic are read: `W R` beside `U`, the past (`Y P H S AY EY AH EP`),
//! `KH`, `does(Agent.action)`, `true`, `false`, and comparisons such as `Agent.x = 3`. None of these words is taken
//! away from those who use it as a name: a declared proposition of that name is meant wherever no operand follows.

mod acts;
mod terms;
mod words;

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_logic::{Binary, Formula, Kind, Unary};
use servanda_model::Model;
use servanda_syntax::{Code, Diagnostic, Findings, Span, Token, has_errors};

use crate::cursor::Cursor;
use crate::token::lex;

/// Highest tree that is built; what walks a formula needs stack in proportion.
const HIGHEST_TREE: u32 = 2000;

/// Operands of `and` and `or` up to which a chain leans to the left. A longer one is balanced, to keep its tree low.
const LONGEST_CHAIN: usize = 200;

/// Reads one formula of a file.
pub(crate) fn parse_range(
    text: &str,
    tokens: &[Token],
    range: Range<usize>,
    model: &Model,
    excused: &FxHashSet<Arc<str>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Formula> {
    let cursor = Cursor::between(text, tokens, range);
    let mut parser = Parser { cursor, model, excused, mode: Mode::Branching };
    let formula = parser.whole();
    let sound = !has_errors(&parser.cursor.diagnostics);
    diagnostics.append(&mut parser.cursor.diagnostics);
    // A name that is unknown because its declaration could not be read gives no formula and no further report.
    formula.filter(|_| sound)
}

/// Reads a formula that stands alone.
pub(crate) fn parse_alone(text: &str, model: &Model) -> Result<Formula, Vec<Diagnostic>> {
    let (tokens, mut diagnostics) = lex(text);
    let mut end = tokens.len().saturating_sub(1);
    // A semicolon, as files have it, does no harm.
    if end > 0 && tokens[end - 1].kind.is(";") {
        end -= 1;
    }
    let formula = parse_range(text, &tokens, 0..end, model, &FxHashSet::default(), &mut diagnostics);
    match formula {
        Some(formula) if !has_errors(&diagnostics) => Ok(formula),
        _ => Err(diagnostics),
    }
}

/// How `U` and `!` group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// CTL and ATL: no prefix.
    Branching,
    /// After `LTL` or `CTL*`.
    Path,
}

const EQUIVALENCE: u8 = 0;
const IMPLICATION: u8 = 1;
const DISJUNCTION: u8 = 2;
const CONJUNCTION: u8 = 3;
const UNTIL: u8 = 4;

struct Parser<'a> {
    cursor: Cursor<'a>,
    model: &'a Model,
    excused: &'a FxHashSet<Arc<str>>,
    mode: Mode,
}

impl Parser<'_> {
    fn whole(&mut self) -> Option<Formula> {
        let start = self.cursor.span();
        let mut linear = false;
        if self.cursor.at("LTL") && self.operand_follows() {
            linear = true;
            self.mode = Mode::Path;
            self.cursor.bump();
        } else if self.cursor.at("CTL") && self.cursor.at_nth(1, "*") {
            self.mode = Mode::Path;
            self.cursor.bump();
            self.cursor.bump();
        }
        let formula = self.path()?;
        if !self.cursor.at_end() {
            return self.cursor.unexpected("an operator or the end of the formula");
        }
        if linear {
            let span = start.to(formula.span());
            return Some(Formula::new(Kind::Unary(Unary::ForAll, formula), span));
        }
        Some(formula)
    }

    /// A formula with perhaps a loose `U` in it.
    fn path(&mut self) -> Option<Formula> {
        let left = self.operators(EQUIVALENCE)?;
        match self.until() {
            Some(op) if self.mode == Mode::Branching => {
                let start = self.cursor.bump();
                self.no_bound(start)?;
                let right = self.operators(EQUIVALENCE)?;
                if self.until().is_some() {
                    let help = "say with parentheses how these belong together".to_owned();
                    return self.cursor.unexpected_with("`)`", Some(help));
                }
                self.grown(left.binary(op, right))
            }
            _ => Some(left),
        }
    }

    /// A bound, as in `AF<=3 p`, counts ticks, which no ISPL model has.
    fn no_bound(&mut self, operator: Span) -> Option<()> {
        if !self.cursor.at("<=") {
            return Some(());
        }
        let place = operator.to(self.cursor.span());
        let error = Diagnostic::error(Code::NoClock, "this counts ticks, and there is no clock", place);
        self.cursor.diagnostics.refuse(error.help("time passes where a Pact file declares a `clock`"))
    }

    /// The operator with two operands that stands here, of those that refer to a path.
    fn until(&self) -> Option<Binary> {
        let path =
            |op: &Binary| matches!(op, Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since);
        Binary::written(self.cursor.word(0)?).filter(path)
    }

    fn infix(&self) -> Option<(Binary, u8)> {
        match self.cursor.spelling(0) {
            "->" => Some((Binary::Implies, IMPLICATION)),
            "<->" => Some((Binary::Iff, EQUIVALENCE)),
            "and" => Some((Binary::And, CONJUNCTION)),
            "or" => Some((Binary::Or, DISJUNCTION)),
            _ if self.mode == Mode::Path => Some((self.until()?, UNTIL)),
            _ => None,
        }
    }

    /// Operands joined by operators that bind at least as tightly as `loosest`.
    fn operators(&mut self, loosest: u8) -> Option<Formula> {
        let mut left = self.operand()?;
        while let Some((op, level)) = self.infix().filter(|(_, level)| *level >= loosest) {
            if matches!(op, Binary::And | Binary::Or) {
                left = self.chain(left, op, level)?;
                continue;
            }
            let start = self.cursor.bump();
            self.no_bound(start)?;
            let to_the_right = matches!(op, Binary::Implies | Binary::Iff);
            let loosest = if to_the_right { level } else { level + 1 };
            let right = self.nested(|parser| parser.operators(loosest))?;
            left = self.grown(left.binary(op, right))?;
        }
        Some(left)
    }

    /// `a and b and c ...`, from the first operator on.
    fn chain(&mut self, first: Formula, op: Binary, level: u8) -> Option<Formula> {
        let mut operands = vec![first];
        while self.infix() == Some((op, level)) {
            self.cursor.bump();
            operands.push(self.operators(level + 1)?);
        }
        let formula = if operands.len() <= LONGEST_CHAIN {
            operands.into_iter().reduce(|left, right| left.binary(op, right))?
        } else {
            balanced(&operands, op)?
        };
        self.grown(formula)
    }

    fn grown(&mut self, formula: Formula) -> Option<Formula> {
        if formula.height() <= HIGHEST_TREE {
            return Some(formula);
        }
        let error = Diagnostic::error(Code::FormulaTooLong, "this formula is too long", formula.span());
        self.cursor.diagnostics.refuse(error.help("give parts of it names in `Evaluation`"))
    }

    fn operand(&mut self) -> Option<Formula> {
        let start = self.cursor.span();
        match self.cursor.spelling(0) {
            "(" => self.enclosed(")"),
            "[" => self.enclosed("]"),
            "!" => {
                self.cursor.bump();
                let operand = match self.mode {
                    Mode::Branching => self.prefixed()?,
                    Mode::Path => self.nested(|parser| parser.operators(UNTIL))?,
                };
                self.unary(Unary::Not, operand, start)
            }
            "<" => self.strategy(start),
            "-" => self.comparison(start),
            _ if self.cursor.number().is_some() => self.comparison(start),
            _ if self.cursor.word(0).is_some() => self.word(start),
            _ => self.cursor.unexpected("a formula"),
        }
    }

    /// The operand of an operator with one operand.
    fn prefixed(&mut self) -> Option<Formula> {
        self.nested(Self::operand)
    }

    /// Runs a rule one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.cursor.deeper()?;
        let result = rule(self)?;
        self.cursor.shallower();
        Some(result)
    }

    fn unary(&mut self, op: Unary, operand: Formula, start: Span) -> Option<Formula> {
        let span = start.to(operand.span());
        self.grown(Formula::new(Kind::Unary(op, operand), span))
    }

    fn enclosed(&mut self, close: &'static str) -> Option<Formula> {
        let start = self.cursor.bump();
        let inner = self.nested(Self::path)?;
        if self.cursor.eat(close) {
            return Some(inner);
        }
        self.cursor.missing(&format!("`{close}`"), start, "opened here")
    }
}

fn balanced(operands: &[Formula], op: Binary) -> Option<Formula> {
    match operands {
        [] => None,
        [one] => Some(one.clone()),
        _ => {
            let (left, right) = operands.split_at(operands.len().div_ceil(2));
            Some(balanced(left, op)?.binary(op, balanced(right, op)?))
        }
    }
}
