//! Decision diagrams: a thin layer over OxiDD that counts memory as a limit, not as a crash.

use std::cell::RefCell;
use std::hash::BuildHasherDefault;

use num_bigint::BigUint;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::num::F64;
use oxidd::util::{AllocResult, Ref, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel, InnerNode,
    Manager, ManagerRef, Node, NodeID, Subst, VarNo,
};
use rustc_hash::FxHashSet;
use servanda_algebra::Algebra;
use servanda_engine::{Budget, Halt, Progress, Stop};

use crate::sift::sift;

/// A set, as a decision diagram.
pub(crate) type Bdd = BCDDFunction;

/// The manager of all diagrams of one question.
pub(crate) struct Diagrams {
    manager: BCDDManagerRef,
    truth: Bdd,
    falsity: Bdd,
    /// The set of each variable, once asked for.
    variables: RefCell<Vec<Option<Bdd>>>,
}

/// There is no room for another node.
pub(crate) fn no_room() -> Halt {
    Halt::Stopped { stop: Stop::Memory, states: 0, transitions: 0 }
}

/// Turns "no room for another node" into a reason to stop.
pub(crate) fn room<T>(result: AllocResult<T>) -> Result<T, Halt> {
    result.map_err(|_| no_room())
}

impl Diagrams {
    /// A manager for at most so many nodes and, to begin with, so many variables: a cache for many would cost more to
    /// set up than a model of few takes to decide.
    pub(crate) fn new(nodes: usize, variables: usize) -> Self {
        let wanted = match variables {
            0..=48 => 1 << 14,
            49..=96 => 1 << 18,
            _ => 1 << 20,
        };
        let cache = wanted.min(nodes / 8).max(1 << 12);
        let manager = oxidd::bcdd::new_manager(nodes, cache, 1);
        let (truth, falsity) = manager.with_manager_shared(|m| (Bdd::t(m), Bdd::f(m)));
        Diagrams { manager, truth, falsity, variables: RefCell::default() }
    }

    pub(crate) fn truth(&self) -> Bdd {
        self.truth.clone()
    }

    pub(crate) fn falsity(&self) -> Bdd {
        self.falsity.clone()
    }

    pub(crate) fn constant(&self, value: bool) -> Bdd {
        if value { self.truth() } else { self.falsity() }
    }

    /// Adds variables at the bottom of the order.
    pub(crate) fn add_variables(&self, count: usize) -> std::ops::Range<VarNo> {
        self.manager.with_manager_exclusive(|manager| manager.add_vars(count as VarNo))
    }

    /// The set where a variable is true.
    pub(crate) fn variable(&self, variable: VarNo) -> Result<Bdd, Halt> {
        let mut known = self.variables.borrow_mut();
        let index = variable as usize;
        if known.len() <= index {
            known.resize(index + 1, None);
        }
        if let Some(set) = &known[index] {
            return Ok(set.clone());
        }
        let set = room(self.manager.with_manager_shared(|manager| Bdd::var(manager, variable)))?;
        known[index] = Some(set.clone());
        Ok(set)
    }

    /// A set of variables, to quantify over.
    pub(crate) fn cube(&self, variables: impl IntoIterator<Item = VarNo>) -> Result<Bdd, Halt> {
        let mut sorted: Vec<VarNo> = variables.into_iter().collect();
        // From the bottom of the order upwards, so that every step adds one node on top.
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let mut cube = self.truth();
        for variable in sorted {
            cube = room(self.variable(variable)?.and(&cube))?;
        }
        Ok(cube)
    }

    /// The set where each of these variables, given from the top of the order downwards, has its value.
    pub(crate) fn literals(&self, literals: &[(Bdd, bool)]) -> Result<Bdd, Halt> {
        let mut cube = self.truth();
        for (variable, value) in literals.iter().rev() {
            cube = if *value { variable.both(&cube)? } else { cube.without(variable)? };
        }
        Ok(cube)
    }

    /// A renaming of variables.
    pub(crate) fn renaming(&self, pairs: &[(VarNo, VarNo)]) -> Result<Subst<Bdd>, Halt> {
        let from: Vec<VarNo> = pairs.iter().map(|(from, _)| *from).collect();
        let to = pairs.iter().map(|(_, to)| self.variable(*to)).collect::<Result<Vec<_>, _>>()?;
        Ok(Subst::new(from, to))
    }

