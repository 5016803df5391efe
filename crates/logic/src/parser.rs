//! The parser of formulas, which languages containing formulas build on.
//!
//! Operators, tightest first. Everything of one row binds equally tightly.
//!
//! | operators | written | groups |
//! |---|---|---|
//! | names, constants, `in s`, `SC(..)`, acts, `does(..)`, `K(..)`, `(..)`, `min(a, b)`, `sum i in 1..3 : e`, `if φ then a else b` | around their parts | |
//! | minus | `-e` | |
//! | product | `* / %` | to the left |
//! | sum | `+ -` | to the left |
//! | comparison | `= != < <= > >=` | not at all: `a < b < c` is an error |
//! | one operand | `! not ? X F G Y P H A E AX EX AF EF AG EG AY EY AH EP <g>X <g>F <g>G F<=k G<=k AF<=k EF<=k AG<=k EG<=k` | `AG x = 1` is `AG (x = 1)` |
//! | temporal | `U W R S so U<=k` | to the right |
//! | conjunction | `& and` | to the left |
//! | disjunction | <code>&#124; or</code> | to the left |
//! | implication | `->` | to the right |
//! | equivalence | `<->` | to the right |
//!
//! `any i in 1..3 : φ` and `all i in 1..3 : φ` stand where an operator with one operand may stand, and their bodies
//! extend as far to the right as possible, as does what stands behind `else`. The body of `sum` ends before a comparison.
//!
//! All words are contextual. `if` is a name where no operand and `then` follow it. A word that names an operator is an ordinary name where no operand follows it (`x = A`),
//! and a word that takes arguments is one where no parenthesis does (`K & p`).
//!
//! After a mistake between parentheses the parser goes on behind them, so one reading finds several mistakes.

mod conditional;
mod formula;
mod slips;
mod term;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use servanda_syntax::{Code, Cursor, Diagnostic, Span, Token, TokenKind, has_errors};

use crate::act::ActKind;
use crate::lexer::lex_at;
use crate::tree::Formula;

/// Deepest nesting that is read: each level costs stack here and in everything that walks the formula.
const DEEPEST_NESTING: usize = 200;

/// Highest tree that is built; long chains such as `a & b & ...` grow a tree without nesting.
const HIGHEST_TREE: u32 = 1000;

/// Reads a formula; the whole text must belong to it.
///
/// ```
/// use servanda_logic::parse_formula;
///
/// assert!(parse_formula("AG (request -> AF grant)").is_ok());
/// assert_eq!(parse_formula("AG+ (request => AF grant)").unwrap().to_string(), "AG (request -> AF grant)");
/// let errors = parse_formula("AG (request implies AF grant)").unwrap_err();
/// assert_eq!(errors[0].help.as_deref(), Some("write `->` for implication"));
/// ```
pub fn parse_formula(text: &str) -> Result<Formula, Vec<Diagnostic>> {
    let mut parser = Parser::new(text);
    let formula = parser.formula();
    if formula.is_some() && !parser.at_end() {
        parser.unexpected::<()>("the end of the formula");
    }
    let diagnostics = parser.into_diagnostics();
    match formula {
        Some(formula) if !has_errors(&diagnostics) => Ok(formula),
        _ => Err(diagnostics),
    }
}

/// A cursor over the tokens of a text, with the rules for formulas and their parts.
///
/// A rule that returns `None` has reported why. A rule that returns something may have reported as well, when it could
/// go on after a mistake; what it returns is then a stand-in, so look at the diagnostics before using it.
pub struct Parser<'t> {
    cursor: Cursor<'t>,
    depth: usize,
    /// How many conditionals are being read whose `then` or `else` is still to come.
    conditionals: usize,
    statement_words: &'static [&'static str],
    /// A formula is not read because it is too high a tree; its enclosing levels have nothing to add.
    refusing: bool,
}

impl<'t> Deref for Parser<'t> {
    type Target = Cursor<'t>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

/// Why there is nothing to return; both have been reported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// The closing parenthesis was found and stepped over.
    Recovered,
    /// There was none.
    Lost,
}

impl<'t> Parser<'t> {
    /// Starts at the first token of `text`.
    pub fn new(text: &'t str) -> Self {
        Parser::at_offset(text, 0)
    }

    /// The same for a text whose places count from `base`: one that another text uses.
    pub fn at_offset(text: &'t str, base: usize) -> Self {
        let (tokens, diagnostics) = lex_at(text, base);
        let cursor = Cursor::new(text, tokens, DEEPEST_NESTING, slips::found).at_offset(base);
        let cursor = cursor.quiet_after(diagnostics);
        Parser { cursor, depth: 0, conditionals: 0, statement_words: &[], refusing: false }
    }

