//! Declarations, properties and blocks.

use servanda_logic::{Formula, Kind, Reference, TokenKind};
use servanda_model::ActReading;
use servanda_syntax::{Code, Diagnostic, Span};

use super::{KEYWORDS, Reader, Within};
use crate::ast::{
    Declared, DomainItem, Extent, Initial, InitialPart, ItemKind, Name, PropertyItem, Variables,
};

/// Letters that are operators where an operand follows.
const OPERATOR_LETTERS: [&str; 14] = ["A", "E", "X", "F", "G", "U", "W", "R", "Y", "S", "P", "H", "K", "O"];

impl Reader {
    /// Reads a statement, all of it; `None` after a mistake, which has been reported.
    pub(super) fn statement(&mut self, within: Within) -> Option<ItemKind> {
        if self.at_transition() {
            return self.transition();
        }
        let start = self.parser.span();
        let word = match self.parser.peek() {
            TokenKind::Word(word) => word.clone(),
            _ => {
                self.parser.unexpected("a statement");
                return None;
            }
        };
        if !KEYWORDS.contains(&word.as_str()) {
            return self.unknown_statement(&word);
        }
        self.parser.bump();
        self.check_place(&word, start, within);
        match word.as_str() {
            "protocol" => self.name("the name of the protocol").map(ItemKind::Protocol),
            "param" => self.param(),
            "roles" => self.declared_list().map(ItemKind::Roles),
            "semantics" => self.semantics(),
            "var" => self.variables(false),
            "private" => {
                self.expect_word("var")?;
                self.variables(true)
            }
            "red" => {
                let role = self.reference("a role")?;
                self.parser.expect(&TokenKind::Colon)?;
                let condition = self.parser.formula()?;
                Some(ItemKind::Red { role, condition })
            }
            "prop" => {
                let (name, formula) = self.definition("the name of a proposition")?;
                Some(ItemKind::Proposition { name, formula })
            }
            "commitment" => self.commitment(),
            "start" => self.reference("a control state").map(ItemKind::Start),
            "access" => {
                let debtor = self.reference("a role")?;
                self.parser.expect(&TokenKind::Arrow)?;
                let creditor = self.reference("a role")?;
                self.parser.expect(&TokenKind::Colon)?;
                let guard = self.parser.formula()?;
                Some(ItemKind::Access { debtor, creditor, guard })
            }
            "fair" => self.parser.formula().map(ItemKind::Fair),
            "group" => self.group(),
            "property" => self.property(),
            "machine" => self.machine(),
            "for" => self.repetition(within),
            _ => self.decomposition(),
        }
    }

    fn unknown_statement(&mut self, word: &str) -> Option<ItemKind> {
        // `idle - pay -> done` is meant to be a transition.
        let next = self.parser.peek_nth(self.after_indices(1));
        if matches!(next, TokenKind::Minus | TokenKind::Arrow | TokenKind::LongArrow) {
            return self.transition();
        }
        let message = format!("`{word}` does not begin a statement");
        let error = Diagnostic::error(Code::UnknownStatement, message, self.parser.span());
        let nearest = servanda_syntax::nearest(word, KEYWORDS.iter().copied());
        self.parser.report(match nearest {
            Some(keyword) => error.help(format!("did you mean `{keyword}`?")),
            None => error.help("a transition is written `state -- label --> state`"),
        });
        None
    }

