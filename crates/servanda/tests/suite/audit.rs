//! `audit` as users and scripts meet it: every option, every exit status, logs that grow.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Ran, command_in, run, run_in, run_with_input};

/// Orders are paid, without too many reminders.
const MODEL: &str = "\
protocol Order
roles Agent, Shop
param Most = 2
var reminders : 0..3 = 0
commitment payment = SC(Agent, Shop, F in paid)
start idle
idle -- Agent: orders --> ordering
ordering -- Cr(Agent, payment) --> ordered
ordered -- Agent: pays --> paid
ordered -- Shop: reminds when reminders < Most set reminders = reminders + 1 --> ordered
final paid
property in_time level should cite \"Handbook 4.2\" expect false = AG (reminders = 0)
property quiet level may expect false = AG (reminders < 2)
";

const MAPPING: &str = r#"
version = 1
[source]
format = "jsonl"
[fields]
order = "/order"
event = "/event"
[[view]]
name = "order"
model = "order.pact"
key = ["order"]
cites = { "Agent: pays" = "Handbook 4.1" }
event = [
  { when = 'event = "ordered"', label = ["Agent: orders", "Cr(Agent, payment)"] },
  { when = 'event = "reminded"', label = "Shop: reminds" },
  { when = 'event = "paid"', label = "Agent: pays" },
]
[[view]]
name = "all"
model = "all.pact"
key = ['"all"']
event = [ { when = 'has(event)', label = "Anybody: says" } ]
"#;

const ALL: &str = "protocol All\nroles Anybody\nstart s\ns -- Anybody: says --> s\n";

pub(crate) fn line(order: &str, event: &str) -> String {
    format!("{{\"order\":\"{order}\",\"event\":\"{event}\"}}\n")
}

/// A log with a finding of each level, and something that is still owed.
pub(crate) fn log() -> String {
    let lines = ["o1 ordered", "o1 reminded", "o1 reminded", "o2 paid", "o1 paid", "o3 ordered"];
    lines.map(|it| it.split_once(' ').map(|(order, event)| line(order, event)).unwrap()).concat()
}

