//! The tableau: rules applied until no new goal is left, and the automaton made of it.

use std::collections::{HashMap, VecDeque};

use servanda_logic::{Formula, Kind, Unary};
use servanda_syntax::Diagnostic;

use super::arena::{Node, NodeId};
use super::components::find_components;
use super::convert::Converter;
use super::goal::Goal;
use super::rules::apply;
use crate::Acts;
use crate::automaton::{Abta, AcceptanceSet, Quantifier, Rule, State, StateId, StateKind};
use crate::facts::{Fact, Facts};
use crate::limits::{Limits, too_long, too_many_states};

/// A row of the tableau.
struct Row {
    goal: Goal,
    rule: Option<Rule>,
    kind: StateKind,
    successors: Vec<usize>,
    /// The step postpones these without having met them at its position.
    postponed: Vec<NodeId>,
}

struct Tableau {
    converter: Converter,
    limits: Limits,
    rows: Vec<Row>,
    members: usize,
    numbers: HashMap<Goal, usize>,
    waiting: VecDeque<usize>,
}

/// The automaton of a state formula, one state per goal.
pub(crate) fn translate(
    formula: &Formula,
    acts: Acts,
    limits: Limits,
) -> Result<(Abta, Facts), Box<Diagnostic>> {
    let mut converter = Converter::new(acts);
    let start = converter.convert(formula, true)?;
    let mut tableau = Tableau {
        converter,
        limits,
        rows: Vec::new(),
        members: 0,
        numbers: HashMap::new(),
        waiting: VecDeque::new(),
    };
    let start = Goal::of_state(&tableau.converter.arena, start);
    tableau.number(start)?;
    while let Some(next) = tableau.waiting.pop_front() {
        let goal = tableau.rows[next].goal.clone();
        let applied = apply(&mut tableau.converter.arena, &goal);
        let mut successors = Vec::new();
        for child in applied.children {
            let child = tableau.number(child)?;
            if !successors.contains(&child) {
                successors.push(child);
            }
        }
        let row = &mut tableau.rows[next];
        (row.rule, row.kind, row.postponed) = (applied.rule, applied.kind, applied.postponed);
        row.successors = successors;
    }
    let facts = tableau.facts();
    let abta = tableau.finish()?;
    // A single state is one that asks only whether there is an accessible path.
    let cycle = abta.components.iter().any(|component| component.states.len() > 1);
    let cycle = cycle.then_some(Fact::Cycle);
    Ok((abta, facts.into_iter().chain(cycle).collect()))
}

fn literal_fact(atom: &Formula) -> Option<Fact> {
    match atom.kind() {
        Kind::Unary(Unary::Previous, _) => Some(Fact::Past),
        Kind::Unary(..) | Kind::Epistemic(_) | Kind::Strategic(_) => Some(Fact::Opaque),
        _ => None,
    }
}

impl Tableau {
    fn number(&mut self, mut goal: Goal) -> Result<usize, Box<Diagnostic>> {
        if let Goal::Set(set) = &mut goal {
            let arena = &mut self.converter.arena;
            set.met.retain(|until| set.members.iter().any(|member| arena.may_postpone(*member, *until)));
        }
        let key = goal.key();
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let number = self.rows.len();
        if let Goal::Set(set) = &goal {
            self.members += set.members.len();
        }
        if number >= self.limits.states || self.members > self.limits.members() {
            return Err(too_many_states(self.limits));
        }
        self.numbers.insert(key, number);
        let (kind, successors, postponed) = (StateKind::True, Vec::new(), Vec::new());
        self.rows.push(Row { goal, rule: None, kind, successors, postponed });
        self.waiting.push_back(number);
        Ok(number)
    }

    fn facts(&self) -> Facts {
        let arena = &self.converter.arena;
        let mut facts = Facts::new();
        for row in &self.rows {
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
                let paths = set.members.iter().filter(|id| !arena.is_state(**id)).count();
                let labels: Vec<bool> = set.members.iter().filter_map(|id| arena.label_sign(*id)).collect();
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

    fn shown(&mut self, ids: &[NodeId]) -> Vec<String> {
        ids.iter().map(|id| self.converter.arena.shown(*id).to_string()).collect()
    }

    fn text(&mut self, goal: &Goal) -> String {
        let set = match goal {
            Goal::State(id) => return self.converter.arena.shown(*id).to_string(),
            Goal::Set(set) => set,
        };
        let scope = match &set.scope {
            Some(scope) => format!("[{} -> {}]", scope.debtor, scope.creditor),
            None => String::new(),
        };
        let mut shown = self.shown(&set.members);
        let members = match set.quantifier {
            Quantifier::Exists if shown.is_empty() => "true".to_owned(),
            Quantifier::ForAll if shown.is_empty() => "false".to_owned(),
            Quantifier::Exists => shown.join(", "),
            Quantifier::ForAll => {
                // One formula that is a disjunction is not the set of its parts.
                for (text, id) in shown.iter_mut().zip(&set.members) {
                    if matches!(self.converter.arena.node(*id), Node::Or(..)) {
                        *text = format!("({text})");
                    }
                }
                shown.join(" | ")
            }
        };
        let met = match set.met.as_slice() {
            [] => String::new(),
            met => format!(", met: {}", self.shown(met).join(", ")),
        };
        format!("{}{scope}({members}){met}", set.quantifier)
    }

    fn finish(mut self) -> Result<Abta, Box<Diagnostic>> {
        let rows = std::mem::take(&mut self.rows);
        let mut states = Vec::with_capacity(rows.len());
        let mut length = 0_usize;
        for (index, row) in rows.iter().enumerate() {
            let text = self.text(&row.goal);
            length = length.saturating_add(text.len());
            if length > self.limits.text() {
                return Err(too_long(self.limits));
            }
            states.push(State {
                number: index + 1,
                text,
                rule: row.rule.clone(),
                kind: row.kind.clone(),
                successors: row.successors.iter().map(|child| StateId::from_index(*child)).collect(),
                quantifier: row.goal.as_set().map(|set| set.quantifier),
                scope: row.goal.as_set().and_then(|set| set.scope.clone()),
                component: None,
            });
        }
        let mut abta = Abta { states, components: Vec::new(), acceptance: Vec::new() };
        find_components(&mut abta);
        let mut acceptance = Vec::new();
        for (number, component) in abta.components.iter().enumerate() {
            let steps = || component.states.iter().filter(|id| abta.state(**id).kind.is_step());
            let mut eventualities: Vec<NodeId> = Vec::new();
            for id in steps().flat_map(|id| &rows[id.index()].postponed) {
                if !eventualities.contains(id) {
                    eventualities.push(*id);
                }
            }
            for eventuality in eventualities {
                let accepting = steps().filter(|id| !rows[id.index()].postponed.contains(&eventuality));
                acceptance.push(AcceptanceSet {
                    component: Some(number),
                    formula: self.converter.arena.shown(eventuality).to_string(),
                    states: accepting.copied().collect(),
                });
            }
        }
        abta.acceptance = acceptance;
        Ok(abta)
    }
}
