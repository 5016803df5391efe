//! Graphs of states.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::explain::told_state;
use super::talk::{Job, about, example, examples};
use crate::program::{LARGE, run};

fn graph(path: &str, text: &str, by: Value, most: usize) -> Job {
    Job::new(&about(
        path,
        text,
        json!({"kind": "graph", "by": by, "most": most, "limits": {"seconds": 60.0}}),
    ))
}

/// The graph that is told first; `None` where there is none.
fn told(job: &mut Job) -> Option<Value> {
    while let Some(event) = job.next() {
        match event["event"].as_str().unwrap() {
            "graph" => return Some(event["graph"].clone()),
            "refused" => return None,
            _ => {}
        }
    }
    None
}

fn is_sound(graph: &Value, path: &str) {
    let (nodes, edges) = (graph["nodes"].as_array().unwrap(), graph["edges"].as_array().unwrap());
    for (index, node) in nodes.iter().enumerate() {
        assert_eq!(node["id"], json!(index), "{path}");
    }
    let mut known = BTreeSet::new();
    for (index, edge) in edges.iter().enumerate() {
        assert_eq!(edge["id"], json!(index), "{path}");
        let ends = (edge["from"].as_u64().unwrap(), edge["to"].as_u64().unwrap());
        assert!(ends.0.max(ends.1) < nodes.len() as u64 && known.insert(ends), "{path}");
    }
}

