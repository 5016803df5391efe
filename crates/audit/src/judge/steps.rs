//! Graphs whose steps have labels, and the sets of their nodes that agree with a word.

use servanda_engine::{Budget, Halt, Progress};

/// How many nodes are visited between two questions to the budget.
const ASK_EVERY: usize = 1 << 12;

/// Which labels leave no line.
pub(crate) type Silent = [bool];

/// Nodes with labelled steps. The implicit loops of deadlocks are none: no line tells of them.
#[derive(Default)]
pub(crate) struct Steps {
    first: Vec<usize>,
    steps: Vec<(u32, u32)>,
    /// Marks of nodes that have been visited, good for one search each.
    marks: Vec<u32>,
    search: u32,
}

impl Steps {
    /// Adds a node with its steps: labels and targets.
    pub(crate) fn push(&mut self, steps: impl IntoIterator<Item = (u32, u32)>) {
        if self.first.is_empty() {
            self.first.push(0);
        }
        let start = self.steps.len();
        self.steps.extend(steps);
        self.steps[start..].sort_unstable();
        let mut kept = start;
        for at in start..self.steps.len() {
            if kept == start || self.steps[kept - 1] != self.steps[at] {
                self.steps[kept] = self.steps[at];
                kept += 1;
            }
        }
        self.steps.truncate(kept);
        self.first.push(self.steps.len());
        self.marks.push(0);
    }

    /// The steps of a node, in the order of labels and targets.
    pub(crate) fn of(&self, node: u32) -> &[(u32, u32)] {
        &self.steps[self.first[node as usize]..self.first[node as usize + 1]]
    }

    /// The nodes that some labels lead to from a set, with what silent steps reach from there; in order.
    pub(crate) fn after(
        &mut self,
        set: &[u32],
        labels: &[u32],
        silent: &Silent,
        budget: &dyn Budget,
    ) -> Result<Vec<u32>, Halt> {
        let wanted = |label: u32| labels.binary_search(&label).is_ok();
        let (mut found, search) = (Vec::new(), self.begin());
        for (count, node) in set.iter().enumerate() {
            Progress::nodes(count + 1, ASK_EVERY, budget)?;
            let range = self.first[*node as usize]..self.first[*node as usize + 1];
            for &(label, target) in &self.steps[range] {
                if wanted(label) && std::mem::replace(&mut self.marks[target as usize], search) != search {
                    found.push(target);
                }
            }
        }
        self.close(found, search, silent, budget)
    }

    /// A set with what silent steps reach from it; in order.
    pub(crate) fn closed(
        &mut self,
        set: &[u32],
        silent: &Silent,
        budget: &dyn Budget,
    ) -> Result<Vec<u32>, Halt> {
        let search = self.begin();
        let mut found = Vec::with_capacity(set.len());
        for node in set {
            if std::mem::replace(&mut self.marks[*node as usize], search) != search {
                found.push(*node);
            }
        }
        self.close(found, search, silent, budget)
    }

    fn begin(&mut self) -> u32 {
        if self.search == u32::MAX {
            self.marks.fill(0);
            self.search = 0;
        }
        self.search += 1;
        self.search
    }

    fn close(
        &mut self,
        mut found: Vec<u32>,
        search: u32,
        silent: &Silent,
        budget: &dyn Budget,
    ) -> Result<Vec<u32>, Halt> {
        let mut next = 0;
        while next < found.len() {
            let node = found[next] as usize;
            next += 1;
            Progress::nodes(next, ASK_EVERY, budget)?;
            for &(label, target) in &self.steps[self.first[node]..self.first[node + 1]] {
                let is_new = || self.marks[target as usize] != search;
                if silent.get(label as usize).copied().unwrap_or(false) && is_new() {
                    self.marks[target as usize] = search;
                    found.push(target);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }
}
