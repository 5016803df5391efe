//! Formulas that tell two states apart, made from the rounds of refinement.
//!
//! Two states that round `k` parts have different signatures over the blocks of round `k - 1`: one of them can reach a
//! block by a label and the other cannot. That is said by a modality over formulas that part this block from all those
//! that the other one can reach; by induction there are such formulas, and they are less deep (Cleaveland, 1990).
//!
//! Every formula made here holds in *all* states of one block and in *none* of the other, since with inert steps the
//! states on the way have to satisfy it, too (Korver, 1991).

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lts::{Action, Lts, State};

use crate::evaluate::truth;
use crate::formula::{Builder, FormulaId, Node};
use crate::partition::{Block, Partition};
use crate::refine::Inert;
use crate::watch::Watch;

/// Looking for superfluous conjuncts is worth it only while there are not too many.
const MOST_PRUNED: usize = 24;
/// Nor in formulas that nobody will read.
const LARGEST_PRUNED: usize = 3000;

/// Makes formulas for the states of a refined system.
pub(crate) struct Distinguisher<'a, 'w> {
    pub(crate) lts: &'a Lts,
    pub(crate) partition: &'a Partition,
    pub(crate) inert: Inert,
    pub(crate) watch: &'a mut Watch<'w>,
}

/// What a state can reach, in the words of a signature: an example for each label and block.
type Signature = Vec<((Action, Block), State)>;

/// How to tell the states of one block from those of another.
struct Plan {
    key: (Block, Block),
    /// Is it the second block whose states can do something?
    negated: bool,
    action: Action,
    /// The block reached against each block that the other one reaches.
    reached: Vec<(State, State)>,
    /// The own block against each block that inert steps of the other one leave it for.
    held: Vec<(State, State)>,
}

enum Task {
    Tell(State, State),
    Build(Plan),
}

