//! `servanda abta`

use crate::program::run;

const FORMULA_1: &str = "AG (Ch(Ag2, SC(Ag1, Ag2, phi1)) -> F Jus(Ag1, SC(Ag1, Ag2, phi1), phi2))";

#[test]
fn sound_text() {
    insta::assert_snapshot!(run(&["abta", "AG EF p"]).transcript());
}

#[test]
fn the_rules_of_the_papers() {
    let states = |arguments: &[&str]| {
        let ran = run(&[&["abta", "--rules", "paper", "--format", "json"], arguments].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.json()["automaton"]["states"].as_array().unwrap().len()
    };
    assert_eq!(states(&[FORMULA_1]), 17);
    assert_eq!(states(&["E (G F p)"]), 7);
    assert_eq!(states(&["A (F G Ac(Ag2, PC(Ag1, Ag2, t, phi)))"]), 11);
    assert_eq!(states(&[FORMULA_1, "--logic", "ctlca"]), 18);
}

#[test]
fn formats() {
    insta::assert_snapshot!("dot", run(&["abta", "E G F p", "--format", "dot"]).transcript());
    insta::assert_snapshot!("hoa", run(&["abta", "A G (p -> F does(a))", "--format", "hoa"]).transcript());
    insta::assert_snapshot!("json", run(&["abta", "EX p", "--format", "json"]).transcript());
    insta::assert_snapshot!("no_simplify", run(&["abta", "EX p", "--no-simplify"]).transcript());
}

#[test]
fn acts_are_read_as_wished() {
    let rows = |acts: &str| {
        let ran = run(&["abta", "E Ac(j, SC(i, j, p))", "--acts", acts, "--format", "json"]);
        ran.json()["tableau"]["states"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(rows("actl"), "E(does(Ac(j, SC(i, j, p))) & X SC(j, i, p))");
    assert!(rows("scctl").contains("Y P does(Cr(i, SC(i, j, p)))"), "{}", rows("scctl"));
    assert!(rows("ctlca").contains("X SC(i, j, p)"), "{}", rows("ctlca"));
}

#[test]
fn options_that_would_change_nothing_are_refused() {
    for arguments in [
        &["--logic", "actl"][..],
        &["--rules", "paper", "--acts", "actl"],
        &["--rules", "paper", "--no-simplify"],
    ] {
        let ran = run(&[&["abta", "p"], arguments].concat());
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert!(ran.stderr.contains("only with --rules"), "{}", ran.stderr);
    }
}

#[test]
fn mistakes() {
    let ran = |formula: &str| run(&["abta", formula]).transcript();
    insta::assert_snapshot!("path_formula", ran("p U q"));
    insta::assert_snapshot!("not_a_formula", ran("AG (p implies q)"));
    insta::assert_snapshot!("wrong_party", ran("E Ch(Ag1, SC(Ag1, Ag2, p))"));
    insta::assert_snapshot!("no_hoa", run(&["abta", "AG EF p", "--format", "hoa"]).transcript());
    insta::assert_snapshot!("too_large", run(&["abta", "E (G F p & G F q)", "--states", "10"]).transcript());
}
