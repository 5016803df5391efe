//! The simulation preorder, by refuting pairs.
//!
//! `t` simulates `s` if for every step of `s` it has one with the same label, again to a state that simulates. Starting
//! from all pairs that matter, those are refuted where `s` has a step that `t` cannot answer any more, in the order of
//! how many steps it takes to show it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lts::{Lts, State};

use crate::distinguish::pruned;
use crate::formula::{Builder, FormulaId, Node};
use crate::watch::Watch;

/// A state to be simulated and one that may simulate it.
type Pair = (State, State);

/// Why a pair is refuted: the number of the step of the first state that the second cannot answer.
type Reason = u32;

const NOT_REFUTED: Reason = u32::MAX;

/// How many pairs are looked at first.
const FEW: usize = 1 << 12;

/// The pairs that can be met from some pairs, and which of them are refuted.
pub(crate) struct Simulation<'l> {
    lts: &'l Lts,
    numbers: FxHashMap<Pair, u32>,
    pairs: Vec<Pair>,
    reasons: Vec<Reason>,
    /// Were all pairs looked at? If not, what is refuted is so all the same, but the others may not hold.
    complete: bool,
}

impl<'l> Simulation<'l> {
    /// Decides these pairs and all that they depend on.
    pub(crate) fn new(lts: &'l Lts, roots: &[Pair], watch: &mut Watch<'_>) -> Result<Self, Halt> {
        Simulation::up_to(usize::MAX, lts, roots, watch)
    }

    /// Decides one pair. Most differences show after a few steps, so a few pairs are tried before many.
    pub(crate) fn of_pair(lts: &'l Lts, pair: Pair, watch: &mut Watch<'_>) -> Result<Self, Halt> {
        let mut most = FEW;
        loop {
            let simulation = Simulation::up_to(most, lts, &[pair], watch)?;
            if simulation.complete || !simulation.holds(pair) {
                return Ok(simulation);
            }
            most = most.saturating_mul(8);
        }
    }

    /// Looks at no more than so many pairs, and takes all others to hold.
    fn up_to(most: usize, lts: &'l Lts, roots: &[Pair], watch: &mut Watch<'_>) -> Result<Self, Halt> {
        let mut simulation = Simulation {
            lts,
            numbers: FxHashMap::default(),
            pairs: Vec::new(),
            reasons: Vec::new(),
            complete: true,
        };
        roots.iter().for_each(|pair| {
            simulation.number(*pair);
        });
        simulation.run(most, watch)?;
        Ok(simulation)
    }

    fn number(&mut self, pair: Pair) -> u32 {
        let fresh = State::from_index(self.pairs.len()).0;
        let number = *self.numbers.entry(pair).or_insert(fresh);
        if number == fresh {
            self.pairs.push(pair);
        }
        number
    }

    fn run(&mut self, most: usize, watch: &mut Watch<'_>) -> Result<(), Halt> {
        // For each step of each pair the number of answers left, and for each pair the steps that it may answer.
        let mut first: Vec<usize> = vec![0];
        let mut answers: Vec<u32> = Vec::new();
        let mut uses: Vec<(u32, u32, Reason)> = Vec::new();
        let mut refuted: VecDeque<u32> = VecDeque::new();
        let mut at = 0;
        while at < self.pairs.len().min(most) {
            let (one, other) = self.pairs[at];
            let lacks = |action| self.lts.successors(other, action).next().is_none();
            let step_without_answer = self.lts.edges(one).iter().position(|edge| lacks(edge.action));
            // Where the pair is decided, there is no need to look further; every state simulates itself.
            let edges = match step_without_answer {
                None if one != other => self.lts.edges(one),
                _ => &[],
            };
            for (step, edge) in edges.iter().enumerate() {
                let mut count = 0;
                for answer in self.lts.successors(other, edge.action) {
                    let used = self.number((edge.target, answer));
                    uses.push((used, at as u32, step as Reason));
                    count += 1;
                }
                watch.work(count as usize)?;
                answers.push(count);
            }
            first.push(answers.len());
            self.reasons.push(step_without_answer.map_or(NOT_REFUTED, |step| step as Reason));
            if step_without_answer.is_some() {
                refuted.push_back(at as u32);
            }
            at += 1;
        }
        self.complete = at == self.pairs.len();
        self.reasons.resize(self.pairs.len(), NOT_REFUTED);
        uses.sort_unstable();
        watch.work(uses.len())?;
        while let Some(pair) = refuted.pop_front() {
            let from = uses.partition_point(|used| used.0 < pair);
            for &(_, user, step) in uses[from..].iter().take_while(|used| used.0 == pair) {
                watch.work(1)?;
                let left = &mut answers[first[user as usize] + step as usize];
                *left -= 1;
                if *left == 0 && self.reasons[user as usize] == NOT_REFUTED {
                    self.reasons[user as usize] = step;
                    refuted.push_back(user);
                }
            }
        }
        Ok(())
    }

    /// Is the first state simulated by the second? They must be among the pairs that were asked about.
    pub(crate) fn holds(&self, pair: Pair) -> bool {
        self.numbers.get(&pair).is_some_and(|number| self.reasons[*number as usize] == NOT_REFUTED)
    }

    /// A formula without negations that holds in the first state of a refuted pair and not in the second.
    pub(crate) fn tell(
        &self,
        pair: Pair,
        builder: &mut Builder,
        watch: &mut Watch<'_>,
    ) -> Result<Option<FormulaId>, Halt> {
        let mut known: FxHashMap<Pair, FormulaId> = FxHashMap::default();
        let mut tasks = vec![pair];
        while let Some(&(one, other)) = tasks.last() {
            let reason = self.numbers.get(&(one, other)).map_or(NOT_REFUTED, |at| self.reasons[*at as usize]);
            let Some(edge) = self.lts.edges(one).get(reason as usize) else { return Ok(None) };
            let answers: Vec<State> = self.lts.successors(other, edge.action).collect();
            watch.work(answers.len())?;
            let open: Vec<Pair> = answers
                .iter()
                .map(|answer| (edge.target, *answer))
                .filter(|pair| !known.contains_key(pair))
                .collect();
            if open.is_empty() {
                tasks.pop();
                let parts = answers.iter().filter_map(|answer| known.get(&(edge.target, *answer)).copied());
                let parts = pruned(self.lts, parts.collect(), &answers, builder, watch)?;
                let then = builder.all(parts);
                known.insert((one, other), builder.add(Node::Step { action: edge.action, then }));
            } else {
                tasks.extend(open);
            }
        }
        Ok(known.get(&pair).copied())
    }
}
