//! The engine as its users see it.

use servanda_engine::{
    Budget, Counts, Engine, FORGETS, Halt, Options, PROMISED_KNOWLEDGE, Savings, StoppedTime,
    SymmetrySavings, Unkeepable, UnreachableLocation, Validity, Verdict,
};
use servanda_logic::Formula;
use servanda_lower::{IntoLowering, State, StateFormula};
use servanda_model::{Expr, Model, StateView};
use servanda_space::{Lent, Space, Walk, Wanted};
use servanda_syntax::Span;

use crate::evaluate::Evaluation;
use crate::explorer::Explorer;
use crate::layers::Node;
use crate::symmetry::{Counted, Symmetries};

/// Decides properties of a model on the fly.
pub struct Tableau<'m> {
    pub(crate) model: &'m Model,
    pub(crate) options: Options,
    /// Serves all properties that do not look back.
    pub(crate) common: Evaluation<'m>,
    threads: usize,
    /// Finds all states where there are many; then it serves questions of what can be reached, and counts.
    explorer: Option<Explorer<'m>>,
    /// Up to so many states the plain explorer goes, whose space serves for everything else too.
    pub(crate) few: usize,
    /// Who are alike, and what was found out with that.
    pub(crate) symmetries: Box<Symmetries<'m>>,
    /// The size of the model, where it was found with symmetries.
    counted: Option<Box<Counted>>,
    /// Goes through the model at random.
    pub(crate) walk: Walk,
}

/// A condition that some state or none should meet that can be reached.
pub(crate) struct Reached {
    /// The formula `EF ..` that the answer depends on.
    some: StateFormula,
    /// What is to be reached.
    pub(crate) condition: Expr,
    /// Should it be?
    pub(crate) wanted: bool,
}

/// What [`Tableau::few`] is.
const FEW: usize = 1 << 11;

impl<'m> Tableau<'m> {
    /// Prepares the model; nothing but its initial states is computed. `threads` will look for states.
    pub fn new(
        model: impl IntoLowering<'m>,
        options: Options,
        threads: usize,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let lowering = model.into_lowering(options.acts, options.deadlock).map_err(Halt::Invalid)?;
        let model = lowering.model;
        let mut common = Evaluation::new(&lowering, options)?;
        common.space = Lent::new(Space::new(model, options.deadlock, budget)?);
        Ok(Tableau {
            model,
            options,
            common,
            threads,
            explorer: None,
            few: FEW,
            symmetries: Box::default(),
            counted: None,
            walk: Walk::default(),
        })
    }

    /// For tests: however small a model is, nothing is decided by looking at its states or by chance.
    #[cfg(test)]
    pub(crate) fn leave_all_to_reductions(&mut self) {
        self.few = 0;
        self.walk = Walk::nowhere();
    }

