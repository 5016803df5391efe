//! Claimed decompositions.

use servanda_logic::{Reference, TokenKind};
use servanda_syntax::{Code, Diagnostic, Span};

use super::Reader;
use crate::ast::{DecomposeItem, EdgeItem, ItemKind, Name, RuleItem, StateItem};

impl Reader {
    /// `decompose ACT { 0 : f, f ; 0 --[and]--> 1 }`
    pub(super) fn decomposition(&mut self) -> Option<ItemKind> {
        let act_start = self.parser.span();
        let errors = self.parser.diagnostics().len();
        let act = self.parser.act_pattern();
        let act_span = act_start.to(self.parser.previous_span());
        if act.is_none() {
            // The states and edges can still be read for mistakes of form.
            while !matches!(self.parser.peek(), TokenKind::LeftBrace | TokenKind::End) {
                if self.parser.token().starts_line && self.at_statement() {
                    return None;
                }
                self.parser.bump();
            }
        }
        let open = self.parser.expect(&TokenKind::LeftBrace)?;
        let (mut states, mut edges) = (Vec::new(), Vec::new());
        loop {
            match self.parser.peek() {
                TokenKind::End | TokenKind::RightBrace => break,
                TokenKind::Semicolon => {
                    self.parser.bump();
                }
                _ => {
                    let start = self.parser.span();
                    if self.part(&mut states, &mut edges).is_none() {
                        self.skip_part(start);
                    }
                }
            }
        }
        let close = self.close(open);
        let sound = self.parser.diagnostics().len() == errors;
        let act = act.filter(|_| sound)?;
        Some(ItemKind::Decompose(DecomposeItem { act, act_span, states, edges, open, close }))
    }

    /// A state or an edge.
    fn part(&mut self, states: &mut Vec<StateItem>, edges: &mut Vec<EdgeItem>) -> Option<()> {
        let start = self.parser.span();
        let name = self.state_name()?;
        if self.parser.eat(&TokenKind::Colon) {
            let mut formulas = vec![self.parser.formula()?];
            while self.parser.eat(&TokenKind::Comma) {
                formulas.push(self.parser.formula()?);
            }
            states.push(StateItem { name, formulas, span: start.to(self.parser.previous_span()) });
        } else if self.parser.eat(&TokenKind::Dashes) {
            self.parser.expect(&TokenKind::LeftBracket)?;
            let rule = self.rule()?;
            self.parser.expect(&TokenKind::RightBracket)?;
            self.parser.expect(&TokenKind::LongArrow)?;
            let to = self.state_name()?;
            edges.push(EdgeItem { from: name, rule, to, span: start.to(self.parser.previous_span()) });
        } else {
            self.parser.unexpected("`:` or `--[`");
            return None;
        }
        Some(())
    }

    fn state_name(&mut self) -> Option<Name> {
        if let &TokenKind::Number(number) = self.parser.peek() {
            let span = self.parser.bump().span;
            return Some(Name { text: number.to_string().into(), span });
        }
        self.name("a state (a number or a name)")
    }

    fn rule(&mut self) -> Option<RuleItem> {
        let span = self.parser.span();
        let rule = match self.parser.peek() {
            TokenKind::And => RuleItem::And,
            TokenKind::Or => RuleItem::Or,
            TokenKind::Not => RuleItem::Not,
            TokenKind::Question => RuleItem::Question,
            TokenKind::Equivalent | TokenKind::DoubleArrow => RuleItem::Equivalent,
            TokenKind::Word(word) => match word.as_str() {
                "and" => RuleItem::And,
                "or" => RuleItem::Or,
                "not" => RuleItem::Not,
                "X" => RuleItem::Next,
                other if other.starts_with("SC_") => return self.commitment_rule(),
                other => {
                    let error =
                        Diagnostic::error(Code::UnknownRule, format!("`{other}` is not a rule"), span);
                    let error = error.help("the rules are `and or not ? <=> X SC_Role`");
                    self.parser.report(error);
                    return None;
                }
            },
            _ => {
                self.parser.unexpected("a rule: one of `and or not ? <=> X SC_Role`");
                return None;
            }
        };
        self.parser.bump();
        Some(rule)
    }

    /// `SC_Role`: one word, with the indices of the role after it.
    fn commitment_rule(&mut self) -> Option<RuleItem> {
        let word = self.parser.reference()?;
        let role = word.name.strip_prefix("SC_").unwrap_or_default();
        let start = word.span.start + ("SC_".len() as u32);
        let span = Span { start, end: word.span.end };
        Some(RuleItem::Commitment(Reference { name: role.into(), indices: word.indices, span }))
    }

    /// Moves on to the next state or edge.
    fn skip_part(&mut self, start: Span) {
        if self.parser.span() == start {
            self.parser.bump();
        }
        loop {
            match self.parser.peek() {
                TokenKind::End | TokenKind::Semicolon | TokenKind::RightBrace => return,
                TokenKind::Word(_) | TokenKind::Number(_) if self.parser.token().starts_line => {
                    if matches!(self.parser.peek_nth(1), TokenKind::Colon | TokenKind::Dashes) {
                        return;
                    }
                }
                _ => {}
            }
            self.parser.bump();
        }
    }
}
