//! The parser of formulas, and the token cursor that languages containing formulas build on.
//!
//! Operators, tightest first. Everything of one row binds equally tightly.
//!
//! | operators | written | groups |
//! |---|---|---|
//! | names, constants, `in s`, `SC(..)`, acts, `does(..)`, `K(..)`, `(..)`, `sum i in 1..3 : e` | around their parts | |
//! | minus | `-e` | |
//! | product | `* / %` | to the left |
//! | sum | `+ -` | to the left |
//! | comparison | `= != < <= > >=` | not at all: `a < b < c` is an error |
//! | one operand | `! not ? X F G Y P H A E AX EX AF EF AG EG AY EY AH EP <g>X <g>F <g>G` | `AG x = 1` is `AG (x = 1)` |
//! | temporal | `U W R S so` | to the right |
//! | conjunction | `& and` | to the left |
//! | disjunction | <code>&#124; or</code> | to the left |
//! | implication | `->` | to the right |
//! | equivalence | `<->` | to the right |
//!
//! `any i in 1..3 : φ` and `all i in 1..3 : φ` stand where an operator with one operand may stand, and their bodies
//! extend as far to the right as possible. The body of `sum` ends before a comparison.
//!
//! All words are contextual. A word that names an operator is an ordinary name where no operand follows it (`x = A`),
//! and a word that takes arguments is one where no parenthesis does (`K & p`).
//!
//! After a mistake between parentheses the parser goes on behind them, so one reading finds several mistakes.

mod formula;
mod term;

pub(crate) use formula::is_operator_word;

use std::sync::Arc;

use servanda_syntax::{Code, Diagnostic, Span, has_errors};

use crate::act::ActKind;
use crate::lexer::lex;
use crate::token::{Token, TokenKind};
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
/// let errors = parse_formula("AG (request => AF grant)").unwrap_err();
/// assert_eq!(errors[0].help.as_deref(), Some("write `->` for implication or `>=` for comparison"));
/// ```
pub fn parse_formula(text: &str) -> Result<Formula, Vec<Diagnostic>> {
    let mut parser = Parser::new(text);
    let formula = parser.formula();
    if formula.is_some() && !parser.at(&TokenKind::End) {
        parser.unexpected("the end of the formula");
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
pub struct Parser {
    tokens: Vec<Token>,
    position: usize,
    depth: usize,
    diagnostics: Vec<Diagnostic>,
    /// Places the lexer complained about; an unexpected token right after one is no news.
    unread: Vec<Span>,
    statement_words: &'static [&'static str],
}

/// Why there is nothing to return; both have been reported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// The closing parenthesis was found and stepped over.
    Recovered,
    /// There was none.
    Lost,
}

impl Parser {
    /// Starts at the first token of `text`.
    pub fn new(text: &str) -> Self {
        let (tokens, diagnostics) = lex(text);
        let unread = diagnostics.iter().map(|diagnostic| diagnostic.span).collect();
        Parser { tokens, position: 0, depth: 0, diagnostics, unread, statement_words: &[] }
    }

