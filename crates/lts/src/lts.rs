//! The transition system itself.

use crate::{Action, Labels};

/// The number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub u32);

impl State {
    /// The position in a table by states.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The state at a position.
    ///
    /// # Panics
    /// When there are more than 2^32 states.
    pub fn from_index(position: usize) -> Self {
        State(u32::try_from(position).expect("fewer than 2^32 states"))
    }
}

/// A transition, seen from the state it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Its label.
    pub action: Action,
    /// Where it leads.
    pub target: State,
}

/// Things by state.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    /// Those of state `s` are `first[s]..first[s + 1]`.
    first: Vec<usize>,
    things: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// Each thing at its state; those of one state stay in their order.
    pub fn new(states: usize, things: impl Iterator<Item = (State, T)> + Clone) -> Self {
        let mut first = vec![0; states + 1];
        for (state, _) in things.clone() {
            first[state.index() + 1] += 1;
        }
        for state in 0..states {
            first[state + 1] += first[state];
        }
        let mut place = first.clone();
        let mut sorted: Vec<T> = things.clone().map(|(_, thing)| thing).collect();
        for (state, thing) in things {
            sorted[place[state.index()]] = thing;
            place[state.index()] += 1;
        }
        Rows { first, things: sorted }
    }

    /// The things of a state.
    pub fn of(&self, state: State) -> &[T] {
        &self.things[self.first[state.index()]..self.first[state.index() + 1]]
    }
}

/// A labelled transition system with one initial state. The transitions of a state are sorted and without duplicates.
#[derive(Clone, Debug)]
pub struct Lts {
    initial: State,
    rows: Rows<Edge>,
    labels: Labels,
}

impl Lts {
    /// The system with these transitions.
    ///
    /// # Panics
    /// When a state or label is out of range.
    pub fn new(
        states: usize,
        initial: State,
        transitions: Vec<(State, Action, State)>,
        labels: Labels,
    ) -> Self {
        let edges = transitions.iter().map(|&(source, action, target)| (source, Edge { action, target }));
        Lts::tidied(initial, Rows::new(states, edges), labels)
    }

    /// The system whose states have these edges, state by state.
    ///
    /// # Panics
    /// When a state or label is out of range.
    pub fn from_rows(
        initial: State,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = Edge>>,
        labels: Labels,
    ) -> Self {
        let (mut first, mut things) = (vec![0], Vec::new());
        for row in rows {
            things.extend(row);
            first.push(things.len());
        }
        Lts::tidied(initial, Rows { first, things }, labels)
    }

    /// Sorts the edges of every state and drops duplicates.
    fn tidied(initial: State, rows: Rows<Edge>, labels: Labels) -> Self {
        let Rows { mut first, things: mut edges } = rows;
        let states = first.len() - 1;
        assert!(initial.index() < states, "the initial state is one of the states");
        let known =
            |edge: &Edge| edge.target.index() < states && (edge.action.0 as usize) < labels.names.len();
        assert!(edges.iter().all(known), "known states and labels");
        let mut kept = 0;
        let mut start = 0;
        for state in 0..states {
            let end = first[state + 1];
            edges[start..end].sort_unstable();
            let row = kept;
            for at in start..end {
                let edge = edges[at];
                if kept == row || edges[kept - 1] != edge {
                    edges[kept] = edge;
                    kept += 1;
                }
            }
            start = end;
            first[state + 1] = kept;
        }
        edges.truncate(kept);
        Lts { initial, rows: Rows { first, things: edges }, labels }
    }

    /// Where it begins.
    pub fn initial(&self) -> State {
        self.initial
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.rows.first.len() - 1
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.rows.things.len()
    }

    /// The transitions that leave a state, sorted by label and then by target.
    pub fn edges(&self, state: State) -> &[Edge] {
        self.rows.of(state)
    }

    /// The states that a transition with this label leads to.
    pub fn successors(&self, state: State, action: Action) -> impl Iterator<Item = State> {
        let row = self.edges(state);
        let from = row.partition_point(|edge| edge.action < action);
        row[from..].iter().take_while(move |edge| edge.action == action).map(|edge| edge.target)
    }

    /// The labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// All states.
    pub fn all_states(&self) -> impl DoubleEndedIterator<Item = State> + Clone + use<> {
        (0..self.states()).map(State::from_index)
    }

    /// The system with other labels. What is called as the internal label becomes internal.
    pub fn relabelled<'a>(&'a self, name: impl Fn(&'a str) -> &'a str) -> Lts {
        let mut labels = Labels::new();
        let renamed = self.labels.all().map(|action| name(self.labels.name(action)));
        let actions: Vec<Action> = renamed.map(|name| labels.number(name)).collect();
        let moved = |edge: &Edge| Edge { action: actions[edge.action.0 as usize], target: edge.target };
        let rows = self.all_states().map(|state| self.edges(state).iter().map(moved));
        Lts::from_rows(self.initial, rows, labels)
    }

    /// Does some transition carry the internal label?
    pub fn has_internal_steps(&self) -> bool {
        // Rows are sorted, and the internal label is the smallest.
        self.all_states().any(|state| self.edges(state).first().is_some_and(|edge| edge.action.is_internal()))
    }

    /// The part that can be reached, its states numbered in the order of a breadth-first search by the names of labels.
    pub fn reachable(&self) -> Lts {
        const UNSEEN: u32 = u32::MAX;
        let mut number = vec![UNSEEN; self.states()];
        let mut order = vec![self.initial];
        number[self.initial.index()] = 0;
        let ranks = self.labels.ranks();
        let mut row: Vec<Edge> = Vec::new();
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            row.clear();
            row.extend(self.edges(state));
            row.sort_unstable_by_key(|edge| (ranks[edge.action.0 as usize], edge.target));
            for edge in &row {
                if number[edge.target.index()] == UNSEEN {
                    number[edge.target.index()] = State::from_index(order.len()).0;
                    order.push(edge.target);
                }
            }
        }
        let renumbered =
            |edge: &Edge| Edge { action: edge.action, target: State(number[edge.target.index()]) };
        let rows = order.iter().map(|state| self.edges(*state).iter().map(renumbered));
        Lts::from_rows(State(0), rows, self.labels.clone())
    }
}
