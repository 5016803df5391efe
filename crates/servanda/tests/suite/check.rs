//! `servanda check`: verdicts, warnings, formats.

use crate::program::{ODD, run, run_on};

#[test]
fn examples_in_text() {
    for name in ["auction2", "handshake", "netbill", "pnaws", "tunnel"] {
        let ran = run(&["check", &format!("examples/{name}.pact")]);
        insta::assert_snapshot!(format!("check_{name}"), ran.transcript());
        assert_eq!(ran.status, 0, "{name}");
    }
}

#[test]
fn json() {
    let ran = run(&["check", "examples/netbill.pact", "--format", "json"]);
    insta::assert_snapshot!(ran.transcript());
    assert_eq!(ran.json()["properties"].as_array().unwrap().len(), 8);
}

#[test]
fn several_files() {
    let files = ["examples/tunnel.pact", "examples/handshake.pact"];
    insta::assert_snapshot!(run(&["check", files[0], files[1]]).transcript());

    let object = run(&["check", files[0], files[1], "--format", "json"]).json();
    assert_eq!(object["files"][0]["file"], files[0]);
    assert_eq!(object["files"][1]["model"]["states"], "8");
}

#[test]
fn a_bad_file_does_not_keep_the_others_from_being_checked() {
    let ran = run(&["check", "examples/no_such_file.pact", "examples/tunnel.pact"]);
    assert!(ran.stdout.contains("5 properties, all as wanted"), "{}", ran.stdout);
    assert!(ran.stderr.contains("no_such_file.pact cannot be read"), "{}", ran.stderr);
    assert_eq!(ran.status, 2);
}

#[test]
fn warnings() {
    insta::assert_snapshot!(run_on(ODD, &["check"]).transcript());
}

#[test]
fn warnings_in_json() {
    insta::assert_snapshot!(run_on(ODD, &["check", "--format", "json"]).transcript());
}

#[test]
fn verbose_with_statistics() {
    insta::assert_snapshot!(run(&["check", "examples/netbill.pact", "-v", "--stats"]).transcript());
}

#[test]
fn statistics_in_json() {
    let stats = &run(&["check", "examples/tunnel.pact", "--stats", "--format", "json"]).json()["stats"];
    assert_eq!(stats["diameter"], "3");
    assert_eq!(stats["initial"], "1");
    let phases: Vec<&str> =
        stats["phases"].as_array().unwrap().iter().map(|phase| phase["name"].as_str().unwrap()).collect();
    assert_eq!(phases, ["loading", "exploring", "deciding", "looking for warnings"]);
}

#[test]
fn quiet_says_only_what_is_not_as_wanted() {
    insta::assert_snapshot!(run_on(ODD, &["check", "--quiet"]).transcript());
    let ran = run(&["--quiet", "check", "examples/netbill.pact"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status), ("", "", 0));
}

