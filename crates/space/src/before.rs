//! The steps of a space the other way: from where a state is reached.

use crate::{Space, StateSet};

/// By state, the states that have a step to it, one row after the other. A state with several steps to it is there as often; loops from a
/// state to itself are left out.
pub struct Before {
    /// Where the row of each state begins, and where the last one ends.
    starts: Vec<usize>,
    sources: Vec<u32>,
}

/// Whoever makes one is asked to go on whenever so many states have been gone through.
const ASK_EVERY: u32 = 1 << 12;

impl Before {
    /// So many bytes are held at once while it is made, at most.
    pub fn bytes(space: &Space<'_>) -> usize {
        (space.len() + 1) * size_of::<usize>() + space.kept_steps() * size_of::<u32>()
    }

    /// From the steps that are known.
    ///
    /// # Errors
    ///
    /// When `go_on` does not agree, which is asked every few thousand states.
    pub fn new<E>(space: &Space<'_>, mut go_on: impl FnMut() -> Result<(), E>) -> Result<Self, E> {
        let states = space.len();
        let mut starts = vec![0; states + 1];
        let mut each = |visit: &mut dyn FnMut(u32, usize)| {
            for source in 0..states as u32 {
                if source.is_multiple_of(ASK_EVERY) {
                    go_on()?;
                }
                let steps = space.steps(source).iter().filter(|step| step.target != source);
                steps.for_each(|step| visit(source, step.target as usize));
            }
            Ok(())
        };
        // Counted at the place of the state after, so that filling moves each start to where its row begins.
        each(&mut |_, target| starts[target] += 1)?;
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut sources = vec![0; end];
        each(&mut |source, target| {
            starts[target] -= 1;
            sources[starts[target]] = source;
        })?;
        Ok(Before { starts, sources })
    }

    /// The states that have a step to this one.
    #[inline]
    pub fn of(&self, state: u32) -> &[u32] {
        &self.sources[self.starts[state as usize]..self.starts[state as usize + 1]]
    }

    /// Adds the states from which these can be reached.
    pub fn close(&self, set: &mut StateSet) {
        let mut todo: Vec<u32> = (0..set.states() as u32).filter(|state| set.contains(*state)).collect();
        while let Some(state) = todo.pop() {
            for &earlier in self.of(state) {
                if !set.contains(earlier) {
                    set.insert(earlier);
                    todo.push(earlier);
                }
            }
        }
    }
}
