//! The tableau: rules applied until only leaves and known states are left, numbered as the papers number.

use std::collections::{HashMap, VecDeque};

use servanda_logic::{Binary, Formula, Kind, Unary, is_state_formula};
use servanda_syntax::Diagnostic;

use super::acceptance::acceptance;
use super::numbers::{Step, act_name};
use super::push::push;
use super::rules::{Goal, apply, goal};
use crate::Logic;
use crate::automaton::{Abta, Quantifier, State, StateId, StateKind};
use crate::facts::{Fact, Facts};
use crate::limits::{Limits, too_long, too_many_states};
use crate::sound::find_components;

struct Tableau {
    logic: Logic,
    limits: Limits,
    goals: Vec<Goal>,
    numbers: HashMap<Goal, usize>,
    applied: Vec<Option<(Step, Vec<usize>)>>,
    expanded: Vec<bool>,
    waiting: VecDeque<usize>,
}

/// The automaton of a state formula by the papers' rules.
pub(crate) fn translate(
    formula: &Formula,
    logic: Logic,
    limits: Limits,
) -> Result<(Abta, Facts), Box<Diagnostic>> {
    let mut tableau = Tableau {
        logic,
        limits,
        goals: Vec::new(),
        numbers: HashMap::new(),
        applied: Vec::new(),
        expanded: Vec::new(),
        waiting: VecDeque::new(),
    };
    tableau.number(goal(formula, logic))?;
    while let Some(next) = tableau.waiting.pop_front() {
        tableau.expand(next)?;
    }
    let mut facts = tableau.facts();
    let mut abta = tableau.finish()?;
    // Only to see whether there are cycles: the papers do not look at components.
    find_components(&mut abta);
    facts.extend((!abta.components.is_empty()).then_some(Fact::Cycle));
    abta.components.clear();
    abta.states.iter_mut().for_each(|state| state.component = None);
    Ok((abta, facts))
}

/// The same set however it is ordered.
fn key(goal: &Goal) -> Goal {
    match goal {
        Goal::Set(members) => {
            let mut members = members.clone();
            members.sort_by_cached_key(|member| (member.formula.to_string(), member.argument_step));
            Goal::Set(members)
        }
        other => other.clone(),
    }
}

impl Tableau {
    fn number(&mut self, goal: Goal) -> Result<usize, Box<Diagnostic>> {
        let key = key(&goal);
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let number = self.goals.len();
        if number >= self.limits.states {
            return Err(too_many_states(self.limits));
        }
        self.numbers.insert(key, number);
        self.goals.push(goal);
        self.applied.push(None);
        self.expanded.push(false);
        self.waiting.push_back(number);
        Ok(number)
    }

    fn expand(&mut self, number: usize) -> Result<(), Box<Diagnostic>> {
        if std::mem::replace(&mut self.expanded[number], true) {
            return Ok(());
        }
        let Some(applied) = apply(&self.goals[number], self.logic)? else { return Ok(()) };
        let mut children: Vec<usize> = Vec::new();
        for child in applied.children {
            let known = self.goals.len();
            let child = self.number(child)?;
            if !children.contains(&child) {
                children.push(child);
            }
            // The papers number breadth first, but they finish a state formula that was set apart before they go on:
            // in Example 3 of the CTL*CA paper (9) and (10) are the finite states.
            if child == known && matches!(applied.step, Step::Equivalent) && self.is_signed(child) {
                self.expand(child)?;
            }
        }
        self.applied[number] = Some((applied.step, children));
        Ok(())
    }

    /// Is it an atom behind a sign, `¬` or `?`?
    fn is_signed(&self, number: usize) -> bool {
        matches!(
            &self.goals[number],
            Goal::State(formula)
                if matches!(formula.kind(), Kind::Unary(Unary::Not | Unary::Challenged, _))
        )
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        for (goal, applied) in self.goals.iter().zip(&self.applied) {
            facts.extend(goal_facts(goal));
            facts.extend(applied.iter().filter_map(|(step, _)| match step {
                Step::Next => Some(Fact::Step),
                Step::Commitment { .. } => Some(Fact::Commitment),
                Step::Previous | Step::Since => Some(Fact::Past),
                _ => None,
            }));
            if let Some((Step::Act { negated, .. }, _)) = applied {
                facts.insert(Fact::Action);
                facts.extend(negated.then_some(Fact::NegatedAct));
                let paths = path_members(goal);
                facts.extend((paths > 1).then_some(Fact::ActInCompany));
            }
        }
        facts
    }