    /// Words that begin a statement when they begin a line: after a mistake the search for a closing parenthesis
    /// stops there, so that one unclosed parenthesis does not hide the rest of a file.
    #[must_use]
    pub fn with_statement_words(mut self, words: &'static [&'static str]) -> Self {
        self.statement_words = words;
        self
    }

    /// The first symbol spelled so that lies within a span already read, for messages that look back.
    pub fn find_within(&self, symbol: &str, span: Span) -> Option<Span> {
        let inside = |place: Span| span.start <= place.start && place.end <= span.end;
        self.tokens().iter().find(|token| inside(token.span) && token.kind.is(symbol)).map(|token| token.span)
    }

    /// Is the current token the name of an act, or `Act`, with arguments after it?
    pub fn at_act(&self) -> bool {
        let is_act = |word: &str| word == "Act" || ActKind::from_name(word).is_some();
        self.at_nth(1, "(") && self.word(0).is_some_and(is_act)
    }

    /// The number `ahead` tokens from here, if one stands there. One that is too large has been reported.
    pub fn number(&self, ahead: usize) -> Option<i64> {
        number(self, ahead)
    }

    /// Reads any word as a name; `what` says what the name would be of.
    pub fn name(&mut self, what: &str) -> Option<(Arc<str>, Span)> {
        match self.word(0) {
            Some(word) if !word.ends_with(['-', '+']) => Some((Arc::from(word), self.bump())),
            _ => self.unexpected(what),
        }
    }

    /// Reads one thing or several with commas between them.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// Reads what follows a word or symbol, if that stands here.
    pub fn after_any<T>(
        &mut self,
        text: &str,
        rule: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.eat(text) { rule(self).map(Some) } else { Some(None) }
    }

    /// What has been found, in the order of the text.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.into_parts().1
    }

    /// The tokens, and what has been found, in the order of the text.
    pub fn into_parts(self) -> (Vec<Token>, Vec<Diagnostic>) {
        let (tokens, mut diagnostics) = self.cursor.into_parts();
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        (tokens, diagnostics)
    }

    /// Runs a rule one level deeper, or reports that the text is nested too deeply.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST_NESTING {
            return self.give_up(
                Diagnostic::error(Code::NestingTooDeep, "this is nested too deeply", self.span())
                    .help(format!("give parts of it names; {DEEPEST_NESTING} levels are read")),
            );
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// Reports something after which the formula is not read. Every enclosing level fails as well, and none of them has anything more to
    /// say. What comes after the statement is read.
    #[cold]
    fn give_up<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.report(error);
        self.refusing = true;
        while !self.at_end() {
            self.bump();
            if self.word(0).is_some_and(|word| self.begins_statement(word, 0))
                || (self.at("}") && self.starts_line(0))
            {
                break;
            }
        }
        None
    }

    /// Was the formula that could not be read too high a tree? Then that has been reported last, and nothing is wrong with it otherwise.
    pub fn was_refused(&mut self) -> bool {
        std::mem::take(&mut self.refusing)
    }

    /// Checks that a chain of operators has not grown too high a tree.
    fn grown(&mut self, formula: Formula) -> Option<Formula> {
        if formula.height() <= HIGHEST_TREE {
            return Some(formula);
        }
        let error = Diagnostic::error(Code::FormulaTooLong, "this formula is too long", self.previous_span());
        self.give_up(
            error.help(format!(
                "give parts of it names; {HIGHEST_TREE} operators are read within one another"
            )),
        )
    }

    /// Steps over the opening token, runs `inside` and wants the closing token. After a mistake everything up to the
    /// closing token is skipped.
    fn enclosed<T>(
        &mut self,
        close: &str,
        inside: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<T, Failure> {
        let open = self.bump();
        // Between brackets no `then` of a conditional outside can stand.
        let conditionals = std::mem::take(&mut self.conditionals);
        let value = self.nested(inside);
        self.conditionals = conditionals;
        if let Some(value) = value {
            if self.eat(close) {
                return Ok(value);
            }
            self.missing::<()>(&format!("`{close}`"), open, "opened here");
        } else if self.refusing {
            return Err(Failure::Lost);
        }
        let ahead = self.closing(0).ok_or(Failure::Lost)?;
        self.skip(ahead);
        let recovered = self.at(close);
        self.bump();
        Err(if recovered { Failure::Recovered } else { Failure::Lost })
    }

    /// Does a statement begin so far ahead, with a word that begins a line?
    fn begins_statement(&self, word: &str, ahead: usize) -> bool {
        let begins = self.statement_words.contains(&word) || self.at_nth(ahead + 1, "--");
        begins && self.word(ahead).is_some() && self.starts_line(ahead)
    }

    /// How far ahead the first closing token stands that no opening token at or after `from` belongs to.
    fn closing(&self, from: usize) -> Option<usize> {
        let mut open = 0_usize;
        for ahead in from.. {
            match self.spelling(ahead) {
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => match open {
                    0 => return Some(ahead),
                    _ => open -= 1,
                },
                "" | "-->" | ";" => return None,
                word if ahead > 0 && self.begins_statement(word, ahead) => return None,
                _ => {}
            }
        }
        None
    }
}

fn number(cursor: &Cursor<'_>, ahead: usize) -> Option<i64> {
    let number = cursor.kind(ahead) == TokenKind::Number;
    number.then(|| cursor.spelling(ahead).parse().unwrap_or(i64::MAX))
}
