//! `library`: what there is, its pages, and copies that judge as the library does.

use std::fs;

use crate::program::{run, run_in};

#[test]
fn everything_is_listed_and_has_a_page() {
    let list = run(&["library", "list"]);
    assert_eq!(list.status, 0);
    let names: Vec<&str> = list.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    for wanted in
        ["a2a/1.0", "a2a/0.3", "mcp/2024-11-05", "mcp/2026-07-28", "agents/confirm", "agents/lifecycle"]
    {
        assert!(names.contains(&wanted), "{wanted}: {}", list.stdout);
    }
    for name in names {
        let page = run(&["library", "show", name]);
        assert!(page.status == 0 && page.stdout.starts_with("# "), "{name}");
    }
    let unknown = run(&["library", "show", "mcp/2025-11-52"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("did you mean mcp/2025-11-25?"), "{}", unknown.stderr);
}

#[test]
fn a_copy_judges_as_the_library_does_and_overwrites_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let copied = run_in(directory.path(), &["library", "copy", "mcp/2025-11-25", "mine"]);
    assert_eq!(copied.status, 0, "{}", copied.stderr);
    for file in copied.stdout.lines() {
        assert!(directory.path().join(file).is_file(), "{file}");
    }
    let log = "mine/mcp/2025-11-25/recordings/stdio/answered-twice.jsonl";
    let own = run_in(directory.path(), &["audit", log, "--map", "mine/mcp/2025-11-25/stdio.audit.toml"]);
    let library = run_in(directory.path(), &["audit", log, "--library", "mcp/2025-11-25"]);
    let place = |text: &str| text.replace("library mcp/", "").replace("../", "").replace("mine/mcp/", "");
    assert_eq!(own.status, 1, "{}", own.stderr);
    let findings = |text: &str| {
        place(text).lines().filter(|line| line.contains("[")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(findings(&own.stdout), findings(&library.stdout));
    let again = run_in(directory.path(), &["library", "copy", "mcp/2025-11-25", "mine"]);
    assert!(again.status == 2 && again.stderr.contains("nothing was written"), "{}", again.stderr);
    fs::remove_dir_all(directory.path().join("mine")).unwrap();
    assert_eq!(run_in(directory.path(), &["library", "copy", "a2a/1.0", "mine"]).status, 0);
}
