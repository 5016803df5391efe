//! State formulas as diagrams, bottom up.

use servanda_engine::{Halt, Monitor, RunFault};
use servanda_lower::{Ctl, Over, PathFormula, State, StateFormula};
use servanda_model::{Expr, FaultKind};

use crate::diagrams::{Bdd, Operations};
use crate::symbolic::Symbolic;

impl Symbolic<'_> {
    /// Where a state formula holds, within the universe. Evaluating a formula that remembers the past adds bits to the
    /// state; sets known before stay right, since they do not mention the new bits.
    pub(crate) fn evaluate(&mut self, id: StateFormula, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        if let Some(set) = self.truth.get(&id) {
            return Ok(set.clone());
        }
        self.poll(monitor)?;
        let set = match self.lowering.arena.state(id).clone() {
            State::True => self.universe.clone(),
            State::Proposition(proposition) => {
                let expr = self.lowering.arena.proposition_expr(proposition).clone();
                self.proposition(&expr, monitor)?
            }
            State::Not(a) => {
                let a = self.evaluate(a, monitor)?;
                self.universe.without(&a)?
            }
            State::And(a, b) => self.evaluate(a, monitor)?.both(&self.evaluate(b, monitor)?)?,
            State::Or(a, b) => self.evaluate(a, monitor)?.either(&self.evaluate(b, monitor)?)?,
            State::Exists { path, over } => self.exists(path, over, monitor)?,
            State::SomePrevious(a) => {
                let a = self.evaluate(a, monitor)?;
                let states = self.states_of(&a)?;
                self.successors(&states)?.both(&self.universe)?
            }
            State::SomePast(a) => {
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
            State::Committed { debtor, creditor, limit, body } => {
                let broken = self.lowering.broken_promise(debtor, creditor, limit, body);
                let broken = self.evaluate(broken, monitor)?;
                self.universe.without(&broken)?
            }
            State::Knows { relation, correct, body } => {
                let body = self.evaluate(body, monitor)?;
                self.knows(&relation, &correct, &body)?
            }
            State::Able { group, goal } => self.able(&group, &goal, monitor)?,
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
        set.both(&self.universe)?.some(&self.recalled_bits()?)
    }

    /// The successors of a set of states.
    pub(crate) fn successors(&self, set: &Bdd) -> Result<Bdd, Halt> {
        let memory = self.recalled_bits()?;
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
    fn exists(&mut self, psi: PathFormula, over: Over, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        // In the strict reading a CTL operator is its fixpoint even where a deadlock cuts all paths short; with
        // implicit loops, or among states on fair runs, that is the same as speaking of paths.
        if let (Over::AllPaths | Over::Relation, Some(operator)) = (over, self.lowering.arena.ctl(psi)) {
            return self.ctl(operator, monitor);
        }
        for part in self.lowering.arena.state_parts(psi) {
            self.evaluate(part, monitor)?;
        }
        self.tableau(psi, monitor)
    }

    /// `E ψ` where ψ is one CTL operator.
    fn ctl(&mut self, operator: Ctl, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        match operator {
            Ctl::Next(a) => {
                let a = self.evaluate(a, monitor)?;
                self.before(&a)
            }
            Ctl::Until(a, b) => {
                let (a, b) = (self.evaluate(a, monitor)?, self.evaluate(b, monitor)?);
                self.until(&a, &b, monitor)
            }
            Ctl::Release(a, b) => {
                let (a, b) = (self.evaluate(a, monitor)?, self.evaluate(b, monitor)?);
                let stays = self.globally_fair(&b, monitor)?;
                let released = self.until(&b, &b.both(&a)?, monitor)?;
                stays.either(&released)
            }
        }
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
