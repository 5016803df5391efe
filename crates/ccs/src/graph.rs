//! Strongly connected components (Tarjan 1972), without recursion: chains of definitions can be long.

/// The components of a graph.
pub(crate) struct Components {
    /// The component of each node. A component has a larger number than those it leads to.
    pub(crate) of: Vec<usize>,
    /// The nodes, such that every node comes after those it leads to, apart from those in its own component.
    pub(crate) order: Vec<usize>,
}

const UNSEEN: usize = usize::MAX;

/// The components of the graph with these edges.
pub(crate) fn components(edges: &[Vec<usize>]) -> Components {
    let count = edges.len();
    let mut result = Components { of: vec![UNSEEN; count], order: Vec::with_capacity(count) };
    let (mut index, mut lowest) = (vec![UNSEEN; count], vec![0; count]);
    let (mut open, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let (mut next_index, mut next_component) = (0, 0);
    for root in 0..count {
        if index[root] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if *edge == 0 {
                index[node] = next_index;
                lowest[node] = next_index;
                next_index += 1;
                open.push(node);
            }
            if let Some(&target) = edges[node].get(*edge) {
                *edge += 1;
                if index[target] == UNSEEN {
                    path.push((target, 0));
                } else if result.of[target] == UNSEEN {
                    lowest[node] = lowest[node].min(index[target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[node]);
            }
            if lowest[node] == index[node] {
                while let Some(member) = open.pop() {
                    result.of[member] = next_component;
                    result.order.push(member);
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_one_component_and_what_is_needed_comes_first() {
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![], vec![0, 4]];
        let found = components(&edges);
        assert_eq!(found.of[1], found.of[2]);
        assert!(found.of[3] < found.of[1] && found.of[1] < found.of[0] && found.of[0] < found.of[4]);
        let position = |node| found.order.iter().position(|other| *other == node);
        assert!(position(3) < position(1) && position(2) < position(0) && position(0) < position(4));
    }

    #[test]
    fn long_chains() {
        let edges: Vec<Vec<usize>> = (1..=100_000).map(|next| vec![next % 100_000]).collect();
        assert!(components(&edges).of.iter().all(|component| *component == 0));
    }
}
