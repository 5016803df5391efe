//! Runs of random states.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use servanda_disk::{Lookup, Merge, Run, RunReader, RunWriter};

/// Numbers that look random.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Random states with distances.
fn states(dice: &mut Dice, words: usize, count: usize) -> BTreeMap<Vec<u64>, u64> {
    let spread = [10, 1000, 1 << 31][dice.roll(3) as usize];
    let state =
        |dice: &mut Dice| -> Vec<u64> { (0..words).map(|_| dice.roll(spread) << dice.roll(33)).collect() };
    (0..count).map(|_| (state(dice), 3 + dice.roll(200))).collect()
}

fn write(path: &Path, words: usize, states: &BTreeMap<Vec<u64>, u64>) -> Run {
    let mut writer = RunWriter::create(path, words, 3..=203).expect("a run");
    states.iter().for_each(|(state, level)| writer.push(state, *level).expect("a state"));
    writer.finish().expect("a run")
}

#[test]
fn what_was_written_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let mut dice = Dice(1);
    for case in 0..60 {
        let words = 1 + case % 4;
        let count = [0, 1, 50, 60_000][dice.roll(4) as usize];
        let expected = states(&mut dice, words, count);
        let path = directory.path().join(format!("{case}.run"));
        let made = write(&path, words, &expected);
        let opened = Run::open(&path).unwrap();
        assert_eq!(
            (opened.len(), opened.bytes(), opened.checksum()),
            (made.len(), made.bytes(), made.checksum())
        );
        assert_eq!(opened.bytes(), fs::metadata(&path).unwrap().len());
        for run in [made, opened] {
            let mut found = BTreeMap::new();
            RunReader::read_whole(&run, |state, level| {
                assert!(found.insert(state.to_vec(), level).is_none());
                Ok(())
            })
            .unwrap();
            assert_eq!(found, expected);
            // A few states, far from each other, in ascending order.
            let asked = states(&mut dice, words, 30);
            let some = expected
                .iter()
                .step_by(1 + expected.len() / 20)
                .map(|(state, level)| (state.clone(), *level));
            let asked: BTreeMap<Vec<u64>, u64> = asked.into_iter().chain(some).collect();
            let mut lookup = Lookup::new(&[run]).unwrap();
            for state in asked.keys() {
                assert_eq!(lookup.find(state).unwrap(), expected.get(state).copied(), "{state:?}");
            }
        }
    }
}

#[test]
fn runs_are_merged_and_nothing_comes_twice() {
    let directory = tempfile::tempdir().unwrap();
    let mut dice = Dice(2);
    for case in 0..20 {
        let words = 1 + case % 3;
        let (mut runs, mut all) = (Vec::new(), BTreeMap::new());
        for index in 0..dice.roll(6) {
            let some = states(&mut dice, words, 500);
            runs.push(write(&directory.path().join(format!("{case}-{index}.run")), words, &some));
            all.extend(some.into_keys().map(|state| (state, ())));
        }
        let mut merge = Merge::new(&runs).unwrap();
        let mut found = Vec::new();
        while let Some((state, _)) = merge.next().unwrap() {
            found.push(state.to_vec());
        }
        assert!(found.iter().eq(all.keys()));
    }
}

#[test]
fn what_is_out_of_order_is_not_written_and_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.run");
    for (state, level) in [([4], 1), ([5], 1), ([6], 2)] {
        let mut writer = RunWriter::create(&path, 1, 0..=1).unwrap();
        writer.push(&[5], 0).unwrap();
        assert!(writer.push(&state, level).is_err());
        drop(writer);
        assert!(!path.exists());
    }
}

/// Every way of damage is told: nothing but the states that were written is ever read.
#[test]
fn damage_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let mut dice = Dice(3);
    for case in 0..4 {
        let words = 1 + case % 2;
        let expected = states(&mut dice, words, 40_000);
        let path = directory.path().join(format!("{case}.run"));
        drop(write(&path, words, &expected));
        let whole = fs::read(&path).unwrap();
        for _ in 0..150 {
            let (at, mut bytes) = (dice.roll(whole.len() as u64) as usize, whole.clone());
            match dice.roll(4) {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << dice.roll(8),
                2 => bytes.extend([0; 64]),
                _ => {
                    let end = (at + 1 + dice.roll(70_000) as usize).min(bytes.len());
                    bytes.drain(at..end);
                }
            }
            fs::write(&path, &bytes).unwrap();
            let read = Run::open(&path).and_then(|run| RunReader::read_whole(&run, |_, _| Ok(())));
            assert!(read.is_err(), "case {case}, damage at {at} of {}", whole.len());
        }
    }
}
