//! Parts that are added to random models: most of them matter to nobody, some to a few.

use servanda_logic::{Formula, parse_formula};
use servanda_model::{
    AgentId, AgentProgram, Behaviour, Block, Command, Domain, Expr, Fairness, Label, LabelId, Line, Model,
    Permission, Variable, VariableId, Visibility,
};
use servanda_syntax::Span;
use servanda_testkit::random::Dice;

/// A formula about what the model had before anything was added.
pub(super) fn formula(model: &Model, dice: &mut Dice) -> Formula {
    let (p, q, r) = (atom(model, dice), atom(model, dice), atom(model, dice));
    let text = match dice.below(14) {
        0 | 1 => format!("EF ({p})"),
        2 => format!("AG ({p} | {q})"),
        3 => format!("AG ({p} -> EF ({q}))"),
        4 => format!("AF ({p})"),
        5 => format!("EG ({p})"),
        6 => format!("AG ({p} -> AF ({q}))"),
        7 => format!("A (G F ({p}) -> G F ({q}))"),
        8 => format!("E (({p}) U (({q}) & EG ({r})))"),
        9 => format!("E (G (({p}) | F ({q})))"),
        10 => format!("AX ({p})"),
        11 => format!("A (({p}) W ({q}))"),
        12 => format!("EF (({p}) & EX ({q}))"),
        _ => format!("AG EF ({p})"),
    };
    parse_formula(&text).unwrap_or_else(|_| panic!("{text}"))
}

/// A condition on a variable.
fn atom(model: &Model, dice: &mut Dice) -> String {
    let declared: Vec<&Variable> = model.variables.iter().filter(|variable| variable.is_declared()).collect();
    let Some(variable) = dice.among(&declared) else { return "true".to_owned() };
    let value = variable.domain.low() + dice.below(variable.domain.size().min(8) as usize) as i64;
    match variable.domain {
        Domain::Bool if value == 0 => format!("!{}", variable.name),
        Domain::Bool => variable.name.clone(),
        _ => format!("{} = {}", variable.name, variable.domain.show(value)),
    }
}

const HIGH: i64 = 2;

fn visibility(model: &Model, dice: &mut Dice) -> Visibility {
    let agents = model.agents.len();
    match dice.below(3) {
        0 => Visibility::Public,
        1 if agents > 0 => Visibility::Private(AgentId::from_index(dice.below(agents))),
        _ => Visibility::Shared(Vec::new()),
    }
}

fn add_variable(model: &mut Model, dice: &mut Dice, name: String) -> VariableId {
    let visibility = visibility(model, dice);
    let initial = if dice.chance(15) { vec![0, 1] } else { vec![0] };
    model.add_variable(Variable::new(name, Domain::Range { low: 0, high: HIGH }, initial, visibility))
}

fn value(dice: &mut Dice) -> Expr {
    Expr::Constant(dice.below(HIGH as usize + 1) as i64)
}

fn is_at(variable: VariableId, dice: &mut Dice) -> Expr {
    Expr::variable(variable).equals(value(dice))
}

/// What a variable may become, mostly a value that it can have.
fn becomes(variable: VariableId, dice: &mut Dice) -> Expr {
    let more = Expr::variable(variable).plus(Expr::Constant(1));
    match dice.below(20) {
        0 => more,
        1..8 => more.calculated(servanda_model::Arithmetic::Remainder, Expr::Constant(HIGH + 1)),
        _ => value(dice),
    }
}

