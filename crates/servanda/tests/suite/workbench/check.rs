//! Deciding properties, and what all jobs have in common.

use std::time::Duration;

use serde_json::{Value, json};

use super::talk::{Job, about, done, example, examples, of_kind, root};
use crate::program::{LARGE, run};

fn check(path: &str, text: &str) -> Value {
    about(path, text, json!({"kind": "check", "limits": {"seconds": 60.0, "megabytes": 4000}}))
}

/// The last verdict that was told of each property, by name.
fn verdicts(told: &[Value]) -> Vec<(String, String, bool)> {
    let mut last: Vec<(String, String, bool)> = Vec::new();
    for event in of_kind(told, "verdict") {
        let verdict = &event["verdict"];
        let text = |field: &str| verdict[field].as_str().unwrap().to_owned();
        last.retain(|(name, ..)| *name != text("name"));
        last.push((text("name"), text("verdict"), verdict["asWanted"].as_bool().unwrap()));
    }
    last.sort();
    last
}

#[test]
fn verdicts_are_those_of_the_command_line_on_all_examples() {
    for (path, text) in examples() {
        let told = done(&check(&path, &text));
        let mut arguments = vec!["check", &path, "--format", "json"];
        if path.ends_with("pnaws.ccs") {
            arguments.extend(["--process", "Closed"]);
        }
        let expected = run(&arguments).json();
        let Some(properties) = expected["properties"].as_array().filter(|_| expected["model"].is_object())
        else {
            // A file with several processes of which none is meant.
            assert!(of_kind(&told, "asked").is_empty(), "{path}");
            assert_eq!(told[0]["findings"][0]["severity"], "error", "{path}");
            continue;
        };
        let mut expected_verdicts: Vec<(String, String, bool)> = properties
            .iter()
            .map(|property| {
                let text = |field: &str| property[field].as_str().unwrap().to_owned();
                let wanted = property["expected"].as_str().unwrap_or("true") == text("verdict");
                let word = match (property.get("scenario").is_some(), text("verdict").as_str()) {
                    (true, "true") => "possible".to_owned(),
                    (true, "false") => "impossible".to_owned(),
                    (_, word) => word.to_owned(),
                };
                (text("name"), word, wanted)
            })
            .collect();
        expected_verdicts.sort();
        assert_eq!(verdicts(&told), expected_verdicts, "{path}");
        assert_eq!(told[0]["event"], "findings", "{path}");
        assert_eq!(told[1]["event"], "asked", "{path}");
        assert_eq!(told[1]["properties"].as_array().unwrap().len(), properties.len(), "{path}");
        let states = &expected["model"]["states"];
        let model = of_kind(&told, "model");
        assert_eq!(model.first().map_or(&Value::Null, |model| &model["states"]), states, "{path}");
        let findings = of_kind(&told, "findings").last().unwrap()["findings"].as_array().unwrap().len();
        assert_eq!(findings, expected["diagnostics"].as_array().map_or(0, Vec::len), "{path}");
    }
}

#[test]
fn a_broken_text_is_answered_with_all_that_is_wrong_with_it() {
    let text = example("examples/netbill.pact").replace("start", "strat").replace("roles Cus", "roles Cus,,");
    let told = done(&check("examples/netbill.pact", &text));
    assert_eq!(told.len(), 1, "{told:#?}");
    let findings = told[0]["findings"].as_array().unwrap();
    assert!(findings.iter().filter(|finding| finding["severity"] == "error").count() > 1, "{findings:#?}");
    assert!(findings.iter().all(|finding| finding["place"]["path"] == "examples/netbill.pact"));
}

#[test]
fn half_typed_texts_are_answered() {
    for (path, text) in examples() {
        let cuts = [text.len() / 3, text.len() / 2, text.len() - text.len() / 7];
        for cut in cuts.map(|cut| (0..=cut).rev().find(|at| text.is_char_boundary(*at)).unwrap()) {
            let mut request = check(&path, &text[..cut]);
            request["limits"]["seconds"] = json!(10.0);
            let (told, status) = Job::new(&request).end();
            assert!([0, 3].contains(&status), "{path}: {status}");
            assert_eq!(told[0]["event"], "findings", "{path}");
        }
    }
}

