//! `E ψ` by a declarative tableau.
//!
//! A position of a path is an edge of the graph (so the state, its successor and the label are known) together with a
//! guess: one bit for every `X` and `U` of ψ, saying whether it is claimed of the next position, and one bit for every `Y`
//! and `S`, saying whether it held at the previous one. With the guess every subformula has a value at the position. Two
//! positions fit together when the next one makes true exactly what the first one claims of it, and remembers exactly what
//! was true before. A path of fitting positions on which no until is put off for ever is a path of the model with the
//! true values of all subformulas written along it, and every path can be so written in exactly one way. So `E ψ`
//! holds where some position has ψ true and lies on such a path.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Progress};
use servanda_graph::{Demanding, try_for_each_component};
use servanda_lower::{Action, Arena, Path, PathFormula, StateFormula};

use crate::Halt;
use crate::fairness::Fair;
use crate::graph::Graph;
use servanda_space::Space;

/// The most positions a product may have.
const MOST_POSITIONS: usize = 1 << 26;
/// How many positions are visited between two reports of progress.
const REPORT_EVERY: usize = 1 << 14;

/// Where each state formula holds, node by node.
pub(crate) type Truth = FxHashMap<StateFormula, Vec<bool>>;

/// How the value of one subformula follows from values known before it.
enum Rule {
    /// A state formula: its value at the source of the edge.
    Here(StateFormula),
    /// `X` of a state formula: its value at the target.
    There(StateFormula),
    /// The edge has one of these labels.
    Label(Vec<bool>),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    /// A guessed bit.
    Bit(usize),
    /// `right | (left & bit)`: an until or a since, with the bit that refers to the neighbour.
    Unfolded(usize, usize, usize),
}

/// The subformulas of ψ, operands first, and the guessed bits.
#[derive(Default)]
struct Closure {
    rules: Vec<Rule>,
    known: FxHashMap<PathFormula, usize>,
    /// Bit `k` claims this subformula of the next position.
    claimed_next: Vec<usize>,
    /// Bit `k` (counted after the others) says that this subformula held at the previous position.
    held_before: Vec<usize>,
    /// Untils, with their right sides.
    untils: Vec<(usize, usize)>,
}

impl Closure {
    fn add(&mut self, arena: &Arena, id: PathFormula, space: &Space<'_>) -> usize {
        if let Some(&slot) = self.known.get(&id) {
            return slot;
        }
        let rule = match *arena.path(id) {
            Path::State(state) => Rule::Here(state),
            Path::Action(Action::Does(set)) => {
                let mut matches = vec![false; space.labels()];
                for label in arena.labels(set) {
                    matches[label.index()] = true;
                }
                Rule::Label(matches)
            }
            Path::Action(Action::Acts { agent, action }) => {
                let matches = |label| space.action(label, agent) == Some(action);
                Rule::Label((0..space.labels() as u32).map(matches).collect())
            }
            Path::Not(a) => Rule::Not(self.add(arena, a, space)),
            Path::And(a, b) => Rule::And(self.add(arena, a, space), self.add(arena, b, space)),
            Path::Or(a, b) => Rule::Or(self.add(arena, a, space), self.add(arena, b, space)),
            Path::Next(a) => match arena.as_state(a) {
                Some(state) => Rule::There(state),
                None => {
                    let operand = self.add(arena, a, space);
                    self.claimed_next.push(operand);
                    Rule::Bit(self.claimed_next.len() - 1)
                }
            },
            Path::Until(a, b) => {
                let (left, right) = (self.add(arena, a, space), self.add(arena, b, space));
                self.claimed_next.push(self.rules.len());
                self.untils.push((self.rules.len(), right));
                Rule::Unfolded(left, right, self.claimed_next.len() - 1)
            }
            // The bits of the past are numbered apart and moved behind the others once all are known.
            Path::Previous(a) => {
                let operand = self.add(arena, a, space);
                self.held_before.push(operand);
                Rule::Bit(PAST + self.held_before.len() - 1)
            }
            Path::Since(a, b) => {
                let (left, right) = (self.add(arena, a, space), self.add(arena, b, space));
                self.held_before.push(self.rules.len());
                Rule::Unfolded(left, right, PAST + self.held_before.len() - 1)
            }
        };
        self.rules.push(rule);
        self.known.insert(id, self.rules.len() - 1);
        self.rules.len() - 1
    }

