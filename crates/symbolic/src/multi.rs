//! Sets as multi-valued decision diagrams: one level per digit of a state, a child for each value of the digit.
//!
//! Every path goes through all levels, so that a node's level follows from where it is met and need not be kept. Children at the end that
//! are empty are left out. Nodes are kept until all are dropped together: while states are found from the bottom of the order upwards few
//! are made in vain, and who does not count who needs a node makes nodes several times faster. Between questions they are kept as long
//! as there is room ([`Kept`]), so that sets which are asked about again need not be made again.

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use servanda_engine::{Budget, Halt, Progress};
use std::hash::BuildHasher;

use crate::diagrams::no_room;

/// A set, as a diagram.
pub(crate) type Node = u32;

/// The empty set.
pub(crate) const EMPTY: Node = 0;
/// What is below the last level.
pub(crate) const END: Node = 1;
/// All there is, where a set only bounds others.
pub(crate) const ALL: Node = u32::MAX;

/// The budget is asked each time so many results have been made.
const POLLED: usize = 1 << 12;

/// Nodes, each once, and what is known of them for good.
pub(crate) struct Kept {
    /// Where the children of each node begin; those of the next node begin where they end.
    first: Vec<u32>,
    children: Vec<Node>,
    table: HashTable<Node>,
    unions: FxHashMap<(Node, Node), Node>,
    intersections: FxHashMap<(Node, Node), Node>,
}

impl Default for Kept {
    /// The empty set and what is below the last level.
    fn default() -> Self {
        Kept {
            first: vec![0; 3],
            children: Vec::new(),
            table: HashTable::new(),
            unions: FxHashMap::default(),
            intersections: FxHashMap::default(),
        }
    }
}

impl Kept {
    /// How many words this takes, roughly.
    pub(crate) fn words(&self) -> usize {
        self.children.len() + 4 * (self.first.len() + self.unions.len() + self.intersections.len())
    }
}

/// The nodes of diagrams while something is found out about them.
pub(crate) struct Nodes<'b> {
    budget: &'b dyn Budget,
    /// Room for so many words.
    room: usize,
    /// So many results may be made.
    most_results: usize,
    kept: Kept,
    /// Children of nodes that are being made.
    pub(crate) making: Vec<Node>,
    /// How many results have been made.
    pub(crate) made: usize,
}

impl<'b> Nodes<'b> {
    /// The nodes that are there already, and room for about as many as binary diagrams would have; so many results may be made.
    pub(crate) fn new(kept: Kept, nodes: usize, most_results: usize, budget: &'b dyn Budget) -> Self {
        Nodes { budget, room: words_for(nodes), most_results, kept, making: Vec::new(), made: 0 }
    }

    /// The nodes, for another question.
    pub(crate) fn keep(self) -> Kept {
        self.kept
    }

    /// How many values a node has children for.
    pub(crate) fn len(&self, node: Node) -> usize {
        let first = &self.kept.first;
        (first[node as usize + 1] - first[node as usize]) as usize
    }

    /// The child of a node for a value.
    pub(crate) fn child(&self, node: Node, value: usize) -> Node {
        if node == ALL {
            return ALL;
        }
        let Kept { first, children, .. } = &self.kept;
        let (first, end) = (first[node as usize] as usize, first[node as usize + 1] as usize);
        if first + value < end { children[first + value] } else { EMPTY }
    }

    /// The node whose children are those being made from a place on.
    pub(crate) fn finish(&mut self, base: usize) -> Result<Node, Halt> {
        while self.making.len() > base && self.making.last() == Some(&EMPTY) {
            self.making.pop();
        }
        let Nodes { kept: Kept { first, children, table, .. }, making, .. } = self;
        let own = &making[base..];
        if own.is_empty() {
            return Ok(EMPTY);
        }
        let of = |node: Node| &children[first[node as usize] as usize..first[node as usize + 1] as usize];
        let hash = FxBuildHasher.hash_one(own);
        let node = match table.find(hash, |node| of(*node) == own) {
            Some(node) => *node,
            None => {
                let node = (first.len() - 1) as Node;
                table.insert_unique(hash, node, |node| FxBuildHasher.hash_one(of(*node)));
                children.extend_from_slice(own);
                let end = u32::try_from(children.len()).map_err(|_| no_room())?;
                first.push(end);
                node
            }
        };
        making.truncate(base);
        Ok(node)
    }

