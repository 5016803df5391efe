//! The product graph: Definition 4 of the ACTL* paper, Definition 5 of the CTL*CA paper.

use std::collections::HashMap;

use servanda_engine::{Budget, Halt, Progress};
use servanda_model::{Label, LabelId};

use super::{Node, Place, Sign, System};
use crate::automaton::{Abta, State, StateId, StateKind};
use crate::decompose::{Decomposition, Rule, decompose_act};
use crate::options::Logic;

/// How many nodes are made between two questions to the budget.
const ASK_EVERY: usize = 1024;

/// A product that has not been searched.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<u32>,
    pub(super) inside: Vec<(LabelId, Decomposition)>,
    /// Where the rows hold, as far as that could be decided.
    truth: Vec<Option<Vec<Option<bool>>>>,
}

type Key = (StateId, Place, Sign);

struct Builder<'a> {
    abta: &'a Abta,
    logic: Logic,
    system: &'a dyn System,
    graph: Graph,
    numbers: HashMap<Key, u32>,
    /// By state where its steps come from; made for `X-`.
    before: Option<Vec<Vec<u32>>>,
}

/// All nodes that can be reached.
pub(super) fn build(
    abta: &Abta,
    logic: Logic,
    system: &mut dyn System,
    most: usize,
    budget: &dyn Budget,
) -> Result<Graph, Halt> {
    let mut truth = Vec::new();
    for state in &abta.states {
        truth.push(match system.holds(&state.meaning(), budget) {
            Ok(holds) => Some(holds),
            // What is challenged, for example, is nothing that an engine could decide.
            Err(Halt::Invalid(_) | Halt::TooLarge(_) | Halt::NotOffered) => None,
            Err(halt) => return Err(halt),
        });
    }
    let graph = Graph { nodes: Vec::new(), roots: Vec::new(), inside: Vec::new(), truth };
    let mut builder = Builder { abta, logic, system, graph, numbers: HashMap::new(), before: None };
    for state in system.initial() {
        let root = builder.number((StateId::from_index(0), Place::of(state), Sign::Positive));
        builder.graph.roots.push(root);
    }
    let mut next = 0;
    while next < builder.graph.nodes.len() {
        if next.is_multiple_of(ASK_EVERY) {
            Progress::Deciding { nodes: next as u64 }.tell(budget)?;
        }
        if builder.graph.nodes.len() > most {
            return Err(Halt::TooLarge(format!(
                "the product has more than {most} nodes; --nodes N allows for more"
            )));
        }
        let Node { row, place, sign, .. } = builder.graph.nodes[next];
        let (clause, successors) = builder.successors(row, place, sign);
        let mut numbers: Vec<u32> = Vec::with_capacity(successors.len());
        for key in successors {
            let number = builder.number(key);
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        let node = &mut builder.graph.nodes[next];
        (node.clause, node.successors) = (clause, numbers);
        next += 1;
    }
    Ok(builder.graph)
}

impl Graph {
    /// The formulas of the place inside of a state.
    pub(super) fn formulas(&self, place: Place) -> Option<&[servanda_logic::Formula]> {
        place.inside.map(|(act, inner)| self.inside[act].1.states[inner].as_slice())
    }

    /// Does what the row says hold in a state?
    pub(super) fn holds(&self, row: StateId, state: u32) -> Option<bool> {
        self.truth[row.index()].as_ref()?[state as usize]
    }
}

impl Builder<'_> {
    fn number(&mut self, key: Key) -> u32 {
        let next = self.graph.nodes.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let (row, place, sign) = key;
            let sound = match sign {
                Sign::Positive => self.graph.holds(row, place.state),
                Sign::Negative => self.graph.holds(row, place.state).map(|holds| !holds),
                Sign::Neutral => None,
            };
            self.graph.nodes.push(Node { row, place, sign, clause: "", successors: Vec::new(), sound });
        }
        number
    }

    /// The clause that fits a node, in the numbers of the paper, and what it leads to.
    fn successors(&mut self, row: StateId, place: Place, sign: Sign) -> (&'static str, Vec<Key>) {
        let abta = self.abta;
        let state = abta.state(row);
        let rows = &state.successors;
        // By paper, for a positive and for a negative node.
        let clause = |actl: [&'static str; 2], ctlca: [&'static str; 2]| {
            let at = usize::from(sign == Sign::Negative);
            match self.logic {
                Logic::Actl => actl[at],
                Logic::CtlCa => ctlca[at],
                Logic::Scctl => "",
            }
        };
        let all = |sign: Sign| rows.iter().map(|row| (*row, place, sign)).collect();
        match (&state.kind, place.inside) {
            (StateKind::Not, _) => {
                let other = match sign {
                    Sign::Positive => Sign::Negative,
                    Sign::Negative => Sign::Positive,
                    Sign::Neutral => Sign::Neutral,
                };
                (clause(["2.a", "2.a"], ["2", "2"]), all(other))
            }
            (StateKind::True | StateKind::False | StateKind::Literal { .. }, _) => {
                (clause(["2.b", "3.a"], ["3", "11"]), Vec::new())
            }
            (_, Some((act, inner))) => self.inner(state, place, sign, (act, inner)),
            (StateKind::And, None) => (clause(["2.c", "3.c"], ["4", "13"]), all(sign)),
            (StateKind::Equivalent, None) => (clause(["2.c", "3.b"], ["4", "12"]), all(sign)),
            (StateKind::Or, None) => (clause(["2.d", "3.b"], ["5", "12"]), all(sign)),
            (StateKind::Next, None) => {
                let clause = clause(["2.e", "3.d"], ["6", "14"]);
                let mut found = Vec::new();
                self.system
                    .for_each_step(place.state, &mut |_, to| found.push((rows[0], Place::of(to), sign)));
                (clause, found)
            }
            (StateKind::Previous, None) => {
                let clause = clause(["", ""], ["7", "15"]);
                let before = self.predecessors(place.state);
                (clause, before.into_iter().map(|from| (rows[0], Place::of(from), sign)).collect())
            }
            (StateKind::Action { .. }, None) => self.acted(state, place.state, sign),
            // No clause refers to a commitment, or to `?`, outside of the act that made it.
            _ => ("", Vec::new()),
        }
    }

    fn predecessors(&mut self, state: u32) -> Vec<u32> {
        let system = self.system;
        let before = self.before.get_or_insert_with(|| {
            let mut before = vec![Vec::new(); system.states() as usize];
            for from in 0..system.states() {
                system.for_each_step(from, &mut |_, to| before[to as usize].push(from));
            }
            before
        });
        before[state as usize].clone()
    }

    /// The steps for `<Act>` and `<¬Act>`. A label is the name of an act: the papers do not compare commitments here.
    fn acted(&mut self, state: &State, from: u32, sign: Sign) -> (&'static str, Vec<Key>) {
        let StateKind::Action { kind, negated, .. } = state.kind else { return ("", Vec::new()) };
        let mut steps = Vec::new();
        self.system.for_each_step(from, &mut |label, to| steps.push((label, to)));
        let (row, logic, negative) = (state.successors[0], self.logic, sign == Sign::Negative);
        let mut found = Vec::new();
        let mut neutral = false;
        for (label, to) in steps {
            let same = label
                .filter(|id| matches!(self.system.model().label(*id), Label::Act(act) if act.kind == kind));
            match (same, negated, logic) {
                (Some(_), false, Logic::Scctl) | (None, true, _) => found.push((row, Place::of(to), sign)),
                (Some(label), false, _) => found.push((row, self.entered(label, to), sign)),
                (Some(label), true, Logic::CtlCa) => {
                    neutral = true;
                    found.push((row, self.entered(label, to), Sign::Neutral));
                }
                (Some(_), true, _) | (None, false, _) => {}
            }
        }
        let clause = match (logic, negated, negative) {
            (Logic::Scctl, ..) => "",
            (Logic::Actl, false, false) => "2.f",
            (Logic::Actl, false, true) => "3.e",
            (Logic::Actl, true, false) => "2.g",
            (Logic::Actl, true, true) => "3.f",
            (Logic::CtlCa, false, false) => "8",
            (Logic::CtlCa, false, true) => "16",
            (Logic::CtlCa, true, false) => {
                if neutral {
                    "9"
                } else {
                    "10"
                }
            }
            (Logic::CtlCa, true, true) => {
                if neutral {
                    "17"
                } else {
                    "18"
                }
            }
        };
        (clause, found)
    }

    /// The first state inside of a state that an act leads to.
    fn entered(&mut self, label: LabelId, state: u32) -> Place {
        let inside = &mut self.graph.inside;
        let at = inside.iter().position(|(known, _)| *known == label).unwrap_or_else(|| {
            let model = self.system.model();
            let made = match model.label(label) {
                Label::Act(act) => decompose_act(model, act),
                _ => Decomposition { states: vec![Vec::new()], edges: Vec::new() },
            };
            inside.push((label, made));
            inside.len() - 1
        });
        Place { state, inside: Some((at, 0)) }
    }

    /// The clauses about states inside of states. A step there has the label of the row, `<≡>` included.
    fn inner(
        &self,
        state: &State,
        place: Place,
        sign: Sign,
        (act, inner): (usize, usize),
    ) -> (&'static str, Vec<Key>) {
        let made = &self.graph.inside[act].1;
        let fits = |rule: &Rule| match (&state.kind, rule) {
            (StateKind::Commitment, Rule::Commitment(debtor)) => {
                state.rule.as_ref().is_some_and(|rule| rule.label.ends_with(&format!("C_{debtor}]")))
            }
            (StateKind::And, Rule::And)
            | (StateKind::Or, Rule::Or)
            | (StateKind::Next, Rule::Next)
            | (StateKind::Question, Rule::Question)
            | (StateKind::Equivalent, Rule::Equivalent) => true,
            _ => false,
        };
        let next: Vec<Place> = (made.edges.iter())
            .filter(|edge| edge.from == inner && fits(&edge.rule))
            .map(|edge| Place { inside: Some((act, edge.to)), ..place })
            .collect();
        let of = |actl, ctlca| if self.logic == Logic::Actl { actl } else { ctlca };
        match (&state.kind, state.successors.as_slice()) {
            (StateKind::Equivalent, [first, rest @ ..]) => {
                let apart = (*first, place, Sign::Positive);
                let neutral = sign == Sign::Neutral;
                let (clause, others) = match (next.is_empty(), neutral) {
                    (false, _) => (of("4.a", if neutral { "19" } else { "21" }), next),
                    (true, true) => (of("4.b", "20"), Vec::new()),
                    (true, false) => (of("4.b", "22"), vec![Place::of(place.state)]),
                };
                let others = rest.iter().flat_map(|row| others.iter().map(|place| (*row, *place, sign)));
                (clause, std::iter::once(apart).chain(others).collect())
            }
            (_, [only]) if !next.is_empty() => {
                (of("4.c", "23"), next.into_iter().map(|place| (*only, place, sign)).collect())
            }
            _ => ("", Vec::new()),
        }
    }
}
