//! `servanda size`

use crate::program::run;

#[test]
fn text() {
    insta::assert_snapshot!(run(&["size", "examples/auction2.pact"]).transcript());
}

#[test]
fn text_verbose() {
    insta::assert_snapshot!(run(&["size", "examples/auction2.pact", "-v"]).transcript());
}

#[test]
fn json() {
    insta::assert_snapshot!(run(&["size", "examples/auction2.pact", "--format", "json"]).transcript());
}

#[test]
fn parameters() {
    let states = |value: &str| {
        let ran = run(&["size", "examples/auction2.pact", "--param", value, "--format", "json"]);
        ran.json()["model"]["states"].as_str().unwrap().parse::<u64>().unwrap()
    };
    assert!(states("N=3") > states("N=2"));
}
