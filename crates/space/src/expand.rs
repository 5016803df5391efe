//! The successors of one state, and how many distinct transitions lead to them.

use servanda_engine::Halt;
use servanda_model::{Behaviour, Cause, Command, Model, Mover};

/// Expands states and counts.
pub struct Expander<'m> {
    commands: &'m [Command],
    mover: Mover<'m>,
    /// The states expanded so far.
    clock: u32,
    /// For each label the last state in which it occurred: only where one occurs twice can transitions be the same.
    last_seen: Vec<u32>,
    /// The transitions of this state: label and successor, one after the other.
    made: Vec<u64>,
}

impl<'m> Expander<'m> {
    /// Nothing was expanded yet.
    pub fn new(model: &'m Model) -> Self {
        let commands = model.behaviour.commands();
        let last_seen = vec![0; model.labels.len()];
        Expander { commands, mover: Mover::new(model), clock: 0, last_seen, made: Vec::new() }
    }

    /// Calls `visit` with every successor, perhaps more than once, as long as `go_on` agrees, which is asked where they can be very
    /// many; gives the number of distinct transitions.
    pub fn expand(
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
        let Expander { commands, mover, clock, last_seen, made } = self;
        let words = state.len();
        made.clear();
        // For commands: does a label occur twice? Then rows begin with it. For rounds: the outcomes of one joint action come
        // together, so only those need to be compared.
        let (mut repeated, mut count, mut joint) = (false, 0, Vec::new());
        let moved = mover.try_for_each(
            state,
            &mut go_on,
            |cause, successor| {
                match cause {
                    Cause::Command(command) => {
                        let label = commands[command.index()].label.index();
                        repeated |= last_seen[label] == *clock;
                        last_seen[label] = *clock;
                        made.push(label as u64);
                    }
                    Cause::JointAction(actions) => {
                        if joint != actions {
                            count += distinct(made, words);
                            made.clear();
                            joint.clear();
                            joint.extend_from_slice(actions);
                        }
                    }
                }
                made.extend_from_slice(successor);
                visit(successor);
            },
            |_| (),
        );
        moved.map_err(|error| Halt::of_moves(mover, state, error))?;
        Ok(match mover.model().behaviour {
            Behaviour::Commands(_) if repeated => distinct(made, 1 + words),
            Behaviour::Commands(_) => (made.len() / (1 + words)) as u64,
            Behaviour::Rounds(_) => count + distinct(made, words),
        })
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
