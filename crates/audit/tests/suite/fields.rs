//! Fields of lines against another reader of JSON.

use proptest::prelude::*;
use serde_json::{Map, Value};
use servanda_audit::read::{DEEPEST, Pointers, ValueKind, pointer};

const KEYS: [&str; 8] = ["a", "b", "c/d", "e~f", "0", "1", "é\"\\\n", ""];

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| if number.is_finite() { Value::from(number) } else { Value::Null }),
        any::<String>().prop_map(Value::String),
        "[ -~]{0,40}".prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((prop::sample::select(&KEYS[..]), inner), 0..5).prop_map(|pairs| {
                Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Map<_, _>>())
            }),
        ]
    })
}

fn path() -> impl Strategy<Value = String> {
    let part = prop::sample::select(&KEYS[..]).prop_map(|key| key.replace('~', "~0").replace('/', "~1"));
    prop::collection::vec(part, 0..4).prop_map(|parts| parts.iter().map(|part| format!("/{part}")).collect())
}

fn agrees(found: &(ValueKind, std::borrow::Cow<'_, str>), expected: Option<&Value>) -> bool {
    let (kind, text) = found;
    match expected {
        None => *kind == ValueKind::Missing,
        Some(Value::Null) => *kind == ValueKind::Null,
        Some(Value::Bool(truth)) => *kind == if *truth { ValueKind::True } else { ValueKind::False },
        Some(Value::Number(number)) => *kind == ValueKind::Number && *text == number.to_string(),
        Some(Value::String(string)) => *kind == ValueKind::Text && *text == *string,
        Some(whole) => {
            // Read twice: their reader rounds numbers.
            let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            *kind == ValueKind::Whole && read(text) == read(&whole.to_string())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn fields_are_what_another_reader_finds(value in json(), paths in prop::collection::vec(path(), 1..6), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let parts: Vec<Vec<String>> = paths.iter().map(|path| pointer(path).unwrap()).collect();
        let found = Pointers::new(parts.iter().map(|parts| &**parts)).values(&text).unwrap();
        for (path, found) in paths.iter().zip(&found) {
            prop_assert!(agrees(found, value.pointer(path)), "{path} of {text}: {found:?}");
        }
    }

    #[test]
    fn a_text_is_json_for_both_or_for_neither(mut text in json().prop_map(|it| it.to_string()), cut: prop::sample::Index, with in "[\\[\\]{}\",:0-9a-z.\\\\ -]{0,2}") {
        let mut at = cut.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let end = text[at..].chars().next().map_or(at, |next| at + next.len_utf8());
        text.replace_range(at..end, &with);
        let ours = Pointers::new([&[][..]]).values(&text);
        let theirs = serde_json::from_str::<Value>(&text);
        // Numbers that do not fit are no concern of ours, nor are halves of surrogates in texts that nobody asks for.
        let excused = theirs.as_ref().is_err_and(|error| {
            let why = error.to_string();
            why.contains("out of range") || why.contains("surrogate") || why.contains("hex escape")
        });
        prop_assert!(ours.is_ok() == theirs.is_ok() || excused, "{text}: {ours:?} {theirs:?}");
    }

    #[test]
    fn no_text_is_too_odd(text: String, path in path()) {
        let _ = Pointers::new([&*pointer(&path).unwrap()]).values(&text);
        let _ = pointer(&text);
    }
}

fn one(path: &str, text: &str) -> (ValueKind, String) {
    let (kind, text) = Pointers::new([&*pointer(path).unwrap()]).values(text).unwrap().remove(0);
    (kind, text.into_owned())
}

#[test]
fn numbers_stay_as_they_are_written() {
    for number in ["9007199254740993", "-0", "1e999", "123456789012345678901234567890.10", "1E+2"] {
        assert_eq!(one("/n", &format!("{{\"n\":{number}}}")), (ValueKind::Number, number.to_owned()));
    }
}

#[test]
fn the_last_of_two_keys_counts_with_all_below_it() {
    let text = r#"{"a":{"x":1,"y":2},"a":{"y":3}}"#;
    assert_eq!(one("/a/x", text).0, ValueKind::Missing);
    assert_eq!(one("/a/y", text), (ValueKind::Number, "3".to_owned()));
    assert_eq!(one("/a", r#"{"a":[1],"\u0061":null}"#).0, ValueKind::Null);
}

#[test]
fn nesting_is_bounded_and_long_texts_are_read() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let read = |text: &str| Pointers::new([&[][..]]).values(text).map(drop);
    assert!(read(&nested(DEEPEST)).is_ok());
    let error = read(&nested(DEEPEST + 1)).unwrap_err();
    assert_eq!((error.what, error.at), ("nested too deeply", DEEPEST));
    assert!(read(&nested(1_000_000)).is_err());
    let long = "x".repeat(10_000_000);
    assert_eq!(one("/t", &format!("{{\"t\":\"{long}\\n\"}}")).1.len(), long.len() + 1);
}
