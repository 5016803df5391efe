//! The satisfiability engine against the reference engine, on random protocols, formulas of the whole language and all
//! readings.

use std::cell::Cell;

use servanda_engine::{Halt, Monitor, Options, Past, Progress, Stop};
use servanda_pact::Protocol;
use servanda_sat::{Sat, SatOptions};
use servanda_testkit::{Decider, Reference, Trials, Tried, compare, options};

/// Stops what asks a solver too often for a test of thousands of cases.
struct Patience;

impl Monitor for Patience {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        match progress {
            Progress::Deciding { nodes } if nodes > 30_000 => Err(Stop::Time),
            _ => Ok(()),
        }
    }
}

/// Counts what it decides, so that the comparison cannot pass by deciding nothing.
struct BySolver {
    choices: SatOptions,
    decided: Cell<u64>,
    asked: Cell<u64>,
}

impl BySolver {
    fn new(choices: SatOptions) -> Self {
        BySolver { choices, decided: Cell::new(0), asked: Cell::new(0) }
    }
}

impl Decider for BySolver {
    fn name(&self) -> &str {
        "sat"
    }

    fn verdicts(&self, protocol: &Protocol, options: Options) -> Vec<Option<bool>> {
        let mut sat = match Sat::new(&protocol.model, options, self.choices, &Patience) {
            Ok(sat) => sat,
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => return vec![None; protocol.properties.len()],
            Err(halt) => panic!("the engine found a mistake: {halt:?}"),
        };
        let decide = |property: &servanda_model::Property| {
            let verdict = match sat.decide(&property.formula, &Patience) {
                Ok(servanda_engine::Verdict::Unknown(reason)) if reason.contains("internal error") => {
                    panic!("{reason}: `{}`", property.text)
                }
                Ok(verdict) => verdict.decided(),
                Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => None,
                Err(halt) => panic!("the engine found a mistake in `{}`: {halt:?}", property.text),
            };
            self.asked.set(self.asked.get() + 1);
            self.decided.set(self.decided.get() + u64::from(verdict.is_some()));
            verdict
        };
        protocol.properties.iter().map(decide).collect()
    }
}

#[test]
fn the_engines_agree_on_random_protocols() {
    let engine = BySolver::new(SatOptions::default());
    let trials = Trials::from_environment(1500);
    compare(trials.cases, trials.seed, &Reference, &engine);
    let (decided, asked) = (engine.decided.get(), engine.asked.get());
    println!("{decided} of {asked} properties decided by the solver");
    assert!(decided * 10 > asked * 7, "only {decided} of {asked} properties were decided");
}

/// What is meant for models that are too large for fixpoints: liveness as reachability, knowledge by refined invariants.
#[test]
fn the_engines_agree_where_everything_counts_as_large() {
    let engine = BySolver::new(SatOptions { few_bits: 0, few_cubes: 0, ..SatOptions::default() });
    let trials = Trials::from_environment(250);
    compare(trials.cases, trials.seed + 1, &Reference, &engine);
}

/// A bounded search knows less, and is never wrong.
#[test]
fn the_engines_agree_within_a_bound() {
    for (bound, cases) in [(6, 1500), (1, 500)] {
        let engine = BySolver::new(SatOptions { bound: Some(bound), ..SatOptions::default() });
        let trials = Trials::from_environment(cases);
        let random = (servanda_testkit::random::cases(servanda_logic::Features::ALL, 1..=4), options());
        trials.run(&random, |(case, options)| {
            let protocol = servanda_testkit::load(&case.text());
            if options.past == Past::All && protocol.model.typed_states().is_none_or(|states| states > 3000) {
                return Ok(Tried::Skipped);
            }
            let left = Reference.verdicts(&protocol, *options);
            let right = engine.verdicts(&protocol, *options);
            for (property, pair) in protocol.properties.iter().zip(left.iter().zip(&right)) {
                if let (Some(left), Some(right)) = pair
                    && left != right
                {
                    let (name, text) = (&property.name, case.text());
                    return Err(format!(
                        "enumerate says {left}, sat within {bound} steps {right}: {name} of\n{text}\nwith {options:?}"
                    ));
                }
            }
            Ok(Tried::Holds)
        });
        let (decided, asked) = (engine.decided.get(), engine.asked.get());
        println!("{decided} of {asked} properties decided within {bound} steps");
        assert!(decided * 6 > asked, "only {decided} of {asked} properties were decided");
    }
}
