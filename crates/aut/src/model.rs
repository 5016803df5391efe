//! A transition system as a model.

use std::sync::Arc;

use servanda_lts::{Edge, Lts, State};
use servanda_model::{
    Command, CommandId, Domain, Expr, Label, LabelId, Machine, MachineId, Model, Variable, Visibility,
};
use servanda_syntax::Span;

use crate::read::Transition;

/// The only agent, and the model, have this name.
const NAME: &str = "System";

/// One machine whose control states are the reachable states, and a command for each transition between them.
pub(crate) fn model(lts: &Lts) -> Model {
    let mut model = Model::new(NAME);
    model.add_agent(NAME, Span::default());

    let (numbers, states) = reachable(lts);
    let names: Vec<Arc<str>> = states.iter().map(|state| Arc::from(format!("s{}", state.0))).collect();
    let code = |state: State| i64::from(numbers[state.index()].unwrap_or_default());
    let machine = MachineId(0);
    let spans = vec![Span::default(); names.len()];
    let variable = model.add_variable(Variable {
        machine: Some(machine),
        ..Variable::new("", Domain::Enumeration(names.into()), vec![code(lts.initial())], Visibility::Public)
    });
    model.machines.push(Machine {
        name: String::new(),
        variable,
        span: Span::default(),
        location_spans: spans,
    });

    // The table of the system has no duplicates, so there is no need to look for them again.
    let names = lts.labels().all().map(|action| lts.labels().name(action));
    model.labels = names.map(|name| Label::message(name, None)).collect();
    let step = |source: State, edge: &Edge| Command {
        guard: Expr::Variable(variable).equals(Expr::Constant(code(source))),
        // A loop changes nothing.
        updates: (source != edge.target)
            .then(|| (variable, Expr::Constant(code(edge.target))))
            .into_iter()
            .collect(),
        home: Some((machine, code(source))),
        ..Command::new(LabelId(edge.action.0))
    };
    for state in states {
        lts.edges(state).iter().for_each(|edge| model.add_command(step(state, edge)));
    }
    model
}

/// The transitions that commands stand for: commands are made in the order of states, and of the edges of each.
pub(crate) fn transitions(lts: &Lts, commands: &[CommandId]) -> Vec<Option<Transition>> {
    let (_, states) = reachable(lts);
    let mut starts = Vec::with_capacity(states.len());
    let mut next = 0;
    for state in &states {
        starts.push(next);
        next += lts.edges(*state).len();
    }
    let find = |command: CommandId| {
        let place = starts.partition_point(|start| *start <= command.index()).checked_sub(1)?;
        let edge = lts.edges(states[place]).get(command.index() - starts[place])?;
        Some((states[place], edge.action, edge.target))
    };
    commands.iter().map(|command| find(*command)).collect()
}

/// For each state its place among the reachable ones, and these in increasing order.
pub(crate) fn reachable(lts: &Lts) -> (Vec<Option<u32>>, Vec<State>) {
    let mut numbers = vec![None; lts.states()];
    numbers[lts.initial().index()] = Some(0);
    let mut open = vec![lts.initial()];
    while let Some(state) = open.pop() {
        for edge in lts.edges(state) {
            if numbers[edge.target.index()].is_none() {
                numbers[edge.target.index()] = Some(0);
                open.push(edge.target);
            }
        }
    }
    let states: Vec<State> = lts.all_states().filter(|state| numbers[state.index()].is_some()).collect();
    for (place, state) in states.iter().enumerate() {
        numbers[state.index()] = u32::try_from(place).ok();
    }
    (numbers, states)
}
