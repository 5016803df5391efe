//! Bounded search for what exists: paths, and points that an agent cannot exclude.
//!
//! A formula that claims nothing but existence (after negations are pushed inwards: `E`, doubt, and what is possible in the past,
//! over conditions) becomes one circuit: every occurrence of such an operator has a path of its own, whose choices are new inputs,
//! and points of other runs are the ends of runs of their own from an initial state. An assignment that satisfies the circuit
//! is a witness, so nothing that is found is wrong; what is not found may be further away. See Penczek and Lomuscio,
//! "Verifying epistemic properties of multi-agent systems via bounded model checking". Paths need a loop only where a formula
//! claims something for ever.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_circuit::Edge;
use servanda_engine::{Budget, Halt, Past};
use servanda_lower::{CoreFormula, Ctl, Over, PathFormula, Relation, State, StateFormula};
use servanda_model::AgentId;

use crate::Technique;
use crate::effort::Effort;
use crate::fairness::Kept;
use crate::gates::Gates;
use crate::induction::Unrolled;
use crate::machine::Machine;
use crate::paths::Product;
use crate::sat::Sat;

/// So many gates may be added for one depth.
const MOST_GATES: usize = 4_000_000;

/// So many links has a chain of points that agents take for each other (common knowledge) at the most.
const MOST_LINKS: usize = 8;

/// So many initial states are looked at one by one.
const MOST_INITIAL: usize = 32;

/// Which state a claim is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Properties hold in all initial states.
    Initial,
    /// What is claimed must hold at no point of any run.
    SomePoint,
}

/// Is a formula claimed or denied?
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Claimed {
    Yes,
    No,
}

impl Claimed {
    fn denied(self) -> Claimed {
        match self {
            Claimed::Yes => Claimed::No,
            Claimed::No => Claimed::Yes,
        }
    }
}

/// A search with paths of a fixed length.
struct Search<'s, 'm> {
    sat: &'s mut Sat<'m>,
    budget: &'s dyn Budget,
    steps: usize,
    /// How many gates there may be.
    most: usize,
    products: FxHashMap<PathFormula, Rc<Product>>,
    /// What shows a claim about a point; or why nothing of this length does.
    witnesses: FxHashMap<(StateFormula, Claimed, Vec<Edge>), Result<Edge, String>>,
}

impl Sat<'_> {
    /// Does a property hold (`Initial`), or does a formula hold nowhere (`SomePoint`)? With paths that grow up to the bound.
    pub(crate) fn settle(
        &mut self,
        id: StateFormula,
        place: Place,
        bound: usize,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        self.recall(id, budget)?;
        self.note(Technique::Bounded);
        let (products, witnesses) = (FxHashMap::default(), FxHashMap::default());
        let mut search = Search { sat: self, budget, steps: 0, most: 0, products, witnesses };
        // What one of the two cannot say it will not say with longer paths either.
        let (mut refutes, mut shows) = (true, place == Place::Initial);
        let mut why = None;
        search.steps = bound.min(1);
        loop {
            search.most = search.sat.system.graph.len() + MOST_GATES;
            if refutes {
                match search.refuted(id, place) {
                    Ok(true) => return Ok(false),
                    Ok(false) => {}
                    Err(Halt::TooLarge(reason)) => {
                        refutes = false;
                        why.get_or_insert(reason);
                    }
                    Err(halt) => return Err(halt),
                }
            }
            if shows {
                match search.shown(id) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(Halt::TooLarge(reason)) => {
                        shows = false;
                        why.get_or_insert(reason);
                    }
                    Err(halt) => return Err(halt),
                }
            }
            if !refutes && !shows {
                let why = why.unwrap_or_default();
                return Err(Halt::TooLarge(format!("{why} (--bound {bound})")));
            }
            if search.steps == bound {
                let reason = format!("no witness within {bound} steps says more (--bound {bound})");
                return Err(Halt::TooLarge(reason));
            }
            search.steps = (search.steps * 2).min(bound);
            search.witnesses.clear();
        }
    }

    /// Adds the bits for what a formula remembers, before paths are unrolled.
    fn recall(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<(), Halt> {
        let mut seen = FxHashSet::default();
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            match *self.lowering.arena.state(id) {
                State::Not(a)
                | State::SomePrevious(a)
                | State::SomePast(a)
                | State::Knows { body: a, .. } => todo.push(a),
                State::And(a, b) | State::Or(a, b) => todo.extend([b, a]),
                State::Committed { debtor, creditor, limit, body } => {
                    todo.push(self.lowering.broken_promise(debtor, creditor, limit, body));
                }
                State::Exists { path, .. } => {
                    let parts = self.lowering.arena.state_parts(path);
                    for part in &parts {
                        self.recall(*part, budget)?;
                    }
                    let past = self.lowering.arena.past_operators(path);
                    for part in self.lowering.arena.state_parts_of(&past) {
                        self.present_only(part, budget)?;
                    }
                    self.remember(path)?;
                }
                State::True | State::Proposition(_) | State::Able { .. } => {}
            }
        }
        Ok(())
    }
}

