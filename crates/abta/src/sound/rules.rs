//! The rules, written once for both quantifiers.

use servanda_logic::{Arg, Binary, Formula, Kind, Unary};
use servanda_paths::rules::{Shape, Unfolded, Way};
use servanda_syntax::Diagnostic;

use super::convert::convert;
use crate::ActReading;
use crate::automaton::{ActionLiteral, Quantifier, Rule, Scope, StateKind};
use crate::goal::{Goal, Member, Set};
use crate::tableau::Applied;

/// The rule with this number under either quantifier.
fn rule(quantifier: Quantifier, number: usize, label: &str) -> Rule {
    let name = match quantifier {
        Quantifier::Exists => ["E1", "E2", "E3", "E4", "E5", "E6"],
        Quantifier::ForAll => ["A1", "A2", "A3", "A4", "A5", "A6"],
    };
    Rule { name: name[number - 1], label: label.to_owned() }
}

/// A state formula as a goal; a quantified one is a set of one formula at once.
pub(crate) fn goal_of_state(formula: &Formula, acts: ActReading) -> Result<Goal, Box<Diagnostic>> {
    let set = |quantifier, path: Formula| Set::new(quantifier, [path.into()]);
    let (commitment, keep) = literal(formula);
    Ok(match (formula.kind(), commitment.kind()) {
        (Kind::Unary(Unary::Exists, path), _) => Goal::Set(set(Quantifier::Exists, path.clone())),
        (Kind::Unary(Unary::ForAll, path), _) => Goal::Set(set(Quantifier::ForAll, path.clone())),
        (_, Kind::Commitment(terms)) => {
            let (Arg::Is(debtor), Arg::Is(creditor), Arg::Is(content)) =
                (&terms.debtor, &terms.creditor, &terms.content)
            else {
                return Ok(Goal::State(formula.clone()));
            };
            let scope = Scope {
                debtor: debtor.to_string(),
                creditor: creditor.to_string(),
                commitment: commitment.clone(),
                content: content.clone(),
            };
            let quantifier = if keep { Quantifier::ForAll } else { Quantifier::Exists };
            Goal::Set(Set { scope: Some(scope), ..set(quantifier, convert(content, keep, acts)?) })
        }
        _ => Goal::State(formula.clone()),
    })
}

/// A formula without the negation before it, and whether there is none.
fn literal(formula: &Formula) -> (&Formula, bool) {
    match formula.kind() {
        Kind::Unary(Unary::Not, atom) => (atom, false),
        _ => (formula, true),
    }
}

/// Is it settled by the state? History literals are.
pub(crate) fn is_state(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(Unary::Not, operand) => is_state(operand),
        Kind::Binary(Binary::And | Binary::Or, left, right) => is_state(left) && is_state(right),
        Kind::Unary(Unary::Next | Unary::Finally | Unary::Globally, _) => false,
        Kind::Binary(Binary::Until | Binary::Release, ..) | Kind::Does(_) => false,
        _ => true,
    }
}

/// For an action literal, its sign.
pub(crate) fn label_sign(formula: &Formula) -> Option<bool> {
    let (atom, positive) = literal(formula);
    matches!(atom.kind(), Kind::Does(_)).then_some(positive)
}

fn is_constant(formula: &Formula, value: bool) -> bool {
    *formula.kind() == Kind::Bool(value)
}

/// Can taking the formula apart at one position leave `X until`?
fn may_postpone(formula: &Formula, until: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(Unary::Next, operand) => operand == until,
        Kind::Unary(Unary::Finally | Unary::Globally, operand) => {
            formula == until || may_postpone(operand, until)
        }
        Kind::Binary(op, left, right) => match op {
            Binary::Until | Binary::Release if formula == until => true,
            Binary::And | Binary::Or | Binary::Until | Binary::Release => {
                may_postpone(left, until) || may_postpone(right, until)
            }
            _ => false,
        },
        _ => false,
    }
}

