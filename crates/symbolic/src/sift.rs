//! Sifting: moving groups of variables to where the diagrams are smallest (Rudell).
//!
//! The static order is good for most models. Where the diagrams grow nevertheless, each group (the bits of one variable, now and
//! next, or of one action) is moved through all positions and left at the best. It is done between operations, and only when
//! the *live* nodes have grown: a trigger that counts dead ones would sift for ever.
//!
//! Two neighbouring levels are exchanged by looking at their nodes alone. Nodes that nobody needs any more go at once, so that after one
//! collection at the beginning the number of nodes is always that of the live ones.

use oxidd::{HasLevel, Manager, VarNo};
use oxidd_core::LevelView;
use servanda_engine::Halt;

/// A direction is given up when the diagrams have grown by this much.
const MOST_GROWTH: f64 = 1.2;

/// Sifting goes on with the next group as long as the exchanges so far have gone over fewer nodes than so many times all.
const MOST_PASSES: usize = 50;

/// Moves every group to its best position, those with the most nodes first; returns the new order of the groups, given as positions in
/// the old one. There is never need for more than `room` nodes. `poll` is told how many nodes there are between moves.
pub(crate) fn sift<M: Manager>(
    manager: &mut M,
    groups: &[Vec<VarNo>],
    room: usize,
    poll: &mut dyn FnMut(usize) -> Result<(), Halt>,
) -> Result<Vec<usize>, Halt>
where
    M::InnerNode: HasLevel,
{
    manager.gc();
    manager.reorder(|manager| {
        let start = manager.num_inner_nodes();
        let mut sifting = Sifting { manager, groups, room, order: (0..groups.len()).collect(), work: 0 };
        let sizes: Vec<usize> = (0..groups.len()).map(|group| sifting.size(group)).collect();
        let mut by_size = sifting.order.clone();
        by_size.sort_by_key(|group| std::cmp::Reverse(sizes[*group]));
        for group in by_size {
            if sifting.work > MOST_PASSES * start {
                break;
            }
            sifting.place(group, poll)?;
        }
        Ok(sifting.order)
    })
}

struct Sifting<'a, M> {
    manager: &'a mut M,
    groups: &'a [Vec<VarNo>],
    room: usize,
    /// The groups from top to bottom.
    order: Vec<usize>,
    /// The nodes that exchanges have gone over.
    work: usize,
}

impl<M: Manager> Sifting<'_, M>
where
    M::InnerNode: HasLevel,
{
    /// The nodes of a variable.
    fn nodes_of(&self, variable: VarNo) -> usize {
        self.manager.level(self.manager.var_to_level(variable)).len()
    }

    /// The nodes of a group.
    fn size(&self, group: usize) -> usize {
        self.groups[group].iter().map(|variable| self.nodes_of(*variable)).sum()
    }

    /// Moves a group to its best position.
    fn place(&mut self, group: usize, poll: &mut dyn FnMut(usize) -> Result<(), Halt>) -> Result<(), Halt> {
        let start = self.order.iter().position(|other| *other == group).unwrap_or(0);
        let mut best = (self.manager.num_inner_nodes(), start);
        let limit = (best.0 as f64 * MOST_GROWTH) as usize;
        let mut at = start;
        // The nearer end first, since the way back is long.
        let down_first = start * 2 > self.order.len();
        for down in [down_first, !down_first] {
            while if down { at + 1 < self.order.len() } else { at > 0 } {
                poll(self.manager.num_inner_nodes())?;
                if !self.exchange(if down { at } else { at - 1 }) {
                    break;
                }
                at = if down { at + 1 } else { at - 1 };
                let nodes = self.manager.num_inner_nodes();
                if nodes < best.0 {
                    best = (nodes, at);
                }
                if nodes > limit {
                    break;
                }
            }
        }
        while at != best.1 {
            // The same exchanges backwards need no more room than before.
            self.exchange(if at < best.1 { at } else { at - 1 });
            at = if at < best.1 { at + 1 } else { at - 1 };
        }
        Ok(())
    }

    /// Exchanges the group at a position with the next one; `false`, with everything as before, where there is no room for it.
    fn exchange(&mut self, at: usize) -> bool {
        let (upper, lower) = (&self.groups[self.order[at]], &self.groups[self.order[at + 1]]);
        let mut done: Vec<[VarNo; 2]> = Vec::new();
        // Each variable of the upper group, the lowest first, moves down past all of the lower.
        for up in upper.iter().rev() {
            for down in lower {
                let own = self.nodes_of(*up) + self.nodes_of(*down);
                self.work += own;
                // Room for the exchange and for its reverse: without any, the library ends the program.
                if self.manager.num_inner_nodes() + 4 * own > self.room {
                    for [up, down] in done.into_iter().rev() {
                        oxidd_reorder::set_var_order_seq(self.manager, &[up, down]);
                    }
                    return false;
                }
                oxidd_reorder::set_var_order_seq(self.manager, &[*down, *up]);
                done.push([*up, *down]);
            }
        }
        self.order.swap(at, at + 1);
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::diagrams::{Diagrams, Operations};
    use oxidd::VarNo;

    const PAIRS: VarNo = 10;

    /// Pairs of bits that are equal, far from each other, with room for so many nodes; and its size before and after sifting.
    fn sifted(room: usize) -> (usize, usize) {
        let diagrams = Diagrams::new(1 << 16, 20);
        diagrams.add_variables(2 * PAIRS as usize);
        let mut equal = diagrams.truth();
        for index in 0..PAIRS {
            let (x, y) = (diagrams.variable(index).unwrap(), diagrams.variable(PAIRS + index).unwrap());
            equal = equal.both(&x.same(&y).unwrap()).unwrap();
        }
        let (size, count) = (equal.size(), diagrams.count(&equal, 2 * PAIRS as usize));
        let groups: Vec<Vec<VarNo>> = (0..2 * PAIRS).map(|variable| vec![variable]).collect();
        let mut told = 0;
        let order = diagrams.sift(&groups, room, &mut |nodes| {
            told = told.max(nodes);
            Ok(())
        });
        assert!(told <= room.max(size + 2 * PAIRS as usize), "{told} nodes");
        let levels = diagrams.levels();
        assert!(order.unwrap().is_sorted_by_key(|group| levels[*group]), "the order is as told");
        assert_eq!(diagrams.count(&equal, 2 * PAIRS as usize), count);
        (size, equal.size())
    }

    #[test]
    fn sifting_brings_what_is_compared_together() {
        let (before, after) = sifted(1 << 16);
        assert!(before > 1000, "the order is bad: {before}");
        assert!(after < 100, "the order is good: {after}");
    }

    #[test]
    fn sifting_without_room_changes_nothing() {
        let (before, after) = sifted(1000);
        assert_eq!(before, after);
    }
}