#[test]
fn some_properties_and_formulas_are_decided_by_the_engine_that_is_named() {
    let more = json!({"kind": "check", "properties": ["always_compliant"], "formulas": ["EF delivered"], "engine": "bdd"});
    let told = done(&about("examples/netbill.pact", &example("examples/netbill.pact"), more));
    let asked = told[1]["properties"].as_array().unwrap();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1]["place"]["path"], "formula");
    let decided = of_kind(&told, "verdict");
    assert!(decided.iter().all(|event| event["verdict"]["engine"] == "bdd"), "{decided:#?}");
    assert_eq!(decided.len(), 2);
}

#[test]
fn what_has_no_meaning_is_refused_with_what_is_meant() {
    let text = example("examples/netbill.pact");
    let refused = |more: Value| {
        let told = done(&about("examples/netbill.pact", &text, more));
        let last = told.last().unwrap().clone();
        assert_eq!(last["event"], "refused", "{told:#?}");
        last["findings"][0].clone()
    };
    let engine = refused(json!({"kind": "check", "engine": "bbd"}));
    assert_eq!(engine["help"], json!(["did you mean `bdd`?"]));
    let property = refused(json!({"kind": "check", "properties": ["always_complaint"]}));
    assert_eq!(property["help"], json!(["did you mean `always_compliant`?"]));
    let formula = refused(json!({"kind": "check", "formulas": ["AG delivred"]}));
    assert_eq!(
        formula["place"],
        json!({"path": "formula", "line": 1, "column": 4, "endLine": 1, "endColumn": 12})
    );
}

/// Many states that no engine is done with soon, and a property that is decided before the others.
fn long() -> Value {
    let text = format!("{LARGE}property at_once = true\n");
    about("large.pact", &text, json!({"kind": "check", "engine": "enumerate"}))
}

#[test]
fn progress_is_told_and_a_closed_input_ends_the_work() {
    let mut job = Job::new(&long());
    let (first, second) = (job.wait_for("progress"), job.wait_for("progress"));
    let seconds = |event: &Value| event["seconds"].as_f64().unwrap();
    assert!(seconds(&second) - seconds(&first) >= 0.19);
    assert!(second["of"].as_u64().unwrap() > 0 && second["states"].as_u64().unwrap() > 0, "{second:#}");
    let (status, time) = job.close();
    assert_eq!(status, 130);
    assert!(time < Duration::from_secs(1), "{time:?}");
}

#[test]
fn limits_of_time_and_memory_have_statuses_of_their_own() {
    let mut request = long();
    request["limits"] = json!({"seconds": 0.5});
    let (told, status) = Job::new(&request).end();
    assert_eq!(status, 3);
    let unknown = of_kind(&told, "verdict");
    assert!(
        unknown.iter().any(|event| event["verdict"]["reason"] == "the time limit was reached"),
        "{unknown:#?}"
    );
    request["limits"] = json!({"megabytes": 60});
    let (told, status) = Job::new(&request).end();
    assert_eq!(status, 4, "{told:#?}");
    request["limits"] = json!({"seconds": -1});
    let (told, status) = Job::new(&request).end();
    assert_eq!((status, &told[0]["event"]), (2, &json!("refused")));
}

#[test]
fn verdicts_are_told_before_the_work_is_done() {
    // The second property needs all states, the first one needs one.
    let text = format!("{LARGE}property at_once = EF true\n");
    let mut job = Job::new(&about("large.pact", &text, json!({"kind": "check", "engine": "tableau"})));
    loop {
        let event = job.wait_for("verdict");
        if event["verdict"]["name"] == "at_once" {
            break;
        }
    }
    let (_, time) = job.close();
    assert!(time < Duration::from_secs(1));
}

