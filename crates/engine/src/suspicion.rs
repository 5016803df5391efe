//! What is suspicious about a model, as an engine finds it.

use num_bigint::BigUint;
use servanda_model::{Field, Layout, Machine, Model, StateView};
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
    pub states: BigUint,
    /// The first such state.
    pub example: StateView,
    /// The labels of a shortest way there.
    pub path: Vec<String>,
}

/// States from which time can pass no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedTime {
    /// How many of them are reachable.
    pub states: BigUint,
    /// The first one.
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
    /// The control states of a model that are current in none of the states that `see_all` shows.
    pub fn outside(
        model: &Model,
        layout: &Layout,
        see_all: impl FnOnce(&mut dyn FnMut(&[u64])),
    ) -> Vec<UnreachableLocation> {
        let machine = |machine: &Machine| {
            let domain = &model.variable(machine.variable).domain;
            (layout.variable(machine.variable), vec![false; domain.size() as usize])
        };
        let mut machines: Vec<(Field, Vec<bool>)> = model.machines.iter().map(machine).collect();
        see_all(&mut |state| {
            for (field, reached) in &mut machines {
                reached[field.read(state) as usize] = true;
            }
        });
        let reached: Vec<Vec<bool>> = machines.into_iter().map(|(_, reached)| reached).collect();
        UnreachableLocation::of(model, &reached)
    }

    /// For each machine it is known of each control state whether it is reached; gives those that are not.
    pub fn of(model: &Model, reached: &[Vec<bool>]) -> Vec<UnreachableLocation> {
        let mut found = Vec::new();
        for (machine, reached) in model.machines.iter().zip(reached) {
            let domain = &model.variable(machine.variable).domain;
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
