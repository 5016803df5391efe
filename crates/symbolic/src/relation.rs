//! The transition relation in parts: images and preimages.
//!
//! Transitions made one at a time are one part per command, which mentions only what the command reads and changes; rounds are
//! one part, a conjunction of protocols and evolutions.

use oxidd::{Subst, VarNo};
use rustc_hash::FxHashSet;
use servanda_engine::Halt;
use servanda_model::{AgentId, LabelId};

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;
use crate::schedule::{Conjunct, Schedule, clusters};

/// The relation restricted to reachable states may have this many nodes.
pub(crate) const RESTRICTED_NODES: usize = 300_000;

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

    /// The same part as that of rounds: with the conjuncts that know all actions, and what each agent's protocol permits.
    pub(crate) fn of_rounds(
        mut self,
        encoding: &Encoding<'_>,
        all: Vec<Conjunct>,
        protocols: Vec<Bdd>,
    ) -> Result<Part, Halt> {
        let next: FxHashSet<VarNo> = self.changed.iter().map(|bit| encoding.bits[*bit].next).collect();
        let all = clusters(encoding, all)?;
        self.backward_keeping_actions = Schedule::new(encoding, &all, &next)?;
        self.with_actions = Some(all);
        self.protocols = protocols;
        Ok(self)
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
