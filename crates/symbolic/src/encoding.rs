//! States and joint actions as assignments to bits.

use std::cell::RefCell;

use oxidd::VarNo;
use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Monitor};
use servanda_model::{Comparison, Domain, Expr, Layout, Model, StateView, VariableId};

use crate::diagrams::{Bdd, Diagrams, Operations};
use crate::numbers::Number;
use crate::order::{Item, order};

/// A bit of the state: now and in the next state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit {
    pub(crate) now: VarNo,
    pub(crate) next: VarNo,
}

/// An expression's truth and where it has one.
pub(crate) struct Defined<T> {
    pub(crate) value: T,
    pub(crate) defined: Bdd,
}

/// Which bits stand for what.
pub(crate) struct Encoding<'m> {
    pub(crate) model: &'m Model,
    pub(crate) diagrams: Diagrams,
    /// All bits of the state.
    pub(crate) bits: Vec<Bit>,
    /// The bits of each variable, most significant first, as positions in `bits`.
    variables: Vec<Vec<usize>>,
    /// The bit of each commitment.
    commitments: Vec<usize>,
    /// The bits of each agent's action, most significant first.
    actions: Vec<Vec<VarNo>>,
    pub(crate) ordered: Vec<Item>,
    /// The sets where a variable has a value, once computed: large conditions ask for few of them, often.
    values: RefCell<FxHashMap<(VariableId, i64), Bdd>>,
}

fn width(values: u64) -> usize {
    (64 - (values - 1).leading_zeros()) as usize
}

impl<'m> Encoding<'m> {
    pub(crate) fn new(model: &'m Model, nodes: usize) -> Self {
        let state_bits: usize = model.variables.iter().map(|variable| width(variable.domain.size())).sum();
        let diagrams = Diagrams::new(nodes, 2 * (state_bits + model.commitments.len()));
        let mut encoding = Encoding {
            model,
            diagrams,
            bits: Vec::new(),
            variables: vec![Vec::new(); model.variables.len()],
            commitments: vec![0; model.commitments.len()],
            actions: vec![Vec::new(); model.agents.len()],
            ordered: order(model),
            values: RefCell::default(),
        };
        for item in encoding.ordered.clone() {
            match item {
                Item::Variable(index) => {
                    let bits = width(model.variables[index].domain.size());
                    encoding.variables[index] = (0..bits).map(|_| encoding.add_bit()).collect();
                }
                Item::Commitment(index) => encoding.commitments[index] = encoding.add_bit(),
                Item::Action(index) => {
                    let program = model.behaviour.programs().get(index);
                    let count = program.map_or(1, |program| program.actions.len().max(1));
                    encoding.actions[index] = encoding.diagrams.add_variables(width(count as u64)).collect();
                }
            }
        }
        encoding
    }

    /// The variables of each item, in the present order of the items.
    pub(crate) fn groups(&self) -> Vec<Vec<VarNo>> {
        let both = |bit: &usize| [self.bits[*bit].now, self.bits[*bit].next];
        let group = |item: &Item| match item {
            Item::Variable(index) => self.variables[*index].iter().flat_map(both).collect(),
            Item::Commitment(index) => both(&self.commitments[*index]).to_vec(),
            Item::Action(index) => self.actions[*index].clone(),
        };
        self.ordered.iter().map(group).collect()
    }

    /// A further bit of the state, at the bottom of the order.
    pub(crate) fn add_bit(&mut self) -> usize {
        let pair = self.diagrams.add_variables(2);
        self.bits.push(Bit { now: pair.start, next: pair.start + 1 });
        self.bits.len() - 1
    }

    /// The positions of a variable's bits.
    pub(crate) fn variable_bits(&self, variable: VariableId) -> &[usize] {
        &self.variables[variable.index()]
    }

    /// The position of a commitment's bit.
    pub(crate) fn commitment_bit(&self, commitment: servanda_model::CommitmentId) -> usize {
        self.commitments[commitment.index()]
    }

    /// The variables of an agent's action.
    pub(crate) fn action_variables(&self, agent: servanda_model::AgentId) -> &[VarNo] {
        &self.actions[agent.index()]
    }

    /// The bits of the model's own state: variables and commitments.
    pub(crate) fn model_bits(&self) -> usize {
        self.variables.iter().map(Vec::len).sum::<usize>() + self.commitments.len()
    }

    /// The set where a row of variables (most significant first) spells a code.
    fn spells(&self, variables: &[VarNo], code: u64) -> Result<Bdd, Halt> {
        let mut set = self.diagrams.truth();
        for (position, variable) in variables.iter().rev().enumerate() {
            let bit = self.diagrams.variable(*variable)?;
            set = if code >> position & 1 == 1 { set.both(&bit)? } else { set.without(&bit)? };
        }
        Ok(set)
    }

