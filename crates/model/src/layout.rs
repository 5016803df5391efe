//! How a state is packed: every variable and every commitment has a bit-field in a short row of 64-bit words.

use crate::{AgentId, CommitmentId, Expr, Model, VariableId};

/// Where a value is kept: `bits` bits of one word, offset by the smallest value of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    word: u32,
    shift: u32,
    mask: u64,
    low: i64,
}

impl Field {
    /// The value in a packed state.
    #[inline]
    pub fn read(self, state: &[u64]) -> i64 {
        self.code(state) as i64 + self.low
    }

    /// Stores a value, which must be of the field's domain.
    #[inline]
    pub fn write(self, state: &mut [u64], value: i64) {
        let word = &mut state[self.word as usize];
        let code = (value - self.low) as u64;
        debug_assert!(code <= self.mask);
        *word = (*word & !(self.mask << self.shift)) | (code << self.shift);
    }

    /// How much the value in a packed state is above the smallest one.
    #[inline]
    pub(crate) fn code(self, state: &[u64]) -> u64 {
        (state[self.word as usize] >> self.shift) & self.mask
    }

    /// The smallest value.
    pub(crate) fn low(self) -> i64 {
        self.low
    }

    /// The largest code that its bits have room for.
    pub(crate) fn mask(self) -> u64 {
        self.mask
    }

    /// How far its bits are from the lower end of the word.
    pub(crate) fn shift(self) -> u32 {
        self.shift
    }

    /// The word it is in.
    pub fn word(self) -> usize {
        self.word as usize
    }

    /// The bits it takes within that word.
    pub fn bits_in_word(self) -> u64 {
        self.mask << self.shift
    }

    /// What those bits are when the field holds `value`.
    pub fn code_in_word(self, value: i64) -> u64 {
        ((value - self.low) as u64 & self.mask) << self.shift
    }
}

/// The next free field for a domain of so many values; no field crosses a word.
fn place_field(word: &mut u32, used: &mut u32, low: i64, values: u64) -> Field {
    let bits = 64 - (values - 1).leading_zeros();
    if *used + bits > 64 {
        *word += 1;
        *used = 0;
    }
    let mask = if bits == 64 { u64::MAX } else { (1u64 << bits) - 1 };
    // A field without bits (a domain of one value) must still have a legal shift.
    let field = Field { word: *word, shift: (*used).min(63), mask, low };
    *used += bits;
    field
}

/// The packing of one model's states.
#[derive(Clone, Debug)]
pub struct Layout {
    variables: Vec<Field>,
    commitments: Vec<Field>,
    words: usize,
    actions: Vec<Field>,
    row_words: usize,
}

impl Layout {
    /// Lays out the variables in order of declaration, then one bit per commitment; no field crosses a word.
    pub fn new(model: &Model) -> Self {
        let (mut word, mut used) = (0u32, 0u32);
        let mut place = |low: i64, values: u64| place_field(&mut word, &mut used, low, values);
        let variables = model.variables.iter().map(|v| place(v.domain.low(), v.domain.size())).collect();
        let commitments = model.commitments.iter().map(|_| place(0, 2)).collect();
        let words = word as usize + 1;
        // The joint action of a round follows the state, in words of its own, while a successor is computed.
        (word, used) = (words as u32, 0);
        let mut place = |low: i64, values: u64| place_field(&mut word, &mut used, low, values);
        let programs = model.behaviour.programs();
        let actions: Vec<Field> =
            programs.iter().map(|program| place(0, program.actions.len().max(1) as u64)).collect();
        let row_words = if actions.is_empty() { words } else { word as usize + 1 };
        Layout { variables, commitments, words, actions, row_words }
    }

    /// The number of words of a state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The field of a variable.
    #[inline]
    pub fn variable(&self, variable: VariableId) -> Field {
        self.variables[variable.index()]
    }

    /// The field of a commitment: 1 when it is in force.
    #[inline]
    pub fn commitment(&self, commitment: CommitmentId) -> Field {
        self.commitments[commitment.index()]
    }

    /// The field of an agent's action in a row: a state followed by a joint action.
    #[inline]
    pub fn action(&self, agent: AgentId) -> Field {
        self.actions[agent.index()]
    }

    /// The field that an expression reads, where it does nothing else.
    pub(crate) fn field_of(&self, expr: &Expr) -> Option<Field> {
        match expr {
            Expr::Variable(variable) => Some(self.variable(*variable)),
            Expr::InForce(commitment) => Some(self.commitment(*commitment)),
            Expr::Action(agent) => Some(self.action(*agent)),
            _ => None,
        }
    }

    /// The range of an expression, by what its fields have room for; `None` where it may have no value.
    pub(crate) fn range_of(&self, expr: &Expr) -> Option<(i64, i64)> {
        expr.range(&|leaf| {
            let field = self.field_of(leaf)?;
            Some((field.low, field.low.checked_add_unsigned(field.mask)?))
        })
    }

    /// The number of words of a row.
    pub fn row_words(&self) -> usize {
        self.row_words
    }

    /// What these agents see together: what one of them owns or is public, every machine's control state, and of the commitments in
    /// force all that are public or have one of them as a party. Nobody sees nothing.
    pub fn sight(&self, model: &Model, agents: &[AgentId]) -> Sight {
        let variables = model.variables.iter().zip(&self.variables);
        let seen = variables.filter(|(variable, _)| variable.visibility.seen_by(agents));
        let commitments = model.commitments().filter(|(id, _)| model.sees_commitment(agents, *id));
        let commitments = commitments.map(|(id, _)| &self.commitments[id.index()]);
        let mut mask = vec![0; self.words];
        for field in seen.map(|(_, field)| field).chain(commitments).filter(|_| !agents.is_empty()) {
            mask[field.word()] |= field.bits_in_word();
        }
        Sight { mask }
    }
}

/// What some agents see of a state: the bits of their local states.
#[derive(Clone, Debug)]
pub struct Sight {
    mask: Vec<u64>,
}

impl Sight {
    /// What they see of a state, as a key.
    pub fn of(&self, state: &[u64]) -> Vec<u64> {
        state.iter().zip(&self.mask).map(|(word, mask)| word & mask).collect()
    }

    /// Do two states look the same to them?
    pub fn is_same(&self, a: &[u64], b: &[u64]) -> bool {
        a.iter().zip(b).zip(&self.mask).all(|((a, b), mask)| a & mask == b & mask)
    }
}
