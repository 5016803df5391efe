//! For people: the tableau row by row, the automaton, the notes.

use std::fmt::Write as _;

use super::listed;
use crate::automaton::{Abta, ActionLiteral, Quantifier, State, StateKind};
use crate::measures::{Bound, Measures};
use crate::options::Rules;
use crate::translation::Translation;

/// The tableau, the automaton, the measures if they are wanted, and the notes.
pub fn text(translation: &Translation, wanted: Option<&Measures>) -> String {
    let mut shown = String::new();
    let _ = writeln!(shown, "formula: {}", translation.formula);
    let rules = match translation.logic {
        Some(logic) => format!("those of the {} paper", logic.name()),
        None => "sound".to_owned(),
    };
    let _ = writeln!(shown, "rules: {rules}\n");
    tableau(&translation.tableau, &mut shown);
    match translation.rules {
        Rules::Paper => paper_automaton(&translation.automaton, &mut shown),
        Rules::Sound => sound_automaton(translation, &mut shown),
    }
    if let Some(wanted) = wanted {
        measures(translation, wanted, &mut shown);
    }
    notes(translation, &mut shown);
    shown
}

/// Definitions 8 to 10 of the CTL*CA paper, and what its lemmas make of them.
pub(super) fn measures(translation: &Translation, measures: &Measures, shown: &mut String) {
    let _ = writeln!(
        shown,
        "\nmeasures (Definitions 8 to 10 of the CTL*CA paper)\n  length, |ψ|: {}",
        measures.length
    );
    let _ = writeln!(shown, "  closure, CL(ψ): {}", many(measures.closure.len(), "formula"));
    for formula in &measures.closure {
        let _ = writeln!(shown, "    {formula}");
    }
    let by = |clause| measures.order.iter().filter(|pair| pair.clause == clause).count();
    let _ = writeln!(
        shown,
        "  order: of {} of the tableau, {} put off what they unfold (clause 1) and {} leave less (clause 2)",
        many(measures.order.len(), "step"),
        by(Some(1)),
        by(Some(2)),
    );
    let abta = &translation.tableau;
    for pair in measures.order.iter().filter(|pair| pair.clause.is_none()) {
        let [from, to] = [pair.from, pair.to].map(|id| abta.state(id).number);
        let _ = writeln!(shown, "    neither, against Lemma 1: ({from}) → ({to})");
    }
    bounds(&measures.bounds, shown);
}

pub(super) fn bounds(bounds: &[Bound], shown: &mut String) {
    for Bound { lemma, what, value, bound, holds } in bounds {
        let broken = if *holds { "" } else { ": it is not kept" };
        let _ = writeln!(shown, "  {what}: {value}; {lemma}: {bound}{broken}");
    }
}

