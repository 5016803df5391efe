//! What is suspicious about a model, as an engine finds it.

use servanda_model::{Layout, Model, StateView};
use servanda_syntax::Span;

/// Promises of one agent to another that no run can keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unkeepable {
    /// Who holds them.
    pub debtor: String,
    /// Towards whom.
    pub creditor: String,
    /// All that is in force between the two there; empty where an `access` guard alone leaves no path.
    pub commitments: Vec<String>,
    /// In how many reachable states.
    pub states: u64,
    /// The first such state.
    pub example: StateView,
    /// The labels of a shortest way there.
    pub path: Vec<String>,
}

/// A control state that no run reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreachableLocation {
    /// The machine; empty where there is only one without a name.
    pub machine: String,
    /// The control state.
    pub location: String,
    /// Where it was first named.
    pub span: Span,
}

impl UnreachableLocation {
    /// The control states of a model that are current in none of these states.
    pub fn outside<'s>(
        model: &Model,
        layout: &Layout,
        states: impl Iterator<Item = &'s [u64]> + Clone,
    ) -> Vec<UnreachableLocation> {
        let mut found = Vec::new();
        for machine in &model.machines {
            let field = layout.variable(machine.variable);
            let domain = &model.variable(machine.variable).domain;
            let mut reached = vec![false; domain.size() as usize];
            for state in states.clone() {
                reached[field.read(state) as usize] = true;
            }
            for (code, _) in reached.iter().enumerate().filter(|(_, reached)| !**reached) {
                found.push(UnreachableLocation {
                    machine: machine.name.clone(),
                    location: domain.show(code as i64),
                    span: machine.location_spans.get(code).copied().unwrap_or(machine.span),
                });
            }
        }
        found
    }
}
