//! And-inverter graphs: two-input conjunctions and negations, each distinct gate stored once.

use std::convert::Infallible;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_algebra::{Algebra, balanced};
use servanda_engine::Halt;

/// Up to so many nodes are looked at one by one; beyond, all that come before the last are gone through.
const SMALL: usize = 20_000;

/// A reference to a node, possibly negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge(u32);

impl Edge {
    /// The constant false.
    pub const FALSE: Edge = Edge(0);
    /// The constant true.
    pub const TRUE: Edge = Edge(1);

    /// The edge to a node by its number, not negated.
    pub fn to_node(node: usize) -> Edge {
        Edge((node as u32) << 1)
    }

    /// A constant.
    pub fn constant(value: bool) -> Edge {
        if value { Edge::TRUE } else { Edge::FALSE }
    }

    /// The number of the node it leads to.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Is it negated?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The same edge, negated if `negate`.
    fn negated_if(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// A node of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The constant false; node 0 and no other.
    False,
    /// A free input.
    Input,
    /// A conjunction. Both edges lead to nodes with smaller numbers.
    And(Edge, Edge),
}

/// An and-inverter graph. It only grows; the numbers of nodes are a topological order.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    gates: FxHashMap<(Edge, Edge), u32>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph::new()
    }
}

impl Graph {
    /// A graph of constants.
    pub fn new() -> Self {
        Graph { nodes: vec![Node::False], gates: FxHashMap::default() }
    }

