//! Whatever the formula, there is an automaton or an error, and never a panic.

use proptest::prelude::*;
use servanda_abta::{
    ActReading, Logic, Options, Rules, Simplify, StateKind, dot, hoa, json, text, translate,
};
use servanda_logic::{Features, Formula, is_state_formula, parse_formula};
use servanda_testkit::random::cases;

fn all_options(states: usize) -> Vec<Options> {
    let base = Options { most_states: states, ..Options::default() };
    let mut all = Vec::new();
    for acts in [ActReading::Actl, ActReading::Scctl, ActReading::Ctlca] {
        for simplify in [Simplify::Fully, Simplify::Not] {
            all.push(Options { acts, simplify, ..base });
        }
    }
    for logic in [None, Some(Logic::Actl), Some(Logic::CtlCa)] {
        all.push(Options { rules: Rules::Paper, logic, ..base });
    }
    all
}

/// Translates and writes in all ways.
fn try_everything(formula: &Formula) {
    for options in all_options(300) {
        let Ok(translation) = translate(formula, options) else { continue };
        assert!(translation.tableau.states.len() <= options.most_states);
        assert!(translation.automaton.states.len() <= translation.tableau.states.len());
        assert!(
            !text(&translation, None).is_empty()
                && !json(&translation, None).is_empty()
                && !dot(&translation).is_empty()
        );
        let _ = hoa(&translation, options);
        if options.rules == Rules::Sound {
            for component in &translation.automaton.components {
                let universal = |kind: &StateKind| matches!(kind, StateKind::StepForAll(_));
                let existential = |kind: &StateKind| matches!(kind, StateKind::StepExists(_));
                let kinds = || component.states.iter().map(|id| &translation.automaton.state(*id).kind);
                assert!(!(kinds().any(universal) && kinds().any(existential)), "{formula} is not hesitant");
            }
        }
    }
}

const PIECES: &str = "(A|E|G|F|X|Y|P|H|U|R|W|S|so|!|&|\\||->|<->|\\(|\\)|p|q|x = 1|does\\(a\\)|AG|EF|EX|K\\(i, p\\)|<g>X|\
    SC\\(i, j, p\\)|PC\\(i, j, t, F q\\)|Cr\\(i, SC\\(i, j, G p\\)\\)|Ac\\(j, c\\)|Wit\\(i, c\\)|Vio\\(i, SC\\(i, j, F p\\)\\)|\
    Jus\\(i, SC\\(i, j, p\\), q\\)|Act\\(i, c\\)|Ch\\(j, SC\\(i, j, p\\)\\)|all k in 1..3 : |_|\\?|true|false|EY|AH| ){1,14}";

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_formulas(text in PIECES) {
        if let Ok(formula) = parse_formula(&text) {
            try_everything(&formula);
        }
    }

    #[test]
    fn any_text(text in ".{0,40}") {
        if let Ok(formula) = parse_formula(&text) {
            try_everything(&formula);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn formulas_of_the_whole_language(case in cases(Features::ALL, 2)) {
        for text in case.written() {
            let formula = parse_formula(&text).unwrap();
            prop_assert!(is_state_formula(&formula));
            try_everything(&formula);
        }
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let error = |text: &str, rules| {
        let options = Options { rules, most_states: 1000, ..Options::default() };
        let errors = translate(&parse_formula(text).unwrap(), options).unwrap_err();
        (errors[0].code.word(), errors[0].message.clone())
    };
    let recurring: Vec<String> = (0..20).map(|number| format!("G F p{number}")).collect();
    let recurring = format!("E ({})", recurring.join(" & "));
    let many = ("too-large", "the tableau has more than 1000 states".to_owned());
    assert_eq!(error(&recurring, Rules::Sound), many);
    assert_eq!(error(&recurring, Rules::Paper), many);
    let equivalent = (0..60).fold("p".to_owned(), |inner, number| format!("(q{number} <-> {inner})"));
    let long = ("too-large", "the formula has more than 20000 nodes once `<->` is written out".to_owned());
    assert_eq!(error(&equivalent, Rules::Sound), long);
    assert_eq!(error(&equivalent, Rules::Paper), long);
}

#[test]
fn what_has_no_automaton_is_refused_with_its_place() {
    let codes = |text: &str| -> Vec<(&'static str, String)> {
        let errors = translate(&parse_formula(text).unwrap(), Options::default()).unwrap_err();
        errors
            .iter()
            .map(|error| {
                (error.code.word(), text[error.span.start as usize..error.span.end as usize].to_owned())
            })
            .collect()
    };
    assert_eq!(codes("F p"), [("path-formula", "F p".to_owned())]);
    assert_eq!(codes("E (p & Cr(i, _))"), [("act-with-wildcard", "Cr(i, _)".to_owned())]);
    assert_eq!(codes("E Ch(i, SC(i, j, p))"), [("wrong-party", "i".to_owned())]);
    assert_eq!(codes("E Sat(i, c)"), [("unknown-content", "c".to_owned())]);
    assert_eq!(codes("E Y F p"), [("past-over-future", "F p".to_owned())]);
    assert_eq!(codes("E (all k in 1..3 : F p[k])"), [("repeated-path-formula", "F p[k]".to_owned())]);
}

/// ASCII and Unicode spellings are the same formula.
#[test]
fn unicode_is_read() {
    let shown =
        |text_of: &str| text(&translate(&parse_formula(text_of).unwrap(), Options::default()).unwrap(), None);
    assert_eq!(shown("∀□ (p → ◇ ¬q)"), shown("AG (p -> F !q)"));
}
