//! The parts of formulas that are not formulas: agents, groups, control states, labels, commitments.

use servanda_logic::{ActionPattern, Arg, Formula, Group, Kind, Reference, Rewrite, Tag};
use servanda_model::AgentId;
use servanda_syntax::{Code, Diagnostic, Findings, all, optional};

use super::{DEEPEST_FORMULA, Expander, Part};
use crate::family::Families;
use crate::names::NameKind;
use crate::scope::Scope;

impl Expander<'_> {
    /// A role by name, with computed indices.
    pub(crate) fn agent(&mut self, reference: &Reference) -> Option<(AgentId, Reference)> {
        let scope = self.scope;
        self.found(reference, &scope.roles)
    }

    /// What a table has under a name, and the name with computed indices.
    fn found<T: Copy>(&mut self, name: &Reference, table: &Families<T>) -> Option<(T, Reference)> {
        let values = self.indices(name)?;
        let name = self.with_indices(name, &values);
        let found = self.diagnostics.accept(table.find(&name.name, &values, name.span))?;
        Some((*found, name))
    }

    /// A role, all elements of an array of roles, or the members of a group.
    pub(crate) fn addressees(&mut self, name: &Reference) -> Option<Vec<Reference>> {
        if self.scope.groups.contains(&name.name) {
            let scope = self.scope;
            let (_, group) = self.found(name, &scope.groups)?;
            let members = scope.members.get(&group.to_string()).cloned().unwrap_or_default();
            return Some(members.iter().map(|member| Reference::plain(member, group.span)).collect());
        }
        self.members(name)
    }

    /// A role, or all elements of an array of roles.
    fn members(&mut self, name: &Reference) -> Option<Vec<Reference>> {
        if name.indices.is_empty() {
            let elements = self.scope.roles.array(&name.name);
            if !elements.is_empty() {
                return Some(elements.iter().map(|(values, _)| self.with_indices(name, values)).collect());
            }
            if !self.scope.roles.contains(&name.name) {
                let span = self.span(name.span);
                let known = self.scope.roles.names().chain(self.scope.groups.names());
                return self.diagnostics.refuse(Diagnostic::unknown(
                    "role or group",
                    &name.name,
                    span,
                    known,
                ));
            }
        }
        self.role(name).map(|role| vec![role])
    }
}

impl Expander<'_> {
    /// The name of a step that a channel with indices makes by itself: `link[2].lose`.
    fn step_of_channel(&mut self, action: &ActionPattern) -> Option<Option<String>> {
        let Some(agent) = action.agent.as_ref().filter(|agent| !agent.indices.is_empty()) else {
            return Some(None);
        };
        if self.scope.roles.contains(&agent.name) {
            return Some(None);
        }
        let channel = self.reference(agent)?;
        let step = format!("{channel}.{}", action.name.name);
        Some(self.scope.said.contains(&step).then_some(step))
    }
}

/// A role with dots in its name, which the parser took apart at the first.
fn joined_role(scope: &Scope, action: &ActionPattern) -> Option<(Reference, Reference)> {
    let agent = action.agent.as_ref()?;
    let name = &action.name.name;
    name.match_indices('.').find_map(|(dot, _)| {
        let role = format!("{}.{}", agent.name, &name[..dot]);
        let message = Reference { name: name[dot + 1..].into(), ..action.name.clone() };
        scope.roles.contains(&role).then(|| (Reference { name: role.into(), ..agent.clone() }, message))
    })
}

