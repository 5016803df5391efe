//! Names of agents, groups, commitments and acts, resolved against a model.

use servanda_logic::{ActPattern, Arg, Commitment, Group, Kind, Party};
use servanda_model::{ActLabel, AgentId, Model, Promise, not_a_commitment, resolve_agent};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all, optional};

/// The members of a group: a declared name, one agent, a list, or everybody.
pub fn resolve_group(
    model: &Model,
    group: &Group,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<AgentId>> {
    match group {
        Group::Everybody => Some(model.agents().map(|(id, _)| id).collect()),
        Group::Listed(references) => {
            let mut members =
                all(references.iter().map(|reference| resolve_agent(model, reference, diagnostics)))?;
            members.sort_unstable();
            members.dedup();
            Some(members)
        }
        Group::Named(reference) => {
            let name = reference.to_string();
            if let Some(group) = model.groups.iter().find(|group| group.name == name) {
                return Some(group.members.clone());
            }
            if let Some(agent) = model.find_agent(&name) {
                return Some(vec![agent]);
            }
            let groups = model.groups.iter().map(|group| group.name.as_str());
            let agents = model.agents.iter().map(|agent| agent.name.as_str());
            let known = groups.chain(agents);
            diagnostics.refuse(Diagnostic::unknown("group or role", &name, reference.span, known))
        }
    }
}

fn wildcard<T>(arg: &Arg<T>, what: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<T>
where
    T: Clone,
{
    match arg {
        Arg::Is(value) => Some(value.clone()),
        Arg::Any => diagnostics.refuse(
            Diagnostic::error(Code::MisplacedWildcard, format!("`_` cannot stand for {what} here"), span)
                .help("name it: only act formulas and `does(..)` in properties take `_`"),
        ),
    }
}

/// A commitment without wildcards. The content is taken as it is: validate it apart.
pub fn resolve_promise(
    model: &Model,
    commitment: &Commitment,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Promise> {
    let debtor = wildcard(&commitment.debtor, "the debtor", span, diagnostics);
    let creditor = wildcard(&commitment.creditor, "the creditor", span, diagnostics);
    let content = wildcard(&commitment.content, "the content", span, diagnostics);
    let tag = optional(&commitment.tag, |tag| wildcard(tag, "the moment", span, diagnostics));
    let debtor = debtor.and_then(|reference| resolve_agent(model, &reference, diagnostics));
    let creditor = creditor.and_then(|reference| resolve_agent(model, &reference, diagnostics));
    Some(Promise {
        debtor: debtor?,
        creditor: creditor?,
        tag: tag?.map(|tag| tag.to_string()),
        content: content?,
    })
}

/// An act without wildcards, performed by the party its kind demands.
pub fn resolve_act(
    model: &Model,
    act: &ActPattern,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ActLabel> {
    let kind = wildcard(&act.kind, "the kind of act", span, diagnostics);
    let actor = wildcard(&act.actor, "who acts", span, diagnostics);
    let commitment = wildcard(&act.commitment, "the commitment", span, diagnostics);
    let support = optional(&act.support, |support| wildcard(support, "the support", span, diagnostics));
    let actor_reference = actor.clone();
    let actor = actor.and_then(|reference| resolve_agent(model, &reference, diagnostics));
    let promise = commitment.and_then(|formula| match formula.kind() {
        Kind::Commitment(commitment) => resolve_promise(model, commitment, formula.span(), diagnostics),
        _ => diagnostics.refuse(
            not_a_commitment(&formula)
                .help("an act is performed on a declared commitment, `SC(i, j, ..)` or `PC(i, j, t, ..)`"),
        ),
    });
    let third = optional(&act.third, |third| wildcard(third, "the third party", span, diagnostics));
    let third_reference = third.clone().flatten();
    let third = third.and_then(|third| optional(&third, |third| resolve_agent(model, third, diagnostics)));
    let label = ActLabel { kind: kind?, promise: promise?, support: support?, third: third? };
    let actor = actor?;
    if label.actor() != actor {
        let span = actor_reference.map_or(span, |reference| reference.span);
        return diagnostics.refuse(wrong_party(model, label.kind, actor, label.actor(), span));
    }
    let Promise { debtor, creditor, .. } = label.promise;
    match label.third.filter(|third| [debtor, creditor].contains(third)) {
        Some(third) => {
            let span = third_reference.map_or(span, |reference| reference.span);
            diagnostics.refuse(not_a_third(model, label.kind, third, third == debtor, span))
        }
        None => Some(label),
    }
}

/// The error that whom an act brings in is there already, as the debtor or the creditor.
pub(crate) fn not_a_third(
    model: &Model,
    kind: servanda_logic::ActKind,
    third: AgentId,
    is_debtor: bool,
    span: Span,
) -> Diagnostic {
    let (party, third) = (if is_debtor { "debtor" } else { "creditor" }, &model.agent(third).name);
    let message =
        format!("`{third}` is the {party} of this commitment: `{}` is to somebody else", kind.short());
    Diagnostic::error(Code::WrongParty, message, span)
        .help("name a role that is neither the debtor nor the creditor")
}

pub(crate) fn wrong_party(
    model: &Model,
    kind: servanda_logic::ActKind,
    actor: AgentId,
    rightful: AgentId,
    span: Span,
) -> Diagnostic {
    let party = match kind.party() {
        Party::Debtor => "debtor",
        Party::Creditor => "creditor",
    };
    let (actor, rightful) = (&model.agent(actor).name, &model.agent(rightful).name);
    let message = format!(
        "`{}` is an act of the {party}, here `{rightful}`: `{actor}` cannot perform it",
        kind.short()
    );
    Diagnostic::error(Code::WrongParty, message, span)
        .help(format!("write `{}({rightful}, ..)`", kind.short()))
}
