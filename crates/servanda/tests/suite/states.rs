//! `servanda states`

use crate::program::run;

#[test]
fn text() {
    let ran = |more: &[&str]| run(&[&["states", "examples/netbill.pact"], more].concat()).transcript();
    insta::assert_snapshot!("some", ran(&["--formula", "EF delivered", "--limit", "3"]));
    insta::assert_snapshot!("by_property", ran(&["--property", "paid_before_delivered", "--limit", "1"]));
    insta::assert_snapshot!("history", ran(&["--formula", "E (P Cr(Mer, offer))", "--limit", "1"]));
    insta::assert_snapshot!(
        "cubes",
        run(&["states", "examples/trains3.ispl", "--formula", "K(Train1, !in2)", "--cubes"]).transcript()
    );
}

#[test]
fn the_engines_show_the_same() {
    let arguments =
        ["states", "examples/dining3.ispl", "--formula", "K(C1, paid1)", "--format", "json", "--engine"];
    let shown = |engine: &str| {
        let mut json = run(&[&arguments[..], &[engine]].concat()).json();
        let fields = json.as_object_mut().unwrap();
        fields.retain(|field, _| !["engine", "seconds", "peak_memory_bytes"].contains(&field.as_str()));
        json
    };
    assert_eq!(shown("bdd"), shown("enumerate"));
    assert_eq!(shown("bdd")["satisfying"], "16");
}

#[test]
fn sets() {
    let set = |engine: &str| {
        let formula = ["--formula", "EF in1", "--format", "set", "--engine", engine];
        run(&[&["states", "examples/trains3.ispl"], &formula[..]].concat()).transcript()
    };
    insta::assert_snapshot!("dot", set("bdd"));
    assert!(set("sat").contains("p cnf"));
}

#[test]
fn mistakes() {
    let ran = |more: &[&str]| run(&[&["states", "examples/netbill.pact"], more].concat()).transcript();
    insta::assert_snapshot!("nothing_asked", ran(&[]));
    insta::assert_snapshot!("path_formula", ran(&["--formula", "F delivered"]));
    insta::assert_snapshot!("unknown_name", ran(&["--formula", "EF deliver", "--order", "payed"]));
    insta::assert_snapshot!(
        "unknown_order",
        ran(&["--formula", "EF delivered", "--order", "payd,delivered"])
    );
    insta::assert_snapshot!("engine", ran(&["--formula", "EF delivered", "--engine", "tableau"]));
    insta::assert_snapshot!(
        "no_cubes",
        ran(&["--formula", "EF delivered", "--engine", "enumerate", "--cubes"])
    );
    insta::assert_snapshot!("time", ran(&["--formula", "EF delivered", "--timeout", "0"]));
}
