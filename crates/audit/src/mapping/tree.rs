//! Expressions of mappings as they are written.

use servanda_syntax::{Code, Cursor, Diagnostic, Scanner, Span, Symbol, Text, Token, TokenKind};

/// How deep expressions may be nested.
const DEEPEST: usize = 100;

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
}

impl Operator {
    /// How it is written.
    pub(crate) fn sign(self) -> &'static str {
        let all = LEVELS.iter().flat_map(|level| level.iter());
        all.copied().find(|(_, operator)| *operator == Some(self)).map_or("", |(sign, _)| sign)
    }
}

/// All of them as they are written, those that bind least first.
const LEVELS: [&[(&str, Option<Operator>)]; 4] = [
    &[("|", None)],
    &[("&", None)],
    &[
        ("=", Some(Operator::Equal)),
        ("!=", Some(Operator::NotEqual)),
        ("<", Some(Operator::Less)),
        ("<=", Some(Operator::LessOrEqual)),
        (">", Some(Operator::Greater)),
        (">=", Some(Operator::GreaterOrEqual)),
    ],
    &[("+", Some(Operator::Plus)), ("-", Some(Operator::Minus))],
];

/// The level of comparisons, which are not chained.
const COMPARISONS: usize = 2;

/// An expression with its place in the mapping.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) kind: TreeKind,
    pub(crate) span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum TreeKind {
    Name(String),
    Text(String),
    Number(String),
    Truth(bool),
    Not(Box<Tree>),
    /// `a & b & c`
    All(Vec<Tree>),
    /// `a | b | c`
    Any(Vec<Tree>),
    Binary(Operator, Box<Tree>, Box<Tree>),
    Call(String, Vec<Tree>),
}

/// Reads an expression; `base` is the place of its first byte, or `None` where it is written with escapes and only the whole can be
/// pointed at.
pub(crate) fn parse(text: &Text, as_written: bool, found: &mut Vec<Diagnostic>) -> Option<Tree> {
    let base = text.span.start as usize;
    let (tokens, unread) = Scanner::tokens_at(&text.text, base, step);
    let broken = !unread.is_empty();
    let cursor = Cursor::new(&text.text, tokens, DEEPEST, what).at_offset(base).quiet_after(unread);
    let mut parser = Parser { cursor };
    let tree = parser.binary(0).filter(|_| parser.cursor.at_end() || parser.rest());
    for mut diagnostic in parser.cursor.diagnostics {
        if !as_written {
            diagnostic.span = text.span;
        }
        found.push(diagnostic);
    }
    let mut tree = tree.filter(|_| !broken)?;
    if !as_written {
        tree.place(text.span);
    }
    Some(tree)
}

/// The tokens of an expression, those that cannot be read included; `base` is the place of its first byte.
pub(super) fn tokens(text: &str, base: usize) -> Vec<Token> {
    let (mut tokens, _) = Scanner::tokens_at(text, base, step);
    tokens.retain(|token| token.kind != TokenKind::End);
    tokens
}

/// Reads what starts with a character.
fn step(scanner: &mut Scanner<'_>, next: char) {
    match next {
        ' ' | '\t' | '\n' | '\r' => {
            scanner.take(1);
        }
        '"' => text_token(scanner),
        '0'..='9' => {
            let length = scanner.run_of(|c| c.is_ascii_alphanumeric() || c == '.');
            if !crate::read::is_number(&scanner.rest()[..length]) {
                let span = scanner.span(length);
                scanner.report(Diagnostic::error(Code::BadNumber, "this is no number", span));
            }
            scanner.push(TokenKind::Number, length);
        }
        _ if next.is_alphabetic() || next == '_' => {
            let length = scanner.run_of(|c| c.is_alphanumeric() || c == '_');
            scanner.push(TokenKind::Word, length);
        }
        _ => {
            let rest = scanner.rest();
            let written = [2, 1].into_iter().filter_map(|length| rest.get(..length)).find(|written| {
                ["(", ")", ",", "!"].contains(written)
                    || LEVELS.iter().any(|level| level.iter().any(|(text, _)| text == written))
            });
            match written.and_then(|written| Some((Symbol::spelled(written)?, written.len()))) {
                Some((symbol, length)) => scanner.push(TokenKind::Symbol(symbol), length),
                None => scanner.unknown(
                    next,
                    match next {
                        '\'' => Some("texts stand between `\"`"),
                        '~' => Some("write `matches(text, \"PATTERN\")`"),
                        _ => None,
                    },
                ),
            }
        }
    }
}