    /// The explorer that has found all states, unless the space has them as well.
    pub(crate) fn complete(&self) -> Option<Option<&Explorer<'m>>> {
        if self.common.space.is_complete() {
            return Some(None);
        }
        self.explorer.as_ref().filter(|explorer| explorer.is_done()).map(Some)
    }

    /// The explorer for many states.
    fn explorer(&mut self, budget: &dyn Budget) -> Result<&mut Explorer<'m>, Halt> {
        let explorer = match self.explorer.take() {
            Some(explorer) => explorer,
            None => Explorer::new(self.model, self.threads, budget)?,
        };
        Ok(self.explorer.insert(explorer))
    }

    /// How many of the states that have been visited one by one lie at each distance.
    pub fn widths(&self) -> Vec<usize> {
        self.common.space.widths()
    }

    /// The space, for those who go on with it.
    pub fn into_space(self) -> Lent<'m> {
        self.common.space
    }

    /// Decides a ground state formula.
    pub fn decide(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        let id = self.common.lowering.property(formula).map_err(Halt::Invalid)?;
        if self.options.recall.is_some() && self.common.lowering.needs_recall(id) {
            return Ok(Verdict::Unknown(FORGETS.to_owned()));
        }
        self.check_defined(id)?;
        if self.holds_at_first_sight(id) {
            return Ok(Verdict::True);
        }
        let valid = if let Some(valid) = self.by_chance(id, budget).transpose() {
            valid
        } else if let Some(valid) = self.by_symmetry(id, budget).transpose() {
            valid
        } else if let Some(valid) = self.by_reachability(id, budget) {
            valid
        } else {
            self.alone(id, |evaluation| evaluation.is_valid(id, budget))
        };
        match valid {
            Ok(valid) => Ok(Verdict::from(valid)),
            Err(Halt::TooLarge(reason)) => Ok(Verdict::Unknown(reason)),
            Err(other) => Err(other),
        }
    }

    /// Works on a formula with the evaluation that serves all, unless it looks back: then with one of its own.
    fn alone<T>(
        &mut self,
        id: StateFormula,
        work: impl FnOnce(&mut Evaluation<'m>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        if self.common.rank(id) == 0 {
            return work(&mut self.common);
        }
        let mut own = Evaluation::new(&self.common.lowering, self.options)?;
        self.common.lend(&mut own, work)
    }

    /// Where all states are known, a condition of the formula that has no value in one of them is a mistake of the formula,
    /// whether or not the search would have come there.
    fn check_defined(&self, id: StateFormula) -> Result<(), Halt> {
        let Some(complete) = self.complete() else { return Ok(()) };
        let (arena, space) = (&self.common.lowering.arena, &self.common.space);
        for expr in arena.propositions_in(id).filter(|expr| expr.can_fault()) {
            match complete {
                Some(explorer) => explorer.check_defined(expr)?,
                None => Wanted::new(self.model, &space.layout, expr)
                    .is_defined(|see| space.reachable().for_each(see))?,
            }
        }
        Ok(())
    }

    /// Decides on states that stand for others, where some are alike and there are many states; `None` where that cannot be.
    fn by_symmetry(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Option<bool>, Halt> {
        if self.options.unreduced || self.options.validity != Validity::Initial || self.common.rank(id) > 0 {
            return Ok(None);
        }
        if !self.symmetries.can_be(self.model) {
            return Ok(None);
        }
        // Where few states are all there is nothing is gained.
        if self.common.are_few(self.few, budget)? {
            return Ok(None);
        }
        self.symmetries.decide(&mut self.common.lowering, self.options, id, budget)
    }

    /// Is it seen on states that stand for others that a formula holds nowhere?
    fn never_by_symmetry(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<bool, Halt> {
        let lowering = &mut self.common.lowering;
        let sometime = lowering.arena.finally(id);
        let some = lowering.exists(sometime);
        let never = lowering.arena.not(some);
        Ok(self.by_symmetry(never, budget)? == Some(true))
    }

    /// Decides what comes down to whether a state can be reached in which a condition holds; `None` where the formula
    /// does not. States alone are looked for then, by all threads, and no transition is kept.
    fn by_reachability(&mut self, id: StateFormula, budget: &dyn Budget) -> Option<Result<bool, Halt>> {
        if self.options.validity != Validity::Initial || self.model.has_fairness() {
            return None;
        }
        if let State::And(a, b) = *self.common.lowering.arena.state(id) {
            // Valid are both or not the whole; only where both can be decided so is this the shorter way.
            let is_never = |id| self.reached_in(id).is_some_and(|reached| !reached.wanted);
            if !is_never(a) || !is_never(b) {
                return None;
            }
            return match self.by_reachability(a, budget)? {
                Ok(true) => self.by_reachability(b, budget),
                decided => Some(decided),
            };
        }
        let Reached { some, condition, wanted } = self.reached_in(id)?;
        Some(self.can_reach(some, &condition, budget).map(|can| can == wanted))
    }

    /// What a formula `EF ..` or `!EF ..` asks for; `None` where it is no such formula, or asks it of several initial states.
    pub(crate) fn reached_in(&self, id: StateFormula) -> Option<Reached> {
        let arena = &self.common.lowering.arena;
        let (some, reached, wanted) = match *arena.state(id) {
            State::Exists { .. } if self.common.space.initial().len() == 1 => (id, arena.sometime(id)?, true),
            State::Not(some) => (some, arena.never(id)?, false),
            _ => return None,
        };
        Some(Reached { some, condition: arena.condition(reached)?, wanted })
    }

    /// Can a state be reached in which a condition holds? `EF` of it is given too. Explores no farther than it must.
    fn can_reach(
        &mut self,
        sometime: StateFormula,
        condition: &Expr,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        if self.explorer.is_none() {
            let space = &mut self.common.space;
            let wanted = Wanted::new(self.model, &space.layout, condition);
            if space.is_complete() {
                return wanted.is_among(|see| {
                    let _ = space.reachable().try_for_each(see);
                });
            }
            let mut stack = Vec::new();
            let found = space.search(self.few, budget, |state| wanted.is(state, &mut stack))?;
            if let Some(found) = found {
                return Ok(found);
            }
            if let Some(found) = self.can_reach_with_fewer_steps(sometime, budget)? {
                return Ok(found);
            }
        }
        self.explorer(budget)?.reaches(condition, budget)
    }
}

impl Tableau<'_> {
    /// Does `E ψ` hold in some initial state? `None` where no steps can be left out, or not enough.
    fn can_reach_with_fewer_steps(
        &mut self,
        id: StateFormula,
        budget: &dyn Budget,
    ) -> Result<Option<bool>, Halt> {
        for state in self.common.space.initial() {
            match self.common.exists_with_fewer_steps(id, state, budget)? {
                Some(false) => {}
                decided => return Ok(decided),
            }
        }
        Ok(Some(false))
    }
}

