//! Acts and commitments in formulas, for models of which an acts file says what is which act.

use servanda_logic::{ActKind, ActPattern, Arg, Commitment, Formula, Kind, Reference, Tag};
use servanda_syntax::Span;

use super::Parser;

impl Parser<'_> {
    /// Does an act or a commitment stand here? These words are taken only where an acts file gives them a meaning.
    pub(super) fn at_act(&self) -> bool {
        let named =
            |word: &str| matches!(word, "SC" | "PC" | "Act" | "active") || ActKind::from_name(word).is_some();
        let model = self.model;
        let has_acts = !model.joint_acts.is_empty() || !model.named_commitments.is_empty();
        has_acts && self.cursor.at_nth(1, "(") && self.cursor.word(0).is_some_and(named)
    }

    /// `SC(i, j, f)`, `PC(i, j, t, f)`, `active(offer)` or an act as a formula.
    pub(super) fn act_formula(&mut self, start: Span) -> Option<Formula> {
        let kind = match self.cursor.spelling(0) {
            "SC" | "PC" => Kind::Commitment(self.commitment()?),
            "active" => {
                self.cursor.bump();
                self.cursor.expect("(")?;
                let subject = self.subject()?;
                self.cursor.expect(")")?;
                Kind::Active(subject)
            }
            _ => Kind::Act(self.act()?),
        };
        Some(Formula::new(kind, start.to(self.cursor.previous_span())))
    }

    /// `Cr(i, offer)`, `Jus(i, offer, f)`, `Act(i, _)`
    pub(super) fn act(&mut self) -> Option<ActPattern> {
        let kind = ActKind::from_name(self.cursor.spelling(0));
        self.cursor.bump();
        self.cursor.expect("(")?;
        let actor = self.agent_or_any()?;
        self.cursor.expect(",")?;
        let commitment = self.subject()?;
        let support = match kind {
            None => Some(Arg::Any),
            Some(kind) if kind.has_support() => {
                self.cursor.expect(",")?;
                Some(self.formula_or_any()?)
            }
            Some(_) => None,
        };
        let third = match kind {
            None => Some(Arg::Any),
            Some(kind) if kind.has_third() => {
                self.cursor.expect(",")?;
                Some(self.agent_or_any()?)
            }
            Some(_) => None,
        };
        self.cursor.expect(")")?;
        Some(ActPattern { kind: kind.map_or(Arg::Any, Arg::Is), actor, commitment, support, third })
    }

    /// What an act or `active` is about.
    fn subject(&mut self) -> Option<Arg<Formula>> {
        let start = self.cursor.span();
        Some(match self.cursor.spelling(0) {
            "_" => {
                self.cursor.bump();
                Arg::Any
            }
            "SC" | "PC" if self.cursor.at_nth(1, "(") => {
                let commitment = Kind::Commitment(self.commitment()?);
                Arg::Is(Formula::new(commitment, start.to(self.cursor.previous_span())))
            }
            _ => {
                let name = self.cursor.name("a commitment (its name, `SC(..)` or `PC(..)`) or `_`")?;
                Arg::Is(Formula::new(Kind::Name(Reference::plain(&name.text, name.span)), name.span))
            }
        })
    }

    fn commitment(&mut self) -> Option<Commitment> {
        let tagged = self.cursor.at("PC");
        self.cursor.bump();
        self.cursor.expect("(")?;
        let debtor = self.agent_or_any()?;
        self.cursor.expect(",")?;
        let creditor = self.agent_or_any()?;
        self.cursor.expect(",")?;
        let tag = if tagged { Some(self.tag()?) } else { None };
        let content = self.formula_or_any()?;
        self.cursor.expect(")")?;
        Some(Commitment { debtor, creditor, tag, content })
    }

    /// The moment of a `PC` and the comma after it.
    fn tag(&mut self) -> Option<Arg<Tag>> {
        let tag = match self.cursor.number() {
            Some(number) => {
                self.cursor.bump();
                Arg::Is(Tag::Number(number))
            }
            None if self.cursor.eat("_") => Arg::Any,
            None => {
                let name = self.cursor.name("a moment")?;
                Arg::Is(Tag::Name(Reference::plain(&name.text, name.span)))
            }
        };
        self.cursor.expect(",")?;
        Some(tag)
    }

    fn agent_or_any(&mut self) -> Option<Arg<Reference>> {
        if self.cursor.eat("_") { Some(Arg::Any) } else { self.agent().map(Arg::Is) }
    }

    fn formula_or_any(&mut self) -> Option<Arg<Formula>> {
        if self.cursor.eat("_") {
            return Some(Arg::Any);
        }
        self.cursor.deeper()?;
        let formula = self.path()?;
        self.cursor.shallower();
        Some(Arg::Is(formula))
    }
}
