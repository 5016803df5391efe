//! Which bits stand for what: the layout of states, and the functions of their bits.
//!
//! A variable has a row of bits that spells the distance from the smallest value of its domain, a commitment one bit, an agent's
//! action a row that spells its position. In which order bits are made is for the engine to choose.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_model::{AgentId, CommitmentId, Expr, Layout, Model, VariableId};

use crate::AlgebraOf;

/// The bits that so many values need.
pub fn width(values: u64) -> usize {
    (64 - values.saturating_sub(1).leading_zeros()) as usize
}

/// The bits of a state and of a joint action.
#[derive(Clone, Debug)]
pub struct Encoding<'m, F> {
    /// The model.
    pub model: &'m Model,
    /// The functions of the bits of a state. What an engine adds for itself follows the model's own bits.
    pub state: Vec<F>,
    /// The positions of each variable's bits in the state, least significant first.
    variables: Vec<Vec<usize>>,
    commitments: Vec<usize>,
    /// The bits of each agent's action, least significant first.
    actions: Vec<Vec<F>>,
    /// Where a variable has a value, once asked for: large conditions ask for few of them, often.
    values: RefCell<FxHashMap<(VariableId, i64), F>>,
}

impl<'m, F: Clone + Eq> Encoding<'m, F> {
    /// An encoding without bits; [`Encoding::set_variable`] and its like say which there are.
    pub fn new(model: &'m Model) -> Self {
        Encoding {
            model,
            state: Vec::new(),
            variables: vec![Vec::new(); model.variables.len()],
            commitments: vec![0; model.commitments.len()],
            actions: vec![Vec::new(); model.agents.len()],
            values: RefCell::default(),
        }
    }

    /// A further bit of the state; gives its position.
    pub fn add_bit(&mut self, bit: F) -> usize {
        self.state.push(bit);
        self.state.len() - 1
    }

    /// The number of bits that a variable needs.
    pub fn variable_width(&self, variable: VariableId) -> usize {
        width(self.model.variable(variable).domain.size())
    }

    /// The number of bits that an agent's action needs; none where agents do not act together.
    pub fn action_width(&self, agent: AgentId) -> usize {
        let program = self.model.behaviour.programs().get(agent.index());
        program.map_or(0, |program| width(program.actions.len() as u64))
    }

    /// Gives a variable its bits: positions in the state, least significant first.
    pub fn set_variable(&mut self, variable: VariableId, row: Vec<usize>) {
        self.variables[variable.index()] = row;
    }

    /// Gives a commitment its bit.
    pub fn set_commitment(&mut self, commitment: CommitmentId, bit: usize) {
        self.commitments[commitment.index()] = bit;
    }

    /// Gives an agent's action its bits, least significant first.
    pub fn set_action(&mut self, agent: AgentId, row: Vec<F>) {
        self.actions[agent.index()] = row;
    }

    /// The positions of a variable's bits, least significant first.
    pub fn variable_bits(&self, variable: VariableId) -> &[usize] {
        &self.variables[variable.index()]
    }

    /// The bits of a variable, least significant first.
    pub fn row(&self, variable: VariableId) -> Vec<F> {
        self.variable_bits(variable).iter().map(|bit| self.state[*bit].clone()).collect()
    }

    /// The positions of the bits of each variable, and after them of each commitment.
    pub fn positions(&self) -> Vec<Vec<usize>> {
        self.variables.iter().cloned().chain(self.commitments.iter().map(|bit| vec![*bit])).collect()
    }

    /// The position of a commitment's bit.
    pub fn commitment_bit(&self, commitment: CommitmentId) -> usize {
        self.commitments[commitment.index()]
    }

    /// The bits of an agent's action, least significant first.
    pub fn action(&self, agent: AgentId) -> &[F] {
        &self.actions[agent.index()]
    }

    /// The number of the model's own bits: those of variables and commitments.
    pub fn model_bits(&self) -> usize {
        self.variables.iter().map(Vec::len).sum::<usize>() + self.commitments.len()
    }

