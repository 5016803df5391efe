//! Which part of the language a formula uses.

use std::ops::BitOr;

use crate::tree::{Binary, Bounded, EpistemicOp, Formula, Kind, Unary};

/// Can the formula be true or false in a state, whatever path goes through it? (docs/formulas.md section 3.)
///
/// A name counts as a state formula: propositions must be one, and a commitment's name stands for its `SC`.
pub fn is_state_formula(formula: &Formula) -> bool {
    path_part(formula).is_none()
}

/// Is it one temporal operator over state formulas?
pub fn is_ctl_operator(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(Unary::Next | Unary::Finally | Unary::Globally, a) => is_state_formula(a),
        Kind::Binary(Binary::Until | Binary::WeakUntil | Binary::Release, a, b) => {
            is_state_formula(a) && is_state_formula(b)
        }
        _ => false,
    }
}

/// The first part that makes the formula a path formula: an act, `does(..)` or a temporal operator that no path
/// quantifier or modality stands over.
///
/// ```
/// use servanda_logic::{parse_formula, path_part};
///
/// let formula = parse_formula("AG p & (q -> F r)").unwrap();
/// assert_eq!(path_part(&formula).unwrap().to_string(), "F r");
/// ```
pub fn path_part(formula: &Formula) -> Option<&Formula> {
    match formula.kind() {
        Kind::Bool(_)
        | Kind::Int(_)
        | Kind::Name(_)
        | Kind::At(_)
        | Kind::Carries(_)
        | Kind::Length(_)
        | Kind::Commitment(_)
        | Kind::Active(_)
        | Kind::Epistemic(_)
        | Kind::Strategic(_) => None,
        Kind::Does(_) | Kind::Act(_) | Kind::Bounded(_) => Some(formula),
        Kind::Unary(op, operand) => match op {
            Unary::Not | Unary::Minus => path_part(operand),
            Unary::Next
            | Unary::Finally
            | Unary::Globally
            | Unary::Previous
            | Unary::Once
            | Unary::Historically => Some(formula),
            Unary::ForAll
            | Unary::Exists
            | Unary::AllPrevious
            | Unary::SomePrevious
            | Unary::AllPast
            | Unary::SomePast
            | Unary::Challenged => None,
        },
        Kind::Binary(op, left, right) => match op {
            op if op.is_temporal() => Some(formula),
            _ => path_part(left).or_else(|| path_part(right)),
        },
        Kind::If(condition, then, otherwise) => [condition, then, otherwise].into_iter().find_map(path_part),
        Kind::Comprehension(comprehension) => path_part(&comprehension.body),
        Kind::Joined(_, parts) => parts.iter().find_map(path_part),
    }
}

/// A set of features of the language: what a formula uses, or what an engine accepts.
///
/// ```
/// use servanda_logic::{Features, parse_formula};
///
/// let accepted = Features::QUANTIFIERS | Features::FUTURE | Features::KNOWLEDGE;
/// let used = Features::of(&parse_formula("AG (K(i, p) -> H q)").unwrap());
/// assert_eq!(used.without(accepted), Features::PATH_FORMULAS | Features::LINEAR_PAST);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Features(u32);

impl Features {
    /// Nothing beyond propositions and their boolean combinations.
    pub const NONE: Features = Features(0);
    /// The path quantifiers `A` and `E`.
    pub const QUANTIFIERS: Features = Features(1);
    /// The temporal operators `X F G U W R` and `so`, and those with bounds.
    pub const FUTURE: Features = Features(1 << 1);
    /// A temporal operator without a quantifier or group of its own, as in `A (F p & G q)`: not CTL.
    pub const PATH_FORMULAS: Features = Features(1 << 2);
    /// Path quantifiers, but not just one in front of everything: not LTL.
    pub const BRANCHING: Features = Features(1 << 3);
    /// Communicative acts as formulas.
    pub const ACTS: Features = Features(1 << 4);
    /// Commitments as formulas. A named commitment counts only once its name is expanded.
    pub const COMMITMENTS: Features = Features(1 << 5);
    /// Action atoms, `does(..)`, and operators with bounds, which count ticks.
    pub const DOES: Features = Features(1 << 6);
    /// `K GK DK GCK`, and `KH`.
    pub const KNOWLEDGE: Features = Features(1 << 7);
    /// `O` and `KH`.
    pub const CORRECT_BEHAVIOUR: Features = Features(1 << 8);
    /// `Y S P H`.
    pub const LINEAR_PAST: Features = Features(1 << 9);
    /// `AY EY AH EP`.
    pub const BRANCHING_PAST: Features = Features(1 << 10);
    /// `<g>X` and its kin.
    pub const STRATEGIC: Features = Features(1 << 11);
    /// `?ψ`.
    pub const CHALLENGES: Features = Features(1 << 12);
    /// Everything.
    pub const ALL: Features = Features((1 << 13) - 1);

