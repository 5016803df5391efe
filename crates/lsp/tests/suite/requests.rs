//! Every request, on good, broken and half-typed files.

use serde_json::{Value, json};

use crate::client::{Client, Oracle};

const SHOP: &str = "file:///shop.pact";

const TEXT: &str = "\
protocol Shop
roles Cus, Mer
type Price = 0..3
var paid : bool = false
var price : Price = 1
message quote(price : Price)
commitment promise = SC(Cus, Mer, F paid)
start idle
idle -- Mer: quote!(price) --> asked
asked -- Cr(Cus, promise) set paid = true --> idle
property kept = AG (in asked -> !paid)
scenario sale { ...; Cr(Cus, promise) }
";

fn opened(text: &str) -> Client {
    let mut client = Client::new();
    client.open(SHOP, text);
    client
}

/// The texts that ranges of one kind stand for.
fn written(text: &str, ranges: &[Value]) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let number = |value: &Value| value.as_u64().expect("as the protocol says") as usize;
    let slice = |range: &Value| {
        let (start, end) = (&range["start"], &range["end"]);
        lines[number(&start["line"])][number(&start["character"])..number(&end["character"])].to_owned()
    };
    ranges.iter().map(slice).collect()
}

fn ranges(found: &Value) -> Vec<Value> {
    found.as_array().expect("as the protocol says").iter().map(|one| one["range"].clone()).collect()
}

fn labels(found: &Value) -> Vec<String> {
    found
        .as_array()
        .expect("as the protocol says")
        .iter()
        .map(|one| one["label"].as_str().expect("as the protocol says").to_owned())
        .collect()
}

#[test]
fn names_are_found_from_anywhere() {
    let mut client = opened(TEXT);
    // From `paid` in the property to its declaration.
    let found = client.at("textDocument/definition", SHOP, (10, 34));
    assert_eq!(found["range"]["start"], json!({ "line": 3, "character": 4 }));
    let asked = json!({
        "textDocument": { "uri": SHOP },
        "position": { "line": 3, "character": 5 },
        "context": { "includeDeclaration": false },
    });
    let found = client.ask("textDocument/references", asked);
    let lines: Vec<u64> = ranges(&found)
        .iter()
        .map(|range| range["start"]["line"].as_u64().expect("as the protocol says"))
        .collect();
    assert_eq!(lines, [6, 9, 10]);
    let found = client.at("textDocument/documentHighlight", SHOP, (7, 8));
    assert_eq!(written(TEXT, &ranges(&found)), ["idle"; 3]);
    let hover = client.at("textDocument/hover", SHOP, (9, 18));
    let words = hover["contents"]["value"].as_str().expect("as the protocol says");
    assert!(words.contains("commitment") && words.contains("SC(Cus, Mer, F paid)"), "{words}");
}

