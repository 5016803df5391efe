//! What could have been said.

use std::collections::BTreeSet;

use servanda_model::LabelId;
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
    /// The labels that could have come next, by role. Those that look most like `wanted` come first, and with them their roles.
    pub fn possible(&self, at: Standing, wanted: &str) -> Vec<Possible> {
        let mut labels = BTreeSet::new();
        for state in self.states(at) {
            labels.extend(self.watches[0].steps.of(*state).iter().map(|(label, _)| *label));
        }
        let lines = labels.into_iter().filter(|label| !self.silent[*label as usize]).map(LabelId);
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
