//! `servanda convert`

use crate::program::{ODD_ISPL, run, run_on_ispl};

#[test]
fn a_converted_model_has_the_same_verdicts() {
    for name in ["dining3", "trains3", "transmission1-2005", "transmission2-2005", "faulty3"] {
        let file = format!("examples/{name}.ispl");
        let converted = run(&["convert", &file, "--to", "ispl"]);
        assert_eq!((converted.status, converted.stderr.as_str()), (0, ""), "{name}");
        let (before, after) = (
            run(&["check", &file, "--format", "json"]).json(),
            run_on_ispl(&converted.stdout, &["check", "--format", "json"]).json(),
        );
        assert_eq!(before["model"]["states"], after["model"]["states"], "{name}");
        let verdicts = |object: &serde_json::Value| -> Vec<String> {
            let properties = object["properties"].as_array().unwrap();
            properties.iter().map(|property| property["verdict"].to_string()).collect()
        };
        assert_eq!(verdicts(&before), verdicts(&after), "{name}");
    }
}

/// What the dialect of 2005 means by its formulas is written out, for the other one reads them differently.
#[test]
fn formulas_of_2005_hold_everywhere() {
    let path = format!("{}/../../examples/transmission1-2005.ispl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap().replace("Formulae", "FORMULAE");
    let start = text.find("FORMULAE").unwrap();
    let text = format!("{}Formulae\n  !recack;\nend Formulae\n", &text[..start]);
    assert_eq!(run_on_ispl(&text, &["check"]).status, 1);
    let converted = run_on_ispl(&text, &["convert", "--to", "ispl"]).stdout;
    assert!(converted.contains("AG"), "{converted}");
    assert_eq!(run_on_ispl(&converted, &["check"]).status, 1);
}

#[test]
fn prints_ispl() {
    insta::assert_snapshot!(run_on_ispl(ODD_ISPL, &["convert", "--to", "ispl"]).transcript());
}

#[test]
fn a_protocol_needs_a_file_for_its_acts() {
    insta::assert_snapshot!(run(&["convert", "examples/netbill.pact", "--to", "ispl"]).transcript());
}

#[test]
fn a_protocol_becomes_a_model_with_acts() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).display().to_string();
    let acts = path("netbill.acts");
    for target in ["ispl", "ccs"] {
        let written = run(&["convert", "examples/netbill.pact", "--to", target, "--write-acts", &acts]);
        assert_eq!((written.status, written.stderr.as_str()), (0, ""), "{target}");
        let file = path(&format!("netbill.{target}"));
        std::fs::write(&file, &written.stdout).expect("a file");
        // Where a deal can begin again every process is used by another one.
        let file = if target == "ccs" { format!("{file}:Protocol") } else { file };
        for engine in ["enumerate", "tableau", "bdd", "sat"] {
            let ran = run(&["check", &file, "--engine", engine, "--quiet"]);
            assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{target} by {engine}: {}", ran.stdout);
        }
        let formula = "AG (Cr(Cus, SC(Cus, Mer, F paid)) -> X SC(Cus, Mer, F paid))";
        let ran = run(&["check", &file, "--formula", formula, "--trace", "--format", "json"]);
        assert_eq!(ran.json()["properties"][0]["verdict"], "true", "{target}");
        assert_eq!(
            run(&["conform", &file]).status,
            run(&["conform", "examples/netbill.pact"]).status,
            "{target}"
        );
    }
}

#[test]
fn acts_are_shown() {
    let formula = "!EF Ref(Slave, claim)";
    let ran = run(&["check", "examples/pnaws.ccs:Spec", "--formula", formula, "--trace", "--quiet"]);
    insta::assert_snapshot!("acts_in_a_trace", ran.transcript());
    let ran = run(&["explain", "examples/pnaws.ccs:Spec", "--formula", formula]);
    insta::assert_snapshot!("acts_in_a_chart", ran.transcript());
    let ran = run(&["check", "examples/pnaws.ccs:Spec", "--formula", formula, "--trace", "--format", "json"]);
    let events = &ran.json()["properties"][0]["trace"]["events"];
    assert_eq!(events[0]["acts"][0]["act"], "Cr", "{events}");
}