fn text_token(scanner: &mut Scanner<'_>) {
    let rest = scanner.rest().as_bytes();
    let mut at = 1;
    while at < rest.len() && rest[at] != b'"' {
        at += if rest[at] == b'\\' && matches!(rest.get(at + 1), Some(b'"' | b'\\')) { 2 } else { 1 };
    }
    if at >= rest.len() {
        let length = scanner.rest().len();
        let span = scanner.span(length);
        scanner.report(Diagnostic::error(Code::UnexpectedToken, "this text has no end", span));
        scanner.push(TokenKind::Broken, length);
    } else {
        scanner.push(TokenKind::Text, at + 1);
    }
}

fn what(cursor: &Cursor<'_>) -> Option<(String, Option<String>, Span)> {
    let found = match cursor.kind(0) {
        TokenKind::End => "the end".to_owned(),
        TokenKind::Broken => return None,
        _ => format!("`{}`", cursor.spelling(0)),
    };
    Some((found, meant(cursor), cursor.span()))
}

/// Which sign is meant by one that other languages have.
fn meant(cursor: &Cursor<'_>) -> Option<String> {
    let word = |word: Option<&str>| word.map(str::to_ascii_lowercase);
    let twice = |sign: &str| cursor.at(sign) && cursor.after(sign);
    let (here, before) = (word(cursor.word(0)), word(cursor.previous_word()));
    let help = match (here.as_deref(), before.as_deref()) {
        _ if twice("=") => "write `=`, not `==`",
        _ if twice("&") => "write `&`, not `&&`",
        _ if twice("|") => "write `|`, not `||`",
        _ if cursor.at(">") && cursor.after("<") => "write `!=`, not `<>`",
        _ if cursor.at(">") && cursor.after("=") => "write `>=`, not `=>`",
        _ if cursor.at("<") && cursor.after("=") => "write `<=`, not `=<`",
        (Some("and"), _) => "write `&`, not `and`",
        (Some("or"), _) => "write `|`, not `or`",
        (_, Some("not")) => "write `!`, not `not`",
        (Some("not"), _) => "write `!(a = b)` or `a != b`",
        (Some("is" | "eq"), _) => "write `=`",
        (Some("in"), _) => "write `a = \"x\" | a = \"y\"`",
        _ => return None,
    };
    Some(help.to_owned())
}

struct Parser<'t> {
    cursor: Cursor<'t>,
}