    /// Reports a statement that cannot stand where it does.
    fn check_place(&mut self, word: &str, span: Span, within: Within) {
        let allowed = match (word, within) {
            (_, Within::File) | ("start" | "for", _) => true,
            ("protocol" | "param" | "semantics", _) => false,
            (_, Within::Block { machine }) => !machine,
        };
        if !allowed {
            let place = match within {
                Within::Block { machine: true } => "inside a machine",
                _ => "inside a block",
            };
            let message = format!("`{word}` cannot stand {place}");
            let error = Diagnostic::error(Code::MisplacedStatement, message, span);
            self.parser.report(error.help("move it out of the braces"));
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Option<Name> {
        let (text, span) = self.parser.word(what)?;
        Some(Name { text, span })
    }

    pub(super) fn reference(&mut self, what: &str) -> Option<Reference> {
        if self.parser.peek().as_word().is_none() {
            self.parser.unexpected(what);
            return None;
        }
        self.parser.reference()
    }

    fn param(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a parameter")?;
        self.parser.expect(&TokenKind::Equal)?;
        let value = self.parser.arithmetic()?;
        Some(ItemKind::Param { name, value })
    }

    fn semantics(&mut self) -> Option<ItemKind> {
        let name = self.name("`actl`, `scctl` or `ctlca`")?;
        let reading = match &*name.text {
            "actl" => ActReading::Actl,
            "scctl" => ActReading::Scctl,
            "ctlca" => ActReading::Ctlca,
            other => {
                let message = format!("`{other}` is not one of the readings `actl`, `scctl`, `ctlca`");
                let error = Diagnostic::error(Code::UnknownName, message, name.span);
                self.parser.report(error.suggest(other, ["actl", "scctl", "ctlca"]));
                return None;
            }
        };
        Some(ItemKind::Semantics(reading))
    }

    fn declared_list(&mut self) -> Option<Vec<Declared>> {
        let mut names = vec![self.declared()?];
        while self.parser.eat(&TokenKind::Comma) {
            names.push(self.declared()?);
        }
        Some(names)
    }

    /// `x`, `x[i]`, `x[1..N][0..3]`
    fn declared(&mut self) -> Option<Declared> {
        let (name, start) = self.parser.word("a name")?;
        let mut indices = Vec::new();
        while self.parser.eat(&TokenKind::LeftBracket) {
            let low = self.parser.arithmetic()?;
            let high = match self.parser.eat(&TokenKind::DotDot) {
                true => Some(self.parser.arithmetic()?),
                false => None,
            };
            self.parser.expect(&TokenKind::RightBracket)?;
            indices.push(Extent { low, high });
        }
        Some(Declared { name, indices, span: start.to(self.parser.previous_span()) })
    }

    fn variables(&mut self, private: bool) -> Option<ItemKind> {
        let names = self.declared_list()?;
        let owner = match private {
            true => {
                self.expect_word("of")?;
                Some(self.reference("a role")?)
            }
            false => None,
        };
        self.parser.expect(&TokenKind::Colon)?;
        let domain = self.domain()?;
        let initial = match self.parser.eat(&TokenKind::Equal) {
            true => Some(self.initial()?),
            false => None,
        };
        Some(ItemKind::Variables(Variables { owner, names, domain, initial }))
    }

    fn domain(&mut self) -> Option<DomainItem> {
        let start = self.parser.span();
        if self.parser.eat_word("bool") {
            return Some(DomainItem::Bool);
        }
        if self.parser.eat(&TokenKind::LeftBrace) {
            let mut literals = vec![self.name("a value")?];
            while self.parser.eat(&TokenKind::Comma) {
                literals.push(self.name("a value")?);
            }
            self.parser.expect(&TokenKind::RightBrace)?;
            return Some(DomainItem::Enumeration(literals));
        }
        let calculates = |kind: &TokenKind| {
            use TokenKind::{DotDot, LeftBracket, LeftParen, Minus, Percent, Plus, Slash, Star};
            matches!(kind, DotDot | LeftBracket | LeftParen | Minus | Percent | Plus | Slash | Star)
        };
        let lone_word = match self.parser.peek() {
            TokenKind::Word(_) => !calculates(self.parser.peek_nth(1)),
            TokenKind::Number(_) | TokenKind::Minus | TokenKind::LeftParen => false,
            _ => true,
        };
        if lone_word {
            self.parser.unexpected("a type: `bool`, `low..high` or `{a, b}`");
            return None;
        }
        let low = self.parser.arithmetic()?;
        self.parser.expect(&TokenKind::DotDot)?;
        let high = self.parser.arithmetic()?;
        Some(DomainItem::Range { low, high, span: start.to(self.parser.previous_span()) })
    }

    fn initial(&mut self) -> Option<Initial> {
        let braces = self.parser.eat(&TokenKind::LeftBrace);
        let mut parts = vec![self.initial_part()?];
        if braces {
            while self.parser.eat(&TokenKind::Comma) {
                parts.push(self.initial_part()?);
            }
            self.parser.expect(&TokenKind::RightBrace)?;
        }
        Some(Initial { parts, braces })
    }

    fn initial_part(&mut self) -> Option<InitialPart> {
        // An initial value is a constant, so a one-letter operator here can only be an enumeration value's name.
        let low = match self.parser.peek().as_word() {
            Some(word)
                if OPERATOR_LETTERS.contains(&word)
                    && !matches!(self.parser.peek_nth(1), TokenKind::LeftParen | TokenKind::LeftBracket) =>
            {
                let reference = self.parser.reference()?;
                let span = reference.span;
                Formula::new(Kind::Name(reference), span)
            }
            _ => self.parser.formula()?,
        };
        let high = match self.parser.eat(&TokenKind::DotDot) {
            true => Some(self.parser.arithmetic()?),
            false => None,
        };
        Some(InitialPart { low, high })
    }

    /// `NAME = formula`
    fn definition(&mut self, what: &str) -> Option<(Reference, Formula)> {
        let name = self.reference(what)?;
        self.parser.expect(&TokenKind::Equal)?;
        Some((name, self.parser.formula()?))
    }

    fn commitment(&mut self) -> Option<ItemKind> {
        let errors = self.parser.diagnostics().len();
        let (name, formula) = self.definition("the name of a commitment")?;
        // After a mistake in it the formula may be a stand-in.
        let read = self.parser.diagnostics().len() == errors;
        if read && !matches!(formula.kind(), Kind::Commitment(_)) {
            let message =
                "a commitment is `SC(debtor, creditor, content)` or `PC(debtor, creditor, moment, content)`";
            self.parser.report(Diagnostic::error(Code::NotACommitment, message, formula.span()));
        }
        Some(ItemKind::Commitment { name, formula })
    }

    fn group(&mut self) -> Option<ItemKind> {
        let name = self.reference("the name of a group")?;
        self.parser.expect(&TokenKind::Equal)?;
        self.parser.expect(&TokenKind::LeftBrace)?;
        let mut members = vec![self.reference("a role or a group")?];
        while self.parser.eat(&TokenKind::Comma) {
            members.push(self.reference("a role or a group")?);
        }
        self.parser.expect(&TokenKind::RightBrace)?;
        Some(ItemKind::Group { name, members })
    }

    fn property(&mut self) -> Option<ItemKind> {
        let name = self.reference("the name of a property")?;
        let mut expected = None;
        if self.parser.eat_word("expect") {
            let is_true = self.parser.at_word("true");
            if !is_true && !self.parser.at_word("false") {
                self.parser.unexpected("`true` or `false`");
                return None;
            }
            self.parser.bump();
            expected = Some(is_true);
        }
        self.parser.expect(&TokenKind::Equal)?;
        let start = self.parser.span();
        let formula = self.parser.formula()?;
        let written = start.to(self.parser.previous_span());
        Some(ItemKind::Property(PropertyItem { name, expected, formula, written }))
    }

    fn machine(&mut self) -> Option<ItemKind> {
        let within = Within::Block { machine: true };
        let name = self.reference("the name of a machine");
        let name = name.filter(|_| self.parser.at(&TokenKind::LeftBrace) || self.missing_brace());
        let Some(name) = name else {
            self.block_without_head(within);
            return None;
        };
        let body = self.block(within)?;
        Some(ItemKind::Machine { name, body })
    }

    /// Reports that a block should begin here; always false.
    fn missing_brace(&mut self) -> bool {
        self.parser.unexpected("`{`");
        false
    }

    fn repetition(&mut self, within: Within) -> Option<ItemKind> {
        let within = match within {
            Within::File => Within::Block { machine: false },
            inside => inside,
        };
        let head = self.repetition_head();
        let Some((index, low, high)) = head else {
            self.block_without_head(within);
            return None;
        };
        let body = self.block(within)?;
        Some(ItemKind::For { index, low, high, body })
    }

    fn repetition_head(&mut self) -> Option<(Name, Formula, Formula)> {
        let errors = self.parser.diagnostics().len();
        let index = self.name("an index")?;
        self.expect_word("in")?;
        let low = self.parser.arithmetic()?;
        self.parser.expect(&TokenKind::DotDot)?;
        let high = self.parser.arithmetic()?;
        if !self.parser.at(&TokenKind::LeftBrace) {
            self.missing_brace();
        }
        (self.parser.diagnostics().len() == errors).then_some((index, low, high))
    }
}
