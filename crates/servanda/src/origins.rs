//! Where the steps of a run are written.
//!
//! Evidence knows what happens and not which command or line makes it happen: engines do not care, and several may do the same.
//! Here the model is asked again, step by step.

use servanda_evidence::{Path, Step};
use servanda_model::{AgentId, Behaviour, CommandId, Model, Mover, StepKind};
use servanda_report::{Location, Origin};
use servanda_syntax::Span;

use crate::Loaded;

/// Finds where steps are written. What makes steps is put together once, however many paths there are, and only if there is one.
pub(crate) struct Origins<'l> {
    loaded: &'l Loaded,
    mover: Option<Mover<'l>>,
}

impl<'l> Origins<'l> {
    pub(crate) fn new(loaded: &'l Loaded) -> Self {
        Origins { loaded, mover: None }
    }

    /// For each step of a path where it is written: the transition, or in a round the line of each agent that has one. Nothing is known
    /// of a text that is in no file, nor of the implicit loop of a deadlock.
    pub(crate) fn of_path(&mut self, path: &Path) -> Vec<Vec<Origin>> {
        let loaded = self.loaded;
        let places = self.spans_of(path);
        let origins = |step: Vec<(String, Span)>| {
            step.into_iter().filter_map(|(what, span)| origin(loaded, what, span)).collect()
        };
        places.into_iter().map(origins).collect()
    }

    /// The same as places in the source of the text.
    pub(crate) fn spans_of(&mut self, path: &Path) -> Vec<Vec<(String, Span)>> {
        let loaded = self.loaded;
        let model = loaded.model();
        let mover = self.mover.get_or_insert_with(|| Mover::new(model));
        match model.behaviour {
            Behaviour::Commands(_) => of_commands(loaded, mover, path),
            Behaviour::Rounds(_) => of_rounds(model, mover, path),
        }
    }
}

fn origin(loaded: &Loaded, what: String, span: Span) -> Option<Origin> {
    let written = span != Span::default();
    let location = written.then(|| Location::of(&loaded.source, span)).flatten()?;
    Some(Origin { what, location })
}

/// The states that a step leads from and to.
fn ends(path: &Path, at: usize) -> (&[u64], &[u64]) {
    let next = if at < path.last() { at + 1 } else { path.loop_to.unwrap_or(at) };
    (&path.states[at].packed, &path.states[next].packed)
}

/// Of several commands that do the same the first is meant.
fn of_commands(loaded: &Loaded, mover: &mut Mover<'_>, path: &Path) -> Vec<Vec<(String, Span)>> {
    let mut makers: Vec<(usize, CommandId)> = Vec::new();
    for (at, step) in path.steps.iter().enumerate() {
        let StepKind::Labelled(label) = step.kind else { continue };
        let (from, to) = ends(path, at);
        makers.extend(mover.command_to(from, label, to).map(|command| (at, command)));
    }
    let commands: Vec<CommandId> = makers.iter().map(|(_, command)| *command).collect();
    let mut found = vec![Vec::new(); path.steps.len()];
    for ((at, _), span) in makers.into_iter().zip(loaded.places(&commands)) {
        found[at].extend(span.map(|span| (path.steps[at].label.clone(), span)));
    }
    found
}

/// The lines of the agents, each with what its agent does.
fn of_rounds(model: &Model, mover: &mut Mover<'_>, path: &Path) -> Vec<Vec<(String, Span)>> {
    let programs = model.behaviour.programs();
    let places = |(at, step): (usize, &Step)| {
        let StepKind::Joint(joint) = &step.kind else { return Vec::new() };
        let (from, to) = ends(path, at);
        let lines = mover.lines_to(from, joint, to).unwrap_or_default().into_iter();
        let action = |agent: AgentId| &programs[agent.index()].actions[joint[agent.index()]];
        let mut found: Vec<(String, Span)> = lines
            .map(|(agent, span)| (format!("{}.{}", model.agent(agent).name, action(agent)), span))
            .collect();
        found.dedup();
        found
    };
    path.steps.iter().enumerate().map(places).collect()
}