    /// A node.
    pub fn node(&self, node: usize) -> Node {
        self.nodes[node]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there nothing but constants?
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// A new input.
    pub fn input(&mut self) -> Edge {
        self.nodes.push(Node::Input);
        Edge::to_node(self.nodes.len() - 1)
    }

    /// `a & b`
    pub fn and(&mut self, a: Edge, b: Edge) -> Edge {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Edge::FALSE || a == !b {
            return Edge::FALSE;
        }
        if a == Edge::TRUE || a == b {
            return b;
        }
        if let Some(&gate) = self.gates.get(&(a, b)) {
            return Edge::to_node(gate as usize);
        }
        if let Some(simpler) = self.simpler(a, b) {
            return simpler;
        }
        let gate = self.nodes.len();
        self.nodes.push(Node::And(a, b));
        self.gates.insert((a, b), gate as u32);
        Edge::to_node(gate)
    }

    /// A conjunction that one operand already decides or contains.
    fn simpler(&self, a: Edge, b: Edge) -> Option<Edge> {
        for (one, other) in [(a, b), (b, a)] {
            if let Node::And(x, y) = self.nodes[other.node()] {
                if other.is_negated() {
                    // a & !(!a & y) = a
                    if one == !x || one == !y {
                        return Some(one);
                    }
                } else {
                    if one == x || one == y {
                        return Some(other);
                    }
                    if one == !x || one == !y {
                        return Some(Edge::FALSE);
                    }
                }
            }
        }
        None
    }

    /// `a | b`
    pub fn or(&mut self, a: Edge, b: Edge) -> Edge {
        !self.and(!a, !b)
    }

    /// `a & !b`
    pub fn without(&mut self, a: Edge, b: Edge) -> Edge {
        self.and(a, !b)
    }

    /// `a -> b`
    pub fn implies(&mut self, a: Edge, b: Edge) -> Edge {
        !self.and(a, !b)
    }

    /// `a` and `b` have the same value.
    pub fn same(&mut self, a: Edge, b: Edge) -> Edge {
        !self.differs(a, b)
    }

    /// `a` and `b` have different values.
    pub fn differs(&mut self, a: Edge, b: Edge) -> Edge {
        let one = self.and(a, !b);
        let other = self.and(!a, b);
        self.or(one, other)
    }

    /// `yes` where the condition holds, otherwise `no`.
    pub fn choose(&mut self, condition: Edge, yes: Edge, no: Edge) -> Edge {
        if yes == no {
            return yes;
        }
        let yes = self.and(condition, yes);
        let no = self.and(!condition, no);
        self.or(yes, no)
    }

    /// Conjunction of many, as a shallow tree.
    pub fn all(&mut self, edges: &[Edge]) -> Edge {
        let Ok(all) = balanced(edges, Edge::TRUE, &mut |a, b| Ok::<_, Infallible>(self.and(*a, *b)));
        all
    }

    /// Disjunction of many, as a shallow tree.
    pub fn any(&mut self, edges: &[Edge]) -> Edge {
        let Ok(any) = balanced(edges, Edge::FALSE, &mut |a, b| Ok::<_, Infallible>(self.or(*a, *b)));
        any
    }

    /// The nodes on which some edges depend, in topological order.
    pub fn cone(&self, roots: &[Edge]) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let mut todo: Vec<usize> = roots.iter().map(|root| root.node()).collect();
        let mut found = Vec::new();
        while let Some(node) = todo.pop() {
            if seen.insert(node) {
                found.push(node);
                if let Node::And(a, b) = self.nodes[node] {
                    todo.extend([a.node(), b.node()]);
                }
                if found.len() > SMALL {
                    return self.large_cone(roots);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The same with one mark per node: a table of those seen would be the larger part of the work.
    fn large_cone(&self, roots: &[Edge]) -> Vec<usize> {
        let last = roots.iter().map(|root| root.node()).max().unwrap_or(0);
        let mut seen = vec![false; last + 1];
        roots.iter().for_each(|root| seen[root.node()] = true);
        for node in (0..=last).rev() {
            if let (true, Node::And(a, b)) = (seen[node], self.nodes[node]) {
                seen[a.node()] = true;
                seen[b.node()] = true;
            }
        }
        (0..=last).filter(|node| seen[*node]).collect()
    }

    /// The same functions with other edges in place of some inputs.
    pub fn substitute(&mut self, roots: &[Edge], inputs: &FxHashMap<usize, Edge>) -> Vec<Edge> {
        let cone = self.cone(roots);
        if cone.len() > SMALL {
            return self.substitute_in(&cone, roots, inputs);
        }
        let mut images: FxHashMap<usize, Edge> = FxHashMap::default();
        let image =
            |images: &FxHashMap<usize, Edge>, edge: Edge| images[&edge.node()].negated_if(edge.is_negated());
        for node in cone {
            let edge = match self.nodes[node] {
                Node::False => Edge::FALSE,
                Node::Input => inputs.get(&node).copied().unwrap_or(Edge::to_node(node)),
                Node::And(a, b) => {
                    let (a, b) = (image(&images, a), image(&images, b));
                    self.and(a, b)
                }
            };
            images.insert(node, edge);
        }
        roots.iter().map(|root| image(&images, *root)).collect()
    }

    /// The same for a large cone, with a row of images in place of a table.
    fn substitute_in(
        &mut self,
        cone: &[usize],
        roots: &[Edge],
        inputs: &FxHashMap<usize, Edge>,
    ) -> Vec<Edge> {
        let mut images = vec![Edge::FALSE; cone.last().map_or(0, |last| last + 1)];
        let image = |images: &[Edge], edge: Edge| images[edge.node()].negated_if(edge.is_negated());
        for &node in cone {
            images[node] = match self.nodes[node] {
                Node::False => Edge::FALSE,
                Node::Input => inputs.get(&node).copied().unwrap_or(Edge::to_node(node)),
                Node::And(a, b) => {
                    let (a, b) = (image(&images, a), image(&images, b));
                    self.and(a, b)
                }
            };
        }
        roots.iter().map(|root| image(&images, *root)).collect()
    }

    /// The values of some edges where the inputs have these values; an input that is not mentioned is false.
    pub fn values(&self, roots: &[Edge], inputs: &FxHashMap<usize, bool>) -> Vec<bool> {
        let mut values: FxHashMap<usize, bool> = FxHashMap::default();
        for node in self.cone(roots) {
            let value = match self.nodes[node] {
                Node::False => false,
                Node::Input => inputs.get(&node).copied().unwrap_or(false),
                Node::And(a, b) => {
                    (values[&a.node()] ^ a.is_negated()) && (values[&b.node()] ^ b.is_negated())
                }
            };
            values.insert(node, value);
        }
        roots.iter().map(|root| values[&root.node()] ^ root.is_negated()).collect()
    }
}

impl Graph {
    /// The values of some edges as far as these values of inputs decide them.
    pub fn ternary(&self, roots: &[Edge], inputs: &FxHashMap<usize, bool>) -> Vec<Option<bool>> {
        let mut values: FxHashMap<usize, Option<bool>> = FxHashMap::default();
        let of = |values: &FxHashMap<usize, Option<bool>>, edge: Edge| {
            values[&edge.node()].map(|value| value ^ edge.is_negated())
        };
        for node in self.cone(roots) {
            let value = match self.nodes[node] {
                Node::False => Some(false),
                Node::Input => inputs.get(&node).copied(),
                Node::And(a, b) => match (of(&values, a), of(&values, b)) {
                    (Some(true), other) | (other, Some(true)) => other,
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (None, None) => None,
                },
            };
            values.insert(node, value);
        }
        roots.iter().map(|root| of(&values, *root)).collect()
    }
}

impl Algebra for Graph {
    type Function = Edge;

    const READS_ALL_CODES: bool = false;
    const LAYERED: bool = false;

    fn constant(&self, value: bool) -> Edge {
        Edge::constant(value)
    }

    fn not(&mut self, a: &Edge) -> Result<Edge, Halt> {
        Ok(!*a)
    }

    fn and(&mut self, a: &Edge, b: &Edge) -> Result<Edge, Halt> {
        Ok(self.and(*a, *b))
    }

    fn or(&mut self, a: &Edge, b: &Edge) -> Result<Edge, Halt> {
        Ok(self.or(*a, *b))
    }

    fn without(&mut self, a: &Edge, b: &Edge) -> Result<Edge, Halt> {
        Ok(self.without(*a, *b))
    }

    fn differs(&mut self, a: &Edge, b: &Edge) -> Result<Edge, Halt> {
        Ok(self.differs(*a, *b))
    }

    fn same(&mut self, a: &Edge, b: &Edge) -> Result<Edge, Halt> {
        Ok(self.same(*a, *b))
    }

    fn choose(&mut self, condition: &Edge, yes: &Edge, no: &Edge) -> Result<Edge, Halt> {
        Ok(self.choose(*condition, *yes, *no))
    }
}
