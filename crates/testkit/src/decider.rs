//! Engines behind one small interface, so that any two can be compared.

use std::cell::Cell;

use servanda_engine::{Budget, Options, Progress, Stop, Verdict};
use servanda_enumerate::{Explored, Halt};
use servanda_logic::Formula;
use servanda_model::{Model, Property};

/// Something that decides properties.
pub trait Decider {
    /// What it is called in messages.
    fn name(&self) -> &str;

    /// A verdict for each property, in order; `None` where it has none.
    fn verdicts(&self, model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>>;
}

/// A budget that stops whatever grows too large for a test.
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

impl Budget for Limits {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        let too_much = match progress {
            Progress::Exploring { states, .. } => states > self.states,
            Progress::Deciding { nodes } => nodes > self.nodes,
            Progress::Reading { .. } => false,
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
    /// When the engine finds a mistake in the model.
    fn verdicts(&self, model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>> {
        let limits = Limits::default();
        let explored = Explored::new(model, options, &limits);
        verdicts_of(properties, explored, |explored, formula| explored.decide(formula, &limits))
    }
}

/// What an engine says of each property; `None` where it stops or does not know.
///
/// # Panics
/// When the engine finds a mistake in the model, or one of its own.
pub fn verdicts_of<E>(
    properties: &[Property],
    engine: Result<E, Halt>,
    mut decide: impl FnMut(&mut E, &Formula) -> Result<Verdict, Halt>,
) -> Vec<Option<bool>> {
    let mut engine = match engine {
        Ok(engine) => engine,
        Err(Halt::TooLarge(reason)) if reason.contains("internal error") => panic!("{reason}"),
        Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => return vec![None; properties.len()],
        Err(halt) => panic!("the engine found a mistake: {halt:?}"),
    };
    let decide = |Property { formula, .. }: &Property| match decide(&mut engine, formula) {
        Ok(Verdict::Unknown(reason)) if reason.contains("internal error") => panic!("`{formula}`: {reason}"),
        Ok(verdict) => verdict.decided(),
        Err(Halt::TooLarge(reason)) if reason.contains("internal error") => panic!("`{formula}`: {reason}"),
        Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => None,
        Err(halt) => panic!("the engine found a mistake in `{formula}`: {halt:?}"),
    };
    properties.iter().map(decide).collect()
}

/// An engine that counts what it decides, so that a comparison cannot pass by deciding nothing.
pub struct Counted<F> {
    name: &'static str,
    verdicts: F,
    asked: Cell<u64>,
    decided: Cell<u64>,
}

impl<F: Fn(&Model, &[Property], Options) -> Vec<Option<bool>>> Counted<F> {
    /// An engine with its name in messages.
    pub fn new(name: &'static str, verdicts: F) -> Self {
        Counted { name, verdicts, asked: Cell::new(0), decided: Cell::new(0) }
    }

    /// Checks that it decided at least so many of a hundred questions.
    ///
    /// # Panics
    /// When it did not.
    pub fn assert_decided(&self, percent: u64) {
        let (asked, decided) = (self.asked.get(), self.decided.get());
        assert!(decided * 100 >= asked * percent, "{} decided only {decided} of {asked}", self.name);
    }
}

impl<F: Fn(&Model, &[Property], Options) -> Vec<Option<bool>>> Decider for Counted<F> {
    fn name(&self) -> &str {
        self.name
    }

    fn verdicts(&self, model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>> {
        let verdicts = (self.verdicts)(model, properties, options);
        self.asked.set(self.asked.get() + verdicts.len() as u64);
        self.decided.set(self.decided.get() + verdicts.iter().flatten().count() as u64);
        verdicts
    }
}