    fn finish(self) -> Result<Abta, Box<Diagnostic>> {
        let length = self.goals.iter().try_fold(0_usize, |length, goal| {
            let length = length + text_of(goal, self.logic).len();
            (length <= self.limits.text()).then_some(length)
        });
        if length.is_none() {
            return Err(too_long(self.limits));
        }
        let rows = self.goals.iter().zip(&self.applied).enumerate();
        let states = rows.map(|(index, (goal, applied))| {
            let (rule, kind, successors) = match applied {
                None => (None, leaf_kind(goal), Vec::new()),
                Some((step, children)) => (
                    Some(step.rule(self.logic)),
                    kind_of(step, self.logic),
                    children.iter().map(|child| StateId::from_index(*child)).collect(),
                ),
            };
            let text = text_of(goal, self.logic);
            let quantifier = matches!(goal, Goal::Set(_)).then_some(Quantifier::Exists);
            let number = index + 1;
            State { number, text, rule, kind, successors, quantifier, scope: None, component: None }
        });
        Ok(Abta { states: states.collect(), components: Vec::new(), acceptance: acceptance(&self.goals) })
    }
}

/// The number of path formulas in a set.
fn path_members(goal: &Goal) -> usize {
    match goal {
        Goal::Set(members) => members.iter().filter(|member| !is_state_formula(&member.formula)).count(),
        Goal::State(_) | Goal::Leaf(_) => 0,
    }
}

fn goal_facts(goal: &Goal) -> Facts {
    let mut facts = Facts::new();
    match goal {
        Goal::State(formula) | Goal::Leaf(formula) => match formula.kind() {
            Kind::Binary(Binary::And | Binary::Or, ..) if matches!(goal, Goal::Leaf(_)) => {
                facts.insert(Fact::BooleanLeaf);
            }
            Kind::Does(_) | Kind::Epistemic(_) | Kind::Strategic(_) => {
                facts.insert(Fact::NoRule);
            }
            Kind::Unary(Unary::AllPrevious | Unary::SomePrevious | Unary::AllPast | Unary::SomePast, _) => {
                facts.insert(Fact::NoRule);
            }
            _ => {}
        },
        Goal::Set(members) => {
            facts.extend((path_members(goal) > 1).then_some(Fact::PathSet));
            for member in members {
                facts.extend(member.argument_step.then_some(Fact::ArgumentStep));
                facts.extend(unfolding_facts(&member.formula));
            }
        }
    }
    facts
}

fn unfolding_facts(formula: &Formula) -> Facts {
    let mut facts = Facts::new();
    match formula.kind() {
        Kind::Unary(Unary::Globally, _) => {
            facts.insert(Fact::Always);
        }
        Kind::Binary(Binary::Release | Binary::WeakUntil, ..) => {
            facts.insert(Fact::Release);
        }
        // What is unfolded next may be a conjunction, whose parts then join the set at once.
        _ => {}
    }
    let mut conjunction = false;
    formula.for_each_child(|child| conjunction |= matches!(child.kind(), Kind::Binary(Binary::And, ..)));
    facts.extend(conjunction.then_some(Fact::SilentConjunction));
    facts
}

fn leaf_kind(goal: &Goal) -> StateKind {
    match goal {
        Goal::State(formula) | Goal::Leaf(formula) => match formula.kind() {
            Kind::Bool(true) => StateKind::True,
            Kind::Bool(false) => StateKind::False,
            _ => StateKind::Literal { atom: formula.clone(), positive: true },
        },
        // `E` of nothing: every path satisfies the empty set.
        Goal::Set(_) => StateKind::True,
    }
}

fn kind_of(step: &Step, logic: Logic) -> StateKind {
    match step {
        Step::And | Step::Argument => StateKind::And,
        Step::Or | Step::ExistsState | Step::OrInSet | Step::Until | Step::Since => StateKind::Or,
        Step::Not | Step::ForAll => StateKind::Not,
        Step::Question => StateKind::Question,
        Step::Act { kind, negated } => StateKind::Action { act: act_name(*kind, logic), negated: *negated },
        Step::Commitment { .. } => StateKind::Commitment,
        Step::Equivalent => StateKind::Equivalent,
        Step::Next => StateKind::Next,
        Step::Previous => StateKind::Previous,
    }
}

fn text_of(goal: &Goal, logic: Logic) -> String {
    match goal {
        Goal::State(formula) | Goal::Leaf(formula) => match formula.kind() {
            Kind::Unary(Unary::ForAll, path) => format!("A({})", push(path, true, logic)),
            _ => formula.to_string(),
        },
        Goal::Set(members) => {
            let shown: Vec<String> = members.iter().map(|member| member.formula.to_string()).collect();
            format!("E({})", shown.join(", "))
        }
    }
}