impl Search<'_, '_> {
    /// Is there a place that refutes the property?
    fn refuted(&mut self, id: StateFormula, place: Place) -> Result<bool, Halt> {
        let (at, there, claimed) = match place {
            Place::Initial => {
                let at = self.sat.machine.state.clone();
                let start = self.sat.initial;
                let fair = self.begins_fair_run(&at)?;
                (at, self.sat.system.graph.and(start, fair), Claimed::No)
            }
            Place::SomePoint => {
                let (at, there) = self.point()?;
                (at, there, Claimed::Yes)
            }
        };
        let witness = self.witness(id, claimed, &at)?;
        let mut gates = Gates::new(self.budget);
        gates.require(&self.sat.system.graph, there);
        gates.require(&self.sat.system.graph, witness);
        gates.solve(&[], &Effort::new(self.budget, &self.sat.calls))
    }

    /// Does every initial state have a witness?
    fn shown(&mut self, id: StateFormula) -> Result<bool, Halt> {
        let at = self.sat.machine.state.clone();
        let witness = self.witness(id, Claimed::Yes, &at)?;
        let graph = &self.sat.system.graph;
        let effort = Effort::new(self.budget, &self.sat.calls);
        let (mut starts, mut shows) = (Gates::new(self.budget), Gates::new(self.budget));
        starts.require(graph, self.sat.initial);
        shows.require(graph, witness);
        let (row, same_row) = (starts.row(graph, &at), shows.row(graph, &at));
        for _ in 0..MOST_INITIAL {
            if !starts.solve(&[], &effort)? {
                return Ok(true);
            }
            let state = starts.assigned(&row);
            let signed = state.iter().zip(&row).zip(&same_row);
            let same: Vec<i32> =
                signed.map(|((value, own), other)| if value == own { *other } else { -other }).collect();
            if !shows.solve(&same, &effort)? {
                return Ok(false);
            }
            let another: Vec<i32> = state.iter().map(|literal| -literal).collect();
            starts.add(&another);
        }
        Err(Halt::TooLarge(format!(
            "there are more than {MOST_INITIAL} initial states to show something for"
        )))
    }

    /// A circuit that is satisfied only where a formula holds, or fails, at a point.
    fn witness(&mut self, id: StateFormula, claimed: Claimed, at: &[Edge]) -> Result<Edge, Halt> {
        self.look_at_size()?;
        if self.sat.lowering.arena.is_condition(id) {
            let set = self.sat.evaluate(id, self.budget)?;
            let set = if claimed == Claimed::Yes { set } else { !set };
            return Ok(self.said_of(set, at));
        }
        let key = (id, claimed, at.to_vec());
        if let Some(known) = self.witnesses.get(&key) {
            return known.clone().map_err(Halt::TooLarge);
        }
        let found = self.new_witness(id, claimed, at);
        match &found {
            Ok(edge) => drop(self.witnesses.insert(key, Ok(*edge))),
            Err(Halt::TooLarge(reason)) => drop(self.witnesses.insert(key, Err(reason.clone()))),
            Err(_) => {}
        }
        found
    }

