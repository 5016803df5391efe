//! Communicative acts: their names, who performs them, and what they mean.
//!
//! One row per act says everything (docs/formulas.md section 4). What becomes of the commitments in force, what ACTL* demands of the
//! next state, and the decompositions of the papers all follow from it.

use serde::{Deserialize, Serialize};

use crate::tree::{Binary, Formula, Unary};

/// The kinds of communicative acts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ActKind {
    /// `Cr` by the debtor
    Create,
    /// `Wit` by the debtor
    Withdraw,
    /// `Sat` by the debtor
    Satisfy,
    /// `Vio` by the debtor
    Violate,
    /// `React` by the debtor
    Reactivate,
    /// `Ac` by the creditor
    Accept,
    /// `Ref` by the creditor
    Refuse,
    /// `Ch` by the creditor
    Challenge,
    /// `At` by the creditor, with a support
    Attack,
    /// `Def` by the debtor, with a support
    Defend,
    /// `Jus` by the debtor, with a support
    Justify,
    /// `Rel` by the creditor
    Release,
    /// `Del` by the debtor, to a third party
    Delegate,
    /// `Ass` by the creditor, to a third party
    Assign,
}

/// A party of a commitment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Party {
    /// The one who owes it.
    Debtor,
    /// The one it is owed to.
    Creditor,
}

/// What an act brings about in the next state, as ACTL* reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This commitment, which the act puts in force.
    Owed(Owed),
    /// That the commitment acted on does not hold.
    NotOwed,
    /// The content, along the rest of the path.
    Holds,
    /// The negation of the content, along the rest of the path.
    Fails,
}

/// Who owes something to whom, told by the commitment acted on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Between {
    /// Its debtor to its creditor.
    Same,
    /// Its creditor to its debtor.
    Reversed,
    /// The third party of the act to its creditor.
    NewDebtor,
    /// Its debtor to the third party of the act.
    NewCreditor,
}

impl Between {
    /// The debtor and the creditor, where the commitment acted on has these and the act this third party. Acts that need one have it.
    pub fn parties<T>(self, debtor: T, creditor: T, third: Option<T>) -> (T, T) {
        match (self, third) {
            (Between::Reversed, _) => (creditor, debtor),
            (Between::NewDebtor, Some(third)) => (third, creditor),
            (Between::NewCreditor, Some(third)) => (debtor, third),
            (Between::Same | Between::NewDebtor | Between::NewCreditor, _) => (debtor, creditor),
        }
    }
}

/// A commitment that follows from the one acted on; it has the same tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Owed {
    /// Who owes it to whom.
    pub between: Between,
    /// Its content.
    pub content: Stance,
}

/// What is said about the content `ψ` of the commitment acted on, given the support `ψ₂` of the act.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stance {
    /// `ψ`
    For,
    /// `!ψ`
    Against,
    /// `?ψ`
    Challenged,
    /// `ψ₂ so ψ`
    ArguedFor,
    /// `ψ₂ so !ψ`
    ArguedAgainst,
}

impl Stance {
    /// The content that says so.
    pub fn on(self, content: &Formula, support: Option<&Formula>) -> Formula {
        let argued = |conclusion: Formula| match support {
            Some(support) => support.clone().binary(Binary::So, conclusion),
            None => conclusion,
        };
        let content = content.clone();
        match self {
            Stance::For => content,
            Stance::Against => content.negated(),
            Stance::Challenged => content.unary(Unary::Challenged),
            Stance::ArguedFor => argued(content),
            Stance::ArguedAgainst => argued(content.negated()),
        }
    }
}

/// Everything about one kind of act.
struct Row {
    kind: ActKind,
    /// As it is printed, written out, and as else the papers have it.
    names: &'static [&'static str],
    by: Party,
    outcome: Outcome,
    removes: &'static [Owed],
}

const fn owed(between: Between, content: Stance) -> Owed {
    Owed { between, content }
}

/// An act that puts a commitment in force.
const fn adds(
    kind: ActKind,
    names: &'static [&'static str],
    by: Party,
    adds: Owed,
    removes: &'static [Owed],
) -> Row {
    Row { kind, names, by, outcome: Outcome::Owed(adds), removes }
}

/// An act that ends the commitment.
const fn ends(kind: ActKind, names: &'static [&'static str], by: Party, outcome: Outcome) -> Row {
    Row { kind, names, by, outcome, removes: &[OWN] }
}

const OWN: Owed = owed(Same, Stance::For);
// The creditor's stances on the content: it has one at a time.
const AGREES: Owed = owed(Reversed, Stance::For);
const DISAGREES: Owed = owed(Reversed, Stance::Against);
const DOUBTS: Owed = owed(Reversed, Stance::Challenged);
const ARGUED: Owed = owed(Same, Stance::ArguedFor);
const ATTACKED: Owed = owed(Reversed, Stance::ArguedAgainst);
const PASSED_ON: Owed = owed(NewDebtor, Stance::For);
const GIVEN_AWAY: Owed = owed(NewCreditor, Stance::For);

