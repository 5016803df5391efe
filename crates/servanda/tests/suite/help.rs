//! What the program says about itself.

use crate::program::run;

const COMMANDS: [&str; 19] = [
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
    "mcp",
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
fn all_manual_pages_in_a_directory() {
    let top = tempfile::tempdir().unwrap();
    let pages = top.path().join("share/man1");
    assert_eq!(run(&["man", "--all", pages.to_str().unwrap()]).status, 0);
    let has = |name: &str| pages.join(name).is_file();
    assert!(COMMANDS.iter().all(|command| has(&format!("servanda-{command}.1"))));
    // Commands of commands have pages too; what is not for people has none.
    assert!(has("servanda.1") && has("servanda-audit-init.1") && !has("servanda-job.1"));
    // A page that one refers to is there.
    for entry in std::fs::read_dir(&pages).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for (name, _) in text.lines().filter_map(|line| line.strip_prefix("servanda\\-")?.split_once("(1)")) {
            let name = name.replace('\\', "");
            assert!(has(&format!("servanda-{name}.1")), "servanda-{name}(1)");
        }
    }
    // A file is no directory.
    let file = top.path().join("file");
    std::fs::write(&file, "").unwrap();
    let ran = run(&["man", "--all", file.to_str().unwrap()]);
    assert!(ran.status == 2 && ran.stderr.contains("file"), "{}", ran.stderr);
    assert_eq!(run(&["man", "check", "--all", "x"]).status, 2);
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
