//! Commitments with wildcards, and which commitments they match.

use servanda_logic::{Arg, Commitment, Formula, Kind, Reference};
use servanda_syntax::{Code, Diagnostic, Findings, optional};

use crate::{AgentId, CommitmentId, Model, Promise};

/// An agent by name.
pub fn resolve_agent(
    model: &Model,
    reference: &Reference,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<AgentId> {
    let name = reference.to_string();
    let found = model.find_agent(&name);
    if found.is_none() {
        let known = model.agents.iter().map(|agent| agent.name.as_str());
        diagnostics.push(Diagnostic::unknown("role", &name, reference.span, known));
    }
    found
}

/// A commitment with its names resolved, possibly with wildcards; contents compare as parsed.
#[derive(Clone, Debug)]
pub struct PromisePattern {
    /// Who owes it.
    pub debtor: Arg<AgentId>,
    /// To whom.
    pub creditor: Arg<AgentId>,
    tag: Option<Arg<String>>,
    content: Arg<Formula>,
}

impl PromisePattern {
    /// What an act or `active` is about. The content is taken as it is: validate it apart.
    pub fn of_subject(
        model: &Model,
        subject: &Arg<Formula>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Arg<Self>> {
        subject.try_map(|formula| match formula.kind() {
            Kind::Commitment(commitment) => Self::of_commitment(model, commitment, diagnostics),
            _ => {
                diagnostics.refuse(not_a_commitment(formula).help(
                    "what stands here is a declared commitment, `SC(i, j, ..)`, `PC(i, j, t, ..)` or `_`",
                ))
            }
        })
    }

    fn of_commitment(
        model: &Model,
        commitment: &Commitment,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let mut agent =
            |arg: &Arg<Reference>| arg.try_map(|reference| resolve_agent(model, reference, diagnostics));
        let (debtor, creditor) = (agent(&commitment.debtor), agent(&commitment.creditor));
        let tag = optional(&commitment.tag, |tag| tag.try_map(|tag| Some(tag.to_string())));
        let content = commitment.content.clone();
        Some(PromisePattern { debtor: debtor?, creditor: creditor?, tag: tag?, content })
    }

    /// Is it one of these?
    pub fn matches(&self, promise: &Promise) -> bool {
        let tag = match (&self.tag, &promise.tag) {
            // Whatever moment also stands for none.
            (None, None) | (Some(Arg::Any), None) => true,
            (Some(wanted), Some(tag)) => wanted.fits(tag),
            _ => false,
        };
        tag && self.debtor.fits(&promise.debtor)
            && self.creditor.fits(&promise.creditor)
            && self.content.fits(&promise.content)
    }
}

/// The error that something is no commitment.
pub fn not_a_commitment(formula: &Formula) -> Diagnostic {
    Diagnostic::error(Code::NotACommitment, format!("`{formula}` is not a commitment"), formula.span())
}

impl Model {
    /// The commitments that can be in force and match.
    pub fn commitments_matching<'m>(
        &'m self,
        pattern: &'m Arg<PromisePattern>,
    ) -> impl Iterator<Item = CommitmentId> + 'm {
        let fits = |promise: &Promise| pattern.given().is_none_or(|pattern| pattern.matches(promise));
        self.commitments().filter(move |(_, promise)| fits(promise)).map(|(id, _)| id)
    }
}