    fn number_past_bits(&mut self) {
        let future = self.claimed_next.len();
        for rule in &mut self.rules {
            if let Rule::Bit(bit) | Rule::Unfolded(_, _, bit) = rule
                && *bit >= PAST
            {
                *bit = *bit - PAST + future;
            }
        }
    }
}

const PAST: usize = 1 << 32;

/// The positions of all paths of a graph, for one path formula.
pub(crate) struct Tableau {
    bits: usize,
    future_bits: usize,
    /// Does ψ hold at this position?
    holds: Vec<bool>,
    /// What a position demands of the next: its claims, and what must be remembered.
    demand: Vec<u32>,
    /// The guesses of each edge in the order of what they offer, and where each offer starts.
    by_offer: Vec<u32>,
    offer_starts: Vec<u32>,
    /// Which untils are not put off here, and which fairness constraints are met here.
    kept: Vec<u64>,
    all_kept: u64,
    /// By node, which of the fairness constraints that do not demand something everywhere demand something; `None` where all do.
    demands: Option<Vec<u64>>,
    /// Does some infinite path of fitting positions that keeps everything start here?
    pub(crate) live: Vec<bool>,
}

impl Tableau {
    /// Builds and solves the tableau of the path formula `psi`. `truth` knows every state formula in it.
    pub(crate) fn new(
        graph: &Graph,
        arena: &Arena,
        psi: PathFormula,
        truth: &Truth,
        fair: &[Fair],
        space: &Space<'_>,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let mut closure = Closure::default();
        let goal = closure.add(arena, psi, space);
        closure.number_past_bits();
        let future_bits = closure.claimed_next.len();
        let bits = future_bits + closure.held_before.len();
        let constraints = closure.untils.len() + fair.len();
        let edges = graph.target.len();
        if bits > 20 || constraints > 64 || (edges << bits) > MOST_POSITIONS {
            return Err(Halt::TooLarge(format!(
                "a path formula with {bits} temporal operators over {edges} transitions needs more than {MOST_POSITIONS} positions of the reference engine's tableau"
            )));
        }
        let guesses = 1usize << bits;
        let positions = edges << bits;
        let mut tableau = Tableau {
            bits,
            future_bits,
            holds: vec![false; positions],
            demand: vec![0; positions],
            by_offer: vec![0; positions],
            offer_starts: vec![0; edges * (guesses + 1)],
            kept: vec![0; positions],
            all_kept: if constraints == 64 { u64::MAX } else { (1 << constraints) - 1 },
            demands: None,
            live: Vec::new(),
        };
        let mut values = vec![false; closure.rules.len()];
        let mut offers = vec![0u32; guesses];
        for edge in 0..edges {
            if edge.is_multiple_of(REPORT_EVERY >> bits.min(10)) {
                Progress::nodes(edge << bits, 1, budget)?;
            }
            let fair_here = fair.iter().enumerate().filter(|(_, fair)| fair.is_met(graph, edge));
            let fair_mask = fair_here.fold(0u64, |mask, (k, _)| mask | 1 << (closure.untils.len() + k));
            for (guess, offer) in offers.iter_mut().enumerate() {
                closure.evaluate(graph, edge, guess, truth, &mut values);
                let position = edge << bits | guess;
                let past_part = guess >> future_bits << future_bits;
                let claims = closure.claimed_next.iter().enumerate();
                *offer =
                    claims.fold(past_part, |key, (k, slot)| key | usize::from(values[*slot]) << k) as u32;
                let memory = closure.held_before.iter().enumerate();
                let future_part = guess & ((1 << future_bits) - 1);
                tableau.demand[position] = memory
                    .fold(future_part, |key, (k, slot)| key | usize::from(values[*slot]) << (future_bits + k))
                    as u32;
                tableau.holds[position] = values[goal];
                let kept = closure
                    .untils
                    .iter()
                    .enumerate()
                    .filter(|(_, (until, right))| !values[*until] || values[*right]);
                tableau.kept[position] = kept.fold(fair_mask, |mask, (k, _)| mask | 1 << k);
            }
            tableau.sort_by_offer(edge, &offers);
        }
        tableau.note_demands(graph, fair, closure.untils.len());
        tableau.find_live(graph, budget)?;
        Ok(tableau)
    }

