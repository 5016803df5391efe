//! Mappings: findings as an audit reports them, names in them and in their models, what fits where.

use serde_json::{Value, json};

use crate::client::{Client, Oracle};

const MAP: &str = "file:///shop/orders.audit.toml";

const MODEL: &str = "\
roles Agent, Boss
message orders(0..1)
start idle
idle -- Agent: asks --> asked
asked -- Boss: approves --> idle
property kept = A G true
";

const TEXT: &str = r#"version = 1
[fields]
order = "/order"
event = "/event"
[define]
asked = 'event = "asked"'
[[view]]
name = "order"
model = "shop.pact"
key = ["order"]
event = [
  { when = 'asked', label = "Agent: asks" },
  { when = 'has(event) & slice_in("asked")', label = "Boss: approves" },
]
levels = { kept = "should" }
"#;

fn opened(text: &str) -> Client {
    let mut client = Client::with(Oracle { files: vec![("/shop/shop.pact", MODEL)] }, json!({}));
    client.open(MAP, text);
    client
}

/// Where some words stand, and so many characters behind their beginning.
fn place(text: &str, words: &str, behind: u32) -> (u32, u32) {
    let line = text.lines().position(|line| line.contains(words)).expect("these words");
    let column = text.lines().nth(line).and_then(|line| line.find(words)).expect("these words");
    (line as u32, column as u32 + behind)
}

fn proposed(client: &mut Client, text: &str, words: &str, behind: u32) -> Vec<Value> {
    let place = place(text, words, behind);
    client.at("textDocument/completion", MAP, place).as_array().expect("as the protocol says").clone()
}

fn labels(found: &[Value]) -> Vec<&str> {
    found.iter().map(|one| one["label"].as_str().expect("as the protocol says")).collect()
}

#[test]
fn a_mapping_without_mistakes_has_no_findings() {
    assert_eq!(opened(TEXT).findings(MAP), Vec::<Value>::new());
}

/// What is wrong, as lines with the code and the message, and what is proposed instead.
fn wrong(text: &str) -> Vec<(u64, String, String)> {
    let mut client = opened(text);
    let found = client.findings(MAP);
    let mut shown = Vec::new();
    for one in found {
        let asked = json!({ "textDocument": { "uri": MAP }, "range": one["range"], "context": { "diagnostics": [one] } });
        let actions = client.ask("textDocument/codeAction", asked);
        let edit = actions[0]["edit"]["changes"][MAP][0]["newText"].as_str().unwrap_or_default().to_owned();
        let line = one["range"]["start"]["line"].as_u64().expect("as the protocol says") + 1;
        shown.push((line, one["code"].as_str().expect("as the protocol says").to_owned(), edit));
    }
    shown
}

#[test]
fn every_mistake_is_shown_at_once_and_mended_by_the_nearest_name() {
    let text = TEXT
        .replace("[fields]", "[field]\nx = 1\n[fields]")
        .replace("has(event)", "hass(event)")
        .replace("when = 'asked'", "when = 'askd'")
        .replace("Boss: approves", "Boss: aproves")
        .replace("kept =", "keptt =");
    let found = wrong(&text);
    let shown: Vec<(u64, &str, &str)> =
        found.iter().map(|(line, code, by)| (*line, code.as_str(), by.as_str())).collect();
    assert_eq!(
        shown,
        [
            (2, "unknown-key", "fields"),
            (14, "unknown-name", "asked"),
            (15, "unknown-name", "has"),
            (15, "unknown-label", "Boss: approves"),
            (17, "unknown-property", "kept"),
        ]
    );
    // The text of a fix takes the place of the name alone.
    let mut client = opened(&text);
    let found = client.findings(MAP);
    let range = &found[3]["range"];
    let columns =
        [&range["start"]["character"], &range["end"]["character"]].map(|at| at.as_u64().expect("a number"));
    assert_eq!(columns[1] - columns[0], "Boss: aproves".len() as u64);
}

#[test]
fn a_model_that_cannot_be_read_is_a_mistake_where_it_is_named() {
    let found = wrong(&TEXT.replace("shop.pact", "shops.pact"));
    assert_eq!(found[0].0, 9);
    let mut client = opened(TEXT);
    client.findings(MAP);
    // As the model is typed, with what is open before what is on disk; and mended.
    client.open("file:///shop/shop.pact", &MODEL.replace("start idle", "strat idle"));
    client.findings("file:///shop/shop.pact");
    let broken = client.shown[MAP].1.clone();
    assert_eq!(broken[0]["range"]["start"]["line"], 8, "{broken:?}");
    assert_eq!(broken[0]["relatedInformation"][0]["location"]["uri"], "file:///shop/shop.pact");
    client.change("file:///shop/shop.pact", json!([{ "text": MODEL }]));
    client.findings("file:///shop/shop.pact");
    assert_eq!(client.shown[MAP].1, Vec::<Value>::new());
}