    fn now(&self, variable: VariableId) -> Vec<VarNo> {
        self.variable_bits(variable).iter().map(|bit| self.bits[*bit].now).collect()
    }

    /// The set where a variable has a value.
    pub(crate) fn is(&self, variable: VariableId, value: i64) -> Result<Bdd, Halt> {
        let domain = &self.model.variable(variable).domain;
        if !domain.contains(value) {
            return Ok(self.diagrams.falsity());
        }
        if let Some(known) = self.values.borrow().get(&(variable, value)) {
            return Ok(known.clone());
        }
        let set = self.spells(&self.now(variable), value.abs_diff(domain.low()))?;
        self.values.borrow_mut().insert((variable, value), set.clone());
        Ok(set)
    }

    /// The set where an agent takes an action.
    pub(crate) fn takes(&self, agent: servanda_model::AgentId, action: usize) -> Result<Bdd, Halt> {
        self.spells(self.action_variables(agent), action as u64)
    }

    /// The states in which every variable has a value of its domain.
    pub(crate) fn type_correct(&self) -> Result<Bdd, Halt> {
        let mut all = self.diagrams.truth();
        for (id, variable) in self.model.variables() {
            all = all.both(&self.below(&self.now(id), variable.domain.size())?)?;
        }
        Ok(all)
    }

    /// The set where a row of variables spells a code smaller than `limit`.
    fn below(&self, variables: &[VarNo], limit: u64) -> Result<Bdd, Halt> {
        if variables.len() < 64 && limit >> variables.len() != 0 {
            return Ok(self.diagrams.truth());
        }
        let mut less = self.diagrams.falsity();
        for (position, variable) in variables.iter().rev().enumerate() {
            let bit = self.diagrams.variable(*variable)?;
            let not_bit = bit.complement()?;
            less = if limit >> position & 1 == 1 { not_bit.either(&less)? } else { not_bit.both(&less)? };
        }
        Ok(less)
    }

    /// A variable as a number.
    fn number_of(&self, variable: VariableId) -> Result<Number, Halt> {
        let mut bits = self
            .now(variable)
            .iter()
            .rev()
            .map(|v| self.diagrams.variable(*v))
            .collect::<Result<Vec<_>, _>>()?;
        bits.push(self.diagrams.falsity());
        let code = Number(bits);
        match self.model.variable(variable).domain.low() {
            0 => Ok(code),
            low => code.add(&self.diagrams, &Number::constant(&self.diagrams, low)),
        }
    }

    fn everywhere<T>(&self, value: T) -> Defined<T> {
        Defined { value, defined: self.diagrams.truth() }
    }

    /// Where an expression is true.
    pub(crate) fn truth(&self, expr: &Expr, monitor: &dyn Monitor) -> Result<Defined<Bdd>, Halt> {
        Ok(match expr {
            Expr::Constant(value) => self.everywhere(self.diagrams.constant(*value != 0)),
            Expr::Variable(variable) if self.model.variable(*variable).domain == Domain::Bool => {
                self.everywhere(self.is(*variable, 1)?)
            }
            Expr::InForce(id) => {
                self.everywhere(self.diagrams.variable(self.bits[self.commitment_bit(*id)].now)?)
            }
            Expr::Not(inner) => {
                let inner = self.truth(inner, monitor)?;
                Defined { value: inner.value.complement()?, defined: inner.defined }
            }
            Expr::And(parts) => self.chain(parts, true, monitor)?,
            Expr::Or(parts) => self.chain(parts, false, monitor)?,
            Expr::Compare(comparison, left, right) => self.comparison(*comparison, left, right, monitor)?,
            Expr::Variable(_) | Expr::Action(_) | Expr::Arithmetic(..) => {
                let number = self.number(expr, monitor)?;
                Defined { value: number.value.is_not_zero(&self.diagrams)?, defined: number.defined }
            }
        })
    }

