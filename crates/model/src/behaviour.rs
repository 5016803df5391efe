//! How a model behaves: one transition at a time, or in rounds in which all agents act together.

use servanda_syntax::Span;

use crate::{Command, Expr, VariableId};

/// How a model moves. What its moves are is computed by a [`crate::Mover`].
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// Guarded commands, one transition at a time.
    Commands(Vec<Command>),
    /// Rounds, as in interpreted systems (ISPL): each agent takes one action that its protocol permits in its local state, and then
    /// each variable evolves by what its agent reads of the old state and of the joint action. One program per agent, in the order
    /// of the model's agents.
    Rounds(Vec<AgentProgram>),
}

impl Behaviour {
    /// The guarded commands; none where agents act in rounds.
    #[inline]
    pub fn commands(&self) -> &[Command] {
        match self {
            Behaviour::Commands(commands) => commands,
            Behaviour::Rounds(_) => &[],
        }
    }

    /// The programs of the agents; none where they act one at a time.
    pub fn programs(&self) -> &[AgentProgram] {
        match self {
            Behaviour::Commands(_) => &[],
            Behaviour::Rounds(programs) => programs,
        }
    }

    /// Do the agents act in rounds?
    #[inline]
    pub fn is_rounds(&self) -> bool {
        matches!(self, Behaviour::Rounds(_))
    }
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
