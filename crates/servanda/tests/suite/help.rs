//! What the program says about itself.

use crate::program::run;

const COMMANDS: [&str; 18] = [
    "check",
    "explain",
    "size",
    "conform",
    "fmt",
    "convert",
    "equiv",
    "minimise",
    "abta",
    "sim",
    "audit",
    "tap",
    "proxy",
    "library",
    "lsp",
    "serve",
    "completions",
    "man",
];

#[test]
fn help() {
    insta::assert_snapshot!("help", run(&["--help"]).stdout);
    for command in COMMANDS {
        let ran = run(&[command, "--help"]);
        insta::assert_snapshot!(format!("help_{command}"), ran.stdout);
        assert_eq!(ran.status, 0);
    }
}

#[test]
fn every_command_has_an_example() {
    for command in COMMANDS {
        assert!(run(&[command, "--help"]).stdout.contains(&format!("\n  servanda {command}")), "{command}");
    }
}

#[test]
fn version() {
    assert_eq!(run(&["--version"]).stdout, format!("servanda {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = run(&["completions", shell]);
        assert!(ran.status == 0 && ran.stdout.contains("conform"), "{shell}");
    }
}

#[test]
fn manual_pages() {
    let page = run(&["man"]).stdout;
    assert!(page.contains(".TH servanda 1") && page.contains("Exit status"), "{page}");
    for command in COMMANDS {
        let page = run(&["man", command]).stdout;
        assert!(page.contains(&format!(".TH servanda-{command} 1")), "{page}");
    }
}