/// Adds variables that do as one does that is there, mostly, and has formulas and commands read one for the other.
pub(super) fn add_twins(model: &mut Model, dice: &mut Dice) {
    let begins = |(id, variable): (VariableId, &Variable)| {
        (variable.is_declared() && variable.initial.len() == 1).then_some(id)
    };
    let ids: Vec<VariableId> = model.variables().filter_map(begins).collect();
    if model.behaviour.is_rounds() || dice.chance(50) {
        return;
    }
    let Some(first) = dice.among(&ids).copied() else { return };
    let like = model.variable(first);
    let (name, domain, initial) = (format!("twin{}", first.0), like.domain.clone(), like.initial.clone());
    let visibility = visibility(model, dice);
    let twin = model.add_variable(Variable::new(name, domain, initial, visibility));
    for command in model.commands_mut() {
        let mut either = |expr: &Expr| {
            let other = dice.chance(50);
            expr.folded(&|read| Expr::Variable(if other && read == first { twin } else { read }))
        };
        let changes: Vec<(VariableId, Expr)> = command.updates.clone();
        command.guard = either(&command.guard);
        command.updates.iter_mut().for_each(|(_, value)| *value = either(value));
        let change = changes.iter().find(|(to, _)| *to == first).map(|(_, value)| either(value));
        let change = change.filter(|_| !dice.chance(4));
        let copied = dice.chance(2).then_some(Expr::Variable(first));
        command.updates.extend(change.or(copied).map(|value| (twin, value)));
    }
}

/// Adds parts to a model, counters among them if wanted.
pub(super) fn decorate(model: &mut Model, dice: &mut Dice, counters: bool) {
    let before: Vec<VariableId> =
        model.variables().filter(|(_, v)| v.is_declared()).map(|(id, _)| id).collect();
    if model.behaviour.is_rounds() {
        for number in 0..1 + dice.below(2) {
            add_agent(model, dice, number);
        }
    } else {
        for number in 0..1 + dice.below(2) {
            add_history(model, dice, number);
        }
        for number in 0..1 + dice.below(2) {
            add_process(model, dice, number, &before);
        }
        if counters && dice.chance(60) {
            add_counters(model, dice, &before);
        }
    }
    let added = VariableId::from_index(model.variables.len() - 1);
    if dice.chance(8) {
        let name = &model.variable(added).name;
        if let Ok(formula) = parse_formula(&format!("{name} = {}", dice.below(3))) {
            model.fairness.push(Fairness { formula });
        }
    }
    if let Some(other) = dice.among(&before).copied()
        && dice.chance(10)
    {
        let same = Expr::variable(other).equals(Expr::variable(added));
        model.variables[added.index()].initial = vec![0, 1, 2];
        model.initial = Expr::and([std::mem::replace(&mut model.initial, Expr::TRUE), same]);
    }
}

/// A variable that commands write and mostly nobody reads.
fn add_history(model: &mut Model, dice: &mut Dice, number: usize) {
    let variable = add_variable(model, dice, format!("history{number}"));
    for command in model.commands_mut() {
        if dice.chance(50) {
            command.updates.push((variable, becomes(variable, dice)));
        }
        if dice.chance(3) {
            command.guard = Expr::and([command.guard.clone(), is_at(variable, dice)]);
        }
    }
}

/// A process of its own that mostly reads nothing but itself.
fn add_process(model: &mut Model, dice: &mut Dice, number: usize, others: &[VariableId]) {
    let variable = add_variable(model, dice, format!("process{number}"));
    let label = model.add_label(Label::message(format!("step{number}"), None));
    for _ in 0..1 + dice.below(3) {
        let labels = model.labels.len();
        let label = if dice.chance(10) { LabelId(dice.below(labels) as u32) } else { label };
        let mut guard = vec![is_at(variable, dice)];
        let mut updates = vec![(variable, becomes(variable, dice))];
        if let (Some(other), true) = (dice.among(others), dice.chance(15)) {
            guard.push(is_at(*other, dice));
        }
        if let (Some(other), true) = (dice.among(others), dice.chance(8)) {
            updates.push((*other, Expr::Constant(model.variable(*other).domain.low())));
        }
        let command = Command { guard: Expr::and(guard), updates, ..Command::new(label) };
        model.add_command(command);
    }
}