    /// What a formula uses. Contents of commitments and acts count; labels between the parentheses of `does` do not.
    pub fn of(formula: &Formula) -> Features {
        let mut features = Features::NONE;
        features.collect(formula);
        if !is_state_formula(formula) {
            features = features | Features::PATH_FORMULAS;
        }
        if features.contains(Features::QUANTIFIERS) && !is_linear(formula) {
            features = features | Features::BRANCHING;
        }
        features
    }

    /// Are all of `other` in this set?
    pub const fn contains(self, other: Features) -> bool {
        other.0 & !self.0 == 0
    }

    /// Is any of `other` in this set?
    pub const fn intersects(self, other: Features) -> bool {
        other.0 & self.0 != 0
    }

    /// Both sets together; `|` for constants.
    pub const fn with(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    /// What is in this set but not in `other`.
    pub const fn without(self, other: Features) -> Features {
        Features(self.0 & !other.0)
    }

    fn add(&mut self, other: Features) {
        self.0 |= other.0;
    }

    /// Adds what the formula uses, except for whether it is itself a path formula.
    fn collect(&mut self, formula: &Formula) {
        match formula.kind() {
            Kind::Does(_) => self.add(Features::DOES),
            // An atom, whatever the commitment is about.
            Kind::Active(_) => {}
            Kind::Act(act) => {
                self.add(Features::ACTS);
                act.written().for_each(|part| self.collect(part));
            }
            Kind::Commitment(commitment) => {
                self.add(Features::COMMITMENTS);
                commitment.content.given().into_iter().for_each(|content| self.collect(content));
            }
            Kind::Epistemic(epistemic) => {
                self.add(match epistemic.op {
                    EpistemicOp::Correct => Features::CORRECT_BEHAVIOUR,
                    EpistemicOp::KnowsAssumingCorrect | EpistemicOp::Believes => {
                        Features::KNOWLEDGE | Features::CORRECT_BEHAVIOUR
                    }
                    _ => Features::KNOWLEDGE,
                });
                self.collect_state(&epistemic.body);
            }
            kind @ Kind::Strategic(_) => {
                self.add(Features::STRATEGIC);
                kind.for_each_child(|part| self.collect_state(part));
            }
            Kind::Unary(op, operand) => self.collect_unary(*op, operand),
            Kind::Binary(op, left, right) => {
                match op {
                    Binary::Until | Binary::WeakUntil | Binary::Release | Binary::So => {
                        self.add(Features::FUTURE);
                    }
                    Binary::Since => self.add(Features::LINEAR_PAST),
                    _ => {}
                }
                self.collect(left);
                self.collect(right);
            }
            Kind::Bounded(Bounded { goal, .. }) => {
                self.add(Features::FUTURE | Features::DOES);
                goal.operands().for_each(|operand| self.collect(operand));
            }
            kind => kind.for_each_child(|child| self.collect(child)),
        }
    }

    fn collect_unary(&mut self, op: Unary, operand: &Formula) {
        match op {
            Unary::Not | Unary::Minus => {}
            Unary::Next | Unary::Finally | Unary::Globally => self.add(Features::FUTURE),
            Unary::Previous | Unary::Once | Unary::Historically => self.add(Features::LINEAR_PAST),
            Unary::Challenged => self.add(Features::CHALLENGES),
            Unary::AllPrevious | Unary::SomePrevious | Unary::AllPast | Unary::SomePast => {
                self.add(Features::BRANCHING_PAST);
                return self.collect_state(operand);
            }
            Unary::ForAll | Unary::Exists => {
                self.add(Features::QUANTIFIERS);
                if !is_ctl_operator(operand) {
                    self.add(Features::PATH_FORMULAS);
                }
            }
        }
        self.collect(operand);
    }

    /// Adds what is used where CTL wants a state formula.
    fn collect_state(&mut self, formula: &Formula) {
        if !is_state_formula(formula) {
            self.add(Features::PATH_FORMULAS);
        }
        self.collect(formula);
    }
}

/// Is there just one quantifier, an `A` in front of everything?
fn is_linear(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(Unary::ForAll, operand) => {
            let mut inside = Features::NONE;
            inside.collect(operand);
            !inside.contains(Features::QUANTIFIERS)
        }
        _ => false,
    }
}

impl BitOr for Features {
    type Output = Features;

    fn bitor(self, other: Features) -> Features {
        self.with(other)
    }
}
