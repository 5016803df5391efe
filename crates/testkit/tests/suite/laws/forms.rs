//! Other forms of the same formula and of the same file.

use proptest::collection::vec;
use servanda_engine::{Deadlock, Options};
use servanda_logic::{Binary, Features, Formula, Kind, nnf, parse_formula};
use servanda_pact::Protocol;
use servanda_testkit::random::{Case, cases, state_formulas};
use servanda_testkit::{Decider, Reference, Trials, Tried, load};

use crate::laws::support::{Asked, CASES, everywhere, plain_protocols};

/// The formula and what `change` makes of it, if it makes anything, must be equivalent at every point.
fn equivalent(options: Options, change: impl Fn(&Protocol, &Formula) -> Option<Formula>) {
    let strategy = (plain_protocols(Features::ALL), vec(state_formulas(Features::ALL), 1..=2));
    Trials::from_environment(2 * CASES).run(&strategy, |(outline, formulas)| {
        let case = Case { outline: outline.clone(), formulas: formulas.clone() };
        let protocol = load(&case.text());
        let Some(mut asked) = Asked::new(&protocol, options) else { return Ok(Tried::Skipped) };
        let mut decided = false;
        for property in &protocol.properties {
            let formula = &property.formula;
            let Some(changed) = change(&protocol, formula) else { continue };
            match asked.ground(&formula.clone().binary(Binary::Iff, changed.clone()))? {
                Some(true) => decided = true,
                Some(false) => {
                    let outline = outline.text();
                    return Err(format!("{formula}\nis not {changed}\nwith {options:?} in\n{outline}"));
                }
                None => {}
            }
        }
        Ok(if decided { Tried::Holds } else { Tried::Skipped })
    });
}

fn strict() -> Options {
    Options { deadlock: Deadlock::Strict, ..everywhere() }
}

#[test]
fn negation_normal_form_means_the_same() {
    equivalent(everywhere(), |_, formula| Some(nnf(formula)));
    // In the strict reading `E !X p` is no CTL operator, so that it refers to infinite paths, and `EX !p` is one.
    equivalent(strict(), |_, formula| {
        let text = formula.to_string();
        let negated_path = text.contains("E !") || text.contains("A !");
        (!negated_path).then(|| nnf(formula))
    });
}

#[test]
fn negation_normal_form_of_a_negation_is_its_negation() {
    equivalent(everywhere(), |_, formula| Some(nnf(&formula.clone().negated()).negated()));
}

#[test]
fn printing_and_reading_gives_the_same_formula() {
    Trials::from_environment(4 * CASES).run(&cases(Features::ALL, 3), |case| {
        for written in case.written() {
            let read = parse_formula(&written).map_err(|errors| format!("{written}: {errors:?}"))?;
            if parse_formula(&read.to_string()).as_ref() != Ok(&read) {
                return Err(format!("{read} is not read back; it was {written}"));
            }
        }
        Ok(Tried::Holds)
    });
}

/// A comprehension is printed as the operators it stands for. In a content that makes another commitment of it.
pub(crate) fn has_comprehension(formula: &Formula) -> bool {
    let mut found = matches!(formula.kind(), Kind::Joined(..));
    formula.for_each_child(|child| found |= has_comprehension(child));
    found
}

#[test]
fn ground_formulas_can_be_printed_and_asked_again() {
    equivalent(everywhere(), |protocol, formula| {
        let printed = formula.to_string();
        let again = protocol.formula(&printed).unwrap_or_else(|errors| panic!("{printed}: {errors:?}"));
        (!has_comprehension(formula)).then_some(again)
    });
}

#[test]
fn standard_form_of_a_file_means_the_same() {
    Trials::from_environment(CASES).run(&cases(Features::ALL, 3), |case| {
        let text = case.text();
        let standard = servanda_pact::format(&text).map_err(|errors| format!("{errors:?}:\n{text}"))?;
        let again = servanda_pact::format(&standard).map_err(|errors| format!("{errors:?}:\n{standard}"))?;
        if again != standard {
            return Err(format!("formatted twice:\n{standard}\nbecomes\n{again}"));
        }
        let (one, other) = (load(&text), load(&standard));
        let options = Options::default();
        let verdicts = |p: &servanda_pact::Protocol| Reference.verdicts(&p.model, &p.properties, options);
        let (one, other) = (verdicts(&one), verdicts(&other));
        if one != other {
            return Err(format!("{one:?} of\n{text}\nbut {other:?} of\n{standard}"));
        }
        Ok(if one.iter().any(Option::is_some) { Tried::Holds } else { Tried::Skipped })
    });
}
