//! Results are kept as they come, and no file is ever half written: kills, full disks, links, names that are alike.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{command_in, run_in};

const GOOD: &str = "roles A\nstart s\ns -- A: go --> s\nproperty fine expect true = AG in s\n";

/// The same with something to annotate.
const NOT_SO_GOOD: &str =
    "roles A\nstart s\ns -- A: go --> s\nproperty fine level may expect false = AG in s\n";

/// Its second property is not decided soon.
const ENDLESS: &str = "roles A\nvar x : 0..1000000000 = 0\nstart s\ns -- A: add when x < 1000000000 set x = x + 1 --> s\n\
    property soon = EF x = 3\nproperty late = AG (x != 999999999)\n";

/// Runs until something is so, and then kills the program: no last words are possible.
fn kill_when(directory: &Path, arguments: &[&str], so: impl Fn() -> bool) {
    let mut child =
        command_in(directory, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{arguments:?}");
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself: {arguments:?}");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_kill_between_two_files_leaves_a_whole_document_that_is_not_green() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("good.pact"), GOOD).unwrap();
    fs::write(at("endless.pact"), ENDLESS).unwrap();
    for (format, is_known) in [
        ("json", "\"name\": \"fine\""),
        ("jsonl", "\"name\":\"fine\""),
        ("junit", "name=\"fine\""),
        ("sarif", "the run has not come so far"),
        ("csv", "good.pact,wanted"),
        ("text", "✓ fine  true"),
        ("github", "title=fine::"),
    ] {
        let output = format!("results.{format}");
        let read = || fs::read_to_string(at(&output)).unwrap_or_default();
        if format == "github" {
            fs::write(at("good.pact"), NOT_SO_GOOD).unwrap();
        }
        kill_when(
            directory.path(),
            &[
                "check",
                "good.pact",
                "endless.pact",
                "--engine",
                "enumerate",
                "--format",
                format,
                "--output",
                &output,
            ],
            || read().contains(is_known),
        );
        let kept = read();
        match format {
            "json" => {
                let document: serde_json::Value = serde_json::from_str(&kept).unwrap();
                assert_eq!(document["files"][0]["properties"][0]["verdict"], "true");
                // Whether the second file had been read by then is chance.
                assert!(document["files"][1].to_string().contains("the run has not come so far"), "{kept}");
            }
            "sarif" => drop(serde_json::from_str::<serde_json::Value>(&kept).unwrap()),
            "junit" => {
                let document = roxmltree::Document::parse(&kept).unwrap();
                assert_ne!(document.root_element().attribute("errors"), Some("0"), "{kept}");
            }
            "github" => {
                let is_open = |line: &str| {
                    line.ends_with("the run has not come so far") || line.contains("has not come so far%0A")
                };
                assert!(
                    kept.lines().any(|line| line.starts_with("::error file=endless") && is_open(line)),
                    "{kept}"
                );
            }
            "csv" => assert!(kept.contains("endless.pact,undecided"), "{kept}"),
            _ => {}
        }
    }
}

#[test]
fn a_text_in_a_file_is_what_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("good.pact"), GOOD).unwrap();
    fs::write(directory.path().join("fair.pact"), NOT_SO_GOOD).unwrap();
    let files = ["check", "good.pact", "fair.pact", "good.pact", "--trace"];
    let shown = run_in(directory.path(), &files);
    let both = [&files[..], &["--output", "results.txt"]].concat();
    let ran = run_in(directory.path(), &both);
    assert_eq!((shown.status, &ran.stdout), (ran.status, &shown.stdout));
    assert_eq!(fs::read_to_string(directory.path().join("results.txt")).unwrap(), shown.stdout);
}

#[test]
fn lines_have_each_verdict_when_it_is_known() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("endless.pact"), ENDLESS).unwrap();
    let read = || fs::read_to_string(directory.path().join("lines")).unwrap_or_default();
    let arguments =
        ["check", "endless.pact", "--engine", "tableau", "--format", "jsonl", "--output", "lines"];
    kill_when(directory.path(), &arguments, || read().contains("\"soon\""));
    assert!(!read().contains("\"late\""), "{}", read());
}

/// What the program has written to a pipe when something is in it, and it is killed then.
fn piped(directory: &Path, arguments: &[&str], until: &str) -> String {
    let mut child =
        command_in(directory, arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut pipe = child.stdout.take().unwrap();
    let (sender, said) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = pipe.read(&mut bytes) {
            let _ = sender.send(bytes[..count].to_vec());
        }
    });
    let mut text = Vec::new();
    while !String::from_utf8_lossy(&text).contains(until) {
        text.extend(said.recv_timeout(Duration::from_secs(60)).unwrap());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap();
    text.extend(said.iter().flatten());
    String::from_utf8(text).unwrap()
}

