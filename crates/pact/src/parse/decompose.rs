//! Claimed decompositions.

use servanda_abta::decompose::Rule;
use servanda_logic::{Parser, Reference};
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use super::Reader;
use crate::ast::{DecomposeItem, EdgeItem, ItemKind, Name, StateItem};

impl Reader<'_> {
    /// `decompose ACT { 0 : f, f ; 0 --[and]--> 1 }`
    pub(super) fn decomposition(&mut self) -> Option<ItemKind> {
        let act_start = self.parser.span();
        let errors = self.parser.diagnostics.len();
        let act = self.parser.act_pattern();
        let act_span = act_start.to(self.parser.previous_span());
        if act.is_none() {
            // The states and edges can still be read for mistakes of form.
            while !matches!(self.parser.spelling(0), "{" | "") {
                if self.parser.starts_line(0) && self.at_statement() {
                    return None;
                }
                self.parser.bump();
            }
        }
        let open = self.parser.expect("{")?;
        let (mut states, mut edges) = (Vec::new(), Vec::new());
        loop {
            match self.parser.spelling(0) {
                "" | "}" => break,
                ";" => {
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
        let sound = self.parser.diagnostics.len() == errors;
        let act = act.filter(|_| sound)?;
        Some(ItemKind::Decompose(DecomposeItem { act, act_span, states, edges, open, close }))
    }

    /// A state or an edge.
    fn part(&mut self, states: &mut Vec<StateItem>, edges: &mut Vec<EdgeItem>) -> Option<()> {
        let start = self.parser.span();
        let name = self.state_name()?;
        if self.parser.eat(":") {
            let formulas = self.parser.list(Parser::formula)?;
            states.push(StateItem { name, formulas, span: start.to(self.parser.previous_span()) });
        } else if self.parser.eat("--") {
            self.parser.expect("[")?;
            let rule = self.rule()?;
            self.parser.expect("]")?;
            self.parser.expect("-->")?;
            let to = self.state_name()?;
            edges.push(EdgeItem { from: name, rule, to, span: start.to(self.parser.previous_span()) });
        } else {
            return self.parser.unexpected("`:` or `--[`");
        }
        Some(())
    }

    fn state_name(&mut self) -> Option<Name> {
        if let Some(number) = self.parser.number(0) {
            let span = self.parser.bump();
            return Some(Name { text: number.to_string().into(), span });
        }
        self.name("a state (a number or a name)")
    }

    fn rule(&mut self) -> Option<Rule<Reference>> {
        let span = self.parser.span();
        let rule = match self.parser.spelling(0) {
            "&" | "and" => Rule::And,
            "|" | "or" => Rule::Or,
            "!" | "not" => Rule::Not,
            "?" => Rule::Question,
            "<=>" | "<->" => Rule::Equivalent,
            "X" => Rule::Next,
            other if other.starts_with("SC_") => return self.commitment_rule(),
            other if self.parser.word(0).is_some() => {
                let error = Diagnostic::error(Code::UnknownRule, format!("`{other}` is not a rule"), span);
                let error = error.help("the rules are `and or not ? <=> X SC_Role`");
                return self.parser.diagnostics.refuse(error);
            }
            _ => return self.parser.unexpected("a rule: one of `and or not ? <=> X SC_Role`"),
        };
        self.parser.bump();
        Some(rule)
    }

    /// `SC_Role`: one word, with the indices of the role after it.
    fn commitment_rule(&mut self) -> Option<Rule<Reference>> {
        let word = self.parser.reference()?;
        let role = word.name.strip_prefix("SC_").unwrap_or_default();
        let start = word.span.start + ("SC_".len() as u32);
        let span = Span { start, end: word.span.end };
        Some(Rule::Commitment(Reference { name: role.into(), indices: word.indices, span }))
    }

    /// Moves on to the next state or edge.
    fn skip_part(&mut self, start: Span) {
        if self.parser.span() == start {
            self.parser.bump();
        }
        loop {
            match self.parser.spelling(0) {
                "" | ";" | "}" => return,
                _ if self.parser.starts_line(0)
                    && matches!(self.parser.spelling(1), ":" | "--")
                    && (self.parser.word(0).is_some() || self.parser.number(0).is_some()) =>
                {
                    return;
                }
                _ => {}
            }
            self.parser.bump();
        }
    }
}
