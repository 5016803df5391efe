//! A protocol as a CCS process: one control state for every state, what is in force left to the acts file.

use std::fmt::Write as _;

use servanda_engine::{Budget, Deadlock, Halt, Limited, Stop};
use servanda_logic::{ActionPattern, Reference};
use servanda_model::{Effect, Label, LabelId, Model, Program};
use servanda_space::Space;
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
    let model = without_commitments(old).map_err(unfit)?;
    let space = explored(&model, subject.budget).map_err(unfit)?;
    let edges: Vec<Vec<(LabelId, u32)>> = (0..space.len()).map(|state| edges(&space, state as u32)).collect();
    let mut names = Identifiers::without(&["tau", "t", "nil", "proc", "set", "Protocol"]);
    let mut used = vec![None; old.labels.len()];
    for (label, _) in edges.iter().flatten() {
        let name = match old.label(*label) {
            label if label.is_internal() => "tau".to_owned(),
            Label::Message(_) => names.of("message", &base_name(old, *label).to_lowercase()),
            _ => names.of("act", &format!("{}_{}", base_name(old, *label), label.index() + 1).to_lowercase()),
        };
        used[label.index()].get_or_insert(name);
    }
    let mut text = format!("* {}, one process per state.\n", old.name);
    let action = |label: &LabelId| used[label.index()].as_deref().unwrap_or("tau");
    for (number, edges) in (0..).zip(&edges) {
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
    let mut stack = Vec::new();
    for (_, name, condition) in &formulas.propositions {
        let condition = Program::new(condition, &space.layout);
        let holds = (0..space.len() as u32)
            .filter(|number| condition.holds(space.state(*number), &mut stack) == Ok(true));
        let places = holds.map(|number| format!("in {}", process(number)));
        let places: Vec<String> = places.collect();
        let places = if places.is_empty() { "false".to_owned() } else { balanced(&places) };
        let _ = writeln!(acts, "prop {name} = {places}");
    }
    Ok((text, acts + &said))
}

/// The process that stands for a state.
fn process(number: u32) -> String {
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

/// A protocol without what is in force.
fn without_commitments(protocol: &Model) -> Result<Model, String> {
    let mut model = protocol.clone();
    model.commitments.clear();
    model.private_commitments.clear();
    for command in model.commands_mut() {
        let mut values = command.updates.iter().map(|(_, value)| value);
        if reads_commitments(&command.guard) || values.any(reads_commitments) {
            return Err("a condition reads what is in force".to_owned());
        }
        command.effect = Effect::default();
    }
    Ok(model)
}

/// The states of a model that has one initial state, and the steps between them.
fn explored<'m>(model: &'m Model, budget: &dyn Budget) -> Result<Space<'m>, String> {
    let one_initial = || "a process has exactly one initial state".to_owned();
    let mut space = match Space::new(model, Deadlock::Strict, &Limited::new(budget).space(1, 0)) {
        Ok(space) if space.initial().len() == 1 => space,
        Ok(_) | Err(Halt::Stopped { stop: Stop::Bound, .. }) => return Err(one_initial()),
        Err(_) => return Err("it was stopped".to_owned()),
    };
    match space.explore_up_to(MOST_STATES, budget) {
        Ok(true) => Ok(space),
        Ok(false) => Err(format!("it has more than {MOST_STATES} states")),
        Err(Halt::Fault(_)) => Err("a transition leaves the range of a variable".to_owned()),
        Err(_) => Err("it was stopped".to_owned()),
    }
}

/// The steps of a state, each once: what they are labelled with and where they lead.
fn edges(space: &Space<'_>, state: u32) -> Vec<(LabelId, u32)> {
    let mut found = Vec::new();
    for step in space.steps(state) {
        let edge = (LabelId(space.label(step.via)), step.target);
        if !found.contains(&edge) {
            found.push(edge);
        }
    }
    found
}
