//! Counts, deadlocks, limits and shortest runs.

use servanda_engine::{Budget, Engine as _, Halt, NoLimits, Options, Progress, Stop, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};
use servanda_testkit::{Trials, Tried};

use crate::{WORKERS, cluster};

#[test]
fn counts_and_the_nearest_deadlock_are_those_of_one_thread() {
    Trials::from_environment(40).on_protocols(|case| {
        let Ok(explored) = Explored::new(&case.model, Options::default(), &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        let (expected, deadlock) = (explored.space.counts(), explored.space.nearest_deadlock());
        for workers in WORKERS {
            let mut engine =
                cluster(&case.model, Options::default(), workers).map_err(|halt| halt.to_string())?;
            engine.explore(&NoLimits).map_err(|halt| halt.to_string())?;
            let mut found = engine.counts().ok_or("nothing was counted")?;
            found.bytes = expected.bytes;
            let nearest = engine.deadlock(&NoLimits).map_err(|halt| halt.to_string())?;
            if found != expected || nearest != deadlock {
                return Err(format!("{workers} workers: {found:?}, not {expected:?}\n{}", case.text));
            }
        }
        Ok(Tried::Holds)
    });
}

/// Variables of these names that can be raised by one, or be given any value at once.
pub(crate) fn variables(names: &[&str], most: i64, jumps: bool) -> Model {
    let mut model = Model::new("Variables");
    for name in names {
        let domain = Domain::Range { low: 0, high: most };
        let variable = model.add_variable(Variable::new(*name, domain, vec![0], Visibility::Public));
        let label = model.add_label(Label::message(format!("change_{name}"), None));
        let mut add = |from: Expr, to: Expr| {
            model.add_command(Command { guard: from, updates: vec![(variable, to)], ..Command::new(label) });
        };
        if jumps {
            (0..=most).for_each(|value| add(Expr::TRUE, Expr::Constant(value)));
        } else {
            let full = Expr::variable(variable).equals(Expr::Constant(most));
            add(full.negate(), Expr::variable(variable).plus(Expr::Constant(1)));
        }
    }
    model
}

#[test]
fn a_route_is_a_shortest_run_whatever_the_number_of_workers() {
    let model = variables(&["left", "right"], 40, false);
    let never = parse_formula("AG !(left = 7 & right = 5)").unwrap();
    let routes = WORKERS.map(|workers| {
        let mut engine = cluster(&model, Options::default(), workers).unwrap();
        assert_eq!(engine.decide(&never, &NoLimits).unwrap(), Verdict::False);
        assert!(!engine.is_explored(), "what lies behind is not looked for");
        let route = engine.route(&never, &NoLimits).unwrap().expect("a run");
        assert_eq!(route.len(), 13);
        route
    });
    assert!(routes.iter().all(|route| *route == routes[0]));
}

/// Lets a piece of work go on until so many states are known.
pub(crate) struct Until(pub(crate) u64);

impl Budget for Until {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        match progress {
            Progress::Exploring { states, .. } if states >= self.0 => Err(Stop::Time),
            _ => Ok(()),
        }
    }
}

#[test]
fn work_that_was_stopped_goes_on_where_it_was() {
    let model = variables(&["a", "b", "c"], 59, true);
    for workers in WORKERS {
        let mut engine = cluster(&model, Options::default(), workers).unwrap();
        match engine.explore(&Until(1)) {
            Err(Halt::Stopped { stop: Stop::Time, states, .. }) => assert!(states > 0),
            Ok(()) => {}
            Err(other) => panic!("{other}"),
        }
        engine.explore(&NoLimits).unwrap();
        let counts = engine.counts().unwrap();
        assert_eq!((counts.states, counts.diameter), (216_000_u32.into(), Some(3)));
    }
}

/// The second property finds all states known already; the nearest of those that decide it counts all the same.
#[test]
fn a_run_is_shortest_also_where_all_states_are_known() {
    let model = variables(&["left", "right"], 9, false);
    let never = parse_formula("AG !(left + right = 6 | left = 0 & right = 9)").unwrap();
    for workers in WORKERS {
        let mut engine = cluster(&model, Options::default(), workers).unwrap();
        engine.explore(&NoLimits).unwrap();
        assert_eq!(engine.route(&never, &NoLimits).unwrap().expect("a run").len(), 7);
    }
}

/// A condition without a value ends one search; the next one goes on with the states behind.
#[test]
fn a_fault_of_one_property_takes_no_state_from_the_next() {
    let model = variables(&["left", "right"], 9, false);
    let faulty = parse_formula("AG (1 / (3 - left) < 5)").unwrap();
    for workers in WORKERS {
        let mut engine = cluster(&model, Options::default(), workers).unwrap();
        assert!(matches!(engine.decide(&faulty, &NoLimits), Err(Halt::Fault(_))));
        engine.explore(&NoLimits).unwrap();
        assert_eq!(engine.counts().unwrap().states, 100_u32.into());
    }
}