    fn new_witness(&mut self, id: StateFormula, claimed: Claimed, at: &[Edge]) -> Result<Edge, Halt> {
        match (self.sat.lowering.arena.state(id).clone(), claimed) {
            (State::Not(a), _) => self.witness(a, claimed.denied(), at),
            (State::And(a, b), Claimed::Yes) | (State::Or(a, b), Claimed::No) => {
                let (a, b) = (self.witness(a, claimed, at)?, self.witness(b, claimed, at)?);
                Ok(self.sat.system.graph.and(a, b))
            }
            (State::And(a, b), Claimed::No) | (State::Or(a, b), Claimed::Yes) => {
                // One of them is enough, also where nothing can be said of the other.
                match (self.witness(a, claimed, at), self.witness(b, claimed, at)) {
                    (Ok(a), Ok(b)) => Ok(self.sat.system.graph.or(a, b)),
                    (Ok(one), Err(Halt::TooLarge(_))) | (Err(Halt::TooLarge(_)), Ok(one)) => Ok(one),
                    (Err(halt), _) | (_, Err(halt)) => Err(halt),
                }
            }
            (State::Exists { path, over }, Claimed::Yes) => self.path(path, over, at),
            (State::Committed { debtor, creditor, limit, body }, Claimed::No) => {
                let broken = self.sat.lowering.broken_promise(debtor, creditor, limit, body);
                self.witness(broken, Claimed::Yes, at)
            }
            (State::Knows { relation, correct, body }, Claimed::No) => {
                self.doubt(&relation, &correct, body, at)
            }
            (State::SomePrevious(a), Claimed::Yes) => self.previous(a, at),
            (State::SomePast(a), Claimed::Yes) => self.past(a, at),
            (State::Able { .. }, _) => Err(too_much("strategies")),
            (State::Exists { .. }, Claimed::No) => Err(too_much("that something holds on all paths")),
            (State::Committed { .. }, Claimed::Yes) => Err(too_much("that a commitment holds")),
            (State::Knows { .. }, Claimed::Yes) => Err(too_much("that something is known")),
            (State::SomePrevious(_) | State::SomePast(_), Claimed::No) => {
                Err(too_much("that something was so on all ways"))
            }
            (State::True | State::Proposition(_), _) => self.sat.present_only(id, self.budget),
        }
    }

    fn look_at_size(&self) -> Result<(), Halt> {
        Effort::new(self.budget, &self.sat.calls).poll()?;
        if self.sat.system.graph.len() > self.most {
            return Err(Halt::TooLarge(format!("paths of {} steps make too many gates", self.steps)));
        }
        Ok(())
    }

    /// A set of states, said of a point.
    fn said_of(&mut self, set: Edge, at: &[Edge]) -> Edge {
        let map = self.sat.machine.state.iter().map(|bit| bit.node()).zip(at.iter().copied()).collect();
        self.sat.system.graph.substitute(&[set], &map)[0]
    }

    /// A state that can be any.
    fn fresh(&mut self) -> Vec<Edge> {
        (0..self.sat.machine.state.len()).map(|_| self.sat.system.graph.input()).collect()
    }

    /// The same values in some positions.
    fn same(&mut self, one: &[Edge], other: &[Edge], positions: impl Iterator<Item = usize>) -> Edge {
        let graph = &mut self.sat.system.graph;
        let same: Vec<Edge> = positions.map(|bit| graph.same(one[bit], other[bit])).collect();
        graph.all(&same)
    }

    /// The end of a path of at most so many steps, each of which leaves a state where a formula holds; and the condition that it is.
    fn walk(
        &mut self,
        from: &[Edge],
        along: Option<(StateFormula, Claimed)>,
    ) -> Result<(Vec<Edge>, Edge), Halt> {
        let mut machine = self.sat.machine.clone();
        let graph = &mut self.sat.system.graph;
        let stay = graph.input();
        machine.choices.push(stay);
        machine.valid = graph.or(machine.valid, stay);
        for (next, bit) in machine.next.iter_mut().zip(&machine.state) {
            *next = graph.choose(stay, *bit, *next);
        }
        let mut run = Unrolled::from(from.to_vec());
        let mut condition = Edge::TRUE;
        for step in 0..self.steps {
            self.look_at_size()?;
            run.extend(&mut self.sat.system.graph, &machine);
            condition = self.sat.system.graph.and(condition, run.valid[step]);
            if let Some((id, claimed)) = along {
                let here = run.states[step].clone();
                let holds = self.witness(id, claimed, &here)?;
                let stays = *run.choices[step].last().unwrap_or(&Edge::FALSE);
                let right = self.sat.system.graph.or(stays, holds);
                condition = self.sat.system.graph.and(condition, right);
            }
        }
        Ok((run.states.pop().unwrap_or_default(), condition))
    }

    /// A point of some run, and the condition that it is one.
    fn point(&mut self) -> Result<(Vec<Edge>, Edge), Halt> {
        let first = self.fresh();
        let starts = self.said_of(self.sat.initial, &first);
        if self.sat.fair.is_empty() {
            let (end, walked) = self.walk(&first, None)?;
            return Ok((end, self.sat.system.graph.and(starts, walked)));
        }
        let machine = self.sat.machine.clone();
        let kept = self.sat.fair.clone();
        let (run, loops) = self.lasso(&machine, first, &kept)?;
        let point = self.fresh();
        let mut places = Vec::new();
        for state in &run.states[..self.steps] {
            places.push(self.same(&point, state, 0..point.len()));
        }
        let graph = &mut self.sat.system.graph;
        let somewhere = graph.any(&places);
        let is_point = graph.all(&[starts, loops, somewhere]);
        Ok((point, is_point))
    }

