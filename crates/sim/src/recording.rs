//! Runs that were recorded elsewhere, to be followed.

use servanda_model::StateView;

/// A run: states, and the labels between them. Where it comes back, the last label leads to the state at `loop_start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// What happens between the states.
    pub labels: Vec<String>,
    /// The states.
    pub states: Vec<StateView>,
    /// The position of the state that follows the last one.
    pub loop_start: Option<usize>,
}

/// Why a recording cannot be followed any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// It ends here.
    End,
    /// The simulation is not where the recording is.
    Elsewhere,
    /// What was recorded cannot happen here: it is a recording of another model.
    Impossible,
}

impl Recording {
    /// The state after so many steps, however often the loop is gone through.
    pub fn state(&self, steps: usize) -> Option<&StateView> {
        self.states.get(self.position(steps))
    }

    /// The label that leads away from the state after so many steps.
    pub fn label(&self, steps: usize) -> Option<&str> {
        self.labels.get(self.position(steps)).map(String::as_str)
    }

    fn position(&self, steps: usize) -> usize {
        let length = self.states.len();
        match self.loop_start {
            Some(start) if steps >= length && start < length => start + (steps - length) % (length - start),
            _ => steps,
        }
    }
}

/// Is the state the recorded one? A recording may be in another order, and may know more.
pub(crate) fn is_same(state: &StateView, recorded: &StateView) -> bool {
    let all_in = |some: &[(String, String)], others: &[(String, String)]| {
        some.iter().all(|pair| others.contains(pair))
    };
    all_in(&state.variables, &recorded.variables)
        && all_in(&state.locations, &recorded.locations)
        && state.in_force.len() == recorded.in_force.len()
        && state.in_force.iter().all(|promise| recorded.in_force.iter().any(|it| promise.is_spelt(&it.text)))
        // Recordings of older versions do not say what is under way.
        && (recorded.channels.is_empty() || state.channels.iter().all(|channel| recorded.channels.contains(channel)))
}
