//! Knowledge: states grouped by what agents see. What is seen has an owner, as a state has, who hears where something is in doubt and
//! tells those who see the same.

use rustc_hash::FxHashMap;
use servanda_lower::{Relation, StateFormula};
use servanda_model::{AgentId, Sight, StateStore};

use crate::board::Trouble;
use crate::evaluate::Evaluation;
use crate::shard::owner;

impl Evaluation<'_, '_> {
    /// Where the body, whose truth is known, is known.
    ///
    /// # Errors
    ///
    /// As for evaluating.
    pub(crate) fn knows(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
    ) -> Result<Vec<bool>, Trouble> {
        // The states that speak: on a run, and with everybody named behaving correctly.
        let mut speaks = self.graph.on_run.clone();
        for agent in correct {
            let red = self.holds_by_state(&self.lowering.model.agent(*agent).red.clone())?;
            speaks.iter_mut().zip(red).for_each(|(speaks, red)| *speaks &= !red);
        }
        let body = self.truth[&body].clone();
        match relation {
            Relation::Everywhere => {
                let failing = (0..body.len()).filter(|state| speaks[*state] && !body[*state]).count();
                let [failing] = self.crew.fabric.sum([failing as u64])?;
                Ok(vec![failing == 0; body.len()])
            }
            Relation::Some(agents) => self.each_knows(agents, &speaks, &body),
            Relation::All(agents) => self.known_together(agents, &speaks, &body),
            Relation::Common(agents) => {
                // The greatest Z with Z = everybody knows (body and Z).
                let mut common = vec![true; body.len()];
                loop {
                    let inside: Vec<bool> = body.iter().zip(&common).map(|(b, z)| *b && *z).collect();
                    let again = self.each_knows(agents, &speaks, &inside)?;
                    let [changed] = self.crew.fabric.sum([u64::from(again != common)])?;
                    common = again;
                    if changed == 0 {
                        return Ok(common);
                    }
                }
            }
        }
    }

    fn each_knows(
        &mut self,
        agents: &[AgentId],
        speaks: &[bool],
        body: &[bool],
    ) -> Result<Vec<bool>, Trouble> {
        let mut result = vec![true; body.len()];
        for agent in agents {
            let known = self.known_together(&[*agent], speaks, body)?;
            result.iter_mut().zip(known).for_each(|(all, one)| *all &= one);
        }
        Ok(result)
    }

    /// Where no speaking state that looks the same to these agents together falsifies the body.
    fn known_together(
        &mut self,
        agents: &[AgentId],
        speaks: &[bool],
        body: &[bool],
    ) -> Result<Vec<bool>, Trouble> {
        let shard = self.crew.shard;
        let sight: Sight = shard.layout.sight(self.lowering.model, agents);
        let words = shard.layout.words();
        // What is seen here, with whether it is in doubt.
        let mut seen: FxHashMap<Vec<u64>, bool> = FxHashMap::default();
        let mut room = Vec::new();
        for state in 0..shard.len() {
            let doubt = speaks[state as usize] && !body[state as usize];
            *seen.entry(sight.of(shard.state(state, &mut room))).or_default() |= doubt;
        }
        let fabric = &mut self.crew.fabric;
        let mut row = Vec::new();
        for (key, doubt) in &seen {
            row.clear();
            row.push((fabric.index() as u64) << 1 | u64::from(*doubt));
            row.extend_from_slice(key);
            fabric.post(owner(StateStore::hash(key), fabric.peers()), &row);
        }
        let mut own: FxHashMap<Vec<u64>, (bool, Vec<usize>)> = FxHashMap::default();
        fabric.end_round(|parcel| {
            for row in parcel.chunks_exact(1 + words) {
                let (doubt, who) = own.entry(row[1..].to_vec()).or_default();
                *doubt |= row[0] & 1 == 1;
                who.push((row[0] >> 1) as usize);
            }
        })?;
        for (key, (_, who)) in own.iter().filter(|(_, (doubt, _))| *doubt) {
            who.iter().for_each(|worker| fabric.post(*worker, key));
        }
        fabric.end_round(|parcel| {
            for key in parcel.chunks_exact(words) {
                seen.insert(key.to_vec(), true);
            }
        })?;
        let shard = self.crew.shard;
        let known =
            |state: u32| !seen.get(&sight.of(shard.state(state, &mut room))).copied().unwrap_or(false);
        Ok((0..shard.len()).map(known).collect())
    }
}
