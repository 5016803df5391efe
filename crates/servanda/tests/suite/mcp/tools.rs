//! Each tool on what makes sense, and on what does not.

use serde_json::{Value, json};

use super::talk::{Assistant, examples, text};
use crate::program::LARGE;

/// An order whose property fails: who owes may withdraw.
const ORDER: &str = "\
protocol Order
roles Cus, Mer
commitment pay = SC(Cus, Mer, F in done)
start idle
idle -- Cr(Cus, pay)  --> owed
owed -- Sat(Cus, pay) --> done
owed -- Wit(Cus, pay) --> idle
done -- Mer: thank    --> done
property promised    expect true  = AG (in owed -> SC(Cus, Mer, F in done))
property always_paid = AG (in owed -> AF in done)
";

fn structure(result: &Value) -> &Value {
    &result["structuredContent"]
}

#[test]
fn a_check_of_nothing_has_not_passed_and_what_is_below_the_level_is_told() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let model = "protocol X\nroles A\nvar p : bool = false\nstart s\ns -- A: go --> s\n";
    let nothing = assistant.call("check", &json!({ "model": model }));
    assert_eq!(structure(&nothing)["status"], "undecided");
    assert!(text(&nothing).contains("there are no properties, so nothing was decided"));
    let minor =
        assistant.call("check", &json!({ "model": format!("{model}property w level should = AG p\n") }));
    assert_eq!(structure(&minor)["status"], "ok");
    assert!(
        text(&minor).starts_with("ok: 1 not as wanted and 0 unknown, below the level asked for"),
        "{minor:#}"
    );
    assistant.leave();
}

#[test]
fn a_check_says_which_lines_to_change() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let result = assistant.call("check", &json!({ "model": ORDER }));
    insta::assert_snapshot!(text(&result));
    let told = structure(&result);
    assert_eq!(told["status"], "failed");
    let lines: Vec<u64> = told["properties"][0]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [5, 7]);
    assert_eq!(told["properties"][0]["at"]["line"], 10);
    let good = assistant.call("check", &json!({ "file": "netbill.pact" }));
    assert_eq!(structure(&good)["status"], "ok");
    assert_eq!(structure(&good)["properties"].as_array().unwrap().len(), 8);
    let one = assistant
        .call("check", &json!({ "file": "netbill.pact", "properties": ["deadlock_free"], "engine": "bdd" }));
    assert_eq!(structure(&one)["properties"].as_array().unwrap().len(), 1);
    let formula = json!({ "model": ORDER, "formulas": ["EF in done", "AG !in done"] });
    let formula = assistant.call("check", &formula);
    assert_eq!(structure(&formula)["status"], "failed");
    assert_eq!(structure(&formula)["properties"][0]["formula"], "AG !in done");
    assistant.leave();
}

#[test]
fn a_model_with_mistakes_is_a_result_with_all_of_them() {
    let wrong = ORDER
        .replace("Sat(Cus, pay)", "Sat(Cus, pya)")
        .replace("AF in done", "AF in don")
        .replace("Mer: thank", "Mre: thank");
    let mut assistant = Assistant::new(&examples(), &[]);
    let result = assistant.call("check", &json!({ "model": wrong }));
    insta::assert_snapshot!(text(&result));
    assert_eq!(result["isError"], true);
    let findings = structure(&result)["findings"].as_array().unwrap();
    let near: Vec<&str> = findings.iter().filter_map(|finding| finding["nearest"].as_str()).collect();
    assert!(near.contains(&"pay") && near.contains(&"done") && near.contains(&"Mer"), "{near:?}");
    let links = result["content"].as_array().unwrap().iter().filter(|block| block["type"] == "resource_link");
    for link in links {
        let read = assistant.ask("resources/read", &json!({ "uri": link["uri"] }));
        assert!(read["result"]["contents"][0]["text"].as_str().unwrap().starts_with("# `"), "{read}");
    }
    for tool in ["explain", "simulate", "format"] {
        let arguments = json!({ "model": "protocol X\nroles A\nstart s\ns -- B: go -> s\n" });
        let arguments = if tool == "explain" { with(&arguments, "property", &json!("p")) } else { arguments };
        let result = assistant.call(tool, &arguments);
        assert_eq!(result["isError"], true, "{tool}: {result:#}");
        assert!(text(&result).contains("model.pact:4:"), "{tool}: {}", text(&result));
    }
    assistant.leave();
}

fn with(arguments: &Value, name: &str, value: &Value) -> Value {
    let mut arguments = arguments.clone();
    arguments[name] = value.clone();
    arguments
}

