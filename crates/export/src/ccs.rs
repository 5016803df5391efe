//! A protocol as a CCS process: one control state for every state, what is in force left to the acts file.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use servanda_engine::Progress;
use servanda_logic::{ActionPattern, Reference};
use servanda_model::{Cause, Effect, Label, LabelId, Model, Mover, Program};
use servanda_syntax::Span;

use crate::acts::{Actions, Formulas, Identifiers, body, head, reads_commitments};
use crate::rounds::base_name;
use crate::{Failure, Subject, Writer};

pub(crate) const WRITER: Writer = Writer {
    name: "ccs",
    about: "writes a Pact protocol as a CCS process with a control state for every state, and its acts, commitments and properties as \
            an acts file. It must have one initial state and no properties about knowledge or strategies.",
    write: |subject| write(subject).map(|(text, _)| text),
    acts: Some(|subject| write(subject).map(|(_, acts)| acts)),
};

/// States of a process, at most: a part of a CCS system cannot have more.
const MOST_STATES: usize = 20_000;

/// For every label its action; nothing where no transition has it.
struct OfProcess(Vec<Option<String>>);

impl Actions for OfProcess {
    fn of(&self, label: LabelId) -> Vec<ActionPattern> {
        let name = self.0[label.index()].iter();
        let plain = |name: &String| Reference::plain(name, Span::default());
        name.map(|name| ActionPattern::named(plain(name))).collect()
    }
}

/// The CCS text of a protocol, and its acts file.
fn write(subject: &Subject<'_>) -> Result<(String, String), Failure> {
    let unfit = |reason: String| Failure::Unfit { target: "CCS", reason };
    let old = subject.model;
    if old.behaviour.is_rounds() || old.alphabet.is_some() {
        return Err(unfit("only Pact protocols can be".to_owned()));
    }
    let graph = explore(subject).map_err(unfit)?;
    let mut names = Identifiers::without(&["tau", "t", "nil", "proc", "set", "Protocol"]);
    let mut used = vec![None; old.labels.len()];
    for (label, _) in graph.edges.iter().flatten() {
        let name = match old.label(*label) {
            label if label.is_internal() => "tau".to_owned(),
            Label::Message(_) => names.of("message", &base_name(old, *label).to_lowercase()),
            _ => names.of("act", &format!("{}_{}", base_name(old, *label), label.index() + 1).to_lowercase()),
        };
        used[label.index()].get_or_insert(name);
    }
    let mut text = format!("* {}, one process per state.\n", old.name);
    let action = |label: &LabelId| used[label.index()].as_deref().unwrap_or("tau");
    for (number, edges) in graph.edges.iter().enumerate() {
        let summands: Vec<String> =
            edges.iter().map(|(label, to)| format!("{}.{}", action(label), process(*to))).collect();
        let sum = if summands.is_empty() { "nil".to_owned() } else { summands.join(" + ") };
        let _ = writeln!(text, "proc {} = {sum}", process(number));
    }
    let mut formulas = Formulas::new(old, names, OfProcess(used), false);
    let said = body(subject, &mut formulas).map_err(unfit)?;
    let mut acts = head(old);
    let roles: Vec<String> = old.agents.iter().map(|agent| formulas.names.of("agent", &agent.name)).collect();
    if !roles.is_empty() {
        let _ = writeln!(acts, "roles {}", roles.join(", "));
    }
    let mover = Mover::new(&graph.model);
    let mut stack = Vec::new();
    for (_, name, condition) in &formulas.propositions {
        let condition = Program::new(condition, mover.layout());
        let holds = (0..graph.states.len())
            .filter(|number| condition.holds(&graph.states[*number], &mut stack) == Ok(true));
        let places = holds.map(|number| format!("in {}", process(number)));
        let places: Vec<String> = places.collect();
        let places = if places.is_empty() { "false".to_owned() } else { balanced(&places) };
        let _ = writeln!(acts, "prop {name} = {places}");
    }
    Ok((text, acts + &said))
}

/// The process that stands for a state.
fn process(number: usize) -> String {
    if number == 0 { "Protocol".to_owned() } else { format!("S{number}") }
}

/// A disjunction in parentheses that is not deep, however many there are.
fn balanced(places: &[String]) -> String {
    match places {
        [one] => one.clone(),
        _ => {
            let (left, right) = places.split_at(places.len() / 2);
            format!("({} | {})", balanced(left), balanced(right))
        }
    }
}

/// The states of a protocol without what is in force.
struct Explored {
    model: Model,
    states: Vec<Vec<u64>>,
    edges: Vec<Vec<(LabelId, usize)>>,
}

fn explore(subject: &Subject<'_>) -> Result<Explored, String> {
    let mut model = subject.model.clone();
    model.commitments.clear();
    model.private_commitments.clear();
    for command in model.commands_mut() {
        let mut values = command.updates.iter().map(|(_, value)| value);
        if reads_commitments(&command.guard) || values.any(reads_commitments) {
            return Err("a condition reads what is in force".to_owned());
        }
        command.effect = Effect::default();
    }
    let copy = model.clone();
    let mut mover = Mover::new(&copy);
    let mut initial = mover.initial_states();
    let (Some(first), None) = (initial.next(), initial.next()) else {
        return Err("a process has exactly one initial state".to_owned());
    };
    let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    numbers.insert(first.clone(), 0);
    let (mut states, mut edges) = (vec![first], Vec::new());
    while let Some(state) = states.get(edges.len()).cloned() {
        let progress = Progress::Deciding { nodes: states.len() as u64 };
        progress.tell(subject.budget).map_err(|_| "it was stopped".to_owned())?;
        if states.len() > MOST_STATES {
            return Err(format!("it has more than {MOST_STATES} states"));
        }
        let mut found: Vec<(LabelId, usize)> = Vec::new();
        let moves = mover.for_each(&state, |cause, next| {
            let Cause::Command(command) = cause else { return };
            let number = *numbers.entry(next.to_vec()).or_insert_with(|| {
                states.push(next.to_vec());
                states.len() - 1
            });
            let edge = (copy.command(command).label, number);
            if !found.contains(&edge) {
                found.push(edge);
            }
        });
        moves.map_err(|_| "a transition leaves the range of a variable".to_owned())?;
        edges.push(found);
    }
    Ok(Explored { model, states, edges })
}
