//! The tableau by the papers' rules, and the automaton made of it.

use servanda_logic::{Binary, Formula, Kind, Unary, is_state_formula};
use servanda_syntax::Diagnostic;

use super::acceptance::acceptance;
use super::push::push;
use super::rules::{SINCE, apply, goal};
use crate::Logic;
use crate::automaton::{Abta, StateKind};
use crate::facts::{Fact, Facts};
use crate::goal::Goal;
use crate::limits::Limits;
use crate::sound::find_components;
use crate::tableau::{self, Row};

/// The automaton of a state formula by the papers' rules.
pub(crate) fn translate(
    formula: &Formula,
    logic: Logic,
    limits: Limits,
) -> Result<(Abta, Facts), Box<Diagnostic>> {
    let rows = tableau::rows(goal(formula, logic), limits, |goal| apply(goal, logic))?;
    let mut facts: Facts = rows.iter().flat_map(row_facts).collect();
    let mut abta = tableau::automaton(&rows, limits, |goal| text_of(goal, logic))?;
    abta.acceptance = acceptance(&rows);
    // Only to see whether there are cycles: the papers do not look at components.
    find_components(&mut abta);
    facts.extend((!abta.components.is_empty()).then_some(Fact::Cycle));
    abta.components.clear();
    abta.states.iter_mut().for_each(|state| state.component = None);
    Ok((abta, facts))
}

fn row_facts(row: &Row) -> Facts {
    let mut facts = goal_facts(&row.goal);
    match row.kind {
        StateKind::Next => facts.extend([Fact::Step]),
        StateKind::Commitment => facts.extend([Fact::Commitment]),
        StateKind::Previous => facts.extend([Fact::Past]),
        StateKind::Action { negated, .. } => {
            facts.insert(Fact::Action);
            facts.extend(negated.then_some(Fact::NegatedAct));
            facts.extend((path_members(&row.goal) > 1).then_some(Fact::ActInCompany));
        }
        _ => facts.extend(row.rule.as_ref().filter(|rule| rule.name == SINCE).map(|_| Fact::Past)),
    }
    facts
}

/// The number of path formulas in a set.
fn path_members(goal: &Goal) -> usize {
    goal.as_set().map_or(0, |set| set.formulas().filter(|formula| !is_state_formula(formula)).count())
}

fn goal_facts(goal: &Goal) -> Facts {
    let mut facts = Facts::new();
    match goal {
        Goal::State(formula) | Goal::Leaf(formula) => facts.extend(match formula.kind() {
            Kind::Binary(Binary::And | Binary::Or, ..) if matches!(goal, Goal::Leaf(_)) => {
                Some(Fact::BooleanLeaf)
            }
            Kind::Does(_)
            | Kind::Epistemic(_)
            | Kind::Strategic(_)
            | Kind::Unary(Unary::AllPrevious | Unary::SomePrevious | Unary::AllPast | Unary::SomePast, _) => {
                Some(Fact::NoRule)
            }
            _ => None,
        }),
        Goal::Set(set) => {
            facts.extend((path_members(goal) > 1).then_some(Fact::PathSet));
            for member in &set.members {
                facts.extend(member.argument_step.then_some(Fact::ArgumentStep));
                facts.extend(unfolding_facts(&member.formula));
            }
        }
    }
    facts
}

fn unfolding_facts(formula: &Formula) -> Facts {
    let unfolded = match formula.kind() {
        Kind::Unary(Unary::Globally, _) => Some(Fact::Always),
        Kind::Binary(Binary::Release | Binary::WeakUntil, ..) => Some(Fact::Release),
        // What is unfolded next may be a conjunction, whose parts then join the set at once.
        _ => None,
    };
    let mut conjunction = false;
    formula.for_each_child(|child| conjunction |= matches!(child.kind(), Kind::Binary(Binary::And, ..)));
    unfolded.into_iter().chain(conjunction.then_some(Fact::SilentConjunction)).collect()
}

fn text_of(goal: &Goal, logic: Logic) -> String {
    match goal {
        Goal::State(formula) | Goal::Leaf(formula) => match formula.kind() {
            Kind::Unary(Unary::ForAll, path) => format!("A({})", push(path, true, logic)),
            _ => formula.to_string(),
        },
        Goal::Set(set) => format!("E({})", set.shown().join(", ")),
    }
}
