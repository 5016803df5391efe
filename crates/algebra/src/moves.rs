//! What commands, protocols and evolutions do, as functions of the state and of the joint action.

use servanda_engine::Halt;
use servanda_model::{AgentId, AgentProgram, Command, Expr, Line, VariableId};

use crate::{AlgebraOf, Encoding};

/// A guarded assignment: a command, or a line of an evolution.
#[derive(Clone, Debug)]
pub struct Guarded<F> {
    /// Where its guard has a value.
    pub defined: F,
    /// Where its guard holds.
    pub holds: F,
    /// For every value that is assigned, where it exists and fits.
    pub fits: Vec<F>,
    /// The bits that change, by position, and what they become.
    pub changes: Vec<(usize, F)>,
}

/// What an agent may do.
#[derive(Clone, Debug)]
pub struct Protocol<F> {
    /// The agent's action is permitted.
    pub permitted: F,
    /// In each of these sets of states some action is.
    pub some_action: Vec<F>,
}

impl<F: Clone + Eq> Encoding<'_, F> {
    /// A command, with what it does to the commitments in force.
    pub fn command(&self, algebra: &mut impl AlgebraOf<F>, command: &Command) -> Result<Guarded<F>, Halt> {
        let mut guarded = self.guarded(algebra, &command.guard, &command.updates)?;
        let (remove, add) = (&command.effect.remove, &command.effect.add);
        let removed = remove.iter().filter(|id| !add.contains(id)).map(|id| (*id, algebra.falsity()));
        let changed = removed.chain(add.iter().map(|id| (*id, algebra.truth())));
        guarded.changes.extend(changed.map(|(id, value)| (self.commitment_bit(id), value)));
        Ok(guarded)
    }

    /// A line of an evolution. Its last condition of [`Guarded::fits`] is that its values exist.
    pub fn line(&self, algebra: &mut impl AlgebraOf<F>, line: &Line) -> Result<Guarded<F>, Halt> {
        let mut guarded = self.guarded(algebra, &line.guard, &line.updates)?;
        let exists = self.truth(algebra, &line.defined)?;
        guarded.fits.push(algebra.and(&exists.value, &exists.defined)?);
        Ok(guarded)
    }

    /// For every commitment its bit and what the bit becomes in a round.
    pub fn in_force_after_round(&self, algebra: &mut impl AlgebraOf<F>) -> Result<Vec<(usize, F)>, Halt> {
        let commitments = self.model.commitments();
        let after = commitments.map(|(id, _)| {
            let in_force = self.truth(algebra, &self.model.in_force_after_round(id))?;
            Ok((self.commitment_bit(id), in_force.value))
        });
        after.collect()
    }

    fn guarded(
        &self,
        algebra: &mut impl AlgebraOf<F>,
        guard: &Expr,
        updates: &[(VariableId, Expr)],
    ) -> Result<Guarded<F>, Halt> {
        let guard = self.truth(algebra, guard)?;
        // A guard without a value does not hold.
        let holds = algebra.and(&guard.value, &guard.defined)?;
        let mut guarded = Guarded { defined: guard.defined, holds, fits: Vec::new(), changes: Vec::new() };
        for (variable, value) in updates {
            let assigned = self.assigned(algebra, *variable, value)?;
            guarded.fits.push(assigned.defined);
            guarded.changes.extend(assigned.value);
        }
        Ok(guarded)
    }

    /// The protocol of an agent.
    pub fn protocol(
        &self,
        algebra: &mut impl AlgebraOf<F>,
        agent: AgentId,
        program: &AgentProgram,
    ) -> Result<Protocol<F>, Halt> {
        let mut cases: Vec<(F, &[usize])> = Vec::new();
        for permission in &program.permissions {
            let condition = self.truth(algebra, &permission.condition)?;
            // A condition without a value does not hold.
            cases.push((algebra.and(&condition.value, &condition.defined)?, &permission.actions));
        }
        let applies: Vec<F> = cases.iter().map(|(holds, _)| holds.clone()).collect();
        let applies = algebra.any(&applies)?;
        cases.push((algebra.not(&applies)?, &program.otherwise));
        let (mut permitted, mut some_action) = (Vec::new(), Vec::new());
        for (holds, actions) in cases.into_iter().filter(|(_, actions)| !actions.is_empty()) {
            let taken = actions.iter().map(|action| self.takes(algebra, agent, *action));
            let taken = taken.collect::<Result<Vec<_>, _>>()?;
            let taken = algebra.any(&taken)?;
            permitted.push(algebra.and(&holds, &taken)?);
            some_action.push(holds);
        }
        Ok(Protocol { permitted: algebra.any(&permitted)?, some_action })
    }
}
