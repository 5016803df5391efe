//! Many random cases of one claim, from a fixed seed.

use std::cell::Cell;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestError, TestRunner};

/// What one case says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// The claim holds.
    Holds,
    /// The claim does not apply to this case, or the case is too large to be decided.
    Skipped,
}

/// How many cases are tried and which.
///
/// ```
/// use servanda_testkit::{Trials, Tried};
///
/// let trials = Trials { cases: 100, seed: 1 };
/// trials.run(&(0..100_u32), |number| match number + 1 > *number {
///     true => Ok(Tried::Holds),
///     false => Err(format!("{number} has no successor")),
/// });
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Trials {
    /// The number of cases.
    pub cases: u32,
    /// Where the random choices start.
    pub seed: u64,
}

impl Trials {
    /// So many cases, or as many times as many as `SERVANDA_TIMES` says; `SERVANDA_SEED` is the seed of every test that asks here.
    ///
    /// # Panics
    /// When the environment says something that is no number: a long run would silently be a short one.
    pub fn from_environment(cases: u32) -> Self {
        fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
            let text = std::env::var(name).ok()?;
            Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
        }
        Trials {
            cases: cases.saturating_mul(number("SERVANDA_TIMES").unwrap_or(1)),
            seed: number("SERVANDA_SEED").unwrap_or(2026),
        }
    }

    /// Tries the claim on every case. A case that contradicts it is shrunk first; `Err` says what is wrong.
    ///
    /// # Panics
    /// When a case contradicts the claim, or when so many are skipped that little was tested.
    pub fn run<S: Strategy>(&self, strategy: &S, claim: impl Fn(&S::Value) -> Result<Tried, String>) {
        let config = Config {
            cases: self.cases,
            failure_persistence: None,
            rng_algorithm: RngAlgorithm::ChaCha,
            rng_seed: RngSeed::Fixed(self.seed),
            max_shrink_iters: 5_000,
            ..Config::default()
        };
        let held = Cell::new(0_u32);
        let result = TestRunner::new(config).run(strategy, |case| match claim(&case) {
            Ok(Tried::Holds) => {
                held.set(held.get() + 1);
                Ok(())
            }
            Ok(Tried::Skipped) => Ok(()),
            Err(reason) => Err(TestCaseError::fail(reason)),
        });
        match result {
            Ok(()) => {}
            Err(TestError::Fail(reason, _)) => panic!("{reason}\n(seed {})", self.seed),
            Err(TestError::Abort(reason)) => panic!("the trials were given up: {reason}"),
        }
        let held = held.get();
        assert!(
            held >= self.cases / 2,
            "only {held} of {} cases were decided: the claim is hardly tested",
            self.cases
        );
    }
}
