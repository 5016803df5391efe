//! For programs: one object, described in docs/abta.md.

use serde_json::{Map, Value, json};

use crate::automaton::{Abta, ActionLiteral, Quantifier, State, StateKind};
use crate::options::{Logic, Rules};
use crate::translation::Translation;

/// The tableau, the automaton and the notes as one JSON object.
pub fn json(translation: &Translation) -> String {
    let rules = match translation.rules {
        Rules::Sound => "sound",
        Rules::Paper => "paper",
    };
    let logic = translation.logic.map(|logic| match logic {
        Logic::Actl => "actl",
        Logic::CtlCa => "ctlca",
    });
    let notes: Vec<Value> =
        translation.notes.iter().map(|note| json!({"item": note.item, "text": note.text})).collect();
    let object = json!({
        "servanda": env!("CARGO_PKG_VERSION"),
        "formula": translation.formula.to_string(),
        "rules": rules,
        "logic": logic,
        "tableau": automaton(&translation.tableau),
        "automaton": automaton(&translation.automaton),
        "notes": notes,
    });
    format!("{object:#}\n")
}

fn automaton(abta: &Abta) -> Value {
    let components: Vec<Value> = abta
        .components
        .iter()
        .map(|component| {
            json!({
                "quantifier": quantifier(component.quantifier),
                "states": abta.numbers(&component.states),
            })
        })
        .collect();
    let acceptance: Vec<Value> = abta
        .acceptance
        .iter()
        .map(|set| {
            json!({
                "component": set.component.map(|number| number + 1),
                "formula": set.formula,
                "states": abta.numbers(&set.states),
            })
        })
        .collect();
    json!({
        "start": abta.states.first().map(|state| state.number),
        "states": abta.states.iter().map(|one| state(abta, one)).collect::<Vec<_>>(),
        "components": components,
        "acceptance": acceptance,
    })
}

fn quantifier(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Exists => "exists",
        Quantifier::ForAll => "forall",
    }
}

/// Fields that do not apply are left out.
fn state(abta: &Abta, state: &State) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("number", json!(state.number));
    put("text", json!(state.text));
    put("kind", json!(state.kind.word()));
    put("successors", json!(abta.numbers(&state.successors)));
    if let Some(rule) = &state.rule {
        put("rule", json!(rule.name));
        put("label", json!(rule.label));
    }
    match &state.kind {
        StateKind::Literal { atom, positive } => {
            put("atom", json!(atom.to_string()));
            put("positive", json!(positive));
        }
        StateKind::StepExists(actions) | StateKind::StepForAll(actions) => {
            put("actions", json!(actions.iter().map(action).collect::<Vec<_>>()));
        }
        StateKind::Action { act, negated } => {
            put("act", json!(act));
            put("negated", json!(negated));
        }
        _ => {}
    }
    if let Some(scope) = &state.scope {
        put(
            "scope",
            json!({
                "debtor": scope.debtor,
                "creditor": scope.creditor,
                "commitment": scope.commitment.to_string(),
            }),
        );
    }
    if let Some(own) = state.quantifier {
        put("quantifier", json!(quantifier(own)));
    }
    if let Some(component) = state.component {
        put("component", json!(component + 1));
    }
    Value::Object(object)
}

fn action(literal: &ActionLiteral) -> Value {
    json!({"action": literal.action.to_string(), "positive": literal.positive})
}
