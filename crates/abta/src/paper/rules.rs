//! Which rule applies to a row of the tableau, and what it leaves.

use servanda_logic::{Arg, Binary, Formula, Join, Kind, Unary, is_state_formula};
use servanda_syntax::{Code, Diagnostic};

use super::push::{is_boolean_of_atoms, push};
use crate::Logic;
use crate::acts::PlainAct;
use crate::automaton::{Quantifier, Rule, StateKind};
use crate::goal::{Goal, Member, Set};
use crate::tableau::Applied;

/// A state formula as a goal: `E φ` is the set of the conjuncts of `φ`.
pub(crate) fn goal(formula: &Formula, logic: Logic) -> Goal {
    match formula.kind() {
        Kind::Unary(Unary::Exists, path) => exists(members(&push(path, true, logic))),
        Kind::Commitment(_) => exists(members(formula)),
        _ => Goal::State(formula.clone()),
    }
}

fn exists(members: Vec<Member>) -> Goal {
    Goal::Set(Set::new(Quantifier::Exists, members))
}

/// The conjuncts of a path formula. R18 gets no state of its own in the papers' tables.
fn members(formula: &Formula) -> Vec<Member> {
    match formula.kind() {
        Kind::Bool(true) => Vec::new(),
        Kind::Binary(Binary::And, left, right) => [left, right].into_iter().flat_map(members).collect(),
        Kind::Joined(Join::All, parts) => parts.iter().flat_map(members).collect(),
        _ => vec![formula.clone().into()],
    }
}

/// The rule for a goal.
pub(crate) fn apply(goal: &Goal, logic: Logic) -> Result<Applied, Box<Diagnostic>> {
    match goal {
        Goal::Leaf(formula) => Ok(leaf(formula)),
        // `E` of nothing: every path satisfies the empty set.
        Goal::Set(set) if set.members.is_empty() => Ok(Applied::leaf(StateKind::True)),
        Goal::State(formula) => Ok(apply_to_state(formula, logic)),
        Goal::Set(set) => apply_to_set(set, logic),
    }
}

fn leaf(formula: &Formula) -> Applied {
    Applied::leaf(match formula.kind() {
        Kind::Bool(value) => StateKind::constant(*value),
        _ => StateKind::Literal { atom: formula.clone(), positive: true },
    })
}

fn apply_to_state(formula: &Formula, logic: Logic) -> Applied {
    let goal = |formula: &Formula| goal(formula, logic);
    let applied =
        |names, label, kind, children| Applied::new(logic.rule(names, [label, label]), kind, children);
    let and =
        |parts: &[Formula]| applied(["R1", "R1"], "∧", StateKind::And, parts.iter().map(goal).collect());
    let or = |parts: &[Formula]| applied(["R2", "R2"], "∨", StateKind::Or, parts.iter().map(goal).collect());
    match formula.kind() {
        Kind::Unary(Unary::Not, operand) => applied(["R4", "R4"], "¬", StateKind::Not, vec![goal(operand)]),
        Kind::Unary(Unary::ForAll, path) => {
            let refuted = exists(members(&push(path, false, logic)));
            applied(["R5", "R6"], "¬", StateKind::Not, vec![refuted])
        }
        Kind::Unary(Unary::Challenged, operand) if logic == Logic::CtlCa => {
            applied(["R5", "R5"], "?", StateKind::Question, vec![goal(operand)])
        }
        Kind::Binary(Binary::And, left, right) => and(&[left.clone(), right.clone()]),
        Kind::Binary(Binary::Or, left, right) => or(&[left.clone(), right.clone()]),
        Kind::Binary(Binary::Implies, left, right) => or(&[left.clone().negated(), right.clone()]),
        Kind::Binary(Binary::Iff, left, right) => {
            let both = left.clone().binary(Binary::And, right.clone());
            let neither = left.clone().negated().binary(Binary::And, right.clone().negated());
            or(&[both, neither])
        }
        Kind::If(condition, then, otherwise) => {
            let taken = condition.clone().binary(Binary::And, then.clone());
            let other = condition.clone().negated().binary(Binary::And, otherwise.clone());
            or(&[taken, other])
        }
        Kind::Joined(Join::All, parts) => and(parts),
        Kind::Joined(Join::Any, parts) => or(parts),
        _ => leaf(formula),
    }
}

