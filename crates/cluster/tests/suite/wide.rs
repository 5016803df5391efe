//! States of many words, which are kept as trees: what is found is what the reference engine finds.

use servanda_cluster::{Cluster, Staff, Storage};
use servanda_engine::{Engine as _, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_model::{Domain, Model, Variable, Visibility};

use crate::exploring::{Until, variables};
use crate::{WORKERS, cluster};

/// The same with variables in front and behind that nothing changes, so that a state has more than ten words.
fn wide() -> Model {
    let mut model = variables(&["a", "b", "c"], 9, false);
    for number in 0..12 {
        let domain = Domain::Range { low: 0, high: (1 << 61) - 1 };
        let value = 1_i64 << (5 * number);
        let name = format!("still_{number}");
        model.add_variable(Variable::new(name, domain, vec![value], Visibility::Public));
    }
    model
}

#[test]
fn counts_verdicts_and_runs_are_those_of_the_reference() {
    let model = wide();
    let mut reference = Explored::new(&model, Options::default(), &NoLimits).unwrap();
    let (expected, deadlock) = (reference.space.counts(), reference.space.nearest_deadlock());
    let formulas = [
        "AG !(a = 7 & c = 5)",
        "EF (a = 9 & b = 9 & c = 9)",
        "AF (a = 9 & c = 9)",
        "AG EF a = 9",
        "E (G a = 0)",
        "A (F G (a = 9 | b = 9))",
        "E ((F b = 3) & G (still_3 = 32768 -> a < 5))",
    ]
    .map(|formula| parse_formula(formula).unwrap());
    for workers in WORKERS {
        let mut engine = cluster(&model, Options::default(), workers).unwrap();
        for formula in &formulas {
            let found = engine.decide(formula, &NoLimits).unwrap();
            assert_eq!(found, reference.decide(formula, &NoLimits).unwrap(), "{formula:?}");
        }
        assert_eq!(engine.route(&formulas[0], &NoLimits).unwrap().expect("a run").len(), 13);
        engine.explore(&NoLimits).unwrap();
        let mut found = engine.counts().unwrap();
        assert!(found.bytes < expected.bytes, "{:?} and {:?}", found.bytes, expected.bytes);
        found.bytes = expected.bytes;
        assert_eq!(found, expected);
        assert_eq!(engine.deadlock(&NoLimits).unwrap(), deadlock);
    }
}

/// A checkpoint of trees is gone on with by rows on disk, and the other way round.
#[test]
fn checkpoints_of_trees_and_of_rows_are_the_same() {
    let model = wide();
    for (spills, end) in [(true, 300), (false, 300), (true, 1), (false, 700)] {
        let directory = tempfile::tempdir().unwrap();
        let within = Some(directory.path().join("checkpoint"));
        std::fs::create_dir_all(directory.path().join("checkpoint")).unwrap();
        let storage = |spills: bool| Storage {
            spill: spills.then(|| directory.path().join("spill")),
            memory: 0,
            checkpoint: within.clone(),
            resume: within.clone(),
            due: Some(std::sync::Arc::new(|| true)),
            ..Storage::default()
        };
        let staff = Staff::threads(2);
        let begun = Cluster::with_storage(&model, Options::default(), staff, &storage(spills), &NoLimits);
        let _ = begun.unwrap().explore(&Until(end));
        for (workers, spills) in [(3, !spills), (1, spills)] {
            let (staff, storage) = (Staff::threads(workers), storage(spills));
            let mut engine =
                Cluster::with_storage(&model, Options::default(), staff, &storage, &NoLimits).unwrap();
            engine.explore(&NoLimits).unwrap();
            let counts = engine.counts().unwrap();
            assert_eq!((counts.states, counts.diameter), (1000_u32.into(), Some(27)));
        }
    }
}
