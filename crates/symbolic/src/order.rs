//! The order of variables: what is read together stands together.
//!
//! FORCE (Aloul, Markov, Sakallah): every thing that mentions several variables is a hyperedge; variables are moved to the
//! centre of gravity of their edges again and again, and the order with the least total span is kept.

use rustc_hash::FxHashSet;
use servanda_model::{AgentId, CommitmentId, Expr, Model, VariableId};

/// What gets a block of adjacent bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Item {
    /// A variable of the model.
    Variable(VariableId),
    /// A commitment.
    Commitment(CommitmentId),
    /// The action of an agent.
    Action(AgentId),
}

impl Item {
    /// What users call it.
    pub(crate) fn name(&self, model: &Model) -> String {
        match self {
            Item::Variable(id) => model.variable(*id).name.clone(),
            Item::Commitment(id) => model.write_promise(&model.commitments[id.index()]),
            Item::Action(id) => format!("{}.Action", model.agent(*id).name),
        }
    }
}

/// The names of everything that has a place in the order of variables, in the usual order.
pub fn usual_order(model: &Model) -> Vec<String> {
    order(model).iter().map(|item| item.name(model)).collect()
}

/// Edges over more items than this say nothing about who is near whom.
const LARGEST_EDGE: usize = 12;

/// The items of a model in a good order.
pub(crate) fn order(model: &Model) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    if model.behaviour.is_rounds() {
        // Where agents act, an agent's action stands before the first of its variables.
        items.extend(model.agents().map(|(id, _)| Item::Action(id)));
    }
    items.extend(model.variables().map(|(id, _)| Item::Variable(id)));
    items.extend(model.commitments().map(|(id, _)| Item::Commitment(id)));
    let edges = edges(model);
    let hubs = hubs(&items, &edges);
    let others: Vec<Item> = items.into_iter().filter(|item| !hubs.contains(item)).collect();
    let without_hubs = |edge: &Vec<Item>| -> Vec<Item> {
        edge.iter().copied().filter(|item| !hubs.contains(item)).collect()
    };
    let small = |edge: &Vec<Item>| edge.len() > 1 && edge.len() <= LARGEST_EDGE;
    let near: Vec<Vec<Item>> = edges.iter().map(without_hubs).filter(small).collect();
    let mut others = force(others, &near);
    if !model.behaviour.is_rounds() && heads_up(&others, &edges) {
        others.reverse();
    }
    hubs.iter().copied().chain(others).collect()
}

/// Would steps begin much further down if the order were turned round? FORCE does not know up from down, but what begins further down is
/// smaller, and done sooner where states are found from the bottom upwards.
fn heads_up(items: &[Item], edges: &[Vec<Item>]) -> bool {
    let place: rustc_hash::FxHashMap<Item, usize> =
        items.iter().enumerate().map(|(at, item)| (*item, at)).collect();
    let (mut above, mut below) = (0, 0);
    for edge in edges {
        let places = edge.iter().filter_map(|item| place.get(item));
        if let (Some(first), Some(last)) = (places.clone().min(), places.max()) {
            above += first;
            below += items.len() - 1 - last;
        }
    }
    below > 2 * above
}

/// Items that far more is about than about others: whose turn it is, a light that all watch. They stand on top, the
/// most mentioned first: once they are known, what is below falls apart, while in the midst of the others everything above
/// would have to be remembered.
fn hubs(items: &[Item], edges: &[Vec<Item>]) -> Vec<Item> {
    let mut degrees: rustc_hash::FxHashMap<Item, usize> = rustc_hash::FxHashMap::default();
    for item in edges.iter().flatten() {
        *degrees.entry(*item).or_default() += 1;
    }
    let mut sorted: Vec<usize> = items.iter().map(|item| degrees.get(item).copied().unwrap_or(0)).collect();
    sorted.sort_unstable();
    let typical = sorted.get(sorted.len() / 2).copied().unwrap_or(0).max(1);
    let degree = |item: &Item| degrees.get(item).copied().unwrap_or(0);
    let mut hubs: Vec<Item> =
        items.iter().copied().filter(|item| degree(item) >= 8 && degree(item) >= 4 * typical).collect();
    hubs.sort_by_key(|item| std::cmp::Reverse(degree(item)));
    hubs
}

