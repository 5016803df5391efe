//! The random protocols and formulas themselves: they have no mistakes, and they have everything.
use std::collections::BTreeMap;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};
use servanda_engine::Options;
use servanda_enumerate::Explored;
use servanda_logic::Features;
use servanda_testkit::random::{Case, cases};
use servanda_testkit::{Decider, Limits, Reference, load};

fn samples(count: usize) -> Vec<Case> {
    let config =
        Config { rng_algorithm: RngAlgorithm::ChaCha, rng_seed: RngSeed::Fixed(7), ..Config::default() };
    let mut runner = TestRunner::new(config);
    let strategy = cases(Features::ALL, 3);
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

#[test]
fn survey() {
    let start = std::time::Instant::now();
    let cases = samples(1000);
    println!("generated {:?}", start.elapsed());
    let mut sizes: BTreeMap<String, u32> = BTreeMap::new();
    let mut verdicts: BTreeMap<Option<bool>, u32> = BTreeMap::new();
    for (n, case) in cases.iter().enumerate() {
        let text = case.text();
        if true {
            std::fs::write("/tmp/last.pact", &text).unwrap();
        }
        let protocol = load(&text);
        let t = std::time::Instant::now();
        let size = match Explored::new(&protocol.model, Options::default(), &Limits::default()) {
            Ok(explored) => match explored.counts().states {
                0..=1 => "a 1",
                2..=4 => "b 4",
                5..=16 => "c 16",
                17..=64 => "d 64",
                65..=256 => "e 256",
                _ => "f more",
            },
            Err(_) => "g stopped",
        };
        *sizes.entry(size.to_owned()).or_default() += 1;
        for verdict in Reference.verdicts(&protocol, Options::default()) {
            *verdicts.entry(verdict).or_default() += 1;
        }
        if t.elapsed().as_millis() > 200 {
            println!("slow {n}: {:?} {size}", t.elapsed());
        }
        if n < 0 {
            println!("{text}");
        }
    }
    println!("{sizes:?} {verdicts:?} {:?}", start.elapsed());
}
