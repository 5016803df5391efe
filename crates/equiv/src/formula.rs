//! Formulas of Hennessy-Milner logic, with shared parts.

use rustc_hash::FxHashMap;
use servanda_lts::Action;

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(pub u32);

impl FormulaId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula whose parts have smaller numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Always.
    True,
    /// Not so.
    Not(FormulaId),
    /// All of them; at least two.
    All(Vec<FormulaId>),
    /// `<a>φ`: a step with this label to a state with `φ`.
    Step {
        /// The label.
        action: Action,
        /// What holds afterwards.
        then: FormulaId,
    },
    /// `<<a>>φ`: the same with any number of internal steps before and after. For the internal label no step is needed:
    /// `<<>>φ`.
    Weak {
        /// The label.
        action: Action,
        /// What holds afterwards.
        then: FormulaId,
    },
    /// `<ψ tau* a>φ`: any number of internal steps through states with `ψ`, the last of them included, and then a step
    /// with this label to a state with `φ`. For the internal label, `<ψ tau*>φ`, no last step is needed: there is a state
    /// with `φ`, and all states before it have `ψ`.
    Until {
        /// What holds until then.
        hold: FormulaId,
        /// The label.
        action: Action,
        /// What holds afterwards.
        then: FormulaId,
    },
}

impl Node {
    /// Its parts.
    pub(crate) fn parts(&self) -> Vec<FormulaId> {
        match self {
            Node::True => Vec::new(),
            Node::Not(part) | Node::Step { then: part, .. } | Node::Weak { then: part, .. } => vec![*part],
            Node::All(parts) => parts.clone(),
            Node::Until { hold, then, .. } => vec![*hold, *then],
        }
    }
}

/// A formula: nodes, parts before wholes, the last one being the formula itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    nodes: Vec<Node>,
}

impl Formula {
    /// The formula itself.
    pub fn root(&self) -> FormulaId {
        FormulaId(self.nodes.len() as u32 - 1)
    }

    /// A node.
    pub fn node(&self, id: FormulaId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The nodes, parts before wholes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many modalities are nested.
    pub fn depth(&self) -> u32 {
        let mut depths: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let below = node.parts().iter().map(|part| depths[part.index()]).max().unwrap_or(0);
            depths.push(below + u32::from(!matches!(node, Node::True | Node::Not(_) | Node::All(_))));
        }
        depths.last().copied().unwrap_or(0)
    }

    /// How many nodes it has when nothing is shared.
    pub fn size(&self) -> u64 {
        let mut sizes: Vec<u64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let parts = node.parts();
            sizes.push(parts.iter().fold(1, |sum: u64, part| sum.saturating_add(sizes[part.index()])));
        }
        sizes.last().copied().unwrap_or(0)
    }
}

/// Makes formulas, each node once.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) nodes: Vec<Node>,
    numbers: FxHashMap<Node, FormulaId>,
}

impl Builder {
    pub(crate) fn add(&mut self, node: Node) -> FormulaId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let id = FormulaId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.numbers.insert(node, id);
        id
    }

    pub(crate) fn not(&mut self, formula: FormulaId) -> FormulaId {
        match self.nodes[formula.index()] {
            Node::Not(inner) => inner,
            _ => self.add(Node::Not(formula)),
        }
    }

    pub(crate) fn all(&mut self, mut parts: Vec<FormulaId>) -> FormulaId {
        parts.sort_unstable();
        parts.dedup();
        match parts.as_slice() {
            [] => self.add(Node::True),
            [one] => *one,
            _ => self.add(Node::All(parts)),
        }
    }

    /// The formula with nothing but its own nodes, each changed on the way.
    pub(crate) fn extract(&self, root: FormulaId, change: impl Fn(Node) -> Node) -> Formula {
        let mut used = vec![false; root.index() + 1];
        used[root.index()] = true;
        for at in (0..=root.index()).rev() {
            if used[at] {
                for part in self.nodes[at].parts() {
                    used[part.index()] = true;
                }
            }
        }
        let mut number = vec![FormulaId(0); root.index() + 1];
        let mut nodes = Vec::new();
        for at in (0..=root.index()).filter(|at| used[*at]) {
            let new = |id: &FormulaId| number[id.index()];
            let node = match &self.nodes[at] {
                Node::True => Node::True,
                Node::Not(part) => Node::Not(new(part)),
                Node::All(parts) => Node::All(parts.iter().map(new).collect()),
                Node::Step { action, then } => Node::Step { action: *action, then: new(then) },
                Node::Weak { action, then } => Node::Weak { action: *action, then: new(then) },
                Node::Until { hold, action, then } => {
                    Node::Until { hold: new(hold), action: *action, then: new(then) }
                }
            };
            number[at] = FormulaId(nodes.len() as u32);
            nodes.push(change(node));
        }
        Formula { nodes }
    }
}
