//! Partition refinement by signatures.
//!
//! The signature of a state is the set of pairs (label, block reached). Round after round, blocks are split into states of
//! equal signature, until nothing changes. Round `k` gives what `k` steps can tell apart, which is why explanations made
//! from the rounds are short.
//!
//! For branching bisimilarity internal steps inside a block are inert: what lies behind them counts as done at once.
//!
//! Two things keep the work near to `m log n`. The largest part of a split block keeps its number, so that a state
//! changes its block at most `log n` times; and only states that see a change get a new signature. All states of a block
//! that see none have the signature they had, which is kept once for the block.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::ops::Range;

use rustc_hash::FxHasher;
use servanda_engine::Halt;
use servanda_lts::{Edge, Lts, Rows, State};

use crate::partition::{Block, Partition};
use crate::watch::Watch;

/// Which steps a signature looks through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inert {
    /// None: strong bisimilarity.
    None,
    /// Internal steps inside a block: branching bisimilarity. They must lead to smaller numbers, see
    /// [`crate::internal`].
    Internal,
}

/// The coarsest partition that the signatures do not split.
pub(crate) fn refine(lts: &Lts, inert: Inert, watch: &mut Watch<'_>) -> Result<Partition, Halt> {
    let mut refiner = Refiner::new(lts, inert);
    let mut dirty: Vec<State> = lts.all_states().collect();
    let mut round = 0;
    while !dirty.is_empty() {
        round += 1;
        watch.ask()?;
        refiner.spread(&mut dirty);
        refiner.sign(&dirty, watch)?;
        dirty = refiner.split(&dirty, round, watch)?;
    }
    Ok(refiner.partition)
}

/// A label and the block reached, in one word.
fn entry(edge: &Edge, block: Block) -> u64 {
    u64::from(edge.action.0) << 32 | u64::from(block.0)
}

/// A state that gets a new signature.
struct Signed {
    state: State,
    block: Block,
    hash: u64,
    signature: Range<usize>,
}

struct Refiner<'l> {
    lts: &'l Lts,
    inert: Inert,
    /// For each state the sources of the transitions that lead to it, and whether these are internal.
    predecessors: Rows<(State, bool)>,
    partition: Partition,
    /// The states, block by block, and where each stands.
    members: Vec<State>,
    place: Vec<usize>,
    /// The members of each block.
    range: Vec<Range<usize>>,
    /// With inert steps: the signature that those states of a block have which see no change.
    usual: Vec<Vec<u64>>,
    /// This round's signatures, and whose they are.
    arena: Vec<u64>,
    signed: Vec<Signed>,
    /// Where the signature of a state is among them.
    slot: Vec<u32>,
    is_dirty: Vec<bool>,
}

const NO_SLOT: u32 = u32::MAX;

impl<'l> Refiner<'l> {
    fn new(lts: &'l Lts, inert: Inert) -> Self {
        let states = lts.states();
        let edges = lts.all_states().flat_map(|state| lts.edges(state).iter().map(move |edge| (state, edge)));
        let sources = edges.map(|(state, edge)| (edge.target, (state, edge.action.is_internal())));
        Refiner {
            lts,
            inert,
            predecessors: Rows::new(states, sources),
            partition: Partition::coarsest(states),
            members: lts.all_states().collect(),
            place: (0..states).collect(),
            range: std::iter::once(0..states).collect(),
            usual: vec![Vec::new()],
            arena: Vec::new(),
            signed: Vec::new(),
            slot: vec![NO_SLOT; states],
            is_dirty: vec![false; states],
        }
    }

    fn is_inert(&self, source: State, edge: &Edge) -> bool {
        self.inert == Inert::Internal
            && edge.action.is_internal()
            && self.partition.block(source) == self.partition.block(edge.target)
    }

    /// Adds the states that see a change through inert steps, and sorts all so that inert steps lead backwards.
    fn spread(&mut self, dirty: &mut Vec<State>) {
        for state in dirty.iter() {
            self.is_dirty[state.index()] = true;
        }
        if self.inert == Inert::Internal {
            let mut next = 0;
            while let Some(&state) = dirty.get(next) {
                next += 1;
                for &(source, internal) in self.predecessors.of(state) {
                    let inert = internal && self.partition.block(source) == self.partition.block(state);
                    if inert && !self.is_dirty[source.index()] {
                        self.is_dirty[source.index()] = true;
                        dirty.push(source);
                    }
                }
            }
            dirty.sort_unstable();
        }
        for state in dirty.iter() {
            self.is_dirty[state.index()] = false;
        }
    }

