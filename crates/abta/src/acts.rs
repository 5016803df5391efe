//! What a communicative act brings about, as a formula (docs/formulas.md section 4).

use servanda_logic::{ActKind, ActPattern, Arg, Binary, Commitment, Formula, Kind, Party, Reference, Unary};
use servanda_syntax::{Code, Diagnostic, Span};

/// An act on a commitment that is written out.
pub(crate) struct PlainAct<'f> {
    pub(crate) kind: ActKind,
    commitment: &'f Formula,
    terms: Option<&'f Commitment>,
    support: Option<&'f Formula>,
    span: Span,
}

impl<'f> PlainAct<'f> {
    /// Takes an act formula apart; what no automaton can be made of is an error.
    pub(crate) fn of(act: &'f ActPattern, span: Span) -> Result<Self, Box<Diagnostic>> {
        let wildcard = |what: &str| -> Box<Diagnostic> {
            Diagnostic::error(
                Code::ActWithWildcard,
                format!("{what} stands for all acts of a model that fit, and here there is no model"),
                span,
            )
            .help("write the act out, or `does(..)` around it to speak of its label alone")
            .into()
        };
        let Arg::Is(kind) = act.kind else { return Err(wildcard("`Act`")) };
        let (Arg::Is(actor), Arg::Is(commitment)) = (&act.actor, &act.commitment) else {
            return Err(wildcard("`_`"));
        };
        let terms = match commitment.kind() {
            Kind::Commitment(terms) => Some(terms),
            Kind::Name(_) => None,
            _ => {
                let message = format!("`{commitment}` is not a commitment");
                return Err(Diagnostic::error(Code::NotACommitment, message, commitment.span())
                    .help("an act is performed on a named commitment, `SC(i, j, ..)` or `PC(i, j, t, ..)`")
                    .into());
            }
        };
        if let Some(terms) = terms {
            let (Arg::Is(debtor), Arg::Is(creditor), Arg::Is(_)) =
                (&terms.debtor, &terms.creditor, &terms.content)
            else {
                return Err(wildcard("`_`"));
            };
            if matches!(terms.tag, Some(Arg::Any)) {
                return Err(wildcard("`_`"));
            }
            check_party(kind, actor, debtor, creditor)?;
        }
        let support = match &act.support {
            None => None,
            Some(Arg::Is(support)) => Some(support),
            Some(Arg::Any) => return Err(wildcard("`_`")),
        };
        Ok(PlainAct { kind, commitment, terms, support, span })
    }

    /// What ACTL* demands of the next state.
    pub(crate) fn brought_about(&self) -> Result<Formula, Box<Diagnostic>> {
        match (self.kind, self.terms) {
            (ActKind::Create | ActKind::Reactivate, _) => Ok(self.commitment.clone()),
            (ActKind::Withdraw, _) => Ok(self.commitment.clone().negated()),
            (_, Some(terms)) => Ok(self.demanded_by(terms)),
            (kind, None) => Err(Diagnostic::error(
                Code::UnknownContent,
                format!(
                    "what `{}` brings about depends on the content of `{}`",
                    kind.short(),
                    self.commitment
                ),
                self.commitment.span(),
            )
            .help("write the commitment out: `SC(i, j, ..)`")
            .into()),
        }
    }

    fn demanded_by(&self, terms: &Commitment) -> Formula {
        let Arg::Is(content) = terms.content.clone() else { return self.commitment.clone() };
        let owed = |debtor: &Arg<Reference>, creditor: &Arg<Reference>, content: Formula| {
            let (debtor, creditor, tag) = (debtor.clone(), creditor.clone(), terms.tag.clone());
            Formula::new(
                Kind::Commitment(Commitment { debtor, creditor, tag, content: Arg::Is(content) }),
                self.span,
            )
        };
        let back = |content: Formula| owed(&terms.creditor, &terms.debtor, content);
        let supported = |conclusion: Formula| match self.support {
            Some(support) => support.clone().binary(Binary::So, conclusion),
            None => conclusion,
        };
        match self.kind {
            ActKind::Create | ActKind::Reactivate => self.commitment.clone(),
            ActKind::Withdraw => self.commitment.clone().negated(),
            ActKind::Satisfy => content,
            ActKind::Violate => content.negated(),
            ActKind::Accept => back(content),
            ActKind::Refuse => back(content.negated()),
            ActKind::Challenge => back(content.unary(Unary::Challenged)),
            ActKind::Attack => back(supported(content.negated())),
            ActKind::Defend | ActKind::Justify => owed(&terms.debtor, &terms.creditor, supported(content)),
        }
    }
}

fn check_party(
    kind: ActKind,
    actor: &Reference,
    debtor: &Reference,
    creditor: &Reference,
) -> Result<(), Box<Diagnostic>> {
    let (rightful, role) = match kind.party() {
        Party::Debtor => (debtor, "debtor"),
        Party::Creditor => (creditor, "creditor"),
    };
    if actor == rightful {
        return Ok(());
    }
    let message = format!("`{}` is performed by the {role}, `{rightful}`, not by `{actor}`", kind.short());
    Err(Diagnostic::error(Code::WrongParty, message, actor.span).help(format!("write `{rightful}`")).into())
}