pub(super) fn many(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// Pads by characters, not bytes.
pub(super) fn padded(text: &str, width: usize) -> String {
    let own = text.chars().count();
    format!("{text}{}", " ".repeat(width.saturating_sub(own)))
}

pub(super) fn widest(texts: impl Iterator<Item = String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

fn tableau(abta: &Abta, shown: &mut String) {
    let _ = writeln!(shown, "tableau: {}", many(abta.states.len(), "row"));
    let number = |state: &State| format!("({})", state.number);
    let name = |state: &State| state.rule.as_ref().map_or(String::new(), |rule| rule.name.to_owned());
    let label = |state: &State| state.rule.as_ref().map_or(String::new(), |rule| rule.label.clone());
    let widths = [
        widest(abta.states.iter().map(number)),
        widest(abta.states.iter().map(name)),
        widest(abta.states.iter().map(label)),
    ];
    for state in &abta.states {
        let _ = writeln!(
            shown,
            "  {}  {}  {}  {}{}",
            padded(&number(state), widths[0]),
            padded(&name(state), widths[1]),
            padded(&label(state), widths[2]),
            state.text,
            leads(abta, state),
        );
    }
}

/// Where a state leads.
fn leads(abta: &Abta, state: &State) -> String {
    match state.successors.as_slice() {
        [] => String::new(),
        successors => format!("  → {}", listed(&abta.numbers(successors))),
    }
}

/// All numbers, or what is missing where that is shorter.
fn accepting(abta: &Abta, numbers: &[usize]) -> String {
    let others: Vec<usize> =
        abta.states.iter().map(|state| state.number).filter(|number| !numbers.contains(number)).collect();
    match (numbers.len(), others.len()) {
        (0, _) => "no state".to_owned(),
        (_, 0) => "all states".to_owned(),
        (some, missing) if missing < some => format!("all but {}", listed(&others)),
        _ => listed(numbers),
    }
}

fn paper_automaton(abta: &Abta, shown: &mut String) {
    let _ =
        writeln!(shown, "\nautomaton: {}, one per row; it starts in (1)", many(abta.states.len(), "state"));
    if abta.acceptance.is_empty() {
        let _ = writeln!(shown, "  no acceptance set: there is no until formula");
    }
    for set in &abta.acceptance {
        let _ = writeln!(
            shown,
            "  acceptance set of {}: {}",
            set.formula,
            accepting(abta, &abta.numbers(&set.states))
        );
    }
}

fn sound_automaton(translation: &Translation, shown: &mut String) {
    let abta = &translation.automaton;
    let start = abta.states.first().map_or(1, |state| state.number);
    let count = many(abta.states.len(), "state");
    let _ = writeln!(shown, "\nautomaton: {count}; it starts in ({start})");
    let width = widest(abta.states.iter().map(|state| format!("({})", state.number)));
    for (_, state) in abta.by_number() {
        let number = format!("({})", state.number);
        let _ = writeln!(shown, "  {}  {}{}", padded(&number, width), kind(state), leads(abta, state));
    }
    for (number, component) in abta.components.iter().enumerate() {
        let mut states = abta.numbers(&component.states);
        states.sort_unstable();
        let states = listed(&states);
        let sets: Vec<_> = abta.acceptance.iter().filter(|set| set.component == Some(number)).collect();
        // An empty set is never met, and always left behind.
        let never_met = sets.iter().any(|set| set.states.is_empty());
        let verdict = match component.quantifier {
            Quantifier::Exists if never_met => "no run may stay in it",
            Quantifier::Exists if sets.is_empty() => "a run may stay in it",
            Quantifier::Exists => "a run that stays in it must meet each of these sets again and again",
            Quantifier::ForAll if never_met => "a run may stay in it",
            Quantifier::ForAll if sets.is_empty() => "no run may stay in it",
            Quantifier::ForAll => "a run that stays in it must leave one of these sets behind for good",
        };
        let kind = match component.quantifier {
            Quantifier::Exists => "existential",
            Quantifier::ForAll => "universal",
        };
        let _ = writeln!(shown, "  component {}, {kind}: {states}: {verdict}", number + 1);
        for set in sets {
            let states = match set.states.as_slice() {
                [] => "no state".to_owned(),
                states => listed(&abta.numbers(states)),
            };
            let _ = writeln!(shown, "    of {}: {states}", set.formula);
        }
    }
}

fn literals(actions: &[ActionLiteral], joined: &str) -> String {
    let shown =
        |literal: &ActionLiteral| format!("{}{}", if literal.positive { "" } else { "!" }, literal.action);
    actions.iter().map(shown).collect::<Vec<_>>().join(joined)
}

/// How a state is shown, in words.
pub(super) fn kind(state: &State) -> String {
    let scope = match &state.scope {
        Some(scope) => format!(" [{} -> {}]", scope.debtor, scope.creditor),
        None => String::new(),
    };
    match &state.kind {
        StateKind::Literal { .. } => state.text.clone(),
        StateKind::And => format!("all of{scope}"),
        StateKind::Or => format!("one of{scope}"),
        StateKind::StepExists(actions) if actions.is_empty() => format!("some step{scope}"),
        StateKind::StepForAll(actions) if actions.is_empty() => format!("every step{scope}"),
        StateKind::StepExists(actions) => format!("some step{scope} with {}", literals(actions, " & ")),
        StateKind::StepForAll(actions) => format!("every step{scope} without {}", literals(actions, " | ")),
        other => other.word().to_owned(),
    }
}

pub(super) fn notes(translation: &Translation, shown: &mut String) {
    let differences: Vec<_> =
        translation.notes.iter().filter_map(|note| Some((note.item?, &note.text))).collect();
    if !differences.is_empty() {
        let heading = match translation.rules {
            Rules::Paper => "where the sound automaton differs",
            Rules::Sound => "where this differs from the papers' automaton",
        };
        let _ = writeln!(shown, "\n{heading} (numbers: docs/formulas.md, section 10)");
        for (item, text) in differences {
            let _ = writeln!(shown, "  {item:>2}. {text}");
        }
    }
    let others: Vec<_> = translation.notes.iter().filter(|note| note.item.is_none()).collect();
    if !others.is_empty() {
        let _ = writeln!(shown, "\nnotes");
        for note in others {
            let _ = writeln!(shown, "  - {}", note.text);
        }
    }
}
