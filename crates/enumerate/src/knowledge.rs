//! Knowledge and correct behaviour: points of runs grouped by local state.

use rustc_hash::FxHashMap;
use servanda_lower::{Relation, StateFormula};
use servanda_model::AgentId;

use crate::Halt;
use crate::evaluate::{Evaluation, fixpoint};
use crate::recall::View;

impl Evaluation<'_, '_> {
    /// Where the body is known. `truth` knows the body.
    pub(crate) fn knows(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        view: View,
    ) -> Result<Vec<bool>, Halt> {
        // The points that speak: of a run, and with everybody named behaving correctly.
        let mut speaks = self.graph.on_run.clone();
        for agent in correct {
            let red = self.holds_by_state(&self.space.model.agent(*agent).red)?;
            for (node, state) in self.graph.state.iter().enumerate() {
                speaks[node] &= !red[*state as usize];
            }
        }
        let body = &self.truth[&body];
        Ok(match relation {
            Relation::Everywhere => {
                let everywhere = (0..body.len()).all(|node| body[node] || !speaks[node]);
                vec![everywhere; body.len()]
            }
            Relation::Some(agents) => self.each_knows(agents, &speaks, body, view),
            Relation::All(agents) => {
                let classes = self.classes(agents, view);
                knows_by_class(&classes, &speaks, body)
            }
            Relation::Common(agents) => {
                // The greatest Z with Z = everybody knows (body and Z).
                let known = |common: &[bool]| {
                    let inside: Vec<bool> = body.iter().zip(common).map(|(b, z)| *b && *z).collect();
                    self.each_knows(agents, &speaks, &inside, view)
                };
                fixpoint(&vec![true; body.len()], known, |_, known| known)
            }
        })
    }

    fn each_knows(&self, agents: &[AgentId], speaks: &[bool], body: &[bool], view: View) -> Vec<bool> {
        let mut result = vec![true; body.len()];
        for agent in agents {
            let known = knows_by_class(&self.classes(&[*agent], view), speaks, body);
            result.iter_mut().zip(known).for_each(|(all, one)| *all &= one);
        }
        result
    }

    /// A number for each node such that two nodes have the same number iff the agents together cannot tell them apart: they have the
    /// same local states there, or with another view also remember the same.
    pub(crate) fn classes(&self, agents: &[AgentId], view: View) -> Vec<usize> {
        if let Some(recall) = self.recall.as_ref().filter(|_| view != View::Now) {
            return recall.classes(agents, view);
        }
        let sight = self.space.layout.sight(self.space.model, agents);
        let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let of_state = |state: &u32| {
            let fresh = numbers.len();
            *numbers.entry(sight.of(self.space.state(*state))).or_insert(fresh)
        };
        self.graph.state.iter().map(of_state).collect()
    }
}

/// Where no speaking point of the same class falsifies the body.
fn knows_by_class(classes: &[usize], speaks: &[bool], body: &[bool]) -> Vec<bool> {
    let mut doubtful = vec![false; classes.iter().max().map_or(0, |most| most + 1)];
    for node in 0..classes.len() {
        if speaks[node] && !body[node] {
            doubtful[classes[node]] = true;
        }
    }
    classes.iter().map(|class| !doubtful[*class]).collect()
}
