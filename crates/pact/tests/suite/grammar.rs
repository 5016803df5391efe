//! The grammar of docs/pact.md is the parser's: what it makes is read, and what is written in examples and documentation is made by it.

mod notation;
mod reader;
mod writer;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use servanda_pact::{STATEMENT_WORDS, format};

use self::notation::Grammar;
use self::writer::Writer;
use crate::robust::survives;
use crate::support::{EVERYTHING, examples, picked};

/// Texts that are made by the grammar.
const TEXTS: u32 = 10_000;

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn page() -> String {
    std::fs::read_to_string(docs().join("pact.md")).expect("the page about the language")
}

fn grammar() -> Grammar {
    let page = page();
    let (_, after) = page.split_once("## Grammar").expect("a section about the grammar");
    let block = after.split("```text").nth(1).and_then(|rest| rest.split("```").next()).expect("its text");
    Grammar::read(block)
}

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// What decides between alternatives, in the order in which they come up. Fewer and smaller numbers make shorter texts.
fn choices() -> impl Strategy<Value = Vec<u16>> {
    vec(any::<u16>(), 1..500)
}

#[test]
fn what_the_grammar_makes_is_read_and_has_a_standard_form() {
    let grammar = grammar();
    let used = RefCell::new(BTreeSet::new());
    let words = RefCell::new(BTreeSet::new());
    let result = runner(TEXTS).run(&choices(), |choices| {
        let mut writer = Writer::new(&grammar, &choices);
        let text = writer.file();
        used.borrow_mut().append(&mut writer.used);
        let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
        words.borrow_mut().extend(text.lines().map(first));
        let standard = format(&text).map_err(|errors| TestCaseError::fail(format!("{text}\n{errors:?}")))?;
        let again = format(&standard);
        prop_assert_eq!(again.as_ref(), Ok(&standard), "{}", text);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let missing: Vec<String> = grammar.alternatives().difference(&used.borrow()).cloned().collect();
    assert!(missing.is_empty(), "never chosen: {missing:#?}");
    let words = words.into_inner();
    let missing: Vec<&&str> = STATEMENT_WORDS.iter().filter(|word| !words.contains(**word)).collect();
    assert!(missing.is_empty(), "no such statement was made: {missing:?}");
}

#[test]
fn slips_in_what_the_grammar_makes_are_survived() {
    let grammar = grammar();
    let slips = vec((0_usize..3, any::<u32>(), any::<u32>()), 0..4);
    let result = runner(TEXTS / 2).run(&(choices(), slips), |(choices, slips)| {
        let mut text = Writer::new(&grammar, &choices).file();
        for (kind, first, second) in slips {
            let (place, other) = (picked(&text, first), picked(&text, second));
            let other = text[other].to_owned();
            match kind {
                0 => text.replace_range(place, ""),
                1 => text.insert_str(place.end, &format!(" {other} ")),
                _ => text.replace_range(place, &other),
            }
        }
        survives(&text);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn what_people_have_written_is_made_by_the_grammar() {
    let grammar = grammar();
    let mut texts = examples();
    texts.push(("everything".to_owned(), EVERYTHING.to_owned()));
    for name in ["pact.md", "guide.md"] {
        let page = std::fs::read_to_string(docs().join(name)).expect("a page");
        let blocks = page.split("```pact\n").skip(1).filter_map(|rest| rest.split("```").next());
        texts.extend(blocks.enumerate().map(|(number, text)| (format!("{name} {number}"), text.to_owned())));
    }
    for (name, text) in texts {
        if let Err(rest) = reader::read(&grammar, &text) {
            panic!("{name}: the grammar ends before\n{rest}");
        }
    }
    let wrong = reader::read(&grammar, "roles A\nstart s\ns -- A: go --> --> t\n");
    assert!(wrong.is_err_and(|rest| rest.starts_with("--> t")));
}
