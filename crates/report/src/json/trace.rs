//! Evidence as programs read it: one path with its states in full, and then why it shows what it shows, claim by claim.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use servanda_evidence::{Because, Checked, Claim, Event, Evidence, Move, Path, PathEvidence, Strategy};
use servanda_model::StateView;

/// The evidence for a verdict.
#[derive(Serialize)]
pub(super) struct TraceObject<'a> {
    kind: &'static str,
    #[serde(flatten)]
    path: PathObject,
    /// Who decided again what the path claims.
    checked: &'static str,
    /// What happens in each step, taken apart.
    events: Vec<EventObject>,
    /// Why it shows the verdict.
    why: ClaimObject<'a>,
}

#[derive(Serialize)]
struct PathObject {
    #[serde(rename = "loop")]
    loop_to: Option<usize>,
    labels: Vec<String>,
    states: Vec<StateObject>,
}

/// A state as the user sees it.
struct StateObject(StateView);

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum EventObject {
    Message {
        name: String,
        sender: Option<String>,
    },
    Act {
        act: &'static str,
        actor: String,
        partner: String,
        commitment: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        support: Option<String>,
    },
    Action {
        name: String,
        by: Option<String>,
    },
    Round {
        actions: Vec<ActionObject>,
    },
    Deadlock,
}

#[derive(Serialize)]
struct ActionObject {
    agent: String,
    action: String,
}

/// A state formula at a position of the path it is about.
#[derive(Serialize)]
struct ClaimObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    formula: &'a str,
    holds: bool,
    #[serde(flatten)]
    because: BecauseObject<'a>,
}

#[derive(Serialize)]
#[serde(tag = "because", rename_all = "snake_case")]
enum BecauseObject<'a> {
    State,
    Parts {
        parts: Vec<ClaimObject<'a>>,
    },
    Path {
        path_formula: &'a str,
        path: PathObject,
        claims: Vec<ClaimObject<'a>>,
    },
    AccessiblePath {
        debtor: &'a str,
        creditor: &'a str,
        kept: &'a [String],
        path_formula: &'a str,
        path: PathObject,
        claims: Vec<ClaimObject<'a>>,
    },
    CannotTell {
        steps: Vec<DoubtObject<'a>>,
        there: Box<ClaimObject<'a>>,
    },
    Before {
        run: PathObject,
        there: Box<ClaimObject<'a>>,
    },
    Strategy {
        group: Vec<&'a str>,
        choices: Vec<ChoiceObject<'a>>,
        ends: Vec<StateObject>,
    },
    Everywhere {
        reason: &'a str,
    },
    NotShown {
        reason: &'a str,
    },
}

#[derive(Serialize)]
struct DoubtObject<'a> {
    agents: Vec<&'a str>,
    run: PathObject,
}

#[derive(Serialize)]
struct ChoiceObject<'a> {
    state: StateObject,
    moves: Vec<MoveObject<'a>>,
}

#[derive(Serialize)]
struct MoveObject<'a> {
    agent: &'a str,
    does: Option<&'a str>,
}

/// Evidence as an object.
pub(super) fn object(evidence: &Evidence) -> TraceObject<'_> {
    let line = evidence.line();
    TraceObject {
        kind: evidence.kind.word(),
        events: line.path.steps.iter().map(|step| event(&step.event)).collect(),
        path: path(&line.path),
        checked: match evidence.checked {
            Checked::NotYet => "no",
            Checked::ByPaths => "paths",
            Checked::ByReference => "reference",
            Checked::ByEngine => "engine",
        },
        why: claim(&evidence.claim, Some(evidence.start.last()), &evidence.agents),
    }
}

fn path(path: &Path) -> PathObject {
    PathObject {
        loop_to: path.loop_to,
        labels: path.steps.iter().map(|step| step.label.clone()).collect(),
        states: path.states.iter().map(|state| StateObject(state.view.clone())).collect(),
    }
}

