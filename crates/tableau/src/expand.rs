//! The successors of one state, and how many distinct transitions lead to them.

use servanda_engine::{Halt, RunFault};
use servanda_model::{CommandId, Model, RoundStepper, Stepper};

/// Expands states by whichever way the model moves.
pub(crate) struct Expander<'m> {
    model: &'m Model,
    mover: Mover<'m>,
    /// The states expanded so far.
    clock: u32,
    /// For each label the last state in which it occurred: only where one occurs twice can transitions be the same.
    last_seen: Vec<u32>,
    /// The transitions of this state: label and successor, one after the other.
    made: Vec<u64>,
}

enum Mover<'m> {
    Commands(Stepper<'m>),
    Rounds(RoundStepper<'m>),
}

impl<'m> Expander<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let mover = match &model.rounds {
            None => Mover::Commands(Stepper::new(model)),
            Some(_) => Mover::Rounds(RoundStepper::new(model)),
        };
        Expander { model, mover, clock: 0, last_seen: vec![0; model.labels.len()], made: Vec::new() }
    }

    /// Calls `visit` with every successor, perhaps more than once, as long as `go_on` agrees, which is asked where they can be very
    /// many; gives the number of distinct transitions.
    pub(crate) fn expand(
        &mut self,
        state: &[u64],
        mut go_on: impl FnMut() -> Result<(), Halt>,
        mut visit: impl FnMut(&[u64]),
    ) -> Result<u64, Halt> {
        // After four thousand million states the clock starts again, and what it said before is forgotten.
        self.clock = self.clock.checked_add(1).unwrap_or_else(|| {
            self.last_seen.fill(0);
            1
        });
        let Expander { model, mover, clock, last_seen, made } = self;
        match mover {
            Mover::Commands(stepper) => {
                let mut repeated = false;
                made.clear();
                stepper
                    .for_each_successor(state, |command: CommandId, successor| {
                        let label = model.commands[command.index()].label.index();
                        repeated |= last_seen[label] == *clock;
                        last_seen[label] = *clock;
                        made.push(label as u64);
                        made.extend_from_slice(successor);
                        visit(successor);
                    })
                    .map_err(|fault| fault_in(model, stepper, state, &fault))?;
                Ok(if repeated {
                    distinct(made, 1 + state.len())
                } else {
                    (made.len() / (1 + state.len())) as u64
                })
            }
            Mover::Rounds(stepper) => {
                // The outcomes of one joint action come together, so only those need to be compared.
                let (mut count, mut joint): (u64, Vec<usize>) = (0, Vec::new());
                made.clear();
                stepper.try_for_each_successor(
                    state,
                    &mut go_on,
                    |actions, successor| {
                        if joint != actions {
                            count += distinct(made, state.len());
                            made.clear();
                            joint.clear();
                            joint.extend_from_slice(actions);
                        }
                        made.extend_from_slice(successor);
                        visit(successor);
                    },
                    |_| (),
                )?;
                Ok(count + distinct(made, state.len()))
            }
        }
    }
}

/// How many rows are not like another.
fn distinct(rows: &[u64], words: usize) -> u64 {
    let count = rows.len() / words;
    if count > FEW {
        let mut sorted: Vec<&[u64]> = rows.chunks_exact(words).collect();
        sorted.sort_unstable();
        sorted.dedup();
        return sorted.len() as u64;
    }
    let row = |index: usize| &rows[index * words..][..words];
    (0..count).filter(|index| (0..*index).all(|other| row(other) != row(*index))).count() as u64
}

/// Up to so many rows are compared each with each.
const FEW: usize = 32;

fn fault_in(model: &Model, stepper: &Stepper<'_>, state: &[u64], fault: &servanda_model::StepFault) -> Halt {
    Halt::Fault(Box::new(RunFault::of_step(model, stepper.layout(), state, fault)))
}
