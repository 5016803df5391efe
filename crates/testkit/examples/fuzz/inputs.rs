//! The texts that are tried.

use std::path::Path;

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};
use servanda_logic::{Features, Parser};
use servanda_testkit::PIECES;
use servanda_testkit::random::{Case, cases};

use crate::random::Random;

/// Every input of one seed.
pub(crate) struct Inputs {
    seed: u64,
    examples: Vec<String>,
    protocols: BoxedStrategy<Case>,
}

impl Inputs {
    pub(crate) fn new(seed: u64) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "pact"));
        paths.sort();
        let examples = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
        Inputs { seed, examples, protocols: cases(Features::ALL, 1..=3) }
    }

    fn case(&self, random: &mut Random) -> Case {
        let (rng_algorithm, rng_seed) = (RngAlgorithm::ChaCha, RngSeed::Fixed(random.next()));
        let mut runner = TestRunner::new(Config { rng_algorithm, rng_seed, ..Config::default() });
        self.protocols.new_tree(&mut runner).expect("nothing is filtered").current()
    }

    /// A whole text without mistakes.
    fn sound(&self, random: &mut Random) -> String {
        match random.below(4) {
            0 => random.choose(&self.examples).cloned().unwrap_or_default(),
            1 => {
                let formulas = self.case(random).written();
                random.choose(&formulas).cloned().unwrap_or_default()
            }
            _ => self.case(random).text(),
        }
    }

    /// The input with this number.
    pub(crate) fn input(&self, number: u64) -> String {
        let random = &mut Random::new(self.seed, number);
        match random.below(10) {
            0 => noise(random),
            1 => soup(random),
            2 => self.case(random).text(),
            3 => {
                let (one, other) = (self.sound(random), self.sound(random));
                spliced(&one, &other, random)
            }
            4..=6 => {
                let mut bytes = self.sound(random).into_bytes();
                for _ in 0..=random.below(4) {
                    damage_bytes(&mut bytes, random);
                }
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => {
                let text = self.sound(random);
                damage_tokens(&text, random)
            }
        }
    }
}

/// Random bytes, read as text as well as it goes.
fn noise(random: &mut Random) -> String {
    let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.next() as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Pieces in any order.
fn soup(random: &mut Random) -> String {
    let pieces: Vec<&str> = (0..random.below(60)).filter_map(|_| random.choose(&PIECES)).copied().collect();
    pieces.join(" ")
}

/// The beginning of one text and the end of another.
fn spliced(one: &str, other: &str, random: &mut Random) -> String {
    let (head, tail) = (random.below(one.len() + 1), random.below(other.len() + 1));
    let bytes = [&one.as_bytes()[..head], &other.as_bytes()[tail..]].concat();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn damage_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(12)).min(bytes.len());
    match random.below(5) {
        0 => bytes.insert(at, random.next() as u8),
        1 => drop(bytes.drain(at..end)),
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        3 => {
            let again = bytes[at..end].to_vec();
            bytes.splice(at..at, again);
        }
        _ => {
            let from = random.below(bytes.len() + 1);
            let moved = bytes[from..(from + random.below(40)).min(bytes.len())].to_vec();
            bytes.splice(at..end, moved);
        }
    }
}

/// Takes tokens away, repeats them, exchanges them or puts others in.
fn damage_tokens(text: &str, random: &mut Random) -> String {
    let parser = Parser::new(text);
    let mut words: Vec<&str> = parser.tokens().iter().map(|token| parser.slice(token.span)).collect();
    let breaks: Vec<bool> = (0..words.len()).map(|number| parser.starts_line(number)).collect();
    for _ in 0..=random.below(4) {
        let at = random.below(words.len() + 1);
        let other = random.below(words.len() + 1);
        match random.below(6) {
            0 => words.insert(at, random.choose(&PIECES).copied().unwrap_or_default()),
            1 if at < words.len() => drop(words.remove(at)),
            2 if at < words.len() => words[at] = random.choose(&PIECES).copied().unwrap_or_default(),
            3 if at < words.len() => words[at] = "_",
            4 if at < words.len() && other < words.len() => words.swap(at, other),
            _ => {
                let again = words[at..(at + random.below(20)).min(words.len())].to_vec();
                words.splice(other..other, again);
            }
        }
    }
    let mut result = String::new();
    for (number, word) in words.iter().enumerate() {
        result.push(if breaks.get(number) == Some(&true) { '\n' } else { ' ' });
        result.push_str(word);
    }
    result
}
