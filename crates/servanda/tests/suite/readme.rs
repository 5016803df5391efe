//! What the README and other pages show is what the program prints.

use std::path::PathBuf;

use crate::program::run;

/// The blocks of a page that follow a line `<!-- output of: ARGUMENTS -->`, with those arguments.
fn shown_outputs(page: &str) -> Vec<(Vec<String>, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let mut found = Vec::new();
    for part in text.split("<!-- output of: ").skip(1) {
        let (arguments, rest) = part.split_once(" -->").unwrap();
        let block = rest.trim_start().strip_prefix("```text\n").expect("a block of text follows");
        let (output, _) = block.split_once("```").unwrap();
        found.push((words(arguments), output.to_owned()));
    }
    found
}

/// Words as a shell reads them; between single quotes blanks do not count.
pub(crate) fn words(text: &str) -> Vec<String> {
    let parts = text.split('\'').enumerate();
    parts
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

#[test]
fn the_readme_shows_the_real_output() {
    outputs_are_real("README.md");
}

#[test]
fn the_page_about_automata_shows_the_real_output() {
    outputs_are_real("docs/abta.md");
}

#[test]
fn the_page_about_explanations_shows_the_real_output() {
    outputs_are_real("docs/explain.md");
}

fn outputs_are_real(page: &str) {
    let shown = shown_outputs(page);
    assert!(!shown.is_empty());
    for (arguments, output) in shown {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = run(&arguments);
        assert_eq!(ran.status, 0);
        assert_eq!(ran.stdout, output, "{arguments:?}");
    }
}

#[test]
fn the_files_that_pages_name_exist() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "README.md",
        "docs/install.md",
        "docs/papers.md",
        "docs/reproduction.md",
    ] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        // What stands between backquotes, and is a file of the repository by how it begins.
        for name in text.split('`').skip(1).step_by(2) {
            let tops = ["crates/", "examples/", "bench/", "docs/", "packaging/", ".ci/"];
            let is_file = tops.iter().any(|top| name.starts_with(top));
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            assert!(!is_file || !is_name || root.join(name).exists(), "{page}: {name}");
        }
    }
}
