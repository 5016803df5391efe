//! Work that ends and is gone on with by others.

use std::fs;
use std::path::Path;

use servanda_cluster::{Cluster, Staff, Storage};
use servanda_engine::{Counts, Engine as _, Halt, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_model::{Model, StateView};
use servanda_testkit::{Trials, Tried};

use crate::WORKERS;
use crate::exploring::{Until, variables};

/// How states are kept: in memory, or on disk with as much memory as this.
type Memory = Option<usize>;

/// Goes on, or begins, with so many workers.
fn resumed<'m>(model: &'m Model, workers: usize, memory: Memory, within: &Path) -> Result<Cluster<'m>, Halt> {
    let checkpoint = Some(within.join("checkpoint"));
    fs::create_dir_all(within.join("checkpoint")).expect("a directory");
    let spill = memory.map(|_| within.join("spill"));
    let due = Some(std::sync::Arc::new(|| true) as std::sync::Arc<dyn Fn() -> bool + Send + Sync>);
    let memory = memory.unwrap_or(0);
    let storage =
        Storage { spill, memory, resume: checkpoint.clone(), checkpoint, due, ..Storage::default() };
    Cluster::with_storage(model, Options::default(), Staff::threads(workers), &storage, &NoLimits)
}

/// Explores in pieces, each begun anew with another number of workers.
fn in_pieces(
    model: &Model,
    seed: usize,
    step: u64,
    within: &Path,
) -> Result<(Counts, Option<StateView>), String> {
    let memories = [None, Some(0), Some(1 << 20)];
    for piece in 0_usize..1000 {
        let workers = WORKERS[(seed + 3 * piece) % WORKERS.len()];
        let memory = memories[(seed + piece) % memories.len()];
        let mut engine = resumed(model, workers, memory, within).map_err(|halt| halt.to_string())?;
        // Whoever is stopped before a level is over has not come farther.
        let end = if piece > 30 { u64::MAX } else { (piece as u64 + 1) * step };
        match engine.explore(&Until(end)) {
            Ok(()) => {
                let deadlock = engine.deadlock(&NoLimits).map_err(|halt| halt.to_string())?;
                return Ok((engine.counts().ok_or("nothing was counted")?, deadlock));
            }
            Err(Halt::Stopped { .. }) => {}
            Err(other) => return Err(other.to_string()),
        }
    }
    Err("it never ends".to_owned())
}

