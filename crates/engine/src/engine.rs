//! What every engine is asked.

use num_bigint::BigUint;
use servanda_logic::Formula;
use servanda_model::StateView;
use servanda_syntax::Span;

use crate::{
    Budget, Counts, Diagrams, Halt, Satisfying, Savings, Solving, Spread, StoppedTime, SymmetrySavings,
    Unkeepable, UnreachableLocation, Verdict,
};

/// A model made ready to be asked questions. What an engine has no way to find out it answers with [`Halt::NotOffered`], so that another
/// one can be asked; it never answers with a guess.
pub trait Engine {
    /// What users call it.
    fn name(&self) -> &'static str;

    /// Decides a ground state formula.
    ///
    /// # Errors
    ///
    /// A limit was reached, or the model or the formula is at fault.
    fn decide(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt>;

    /// Finds all reachable states, if they are not known yet.
    ///
    /// # Errors
    ///
    /// A limit was reached, the model is at fault, or this engine never knows all states.
    fn explore(&mut self, budget: &dyn Budget) -> Result<(), Halt>;

    /// Visits states one by one as long as there are at most so many; whether these are all is known then ([`Engine::is_explored`]). Nothing is
    /// done that is only worth it where there are many.
    ///
    /// # Errors
    ///
    /// As for [`Engine::explore`].
    fn look(&mut self, _most: u64, budget: &dyn Budget) -> Result<(), Halt> {
        self.explore(budget)
    }

    /// The same as [`Engine::explore`] where no formula will be decided: whatever only deciding needs is not kept.
    ///
    /// # Errors
    ///
    /// As for [`Engine::explore`].
    fn count(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        self.explore(budget)
    }

    /// Are all reachable states known?
    fn is_explored(&self) -> bool;

    /// The size of the model, if all its states are known; without transitions where counting these takes more than looking them up.
    fn counts(&self) -> Option<Counts>;

    /// The number of transitions, which may take more than everything else.
    ///
    /// # Errors
    ///
    /// A limit was reached, or transitions are not counted.
    fn transitions(&self) -> Result<BigUint, Halt> {
        self.counts().and_then(|counts| counts.transitions).ok_or(Halt::NotOffered)
    }

    /// A reachable state without a successor, if there is one.
    ///
    /// # Errors
    ///
    /// A limit was reached.
    fn deadlock(&mut self, budget: &dyn Budget) -> Result<Option<StateView>, Halt>;

    /// Is there no initial state at all? Then every formula is vacuously true.
    fn no_initial_state(&self) -> bool;

    /// Are there fairness constraints that no run satisfies? Then every formula is vacuously true.
    ///
    /// # Errors
    ///
    /// A limit was reached.
    fn no_fair_run(&mut self, budget: &dyn Budget) -> Result<bool, Halt>;

    /// The places of moves that are lost because a value does not exist or does not fit its variable, with an example each.
    ///
    /// # Errors
    ///
    /// A limit was reached, or this is not looked for.
    fn lost_moves(&mut self, _: &dyn Budget) -> Result<Vec<(Span, StateView)>, Halt> {
        Err(Halt::NotOffered)
    }

    /// The control states that no run reaches.
    ///
    /// # Errors
    ///
    /// A limit was reached, or this is not looked for.
    fn unreachable_locations(&mut self) -> Result<Vec<UnreachableLocation>, Halt> {
        Err(Halt::NotOffered)
    }

    /// The reachable states from which neither time can pass nor an end can be reached, if there are any.
    ///
    /// # Errors
    ///
    /// A limit was reached, or this is not looked for.
    fn stopped_time(&mut self, _: &dyn Budget) -> Result<Option<StoppedTime>, Halt> {
        Err(Halt::NotOffered)
    }

    /// What reductions have saved so far, where there were any.
    fn savings(&self) -> Option<Savings> {
        None
    }

    /// What symmetries have saved so far, where there were any.
    fn symmetry_savings(&self, _: &dyn Budget) -> Option<SymmetrySavings> {
        None
    }

    /// The commitments that no run can keep, by pair and by what is in force.
    ///
    /// # Errors
    ///
    /// A limit was reached, or this is not looked for.
    fn unkeepable(&mut self, _: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        Err(Halt::NotOffered)
    }

    /// The states where a ground state formula holds, and so many of them one by one.
    ///
    /// # Errors
    ///
    /// A limit was reached, the formula is at fault or cannot be evaluated, or this engine keeps no sets of states.
    fn satisfying(&mut self, _: &Formula, _most: usize, _: &dyn Budget) -> Result<Satisfying, Halt> {
        Err(Halt::NotOffered)
    }

    /// How decision diagrams fared, where there are any.
    fn diagrams(&self) -> Option<Diagrams> {
        None
    }

    /// How a solver fared, where there is one. Who asked knows what decided which property.
    fn solving(&self) -> Option<Solving> {
        None
    }

    /// How states are spread over workers, where there are any.
    fn spread(&self) -> Option<Spread> {
        None
    }

    /// How the last property was decided, in a few words, where the engine has several ways.
    fn techniques(&self) -> Option<String> {
        None
    }
}
