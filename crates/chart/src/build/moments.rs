//! The states of a run: what changes, and what matters for the verdict.

use servanda_evidence::{Path, State};
use servanda_model::Change;

use super::Drawn;
use crate::Moment;

/// The states of a run, moment by moment. Where it has a loop, the first state of the loop is also the last moment.
pub(super) fn states(path: &Path) -> Vec<&State> {
    path.states.iter().chain(path.loop_to.and_then(|to| path.states.get(to))).collect()
}

/// What is said of a run as a whole, since it is said at every position; and the first moment and the others, with what is said
/// only there.
pub(super) fn noted(drawn: &Drawn) -> (Vec<String>, Moment, Vec<Moment>) {
    let different = drawn.path.states.len();
    let mut said: Vec<Vec<&String>> = vec![Vec::new(); different];
    for (at, note) in &drawn.notes {
        if !said[*at].contains(&note) {
            said[*at].push(note);
        }
    }
    let mut everywhere = if different > 1 { said[0].clone() } else { Vec::new() };
    everywhere.retain(|note| said.iter().all(|there| there.contains(note)));
    let remarks = drawn.notes.iter().filter(|(at, note)| *at == 0 && everywhere.contains(&note));
    let remarks = remarks.map(|(_, note)| format!("At every moment: {note}")).collect();
    let states = states(&drawn.path);
    let mut moments = states.iter().enumerate().map(|(position, state)| {
        let before = position.checked_sub(1).map(|before| states[before]);
        let notes = said.get(position).into_iter().flatten();
        let notes = notes.filter(|note| !everywhere.contains(note)).map(|note| (*note).clone());
        Moment { facts: facts(before, state), notes: notes.collect() }
    });
    let first = moments.next().unwrap_or_default();
    (remarks, first, moments.collect())
}

/// What a state is like, or how it differs from the one before.
pub(super) fn facts(before: Option<&State>, state: &State) -> Vec<String> {
    let Some(before) = before else { return state.view.facts().collect() };
    let mut changes = Change::between(&before.view, &state.view);
    // Bars show what comes into force and what does not stay so.
    changes.retain(|change| !matches!(change, Change::Added(_) | Change::Removed(_)));
    changes.iter().map(Change::now).collect()
}
