//! A condition on states that is looked for.

use servanda_engine::{Halt, RunFault};
use servanda_model::{Expr, Layout, Model, Program, StateView};

/// A condition ready to be evaluated.
pub(crate) struct Wanted<'a> {
    model: &'a Model,
    layout: Layout,
    program: Program,
}

impl<'a> Wanted<'a> {
    pub(crate) fn new(model: &'a Model, layout: &Layout, condition: &Expr) -> Self {
        Wanted { model, layout: layout.clone(), program: Program::new(condition, layout) }
    }

    /// Does the condition hold in a state?
    pub(crate) fn is(&self, state: &[u64], stack: &mut Vec<i64>) -> Result<bool, Halt> {
        self.program.holds(state, stack).map_err(|kind| {
            Halt::Fault(Box::new(RunFault::of_proposition(
                StateView::new(self.model, &self.layout, state),
                kind,
            )))
        })
    }

    /// One of the states that `see_all` shows in which the condition holds, if there is one.
    pub(crate) fn among(
        &self,
        see_all: impl FnOnce(&mut dyn FnMut(&[u64])),
    ) -> Result<Option<Vec<u64>>, Halt> {
        let least = least(see_all, |state, stack| match self.is(state, stack) {
            Ok(is) => is.then_some(Ok(())),
            Err(fault) => Some(Err(fault)),
        });
        least.map(|(state, result)| result.map(|()| state)).transpose()
    }

    /// Does the condition have a value in every state that `see_all` shows?
    pub(crate) fn is_defined(&self, see_all: impl FnOnce(&mut dyn FnMut(&[u64]))) -> Result<(), Halt> {
        least(see_all, |state, stack| self.is(state, stack).err()).map_or(Ok(()), |(_, fault)| Err(fault))
    }
}

/// Of the states of which something is to be said the smallest, so that neither the order nor the speed with which they were found
/// shows.
fn least<T>(
    see_all: impl FnOnce(&mut dyn FnMut(&[u64])),
    mut say: impl FnMut(&[u64], &mut Vec<i64>) -> Option<T>,
) -> Option<(Vec<u64>, T)> {
    let mut stack = Vec::new();
    let mut least: Option<(Vec<u64>, T)> = None;
    see_all(&mut |state| {
        if least.as_ref().is_none_or(|(other, _)| state < other.as_slice())
            && let Some(said) = say(state, &mut stack)
        {
            least = Some((state.to_vec(), said));
        }
    });
    least
}