    /// A conjunction or disjunction: a part counts only where those before it leave the matter open.
    fn chain(&self, parts: &[Expr], conjunction: bool, monitor: &dyn Monitor) -> Result<Defined<Bdd>, Halt> {
        if conjunction && let Some(literals) = self.literals(parts) {
            return Ok(self.everywhere(self.diagrams.literals(literals)?));
        }
        let join = |a: &Bdd, b: &Bdd| if conjunction { a.both(b) } else { a.either(b) };
        let mut values = Vec::with_capacity(parts.len());
        let mut defined = self.diagrams.truth();
        let mut value_so_far: Option<Bdd> = None;
        for (index, part) in parts.iter().enumerate() {
            let part = self.truth(part, monitor)?;
            if part.defined != self.diagrams.truth() {
                let so_far = match value_so_far.take() {
                    Some(value) => value,
                    None => self.balanced(&values[..index], conjunction, &join)?,
                };
                let open = if conjunction { so_far.clone() } else { so_far.complement()? };
                defined = defined.without(&open.without(&part.defined)?)?;
                value_so_far = Some(so_far);
            }
            if let Some(value) = &value_so_far {
                value_so_far = Some(join(value, &part.value)?);
            }
            values.push(part.value);
        }
        let value = match value_so_far {
            Some(value) => value,
            None => self.balanced(&values, conjunction, &join)?,
        };
        Ok(Defined { value, defined })
    }

    /// The bits that a conjunction of "this variable has this value" fixes; `None` if it is not one, or contradicts
    /// itself.
    fn literals(&self, parts: &[Expr]) -> Option<Vec<(VarNo, bool)>> {
        let mut literals = Vec::new();
        for part in parts {
            let Expr::Compare(Comparison::Equal, left, right) = part else { return None };
            let (Expr::Variable(variable), Expr::Constant(value)) = (&**left, &**right) else { return None };
            let domain = &self.model.variable(*variable).domain;
            if !domain.contains(*value) {
                return None;
            }
            let code = value.abs_diff(domain.low());
            let bits = self.variable_bits(*variable).iter().rev().enumerate();
            literals.extend(bits.map(|(position, bit)| (self.bits[*bit].now, code >> position & 1 == 1)));
        }
        literals.sort_unstable();
        literals.dedup();
        let contradicts = literals.windows(2).any(|pair| pair[0].0 == pair[1].0);
        (!contradicts).then_some(literals)
    }

    /// Joins many sets pairwise: thousands of small ones cost far less than when each is added to a growing one.
    fn balanced(
        &self,
        sets: &[Bdd],
        conjunction: bool,
        join: &impl Fn(&Bdd, &Bdd) -> Result<Bdd, Halt>,
    ) -> Result<Bdd, Halt> {
        match sets {
            [] => Ok(self.diagrams.constant(conjunction)),
            [one] => Ok(one.clone()),
            _ => {
                let (left, right) = sets.split_at(sets.len() / 2);
                join(&self.balanced(left, conjunction, join)?, &self.balanced(right, conjunction, join)?)
            }
        }
    }

    fn comparison(
        &self,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
        monitor: &dyn Monitor,
    ) -> Result<Defined<Bdd>, Halt> {
        let simple = match (left, right) {
            (Expr::Variable(variable), Expr::Constant(value))
            | (Expr::Constant(value), Expr::Variable(variable)) => Some(self.is(*variable, *value)?),
            (Expr::Action(agent), Expr::Constant(value)) | (Expr::Constant(value), Expr::Action(agent)) => {
                Some(self.takes(*agent, *value as usize)?)
            }
            _ => None,
        };
        match (comparison, simple) {
            (Comparison::Equal, Some(set)) => return Ok(self.everywhere(set)),
            (Comparison::NotEqual, Some(set)) => return Ok(self.everywhere(set.complement()?)),
            _ => {}
        }
        let (left, right) = (self.number(left, monitor)?, self.number(right, monitor)?);
        let value = left.value.compare(&self.diagrams, comparison, &right.value)?;
        Ok(Defined { value, defined: left.defined.both(&right.defined)? })
    }

    /// The value of an expression.
    pub(crate) fn number(&self, expr: &Expr, monitor: &dyn Monitor) -> Result<Defined<Number>, Halt> {
        Ok(match expr {
            Expr::Constant(value) => self.everywhere(Number::constant(&self.diagrams, *value)),
            Expr::Variable(variable) => self.everywhere(self.number_of(*variable)?),
            Expr::Action(agent) => {
                let variables = self.action_variables(*agent).iter().rev();
                let mut bits =
                    variables.map(|v| self.diagrams.variable(*v)).collect::<Result<Vec<_>, _>>()?;
                bits.push(self.diagrams.falsity());
                self.everywhere(Number(bits))
            }
            Expr::Arithmetic(operator, left, right) => {
                let (left, right) = (self.number(left, monitor)?, self.number(right, monitor)?);
                let (value, exists) =
                    left.value.calculate(&self.diagrams, *operator, &right.value, monitor)?;
                let defined = left.defined.both(&right.defined)?.both(&exists)?;
                Defined { value, defined }
            }
            Expr::InForce(_) | Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Compare(..) => {
                let truth = self.truth(expr, monitor)?;
                Defined { value: Number::of_truth(&self.diagrams, truth.value), defined: truth.defined }
            }
        })
    }

