//! `servanda sim`: scripted sessions.

use std::fs;

use crate::program::{Ran, command, run, run_with_input};

fn session(arguments: &[&str], commands: &str) -> Ran {
    run_with_input(command(&[&["sim"], arguments].concat()), commands)
}

#[test]
fn a_protocol() {
    let ran = session(
        &["examples/netbill.pact"],
        "1\n2\nw paid & !delivered\nw AG (paid -> F delivered)\n1\np\nt\nu 2\nx 2\ns\nr\nq\n1\n",
    );
    insta::assert_snapshot!(ran.transcript());
    assert_eq!(ran.status, 0);
}

#[test]
fn commands_are_short_or_long_and_take_what_they_need() {
    let shown = |commands: &str| session(&["examples/netbill.pact"], commands).transcript();
    let short = "  1 \nu\n1\n1\nu 2\nw paid = paid\nw\n\nx 1\na\nr\ns\nt\np\nh\nq\n1\n";
    let long = "1\nundo\n1\n1\nundo 2\nwatch paid = paid\nwatch\n\nunwatch 1\nany\nrestart\nstate\ntrail\n\
        properties\nhelp\nquit\n1\n";
    assert_eq!(shown(short), shown(long));
    for bad in ["z", "u two", "q now", "x", "1 2", "-1"] {
        assert_eq!(session(&["examples/netbill.pact"], &format!("{bad}\n")).status, 2, "{bad}");
    }
}

/// Numbers and values of enumerations can be watched as well as conditions.
#[test]
fn expressions() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("light.pact");
    let text = "protocol Light\nroles Ann\nvar x : 0..3 = 0\nvar colour : {green, red} = green\nstart s\n\
        s -- Ann: step set x = x + 1, colour = red --> s\n";
    fs::write(&path, text).unwrap();
    let ran =
        session(&[path.to_str().unwrap(), "--watch", "2 * x", "--watch", "colour"], "1\n1\n1\nw nothing\n");
    let shown = ran.transcript().replace(path.to_str().unwrap(), "light.pact");
    insta::assert_snapshot!(shown);
    assert_eq!(ran.status, 2, "one command made no sense");
}

#[test]
fn rounds_with_several_initial_states() {
    let ran = session(&["examples/dining3.ispl", "--watch", "Environment.said1"], "0\n99\n1\n1\nu 2\n2\n");
    insta::assert_snapshot!(ran.transcript());
    assert_eq!(ran.status, 2);
}

#[test]
fn processes() {
    let ran = session(&["examples/pnaws.ccs", "--process", "Closed"], "1\n3\nw Spec in S1\nq\n");
    insta::assert_snapshot!(ran.transcript());
}

/// A transition system: two transitions with one label, a hidden one, a label with a comma, a state without successor.
#[test]
fn a_transition_system() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.aut");
    let text = "des (0, 5, 4)\n(0, \"a\", 1)\n(0, \"a\", 2)\n(1, i, 0)\n(2, \"b,c\", 2)\n(2, \"d\", 3)\n";
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let shown = |ran: &Ran| ran.transcript().replace(path, "a.aut");

    let ran = session(&[path, "--watch", "in s0"], "1\n1\n2\n1\ns\nt\np\n2\nu 3\nw E does(\"b,c\")\nq\n");
    insta::assert_snapshot!(shown(&ran));
    assert_eq!(ran.status, 0);
    assert_eq!(run(&["sim", path, "--random", "9", "--seed", "4"]).status, 0);
    let trace = directory.path().join("out.json");
    let check = ["check", path, "--formula", "AG !in s3", "--trace", "--format", "json"];
    fs::write(&trace, run(&check).stdout).unwrap();
    let ran = session(&[path, "--trace", trace.to_str().unwrap()], "n 2\nn\n");
    insta::assert_snapshot!("a_transition_system_along_a_trace", shown(&ran));
}

#[test]
fn help_and_nonsense() {
    let ran = session(&["examples/tunnel.pact"], "h\n\nzz\n77\nu\nn\nx 4\nr r\n");
    insta::assert_snapshot!(ran.transcript());
    assert_eq!(ran.status, 2);
}

#[test]
fn chance_can_be_repeated() {
    for file in ["examples/netbill.pact", "examples/dining3.ispl", "examples/scheduler.ccs"] {
        let walk = |seed: &str| run(&["sim", file, "--random", "12", "--seed", seed]).stdout;
        assert_eq!(walk("1"), walk("1"), "{file}");
        assert!((2..9).any(|seed| walk(&seed.to_string()) != walk("1")), "{file}");
    }
    insta::assert_snapshot!(
        run(&["sim", "examples/tunnel.pact", "--random", "3", "--seed", "7"]).transcript()
    );
}

