//! The parts of formulas that are not formulas: agents, groups, control states, labels, commitments.

use servanda_logic::{
    ActPattern, ActionPattern, Arg, At, Commitment, Epistemic, Formula, Goal, Group, Kind, LabelPattern,
    Reference, Strategic, Tag,
};
use servanda_model::AgentId;
use servanda_syntax::{Code, Diagnostic, Findings};

use super::Expander;
use crate::names::NameKind;

/// Applies `change` to an argument that is not a wildcard.
fn argument<T, S>(argument: &Arg<T>, change: impl FnOnce(&T) -> Option<S>) -> Option<Arg<S>> {
    match argument {
        Arg::Any => Some(Arg::Any),
        Arg::Is(value) => change(value).map(Arg::Is),
    }
}

impl Expander<'_> {
    /// A role by name, with computed indices.
    pub(crate) fn agent(&mut self, reference: &Reference) -> Option<(AgentId, Reference)> {
        let scope = self.scope;
        let values = self.indices(reference)?;
        let reference = self.with_indices(reference, &values);
        let agent = *self.diagnostics.accept(scope.roles.find(&reference.name, &values, reference.span))?;
        Some((agent, reference))
    }

    fn role(&mut self, reference: &Reference) -> Option<Reference> {
        self.agent(reference).map(|(_, reference)| reference)
    }

    pub(super) fn control(&mut self, at: &At) -> Option<Kind> {
        let machine = match &at.machine {
            None => Some(None),
            Some(machine) => self.machine(machine).map(Some),
        };
        let location = self.reference(&at.location);
        Some(Kind::At(At { machine: machine?, location: location? }))
    }

    fn machine(&mut self, reference: &Reference) -> Option<Reference> {
        let scope = self.scope;
        let values = self.indices(reference)?;
        let reference = self.with_indices(reference, &values);
        self.diagnostics.accept(scope.machines.find(&reference.name, &values, reference.span))?;
        Some(reference)
    }

    pub(super) fn label(&mut self, label: &LabelPattern) -> Option<Kind> {
        Some(Kind::Does(match label {
            LabelPattern::Any | LabelPattern::Shown(_) => label.clone(),
            LabelPattern::Act(act) => LabelPattern::Act(self.act(act)?),
            LabelPattern::Action(action) => {
                let agent = match &action.agent {
                    None => Some(None),
                    Some(agent) => self.role(agent).map(Some),
                };
                let name = self.reference(&action.name);
                let content = match &action.content {
                    None => Some(None),
                    Some(content) => self.formula(content).map(Some),
                };
                let (agent, name, content) = (agent?, name?, content?);
                LabelPattern::Action(ActionPattern { agent, output: action.output, name, content })
            }
        }))
    }

    pub(crate) fn act(&mut self, act: &ActPattern) -> Option<ActPattern> {
        let actor = argument(&act.actor, |actor| self.role(actor));
        let commitment = argument(&act.commitment, |commitment| self.act_commitment(commitment));
        let support = match &act.support {
            None => Some(None),
            Some(support) => argument(support, |support| self.formula(support)).map(Some),
        };
        Some(ActPattern { kind: act.kind.clone(), actor: actor?, commitment: commitment?, support: support? })
    }

    /// What an act is about must be a commitment.
    fn act_commitment(&mut self, commitment: &Formula) -> Option<Formula> {
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

    pub(super) fn commitment(&mut self, commitment: &Commitment) -> Option<Commitment> {
        let debtor = argument(&commitment.debtor, |debtor| self.role(debtor));
        let creditor = argument(&commitment.creditor, |creditor| self.role(creditor));
        let tag = match &commitment.tag {
            None => Some(None),
            Some(tag) => argument(tag, |tag| self.tag(tag)).map(Some),
        };
        let content = argument(&commitment.content, |content| self.formula(content));
        Some(Commitment { debtor: debtor?, creditor: creditor?, tag: tag?, content: content? })
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

    pub(super) fn epistemic(&mut self, epistemic: &Epistemic) -> Option<Kind> {
        let agent = match &epistemic.agent {
            None => Some(None),
            Some(agent) => self.role(agent).map(Some),
        };
        let group = match &epistemic.group {
            None => Some(None),
            Some(group) => self.group(group).map(Some),
        };
        let body = self.formula(&epistemic.body);
        Some(Kind::Epistemic(Epistemic { op: epistemic.op, agent: agent?, group: group?, body: body? }))
    }

    fn group(&mut self, group: &Group) -> Option<Group> {
        match group {
            Group::Everybody => Some(Group::Everybody),
            Group::Named(name) => {
                if self.scope.groups.contains(&name.name) {
                    let scope = self.scope;
                    let values = self.indices(name)?;
                    let name = self.with_indices(name, &values);
                    self.diagnostics.accept(scope.groups.find(&name.name, &values, name.span))?;
                    return Some(Group::Named(name));
                }
                let mut members = self.members(name)?;
                Some(match members.len() {
                    1 => Group::Named(members.remove(0)),
                    _ => Group::Listed(members),
                })
            }
            Group::Listed(names) => {
                let members: Vec<Option<Vec<Reference>>> =
                    names.iter().map(|name| self.members(name)).collect();
                let members: Vec<Vec<Reference>> = members.into_iter().collect::<Option<_>>()?;
                Some(Group::Listed(members.concat()))
            }
        }
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
                let message = format!("no role or group is called `{}`", name.name);
                let known = self.scope.roles.names().chain(self.scope.groups.names());
                let error = Diagnostic::error(Code::UnknownName, message, span).suggest(&name.name, known);
                return self.diagnostics.refuse(error);
            }
        }
        self.role(name).map(|role| vec![role])
    }

    pub(super) fn strategic(&mut self, strategic: &Strategic) -> Option<Kind> {
        let group = self.group(&strategic.group);
        let goal = match &strategic.goal {
            Goal::Next(goal) => self.formula(goal).map(Goal::Next),
            Goal::Finally(goal) => self.formula(goal).map(Goal::Finally),
            Goal::Globally(goal) => self.formula(goal).map(Goal::Globally),
            Goal::Until(left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                left.zip(right).map(|(left, right)| Goal::Until(left, right))
            }
        };
        Some(Kind::Strategic(Strategic { group: group?, goal: goal? }))
    }
}