    /// A state begins a fair run; where nothing is said of fairness, all do.
    fn begins_fair_run(&mut self, at: &[Edge]) -> Result<Edge, Halt> {
        if self.sat.fair.is_empty() {
            return Ok(Edge::TRUE);
        }
        let machine = self.sat.machine.clone();
        let kept = self.sat.fair.clone();
        Ok(self.lasso(&machine, at.to_vec(), &kept)?.1)
    }

    /// A path whose last step closes a loop on which everything is kept, and the condition that it does. A shorter path with a loop goes
    /// round until it is long enough.
    fn lasso(&mut self, machine: &Machine, from: Vec<Edge>, kept: &[Kept]) -> Result<(Unrolled, Edge), Halt> {
        let steps = self.steps;
        let mut run = Unrolled::from(from);
        let mut kept_at: Vec<Vec<Kept>> = Vec::new();
        for _ in 0..steps {
            self.look_at_size()?;
            let graph = &mut self.sat.system.graph;
            run.extend(graph, machine);
            kept_at.push(run.kept_here(graph, machine, kept));
        }
        let graph = &mut self.sat.system.graph;
        let closes = run.closes_loop(graph, &kept_at, steps);
        let valid = graph.all(&run.valid);
        let condition = graph.and(closes, valid);
        Ok((run, condition))
    }

    /// `E ψ`
    fn path(&mut self, psi: PathFormula, over: Over, at: &[Edge]) -> Result<Edge, Halt> {
        let speaks_of_ctl = over != Over::InfinitePaths && self.sat.fair.is_empty();
        match self.sat.lowering.arena.ctl(psi).filter(|_| speaks_of_ctl) {
            Some(Ctl::Next(a)) => {
                if self.steps == 0 {
                    return Ok(Edge::FALSE);
                }
                let mut run = Unrolled::from(at.to_vec());
                run.extend(&mut self.sat.system.graph, &self.sat.machine);
                let next = run.states[1].clone();
                let holds = self.witness(a, Claimed::Yes, &next)?;
                Ok(self.sat.system.graph.and(run.valid[0], holds))
            }
            Some(Ctl::Until(a, b)) => {
                let along = (a != StateFormula::TRUE).then_some((a, Claimed::Yes));
                let (end, walked) = self.walk(at, along)?;
                let holds = self.witness(b, Claimed::Yes, &end)?;
                Ok(self.sat.system.graph.and(walked, holds))
            }
            Some(Ctl::Release(..)) | None => self.tableau_path(psi, over, at),
        }
    }

    /// `E ψ` for any ψ: guesses about the future are bits of the state, and so are guesses about the state formulas in ψ, which
    /// have witnesses of their own wherever they are guessed.
    fn tableau_path(&mut self, psi: PathFormula, over: Over, at: &[Edge]) -> Result<Edge, Halt> {
        let product = match self.products.get(&psi) {
            Some(product) => Rc::clone(product),
            None => {
                let product = Rc::new(self.sat.product(psi, self.budget)?);
                self.products.insert(psi, Rc::clone(&product));
                product
            }
        };
        let (machine, own) = (&product.machine, self.sat.machine.state.len());
        let mut first = at.to_vec();
        first.extend(machine.state[own..].iter().map(|_| self.sat.system.graph.input()));
        let (run, loops) = self.lasso(machine, first, &product.kept)?;
        let mut right = Vec::new();
        for (place, state) in run.states.iter().enumerate() {
            for (id, signs, bit) in &product.nested {
                let guess = run.at(&mut self.sat.system.graph, machine, *bit, place);
                if signs.positive {
                    let holds = self.witness(*id, Claimed::Yes, &state[..own])?;
                    right.push((place, self.sat.system.graph.implies(guess, holds)));
                }
                if signs.negative {
                    let fails = self.witness(*id, Claimed::No, &state[..own])?;
                    right.push((place, self.sat.system.graph.or(guess, fails)));
                }
            }
        }
        let graph = &mut self.sat.system.graph;
        let up_to = |last: usize| -> Vec<Edge> {
            right.iter().filter(|(place, _)| *place <= last).map(|(_, edge)| *edge).collect()
        };
        let mut ways = Vec::new();
        if self.steps > 0 {
            // The last state is one that was there before, guesses and all.
            let mut all = up_to(self.steps - 1);
            all.push(loops);
            ways.push(graph.all(&all));
        }
        // CTL operators of the strict reading do not refer to infinite paths; otherwise every path goes on.
        let may_end = self.sat.fair.is_empty() && over != Over::InfinitePaths;
        let graph = &mut self.sat.system.graph;
        for last in 0..run.states.len() {
            let ends = run.at(graph, machine, product.ends, last);
            if !may_end || ends == Edge::FALSE {
                break;
            }
            let mut all = up_to(last);
            all.extend(&run.valid[..last]);
            all.push(ends);
            ways.push(graph.all(&all));
        }
        let goal = run.at(graph, machine, product.goal, 0);
        let some_way = graph.any(&ways);
        Ok(graph.and(goal, some_way))
    }