use ActKind::{
    Accept, Assign, Attack, Challenge, Create, Defend, Delegate, Justify, Reactivate, Refuse, Release,
    Satisfy, Violate, Withdraw,
};
use Between::{NewCreditor, NewDebtor, Reversed, Same};
use Party::{Creditor, Debtor};

/// The acts, in the order of [`ActKind`].
const TABLE: &[Row] = &[
    adds(Create, &["Cr", "Create", "C"], Debtor, OWN, &[]),
    ends(Withdraw, &["Wit", "Withdraw"], Debtor, Outcome::NotOwed),
    ends(Satisfy, &["Sat", "Satisfy", "Sa"], Debtor, Outcome::Holds),
    ends(Violate, &["Vio", "Violate", "Vi"], Debtor, Outcome::Fails),
    adds(Reactivate, &["React", "Reactivate"], Debtor, OWN, &[]),
    adds(Accept, &["Ac", "Accept", "Acc"], Creditor, AGREES, &[DISAGREES, DOUBTS]),
    adds(Refuse, &["Ref", "Refuse", "Re"], Creditor, DISAGREES, &[AGREES, DOUBTS]),
    adds(Challenge, &["Ch", "Challenge"], Creditor, DOUBTS, &[AGREES, DISAGREES]),
    adds(Attack, &["At", "Attack"], Creditor, ATTACKED, &[]),
    adds(Defend, &["Def", "Defend"], Debtor, ARGUED, &[]),
    adds(Justify, &["Jus", "Justify", "Just"], Debtor, ARGUED, &[]),
    ends(Release, &["Rel", "Release"], Creditor, Outcome::NotOwed),
    adds(Delegate, &["Del", "Delegate"], Debtor, PASSED_ON, &[OWN]),
    adds(Assign, &["Ass", "Assign"], Creditor, GIVEN_AWAY, &[OWN]),
];

impl ActKind {
    /// All kinds, in the order of docs/formulas.md.
    pub const ALL: [ActKind; TABLE.len()] = {
        let mut all = [Create; TABLE.len()];
        let mut position = 0;
        while position < TABLE.len() {
            all[position] = TABLE[position].kind;
            position += 1;
        }
        all
    };

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The short name, as printed.
    pub fn short(self) -> &'static str {
        self.row().names[0]
    }

    /// The long name, also read.
    pub fn long(self) -> &'static str {
        self.row().names[1]
    }

    /// Reads a short or long name, or another one of the papers.
    pub fn from_name(name: &str) -> Option<ActKind> {
        // Acts begin with a capital letter, most words do not.
        if !name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return None;
        }
        TABLE.iter().find(|row| row.names.contains(&name)).map(|row| row.kind)
    }

    /// The short and long names of all kinds.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ActKind::ALL.into_iter().flat_map(|kind| [kind.short(), kind.long()])
    }

    /// Who performs it.
    pub fn party(self) -> Party {
        self.row().by
    }

    /// Does it carry a supporting formula?
    pub fn has_support(self) -> bool {
        matches!(
            self.outcome(),
            Outcome::Owed(Owed { content: Stance::ArguedFor | Stance::ArguedAgainst, .. })
        )
    }

    /// Does it bring in a third party?
    pub fn has_third(self) -> bool {
        self.adds().is_some_and(|owed| matches!(owed.between, NewDebtor | NewCreditor))
    }

    /// What it brings about in the next state.
    pub fn outcome(self) -> Outcome {
        self.row().outcome
    }

    /// The commitment that it puts in force, if it does.
    pub fn adds(self) -> Option<Owed> {
        match self.outcome() {
            Outcome::Owed(owed) => Some(owed),
            Outcome::NotOwed | Outcome::Holds | Outcome::Fails => None,
        }
    }

    /// Does it say whether the content holds, which is read along the rest of the path?
    pub fn settles(self) -> bool {
        match self.outcome() {
            Outcome::Holds | Outcome::Fails => true,
            Outcome::Owed(_) | Outcome::NotOwed => false,
        }
    }

    /// The commitments that are not in force after it.
    pub fn removes(self) -> &'static [Owed] {
        self.row().removes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_kinds() {
        for (position, row) in TABLE.iter().enumerate() {
            assert_eq!(row.kind as usize, position, "{}", row.names[1]);
        }
    }

    #[test]
    fn whoever_owes_what_an_act_puts_in_force_performs_it_unless_there_is_a_third_party() {
        for kind in ActKind::ALL.into_iter().filter(|kind| !kind.has_third()) {
            let by = |owed: Owed| if owed.between == Same { Debtor } else { Creditor };
            assert!(kind.adds().is_none_or(|owed| by(owed) == kind.party()), "{}", kind.long());
        }
    }

    #[test]
    fn a_third_party_takes_the_place_of_whoever_acts() {
        for kind in ActKind::ALL.into_iter().filter(|kind| kind.has_third()) {
            let parties = kind.adds().map(|owed| owed.between.parties("debtor", "creditor", Some("third")));
            let expected = match kind.party() {
                Debtor => ("third", "creditor"),
                Creditor => ("debtor", "third"),
            };
            assert_eq!(parties, Some(expected), "{}", kind.long());
            assert_eq!(kind.removes(), [OWN]);
        }
    }
}
