//! Mistakes in mappings: each with its place, what was expected, and the nearest name.

use servanda_audit::mapping::{FUNCTIONS, Mapping, Vocabulary};
use servanda_syntax::SourceFile;

const MODEL: &str = "
    roles Client, Agent
    start idle
    idle -- Client: ask --> asked
    asked -- Agent: task_working --> asked
    asked -- Agent: task_done --> idle
    property answered = A F in asked
";

/// All that is wrong with a mapping, one a line.
fn mistakes(text: &str) -> String {
    let source = SourceFile::new("m.audit.toml", text);
    let (mapping, mut found) = Mapping::read(&source);
    if let Some(mapping) = mapping {
        let protocol = servanda_pact::load(&SourceFile::new("m.pact", MODEL), &[]).protocol.unwrap();
        let names = || protocol.properties.iter().map(|property| property.name.clone());
        let words = |_| Vocabulary::new(&protocol.model, names()).ok();
        let mut words: Vec<_> = mapping.views.iter().map(words).collect();
        found.extend(mapping.check(&mut words));
    }
    let shown = found.iter().map(|it| {
        let place = source.place(it.span.start);
        let help = it.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        let (severity, at) = (it.severity.word(), source.slice(it.span).replace('\n', " "));
        let at: String = at.chars().take(40).collect();
        format!("{}:{} {severity}[{}] `{at}`: {}{help}\n", place.line, place.column, it.code, it.message)
    });
    shown.collect()
}

/// A rule with a wrong condition used to be compared with no model.
#[test]
fn a_wrong_condition_hides_no_wrong_label() {
    let found = mistakes(
        "version = 1\n[fields]\nid = \"/id\"\n[[view]]\nname = \"v\"\nmodel = \"m\"\n\
         event = [ { when = 'ids', label = [\"Agent: {\", \"Client: aks\"] } ]\nend = [\"Agent: task_dne\"]\n",
    );
    let codes: Vec<&str> = found.lines().filter_map(|line| line.split(['[', ']']).nth(1)).collect();
    assert_eq!(codes, ["unknown-name", "bad-value", "unknown-label", "unknown-name"], "{found}");
}

#[test]
fn every_mistake_is_found_in_one_pass() {
    let text = r#"
version = 2
titel = "x"
[source]
format = "jsonlines"
order = "time"
tap = "Client"
each = "tool_calls"
colour = 1
[fields]
from = "/from"
id = "/msg/~2"
2nd = "/x"
true = "/y"
number = 7
[define]
from = 'true'
loop = 'pool'
pool = '!loop'
near = 'form = "x"'
typed = 'has(id) = "x"'
sum = 'id + "x"'
chain = 'id = 1 = 2'
open = '(id'
text = 'matches(id, "(")'
many = 'has(id, id)'
unknown = 'hass(id)'
table = 'recall("tabel", id)'
arity = 'recall("seen", id, id)'
literal = 'slice_in(id)'
end = 'id &'
value = '!"x"'
odd = 'id = @'
quoted = "id = \"x\" &"
[words]
DONE = "doen"
[[table]]
name = "seen"
when = 'has(id)'
key = ["id"]
value = 'slice_in("asked")'
[[table]]
name = "seen"
key = ["id"]
forget = "10 parsecs"
[[view]]
name = "one"
model = "m.pact"
key = ["id"]
silent = ["Agent: task_workin"]
end = "Agent: nothing"
levels = { answerd = "must", answered = "shall" }
forget = "1h"
unmatched = "repot"
event = [
  { when = 'has(id)', label = "Clint: ask" },
  { when = 'has(id)', label = "Client: aks" },
  { when = 'has(id)', label = "Client: forbidden" },
  { when = 'has(id)', label = "Agent: tsk_{id}" },
  { when = 'has(id)', label = "Agent: task_{idd}" },
  { when = 'has(id)', label = "Agent: task_{id" },
  { when = 'has(id)', label = "Agent: task_{id}" },
  { when = 'slice_in("askd")', label = "" },
  { when = 'has(id)', key = ["id", "*"], label = "Client: ask" },
  { when = 'has(id)' },
  { label = "Cr(Agent, nothing)", whenn = 'x' },
]
timer = [ { after = "Client: ask", within = "soon", label = "timeout", unles = "x" } ]
[[view]]
name = "one"
"#;
    insta::assert_snapshot!(mistakes(text));
}

