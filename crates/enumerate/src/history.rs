//! Remembered past: nodes split by history (the subset construction).
//!
//! A history of a run fixes which positions of a tableau its present can be at. Two histories that allow the same
//! positions agree on ψ for ever after, so a node of the new graph is an old node with the set of positions its
//! history allows. For pure past the set never has more than one past in it.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Progress};

use crate::Halt;
use crate::graph::Graph;
use crate::tableau::Tableau;

/// The graph whose nodes remember what the tableau asks of the past.
pub(crate) struct Remembered {
    pub(crate) graph: Graph,
    /// The node that each new node was.
    pub(crate) was: Vec<usize>,
    /// Where `E ψ` holds.
    pub(crate) holds: Vec<bool>,
}

struct Splitter<'a> {
    old: &'a Graph,
    tableau: &'a Tableau,
    numbers: FxHashMap<(usize, Vec<u32>), usize>,
    found: Vec<(usize, Vec<u32>)>,
}

impl Splitter<'_> {
    fn number(&mut self, node: usize, positions: Vec<u32>) -> usize {
        let key = (node, positions);
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        self.found.push(key.clone());
        self.numbers.insert(key, self.found.len() - 1);
        self.found.len() - 1
    }

    fn start(&mut self, node: usize) -> usize {
        let positions = self.tableau.at_start(self.old, node);
        self.number(node, positions)
    }
}

/// Splits every node by the histories that lead to it.
pub(crate) fn split(old: &Graph, tableau: &Tableau, budget: &dyn Budget) -> Result<Remembered, Halt> {
    let mut splitter = Splitter { old, tableau, numbers: FxHashMap::default(), found: Vec::new() };
    let mut graph = Graph { first: vec![0], ..Graph::default() };
    graph.initial = old.initial.iter().map(|node| splitter.start(*node)).collect();
    graph.initial.sort_unstable();
    graph.initial.dedup();
    // Runs first: what they do not reach is no point of a run, even where its state is reachable.
    explore(&mut splitter, &mut graph, true, budget)?;
    for node in old.roots() {
        splitter.start(node);
    }
    explore(&mut splitter, &mut graph, false, budget)?;
    let holds = splitter.found.iter().map(|(_, positions)| tableau.holds_at_some(positions)).collect();
    let was = splitter.found.into_iter().map(|(node, _)| node).collect();
    Ok(Remembered { graph, was, holds })
}

fn explore(
    splitter: &mut Splitter<'_>,
    graph: &mut Graph,
    on_run: bool,
    budget: &dyn Budget,
) -> Result<(), Halt> {
    while graph.nodes() < splitter.found.len() {
        let here = graph.nodes();
        Progress::nodes(here, 256, budget)?;
        let (node, positions) = splitter.found[here].clone();
        let mut edges = Vec::new();
        for edge in splitter.old.edges(node) {
            let after = splitter.tableau.after(splitter.old, &positions, edge);
            let target = splitter.number(splitter.old.target[edge], after);
            edges.push((splitter.old.label[edge], target));
        }
        graph.push(splitter.old.state[node], on_run, edges);
    }
    Ok(())
}
