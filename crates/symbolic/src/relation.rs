//! The transition relation in parts: images and preimages with early quantification.
//!
//! Transitions made one at a time are one part per command, which mentions only what the command reads and changes; rounds are
//! one part, a conjunction of protocols and evolutions. What is conjoined is quantified as soon as no later conjunct
//! mentions it.

use oxidd::{Subst, VarNo};
use rustc_hash::FxHashSet;
use servanda_algebra::{Algebra, Guarded};
use servanda_engine::{Halt, Monitor};
use servanda_model::{AgentId, Behaviour, Block, LabelId};
use servanda_syntax::Span;

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;

/// Conjuncts are merged as long as they stay below this many nodes.
const CLUSTER_NODES: usize = 1_000;

/// Evolutions may grow to this many nodes when actions are replaced by what determines them.
const SUBSTITUTED_NODES: usize = 20_000;

/// The relation restricted to reachable states may have this many nodes.
pub(crate) const RESTRICTED_NODES: usize = 300_000;

/// A conjunct with the variables it may mention.
#[derive(Clone)]
pub(crate) struct Conjunct {
    pub(crate) set: Bdd,
    pub(crate) support: FxHashSet<VarNo>,
}

impl Conjunct {
    /// A conjunct whose variables are read off its diagram.
    pub(crate) fn new(encoding: &Encoding<'_>, set: Bdd) -> Self {
        let support = encoding.diagrams.support(&set);
        Conjunct { set, support }
    }
}

/// Conjuncts in the order in which they are multiplied, each with what can be quantified then.
pub(crate) struct Schedule(Vec<(Bdd, Bdd)>);

impl Schedule {
    /// Orders conjuncts greedily: next comes the one after which most can be quantified for what it brings in.
    fn new(
        encoding: &Encoding<'_>,
        conjuncts: &[Conjunct],
        quantified: &FxHashSet<VarNo>,
    ) -> Result<Schedule, Halt> {
        let mut waiting: Vec<&Conjunct> = conjuncts.iter().collect();
        let mut left: FxHashSet<VarNo> = quantified.clone();
        let mut steps = Vec::new();
        let mut uses: rustc_hash::FxHashMap<VarNo, usize> = rustc_hash::FxHashMap::default();
        for conjunct in conjuncts {
            for variable in conjunct.support.iter().filter(|v| quantified.contains(v)) {
                *uses.entry(*variable).or_default() += 1;
            }
        }
        let mut seen: FxHashSet<VarNo> = FxHashSet::default();
        while !waiting.is_empty() {
            let score = |conjunct: &Conjunct| {
                let freed = conjunct.support.iter().filter(|v| uses.get(v) == Some(&1)).count() as i64;
                let brought = conjunct.support.iter().filter(|v| !seen.contains(v)).count() as i64;
                2 * freed - brought
            };
            let best =
                (0..waiting.len()).max_by_key(|index| (score(waiting[*index]), std::cmp::Reverse(*index)));
            let conjunct = waiting.remove(best.unwrap_or(0));
            for variable in &conjunct.support {
                seen.insert(*variable);
                if let Some(count) = uses.get_mut(variable) {
                    *count -= 1;
                }
            }
            let free: Vec<VarNo> =
                left.iter().copied().filter(|v| uses.get(v).is_none_or(|n| *n == 0)).collect();
            for variable in &free {
                left.remove(variable);
            }
            steps.push((conjunct.set.clone(), encoding.diagrams.cube(free)?));
        }
        if steps.is_empty() {
            steps.push((encoding.diagrams.truth(), encoding.diagrams.cube(left)?));
        }
        Ok(Schedule(steps))
    }

    fn run(&self, set: &Bdd) -> Result<Bdd, Halt> {
        let mut result = set.clone();
        for (conjunct, cube) in &self.0 {
            result = result.both_some(conjunct, cube)?;
            if result.is_false() {
                break;
            }
        }
        Ok(result)
    }
}

