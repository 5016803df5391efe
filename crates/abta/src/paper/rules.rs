//! Which rule applies to a state of the tableau, and what it leaves.

use servanda_logic::{Arg, Binary, Formula, Join, Kind, Unary, is_state_formula};
use servanda_syntax::{Code, Diagnostic};

use super::numbers::Step;
use super::push::{is_boolean_of_atoms, push};
use crate::Logic;
use crate::acts::PlainAct;

/// A formula of a set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    pub(crate) formula: Formula,
    /// Is it the `X(¬φ1 ∨ φ2)` that R21 made of an argument? In Table 2 the step of such an `X` is one inside the
    /// decomposition of the act, and other `X` formulas of the set wait.
    pub(crate) argument_step: bool,
}

/// What a state of the tableau stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// A state formula that rules may take apart.
    State(Formula),
    /// A state formula that they leave alone.
    Leaf(Formula),
    /// `E(Φ)`
    Set(Vec<Member>),
}

/// What a rule leaves to be shown.
pub(crate) struct Applied {
    pub(crate) step: Step,
    pub(crate) children: Vec<Goal>,
}

/// A state formula as a goal: `E φ` is the set of the conjuncts of `φ`.
pub(crate) fn goal(formula: &Formula, logic: Logic) -> Goal {
    match formula.kind() {
        Kind::Unary(Unary::Exists, path) => Goal::Set(members(&push(path, true, logic))),
        Kind::Commitment(_) => Goal::Set(members(formula)),
        _ => Goal::State(formula.clone()),
    }
}

fn plain(formula: Formula) -> Member {
    Member { formula, argument_step: false }
}

/// The conjuncts of a path formula. R18 gets no state of its own in the papers' tables.
fn members(formula: &Formula) -> Vec<Member> {
    let mut found = Vec::new();
    collect(formula, &mut found);
    found
}

fn collect(formula: &Formula, found: &mut Vec<Member>) {
    match formula.kind() {
        Kind::Bool(true) => {}
        Kind::Binary(Binary::And, left, right) => {
            collect(left, found);
            collect(right, found);
        }
        Kind::Joined(Join::All, parts) => parts.iter().for_each(|part| collect(part, found)),
        _ => {
            let member = plain(formula.clone());
            if !found.contains(&member) {
                found.push(member);
            }
        }
    }
}

/// The rule for a goal; `None` for a leaf.
pub(crate) fn apply(goal: &Goal, logic: Logic) -> Result<Option<Applied>, Box<Diagnostic>> {
    match goal {
        Goal::Leaf(_) => Ok(None),
        Goal::Set(set) if set.is_empty() => Ok(None),
        Goal::State(formula) => Ok(apply_to_state(formula, logic)),
        Goal::Set(set) => apply_to_set(set, logic).map(Some),
    }
}

fn apply_to_state(formula: &Formula, logic: Logic) -> Option<Applied> {
    let goal = |formula: &Formula| goal(formula, logic);
    let (step, children) = match formula.kind() {
        Kind::Unary(Unary::Not, operand) => (Step::Not, vec![goal(operand)]),
        Kind::Unary(Unary::ForAll, path) => {
            (Step::ForAll, vec![Goal::Set(members(&push(path, false, logic)))])
        }
        Kind::Unary(Unary::Challenged, operand) if logic == Logic::CtlCa => {
            (Step::Question, vec![goal(operand)])
        }
        Kind::Binary(Binary::And, left, right) => (Step::And, vec![goal(left), goal(right)]),
        Kind::Binary(Binary::Or, left, right) => (Step::Or, vec![goal(left), goal(right)]),
        Kind::Binary(Binary::Implies, left, right) => {
            (Step::Or, vec![goal(&left.clone().negated()), goal(right)])
        }
        Kind::Binary(Binary::Iff, left, right) => {
            let both = left.clone().binary(Binary::And, right.clone());
            let neither = left.clone().negated().binary(Binary::And, right.clone().negated());
            (Step::Or, vec![goal(&both), goal(&neither)])
        }
        Kind::Joined(Join::All, parts) => (Step::And, parts.iter().map(goal).collect()),
        Kind::Joined(Join::Any, parts) => (Step::Or, parts.iter().map(goal).collect()),
        _ => return None,
    };
    Some(Applied { step, children })
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
        kind => matches!(kind, Kind::Joined(..)),
    };
    if !is_state_formula(formula) || joined && is_boolean_of_atoms(formula) {
        return Goal::Leaf(formula.clone());
    }
    goal(formula, logic)
}

struct Set<'s> {
    members: &'s [Member],
    logic: Logic,
}

impl Set<'_> {
    /// The set with one member replaced by the conjuncts of some formulas.
    fn with(&self, index: usize, formulas: &[Formula]) -> Goal {
        self.with_members(index, formulas.iter().flat_map(|f| members(&push(f, true, self.logic))).collect())
    }

    fn with_members(&self, index: usize, new: Vec<Member>) -> Goal {
        let mut set: Vec<Member> = Vec::new();
        let mut add = |member: Member| {
            if !set.contains(&member) {
                set.push(member);
            }
        };
        for (position, member) in self.members.iter().enumerate() {
            if position == index {
                new.iter().cloned().for_each(&mut add);
            } else {
                add(member.clone());
            }
        }
        Goal::Set(set)
    }

    fn find(&self, wanted: impl Fn(&Formula) -> bool) -> Option<(usize, &Formula)> {
        let formulas = self.members.iter().map(|member| &member.formula).enumerate();
        formulas.into_iter().find(|(_, formula)| wanted(formula))
    }
}