impl Rewrite for Expander<'_> {
    /// Makes a formula ground; every mistake in it is reported.
    fn formula(&mut self, formula: &Formula) -> Option<Formula> {
        let span = self.span(formula.span());
        self.count(1, span)?;
        if self.depth >= DEEPEST_FORMULA {
            return self.too_deep(span);
        }
        self.depth += 1;
        let before = self.parts.len();
        let result = self.node(formula, span);
        self.depth -= 1;
        // Within a definition nothing counts: it is read where it stands.
        if let (Some(ground), None) = (&result, self.place) {
            self.parts.truncate(before);
            self.parts.push(Part { written: formula.clone(), ground: ground.clone() });
        }
        result
    }

    /// The same name with computed indices.
    fn reference(&mut self, reference: &Reference) -> Option<Reference> {
        let values = self.indices(reference)?;
        Some(self.with_indices(reference, &values))
    }

    fn role(&mut self, name: &Reference) -> Option<Reference> {
        self.agent(name).map(|(_, name)| name)
    }

    fn machine(&mut self, name: &Reference) -> Option<Reference> {
        let scope = self.scope;
        self.found(name, &scope.machines).map(|(_, name)| name)
    }

    fn group(&mut self, group: &Group) -> Option<Group> {
        match group {
            Group::Everybody => Some(Group::Everybody),
            Group::Named(name) => {
                if self.scope.groups.contains(&name.name) {
                    let scope = self.scope;
                    return self.found(name, &scope.groups).map(|(_, name)| Group::Named(name));
                }
                let mut members = self.members(name)?;
                Some(match members.len() {
                    1 => Group::Named(members.remove(0)),
                    _ => Group::Listed(members),
                })
            }
            Group::Listed(names) => {
                Some(Group::Listed(all(names.iter().map(|name| self.members(name)))?.concat()))
            }
        }
    }

    /// A bound is computed.
    fn bound(&mut self, bound: &Formula) -> Option<Formula> {
        let span = self.span(bound.span());
        let ticks = self.evaluator().integer(bound)?;
        Some(Formula::new(Kind::Int(ticks), span))
    }

    /// A moment that is called like a parameter or index is its value.
    fn tag(&mut self, tag: &Tag) -> Option<Tag> {
        let name = match tag {
            Tag::Number(number) => return Some(Tag::Number(*number)),
            Tag::Name(name) => name,
        };
        if name.indices.is_empty() {
            if let Some(value) = self.bindings.get(&name.name) {
                return Some(Tag::Number(value));
            }
            if let Some(value) = self.scope.parameters.get(&name.name) {
                return value.map(Tag::Number);
            }
        }
        self.reference(name).map(Tag::Name)
    }

    /// Before the dot of a message stands who sends it, or the part or channel that the message belongs to; an addressee may be a
    /// group.
    fn message(&mut self, action: &ActionPattern) -> Option<ActionPattern> {
        let whole = action.agent.as_ref().filter(|agent| agent.indices.is_empty() && action.to.is_empty());
        let joined = whole.map(|agent| format!("{}.{}", agent.name, action.name.name));
        let step =
            self.step_of_channel(action)?.or(joined.filter(|name| self.scope.said.contains(name.as_str())));
        let (agent, name) = match step {
            Some(name) => (Some(None), Reference { name: name.into(), ..action.name.clone() }),
            None => match joined_role(self.scope, action) {
                Some((role, name)) => (self.role(&role).map(Some), name),
                None => (optional(&action.agent, |agent| self.role(agent)), action.name.clone()),
            },
        };
        let to = all(action.to.iter().map(|to| self.addressees(to)));
        let name = self.reference(&name);
        let mut argument = |argument: &Arg<Formula>| argument.try_map(|value| self.formula(value));
        let arguments = optional(&action.arguments, |list| all(list.iter().map(&mut argument)));
        let (agent, to, name, arguments) = (agent?, to?.concat(), name?, arguments?);
        Some(ActionPattern { agent, to, name, arguments, ..action.clone() })
    }

    /// What an act is about must be a commitment.
    fn subject(&mut self, commitment: &Formula) -> Option<Formula> {
        let Kind::Name(reference) = commitment.kind() else { return self.formula(commitment) };
        let span = self.span(reference.span);
        let kind = match self.bindings.get(&reference.name) {
            Some(_) => Some(NameKind::Parameter),
            None => self.scope.names.kind(&reference.name),
        };
        let name = &reference.name;
        let message = match kind {
            Some(NameKind::Commitment) => return self.named_commitment(reference),
            Some(kind) => format!("`{name}` is {}, not a commitment", kind.described()),
            None => format!("no commitment is called `{name}`"),
        };
        let code = if kind.is_some() { Code::NotACommitment } else { Code::UnknownName };
        let error = Diagnostic::error(code, message, span);
        self.diagnostics.refuse(error.suggest(name, self.scope.commitments.names()))
    }
}