    /// All nodes alive or not yet collected.
    pub(crate) fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }

    /// Tells the budget how large the diagrams are, roughly, and asks whether to go on.
    pub(crate) fn report(&self, budget: &dyn Budget) -> Result<(), Halt> {
        let nodes = self.manager.with_manager_shared(|manager| manager.approx_num_inner_nodes());
        Progress::Deciding { nodes: nodes as u64 }.tell(budget)
    }

    /// Nodes alive: the others are collected first.
    pub(crate) fn live_nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| {
            manager.gc();
            manager.num_inner_nodes()
        })
    }

    /// Looks for a better order of groups of variables; see [`sift`].
    pub(crate) fn sift(
        &self,
        groups: &[Vec<VarNo>],
        room: usize,
        poll: &mut dyn FnMut(usize) -> Result<(), Halt>,
    ) -> Result<Vec<usize>, Halt> {
        self.manager.with_manager_exclusive(|manager| sift(manager, groups, room, poll))
    }

    /// By variable: its level, from the top of the order.
    pub(crate) fn levels(&self) -> Vec<usize> {
        self.manager.with_manager_shared(|manager| {
            (0..manager.num_vars()).map(|variable| manager.var_to_level(variable) as usize).collect()
        })
    }

    /// The variables that a diagram mentions.
    pub(crate) fn support(&self, set: &Bdd) -> FxHashSet<VarNo> {
        let mut variables = FxHashSet::default();
        set.with_manager_shared(|manager, edge| {
            collect_support(manager, edge, &mut Default::default(), &mut variables);
        });
        variables
    }

    /// The number of assignments to `counted` of the manager's variables that are in the set, which depends on no
    /// other variable.
    pub(crate) fn count(&self, set: &Bdd, counted: usize) -> BigUint {
        let all = self.manager.with_manager_shared(|manager| manager.num_vars());
        let mut cache: SatCountCache<BigUint, BuildHasherDefault<rustc_hash::FxHasher>> =
            SatCountCache::default();
        let count: BigUint = set.sat_count(all, &mut cache);
        count >> (all as usize - counted)
    }

    /// As [`Diagrams::count`], quicker and not exactly.
    pub(crate) fn roughly(&self, set: &Bdd, counted: usize) -> f64 {
        let mut cache: SatCountCache<F64, BuildHasherDefault<rustc_hash::FxHasher>> =
            SatCountCache::default();
        // The whole as one, so that the number of variables does not matter.
        let part: F64 = set.sat_count(0, &mut cache);
        part.0 * 2f64.powi(counted as i32)
    }
}

fn collect_support<M: Manager>(
    manager: &M,
    edge: Ref<'_, M::Edge>,
    seen: &mut FxHashSet<NodeID>,
    variables: &mut FxHashSet<VarNo>,
) where
    M::InnerNode: HasLevel,
{
    if seen.insert(edge.node_id())
        && let Node::Inner(node) = manager.get_node(edge)
    {
        variables.insert(manager.level_to_var(node.level()));
        for child in node.children() {
            collect_support(manager, child, seen, variables);
        }
    }
}

/// Diagrams as an algebra; while something large is made, a budget is asked whether to go on.
pub(crate) struct Watched<'a> {
    pub(crate) diagrams: &'a Diagrams,
    pub(crate) budget: &'a dyn Budget,
}

impl Algebra for Watched<'_> {
    type Function = Bdd;

    const READS_ALL_CODES: bool = true;
    const LAYERED: bool = true;

    fn constant(&self, value: bool) -> Bdd {
        self.diagrams.constant(value)
    }

    fn not(&mut self, a: &Bdd) -> Result<Bdd, Halt> {
        a.complement()
    }

    fn and(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        a.both(b)
    }

    fn or(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        a.either(b)
    }

    fn without(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        a.without(b)
    }

    fn differs(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        a.differs(b)
    }

    fn same(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Halt> {
        a.same(b)
    }

    fn choose(&mut self, condition: &Bdd, yes: &Bdd, no: &Bdd) -> Result<Bdd, Halt> {
        condition.choose(yes, no)
    }

    fn poll(&mut self) -> Result<(), Halt> {
        self.diagrams.report(self.budget)
    }

    fn cube(&mut self, literals: &[(Bdd, bool)]) -> Result<Bdd, Halt> {
        self.diagrams.literals(literals)
    }

    fn spells(&mut self, row: &[Bdd], code: u64) -> Result<Bdd, Halt> {
        // The most significant bit is on top.
        let literals: Vec<(Bdd, bool)> =
            row.iter().enumerate().map(|(at, bit)| (bit.clone(), code >> at & 1 == 1)).rev().collect();
        self.diagrams.literals(&literals)
    }
}

/// Short names for the operations, with memory as a limit: methods for diagrams, whose type is OxiDD's.
pub(crate) trait Operations: BooleanFunctionQuant + FunctionSubst {
    fn both(&self, other: &Self) -> Result<Self, Halt> {
        room(self.and(other))
    }

    fn either(&self, other: &Self) -> Result<Self, Halt> {
        room(self.or(other))
    }

    fn without(&self, other: &Self) -> Result<Self, Halt> {
        room(other.imp_strict(self))
    }

    fn complement(&self) -> Result<Self, Halt> {
        room(BooleanFunction::not(self))
    }

    fn same(&self, other: &Self) -> Result<Self, Halt> {
        room(self.equiv(other))
    }

    fn differs(&self, other: &Self) -> Result<Self, Halt> {
        room(self.xor(other))
    }

    fn choose(&self, then: &Self, otherwise: &Self) -> Result<Self, Halt> {
        room(self.ite(then, otherwise))
    }

    fn some(&self, variables: &Self) -> Result<Self, Halt> {
        room(self.exists(variables))
    }

    fn both_some(&self, other: &Self, variables: &Self) -> Result<Self, Halt> {
        room(self.apply_exists(BooleanOperator::And, other, variables))
    }

    fn renamed(&self, renaming: &Subst<Self>) -> Result<Self, Halt> {
        // A renaming looks at all variables, even where there are none.
        if !self.satisfiable() || self.valid() {
            return Ok(self.clone());
        }
        room(self.substitute(renaming))
    }

    fn is_false(&self) -> bool {
        !self.satisfiable()
    }

    fn size(&self) -> usize {
        self.node_count()
    }
}

impl Operations for Bdd {}
