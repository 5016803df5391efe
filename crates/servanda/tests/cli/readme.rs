//! What the README and the guide show is what the program prints.

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
        found.push((arguments.split(' ').map(str::to_owned).collect(), output.to_owned()));
    }
    found
}

#[test]
fn the_readme_shows_the_real_output() {
    let shown = shown_outputs("README.md");
    assert!(!shown.is_empty());
    for (arguments, output) in shown {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = run(&arguments);
        assert_eq!(ran.status, 0);
        assert_eq!(ran.stdout, output, "{arguments:?}");
    }
}