    /// "The next value of the variable is that of the expression", and where the expression has a value that fits.
    pub(crate) fn becomes(
        &self,
        variable: VariableId,
        expr: &Expr,
        monitor: &dyn Monitor,
    ) -> Result<Defined<Bdd>, Halt> {
        let domain = &self.model.variable(variable).domain;
        let number = self.number(expr, monitor)?;
        let low = Number::constant(&self.diagrams, domain.low());
        let high = Number::constant(&self.diagrams, domain.high());
        let fits = low
            .compare(&self.diagrams, Comparison::LessEqual, &number.value)?
            .both(&number.value.compare(&self.diagrams, Comparison::LessEqual, &high)?)?;
        let defined = number.defined.both(&fits)?;
        let minus_low = Number::constant(&self.diagrams, domain.low().checked_neg().unwrap_or(0));
        let code = number.value.add(&self.diagrams, &minus_low)?;
        let mut relation = defined.clone();
        for (position, bit) in self.variable_bits(variable).iter().rev().enumerate() {
            let next = self.diagrams.variable(self.bits[*bit].next)?;
            let wanted = code.0.get(position).unwrap_or(&code.0[code.0.len() - 1]);
            relation = relation.both(&next.same(wanted)?)?;
            // Other values are found in no time, and there may be very many of them.
            if matches!(expr, Expr::Arithmetic(..)) {
                self.diagrams.report(monitor)?;
            }
        }
        Ok(Defined { value: relation, defined })
    }

    /// "The bit keeps its value."
    pub(crate) fn keeps(&self, bit: usize) -> Result<Bdd, Halt> {
        let Bit { now, next } = self.bits[bit];
        self.diagrams.variable(now)?.same(&self.diagrams.variable(next)?)
    }

    /// Some state of a set, which must not be empty, packed.
    pub(crate) fn pick(&self, set: &Bdd, layout: &Layout) -> Option<Vec<u64>> {
        use oxidd::BooleanFunction;
        let cube = set.pick_cube(|_, _, _| false)?;
        let value = |variable: VarNo| matches!(cube.get(variable as usize), Some(oxidd::util::OptBool::True));
        let mut state = vec![0; layout.words()];
        for (id, variable) in self.model.variables() {
            let code = self.now(id).iter().fold(0u64, |code, bit| code << 1 | u64::from(value(*bit)));
            // Free bits were taken as 0, so the code is the smallest of the set and within the domain.
            layout.variable(id).write(&mut state, variable.domain.low().saturating_add_unsigned(code));
        }
        for (id, _) in self.model.commitments() {
            let set = value(self.bits[self.commitment_bit(id)].now);
            layout.commitment(id).write(&mut state, i64::from(set));
        }
        Some(state)
    }

    /// The set of one packed state.
    pub(crate) fn only(&self, state: &[u64], layout: &Layout) -> Result<Bdd, Halt> {
        let mut literals = Vec::new();
        for (id, variable) in self.model.variables() {
            let code = layout.variable(id).read(state).abs_diff(variable.domain.low());
            let bits = self.now(id).into_iter().rev().enumerate();
            literals.extend(bits.map(|(position, bit)| (bit, code >> position & 1 == 1)));
        }
        for (id, _) in self.model.commitments() {
            let in_force = layout.commitment(id).read(state) == 1;
            literals.push((self.bits[self.commitment_bit(id)].now, in_force));
        }
        literals.sort_unstable();
        self.diagrams.literals(literals)
    }

    /// The variables of the joint action, to quantify over.
    pub(crate) fn joint_action(&self) -> Result<Bdd, Halt> {
        self.diagrams.cube(self.actions.iter().flatten().copied())
    }

    /// Some joint action of a set: the position of each agent's action.
    pub(crate) fn pick_joint(&self, set: &Bdd) -> Option<Vec<usize>> {
        use oxidd::BooleanFunction;
        let cube = set.pick_cube(|_, _, _| false)?;
        let value = |variable: VarNo| matches!(cube.get(variable as usize), Some(oxidd::util::OptBool::True));
        let code =
            |bits: &Vec<VarNo>| bits.iter().fold(0usize, |code, bit| code << 1 | usize::from(value(*bit)));
        Some(self.actions.iter().map(code).collect())
    }

    /// Some state of a set in the user's words.
    pub(crate) fn example(&self, set: &Bdd) -> Option<StateView> {
        let layout = Layout::new(self.model);
        self.pick(set, &layout).map(|state| StateView::new(self.model, &layout, &state))
    }
}