/// A trace as `check` writes it.
const TRACE: &str = r#"{"properties": [{"name": "other"}, {"name": "p", "trace": {"kind": "counterexample", "loop": 1,
    "labels": ["Cr(Ann, SC(Ann, Bob, F paid))", "Ann: pay", "Bob: rest"],
    "states": [{"paid": false, "n": 0, "in": "s", "in_force": []},
               {"paid": false, "n": 1, "in": "t", "in_force": ["SC(Ann, Bob, F paid)"]},
               {"paid": true, "n": 1, "in": "t", "in_force": ["SC(Ann, Bob, F paid)"]}]}}]}"#;

const TRACED: &str = "\
protocol Traced
roles Ann, Bob
var paid : bool = false
var n : 0..1 = {0, 1}
start s
s -- Cr(Ann, SC(Ann, Bob, F paid)) set n = 1 --> t
t -- Ann: pay when !paid set paid = true --> t
t -- Bob: rest when paid set paid = false --> t
";

#[test]
fn along_a_trace() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("traced.pact"), TRACED).unwrap();
    fs::write(path("out.json"), TRACE).unwrap();
    let (model, trace) = (path("traced.pact"), path("out.json"));
    let ran = session(&[&model, "--trace", &trace], "n\nn 2\nn 3\nu\nn\nr\n2\nn\nq\n");
    insta::assert_snapshot!(ran.transcript().replace(&model, "traced.pact"));

    assert_eq!(session(&[&model, "--trace", &trace, "--property", "p"], "n\n").status, 0);
    let missing = session(&[&model, "--trace", &trace, "--property", "other"], "");
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("has no trace of a property `other`"), "{}", missing.stderr);
    assert_eq!(session(&["examples/netbill.pact", "--trace", &trace], "n\n").status, 2);
}

#[test]
fn bad_input() {
    assert_eq!(run(&["sim", "examples/missing.pact"]).status, 2);
    assert_eq!(run(&["sim", "-", "--input", "pact"]).status, 2);
    assert_eq!(run(&["sim", "examples/netbill.pact", "--watch", "piad"]).status, 2);
    assert_eq!(run(&["sim", "examples/netbill.pact", "--trace", "nowhere.json"]).status, 2);
}

/// Whatever a formula is about, it has a value in the state shown; what it remembers is the walk so far.
#[test]
fn any_formula() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("ask.pact");
    let text = "protocol Ask\nroles Ann, Bob\nprivate var secret of Ann : bool = {false, true}\nvar told : bool = false\n\
        start s\ns -- Ann: tell when secret set told = true --> t\ns -- Ann: wait --> s\nt -- Bob: back --> s\n\
        property knows = AG (told -> K(Bob, secret))\nscenario quick { tell; back }\n";
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let commands = "2\ne K(Bob, secret)\ne EF told\ne AF told\ne <Ann> X told\nw A P told\n1\ne K(Bob, secret)\n1\np\nq\n";
    let ran = session(&[path], commands);
    let shown = ran.transcript().replace(path, "ask.pact");
    insta::assert_snapshot!(shown);
    for line in ["K(Bob, secret) = false", "EF told = true", "AF told = false", "<Ann> X told = true"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(shown.contains("watch 1: A P told = true") && shown.contains("K(Bob, secret) = true"), "{shown}");
    assert!(shown.contains("knows = true: ") && shown.contains("quick = possible from here"), "{shown}");
}

/// What is too large for the reference engine is asked of the others: there the value is the same however one came here.
#[test]
fn formulas_in_large_models() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("large.pact");
    let text = crate::program::LARGE.replace("start s", "commitment up = SC(Ann, Bob, F x[1] = 9)\nstart s");
    let text = text.replace("roles Ann", "roles Ann, Bob") + "s -- Cr(Ann, up) --> s\n";
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let ran = session(&[path], "e EF x[1] = 9\ne AG x[1] < 9\n1\ne EF x[1] = 0\nq\n");
    for line in ["EF x[1] = 9 = true", "AG x[1] < 9 = false", "EF x[1] = 0 = false"] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
}

#[test]
fn how_often_what_happened() {
    let ran = run(&["sim", "examples/netbill.pact", "--random", "30", "--walks", "20", "--seed", "5"]);
    insta::assert_snapshot!(ran.transcript());
    let json = run(&[
        "sim",
        "examples/netbill.pact",
        "--random",
        "30",
        "--walks",
        "20",
        "--seed",
        "5",
        "--format",
        "json",
    ]);
    let report = json.json();
    let count = |list: &str, field: &str| -> u64 {
        report[list].as_array().unwrap().iter().map(|it| it[field].as_u64().unwrap()).sum()
    };
    assert_eq!(report["steps_taken"], count("steps", "count"));
    assert_eq!(count("control_states", "visits"), count("steps", "count") + 20);
    assert_eq!(run(&["sim", "examples/netbill.pact", "--walks", "2"]).status, 2);
}
