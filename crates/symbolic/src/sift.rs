//! Sifting: moving groups of variables to where the diagrams are smallest (Rudell).
//!
//! The static order is good for most models. Where the diagrams grow nevertheless, each group (the bits of one variable, now and
//! next, or of one action) is moved through all positions and left at the best. It is done between operations, and only when
//! the *live* nodes have grown: a trigger that counts dead ones would sift for ever.

use oxidd::VarNo;
use servanda_engine::Halt;

use crate::diagrams::Diagrams;

/// Every move goes over all nodes, so one sifting makes no more than so many: the largest groups first.
const MOST_MOVES: usize = 400;

/// A direction is given up when the diagrams have grown by this much.
const MOST_GROWTH: f64 = 1.2;

/// Moves every group to its best position, the largest first; returns the new order of the groups, given as positions in
/// the old one. `poll` is called between moves.
pub(crate) fn sift(
    diagrams: &Diagrams,
    groups: &[Vec<VarNo>],
    poll: &mut dyn FnMut() -> Result<(), Halt>,
) -> Result<Vec<usize>, Halt> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let mut by_size: Vec<usize> = order.clone();
    by_size.sort_by_key(|group| std::cmp::Reverse(groups[*group].len()));
    let apply = |order: &[usize]| {
        let variables: Vec<VarNo> = order.iter().flat_map(|group| groups[*group].iter().copied()).collect();
        diagrams.set_order(&variables);
        diagrams.live_nodes()
    };
    let mut moves = 0;
    for group in by_size {
        if moves >= MOST_MOVES {
            break;
        }
        let start = order.iter().position(|other| *other == group).unwrap_or(0);
        let mut best = (diagrams.live_nodes(), start);
        let limit = (best.0 as f64 * MOST_GROWTH) as usize;
        let mut at = start;
        // The nearer end first, since the way back is long.
        let down_first = start * 2 > groups.len();
        for down in [down_first, !down_first] {
            loop {
                let next = if down { at + 1 } else { at.wrapping_sub(1) };
                if next >= groups.len() {
                    break;
                }
                order.swap(at, next);
                at = next;
                poll()?;
                moves += 1;
                let nodes = apply(&order);
                if nodes < best.0 {
                    best = (nodes, at);
                }
                if nodes > limit {
                    break;
                }
            }
        }
        let moved = order.remove(at);
        order.insert(best.1, moved);
        apply(&order);
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagrams::Operations;

    #[test]
    fn sifting_brings_what_is_compared_together() {
        const PAIRS: VarNo = 10;
        let diagrams = Diagrams::new(1 << 16, 20);
        diagrams.add_variables(2 * PAIRS as usize);
        let mut equal = diagrams.truth();
        for index in 0..PAIRS {
            let (x, y) = (diagrams.variable(index).unwrap(), diagrams.variable(PAIRS + index).unwrap());
            equal = equal.both(&x.same(&y).unwrap()).unwrap();
        }
        assert!(equal.size() > 1000, "the order is bad: {}", equal.size());
        let before = diagrams.count(&equal, 2 * PAIRS as usize);
        let groups: Vec<Vec<VarNo>> = (0..2 * PAIRS).map(|variable| vec![variable]).collect();
        sift(&diagrams, &groups, &mut || Ok(())).unwrap();
        assert!(equal.size() < 100, "the order is good: {}", equal.size());
        assert_eq!(diagrams.count(&equal, 2 * PAIRS as usize), before);
    }
}