#[test]
fn counts_are_the_same_in_pieces() {
    Trials::from_environment(10).on_protocols(|case| {
        let Ok(explored) = Explored::new(&case.model, Options::default(), &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        let (expected, deadlock) = (explored.space.counts(), explored.space.nearest_deadlock());
        for seed in 0..3 {
            let directory = tempfile::tempdir().unwrap();
            let step = u64::try_from(&expected.states).unwrap() / 4 + 1;
            let (mut found, nearest) = in_pieces(&case.model, seed, step, directory.path())?;
            found.bytes = expected.bytes;
            if found != expected || nearest != deadlock {
                return Err(format!("{found:?}, not {expected:?}\n{}", case.text));
            }
        }
        Ok(Tried::Holds)
    });
}

#[test]
fn a_larger_model_is_counted_in_pieces_and_its_runs_are_found() {
    for seed in 0..4 {
        let model = variables(&["a", "b", "c"], 23, seed % 2 == 0);
        let directory = tempfile::tempdir().unwrap();
        let (counts, _) = in_pieces(&model, seed, 2000, directory.path()).unwrap();
        assert_eq!(counts.states, (24_u32 * 24 * 24).into());
        assert_eq!(counts.diameter, Some(if seed % 2 == 0 { 3 } else { 69 }));
        let jumps = seed % 2 == 0;
        let transitions: u64 = if jumps { 24 * 24 * 24 * 72 } else { 3 * 23 * 24 * 24 };
        assert_eq!(counts.transitions, Some(transitions.into()));
    }
    let model = variables(&["left", "right"], 40, false);
    let never = parse_formula("AG !(left = 17 & right = 25)").unwrap();
    for (stop, workers) in [(1, 2), (200, 3), (500, 1)] {
        let directory = tempfile::tempdir().unwrap();
        let _ = resumed(&model, 2, None, directory.path()).unwrap().explore(&Until(stop));
        let mut engine = resumed(&model, workers, Some(0), directory.path()).unwrap();
        assert_eq!(engine.route(&never, &NoLimits).unwrap().expect("a run").len(), 43);
    }
}

/// A checkpoint of a model in the middle of its states.
fn stopped(within: &Path, memory: Memory) -> Model {
    let model = variables(&["a", "b", "c"], 39, false);
    // Where it is not stopped soon enough there is a checkpoint on the way.
    let _ = resumed(&model, 2, memory, within).expect("a checkpoint").explore(&Until(5000));
    model
}

#[test]
fn a_damaged_checkpoint_is_an_error_and_never_a_wrong_count() {
    for memory in [None, Some(0)] {
        let directory = tempfile::tempdir().unwrap();
        let model = stopped(directory.path(), memory);
        let files: Vec<_> = fs::read_dir(directory.path().join("checkpoint")).unwrap().collect();
        assert!(files.len() > 2);
        for file in files.into_iter().map(|file| file.unwrap().path()) {
            let whole = fs::read(&file).unwrap();
            let cut = whole[..whole.len() / 2].to_vec();
            let mut flipped = whole.clone();
            flipped[whole.len() * 2 / 3] ^= 8;
            for (bytes, workers) in [(Some(&cut), 2), (Some(&flipped), 2), (Some(&flipped), 3), (None, 2)] {
                // What is linked to the file elsewhere stays what it is.
                fs::remove_file(&file).unwrap();
                if let Some(bytes) = bytes {
                    fs::write(&file, bytes).unwrap();
                }
                let is_manifest = file.extension().is_some_and(|end| end == "txt");
                if is_manifest && bytes.is_none() {
                    continue;
                }
                let Err(halt) = resumed(&model, workers, memory, directory.path()) else {
                    panic!("{} is not what it was", file.display());
                };
                assert!(
                    matches!(halt, Halt::Invalid(_)) && halt.to_string().contains("cannot be used"),
                    "{halt}"
                );
            }
            fs::write(&file, &whole).unwrap();
        }
        let mut engine = resumed(&model, 3, memory, directory.path()).unwrap();
        engine.explore(&NoLimits).unwrap();
        assert_eq!(engine.counts().unwrap().states, (40_u32 * 40 * 40).into());
    }
}

#[test]
fn a_checkpoint_of_another_model_is_none_of_this_one() {
    let directory = tempfile::tempdir().unwrap();
    let model = stopped(directory.path(), None);
    let mut renamed = model.clone();
    "Others".clone_into(&mut renamed.name);
    let changed = variables(&["a", "b", "c"], 38, false);
    for (other, why) in [(renamed, "it is of the model `Variables`"), (changed, "the model was changed")] {
        let Err(halt) = resumed(&other, 2, None, directory.path()) else { panic!("another model") };
        assert!(halt.to_string().contains(why), "{halt}");
    }
    let checkpoint = directory.path().join("checkpoint");
    let begin = |storage: &Storage| {
        let staff = Staff::threads(1);
        let begun = Cluster::with_storage(&model, Options::default(), staff, storage, &NoLimits);
        begun.map(|_| ()).map_err(|halt| halt.to_string())
    };
    let again = Storage { checkpoint: Some(checkpoint), ..Storage::default() };
    assert!(begin(&again).unwrap_err().contains("there is one already"));
    let nowhere = Storage { resume: Some(directory.path().join("none")), ..Storage::default() };
    assert!(begin(&nowhere).unwrap_err().contains("there is no checkpoint"));
}
