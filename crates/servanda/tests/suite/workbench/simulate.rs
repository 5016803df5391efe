//! Walks through models.

use serde_json::{Value, json};

use super::explain::{itf_state, told_state};
use super::talk::{Job, about, example, examples};
use crate::program::{command, run, run_with_input};

fn simulate(path: &str, text: &str) -> Job {
    Job::new(&about(path, text, json!({"kind": "simulate", "limits": {"seconds": 60.0}})))
}

/// The first moment, an initial state chosen where there are several; `None` where the text has no meaning.
fn first(job: &mut Job) -> Option<Value> {
    while let Some(event) = job.next() {
        if event["event"] == "node" && event["node"].get("initial").is_none() {
            return Some(event["node"].clone());
        }
        if event["event"] == "node" {
            job.say(&json!({"choose": 0}));
        }
    }
    None
}

#[test]
fn what_can_happen_is_what_sim_says_on_all_examples() {
    for (path, text) in examples() {
        let mut job = simulate(&path, &text);
        let Some(mut node) = first(&mut job) else { continue };
        // The labels of what can happen, along the first choices.
        let mut commands = String::new();
        if job.told.iter().any(|event| event["node"].get("initial").is_some()) {
            commands.push_str("1\n");
        }
        let mut told: Vec<Vec<String>> = Vec::new();
        for _ in 0..4 {
            let choices = node["choices"].as_array().unwrap();
            let label = |choice: &Value| choice["step"]["label"].as_str().unwrap().to_owned();
            told.push(choices.iter().map(label).collect());
            if choices.is_empty() {
                break;
            }
            commands.push_str("1\n");
            let (before, at) = (node.clone(), node["node"].clone());
            node = job.answer(&json!({"take": 0, "at": at}))["node"].clone();
            assert_eq!(node["parent"], at, "{path}");
            assert_eq!(node["step"]["label"], before["choices"][0]["step"]["label"], "{path}");
            for change in before["choices"][0]["changes"].as_array().unwrap() {
                let values = node["state"]["values"].as_array().unwrap();
                if let Some(value) = values.iter().find(|value| value["name"] == change["name"]) {
                    assert_eq!(value["value"], change["to"], "{path}");
                }
            }
        }
        let process: &[&str] = if path.ends_with("pnaws.ccs") { &["--process", "Closed"] } else { &[] };
        let written = run_with_input(command(&[&["sim", path.as_str()], process].concat()), &commands).stdout;
        for label in told.iter().flatten() {
            assert!(written.contains(label.as_str()), "{path}: {label} is not in\n{written}");
        }
        let (status, _) = job.close();
        assert_eq!(status, 0, "{path}");
    }
}

#[test]
fn branches_watches_and_chance() {
    let mut job = simulate("examples/netbill.pact", &example("examples/netbill.pact"));
    let asked = job.wait_for("asked");
    assert!(asked["properties"].as_array().unwrap().len() > 3);
    assert_eq!(job.next().unwrap()["node"]["node"], 0);
    let watched = job.answer(&json!({"watch": "EF delivered"}));
    assert_eq!((&watched["node"], &watched["watched"][0]["value"]), (&json!(0), &json!("true")));
    let refused = job.answer(&json!({"watch": "EF delivred"}));
    assert_eq!(refused["findings"][0]["help"], json!(["did you mean `delivered`?"]));
    let one = job.answer(&json!({"take": 0, "at": 0}))["node"].clone();
    let other = job.answer(&json!({"take": 0, "at": 0}))["node"].clone();
    assert_eq!((&one["node"], &other["node"], &other["parent"]), (&json!(1), &json!(2), &json!(0)));
    assert_eq!((&one["state"], &one["choices"]), (&other["state"], &other["choices"]));
    assert_eq!(one["watched"][0]["text"], "EF delivered");
    assert_eq!(job.answer(&json!({"take": 99, "at": 1}))["event"], "refused");
    assert_eq!(job.answer(&json!({"take": 0, "at": 99}))["event"], "refused");
    assert_eq!(job.answer(&json!({"look": 1}))["node"]["node"], 1);
    assert_eq!(job.answer(&json!({"unwatch": "EF delivered"}))["watched"], json!([]));
    assert_eq!(job.answer(&json!({"find": "delivered"}))["event"], "refused");
    job.say_line("this is no message");
    assert_eq!(job.next().unwrap()["event"], "refused");
    job.say(&json!({"random": 3, "at": 1}));
    let mut parent = json!(1);
    for _ in 0..3 {
        let event = job.next().unwrap();
        if event["event"] == "refused" {
            break;
        }
        assert_eq!(event["node"]["parent"], parent);
        parent = event["node"]["node"].clone();
    }
    assert_eq!(job.close().0, 0);
}

