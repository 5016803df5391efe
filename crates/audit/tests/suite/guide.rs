//! The chapter of docs/audit.md about protocols of one's own: its protocol, its mapping and its log say what the chapter says.

use std::fs;
use std::path::Path;

use servanda_audit::{Kind, Options};

use crate::common::Setup;

/// The first block of a language in the chapter.
fn block<'t>(chapter: &'t str, language: &str) -> &'t str {
    let (_, rest) = chapter.split_once(&format!("```{language}\n")).unwrap();
    rest.split("```").next().unwrap()
}

#[test]
fn writing_a_protocol_for_ones_own_agents() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/audit.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, chapter) = page.split_once("## Writing a protocol for your own agents\n").unwrap();
    let [protocol, mapping, log] = ["pact", "toml", "json"].map(|language| block(chapter, language));
    let setup = Setup::new(mapping, |_| protocol.to_owned()).unwrap();

    let (findings, _) = setup.audit(log, Options::default(), false);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((finding.kind, finding.at.unwrap().line), (Kind::NotPossible, 3));
    assert_eq!(finding.citation.as_deref(), Some("Handbook 4.1"));
    let agent = finding.possible.iter().find(|possible| possible.role.as_deref() == Some("Agent")).unwrap();
    assert_eq!(agent.labels, ["Agent: orders(within)"]);

    let in_order = log.replace("55", "40") + "{\"order\": \"o1\", \"event\": \"reminded\"}\n";
    let (findings, _) = setup.audit(&in_order, Options::default(), false);
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["pays_in_time"]);
}

#[test]
fn the_page_has_every_kind_of_finding() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/audit.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, kinds) = page.split_once("## What is found\n").unwrap();
    let listed: Vec<&str> =
        kinds.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(listed, Kind::WORDS);
}
