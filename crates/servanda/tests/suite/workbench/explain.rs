//! Evidence: what the page is shown is what `explain` says.

use serde_json::{Value, json};
use servanda::{CheckOptions, Choices, Known, Language, Loaded, Present, Watch, explain};
use servanda_engine::{Options, Verdict};

use super::talk::{about, done, example, examples, of_kind};
use crate::program::run;

fn explained(path: &str, text: &str, property: &str) -> Value {
    let more = json!({"kind": "explain", "property": property, "limits": {"seconds": 60.0}});
    done(&about(path, text, more)).pop().unwrap()
}

/// A state of a trace in the Informal Trace Format, in the words of the page: values by name, and what is in force.
pub(super) fn itf_state(state: &Value) -> (Vec<(String, String)>, Vec<String>) {
    let written = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Object(number) if number.contains_key("#bigint") => {
            number["#bigint"].as_str().unwrap().to_owned()
        }
        value => value.to_string(),
    };
    let (mut values, mut in_force) = (Vec::new(), Vec::new());
    for (name, value) in state.as_object().unwrap() {
        let pairs =
            || value["#map"].as_array().unwrap().iter().map(|pair| (written(&pair[0]), pair[1].clone()));
        match name.as_str() {
            "#meta" => {}
            "in_force" => in_force = value["#set"].as_array().unwrap().iter().map(written).collect(),
            "in" if value.is_object() => values.extend(pairs().map(|(name, value)| {
                (if name.is_empty() { "in".to_owned() } else { name }, written(&value))
            })),
            "under_way" => values.extend(pairs().map(|(name, sent)| {
                let sent: Vec<String> = sent.as_array().unwrap().iter().map(written).collect();
                (name, if sent.is_empty() { "empty".to_owned() } else { sent.join("; ") })
            })),
            name => values.push((name.to_owned(), written(value))),
        }
    }
    values.sort();
    in_force.sort();
    (values, in_force)
}

/// The same of a state that a job tells.
pub(super) fn told_state(state: &Value) -> (Vec<(String, String)>, Vec<String>) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut values: Vec<(String, String)> = state["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (text(&one["name"]), text(&one["value"])))
        .collect();
    let mut in_force: Vec<String> =
        state["inForce"].as_array().unwrap().iter().map(|one| text(&one["text"])).collect();
    values.sort();
    in_force.sort();
    (values, in_force)
}

fn runs<'e>(run: &'e Value, visit: &mut dyn FnMut(&'e Value)) {
    visit(run);
    run["branches"].as_array().unwrap().iter().for_each(|branch| runs(&branch["run"], visit));
}

/// What must be so in every run, whatever it shows.
fn is_sound(run: &Value, path: &str) {
    let moments = run["moments"].as_array().unwrap();
    let count = moments.len() as u64;
    let at = |value: &Value| assert!(value.as_u64().unwrap() < count, "{path}: {run:#}");
    assert!(moments[0].get("step").is_none() && moments[0]["changed"] == json!([]), "{path}");
    run.get("loopTo").into_iter().for_each(at);
    run["judged"].as_array().unwrap().iter().for_each(|judged| at(&judged["at"]));
    run["branches"].as_array().unwrap().iter().for_each(|branch| at(&branch["at"]));
    for pair in moments.windows(2) {
        assert!(pair[1].get("step").is_some(), "{path}");
        let (before, after) = (told_state(&pair[0]["state"]), told_state(&pair[1]["state"]));
        let changed = pair[1]["changed"].as_array().unwrap();
        for (old, new) in before.0.iter().zip(&after.0) {
            assert_eq!(changed.contains(&json!(new.0)), old.1 != new.1, "{path}: {}", new.0);
        }
        assert_eq!(
            before.1 == after.1,
            !changed.iter().any(|name| !after.0.iter().any(|(it, _)| name == it))
        );
    }
}

#[test]
fn evidence_is_that_of_explain_on_all_examples() {
    for (path, text) in examples() {
        let more = json!({"kind": "check", "limits": {"seconds": 60.0}});
        let checked = done(&about(&path, &text, more));
        let verdicts: Vec<&Value> =
            of_kind(&checked, "verdict").into_iter().map(|event| &event["verdict"]).collect();
        let mut seen = 0;
        for verdict in verdicts.iter().rev() {
            let name = verdict["name"].as_str().unwrap();
            let event = explained(&path, &text, name);
            assert_eq!(event["event"], "evidence", "{path}: {event:#}");
            assert_eq!(event["verdict"]["verdict"], verdict["verdict"], "{path}: {name}");
            let itf = run(&["explain", &path, "--property", name, "--format", "itf"]);
            assert_eq!(event["evidence"].is_null(), itf.status != 0, "{path}: {name}: {}", itf.stderr);
            // How far runs get in a scenario that none should have is found out by who wants to know.
            if verdict["verdict"] != "impossible" || !event["evidence"].is_null() {
                assert_eq!(event["evidence"].is_null(), verdict["hasEvidence"] == false, "{path}: {name}");
            }
            let Some(main) = event["evidence"]["runs"].get(0) else { continue };
            runs(main, &mut |run| is_sound(run, &path));
            let trace = itf.json();
            let (told, written) = (main["moments"].as_array().unwrap(), trace["states"].as_array().unwrap());
            assert_eq!(told.len(), written.len(), "{path}: {name}");
            for (moment, state) in told.iter().zip(written) {
                assert_eq!(told_state(&moment["state"]), itf_state(state), "{path}: {name}");
                if let Some(label) = state["#meta"].get("label") {
                    assert_eq!(&moment["step"]["label"], label, "{path}: {name}");
                }
            }
            assert_eq!(main.get("loopTo"), trace.get("loop"), "{path}: {name}");
            assert_eq!(main["loopStep"].get("label"), trace["#meta"].get("loop-label"), "{path}: {name}");
            seen += 1;
            if seen == 3 {
                break;
            }
        }
    }
}