#[test]
fn requests_that_are_none_are_refused() {
    let requests: [&[u8]; 8] = [
        b"",
        b"{}",
        b"null",
        b"\xff\xfe\x00\x01",
        b"[[[[[[[[[[[[[[[[[[[[",
        br#"{"kind": "nothing"}"#,
        br#"{"kind": "check", "subject": {"language": "pact"}}"#,
        br#"{"kind": "graph", "subject": {"language": "pact", "path": "", "text": ""}, "by": {"some": []}, "most": -1}"#,
    ];
    for request in requests {
        let (told, status) = Job::begin(&root(), request).end();
        assert_eq!((status, told.len(), &told[0]["event"]), (2, 1, &json!("refused")), "{request:?}");
    }
    let nothing_yet = Job::begin(&root(), br#"{"kind": "audit", "log": "", "logName": "a.jsonl"}"#).end();
    assert_eq!((nothing_yet.1, &nothing_yet.0[0]["event"]), (0, &json!("refused")));
}

#[test]
fn arbitrary_bytes_do_no_harm() {
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let whole =
        about("a.pact", &example("examples/tunnel.pact"), json!({"kind": "check"})).to_string().into_bytes();
    for _ in 0..40 {
        let mut bytes = whole.clone();
        for _ in 0..1 + next() % 6 {
            let at = next() % bytes.len();
            bytes[at] = match next() % 3 {
                0 => next() as u8,
                1 => b"{}[]\":,\\"[next() % 8],
                _ => bytes[next() % bytes.len()],
            };
        }
        bytes.retain(|byte| *byte != b'\n');
        let (_, status) = Job::begin(&root(), &bytes).end();
        assert!([0, 2].contains(&status), "{status}: {}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn texts_that_came_along_go_before_files_and_nothing_else_is_read() {
    let top = tempfile::tempdir().unwrap();
    let inside = top.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let part = "protocol Part\nroles A\nvar x : bool = false\nstart s\ns -- A: go set x = true --> t\n";
    std::fs::write(top.path().join("secret.pact"), part).unwrap();
    std::fs::write(inside.join("part.pact"), part).unwrap();
    let user = |path: &str| format!("protocol Whole\nroles A\nuse \"{path}\" as p\n");
    let findings = |path: &str, open: Value| {
        let mut request = check("whole.pact", &user(path));
        request["subject"]["open"] = open;
        let (told, status) = Job::begin(&inside, request.to_string().as_bytes()).end();
        assert_eq!(status, 0, "{told:#?}");
        told[0]["findings"].to_string()
    };
    let unreadable = |told: &str| told.contains("cannot-read");
    assert!(!unreadable(&findings("part.pact", json!({}))));
    assert!(unreadable(&findings("none.pact", json!({}))));
    assert!(!unreadable(&findings("none.pact", json!({"none.pact": part}))));
    // What stands in the page goes before what stands in the file.
    assert!(findings("part.pact", json!({"part.pact": "protocol Part\nroles A\n!"})).contains("part.pact"));
    for path in ["../secret.pact", "/etc/passwd", "-", "a/../../secret.pact"] {
        assert!(findings(path, json!({})).contains("is not below the directory"), "{path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(top.path().join("secret.pact"), inside.join("link.pact")).unwrap();
        assert!(findings("link.pact", json!({})).contains("is not below the directory"));
    }
}

#[test]
fn drawings_are_those_of_explain() {
    let path = "examples/netbill.pact";
    let text = example(path);
    for format in ["svg", "html", "itf", "mermaid", "text"] {
        let more = json!({"kind": "draw", "property": "always_compliant", "format": format});
        let told = done(&about(path, &text, more));
        let expected =
            run(&["explain", path, "--property", "always_compliant", "--format", format, "--width", "100"]);
        assert_eq!(told.last().unwrap()["text"], json!(expected.stdout), "{format}");
    }
    let refused = done(&about(path, &text, json!({"kind": "draw", "format": "svg"})));
    assert_eq!(refused.last().unwrap()["event"], "refused");
}
