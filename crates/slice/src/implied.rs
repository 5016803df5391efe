//! Parts of guards that hold wherever the others do, by sums that no command changes.
//!
//! A counter of free seats is asked before somebody sits down; but who stands is no seat's, so that there is one. Such a counter never alone
//! forbids a step (an *implicit place* of a Petri net: Silva, Teruel and Colom, "Linear algebraic and linear programming techniques for the
//! analysis of place/transition net systems"). Where nothing else reads it, it can be left out as a history can.

use servanda_model::{Bounds, Command, Expr, Model, Places, Ranges, VariableId};

use crate::slicer::Flaw;

/// The parts of a guard, and which of them are implied by the others.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    parts: Vec<Expr>,
    /// By part: the places that it reads.
    reads: Vec<Vec<u32>>,
    implied: Vec<bool>,
}

impl Guard {
    fn new(model: &Model, command: &Command) -> Self {
        let parts: Vec<Expr> = command.guard.conjuncts().into_iter().cloned().collect();
        let reads = parts.iter().map(|part| Places::new(model).read_by([part])).collect();
        Guard { implied: vec![false; parts.len()], parts, reads }
    }

    /// The places that the parts read which are not implied.
    pub(crate) fn reads(&self) -> impl Iterator<Item = &[u32]> {
        let needed = self.reads.iter().zip(&self.implied).filter(|(_, implied)| !**implied);
        needed.map(|(read, _)| read.as_slice())
    }

    /// Without what is implied and reads what is not kept.
    pub(crate) fn kept(&self, keeps: impl Fn(u32) -> bool) -> Expr {
        let parts = self.parts.iter().zip(&self.reads).zip(&self.implied);
        let kept =
            parts.filter(|((_, reads), implied)| !**implied || reads.iter().all(|place| keeps(*place)));
        Expr::and(kept.map(|((part, _), _)| part.clone()))
    }

    /// Is a place read?
    fn asks(&self, place: u32) -> bool {
        self.reads.iter().zip(&self.implied).any(|(read, implied)| !implied && read.contains(&place))
    }

    /// Is all that is asked of a place implied by what is asked of others?
    fn implies(&self, place: u32, bounds: &Bounds) -> bool {
        let needed = |at: &usize| !self.implied[*at];
        let (own, others): (Vec<usize>, Vec<usize>) =
            (0..self.parts.len()).filter(needed).partition(|at| self.reads[*at].contains(&place));
        let others = Expr::and(others.into_iter().map(|at| self.parts[at].clone()));
        let Some(ranges) = Ranges::where_holds(bounds, &others) else { return false };
        let holds = |at: &usize| ranges.of(&self.parts[*at]) == Some((1, 1));
        ranges.is_never() || own.iter().all(holds)
    }

    fn forget(&mut self, place: u32) {
        for (read, implied) in self.reads.iter().zip(&mut self.implied) {
            *implied |= read.contains(&place);
        }
    }
}

/// The guards of commands, with what is implied: all that is asked of a counter, or nothing.
pub(crate) fn guards(
    model: &Model,
    bounds: &Bounds,
    commands: &[Command],
    flaws: Option<Flaw>,
) -> Vec<Guard> {
    let mut guards: Vec<Guard> = commands.iter().map(|command| Guard::new(model, command)).collect();
    let mut askers: Vec<Vec<usize>> = vec![Vec::new(); model.variables.len()];
    for (number, guard) in guards.iter().enumerate() {
        let mut read: Vec<u32> = guard.reads.concat();
        read.sort_unstable();
        read.dedup();
        // Commitments are places as well, and no counters.
        for place in read {
            if let Some(askers) = askers.get_mut(place as usize) {
                askers.push(number);
            }
        }
    }
    // What values of others are made of is needed anyway.
    let mut needed = vec![false; model.variables.len() + model.commitments.len()];
    for (to, value) in commands.iter().flat_map(|command| &command.updates) {
        let read = Places::new(model).read_by([value]);
        read.into_iter().filter(|place| *place != to.0).for_each(|place| needed[place as usize] = true);
    }
    let is_free = |place: &u32| {
        let at = *place as usize;
        bounds.is_counted(VariableId(*place)) && !askers[at].is_empty() && !needed[at]
    };
    let mut counters: Vec<u32> = (0..askers.len() as u32).filter(is_free).collect();
    // Of two that imply each other one has to stay: rather the one that is asked more often.
    counters.sort_by_key(|place| askers[*place as usize].len());
    for place in counters {
        let askers = &askers[place as usize];
        let implied = |number: &usize| !guards[*number].asks(place) || guards[*number].implies(place, bounds);
        if flaws == Some(Flaw::ImpliedUnchecked) || askers.iter().all(implied) {
            askers.iter().for_each(|number| guards[*number].forget(place));
        }
    }
    guards
}
