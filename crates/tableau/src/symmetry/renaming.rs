//! Renamings: who is put in whose place, with all that belongs to them.

use servanda_model::{AgentId, CommitmentId, LabelId, Model, VariableId};

/// The values that become others, in increasing order; all others stay.
pub(crate) type Values = Vec<(i64, i64)>;

/// What each agent, variable, value, commitment and label of a model becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renaming {
    pub(super) agents: Vec<AgentId>,
    pub(super) variables: Vec<VariableId>,
    /// By variable, what its values become in the variable that it becomes.
    pub(super) values: Vec<Values>,
    pub(super) commitments: Vec<CommitmentId>,
    pub(super) labels: Vec<LabelId>,
}

impl Renaming {
    /// Everything stays.
    pub(super) fn identity(model: &Model) -> Self {
        Renaming {
            agents: model.agents().map(|(id, _)| id).collect(),
            variables: model.variables().map(|(id, _)| id).collect(),
            values: vec![Values::new(); model.variables.len()],
            commitments: model.commitments().map(|(id, _)| id).collect(),
            labels: model.labels().map(|(id, _)| id).collect(),
        }
    }

    /// What a value of a variable becomes.
    pub(super) fn value(&self, variable: VariableId, value: i64) -> i64 {
        mapped(&self.values[variable.index()], value)
    }

    /// This one, and another after it.
    pub(super) fn then(&self, next: &Renaming) -> Renaming {
        let values = |variable: usize| -> Values {
            let between = self.variables[variable];
            let (first, second) = (&self.values[variable], &next.values[between.index()]);
            if first.is_empty() && second.is_empty() {
                return Values::new();
            }
            let mut moved: Vec<i64> = first.iter().chain(second).map(|(from, _)| *from).collect();
            moved.sort_unstable();
            moved.dedup();
            let both = moved.into_iter().map(|from| (from, mapped(second, mapped(first, from))));
            both.filter(|(from, to)| from != to).collect()
        };
        Renaming {
            agents: self.agents.iter().map(|id| next.agents[id.index()]).collect(),
            variables: self.variables.iter().map(|id| next.variables[id.index()]).collect(),
            values: (0..self.variables.len()).map(values).collect(),
            commitments: self.commitments.iter().map(|id| next.commitments[id.index()]).collect(),
            labels: self.labels.iter().map(|id| next.labels[id.index()]).collect(),
        }
    }

    /// Does every agent, variable, value, commitment and label stand for exactly one?
    pub(super) fn is_one_to_one(&self) -> bool {
        let distinct = |mut all: Vec<usize>| {
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            all.len() == count && all.last().is_none_or(|last| *last < count)
        };
        let permutes = |values: &Values| {
            let mut to: Vec<i64> = values.iter().map(|(_, to)| *to).collect();
            to.sort_unstable();
            to.iter().eq(values.iter().map(|(from, _)| from))
                && values.windows(2).all(|two| two[0].0 < two[1].0)
        };
        distinct(self.agents.iter().map(|id| id.index()).collect())
            && distinct(self.variables.iter().map(|id| id.index()).collect())
            && distinct(self.commitments.iter().map(|id| id.index()).collect())
            && distinct(self.labels.iter().map(|id| id.index()).collect())
            && self.values.iter().all(permutes)
    }
}

/// What a value becomes.
pub(super) fn mapped(values: &[(i64, i64)], value: i64) -> i64 {
    values.binary_search_by_key(&value, |(from, _)| *from).map_or(value, |at| values[at].1)
}
