//! The head of a file: its name, its parameters, its roles and groups.

use rustc_hash::FxHashMap;
use servanda_logic::Reference;
use servanda_model::{AgentId, GroupDefinition};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all};

use super::Elaborator;
use crate::ast::{Extent, Item, ItemKind, Name};
use crate::bindings::Bindings;
use crate::constant::{Evaluator, MOST_REPETITIONS, Parameters, range_length};
use crate::family::full_name;
use crate::names::{NameKind, Names};
use crate::unroll::{Instance, Unrolled};

/// What a file without `protocol` is called: the name of the file without directories and ending.
pub(super) fn default_name(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

/// Computes the parameters, in order; each may use those before it.
pub(crate) fn parameters(
    items: &[Item],
    names: &Names,
    overrides: &[(String, i64)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Parameters {
    let mut parameters = Parameters::default();
    let mut declared: FxHashMap<&str, Span> = FxHashMap::default();
    for item in items {
        let ItemKind::Param { name, value } = &item.kind else { continue };
        if let Some(first) = declared.insert(&name.text, name.span) {
            diagnostics.push(twice("parameter", name, first));
            continue;
        }
        let value = Evaluator::new(names, &parameters, &Bindings::default(), diagnostics).integer(value);
        let given = overrides.iter().rev().find(|(given, _)| **given == *name.text);
        parameters.insert(name.text.clone(), given.map_or(value, |(_, given)| Some(*given)));
    }
    for (given, _) in overrides {
        if !declared.contains_key(given.as_str()) {
            let message = format!("the protocol has no parameter `{given}`");
            let error = Diagnostic::error(Code::UnknownParameter, message, Span::default());
            diagnostics.push(error.suggest(given, names.of_kind(NameKind::Parameter)));
        }
    }
    parameters
}

pub(super) fn twice(what: &str, name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error(Code::DuplicateName, format!("the {what} `{}` is declared twice", name.text), name.span)
        .label(first, "first declared here")
}

impl Elaborator<'_> {
    /// `protocol` and `semantics`, each at most once.
    pub(super) fn header(&mut self, unrolled: &Unrolled<'_>) {
        let (mut protocol, mut semantics) = (None, None);
        for Instance { item, .. } in &unrolled.instances {
            let (first, what) = match &item.kind {
                ItemKind::Protocol(name) => {
                    self.model.name = name.text.to_string();
                    (protocol.replace(item.span), "protocol")
                }
                ItemKind::Semantics(reading) => {
                    self.model.acts = *reading;
                    (semantics.replace(item.span), "semantics")
                }
                _ => continue,
            };
            if let Some(first) = first {
                let message = format!("`{what}` can be written once");
                let error = Diagnostic::error(Code::DuplicateStatement, message, item.span);
                self.diagnostics.push(error.label(first, "first written here"));
            }
        }
    }

    pub(super) fn roles(&mut self, unrolled: &Unrolled<'_>) {
        for Instance { item, bindings, .. } in &unrolled.instances {
            let ItemKind::Roles(roles) = &item.kind else { continue };
            for role in roles {
                let Some(elements) = self.elements(&role.indices, bindings, role.span) else {
                    self.suspects.insert(role.name.clone());
                    continue;
                };
                for indices in elements {
                    let agent = AgentId::from_index(self.model.agents.len());
                    let declared = self.scope.roles.declare(&role.name, &indices, agent, role.span);
                    if self.diagnostics.accept(declared).is_some() {
                        self.model.add_agent(full_name(&role.name, &indices), role.span);
                    }
                }
            }
        }
    }

    /// The index tuples that a declared name stands for: all of `[1..2][0..3]`.
    pub(super) fn elements(
        &mut self,
        extents: &[Extent],
        bindings: &Bindings,
        span: Span,
    ) -> Option<Vec<Vec<i64>>> {
        let mut evaluator =
            Evaluator::new(&self.scope.names, &self.scope.parameters, bindings, &mut self.diagnostics);
        let ranges = all(extents.iter().map(|extent| match &extent.high {
            None => evaluator.integer(&extent.low).map(|index| (index, index)),
            Some(high) => evaluator.range(&extent.low, high),
        }))?;
        let count =
            ranges.iter().try_fold(1_u64, |count, (low, high)| count.checked_mul(range_length(*low, *high)));
        if count.is_none_or(|count| count > MOST_REPETITIONS) {
            let message = format!("this array has more than {MOST_REPETITIONS} elements");
            return self.diagnostics.error(Code::TooManyElements, message, span);
        }
        if count == Some(0) {
            let error = Diagnostic::error(Code::EmptyRange, "this array has no elements", span);
            let error = error.help("the first index of a range must not be larger than the last");
            return self.diagnostics.refuse(error);
        }
        let mut elements = vec![Vec::new()];
        for (low, high) in ranges {
            let longer = |indices: &Vec<i64>, index: i64| [indices.as_slice(), &[index]].concat();
            elements = elements
                .iter()
                .flat_map(|indices| (low..=high).map(move |index| longer(indices, index)))
                .collect();
        }
        Some(elements)
    }

    /// Groups may contain groups, in any order.
    pub(super) fn groups(&mut self, unrolled: &Unrolled<'_>) {
        let mut pending = Vec::new();
        for Instance { item, bindings, .. } in &unrolled.instances {
            let ItemKind::Group { name, members } = &item.kind else { continue };
            let Some(indices) = self.declared_indices(name, bindings) else { continue };
            let number = pending.len();
            let declared = self.scope.groups.declare(&name.name, &indices, number, name.span);
            if self.diagnostics.accept(declared).is_some() {
                pending.push((full_name(&name.name, &indices), members, bindings, name.span));
            }
        }
        let members: Vec<Vec<Member>> = pending
            .iter()
            .map(|(_, members, bindings, _)| members.iter().flat_map(|m| self.member(m, bindings)).collect())
            .collect();
        for (number, (name, .., span)) in pending.iter().enumerate() {
            let agents = self.closed_group(&members, number, name, *span);
            let names = agents.iter().map(|agent| self.model.agent(*agent).name.clone()).collect();
            self.scope.members.insert(name.clone(), names);
            self.model.groups.push(GroupDefinition { name: name.clone(), members: agents });
        }
    }

    /// A role, all elements of an array of roles, or another group.
    fn member(&mut self, member: &Reference, bindings: &Bindings) -> Vec<Member> {
        let span = member.span;
        let Some(indices) = self.expander(bindings).indices(member) else { return Vec::new() };
        if indices.is_empty() {
            let array = self.scope.roles.array(&member.name);
            if !array.is_empty() {
                return array.into_iter().map(|(_, agent)| Member::Agent(*agent)).collect();
            }
        }
        let name = &member.name;
        let found = match (self.scope.roles.contains(name), self.scope.groups.contains(name)) {
            (false, true) => self.scope.groups.find(name, &indices, span).map(|group| Member::Group(*group)),
            (true, _) => self.scope.roles.find(name, &indices, span).map(|agent| Member::Agent(*agent)),
            (false, false) => {
                let known = self.scope.roles.names().chain(self.scope.groups.names());
                Err(Box::new(Diagnostic::unknown("role or group", name, span, known)))
            }
        };
        self.diagnostics.accept(found).into_iter().collect()
    }

    /// The agents of a group and of the groups in it, in order.
    fn closed_group(
        &mut self,
        members: &[Vec<Member>],
        start: usize,
        name: &str,
        span: Span,
    ) -> Vec<AgentId> {
        let mut agents: Vec<AgentId> = Vec::new();
        let mut seen = vec![false; members.len()];
        let mut todo = vec![start];
        let mut circular = false;
        while let Some(group) = todo.pop() {
            for member in &members[group] {
                match member {
                    Member::Agent(agent) => agents.push(*agent),
                    Member::Group(inner) if *inner == start => circular = true,
                    Member::Group(inner) if !std::mem::replace(&mut seen[*inner], true) => todo.push(*inner),
                    Member::Group(_) => {}
                }
            }
        }
        if circular {
            let message = format!("the group `{name}` contains itself");
            self.diagnostics.push(Diagnostic::error(Code::CircularDefinition, message, span));
        }
        agents.sort_unstable();
        agents.dedup();
        agents
    }
}

#[derive(Clone, Copy)]
enum Member {
    Agent(AgentId),
    Group(usize),
}