fn event(event: &Event) -> EventObject {
    match event.clone() {
        Event::Message { name, sender } => EventObject::Message { name, sender },
        Event::Act { kind, actor, partner, commitment, support } => {
            EventObject::Act { act: kind.short(), actor, partner, commitment, support }
        }
        Event::Action { name, by } => EventObject::Action { name, by },
        Event::Round(actions) => EventObject::Round {
            actions: actions.into_iter().map(|(agent, action)| ActionObject { agent, action }).collect(),
        },
        Event::Deadlock => EventObject::Deadlock,
    }
}

fn claim<'a>(claim: &'a Claim, position: Option<usize>, agents: &'a [String]) -> ClaimObject<'a> {
    ClaimObject {
        position,
        formula: &claim.text,
        holds: claim.holds,
        because: because(&claim.because, agents),
    }
}

fn claims<'a>(evidence: &'a PathEvidence, agents: &'a [String]) -> Vec<ClaimObject<'a>> {
    evidence.claims.iter().map(|(position, about)| claim(about, Some(*position), agents)).collect()
}

fn because<'a>(because: &'a Because, agents: &'a [String]) -> BecauseObject<'a> {
    let name = |agent: &servanda_model::AgentId| agents.get(agent.index()).map_or("", String::as_str);
    match because {
        Because::State => BecauseObject::State,
        Because::Parts(parts) => {
            BecauseObject::Parts { parts: parts.iter().map(|part| claim(part, None, agents)).collect() }
        }
        Because::Path(evidence) => BecauseObject::Path {
            path_formula: &evidence.text,
            path: path(&evidence.path),
            claims: claims(evidence, agents),
        },
        Because::Accessible(accessible) => BecauseObject::AccessiblePath {
            debtor: name(&accessible.debtor),
            creditor: name(&accessible.creditor),
            kept: &accessible.in_force,
            path_formula: &accessible.evidence.text,
            path: path(&accessible.evidence.path),
            claims: claims(&accessible.evidence, agents),
        },
        Because::CannotTell(doubt) => BecauseObject::CannotTell {
            steps: doubt
                .steps
                .iter()
                .map(|step| DoubtObject {
                    agents: step.agents.iter().map(name).collect(),
                    run: path(&step.run),
                })
                .collect(),
            there: Box::new(claim(&doubt.claim, None, agents)),
        },
        Because::Before(before) => BecauseObject::Before {
            run: path(&before.run),
            there: Box::new(claim(&before.claim, Some(before.position), agents)),
        },
        Because::Strategy(strategy) => strategy_object(strategy, agents),
        Because::Everywhere(reason) => BecauseObject::Everywhere { reason },
        Because::NotShown(reason) => BecauseObject::NotShown { reason },
    }
}

fn strategy_object<'a>(strategy: &'a Strategy, agents: &'a [String]) -> BecauseObject<'a> {
    let names: Vec<&str> =
        strategy.group.iter().map(|agent| agents.get(agent.index()).map_or("", String::as_str)).collect();
    let choice = |choice: &'a servanda_evidence::Choice| ChoiceObject {
        state: StateObject(choice.state.view.clone()),
        moves: names
            .iter()
            .zip(&choice.moves)
            .map(|(agent, made)| MoveObject { agent, does: made.as_ref().map(Move::text) })
            .collect(),
    };
    BecauseObject::Strategy {
        choices: strategy.choices.iter().map(choice).collect(),
        ends: strategy.ends.iter().map(|state| StateObject(state.view.clone())).collect(),
        group: names,
    }
}

impl Serialize for StateObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let StateView { variables, locations, in_force } = &self.0;
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in variables {
            match (value.parse::<bool>(), value.parse::<i64>()) {
                (Ok(value), _) => map.serialize_entry(name, &value)?,
                (_, Ok(number)) => map.serialize_entry(name, &number)?,
                _ => map.serialize_entry(name, value)?,
            }
        }
        match locations.as_slice() {
            [] => {}
            [(machine, location)] if machine.is_empty() => map.serialize_entry("in", location)?,
            machines => map.serialize_entry("in", &Machines(machines))?,
        }
        map.serialize_entry("in_force", in_force)?;
        map.end()
    }
}

/// Control states, machine by machine.
struct Machines<'a>(&'a [(String, String)]);

impl Serialize for Machines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(machine, location)| (machine, location)))
    }
}
