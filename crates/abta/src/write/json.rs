//! For programs: one object, described in docs/abta.md.

use serde::Serialize;

use crate::automaton::{Abta, Quantifier, State, StateKind};
use crate::options::{Logic, Rules};
use crate::translation::Translation;

#[derive(Serialize)]
struct Output<'a> {
    servanda: &'static str,
    formula: String,
    rules: &'static str,
    logic: Option<&'static str>,
    tableau: Automaton<'a>,
    automaton: Automaton<'a>,
    notes: Vec<NoteOutput<'a>>,
}

#[derive(Serialize)]
struct NoteOutput<'a> {
    item: Option<u8>,
    text: &'a str,
}

#[derive(Serialize)]
struct Automaton<'a> {
    start: Option<usize>,
    states: Vec<StateOutput<'a>>,
    components: Vec<ComponentOutput>,
    acceptance: Vec<SetOutput<'a>>,
}

#[derive(Serialize)]
struct ComponentOutput {
    number: usize,
    quantifier: &'static str,
    states: Vec<usize>,
}

#[derive(Serialize)]
struct SetOutput<'a> {
    component: Option<usize>,
    formula: &'a str,
    states: Vec<usize>,
}

/// Fields that do not apply are left out.
#[derive(Serialize)]
struct StateOutput<'a> {
    number: usize,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    atom: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<ActionOutput>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    act: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantifier: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<ScopeOutput<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<usize>,
    successors: Vec<usize>,
}

#[derive(Serialize)]
struct ActionOutput {
    action: String,
    positive: bool,
}

#[derive(Serialize)]
struct ScopeOutput<'a> {
    debtor: &'a str,
    creditor: &'a str,
    commitment: String,
}

/// The tableau, the automaton and the notes as one JSON object.
pub fn json(translation: &Translation) -> String {
    let output = Output {
        servanda: env!("CARGO_PKG_VERSION"),
        formula: translation.formula.to_string(),
        rules: match translation.rules {
            Rules::Sound => "sound",
            Rules::Paper => "paper",
        },
        logic: translation.logic.map(|logic| match logic {
            Logic::Actl => "actl",
            Logic::CtlCa => "ctlca",
        }),
        tableau: automaton(&translation.tableau),
        automaton: automaton(&translation.automaton),
        notes: translation
            .notes
            .iter()
            .map(|note| NoteOutput { item: note.item, text: &note.text })
            .collect(),
    };
    // Strings, numbers and lists of them always have a form in JSON.
    let mut shown = serde_json::to_string_pretty(&output).unwrap_or_default();
    shown.push('\n');
    shown
}

fn automaton(abta: &Abta) -> Automaton<'_> {
    let component = |(index, component): (usize, &crate::automaton::Component)| ComponentOutput {
        number: index + 1,
        quantifier: quantifier(component.quantifier),
        states: abta.numbers(&component.states),
    };
    let acceptance = abta.acceptance.iter().map(|set| SetOutput {
        component: set.component.map(|index| index + 1),
        formula: &set.formula,
        states: abta.numbers(&set.states),
    });
    Automaton {
        start: abta.states.first().map(|state| state.number),
        states: abta.by_number().into_iter().map(|(_, one)| state(abta, one)).collect(),
        components: abta.components.iter().enumerate().map(component).collect(),
        acceptance: acceptance.collect(),
    }
}

fn quantifier(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Exists => "exists",
        Quantifier::ForAll => "forall",
    }
}

fn state<'a>(abta: &Abta, state: &'a State) -> StateOutput<'a> {
    let (atom, positive) = match &state.kind {
        StateKind::Literal { atom, positive } => (Some(atom.to_string()), Some(*positive)),
        StateKind::Action { negated, .. } => (None, Some(!negated)),
        _ => (None, None),
    };
    let actions = match &state.kind {
        StateKind::StepExists(actions) | StateKind::StepForAll(actions) => Some(
            actions
                .iter()
                .map(|literal| ActionOutput {
                    action: literal.action.to_string(),
                    positive: literal.positive,
                })
                .collect(),
        ),
        _ => None,
    };
    StateOutput {
        number: state.number,
        text: &state.text,
        rule: state.rule.as_ref().map(|rule| rule.name),
        label: state.rule.as_ref().map(|rule| rule.label.as_str()),
        kind: state.kind.word(),
        atom,
        positive,
        actions,
        act: match &state.kind {
            StateKind::Action { act, .. } => Some(act),
            _ => None,
        },
        quantifier: state.quantifier.map(quantifier),
        scope: state.scope.as_ref().map(|scope| ScopeOutput {
            debtor: &scope.debtor,
            creditor: &scope.creditor,
            commitment: scope.commitment.to_string(),
        }),
        component: state.component.map(|index| index + 1),
        successors: abta.numbers(&state.successors),
    }
}
