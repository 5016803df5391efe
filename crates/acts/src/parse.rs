//! From text to statements. Reading never stops at a mistake: a statement that cannot be read is reported and stepped over.

use servanda_logic::{ActKind, ActPattern, At, Formula, Kind, LabelPattern, Parser, Reference};
use servanda_model::ActReading;
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use crate::ast::{Condition, Statement};

/// The words that begin statements.
const KEYWORDS: &[&str] =
    &["process", "roles", "semantics", "group", "prop", "commitment", "access", "fair", "property"];

/// Parentheses and negations in conditions, at most: each level costs stack.
const DEEPEST: usize = 100;

/// What stands in a file.
pub(crate) struct File {
    pub(crate) statements: Vec<Statement>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Where the statements stand that could not be read and may have declared something.
    pub(crate) broken: Vec<Span>,
}

/// Reads a file.
pub(crate) fn parse(text: &str) -> File {
    let parser = Parser::new(text).with_statement_words(KEYWORDS);
    let mut reader = Reader { parser, depth: 0, broken: Vec::new() };
    let mut statements = Vec::new();
    while !reader.parser.at_end() {
        if !reader.parser.eat(";") {
            statements.extend(reader.statement());
        }
    }
    File { statements, diagnostics: reader.parser.into_diagnostics(), broken: reader.broken }
}

struct Reader<'t> {
    parser: Parser<'t>,
    depth: usize,
    broken: Vec<Span>,
}

