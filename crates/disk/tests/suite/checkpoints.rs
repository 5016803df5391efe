//! Manifests.

use std::fs;

use servanda_disk::{Listed, MANIFEST, Manifest, RunWriter, Unusable, link_or_copy, sweep};

fn manifest() -> Manifest {
    let run = |index| Listed {
        name: Listed::file_name(7, 1, index),
        worker: 1,
        states: 12,
        bytes: 345,
        checksum: u64::MAX,
    };
    Manifest {
        number: 7,
        program: "1.2.3".to_owned(),
        model: "two\nlines".to_owned(),
        fingerprint: 99,
        words: 2,
        level: 4,
        is_done: true,
        workers: 3,
        transitions: 100,
        deadlocks: 2,
        deadlock: Some((3, vec![1, 2])),
        runs: vec![run(0), run(1)],
    }
}

#[test]
fn a_manifest_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(Manifest::read(directory.path()), Err(Unusable::Missing));
    let written = manifest();
    written.write(directory.path()).unwrap();
    let read = Manifest::read(directory.path()).unwrap();
    assert_eq!(read, Manifest { model: "two lines".to_owned(), ..written });
    let other = Manifest { deadlock: None, runs: Vec::new(), ..read };
    other.write(directory.path()).unwrap();
    assert_eq!(Manifest::read(directory.path()).unwrap(), other);
}

#[test]
fn a_manifest_that_was_cut_or_changed_is_none() {
    let directory = tempfile::tempdir().unwrap();
    manifest().write(directory.path()).unwrap();
    let path = directory.path().join(MANIFEST);
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        fs::write(&path, &whole[..at]).unwrap();
        assert!(matches!(Manifest::read(directory.path()), Err(Unusable::Damaged(_))), "cut at {at}");
        let mut other = whole.clone();
        other[at] ^= 4;
        fs::write(&path, &other).unwrap();
        assert!(matches!(Manifest::read(directory.path()), Err(Unusable::Damaged(_))), "changed at {at}");
    }
}

#[test]
fn another_run_is_not_taken_for_the_one_that_is_listed_and_what_is_not_listed_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    let run = |name: &str, states: &[u64]| {
        let mut writer = RunWriter::create(directory.path().join(name), 1, 0..=0).unwrap();
        states.iter().for_each(|state| writer.push(&[*state], 0).unwrap());
        writer.finish().unwrap()
    };
    let [kept, other] = [0, 1].map(|index| Listed::file_name(1, 0, index));
    let (first, second) = (run(&kept, &[1, 2, 3]), run(&other, &[1, 2, 4]));
    let listed = Listed::new(&first, 0);
    assert_eq!(listed.open(directory.path()).unwrap().len(), 3);
    let manifest = Manifest { runs: vec![listed.clone()], ..manifest() };
    sweep(directory.path(), &manifest);
    assert!(first.path().exists() && !second.path().exists());
    let third = run("elsewhere.run", &[1, 2, 4]);
    link_or_copy(&third, first.path()).unwrap();
    assert!(listed.open(directory.path()).is_err());
    sweep(directory.path(), &manifest);
    assert!(third.path().exists(), "it is no run of a checkpoint");
}
