//! What could have been said.

use std::collections::BTreeSet;

use servanda_model::{CommandId, LabelId, Mover};
use servanda_syntax::distance;

use super::{Judge, Standing};

/// What one role could have said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// The role; none for what is nobody's.
    pub role: Option<String>,
    /// The labels as people read them.
    pub labels: Vec<String>,
}

impl Judge<'_> {
    /// The labels that could have come next.
    fn next(&self, at: Standing) -> impl Iterator<Item = LabelId> + '_ {
        let mut labels = BTreeSet::new();
        for state in self.states(at) {
            labels.extend(self.watches[0].steps.of(*state).iter().map(|(label, _)| *label));
        }
        labels.into_iter().filter(|label| !self.silent[*label as usize]).map(LabelId)
    }

    /// The transition for what could have come next, of all that the one that looks most like `wanted`.
    pub fn nearest(&mut self, at: Standing, wanted: &str) -> Option<CommandId> {
        let shown = self.next(at).map(|label| (self.model.show_label(label), label));
        let (_, _, label) = shown.map(|(text, label)| (distance(wanted, &text), text, label)).min()?;
        if let Some(known) = self.written.get(&(at, label)) {
            return *known;
        }
        let model = self.model;
        let mover = self.mover.get_or_insert_with(|| Mover::new(model));
        let mut found = None;
        for state in self.watches[0].members(self.standings.get(at.0)[0]) {
            // A fault would have ended the exploration of the model.
            let _ = mover.for_each(self.space.state(*state), |cause, _| {
                found = found.or(cause.command().filter(|command| model.command(*command).label == label));
            });
            if found.is_some() {
                break;
            }
        }
        self.written.insert((at, label), found);
        found
    }

    /// The labels that could have come next, by role. Those that look most like `wanted` come first, and with them their roles.
    pub fn possible(&self, at: Standing, wanted: &str) -> Vec<Possible> {
        let lines = self.next(at);
        let mut shown: Vec<(usize, String, Option<&str>)> = lines
            .map(|label| {
                let text = self.model.show_label(label);
                let role = self.model.label(label).by().map(|by| self.model.agent(by).name.as_str());
                (distance(wanted, &text), text, role)
            })
            .collect();
        shown.sort();
        let mut groups: Vec<Possible> = Vec::new();
        for (_, text, role) in shown {
            match groups.iter_mut().find(|group| group.role.as_deref() == role) {
                Some(group) => group.labels.push(text),
                None => groups.push(Possible { role: role.map(str::to_owned), labels: vec![text] }),
            }
        }
        groups
    }
}
