//! What a communicative act brings about, as a formula (docs/formulas.md section 4).

use servanda_logic::{
    ActKind, ActPattern, Arg, Between, Commitment, Formula, Kind, Outcome, Owed, Party, Reference, Stance,
};
use servanda_syntax::{Code, Diagnostic, Span};

/// An act on a commitment that is written out.
pub(crate) struct PlainAct<'f> {
    pub(crate) kind: ActKind,
    pub(crate) commitment: &'f Formula,
    terms: Option<&'f Commitment>,
    support: Option<&'f Formula>,
    third: Option<&'f Reference>,
    span: Span,
}

impl<'f> PlainAct<'f> {
    /// Takes an act formula apart; what no automaton can be made of is an error.
    pub(crate) fn of(act: &'f ActPattern, span: Span) -> Result<Self, Box<Diagnostic>> {
        let wildcard = |what: &str| -> Box<Diagnostic> {
            Diagnostic::error(
                Code::ActWithWildcard,
                format!("{what} stands for all acts of a model that fit, and a rule takes one act"),
                span,
            )
            .help("write the act out, or `does(..)` around it to refer to its label alone")
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
        if matches!(act.third, Some(Arg::Any)) {
            return Err(wildcard("`_`"));
        }
        let third = act.third.as_ref().and_then(Arg::given);
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
            check_third(kind, third, debtor, creditor)?;
        }
        if matches!(act.support, Some(Arg::Any)) {
            return Err(wildcard("`_`"));
        }
        let support = act.support.as_ref().and_then(Arg::given);
        Ok(PlainAct { kind, commitment, terms, support, third, span })
    }

    /// What the commitment is about: all that the rules of SCCTL* leave.
    pub(crate) fn content(&self) -> Result<Formula, Box<Diagnostic>> {
        match self.terms.map(|terms| &terms.content) {
            Some(Arg::Is(content)) => Ok(content.clone()),
            _ => Err(self.unknown_content()),
        }
    }

    /// What ACTL* demands of the next state.
    pub(crate) fn brought_about(&self) -> Result<Formula, Box<Diagnostic>> {
        match (self.kind.outcome(), self.terms) {
            (Outcome::Owed(Owed { between: Between::Same, content: Stance::For }), _) => {
                Ok(self.commitment.clone())
            }
            (Outcome::NotOwed, _) => Ok(self.commitment.clone().negated()),
            (_, Some(terms)) => Ok(brought_about(self.kind, terms, (self.support, self.third), self.span)),
            (_, None) => Err(self.unknown_content()),
        }
    }

    fn unknown_content(&self) -> Box<Diagnostic> {
        let (act, commitment) = (self.kind.short(), self.commitment);
        let message = format!("what `{act}` brings about depends on the content of `{commitment}`");
        let error = Diagnostic::error(Code::UnknownContent, message, commitment.span());
        error.help("write the commitment out: `SC(i, j, ..)`").into()
    }
}

/// What an act on a commitment demands of the next state (ACTL*).
pub(crate) fn brought_about(
    kind: ActKind,
    terms: &Commitment,
    (support, third): (Option<&Formula>, Option<&Reference>),
    span: Span,
) -> Formula {
    let commitment = |terms: Commitment| Formula::new(Kind::Commitment(terms), span);
    let Arg::Is(content) = &terms.content else { return commitment(terms.clone()) };
    match kind.outcome() {
        Outcome::Holds => content.clone(),
        Outcome::Fails => content.clone().negated(),
        Outcome::NotOwed => commitment(terms.clone()).negated(),
        Outcome::Owed(owed) => {
            let Commitment { debtor, creditor, tag, .. } = terms.clone();
            let (debtor, creditor) = owed.between.parties(debtor, creditor, third.cloned().map(Arg::Is));
            let content = Arg::Is(owed.content.on(content, support));
            commitment(Commitment { debtor, creditor, tag, content })
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

fn check_third(
    kind: ActKind,
    third: Option<&Reference>,
    debtor: &Reference,
    creditor: &Reference,
) -> Result<(), Box<Diagnostic>> {
    let Some(third) = third.filter(|third| [debtor, creditor].contains(third)) else { return Ok(()) };
    let party = if third == debtor { "debtor" } else { "creditor" };
    let message =
        format!("`{third}` is the {party} of this commitment: `{}` is to somebody else", kind.short());
    let error = Diagnostic::error(Code::WrongParty, message, third.span);
    Err(error.help("name a role that is neither the debtor nor the creditor").into())
}