    /// Notes where the constraints with these bits demand something that not all nodes do.
    fn note_demands(&mut self, graph: &Graph, fair: &[Fair], first_bit: usize) {
        for (k, demands) in fair.iter().enumerate().filter_map(|(k, fair)| Some((k, fair.demands.as_ref()?)))
        {
            let bit = 1 << (first_bit + k);
            self.all_kept &= !bit;
            let all = self.demands.get_or_insert_with(|| vec![0; graph.nodes()]);
            all.iter_mut().zip(demands).filter(|(_, here)| **here).for_each(|(all, _)| *all |= bit);
        }
    }

    /// A counting sort of an edge's guesses by what they offer.
    fn sort_by_offer(&mut self, edge: usize, offers: &[u32]) {
        let guesses = offers.len();
        let starts = &mut self.offer_starts[edge * (guesses + 1)..][..guesses + 1];
        for offer in offers {
            starts[*offer as usize + 1] += 1;
        }
        for key in 0..guesses {
            starts[key + 1] += starts[key];
        }
        let mut next = starts[..guesses].to_vec();
        for (guess, offer) in offers.iter().enumerate() {
            let at = &mut next[*offer as usize];
            self.by_offer[(edge << self.bits) + *at as usize] = guess as u32;
            *at += 1;
        }
    }

    /// The positions on `edge` that fit after `position`.
    fn fitting(&self, position: usize, edge: usize) -> &[u32] {
        let starts = &self.offer_starts[edge * ((1 << self.bits) + 1)..];
        let key = self.demand[position] as usize;
        &self.by_offer[(edge << self.bits)..][starts[key] as usize..starts[key + 1] as usize]
    }

    /// Calls `visit` with every position that fits after `position` until it answers `true`; says whether it did.
    fn any_successor(&self, graph: &Graph, position: usize, mut visit: impl FnMut(usize) -> bool) -> bool {
        let node = graph.target[position >> self.bits];
        graph.edges(node).any(|edge| {
            self.fitting(position, edge).iter().any(|guess| visit(edge << self.bits | *guess as usize))
        })
    }

    /// A component is live when it can go round for ever keeping everything, or can go on to a live one. Components come out
    /// successors first, so the latter is known in time.
    fn find_live(&mut self, graph: &Graph, budget: &dyn Budget) -> Result<(), Halt> {
        let positions = self.holds.len();
        let mut live = vec![false; positions];
        let edges = |position: usize| graph.edges(graph.target[position >> self.bits]);
        // The edge being tried, and how many of its fitting positions were tried.
        let begin = |position: usize| (edges(position).start, 0);
        let next = |position: usize, (edge, tried): &mut (usize, usize)| {
            while *edge < edges(position).end {
                if let Some(guess) = self.fitting(position, *edge).get(*tried) {
                    *tried += 1;
                    return Some(*edge << self.bits | *guess as usize);
                }
                (*edge, *tried) = (*edge + 1, 0);
            }
            None
        };
        let mut seen = 0;
        let go_on = || {
            seen += 1;
            Progress::nodes(seen - 1, REPORT_EVERY, budget)
        };
        let mut halted = None;
        let visit = |component: &[usize]| match self.is_live(graph, component, &live, budget) {
            Ok(true) => component.iter().for_each(|member| live[*member] = true),
            Ok(false) => {}
            Err(halt) => halted = Some(halt),
        };
        try_for_each_component(positions, begin, next, go_on, visit)?;
        if let Some(halt) = halted {
            return Err(halt);
        }
        self.live = live;
        Ok(())
    }

