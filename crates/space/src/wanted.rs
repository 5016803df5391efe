//! A condition on states that is looked for.

use std::ops::ControlFlow;

use servanda_engine::{Halt, RunFault};
use servanda_model::{Expr, Layout, Model, Program, StateView};

/// A condition ready to be evaluated.
pub struct Wanted<'a> {
    model: &'a Model,
    layout: Layout,
    program: Program,
    /// Has it a value in every state, whichever can be reached?
    has_value: bool,
}

impl<'a> Wanted<'a> {
    /// Prepares a condition.
    pub fn new(model: &'a Model, layout: &Layout, condition: &Expr) -> Self {
        let leaf = |leaf: &Expr| match leaf {
            Expr::Variable(variable) => {
                let domain = &model.variable(*variable).domain;
                Some((domain.low(), domain.high()))
            }
            Expr::InForce(_) => Some((0, 1)),
            _ => None,
        };
        let (program, has_value) = (Program::new(condition, layout), condition.range(&leaf).is_some());
        Wanted { model, layout: layout.clone(), program, has_value }
    }

    /// Does the condition hold in a state?
    pub fn is(&self, state: &[u64], stack: &mut Vec<i64>) -> Result<bool, Halt> {
        self.program.holds(state, stack).map_err(|kind| {
            Halt::Fault(Box::new(RunFault::of_proposition(
                StateView::new(self.model, &self.layout, state),
                kind,
            )))
        })
    }

    /// Does the condition hold in one of the states that `see` shows, until it is told that that is enough? Where it has a value in all of
    /// them the first will do; otherwise the smallest counts in which it holds or has none.
    pub fn is_among(
        &self,
        see: impl FnOnce(&mut dyn FnMut(&[u64]) -> ControlFlow<()>),
    ) -> Result<bool, Halt> {
        if !self.has_value {
            let see_all = |visit: &mut dyn FnMut(&[u64])| {
                see(&mut |state| {
                    visit(state);
                    ControlFlow::Continue(())
                });
            };
            let least = least(see_all, |state, stack| match self.is(state, stack) {
                Ok(is) => is.then_some(Ok(())),
                Err(fault) => Some(Err(fault)),
            });
            return least.map_or(Ok(false), |(_, result)| result.map(|()| true));
        }
        let (mut stack, mut found) = (Vec::new(), Ok(false));
        see(&mut |state| {
            found = self.is(state, &mut stack);
            if matches!(found, Ok(false)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found
    }

    /// Does the condition have a value in every state that `see_all` shows?
    pub fn is_defined(&self, see_all: impl FnOnce(&mut dyn FnMut(&[u64]))) -> Result<(), Halt> {
        if self.has_value {
            return Ok(());
        }
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