#[test]
fn arguments_that_make_no_sense_are_told_all_at_once() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let cases = [
        ("check", json!({ "modle": "x", "timeout": "soon" }), vec!["did you mean `model`?", "`timeout`"]),
        ("check", json!({}), vec!["no model is given"]),
        ("check", json!({ "model": "x", "file": "netbill.pact" }), vec!["not both"]),
        ("check", json!({ "file": "netbil.pact" }), vec!["there is no netbil.pact"]),
        ("check", json!({ "file": "../Cargo.toml" }), vec!["not allowed"]),
        ("check", json!({ "file": "/etc/passwd" }), vec!["not allowed"]),
        (
            "check",
            json!({ "model": ORDER, "engine": "bddd" }),
            vec!["no engine is called `bddd`", "did you mean `bdd`?"],
        ),
        (
            "check",
            json!({ "model": ORDER, "properties": ["always_pay", "x"] }),
            vec!["always_pay", "did you mean `always_paid`?"],
        ),
        ("check", json!({ "model": ORDER, "timeout": -1 }), vec!["greater than 0"]),
        ("check", json!({ "model": ORDER, "parameters": { "N": 3 } }), vec!["`N`"]),
        ("explain", json!({ "model": ORDER }), vec!["name one `property`"]),
        (
            "explain",
            json!({ "property": "p", "formula": "q" }),
            vec!["name one `property`", "no model is given"],
        ),
        ("explain", json!({ "model": ORDER, "formula": "AG (in owed ->" }), vec!["error"]),
        (
            "simulate",
            json!({ "model": ORDER, "take": ["Cr(Cus, pya)"] }),
            vec!["cannot happen here", "did you mean `Cr(Cus, pay)`?"],
        ),
        ("simulate", json!({ "model": ORDER, "take": [5] }), vec!["only 0"]),
        ("simulate", json!({ "model": ORDER, "watch": ["in don"] }), vec!["did you mean `done`?"]),
        ("simulate", json!({ "model": ORDER, "random": 100_000 }), vec!["at most 200"]),
        ("format", json!({ "model": "x", "language": "ccs" }), vec!["Pact files only"]),
        ("format", json!({ "language": "latin" }), vec!["`language`"]),
        ("audit", json!({ "log": "x" }), vec!["say by what", "mcp/2025-11-25"]),
        ("audit", json!({ "library": "mcp/2025-11-26", "log": "{}" }), vec!["mcp/2025-11-25"]),
        ("audit", json!({}), vec!["give the log", "say by what"]),
        (
            "audit",
            json!({ "log": "{}", "mapping": "", "source": "stdio" }),
            vec!["`source` goes with `library`"],
        ),
        ("describe_error", json!({ "code": "unknown-nam" }), vec!["did you mean `unknown-name`?"]),
        ("describe_error", json!({ "code": "zzzzzzzzzz" }), vec!["all codes are listed"]),
    ];
    for (tool, arguments, parts) in cases {
        let result = assistant.call(tool, &arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result:#}");
        for part in parts {
            assert!(text(&result).contains(part), "{tool} {arguments}: {part}: {}", text(&result));
        }
    }
    assistant.leave();
}

#[test]
fn a_verdict_is_explained_and_what_is_left_out_can_be_had() {
    let mut assistant = Assistant::stateless(&examples());
    let result = assistant.call("explain", &json!({ "model": ORDER, "property": "always_paid" }));
    insta::assert_snapshot!(text(&result));
    let told = structure(&result);
    assert_eq!((&told["verdict"], &told["as_wanted"]), (&json!("false"), &json!(false)));
    let short = json!({ "model": ORDER, "property": "always_paid", "lines": 5 });
    let short = assistant.call("explain", &short);
    let chart = structure(&short)["chart"].as_str().unwrap();
    assert!(
        chart.lines().count() == 6 && chart.contains("more lines: call again with more `lines`"),
        "{chart}"
    );
    let formula = assistant.call("explain", &json!({ "model": ORDER, "formula": "EF in done" }));
    assert_eq!(structure(&formula)["verdict"], "true");
    assistant.leave();
}

#[test]
fn what_was_not_decided_has_not_passed() {
    let mut assistant = Assistant::new(&examples(), &["--timeout", "1s"]);
    let large = json!({ "model": LARGE.replace("< 9\n", "< 10\n"), "engine": "enumerate", "timeout": 1000 });
    let result = assistant.call("check", &large);
    let told = structure(&result);
    assert_eq!(told["status"], "undecided", "{told:#}");
    assert_eq!(told["properties"][0]["verdict"], "unknown");
    assert_eq!(told["properties"][0]["as_wanted"], false);
    assert!(text(&result).starts_with("UNDECIDED"), "{}", text(&result));
    assert!(text(&result).contains("out of time"), "{}", text(&result));
    assistant.leave();
}