    /// The names of the model's own bits: the variable with the number of the bit, or the commitment.
    pub fn bit_names(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.model_bits()];
        for (id, variable) in self.model.variables() {
            let bits = self.variable_bits(id);
            let machine = variable.machine.map(|machine| &self.model.machines[machine.index()].name);
            let name = machine.unwrap_or(&variable.name);
            let name = if name.is_empty() { "in" } else { name };
            for (at, bit) in bits.iter().enumerate() {
                names[*bit] = if bits.len() == 1 { name.to_owned() } else { format!("{name}.{at}") };
            }
        }
        for (id, promise) in self.model.commitments() {
            names[self.commitment_bit(id)] = self.model.write_promise(promise);
        }
        names
    }

    /// Where a variable has a value.
    pub fn is(&self, algebra: &mut impl AlgebraOf<F>, variable: VariableId, value: i64) -> Result<F, Halt> {
        let domain = &self.model.variable(variable).domain;
        if !domain.contains(value) {
            return Ok(algebra.falsity());
        }
        if let Some(known) = self.values.borrow().get(&(variable, value)) {
            return Ok(known.clone());
        }
        let set = algebra.spells(&self.row(variable), value.abs_diff(domain.low()))?;
        self.values.borrow_mut().insert((variable, value), set.clone());
        Ok(set)
    }

    /// Where an agent takes an action.
    pub fn takes(&self, algebra: &mut impl AlgebraOf<F>, agent: AgentId, action: usize) -> Result<F, Halt> {
        algebra.spells(self.action(agent), action as u64)
    }

    /// The states in which every variable has a value of its domain, as far as they are well formed.
    pub fn type_correct(&self, algebra: &mut impl AlgebraOf<F>) -> Result<F, Halt> {
        let mut all = Vec::new();
        for (id, variable) in self.model.variables() {
            all.push(algebra.below(&self.row(id), variable.domain.size())?);
        }
        if self.model.well_formed != Expr::TRUE {
            let well_formed = self.truth(algebra, &self.model.well_formed)?;
            all.extend([well_formed.value, well_formed.defined]);
        }
        algebra.all(&all)
    }

    /// The initial states, among those that are type correct: every variable in its initial set, the initial condition, nothing in
    /// force.
    pub fn initial(&self, algebra: &mut impl AlgebraOf<F>, type_correct: &F) -> Result<F, Halt> {
        let condition = self.truth(algebra, &self.model.initial)?;
        let mut all = vec![condition.value, condition.defined, type_correct.clone()];
        for (id, variable) in self.model.variables() {
            if variable.initial.len() as u64 == variable.domain.size() {
                continue;
            }
            let values = variable.initial.iter();
            let values = values.map(|value| self.is(algebra, id, *value)).collect::<Result<Vec<_>, _>>()?;
            all.push(algebra.any(&values)?);
        }
        for bit in &self.commitments {
            all.push(algebra.not(&self.state[*bit])?);
        }
        algebra.all(&all)
    }

    /// The positions of the bits that some of these agents see. Nobody sees nothing, not even what is public.
    pub fn visible_to(&self, agents: &[AgentId]) -> Vec<usize> {
        if agents.is_empty() {
            return Vec::new();
        }
        let seen = self.model.variables().filter(|(_, variable)| variable.visibility.seen_by(agents));
        let seen = seen.flat_map(|(id, _)| self.variable_bits(id));
        let commitments = self.model.commitments().map(|(id, _)| id);
        let commitments = commitments.filter(|id| self.model.sees_commitment(agents, *id));
        seen.copied().chain(commitments.map(|id| self.commitment_bit(id))).collect()
    }

    /// The state whose bits have these values, in the packing of a layout.
    pub fn pack(&self, layout: &Layout, value: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut packed = vec![0; layout.words()];
        for (id, variable) in self.model.variables() {
            let bits = self.variable_bits(id).iter().enumerate();
            let code = bits.fold(0_u64, |code, (at, bit)| code | u64::from(value(*bit)) << at);
            layout.variable(id).write(&mut packed, variable.domain.low().saturating_add_unsigned(code));
        }
        for (id, _) in self.model.commitments() {
            layout.commitment(id).write(&mut packed, i64::from(value(self.commitment_bit(id))));
        }
        packed
    }

    /// The values of the model's own bits in a packed state, by position.
    pub fn unpack(&self, layout: &Layout, packed: &[u64]) -> Vec<bool> {
        let mut values = vec![false; self.model_bits()];
        for (id, variable) in self.model.variables() {
            let code = layout.variable(id).read(packed).abs_diff(variable.domain.low());
            for (at, bit) in self.variable_bits(id).iter().enumerate() {
                values[*bit] = code >> at & 1 == 1;
            }
        }
        for (id, _) in self.model.commitments() {
            values[self.commitment_bit(id)] = layout.commitment(id).read(packed) == 1;
        }
        values
    }
}
