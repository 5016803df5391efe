//! Declarations, properties and blocks.

use servanda_logic::{Binary, Formula, Kind, Parser, Reference};
use servanda_model::{ActReading, Strength};
use servanda_syntax::{Code, Diagnostic, Findings, Span, TokenKind};

use super::{KEYWORDS, Reader, Within};
use crate::ast::{Declared, DomainItem, Extent, Initial, ItemKind, Name, PropertyItem, Variables};

/// Letters that are operators where an operand follows.
pub(crate) const OPERATOR_LETTERS: [&str; 14] =
    ["A", "E", "X", "F", "G", "U", "W", "R", "Y", "S", "P", "H", "K", "O"];

impl Reader<'_> {
    /// Reads a statement, all of it; `None` after a mistake, which has been reported.
    pub(super) fn statement(&mut self, within: Within) -> Option<ItemKind> {
        if self.at_transition() {
            return self.transition();
        }
        let start = self.parser.span();
        let Some(word) = self.parser.word(0) else { return self.parser.unexpected("a statement") };
        if !KEYWORDS.contains(&word) {
            return self.unknown_statement(word);
        }
        self.parser.bump();
        self.check_place(word, start, within);
        match word {
            "protocol" => self.name("the name of the protocol").map(ItemKind::Protocol),
            "param" => self.param(),
            "roles" => self.parser.list(declared).map(ItemKind::Roles),
            "semantics" => self.semantics(),
            "var" => self.variables(false),
            "private" if self.parser.eat("commitment") => self.commitment(true),
            "private" if self.parser.eat("var") => self.variables(true),
            "private" => self.parser.unexpected("`var` or `commitment`"),
            "red" => {
                let role = self.reference("a role")?;
                self.parser.expect(":")?;
                let condition = self.parser.formula()?;
                Some(ItemKind::Red { role, condition })
            }
            "prop" => {
                let (name, formula) = self.definition("the name of a proposition")?;
                Some(ItemKind::Proposition { name, formula })
            }
            "commitment" => self.commitment(false),
            "start" => self.reference("a control state").map(ItemKind::Start),
            "access" => {
                let debtor = self.reference("a role")?;
                self.parser.expect("->")?;
                let creditor = self.reference("a role")?;
                self.parser.expect(":")?;
                let guard = self.parser.formula()?;
                Some(ItemKind::Access { debtor, creditor, guard })
            }
            "fair" => self.fair(),
            "group" => self.group(),
            "property" => self.property(),
            "machine" => self.machine(),
            "for" => self.repetition(within),
            "type" => self.type_name(),
            "message" => self.message(),
            "channel" => self.channel(),
            "clock" => self.clock(),
            "init" => self.parser.formula().map(ItemKind::Init),
            "final" => {
                let states = self.parser.list(|parser| reference(parser, "a control state"))?;
                Some(ItemKind::Final(states))
            }
            "wait" => self.wait(),
            "use" => self.use_part(),
            "scenario" => self.scenario(),
            _ => self.decomposition(),
        }
    }

    fn unknown_statement(&mut self, word: &str) -> Option<ItemKind> {
        // `idle - pay -> done` is meant to be a transition.
        let next = self.parser.spelling(self.after_indices(1));
        if matches!(next, "-" | "->" | "-->") {
            return self.transition();
        }
        let message = format!("`{word}` does not begin a statement");
        let error = Diagnostic::error(Code::UnknownStatement, message, self.parser.span());
        let nearest = servanda_syntax::nearest(word, KEYWORDS.iter().copied());
        let advice = match (self.elsewhere(word), nearest) {
            (Some(advice), _) => format!("write {advice}"),
            (None, Some(keyword)) => format!("did you mean `{keyword}`?"),
            (None, None) => "a transition is written `state -- label --> state`".to_owned(),
        };
        self.parser.diagnostics.refuse(error.help(advice))
    }

    /// What to write for a statement of other languages that begins with this word.
    fn elsewhere(&self, word: &str) -> Option<String> {
        let advice = match word {
            "import" | "include" => {
                return Some(match (self.parser.kind(1), self.parser.word(1)) {
                    (TokenKind::Text, _) => format!("`use {} as NAME`", self.parser.spelling(1)),
                    (_, Some(name)) => format!("`use \"{name}.pact\" as {name}`"),
                    (_, None) => "`use \"FILE\" as NAME`".to_owned(),
                });
            }
            "int" | "bool" | "boolean" | "enum" => "`var NAME : TYPE = VALUE` for a variable",
            "const" | "constant" => "`param NAME = NUMBER` for a constant",
            "agent" | "agents" | "actor" | "participant" | "participants" => "`roles NAME, NAME`",
            "assert" | "invariant" | "spec" | "formula" => "`property NAME = FORMULA`",
            "process" | "automaton" => "`machine NAME { .. }`",
            _ => return None,
        };
        Some(advice.to_owned())
    }

    /// Reports a statement that cannot stand where it does.
    fn check_place(&mut self, word: &str, span: Span, within: Within) {
        let allowed = match (word, within) {
            (_, Within::File) | ("start" | "for" | "final" | "wait", _) => true,
            ("protocol" | "param" | "semantics" | "type" | "use", _) => false,
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
        name(&mut self.parser, what)
    }

    pub(super) fn reference(&mut self, what: &str) -> Option<Reference> {
        reference(&mut self.parser, what)
    }

    /// What comes after `fair`: a formula, or `weak` or `strong` with `does(..)`. These two are words of the language only where
    /// `does` follows, so that propositions may be called so.
    fn fair(&mut self) -> Option<ItemKind> {
        let Some(strength) = self.parser.word(0).and_then(Strength::called) else {
            return self.parser.formula().map(ItemKind::Fair);
        };
        if self.parser.at_nth(1, "does") {
            self.parser.bump();
            let step = self.parser.formula()?;
            return Some(ItemKind::FairSteps { strength, step });
        }
        let operand = match self.parser.word(1) {
            Some(next) => {
                Binary::written(next).is_none()
                    && next != "in"
                    && !KEYWORDS.contains(&next)
                    && self.parser.spelling(self.after_indices(2)) != "--"
            }
            None => matches!(self.parser.spelling(1), "!" | "("),
        };
        if !operand {
            return self.parser.formula().map(ItemKind::Fair);
        }
        self.parser.bump();
        let help = "fairness of steps is written `fair weak does(pay)` or `fair strong does(pay)`";
        self.parser.unexpected_with("`does(..)`", Some(help.to_owned()))
    }

    fn param(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a parameter")?;
        self.parser.equals()?;
        let value = self.parser.arithmetic()?;
        Some(ItemKind::Param { name, value })
    }

    fn semantics(&mut self) -> Option<ItemKind> {
        let name = self.name("`actl`, `scctl` or `ctlca`")?;
        if let Some(reading) = ActReading::called(&name.text) {
            return Some(ItemKind::Semantics(reading));
        }
        let message = format!("`{}` is not one of the readings `actl`, `scctl`, `ctlca`", name.text);
        let error = Diagnostic::error(Code::UnknownName, message, name.span);
        self.parser.diagnostics.refuse(error.suggest(&name.text, ActReading::WORDS))
    }

    fn variables(&mut self, private: bool) -> Option<ItemKind> {
        let names = self.parser.list(declared)?;
        let owners = if private { self.owners()? } else { Vec::new() };
        self.parser.expect(":")?;
        let domain = self.domain()?;
        let initial = match self.parser.at_equals() {
            true => self.parser.equals().and_then(|()| self.initial()).map(Some)?,
            false => None,
        };
        Some(ItemKind::Variables(Variables { owners, names, domain, initial }))
    }

    pub(super) fn domain(&mut self) -> Option<DomainItem> {
        let start = self.parser.span();
        if self.parser.eat("bool") {
            return Some(DomainItem::Bool);
        }
        if self.parser.eat("{") {
            let literals = self.parser.list(|parser| name(parser, "a value"))?;
            self.parser.expect("}")?;
            return Some(DomainItem::Enumeration(literals));
        }
        let begins = self.parser.word(0).is_some() || self.parser.number(0).is_some();
        if !begins && !matches!(self.parser.spelling(0), "-" | "(") {
            return self.parser.unexpected("a type: `bool`, `low..high`, `{a, b}` or the name of one");
        }
        let low = self.parser.arithmetic()?;
        if let Kind::Name(name) = low.kind()
            && !self.parser.at("..")
        {
            return Some(DomainItem::Named(name.clone()));
        }
        self.parser.expect("..")?;
        let high = self.parser.arithmetic()?;
        Some(DomainItem::Range { low, high, span: start.to(self.parser.previous_span()) })
    }

    fn initial(&mut self) -> Option<Initial> {
        values(&mut self.parser)
    }

    /// `of A, B`
    fn owners(&mut self) -> Option<Vec<Reference>> {
        match self.parser.at("of") {
            true => self.seers(),
            false => self.parser.unexpected("`of` and who sees it"),
        }
    }

    /// `NAME = formula`
    fn definition(&mut self, what: &str) -> Option<(Reference, Formula)> {
        let name = self.reference(what)?;
        self.parser.equals()?;
        Some((name, self.parser.formula()?))
    }

    fn commitment(&mut self, private: bool) -> Option<ItemKind> {
        let errors = self.parser.diagnostics.len();
        let (name, formula) = self.definition("the name of a commitment")?;
        // After a mistake in it the formula may be a stand-in.
        let read = self.parser.diagnostics.len() == errors;
        if read && !matches!(formula.kind(), Kind::Commitment(_)) {
            let message =
                "a commitment is `SC(debtor, creditor, content)` or `PC(debtor, creditor, moment, content)`";
            self.parser.report(Diagnostic::error(Code::NotACommitment, message, formula.span()));
        }
        Some(ItemKind::Commitment { name, formula, private })
    }

    fn group(&mut self) -> Option<ItemKind> {
        let name = self.reference("the name of a group")?;
        self.parser.equals()?;
        self.parser.expect("{")?;
        let members = self.parser.list(|parser| reference(parser, "a role or a group"))?;
        self.parser.expect("}")?;
        Some(ItemKind::Group { name, members })
    }

    fn property(&mut self) -> Option<ItemKind> {
        let name = self.reference("the name of a property")?;
        let (level, cite) = self.weight()?;
        let mut expected = None;
        if self.parser.eat("expect") {
            let is_true = self.parser.at("true");
            if !is_true && !self.parser.at("false") {
                return self.parser.unexpected("`true` or `false`");
            }
            self.parser.bump();
            expected = Some(is_true);
        }
        self.parser.equals()?;
        let start = self.parser.span();
        let (formula, refused) = match self.parser.formula() {
            Some(formula) => (formula, None),
            None if self.parser.was_refused() => {
                let refused = self.parser.diagnostics.last()?.span;
                self.refused.push(refused);
                // No engine takes a number for a property, should somebody ask one.
                (Formula::new(Kind::Int(0), start), Some(refused))
            }
            None => return None,
        };
        let written = start.to(self.parser.previous_span());
        Some(ItemKind::Property(PropertyItem { name, expected, level, cite, formula, written, refused }))
    }

    fn machine(&mut self) -> Option<ItemKind> {
        let within = Within::Block { machine: true };
        let name = self.reference("the name of a machine");
        let head = name.and_then(|name| Some((name, self.seers()?)));
        let Some((name, seers)) = head.filter(|_| self.at_brace()) else {
            self.block_without_head(within);
            return None;
        };
        let body = self.block(within)?;
        Some(ItemKind::Machine { name, seers, body })
    }

    /// Does a block begin here, as it should?
    fn at_brace(&mut self) -> bool {
        self.parser.at("{") || self.parser.unexpected::<()>("`{`").is_some()
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
        let errors = self.parser.diagnostics.len();
        let index = self.name("an index")?;
        self.parser.expect("in")?;
        let low = self.parser.arithmetic()?;
        self.parser.expect("..")?;
        let high = self.parser.arithmetic()?;
        self.at_brace();
        (self.parser.diagnostics.len() == errors).then_some((index, low, high))
    }
}