#[test]
fn who_knows_what_is_what_the_reference_engine_says() {
    let mut compared = 0;
    for (path, formula) in [
        ("examples/netbill.pact", "AG !delivered"),
        ("examples/muddy_children.pact", ""),
        ("examples/dining3.ispl", ""),
        ("examples/contract_net.pact", ""),
    ] {
        let text = example(path);
        let language = if path.ends_with("ispl") { Language::Ispl } else { Language::Pact };
        let loaded = Loaded::read(language, path, text.as_str(), Choices::default()).unwrap();
        let readings = Options { validity: loaded.usual_validity(), ..Options::default() };
        let options = CheckOptions { readings, ..CheckOptions::default() };
        let formulas: Vec<String> = if formula.is_empty() { Vec::new() } else { vec![formula.to_owned()] };
        let questions = loaded.questions(&[], &formulas).unwrap();
        let known = Known::new(&loaded, options);
        let mut present = Present::new(&known);
        for question in questions.iter().filter(|question| question.property.scenario.is_none()) {
            let mut more = json!({"kind": "explain"});
            let (field, value) = match formula {
                "" => ("property", question.property.name.as_str()),
                formula => ("formula", formula),
            };
            more[field] = json!(value);
            let event = done(&about(path, &text, more)).pop().unwrap();
            let Some(main) = event["evidence"]["runs"].get(0) else { continue };
            let evidence = explain(&loaded, question, options, Watch::none()).evidence.unwrap();
            let line = evidence.line().path;
            let states: Vec<Vec<u64>> = line.states.iter().map(|state| state.packed.clone()).collect();
            let kinds: Vec<_> = line.steps.iter().map(|step| step.kind.clone()).collect();
            for (at, moment) in main["moments"].as_array().unwrap().iter().enumerate() {
                for knows in moment["knows"].as_array().unwrap() {
                    let word = |field: &str| knows[field].as_str().unwrap();
                    let (role, text) = (word("role"), word("text"));
                    let mut value = |formula: String| {
                        let formula = loaded.formula(&formula).unwrap();
                        present.value(&formula, (&states[..=at], &kinds[..at]), Watch::none()).unwrap()
                    };
                    let both = (value(format!("K({role}, {text})")), value(format!("K({role}, !({text}))")));
                    let expected = match both {
                        (Verdict::True, _) => "true",
                        (_, Verdict::True) => "false",
                        _ => "not known",
                    };
                    assert_eq!(word("value"), expected, "{path}: {role}: {text} at {at}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// A debtor promises two things of which only one can be done.
const TORN: &str = "\
protocol Torn
roles Ann, Bob
var a : bool = false
var b : bool = false
commitment first = SC(Ann, Bob, G !b)
commitment second = SC(Ann, Bob, F b)
start s
s -- Cr(Ann, first) --> t
t -- Cr(Ann, second) --> u
u -- Ann: go set a = true --> u
property never = AG !a
";

#[test]
fn what_cannot_be_kept_is_marked_and_steps_are_placed() {
    let event = explained("torn.pact", TORN, "never");
    let moments = event["evidence"]["runs"][0]["moments"].as_array().unwrap();
    let keepable = |at: usize| -> Vec<&Value> {
        let in_force = moments[at]["state"]["inForce"].as_array().unwrap().iter();
        in_force.map(|one| &one["keepable"]).collect()
    };
    assert_eq!(keepable(2), [&json!(false), &json!(false)], "{event:#}");
    assert_eq!(moments[1]["step"]["places"][0]["line"], 8);
    assert_eq!(moments[1]["step"]["kind"], "act");
    assert_eq!((&moments[1]["step"]["from"], &moments[1]["step"]["to"]), (&json!("Ann"), &json!(["Bob"])));
    let legend = event["evidence"]["legend"].to_string();
    assert!(legend.contains("SC(Ann, Bob, G !b)"), "{legend}");
}

#[test]
fn what_no_run_shows_is_said_in_words() {
    let event = explained("torn.pact", &format!("{TORN}property always = AG (a -> !b)\n"), "always");
    assert!(event["evidence"].is_null());
    assert!(event["why"].as_str().unwrap().contains("no single path shows it"), "{event:#}");
    assert_eq!(event["verdict"]["hasEvidence"], false);
}
