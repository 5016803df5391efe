//! `servanda fmt`

use std::fs;

use crate::program::{run, run_on};

const UNTIDY: &str = "protocol   P\nroles A,B\nstart s\ns--A:go-->s\nproperty p=AG in s\n";

#[test]
fn prints_the_standard_form() {
    insta::assert_snapshot!(run_on(UNTIDY, &["fmt"]).transcript());
}

#[test]
fn the_standard_form_is_a_fixed_point() {
    let once = run_on(UNTIDY, &["fmt"]).stdout;
    assert_eq!(run_on(&once, &["fmt"]).stdout, once);
}

#[test]
fn check_names_what_is_not_in_standard_form() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("p.pact");
    let file = path.to_str().unwrap();
    fs::write(&path, UNTIDY).unwrap();

    let ran = run(&["fmt", "--check", file]);
    assert_eq!((ran.status, ran.stdout), (1, format!("{file}\n")));
    assert_eq!(run(&["fmt", "--check", "--quiet", file]).stdout, "");
    assert_eq!(fs::read_to_string(&path).unwrap(), UNTIDY);

    let ran = run(&["fmt", "--write", file]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    let ran = run(&["fmt", "--check", file]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""));
}

#[test]
fn mistakes_leave_the_file_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("p.pact");
    fs::write(&path, "protocol P\nroles ,\n").unwrap();
    let ran = run(&["fmt", "--write", path.to_str().unwrap()]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("p.pact:2:7"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), "protocol P\nroles ,\n");
}
