//! Scenarios and levels: verdicts, failures, formats.

use std::collections::{HashSet, VecDeque};

use servanda::{CheckOptions, Choices, Language, Loaded, Watch, check};
use servanda_model::{Cause, Mover};
use servanda_sim::Chance;

use crate::program::{Ran, run_on};

/// `fair` leaves no run on which anything is sold, which is nothing to scenarios.
const SHOP: &str = "\
protocol Shop
roles Cus, Mer
var sold : bool = false
start idle
idle  -- Cus -> Mer: order         --> asked
asked -- Mer -> Cus: refuse        --> idle
asked -- Mer: sell set sold = true --> done
done  -- Cus: thank                --> done
fair in idle
scenario happy { Cus: order; ...; Mer: sell; thank }
scenario twice { ...; Mer: sell; ...; Mer: sell; ... }
scenario early { Mer: sell }
scenario never expect impossible { ...; Mer: sell; ...; Mer: sell }
scenario again expect impossible { order; refuse; order }
property in_time level should cite \"Shop rules 4.2\" expect true = AG (does(order) -> F sold)
property soon level may = AF sold
property open = EF in idle
";

fn verdicts(ran: &Ran) -> Vec<String> {
    let properties = ran.json()["properties"].as_array().unwrap().clone();
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    properties.iter().map(|it| format!("{} {}", word(&it["name"]), word(&it["verdict"]))).collect()
}

#[test]
fn scenarios_are_about_the_model_as_it_is() {
    let expected = [
        "happy true",
        "twice false",
        "early false",
        "never false",
        "again true",
        "in_time false",
        "soon false",
        "open true",
    ];
    for readings in [&[][..], &["--deadlock", "strict"], &["--validity", "reachable"]] {
        for engine in ["auto", "tableau", "bdd", "sat", "enumerate"] {
            let options = [&["check", "--format", "json", "--engine", engine], readings].concat();
            let ran = run_on(SHOP, &options);
            assert_eq!(
                (ran.status, verdicts(&ran)),
                (1, expected.map(str::to_owned).to_vec()),
                "{options:?}"
            );
        }
    }
}

#[test]
fn a_failure_says_how_far_it_gets() {
    let ran = run_on(SHOP, &["check", "--property", "twice", "--property", "early", "--trace"]);
    insta::assert_snapshot!(ran.transcript());
    let json = run_on(SHOP, &["check", "--property", "twice", "--format", "json"]).json();
    let scenario = &json["properties"][0]["scenario"];
    assert_eq!(scenario["reached"]["steps"], 2, "{scenario}");
    assert_eq!(scenario["reached"]["instead"][0], "Cus: thank");
    assert_eq!(scenario["reached"]["trace"]["labels"][1], "Mer: sell");
}

#[test]
fn explanations() {
    for name in ["happy", "twice"] {
        let ran = run_on(SHOP, &["explain", "--property", name]);
        insta::assert_snapshot!(format!("explained_{name}"), ran.transcript());
    }
}

#[test]
fn only_what_has_to_hold_fails_the_check() {
    let status = |property: &str, level: &str| {
        run_on(SHOP, &["check", "--property", property, "--level", level]).status
    };
    assert_eq!([status("in_time", "must"), status("in_time", "should"), status("in_time", "may")], [0, 1, 1]);
    assert_eq!([status("soon", "must"), status("soon", "should"), status("soon", "may")], [0, 0, 1]);
    let shown = run_on(SHOP, &["check", "--property", "in_time", "--property", "soon"]);
    assert_eq!(shown.status, 0);
    insta::assert_snapshot!(shown.transcript());
}