    /// Counts a result and asks the budget now and then. `others` is how many results somebody else remembers.
    pub(crate) fn count(&mut self, others: usize) -> Result<(), Halt> {
        self.made += 1;
        if !self.made.is_multiple_of(POLLED) {
            return Ok(());
        }
        Progress::Deciding { nodes: self.kept.first.len() as u64 }.tell(self.budget)?;
        if self.kept.words() + 4 * others > self.room {
            return Err(no_room());
        }
        if self.made > self.most_results {
            return Err(too_much());
        }
        Ok(())
    }

    /// What is in one set or the other.
    pub(crate) fn union(&mut self, a: Node, b: Node) -> Result<Node, Halt> {
        if a == b || b == EMPTY {
            return Ok(a);
        }
        if a == EMPTY {
            return Ok(b);
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.kept.unions.get(&key) {
            return Ok(*known);
        }
        self.count(0)?;
        let base = self.making.len();
        // Mostly one set contains the other, and then there is no node to be looked for.
        let (mut is_a, mut is_b) = (true, true);
        for value in 0..self.len(a).max(self.len(b)) {
            let (in_a, in_b) = (self.child(a, value), self.child(b, value));
            let child = self.union(in_a, in_b)?;
            is_a &= child == in_a;
            is_b &= child == in_b;
            self.making.push(child);
        }
        let node = if is_a || is_b { if is_a { a } else { b } } else { self.finish(base)? };
        self.making.truncate(base);
        self.kept.unions.insert(key, node);
        Ok(node)
    }

    /// What is in both sets.
    pub(crate) fn intersection(&mut self, a: Node, b: Node) -> Result<Node, Halt> {
        if a == b || b == ALL {
            return Ok(a);
        }
        if a == EMPTY || b == EMPTY {
            return Ok(EMPTY);
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.kept.intersections.get(&key) {
            return Ok(*known);
        }
        self.count(0)?;
        let base = self.making.len();
        for value in 0..self.len(a).min(self.len(b)) {
            let child = self.intersection(self.child(a, value), self.child(b, value))?;
            self.making.push(child);
        }
        let node = self.finish(base)?;
        self.kept.intersections.insert(key, node);
        Ok(node)
    }
}

/// The words that take about as much room as so many nodes of binary diagrams.
pub(crate) fn words_for(nodes: usize) -> usize {
    8 * nodes
}

/// What is asked for is better found in another way.
pub(crate) fn too_much() -> Halt {
    Halt::TooLarge("saturation takes too many steps".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use servanda_engine::NoLimits;

    /// The set of some pairs of digits below 4.
    fn set(nodes: &mut Nodes<'_>, pairs: &[(usize, usize)]) -> Node {
        let base = nodes.making.len();
        for first in 0..4 {
            let inner = nodes.making.len();
            for second in 0..4 {
                nodes.making.push(if pairs.contains(&(first, second)) { END } else { EMPTY });
            }
            let child = nodes.finish(inner).unwrap();
            nodes.making.push(child);
        }
        nodes.finish(base).unwrap()
    }

    #[test]
    fn equal_sets_are_one_node() {
        let mut nodes = Nodes::new(Kept::default(), 1 << 10, usize::MAX, &NoLimits);
        let a = set(&mut nodes, &[(0, 1), (2, 3)]);
        let b = set(&mut nodes, &[(2, 3), (3, 0)]);
        let union = set(&mut nodes, &[(0, 1), (2, 3), (3, 0)]);
        let intersection = set(&mut nodes, &[(2, 3)]);
        assert_eq!(nodes.union(a, b).unwrap(), union);
        assert_eq!(nodes.intersection(b, a).unwrap(), intersection);
        assert_eq!(nodes.intersection(union, a).unwrap(), a);
        assert_eq!(set(&mut nodes, &[]), EMPTY);
    }
}
