//! Promises that no run can keep: points of runs from which no path is accessible.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::{Halt, Monitor, Options, Unkeepable};
use servanda_lower::{CoreFormula, PathFormula, State};
use servanda_model::{AgentId, CommandId, CommitmentId, Model};

use crate::evaluate::Evaluation;
use servanda_space::Via;

/// All promises of a model that no run can keep, by pair and by what is in force.
pub(crate) fn unkeepable(
    model: &Model,
    options: Options,
    monitor: &dyn Monitor,
) -> Result<Vec<Unkeepable>, Halt> {
    let mut found = Vec::new();
    for pair in model.committed_pairs() {
        let mut evaluation = Evaluation::new(model, options, monitor)?;
        found.extend(evaluation.unkeepable_of(pair, monitor)?);
    }
    Ok(found)
}

impl Evaluation<'_> {
    fn unkeepable_of(
        &mut self,
        (debtor, creditor): (AgentId, AgentId),
        monitor: &dyn Monitor,
    ) -> Result<Vec<Unkeepable>, Halt> {
        // Whoever is committed to what is false is so because no path is accessible.
        let body = PathFormula::FALSE;
        let nothing_left = State::Committed { debtor, creditor, limit: None, body };
        let nothing_left = self.lowering.arena.add_state(nothing_left);
        let layer = self.prepare(nothing_left)?;
        // The states first, so that they are numbered in the order of their distance.
        self.explore_all(0, monitor)?;
        self.explore_all(layer, monitor)?;
        let promises = self.lowering.promises(debtor, creditor, None);
        let mut places: BTreeMap<Vec<CommitmentId>, BTreeSet<u32>> = BTreeMap::new();
        for node in 0..self.met(layer) as u32 {
            let state = self.projected(layer, node, 0);
            if self.is_fair(state, monitor)? && self.holds(nothing_left, layer, node, monitor)? {
                let mut in_force = promises.clone();
                in_force.retain(|id| self.space.layout.commitment(*id).read(self.space.state(state)) == 1);
                places.entry(in_force).or_default().insert(state);
            }
        }
        let mut found = Vec::new();
        for (in_force, states) in places {
            let Some(&nearest) = states.first() else { continue };
            let path = self.path_to(nearest, monitor)?;
            let model = self.space.model;
            found.push(Unkeepable {
                debtor: model.agent(debtor).name.clone(),
                creditor: model.agent(creditor).name.clone(),
                commitments: in_force.iter().map(|id| model.show_promise(model.commitment(*id))).collect(),
                states: states.len().into(),
                example: self.space.view(nearest),
                path,
            });
        }
        Ok(found)
    }

    /// The labels of a shortest way to a state. States must be numbered in the order of their distance.
    fn path_to(&mut self, state: u32, monitor: &dyn Monitor) -> Result<Vec<String>, Halt> {
        let mut came_from: Vec<Option<(u32, Via)>> = vec![None; self.space.len()];
        let mut steps = Vec::new();
        for source in 0..state {
            self.steps(0, source, &mut steps, monitor)?;
            for step in &steps {
                let target = step.target as usize;
                if came_from[target].is_none() && target >= self.initial.len() {
                    came_from[target] = Some((source, step.via));
                }
            }
        }
        let mut labels = Vec::new();
        let mut here = state;
        while let Some((source, via)) = came_from[here as usize] {
            let model = self.space.model;
            labels.push(model.show_label(model.command(CommandId(via.0)).label));
            here = source;
        }
        labels.reverse();
        Ok(labels)
    }
}
