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