pub(super) fn name(parser: &mut Parser<'_>, what: &str) -> Option<Name> {
    let (text, span) = parser.name(what)?;
    Some(Name { text, span })
}

pub(super) fn reference(parser: &mut Parser<'_>, what: &str) -> Option<Reference> {
    if parser.word(0).is_none() { parser.unexpected(what) } else { parser.reference() }
}

/// `x`, `x[i]`, `x[1..N][0..3]`
pub(super) fn declared(parser: &mut Parser<'_>) -> Option<Declared> {
    let (name, start) = parser.name("a name")?;
    let mut indices = Vec::new();
    while parser.eat("[") {
        let low = parser.arithmetic()?;
        let high = parser.after_any("..", Parser::arithmetic)?;
        parser.expect("]")?;
        indices.push(Extent { low, high });
    }
    Some(Declared { name, indices, span: start.to(parser.previous_span()) })
}

/// Constants: one, a range, or several between braces.
pub(super) fn values(parser: &mut Parser<'_>) -> Option<Initial> {
    let braces = parser.eat("{");
    if !braces {
        return Some(Initial { parts: vec![initial_part(parser)?], braces });
    }
    let parts = parser.list(initial_part)?;
    parser.expect("}")?;
    Some(Initial { parts, braces })
}

fn initial_part(parser: &mut Parser<'_>) -> Option<Extent> {
    // An initial value is a constant, so a one-letter operator here can only be an enumeration value's name.
    let low = match OPERATOR_LETTERS.contains(&parser.spelling(0)) && !matches!(parser.spelling(1), "(" | "[")
    {
        true => {
            let reference = parser.reference()?;
            let span = reference.span;
            Formula::new(Kind::Name(reference), span)
        }
        false => parser.formula()?,
    };
    let high = parser.after_any("..", Parser::arithmetic)?;
    Some(Extent { low, high })
}
