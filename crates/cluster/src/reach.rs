//! Properties that come down to whether a state can be reached in which a condition holds: states alone are looked for then, and no
//! further than must be.

use servanda_engine::{Halt, Validity};
use servanda_lower::{Lowering, State, StateFormula};
use servanda_model::Expr;
use servanda_space::Wanted;

use crate::board::Trouble;
use crate::explore::Found;
use crate::worker::Worker;

/// What must be reached, or must not be, for a property to hold.
#[derive(Clone, Debug)]
pub(crate) struct Reaching {
    pub(crate) condition: Expr,
    /// Does the property hold where it can be reached?
    pub(crate) holds: bool,
}

/// The questions that a property comes down to, all of which must be answered well; `None` where it comes down to something else.
/// `initial` is the number of initial states: with several `EF` asks more than whether there is a way.
pub(crate) fn reaching(lowering: &Lowering<'_>, id: StateFormula, initial: u64) -> Option<Vec<Reaching>> {
    let arena = &lowering.arena;
    let never = |id| arena.never(id).and_then(|bad| arena.condition(bad));
    match *arena.state(id) {
        State::And(a, b) => {
            let mut all = reaching(lowering, a, 0)?;
            all.extend(reaching(lowering, b, 0)?);
            Some(all)
        }
        State::Exists { .. } if initial == 1 => {
            let condition = arena.sometime(id).and_then(|good| arena.condition(good))?;
            Some(vec![Reaching { condition, holds: true }])
        }
        State::Not(_) => Some(vec![Reaching { condition: never(id)?, holds: false }]),
        _ => None,
    }
}

impl Worker<'_> {
    /// What a property comes down to, where that is a question of what can be reached.
    pub(crate) fn reaching(&mut self, id: StateFormula, initial: u64) -> Option<Vec<Reaching>> {
        if self.options.validity != Validity::Initial || self.shard.model.has_fairness() {
            return None;
        }
        reaching(&self.lowering, id, initial)
    }

    /// Decides such a property; where a state that was found decides it, that state is given too.
    ///
    /// # Errors
    ///
    /// As for exploring.
    pub(crate) fn reach(&mut self, questions: &[Reaching]) -> Result<(bool, Option<Vec<u64>>), Trouble> {
        let mut met = None;
        for Reaching { condition, holds } in questions {
            let wanted = Wanted::new(self.shard.model, &self.shard.layout, condition);
            let found = self.shard.explore(&mut self.fabric, &self.board, Some(&wanted))?;
            if let (Found::All, true) | (Found::Wanted(_), false) = (&found, holds) {
                return Ok((false, found.state()));
            }
            met = found.state();
        }
        Ok((true, met))
    }

    /// Where all states are known, a condition of the formula that has no value in one of them is a mistake of the formula, whether or
    /// not it would be met.
    pub(crate) fn check_defined(&mut self, id: StateFormula) -> Result<(), Trouble> {
        if !self.shard.is_done {
            return Ok(());
        }
        let faulting: Vec<Expr> =
            self.lowering.arena.propositions_in(id).filter(|expr| expr.can_fault()).cloned().collect();
        for expr in faulting {
            let wanted = Wanted::new(self.shard.model, &self.shard.layout, &expr);
            match self.shard.explore(&mut self.fabric, &self.board, Some(&wanted)) {
                Ok(_) => {}
                Err(Trouble::Halt(halt @ Halt::Fault(_))) => return Err(Trouble::Halt(halt)),
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }
}

impl Found {
    fn state(self) -> Option<Vec<u64>> {
        match self {
            Found::All => None,
            Found::Wanted(state) => Some(state),
        }
    }
}
