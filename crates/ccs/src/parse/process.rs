//! Processes. Restriction and relabelling bind most tightly, then prefix, then `|`, then `+`, as in the Concurrency
//! Workbench and in Milner's "Communication and Concurrency".

use servanda_logic::parse_formula;
use servanda_syntax::{Code, Diagnostic, Findings, Span, TokenKind};

use super::{DEEPEST_NESTING, Parser, RESERVED, inside, is_internal};
use crate::file::{Closure, Reference};
use crate::term::{Action, Port, Term, TermId};
use crate::words::Word;

/// Old and new names.
type Pairs = Box<[(Word, Word)]>;

impl Parser<'_> {
    /// A whole process.
    pub(crate) fn process(&mut self) -> Option<TermId> {
        self.chain("+", Self::parallel, Term::Sum)
    }

    fn parallel(&mut self) -> Option<TermId> {
        let (first, start) = (self.references.len(), self.cursor.span());
        let term = self.chain("|", Self::prefix, Term::Parallel)?;
        if matches!(self.file.terms.get(term), Term::Parallel(_)) {
            self.put_inside(first, start.to(self.cursor.previous_span()));
        }
        Some(term)
    }

    /// Operands with an operator between them, of which there may be none.
    fn chain(
        &mut self,
        operator: &str,
        operand: fn(&mut Self) -> Option<TermId>,
        make: fn(Box<[TermId]>) -> Term,
    ) -> Option<TermId> {
        let start = self.cursor.span();
        let first = operand(self)?;
        if !self.cursor.at(operator) {
            return Some(first);
        }
        let mut operands = vec![first];
        while self.cursor.eat(operator) {
            operands.push(operand(self)?);
        }
        let span = start.to(self.cursor.previous_span());
        self.made(make(operands.into()), span)
    }

    /// Adds a term, unless it is too deep to be walked over.
    fn made(&mut self, term: Term, span: Span) -> Option<TermId> {
        let id = self.file.terms.add(term, span);
        if self.file.terms.depth(id) as usize > DEEPEST_NESTING {
            self.cursor.too_deep(span);
            return None;
        }
        Some(id)
    }

    /// Notes that the processes named since `first` stand inside of a static operator.
    fn put_inside(&mut self, first: usize, span: Span) {
        for reference in &mut self.references[first..] {
            reference.inside.get_or_insert(span);
        }
    }

    /// `a.'b.P`, without recursion: such chains can be long.
    fn prefix(&mut self) -> Option<TermId> {
        let first = self.references.len();
        let mut actions = Vec::new();
        while let Some(action) = self.action()? {
            actions.push(action);
        }
        let mut term = self.postfix()?;
        if !actions.is_empty() {
            self.references[first..].iter_mut().for_each(|reference| reference.guarded = true);
        }
        for (action, span) in actions.into_iter().rev() {
            term = self.file.terms.add(Term::Prefix(action, term), span);
        }
        Some(term)
    }

    /// An action and its dot, if one stands here; the outer `None` is a mistake.
    fn action(&mut self) -> Option<Option<(Action, Span)>> {
        let start = self.cursor.span();
        let output = self.cursor.at("'");
        let after_name = usize::from(output) + 1;
        let starts = self.cursor.at_nth(after_name, ".")
            || matches!(self.cursor.kind(after_name), TokenKind::Text | TokenKind::Broken);
        if !(output || self.cursor.kind(0) == TokenKind::Word && starts) {
            return Some(None);
        }
        if output {
            self.cursor.bump();
        }
        let name_span = self.cursor.span();
        let name = match self.cursor.word(0) {
            Some(name) if is_internal(name) || is_name(name) => name,
            _ => return self.cursor.unexpected("the name of an action"),
        };
        self.cursor.bump();
        let content = match self.cursor.kind(0) {
            TokenKind::Text => Some(self.content()?),
            _ => None,
        };
        let span = start.to(self.cursor.previous_span());
        if !self.cursor.at(".") {
            let help = format!("an action stands before a process: `{}.nil`", self.cursor.slice(span));
            return self.cursor.unexpected_with("`.`", Some(help));
        }
        self.cursor.bump();
        let action = if is_internal(name) {
            if output || content.is_some() {
                let message = "an internal step has no other side and no content";
                let error = Diagnostic::error(Code::InternalStep, message, name_span);
                self.cursor.report(error.help(format!("write `{name}.P`")));
            }
            Action::Tau
        } else {
            let port = Port { name: self.file.words.add(name), content };
            if output { Action::Output(port) } else { Action::Input(port) }
        };
        Some(Some((action, span)))
    }

    /// A content in its standard spelling: that of a formula if it is one, else what is written with single blanks.
    fn content(&mut self) -> Option<Word> {
        let span = inside(self.cursor.bump());
        let text = self.cursor.slice(span).trim();
        if text.is_empty() {
            let error = Diagnostic::error(Code::UnexpectedToken, "this content is empty", span);
            return self.cursor.diagnostics.refuse(error.help("leave out the parentheses"));
        }
        let simple = is_name(text);
        let standard = match if simple { None } else { parse_formula(text).ok() } {
            Some(formula) => formula.to_string(),
            None => text.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        Some(self.file.words.add(&standard))
    }

    /// A process with restrictions and relabellings after it.
    fn postfix(&mut self) -> Option<TermId> {
        let (first, start) = (self.references.len(), self.cursor.span());
        let mut term = self.primary()?;
        loop {
            let term_inside = term;
            let (what, names) = if self.cursor.eat("\\") {
                let names = self.restricted()?;
                let mut words: Vec<Word> = names.iter().map(|(word, _)| *word).collect();
                words.sort_unstable();
                words.dedup();
                term =
                    self.made(Term::Restrict(term, words.into()), start.to(self.cursor.previous_span()))?;
                ("restricted", names)
            } else if self.cursor.eat("[") {
                let (pairs, names) = self.relabelling()?;
                term = self.made(Term::Relabel(term, pairs), start.to(self.cursor.previous_span()))?;
                ("relabelled", names)
            } else {
                return Some(term);
            };
            self.file.closures.push(Closure { inner: term_inside, names, what });
            self.put_inside(first, start.to(self.cursor.previous_span()));
        }
    }

    /// What stands after `\`: names in braces, one name, or the name of a set.
    fn restricted(&mut self) -> Option<Vec<(Word, Span)>> {
        if self.cursor.at("{") {
            return self.names();
        }
        if self.at_border() || self.cursor.word(0).is_none() && !self.cursor.at("'") {
            return self.cursor.unexpected("`{`, the name of an action or the name of a set");
        }
        let (word, span) = self.action_name("restricted")?;
        if let Some(set) = self.file.sets.get(&word) {
            return Some(set.names.iter().map(|name| (*name, span)).collect());
        }
        if self.file.words.text(word).starts_with(char::is_uppercase) {
            self.file.set_like.push((word, span));
        }
        Some(vec![(word, span)])
    }

    /// `b/a, d/c]`: pairs of old and new names, and the old ones with their places.
    fn relabelling(&mut self) -> Option<(Pairs, Vec<(Word, Span)>)> {
        let mut pairs: Vec<(Word, Word)> = Vec::new();
        let mut old_names: Vec<(Word, Span)> = Vec::new();
        loop {
            let (new, _) = self.action_name("relabelled")?;
            self.cursor.expect("/")?;
            let (old, span) = self.action_name("relabelled")?;
            if let Some((_, first)) = old_names.iter().find(|(other, _)| *other == old) {
                let message = format!("`{}` is relabelled twice", self.file.words.text(old));
                let error = Diagnostic::error(Code::DuplicateName, message, span);
                self.cursor.report(error.label(*first, "first relabelled here"));
            }
            pairs.push((old, new));
            old_names.push((old, span));
            if !self.cursor.another("]")? {
                break;
            }
        }
        pairs.sort_unstable();
        Some((pairs.into(), old_names))
    }

    fn primary(&mut self) -> Option<TermId> {
        let span = self.cursor.span();
        if self.cursor.eat("(") {
            self.cursor.deeper()?;
            let inner = self.process()?;
            self.cursor.expect(")")?;
            self.cursor.shallower();
            return Some(inner);
        }
        match self.cursor.word(0) {
            Some("nil" | "0") => {
                self.cursor.bump();
                Some(self.file.terms.add(Term::Nil, span))
            }
            Some(name) if is_name(name) => {
                self.cursor.bump();
                let name = self.file.words.add(name);
                self.references.push(Reference { name, span, guarded: false, inside: None });
                Some(self.file.terms.add(Term::Constant(name), span))
            }
            Some(name) if is_internal(name) => {
                let help = format!("an action stands before a process: `{name}.nil`");
                self.cursor.unexpected_with("a process", Some(help))
            }
            _ => self.cursor.unexpected("a process"),
        }
    }
}

/// Can it be the name of a process or an action?
fn is_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !RESERVED.contains(&word)
}
