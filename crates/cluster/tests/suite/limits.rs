//! Work that comes to its limits: memory that is asked for, numbers that are used up, checkpoints that nobody has the time to read.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use servanda_cluster::{Cluster, Patience, Staff, Storage};
use servanda_engine::{Budget, Engine as _, Halt, NoLimits, Options, Progress, Stop, Verdict};
use servanda_logic::parse_formula;
use servanda_model::Model;

use crate::WORKERS;
use crate::exploring::{Until, variables};

/// Lets nobody hold so many bytes more.
struct Little(usize);

impl Budget for Little {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        Ok(())
    }

    fn room(&self, bytes: usize) -> Result<(), Stop> {
        if bytes < self.0 { Ok(()) } else { Err(Stop::Memory) }
    }
}

/// Has no time at all.
struct NoTime;

impl Budget for NoTime {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        Err(Stop::Time)
    }
}

fn storage(within: &Path, spills: bool) -> Storage {
    let kept = Some(within.join("kept"));
    std::fs::create_dir_all(within.join("kept")).expect("a directory");
    let spill = spills.then(|| within.join("spill"));
    Storage { spill, checkpoint: kept.clone(), resume: kept, ..Storage::default() }
}

/// A model whose tables are larger than what is not worth asking for.
fn large() -> Model {
    variables(&["a", "b", "c"], 79, false)
}

fn count(engine: &mut Cluster<'_>) -> (u64, Option<u64>) {
    engine.explore(&NoLimits).expect("no limit");
    let counts = engine.counts().expect("counts");
    (u64::try_from(&counts.states).expect("a number of 64 bits"), counts.diameter)
}

const ALL: (u64, Option<u64>) = (512_000, Some(237));

#[test]
fn where_there_is_no_memory_there_is_a_checkpoint_and_others_go_on() {
    let model = large();
    for (workers, spills) in [(1, false), (2, false), (1, true)] {
        let directory = tempfile::tempdir().unwrap();
        let begin = |workers, spills| {
            let storage = storage(directory.path(), spills);
            let staff = Staff::threads(workers);
            Cluster::with_storage(&model, Options::default(), staff, &storage, &NoLimits).unwrap()
        };
        let mut engine = begin(workers, false);
        let stopped = engine.explore(&Little(1 << 20));
        let Err(Halt::Stopped { stop: Stop::Memory, states, .. }) = stopped else { panic!("{stopped:?}") };
        assert!(states > 10_000 && states < ALL.0, "{states}");
        assert!(Storage::has_checkpoint(&directory.path().join("kept")));
        assert_eq!(count(&mut begin(2, spills)), ALL);
        // Nothing was lost here either.
        drop(engine);
    }
}

#[test]
fn work_that_ended_for_want_of_memory_goes_on_where_there_is_more() {
    let model = large();
    let mut engine = Cluster::new(&model, Options::default(), Staff::threads(2), &NoLimits).unwrap();
    for _ in 0..2 {
        assert!(matches!(engine.explore(&Little(1 << 20)), Err(Halt::Stopped { stop: Stop::Memory, .. })));
    }
    assert_eq!(count(&mut engine), ALL);
    // Transitions take memory too.
    let formula = parse_formula("AG EF a = 79").unwrap();
    let stopped = engine.decide(&formula, &Little(1 << 20));
    assert!(matches!(stopped, Err(Halt::Stopped { stop: Stop::Memory, .. })), "{stopped:?}");
    assert_eq!(engine.decide(&formula, &NoLimits).unwrap(), Verdict::True);
}

#[test]
fn a_checkpoint_for_which_there_is_no_memory_or_time_stays_what_it_is() {
    let model = large();
    let directory = tempfile::tempdir().unwrap();
    let begin = |workers, spills, budget: &dyn Budget| {
        let storage = storage(directory.path(), spills);
        Cluster::with_storage(&model, Options::default(), Staff::threads(workers), &storage, budget)
    };
    let _ = begin(2, false, &NoLimits).unwrap().explore(&Until(300_000));
    for (workers, spills) in [(1, false), (2, false), (2, true), (3, true)] {
        let Err(halt) = begin(workers, spills, &NoTime) else { continue };
        assert!(matches!(halt, Halt::Stopped { stop: Stop::Time, .. }), "{halt}");
    }
    let Err(halt) = begin(1, false, &Little(1 << 20)) else { panic!("there is memory") };
    assert!(matches!(halt, Halt::Stopped { stop: Stop::Memory, .. }), "{halt}");
    let few = Staff::threads(2).numbering(1000);
    let storage = storage(directory.path(), false);
    let Err(halt) = Cluster::with_storage(&model, Options::default(), few, &storage, &NoLimits) else {
        panic!("there are numbers for all")
    };
    assert!(matches!(&halt, Halt::TooLarge(reason) if reason.contains("use more workers")), "{halt}");
    assert_eq!(count(&mut begin(3, false, &NoLimits).unwrap()), ALL);
}

/// Counts how often it was asked for patience, and whether it is asked now.
#[derive(Default)]
struct Asked {
    times: AtomicUsize,
    now: AtomicUsize,
}

impl Patience for Asked {
    fn begin(&self) {
        self.times.fetch_add(1, Ordering::Relaxed);
        self.now.fetch_add(1, Ordering::Relaxed);
    }

    fn end(&self) {
        self.now.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn patience_is_asked_for_while_a_checkpoint_is_written_and_not_while_one_is_read() {
    let model = large();
    let directory = tempfile::tempdir().unwrap();
    let asked = Arc::new(Asked::default());
    let times = || (asked.times.load(Ordering::Relaxed), asked.now.load(Ordering::Relaxed));
    let begin = |budget: &dyn Budget| {
        let patience: Arc<dyn Patience> = Arc::<Asked>::clone(&asked);
        let storage = Storage { patience: Some(patience), ..storage(directory.path(), false) };
        Cluster::with_storage(&model, Options::default(), Staff::threads(1), &storage, budget)
    };
    let mut engine = begin(&NoLimits).unwrap();
    assert!(engine.explore(&Until(1000)).is_err());
    assert_eq!(times(), (1, 0));
    drop(engine);
    assert_eq!(times(), (1, 0), "there is nothing to be removed");
    let _ = begin(&NoTime);
    assert_eq!(times(), (1, 0), "nothing is written yet");
}

#[test]
fn who_has_more_states_than_numbers_says_that_more_workers_are_needed() {
    let model = variables(&["a", "b", "c"], 29, false);
    for workers in WORKERS {
        let directory = tempfile::tempdir().unwrap();
        let storage = storage(directory.path(), false);
        let begin =
            |staff: Staff| Cluster::with_storage(&model, Options::default(), staff, &storage, &NoLimits);
        let mut engine = begin(Staff::threads(workers).numbering(5000 - 600 * workers)).unwrap();
        for _ in 0..2 {
            let Err(Halt::TooLarge(reason)) = engine.explore(&NoLimits) else { panic!("all is well") };
            assert!(reason.contains("use more workers"), "{reason}");
            assert_eq!(engine.counts(), None);
        }
        let formula = parse_formula("AG a < 29").unwrap();
        assert!(matches!(engine.decide(&formula, &NoLimits), Ok(Verdict::Unknown(_))));
        drop(engine);
        // States are missing, so there is no checkpoint.
        assert_eq!(count(&mut begin(Staff::threads(workers)).unwrap()), (27_000, Some(87)));
    }
}
