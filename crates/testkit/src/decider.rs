//! Engines behind one small interface, so that any two can be compared.

use servanda_engine::{Monitor, Options, Progress, Stop};
use servanda_enumerate::{Explored, Halt};
use servanda_pact::Protocol;

/// Something that decides properties.
pub trait Decider {
    /// What it is called in messages.
    fn name(&self) -> &str;

    /// A verdict for each property of the protocol, in order; `None` where it has none.
    fn verdicts(&self, protocol: &Protocol, options: Options) -> Vec<Option<bool>>;
}

/// A monitor that stops whatever grows too large for a test.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States that may be explored. Engines report every thousand or so, so this is not exact.
    pub states: u64,
    /// Nodes that the search for one verdict may make.
    pub nodes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { states: 1000, nodes: 1 << 19 }
    }
}

impl Monitor for Limits {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        let too_much = match progress {
            Progress::Exploring { states, .. } => states > self.states,
            Progress::Deciding { nodes } => nodes > self.nodes,
        };
        if too_much { Err(Stop::Time) } else { Ok(()) }
    }
}

/// The reference engine, within [`Limits`] that suit tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Decider for Reference {
    fn name(&self) -> &str {
        "enumerate"
    }

    /// # Panics
    /// When the engine finds a mistake in the protocol.
    fn verdicts(&self, protocol: &Protocol, options: Options) -> Vec<Option<bool>> {
        let limits = Limits::default();
        let mut explored = match Explored::new(&protocol.model, options, &limits) {
            Ok(explored) => explored,
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => return vec![None; protocol.properties.len()],
            Err(halt) => panic!("the engine found a mistake: {halt:?}"),
        };
        let formulas = protocol.properties.iter().map(|property| &property.formula);
        let decide = |formula| match explored.decide(formula, &limits) {
            Ok(verdict) => verdict.decided(),
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => None,
            Err(halt) => panic!("the engine found a mistake in `{formula}`: {halt:?}"),
        };
        formulas.map(decide).collect()
    }
}