#[test]
fn labels_lead_into_the_model() {
    let mut client = opened(TEXT);
    let into = |client: &mut Client, words: &str, behind: u32| {
        let found = client.at("textDocument/definition", MAP, place(TEXT, words, behind));
        (found["uri"].as_str().unwrap_or_default().to_owned(), found["range"]["start"]["line"].as_u64())
    };
    let model = "file:///shop/shop.pact".to_owned();
    assert_eq!(into(&mut client, "Agent: asks", 1), (model.clone(), Some(0)));
    assert_eq!(into(&mut client, "Agent: asks", 8), (model.clone(), Some(3)));
    assert_eq!(into(&mut client, "Boss: approves", 7), (model.clone(), Some(4)));
    assert_eq!(into(&mut client, "slice_in(\"asked", 11), (model.clone(), Some(4)));
    assert_eq!(into(&mut client, "kept", 1), (model, Some(5)));
    // Its own names are declared in it.
    assert_eq!(into(&mut client, "when = 'asked", 9), (MAP.to_owned(), Some(5)));
    let hover = client.at("textDocument/hover", MAP, place(TEXT, "Boss: approves", 7));
    let words = hover["contents"]["value"].as_str().expect("words");
    assert!(words.contains("message") && words.contains("approves"), "{words}");
    // What is marked is marked in this text.
    let marked = client.at("textDocument/documentHighlight", MAP, place(TEXT, "Agent: asks", 1));
    assert_eq!(marked.as_array().expect("a list").len(), 1, "{marked}");
}

#[test]
fn keys_and_functions_say_what_they_are_for() {
    let mut client = opened(TEXT);
    let mut words = |about: &str, behind: u32| {
        let hover = client.at("textDocument/hover", MAP, place(TEXT, about, behind));
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert!(words("model =", 2).contains("the file of the model"));
    assert!(words("has(event)", 1).contains("whether there is a value"));
    assert!(words("[[view]]", 3).contains("a model, the key"));
    assert!(words("label =", 1).contains("what the line means"));
    assert!(words("event = \"/event\"", 1).contains("**field** `event`"));
}

#[test]
fn what_fits_is_proposed_with_what_it_replaces() {
    let mut client = opened(TEXT);
    let found = proposed(&mut client, TEXT, "Boss: approves", 6);
    assert_eq!(labels(&found), ["Agent: asks", "Boss: approves"]);
    let column = place(TEXT, "Boss: approves", 0).1;
    assert_eq!(found[0]["textEdit"]["range"]["start"]["character"], column);
    assert_eq!(found[0]["textEdit"]["range"]["end"]["character"], column + "Boss: ".len() as u32);
    let found = proposed(&mut client, TEXT, "has(event)", 6);
    for wanted in ["event", "order", "asked", "has", "recall"] {
        assert!(labels(&found).contains(&wanted), "{wanted}");
    }
    let found = proposed(&mut client, TEXT, "slice_in(\"asked", 12);
    assert!(labels(&found).contains(&"idle"));
    let found = proposed(&mut client, TEXT, "name = \"order\"", 0);
    assert!(labels(&found).contains(&"silent") && !labels(&found).contains(&"model"));
    let found = proposed(&mut client, TEXT, "kept", 2);
    assert_eq!(labels(&found), ["kept"]);
}

#[test]
fn own_names_are_renamed_and_those_of_others_are_not() {
    let mut client = opened(TEXT);
    let rename = |client: &mut Client, words: &str, behind: u32, name: &str| {
        let (line, character) = place(TEXT, words, behind);
        let position = json!({ "line": line, "character": character });
        client.try_ask(
            "textDocument/rename",
            json!({ "textDocument": { "uri": MAP }, "position": position, "newName": name }),
        )
    };
    let renamed = rename(&mut client, "asked =", 1, "was_asked").expect("a change");
    assert_eq!(renamed["changes"][MAP].as_array().expect("a list").len(), 2, "{renamed}");
    assert!(rename(&mut client, "asked =", 1, "event").is_err(), "a field is called so");
    assert!(rename(&mut client, "Boss: approves", 7, "agrees").is_err(), "a name of the model");
    assert!(rename(&mut client, "model =", 1, "modle").is_err(), "a key");
}

/// Every request at every place of a text that is typed up to there.
#[test]
fn nothing_that_is_half_typed_is_too_much() {
    let mut client = opened("");
    for end in (0..=TEXT.len()).step_by(7) {
        let text = &TEXT[..end];
        client.change(MAP, json!([{ "text": text }]));
        let line = text.matches('\n').count() as u32;
        let character = (text.len() - text.rfind('\n').map_or(0, |at| at + 1)) as u32;
        for method in ["completion", "hover", "definition", "documentHighlight", "prepareRename"] {
            client.at(&format!("textDocument/{method}"), MAP, (line, character));
        }
        for method in
            ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "inlayHint", "formatting"]
        {
            client.ask(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": MAP } }));
        }
    }
}
