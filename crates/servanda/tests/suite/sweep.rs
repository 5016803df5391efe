//! Several values of a parameter in one run.

use std::fs;

use crate::program::{run, run_in, run_on};

/// Its states are the powers of two; two things are not as its author thinks, one of them from 3 on.
const BITS: &str = "\
protocol Bits
param N = 2
param M = 1
roles Ann
var x[1..N] : 0..M = 0
start s
for i in 1..N {
  s -- Ann: up[i] when x[i] < M set x[i] = x[i] + 1 --> s
}
property few = AG (x[1] = M -> M < 3)
property up expect true = EF x[N] = M
";

#[test]
fn one_row_for_each_value() {
    let ran = run_on(BITS, &["check", "--param", "M=1..4"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let cells: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(cells[1], ["M", "states", "transitions", "deadlocks", "time", "memory", "few", "up"]);
    let row = |number: usize| (cells[number][0], cells[number][1], cells[number][8..].join(" "));
    assert_eq!(row(2), ("1", "4", "✓ true ✓ true".to_owned()));
    assert_eq!(row(5), ("4", "25", "✗ false ✓ true".to_owned()));
    assert!(
        ran.stdout.contains("\n4 settings, 8 verdicts: 6 as wanted, 2 not as wanted\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn json_has_an_object_for_each_setting() {
    let ran = run_on(BITS, &["check", "--param", "N=2,4", "--param", "M=1..2", "--format", "json"]);
    assert_eq!(ran.status, 0);
    let files = ran.json()["files"].as_array().unwrap().clone();
    let numbers: Vec<(i64, i64, String)> = files
        .iter()
        .map(|file| {
            let set = |name: &str| file["params"][name].as_i64().unwrap();
            (set("N"), set("M"), file["model"]["states"].as_str().unwrap().to_owned())
        })
        .collect();
    let expected = [(2, 1, "4"), (2, 2, "9"), (4, 1, "16"), (4, 2, "81")];
    assert_eq!(numbers, expected.map(|(n, m, states)| (n, m, states.to_owned())));
    let size = run_on(BITS, &["size", "--param", "N=2..3", "--format", "json"]);
    assert_eq!(size.json()["files"][1]["model"]["states"], "8");
    assert_eq!(size.json()["files"][1]["params"]["N"], 3);
}

#[test]
fn csv() {
    let ran = run_on(BITS, &["check", "--param", "M=2..3", "--format", "csv"]);
    assert_eq!(ran.status, 1);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split(',').collect()).collect();
    let header = "file,M,outcome,states,transitions,deadlocks,seconds,peak_memory_bytes,few,up";
    assert_eq!(rows[0].join(","), header);
    assert_eq!(
        [&rows[1][..6], &rows[1][8..]].concat(),
        ["<stdin>", "2", "wanted", "9", "12", "1", "true", "true"]
    );
    assert_eq!(
        [&rows[2][..6], &rows[2][8..]].concat(),
        ["<stdin>", "3", "unwanted", "16", "24", "1", "false", "true"]
    );
    let size = run_on(BITS, &["size", "--param", "M=2..3", "--format", "csv"]);
    assert!(size.stdout.lines().nth(2).unwrap().starts_with("<stdin>,3,wanted,16,24,1,"), "{}", size.stdout);
}

#[test]
fn a_picture_of_growth() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bits.pact"), BITS).unwrap();
    let draw = |arguments: &[&str]| {
        run_in(directory.path(), &[arguments, &["bits.pact", "--plot", "g.svg"]].concat())
    };
    for command in ["check", "size"] {
        let ran = draw(&[command, "--param", "N=2..6", "--param", "M=1,2"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let text = fs::read_to_string(directory.path().join("g.svg")).unwrap();
        let svg = roxmltree::Document::parse(&text).unwrap();
        let titles =
            svg.descendants().filter(|node| node.has_tag_name("title")).filter_map(|node| node.text());
        let titles: Vec<&str> = titles.collect();
        for expected in ["bits.pact by N", "N = 2, M = 1: 4 states", "N = 6, M = 2: 729 states"] {
            assert!(titles.contains(&expected), "{expected}: {titles:?}");
        }
    }
    let one = draw(&["check", "--param", "N=2"]);
    assert_eq!(one.status, 2);
    assert!(one.stderr.contains("no parameter has several values"), "{}", one.stderr);
}

#[test]
fn an_unknown_parameter_is_a_mistake_of_the_command_line() {
    for param in ["Nn=3", "Nn=2..8"] {
        let ran = run_on(BITS, &["check", "--param", param, "--format", "json"]);
        assert_eq!(ran.status, 2);
        let report = ran.json();
        let report = report["files"].get(0).unwrap_or(&report);
        let found = &report["diagnostics"][0];
        assert_eq!((&found["code"], &found["file"]), (&"unknown-parameter".into(), &"--param".into()));
        assert_eq!(found["help"], "did you mean `N`?");
        let text = run_on(BITS, &["check", "--param", param]);
        assert_eq!(text.stderr.matches("error[").count(), 1, "{}", text.stderr);
        assert!(text.stderr.contains(param), "{}", text.stderr);
    }
}

#[test]
fn several_values_only_where_they_are_gone_through() {
    for command in ["conform", "convert --to aut", "states --formula true", "explain --property few"] {
        let arguments: Vec<&str> = command.split(' ').chain(["--param", "N=2..3"]).collect();
        let ran = run_on(BITS, &arguments);
        assert_eq!(ran.status, 2, "{command}");
        assert!(ran.stderr.contains("`N` has several values here"), "{command}: {}", ran.stderr);
    }
    for bad in ["N=3..2", "N=1..", "N=a..b", "N=1..100000"] {
        assert_eq!(run(&["check", "examples/auction2.pact", "--param", bad]).status, 2, "{bad}");
    }
}

#[test]
fn every_format_tells_settings_apart() {
    let formats = [
        ("text", "(M = 3): ✗ few"),
        ("junit", "name=\"&lt;stdin&gt; (M = 3)\""),
        ("sarif", "few (M = 3) is false"),
        ("github", "title=few (M = 3)"),
    ];
    for (format, expected) in formats {
        let quiet = if format == "text" { "--quiet" } else { "--verbose" };
        for param in ["M=3", "M=2..3"] {
            let ran = run_on(BITS, &["check", "--param", param, "--format", format, quiet]);
            assert!(ran.stdout.contains(expected), "{format}: {}", ran.stdout);
        }
    }
}

#[test]
fn ranges_and_lists_in_projects() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bits.pact"), BITS).unwrap();
    let check = |params: &str, format: &str| {
        let project =
            format!("[[model]]\nfile = \"bits.pact\"\nparams = {params}\n[[model]]\nfile = \"bits.pact\"\n");
        fs::write(directory.path().join("servanda.toml"), project).unwrap();
        run_in(directory.path(), &["check", "--format", format])
    };
    let states = |params: &str| -> Vec<String> {
        let ran = check(params, "json");
        let files = ran.json()["files"].as_array().unwrap().clone();
        files.iter().map(|file| file["model"]["states"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(states("{ N = [2, 4], M = 1 }"), ["4", "16", "4"]);
    assert_eq!(states("{ N = \"2..4\" }"), ["4", "8", "16", "4"]);
    assert_eq!(states("{ N = [1, \"3..4\", 3] }"), ["2", "8", "16", "4"]);
    let text = check("{ N = [2, 3] }", "text");
    assert!(text.stdout.contains("2 settings, 4 verdicts: all as wanted"), "{}", text.stdout);
    assert!(text.stdout.contains("\n\nbits.pact: Bits, 1 agent\n"), "{}", text.stdout);
    for (bad, words) in [
        ("{ N = [] }", "expected at least one value"),
        ("{ N = \"4..2\" }", "there is nothing from 4 to 2"),
        ("{ Nn = 3 }", "servanda.toml:3:12"),
        ("{ N = [2, true] }", "expected an integer, found a truth value"),
    ] {
        let ran = check(bad, "text");
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(words), "{bad}: {}", ran.stderr);
    }
}

#[test]
fn a_limit_leaves_the_rows_that_are_known() {
    let ran = run_on(BITS, &["check", "--param", "N=2..3", "--timeout", "0"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stdout.contains("unknown at N = 2, 3: the time limit was reached"), "{}", ran.stdout);
}