/// Tokens that go round, mostly by themselves: as many as there were, and sometimes somebody counts how many are missing somewhere.
fn add_counters(model: &mut Model, dice: &mut Dice, others: &[VariableId]) {
    let tokens = 1 + dice.below(HIGH as usize) as i64;
    let places = 2 + dice.below(2);
    let mut add = |name: String, initial: i64| {
        let domain = Domain::Range { low: 0, high: HIGH };
        model.add_variable(Variable::new(name, domain, vec![initial], Visibility::Public))
    };
    let places: Vec<VariableId> =
        (0..places).map(|at| add(format!("place{at}"), if at == 0 { tokens } else { 0 })).collect();
    let room = dice.chance(60).then(|| add("room".to_owned(), if dice.chance(80) { tokens } else { HIGH }));
    let label = model.add_label(Label::message("move".to_owned(), None));
    let by =
        |variable: VariableId, change: i64| (variable, Expr::variable(variable).plus(Expr::Constant(change)));
    let some = |variable: VariableId| Expr::Constant(0).less_than(Expr::variable(variable));
    for (at, place) in places.iter().enumerate() {
        let next = places[(at + 1) % places.len()];
        let mut guard: Vec<Expr> = Vec::new();
        if dice.chance(95) {
            guard.push(some(*place));
        }
        let mut updates = vec![by(*place, -1), by(next, 1)];
        if let Some(room) = room {
            // The room of the second place.
            if at == 0 {
                guard.push(some(room));
                updates.push(by(room, -1));
            } else if at == 1 {
                updates.push(by(room, 1));
            }
        }
        if let (Some(other), true) = (dice.among(others), dice.chance(15)) {
            guard.push(is_at(*other, dice));
        }
        if let (Some(other), true) = (dice.among(others), dice.chance(8)) {
            updates.push((*other, Expr::Constant(model.variable(*other).domain.low())));
        }
        model.add_command(Command { guard: Expr::and(guard), updates, ..Command::new(label) });
    }
    // Somebody else may wait for a token.
    for command in model.commands_mut() {
        if dice.chance(5) {
            command.guard = Expr::and([command.guard.clone(), some(places[1])]);
        }
    }
}

/// An agent that acts in rounds with the others, mostly by itself.
fn add_agent(model: &mut Model, dice: &mut Dice, number: usize) {
    let agent = model.add_agent(format!("Extra{number}"), Span::default());
    let others = agent.index();
    let variable = add_variable(model, dice, format!("extra{number}"));
    let permission =
        |dice: &mut Dice| Permission { condition: is_at(variable, dice), actions: vec![dice.below(2)] };
    let permissions = (0..dice.below(4)).map(|_| permission(dice)).collect();
    let otherwise = if dice.chance(75) { vec![0, 1] } else { Vec::new() };
    let line = |dice: &mut Dice| {
        let acts = |agent: AgentId, dice: &mut Dice| {
            Expr::Action(agent).equals(Expr::Constant(dice.below(2) as i64))
        };
        let guard = match dice.below(4) {
            0 => is_at(variable, dice),
            1 => acts(AgentId::from_index(dice.below(others + 1)), dice),
            _ => Expr::and([is_at(variable, dice), acts(agent, dice)]),
        };
        let value = if dice.chance(3) { Expr::Constant(HIGH + 1) } else { value(dice) };
        Line { guard, defined: Expr::TRUE, updates: vec![(variable, value)], span: Span::default() }
    };
    let lines = (0..1 + dice.below(3)).map(|_| line(dice)).collect();
    let evolution = vec![Block { variables: vec![variable], lines }];
    let actions = vec!["left".to_owned(), "right".to_owned()];
    if let Behaviour::Rounds(programs) = &mut model.behaviour {
        for line in programs.iter_mut().flat_map(|program| &mut program.evolution).flat_map(|b| &mut b.lines)
        {
            if dice.chance(3) {
                let reads = if dice.chance(50) {
                    is_at(variable, dice)
                } else {
                    Expr::Action(agent).equals(Expr::Constant(0))
                };
                line.guard = Expr::and([line.guard.clone(), reads]);
            }
        }
        programs.push(AgentProgram { actions, permissions, otherwise, evolution });
    }
}
