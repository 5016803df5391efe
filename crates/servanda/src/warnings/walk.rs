//! Some states that a model can reach, found by going through it at random: they show most of what is not vacuous for a fraction of
//! what deciding it costs.

use servanda_engine::{Halt, Options, Stop};
use servanda_logic::Formula;
use servanda_lower::Lowering;
use servanda_model::{Deadlock, Layout, Model, States};
use servanda_space::{Expander, Wanted};

use crate::engine::Setup;

/// So many steps are taken, and so many successors made in all.
const STEPS: usize = 4096;
const SUCCESSORS: usize = 1 << 16;

/// A walk through a model, which is taken when it is first asked about.
pub(super) struct Walk<'m> {
    lowering: Lowering<'m>,
    layout: Layout,
    /// The states that were visited, one after the other.
    visited: Option<Vec<u64>>,
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
        Some(Walk { lowering: lowering.clone(), layout: Layout::new(model), visited: None })
    }

    /// Is a state among those visited in which a condition holds? Of a condition that may have no value, or that refers to more than
    /// one state, nothing is said.
    pub(super) fn meets(&mut self, condition: &Formula) -> bool {
        let lowering = &mut self.lowering;
        let model = lowering.model;
        let Ok(id) = lowering.property(condition) else { return false };
        let Some(condition) = lowering.arena.condition(id).filter(|condition| !condition.can_fault()) else {
            return false;
        };
        let layout = &self.layout;
        let visited = self.visited.get_or_insert_with(|| walk(model, layout));
        let (wanted, mut stack) = (Wanted::new(model, layout, &condition), Vec::new());
        visited.chunks_exact(layout.words()).any(|state| matches!(wanted.is(state, &mut stack), Ok(true)))
    }
}

/// The states on a walk, the same every time. Where it can go no further it begins again; a model at fault is left there.
fn walk(model: &Model, layout: &Layout) -> Vec<u64> {
    let enough = || Halt::Stopped { stop: Stop::Bound, states: 0, transitions: 0 };
    let mut looked = 0;
    let first = States::initial(model, layout).try_next(|| {
        looked += 1;
        if looked > SUCCESSORS { Err(enough()) } else { Ok(()) }
    });
    let Ok(Some(first)) = first else { return Vec::new() };
    let (mut expander, mut dice) = (Expander::new(model), 0x9e37_79b9_7f4a_7c15_u64);
    let (mut visited, mut state, mut made) = (first.clone(), first.clone(), 0);
    for _ in 0..STEPS {
        let (mut next, mut count) = (None, 0);
        let mut asked = 0;
        let expanded = expander.expand(
            &state,
            || {
                asked += 1;
                if asked > SUCCESSORS { Err(enough()) } else { Ok(()) }
            },
            |successor| {
                count += 1;
                // Xorshift (Marsaglia 2003): each of the successors so far is taken with the same probability.
                dice ^= dice << 13;
                dice ^= dice >> 7;
                dice ^= dice << 17;
                if dice % count == 0 {
                    next = Some(successor.to_vec());
                }
            },
        );
        made += count as usize;
        if expanded.is_err() || made > SUCCESSORS {
            break;
        }
        state = next.unwrap_or_else(|| first.clone());
        visited.extend_from_slice(&state);
    }
    visited
}

#[cfg(test)]
mod tests {
    use servanda_logic::parse_formula;

    use super::*;
    use crate::engine::lower;
    use crate::{Choices, EngineOptions, Language, Loaded};

    /// Which of these conditions a walk meets.
    fn met(text: &str, readings: Options, conditions: &[&str]) -> Option<Vec<bool>> {
        let loaded = Loaded::read(Language::Pact, "model", text, Choices::default()).expect("a good text");
        let lowered = lower(&loaded, &[], readings);
        let mut walk = Walk::new(Setup::new(&lowered, readings, EngineOptions::default()))?;
        Some(conditions.iter().map(|text| walk.meets(&parse_formula(text).expect("a formula"))).collect())
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