    /// Words that begin a statement when they begin a line: after a mistake the search for a closing parenthesis
    /// stops there, so that one unclosed parenthesis does not hide the rest of a file.
    #[must_use]
    pub fn with_statement_words(mut self, words: &'static [&'static str]) -> Self {
        self.statement_words = words;
        self
    }

    /// The current token's kind.
    pub fn peek(&self) -> &TokenKind {
        self.peek_nth(0)
    }

    /// The kind of the token `n` after the current one; past the end, the end.
    pub fn peek_nth(&self, n: usize) -> &TokenKind {
        &self.nth(n).kind
    }

    /// The current token.
    pub fn token(&self) -> &Token {
        self.nth(0)
    }

    fn nth(&self, n: usize) -> &Token {
        // The list is never empty: its last token is the end of the text.
        &self.tokens[(self.position + n).min(self.tokens.len() - 1)]
    }

    /// Where the current token stands.
    pub fn span(&self) -> Span {
        self.token().span
    }

    /// The first token of a kind that lies within a span already read, for messages that look back.
    pub fn find_within(&self, kind: &TokenKind, span: Span) -> Option<Span> {
        let inside = |token: &&Token| span.start <= token.span.start && token.span.end <= span.end;
        self.tokens.iter().filter(inside).find(|token| token.kind == *kind).map(|token| token.span)
    }

    /// Where the token before the current one stands; at the very start, where the text starts.
    pub fn previous_span(&self) -> Span {
        match self.position {
            0 => Span::default(),
            position => self.tokens[position - 1].span,
        }
    }

    /// Returns the current token and moves on, but never past the end.
    pub fn bump(&mut self) -> Token {
        let token = self.token().clone();
        self.step();
        token
    }

    fn step(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }

    /// Is the current token of this kind?
    pub fn at(&self, kind: &TokenKind) -> bool {
        self.peek() == kind
    }

    /// Is the current token this word?
    pub fn at_word(&self, word: &str) -> bool {
        self.peek().as_word() == Some(word)
    }

    /// Is the current token the name of an act, or `Act`, with arguments after it?
    pub fn at_act(&self) -> bool {
        self.peek_nth(1) == &TokenKind::LeftParen
            && self.peek().as_word().is_some_and(|word| word == "Act" || ActKind::from_name(word).is_some())
    }

    /// Steps over a token of this kind, if it is the current one.
    pub fn eat(&mut self, kind: &TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.step();
        }
        found
    }

    /// Steps over this word, if it is the current token.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.step();
        }
        found
    }

    /// Steps over a token of this kind, or reports that it is missing.
    pub fn expect(&mut self, kind: &TokenKind) -> Option<Span> {
        let span = self.span();
        if self.eat(kind) {
            return Some(span);
        }
        self.unexpected(&kind.described());
        None
    }

    /// Reads any word as a name; `what` says what the name would be of.
    pub fn word(&mut self, what: &str) -> Option<(Arc<str>, Span)> {
        match self.peek() {
            TokenKind::Word(word) if !word.ends_with(['-', '+']) => {
                let found = (Arc::from(word.as_str()), self.span());
                self.step();
                Some(found)
            }
            _ => {
                self.unexpected(what);
                None
            }
        }
    }

    /// Adds a finding.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports that the current token is not what was expected, unless something unreadable stands right before it:
    /// then that has been reported and this would only repeat it.
    pub fn unexpected(&mut self, expected: &str) {
        let (gap, token) = (self.previous_span().end, self.token());
        let first = self.unread.partition_point(|span| span.end <= gap);
        if self.unread.get(first).is_some_and(|span| span.start <= token.span.start) {
            return;
        }
        let message = format!("expected {expected}, found {}", token.kind.described());
        let error = Diagnostic::error(Code::UnexpectedToken, message, token.span);
        let error = match self.slip() {
            Some(help) => error.help(help),
            None => error,
        };
        self.report(error);
    }

    /// Advice for spellings of other notations, here or just before.
    fn slip(&self) -> Option<String> {
        let before = self.position.checked_sub(1).and_then(|position| self.tokens[position].kind.as_word());
        let here = match self.peek() {
            TokenKind::Word(word) => match word.as_str() {
                "AND" | "And" => Some("`&` or `and` for conjunction"),
                "OR" | "Or" => Some("`|` or `or` for disjunction"),
                "implies" | "IMPLIES" => Some("`->` for implication"),
                "iff" | "IFF" => Some("`<->` for equivalence"),
                "until" | "UNTIL" => Some("`U` for until"),
                "since" => Some("`S` for since"),
                "release" | "releases" => Some("`R` for release"),
                "mod" => Some("`%` for the remainder"),
                _ => None,
            },
            TokenKind::Equivalent => Some("`<->` for equivalence"),
            _ => None,
        };
        let before = || match before? {
            "NOT" | "Not" => Some("`!` or `not` for negation"),
            "always" | "globally" => Some("`G` (or `AG`) for always"),
            "eventually" | "finally" => Some("`F` (or `AF`, `EF`) for eventually"),
            "next" => Some("`X` for next"),
            "forall" => Some("`all i in 1..N : ...` for all values, `A` for all paths"),
            "U" | "W" | "R" | "S" | "so" | "U-" | "U+" => Some("a formula on both sides of the operator"),
            "exists" => Some("`any i in 1..N : ...` for some value, `E` for some path"),
            _ => None,
        };
        here.or_else(before).map(|advice| format!("write {advice}"))
    }

    /// What has been found so far, in the order it was reported.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What has been found, in the order of the text.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        diagnostics
    }

    /// Runs a rule one level deeper, or reports that the text is nested too deeply.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST_NESTING {
            self.too_deep();
            return None;
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    #[cold]
    fn too_deep(&mut self) {
        let error = Diagnostic::error(Code::NestingTooDeep, "this is nested too deeply", self.span());
        self.report(error.help(format!("give parts of it names; {DEEPEST_NESTING} levels are read")));
        // Every enclosing level fails as well; from the end none of them finds anything more to say.
        self.position = self.tokens.len() - 1;
    }

    /// Checks that a chain of operators has not grown too high a tree.
    fn grown(&mut self, formula: Formula) -> Option<Formula> {
        if formula.height() <= HIGHEST_TREE {
            return Some(formula);
        }
        let error = Diagnostic::error(Code::FormulaTooLong, "this formula is too long", self.previous_span());
        self.report(error.help("group the operands of long chains with parentheses"));
        self.position = self.tokens.len() - 1;
        None
    }

    /// Steps over the opening token, runs `inside` and wants the closing token. After a mistake everything up to the
    /// closing token is skipped.
    fn enclosed<T>(
        &mut self,
        close: &TokenKind,
        inside: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<T, Failure> {
        let open = self.bump();
        let result = self.nested(inside);
        if let Some(value) = result {
            if self.eat(close) {
                return Ok(value);
            }
            let before = self.diagnostics.len();
            self.unexpected(&close.described());
            if let Some(error) = self.diagnostics[before..].last_mut() {
                error
                    .labels
                    .push(servanda_syntax::Label { span: open.span, message: "opened here".to_string() });
            }
        }
        match self.closing(0) {
            Some(ahead) => {
                self.position += ahead;
                let found = self.bump();
                if &found.kind == close { Err(Failure::Recovered) } else { Err(Failure::Lost) }
            }
            None => Err(Failure::Lost),
        }
    }

    /// How far ahead the first closing token stands that no opening token at or after `from` belongs to.
    fn closing(&self, from: usize) -> Option<usize> {
        let mut open = 0_usize;
        for ahead in from.. {
            let token = self.nth(ahead);
            match &token.kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => open += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => match open {
                    0 => return Some(ahead),
                    _ => open -= 1,
                },
                TokenKind::End | TokenKind::LongArrow | TokenKind::Semicolon => return None,
                TokenKind::Word(word) if token.starts_line && ahead > 0 => {
                    let statement = self.statement_words.contains(&word.as_str());
                    if statement || self.peek_nth(ahead + 1) == &TokenKind::Dashes {
                        return None;
                    }
                }
                _ => {}
            }
        }
        None
    }
}