    /// The signatures of these states.
    fn sign(&mut self, dirty: &[State], watch: &mut Watch<'_>) -> Result<(), Halt> {
        let hasher = BuildHasherDefault::<FxHasher>::default();
        self.arena.clear();
        self.signed.clear();
        let mut signature = Vec::new();
        for (slot, &state) in dirty.iter().enumerate() {
            signature.clear();
            for edge in self.lts.edges(state) {
                let block = self.partition.block(edge.target);
                if !self.is_inert(state, edge) {
                    signature.push(entry(edge, block));
                } else if self.slot[edge.target.index()] == NO_SLOT {
                    signature.extend_from_slice(&self.usual[block.index()]);
                } else {
                    let behind = &self.signed[self.slot[edge.target.index()] as usize];
                    signature.extend_from_slice(&self.arena[behind.signature.clone()]);
                }
            }
            watch.work(signature.len())?;
            signature.sort_unstable();
            signature.dedup();
            let start = self.arena.len();
            self.arena.extend_from_slice(&signature);
            let hash = hasher.hash_one(&signature);
            let block = self.partition.block(state);
            self.signed.push(Signed { state, block, hash, signature: start..self.arena.len() });
            self.slot[state.index()] = slot as u32;
        }
        for state in dirty {
            self.slot[state.index()] = NO_SLOT;
        }
        Ok(())
    }

    /// Splits blocks by the new signatures; the states that see a change by that.
    fn split(&mut self, dirty: &[State], round: u32, watch: &mut Watch<'_>) -> Result<Vec<State>, Halt> {
        let mut signed = std::mem::take(&mut self.signed);
        let arena = std::mem::take(&mut self.arena);
        let content = |one: &Signed| &arena[one.signature.clone()];
        signed.sort_unstable_by(|one, other| {
            let keys = (one.block, one.hash).cmp(&(other.block, other.hash));
            keys.then_with(|| content(one).cmp(content(other))).then(one.state.cmp(&other.state))
        });
        watch.work(dirty.len())?;
        let mut moved: Vec<State> = Vec::new();
        for of_block in signed.chunk_by(|one, other| one.block == other.block) {
            let groups: Vec<(&[u64], Vec<State>)> = of_block
                .chunk_by(|one, other| one.hash == other.hash && content(one) == content(other))
                .map(|group| (content(&group[0]), group.iter().map(|one| one.state).collect()))
                .collect();
            self.split_block(of_block[0].block, groups, round, &mut moved);
        }
        self.signed = signed;
        self.arena = arena;
        Ok(self.seeing(&moved))
    }

    /// Splits one block into these groups and the states that are in none of them.
    fn split_block(
        &mut self,
        block: Block,
        mut groups: Vec<(&[u64], Vec<State>)>,
        round: u32,
        moved: &mut Vec<State>,
    ) {
        let range = self.range[block.index()].clone();
        let named: usize = groups.iter().map(|(_, states)| states.len()).sum();
        let mut rest = range.len() - named;
        if rest > 0 && self.inert == Inert::Internal {
            // What sees a change sees a new number and so is different; but this is cheap to make sure of.
            let usual = &self.usual[block.index()];
            groups.retain(|(signature, states)| {
                let same = *signature == usual.as_slice();
                rest += if same { states.len() } else { 0 };
                !same
            });
        }
        let largest = groups.iter().enumerate().max_by_key(|(_, (_, states))| states.len());
        let (keeper, size) = largest.map_or((None, 0), |(at, (_, states))| (Some(at), states.len()));
        let keeper = keeper.filter(|_| size > rest);

        // The groups go to the front, one after the other, and the others stay behind them.
        let mut start = range.start;
        let mut ranges = Vec::with_capacity(groups.len());
        for (_, states) in &groups {
            let begin = start;
            for &state in states {
                let (from, other) = (self.place[state.index()], self.members[start]);
                self.members.swap(from, start);
                (self.place[state.index()], self.place[other.index()]) = (start, from);
                start += 1;
            }
            ranges.push(begin..start);
        }
        let mut parts: Vec<(Range<usize>, Option<&[u64]>)> = Vec::new();
        for (at, (signature, _)) in groups.iter().enumerate() {
            if Some(at) == keeper {
                self.range[block.index()] = ranges[at].clone();
            } else {
                parts.push((ranges[at].clone(), Some(*signature)));
            }
        }
        match keeper {
            Some(_) if rest > 0 => parts.push((start..range.end, None)),
            Some(_) => {}
            None => self.range[block.index()] = start..range.end,
        }
        for (part, signature) in parts {
            let states = &self.members[part.clone()];
            self.partition.split_off(block, round, states);
            moved.extend_from_slice(states);
            self.range.push(part);
            if self.inert == Inert::Internal {
                let signature = signature.map_or_else(|| self.usual[block.index()].clone(), <[u64]>::to_vec);
                self.usual.push(signature);
            }
        }
        if let (Some(at), Inert::Internal) = (keeper, self.inert) {
            self.usual[block.index()] = groups[at].0.to_vec();
        }
    }

    /// The states whose signature may be another one, since these have moved.
    fn seeing(&mut self, moved: &[State]) -> Vec<State> {
        let mut seeing = Vec::new();
        let mut add = |state: State, is_dirty: &mut [bool]| {
            if !std::mem::replace(&mut is_dirty[state.index()], true) {
                seeing.push(state);
            }
        };
        for &state in moved {
            if self.inert == Inert::Internal {
                // Its own steps into its old block are inert no more.
                add(state, &mut self.is_dirty);
            }
            for &(source, _) in self.predecessors.of(state) {
                add(source, &mut self.is_dirty);
            }
        }
        for state in &seeing {
            self.is_dirty[state.index()] = false;
        }
        seeing
    }
}