#[test]
fn text_has_each_verdict_when_it_is_known() {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in [("endless.pact", ENDLESS), ("good.pact", GOOD)] {
        fs::write(directory.path().join(name), text).unwrap();
    }
    let begun = "endless.pact: endless, 1 agent\n  ✓ soon  true\n";
    let alone = ["check", "endless.pact", "--engine", "tableau"];
    assert_eq!(piped(directory.path(), &alone, "soon"), begun);
    // Whatever others find out meanwhile comes later.
    let beside = [&alone[..], &["good.pact", "--jobs", "2"]].concat();
    assert_eq!(piped(directory.path(), &beside, "soon"), begun);
    let read = || fs::read_to_string(directory.path().join("kept.txt")).unwrap_or_default();
    let kept = [&alone[..], &["--output", "kept.txt"]].concat();
    kill_when(directory.path(), &kept, || read().contains("soon"));
    assert_eq!(read(), begun);
}

#[test]
fn a_document_has_each_verdict_when_it_is_known() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("endless.pact"), ENDLESS).unwrap();
    let read = || fs::read_to_string(directory.path().join("kept.json")).unwrap_or_default();
    let arguments =
        ["check", "endless.pact", "--engine", "tableau", "--format", "json", "--output", "kept.json"];
    kill_when(directory.path(), &arguments, || read().contains("\"true\""));
    let document: serde_json::Value = serde_json::from_str(&read()).unwrap();
    let verdicts = document["properties"].as_array().unwrap().iter().map(|property| &property["verdict"]);
    assert_eq!(verdicts.collect::<Vec<_>>(), ["true", "unknown"]);
}

#[test]
fn a_log_has_each_verdict_when_it_is_known() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("endless.pact"), ENDLESS).unwrap();
    let log = directory.path().join("log");
    let mut child =
        command_in(directory.path(), &["check", "endless.pact", "--engine", "tableau", "--verbose"])
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
    let (begun, read) = (Instant::now(), || fs::read_to_string(&log).unwrap());
    while read().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(read(), "✓ soon  true\n");
}

#[test]
fn with_output_standard_output_is_for_people() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("good.pact"), GOOD).unwrap();
    let ran = run_in(directory.path(), &["check", "good.pact", "--format", "junit", "--output", "r.xml"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("✓ fine  true, as expected"), "{}", ran.stdout);
    let kept = fs::read_to_string(directory.path().join("r.xml")).unwrap();
    let plain = run_in(directory.path(), &["check", "good.pact", "--format", "junit"]).stdout;
    let timeless = |text: &str| {
        text.lines().map(|line| line.split(" time=").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(timeless(&kept), timeless(&plain));
    let ran = run_in(directory.path(), &["check", "good.pact", "--output", "nowhere/r.txt"]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.stderr.matches("cannot be written").count(), 1, "{}", ran.stderr);
}

/// Runs the program in a shell that lets no file grow beyond so many blocks of 512 bytes, as a full disk would.
#[cfg(target_os = "linux")]
fn run_cramped(directory: &Path, arguments: &str) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_servanda");
    let script = format!("trap '' XFSZ; ulimit -f 8; exec '{program}' {arguments}");
    Command::new("sh").current_dir(directory).args(["-c", &script]).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let long: String = (0..2000).map(|number| format!("property   p{number} = AG in s\n")).collect();
    let text = format!("roles A\nstart s\ns -- A: go --> s\n{long}");
    fs::write(directory.path().join("long.pact"), &text).unwrap();
    let ran = run_cramped(directory.path(), "fmt --write long.pact");
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    assert!(String::from_utf8_lossy(&ran.stderr).contains("long.pact cannot be written"), "{ran:?}");
    assert_eq!(fs::read_to_string(directory.path().join("long.pact")).unwrap(), text);
    fs::write(directory.path().join("old.json"), "old").unwrap();
    let ran = run_cramped(directory.path(), "check long.pact --quiet --format json --output old.json");
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    // That the run has begun did fit; what was there before would be taken for its results.
    let kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(directory.path().join("old.json")).unwrap()).unwrap();
    assert_eq!(kept["diagnostics"][0]["message"], "nothing is decided: the run has not come so far");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2, "nothing is left beside them");
}

#[test]
fn certificates_of_names_that_are_alike_do_not_overwrite_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let text = "roles A\nvar x : 0..3 = 0\nstart s\ns -- A: add when x < 2 set x = x + 1 --> s\n\
        for i in 1..1 { property p[i] = AG x < 3 }\nproperty p_1_ = AG x <= 2\n";
    let other = text.replace("x < 2", "x < 1");
    for (folder, text) in [("a", text), ("b", other.as_str())] {
        fs::create_dir(directory.path().join(folder)).unwrap();
        fs::write(directory.path().join(folder).join("x.pact"), text).unwrap();
    }
    let ran = run_in(directory.path(), &["check", "a/x.pact", "b/x.pact", "--certificate", "proofs"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let mut stems: Vec<String> = fs::read_dir(directory.path().join("proofs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| name.split('.').take(2).collect::<Vec<_>>().join("."))
        .collect();
    stems.sort();
    stems.dedup();
    assert_eq!(stems, ["b%2Fx%2Epact.p%5B1%5D", "b%2Fx%2Epact.p_1_", "x.p%5B1%5D", "x.p_1_"]);
}