    /// Where something is not known: a point of a run that cannot be excluded and where the body fails.
    fn doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        at: &[Edge],
    ) -> Result<Edge, Halt> {
        let links = match relation {
            // An agent takes every point for itself, so shorter chains are among those of this length.
            Relation::Common(_) => self.steps.clamp(1, MOST_LINKS),
            _ => 1,
        };
        let mut here = at.to_vec();
        let mut chain = Edge::TRUE;
        for _ in 0..links {
            let (there, is_point) = self.point()?;
            let related = match relation {
                Relation::Everywhere => Edge::TRUE,
                Relation::All(agents) => self.look_alike(agents, &here, &there),
                Relation::Some(agents) | Relation::Common(agents) => {
                    let each: Vec<Edge> =
                        agents.iter().map(|agent| self.look_alike(&[*agent], &here, &there)).collect();
                    self.sat.system.graph.any(&each)
                }
            };
            let green = self.behave(correct, &there)?;
            chain = self.sat.system.graph.all(&[chain, is_point, related, green]);
            here = there;
        }
        let fails = self.witness(body, Claimed::No, &here)?;
        Ok(self.sat.system.graph.and(chain, fails))
    }

    /// The agents together cannot tell two points apart.
    fn look_alike(&mut self, agents: &[AgentId], one: &[Edge], other: &[Edge]) -> Edge {
        let seen = self.sat.system.encoding.visible_to(agents);
        self.same(one, other, seen.into_iter())
    }

    /// These agents behave correctly at a point.
    fn behave(&mut self, agents: &[AgentId], at: &[Edge]) -> Result<Edge, Halt> {
        let mut green = Edge::TRUE;
        for agent in agents {
            let red = &self.sat.system.encoding.model.agent(*agent).red;
            let red = self.sat.system.truth(red)?;
            green = self.sat.system.graph.without(green, red.value);
        }
        Ok(self.said_of(green, at))
    }

    /// A state that may be in the past of others, and the condition that it may.
    fn before(&mut self) -> Result<(Vec<Edge>, Edge), Halt> {
        match self.sat.options.past {
            Past::Reachable => self.point(),
            Past::All if self.sat.fair.is_empty() => {
                let state = self.fresh();
                let typed = self.said_of(self.sat.system.typed, &state);
                Ok((state, typed))
            }
            Past::All => Err(too_much("`--past all` with fairness")),
        }
    }

    /// `EY a`
    fn previous(&mut self, a: StateFormula, at: &[Edge]) -> Result<Edge, Halt> {
        let (there, possible) = self.before()?;
        let mut run = Unrolled::from(there.clone());
        run.extend(&mut self.sat.system.graph, &self.sat.machine);
        let arrives = self.same(&run.states[1], at, 0..self.sat.base.state.len());
        let holds = self.witness(a, Claimed::Yes, &there)?;
        Ok(self.sat.system.graph.all(&[possible, run.valid[0], arrives, holds]))
    }

    /// `EP a`
    fn past(&mut self, a: StateFormula, at: &[Edge]) -> Result<Edge, Halt> {
        let (there, possible) = self.before()?;
        let (end, walked) = self.walk(&there, None)?;
        let arrives = self.same(&end, at, 0..self.sat.base.state.len());
        let holds = self.witness(a, Claimed::Yes, &there)?;
        Ok(self.sat.system.graph.all(&[possible, walked, arrives, holds]))
    }
}

fn too_much(what: &str) -> Halt {
    Halt::TooLarge(format!("a bounded search finds single runs and cannot show this: {what}"))
}
