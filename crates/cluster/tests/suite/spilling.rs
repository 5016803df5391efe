//! States on disk, with next to no memory, so that all of them are: counts, verdicts and runs are as in memory.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use servanda_cluster::{Cluster, Staff, Storage};
use servanda_engine::{Engine as _, Halt, NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_model::{Model, Property};
use servanda_testkit::{Counted, Reference, Trials, Tried, compare, verdicts_of};

use crate::exploring::{Until, variables};
use crate::{WORKERS, cluster};

/// The engine with so many threads, whose states go into a directory.
fn spilling<'m>(
    model: &'m Model,
    options: Options,
    workers: usize,
    within: &Path,
) -> Result<Cluster<'m>, Halt> {
    let storage = Storage { spill: Some(within.to_owned()), memory: 0, ..Storage::default() };
    Cluster::with_storage(model, options, Staff::threads(workers), &storage, &NoLimits)
}

#[test]
fn counts_and_the_nearest_deadlock_are_those_of_one_thread() {
    let directory = tempfile::tempdir().unwrap();
    let spilled = AtomicUsize::new(0);
    Trials::from_environment(60).on_protocols(|case| {
        let Ok(explored) = Explored::new(&case.model, Options::default(), &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        let (expected, deadlock) = (explored.space.counts(), explored.space.nearest_deadlock());
        for workers in WORKERS {
            let engine = spilling(&case.model, Options::default(), workers, directory.path());
            let mut engine = engine.map_err(|halt| halt.to_string())?;
            engine.explore(&NoLimits).map_err(|halt| halt.to_string())?;
            let mut found = engine.counts().ok_or("nothing was counted")?;
            found.bytes = expected.bytes;
            let nearest = engine.deadlock(&NoLimits).map_err(|halt| halt.to_string())?;
            if found != expected || nearest != deadlock {
                return Err(format!("{workers} workers: {found:?}, not {expected:?}\n{}", case.text));
            }
        }
        spilled.fetch_add(usize::from(expected.states > 30_u32.into()), Ordering::Relaxed);
        Ok(Tried::Holds)
    });
    assert!(spilled.into_inner() > 0, "no model had enough states");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is left");
}

#[test]
fn verdicts_are_right_or_unknown() {
    let directory = tempfile::tempdir().unwrap();
    let verdicts = |model: &Model, properties: &[Property], options: Options| -> Vec<Option<bool>> {
        let workers = WORKERS[(model.variables.len() + 3 * properties.len()) % WORKERS.len()];
        let engine = spilling(model, options, workers, directory.path());
        verdicts_of(properties, engine, |engine, formula| engine.decide(formula, &NoLimits))
    };
    let engine = Counted::new("cluster with states on disk", verdicts);
    compare(Trials::from_environment(40), &Reference, &engine);
    engine.assert_decided(5);
}

#[test]
fn what_can_be_reached_is_found_on_disk_by_the_same_run() {
    let directory = tempfile::tempdir().unwrap();
    for (names, most) in [(vec!["left", "right"], 15), (vec!["a", "b", "c"], 6)] {
        let model = variables(&names, most, false);
        let (first, last) = (names[0], names[names.len() - 1]);
        let formulas = [
            format!("AG !({first} = 6 & {last} = 5)"),
            format!("EF ({first} = {most} & {last} = {most})"),
            format!("AG ({first} + {last} < 5)"),
            format!("AG {first} <= {most}"),
        ];
        for formula in formulas.map(|formula| parse_formula(&formula).unwrap()) {
            let mut plain = cluster(&model, Options::default(), 1).unwrap();
            let verdict = plain.decide(&formula, &NoLimits).unwrap();
            let route = plain.route(&formula, &NoLimits).unwrap();
            for workers in WORKERS {
                let mut engine = spilling(&model, Options::default(), workers, directory.path()).unwrap();
                assert_eq!(engine.decide(&formula, &NoLimits).unwrap(), verdict);
                assert_eq!(engine.route(&formula, &NoLimits).unwrap(), route);
                // The same once more, where all states are known.
                engine.explore(&NoLimits).unwrap();
                assert_eq!(engine.decide(&formula, &NoLimits).unwrap(), verdict);
                assert_eq!(engine.route(&formula, &NoLimits).unwrap(), route);
            }
        }
    }
}

#[test]
fn what_needs_the_transitions_is_unknown_where_states_are_on_disk_and_decided_where_they_fit() {
    let directory = tempfile::tempdir().unwrap();
    let model = variables(&["left", "right"], 40, false);
    let formula = parse_formula("AG EF left = 40").unwrap();
    let mut engine = spilling(&model, Options::default(), 2, directory.path()).unwrap();
    let Verdict::Unknown(reason) = engine.decide(&formula, &NoLimits).unwrap() else { panic!("decided") };
    assert!(reason.contains("did not fit into memory"), "{reason}");
    let storage = Storage { spill: Some(directory.path().to_owned()), memory: 1 << 24, ..Storage::default() };
    let staff = Staff::threads(2);
    let mut engine = Cluster::with_storage(&model, Options::default(), staff, &storage, &NoLimits).unwrap();
    assert_eq!(engine.decide(&formula, &NoLimits).unwrap(), Verdict::True);
}

#[test]
fn work_that_was_stopped_goes_on_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let model = variables(&["a", "b", "c"], 29, true);
    for workers in WORKERS {
        let mut engine = spilling(&model, Options::default(), workers, directory.path()).unwrap();
        for states in [1, 100, 20_000] {
            let _ = engine.explore(&Until(states));
        }
        engine.explore(&NoLimits).unwrap();
        let counts = engine.counts().unwrap();
        assert_eq!((counts.states, counts.diameter), (27_000_u32.into(), Some(3)));
    }
}

/// Many levels with few states each: runs become one again and again.
#[test]
fn many_levels_are_no_trouble() {
    let directory = tempfile::tempdir().unwrap();
    let model = variables(&["left", "right"], 60, false);
    let mut engine = spilling(&model, Options::default(), 2, directory.path()).unwrap();
    engine.explore(&NoLimits).unwrap();
    let counts = engine.counts().unwrap();
    assert_eq!((counts.states, counts.diameter), ((61_u32 * 61).into(), Some(120)));
    let formula = parse_formula("AG !(left = 40 & right = 37)").unwrap();
    assert_eq!(engine.route(&formula, &NoLimits).unwrap().expect("a run").len(), 78);
}

#[test]
fn what_cannot_be_written_ends_the_work_with_a_reason() {
    let model = variables(&["a", "b", "c"], 29, true);
    for workers in WORKERS {
        let directory = tempfile::tempdir().unwrap();
        let mut engine = spilling(&model, Options::default(), workers, directory.path()).unwrap();
        // The directories of the workers, or of one of them, are gone.
        let place = fs::read_dir(directory.path()).unwrap().last().unwrap().unwrap().path();
        fs::remove_dir_all(place).unwrap();
        for _ in 0..2 {
            let Err(Halt::TooLarge(reason)) = engine.explore(&NoLimits) else { panic!("all is well") };
            assert!(reason.contains("cannot be used"), "{reason}");
            assert_eq!(engine.counts(), None);
        }
        let formula = parse_formula("AG a < 29").unwrap();
        assert!(matches!(engine.decide(&formula, &NoLimits), Ok(Verdict::Unknown(_))));
    }
}
