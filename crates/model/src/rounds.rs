//! Synchronous behaviour: agents that act in rounds, as in interpreted systems (ISPL).
//!
//! In every round each agent takes one action that its protocol permits in its local state, and then each variable
//! evolves by what its agent reads of the old state and of the joint action.

use servanda_syntax::Span;

use crate::{Expr, VariableId};

/// What every agent may do and how its variables evolve; by agent, in the order of the model's agents.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    /// One program per agent.
    pub programs: Vec<AgentProgram>,
}

/// The behaviour of one agent.
#[derive(Clone, Debug)]
pub struct AgentProgram {
    /// The names of its actions; never empty (an agent without actions gets one that does nothing).
    pub actions: Vec<String>,
    /// What it may do: the union of the permissions whose conditions hold.
    pub permissions: Vec<Permission>,
    /// What it may do where no condition holds; empty: nothing, and the state is a deadlock.
    pub otherwise: Vec<usize>,
    /// How its variables evolve: blocks are independent of each other.
    pub evolution: Vec<Block>,
}

/// One line of a protocol.
#[derive(Clone, Debug)]
pub struct Permission {
    /// A condition on the agent's local state.
    pub condition: Expr,
    /// Positions of the permitted actions.
    pub actions: Vec<usize>,
}

/// Variables that evolve together: one enabled line is chosen; with none enabled they keep their values. With multiple
/// assignment an agent is one block, with single assignment every variable is.
#[derive(Clone, Debug)]
pub struct Block {
    /// What the lines assign.
    pub variables: Vec<VariableId>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// One line of an evolution.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it is enabled; may read actions ([`Expr::Action`]).
    pub guard: Expr,
    /// Where its values exist. An enabled line whose values do not exist, or lie outside of a variable's range, can
    /// be chosen but leads nowhere: the move is lost.
    pub defined: Expr,
    /// Simultaneous assignments, reading the old state; the other variables of the block keep their values.
    pub updates: Vec<(VariableId, Expr)>,
    /// Where it was written.
    pub span: Span,
}
