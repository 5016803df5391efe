//! A walk through a model at random shows most of what is not vacuous for a fraction of what deciding it costs.

use servanda_engine::{Budget, Halt, Options};
use servanda_logic::Formula;
use servanda_lower::Lowering;
use servanda_model::{Deadlock, Layout};

use crate::engine::Setup;

/// A walk through a model, which is taken when it is first asked about.
pub(super) struct Walk<'m> {
    lowering: Lowering<'m>,
    layout: Layout,
    walk: servanda_space::Walk,
}

impl<'m> Walk<'m> {
    /// Nothing is visited where that says nothing: states on no fair run do not count, and neither do those before a dead end where runs
    /// are to be infinite.
    pub(super) fn new(setup: Setup<'m>) -> Option<Self> {
        let Options { deadlock, recall, .. } = setup.readings;
        let lowering = setup.lowered.as_ref().ok()?;
        let model = lowering.model;
        if model.has_fairness() || deadlock != Deadlock::Loop || recall.is_some() {
            return None;
        }
        Some(Walk {
            lowering: lowering.clone(),
            layout: Layout::new(model),
            walk: servanda_space::Walk::default(),
        })
    }

    /// Is a state among those visited in which a condition holds? Of a condition that may have no value, or that refers to more than
    /// one state, nothing is said.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub(super) fn meets(&mut self, condition: &Formula, budget: &dyn Budget) -> Result<bool, Halt> {
        let lowering = &mut self.lowering;
        let model = lowering.model;
        let Ok(id) = lowering.property(condition) else { return Ok(false) };
        let Some(condition) = lowering.arena.condition(id).filter(|condition| !condition.can_fault()) else {
            return Ok(false);
        };
        self.walk.meets(&condition, (model, &self.layout), budget)
    }
}

#[cfg(test)]
mod tests {
    use servanda_engine::NoLimits;
    use servanda_logic::parse_formula;

    use super::*;
    use crate::engine::lower;
    use crate::{Choices, EngineOptions, Language, Loaded};

    /// Which of these conditions a walk meets.
    fn met(text: &str, readings: Options, conditions: &[&str]) -> Option<Vec<bool>> {
        let loaded = Loaded::read(Language::Pact, "model", text, Choices::default()).expect("a good text");
        let lowered = lower(&loaded, &[], readings);
        let mut walk = Walk::new(Setup::new(&lowered, readings, EngineOptions::default()))?;
        let mut meets =
            |text: &&str| walk.meets(&parse_formula(text).expect("a formula"), &NoLimits).expect("no limits");
        Some(conditions.iter().map(&mut meets).collect())
    }

    #[test]
    fn a_walk_meets_what_many_steps_reach_and_nothing_else() {
        let row = "roles Ann\nvar x : 0..63 = 0\nvar y : bool = false\nstart s\n\
            s -- Ann: on when x < 63 set x = x + 1 --> s\ns -- Ann: turn set y = !y --> s\n";
        let conditions = ["x = 63 & y", "x = 0", "EX y", "x = 64", "x / (63 - x) = 1"];
        let found = met(row, Options::default(), &conditions);
        assert_eq!(found, Some(vec![true, true, false, false, false]));
        let strict = Options { deadlock: Deadlock::Strict, ..Options::default() };
        assert_eq!(met(row, strict, &conditions), None, "a visited state may lie on no infinite run");
        assert_eq!(met(&format!("{row}fair y\n"), Options::default(), &conditions), None);
    }

    #[test]
    fn a_walk_ends_where_there_is_nowhere_to_go_and_where_a_step_is_at_fault() {
        let ends = "roles Ann\nstart s\ns -- Ann: left --> l\ns -- Ann: right --> r\n";
        assert_eq!(met(ends, Options::default(), &["in l", "in r"]), Some(vec![true, true]));
        let faulty = "roles Ann\nvar x : 0..3 = 0\nstart s\ns -- Ann: on set x = x + 1 --> s\n";
        assert_eq!(met(faulty, Options::default(), &["x = 3"]), Some(vec![true]));
    }
}