impl Parser<'_> {
    /// Reports what follows an expression that could be read.
    fn rest(&mut self) -> bool {
        self.cursor.unexpected::<()>("an operator or the end").is_some()
    }

    fn binary(&mut self, level: usize) -> Option<Tree> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let first = self.binary(level + 1)?;
        if level < COMPARISONS {
            return self.joined(level, first);
        }
        let (mut left, mut before, mut count) = (first, None, 0);
        while let Some((_, Some(operator))) = operators.iter().find(|(text, _)| self.cursor.at(text)) {
            let place = self.cursor.bump();
            if let Some(before) = before.filter(|_| level == COMPARISONS) {
                let error = Diagnostic::error(Code::ChainedComparison, "comparisons are not chained", place);
                let error = error.label(before, "the first one").help("join two comparisons with `&`");
                self.cursor.report(error);
                return None;
            }
            before = Some(place);
            self.cursor.deeper()?;
            count += 1;
            let right = self.binary(level + 1)?;
            let span = left.span.to(right.span);
            left = Tree { kind: TreeKind::Binary(*operator, Box::new(left), Box::new(right)), span };
        }
        (0..count).for_each(|_| self.cursor.shallower());
        Some(left)
    }

    /// What `&` or `|` joins.
    fn joined(&mut self, level: usize, first: Tree) -> Option<Tree> {
        let sign = LEVELS[level][0].0;
        if !self.cursor.at(sign) {
            return Some(first);
        }
        let mut parts = vec![first];
        while self.cursor.eat(sign) {
            parts.push(self.binary(level + 1)?);
        }
        let span = parts[0].span.to(self.cursor.previous_span());
        let kind = if level == 0 { TreeKind::Any(parts) } else { TreeKind::All(parts) };
        Some(Tree { kind, span })
    }

    fn unary(&mut self) -> Option<Tree> {
        let start = self.cursor.span();
        if self.cursor.eat("!") {
            self.cursor.deeper()?;
            let inner = self.unary()?;
            self.cursor.shallower();
            let span = start.to(inner.span);
            return Some(Tree { kind: TreeKind::Not(Box::new(inner)), span });
        }
        if self.cursor.at("-") && self.cursor.kind(1) == TokenKind::Number {
            self.cursor.bump();
            let number = self.cursor.bump();
            let text = format!("-{}", self.cursor.slice(number));
            return Some(Tree { kind: TreeKind::Number(text), span: start.to(number) });
        }
        self.operand()
    }

    fn operand(&mut self) -> Option<Tree> {
        let span = self.cursor.span();
        let kind = match self.cursor.kind(0) {
            TokenKind::Number => {
                self.cursor.bump();
                TreeKind::Number(self.cursor.slice(span).to_owned())
            }
            TokenKind::Text => {
                self.cursor.bump();
                let written = self.cursor.slice(span);
                TreeKind::Text(unquoted(written.get(1..written.len() - 1).unwrap_or("")))
            }
            TokenKind::Word => {
                self.cursor.bump();
                match self.cursor.slice(span) {
                    "true" => TreeKind::Truth(true),
                    "false" => TreeKind::Truth(false),
                    name if self.cursor.at("(") => {
                        let arguments = self.arguments()?;
                        let whole = span.to(self.cursor.previous_span());
                        return Some(Tree { kind: TreeKind::Call(name.to_owned(), arguments), span: whole });
                    }
                    name => TreeKind::Name(name.to_owned()),
                }
            }
            _ if self.cursor.eat("(") => {
                self.cursor.deeper()?;
                let inner = self.binary(0)?;
                self.cursor.shallower();
                self.cursor.expect(")")?;
                return Some(inner);
            }
            _ => return self.cursor.unexpected("a value"),
        };
        Some(Tree { kind, span })
    }

    fn arguments(&mut self) -> Option<Vec<Tree>> {
        self.cursor.bump();
        let mut arguments = Vec::new();
        if self.cursor.eat(")") {
            return Some(arguments);
        }
        self.cursor.deeper()?;
        loop {
            arguments.push(self.binary(0)?);
            if !self.cursor.another(")")? {
                break;
            }
        }
        self.cursor.shallower();
        Some(arguments)
    }
}

/// `\"` is a quotation mark and `\\` a backslash; before anything else a backslash stands for itself, so that patterns stay as they are.
fn unquoted(written: &str) -> String {
    let mut text = String::new();
    let mut rest = written;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let (shown, length) = match rest.as_bytes().get(at + 1) {
            Some(b'"') => ("\"", 2),
            Some(b'\\') => ("\\", 2),
            _ => ("\\", 1),
        };
        text.push_str(shown);
        rest = rest.get(at + length..).unwrap_or("");
    }
    text + rest
}

impl Tree {
    /// Puts the whole of it at one place.
    fn place(&mut self, span: Span) {
        self.span = span;
        match &mut self.kind {
            TreeKind::Not(inner) => inner.place(span),
            TreeKind::Binary(_, left, right) => {
                left.place(span);
                right.place(span);
            }
            TreeKind::Call(_, parts) | TreeKind::All(parts) | TreeKind::Any(parts) => {
                parts.iter_mut().for_each(|part| part.place(span));
            }
            TreeKind::Name(_) | TreeKind::Text(_) | TreeKind::Number(_) | TreeKind::Truth(_) => {}
        }
    }
}
