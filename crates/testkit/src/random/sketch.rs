//! A formula in outline: its operators, with names left open.

use servanda_logic::{ActKind, Binary, EpistemicOp, Unary};
use servanda_model::ActReading;

use super::outline::{Condition, Pick, Tag};

/// A formula whose names are chosen when it is written for a protocol. Where a state formula is needed the
/// strategies put one; everything else that a formula must observe is seen to when it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sketch {
    /// A condition on the state.
    Condition(Condition),
    /// An operator with one operand: booleans, quantifiers, time and both kinds of past.
    Unary(Unary, Box<Sketch>),
    /// An operator with two operands: booleans, time and past.
    Binary(Binary, Box<Sketch>, Box<Sketch>),
    /// `does(..)`
    Does(LabelSketch),
    /// An act as a formula.
    Act(ActSketch),
    /// The name of a declared commitment.
    Promise(Pick),
    /// `SC(i, j, ψ)` or `PC(i, j, t, ψ)`
    Committed {
        /// Who owes.
        debtor: Pick,
        /// To whom; another role.
        creditor: Pick,
        /// The moment of a `PC`.
        tag: Option<Tag>,
        /// What is claimed.
        content: Box<Sketch>,
    },
    /// `K GK DK GCK O KH B`
    Knows {
        /// Which modality.
        op: EpistemicOp,
        /// Who.
        agent: Pick,
        /// Which group.
        group: GroupSketch,
        /// What.
        body: Box<Sketch>,
    },
    /// `<g>X φ` and its kin.
    Able {
        /// Who cooperates.
        group: GroupSketch,
        /// To bring about what: `X`, `F`, `G` or `U` over state formulas.
        goal: Box<Sketch>,
    },
}

/// A group of roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupSketch {
    /// One role.
    Role(Pick),
    /// A declared group.
    Declared(Pick),
    /// `{A, B}`
    Listed(Vec<Pick>),
    /// Left out, where that is possible.
    Everybody,
}

/// What stands between the parentheses of `does`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelSketch {
    /// `_`
    Any,
    /// A message by whoever sends it.
    Message(Pick),
    /// A message with its sender.
    Sent(Pick),
    /// An act by its label alone.
    Act(ActSketch),
}

/// An act with its wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActSketch {
    /// Which act; `None` is written `Act`.
    pub kind: Option<ActKind>,
    /// On which declared commitment.
    pub commitment: Pick,
    /// How the commitment is written.
    pub written: Written,
    /// `_` for who acts?
    pub any_actor: bool,
    /// One of the supports in the protocol; `None` is `_`.
    pub support: Option<Pick>,
    /// The third party; `None` is `_`.
    pub third: Option<Pick>,
}

/// How an act or `active` names its commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// By its name.
    Named,
    /// Written out.
    Out,
    /// With `_` for the content.
    AnyContent,
    /// With `_` for the debtor.
    AnyDebtor,
    /// With `_` for the creditor.
    AnyCreditor,
    /// With `_` for the moment, where it has one.
    AnyTag,
    /// `_`
    Any,
}

impl Sketch {
    /// `op self`
    #[must_use]
    pub fn unary(self, op: Unary) -> Sketch {
        Sketch::Unary(op, Box::new(self))
    }

    /// `self op right`
    #[must_use]
    pub fn binary(self, op: Binary, right: Sketch) -> Sketch {
        Sketch::Binary(op, Box::new(self), Box::new(right))
    }

    /// The formulas directly below; below a strategy those that its goal refers to.
    pub(super) fn children(&self) -> Vec<&Sketch> {
        match self {
            Sketch::Condition(_) | Sketch::Does(_) | Sketch::Act(_) | Sketch::Promise(_) => Vec::new(),
            Sketch::Unary(_, a) | Sketch::Committed { content: a, .. } | Sketch::Knows { body: a, .. } => {
                vec![a]
            }
            Sketch::Binary(_, a, b) => vec![a, b],
            Sketch::Able { goal, .. } => goal.children(),
        }
    }

    /// The same with another formula in the place of one of its children.
    pub(super) fn with_child(&self, number: usize, child: Sketch) -> Sketch {
        let mut changed = self.clone();
        let mut above = &mut changed;
        while let Sketch::Able { goal, .. } = above {
            above = goal;
        }
        match (above, number) {
            (
                Sketch::Unary(_, a) | Sketch::Committed { content: a, .. } | Sketch::Knows { body: a, .. },
                _,
            )
            | (Sketch::Binary(_, a, _), 0)
            | (Sketch::Binary(_, _, a), _) => **a = child,
            _ => {}
        }
        changed
    }

    /// The same with nothing in force for all it says.
    #[must_use]
    pub(super) fn without_active(&self) -> Sketch {
        if let Sketch::Condition(Condition::Active(..)) = self {
            return Sketch::Condition(Condition::Constant(false));
        }
        let children: Vec<Sketch> = self.children().into_iter().map(Sketch::without_active).collect();
        let numbered = children.into_iter().enumerate();
        numbered.fold(self.clone(), |changed, (number, child)| changed.with_child(number, child))
    }

    /// Does some part of it look back along the run, in this reading of acts?
    pub fn looks_back(&self, reading: ActReading) -> bool {
        let here = match self {
            Sketch::Unary(Unary::Previous | Unary::Once | Unary::Historically, _)
            | Sketch::Binary(Binary::Since, ..) => true,
            Sketch::Act(act) => reading != ActReading::Actl && act.kind != Some(ActKind::Create),
            _ => false,
        };
        here || self.children().into_iter().any(|child| child.looks_back(reading))
    }
}