#[test]
fn several_initial_states_are_chosen_from() {
    let text = "protocol Many\nroles A\nvar x : 0..2 = {0, 1, 2}\nstart s\ns -- A: go when x > 0 set x = x - 1 --> s\n";
    let mut job = simulate("many.pact", text);
    let offer = job.wait_for("node");
    assert_eq!(offer["node"]["initial"].as_array().unwrap().len(), 3, "{offer:#}");
    assert_eq!(job.answer(&json!({"take": 0, "at": 0}))["event"], "refused");
    let chosen = job.answer(&json!({"choose": 2}));
    assert_eq!(chosen["node"]["node"], 1);
    assert!(chosen["node"].get("parent").is_none());
    assert_eq!(job.answer(&json!({"choose": 3}))["event"], "refused");
}

#[test]
fn evidence_scenarios_and_recorded_runs_are_replayed() {
    let mut replayed = 0;
    for (path, name, field) in [
        ("examples/netbill.pact", "always_compliant", "property"),
        ("examples/tunnel.pact", "", "property"),
        ("examples/a2a_task.pact", "too_late", "scenario"),
        ("examples/dining3.ispl", "", "property"),
        ("examples/part2/channel.pact", "", "property"),
    ] {
        let text = example(path);
        let mut job = simulate(path, &text);
        let asked = job.wait_for("asked");
        let names: Vec<String> = asked["properties"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .filter(|one| name.is_empty() || one == name)
            .collect();
        // Where there are several initial states the recording says in which it begins.
        assert_eq!(job.next().unwrap()["event"], "node");
        for name in names {
            let itf = run(&["explain", path, "--property", &name, "--format", "itf"]);
            if itf.status != 0 {
                assert_eq!(
                    job.answer(&json!({"replay": {field: name}}))["event"],
                    "refused",
                    "{path}: {name}"
                );
                continue;
            }
            let trace = itf.json();
            let states = trace["states"].as_array().unwrap();
            for replay in [json!({field: name}), json!({"itf": itf.stdout})] {
                job.say(&json!({"replay": replay}));
                let mut first = 0;
                for (at, state) in states.iter().enumerate() {
                    let event = job.next().unwrap();
                    if event["event"] == "refused" {
                        // Nothing happens any more where a run stays for ever.
                        assert!(state["#meta"].get("label").is_none(), "{path}: {name}: {event:#}");
                        break;
                    }
                    let node = &event["node"];
                    assert_eq!(told_state(&node["state"]), itf_state(state), "{path}: {name}");
                    if at == 0 {
                        first = node["node"].as_u64().unwrap();
                        assert!(node.get("parent").is_none());
                    } else {
                        assert_eq!(node["parent"].as_u64().unwrap() + 1, node["node"].as_u64().unwrap());
                        assert_eq!(node["step"]["label"], state["#meta"]["label"], "{path}: {name}");
                    }
                    if at + 1 == states.len() {
                        let back = trace["loop"].as_u64().map(|to| json!(first + to));
                        assert_eq!(node.get("loopTo"), back.as_ref(), "{path}: {name}");
                    }
                }
                replayed += 1;
            }
        }
        let other = json!({"replay": {"itf": "{\"states\": [{\"nothing\": 1}]}"}});
        assert_eq!(job.answer(&other)["event"], "refused");
        assert_eq!(job.answer(&json!({"replay": {"itf": "[]"}}))["event"], "refused");
        assert_eq!(job.answer(&json!({"replay": {"property": "none_such"}}))["event"], "refused");
        assert_eq!(job.answer(&json!({"replay": {}}))["event"], "refused");
    }
    assert!(replayed > 8, "{replayed}");
}
