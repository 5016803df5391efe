//! The page about it: what it says that calls answer is what they answer.
//!
//! `<!-- model -->` makes the block that follows the model of the calls after it; `<!-- call: TOOL ARGUMENTS -->` is answered with the
//! block that follows.

use std::path::Path;

use serde_json::{Value, json};

use super::talk::{Assistant, examples, text};

#[test]
fn what_the_page_shows_is_what_is_answered() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mcp.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut assistant = Assistant::new(&examples(), &[]);
    let (mut model, mut calls) = (String::new(), 0);
    let mut parts = page.split("<!-- ");
    let mut written = parts.next().unwrap().to_owned();
    for part in parts {
        let (directive, rest) = part.split_once(" -->\n```text\n").unwrap();
        let (block, rest) = rest.split_once("```").unwrap();
        written += &format!("<!-- {directive} -->\n```text\n");
        match directive.strip_prefix("call: ") {
            None => {
                assert_eq!(directive, "model");
                model = block.to_owned();
                written += block;
            }
            Some(call) => {
                let (tool, arguments) = call.split_once(' ').unwrap();
                let mut arguments: Value = serde_json::from_str(arguments).unwrap();
                arguments["model"] = json!(model);
                written += &format!("{}\n", text(&assistant.call(tool, &arguments)));
                calls += 1;
            }
        }
        written += &format!("```{rest}");
    }
    assistant.leave();
    assert!(calls >= 3);
    assert_eq!(page, written);
}