/// What is kept where all states are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Nothing else, by all threads.
    States,
    /// The steps as well, for those who decide.
    Steps,
}

impl Tableau<'_> {
    fn find_all(&mut self, keep: Found, budget: &dyn Budget) -> Result<(), Halt> {
        let visited = self.common.space.len();
        if self.explorer.is_none() && self.common.space.explore_up_to(self.few, budget)? {
            return Ok(());
        }
        if !self.options.unreduced && self.explorer.is_none() {
            self.counted = self.symmetries.count(&self.common.lowering, budget)?.map(Box::new);
            if self.counted.is_some() {
                return Ok(());
            }
        }
        // Where deciding has visited more states than the explorer, most of the way is behind us.
        let found = self.explorer.as_ref().map_or(self.few, |explorer| explorer.found() as usize);
        if visited > found || (keep == Found::Steps && self.explorer.is_none()) {
            return self.common.space.explore(budget);
        }
        self.explorer(budget)?.explore(budget)
    }
}

impl Engine for Tableau<'_> {
    fn name(&self) -> &'static str {
        "tableau"
    }

    fn decide(&mut self, property: &Formula, budget: &dyn Budget) -> Result<Verdict, Halt> {
        Tableau::decide(self, property, budget)
    }

    /// Deciding does so only where it must, and goes on with what was found where one thread can hold it.
    fn explore(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let keep = if self.threads > 1 { Found::States } else { Found::Steps };
        self.find_all(keep, budget)
    }

    fn look(&mut self, most: u64, budget: &dyn Budget) -> Result<(), Halt> {
        if self.is_explored() {
            return Ok(());
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        self.common.space.explore_up_to(most, budget).map(|_| ())
    }

    fn count(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        self.find_all(Found::States, budget)
    }

    fn is_explored(&self) -> bool {
        self.counted.is_some() || self.complete().is_some()
    }

    fn counts(&self) -> Option<Counts> {
        if let Some(counted) = &self.counted {
            return Some(counted.counts.clone());
        }
        Some(self.complete()?.map_or_else(|| self.common.space.counts(), Explorer::counts))
    }

    /// Nearest to an initial state, of those met on the way to the counts; of several the smallest.
    fn deadlock(&mut self, _: &dyn Budget) -> Result<Option<StateView>, Halt> {
        if let Some(counted) = &self.counted {
            return Ok(counted.deadlock.clone());
        }
        let space = &self.common.space;
        let nearest = |found: Option<&Explorer<'_>>| match found {
            Some(explorer) => explorer.deadlock_example(),
            None => space.nearest_deadlock(),
        };
        Ok(self.complete().and_then(nearest))
    }

    fn no_initial_state(&self) -> bool {
        self.common.space.is_empty()
    }

    fn no_fair_run(&mut self, budget: &dyn Budget) -> Result<bool, Halt> {
        if !self.model.has_fairness() {
            return Ok(false);
        }
        for state in self.common.space.initial() {
            if self.common.is_fair(state, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn lost_moves(&mut self, budget: &dyn Budget) -> Result<Vec<(Span, StateView)>, Halt> {
        self.complete().ok_or(Halt::NotOffered)?;
        self.common.explore_all(0, budget)?;
        Ok(self.common.space.lost_moves())
    }

    fn unreachable_locations(&mut self) -> Result<Vec<UnreachableLocation>, Halt> {
        if let Some(counted) = &self.counted {
            return Ok(counted.unreachable.clone());
        }
        Ok(match self.complete().ok_or(Halt::NotOffered)? {
            Some(explorer) => explorer.unreachable_locations(),
            None => self.common.space.unreachable_locations(),
        })
    }

    fn savings(&self) -> Option<Savings> {
        Some(self.common.savings()).filter(|savings| savings.properties > 0)
    }

    fn symmetry_savings(&self, budget: &dyn Budget) -> Option<SymmetrySavings> {
        self.symmetries.savings(budget)
    }

    /// What takes all states is looked for only where they are known anyway; their steps may have to be made again.
    fn stopped_time(&mut self, budget: &dyn Budget) -> Result<Option<StoppedTime>, Halt> {
        if self.counted.is_some() && self.model.tick.is_none() {
            return Ok(None);
        }
        self.complete().ok_or(Halt::NotOffered)?;
        self.common.space.explore(budget)?;
        Ok(self.common.space.stopped_time())
    }

    /// What takes all states is looked for only where they are known anyway.
    fn unkeepable(&mut self, budget: &dyn Budget) -> Result<Vec<Unkeepable>, Halt> {
        if self.counted.is_none() {
            self.complete().ok_or(Halt::NotOffered)?;
        }
        if self.options.recall.is_some() && self.common.lowering.promises_knowledge() {
            return Err(Halt::TooLarge(PROMISED_KNOWLEDGE.to_owned()));
        }
        let mut found = Vec::new();
        let mut kept = Vec::new();
        for pair in self.model.committed_pairs() {
            let formula = self.common.nothing_left(pair);
            // What one of several who are alike can keep, all can.
            if self.symmetries.has_like(pair, &kept)
                || self.counted.is_some() && self.never_by_symmetry(formula, budget)?
            {
                kept.push(pair);
                continue;
            }
            found.extend(self.alone(formula, |evaluation| evaluation.unkeepable_of(pair, budget))?);
        }
        Ok(found)
    }
}

impl Evaluation<'_> {
    fn is_valid(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<bool, Halt> {
        let layer = self.prepare(id)?;
        match self.options.validity {
            Validity::Initial => self.holds_initially(id, layer, budget),
            Validity::Reachable => self.holds_on_runs(id, layer, budget),
        }
    }

    /// Does it hold wherever a run begins?
    pub(crate) fn holds_initially(
        &mut self,
        id: StateFormula,
        layer: usize,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        for state in self.space.initial() {
            let at = self.start(layer, state);
            if self.is_fair(state, budget)? && !self.holds_at_start(id, at, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does it hold at every point of every run?
    fn holds_on_runs(&mut self, id: StateFormula, layer: usize, budget: &dyn Budget) -> Result<bool, Halt> {
        let mut node = 0;
        loop {
            let all_met = self.explore_more(layer, budget)?;
            while node < self.met(layer) as u32 {
                let at = Node { layer, number: node };
                let state = self.projected(at, 0);
                if self.space.is_reachable(state)
                    && self.is_fair(state, budget)?
                    && !self.holds(id, at, budget)?
                {
                    return Ok(false);
                }
                node += 1;
            }
            if all_met && self.met(layer) as u32 == node {
                return Ok(true);
            }
        }
    }
}
