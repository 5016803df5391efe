//! The core logic: a handful of node kinds, each distinct node stored once.

use rustc_hash::FxHashMap;
use servanda_model::{AgentId, Expr, LabelId};

macro_rules! core_index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

core_index! {
    /// A node of an [`Arena`].
    CoreId
}
core_index! {
    /// A state proposition of an [`Arena`].
    PropositionId
}
core_index! {
    /// A set of labels of an [`Arena`].
    LabelSetId
}

/// A node of the core logic. `true`, `Proposition`, `Exists`, `SomePrevious`, `SomePast`, `Committed`, `Knows`, `Able` and
/// booleans of such are state formulas; the rest are path formulas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Core {
    /// Always true.
    True,
    /// A boolean expression over the state.
    Proposition(PropositionId),
    /// The transition that is taken next has one of these labels.
    Does(LabelSetId),
    /// In the round that is taken next the agent takes this action.
    Acts {
        /// Who.
        agent: AgentId,
        /// The position of the action among its actions.
        action: usize,
    },
    /// Negation; never of a negation.
    Not(CoreId),
    /// Conjunction.
    And(CoreId, CoreId),
    /// Disjunction.
    Or(CoreId, CoreId),
    /// Some path.
    Exists(CoreId),
    /// In the next position.
    Next(CoreId),
    /// Strong until.
    Until(CoreId, CoreId),
    /// In the previous position; false in the first.
    Previous(CoreId),
    /// Since.
    Since(CoreId, CoreId),
    /// `EY`
    SomePrevious(CoreId),
    /// `EP`
    SomePast(CoreId),
    /// `SC(debtor, creditor, body)`: the body holds on every path on which every commitment in force of the debtor to
    /// the creditor is kept. Inside a content only the commitments whose contents nest less deeply than `limit` count.
    Committed {
        /// Who owes.
        debtor: AgentId,
        /// To whom.
        creditor: AgentId,
        /// Inside a content of this depth; `None` outside of contents.
        limit: Option<usize>,
        /// What is claimed of those paths.
        body: CoreId,
    },
    /// The body holds at every related point of every run where `correct` all behave correctly.
    Knows {
        /// Which points are related.
        relation: Relation,
        /// Whose local state must be green there.
        correct: Vec<AgentId>,
        /// What is known.
        body: CoreId,
    },
    /// The group can bring about the goal.
    Able {
        /// The coalition.
        group: Vec<AgentId>,
        /// What it tries to bring about.
        goal: Goal,
    },
}

/// Which points of runs a knowledge modality looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// All points.
    Everywhere,
    /// Those that some of these agents cannot tell from here.
    Some(Vec<AgentId>),
    /// Those that none of these agents can tell from here.
    All(Vec<AgentId>),
    /// Those reached by one or more steps of `Some`.
    Common(Vec<AgentId>),
}

/// What a coalition tries to bring about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// `X φ`
    Next(CoreId),
    /// `G φ`
    Globally(CoreId),
    /// `φ U ψ`; `F ψ` is `true U ψ`.
    Until(CoreId, CoreId),
}

/// Core nodes, propositions and label sets without duplicates.
#[derive(Clone, Debug)]
pub struct Arena {
    nodes: Vec<Core>,
    ids: FxHashMap<Core, CoreId>,
    propositions: Vec<Expr>,
    label_sets: Vec<Vec<LabelId>>,
}

impl Default for Arena {
    fn default() -> Self {
        Arena::new()
    }
}

impl Arena {
    /// An arena that holds `true` only.
    pub fn new() -> Self {
        let mut arena = Arena {
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            propositions: Vec::new(),
            label_sets: Vec::new(),
        };
        arena.add(Core::True);
        arena
    }

