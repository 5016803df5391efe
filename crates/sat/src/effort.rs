//! How much has been done, and whether to go on.

use std::cell::Cell;

use servanda_engine::{Budget, Halt, Progress};

/// Counts the questions put to solvers and asks the budget whether to go on.
pub(crate) struct Effort<'a> {
    budget: &'a dyn Budget,
    calls: &'a Cell<u64>,
    /// With how many calls at the most.
    most: u64,
}

impl<'a> Effort<'a> {
    pub(crate) fn new(budget: &'a dyn Budget, calls: &'a Cell<u64>) -> Self {
        Effort { budget, calls, most: u64::MAX }
    }

    /// The same for so many further questions, after which it says that the question is too large.
    pub(crate) fn limited(budget: &'a dyn Budget, calls: &'a Cell<u64>, more: u64) -> Self {
        Effort { budget, calls, most: calls.get().saturating_add(more) }
    }

    /// Who says whether to go on.
    pub(crate) fn budget(&self) -> &'a dyn Budget {
        self.budget
    }

    /// How many questions have been asked.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.get()
    }

    /// Have all questions been asked?
    pub(crate) fn is_spent(&self) -> bool {
        self.calls.get() > self.most
    }

    /// One more question.
    pub(crate) fn spend(&self) -> Result<(), Halt> {
        self.calls.set(self.calls.get() + 1);
        if self.is_spent() {
            return Err(Halt::TooLarge("this takes too many questions to the solver".to_owned()));
        }
        self.poll()
    }

    /// May the work go on?
    pub(crate) fn poll(&self) -> Result<(), Halt> {
        Progress::Deciding { nodes: self.calls.get() }.tell(self.budget)
    }
}

/// What must not happen, said instead of a verdict that cannot be trusted.
pub(crate) fn internal(what: &str) -> Halt {
    Halt::TooLarge(format!("internal error of the engine sat, please report it: {what}"))
}
