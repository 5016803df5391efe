//! Expressions against a plain evaluator.

use proptest::prelude::*;
use serde_json::{Value, json};
use servanda_syntax::{Span, Text};

use super::{Line, Memo, NoSlice};
use crate::mapping::{Compiler, parse};
use crate::read::{Pointers, Slot, ValueKind};
use crate::tables::Tables;

/// An expression, as its text and as what it means.
#[derive(Clone, Debug)]
enum Plain {
    Field(usize),
    Text(&'static str),
    Number(i64),
    Call(&'static str, Vec<Plain>),
    Binary(&'static str, Box<(Plain, Plain)>),
    Not(Box<Plain>),
}

const TEXTS: [&str; 7] = ["", "a", "ab", "Ab", "12", " 2 ", "true"];

/// What cannot be decided, as a value that no field has.
fn unclear() -> Value {
    json!("(unclear)")
}

/// The number that a value is, also as a text.
fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim_ascii().parse().ok())
}

impl Plain {
    fn text(&self) -> String {
        match self {
            Plain::Field(field) => format!("f{field}"),
            Plain::Text(text) => format!("\"{text}\""),
            Plain::Number(number) => number.to_string(),
            Plain::Call(name, parts) => {
                format!("{name}({})", parts.iter().map(Plain::text).collect::<Vec<_>>().join(", "))
            }
            Plain::Binary(sign, both) => format!("({} {sign} {})", both.0.text(), both.1.text()),
            Plain::Not(inner) => format!("!({})", inner.text()),
        }
    }

    /// Does it hold? `None`: it cannot be decided.
    fn holds(&self, fields: &[Option<Value>]) -> Option<bool> {
        let value = self.value(fields);
        (value != Some(unclear())).then(|| value == Some(json!(true)) || value == Some(json!("true")))
    }

    /// Two conditions, of which one that is `decides` is enough.
    fn join(a: Option<bool>, b: Option<bool>, decides: bool) -> Option<Value> {
        let joined = if [a, b].contains(&Some(decides)) { Some(decides) } else { a.and(b).map(|_| !decides) };
        Some(joined.map_or(unclear(), |joined| json!(joined)))
    }

    /// Is it a number for certain, whatever the fields are?
    fn is_number(&self) -> bool {
        match self {
            Plain::Number(_) | Plain::Binary("+" | "-", _) => true,
            Plain::Call("number" | "length", _) => true,
            Plain::Call("first", parts) => parts.iter().all(Plain::is_number),
            Plain::Call("if", parts) => parts[1..].iter().all(Plain::is_number),
            _ => false,
        }
    }

