//! Strongly connected components: R. Tarjan, "Depth-first search and linear graph algorithms" (1972). And partitions into nodes that
//! cannot be told apart.
//!
//! Without recursion, since graphs can be deep; over any graph whose nodes have numbers and whose successors can be gone through
//! one after the other.
//!
//! ```
//! let found = servanda_graph::components_of(&[vec![1], vec![2], vec![1, 3], vec![]]);
//! assert_eq!(found.of, [2, 1, 1, 0]);
//! ```

mod fair;

use std::convert::Infallible;
use std::hash::Hash;

use rustc_hash::FxHashMap;

pub use fair::Demanding;

const UNSEEN: u32 = u32::MAX;

/// What stands for the lowest number of a node whose component has been found.
const FINISHED: u32 = u32::MAX;

/// The components of a graph.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// The component of each node. A component has a larger number than those it leads to.
    pub of: Vec<usize>,
    /// The nodes component by component, so that every node comes after those it leads to, apart from those in its own component.
    pub order: Vec<usize>,
}

/// The components of the graph with these edges.
pub fn components_of(edges: &[Vec<usize>]) -> Components {
    components(edges.len(), |node, at| edges[node].get(at).copied())
}

/// The components of a graph whose nodes are the numbers below `count`; `successor` gives the successors of a node by their position.
pub fn components(count: usize, mut successor: impl FnMut(usize, usize) -> Option<usize>) -> Components {
    let mut result = Components { of: vec![0; count], order: Vec::with_capacity(count) };
    let mut number = 0;
    let next = |node: usize, at: &mut usize| {
        *at += 1;
        successor(node, *at - 1)
    };
    let visit = |component: &[usize]| {
        component.iter().for_each(|node| result.of[*node] = number);
        result.order.extend(component.iter().rev());
        number += 1;
    };
    let Ok(()) = try_for_each_component(count, |_| 0, next, || Ok::<(), Infallible>(()), visit);
    result
}

/// Calls `visit` with every component, those that others lead to first. `begin` makes what is needed to go through the successors of a
/// node, and `next` gives one after the other; `go_on` is asked at every node.
///
/// # Errors
///
/// When `go_on` does not agree.
///
/// # Panics
///
/// When there are more than 2^32 nodes.
pub fn try_for_each_component<C, E>(
    count: usize,
    mut begin: impl FnMut(usize) -> C,
    mut next: impl FnMut(usize, &mut C) -> Option<usize>,
    mut go_on: impl FnMut() -> Result<(), E>,
    mut visit: impl FnMut(&[usize]),
) -> Result<(), E> {
    assert!(u32::try_from(count).is_ok_and(|count| count < UNSEEN), "fewer than 2^32 nodes");
    let (mut index, mut lowest) = (vec![UNSEEN; count], vec![0; count]);
    let (mut open, mut path): (Vec<usize>, Vec<(usize, C)>) = (Vec::new(), Vec::new());
    let mut seen = 0;
    for root in 0..count {
        if index[root] != UNSEEN {
            continue;
        }
        let mut entered = Some(root);
        loop {
            if let Some(node) = entered.take() {
                go_on()?;
                (index[node], lowest[node]) = (seen, seen);
                seen += 1;
                open.push(node);
                path.push((node, begin(node)));
            }
            let Some((node, successors)) = path.last_mut() else { break };
            let node = *node;
            if let Some(target) = next(node, successors) {
                if index[target] == UNSEEN {
                    entered = Some(target);
                } else if lowest[target] != FINISHED {
                    lowest[node] = lowest[node].min(index[target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[node]);
            }
            if lowest[node] == index[node] {
                let start = open.iter().rposition(|other| *other == node).unwrap_or(0);
                visit(&open[start..]);
                open.drain(start..).for_each(|member| lowest[member] = FINISHED);
            }
        }
    }
    Ok(())
}

/// The class of each node in the coarsest partition in which nodes of one class look the same; `look` sees a node among the classes so
/// far. For small graphs: each round looks at all nodes.
pub fn indistinguishable<S: Hash + Eq>(count: usize, look: impl Fn(usize, &[usize]) -> S) -> Vec<usize> {
    let (mut classes, mut known) = (vec![0; count], 0);
    loop {
        let mut numbers = FxHashMap::default();
        let mut number = |node: usize| {
            let fresh = numbers.len();
            *numbers.entry((classes[node], look(node, &classes))).or_insert(fresh)
        };
        let refined = (0..count).map(&mut number).collect();
        classes = refined;
        if std::mem::replace(&mut known, numbers.len()) == numbers.len() {
            return classes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_one_component_and_what_is_needed_comes_first() {
        let found = components_of(&[vec![1], vec![2], vec![1, 3], vec![], vec![0, 4]]);
        assert_eq!(found.of[1], found.of[2]);
        assert!(found.of[3] < found.of[1] && found.of[1] < found.of[0] && found.of[0] < found.of[4]);
        let position = |node| found.order.iter().position(|other| *other == node);
        assert!(position(3) < position(1) && position(2) < position(0) && position(0) < position(4));
    }

    #[test]
    fn long_chains() {
        let edges: Vec<Vec<usize>> = (1..=100_000).map(|next| vec![next % 100_000]).collect();
        assert!(components_of(&edges).of.iter().all(|component| *component == 0));
    }
}
