//! State formulas as diagrams, bottom up.

use servanda_engine::{Halt, Monitor, RunFault};
use servanda_lower::{Core, CoreId};
use servanda_model::{Expr, FaultKind};

use crate::diagrams::{Bdd, Operations};
use crate::symbolic::Symbolic;

impl Symbolic<'_> {
    /// Where a state formula holds, within the universe. Evaluating a formula that remembers the past adds bits to the
    /// state; sets known before stay right, since they do not mention the new bits.
    pub(crate) fn evaluate(&mut self, id: CoreId, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        if let Some(set) = self.truth.get(&id) {
            return Ok(set.clone());
        }
        self.poll(monitor)?;
        let set = match self.lowering.arena.node(id).clone() {
            Core::True => self.universe.clone(),
            Core::Proposition(proposition) => {
                let expr = self.lowering.arena.proposition_expr(proposition).clone();
                self.proposition(&expr, monitor)?
            }
            Core::Not(a) => {
                let a = self.evaluate(a, monitor)?;
                self.universe.without(&a)?
            }
            Core::And(a, b) => self.evaluate(a, monitor)?.both(&self.evaluate(b, monitor)?)?,
            Core::Or(a, b) => self.evaluate(a, monitor)?.either(&self.evaluate(b, monitor)?)?,
            Core::Exists(psi) => self.exists(psi, monitor)?,
            Core::SomePrevious(a) => {
                let a = self.evaluate(a, monitor)?;
                let states = self.states_of(&a)?;
                self.successors(&states)?.both(&self.universe)?
            }
            Core::SomePast(a) => {
                let a = self.evaluate(a, monitor)?;
                let mut past = self.states_of(&a)?;
                loop {
                    let more = past.either(&self.successors(&past)?)?;
                    if more == past {
                        break past.both(&self.universe)?;
                    }
                    past = more;
                    self.poll(monitor)?;
                }
            }
            Core::Committed { debtor, creditor, limit, body } => {
                let broken = self.lowering.broken_promise(debtor, creditor, limit, body);
                let broken = self.evaluate(broken, monitor)?;
                self.universe.without(&broken)?
            }
            Core::Knows { relation, correct, body } => {
                let body = self.evaluate(body, monitor)?;
                self.knows(&relation, &correct, &body)?
            }
            Core::Able { group, goal } => self.able(&group, &goal, monitor)?,
            Core::Does(_)
            | Core::Acts { .. }
            | Core::Next(_)
            | Core::Until(..)
            | Core::Previous(_)
            | Core::Since(..) => {
                unreachable!("the lowering step lets only state formulas stand outside of a path quantifier")
            }
        };
        self.truth.insert(id, set.clone());
        Ok(set)
    }

    fn proposition(&self, expr: &Expr, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        let truth = self.encoding.truth(expr, monitor)?;
        let without_value = self.points.without(&truth.defined)?;
        if let Some(state) = self.encoding.example(&without_value) {
            let fault = RunFault::of_proposition(state, FaultKind::DivisionByZero);
            return Err(Halt::Fault(Box::new(fault)));
        }
        // Outside of the points a proposition without a value is false: nobody can get there.
        truth.value.both(&truth.defined)?.both(&self.universe)
    }

    /// The states of a set of points, what they remember left out.
    pub(crate) fn states_of(&self, set: &Bdd) -> Result<Bdd, Halt> {
        set.both(&self.universe)?.some(&self.memory.cube(&self.encoding)?)
    }

    /// The successors of a set of states.
    fn successors(&self, set: &Bdd) -> Result<Bdd, Halt> {
        let memory = self.memory.cube(&self.encoding)?;
        let mut all = self.encoding.diagrams.falsity();
        for part in &self.parts {
            all = all.either(&part.image(set)?.some(&memory)?)?;
        }
        Ok(all)
    }

    /// `EX`: the points of the universe from which some step leads into a set.
    pub(crate) fn before(&self, set: &Bdd) -> Result<Bdd, Halt> {
        let mut all = self.encoding.diagrams.falsity();
        for part in &self.parts {
            all = all.either(&part.preimage(set)?)?;
        }
        all.both(&self.universe)
    }

    /// `E ψ`.
    fn exists(&mut self, psi: CoreId, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        for part in self.lowering.arena.state_parts(psi) {
            self.evaluate(part, monitor)?;
        }
        match self.ctl(psi, monitor)? {
            Some(set) => Ok(set),
            None => self.tableau(psi, monitor),
        }
    }

    /// `E ψ` where ψ is one CTL operator over state formulas.
    fn ctl(&mut self, psi: CoreId, monitor: &dyn Monitor) -> Result<Option<Bdd>, Halt> {
        // In the strict reading a CTL operator is its fixpoint even where a deadlock cuts all paths short; with
        // implicit loops, or among states on fair runs, that is the same as speaking of paths.
        let operands = |this: &Self, a: CoreId, b: CoreId| {
            let arena = &this.lowering.arena;
            (arena.is_state(a) && arena.is_state(b)).then_some((a, b))
        };
        Ok(match *self.lowering.arena.node(psi) {
            Core::Next(a) if self.lowering.arena.is_state(a) => {
                let a = self.evaluate(a, monitor)?;
                Some(self.before(&a)?)
            }
            Core::Until(a, b) => match operands(self, a, b) {
                Some((a, b)) => {
                    let (a, b) = (self.evaluate(a, monitor)?, self.evaluate(b, monitor)?);
                    Some(self.until(&a, &b, monitor)?)
                }
                None => None,
            },
            Core::Not(inner) => match *self.lowering.arena.node(inner) {
                Core::Next(a) if self.lowering.arena.is_state(a) => {
                    let a = self.evaluate(a, monitor)?;
                    Some(self.before(&self.universe.without(&a)?)?)
                }
                Core::Until(a, b) => match operands(self, a, b) {
                    Some((a, b)) => {
                        let (a, b) = (self.evaluate(a, monitor)?, self.evaluate(b, monitor)?);
                        let outside = self.universe.without(&b)?;
                        let stays = self.globally_fair(&outside, monitor)?;
                        let leaves = self.until(&outside, &outside.without(&a)?, monitor)?;
                        Some(stays.either(&leaves)?)
                    }
                    None => None,
                },
                _ => None,
            },
            _ => None,
        })
    }

    /// `E [a U b]`
    pub(crate) fn until(&mut self, a: &Bdd, b: &Bdd, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        let mut reached = b.clone();
        let mut frontier = b.clone();
        while !frontier.is_false() {
            self.poll(monitor)?;
            frontier = self.before(&frontier)?.both(a)?.without(&reached)?;
            reached = reached.either(&frontier)?;
        }
        Ok(reached)
    }

    /// `E G a` on fair paths.
    pub(crate) fn globally_fair(&mut self, a: &Bdd, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        let mut stays = a.clone();
        loop {
            self.poll(monitor)?;
            let mut again = stays.clone();
            for constraint in self.fair.clone() {
                let meets = self.until(&again.clone(), &again.both(&constraint)?, monitor)?;
                again = again.both(&self.before(&meets)?)?;
            }
            if self.fair.is_empty() {
                again = again.both(&self.before(&again)?)?;
            }
            if again == stays {
                return Ok(stays);
            }
            stays = again;
        }
    }
}