/// Merges neighbours while they stay small.
fn clusters(encoding: &Encoding<'_>, conjuncts: Vec<Conjunct>) -> Result<Vec<Conjunct>, Halt> {
    let mut conjuncts = conjuncts;
    // Conjuncts about the same region of the order stand together.
    conjuncts.sort_by_key(|conjunct| conjunct.support.iter().min().copied());
    let mut merged: Vec<Conjunct> = Vec::new();
    for conjunct in conjuncts {
        if let Some(last) = merged.last_mut() {
            let both = last.set.both(&conjunct.set)?;
            if both.size() <= CLUSTER_NODES {
                *last = Conjunct::new(encoding, both);
                continue;
            }
        }
        merged.push(conjunct);
    }
    if merged.is_empty() {
        merged.push(Conjunct { set: encoding.diagrams.truth(), support: FxHashSet::default() });
    }
    Ok(merged)
}

/// Part of the transition relation: the bits it does not change keep their values.
pub(crate) struct Part {
    conjuncts: Vec<Conjunct>,
    /// What the protocols of rounds permit, agent by agent.
    pub(crate) protocols: Vec<Bdd>,
    /// For rounds whose conjuncts do without the actions that are determined: the conjuncts with all actions.
    with_actions: Option<Vec<Conjunct>>,
    /// The bits it changes.
    changed: Vec<usize>,
    /// Who makes its transitions.
    pub(crate) agent: Option<AgentId>,
    /// Their label; `None` for rounds and for the implicit loops of deadlocks.
    pub(crate) label: Option<LabelId>,
    forward: Schedule,
    backward: Schedule,
    /// Backward, with the joint action kept.
    backward_keeping_actions: Schedule,
    to_next: Subst<Bdd>,
    to_now: Subst<Bdd>,
    /// The part as one diagram, from reachable states only and without actions, where that is small; and the variables
    /// of the next state.
    restricted: Option<(Bdd, Bdd)>,
}

impl Part {
    pub(crate) fn new(
        encoding: &Encoding<'_>,
        conjuncts: Vec<Conjunct>,
        changed: Vec<usize>,
        agent: Option<AgentId>,
        label: Option<LabelId>,
    ) -> Result<Part, Halt> {
        let conjuncts = clusters(encoding, conjuncts)?;
        let actions = encoding.model.agents().flat_map(|(id, _)| encoding.action_variables(id).to_vec());
        let actions: Vec<VarNo> =
            if encoding.model.behaviour.is_rounds() { actions.collect() } else { Vec::new() };
        let now = changed.iter().map(|bit| encoding.bits[*bit].now);
        let next = changed.iter().map(|bit| encoding.bits[*bit].next);
        let with_actions = |variables: &mut dyn Iterator<Item = VarNo>| -> FxHashSet<VarNo> {
            variables.chain(actions.iter().copied()).collect()
        };
        let forward = Schedule::new(encoding, &conjuncts, &with_actions(&mut now.clone()))?;
        let backward = Schedule::new(encoding, &conjuncts, &with_actions(&mut next.clone()))?;
        let backward_keeping_actions = Schedule::new(encoding, &conjuncts, &next.clone().collect())?;
        let pairs: Vec<(VarNo, VarNo)> = now.zip(next).collect();
        let back: Vec<(VarNo, VarNo)> = pairs.iter().map(|(now, next)| (*next, *now)).collect();
        Ok(Part {
            conjuncts,
            protocols: Vec::new(),
            with_actions: None,
            changed,
            agent,
            label,
            forward,
            backward,
            backward_keeping_actions,
            to_next: encoding.diagrams.renaming(&pairs)?,
            to_now: encoding.diagrams.renaming(&back)?,
            restricted: None,
        })
    }

    /// The same part with further bits that change as the conjuncts say.
    pub(crate) fn extended(
        &self,
        encoding: &Encoding<'_>,
        more: Vec<Conjunct>,
        bits: impl IntoIterator<Item = usize>,
    ) -> Result<Part, Halt> {
        // The new conjuncts may mention actions.
        let conjuncts = self.all_conjuncts().iter().cloned().chain(more).collect();
        let changed = self.changed.iter().copied().chain(bits).collect();
        let mut part = Part::new(encoding, conjuncts, changed, self.agent, self.label)?;
        part.protocols.clone_from(&self.protocols);
        Ok(part)
    }

