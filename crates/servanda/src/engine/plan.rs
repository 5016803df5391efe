//! Which engines work on a model, who leads, and why.

use std::time::Duration;

use super::registry::{BDD, SAT, TABLEAU};
use super::turns::{Entrance, Kind};
use super::{EngineChoice, shape};
use crate::{Language, Loaded};

/// Engines in the order in which they are considered; the first leads.
pub(crate) struct Plan {
    pub(crate) members: Vec<(&'static str, Kind, Entrance)>,
    /// So long the first works alone where it does not look at reachable states.
    pub(crate) alone: Duration,
    /// Are a few states looked at before anything is decided?
    pub(crate) first_look: bool,
    /// Why the first leads.
    pub(crate) reason: &'static str,
}

/// Most protocols and processes are decided by then, one state after the other.
const FIRST_LOOK: Duration = Duration::from_millis(8);

/// Most models of agents that act in rounds are decided by then, with diagrams.
const DIAGRAMS_ALONE: Duration = Duration::from_millis(60);

/// Most models that a solver decides and nobody else take longer than this anyway.
const SOLVER_WAITS: Duration = Duration::from_millis(250);

/// To encode rounds alone takes a solver longer than most of these models take with diagrams.
const SOLVER_WAITS_FOR_ROUNDS: Duration = Duration::from_secs(2);

impl Plan {
    /// The engine that the user chose, or those that suit the model.
    pub(crate) fn new(loaded: &Loaded, choice: EngineChoice) -> Self {
        let explicit = (TABLEAU, Kind::OnTheFly);
        let diagrams = (BDD, Kind::Sets);
        let solver = (SAT, Kind::Proofs);
        let in_order = |[first, second, third]: [((&'static str, Kind), Entrance); 3], alone, reason| Plan {
            members: [first, second, third].map(|((name, kind), entrance)| (name, kind, entrance)).into(),
            alone,
            first_look: true,
            reason,
        };
        let entrance = |after, share| Entrance { after, share };
        match (choice, loaded.language()) {
            (EngineChoice::Only(name), _) => Plan::only(name),
            (EngineChoice::Auto, Language::Aut) => {
                let reason = "what a text lists state by state is not too large to be visited";
                Plan { first_look: true, ..Plan::one(TABLEAU, reason) }
            }
            (EngineChoice::Auto, language) => match (shape::patience(loaded.model()), language) {
                (Some(alone), Language::Ispl) => in_order(
                    [
                        (solver, entrance(Duration::ZERO, 2)),
                        (diagrams, entrance(Duration::ZERO, 2)),
                        (explicit, entrance(DIAGRAMS_ALONE, 8)),
                    ],
                    alone,
                    "diagrams of products of wide numbers are large",
                ),
                (Some(alone), _) => in_order(
                    [
                        (solver, entrance(Duration::ZERO, 2)),
                        (explicit, entrance(Duration::ZERO, 2)),
                        (diagrams, entrance(DIAGRAMS_ALONE, 8)),
                    ],
                    alone,
                    "diagrams of products of wide numbers are large",
                ),
                (None, Language::Ispl) => in_order(
                    [
                        (diagrams, entrance(Duration::ZERO, 4)),
                        (explicit, entrance(DIAGRAMS_ALONE, 8)),
                        (solver, entrance(SOLVER_WAITS_FOR_ROUNDS, 10)),
                    ],
                    Duration::ZERO,
                    "agents that act in rounds mostly have small diagrams",
                ),
                (None, _) => in_order(
                    [
                        (explicit, entrance(Duration::ZERO, 4)),
                        (diagrams, entrance(FIRST_LOOK, 4)),
                        (solver, entrance(SOLVER_WAITS, 10)),
                    ],
                    Duration::ZERO,
                    "most protocols and processes are decided by visiting few states",
                ),
            },
        }
    }

    /// One engine.
    pub(crate) fn only(name: &'static str) -> Self {
        Plan::one(name, "it was asked for")
    }

    fn one(name: &'static str, reason: &'static str) -> Self {
        let at_once = Entrance { after: Duration::ZERO, share: 1 };
        let members = vec![(name, kind_of(name), at_once)];
        Plan { members, alone: Duration::ZERO, first_look: false, reason }
    }

    /// The engine that leads at first.
    pub(crate) fn lead(&self) -> &'static str {
        self.members.first().map_or("", |(name, ..)| name)
    }
}

fn kind_of(name: &str) -> Kind {
    match name {
        TABLEAU => Kind::OnTheFly,
        SAT => Kind::Proofs,
        _ => Kind::Sets,
    }
}
