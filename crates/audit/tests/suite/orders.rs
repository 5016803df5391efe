//! Order `per-sender`: what commutes, what a rule orders, and what is broken in one order only.

use servanda_audit::{Certainty, Finding, Options};

use crate::common::Setup;

/// An answer may come at any time in the model; it is the mapping that knows which question it answers.
const MODEL: &str = "
    roles Client, Agent
    var owed : bool = false
    start idle
    idle -- Client: ask when !owed set owed = true --> idle
    idle -- Agent: answer set owed = false --> idle
    idle -- Agent: note --> told
    told -- Client: thanks --> idle
    told -- Agent: answer --> told
    property known = A G (does(answer) -> P does(ask))
";

fn setup(rules: &str) -> Setup {
    let mapping = format!(
        r#"
version = 1
[source]
time = "/t"
order = "per-sender"
window = "5s"
[fields]
id = "/id"
say = "/say"
[[table]]
name = "asked"
when = 'say = "ask"'
key = ["id"]
value = 'say'
[[view]]
name = "talk"
model = "m.pact"
key = ['"all"']
event = [
  {rules}
  {{ when = 'say = "ask"', label = "Client: ask" }},
  {{ when = 'say = "thanks"', label = "Client: thanks" }},
  {{ when = 'say = "answer"', label = "Agent: answer" }},
  {{ when = 'say = "note"', label = "Agent: note" }},
]
"#
    );
    Setup::new(&mapping, |_| MODEL.to_owned()).unwrap_or_else(|found| panic!("{found:#?}"))
}

fn found(rules: &str, lines: &[(f64, u32, &str)]) -> Vec<(u64, Certainty, String)> {
    let text: String =
        lines.iter().map(|(t, id, say)| format!("{{\"t\":{t},\"id\":{id},\"say\":\"{say}\"}}\n")).collect();
    let (findings, _) = setup(rules).audit(&text, Options::default(), false);
    let one = |it: Finding| (it.at.unwrap().line, it.certainty, it.code);
    findings.into_iter().map(one).collect()
}

/// A second question while one is open is possible only if the answer came before it.
#[test]
fn a_rule_that_recalls_what_a_line_stored_orders_the_two() {
    let lines = [(1.0, 1, "ask"), (2.0, 2, "ask"), (3.0, 2, "answer"), (20.0, 3, "thanks")];
    // Nothing says which question is answered: the answer may have come between the questions.
    let free = found("", &lines[..3]);
    assert_eq!(free, [(2, Certainty::SomeOrders, "not-possible".to_owned())]);
    // The answer repeats the id of the second question, so it came after it, and no order is possible.
    let recalls = r#"{ when = 'say = "answer" & !has(recall("asked", id))', label = "Agent: stray" },"#;
    let bound = found(recalls, &lines[..3]);
    assert_eq!(bound, [(2, Certainty::Certain, "not-possible".to_owned())]);
    // That of the first may have come before the second.
    let first = [(1.0, 1, "ask"), (2.0, 2, "ask"), (3.0, 1, "answer")];
    assert_eq!(found(recalls, &first), [(2, Certainty::SomeOrders, "not-possible".to_owned())]);
}

#[test]
fn a_rule_that_asks_how_the_slice_stands_orders_all_before_it() {
    let lines = [(1.0, 1, "ask"), (2.0, 2, "ask"), (3.0, 1, "answer")];
    let asks = r#"{ when = 'say = "answer" & slice_in("idle")', label = "Agent: answer" },"#;
    assert_eq!(found(asks, &lines), [(2, Certainty::Certain, "not-possible".to_owned())]);
}

#[test]
fn a_property_that_another_order_keeps_is_a_warning() {
    let late = [(1.0, 1, "answer"), (2.0, 1, "ask")];
    assert_eq!(found("", &late), [(1, Certainty::SomeOrders, "known".to_owned())]);
    let too_late = [(1.0, 1, "answer"), (9.0, 1, "ask")];
    assert_eq!(found("", &too_late), [(1, Certainty::Certain, "known".to_owned())]);
    let never = [(1.0, 1, "answer")];
    assert_eq!(found("", &never), [(1, Certainty::Certain, "known".to_owned())]);
    assert_eq!(found("", &[(1.0, 1, "ask"), (2.0, 1, "answer")]), []);
}
