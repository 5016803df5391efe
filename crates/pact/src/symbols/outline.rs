//! How a file is made up: what has a name, what can be folded, what is stated.

use servanda_logic::Reference;
use servanda_syntax::{Outlined, Span, Stated, SymbolKind, Symbols};

use super::own_place;
use crate::ast::{DomainItem, Item, ItemKind};

/// Adds the outline, the folds, what is stated and the parts.
pub(super) fn add(text: &str, items: &[Item], symbols: &mut Symbols) {
    let mut outline = Outline { text, symbols };
    let entries = outline.entries(items);
    outline.symbols.outline = entries;
}

struct Outline<'a> {
    text: &'a str,
    symbols: &'a mut Symbols,
}

impl Outline<'_> {
    fn entries(&mut self, items: &[Item]) -> Vec<Outlined> {
        let mut entries = Vec::new();
        for item in items {
            self.entry(item, &mut entries);
        }
        entries
    }

    fn entry(&mut self, item: &Item, entries: &mut Vec<Outlined>) {
        let one = |name: &str, kind, name_span| Outlined {
            name: name.to_owned(),
            kind,
            name_span,
            span: item.span,
            children: Vec::new(),
        };
        match &item.kind {
            ItemKind::Protocol(name) => entries.push(one(&name.text, SymbolKind::Protocol, name.span)),
            ItemKind::Param { name, .. } => entries.push(one(&name.text, SymbolKind::Parameter, name.span)),
            ItemKind::Roles(roles) => {
                entries.extend(roles.iter().map(|role| one(&role.name, SymbolKind::Role, role.span)));
            }
            ItemKind::Variables(variables) => {
                let names = variables.names.iter();
                entries.extend(names.map(|name| one(&name.name, SymbolKind::Variable, name.span)));
            }
            ItemKind::Clock { names, .. } => {
                entries.extend(names.iter().map(|name| one(&name.name, SymbolKind::Clock, name.span)));
            }
            ItemKind::Type { name, domain } => {
                let mut entry = one(&name.text, SymbolKind::Type, name.span);
                if let DomainItem::Enumeration(literals) = domain {
                    let value = |name: &crate::ast::Name| Outlined {
                        span: name.span,
                        ..one(&name.text, SymbolKind::Value, name.span)
                    };
                    entry.children = literals.iter().map(value).collect();
                }
                entries.push(entry);
            }
            ItemKind::Message(message) => {
                entries.push(one(&message.name.name, SymbolKind::Message, message.name.span));
            }
            ItemKind::Channel(channel) => {
                entries.push(one(&channel.name.name, SymbolKind::Channel, channel.name.span));
            }
            ItemKind::Proposition { name, .. } => {
                entries.push(one(&name.name, SymbolKind::Proposition, name.span));
            }
            ItemKind::Commitment { name, .. } => {
                entries.push(one(&name.name, SymbolKind::Commitment, name.span));
            }
            ItemKind::Group { name, .. } => entries.push(one(&name.name, SymbolKind::Group, name.span)),
            ItemKind::Use(part) => {
                self.symbols.parts.push((part.name.text.clone(), part.file.text.to_string()));
                entries.push(one(&part.name.text, SymbolKind::Part, part.name.span));
            }
            ItemKind::Property(property) => {
                entries.push(one(&property.name.name, SymbolKind::Property, property.name.span));
                let words =
                    property.expected.map(|expected| (expected, if expected { "true" } else { "false" }));
                self.state(&property.name, item.span, words, "=", false);
            }
            ItemKind::Scenario(scenario) => {
                entries.push(one(&scenario.name.name, SymbolKind::Scenario, scenario.name.span));
                let words = if scenario.impossible { Some((false, "impossible")) } else { None };
                self.state(&scenario.name, item.span, words, "{", true);
                self.symbols.folds.push(scenario.open.to(scenario.close));
            }
            ItemKind::Machine { name, body, .. } => {
                self.symbols.folds.push(body.open.to(body.close));
                let mut entry = one(&name.name, SymbolKind::Machine, name.span);
                entry.children = self.entries(&body.items);
                entries.push(entry);
            }
            ItemKind::For { body, .. } => {
                self.symbols.folds.push(body.open.to(body.close));
                for item in &body.items {
                    self.entry(item, entries);
                }
            }
            ItemKind::Decompose(decompose) => self.symbols.folds.push(decompose.open.to(decompose.close)),
            _ => {}
        }
    }

    /// A property or scenario: where its expectation stands, or would stand, is before the sign `before`.
    fn state(
        &mut self,
        name: &Reference,
        span: Span,
        expected: Option<(bool, &str)>,
        before: &str,
        is_scenario: bool,
    ) {
        let Some(name_span) = own_place(self.text, name.span, &name.name) else { return };
        let tokens = &self.symbols.tokens;
        let first = tokens.partition_point(|token| token.span.start < name.span.end);
        let written = |span: Span| self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let head: Vec<Span> = tokens[first..]
            .iter()
            .map(|token| token.span)
            .take_while(|place| place.end <= span.end && !written(*place).starts_with(before))
            .collect();
        let last = head.last().copied().unwrap_or(name.span);
        let said = head.iter().position(|place| written(*place) == "expect");
        let expect = said.map(|at| head[at].to(last));
        // `expect possible` says what is expected anyway.
        let value = expected.is_none_or(|(value, _)| value);
        let expected = expect.map(|place| (value, place));
        let expect_at = last.end;
        let name = name.name.clone();
        self.symbols.stated.push(Stated { name, name_span, span, expected, expect_at, is_scenario });
    }
}