    /// A node.
    pub fn node(&self, id: CoreId) -> &Core {
        &self.nodes[id.index()]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: `true` is always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The expression of a proposition.
    pub fn proposition_expr(&self, id: PropositionId) -> &Expr {
        &self.propositions[id.index()]
    }

    /// The labels of a set, in increasing order.
    pub fn labels(&self, id: LabelSetId) -> &[LabelId] {
        &self.label_sets[id.index()]
    }

    /// Adds a node unless it is there.
    pub fn add(&mut self, node: Core) -> CoreId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = CoreId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// `true`
    pub fn truth(&mut self) -> CoreId {
        self.add(Core::True)
    }

    /// `false`
    pub fn falsity(&mut self) -> CoreId {
        let truth = self.truth();
        self.add(Core::Not(truth))
    }

    /// `!a`
    pub fn not(&mut self, a: CoreId) -> CoreId {
        match *self.node(a) {
            Core::Not(inner) => inner,
            _ => self.add(Core::Not(a)),
        }
    }

    /// `a & b`, constants and repetitions left out.
    pub fn and(&mut self, a: CoreId, b: CoreId) -> CoreId {
        let (truth, falsity) = (self.truth(), self.falsity());
        match (a, b) {
            (x, y) if x == y => x,
            (x, y) if x == falsity || y == falsity => falsity,
            (x, y) if x == truth => y,
            (x, y) if y == truth => x,
            (x, y) => self.add(Core::And(x, y)),
        }
    }

    /// `a | b`, constants and repetitions left out.
    pub fn or(&mut self, a: CoreId, b: CoreId) -> CoreId {
        let (truth, falsity) = (self.truth(), self.falsity());
        match (a, b) {
            (x, y) if x == y => x,
            (x, y) if x == truth || y == truth => truth,
            (x, y) if x == falsity => y,
            (x, y) if y == falsity => x,
            (x, y) => self.add(Core::Or(x, y)),
        }
    }

    /// `a -> b`
    pub fn implies(&mut self, a: CoreId, b: CoreId) -> CoreId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// `X a`
    pub fn next(&mut self, a: CoreId) -> CoreId {
        self.add(Core::Next(a))
    }

    /// `X X true`: holds on every infinite path and is no CTL operator. In the strict reading of deadlocks it keeps what it is
    /// conjoined with from being read as one.
    pub fn goes_on(&mut self) -> CoreId {
        let truth = self.truth();
        let next = self.next(truth);
        self.next(next)
    }

    /// `a U b`
    pub fn until(&mut self, a: CoreId, b: CoreId) -> CoreId {
        self.add(Core::Until(a, b))
    }

    /// `F a`
    pub fn finally(&mut self, a: CoreId) -> CoreId {
        let truth = self.truth();
        self.until(truth, a)
    }

    /// `G a`
    pub fn globally(&mut self, a: CoreId) -> CoreId {
        let not_a = self.not(a);
        let sometime = self.finally(not_a);
        self.not(sometime)
    }

    /// `a R b`, that is `!(!a U !b)`
    pub fn release(&mut self, a: CoreId, b: CoreId) -> CoreId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let until = self.until(not_a, not_b);
        self.not(until)
    }

    /// `a W b`, as `b R (a | b)`: with this form CTL's weak until is recognised as one operator.
    pub fn weak_until(&mut self, a: CoreId, b: CoreId) -> CoreId {
        let either = self.or(a, b);
        self.release(b, either)
    }

    /// `a S b`
    pub fn since(&mut self, a: CoreId, b: CoreId) -> CoreId {
        self.add(Core::Since(a, b))
    }

    /// `P a`
    pub fn once(&mut self, a: CoreId) -> CoreId {
        let truth = self.truth();
        self.since(truth, a)
    }

    /// `E a`
    pub fn exists(&mut self, a: CoreId) -> CoreId {
        self.add(Core::Exists(a))
    }

    /// `A a`
    pub fn for_all(&mut self, a: CoreId) -> CoreId {
        let not_a = self.not(a);
        let some = self.exists(not_a);
        self.not(some)
    }

    /// A state proposition.
    pub fn proposition(&mut self, expr: Expr) -> CoreId {
        match expr {
            Expr::Constant(0) => return self.falsity(),
            Expr::Constant(1) => return self.truth(),
            Expr::Not(inner) => {
                let inner = self.proposition(*inner);
                return self.not(inner);
            }
            _ => {}
        }
        let known = self.propositions.iter().position(|other| *other == expr);
        let index = known.unwrap_or_else(|| {
            self.propositions.push(expr);
            self.propositions.len() - 1
        });
        self.add(Core::Proposition(PropositionId(index as u32)))
    }

    /// The next transition has one of these labels; with no label at all it is `false`.
    pub fn does(&mut self, mut labels: Vec<LabelId>) -> CoreId {
        labels.sort_unstable();
        labels.dedup();
        if labels.is_empty() {
            return self.falsity();
        }
        let known = self.label_sets.iter().position(|other| *other == labels);
        let index = known.unwrap_or_else(|| {
            self.label_sets.push(labels);
            self.label_sets.len() - 1
        });
        self.add(Core::Does(LabelSetId(index as u32)))
    }

