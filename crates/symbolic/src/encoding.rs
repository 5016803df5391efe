//! States and joint actions as assignments to variables of diagrams.

use oxidd::VarNo;
use servanda_algebra::Defined;
use servanda_engine::{Budget, Halt};
use servanda_model::{AgentId, Expr, Flow, Layout, Model};

use crate::diagrams::{Bdd, Diagrams, Operations, Watched};
use crate::order::Item;

/// A bit of the state: now and in the next state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit {
    pub(crate) now: VarNo,
    pub(crate) next: VarNo,
}

/// Which variables stand for what.
pub(crate) struct Encoding<'m> {
    pub(crate) model: &'m Model,
    pub(crate) diagrams: Diagrams,
    /// What the bits of the state mean.
    pub(crate) functions: servanda_algebra::Encoding<'m, Bdd>,
    /// All bits of the state, by position.
    pub(crate) bits: Vec<Bit>,
    /// The variables of each agent's action, most significant first.
    actions: Vec<Vec<VarNo>>,
    pub(crate) ordered: Vec<Item>,
    /// Sums that are the same in all states that are ever looked at.
    pub(crate) sums: Vec<Flow>,
}

impl<'m> Encoding<'m> {
    /// What is named in `first` stands on top, in this order; the rest as it is given.
    pub(crate) fn new(
        model: &'m Model,
        nodes: usize,
        ordered: Vec<Item>,
        first: &[String],
    ) -> Result<Self, Halt> {
        let functions = servanda_algebra::Encoding::new(model);
        let state_bits: usize = model.variables().map(|(id, _)| functions.variable_width(id)).sum();
        let mut encoding = Encoding {
            model,
            diagrams: Diagrams::new(nodes, 2 * (state_bits + model.commitments.len())),
            functions,
            bits: Vec::new(),
            actions: vec![Vec::new(); model.agents.len()],
            ordered,
            sums: Vec::new(),
        };
        let place = |item: &Item| first.iter().position(|name| *name == item.name(model));
        encoding.ordered.sort_by_key(|item| place(item).unwrap_or(usize::MAX));
        for item in encoding.ordered.clone() {
            encoding.add(item)?;
        }
        Ok(encoding)
    }

    /// Adds the bits of an item, the most significant on top.
    fn add(&mut self, item: Item) -> Result<(), Halt> {
        match item {
            Item::Variable(id) => {
                let width = self.functions.variable_width(id);
                let row = (0..width).map(|_| self.add_bit()).collect::<Result<Vec<_>, _>>()?;
                self.functions.set_variable(id, row.into_iter().rev().collect());
            }
            Item::Commitment(id) => {
                let bit = self.add_bit()?;
                self.functions.set_commitment(id, bit);
            }
            Item::Action(id) => {
                let variables = self.diagrams.add_variables(self.functions.action_width(id));
                let row = variables.clone().rev().map(|variable| self.diagrams.variable(variable));
                self.functions.set_action(id, row.collect::<Result<_, _>>()?);
                self.actions[id.index()] = variables.collect();
            }
        }
        Ok(())
    }

    /// The variables of each item, in the present order of the items.
    pub(crate) fn groups(&self) -> Vec<Vec<VarNo>> {
        let both = |bit: usize| [self.bits[bit].now, self.bits[bit].next];
        let group = |item: &Item| match item {
            Item::Variable(id) => {
                self.functions.variable_bits(*id).iter().rev().flat_map(|bit| both(*bit)).collect()
            }
            Item::Commitment(id) => both(self.functions.commitment_bit(*id)).to_vec(),
            Item::Action(id) => self.actions[id.index()].clone(),
        };
        self.ordered.iter().map(group).collect()
    }

    /// A further bit of the state, at the bottom of the order.
    pub(crate) fn add_bit(&mut self) -> Result<usize, Halt> {
        let pair = self.diagrams.add_variables(2);
        self.bits.push(Bit { now: pair.start, next: pair.start + 1 });
        Ok(self.functions.add_bit(self.diagrams.variable(pair.start)?))
    }

