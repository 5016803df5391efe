//! Where the steps of a run are written.
//!
//! Evidence knows what happens and not which command or line makes it happen: engines do not care, and several may do the same.
//! Here the model is asked again, step by step.

use servanda_model::{AgentId, AgentProgram, CommandId, Field, Layout, Model, Program, Stepper};
use servanda_report::{Location, Origin};
use servanda_syntax::Span;
use servanda_witness::{Made, Path, Step};

use crate::Loaded;

/// For each step of a path where it is written: the transition, or in a round the line of each agent that has one. Nothing is known
/// of a text that is in no file, nor of the implicit loop of a deadlock.
pub(crate) fn of_path(loaded: &Loaded, path: &Path) -> Vec<Vec<Origin>> {
    let places = match &loaded.model().rounds {
        None => of_commands(loaded, path),
        Some(rounds) => of_rounds(loaded.model(), &rounds.programs, path),
    };
    let origins = |step: Vec<(String, Span)>| {
        step.into_iter().filter_map(|(what, span)| origin(loaded, what, span)).collect()
    };
    places.into_iter().map(origins).collect()
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
fn of_commands(loaded: &Loaded, path: &Path) -> Vec<Vec<(String, Span)>> {
    let model = loaded.model();
    let mut stepper = Stepper::new(model);
    let mut makers: Vec<(usize, CommandId)> = Vec::new();
    for (at, step) in path.steps.iter().enumerate() {
        let Made::Labelled(label) = step.made else { continue };
        let (from, to) = ends(path, at);
        let mut maker = None;
        // A fault would have ended the search for the path.
        let _ = stepper.for_each_successor(from, |command, next| {
            if maker.is_none() && model.command(command).label == label && next == to {
                maker = Some(command);
            }
        });
        makers.extend(maker.map(|command| (at, command)));
    }
    let commands: Vec<CommandId> = makers.iter().map(|(_, command)| *command).collect();
    let mut found = vec![Vec::new(); path.steps.len()];
    for ((at, _), span) in makers.into_iter().zip(loaded.places(&commands)) {
        found[at].extend(span.map(|span| (path.steps[at].label.clone(), span)));
    }
    found
}

fn of_rounds(model: &Model, programs: &[AgentProgram], path: &Path) -> Vec<Vec<(String, Span)>> {
    let lines = Lines::new(model, programs);
    let places = |(at, step): (usize, &Step)| match &step.made {
        Made::Together(joint) => lines.of_round(model, joint, ends(path, at)),
        Made::Labelled(_) | Made::Waiting => Vec::new(),
    };
    path.steps.iter().enumerate().map(places).collect()
}

/// A line of an evolution ready to be compared with what happened.
struct Line {
    guard: Program,
    defined: Program,
    updates: Vec<(Field, Program)>,
    span: Span,
}

/// Variables that evolve together.
struct Block {
    variables: Vec<Field>,
    lines: Vec<Line>,
}

/// The evolutions of all agents.
struct Lines {
    layout: Layout,
    agents: Vec<Vec<Block>>,
}

impl Lines {
    fn new(model: &Model, programs: &[AgentProgram]) -> Self {
        let layout = Layout::new(model);
        let line = |line: &servanda_model::Line| Line {
            guard: Program::new(&line.guard, &layout),
            defined: Program::new(&line.defined, &layout),
            updates: (line.updates.iter())
                .map(|(variable, value)| (layout.variable(*variable), Program::new(value, &layout)))
                .collect(),
            span: line.span,
        };
        let block = |block: &servanda_model::Block| Block {
            variables: block.variables.iter().map(|variable| layout.variable(*variable)).collect(),
            lines: block.lines.iter().map(line).collect(),
        };
        let agents = programs.iter().map(|program| program.evolution.iter().map(block).collect()).collect();
        Lines { layout, agents }
    }

    /// The lines that lead from one state to the other under a joint action. Of several that do the same the first is meant, and
    /// an agent for which no line is enabled has none.
    fn of_round(&self, model: &Model, joint: &[usize], (from, to): (&[u64], &[u64])) -> Vec<(String, Span)> {
        let mut row = from.to_vec();
        row.resize(self.layout.row_words(), 0);
        for (agent, action) in joint.iter().enumerate() {
            self.layout.action(AgentId::from_index(agent)).write(&mut row, *action as i64);
        }
        let mut found = Vec::new();
        let programs = model.rounds.iter().flat_map(|rounds| &rounds.programs);
        for (((blocks, program), agent), action) in
            self.agents.iter().zip(programs).zip(&model.agents).zip(joint)
        {
            let what = format!("{}.{}", agent.name, program.actions[*action]);
            for block in blocks {
                let line = block.lines.iter().find(|line| line.makes(&block.variables, &row, to));
                found.extend(line.map(|line| (what.clone(), line.span)));
            }
        }
        found.dedup();
        found
    }
}

impl Line {
    /// Is it enabled, and does it give the variables of its block the values they have afterwards?
    fn makes(&self, variables: &[Field], row: &[u64], to: &[u64]) -> bool {
        let mut stack = Vec::new();
        let mut holds = |program: &Program| program.holds(row, &mut stack) == Ok(true);
        if !holds(&self.guard) || !holds(&self.defined) {
            return false;
        }
        let assigned = |field: &Field| self.updates.iter().find(|(target, _)| target == field);
        variables.iter().all(|field| match assigned(field) {
            Some((_, value)) => value.evaluate(row, &mut stack) == Ok(field.read(to)),
            None => field.read(row) == field.read(to),
        })
    }
}
