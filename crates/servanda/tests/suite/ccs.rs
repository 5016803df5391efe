//! CCS files: which process is meant, verdicts, sizes, mistakes.

use std::fs;

use crate::program::{run, run_on, run_on_ccs};

const FORMULAS: [&str; 8] = [
    "--formula",
    "AG EF E does(create(phi))",
    "--formula",
    "E does('create)",
    "--formula",
    "AG (Spec in S1 -> A does(tau))",
    "--formula",
    "EF K(Ag, Spec in S4)",
];

#[test]
fn examples_in_text_and_json() {
    for engine in ["auto", "tableau", "bdd", "enumerate"] {
        let arguments = ["check", "examples/pnaws.ccs:Closed", "--engine", engine];
        let ran = run(&[&arguments[..], &FORMULAS[..]].concat());
        insta::assert_snapshot!(format!("ccs_pnaws_{engine}"), ran.transcript());
        let ran = run(&["size", "examples/scheduler.ccs", "--engine", engine, "--stats", "--format", "json"]);
        let model = &ran.json()["model"];
        assert_eq!((&model["states"], &model["transitions"]), (&"96".into(), &"240".into()), "{engine}");
    }
    let ran = run(&["size", "examples/pnaws.ccs", "--process", "Closed"]);
    insta::assert_snapshot!("ccs_size", ran.transcript());
    let ran = run(&["check", "examples/scheduler.ccs", "--formula", "AG E does('a0)", "--format", "json"]);
    insta::assert_snapshot!("ccs_json", ran.transcript());
}

#[test]
fn the_process_is_named_in_either_way() {
    let states = |arguments: &[&str]| {
        run(&[arguments, &["--format", "json"]].concat()).json()["model"]["states"].clone()
    };
    assert_eq!(states(&["size", "examples/pnaws.ccs:Closed"]), "148");
    assert_eq!(states(&["size", "examples/pnaws.ccs", "--process", "Closed"]), "148");
    assert_eq!(states(&["size", "examples/pnaws.ccs:Closed", "--process", "Closed"]), "148");
    assert_eq!(states(&["size", "examples/pnaws.ccs:Open"]), "392");
    assert_eq!(states(&["size", "examples/scheduler.ccs"]), "96");
    let text =
        fs::read_to_string(format!("{}/../../examples/pnaws.ccs", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let ran = run_on_ccs(&text, &["size", "--process", "Closed", "--format", "json"]);
    assert_eq!(ran.json()["model"]["states"], "148");
}

#[test]
fn files_may_have_colons_in_their_names() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let text = "proc A = a.A\nproc B = b.b.B\n";
    fs::write(path("two.ccs"), text).unwrap();
    fs::write(path("two.ccs:B"), "proc Only = a.a.a.Only\n").unwrap();
    fs::write(path("no ending"), text).unwrap();
    let states = |named: &str| {
        let ran = run(&["size", &path(named), "--input", "ccs", "--format", "json"]);
        ran.json()["model"]["states"].as_str().map(str::to_owned)
    };
    assert_eq!(states("two.ccs:A").as_deref(), Some("1"));
    assert_eq!(states("two.ccs:B").as_deref(), Some("3"), "the file of that very name");
    assert_eq!(states("no ending:B").as_deref(), Some("2"));
    assert_eq!(run(&["size", &path("absent.ccs:B")]).status, 2);
}

#[test]
fn which_process() {
    let ran = run(&["check", "examples/pnaws.ccs"]);
    insta::assert_snapshot!("ccs_which_process", ran.transcript());
    let ran = run(&["size", "examples/pnaws.ccs:Closd"]);
    insta::assert_snapshot!("ccs_unknown_process", ran.transcript());
    let ran = run(&["size", "examples/pnaws.ccs:Closed", "--process", "Open"]);
    insta::assert_snapshot!("ccs_two_processes", ran.transcript());
}

#[test]
fn all_mistakes_at_once() {
    let text = "\
proc Main = (Left | Rihgt) \\ Internls
proc Left = a.Left + Left
proc Right = 'a(x.Right
set Internals = {a, b}
proc Grow = a.nil)
proc Left = (a.nil)[tau/a, b/c, d/c]
";
    insta::assert_snapshot!("ccs_mistakes", run_on_ccs(text, &["check"]).transcript());
    let text = "proc Main = go.(Main | Main)\n";
    insta::assert_snapshot!("ccs_growth", run_on_ccs(text, &["check"]).transcript());
    let text = "proc Main = (a.nil | 'b.nil) \\ {a, bb}\n";
    insta::assert_snapshot!("ccs_warning", run_on_ccs(text, &["check", "--formula", "true"]).transcript());
}

#[test]
fn mistakes_in_formulas() {
    let arguments = [
        "check",
        "examples/pnaws.ccs:Closed",
        "--formula",
        "E does(crate)",
        "--formula",
        "Spec in S9 & Spc in S1",
    ];
    insta::assert_snapshot!("ccs_formula_mistakes", run(&arguments).transcript());
}

#[test]
fn what_there_is_not_for_ccs() {
    for arguments in [
        &["fmt", "examples/scheduler.ccs"][..],
        &["conform", "examples/scheduler.ccs"],
        &["convert", "examples/scheduler.ccs", "--to", "ispl"],
        &["check", "examples/scheduler.ccs", "--param", "N=3"],
        &["size", "examples/netbill.pact:Main"],
        &["size", "examples/dining3.ispl", "--process", "Main"],
    ] {
        let ran = run(arguments);
        insta::assert_snapshot!(format!("ccs_not_{}_{}", arguments[0], arguments.len()), ran.transcript());
    }
    assert_eq!(run_on("protocol P\nroles A\nstart s\n", &["size", "--process", "P"]).status, 2);
}
