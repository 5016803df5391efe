//! Evidence as programs read it: one path with its states in full, and then why it shows what it shows, claim by claim.

use servanda_evidence::{
    Act, Because, Checked, Claim, Event, Evidence, Move, Path, PathEvidence, Step, Strategy,
};
use servanda_json::{Object, legend, list, state};
use servanda_model::{AgentId, CommitmentView};

/// Evidence as an object.
pub(super) fn object(evidence: &Evidence) -> Object {
    let line = evidence.line();
    let checked = match evidence.checked {
        Checked::NotYet => "no",
        Checked::ByPaths => "paths",
        Checked::ByReference => "reference",
        Checked::ByEngine => "engine",
    };
    let shown = Object::new("kind", evidence.kind.word())
        .and(path(&line.path))
        .with("checked", checked)
        .with("events", list(&line.path.steps, event))
        .with("why", Names(&evidence.agents).claim(&evidence.claim, Some(evidence.start.last())));
    let legend = legend(&CommitmentView::mentioned(&evidence.commitments, &shown.pretty()));
    shown.with_some("commitments", legend)
}

fn path(path: &Path) -> Object {
    Object::new("loop", path.loop_to)
        .with("labels", list(&path.steps, |step| &step.label))
        .with("states", list(&path.states, |one| state(&one.view)))
}

/// What happens in a step, taken apart.
fn event(step: &Step) -> Object {
    let what = match &step.event {
        Event::Message { name, sender, to, received } => Object::new("kind", "message")
            .with("name", name)
            .with("sender", sender.as_ref())
            .with_some("to", (!to.is_empty()).then_some(to.as_slice()))
            .with_some("received", received.then_some(true)),
        Event::Act(performed) => Object::new("kind", "act").and(act(performed)),
        Event::Action { name, by } => {
            Object::new("kind", "action").with("name", name).with("by", by.as_ref())
        }
        Event::Round(actions) => {
            let action =
                |(agent, action): &(String, String)| Object::new("agent", agent).with("action", action);
            Object::new("kind", "round").with("actions", list(actions, action))
        }
        Event::Deadlock => Object::new("kind", "deadlock"),
    };
    what.with_some("acts", (!step.performed.is_empty()).then(|| list(&step.performed, act)))
}

fn act(act: &Act) -> Object {
    Object::new("act", act.kind.short())
        .with("actor", &act.actor)
        .with("partner", &act.partner)
        .with("commitment", &act.commitment.text)
        .with_some("name", act.commitment.name.as_ref())
        .with_some("support", act.support.as_ref())
        .with_some("third", act.third.as_ref())
}

/// The names of the agents, by number.
struct Names<'e>(&'e [String]);

impl<'e> Names<'e> {
    fn name(&self, agent: AgentId) -> &'e str {
        self.0.get(agent.index()).map_or("", String::as_str)
    }

    fn all(&self, agents: &[AgentId]) -> Vec<&'e str> {
        list(agents, |agent| self.name(*agent))
    }

    /// A state formula at a position of the path it is about.
    fn claim(&self, claim: &Claim, position: Option<usize>) -> Object {
        Object::default()
            .with_some("position", position)
            .with("formula", &claim.text)
            .with("holds", claim.holds)
            .and(self.because(&claim.because))
    }

    fn because(&self, because: &Because) -> Object {
        let kind = |kind: &str| Object::new("because", kind);
        match because {
            Because::State => kind("state"),
            Because::Parts(parts) => kind("parts").with("parts", list(parts, |part| self.claim(part, None))),
            Because::Path(evidence) => kind("path").and(self.path_evidence(evidence)),
            Because::Accessible(accessible) => kind("accessible_path")
                .with("debtor", self.name(accessible.debtor))
                .with("creditor", self.name(accessible.creditor))
                .with("kept", list(&accessible.in_force, |promise| &promise.text))
                .and(self.path_evidence(&accessible.evidence)),
            Because::CannotTell(doubt) => {
                let steps = list(&doubt.steps, |step| {
                    Object::new("agents", self.all(&step.agents)).with("run", path(&step.run))
                });
                kind("cannot_tell").with("steps", steps).with("there", self.claim(&doubt.claim, None))
            }
            Because::Before(before) => kind("before")
                .with("run", path(&before.run))
                .with("there", self.claim(&before.claim, Some(before.position))),
            Because::Strategy(strategy) => kind("strategy").and(self.strategy(strategy)),
            Because::Everywhere(reason) => kind("everywhere").with("reason", reason),
            Because::NotShown(reason) => kind("not_shown").with("reason", reason),
        }
    }

    fn path_evidence(&self, evidence: &PathEvidence) -> Object {
        let claims = list(&evidence.claims, |(position, claim)| self.claim(claim, Some(*position)));
        Object::new("path_formula", &evidence.text).with("path", path(&evidence.path)).with("claims", claims)
    }

    fn strategy(&self, strategy: &Strategy) -> Object {
        let names = self.all(&strategy.group);
        let choices = list(&strategy.choices, |choice| {
            let moves = list(names.iter().zip(&choice.moves), |(agent, chosen)| {
                Object::new("agent", *agent).with("does", chosen.as_ref().map(Move::text))
            });
            Object::new("state", state(&choice.state.view)).with("moves", moves)
        });
        Object::new("group", names)
            .with("choices", choices)
            .with("ends", list(&strategy.ends, |end| state(&end.view)))
    }
}