/// What a rule takes apart; `None` for what waits for the step.
fn shape(formula: &Formula) -> Option<Shape<Formula>> {
    Some(match formula.kind() {
        Kind::Binary(Binary::And, a, b) => Shape::And(a.clone(), b.clone()),
        Kind::Binary(Binary::Or, a, b) => Shape::Or(a.clone(), b.clone()),
        Kind::Binary(Binary::Until, a, b) => Shape::Until(a.clone(), b.clone()),
        Kind::Binary(Binary::Release, a, b) => Shape::Release(a.clone(), b.clone()),
        Kind::Unary(Unary::Finally, operand) => Shape::Until(formula.constant(true), operand.clone()),
        Kind::Unary(Unary::Globally, operand) => Shape::Release(formula.constant(false), operand.clone()),
        _ => return None,
    })
}

/// Applies the rule for a goal.
pub(crate) fn apply(goal: &Goal, acts: ActReading) -> Result<Applied, Box<Diagnostic>> {
    let mut applied = match goal {
        Goal::State(formula) | Goal::Leaf(formula) => apply_to_state(formula, acts)?,
        Goal::Set(set) => set.apply(acts)?,
    };
    for child in &mut applied.children {
        if let Goal::Set(Set { members, met, .. }) = child {
            met.retain(|until| members.iter().any(|member| may_postpone(&member.formula, until)));
        }
    }
    Ok(applied)
}

fn apply_to_state(formula: &Formula, acts: ActReading) -> Result<Applied, Box<Diagnostic>> {
    let join = |name, label: &str, kind, left, right| {
        let children = vec![goal_of_state(left, acts)?, goal_of_state(right, acts)?];
        Ok(Applied::new(Rule { name, label: label.to_owned() }, kind, children))
    };
    Ok(Applied::leaf(match formula.kind() {
        Kind::Binary(Binary::And, left, right) => return join("S1", "∧", StateKind::And, left, right),
        Kind::Binary(Binary::Or, left, right) => return join("S2", "∨", StateKind::Or, left, right),
        Kind::Bool(value) => StateKind::constant(*value),
        _ => {
            let (atom, positive) = literal(formula);
            StateKind::Literal { atom: atom.clone(), positive }
        }
    }))
}

impl Set {
    /// The value of the set once some member has it: `false` for `E`, `true` for `A`.
    fn absorbing(&self) -> bool {
        self.quantifier == Quantifier::ForAll
    }

    /// The member that is taken apart next: those that leave one goal before those that leave several.
    fn next_member(&self) -> Option<usize> {
        let exists = self.quantifier == Quantifier::Exists;
        let rank = |formula: &Formula| match formula.kind() {
            _ if is_state(formula) => Some(0),
            Kind::Binary(Binary::And, ..) => Some(if exists { 1 } else { 3 }),
            Kind::Binary(Binary::Or, ..) => Some(if exists { 3 } else { 1 }),
            Kind::Unary(Unary::Globally, _) => Some(if exists { 2 } else { 3 }),
            Kind::Unary(Unary::Finally, _) => Some(if exists { 3 } else { 2 }),
            Kind::Binary(Binary::Until | Binary::Release, ..) => Some(3),
            _ => None,
        };
        let ranked = self.formulas().enumerate().filter_map(|(index, formula)| Some((rank(formula)?, index)));
        ranked.min().map(|(_, index)| index)
    }