#[test]
fn a_text_that_is_no_toml_is_said_to_be_none() {
    insta::assert_snapshot!(mistakes("version = 1\n[[view]\nname = \n"));
    insta::assert_snapshot!(mistakes(""));
}

#[test]
fn an_order_or_a_timer_needs_times() {
    let text = r#"
version = 1
[source]
order = "per-sender"
tap = "Agnet"
[[view]]
name = "v"
model = "m.pact"
forget = 10
timer = [ { after = "Client: ask", within = "1s", label = "Agent: task_done" } ]
event = [ { when = 'true', label = "Client: ask" } ]
"#;
    insta::assert_snapshot!(mistakes(text));
}

#[test]
fn deep_and_long_expressions_are_refused_or_read() {
    let mapping = |expression: &str, more: &str| {
        format!(
            "version = 1\n[fields]\nx = \"/x\"\n[define]\nd0 = '{expression}'\n{more}[[view]]\nname = \"v\"\nmodel = \"m\"\nevent = [{{ when = 'true', label = \"Client: ask\" }}]\n"
        )
    };
    let deep = format!("{}x{}", "(".repeat(200), ")".repeat(200));
    assert!(mistakes(&mapping(&deep, "")).contains("nesting-too-deep"));
    assert!(mistakes(&mapping(&"!".repeat(200), "")).contains("nesting-too-deep"));
    let long = vec!["x"; 20_000].join(" | ");
    assert_eq!(mistakes(&mapping(&long, "")), "");
    let more: String = (1..1000).map(|i| format!("d{i} = '!!!d{}'\n", i - 1)).collect();
    assert!(mistakes(&mapping("x", &more)).contains("nested too deeply"));
}

#[test]
fn functions_are_in_the_order_of_their_names() {
    assert!(FUNCTIONS.is_sorted_by_key(|function| function.name));
}

#[test]
fn the_page_about_mappings_has_every_function() {
    let page = include_str!("../../../../docs/mapping.md");
    for function in FUNCTIONS {
        let row = format!("| `{}` | {} |", function.call, function.gives);
        assert!(page.contains(&row), "not on the page: {row}");
    }
}

/// Signs and words of other languages are told which sign is meant.
#[test]
fn signs_of_other_languages_are_answered_with_the_one_that_is_meant() {
    let help = |when: &str| {
        let text = format!(
            "version = 1\n[fields]\na = \"/a\"\nb = \"/b\"\n[[view]]\nname = \"v\"\nmodel = \"m\"\nkey = [\"a\"]\nevent = [{{ when = '{when}', label = \"A: x\" }}]\n"
        );
        let (_, found) = servanda_audit::mapping::Mapping::read(&servanda_syntax::SourceFile::new("m", text));
        assert_eq!(found.len(), 1, "{when}: {found:#?}");
        found[0].help.clone().unwrap_or_default()
    };
    for (when, meant) in [
        ("a == 1", "write `=`, not `==`"),
        ("a = 1 && b = 2", "write `&`, not `&&`"),
        ("a = 1 || b = 2", "write `|`, not `||`"),
        ("a = 1 and b = 2", "write `&`, not `and`"),
        ("a = 1 AND b = 2", "write `&`, not `and`"),
        ("a = 1 or b = 2", "write `|`, not `or`"),
        ("not a", "write `!`, not `not`"),
        ("not(a = 1)", "write `!(..)`, not `not(..)`"),
        ("a <> 1", "write `!=`, not `<>`"),
        ("a => 1", "write `>=`, not `=>`"),
        ("a ~ b", "write `matches(text, \"PATTERN\")`"),
    ] {
        assert_eq!(help(when), meant, "{when}");
    }
}