    /// Is it a state formula?
    pub fn is_state(&self, id: CoreId) -> bool {
        match *self.node(id) {
            Core::Not(a) => self.is_state(a),
            Core::And(a, b) | Core::Or(a, b) => self.is_state(a) && self.is_state(b),
            Core::Does(_)
            | Core::Acts { .. }
            | Core::Next(_)
            | Core::Until(..)
            | Core::Previous(_)
            | Core::Since(..) => false,
            Core::True
            | Core::Proposition(_)
            | Core::Exists(_)
            | Core::SomePrevious(_)
            | Core::SomePast(_)
            | Core::Committed { .. }
            | Core::Knows { .. }
            | Core::Able { .. } => true,
        }
    }

    /// The largest state formulas in a path formula.
    pub fn state_parts(&self, id: CoreId) -> Vec<CoreId> {
        if self.is_state(id) {
            return vec![id];
        }
        match *self.node(id) {
            Core::Not(a) | Core::Next(a) | Core::Previous(a) => self.state_parts(a),
            Core::And(a, b) | Core::Or(a, b) | Core::Until(a, b) | Core::Since(a, b) => {
                let mut parts = self.state_parts(a);
                parts.extend(self.state_parts(b));
                parts
            }
            _ => Vec::new(),
        }
    }

    /// The state propositions that a formula speaks of, in the order of their numbers. The contents of commitments are not
    /// part of it.
    pub fn propositions_in(&self, id: CoreId) -> impl Iterator<Item = &Expr> {
        let mut seen = vec![false; self.nodes.len()];
        let mut found = Vec::new();
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match self.node(id) {
                Core::Proposition(proposition) => found.push(*proposition),
                Core::True | Core::Does(_) | Core::Acts { .. } => {}
                Core::Not(a)
                | Core::Exists(a)
                | Core::Next(a)
                | Core::Previous(a)
                | Core::SomePrevious(a)
                | Core::SomePast(a)
                | Core::Committed { body: a, .. }
                | Core::Knows { body: a, .. } => todo.push(*a),
                Core::And(a, b) | Core::Or(a, b) | Core::Until(a, b) | Core::Since(a, b) => {
                    todo.extend([*a, *b]);
                }
                Core::Able { goal, .. } => match goal {
                    Goal::Next(a) | Goal::Globally(a) => todo.push(*a),
                    Goal::Until(a, b) => todo.extend([*a, *b]),
                },
            }
        }
        found.sort_unstable();
        found.into_iter().map(|proposition| self.proposition_expr(proposition))
    }

    /// The past operators of a path formula, operands first, outside of the state formulas in it; some perhaps twice.
    pub fn past_operators(&self, id: CoreId) -> Vec<CoreId> {
        match *self.node(id) {
            Core::Not(a) | Core::Next(a) => self.past_operators(a),
            Core::And(a, b) | Core::Or(a, b) | Core::Until(a, b) => {
                [self.past_operators(a), self.past_operators(b)].concat()
            }
            Core::Previous(a) => [self.past_operators(a), vec![id]].concat(),
            Core::Since(a, b) => [self.past_operators(a), self.past_operators(b), vec![id]].concat(),
            _ => Vec::new(),
        }
    }

    /// Does some past operator of a path formula stand over what looks further ahead than the next state? One step ahead is
    /// known as soon as the step is taken, which is when it is remembered.
    pub fn remembers_what_lies_ahead(&self, id: CoreId) -> bool {
        let operands = |operator: CoreId| match *self.node(operator) {
            Core::Previous(a) => [a, a],
            Core::Since(a, b) => [a, b],
            _ => [operator, operator],
        };
        let operators = self.past_operators(id);
        operators.into_iter().flat_map(operands).any(|operand| self.looks_far_ahead(operand))
    }

    /// Does a path formula look further ahead than the next state, outside of the state formulas in it?
    fn looks_far_ahead(&self, id: CoreId) -> bool {
        match *self.node(id) {
            Core::Next(a) => !self.is_state(a),
            Core::Until(..) => true,
            Core::Not(a) | Core::Previous(a) => self.looks_far_ahead(a),
            Core::And(a, b) | Core::Or(a, b) | Core::Since(a, b) => {
                self.looks_far_ahead(a) || self.looks_far_ahead(b)
            }
            _ => false,
        }
    }

    /// Does the path formula look back, outside of the state formulas in it?
    pub fn looks_back(&self, id: CoreId) -> bool {
        match *self.node(id) {
            Core::Previous(_) | Core::Since(..) => true,
            Core::Not(a) | Core::Next(a) => self.looks_back(a),
            Core::And(a, b) | Core::Or(a, b) | Core::Until(a, b) => self.looks_back(a) || self.looks_back(b),
            _ => false,
        }
    }
}