#[test]
fn the_graph_of_states_has_the_states_that_size_counts() {
    for (path, text) in examples() {
        let mut job = graph(&path, &text, json!("state"), 3000);
        let Some(graph) = told(&mut job) else { continue };
        is_sound(&graph, &path);
        let process: &[&str] = if path.ends_with("pnaws.ccs") { &["--process", "Closed"] } else { &[] };
        let size =
            run(&[&["size", path.as_str(), "--engine", "enumerate", "--format", "json"], process].concat())
                .json();
        let nodes = graph["nodes"].as_array().unwrap();
        let count = |field: &str| nodes.iter().filter(|node| node[field] == true).count().to_string();
        if graph["isWhole"] == true {
            assert_eq!(json!(nodes.len().to_string()), size["model"]["states"], "{path}");
            assert_eq!(json!(count("isDeadlock")), size["model"]["deadlocks"], "{path}");
            assert_eq!(graph["states"], size["model"]["states"], "{path}");
            let different: BTreeSet<String> =
                nodes.iter().map(|node| format!("{:?}", told_state(&node["state"]))).collect();
            assert_eq!(different.len(), nodes.len(), "{path}");
        } else {
            assert!(nodes.len() <= 3000, "{path}");
        }
        let way = job.answer(&json!({"way": nodes.len() - 1}));
        if way["event"] == "path" {
            walks(&way, &graph, nodes.len() - 1, &path);
        }
        // By control states, and by the first variable.
        for by in [json!("control"), json!({"variables": [graph["variables"][0]]})] {
            let mut job = self::graph(&path, &text, by, 3000);
            let Some(projected) = told(&mut job) else { continue };
            is_sound(&projected, &path);
            let stand: u64 = projected["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|node| node["states"].as_u64().unwrap())
                .sum();
            if graph["isWhole"] == true && projected["isWhole"] == true {
                assert_eq!(stand, nodes.len() as u64, "{path}");
            }
        }
    }
}

/// A way begins in an initial node, ends in the wanted one, and its edges lead from each to the next.
fn walks(way: &Value, graph: &Value, to: usize, path: &str) {
    let (states, edges) = (way["states"].as_array().unwrap(), way["edges"].as_array().unwrap());
    assert_eq!(states.len(), edges.len() + 1, "{path}");
    assert_eq!(states.last().unwrap(), &json!(to), "{path}");
    assert_eq!(graph["nodes"][states[0].as_u64().unwrap() as usize]["isInitial"], true, "{path}");
    for (pair, edge) in states.windows(2).zip(edges) {
        let edge = &graph["edges"][edge.as_u64().unwrap() as usize];
        assert_eq!((&edge["from"], &edge["to"]), (&pair[0], &pair[1]), "{path}");
    }
}

#[test]
fn a_way_is_as_short_as_any() {
    let path = "examples/netbill.pact";
    let mut job = graph(path, &example(path), json!("state"), 3000);
    let graph = told(&mut job).unwrap();
    // Breadth first, by hand.
    let mut distance: BTreeMap<u64, usize> = BTreeMap::new();
    let nodes = graph["nodes"].as_array().unwrap();
    let mut level: Vec<u64> = nodes
        .iter()
        .filter(|node| node["isInitial"] == true)
        .map(|node| node["id"].as_u64().unwrap())
        .collect();
    let mut steps = 0;
    while !level.is_empty() {
        level.retain(|node| distance.insert(*node, steps).is_none() || distance[node] == steps);
        let next = graph["edges"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|edge| level.contains(&edge["from"].as_u64().unwrap()));
        let next: BTreeSet<u64> =
            next.map(|edge| edge["to"].as_u64().unwrap()).filter(|to| !distance.contains_key(to)).collect();
        level = next.into_iter().collect();
        steps += 1;
    }
    for node in 0..nodes.len() {
        let way = job.answer(&json!({"way": node}));
        walks(&way, &graph, node, path);
        assert_eq!(way["edges"].as_array().unwrap().len(), distance[&(node as u64)], "{node}");
    }
    assert_eq!(job.answer(&json!({"way": nodes.len()}))["event"], "refused");
}

#[test]
fn states_are_found_and_those_that_look_the_same() {
    let path = "examples/netbill.pact";
    let mut job = graph(path, &example(path), json!("state"), 3000);
    let graph = told(&mut job).unwrap();
    let found = job.answer(&json!({"find": "EF delivered"}));
    let states =
        run(&["states", path, "--formula", "EF delivered", "--engine", "enumerate", "--format", "json"])
            .json();
    assert_eq!(found["count"].as_str().unwrap(), states["satisfying"].as_str().unwrap(), "{states:#}");
    assert_eq!(json!(found["states"].as_array().unwrap().len().to_string()), found["count"]);
    assert_eq!(job.answer(&json!({"find": "EF delivred"}))["findings"][0]["place"]["path"], "formula");
    let role = graph["roles"][0].as_str().unwrap();
    let nodes = graph["nodes"].as_array().unwrap();
    // What a role sees of a state, from the state itself: what is in force is seen by all in this model.
    let sees = |node: &Value| -> (Vec<Value>, Value) {
        let seen = node["state"]["values"].as_array().unwrap().iter();
        let seen = seen.filter(|value| value["seenBy"].as_array().unwrap().contains(&json!(role)));
        let in_force: Vec<Value> =
            node["state"]["inForce"].as_array().unwrap().iter().map(|one| one["text"].clone()).collect();
        (seen.map(|value| value["value"].clone()).collect(), json!(in_force))
    };
    for node in nodes {
        let event = job.answer(&json!({"alike": node["id"], "role": role}));
        let alike: Vec<Value> = event["alike"]["states"].as_array().unwrap().clone();
        let expected: Vec<Value> =
            nodes.iter().filter(|other| sees(other) == sees(node)).map(|other| other["id"].clone()).collect();
        assert_eq!(alike, expected, "{event:#}");
    }
    let refused = job.answer(&json!({"alike": 0, "role": "Mrr"}));
    assert!(refused["findings"][0]["help"].to_string().contains("did you mean"), "{refused:#}");
}

#[test]
fn a_graph_that_is_too_large_says_what_to_do() {
    let mut job = graph("large.pact", LARGE, json!("state"), 500);
    let whole = told(&mut job).unwrap();
    assert_eq!((whole["isWhole"].as_bool(), whole["nodes"].as_array().unwrap().len()), (Some(false), 500));
    assert!(whole["message"].as_str().unwrap().contains("control states"));
    assert!(whole["nodes"].as_array().unwrap().iter().all(|node| node["isDeadlock"] == false));
    let text = LARGE.replace("N = 9", "N = 5");
    let mut job = graph("large.pact", &text, json!({"variables": ["x[1]"]}), 500);
    let projected = told(&mut job).unwrap();
    assert_eq!(
        (projected["isWhole"].as_bool(), projected["nodes"].as_array().unwrap().len()),
        (Some(true), 10),
        "{projected:#}"
    );
    assert_eq!(projected["nodes"][3]["states"], 10_000);
    assert_eq!(job.answer(&json!({"find": "x[1] = 3"}))["event"], "refused");
    let way = job.answer(&json!({"way": 4}));
    assert_eq!(way["states"].as_array().unwrap().len(), 5);
    let mut job = graph("large.pact", LARGE, json!({"variables": ["y[1]"]}), 500);
    assert!(told(&mut job).is_none());
    assert!(job.told.last().unwrap()["findings"][0]["help"].to_string().contains("x[1]"));
}
