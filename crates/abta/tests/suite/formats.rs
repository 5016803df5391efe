//! Every output format, as snapshots, and what can be said of all outputs.

use servanda_abta::{Logic, Options, Rules, Simplify, Translation, dot, hoa, json, text, translate};
use servanda_logic::parse_formula;

fn translated(formula: &str, options: Options) -> Translation {
    translate(&parse_formula(formula).unwrap(), options).unwrap()
}

fn sound(formula: &str) -> Translation {
    translated(formula, Options::default())
}

fn paper(formula: &str, logic: Logic) -> Translation {
    translated(formula, Options { rules: Rules::Paper, logic: Some(logic), ..Options::default() })
}

const FORMULA_1: &str = "AG (Ch(Ag2, SC(Ag1, Ag2, phi1)) -> F Jus(Ag1, SC(Ag1, Ag2, phi1), phi2))";

#[test]
fn as_text() {
    insta::assert_snapshot!("text_sound", text(&sound("A (G F p -> G F q)"), None));
    insta::assert_snapshot!("text_sound_formula_1", text(&sound(FORMULA_1), None));
    insta::assert_snapshot!(
        "text_sound_past_and_knowledge",
        text(&sound("AG (K(i, p) -> E (does(a) U P q))"), None)
    );
    insta::assert_snapshot!("text_paper_formula_1", text(&paper(FORMULA_1, Logic::Actl), None));
    insta::assert_snapshot!("text_paper_leaf", text(&paper("p", Logic::CtlCa), None));
}

#[test]
fn as_text_without_simplification() {
    let options = Options { simplify: Simplify::Not, ..Options::default() };
    insta::assert_snapshot!(text(&translated("AG EF p", options), None));
}

#[test]
fn as_json() {
    insta::assert_snapshot!("json_sound", json(&sound("E (does(pay) U SC(i, j, p))"), None));
    insta::assert_snapshot!("json_paper", json(&paper("E !Ac(j, SC(i, j, p))", Logic::Actl), None));
}

#[test]
fn as_dot() {
    insta::assert_snapshot!("dot_sound", dot(&sound("AG EF (x = \"1\")".replace('"', "").as_str())));
    insta::assert_snapshot!("dot_paper", dot(&paper("E G F p", Logic::CtlCa)));
}

#[test]
fn as_hoa() {
    let written = |formula: &str| hoa(&sound(formula), Options::default()).unwrap();
    insta::assert_snapshot!("hoa_exists", written("E (G F p & G F does(a))"));
    insta::assert_snapshot!("hoa_for_all", written("A G (p -> F q)"));
}

/// Statements of the form `name;`, `name [..];`, `a -> b;`, `key=value;` and nested braces, with quoted strings.
fn is_dot(text: &str) -> bool {
    let Some(body) = text.strip_prefix("digraph abta {\n").and_then(|rest| rest.strip_suffix("}\n")) else {
        return false;
    };
    let (mut depth, mut quoted, mut escaped) = (0_i32, false, false);
    for character in body.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '\n' if quoted => return false,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    let ends = |line: &str| line.ends_with(';') || line.ends_with('{') || line.ends_with('}');
    depth == 0 && !quoted && body.lines().all(ends)
}

#[test]
fn dot_is_well_formed_and_json_can_be_read() {
    let formulas = ["p", "AG EF p", "E (x != 1 & F does('a))", FORMULA_1, "SC(i, j, G p)", "true", "E false"];
    for formula in formulas {
        for rules in [Rules::Sound, Rules::Paper] {
            let translation = translated(formula, Options { rules, ..Options::default() });
            assert!(is_dot(&dot(&translation)), "{formula}");
            let object: serde_json::Value = serde_json::from_str(&json(&translation, None)).unwrap();
            let states = object["automaton"]["states"].as_array().unwrap();
            assert_eq!(states.len(), translation.automaton.states.len());
            let numbers: Vec<u64> = states.iter().map(|state| state["number"].as_u64().unwrap()).collect();
            for successor in states.iter().flat_map(|state| state["successors"].as_array().unwrap()) {
                assert!(numbers.contains(&successor.as_u64().unwrap()), "{formula}");
            }
        }
    }
}
