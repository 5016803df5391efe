//! The tableau by sound rules, and the automaton made of it.

use servanda_logic::{Binary, Formula, Kind, Unary};
use servanda_syntax::Diagnostic;

use super::components::find_components;
use super::convert::convert;
use super::rules::{apply, goal_of_state, is_state, label_sign};
use crate::ActReading;
use crate::automaton::{Abta, AcceptanceSet, Quantifier, StateKind};
use crate::facts::{Fact, Facts};
use crate::goal::Goal;
use crate::limits::Limits;
use crate::tableau::{self, Row};

/// The automaton of a state formula, which accepts exactly its models.
pub(crate) fn translate(
    formula: &Formula,
    acts: ActReading,
    limits: Limits,
) -> Result<(Abta, Facts), Box<Diagnostic>> {
    let start = goal_of_state(&convert(formula, true, acts)?, acts)?;
    let rows = tableau::rows(start, limits, |goal| apply(goal, acts))?;
    let mut facts = facts(&rows);
    let mut abta = tableau::automaton(&rows, limits, text)?;
    find_components(&mut abta);
    abta.acceptance = acceptance(&abta, &rows);
    // A single state is one that asks only whether there is an accessible path.
    let cycle = abta.components.iter().any(|component| component.states.len() > 1);
    facts.extend(cycle.then_some(Fact::Cycle));
    Ok((abta, facts))
}

fn literal_fact(atom: &Formula) -> Option<Fact> {
    match atom.kind() {
        Kind::Unary(Unary::Previous, _) => Some(Fact::Past),
        Kind::Unary(..) | Kind::Epistemic(_) | Kind::Strategic(_) => Some(Fact::Opaque),
        _ => None,
    }
}

fn facts(rows: &[Row]) -> Facts {
    let mut facts = Facts::new();
    for row in rows {
        match &row.kind {
            StateKind::StepExists(actions) | StateKind::StepForAll(actions) => {
                let asks = row.goal.as_set().is_some_and(|set| !set.members.is_empty());
                facts.extend(asks.then_some(Fact::Step));
                facts.extend((!actions.is_empty()).then_some(Fact::Action));
            }
            StateKind::Literal { atom, .. } => facts.extend(literal_fact(atom)),
            _ => {}
        }
        if let Some(set) = row.goal.as_set() {
            let paths = set.formulas().filter(|formula| !is_state(formula)).count();
            let labels: Vec<bool> = set.formulas().filter_map(label_sign).collect();
            facts.extend((paths - labels.len() > 1).then_some(Fact::PathSet));
            // An act is a label and what it brings about. Both are in the set if it joins them, else only one.
            let joins = |sign: &bool| usize::from(*sign == (set.quantifier == Quantifier::Exists));
            let in_company = labels.first().is_some_and(|sign| paths > 1 + joins(sign));
            facts.extend(in_company.then_some(Fact::ActInCompany));
            facts.extend(set.scope.is_some().then_some(Fact::Commitment));
        }
    }
    facts
}

fn text(goal: &Goal) -> String {
    let set = match goal {
        Goal::State(formula) | Goal::Leaf(formula) => return formula.to_string(),
        Goal::Set(set) => set,
    };
    let scope = match &set.scope {
        Some(scope) => format!("[{} -> {}]", scope.debtor, scope.creditor),
        None => String::new(),
    };
    let mut shown = set.shown();
    let members = match set.quantifier {
        Quantifier::Exists if shown.is_empty() => "true".to_owned(),
        Quantifier::ForAll if shown.is_empty() => "false".to_owned(),
        Quantifier::Exists => shown.join(", "),
        Quantifier::ForAll => {
            // One formula that is a disjunction is not the set of its parts.
            for (text, formula) in shown.iter_mut().zip(set.formulas()) {
                if matches!(formula.kind(), Kind::Binary(Binary::Or, ..)) {
                    *text = format!("({text})");
                }
            }
            shown.join(" | ")
        }
    };
    let met: Vec<String> = set.met.iter().map(ToString::to_string).collect();
    let met = if met.is_empty() { String::new() } else { format!(", met: {}", met.join(", ")) };
    format!("{}{scope}({members}){met}", set.quantifier)
}

/// For each component and each until formula that one of its steps postpones, the steps that do not.
fn acceptance(abta: &Abta, rows: &[Row]) -> Vec<AcceptanceSet> {
    let mut acceptance = Vec::new();
    for (number, component) in abta.components.iter().enumerate() {
        let steps = || component.states.iter().filter(|id| abta.state(**id).kind.is_step());
        let mut eventualities: Vec<&Formula> = Vec::new();
        for formula in steps().flat_map(|id| &rows[id.index()].postponed) {
            if !eventualities.contains(&formula) {
                eventualities.push(formula);
            }
        }
        acceptance.extend(eventualities.into_iter().map(|eventuality| AcceptanceSet {
            component: Some(number),
            formula: eventuality.to_string(),
            states: steps().filter(|id| !rows[id.index()].postponed.contains(eventuality)).copied().collect(),
        }));
    }
    acceptance
}
