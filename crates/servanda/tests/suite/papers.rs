//! What the papers print: every formula of the list and every family, asked of the program.

use servanda_reproduce::{Page, Servanda, families, project, verdicts};

use crate::program::run;

fn servanda() -> Servanda {
    Servanda { program: env!("CARGO_BIN_EXE_servanda").into() }
}

/// `examples/papers/formulas.txt`: the verdicts, by two engines and in both spellings.
#[test]
fn every_printed_formula_is_decided_as_the_list_says() {
    let Page { text, problems } = verdicts(&servanda()).unwrap();
    assert_eq!(problems, [] as [String; 0]);
    let rows = text.lines().filter(|line| line.starts_with("| Section")).count();
    assert!(rows > 40, "{rows} rows");
}

#[test]
fn every_family_has_the_verdicts_that_it_says() {
    let Page { text, problems } = families(&servanda(), 3);
    assert_eq!(problems, [] as [String; 0]);
    assert!(text.contains("| `pnaws-inside` | 1 | 35,525 |"), "{text}");
    assert!(text.contains("| `netbill-inside` | 1 | 2,574 |"), "{text}");
}

/// All printed formulas in the papers' spelling, in one `check`; and the project is the one that the list makes.
#[test]
fn the_printed_formulas_are_a_project() {
    let folder = servanda_testkit::corpus::examples().join("papers");
    for (name, text) in project().unwrap() {
        assert_eq!(std::fs::read_to_string(folder.join(&name)).unwrap(), text, "{name}: run bench/reproduce");
    }
    let ran = run(&["check", "--project", "examples/papers", "--format", "json"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}
