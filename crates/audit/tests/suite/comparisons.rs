//! Values that are compared: texts that are numbers, and what has no order.

use servanda_audit::{Kind, Options};

use crate::common::Setup;

const MODEL: &str =
    "roles A\ntype Size = {small, large}\nmessage pays(Size)\nstart s\ns -- A: pays(small) --> s\n";

/// What is found in a log whose lines pay an amount.
fn found(format: &str, when: &str, log: &str) -> Vec<(u64, String)> {
    let mapping = format!(
        "version = 1\n[source]\nformat = \"{format}\"\n[fields]\namount = \"/amount\"\nlimit = \"/limit\"\n[[view]]\nname = \"v\"\nmodel = \"m\"\nkey = ['\"all\"']\nevent = [\n{{ when = '{when}', label = \"A: pays(large)\" }},\n{{ when = 'has(amount)', label = \"A: pays(small)\" }},\n]\n"
    );
    let setup = Setup::new(&mapping, |_| MODEL.to_owned()).unwrap_or_else(|found| panic!("{found:#?}"));
    let (findings, stats) = setup.audit(log, Options::default(), false);
    let bad = findings.iter().filter(|it| it.kind == Kind::BadLine).count() as u64;
    assert_eq!(stats.bad, bad);
    findings.into_iter().map(|it| (it.at.unwrap().line, it.message)).collect()
}

fn lines(format: &str, when: &str, log: &str) -> Vec<u64> {
    found(format, when, log).into_iter().map(|(line, _)| line).collect()
}

#[test]
fn texts_that_are_numbers_are_compared_as_numbers() {
    let csv = "amount,limit\n150,50\n9,50\n50, 50\n5e1,49.5\n";
    assert_eq!(lines("csv", "amount > 50", csv), [2]);
    assert_eq!(lines("csv", "amount >= 50", csv), [2, 4, 5]);
    assert_eq!(lines("csv", "amount = 50", csv), [4, 5]);
    assert_eq!(lines("csv", "amount != 50", csv), [2, 3]);
    assert_eq!(lines("csv", "50 < amount", csv), [2]);
    // Both are texts that are numbers.
    assert_eq!(lines("csv", "amount > limit", csv), [2, 5]);
    assert_eq!(lines("csv", "amount + 1 > limit", csv), [2, 4, 5]);
    // Two values of the log are equal as they are written: `1` and `"1"` are two ids.
    let json =
        "{\"amount\":1,\"limit\":\"1\"}\n{\"amount\":\"1\",\"limit\":\"1\"}\n{\"amount\":1,\"limit\":1.0}\n";
    assert_eq!(lines("jsonl", "amount = limit", json), [2, 3]);
    assert_eq!(lines("jsonl", "amount >= limit", json), [1, 2, 3]);
}

#[test]
fn what_has_no_order_is_said_and_not_passed() {
    let csv = "amount,limit\nn/a,50\n20,50\n$150,\n";
    let said = found("csv", "amount > 50", csv);
    let message = "it cannot be decided what the line means: `\"n/a\" > 50`: these two cannot be compared";
    assert_eq!(said[0], (2, message.to_owned()));
    assert_eq!(said.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4]);
    // Not to be decided is not false.
    assert_eq!(lines("csv", "!(amount > 50)", csv), [2, 3, 4]);
    assert_eq!(lines("csv", "limit = \"50\" & amount > 50", csv), [2], "line 4 is decided without it");
    assert_eq!(lines("csv", "amount > 50 & limit = \"50\"", csv), [2], "whatever comes first");
    assert_eq!(lines("csv", "amount > 50 | limit = \"50\"", csv), [2, 3, 4]);
    for value in ["null", "true", "[1]", "{}"] {
        let log = format!("{{\"amount\":{value}}}\n");
        assert_eq!(lines("jsonl", "amount > 50", &log), [1], "{value}");
        assert_eq!(lines("jsonl", "amount = 50", &log), Vec::<u64>::new(), "{value} is not 50");
    }
    // What is missing is neither smaller nor larger.
    assert_eq!(lines("jsonl", "limit > 50", "{\"amount\":1}\n"), Vec::<u64>::new());
    let sum = found("csv", "amount + 1 > 50", csv);
    assert!(sum[0].1.ends_with("`\"n/a\" + 1`: these two cannot be added up"), "{sum:?}");
}

#[test]
fn a_label_or_a_table_that_cannot_be_decided_is_said_once_a_line() {
    let mapping = "version = 1\n[fields]\namount = \"/amount\"\n[[table]]\nname = \"t\"\nwhen = 'amount > 5'\nkey = ['\"k\"']\nvalue = 'amount'\n[[view]]\nname = \"v\"\nmodel = \"m\"\nkey = ['\"all\"']\nevent = [{ when = 'has(amount)', label = 'A: pays({if(amount > 5, \"large\", \"small\")})' }]\n";
    let setup = Setup::new(mapping, |_| MODEL.to_owned()).unwrap_or_else(|found| panic!("{found:#?}"));
    let (findings, stats) = setup.audit("{\"amount\":\"many\"}\n{\"amount\":1}\n", Options::default(), false);
    assert_eq!((findings.len(), stats.bad, stats.labels), (1, 1, 1), "{findings:?}");
    assert_eq!(findings[0].view.as_deref(), Some("v"));
}
