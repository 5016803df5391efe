//! Some states that a model can reach, found by going through it at random: most of what many runs lead to is among them, for a fraction of
//! what finding all states costs.

use servanda_engine::{Budget, Halt, Progress, Stop};
use servanda_model::{Expr, Layout, Model, States};

use crate::{Expander, Wanted};

/// So many steps are taken, and so many successors made in all.
const STEPS: usize = 4096;
const SUCCESSORS: usize = 1 << 16;

/// After so many steps a walk begins again, and then whenever it has taken twice as many: what is near is mostly met soon, and a walk may have
/// gone where there is no way back.
const FIRST_STEPS: usize = 64;

/// The budget is asked after so many steps.
const REPORT_EVERY: usize = 64;

/// A walk through a model, which is taken when it is first asked about.
#[derive(Debug, Default)]
pub struct Walk {
    /// The states that were visited, one after the other.
    visited: Option<Vec<u64>>,
}

impl Walk {
    /// One that meets nothing.
    pub fn nowhere() -> Self {
        Walk { visited: Some(Vec::new()) }
    }

    /// Is a state among those visited in which a condition holds? It should have a value everywhere.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub fn meets(
        &mut self,
        condition: &Expr,
        (model, layout): (&Model, &Layout),
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let visited = match &mut self.visited {
            Some(visited) => visited,
            none => none.insert(states_on_walk(model, layout, budget)?),
        };
        let (wanted, mut stack) = (Wanted::new(model, layout, condition), Vec::new());
        Ok(visited.chunks_exact(layout.words()).any(|state| matches!(wanted.is(state, &mut stack), Ok(true))))
    }
}

/// The states on a walk from the first initial state, one after the other, the same every time. Where it can go no further it begins again; a
/// model at fault is left there.
fn states_on_walk(model: &Model, layout: &Layout, budget: &dyn Budget) -> Result<Vec<u64>, Halt> {
    let enough = || Halt::Stopped { stop: Stop::Bound, states: 0, transitions: 0 };
    let mut looked = 0;
    let first = States::initial(model, layout).try_next(|| {
        looked += 1;
        if looked > SUCCESSORS { Err(enough()) } else { Ok(()) }
    });
    let Ok(Some(first)) = first else { return Ok(Vec::new()) };
    let (mut expander, mut dice) = (Expander::new(model), 0x9e37_79b9_7f4a_7c15_u64);
    let (mut visited, mut state, mut made) = (first.clone(), first.clone(), 0);
    let (mut length, mut left) = (FIRST_STEPS, FIRST_STEPS);
    for step in 0..STEPS {
        Progress::nodes(step, REPORT_EVERY, budget)?;
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
        left -= 1;
        let is_over = left == 0;
        if is_over {
            length *= 2;
            left = length;
        }
        state = next.filter(|_| !is_over).unwrap_or_else(|| first.clone());
        visited.extend_from_slice(&state);
    }
    Ok(visited)
}
