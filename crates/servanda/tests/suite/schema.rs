//! JSON output against the schemas in `docs/schema`.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::program::{ODD, ODD_ISPL, Ran, run, run_on, run_on_aut, run_on_ispl};

/// The published schema, which allows for fields of later versions.
fn published(name: &str) -> Value {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let text = std::fs::read_to_string(root.join(format!("{name}.schema.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The same schema, allowing for nothing that it does not refer to: what this version writes must be described.
fn strict(mut schema: Value) -> Value {
    fn close(value: &mut Value) {
        match value {
            Value::Object(object) => {
                object.values_mut().for_each(close);
                if object.contains_key("properties") && !object.contains_key("additionalProperties") {
                    object.insert("additionalProperties".to_owned(), json!(false));
                }
            }
            Value::Array(array) => array.iter_mut().for_each(close),
            _ => {}
        }
    }
    close(&mut schema);
    schema
}

fn fits(name: &str, runs: &[Ran]) {
    fits_all(name, runs.iter().map(Ran::json));
}

/// Everything fits the published schema, and has nothing that it does not refer to.
pub(crate) fn fits_all(name: &str, objects: impl Iterator<Item = Value>) {
    let validators =
        [published(name), strict(published(name))].map(|schema| jsonschema::validator_for(&schema).unwrap());
    for object in objects {
        for validator in &validators {
            let errors: Vec<String> = validator
                .iter_errors(&object)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{errors:?}: {object:#}");
        }
    }
}

#[test]
fn lines_of_check() {
    let lines = |ran: Ran| -> Vec<Value> {
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let check = |arguments: &[&str]| lines(run(&[&["check", "--format", "jsonl"], arguments].concat()));
    let all = [
        check(&["examples/netbill.pact", "examples/dining3.ispl"]),
        check(&["examples/auction2.pact", "--param", "N=2..3", "--stats"]),
        check(&["examples/netbill.pact", "--trace", "--timeout", "0"]),
        check(&["examples/netbill.pact", "nowhere.pact"]),
    ];
    for lines in &all {
        let (last, before) = lines.split_last().unwrap();
        let files = before.iter().filter(|line| line["type"] == "file").count();
        assert_eq!((last["type"].as_str(), last["files"].as_u64()), (Some("summary"), Some(files as u64)));
    }
    // Each verdict comes before what is said of its file, and is the same.
    let mut known = Vec::new();
    for line in &all[0] {
        match line["type"].as_str() {
            Some("verdict") => known.push((line["name"].clone(), line["verdict"].clone())),
            Some("file") => {
                let properties = line["properties"].as_array().unwrap();
                assert_eq!(known.len(), properties.len());
                for property in properties {
                    assert!(
                        known.contains(&(property["name"].clone(), property["verdict"].clone())),
                        "{property}"
                    );
                }
                known.clear();
            }
            _ => {}
        }
    }
    fits_all("check-lines", all.into_iter().flatten());
}

#[test]
fn states() {
    let states = |arguments: &[&str]| {
        let subject = ["states", "--format", "json", "examples/netbill.pact", "--formula"];
        run(&[&subject[..], arguments].concat())
    };
    fits(
        "states",
        &[
            states(&["EF delivered"]),
            states(&["EF delivered", "--cubes", "--limit", "1", "--stats"]),
            states(&["EF delivered", "--engine", "enumerate"]),
            states(&["EF nothing"]),
            states(&["EF delivered", "--timeout", "0"]),
        ],
    );
}

#[test]
fn walks() {
    let sim = |arguments: &[&str]| run(&[&["sim", "--format", "json", "--random", "9"], arguments].concat());
    fits(
        "sim",
        &[
            sim(&["examples/netbill.pact"]),
            sim(&["examples/auction2.pact", "--param", "N=3", "--walks", "3"]),
            sim(&["examples/dining3.ispl"]),
            sim(&["examples/pnaws.ccs:Closed"]),
        ],
    );
}

#[test]
fn scenarios_and_levels() {
    let text = "protocol P\nroles A\nstart s\ns -- A: a --> t\nt -- A: b --> t\nscenario yes { a; b }\n\
        scenario no { b }\nscenario half { a; a }\nproperty p level should cite \"1.2\" = AF in s\nproperty q level may = false\n";
    fits(
        "check",
        &[
            run_on(text, &["check", "--format", "json"]),
            run_on(text, &["check", "--format", "json", "--trace"]),
        ],
    );
}

#[test]
fn check() {
    let json = ["--format", "json"];
    let check = |arguments: &[&str]| run(&[&["check"], &json[..], arguments].concat());
    fits(
        "check",
        &[
            check(&["examples/netbill.pact"]),
            check(&["examples/netbill.pact", "--stats"]),
            check(&["examples/netbill.pact", "--timeout", "0"]),
            check(&["examples/dining3.ispl", "--engine", "bdd", "--stats"]),
            check(&["examples/dining3.ispl", "--timeout", "0"]),
            check(&["examples/tunnel.pact", "examples/missing.pact"]),
            check(&["examples/pnaws.ccs:Closed", "--formula", "AG EF does(create)"]),
            check(&["examples/netbill.pact", "--trace"]),
            check(&["examples/auction2.pact", "--param", "N=1..2", "--param", "Missing=1"]),
            check(&["examples/auction2.pact", "--param", "N=1..2"]),
            check(&["examples/auction2.pact", "--param", "N=3"]),
            check(&[
                "examples/pnaws.pact",
                "--trace",
                "--formula",
                "AF in agreed",
                "--formula",
                "AG EF does(_)",
            ]),
            check(&["examples/dining3.ispl", "--trace"]),
            check(&["examples/pnaws.ccs:Closed", "--formula", "AG !does(create)", "--trace"]),
            run_on_aut(
                "des (0, 1, 2)\n(0, a, 1)\n",
                &[&["check", "--formula", "EG in s0", "--trace"], &json[..]].concat(),
            ),
            run_on(ODD, &[&["check", "-v"], &json[..]].concat()),
            run_on_ispl(ODD_ISPL, &[&["check"], &json[..]].concat()),
            run_on("protocol", &[&["check"], &json[..]].concat()),
        ],
    );
}

#[test]
fn size() {
    let size = |arguments: &[&str]| run(&[&["size", "--format", "json"], arguments].concat());
    fits(
        "size",
        &[
            size(&["examples/netbill.pact"]),
            size(&["examples/dining3.ispl", "--stats"]),
            size(&["examples/netbill.pact", "--timeout", "0"]),
            size(&["examples/missing.pact"]),
            size(&["examples/auction2.pact", "--param", "N=1..2", "--stats"]),
        ],
    );
}

#[test]
fn conform() {
    let conform = |arguments: &[&str]| run(&[&["conform", "--format", "json"], arguments].concat());
    fits(
        "conform",
        &[
            conform(&["examples/pnaws.pact"]),
            conform(&["examples/netbill.pact"]),
            conform(&["examples/netbill.pact", "--timeout", "0"]),
            conform(&["examples/missing.pact"]),
        ],
    );
}

#[test]
fn equiv() {
    let equiv = |arguments: &[&str]| run(&[&["equiv", "--format", "json"], arguments].concat());
    let (netbill, tunnel) = ("examples/netbill.pact", "examples/tunnel.pact");
    fits(
        "equiv",
        &[
            equiv(&[netbill, netbill]),
            equiv(&[netbill, tunnel]),
            equiv(&[netbill, tunnel, "--relation", "trace"]),
            equiv(&[netbill, tunnel, "--relation", "weak-failures-within"]),
            equiv(&[netbill, tunnel, "--relation", "ready-simulates"]),
            equiv(&[netbill, "examples/pnaws.pact"]),
            equiv(&[netbill, tunnel, "--timeout", "0"]),
            equiv(&[netbill, "examples/missing.pact"]),
        ],
    );
}

#[test]
fn conform_to() {
    let conform = |arguments: &[&str]| run(&[&["conform", "--format", "json"], arguments].concat());
    let (netbill, customer) = ("examples/netbill.pact", "examples/customer.pact");
    fits(
        "conform-to",
        &[
            conform(&[customer, "--to", netbill, "--as", "Cus", "--hide", "Mer: refund"]),
            conform(&[customer, "--to", netbill]),
            conform(&[netbill, "--to", customer]),
            conform(&[customer, "--to", netbill, "--timeout", "0"]),
            conform(&[customer, "--to", "examples/missing.pact"]),
        ],
    );
}

#[test]
fn abta() {
    let abta = |arguments: &[&str]| run(&[&["abta", "--format", "json"], arguments].concat());
    fits(
        "abta",
        &[
            abta(&["p"]),
            abta(&["E G F p"]),
            abta(&["AG (Cr(a, SC(a, b, F p)) -> F Sat(a, SC(a, b, F p)))"]),
            abta(&["E (does(pay) U SC(i, j, p))", "--no-simplify"]),
            abta(&["E !Ac(j, SC(i, j, p))", "--rules", "paper"]),
            abta(&["A (F G Ac(Ag2, PC(Ag1, Ag2, t, phi)))", "--rules", "paper"]),
            abta(&["A (F G Ac(Ag2, PC(Ag1, Ag2, t, phi)))", "--rules", "paper", "--closure"]),
            abta(&["EX phi1", "--model", "examples/figure2.pact"]),
            abta(&[
                "AG (Ch(Ag2, c) -> F Jus(Ag1, c, phi2))",
                "--model",
                "examples/figure2.pact",
                "--closure",
            ]),
        ],
    );
}

#[test]
fn convert() {
    let convert = |file: &str| run(&["convert", file, "--to", "json"]);
    let files = ["netbill.pact", "handshake.pact", "dining3.ispl", "pnaws.ccs:Closed"];
    fits("convert", &files.map(|file| convert(&format!("examples/{file}"))));
}

/// A schema that everything fits would be of no use.
#[test]
fn the_schema_refuses_what_is_wrong() {
    let validator = jsonschema::validator_for(&published("check")).unwrap();
    let mut object = run(&["check", "examples/tunnel.pact", "--format", "json"]).json();
    assert!(validator.is_valid(&object));
    object["properties"][0]["verdict"] = json!("maybe");
    assert!(!validator.is_valid(&object));
}