/// A directory with the protocol and a log.
pub(crate) fn place(log: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in
        [("order.pact", MODEL), ("all.pact", ALL), ("order.audit.toml", MAPPING), ("log.jsonl", log)]
    {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

pub(crate) fn audit(directory: &Path, more: &[&str]) -> Ran {
    run_in(directory, &[&["audit", "log.jsonl", "--map", "order.audit.toml"], more].concat())
}

/// Findings as line and code, in order; the end is line 0.
fn found(directory: &Path, more: &[&str]) -> Vec<(u64, String)> {
    let ran = audit(directory, &[&["--format", "json"], more].concat());
    let findings = ran.json()["findings"].as_array().unwrap().clone();
    let row = |it: &Value| (it["at"]["line"].as_u64().unwrap_or(0), it["code"].as_str().unwrap().to_owned());
    findings.iter().map(row).collect()
}

fn rows(rows: &[(u64, &str)]) -> Vec<(u64, String)> {
    rows.iter().map(|(line, code)| (*line, (*code).to_owned())).collect()
}

#[test]
fn a_log_with_everything_as_text() {
    let directory = place(&log());
    insta::assert_snapshot!("audit_text", audit(directory.path(), &["--complete"]).transcript());
    insta::assert_snapshot!(
        "audit_explain",
        audit(directory.path(), &["--explain", "--key", "o2"]).transcript()
    );
}

#[test]
fn exit_statuses() {
    let status = |log: &str, more: &[&str]| audit(place(log).path(), more).status;
    let late = line("o", "ordered") + &line("o", "reminded");
    assert_eq!(status(&line("o", "ordered"), &[]), 0);
    assert_eq!(status(&late, &["--level", "must"]), 0);
    assert_eq!(status(&late, &[]), 1);
    assert_eq!(status(&late.replace("reminded", "paid"), &["--complete"]), 0);
    let twice = late.clone() + &line("o", "reminded");
    assert_eq!(status(&twice, &["--level", "must"]), 0);
    assert_eq!(status(&line("o", "paid"), &["--level", "must"]), 1);
    assert_eq!(status(&line("o", "ordered"), &["--complete"]), 1, "what is owed at the end is broken");
    assert_eq!(status("nonsense\n", &[]), 2);
    assert_eq!(status("nonsense\n", &["--bad-lines", "skip"]), 3, "nothing was judged");
    let mixed = format!("nonsense\n{}", line("o", "ordered"));
    assert_eq!(status(&mixed, &["--bad-lines", "skip"]), 0);
    let told = audit(place(&mixed).path(), &["--bad-lines", "skip"]).stdout;
    assert!(told.contains("nothing wrong, 1 line left out that cannot be read"), "{told}");
    assert_eq!(status(&late, &["--view", "ordre"]), 2);
    assert_eq!(status(&late, &["--param", "Mots=1"]), 2);
    assert_eq!(status(&late, &["--source", "stdio"]), 2, "a source is of the library");
    assert_eq!(status(&late, &["--library", "mcp/2025-11-25"]), 2, "one or the other");
    assert_eq!(status(&late, &["--timeout", "0"]), 3);
    assert_eq!(status(&line("o", "ordered"), &["--limit", "1"]), 3);
    assert_eq!(run(&["audit", "no such file", "--library", "mcp/2025-11-25"]).status, 2);
    assert_eq!(run(&["audit", "no such file"]).status, 2);
    assert_eq!(run(&["audit", "-", "-", "--library", "mcp/2025-11-25"]).status, 2);
}

#[test]
fn what_is_asked_for_is_told() {
    let directory = place(&log());
    let here = directory.path();
    let usual = [(2, "in_time"), (3, "quiet"), (4, "not-possible")];
    assert_eq!(found(here, &[]), rows(&usual));
    assert_eq!(found(here, &["--complete"]), rows(&[&usual[..], &[(0, "payment")]].concat()));
    assert_eq!(found(here, &["--key", "o2"]), rows(&[(4, "not-possible")]));
    assert_eq!(found(here, &["--view", "all"]), []);
    assert_eq!(
        found(here, &["--param", "Most=1"]),
        rows(&[(2, "in_time"), (3, "not-possible"), (4, "not-possible")])
    );
    let levels = |level: &str| {
        let json = audit(here, &["--level", level, "--format", "json"]).json();
        assert_eq!(json["level"], level);
        let text = audit(here, &["--level", level]).stdout;
        text.matches("✗ log.jsonl:").count()
    };
    // The last one is the summary.
    assert_eq!(["must", "should", "may"].map(levels), [2, 3, 4]);
}

#[test]
fn after_a_violation() {
    let events = ["ordered", "ordered", "paid", "paid"];
    let directory = place(&events.map(|event| line("o", event)).concat());
    let lines = |after: &str| found(directory.path(), &["--after", after, "--view", "order"]);
    let wrong =
        |lines: &[u64]| lines.iter().map(|line| (*line, "not-possible".to_owned())).collect::<Vec<_>>();
    assert_eq!(lines("stop"), wrong(&[2]));
    assert_eq!(lines("skip"), wrong(&[2, 4]));
    assert_eq!(lines("resync"), wrong(&[2, 4]));
    let explained = |after: &str| {
        let json = audit(directory.path(), &["--after", after, "--format", "json"]).json();
        json["findings"][0]["explanation"]["cost"].clone()
    };
    assert_eq!((explained("resync"), explained("skip")), (Value::from(2), Value::Null));
}

#[test]
fn keys_that_were_dropped_are_not_judged_again() {
    let directory = place(&[line("o1", "ordered"), line("o2", "ordered"), line("o1", "paid")].concat());
    let ran = audit(directory.path(), &["--max-keys", "1", "--view", "order"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("more than 1 keys") && !ran.stdout.contains("not possible"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_a_role_could_see() {
    let directory = place(&[line("o1", "ordered"), line("o1", "paid")].concat());
    assert_eq!(found(directory.path(), &["--seen-by", "Shop"]), []);
    let ran = audit(directory.path(), &["--seen-by", "Nobody", "--view", "order"]);
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn statistics() {
    let directory = place(&(log() + "bad\n"));
    let ran = audit(directory.path(), &["--stats", "--bad-lines", "skip"]);
    for expected in
        ["lines      7 (1 that could not be read)", "slices     4", "fitness", "lines a second", " MB\n"]
    {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    let json = audit(directory.path(), &["--stats", "--format", "json"]).json();
    assert!(json["statistics"]["sets"].as_u64().unwrap() > 3);
}

#[test]
fn mistakes_in_mappings_and_models() {
    let directory = place("");
    let refused = |mapping: &str, model: &str| {
        fs::write(directory.path().join("order.audit.toml"), mapping).unwrap();
        fs::write(directory.path().join("order.pact"), model).unwrap();
        let ran = audit(directory.path(), &[]);
        assert_eq!(ran.status, 2);
        ran.transcript()
    };
    let wrong = MAPPING
        .replace("Shop: reminds", "Shop: remind")
        .replace("has(event)", "hass(event)")
        .replace("order = \"/order\"", "order = \"order\"")
        .replace("cites", "cite");
    insta::assert_snapshot!("audit_bad_mapping", refused(&wrong, MODEL));
    insta::assert_snapshot!("audit_bad_model", refused(MAPPING, &MODEL.replace("--> paid", "--> payed")));
    insta::assert_snapshot!("audit_no_model", refused(&MAPPING.replace("order.pact", "ordr.pact"), MODEL));
    insta::assert_snapshot!(
        "audit_unknown_entry",
        run(&["audit", "x", "--library", "mcp/2025-11-52"]).transcript()
    );
    insta::assert_snapshot!(
        "audit_unknown_source",
        run(&["audit", "x", "--library", "mcp/2025-11-25", "--source", "csv"]).transcript()
    );
}

/// A run of which lines are read while it goes on.
struct Going {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Going {
    fn start(directory: &Path, arguments: &[&str]) -> Going {
        let mut command = command_in(directory, arguments);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Going { child, lines }
    }

    /// The next finding: its file, line and code.
    fn next(&mut self) -> (u64, String) {
        loop {
            let line: Value = serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap();
            if line["type"] == "finding" {
                return (line["at"]["line"].as_u64().unwrap(), line["code"].as_str().unwrap().to_owned());
            }
        }
    }
}

#[test]
fn standard_input_is_judged_line_by_line() {
    let directory = place("");
    let arguments = ["audit", "-", "--map", "order.audit.toml", "--format", "jsonl"];
    let mut going = Going::start(directory.path(), &arguments);
    let mut input = going.child.stdin.take().unwrap();
    for (number, event) in ["paid", "ordered", "reminded"].into_iter().enumerate() {
        input.write_all(line("o", event).as_bytes()).unwrap();
        match event {
            "paid" => assert_eq!(going.next(), (1, "not-possible".to_owned())),
            "reminded" => assert_eq!(going.next(), (number as u64 + 1, "in_time".to_owned())),
            _ => {}
        }
    }
    drop(input);
    assert_eq!(going.child.wait().unwrap().code(), Some(1));
}

#[cfg(unix)]
#[test]
fn a_log_is_followed_while_it_grows_and_is_put_aside() {
    let directory = place(&line("o", "ordered"));
    let arguments = ["audit", "log.jsonl", "--map", "order.audit.toml", "--format", "jsonl", "--follow"];
    let mut going = Going::start(directory.path(), &arguments);
    let path = directory.path().join("log.jsonl");
    let append = |text: &str| {
        fs::File::options()
            .create(true)
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    };
    let text = line("o", "reminded");
    // Half a line is no line yet.
    append(&text[..9]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    append(&text[9..]);
    assert_eq!(going.next(), (2, "in_time".to_owned()));
    fs::rename(&path, directory.path().join("old.jsonl")).unwrap();
    append(&line("p", "paid"));
    assert_eq!(going.next(), (1, "not-possible".to_owned()));
    let id = going.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let rest: Vec<String> = going.lines.map(Result::unwrap).collect();
    let last: Value = serde_json::from_str(rest.last().unwrap()).unwrap();
    assert_eq!((&last["type"], &last["lines"]), (&Value::from("summary"), &Value::from(3)));
    assert_eq!(going.child.wait().unwrap().code(), Some(1), "Ctrl-C is how following ends");
}

#[test]
fn a_proposal_audits_the_log_it_was_made_from() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../library");
    let logs = [
        "agents/confirm/recordings/chat/good.jsonl",
        "mcp/2025-11-25/recordings/stdio/answered-twice.jsonl",
        "a2a/1.0/recordings/http/good.jsonl",
        "mcp/2025-11-25/recordings/otlp/good.jsonl",
    ];
    for log in logs {
        let directory = place(&fs::read_to_string(root.join(log)).unwrap());
        let proposed = run_in(directory.path(), &["audit", "init", "log.jsonl"]);
        fs::write(directory.path().join("order.audit.toml"), &proposed.stdout).unwrap();
        let proposed = run_in(directory.path(), &["audit", "init", "log.jsonl", "--model"]);
        fs::write(directory.path().join("conversation.pact"), proposed.stdout).unwrap();
        let ran = audit(directory.path(), &[]);
        assert_eq!(ran.status, 0, "{log}: {}{}", ran.stdout, ran.stderr);
    }
    let ran = run_with_input(command_in(&root, &["audit", "init", "-"]), "words\n");
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
}

#[test]
fn a_key_of_no_slice_is_not_in_order() {
    let directory = place(&log());
    let ran = audit(directory.path(), &["--key", "o9"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("no slice has the key `o9`; did you mean `o"), "{}", ran.stdout);
    let ran = audit(directory.path(), &["--key", "something else", "--format", "json"]);
    assert_eq!((ran.status, &ran.json()["ok"]), (3, &Value::Null));
    assert_eq!(audit(directory.path(), &["--key", "o3"]).status, 0);
}

#[test]
fn quiet_findings_name_their_slice() {
    let directory = place(&log());
    let ran = audit(directory.path(), &["-q"]);
    let line = ran.stdout.lines().find(|line| line.contains(":4 ")).unwrap_or_default();
    assert!(line.contains("order o2: `Agent: pays` is not possible here"), "{}", ran.stdout);
    assert_eq!(ran.status, 1);
}

#[test]
fn lines_that_cannot_be_read_do_not_sound_like_success() {
    let bad = format!("{}{}", line("o1", "ordered"), "not JSON\n".repeat(50));
    let directory = place(&bad);
    let ran = audit(directory.path(), &[]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    let last = ran.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("✗ log.jsonl: 50 lines cannot be read, no other finding in 51 lines"), "{last}");
    assert!(!ran.stdout.contains("nothing wrong"), "{}", ran.stdout);
    // Of many that are alike some are told, and all are counted.
    assert_eq!(ran.stdout.matches("[bad-line]").count(), 20, "{}", ran.stdout);
    assert!(ran.stdout.contains("30 more of bad-line: -v shows all"), "{}", ran.stdout);
    assert_eq!(audit(directory.path(), &["-v"]).stdout.matches("[bad-line]").count(), 50);
    let json = audit(directory.path(), &["--format", "json"]).json();
    assert_eq!((&json["bad_lines"], &json["counts"][0]["count"]), (&Value::from(50), &Value::from(50)));
    let lines = audit(directory.path(), &["--format", "jsonl"]).stdout;
    assert_eq!(lines.matches("\"type\":\"finding\"").count(), 50, "all");
    let notes = audit(directory.path(), &["--format", "github"]).stdout;
    assert_eq!((notes.matches("::error").count(), notes.matches("30 more").count()), (20, 1), "{notes}");
}

#[test]
fn logs_of_other_systems_are_read_as_they_are_meant() {
    let text = format!("\u{feff}{}", log().replace('\n', "\r\n"));
    let directory = place(&text);
    let expected = place(&log());
    assert_eq!(found(directory.path(), &[]), found(expected.path(), &[]));
    let init = |directory: &Path| run_in(directory, &["audit", "init", "log.jsonl"]).stdout;
    assert_eq!(init(directory.path()), init(expected.path()));
}
