//! What is known of all states of a model, where they are not too many: what can be kept, and who knows what.

use std::collections::HashMap;

use servanda_engine::{Limited, Options};
use servanda_enumerate::Explored;
use servanda_logic::{Arg, Binary, Commitment, Formula, Kind, Reference, Unary};
use servanda_messages::{InForce, KnownValue, Knows, StateData};
use servanda_model::{AgentId, Model, bind_boolean};
use servanda_syntax::Span;

use crate::Watch;

/// Larger models are not looked at state by state.
const MOST_STATES: u64 = 50_000;
const MOST_TRANSITIONS: u64 = 2_000_000;

/// More conditions than these nobody wants to read of.
const MOST_CONDITIONS: usize = 24;

/// The states of a model, and what has been found out about them.
pub(super) struct Survey<'m> {
    model: &'m Model,
    explored: Option<Explored<'m>>,
    /// By debtor and creditor: in which states all that is in force between them can be kept.
    keepable: HashMap<(AgentId, AgentId), Vec<Option<bool>>>,
    conditions: Vec<Condition>,
    /// By agent and state: what the agent cannot tell apart has the same number.
    classes: Vec<Vec<u32>>,
}

/// A condition that a formula refers to.
struct Condition {
    text: String,
    /// By agent and class: does it hold at some state, does it fail at some?
    sides: Vec<Vec<(bool, bool)>>,
}

impl<'m> Survey<'m> {
    /// Looks at the states, unless they are too many.
    pub(super) fn new(model: &'m Model, readings: Options, watch: Watch<'_>) -> Self {
        let within = Limited::new(watch.budget).space(MOST_STATES, MOST_TRANSITIONS);
        let explored = Explored::new(model, readings, &within).ok();
        Survey { model, explored, keepable: HashMap::default(), conditions: Vec::new(), classes: Vec::new() }
    }

    /// The states, where they are known.
    pub(super) fn explored(&self) -> Option<&Explored<'m>> {
        self.explored.as_ref()
    }

    /// The states, to ask something about them.
    pub(super) fn explored_mut(&mut self) -> Option<&mut Explored<'m>> {
        self.explored.as_mut()
    }

    /// Enters which of the commitments in force in a state can be kept.
    pub(super) fn complete(&mut self, state: &mut StateData, packed: &[u64], watch: Watch<'_>) {
        for one in &mut state.in_force {
            one.keepable = self.is_keepable(one, packed, watch);
        }
    }

    /// Can all that is in force between two be kept from a state on? The same holds for each of these commitments.
    fn is_keepable(&mut self, one: &InForce, packed: &[u64], watch: Watch<'_>) -> Option<bool> {
        let pair = (self.model.find_agent(&one.debtor)?, self.model.find_agent(&one.creditor)?);
        let explored = self.explored.as_mut()?;
        let state = explored.space.find(packed)? as usize;
        let known = self.keepable.entry(pair).or_insert_with(|| {
            let nothing = explored.value_by_state(&owes_anything(self.model, pair), watch.budget);
            let nothing = nothing.unwrap_or_default().into_iter();
            nothing.map(|value| value.map(|owes_anything| !owes_anything)).collect()
        });
        known.get(state).copied().flatten()
    }

    /// Takes note of the conditions that a formula refers to.
    pub(super) fn note(&mut self, formula: &Formula, watch: Watch<'_>) {
        let mut found = Vec::new();
        atoms(self.model, formula, &mut found);
        let Some(explored) = self.explored.as_mut().filter(|_| !found.is_empty()) else { return };
        let agents: Vec<AgentId> = self.model.agents().map(|(id, _)| id).collect();
        self.classes = agents.iter().map(|agent| classes(explored, *agent)).collect();
        for atom in found {
            let Ok(values) = explored.value_by_state(&atom, watch.budget) else { continue };
            let sides = self.classes.iter().map(|classes| sides(classes, &values)).collect();
            self.conditions.push(Condition { text: atom.to_string(), sides });
        }
    }

    /// Which of the conditions each role knows to be true or false in a state.
    pub(super) fn knows(&self, packed: &[u64]) -> Vec<Knows> {
        let state = self.explored.as_ref().and_then(|explored| explored.space.find(packed));
        let Some(state) = state else { return Vec::new() };
        let of_agent = |(index, classes): (usize, &Vec<u32>)| {
            let (role, class) = (self.model.agents[index].name.clone(), classes[state as usize]);
            let of_condition = move |condition: &Condition| Knows {
                role: role.clone(),
                text: condition.text.clone(),
                value: match condition.sides[index][class as usize] {
                    (true, false) => KnownValue::True,
                    (false, true) => KnownValue::False,
                    _ => KnownValue::NotKnown,
                },
            };
            self.conditions.iter().map(of_condition).collect::<Vec<_>>()
        };
        self.classes.iter().enumerate().flat_map(of_agent).collect()
    }
}

/// `SC(debtor, creditor, false)`: a debtor owes even the impossible where nothing that can happen keeps what it owes.
pub(super) fn owes_anything(model: &Model, (debtor, creditor): (AgentId, AgentId)) -> Formula {
    let agent = |id: AgentId| Arg::Is(Reference::plain(&model.agent(id).name, Span::default()));
    let content = Arg::Is(Formula::new(Kind::Bool(false), Span::default()));
    let commitment = Commitment { debtor: agent(debtor), creditor: agent(creditor), tag: None, content };
    Formula::new(Kind::Commitment(commitment), Span::default())
}

/// The conditions on states of which a formula is made, each once.
fn atoms(model: &Model, formula: &Formula, found: &mut Vec<Formula>) {
    if found.len() >= MOST_CONDITIONS || matches!(formula.kind(), Kind::Bool(_)) {
        return;
    }
    let is_joint = matches!(
        formula.kind(),
        Kind::Unary(Unary::Not, _)
            | Kind::Binary(Binary::And | Binary::Or | Binary::Implies | Binary::Iff, ..)
            | Kind::Joined(..)
    );
    if !is_joint && bind_boolean(model, formula, &mut Vec::new()).is_some() {
        if !found.contains(formula) {
            found.push(formula.clone());
        }
        return;
    }
    formula.for_each_child(|child| atoms(model, child, found));
}

/// For each state a number: the same where an agent cannot tell states apart.
fn classes(explored: &Explored<'_>, agent: AgentId) -> Vec<u32> {
    let space = &explored.space;
    let sight = space.layout.sight(space.model, &[agent]);
    let mut numbers: HashMap<Vec<u64>, u32> = HashMap::default();
    let number = |state: u32| {
        let fresh = numbers.len() as u32;
        *numbers.entry(sight.of(space.state(state))).or_insert(fresh)
    };
    (0..space.len() as u32).map(number).collect()
}

/// By class whether a condition holds at some state of it, and whether it fails at some; states on no run do not count.
fn sides(classes: &[u32], values: &[Option<bool>]) -> Vec<(bool, bool)> {
    let mut sides = vec![(false, false); classes.iter().max().map_or(0, |most| *most as usize + 1)];
    for (class, value) in classes.iter().zip(values) {
        match value {
            Some(true) => sides[*class as usize].0 = true,
            Some(false) => sides[*class as usize].1 = true,
            None => {}
        }
    }
    sides
}