    /// A set of states, said of the state that a step of the part leads to.
    pub(crate) fn at_next(&self, set: &Bdd) -> Result<Bdd, Halt> {
        set.renamed(&self.to_next)
    }

    /// The bits it changes.
    pub(crate) fn changed(&self) -> impl Iterator<Item = usize> + '_ {
        self.changed.iter().copied()
    }

    /// Its conjuncts with all actions.
    pub(crate) fn all_conjuncts(&self) -> &[Conjunct] {
        self.with_actions.as_ref().unwrap_or(&self.conjuncts)
    }

    /// Is it the part in which all agents act together?
    pub(crate) fn is_round(&self) -> bool {
        !self.protocols.is_empty()
    }

    /// Where the part leads from a set.
    pub(crate) fn image(&self, set: &Bdd) -> Result<Bdd, Halt> {
        self.forward.run(set)?.renamed(&self.to_now)
    }

    /// What makes images of sets of states with joint actions ([`Part::image_by`]).
    pub(crate) fn forward_with_actions(&self, encoding: &Encoding<'_>) -> Result<Schedule, Halt> {
        let actions = encoding.model.agents().flat_map(|(id, _)| encoding.action_variables(id).to_vec());
        let now = self.changed.iter().map(|bit| encoding.bits[*bit].now);
        Schedule::new(encoding, self.all_conjuncts(), &actions.chain(now).collect())
    }

    /// Where the part leads from a set of states with joint actions.
    pub(crate) fn image_by(&self, forward: &Schedule, set: &Bdd) -> Result<Bdd, Halt> {
        forward.run(set)?.renamed(&self.to_now)
    }

    /// Prepares preimages that matter within a set of states only, if the part restricted to them is small enough
    /// as one diagram. Most models that people write are.
    pub(crate) fn restrict_to(
        &mut self,
        encoding: &Encoding<'_>,
        states: &Bdd,
        most_nodes: usize,
    ) -> Result<(), Halt> {
        if self.conjuncts.len() < 2 || self.restricted.is_some() {
            return Ok(());
        }
        let actions = encoding.model.agents().flat_map(|(id, _)| encoding.action_variables(id).to_vec());
        let schedule = Schedule::new(encoding, &self.conjuncts, &actions.collect())?;
        let mut relation = states.clone();
        for (conjunct, cube) in &schedule.0 {
            relation = relation.both_some(conjunct, cube)?;
            if relation.size() > most_nodes {
                return Ok(());
            }
        }
        let next = self.changed.iter().map(|bit| encoding.bits[*bit].next);
        self.restricted = Some((relation, encoding.diagrams.cube(next)?));
        Ok(())
    }

    /// From where the part leads into a set; after [`Part::restrict_to`], from which of the states given there.
    pub(crate) fn preimage(&self, set: &Bdd) -> Result<Bdd, Halt> {
        let next = set.renamed(&self.to_next)?;
        match &self.restricted {
            Some((relation, cube)) => next.both_some(relation, cube),
            None => self.backward.run(&next),
        }
    }

    /// From which states of a set the part leads into another. Where the part as one diagram is too large, the states keep what is
    /// multiplied small: from a few states backwards there is otherwise nothing that does.
    pub(crate) fn preimage_within(&self, set: &Bdd, states: &Bdd) -> Result<Bdd, Halt> {
        match &self.restricted {
            Some(_) => self.preimage(set)?.both(states),
            None => self.backward.run(&set.renamed(&self.to_next)?.both(states)?),
        }
    }

    /// From where, and with which joint action, the part leads into a set.
    pub(crate) fn preimage_with_actions(&self, set: &Bdd) -> Result<Bdd, Halt> {
        self.backward_keeping_actions.run(&set.renamed(&self.to_next)?)
    }
}

