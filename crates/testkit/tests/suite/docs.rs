//! Every protocol in the documentation is a test.

use std::path::{Path, PathBuf};

use servanda_testkit::markdown;

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = std::fs::read_dir(root.join("docs")).expect("there is documentation");
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages.push(root.join("README.md"));
    pages
}

#[test]
fn every_protocol_in_the_documentation_does_what_it_says() {
    let (mut blocks, mut failures) = (0, Vec::new());
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("the page can be read");
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match markdown::check(&name, &text) {
            Ok(count) => blocks += count,
            Err(found) => failures.extend(found),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(blocks > 0, "no page has a protocol in it");
    println!("{blocks} protocols");
}

/// Pages that show how else something can be written; all others show it as `servanda fmt` writes it.
const FREE_FORM: [&str; 2] = ["formulas.md", "pact.md"];

#[test]
fn protocols_outside_of_the_reference_pages_are_in_standard_form() {
    let mut seen = 0;
    for page in pages() {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&page).expect("the page can be read");
        for block in text.split("\n```pact\n").skip(1).filter(|_| !FREE_FORM.contains(&name.as_str())) {
            let protocol = format!("{}\n", block.split("\n```").next().unwrap_or_default());
            assert_eq!(servanda_pact::format(&protocol).as_ref(), Ok(&protocol), "{name}");
            seen += 1;
        }
    }
    assert!(seen >= 5, "only {seen} protocols");
}