fn mention(expr: &Expr, items: &mut FxHashSet<Item>) {
    match expr {
        Expr::Variable(variable) => {
            items.insert(Item::Variable(*variable));
        }
        Expr::InForce(commitment) => {
            items.insert(Item::Commitment(*commitment));
        }
        Expr::Action(agent) => {
            items.insert(Item::Action(*agent));
        }
        _ => expr.operands().for_each(|operand| mention(operand, items)),
    }
}

fn edges(model: &Model) -> Vec<Vec<Item>> {
    let mut edges: Vec<FxHashSet<Item>> = Vec::new();
    for command in model.behaviour.commands() {
        let mut edge = FxHashSet::default();
        mention(&command.guard, &mut edge);
        for (variable, value) in &command.updates {
            edge.insert(Item::Variable(*variable));
            mention(value, &mut edge);
        }
        let changed = command.effect.add.iter().chain(&command.effect.remove);
        edge.extend(changed.map(|commitment| Item::Commitment(*commitment)));
        edges.push(edge);
    }
    for ((agent, _), program) in model.agents().zip(model.behaviour.programs()) {
        for permission in &program.permissions {
            let mut edge = FxHashSet::default();
            edge.insert(Item::Action(agent));
            mention(&permission.condition, &mut edge);
            edges.push(edge);
        }
        for line in program.evolution.iter().flat_map(|block| &block.lines) {
            let mut edge = FxHashSet::default();
            mention(&line.guard, &mut edge);
            for (variable, value) in &line.updates {
                edge.insert(Item::Variable(*variable));
                mention(value, &mut edge);
            }
            edges.push(edge);
        }
    }
    for (id, _) in model.commitments().filter(|_| model.behaviour.is_rounds()) {
        let mut edge = FxHashSet::default();
        edge.insert(Item::Commitment(id));
        mention(&model.in_force_after_round(id), &mut edge);
        edges.push(edge);
    }
    let sorted = |edge: FxHashSet<Item>| {
        let mut edge: Vec<Item> = edge.into_iter().collect();
        edge.sort_unstable();
        edge
    };
    edges.into_iter().map(sorted).collect()
}

fn force(items: Vec<Item>, edges: &[Vec<Item>]) -> Vec<Item> {
    let index: rustc_hash::FxHashMap<Item, usize> =
        items.iter().enumerate().map(|(i, item)| (*item, i)).collect();
    let edges: Vec<Vec<usize>> =
        edges.iter().map(|edge| edge.iter().map(|item| index[item]).collect()).collect();
    let mut position: Vec<usize> = (0..items.len()).collect();
    let span = |position: &[usize]| -> usize {
        let ends = |edge: &Vec<usize>| {
            let places = edge.iter().map(|item| position[*item]);
            places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
        };
        edges.iter().map(ends).sum()
    };
    let (mut best, mut best_span) = (position.clone(), span(&position));
    let mut stale = 0;
    while stale < 20 {
        let mut centre = vec![(0.0f64, 0u32); items.len()];
        for edge in &edges {
            let middle = edge.iter().map(|item| position[*item] as f64).sum::<f64>() / edge.len() as f64;
            for item in edge {
                centre[*item].0 += middle;
                centre[*item].1 += 1;
            }
        }
        let place = |item: usize| match centre[item] {
            (_, 0) => position[item] as f64,
            (sum, count) => sum / f64::from(count),
        };
        let mut sorted: Vec<usize> = (0..items.len()).collect();
        sorted.sort_by(|a, b| place(*a).total_cmp(&place(*b)).then(position[*a].cmp(&position[*b])));
        for (at, item) in sorted.into_iter().enumerate() {
            position[item] = at;
        }
        let now = span(&position);
        if now < best_span {
            (best, best_span, stale) = (position.clone(), now, 0);
        } else {
            stale += 1;
        }
    }
    let mut ordered: Vec<usize> = (0..items.len()).collect();
    ordered.sort_unstable_by_key(|item| best[*item]);
    ordered.into_iter().map(|item| items[item]).collect()
}