#[test]
fn a_walk_is_told_with_what_can_happen_next() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let walk = json!({ "model": ORDER, "take": ["Cr(Cus,pay)", 1], "watch": ["EF in done", "in idle"] });
    let result = assistant.call("simulate", &walk);
    insta::assert_snapshot!(text(&result));
    let random = json!({ "file": "netbill.pact", "random": 40, "seed": 7 });
    let (one, other) = (assistant.call("simulate", &random), assistant.call("simulate", &random));
    assert_eq!(one, other, "the same number gives the same run");
    let told = structure(&one);
    let steps = told["steps"].as_array().unwrap().len() as u64 + told["left_out"].as_u64().unwrap_or(0);
    assert!(steps == 40 || told["choices"].as_array().unwrap().is_empty(), "{told:#}");
    let start = assistant.call("simulate", &json!({ "file": "muddy_children.pact" }));
    let several = structure(&start)["initial"].as_array().map_or(0, Vec::len);
    assert!(several > 1, "{start:#}");
    let chosen =
        assistant.call("simulate", &json!({ "file": "muddy_children.pact", "initial": 1, "random": 3 }));
    assert_eq!(structure(&chosen)["status"], "ok");
    let none = assistant.call("simulate", &json!({ "file": "muddy_children.pact", "random": 3 }));
    assert!(text(&none).contains("choose one with `initial`"), "{}", text(&none));
    assistant.leave();
}

/// Assistants name files by where they are, and with `./`; what lies elsewhere is refused as before.
#[test]
fn a_file_is_the_same_whichever_way_it_is_named() {
    let directory = examples().canonicalize().unwrap();
    let mut assistant = Assistant::new(&directory, &[]);
    let whole = directory.join("netbill.pact");
    for file in ["netbill.pact", "./netbill.pact", whole.to_str().unwrap()] {
        let result = assistant.call("check", &json!({ "file": file }));
        assert_eq!(structure(&result)["status"], "ok", "{file}: {result:#}");
    }
    assistant.leave();
}

/// A promise that is not kept when the log ends has no line of its own, and no line 0 either: where it was made is told.
#[test]
fn a_promise_that_is_not_kept_is_told_with_where_it_was_made() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let mapping = "version = 1\n[fields]\nid = \"/id\"\nact = \"/act\"\n\n[[view]]\nname = \"order\"\n\
        model = \"order.pact\"\nkey = \"id\"\n\n[[view.event]]\nwhen = 'act = \"owe\"'\nlabel = \"Cr(Cus, pay)\"\n";
    let log = "{\"id\": 1, \"act\": \"owe\"}\n";
    let asked =
        json!({ "log": log, "mapping": mapping, "models": { "order.pact": ORDER }, "complete": true });
    let result = assistant.call("audit", &asked);
    assert_eq!(structure(&result)["status"], "failed", "{result:#}");
    let broken = structure(&result)["broken"].as_array().unwrap();
    let broken = broken.iter().find(|one| one["code"] == "pay").unwrap_or_else(|| panic!("{result:#}"));
    assert!(broken["at"].is_null() && broken["since"]["line"] == 1, "{broken:#}");
    assert!(text(&result).contains("at the end of the log"), "{}", text(&result));
    assistant.leave();
}

#[test]
fn a_text_is_formatted_and_stays_so() {
    let mut assistant = Assistant::new(&examples(), &[]);
    let ugly = ORDER.replace("idle -- Cr(Cus, pay)  --> owed", "idle--Cr( Cus,pay )-->owed");
    let result = assistant.call("format", &json!({ "model": ugly }));
    assert_eq!(structure(&result)["changed"], true);
    let formatted = structure(&result)["text"].as_str().unwrap();
    assert_eq!(result["content"][1]["text"], formatted);
    let again = assistant.call("format", &json!({ "model": formatted }));
    assert_eq!(structure(&again)["changed"], false);
    assert_eq!(structure(&again)["text"], formatted);
    assistant.leave();
}

#[test]
fn a_log_is_judged() {
    let library = examples().join("../library");
    let mut assistant = Assistant::new(&library, &[]);
    let bad = json!({ "file": "mcp/2025-11-25/recordings/stdio/progress-falls.jsonl", "library": "mcp/2025-11-25" });
    let result = assistant.call("audit", &bad);
    insta::assert_snapshot!(text(&result));
    assert_eq!(structure(&result)["status"], "failed");
    assert_eq!(structure(&result)["broken"][0]["at"]["line"], 6);
    let good = json!({ "file": "mcp/2025-11-25/recordings/stdio/good.jsonl", "library": "mcp/2025-11-25" });
    assert_eq!(structure(&assistant.call("audit", &good))["status"], "ok");
    let nothing = assistant.call("audit", &json!({ "log": "", "library": "mcp/2025-11-25" }));
    assert_eq!(structure(&nothing)["status"], "undecided", "{nothing:#}");
    let mapped = json!({ "log": "{}", "mapping": "[[views]]\nmodle = \"x\"\n" });
    assert_eq!(assistant.call("audit", &mapped)["isError"], true);
    assistant.leave();
}

#[test]
fn every_code_is_described() {
    let mut assistant = Assistant::new(&examples(), &[]);
    for code in ["unknown-name", "error[unknown-name]", "`Unknown-Name`"] {
        let result = assistant.call("describe_error", &json!({ "code": code }));
        assert!(text(&result).starts_with("# `unknown-name`"), "{result:#}");
    }
    assistant.leave();
}
