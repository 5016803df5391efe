//! Transitions.

use servanda_logic::{ActKind, Arg, Binary, Formula, Kind, Parser, Reference};
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use super::Reader;
use super::assignment::assignment;
use super::statement::reference;
use crate::ast::{ItemKind, LabelItem, SaidItem, Side, Transition};

impl Reader<'_> {
    /// `SRC -- LABEL [when EXPR] [set ASSIGNMENT, ..] --> DST`
    pub(super) fn transition(&mut self) -> Option<ItemKind> {
        let from = self.reference("a control state")?;
        self.parser.expect("--")?;
        let label = self.label()?;
        let mut guard = self.parser.after_any("when", Parser::formula)?;
        let sets = self.parser.after_any("set", |parser| parser.list(assignment))?;
        let mut sets = sets.unwrap_or_default();
        let to = if self.parser.eat("-->") {
            // The next statement is not the control state that is missing here.
            if self.parser.starts_line(0) && self.at_statement() {
                return self.parser.unexpected("a control state");
            }
            self.reference("a control state")?
        } else {
            let expected = match (guard.is_some(), sets.is_empty()) {
                (_, false) => "`,` or `-->`",
                (true, true) => "`set` or `-->`",
                (false, true) => "`when`, `set` or `-->`",
            };
            let last = match sets.last_mut() {
                Some(set) => set.last_formula(),
                None => guard.as_mut(),
            };
            self.mistaken_arrow(last, expected)?
        };
        Some(ItemKind::Transition(Transition { from, label, guard, sets, to }))
    }

    /// Reports that `-->` is missing after `last`, the last formula of the transition. In `set x = 3 -> idle` the arrow
    /// was read as an implication: then the formula is mended and the control state found, so that the rest of
    /// the transition is still checked.
    fn mistaken_arrow(&mut self, last: Option<&mut Formula>, expected: &str) -> Option<Reference> {
        if matches!(self.parser.spelling(0), "->" | "--") && self.parser.word(1).is_some() {
            let found = self.parser.spelling(0);
            let arrow = self.parser.bump();
            let to = self.reference("a control state")?;
            self.wrong_arrow(found, arrow, &to);
            return Some(to);
        }
        if let Some(last) = last
            && let Kind::Binary(Binary::Implies, left, right) = last.kind().clone()
            && let Kind::Name(to) = right.kind()
        {
            let between = Span { start: left.span().end, end: right.span().start };
            let arrow = self.parser.find_within("->", between).unwrap_or(between);
            self.wrong_arrow("->", arrow, to);
            *last = left;
            return Some(to.clone());
        }
        self.parser.unexpected(expected)
    }

    fn wrong_arrow(&mut self, found: &str, arrow: Span, to: &Reference) {
        let message = format!("expected `-->` before the control state, found `{found}`");
        let error = Diagnostic::error(Code::UnexpectedToken, message, arrow);
        self.parser.report(error.help(format!("write `--> {to}`")));
    }

    fn label(&mut self) -> Option<LabelItem> {
        let start = self.parser.span();
        if self.parser.at_act() {
            let act = self.parser.act_pattern()?;
            return Some(LabelItem::Act { act, span: start.to(self.parser.previous_span()) });
        }
        let unknown_act = self.parser.word(0).filter(|word| {
            // Only a word that could be meant so is compared: most are names of messages.
            self.parser.at_nth(1, "(")
                && word.starts_with(char::is_uppercase)
                && servanda_syntax::nearest(word, ActKind::names()).is_some()
        });
        if let Some(word) = unknown_act {
            let error = Diagnostic::error(Code::UnknownAct, format!("`{word}` is not an act"), start);
            let error = error.suggest(word, ActKind::names());
            return self.parser.diagnostics.refuse(error);
        }
        self.said(start).map(LabelItem::Message)
    }

    /// `m`, `Ann: m`, `Ann -> Bob, Eve: m!(e)`, `Bob: m?(x)`
    fn said(&mut self, start: Span) -> Option<SaidItem> {
        let first = self.reference("an act or a message")?;
        let mut to = Vec::new();
        if self.parser.at("->") {
            let arrow = self.parser.bump();
            to = self.parser.list(|parser| reference(parser, "whom it is said to"))?;
            let ends = matches!(self.parser.spelling(0), "" | ";" | "}") || self.parser.starts_line(0);
            match to.as_slice() {
                _ if self.parser.at(":") => {}
                // `idle -- pay -> done`
                [state] if ends => {
                    self.wrong_arrow("->", arrow, state);
                    return None;
                }
                _ => return self.parser.unexpected("`:` and the message"),
            }
        }
        let (role, name) = match self.parser.eat(":") {
            true => (Some(first), self.reference("a message")?),
            false => (None, first),
        };
        let side = if self.parser.eat("!") {
            Side::Sender
        } else if self.parser.eat("?") {
            Side::Receiver
        } else {
            Side::Alone
        };
        let mut arguments = Vec::new();
        if self.parser.eat("(") {
            arguments = self.parser.list(|parser| argument(parser, side))?;
            self.parser.expect(")")?;
        }
        let span = start.to(self.parser.previous_span());
        Some(SaidItem { role, to, name, side, arguments, span })
    }
}

/// What stands between the parentheses of a message: `_` leaves open what is received.
fn argument(parser: &mut Parser<'_>, side: Side) -> Option<Arg<Formula>> {
    if !parser.at("_") {
        return parser.formula().map(Arg::Is);
    }
    let span = parser.bump();
    if side != Side::Receiver {
        let error = Diagnostic::error(Code::MisplacedWildcard, "`_` can be received, but not sent", span);
        parser.report(error.help("say what is sent: a value or an expression"));
    }
    Some(Arg::Any)
}
