//! Transitions.

use servanda_logic::{ActKind, Binary, Formula, Kind, TokenKind};
use servanda_syntax::{Diagnostic, Span};

use super::Reader;
use crate::ast::{Assignment, ItemKind, LabelItem, Side, Transition};

impl Reader {
    /// `SRC -- LABEL [when EXPR] [set x = e, y = e] --> DST`
    pub(super) fn transition(&mut self) -> Option<ItemKind> {
        let from = self.reference("a control state")?;
        self.parser.expect(&TokenKind::Dashes)?;
        let label = self.label()?;
        let guard = match self.parser.eat_word("when") {
            true => Some(self.parser.formula()?),
            false => None,
        };
        let mut sets = Vec::new();
        if self.parser.eat_word("set") {
            sets.push(self.assignment()?);
            while self.parser.eat(&TokenKind::Comma) {
                sets.push(self.assignment()?);
            }
        }
        if !self.parser.at(&TokenKind::LongArrow) {
            let last = sets.last().map(|set: &Assignment| &set.value).or(guard.as_ref());
            self.missing_arrow(last, guard.is_some(), !sets.is_empty());
            return None;
        }
        self.parser.bump();
        let to = self.reference("a control state")?;
        Some(ItemKind::Transition(Transition { from, label, guard, sets, to }))
    }

    /// Reports that `-->` is missing after `last`, the last formula of the transition.
    fn missing_arrow(&mut self, last: Option<&Formula>, guarded: bool, assigns: bool) {
        // In `set x = 3 -> idle` the arrow was read as an implication.
        if let Some(Kind::Binary(Binary::Implies, left, right)) = last.map(Formula::kind) {
            let between = Span { start: left.span().end, end: right.span().start };
            let message = "expected `-->` before the control state, found `->`";
            self.parser.report(Diagnostic::error("unexpected-token", message, between));
            return;
        }
        self.parser.unexpected(match (guarded, assigns) {
            (_, true) => "`,` or `-->`",
            (true, false) => "`set` or `-->`",
            (false, false) => "`when`, `set` or `-->`",
        });
    }

    fn label(&mut self) -> Option<LabelItem> {
        let start = self.parser.span();
        if self.parser.at_act() {
            let act = self.parser.act_pattern()?;
            return Some(LabelItem::Act { act, span: start.to(self.parser.previous_span()) });
        }
        if self.parser.peek_nth(1) == &TokenKind::LeftParen
            && let Some(word) = self.parser.peek().as_word()
        {
            let acts = ActKind::ALL.into_iter().flat_map(|kind| [kind.short(), kind.long()]);
            let error = Diagnostic::error("unknown-act", format!("`{word}` is not an act"), start);
            let error = error.suggest(word, acts);
            self.parser.report(error);
            return None;
        }
        let first = self.reference("an act or a message")?;
        let (role, name) = match self.parser.eat(&TokenKind::Colon) {
            true => (Some(first), self.reference("a message")?),
            false => (None, first),
        };
        let side = if self.parser.eat(&TokenKind::Not) {
            Side::Sender
        } else if self.parser.eat(&TokenKind::Question) {
            Side::Receiver
        } else {
            Side::Alone
        };
        Some(LabelItem::Message { role, name, side })
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let target = self.reference("a variable")?;
        self.parser.expect(&TokenKind::Equal)?;
        let value = self.parser.formula()?;
        Some(Assignment { target, value })
    }
}
