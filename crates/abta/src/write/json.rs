//! For programs: one object, described in docs/abta.md.

use servanda_json::{Object, list};

use crate::automaton::{Abta, Quantifier, State, StateKind};
use crate::measures::{Bound, Measures};
use crate::options::{Logic, Rules};
use crate::translation::Translation;

/// The tableau, the automaton, the measures if they are wanted, and the notes as one JSON object.
pub fn json(translation: &Translation, wanted: Option<&Measures>) -> String {
    object(translation, wanted).pretty()
}

pub(super) fn object(translation: &Translation, wanted: Option<&Measures>) -> Object {
    let rules = match translation.rules {
        Rules::Sound => "sound",
        Rules::Paper => "paper",
    };
    Object::new("servanda", env!("CARGO_PKG_VERSION"))
        .with("formula", translation.formula.to_string())
        .with("rules", rules)
        .with("logic", translation.logic.map(Logic::word))
        .with("tableau", automaton(&translation.tableau))
        .with("automaton", automaton(&translation.automaton))
        .with_some("measures", wanted.map(|wanted| measures(translation, wanted)))
        .with(
            "notes",
            list(&translation.notes, |note| Object::new("item", note.item).with("text", &note.text)),
        )
}

fn measures(translation: &Translation, measures: &Measures) -> Object {
    let number = |id| translation.tableau.state(id).number;
    let order = list(&measures.order, |pair| {
        let clause = pair.clause.map(usize::from);
        Object::new("from", number(pair.from)).with("to", number(pair.to)).with("clause", clause)
    });
    Object::new("length", measures.length)
        .with("closure", measures.closure.iter().map(ToString::to_string).collect::<Vec<_>>())
        .with("order", order)
        .with("bounds", bounds(&measures.bounds))
}

pub(super) fn bounds(bounds: &[Bound]) -> Vec<Object> {
    list(bounds, |Bound { lemma, what, value, bound, holds }| {
        let stated = Object::new("lemma", lemma).with("what", *what).with("value", *value);
        stated.with("bound", bound).with("holds", *holds)
    })
}

fn automaton(abta: &Abta) -> Object {
    let components = list(abta.components.iter().enumerate(), |(index, component)| {
        Object::new("number", index + 1)
            .with("quantifier", quantifier(component.quantifier))
            .with("states", abta.numbers(&component.states))
    });
    let acceptance = list(&abta.acceptance, |set| {
        Object::new("component", set.component.map(|index| index + 1))
            .with("formula", &set.formula)
            .with("states", abta.numbers(&set.states))
    });
    Object::new("start", abta.states.first().map(|state| state.number))
        .with("states", list(abta.by_number(), |(_, one)| state(abta, one)))
        .with("components", components)
        .with("acceptance", acceptance)
}

fn quantifier(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Exists => "exists",
        Quantifier::ForAll => "forall",
    }
}

/// Fields that do not apply are left out.
fn state(abta: &Abta, state: &State) -> Object {
    let (atom, positive, act) = match &state.kind {
        StateKind::Literal { atom, positive } => (Some(atom.to_string()), Some(*positive), None),
        StateKind::Action { negated, act, .. } => (None, Some(!negated), Some(*act)),
        _ => (None, None, None),
    };
    let actions = match &state.kind {
        StateKind::StepExists(actions) | StateKind::StepForAll(actions) => Some(list(actions, |literal| {
            Object::new("action", literal.action.to_string()).with("positive", literal.positive)
        })),
        _ => None,
    };
    let scope = state.scope.as_ref().map(|scope| {
        Object::new("debtor", &scope.debtor)
            .with("creditor", &scope.creditor)
            .with("commitment", scope.commitment.to_string())
    });
    Object::new("number", state.number)
        .with("text", &state.text)
        .with_some("rule", state.rule.as_ref().map(|rule| rule.name))
        .with_some("label", state.rule.as_ref().map(|rule| &rule.label))
        .with("kind", state.kind.word())
        .with_some("atom", atom)
        .with_some("positive", positive)
        .with_some("actions", actions)
        .with_some("act", act)
        .with_some("quantifier", state.quantifier.map(quantifier))
        .with_some("scope", scope)
        .with_some("component", state.component.map(|index| index + 1))
        .with("successors", abta.numbers(&state.successors))
}