/// A member that R17 sets apart: a state formula, or a path formula that no rule of the papers mentions.
fn is_settled(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Commitment(_) => false,
        Kind::Does(_) => true,
        Kind::Unary(Unary::Not, operand) => match operand.kind() {
            Kind::Act(_) => false,
            Kind::Does(_) | Kind::Binary(Binary::Since, ..) => true,
            _ => is_state_formula(formula),
        },
        _ => is_state_formula(formula),
    }
}

/// What stands on the other side of R17.
fn settled_goal(formula: &Formula, logic: Logic) -> Goal {
    let joined = match formula.kind() {
        Kind::Binary(op, ..) => matches!(op, Binary::And | Binary::Or | Binary::Implies | Binary::Iff),
        kind => matches!(kind, Kind::Joined(..) | Kind::If(..)),
    };
    if !is_state_formula(formula) || joined && is_boolean_of_atoms(formula) {
        return Goal::Leaf(formula.clone());
    }
    goal(formula, logic)
}

impl Set {
    fn find(&self, wanted: impl Fn(&Formula) -> bool) -> Option<(usize, &Formula)> {
        self.formulas().enumerate().find(|(_, formula)| wanted(formula))
    }

    /// The set with one member replaced by the conjuncts of some formulas, as a goal.
    fn instead(&self, index: usize, formulas: &[Formula], logic: Logic) -> Goal {
        let conjuncts = formulas.iter().flat_map(|formula| members(&push(formula, true, logic)));
        Goal::Set(self.with(index, conjuncts))
    }
}

fn apply_to_set(set: &Set, logic: Logic) -> Result<Applied, Box<Diagnostic>> {
    let one = |rule: Rule, kind: StateKind, child: Goal| Ok(Applied::new(rule, kind, vec![child]));
    if let Some((index, formula)) = set.find(|formula| act_of(formula).is_some())
        && let Some((act, negated)) = act_of(formula)
        && let Kind::Act(pattern) = act.kind()
    {
        let act = PlainAct::of(pattern, act.span())?;
        let kind = act.kind;
        let left = if logic == Logic::Scctl { act.content()? } else { act.brought_about()? };
        let child = set.instead(index, &[left], logic);
        let (rule, act) = logic.act_rule(kind, negated);
        return one(rule, StateKind::Action { kind, act, negated }, child);
    }
    if let Some((index, formula)) = set.find(|formula| matches!(formula.kind(), Kind::Commitment(_)))
        && let Kind::Commitment(commitment) = formula.kind()
    {
        let (Arg::Is(debtor), Arg::Is(content)) = (&commitment.debtor, &commitment.content) else {
            let message = "a commitment with `_` stands for all commitments of a model that fit";
            return Err(Diagnostic::error(Code::ActWithWildcard, message, formula.span()).into());
        };
        let labels = [format!("[SC_{debtor}]"), format!("[PC_{debtor}]")];
        let rule = Rule { name: logic.pick(["R16", "R18"]), label: logic.pick(labels) };
        return one(rule, StateKind::Commitment, set.instead(index, std::slice::from_ref(content), logic));
    }
    if let Some((index, formula)) = set.find(is_settled) {
        let settled = settled_goal(formula, logic);
        if set.members.len() == 1 {
            return one(logic.rule(["R3", "R3"], ["∨", "∨"]), StateKind::Or, settled);
        }
        let rule = logic.rule(["R17", "R19"], ["<≡>", "⇔"]);
        let children = vec![settled, Goal::Set(set.with(index, []))];
        return Ok(Applied::new(rule, StateKind::Equivalent, children));
    }
    if let Some((index, alternatives)) = alternatives(set) {
        let children = alternatives.iter().map(|part| set.instead(index, std::slice::from_ref(part), logic));
        let rule = logic.rule(["R19", "R21"], ["∨", "∨"]);
        return Ok(Applied::new(rule, StateKind::Or, children.collect()));
    }
    if let Some((index, formula)) = set.find(|f| matches!(f.kind(), Kind::Binary(Binary::So, ..)))
        && let Kind::Binary(_, support, conclusion) = formula.kind()
    {
        let weakened = push(&support.clone().negated(), true, logic).binary(Binary::Or, conclusion.clone());
        let step = Member { formula: weakened.unary(Unary::Next), argument_step: true };
        let child = Goal::Set(set.with(index, members(support).into_iter().chain([step])));
        return one(logic.rule(["R21", "R25"], ["∧", "∧"]), StateKind::And, child);
    }
    Ok(unfolded(set, logic).unwrap_or_else(|| stepped(set, logic)))
}