fn apply_to_set(members: &[Member], logic: Logic) -> Result<Applied, Box<Diagnostic>> {
    let set = Set { members, logic };
    let one = |step: Step, child: Goal| Ok(Applied { step, children: vec![child] });
    if let Some((index, formula)) = set.find(|formula| act_of(formula).is_some())
        && let Some((act, negated)) = act_of(formula)
    {
        let Kind::Act(pattern) = act.kind() else { return one(Step::And, Goal::Leaf(act.clone())) };
        let act = PlainAct::of(pattern, act.span())?;
        let child = set.with(index, &[act.brought_about()?]);
        return one(Step::Act { kind: act.kind, negated }, child);
    }
    if let Some((index, formula)) = set.find(|formula| matches!(formula.kind(), Kind::Commitment(_)))
        && let Kind::Commitment(commitment) = formula.kind()
    {
        let (Arg::Is(debtor), Arg::Is(content)) = (&commitment.debtor, &commitment.content) else {
            let message = "a commitment with `_` stands for all commitments of a model that fit";
            return Err(Diagnostic::error(Code::ActWithWildcard, message, formula.span()).into());
        };
        let debtor = debtor.to_string();
        return one(Step::Commitment { debtor }, set.with(index, std::slice::from_ref(content)));
    }
    if let Some((index, formula)) = set.find(is_settled) {
        let settled = settled_goal(formula, logic);
        if members.len() == 1 {
            return one(Step::ExistsState, settled);
        }
        let children = vec![settled, set.with_members(index, Vec::new())];
        return Ok(Applied { step: Step::Equivalent, children });
    }
    if let Some((index, alternatives)) = alternatives(&set) {
        let children = alternatives.iter().map(|part| set.with(index, std::slice::from_ref(part))).collect();
        return Ok(Applied { step: Step::OrInSet, children });
    }
    if let Some((index, formula)) = set.find(|f| matches!(f.kind(), Kind::Binary(Binary::So, ..)))
        && let Kind::Binary(_, support, conclusion) = formula.kind()
    {
        let weakened = push(&support.clone().negated(), true, logic).binary(Binary::Or, conclusion.clone());
        let step = Member { formula: weakened.unary(Unary::Next), argument_step: true };
        let mut new = self::members(support);
        new.push(step);
        return one(Step::Argument, set.with_members(index, new));
    }
    if let Some(applied) = unfolded(&set) {
        return Ok(applied);
    }
    Ok(stepped(members))
}

/// The act of `Act(..)` or `!Act(..)`.
fn act_of(formula: &Formula) -> Option<(&Formula, bool)> {
    match formula.kind() {
        Kind::Act(_) => Some((formula, false)),
        Kind::Unary(Unary::Not, operand) if matches!(operand.kind(), Kind::Act(_)) => Some((operand, true)),
        _ => None,
    }
}

fn alternatives(set: &Set<'_>) -> Option<(usize, Vec<Formula>)> {
    set.members.iter().enumerate().find_map(|(index, member)| match member.formula.kind() {
        Kind::Binary(Binary::Or, left, right) => Some((index, vec![left.clone(), right.clone()])),
        Kind::Joined(Join::Any, parts) => Some((index, parts.clone())),
        _ => None,
    })
}

/// R22 and its kin. `G` comes before `F`, as in Examples 2 and 3 of the CTL*CA paper.
fn unfolded(set: &Set<'_>) -> Option<Applied> {
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
    let later = formula.clone().unary(Unary::Next);
    let before = formula.clone().unary(Unary::Previous);
    let (step, alternatives) = match formula.kind() {
        Kind::Unary(Unary::Globally, body) => (Step::Until, vec![vec![body.clone(), later]]),
        Kind::Unary(Unary::Historically, body) => (Step::Since, vec![vec![body.clone(), before]]),
        Kind::Unary(Unary::Finally, body) => (Step::Until, vec![vec![body.clone()], vec![later]]),
        Kind::Unary(Unary::Once, body) => (Step::Since, vec![vec![body.clone()], vec![before]]),
        Kind::Binary(Binary::Until | Binary::WeakUntil, left, right) => {
            (Step::Until, vec![vec![right.clone()], vec![left.clone(), later]])
        }
        Kind::Binary(Binary::Since, left, right) => {
            (Step::Since, vec![vec![right.clone()], vec![left.clone(), before]])
        }
        Kind::Binary(_, left, right) => {
            (Step::Until, vec![vec![right.clone(), left.clone()], vec![right.clone(), later]])
        }
        _ => return None,
    };
    let children = alternatives.iter().map(|formulas| set.with(index, formulas)).collect();
    Some(Applied { step, children })
}

/// R20 and its kin, when nothing but `X` and `X-` formulas is left.
fn stepped(members: &[Member]) -> Applied {
    let is_back = |member: &Member| matches!(member.formula.kind(), Kind::Unary(Unary::Previous, _));
    let back = members.iter().any(is_back);
    let argument = members.iter().any(|member| member.argument_step);
    let mut set: Vec<Member> = Vec::new();
    for member in members {
        let moves = if back { is_back(member) } else { member.argument_step || !argument };
        match member.formula.kind() {
            Kind::Unary(Unary::Next | Unary::Previous, operand) if moves => {
                for new in self::members(operand) {
                    if !set.contains(&new) {
                        set.push(new);
                    }
                }
            }
            _ if !set.contains(member) => set.push(member.clone()),
            _ => {}
        }
    }
    Applied { step: if back { Step::Previous } else { Step::Next }, children: vec![Goal::Set(set)] }
}
