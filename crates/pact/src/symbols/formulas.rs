//! The names in formulas, and what names stand for.

use std::sync::Arc;

use servanda_logic::{
    ActionPattern, Arg, At, Carries, Comprehension, Formula, Group, Kind, Reference, Rewrite, Tag,
};
use servanda_syntax::{Span, SymbolKind};

use super::uses::Uses;
use super::{Space, own_place};

impl Uses<'_> {
    /// A name that stands for something of a space; with dots, a part and something of it, or a channel.
    pub(super) fn name(&mut self, name: &Reference, space: Space) {
        if let Some((head, rest)) = name.name.split_once('.') {
            self.dotted(head, rest, name.span);
        } else if let Some(span) = own_place(self.text, name.span, &name.name) {
            let index = self.indices.iter().rev().find(|(index, _)| *index == name.name);
            let stands_for = match (space, index) {
                (Space::Value, Some((_, scope))) => Some((SymbolKind::Index, scope.clone())),
                _ => self.known.find(space, &name.name).first().map(|(scope, kind)| (*kind, scope.clone())),
            };
            if let Some(stands_for) = stands_for {
                self.push(&name.name, stands_for, span, false);
            }
        }
        name.indices.iter().for_each(|index| self.read(index));
    }

    fn dotted(&mut self, head: &str, rest: &str, span: Span) {
        let Some(first) = own_place(self.text, span, head) else { return };
        let found = [Space::Part, Space::Channel, Space::Role];
        let found = found.into_iter().find_map(|space| self.known.find(space, head).first());
        let Some((_, kind)) = found else { return };
        let kind = *kind;
        self.push(head, (kind, "".into()), first, false);
        let inside = rest.split('.').next_back().unwrap_or(rest);
        let between = self.text.get(first.end as usize..span.end as usize).unwrap_or_default();
        let Some(at) = between.find('.').and_then(|dot| between[dot..].find(inside).map(|at| dot + at))
        else {
            return;
        };
        let start = first.end as usize + at;
        let place = Span::new(start, start + inside.len());
        match kind {
            SymbolKind::Part => self.push(rest, (SymbolKind::Foreign, head.into()), place, false),
            SymbolKind::Role if !self.known.find(Space::Message, rest).is_empty() => {
                self.push(rest, (SymbolKind::Message, "".into()), place, false);
            }
            _ => {}
        }
    }

    /// What `inside` finds is found with one more index in force.
    pub(super) fn with_index(
        &mut self,
        index: &Arc<str>,
        span: Option<Span>,
        inside: impl FnOnce(&mut Self),
    ) {
        let scope: Arc<str> = match span {
            Some(span) => format!("@{}", span.start).into(),
            None => format!("@{}", self.statement.start).into(),
        };
        if let Some(span) = span {
            self.push(index, (SymbolKind::Index, scope.clone()), span, true);
        }
        self.indices.push((index.clone(), scope));
        inside(self);
        self.indices.pop();
    }

    /// The names in a formula.
    pub(super) fn read(&mut self, formula: &Formula) {
        if self.depth == 0 {
            self.formulas.push(formula.clone());
        }
        self.depth += 1;
        self.parts(formula);
        self.depth -= 1;
    }

    fn parts(&mut self, formula: &Formula) {
        match formula.kind() {
            Kind::Name(name) => self.name(name, Space::Value),
            Kind::At(At { machine, location }) => {
                machine.iter().for_each(|machine| self.name(machine, Space::Machine));
                let said = machine.as_ref().map(|machine| &*machine.name);
                match self.known.machine_of(&location.name, said, &self.machine).cloned() {
                    Some(machine) => self.state_of(location, &machine),
                    None => location.indices.iter().for_each(|index| self.read(index)),
                }
            }
            Kind::Comprehension(Comprehension { index, low, high, body, .. }) => {
                self.read(low);
                self.read(high);
                let place = self.index_of(formula.span(), index);
                self.with_index(index, place, |uses| uses.read(body));
            }
            Kind::Length(channel) => self.name(channel, Space::Channel),
            Kind::Carries(Carries { channel, message, .. }) => {
                self.name(channel, Space::Channel);
                let _ = self.message(message);
            }
            kind => {
                let _ = kind.rewrite(self);
            }
        }
    }

    /// Where the index of a repetition in a formula is written: it is the second word there.
    fn index_of(&self, formula: Span, index: &str) -> Option<Span> {
        let tokens = &self.symbols.tokens;
        let first = tokens.partition_point(|token| token.span.start < formula.start);
        let inside = tokens[first..].iter().take_while(|token| token.span.end <= formula.end);
        let written = |span: Span| self.text.get(span.start as usize..span.end as usize) == Some(index);
        inside.map(|token| token.span).find(|span| written(*span))
    }
}

impl Rewrite for Uses<'_> {
    fn formula(&mut self, formula: &Formula) -> Option<Formula> {
        self.read(formula);
        Some(formula.clone())
    }

    fn reference(&mut self, reference: &Reference) -> Option<Reference> {
        self.name(reference, Space::Value);
        Some(reference.clone())
    }

    fn role(&mut self, name: &Reference) -> Option<Reference> {
        self.name(name, Space::Role);
        Some(name.clone())
    }

    fn group(&mut self, group: &Group) -> Option<Group> {
        match group {
            Group::Everybody => {}
            Group::Named(name) => self.name(name, Space::Role),
            Group::Listed(members) => members.iter().for_each(|member| self.name(member, Space::Role)),
        }
        Some(group.clone())
    }

    fn tag(&mut self, tag: &Tag) -> Option<Tag> {
        if let Tag::Name(name) = tag {
            self.name(name, Space::Value);
        }
        Some(tag.clone())
    }

    fn message(&mut self, action: &ActionPattern) -> Option<ActionPattern> {
        match &action.agent {
            // `Bob.pay` was read as one name.
            Some(agent) if agent.span == action.name.span => {
                self.dotted(&agent.name, &action.name.name, agent.span);
            }
            agent => {
                agent.iter().for_each(|agent| self.name(agent, Space::Role));
                self.name(&action.name, Space::Message);
            }
        }
        action.to.iter().for_each(|role| self.name(role, Space::Role));
        let arguments = action.arguments.iter().flatten().filter_map(Arg::given);
        arguments.for_each(|value| self.read(value));
        Some(action.clone())
    }
}