    /// The diagrams as an algebra that heeds limits.
    pub(crate) fn algebra<'a>(&'a self, budget: &'a dyn Budget) -> Watched<'a> {
        Watched { diagrams: &self.diagrams, budget }
    }

    /// The variables of an agent's action.
    pub(crate) fn action_variables(&self, agent: AgentId) -> &[VarNo] {
        &self.actions[agent.index()]
    }

    /// Where an expression is true.
    pub(crate) fn truth(&self, expr: &Expr, budget: &dyn Budget) -> Result<Defined<Bdd, Bdd>, Halt> {
        self.functions.truth(&mut self.algebra(budget), expr)
    }

    /// "From these states, the next value of each of these bits is that."
    pub(crate) fn becomes(
        &self,
        from: &Bdd,
        changes: &[(usize, Bdd)],
        budget: &dyn Budget,
    ) -> Result<Bdd, Halt> {
        let (truth, falsity) = (self.diagrams.truth(), self.diagrams.falsity());
        let mut changes: Vec<&(usize, Bdd)> = changes.iter().collect();
        changes.sort_unstable_by_key(|(bit, _)| std::cmp::Reverse(*bit));
        // From the bottom of the order upwards. What is fixed or kept takes no time however much there is of it, but copies of many bits
        // would make each step of what is calculated larger: they come last.
        let (mut simple, mut calculated) = (self.diagrams.truth(), Vec::new());
        for (bit, value) in changes {
            let same = self.diagrams.variable(self.bits[*bit].next)?.same(value)?;
            if *value == truth || *value == falsity || *value == self.functions.state[*bit] {
                simple = same.both(&simple)?;
            } else {
                calculated.push(same);
            }
        }
        let mut relation = from.clone();
        for same in calculated {
            self.diagrams.report(budget)?;
            relation = relation.both(&same)?;
        }
        relation.both(&simple)
    }

    /// "The bit keeps its value."
    pub(crate) fn keeps(&self, bit: usize) -> Result<Bdd, Halt> {
        let Bit { now, next } = self.bits[bit];
        self.diagrams.variable(now)?.same(&self.diagrams.variable(next)?)
    }

    /// Some state of a set, which must not be empty, packed.
    pub(crate) fn pick(&self, set: &Bdd, layout: &Layout) -> Option<Vec<u64>> {
        let value = self.some_values(set)?;
        // Free bits were taken as 0, so the code is the smallest of the set and within the domain.
        Some(self.functions.pack(layout, |bit| value(self.bits[bit].now)))
    }

    /// The set of one packed state.
    pub(crate) fn only(&self, state: &[u64], layout: &Layout) -> Result<Bdd, Halt> {
        let values = self.functions.unpack(layout, state);
        let literals: Vec<(Bdd, bool)> = self.functions.state.iter().cloned().zip(values).collect();
        self.diagrams.literals(&literals)
    }

    /// The variables of the joint action, to quantify over.
    pub(crate) fn joint_action(&self) -> Result<Bdd, Halt> {
        self.diagrams.cube(self.actions.iter().flatten().copied())
    }

    /// Some joint action of a set: the position of each agent's action.
    pub(crate) fn pick_joint(&self, set: &Bdd) -> Option<Vec<usize>> {
        let value = self.some_values(set)?;
        let code =
            |bits: &Vec<VarNo>| bits.iter().fold(0usize, |code, bit| code << 1 | usize::from(value(*bit)));
        Some(self.actions.iter().map(code).collect())
    }

    /// Which variables are true in some assignment of a set; `None` if it is empty.
    pub(crate) fn some_values(&self, set: &Bdd) -> Option<impl Fn(VarNo) -> bool + use<>> {
        use oxidd::BooleanFunction;
        let cube = set.pick_cube(|_, _, _| false)?;
        Some(move |variable: VarNo| matches!(cube.get(variable as usize), Some(oxidd::util::OptBool::True)))
    }
}
