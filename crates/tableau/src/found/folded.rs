//! Wide states folded into the roots of their trees, by one thread.

use servanda_model::StateStore;
use servanda_space::{Numbers, Shape, Tree};

use super::rows::{OpenRows, RowRoom};
use super::table::Mark;

/// What one thread folds states with, and into.
#[derive(Default)]
pub(crate) struct Folded {
    tree: Option<Tree>,
    /// Nodes that were looked up a moment ago with their numbers, each at the place its hash says.
    recent: Vec<(u64, u32)>,
    kept: Vec<u64>,
    hashes: Vec<u64>,
}

/// How many nodes are remembered.
const RECENT: usize = 1 << 12;

impl Folded {
    /// The roots of states, of as many as there is room for, and their hashes.
    pub(super) fn fold<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u64]>,
        shape: &Shape,
        nodes: &OpenRows<'_>,
        room: &mut RowRoom,
    ) -> (&[u64], &[u64]) {
        let tree = self.tree.get_or_insert_with(|| Tree::new(shape));
        if self.recent.is_empty() {
            self.recent.resize(RECENT, (0, 0));
        }
        let mut numbers = Nodes { nodes, room, recent: &mut self.recent };
        self.kept.clear();
        for state in states {
            let Some(root) = tree.fold(state, &mut numbers) else { break };
            self.kept.push(root);
        }
        self.hashes.clear();
        self.hashes.extend(self.kept.iter().map(|root| StateStore::hash(&[*root])));
        (&self.kept, &self.hashes)
    }
}

/// The nodes of trees, to look up and to enter.
struct Nodes<'a, 'f> {
    nodes: &'a OpenRows<'f>,
    room: &'a mut RowRoom,
    recent: &'a mut [(u64, u32)],
}

impl Numbers for &mut Nodes<'_, '_> {
    #[inline]
    fn number(&mut self, word: u64) -> Option<u32> {
        let hash = StateStore::hash(&[word]);
        // No row has the number 0.
        let recent = &mut self.recent[(hash >> 32) as usize % RECENT];
        if recent.0 == word && recent.1 != 0 {
            return Some(recent.1);
        }
        match self.nodes.enter(&[word], hash, self.room) {
            Mark::New(mark) | Mark::Known(mark) => {
                *recent = (word, mark as u32);
                Some(mark as u32)
            }
            Mark::NoRoom => None,
        }
    }
}
