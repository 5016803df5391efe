//! Definitions: from tokens to a [`File`].
//!
//! Sets are read first, since `P \ Name` means one thing where `Name` is a set and another where it is not.

mod process;

use servanda_syntax::{Code, Cursor, Diagnostic, Findings, Span, Token, TokenKind};

use crate::file::{File, Process, Reference, Set};
use crate::token::begins_definition;
use crate::words::Word;

/// Deepest nesting that is read: each level costs stack.
const DEEPEST_NESTING: usize = 400;

/// Words that are no names.
pub(crate) const RESERVED: [&str; 5] = ["nil", "proc", "set", "t", "tau"];

/// The names of the internal step.
pub(crate) fn is_internal(word: &str) -> bool {
    matches!(word, "tau" | "t")
}

/// Reads a file. What cannot be read is reported and left out.
pub(crate) fn parse(text: &str, tokens: &[Token]) -> (File, Vec<Diagnostic>) {
    let cursor = Cursor::new(text, tokens, DEEPEST_NESTING, found);
    let mut parser = Parser { cursor, file: File::default(), references: Vec::new() };
    parser.beginning();
    let mut processes = Vec::new();
    while !parser.cursor.at_end() {
        if parser.cursor.word(0) == Some("set") {
            parser.cursor.bump();
            if parser.set().is_some() && !parser.at_border() {
                parser.cursor.unexpected::<()>("the next definition");
            }
        } else {
            processes.push(parser.cursor.position());
            parser.cursor.bump();
        }
        parser.skip_to_border();
    }
    for position in processes {
        parser.cursor.go_to(position + 1);
        parser.process_definition();
    }
    (parser.file, std::mem::take(&mut parser.cursor.diagnostics))
}

pub(crate) struct Parser<'t> {
    pub(crate) cursor: Cursor<'t>,
    pub(crate) file: File,
    /// The processes named in the current definition.
    pub(crate) references: Vec<Reference>,
}

/// The current token as messages name it; nothing where it was reported already.
fn found(cursor: &Cursor<'_>) -> Option<(String, Option<String>, Span)> {
    let found = format!("`{}`", cursor.spelling(0));
    Some(match cursor.kind(0) {
        TokenKind::Broken => return None,
        TokenKind::End => ("the end of the text".to_owned(), None, cursor.span()),
        TokenKind::Text => (found, None, inside(cursor.span())),
        _ => (found, None, cursor.span()),
    })
}

/// The place of a content without its parentheses.
fn inside(content: Span) -> Span {
    Span { start: content.start + 1, end: content.end - 1 }
}

impl Parser<'_> {
    /// Does a definition begin here, or the text end?
    fn at_border(&self) -> bool {
        self.cursor.at_end() || self.cursor.word(0).is_some_and(begins_definition)
    }

    /// Steps over everything up to the next definition.
    fn skip_to_border(&mut self) {
        while !self.at_border() {
            self.cursor.bump();
        }
    }

    /// Steps over what stands before the first definition, which should be nothing.
    fn beginning(&mut self) {
        if self.at_border() {
            return;
        }
        let help = match self.cursor.word(0) {
            Some("agent" | "Agent" | "bi") => "write `proc NAME = P`",
            Some("Set" | "basi") => "write `set NAME = {a, b}`",
            _ => "a definition is `proc NAME = P` or `set NAME = {a, b}`",
        };
        self.cursor.unexpected_with::<()>("`proc` or `set`", Some(help.to_owned()));
        self.skip_to_border();
    }

    /// A name that is being defined.
    fn defined_name(&mut self, what: &str) -> Option<(Word, Span)> {
        let Some(text) = self.cursor.word(0) else {
            return self.cursor.unexpected(&format!("the name of a {what}"));
        };
        let span = self.cursor.span();
        if RESERVED.contains(&text) || text.starts_with(|c: char| c.is_numeric()) {
            let message = format!("`{text}` cannot be the name of a {what}");
            let help = "a name begins with a letter; `nil`, `proc`, `set`, `t` and `tau` have a meaning";
            let error = Diagnostic::error(Code::ReservedName, message, span).help(help);
            return self.cursor.diagnostics.refuse(error);
        }
        self.cursor.bump();
        Some((self.file.words.add(text), span))
    }

    fn process_definition(&mut self) {
        let Some((name, span)) = self.defined_name("process") else { return };
        let number = self.file.processes.len();
        self.file.processes.push(Process { name, span, body: None, references: Vec::new() });
        let body = self.cursor.expect("=").and_then(|_| self.process());
        if body.is_some() && !self.at_border() {
            let help = (self.cursor.word(0).is_some() && self.cursor.at_nth(1, "="))
                .then(|| "every definition begins with `proc` or `set`".to_owned());
            self.cursor.unexpected_with::<()>("an operator or the next definition", help);
        }
        let references = std::mem::take(&mut self.references);
        let process = &mut self.file.processes[number];
        process.body = body;
        process.references = references;
    }

    fn set(&mut self) -> Option<()> {
        let (name, span) = self.defined_name("set")?;
        let names = self.cursor.expect("=").and_then(|_| self.names());
        if let Some(first) = self.file.sets.get(&name) {
            let message = format!("the set `{}` is defined twice", self.file.words.text(name));
            let error = Diagnostic::error(Code::DuplicateName, message, span);
            self.cursor.report(error.label(first.span, "first defined here"));
        } else {
            let names = names.iter().flatten().map(|(word, _)| *word).collect();
            self.file.sets.insert(name, Set { span, names });
        }
        names.map(drop)
    }

    /// Reads `{a, b}`.
    pub(crate) fn names(&mut self) -> Option<Vec<(Word, Span)>> {
        self.cursor.expect("{")?;
        let mut names: Vec<(Word, Span)> = Vec::new();
        let mut more = !self.cursor.eat("}");
        while more {
            names.push(self.action_name("restricted")?);
            more = self.cursor.another("}")?;
        }
        Some(names)
    }

    /// The name of an action, of which `done` is to be done to both sides.
    pub(crate) fn action_name(&mut self, done: &str) -> Option<(Word, Span)> {
        if self.cursor.at("'") {
            let help = format!("write the name alone: both sides of it are {done}");
            return self.cursor.unexpected_with("the name of an action", Some(help));
        }
        let Some(text) = self.cursor.word(0) else { return self.cursor.unexpected("the name of an action") };
        let span = self.cursor.span();
        if is_internal(text) {
            let message = format!("`{text}` cannot be {done}: nobody else takes part in it");
            self.cursor.report(Diagnostic::error(Code::InternalStep, message, span));
        } else if RESERVED.contains(&text) || text.starts_with(|c: char| c.is_numeric()) {
            return self.cursor.unexpected("the name of an action");
        }
        self.cursor.bump();
        Some((self.file.words.add(text), span))
    }
}