#[test]
fn levels_and_citations_in_every_format() {
    let shown = |format: &str| run_on(SHOP, &["check", "--format", format]).stdout;
    let json: serde_json::Value = serde_json::from_str(&shown("json")).unwrap();
    assert_eq!(json["properties"][5]["level"], "should");
    assert_eq!(json["properties"][5]["cite"], "Shop rules 4.2");
    let junit = shown("junit");
    assert!(junit.contains("<skipped message=\"false, expected true (should; Shop rules 4.2)\""), "{junit}");
    assert!(junit.contains("failures=\"3\" errors=\"0\" skipped=\"2\""), "{junit}");
    let sarif: serde_json::Value = serde_json::from_str(&shown("sarif")).unwrap();
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["id"] == "unwanted-verdict/in_time").unwrap();
    assert_eq!(rule["help"]["text"], "Shop rules 4.2");
    let level = |name: &str| {
        let results = run["results"].as_array().unwrap();
        let named = |it: &&serde_json::Value| it["locations"][0]["logicalLocations"][0]["name"] == name;
        results.iter().find(named).unwrap()["level"].clone()
    };
    assert_eq!([level("twice"), level("in_time"), level("soon")], ["error", "warning", "note"]);
    let github = shown("github");
    for line in ["::error title=twice", "::warning title=in_time", "::notice title=soon"] {
        assert!(github.contains(line), "{line}: {github}");
    }
}

/// Whether a run begins with the steps, by looking at all states: `None` stands for any number of steps.
fn oracle(loaded: &Loaded, steps: &[Option<&str>]) -> bool {
    let model = loaded.model();
    let mut mover = Mover::new(model);
    let mut waiting: VecDeque<(Vec<u64>, usize)> = mover.initial_states().map(|state| (state, 0)).collect();
    let mut seen: HashSet<(Vec<u64>, usize)> = waiting.iter().cloned().collect();
    while let Some((state, at)) = waiting.pop_front() {
        if at == steps.len() {
            return true;
        }
        let mut next = Vec::new();
        if steps[at].is_none() {
            next.push((state.clone(), at + 1));
        }
        let visit = |cause: Cause<'_>, target: &[u64]| {
            let label = model.show_cause(cause);
            match steps[at] {
                None => next.push((target.to_vec(), at)),
                Some(wanted) if label == format!("A: {wanted}") || wanted == "_" => {
                    next.push((target.to_vec(), at + 1));
                }
                Some(_) => {}
            }
        };
        let _ = mover.try_for_each_possible(&state, || Ok::<(), ()>(()), visit);
        waiting.extend(next.into_iter().filter(|found| seen.insert(found.clone())));
    }
    false
}

#[test]
fn random_scenarios_against_a_plain_search() {
    let mut chance = Chance::new(13);
    let mut pick = |count: usize| chance.below(count).unwrap();
    let (mut possible, mut impossible) = (0, 0);
    for _ in 0..60 {
        let mut text = "protocol P\nroles A\nvar x : bool = {false, true}\nstart s0\n".to_owned();
        for _ in 0..5 {
            let guard = ["", "when x", "when !x"][pick(3)];
            let set = ["", "set x = !x"][pick(2)];
            let (from, label, to) = (pick(3), ["a", "b", "c"][pick(3)], pick(3));
            text.push_str(&format!("s{from} -- A: {label} {guard} {set} --> s{to}\n"));
        }
        text.push_str(["", "fair in s1\n", "fair x\n"][pick(3)]);
        let mut scenarios = Vec::new();
        for number in 0..6 {
            let steps: Vec<Option<&str>> = (0..1 + pick(4))
                .map(|_| [Some("a"), Some("b"), Some("c"), Some("_"), None][pick(5)])
                .collect();
            let written: Vec<&str> = steps.iter().map(|step| step.unwrap_or("...")).collect();
            text.push_str(&format!("scenario c{number} {{ {} }}\n", written.join("; ")));
            scenarios.push(steps);
        }
        // Messages that no transition sends are no labels of this protocol.
        let Ok(loaded) = Loaded::read(Language::Pact, "p.pact", text.as_str(), Choices::default()) else {
            continue;
        };
        let questions = loaded.questions(&[], &[]).unwrap();
        let report = check(&loaded, &questions, CheckOptions::default(), Watch::none());
        for (property, steps) in report.properties.iter().zip(&scenarios) {
            let expected = oracle(&loaded, steps);
            assert_eq!(property.verdict.decided(), Some(expected), "{} in\n{text}", property.name);
            if expected { possible += 1 } else { impossible += 1 }
        }
    }
    assert!(possible > 20 && impossible > 20, "{possible} {impossible}");
}
