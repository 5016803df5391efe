//! The models users meet first: what they are said to satisfy, and how large they are.

use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_testkit::corpus::{examples, files};
use servanda_testkit::{assert_expectations_of_file, load};

fn read(name: &str) -> String {
    std::fs::read_to_string(examples().join(name)).expect("the example can be read")
}

/// States, transitions and deadlocks.
fn size(name: &str) -> (u64, u64, u64) {
    let protocol = load(&read(name));
    let explored = Explored::new(&protocol.model, Options::default(), &NoLimits).expect("it can be explored");
    let space = &explored.space;
    (space.reachable_len() as u64, space.transitions(), space.deadlocks().count() as u64)
}

/// Those that users meet first, and those in the notation of the papers.
fn protocols() -> Vec<std::path::PathBuf> {
    [examples(), examples().join("papers")].iter().flat_map(|folder| files(folder, "pact")).collect()
}

#[test]
fn every_expectation_of_every_example_is_met() {
    for path in protocols() {
        assert_expectations_of_file(&path);
    }
}

#[test]
fn every_example_is_in_standard_form() {
    for path in protocols() {
        let text = std::fs::read_to_string(&path).expect("the example can be read");
        assert_eq!(servanda_pact::format(&text).as_ref(), Ok(&text), "{}", path.display());
    }
}

#[test]
fn netbill() {
    assert_eq!(size("netbill.pact"), (31, 44, 0));
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