/// The act of `Act(..)` or `!Act(..)`.
fn act_of(formula: &Formula) -> Option<(&Formula, bool)> {
    match formula.kind() {
        Kind::Act(_) => Some((formula, false)),
        Kind::Unary(Unary::Not, operand) if matches!(operand.kind(), Kind::Act(_)) => Some((operand, true)),
        _ => None,
    }
}

fn alternatives(set: &Set) -> Option<(usize, Vec<Formula>)> {
    set.formulas().enumerate().find_map(|(index, formula)| match formula.kind() {
        Kind::Binary(Binary::Or, left, right) => Some((index, vec![left.clone(), right.clone()])),
        Kind::Joined(Join::Any, parts) => Some((index, parts.clone())),
        _ => None,
    })
}

/// The name of the rule for `S` and its kin, which only one of the papers has.
pub(crate) const SINCE: &str = "R26";

/// R22 and its kin. `G` comes before `F`, as in Examples 2 and 3 of the CTL*CA paper.
fn unfolded(set: &Set, logic: Logic) -> Option<Applied> {
    let straight = set.find(|f| matches!(f.kind(), Kind::Unary(Unary::Globally | Unary::Historically, _)));
    let (index, formula) = straight.or_else(|| {
        set.find(|f| {
            matches!(
                f.kind(),
                Kind::Unary(Unary::Finally | Unary::Once, _)
                    | Kind::Binary(Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since, ..)
            )
        })
    })?;
    let past = matches!(
        formula.kind(),
        Kind::Unary(Unary::Historically | Unary::Once, _) | Kind::Binary(Binary::Since, ..)
    );
    let names = if past { [SINCE, SINCE] } else { ["R22", "R27"] };
    let again = formula.clone().unary(if past { Unary::Previous } else { Unary::Next });
    let alternatives = match formula.kind() {
        Kind::Unary(Unary::Globally | Unary::Historically, body) => vec![vec![body.clone(), again]],
        Kind::Unary(_, body) => vec![vec![body.clone()], vec![again]],
        Kind::Binary(Binary::Release, left, right) => {
            vec![vec![right.clone(), left.clone()], vec![right.clone(), again]]
        }
        Kind::Binary(_, left, right) => vec![vec![right.clone()], vec![left.clone(), again]],
        _ => return None,
    };
    let children = alternatives.iter().map(|formulas| set.instead(index, formulas, logic)).collect();
    Some(Applied::new(logic.rule(names, ["∨", "∨"]), StateKind::Or, children))
}

/// R20 and its kin, when nothing but `X` and `X-` formulas is left.
fn stepped(set: &Set, logic: Logic) -> Applied {
    let is_back = |member: &Member| matches!(member.formula.kind(), Kind::Unary(Unary::Previous, _));
    let back = set.members.iter().any(is_back);
    let argument = set.members.iter().any(|member| member.argument_step);
    let moved = |member: &Member| {
        let moves = if back { is_back(member) } else { member.argument_step || !argument };
        match member.formula.kind() {
            Kind::Unary(Unary::Next | Unary::Previous, operand) if moves => members(operand),
            _ => vec![member.clone()],
        }
    };
    let child = exists(set.members.iter().flat_map(moved).collect());
    let (rule, kind) = match back {
        true => (logic.rule(["R23", "R23"], ["X-", "X-"]), StateKind::Previous),
        false => (logic.rule(["R20", "R24"], ["X", "X+"]), StateKind::Next),
    };
    Applied::new(rule, kind, vec![child])
}