/// Everything the relation is made of.
pub(crate) struct Relation {
    pub(crate) parts: Vec<Part>,
    /// Where commands do what they must not; looked at once the reachable states are known.
    pub(crate) traps: Vec<Bdd>,
    /// Where rounds lose moves, with the places of the lines; these may mention actions.
    pub(crate) lost: Vec<(Span, Bdd)>,
}

/// The relation of a model.
pub(crate) fn build(encoding: &Encoding<'_>, monitor: &dyn Monitor) -> Result<Relation, Halt> {
    match encoding.model.behaviour {
        Behaviour::Commands(_) => commands(encoding, monitor),
        Behaviour::Rounds(_) => rounds(encoding, monitor),
    }
}

fn commands(encoding: &Encoding<'_>, monitor: &dyn Monitor) -> Result<Relation, Halt> {
    let mut relation = Relation { parts: Vec::new(), traps: Vec::new(), lost: Vec::new() };
    let mut algebra = encoding.algebra(monitor);
    for (_, command) in encoding.model.commands() {
        algebra.poll()?;
        let guarded = encoding.functions.command(&mut algebra, command)?;
        relation.traps.push(guarded.defined.complement()?);
        let mut enabled = guarded.holds.clone();
        for fits in &guarded.fits {
            relation.traps.push(guarded.holds.without(fits)?);
            enabled = enabled.both(fits)?;
        }
        let set = encoding.becomes(&enabled, &guarded.changes, monitor)?;
        let mut changed: Vec<usize> = guarded.changes.iter().map(|(bit, _)| *bit).collect();
        changed.sort_unstable();
        changed.dedup();
        let conjunct = Conjunct::new(encoding, set);
        relation.parts.push(Part::new(encoding, vec![conjunct], changed, command.by, Some(command.label))?);
    }
    Ok(relation)
}

fn rounds(encoding: &Encoding<'_>, monitor: &dyn Monitor) -> Result<Relation, Halt> {
    let model = encoding.model;
    let mut protocols = Vec::new();
    let mut evolutions = Vec::new();
    let mut lost = Vec::new();
    let mut changed = Vec::new();
    for ((agent, _), program) in model.agents().zip(model.behaviour.programs()) {
        let mut algebra = encoding.algebra(monitor);
        let protocol = encoding.functions.protocol(&mut algebra, agent, program)?;
        protocols.push(Conjunct::new(encoding, protocol.permitted));
        for block in &program.evolution {
            algebra.poll()?;
            let set = evolution(encoding, block, &mut lost, monitor)?;
            evolutions.push(without_constants(encoding, block, set, &mut changed)?);
        }
    }
    let conjuncts = without_determined_actions(encoding, &protocols, &evolutions)?;
    let mut part = Part::new(encoding, conjuncts, changed, None, None)?;
    let all: Vec<Conjunct> = protocols.iter().chain(&evolutions).cloned().collect();
    let next: FxHashSet<VarNo> = part.changed.iter().map(|bit| encoding.bits[*bit].next).collect();
    let all = clusters(encoding, all)?;
    part.backward_keeping_actions = Schedule::new(encoding, &all, &next)?;
    part.with_actions = Some(all);
    part.protocols = protocols.into_iter().map(|protocol| protocol.set).collect();
    Ok(Relation { parts: vec![part], traps: Vec::new(), lost })
}

/// Variables that never change are left out of the evolution and of what a round changes: images and preimages need not
/// carry them from one copy to the other.
fn without_constants(
    encoding: &Encoding<'_>,
    block: &Block,
    evolution: Bdd,
    changed: &mut Vec<usize>,
) -> Result<Conjunct, Halt> {
    let mut set = evolution;
    for variable in &block.variables {
        let bits = encoding.functions.variable_bits(*variable);
        let mut keeps = encoding.diagrams.truth();
        for bit in bits {
            keeps = keeps.both(&encoding.keeps(*bit)?)?;
        }
        if set.without(&keeps)?.is_false() {
            let next = bits.iter().map(|bit| encoding.bits[*bit].next);
            set = set.some(&encoding.diagrams.cube(next)?)?;
        } else {
            changed.extend(bits);
        }
    }
    Ok(Conjunct::new(encoding, set))
}