    fn is_live(
        &self,
        graph: &Graph,
        component: &[usize],
        live: &[bool],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        if component.iter().any(|position| self.any_successor(graph, *position, |next| live[next])) {
            return Ok(true);
        }
        let kept = component.iter().fold(0, |mask, position| mask | self.kept[*position]);
        let goes_round = match component {
            [only] => self.any_successor(graph, *only, |next| next == *only),
            _ => true,
        };
        if !goes_round || self.all_kept & !kept != 0 {
            return Ok(false);
        }
        match &self.demands {
            None => Ok(true),
            Some(demands) => self.goes_round_fairly(graph, component, demands, budget),
        }
    }

    /// Can a path go round in a component for ever so that it keeps what is demanded where it passes? What cannot be kept must be passed
    /// by, which may leave less of the component.
    fn goes_round_fairly(
        &self,
        graph: &Graph,
        component: &[usize],
        demands: &[u64],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let numbers: FxHashMap<usize, usize> =
            component.iter().enumerate().map(|(number, position)| (*position, number)).collect();
        let mut inside = Demanding::default();
        for &position in component {
            Progress::nodes(inside.steps.len(), REPORT_EVERY, budget)?;
            let mut steps = Vec::new();
            self.any_successor(graph, position, |next| {
                steps.extend(numbers.get(&next).map(|number| (*number, self.kept[position])));
                false
            });
            inside.steps.push(steps);
            inside.demands.push(self.all_kept | demands[graph.source[position >> self.bits]]);
        }
        let mut seen = 0;
        inside.has_fair_part(|| {
            seen += 1;
            Progress::nodes(seen - 1, REPORT_EVERY, budget)
        })
    }

    /// The positions on an edge.
    fn on_edge(&self, edge: usize) -> std::ops::Range<usize> {
        edge << self.bits..(edge + 1) << self.bits
    }

    /// Where `E ψ` holds when ψ has no past.
    pub(crate) fn exists(&self, graph: &Graph) -> Vec<bool> {
        let good = |position: usize| self.live[position] && self.holds[position];
        (0..graph.nodes()).map(|node| graph.edges(node).any(|edge| self.on_edge(edge).any(good))).collect()
    }

    /// The live positions at the beginning of a run that is at `node`: nothing happened before.
    pub(crate) fn at_start(&self, graph: &Graph, node: usize) -> Vec<u32> {
        let nothing_before = |position: &usize| (position & ((1 << self.bits) - 1)) >> self.future_bits == 0;
        let positions = graph.edges(node).flat_map(|edge| self.on_edge(edge));
        positions.filter(|p| self.live[*p]).filter(nothing_before).map(|position| position as u32).collect()
    }

    /// The live positions possible after `edge` was taken, given the positions possible before.
    pub(crate) fn after(&self, graph: &Graph, before: &[u32], edge: usize) -> Vec<u32> {
        let mut result = Vec::new();
        for &position in before {
            if position as usize >> self.bits == edge {
                self.any_successor(graph, position as usize, |next| {
                    if self.live[next] {
                        result.push(next as u32);
                    }
                    false
                });
            }
        }
        result.sort_unstable();
        result.dedup();
        result
    }

    /// Does ψ hold at some of these positions?
    pub(crate) fn holds_at_some(&self, positions: &[u32]) -> bool {
        positions.iter().any(|position| self.holds[*position as usize])
    }
}

impl Closure {
    fn evaluate(&self, graph: &Graph, edge: usize, guess: usize, truth: &Truth, values: &mut [bool]) {
        let bit = |k: usize| guess >> k & 1 == 1;
        for (slot, rule) in self.rules.iter().enumerate() {
            values[slot] = match rule {
                Rule::Here(id) => truth[id][graph.source[edge]],
                Rule::There(id) => truth[id][graph.target[edge]],
                Rule::Label(matches) => matches.get(graph.label[edge] as usize).copied().unwrap_or(false),
                Rule::Not(a) => !values[*a],
                Rule::And(a, b) => values[*a] && values[*b],
                Rule::Or(a, b) => values[*a] || values[*b],
                Rule::Bit(k) => bit(*k),
                Rule::Unfolded(left, right, k) => values[*right] || (values[*left] && bit(*k)),
            };
        }
    }
}