impl Reader<'_> {
    fn statement(&mut self) -> Option<Statement> {
        let (errors, start) = (self.parser.diagnostics.len(), self.parser.position());
        let begins = self.parser.span();
        let statement = match self.parser.word(0) {
            Some(word) if self.at_keyword(0) => {
                self.parser.bump();
                self.declaration(word)
            }
            _ => self.performance(),
        };
        let sound = statement.is_some() && self.parser.diagnostics.len() == errors;
        if sound && !self.parser.at_end() && !self.parser.at(";") && !self.parser.starts_line(0) {
            self.parser.unexpected::<()>("the end of the statement");
        }
        if self.parser.diagnostics.len() > errors {
            if self.parser.position() == start {
                self.parser.bump();
            }
            self.skip();
            self.broken.push(begins.to(self.parser.previous_span()));
        }
        statement.filter(|_| sound)
    }

    /// Does a declaration begin so far ahead? An action may be called as one of its words.
    fn at_keyword(&self, ahead: usize) -> bool {
        self.parser.word(ahead).is_some_and(|word| KEYWORDS.contains(&word))
            && !matches!(self.parser.spelling(ahead + 1), "is" | "by" | "." | "&" | "|" | "and" | "or")
    }

    /// Moves on to where a statement may begin.
    fn skip(&mut self) {
        while !self.parser.at_end() && !self.parser.at(";") {
            if self.parser.starts_line(0) && (self.at_keyword(0) || self.line_says_is()) {
                return;
            }
            self.parser.bump();
        }
    }

    /// Does `is` stand on the line that begins here?
    fn line_says_is(&self) -> bool {
        let line = (0..).take_while(|n| *n == 0 || !self.parser.starts_line(*n));
        let mut line = line.take_while(|n| !self.parser.at_nth(*n, ""));
        line.any(|ahead| self.parser.at_nth(ahead, "is"))
    }

    fn declaration(&mut self, word: &str) -> Option<Statement> {
        match word {
            "process" => self.names("the name of a process").map(Statement::Process),
            "roles" => self.names("the name of a role").map(Statement::Roles),
            "semantics" => self.semantics(),
            "group" => {
                let name = self.defined("the name of a group")?;
                self.parser.expect("{")?;
                let members = self.names("a role or an agent")?;
                self.parser.expect("}")?;
                Some(Statement::Group { name, members })
            }
            "prop" => {
                let name = self.defined("the name of a proposition")?;
                Some(Statement::Proposition { name, formula: self.parser.formula()? })
            }
            "commitment" => self.commitment(),
            "access" => {
                let debtor = self.name("a role or an agent")?;
                self.parser.expect("->")?;
                let creditor = self.name("a role or an agent")?;
                self.parser.expect(":")?;
                Some(Statement::Access { debtor, creditor, guard: self.parser.formula()? })
            }
            "fair" => self.parser.formula().map(Statement::Fair),
            _ => self.property(),
        }
    }

    fn name(&mut self, what: &str) -> Option<Reference> {
        let (name, span) = self.parser.name(what)?;
        Some(Reference::plain(&name, span))
    }

    fn names(&mut self, what: &str) -> Option<Vec<Reference>> {
        let mut names = vec![self.name(what)?];
        while self.parser.eat(",") {
            names.push(self.name(what)?);
        }
        Some(names)
    }

    /// `NAME =`
    fn defined(&mut self, what: &str) -> Option<Reference> {
        let name = self.name(what)?;
        self.parser.expect("=")?;
        Some(name)
    }

    fn semantics(&mut self) -> Option<Statement> {
        let reading = match self.parser.spelling(0) {
            "actl" => ActReading::Actl,
            "scctl" => ActReading::Scctl,
            "ctlca" => ActReading::Ctlca,
            _ => return self.parser.unexpected("`actl`, `scctl` or `ctlca`"),
        };
        Some(Statement::Semantics(reading, self.parser.bump()))
    }

    fn commitment(&mut self) -> Option<Statement> {
        let errors = self.parser.diagnostics.len();
        let name = self.defined("the name of a commitment")?;
        let formula = self.parser.formula()?;
        if self.parser.diagnostics.len() == errors && !matches!(formula.kind(), Kind::Commitment(_)) {
            let message =
                "a commitment is `SC(debtor, creditor, content)` or `PC(debtor, creditor, moment, content)`";
            return self.parser.diagnostics.error(Code::NotACommitment, message, formula.span());
        }
        Some(Statement::Commitment { name, formula })
    }

    fn property(&mut self) -> Option<Statement> {
        let name = self.name("the name of a property")?;
        let expected = match self.parser.eat("expect") {
            false => None,
            true if self.parser.at("true") || self.parser.at("false") => {
                let expected = self.parser.at("true");
                self.parser.bump();
                Some(expected)
            }
            true => return self.parser.unexpected("`true` or `false`"),
        };
        self.parser.expect("=")?;
        let start = self.parser.span();
        let formula: Formula = self.parser.formula()?;
        let written = start.to(self.parser.previous_span());
        Some(Statement::Property { name, expected, formula, written })
    }

    fn performance(&mut self) -> Option<Statement> {
        let condition = self.alternatives()?;
        self.parser.expect("is")?;
        let mut acts = vec![self.act()?];
        while self.parser.eat("and") || self.parser.eat("&") || self.parser.eat(",") {
            acts.push(self.act()?);
        }
        Some(Statement::Performance { condition, acts })
    }

    fn act(&mut self) -> Option<(ActPattern, Span)> {
        let start = self.parser.span();
        if !self.parser.at_act()
            && let Some(word) = self.parser.word(0).filter(|_| self.parser.at_nth(1, "("))
        {
            let acts = ActKind::ALL.into_iter().flat_map(|kind| [kind.short(), kind.long()]);
            let error = Diagnostic::error(Code::UnknownAct, format!("`{word}` is not an act"), start);
            return self.parser.diagnostics.refuse(error.suggest(word, acts));
        }
        let act = self.parser.act_pattern()?;
        Some((act, start.to(self.parser.previous_span())))
    }

    fn alternatives(&mut self) -> Option<Condition> {
        let mut parts = vec![self.together()?];
        while self.parser.eat("|") || self.parser.eat("or") {
            parts.push(self.together()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Condition::Or(parts) })
    }

    fn together(&mut self) -> Option<Condition> {
        let mut parts = vec![self.one()?];
        while self.parser.eat("&") || self.parser.eat("and") {
            parts.push(self.one()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Condition::And(parts) })
    }

    fn one(&mut self) -> Option<Condition> {
        let start = self.parser.span();
        if self.depth >= DEEPEST {
            return self.parser.diagnostics.error(Code::NestingTooDeep, "this is nested too deeply", start);
        }
        self.depth += 1;
        let condition = self.one_condition(start);
        self.depth -= 1;
        condition
    }

    fn one_condition(&mut self, start: Span) -> Option<Condition> {
        if self.parser.eat("!") || self.parser.eat("not") {
            return Some(Condition::Not(Box::new(self.one()?)));
        }
        if self.parser.eat("(") {
            let inner = self.alternatives()?;
            self.parser.expect(")")?;
            return Some(inner);
        }
        if self.parser.at_nth(1, "in") {
            let machine = Some(self.name("a process")?);
            self.parser.bump();
            let location = self.name("a control state")?;
            let place = start.to(self.parser.previous_span());
            return Some(Condition::From(Formula::new(Kind::At(At { machine, location }), place)));
        }
        if !self.parser.at("'") && self.parser.word(0).is_none_or(|word| word == "_") {
            return self
                .parser
                .unexpected("a statement, or an action and the act that it is: `create is Cr(A, offer)`");
        }
        let LabelPattern::Action(action) = self.parser.label_pattern()? else {
            return self.parser.diagnostics.error(
                Code::UnknownName,
                "an act is performed by an action",
                start,
            );
        };
        let by = match self.parser.eat("by") {
            true => Some(self.name("the process that does it")?),
            false => None,
        };
        Some(Condition::Done { action, by, span: start.to(self.parser.previous_span()) })
    }
}
