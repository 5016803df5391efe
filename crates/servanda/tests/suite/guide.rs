//! The guide and the page about CI, step by step: what they tell the reader to do is done, and what they show is what
//! happens.
//!
//! `<!-- file: NAME -->` makes a file of the block that follows, `<!-- append: NAME -->` adds the block to a file, and
//! `<!-- run: ARGUMENTS => STATUS -->` runs the program, whose output contains the block that follows.

use std::fs;
use std::path::PathBuf;

use crate::program::{command_in, run_with_input};
use crate::readme::words;

/// Does what a page says in a directory of its own; says how many runs it made.
fn follow(page: &str) -> usize {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(page)).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut runs = 0;
    for part in text.split("<!-- ").skip(1) {
        let (directive, rest) = part.split_once(" -->").unwrap();
        let (verb, what) = directive.split_once(": ").unwrap_or((directive, ""));
        let block = || {
            let fenced = rest.trim_start().strip_prefix("```").expect("a block follows");
            fenced.split_once('\n').unwrap().1.split("```").next().unwrap()
        };
        match verb {
            "file" | "append" => {
                let path = directory.path().join(what);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let before =
                    if verb == "append" { fs::read_to_string(&path).unwrap() } else { String::new() };
                let text = before + block();
                // The pages advise to check the form of files in CI.
                if what.ends_with(".pact") {
                    assert_eq!(servanda_pact::format(&text).as_ref(), Ok(&text), "{page}: {what}");
                }
                fs::write(path, text).unwrap();
            }
            "run" => {
                let (line, status) = what.rsplit_once(" => ").unwrap();
                let (line, input) = line.split_once(" <<< ").unwrap_or((line, ""));
                let arguments = words(line);
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                let ran = run_with_input(command_in(directory.path(), &arguments), &input.replace(' ', "\n"));
                let shown = format!("{}{}", ran.stdout, ran.stderr);
                assert_eq!(ran.status.to_string(), status, "{page}: {line}: {shown}");
                assert!(shown.contains(block()), "{page}: {line}: expected\n{}\nfound\n{shown}", block());
                runs += 1;
            }
            other => panic!("{page}: `{other}` is no directive"),
        }
    }
    runs
}

#[test]
fn the_guide_can_be_followed() {
    assert!(follow("docs/guide.md") >= 8);
}

#[test]
fn the_page_about_ci_can_be_followed() {
    assert!(follow("docs/ci.md") >= 2);
}

/// The server on that page is a script of a shell.
#[cfg(unix)]
#[test]
fn the_page_about_audits_can_be_followed() {
    assert!(follow("docs/audit.md") >= 10);
}