/// An agent whose local state leaves it no choice acts as a function of the state. Put in place of its action, the function
/// does away with the action's bits, and with them most of what makes images and preimages large. Where an evolution would
/// grow too much by it, the action stays.
fn without_determined_actions(
    encoding: &Encoding<'_>,
    protocols: &[Conjunct],
    evolutions: &[Conjunct],
) -> Result<Vec<Conjunct>, Halt> {
    let mut functions: Vec<(VarNo, Bdd)> = Vec::new();
    let mut determined = vec![false; protocols.len()];
    for ((agent, _), protocol) in encoding.model.agents().zip(protocols) {
        let variables = encoding.action_variables(agent);
        let cube = encoding.diagrams.cube(variables.iter().copied())?;
        let mut own = Vec::new();
        for variable in variables {
            let bit = encoding.diagrams.variable(*variable)?;
            let set = protocol.set.both_some(&bit, &cube)?;
            let clear = protocol.set.without(&bit)?.some(&cube)?;
            if !set.both(&clear)?.is_false() {
                break;
            }
            own.push((*variable, set));
        }
        if own.len() == variables.len() {
            determined[agent.index()] = true;
            functions.extend(own);
        }
    }
    let (from, to): (Vec<VarNo>, Vec<Bdd>) = functions.into_iter().unzip();
    let known: FxHashSet<VarNo> = from.iter().copied().collect();
    let substitution = Subst::new(from, to);
    let mut conjuncts = Vec::new();
    for evolution in evolutions {
        if evolution.support.is_disjoint(&known) {
            conjuncts.push(evolution.clone());
            continue;
        }
        let replaced = evolution.set.renamed(&substitution)?;
        let grown = replaced.size() > SUBSTITUTED_NODES && replaced.size() > 4 * evolution.set.size();
        conjuncts.push(if grown { evolution.clone() } else { Conjunct::new(encoding, replaced) });
    }
    for ((agent, _), protocol) in encoding.model.agents().zip(protocols) {
        let variables = encoding.action_variables(agent);
        let mentioned =
            |conjunct: &Conjunct| variables.iter().any(|variable| conjunct.support.contains(variable));
        let kept = if determined[agent.index()] && !conjuncts.iter().any(mentioned) {
            let cube = encoding.diagrams.cube(variables.iter().copied())?;
            Conjunct::new(encoding, protocol.set.some(&cube)?)
        } else {
            protocol.clone()
        };
        conjuncts.push(kept);
    }
    Ok(conjuncts)
}

fn evolution(
    encoding: &Encoding<'_>,
    block: &Block,
    lost: &mut Vec<(Span, Bdd)>,
    monitor: &dyn Monitor,
) -> Result<Bdd, Halt> {
    let mut algebra = encoding.algebra(monitor);
    // What no line assigns keeps its value.
    let bits = block.variables.iter().flat_map(|variable| encoding.functions.variable_bits(*variable));
    let kept: Vec<(usize, Bdd)> = bits.map(|bit| (*bit, encoding.functions.state[*bit].clone())).collect();
    let (mut made, mut enabled) = (Vec::new(), Vec::new());
    for line in &block.lines {
        let Guarded { holds, fits, mut changes, .. } = encoding.functions.line(&mut algebra, line)?;
        let fits = holds.both(&algebra.all(&fits)?)?;
        let nowhere = holds.without(&fits)?;
        if !nowhere.is_false() {
            lost.push((line.span, nowhere));
        }
        let others = kept.iter().filter(|(bit, _)| !changes.iter().any(|(changed, _)| changed == bit));
        let others: Vec<(usize, Bdd)> = others.cloned().collect();
        changes.extend(others);
        made.push(encoding.becomes(&fits, &changes, monitor)?);
        enabled.push(holds);
    }
    let stays = algebra.any(&enabled)?.complement()?;
    made.push(encoding.becomes(&stays, &kept, monitor)?);
    algebra.any(&made)
}
