//! Plans against asking every rule.

use proptest::prelude::*;
use serde_json::{Value, json};
use servanda_syntax::{Span, Text};

use super::{Conditions, Plans};
use crate::evaluate::{Ask, Line, Memo};
use crate::mapping::{Compiler, NodeId, parse};
use crate::read::{Pointers, Slot};
use crate::tables::Tables;

/// A slice that notes what it was asked to remember.
struct Noting {
    is_there: bool,
    asked: Vec<u32>,
}

impl Ask for Noting {
    fn is_in(&mut self, _: &mut Line<'_>, _: u32) -> bool {
        self.is_there
    }

    fn increases(&mut self, _: &mut Line<'_>, memory: u32, _: Slot) -> bool {
        self.asked.push(memory);
        self.is_there
    }
}

fn value() -> impl Strategy<Value = String> {
    let texts = vec!["\"a\"", "\"b\"", "\"12\"", "\"null\"", "\"true\"", "3", "12"];
    let leaf = prop_oneof![
        4 => (0..4).prop_map(|field| format!("f{field}")),
        2 => prop::sample::select(texts).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(2, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| format!("text({a})")),
            inner.clone().prop_map(|a| format!("number({a})")),
            inner.clone().prop_map(|a| format!("lower({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("first({a}, {b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("if(has({a}), {a}, {b})")),
        ]
    })
}

fn condition() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec!["=", "=", "!=", "<", ">="]);
    let leaf = prop_oneof![
        4 => (value(), sign, value()).prop_map(|(a, sign, b)| format!("{a} {sign} {b}")),
        2 => value().prop_map(|a| format!("has({a})")),
        1 => value().prop_map(|a| format!("starts({a}, \"a\")")),
        1 => (0..4).prop_map(|field| format!("f{field}")),
        1 => (0..4).prop_map(|field| format!("increasing(f{field})")),
        1 => Just("slice_in(\"s\")".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|all| format!("({})", all.join(" & "))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|all| format!("({})", all.join(" | "))),
            inner.prop_map(|inner| format!("!({inner})")),
        ]
    })
}

fn line() -> impl Strategy<Value = Value> {
    let values = vec![
        json!("a"),
        json!("b"),
        json!("c\n"),
        json!("12"),
        json!("null"),
        json!("true"),
        json!(true),
        json!(false),
        json!(null),
        json!(3),
        json!(12),
        json!([3]),
    ];
    let field = prop::option::of(prop::sample::select(values));
    prop::collection::vec(field, 4).prop_map(|fields| {
        let given = fields.into_iter().enumerate().filter_map(|(at, field)| Some((format!("f{at}"), field?)));
        Value::Object(given.collect())
    })
}

/// A rule that holds, or of which that cannot be decided.
fn answer(rule: u32, holds: Option<bool>) -> Option<(u32, bool)> {
    (holds != Some(false)).then_some((rule, holds.is_some()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn plans_find_what_asking_every_rule_finds(
        conditions in prop::collection::vec(condition(), 1..5),
        lines in prop::collection::vec(line(), 1..12),
        is_there: bool,
        first: bool,
    ) {
        let mut compiler = Compiler::default();
        let parts: Vec<Vec<String>> = (0..4).map(|field| vec![format!("f{field}")]).collect();
        let pointers = Pointers::new(parts.iter().map(|parts| &**parts));
        for field in 0..4 {
            compiler.fields.insert(format!("f{field}"), pointers.slot(field) as u32);
        }
        // What is of the wrong type for certain is refused.
        let compiled = conditions.iter().filter_map(|text| {
            let text = Text { span: Span::new(0, text.len()), text: text.clone() };
            let tree = parse(&text, true, &mut compiler.found)?;
            compiler.condition(&tree)
        });
        let whens: Vec<NodeId> = compiled.collect();
        let (program, tables) = (&compiler.program, Tables::new([], 1));
        let mut plans = Plans::new(program, vec![Conditions { conditions: whens.clone(), first }]);
        let mut memo = Memo::new(program);
        for text in lines.iter().map(Value::to_string) {
            let mut slots = vec![Slot::MISSING; pointers.slots()];
            pointers.read(&text, &mut slots).unwrap();
            let most = if first { 1 } else { whens.len() };
            memo.next();
            let mut line = Line { program, text: &text, slots: &slots, tables: &tables, memo: &mut memo };
            let mut slice = Noting { is_there, asked: Vec::new() };
            let mut ask = |(rule, when): (u32, &NodeId)| answer(rule, line.hold(&[*when], &mut slice).ok());
            let expected: Vec<(u32, bool)> = (0..).zip(&whens).filter_map(&mut ask).take(most).collect();
            memo.next();
            let mut line = Line { program, text: &text, slots: &slots, tables: &tables, memo: &mut memo };
            let mut planned = Noting { is_there, asked: Vec::new() };
            let mut found = Vec::new();
            for candidate in &plans.plan(&mut line)[0] {
                if found.len() < most {
                    found.extend(answer(candidate.rule, line.hold(&candidate.rest, &mut planned).ok()));
                }
            }
            prop_assert_eq!(found, expected, "{:?} on {}", conditions, text);
            prop_assert_eq!(planned.asked, slice.asked, "{:?} on {}", conditions, text);
        }
    }
}

#[test]
fn fields_decide_most_conditions() {
    let mut compiler = Compiler::default();
    let pointers = Pointers::new([&["f".to_owned()][..]]);
    compiler.fields.insert("f".to_owned(), pointers.slot(0) as u32);
    let texts =
        ["f = \"a\" & slice_in(\"s\")", "f = \"b\"", "has(f) & text(f) = \"null\"", "has(f)", "f != 3"];
    let compiled = texts.map(|text| {
        let text = Text { span: Span::new(0, text.len()), text: text.to_owned() };
        let tree = parse(&text, true, &mut compiler.found).unwrap();
        compiler.condition(&tree).unwrap()
    });
    let (program, tables) = (&compiler.program, Tables::new([], 1));
    let mut plans = Plans::new(program, vec![Conditions { conditions: compiled.to_vec(), first: true }]);
    let mut memo = Memo::new(program);
    let mut left = |text: &str| -> Vec<(u32, usize)> {
        let mut slots = vec![Slot::MISSING; pointers.slots()];
        pointers.read(text, &mut slots).unwrap();
        memo.next();
        let mut line = Line { program, text, slots: &slots, tables: &tables, memo: &mut memo };
        plans.plan(&mut line)[0].iter().map(|it| (it.rule, it.rest.len())).collect()
    };
    assert_eq!(left(r#"{"f":"a"}"#), [(0, 1), (3, 0)]);
    assert_eq!(left(r#"{"f":"\u0062"}"#), [(1, 0)]);
    assert_eq!(left(r#"{"f":7}"#), [(3, 0)]);
    assert_eq!(left(r#"{"f":null}"#), [(2, 0)]);
    assert_eq!(left("{}"), [(4, 0)]);
}
