//! The models users meet first: what they are said to satisfy, and how large they are.

use std::path::{Path, PathBuf};

use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_testkit::{assert_expectations, load};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).expect("the example can be read")
}

/// States, transitions and deadlocks.
fn size(name: &str) -> (u64, u64, u64) {
    let protocol = load(&read(name));
    let explored = Explored::new(&protocol.model, Options::default(), &NoLimits).expect("it can be explored");
    let counts = explored.counts();
    (counts.states, counts.transitions, counts.deadlocks)
}

#[test]
fn every_expectation_of_every_example_is_met() {
    let entries = std::fs::read_dir(folder()).expect("there are examples");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pact"));
    assert!(!files.is_empty(), "there are no examples");
    for path in files {
        println!("{}", path.display());
        assert_expectations(&std::fs::read_to_string(path).expect("the example can be read"));
    }
}

#[test]
fn examples_are_in_standard_form_or_become_so_without_changing() {
    for name in ["auction2.pact", "handshake.pact", "netbill.pact", "pnaws.pact", "tunnel.pact"] {
        let standard = servanda_pact::format(&read(name)).expect("no mistakes");
        assert_expectations(&standard);
        assert_eq!(servanda_pact::format(&standard).as_ref(), Ok(&standard), "{name}");
    }
}

#[test]
fn netbill() {
    assert_eq!(size("netbill.pact"), (14, 13, 7));
}

#[test]
fn pnaws() {
    assert_eq!(size("pnaws.pact"), (576, 1016, 0));
}

#[test]
fn handshake() {
    // Without the wish nothing ever happens; with it three steps for each of two sales, and then no goods are left.
    assert_eq!(size("handshake.pact"), (1 + 7, 6, 2));
}

#[test]
fn auction() {
    // Until the sale each side is silent or has offered; then the winner goes on alone, whatever the other has said.
    assert_eq!(size("auction2.pact"), (4 + 2 * 2 * 4, 8 + 4 + 2 * 2 * 3, 2 * 2));
}

#[test]
fn tunnel() {
    // The light is red exactly while a train is in the tunnel, and then it is alone there.
    assert_eq!(size("tunnel.pact"), (4 + 2 + 2, 4 * 2 + 3 + 3, 0));
}