    fn value(&self, fields: &[Option<Value>]) -> Option<Value> {
        match self {
            Plain::Field(field) => fields[*field].clone(),
            Plain::Text(text) => Some(json!(text)),
            Plain::Number(number) => Some(json!(number)),
            Plain::Not(inner) => Some(inner.holds(fields).map_or(unclear(), |holds| json!(!holds))),
            Plain::Binary("&", both) => Plain::join(both.0.holds(fields), both.1.holds(fields), false),
            Plain::Binary("|", both) => Plain::join(both.0.holds(fields), both.1.holds(fields), true),
            Plain::Binary(sign, both) => {
                let (a, b) = (both.0.value(fields), both.1.value(fields));
                if a == Some(unclear()) || b == Some(unclear()) {
                    let missing = matches!(*sign, "+" | "-") && (a.is_none() || b.is_none());
                    return if missing { None } else { Some(unclear()) };
                }
                let numbers = a.as_ref().and_then(number).zip(b.as_ref().and_then(number));
                // What is compared with a number of the mapping is taken as one.
                let own = both.0.is_number() || both.1.is_number();
                let same = if own { numbers.is_some_and(|(a, b)| a == b) } else { a.is_some() && a == b };
                match *sign {
                    "=" => return Some(json!(same)),
                    "!=" => return Some(json!(!same)),
                    "+" | "-" if a.is_none() || b.is_none() => return None,
                    "+" => return Some(numbers.map_or(unclear(), |(a, b)| json!(a + b))),
                    "-" => return Some(numbers.map_or(unclear(), |(a, b)| json!(a - b))),
                    _ if a.is_none() || b.is_none() => return Some(json!(false)),
                    _ => {}
                }
                let texts = a.as_ref().and_then(Value::as_str).zip(b.as_ref().and_then(Value::as_str));
                let order = numbers.map(|(a, b)| a.cmp(&b)).or(texts.map(|(a, b)| a.cmp(b)));
                Some(order.map_or(unclear(), |order| {
                    json!(match *sign {
                        "<" => order.is_lt(),
                        "<=" => order.is_le(),
                        ">" => order.is_gt(),
                        _ => order.is_ge(),
                    })
                }))
            }
            Plain::Call(name, parts) => call(name, parts, fields),
        }
    }
}

fn call(name: &str, parts: &[Plain], fields: &[Option<Value>]) -> Option<Value> {
    let values: Vec<Option<Value>> = parts.iter().map(|part| part.value(fields)).collect();
    let text = |at: usize| values.get(at)?.as_ref().filter(|value| **value != unclear())?.as_str();
    match name {
        "has" if values[0] == Some(unclear()) => Some(unclear()),
        "has" => Some(json!(values[0].is_some())),
        "first" => values.iter().flatten().next().cloned(),
        "if" => match parts[0].holds(fields) {
            None => Some(unclear()),
            Some(holds) => values[if holds { 1 } else { 2 }].clone(),
        },
        "lower" => text(0).map(|text| json!(text.to_lowercase())),
        "upper" => text(0).map(|text| json!(text.to_uppercase())),
        "length" => text(0).map(|text| json!(text.chars().count())),
        "starts" => Some(json!(text(0).zip(text(1)).is_some_and(|(a, b)| a.starts_with(b)))),
        "ends" => Some(json!(text(0).zip(text(1)).is_some_and(|(a, b)| a.ends_with(b)))),
        "contains" => Some(json!(text(0).zip(text(1)).is_some_and(|(a, b)| a.contains(b)))),
        "strip" => text(1).map(|value| json!(text(0).and_then(|it| value.strip_prefix(it)).unwrap_or(value))),
        "number" => match &values[0] {
            Some(value) if *value == unclear() => Some(unclear()),
            value => value.as_ref().and_then(number).map(|number| json!(number)),
        },
        _ => match &values[0] {
            Some(Value::String(text)) => Some(json!(text)),
            value => value.as_ref().map(|value| json!(value.to_string())),
        },
    }
}

fn plain() -> impl Strategy<Value = Plain> {
    let leaf = prop_oneof![
        4 => (0usize..5).prop_map(Plain::Field),
        1 => prop::sample::select(&TEXTS[..]).prop_map(Plain::Text),
        1 => (-3i64..4).prop_map(Plain::Number),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let unary = prop::sample::select(vec!["has", "lower", "upper", "length", "number", "text"]);
        let binary = prop::sample::select(vec!["starts", "ends", "contains", "strip", "first"]);
        let sign = prop::sample::select(vec!["&", "|", "=", "!=", "<", "<=", ">", ">=", "+", "-"]);
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (unary, inner.clone()).prop_map(|(name, part)| Plain::Call(name, vec![part])),
            (binary, two.clone()).prop_map(|(name, (a, b))| Plain::Call(name, vec![a, b])),
            (sign, two.clone()).prop_map(|(sign, both)| Plain::Binary(sign, Box::new(both))),
            (inner.clone(), two).prop_map(|(c, (a, b))| Plain::Call("if", vec![c, a, b])),
            inner.prop_map(|inner| Plain::Not(Box::new(inner))),
        ]
    })
}

fn field() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        Just(None),
        Just(Some(Value::Null)),
        any::<bool>().prop_map(|truth| Some(json!(truth))),
        (-3i64..4).prop_map(|number| Some(json!(number))),
        prop::sample::select(&TEXTS[..]).prop_map(|text| Some(json!(text))),
        Just(Some(json!("a\n\u{e9}"))),
        Just(Some(json!([1, "a"]))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn expressions_are_worth_what_a_plain_evaluator_says(
        plain in plain(),
        fields in prop::collection::vec(field(), 5),
    ) {
        let text = plain.text();
        let mut compiler = Compiler::default();
        let parts: Vec<Vec<String>> = (0..5).map(|field| vec![format!("f{field}")]).collect();
        let pointers = Pointers::new(parts.iter().map(|parts| &**parts));
        for field in 0..5 {
            compiler.fields.insert(format!("f{field}"), pointers.slot(field) as u32);
        }
        let tree = parse(&Text { span: Span::new(0, text.len()), text: text.clone() }, true, &mut compiler.found);
        let node = compiler.value(&tree.unwrap_or_else(|| panic!("{text}: {:?}", compiler.found)));
        // What is of the wrong type for certain is refused.
        prop_assume!(node.is_some());
        let line: serde_json::Map<String, Value> =
            fields.iter().enumerate().filter_map(|(at, it)| Some((format!("f{at}"), it.clone()?))).collect();
        let line = Value::Object(line).to_string();
        let mut slots = vec![Slot::MISSING; pointers.slots()];
        pointers.read(&line, &mut slots).unwrap();
        let (program, tables) = (&compiler.program, Tables::new([], 1));
        let mut memo = Memo::new(program);
        memo.next();
        let mut line = Line { program, text: &line, slots: &slots, tables: &tables, memo: &mut memo };
        let slot = line.value(node.unwrap().0, &mut NoSlice);
        let found = match slot.kind {
            ValueKind::Missing => None,
            ValueKind::Unclear => Some(unclear()),
            ValueKind::Null => Some(Value::Null),
            ValueKind::True => Some(json!(true)),
            ValueKind::False => Some(json!(false)),
            ValueKind::Text => Some(json!(line.str(slot))),
            _ => Some(serde_json::from_str(line.str(slot)).unwrap()),
        };
        prop_assert_eq!(found, plain.value(&fields), "{}", text);
    }
}
