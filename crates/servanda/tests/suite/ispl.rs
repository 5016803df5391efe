//! ISPL files: verdicts, warnings, mistakes.

use crate::program::{ODD_ISPL, run, run_on_ispl};

/// Examples with the verdicts that stand beside their formulas.
const EXAMPLES: [(&str, &[bool]); 7] = [
    ("dining3", &[true, true, true, false]),
    ("trains3", &[true, true, true, true, false, false]),
    ("transmission1-2005", &[true, true]),
    ("transmission2-2005", &[false, true]),
    ("faulty3", &[false, true, false, true]),
    ("pnaws", &[true, false, true, true, true, false, true]),
    ("netbill", &[false, false, true, true, true, true, false]),
];

#[test]
fn examples_in_text() {
    for (name, _) in EXAMPLES {
        for engine in ["auto", "bdd", "enumerate"] {
            let ran = run(&["check", &format!("examples/{name}.ispl"), "--engine", engine]);
            insta::assert_snapshot!(format!("check_{name}_{engine}"), ran.transcript());
        }
    }
}

#[test]
fn examples_in_json() {
    for (name, verdicts) in EXAMPLES {
        for engine in ["auto", "bdd", "enumerate"] {
            let ran =
                run(&["check", &format!("examples/{name}.ispl"), "--engine", engine, "--format", "json"]);
            let object = ran.json();
            let found: Vec<bool> = object["properties"]
                .as_array()
                .unwrap()
                .iter()
                .map(|property| property["verdict"] == "true")
                .collect();
            assert_eq!(found, verdicts, "{name} {engine}");
            // These models have few states, and `auto` goes on with those that it has looked at.
            assert_eq!(object["engine"], if engine == "auto" { "tableau" } else { engine });
            assert_eq!(object["model"]["transitions"].is_null(), engine == "bdd", "{name} {engine}");
            if name == "dining3" || name == "transmission2-2005" {
                insta::assert_snapshot!(format!("json_{name}_{engine}"), ran.transcript());
            }
        }
    }
}

/// The comments beside the formulas are what the table above says.
#[test]
fn the_examples_say_what_is_expected() {
    for (name, verdicts) in EXAMPLES {
        let path = format!("{}/../../examples/{name}.ispl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let written = servanda_ispl::verdicts_in_comments(&text);
        assert_eq!(written, verdicts.iter().copied().map(Some).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn warnings() {
    for engine in ["bdd", "enumerate"] {
        let ran = run_on_ispl(ODD_ISPL, &["check", "--engine", engine]);
        insta::assert_snapshot!(format!("warnings_{engine}"), ran.transcript());
    }
}

#[test]
fn no_initial_state() {
    let text = ODD_ISPL.replace("Counter.x = 0 and", "Counter.x = 1 and Counter.x = 2 and");
    for engine in ["bdd", "enumerate"] {
        let ran = run_on_ispl(&text, &["check", "--engine", engine, "--format", "json"]);
        let codes: Vec<String> = ran.json()["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| found["code"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(codes, ["no-initial-state"], "{engine}");
        assert_eq!(ran.status, 0);
    }
}

#[test]
fn no_fair_run() {
    let text = ODD_ISPL.replace("\nFormulae", "\nFairness\n  far;\nend Fairness\nFormulae");
    for engine in ["bdd", "enumerate"] {
        let ran = run_on_ispl(&text, &["check", "--engine", engine]);
        assert!(
            ran.stdout.contains("no run satisfies the fairness constraints"),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
}

#[test]
fn mistakes_of_every_section_at_once() {
    let text = "\
Agent A
  Vars:
    x : 0..3;
    y : colour;
  end Vars
  Actions = {up, stay};
  Protocol:
    x = 0 : {fly};
    Other : {up, stay};
  end Protocol
  Evolution:
    x = z + 1 if Action = up;
  end Evolution
end Agent
Evaluation
  low if B.x < 2;
end Evaluation
InitStates
  A.x = 0 and;
end InitStates
Formulae
  AG lwo;
end Formulae
";
    let ran = run_on_ispl(text, &["check"]);
    for place in ["4:9", "8:14", "12:9", "16:10", "19:14", "22:6"] {
        assert!(ran.stderr.contains(&format!("<stdin>:{place} ]")), "{place}: {}", ran.stderr);
    }
    insta::assert_snapshot!(ran.transcript());
}

/// The dialect of 2005 decides its formulas in every reachable state, unless the user says otherwise.
#[test]
fn validity_follows_the_dialect() {
    let verdict = |file: &str, arguments: &[&str]| {
        let asked = ["check", file, "--format", "json", "--formula"];
        run(&[&asked[..], arguments].concat()).json()["properties"][0]["verdict"].as_str().unwrap().to_owned()
    };
    let old = "examples/transmission1-2005.ispl";
    assert_eq!(verdict(old, &["!recack"]), "false");
    assert_eq!(verdict(old, &["!recack", "--validity", "initial"]), "true");
    assert_eq!(verdict("examples/dining3.ispl", &["!done"]), "true");
    assert_eq!(verdict("examples/dining3.ispl", &["!done", "--validity", "reachable"]), "false");
}