fn hovered(client: &mut Client, uri: &str, place: (u32, u32)) -> String {
    client.at("textDocument/hover", uri, place)["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hovering_says_what_formulas_say_and_what_variables_are() {
    let mut client = opened(TEXT);
    let property = hovered(&mut client, SHOP, (10, 10));
    assert!(
        property.contains("says: on every run, at every moment: if in asked, then not paid"),
        "{property}"
    );
    let commitment = hovered(&mut client, SHOP, (6, 13));
    assert!(commitment.contains("it follows from what Cus owes Mer that eventually paid"), "{commitment}");
    // On `AG` both of its letters count, on `->` the condition alone.
    assert!(hovered(&mut client, SHOP, (10, 17)).starts_with("says: on every run, at every moment"));
    assert_eq!(hovered(&mut client, SHOP, (10, 29)), "says: if in asked, then not paid");
    let price = hovered(&mut client, SHOP, (4, 5));
    assert!(price.contains("`price : 0..3`") && price.contains("var price : Price = 1"), "{price}");
    client.change(
        SHOP,
        json!([{ "text": "roles A\nprivate var card of A : {low, high}\nstart s\ns -- A: m --> s\n" }]),
    );
    let card = hovered(&mut client, SHOP, (1, 13));
    assert!(card.contains("`card : {low, high}`, seen by A"), "{card}");
    // Where the text has a mistake elsewhere, formulas still say what they say.
    client.change(SHOP, json!([{ "text": format!("{TEXT}var ?\n") }]));
    assert_eq!(hovered(&mut client, SHOP, (10, 29)), "says: if in asked, then not paid");
}

#[test]
fn formulas_of_ispl_have_lenses_words_and_verdicts() {
    let uri = "file:///lamp.ispl";
    let text = "Agent Lamp\n Vars: on : boolean; end Vars\n Actions = {press, wait};\n Protocol: Other : {press, wait}; end Protocol\n \
                Evolution: on = !on if Action = press; end Evolution\nend Agent\nEvaluation lit if Lamp.on = true; end Evaluation\n\
                InitStates Lamp.on = false; end InitStates\nFormulae\n AG EF lit;\n EF lit;\nend Formulae\n";
    let mut client = Client::new();
    client.open(uri, text);
    assert_eq!(client.findings(uri), Vec::<Value>::new());
    let document = json!({ "textDocument": { "uri": uri } });
    let lenses = client.ask("textDocument/codeLens", document.clone());
    let shown = |lens: &Value| (lens["command"]["title"].clone(), lens["command"]["arguments"][1].clone());
    let lenses = lenses.as_array().expect("as the protocol says");
    assert_eq!(lenses.len(), 6);
    assert_eq!(shown(&lenses[5]), (json!("simulate"), json!("formula_2")));
    assert_eq!(lenses[3]["range"]["start"], json!({ "line": 10, "character": 1 }));
    client.ask("workspace/executeCommand", lenses[3]["command"].clone());
    let hover = hovered(&mut client, uri, (10, 2));
    assert!(hover.contains("on some run eventually lit") && hover.contains("**false**"), "{hover}");
    let hints = client.ask("textDocument/inlayHint", document);
    assert_eq!(hints[0]["position"], json!({ "line": 10, "character": 7 }));
    let range = json!({ "start": { "line": 10, "character": 2 }, "end": { "line": 10, "character": 2 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
    assert_eq!(client.ask("textDocument/codeAction", params), json!([]), "there is no `expect` in ISPL");
    assert!(hovered(&mut client, uri, (1, 7)).contains("`Lamp.on : bool`"));
}

#[test]
fn a_name_changes_everywhere_and_only_to_one_that_is_free() {
    let mut client = opened(TEXT);
    let ask = |client: &mut Client, place: (u32, u32), name: &str| {
        let position = json!({ "line": place.0, "character": place.1 });
        let params = json!({ "textDocument": { "uri": SHOP }, "position": position, "newName": name });
        client.try_ask("textDocument/rename", params)
    };
    let edits = ask(&mut client, (8, 35), "waiting").expect("a free name");
    let edits = edits["changes"][SHOP].as_array().expect("as the protocol says").clone();
    let places: Vec<Value> = edits.iter().map(|edit| edit["range"].clone()).collect();
    assert_eq!(written(TEXT, &places), ["asked"; 3]);
    for taken in ["idle", "roles", "4x", "a b", "", "AG", "U", "Cr", "K", "SC", "does", "true", "_"] {
        assert!(ask(&mut client, (8, 35), taken).is_err(), "{taken}");
    }
    assert!(ask(&mut client, (8, 6), "free").is_err(), "there is no name between dashes");
    assert_eq!(client.at("textDocument/prepareRename", SHOP, (1, 7))["placeholder"], "Cus");
    // A variable and a parameter of a message may have one name.
    let price = ask(&mut client, (4, 5), "cost").expect("a free name");
    assert_eq!(price["changes"][SHOP].as_array().expect("as the protocol says").len(), 2);
}

#[test]
fn texts_are_made_up_of_parts_that_can_be_folded_and_coloured() {
    let text = format!("// one\n// two\n{TEXT}machine Desk {{\n  start a\n  a -- Mer: m --> a\n}}\n");
    let mut client = opened(&text);
    let document = json!({ "textDocument": { "uri": SHOP } });
    let outline = client.ask("textDocument/documentSymbol", document.clone());
    let names: Vec<&str> = outline
        .as_array()
        .expect("as the protocol says")
        .iter()
        .map(|one| one["name"].as_str().expect("as the protocol says"))
        .collect();
    let all = ["Shop", "Cus", "Mer", "Price", "paid", "price", "quote", "promise", "kept", "sale", "Desk"];
    assert_eq!(names, all);
    let folds = client.ask("textDocument/foldingRange", document.clone());
    let folds: Vec<(u64, u64)> = folds
        .as_array()
        .expect("as the protocol says")
        .iter()
        .map(|fold| {
            (
                fold["startLine"].as_u64().expect("as the protocol says"),
                fold["endLine"].as_u64().expect("as the protocol says"),
            )
        })
        .collect();
    assert_eq!(folds, [(14, 17), (0, 1)]);
    let tokens = client.ask("textDocument/semanticTokens/full", document);
    let data: Vec<u64> = tokens["data"]
        .as_array()
        .expect("as the protocol says")
        .iter()
        .map(|one| one.as_u64().expect("as the protocol says"))
        .collect();
    assert_eq!(data[..10], [0, 0, 6, 1, 0, 1, 0, 6, 1, 0], "two comments");
    assert_eq!(data[10..20], [1, 0, 8, 0, 0, 0, 9, 4, 5, 0], "a keyword and a name");
}

#[test]
fn what_fits_is_proposed() {
    let ask = |text: &str, place: (u32, u32)| {
        let mut client = opened(text);
        labels(&client.at("textDocument/completion", SHOP, place))
    };
    let lines = TEXT.lines().count() as u32;
    let has = |list: &[String], wanted: &str| list.iter().any(|one| one == wanted);
    let begin = ask(&format!("{TEXT}pro"), (lines, 3));
    assert!(
        has(&begin, "property") && has(&begin, "scenario") && has(&begin, "idle") && !has(&begin, "paid")
    );
    let target = ask(&format!("{TEXT}asked -- Mer: m --> "), (lines, 20));
    assert_eq!(target, ["asked", "idle"]);
    let label = ask(&format!("{TEXT}asked -- "), (lines, 9));
    assert!(has(&label, "Cr") && has(&label, "Mer") && has(&label, "quote") && !has(&label, "paid"));
    let formula = ask(&format!("{TEXT}property x = AG pa"), (lines, 18));
    assert!(has(&formula, "paid") && has(&formula, "EF") && !has(&formula, "idle"));
    let state = ask(&format!("{TEXT}property x = AG in "), (lines, 19));
    assert_eq!(state, ["asked", "idle"]);
    let types = ask(&format!("{TEXT}var y : "), (lines, 8));
    assert_eq!(types, ["Price"]);
    let comment = ask(&format!("{TEXT}// in "), (lines, 6));
    assert!(comment.is_empty());
}

#[test]
fn findings_come_with_their_places_pages_and_fixes() {
    let mut client =
        Client::with(Oracle { files: Vec::new() }, json!({ "errorPages": "https://pages.example/errors/" }));
    client.open(SHOP, "roles Cus\nroles Cus\nred Cud : true\n");
    let found = client.findings(SHOP);
    let codes: Vec<&str> =
        found.iter().map(|one| one["code"].as_str().expect("as the protocol says")).collect();
    assert!(codes.contains(&"duplicate-name") && codes.contains(&"unknown-name"), "{codes:?}");
    let twice = found.iter().find(|one| one["code"] == "duplicate-name").expect("as the protocol says");
    assert_eq!(twice["relatedInformation"][0]["location"]["range"]["start"]["line"], 0);
    assert_eq!(twice["codeDescription"]["href"], "https://pages.example/errors/duplicate-name.md");
    let range = json!({ "start": { "line": 2, "character": 5 }, "end": { "line": 2, "character": 5 } });
    let params = json!({ "textDocument": { "uri": SHOP }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", params);
    assert_eq!(actions[0]["edit"]["changes"][SHOP][0]["newText"], "Cus");
}

#[test]
fn a_file_is_written_in_standard_form_only_if_it_can_be_read() {
    let mut client = opened("roles   Cus,Mer");
    let document =
        json!({ "textDocument": { "uri": SHOP }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", document.clone());
    assert_eq!(edits[0]["newText"], "roles Cus, Mer\n");
    client.change(SHOP, json!([{ "text": "roles Cus, Mer\n" }]));
    assert_eq!(client.ask("textDocument/formatting", document.clone()), json!([]));
    client.change(SHOP, json!([{ "text": "roles (" }]));
    assert_eq!(client.ask("textDocument/formatting", document), Value::Null);
}

#[test]
fn parts_are_read_as_they_are_in_the_editor() {
    let files = vec![(
        "/d/pay.pact",
        "roles Payer\nvar done : bool = false\nstart s\ns -- Payer: m set done = true --> s\n",
    )];
    let mut client = Client::with(Oracle { files }, json!({}));
    let (shop, pay) = ("file:///d/shop.pact", "file:///d/pay.pact");
    let text = "roles Ann\nuse \"pay.pact\" as pay (Payer = Ann)\nproperty p = EF pay.done\n";
    client.open(shop, text);
    assert_eq!(client.findings(shop), Vec::<Value>::new());
    let found = client.at("textDocument/definition", shop, (2, 21));
    assert_eq!((&found["uri"], &found["range"]["start"]["line"]), (&json!(pay), &json!(1)));
    // The part as it stands in the editor has lost its variable.
    client.open(pay, "roles Payer\nstart s\ns -- Payer: m --> s\n");
    // An answer comes after the findings that were there before it.
    client.at("textDocument/hover", pay, (0, 7));
    let (_, found) = client.shown[shop].clone();
    assert!(
        found.iter().any(|one| one["message"].as_str().expect("as the protocol says").contains("pay.done")),
        "{found:?}"
    );
}

/// What a rename changes: the text of each file afterwards.
fn renamed(files: &[(&str, &str)], edits: &Value) -> Vec<String> {
    let changed = |(uri, text): &(&str, &str)| {
        let mut text = servanda_service::Text::new(*text);
        let mut edits = edits["changes"][*uri].as_array().cloned().unwrap_or_default();
        edits.reverse();
        for edit in edits {
            let number = |value: &Value| value.as_u64().expect("as the protocol says") as u32;
            let at = |place: &Value| servanda_service::Position {
                line: number(&place["line"]),
                character: number(&place["character"]),
            };
            let by = edit["newText"].as_str().expect("as the protocol says");
            text.replace(at(&edit["range"]["start"]), at(&edit["range"]["end"]), by);
        }
        text.as_str().to_owned()
    };
    files.iter().map(changed).collect()
}

#[test]
fn names_are_renamed_and_found_in_all_files_that_name_them() {
    const WIRE: &str =
        "roles Sender\nvar full : bool = false\nstart s\ns -- Sender: m set full = true --> s\n";
    const PAY: &str = "roles Payer\nuse \"wire.pact\" as wire (Sender = Payer)\nvar done : bool = false\nstart s\n\
                       s -- Payer: m when wire.full set done = true --> s\n";
    const SHOP: &str = "roles Ann\nuse \"pay.pact\" as pay (Payer = Ann)\nproperty p = EF pay.done\n\
                        property q = EF pay.wire.full\n";
    let uris = ["file:///d/wire.pact", "file:///d/pay.pact", "file:///d/shop.pact"];
    // Two of the files are on disk only.
    let files = vec![("/d/wire.pact", WIRE), ("/d/pay.pact", PAY), ("/d/other.pact", "roles full\n")];
    let mut client = Client::with(Oracle { files }, json!({}));
    client.open(uris[2], SHOP);
    assert_eq!(client.findings(uris[2]), Vec::<Value>::new());
    let all = [(uris[0], WIRE), (uris[1], PAY), (uris[2], SHOP)];
    let rename = |client: &mut Client, uri: &str, place: (u32, u32), name: &str| {
        let position = json!({ "line": place.0, "character": place.1 });
        let params = json!({ "textDocument": { "uri": uri }, "position": position, "newName": name });
        client.try_ask("textDocument/rename", params)
    };
    let edits = rename(&mut client, uris[2], (3, 26), "busy").expect("a free name");
    assert_eq!(edits["changes"].as_object().expect("as the protocol says").len(), 3, "{edits}");
    assert_eq!(renamed(&all, &edits), [WIRE, PAY, SHOP].map(|text| text.replace("full", "busy")));
    // The role of a part is named where the part is used.
    client.open(uris[1], PAY);
    let edits = rename(&mut client, uris[1], (0, 7), "Buyer").expect("a free name");
    assert_eq!(
        renamed(&all, &edits),
        [WIRE.to_owned(), PAY.replace("Payer", "Buyer"), SHOP.replace("Payer", "Buyer")]
    );
    assert!(rename(&mut client, uris[1], (2, 5), "AF").is_err(), "an operator");
    assert!(rename(&mut client, uris[1], (1, 20), "cable").is_err(), "another file reaches through it");
    let asked = json!({
        "textDocument": { "uri": uris[2] },
        "position": { "line": 2, "character": 21 },
        "context": { "includeDeclaration": true },
    });
    let found = client.ask("textDocument/references", asked);
    let found: Vec<(&str, u64)> = found
        .as_array()
        .expect("as the protocol says")
        .iter()
        .map(|place| {
            (
                place["uri"].as_str().expect("an address"),
                place["range"]["start"]["line"].as_u64().expect("a line"),
            )
        })
        .collect();
    assert_eq!(found, [(uris[1], 2), (uris[1], 4), (uris[2], 2)]);
    let found = client.at("textDocument/definition", uris[2], (3, 26));
    assert_eq!((&found["uri"], &found["range"]["start"]["line"]), (&json!(uris[0]), &json!(1)));
}

#[test]
fn processes_and_actions_of_ccs_keep_their_letters() {
    let uri = "file:///a.ccs";
    let mut client = Client::new();
    client.open(uri, "proc P = a.P\nproc Q = b.Q\n");
    assert_eq!(client.findings(uri), Vec::<Value>::new(), "which process is meant is said elsewhere");
    let outline = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let names: Vec<&Value> = outline.as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["P", "Q"]);
    let mut rename = |character: u32, name: &str| {
        let position = json!({ "line": 0, "character": character });
        let params = json!({ "textDocument": { "uri": uri }, "position": position, "newName": name });
        client
            .try_ask("textDocument/rename", params)
            .map(|edits| edits["changes"][uri].as_array().map_or(0, Vec::len))
    };
    assert_eq!((rename(5, "R"), rename(9, "c")), (Ok(2), Ok(1)));
    for (character, name) in [(5, "r"), (9, "C"), (9, "tau"), (5, "Q")] {
        assert!(rename(character, name).is_err(), "{name}");
    }
}

/// All requests that ask about a document or a place in it.
fn everything(client: &mut Client, uri: &str, (line, character): (u32, u32)) {
    let document = json!({ "uri": uri });
    let place = json!({ "line": line, "character": character });
    let range = json!({ "start": place, "end": place });
    let params = json!({
        "textDocument": document,
        "position": place,
        "range": range,
        "newName": "fresh_name",
        "context": { "includeDeclaration": true, "diagnostics": [] },
        "options": { "tabSize": 2, "insertSpaces": true },
    });
    let methods = [
        "documentSymbol",
        "foldingRange",
        "formatting",
        "semanticTokens/full",
        "definition",
        "references",
        "documentHighlight",
        "prepareRename",
        "completion",
        "hover",
        "codeAction",
        "codeLens",
        "inlayHint",
    ];
    for method in methods {
        client.ask(&format!("textDocument/{method}"), params.clone());
    }
    // Where there is no name, there is nothing to rename; the server says so and goes on.
    let _ = client.try_ask("textDocument/rename", params);
}

#[test]
fn every_request_is_answered_on_examples_and_cuts_of_them() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut client = Client::new();
    let mut files = 0;
    for entry in std::fs::read_dir(directory).expect("the examples") {
        let path = entry.expect("a file").path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_owned();
        if !["pact", "ispl", "ccs"].contains(&ending.as_str()) {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(&path).expect("a text");
        let uri = format!("file:///{files}.{ending}");
        client.open(&uri, &text);
        for step in 0..6_u32 {
            let lines = text.lines().count() as u32;
            everything(&mut client, &uri, (step * lines / 6, 3 + 4 * step));
            let cut = text.len() * (6 - step as usize) / 7;
            let cut = (0..=cut).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            client.change(&uri, json!([{ "text": &text[..cut] }]));
        }
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    assert!(files > 20, "{files}");
}
