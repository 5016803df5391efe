//! What is asked about a graph.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use servanda_engine::Halt;
use servanda_messages::{Alike, Differs, Event, Seen, Value};
use servanda_report::Finding;
use servanda_space::Space;
use servanda_syntax::{Code, SourceFile, nearest};

use super::super::desk::Desk;
use super::super::places::FORMULA;
use super::super::scribe::Scribe;
use super::super::survey::Survey;
use super::build::GraphParts;
use crate::Loaded;

/// So many values of a variable are listed where it differs.
const MOST_VALUES: usize = 40;

/// A graph, and what is known of the states.
pub(super) struct Session<'s, 'l> {
    pub(super) loaded: &'l Loaded,
    pub(super) scribe: Scribe<'l>,
    pub(super) survey: &'s mut Survey<'l>,
    /// The states where the survey does not know them.
    pub(super) own: Option<Space<'l>>,
    pub(super) desk: Desk<'s>,
    pub(super) parts: GraphParts,
}

impl<'l> Session<'_, 'l> {
    /// The states.
    pub(super) fn space(&self) -> &Space<'l> {
        match (&self.own, self.survey.explored()) {
            (Some(own), _) => own,
            (None, Some(explored)) => &explored.space,
            (None, None) => unreachable!("one of the two knows the states"),
        }
    }

    fn has_node(&self, node: usize) -> bool {
        let there = node < self.parts.nodes.len();
        if !there {
            self.desk.refuse(format!("there is no node {node}"));
        }
        there
    }

    /// The states that a node stands for.
    fn states_of(&self, node: usize) -> impl Iterator<Item = u32> {
        let nodes = (0_u32..).zip(&self.parts.node_of);
        nodes.filter(move |(_, of)| **of == Some(node)).map(|(state, _)| state)
    }

    /// The nodes with states that a role cannot tell from one that the node stands for; what it sees there, and in what they differ.
    pub(super) fn alike(&self, node: usize, role: &str) {
        if !self.has_node(node) {
            return;
        }
        let Some(agent) = self.scribe.model.find_agent(role) else {
            let error = Finding::error(Code::UnknownName, format!("no role is called `{role}`"));
            let roles = self.scribe.roles();
            let error = match nearest(role, roles.iter().map(String::as_str)) {
                Some(best) => error.help(format!("did you mean `{best}`?")),
                None => error.help(format!("the roles are {}", roles.join(", "))),
            };
            return self.desk.refuse_for("there is no such role", &[error]);
        };
        let space = self.space();
        let sight = space.layout.sight(space.model, &[agent]);
        let seen: HashSet<Vec<u64>> =
            self.states_of(node).map(|state| sight.of(space.state(state))).collect();
        let alike =
            (0..space.reachable_len() as u32).filter(|state| seen.contains(&sight.of(space.state(*state))));
        let mut nodes: BTreeSet<usize> = BTreeSet::new();
        let mut values: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        let mut promises: Vec<(BTreeSet<String>, usize)> = Vec::new();
        let mut count = 0;
        for state in alike {
            count += 1;
            nodes.extend(self.parts.node_of[state as usize]);
            let packed = space.state(state);
            for (index, value) in self.scribe.values(packed).into_iter().enumerate() {
                let known = values.entry(index).or_default();
                if known.len() < MOST_VALUES {
                    known.insert(value.value);
                }
            }
            let in_force = self.scribe.promises(packed).in_force.into_iter().map(|one| one.name).collect();
            match promises.iter_mut().find(|(known, _)| *known == in_force) {
                Some((_, times)) => *times += 1,
                None => promises.push((in_force, 1)),
            }
        }
        let shown: Vec<Value> =
            self.states_of(node).next().map_or_else(Vec::new, |state| self.scribe.values(space.state(state)));
        let is_seen = |value: &Value| value.seen_by.iter().any(|seer| seer == role);
        let joined = |index: usize| values[&index].iter().cloned().collect::<Vec<_>>().join(", ");
        let sees = shown.iter().enumerate().filter(|(_, value)| is_seen(value));
        let sees = sees.map(|(index, value)| Seen { name: value.name.clone(), value: joined(index) });
        let differs =
            shown.iter().enumerate().filter(|(index, value)| !is_seen(value) && values[index].len() > 1);
        let differs = differs.map(|(index, value)| Differs {
            name: value.name.clone(),
            values: values[&index].iter().cloned().collect(),
        });
        self.desk.page.tell(Event::Alike {
            alike: Alike {
                state: node,
                role: role.to_owned(),
                states: nodes.into_iter().collect(),
                sees: sees.collect(),
                differs: differs.chain(promised(&promises, count)).collect(),
            },
        });
    }

    /// The nodes with states where a formula holds.
    pub(super) fn find(&mut self, text: &str) {
        let placed = |errors| Finding::all_placed(errors, &Arc::new(SourceFile::new(FORMULA, text)));
        let formula = match self.loaded.formula(text) {
            Ok(formula) => formula,
            Err(errors) => return self.desk.refuse_for("the formula has no meaning here", &placed(errors)),
        };
        let Some(explored) = self.survey.explored_mut() else {
            return self.desk.refuse("there are too many states to decide a formula in each of them");
        };
        match explored.value_by_state(&formula, self.desk.watch.budget) {
            Ok(values) => {
                let holding: Vec<usize> = values
                    .iter()
                    .enumerate()
                    .filter(|(_, value)| **value == Some(true))
                    .map(|(at, _)| at)
                    .collect();
                let nodes: BTreeSet<usize> = holding
                    .iter()
                    .filter_map(|state| self.parts.node_of.get(*state).copied().flatten())
                    .collect();
                let (states, count) = (nodes.into_iter().collect(), holding.len().to_string());
                self.desk.page.tell(Event::Satisfying { states, count });
            }
            Err(Halt::Invalid(errors)) => {
                self.desk.refuse_for("the formula has no meaning here", &placed(errors));
            }
            Err(halt) => self.desk.refuse(halt.to_string()),
        }
    }

    /// A shortest run to a state that a node stands for.
    pub(super) fn way(&self, node: usize) {
        if !self.has_node(node) {
            return;
        }
        let space = self.space();
        let ways = space.ways();
        let Some(mut here) = ways.nearest(self.states_of(node)) else { return };
        let mut distance = ways.distance(here);
        let mut run = vec![here];
        while distance > 0 {
            distance -= 1;
            let leads = |state: &&u32| space.steps(**state).iter().any(|step| step.target == here);
            let before = ways.order().iter().find(|state| leads(state) && ways.distance(**state) == distance);
            // Each state but an initial one has one before it.
            let Some(before) = before else { return };
            here = *before;
            run.push(here);
        }
        run.reverse();
        let states: Option<Vec<usize>> =
            run.iter().map(|state| self.parts.node_of[*state as usize]).collect();
        let Some(states) = states else {
            return self.desk.refuse("the way there leads through nodes that are not shown");
        };
        let edge = |pair: &[usize]| self.parts.edge_of.get(&(pair[0], pair[1])).copied();
        let edges = states.windows(2).filter_map(edge).collect();
        self.desk.page.tell(Event::Path { states, edges });
    }
}

/// The commitments that are in force in some of so many states and not in others.
fn promised(sets: &[(BTreeSet<String>, usize)], count: usize) -> Vec<Differs> {
    let names: BTreeSet<&String> = sets.iter().flat_map(|(set, _)| set).collect();
    let times = |name: &String| {
        sets.iter().filter(|(set, _)| set.contains(name)).map(|(_, times)| times).sum::<usize>()
    };
    let differing = names.into_iter().filter(|name| times(name) < count);
    let values = || vec!["in force".to_owned(), "not in force".to_owned()];
    differing.map(|name| Differs { name: name.clone(), values: values() }).collect()
}