#[test]
fn chosen_properties_and_formulas() {
    let file = "examples/netbill.pact";
    let names = |arguments: &[&str]| -> Vec<String> {
        let object = run(&[&["check", file, "--format", "json"], arguments].concat()).json();
        let properties = object["properties"].as_array().unwrap();
        properties.iter().map(|property| property["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["--property", "deadlock_free"]), ["deadlock_free"]);
    assert_eq!(names(&["--formula", "EF paid", "--formula", "!paid"]), ["formula_1", "formula_2"]);
    assert_eq!(
        names(&["--formula", "EF paid", "--property", "deadlock_free"]),
        ["deadlock_free", "formula_1"]
    );
}

#[test]
fn indexed_properties_can_be_chosen() {
    let ran = run(&["check", "examples/auction2.pact", "--param", "N=3", "--property", "may_win[3]"]);
    assert!(ran.stdout.contains("✓ may_win[3]  true, as expected"), "{}", ran.stdout);
}

#[test]
fn names_of_formulas_do_not_clash() {
    let text = "protocol P\nroles A\nvar x : bool\nstart s\ns -- A: go --> s\nproperty formula_1 = EF x\n";
    let ran = run_on(text, &["check", "--formula", "x | !x", "--property", "formula_1", "--format", "json"]);
    assert_eq!(ran.json()["properties"][1]["name"], "formula_2");
}

#[test]
fn an_unknown_property_is_answered_with_the_nearest() {
    insta::assert_snapshot!(
        run(&["check", "examples/netbill.pact", "--property", "deadlok_free"]).transcript()
    );
}

#[test]
fn an_unknown_property_in_json() {
    let ran = run(&["check", "examples/netbill.pact", "--property", "zebra", "--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (2, ""));
    assert_eq!(ran.json()["diagnostics"][0]["code"], "unknown-property");
}

#[test]
fn a_wrong_formula_is_shown_as_given() {
    insta::assert_snapshot!(
        run(&["check", "examples/netbill.pact", "--formula", "AG (piad -> F x)"]).transcript()
    );
}

#[test]
fn a_file_without_properties_is_no_failure() {
    let ran = run_on("protocol P\nroles A\nstart s\ns -- A: go --> s\n", &["check"]);
    assert!(
        ran.stdout.contains("note[no-property]: nothing was decided: <stdin> has no property"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.ends_with("\nnothing was decided\n"), "{}", ran.stdout);
    assert_eq!(ran.status, 0);
    let ran = run_on("protocol P\nroles A\nstart s\ns -- A: go --> s\n", &["check", "--deadlock", "error"]);
    assert!(ran.stdout.ends_with("\nno properties to check\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("no-property"), "deadlocks were asked about: {}", ran.stdout);
}

#[test]
fn a_file_without_properties_is_green_in_no_format() {
    let text = "protocol P\nroles A\nstart s\ns -- A: go --> s\n";
    let of = |format: &str| run_on(text, &["check", "--format", format]).stdout;
    assert!(
        of("junit").contains("<skipped message=\"nothing was decided\" type=\"no-property\">"),
        "{}",
        of("junit")
    );
    assert!(of("sarif").contains("\"ruleId\": \"no-property\""), "{}", of("sarif"));
    assert!(of("github").contains("::notice title=no-property::nothing was decided"), "{}", of("github"));
    assert!(of("json").contains("\"code\": \"no-property\""), "{}", of("json"));
}

#[test]
fn an_empty_model_is_no_pass() {
    for (text, arguments) in
        [("", &["check"][..]), ("// nothing\n", &["check"]), ("protocol P\n", &["conform"])]
    {
        let ran = run_on(text, arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{text:?}");
        assert!(ran.stderr.starts_with("error[empty-model]: <stdin> is empty"), "{}", ran.stderr);
    }
    let ran = run_on("", &["check", "--allow-empty"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("note[no-property]"), "{}", ran.stdout);
    let ran = run_on("", &["check", "--formula", "AG true"]);
    assert_eq!(ran.status, 2, "a true formula of nothing says nothing");
}

#[test]
fn readings_change_verdicts() {
    let text =
        "protocol P\nroles A\nvar x : bool = true\nstart s\ns -- A: go set x = false --> t\nproperty p = x\n";
    let verdict = |arguments: &[&str]| {
        let ran = run_on(text, &[&["check", "--format", "json"], arguments].concat());
        ran.json()["properties"][0]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict(&[]), "true");
    assert_eq!(verdict(&["--validity", "initial"]), "true");
    assert_eq!(verdict(&["--validity", "reachable"]), "false");
    assert_eq!(verdict(&["--formula", "EX EX !x"]), "true");
    assert_eq!(verdict(&["--formula", "EX EX !x", "--deadlock", "strict"]), "false");
    // Only an unreachable state comes before the end without having `x`.
    let odd_past = "EF (in t & EY (in s & !x))";
    assert_eq!(verdict(&["--formula", odd_past, "--past", "reachable"]), "false");
    assert_eq!(verdict(&["--formula", odd_past, "--past", "all"]), "true");
}

/// Whoever sees the coin can name it; whoever does not cannot.
#[test]
fn coalitions_know_the_state_unless_told_otherwise() {
    let text = "protocol Coin\nroles Guesser, Bank\nprivate var heads of Bank : bool = false\nstart toss\n\
                toss -- up set heads = true --> guess\ntoss -- down --> guess\n\
                guess -- Guesser: say_heads when heads --> won\nguess -- Guesser: say_heads when !heads --> lost\n\
                guess -- Guesser: say_tails when !heads --> won\nguess -- Guesser: say_tails when heads --> lost\n\
                property wins = <Guesser> F in won\n";
    assert_eq!(run_on(text, &["check"]).status, 0);
    assert_eq!(run_on(text, &["check", "--uniform"]).status, 1);
}

#[test]
fn acts_are_read_as_asked() {
    // A satisfied promise that was never made: an act in ACTL*, none in SCCTL* and CTL*CA.
    let text = "protocol P\nroles A, B\nvar x : bool = false\ncommitment c = SC(A, B, F x)\nstart s\n\
                s -- Sat(A, c) set x = true --> t\nt -- Cr(A, c) --> t\nproperty p = E Sat(A, c)\n";
    let status = |reading: &str| run_on(text, &["check", "--acts", reading]).status;
    assert_eq!(status("actl"), 0);
    assert_eq!(status("scctl"), 1);
    assert_eq!(status("ctlca"), 1);
}

#[test]
fn colours_when_asked_for() {
    let coloured = run(&["check", "examples/tunnel.pact", "--color", "always"]).stdout;
    assert!(coloured.contains("\u{1b}[32m✓\u{1b}[0m alpha0"), "{coloured:?}");
    let plain = run(&["check", "examples/tunnel.pact"]).stdout;
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
}