impl Distinguisher<'_, '_> {
    /// A formula that holds in `one` and not in `other`; `None` if they are in one block.
    pub(crate) fn tell(
        &mut self,
        one: State,
        other: State,
        builder: &mut Builder,
    ) -> Result<Option<FormulaId>, Halt> {
        let Some((key, _)) = self.key(one, other) else { return Ok(None) };
        let mut known: FxHashMap<(Block, Block), FormulaId> = FxHashMap::default();
        // No recursion: formulas may be as deep as the system is long.
        let mut tasks = vec![Task::Tell(one, other)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Tell(one, other) => {
                    let Some((key, round)) = self.key(one, other) else { return Ok(None) };
                    if known.contains_key(&key) {
                        continue;
                    }
                    let Some(plan) = self.plan(one, other, key, round)? else { return Ok(None) };
                    let parts: Vec<(State, State)> = plan.reached.iter().chain(&plan.held).copied().collect();
                    tasks.push(Task::Build(plan));
                    tasks.extend(parts.into_iter().map(|(one, other)| Task::Tell(one, other)));
                }
                Task::Build(plan) => {
                    let key = plan.key;
                    let Some(formula) = self.build(plan, &known, builder)? else { return Ok(None) };
                    known.insert(key, formula);
                }
            }
        }
        Ok(known.get(&key).copied())
    }

    /// The blocks of two states after the round that parted them, and this round.
    fn key(&self, one: State, other: State) -> Option<((Block, Block), u32)> {
        let round = self.partition.parted(one, other)?;
        let block = |state| self.partition.block_after(state, round);
        Some(((block(one), block(other)), round))
    }

    fn plan(
        &mut self,
        one: State,
        other: State,
        key: (Block, Block),
        round: u32,
    ) -> Result<Option<Plan>, Halt> {
        let before = round - 1;
        let (mine, theirs) = (self.signature(one, before)?, self.signature(other, before)?);
        let plans = self.plans(one, &mine, other, &theirs, key, false);
        let plans = plans.chain(self.plans(other, &theirs, one, &mine, key, true));
        Ok(plans.min_by_key(|plan| plan.reached.len() + plan.held.len()))
    }

    /// What `able` can do and `other` cannot, with all that must be told apart to say so.
    fn plans<'s>(
        &self,
        able: State,
        can: &'s Signature,
        other: State,
        cannot: &'s Signature,
        key: (Block, Block),
        negated: bool,
    ) -> impl Iterator<Item = Plan> + use<'s> {
        let inert = self.inert == Inert::Internal;
        let lacking = move |entry: &&((Action, Block), State)| {
            cannot.binary_search_by_key(&entry.0, |known| known.0).is_err()
        };
        can.iter().filter(lacking).map(move |((action, _), target)| {
            let by = |action: Action| cannot.iter().filter(move |entry| entry.0.0 == action);
            let mut reached: Vec<(State, State)> =
                by(*action).map(|(_, instead)| (*target, *instead)).collect();
            let mut held = Vec::new();
            if inert {
                held.extend(by(Action::INTERNAL).map(|(_, instead)| (able, *instead)));
                if action.is_internal() {
                    // The last step is not demanded, so where it starts must not do either.
                    reached.push((*target, other));
                }
            }
            Plan { key, negated, action: *action, reached, held }
        })
    }

    /// The signature of a state over the blocks of a round.
    fn signature(&mut self, state: State, round: u32) -> Result<Signature, Halt> {
        let block = |state| self.partition.block_after(state, round);
        let home = block(state);
        let mut signature = Signature::new();
        let mut seen = rustc_hash::FxHashSet::from_iter([state]);
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            self.watch.work(self.lts.edges(state).len())?;
            for edge in self.lts.edges(state) {
                let reached = block(edge.target);
                if self.inert == Inert::Internal && edge.action.is_internal() && reached == home {
                    if seen.insert(edge.target) {
                        open.push(edge.target);
                    }
                } else {
                    signature.push(((edge.action, reached), edge.target));
                }
            }
        }
        signature.sort_unstable();
        signature.dedup_by_key(|entry| entry.0);
        Ok(signature)
    }

    fn build(
        &mut self,
        plan: Plan,
        known: &FxHashMap<(Block, Block), FormulaId>,
        builder: &mut Builder,
    ) -> Result<Option<FormulaId>, Halt> {
        let find = |pairs: &[(State, State)]| -> Option<Vec<FormulaId>> {
            pairs.iter().map(|(one, other)| known.get(&self.key(*one, *other)?.0).copied()).collect()
        };
        let (Some(reached), Some(held)) = (find(&plan.reached), find(&plan.held)) else { return Ok(None) };
        let action = plan.action;
        let node = match self.inert {
            Inert::None => {
                let rivals: Vec<State> = plan.reached.iter().map(|(_, rival)| *rival).collect();
                let needed = pruned(self.lts, reached, &rivals, builder, self.watch)?;
                Node::Step { action, then: builder.all(needed) }
            }
            Inert::Internal => Node::Until { hold: builder.all(held), action, then: builder.all(reached) },
        };
        let formula = builder.add(node);
        Ok(Some(if plan.negated { builder.not(formula) } else { formula }))
    }
}

/// As few of these formulas as are found to be enough so that each state falsifies one of them. The `k`-th formula is
/// false in the `k`-th state. (For formulas with inert steps a state cannot speak for its block, so there it is not done.)
pub(crate) fn pruned(
    lts: &Lts,
    mut formulas: Vec<FormulaId>,
    rivals: &[State],
    builder: &Builder,
    watch: &mut Watch<'_>,
) -> Result<Vec<FormulaId>, Halt> {
    formulas.sort_unstable();
    formulas.dedup();
    let small = builder.nodes.len() <= LARGEST_PRUNED && rivals.len() <= MOST_PRUNED * MOST_PRUNED;
    if formulas.len() < 2 || formulas.len() > MOST_PRUNED || !small {
        return Ok(formulas);
    }
    let mut kills = Vec::new();
    for formula in formulas {
        let alive = truth(lts, &builder.nodes, formula, rivals, watch)?;
        kills.push((formula, alive.iter().map(|alive| !alive).collect::<Vec<bool>>()));
    }
    let mut left: Vec<usize> = (0..rivals.len()).collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let killed = |kill: &Vec<bool>| left.iter().filter(|rival| kill[**rival]).count();
        // Of equals the first, which is the oldest and so likely the least deep.
        let Some((formula, kill)) = kills.iter().rev().max_by_key(|(_, kill)| killed(kill)) else { break };
        chosen.push(*formula);
        let before = left.len();
        left.retain(|rival| !kill[*rival]);
        if left.len() == before {
            // Not possible if every rival falsifies its formula; confirming the result would find out.
            break;
        }
    }
    Ok(chosen)
}