    fn apply(&self, acts: ActReading) -> Result<Applied, Box<Diagnostic>> {
        let quantifier = self.quantifier;
        let (joining, splitting) = match quantifier {
            Quantifier::Exists => (StateKind::And, StateKind::Or),
            Quantifier::ForAll => (StateKind::Or, StateKind::And),
        };
        let label = |kind: &StateKind| if *kind == StateKind::And { "∧" } else { "∨" };
        let Some(index) = self.next_member() else { return Ok(self.step()) };
        let member = &self.members[index].formula;
        if is_state(member) {
            if is_constant(member, self.absorbing()) {
                let kind = StateKind::constant(self.absorbing());
                return Ok(Applied::new(rule(quantifier, 1, ""), kind, Vec::new()));
            }
            let mut children = Vec::new();
            if !is_constant(member, !self.absorbing()) {
                children.push(goal_of_state(member, acts)?);
            }
            let rest = self.with(index, []);
            // Without a scope there is always a path, so the empty set says nothing.
            if children.is_empty() || !rest.members.is_empty() || rest.scope.is_some() {
                children.push(Goal::Set(rest));
            }
            return Ok(Applied::new(rule(quantifier, 1, label(&joining)), joining, children));
        }
        // Next and action literals have no rank.
        let Some(shape) = shape(member) else { return Ok(self.step()) };
        // What holds of all paths unless some path does otherwise: the rules for `A` are those for `E` with both sides exchanged.
        let shape = if quantifier == Quantifier::Exists { shape } else { shape.dual() };
        let eventuality = shape.is_eventuality();
        let number = match shape {
            Shape::And(..) => 2,
            Shape::Or(..) => 3,
            Shape::Until(..) => 4,
            Shape::Release(..) => 5,
        };
        let children: Vec<Goal> = match shape.unfold() {
            Unfolded::Both(parts) => vec![Goal::Set(self.with(index, parts.map(Member::from)))],
            Unfolded::Either(ways) => {
                ways.into_iter().filter_map(|way| self.way(index, way, eventuality)).map(Goal::Set).collect()
            }
        };
        let kind = if children.len() == 1 { joining } else { splitting };
        Ok(Applied::new(rule(quantifier, number, label(&kind)), kind, children))
    }

    /// What is left when one of the members is met in this way; nothing where that cannot be.
    fn way(&self, index: usize, way: Way<Formula>, eventuality: bool) -> Option<Set> {
        let member = &self.members[index].formula;
        // `true` in a conjunction and `false` in a disjunction say nothing, and the others cannot be.
        let mut new = way.now;
        if new.iter().any(|formula| is_constant(formula, self.absorbing())) {
            return None;
        }
        new.retain(|formula| !is_constant(formula, !self.absorbing()));
        if way.again {
            new.push(member.clone().unary(Unary::Next));
        }
        let mut left = self.with(index, new.into_iter().map(Member::from));
        if eventuality && !way.again && !left.met.contains(member) {
            left.met.push(member.clone());
        }
        Some(left)
    }

    /// Only `X` formulas and action literals are left: one step for all of them.
    fn step(&self) -> Applied {
        let exists = self.quantifier == Quantifier::Exists;
        if self.members.is_empty() && self.scope.is_none() {
            return Applied::leaf(StateKind::constant(exists));
        }
        let (mut actions, mut next, mut postponed) = (Vec::new(), Vec::new(), Vec::new());
        for formula in self.formulas() {
            if let Kind::Unary(Unary::Next, operand) = formula.kind() {
                next.push(operand.clone());
                let until = match operand.kind() {
                    Kind::Binary(Binary::Until, ..) | Kind::Unary(Unary::Finally, _) => exists,
                    Kind::Binary(Binary::Release, ..) | Kind::Unary(Unary::Globally, _) => !exists,
                    _ => false,
                };
                if until && !self.met.contains(operand) {
                    postponed.push(operand.clone());
                }
            } else if let Some(positive) = label_sign(formula) {
                actions.push(ActionLiteral { action: literal(formula).0.clone(), positive });
            }
        }
        let kind = if exists { StateKind::StepExists(actions) } else { StateKind::StepForAll(actions) };
        let after = Set {
            scope: self.scope.clone(),
            ..Set::new(self.quantifier, next.into_iter().map(Member::from))
        };
        Applied { postponed, ..Applied::new(rule(self.quantifier, 6, "X"), kind, vec![Goal::Set(after)]) }
    }
}
