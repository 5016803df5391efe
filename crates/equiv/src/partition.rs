//! A partition of states that remembers how it came about.

use servanda_lts::State;

/// A block of states. A number stands for different sets over time: the largest part of a split block keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Block(pub(crate) u32);

impl Block {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a block began.
#[derive(Clone, Copy, Debug)]
struct Origin {
    /// The round it was split off in; 0 for the block of all states.
    round: u32,
    /// From which block.
    parent: Block,
}

/// Blocks of states after some rounds of splitting, and after every earlier round.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    block: Vec<Block>,
    origins: Vec<Origin>,
}

impl Partition {
    /// All states in one block.
    pub(crate) fn coarsest(states: usize) -> Self {
        Partition { block: vec![Block(0); states], origins: vec![Origin { round: 0, parent: Block(0) }] }
    }

    /// The block of a state.
    pub(crate) fn block(&self, state: State) -> Block {
        self.block[state.index()]
    }

    /// A block of its own for states that were in `parent` until this round.
    pub(crate) fn split_off(&mut self, parent: Block, round: u32, states: &[State]) -> Block {
        let block = Block(State::from_index(self.origins.len()).0);
        self.origins.push(Origin { round, parent });
        for state in states {
            self.block[state.index()] = block;
        }
        block
    }

    /// The block of a state after the given round. A block that was split off has at most half the states of the one it
    /// came from, so there are few steps to take.
    pub(crate) fn block_after(&self, state: State, round: u32) -> Block {
        let mut block = self.block(state);
        while self.origins[block.index()].round > round {
            block = self.origins[block.index()].parent;
        }
        block
    }

    /// The round that parted two states; `None`: they are together.
    pub(crate) fn parted(&self, one: State, other: State) -> Option<u32> {
        let (mut one, mut other) = (self.block(one), self.block(other));
        let mut parted = None;
        while one != other {
            let (a, b) = (self.origins[one.index()], self.origins[other.index()]);
            if a.round >= b.round {
                (parted, one) = (Some(a.round), a.parent);
            } else {
                (parted, other) = (Some(b.round), b.parent);
            }
        }
        parted
    }
}
