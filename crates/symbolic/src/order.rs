//! The order of variables: what is read together stands together.
//!
//! FORCE (Aloul, Markov, Sakallah): every thing that mentions several variables is a hyperedge; variables are moved to the
//! centre of gravity of their edges again and again, and the order with the least total span is kept.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_algebra::flows;
use servanda_engine::{Budget, Halt};
use servanda_model::{AgentId, CommitmentId, Expr, Flow, Model, VariableId};

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
///
/// # Errors
///
/// The budget says that it is time to stop.
pub fn usual_order(model: &Model, budget: &dyn Budget) -> Result<Vec<String>, Halt> {
    let mut orders = orders(model, &sums(model, budget)?);
    Ok(orders.swap_remove(0).iter().map(|item| item.name(model)).collect())
}

/// Edges over more items than this say nothing about who is near whom.
const LARGEST_EDGE: usize = 12;

/// Orders of which one is mostly good, the likeliest first; where agents act in rounds only one. There is always one.
pub(crate) fn orders(model: &Model, sums: &[Flow]) -> Vec<Vec<Item>> {
    let items = items(model);
    let edges = edges(model);
    let hubs = hubs(&items, &edges);
    let others: Vec<Item> = items.iter().copied().filter(|item| !hubs.contains(item)).collect();
    let without_hubs = |edge: &Vec<Item>| -> Vec<Item> {
        edge.iter().copied().filter(|item| !hubs.contains(item)).collect()
    };
    let small = |edge: &Vec<Item>| edge.len() > 1 && edge.len() <= LARGEST_EDGE;
    let near: Vec<Vec<Item>> = edges.iter().map(without_hubs).filter(small).collect();
    if model.behaviour.is_rounds() {
        return vec![hubs.iter().copied().chain(force(others, &near)).collect()];
    }
    let sums = tied(sums);
    let mut first = narrowest(others, &near, &sums);
    if heads_up(&first, &edges) {
        first.reverse();
    }
    let all: Vec<Vec<Item>> = edges.iter().chain(&sums).filter(|edge| edge.len() > 1).cloned().collect();
    let mut orders = vec![hubs.into_iter().chain(first).collect::<Vec<Item>>()];
    let met = met(&items, &all);
    let moved = force(met.clone(), &all);
    let turned = moved.iter().rev().copied().collect();
    for order in [items, met, moved, turned] {
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    orders
}

/// All that has a place in the order, as declared.
fn items(model: &Model) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    if model.behaviour.is_rounds() {
        // Where agents act, an agent's action stands before the first of its variables.
        items.extend(model.agents().map(|(id, _)| Item::Action(id)));
    }
    items.extend(model.variables().map(|(id, _)| Item::Variable(id)));
    items.extend(model.commitments().map(|(id, _)| Item::Commitment(id)));
    items
}

/// The sums that no command changes; where agents act in rounds none are looked for.
pub(crate) fn sums(model: &Model, budget: &dyn Budget) -> Result<Vec<Flow>, Halt> {
    if model.behaviour.is_rounds() { Ok(Vec::new()) } else { flows(model, budget) }
}

/// The variables of sums that no command changes: what is left of the sum is all that has to be known of those above, and where they stand
/// together the last of them is known from the others.
fn tied(sums: &[Flow]) -> Vec<Vec<Item>> {
    let variables = |flow: &Flow| {
        let mut items: Vec<Item> =
            flow.terms.iter().map(|(term, _)| Item::Variable(term.variable())).collect();
        items.dedup();
        items
    };
    sums.iter().map(variables).filter(|items| items.len() > 1).collect()
}

/// The order in which the fewest edges and sums are under way at each place, of several: as declared and as neighbours are met, each moved
/// to centres of gravity, with and without regard to sums.
fn narrowest(items: Vec<Item>, edges: &[Vec<Item>], sums: &[Vec<Item>]) -> Vec<Item> {
    let hubs_left: FxHashSet<Item> = items.iter().copied().collect();
    let sums: Vec<Vec<Item>> = sums
        .iter()
        .map(|sum| sum.iter().copied().filter(|item| hubs_left.contains(item)).collect::<Vec<Item>>())
        .filter(|sum| sum.len() > 1)
        .collect();
    let all: Vec<Vec<Item>> = edges.iter().chain(&sums).cloned().collect();
    let met = met(&items, &all);
    let mut starts = vec![(items.clone(), edges), (met.clone(), edges)];
    if !sums.is_empty() {
        starts.extend([(items.clone(), all.as_slice()), (met.clone(), all.as_slice())]);
    }
    let moved = starts.into_iter().map(|(start, edges)| force(start, edges));
    let width = |order: &Vec<Item>| cut(order, &all);
    moved.chain([met]).min_by_key(width).unwrap_or(items)
}

/// How many edges are under way at each place in all, those places counting more where there are many.
fn cut(items: &[Item], edges: &[Vec<Item>]) -> u64 {
    let place: FxHashMap<Item, usize> = items.iter().enumerate().map(|(at, item)| (*item, at)).collect();
    let mut steps = vec![0i64; items.len() + 1];
    for edge in edges {
        let places = edge.iter().filter_map(|item| place.get(item));
        if let (Some(first), Some(last)) = (places.clone().min(), places.max()) {
            steps[*first] += 1;
            steps[*last] -= 1;
        }
    }
    let mut open = 0;
    let widths = steps.iter().map(|step| {
        open += step;
        open.unsigned_abs().pow(2)
    });
    widths.sum()
}

/// Items as they are met from one at the rim: next comes who has most in common with those that came before.
fn met(items: &[Item], edges: &[Vec<Item>]) -> Vec<Item> {
    let mut of: FxHashMap<Item, Vec<usize>> = FxHashMap::default();
    for (at, edge) in edges.iter().enumerate() {
        edge.iter().for_each(|item| of.entry(*item).or_default().push(at));
    }
    let none = Vec::new();
    let edges_of = |item: &Item| of.get(item).unwrap_or(&none);
    let Some(rim) = rim(items, edges, &edges_of) else { return items.to_vec() };
    let mut left: Vec<usize> = edges.iter().map(Vec::len).collect();
    // What an item has in common: of each of its edges the part that is there, and all of it for the last.
    let mut score: FxHashMap<Item, f64> = items.iter().map(|item| (*item, 0.0)).collect();
    let mut order = Vec::with_capacity(items.len());
    let mut next = Some(rim);
    let mut waiting: Vec<Item> = items.to_vec();
    while let Some(item) = next {
        order.push(item);
        waiting.retain(|other| *other != item);
        score.remove(&item);
        for edge in edges_of(&item) {
            left[*edge] -= 1;
            let more = if left[*edge] == 1 { 1.0 } else { 1.0 / edges[*edge].len() as f64 };
            for other in &edges[*edge] {
                if let Some(score) = score.get_mut(other) {
                    *score += more;
                }
            }
        }
        // What brings in less that is new comes first.
        let rank = |item: &Item| score[item] / (edges_of(item).len().max(1) as f64);
        next = waiting.iter().copied().max_by(|a, b| rank(a).total_cmp(&rank(b)).then(b.cmp(a)));
    }
    order
}

/// An item far from the others: the last to be met from the last to be met from any.
fn rim<'a>(items: &[Item], edges: &[Vec<Item>], edges_of: &impl Fn(&Item) -> &'a Vec<usize>) -> Option<Item> {
    let mut from = *items.iter().min()?;
    for _ in 0..2 {
        let mut seen = FxHashSet::from_iter([from]);
        let mut queue = VecDeque::from([from]);
        while let Some(item) = queue.pop_front() {
            from = item;
            for edge in edges_of(&item) {
                queue.extend(edges[*edge].iter().filter(|other| seen.insert(**other)));
            }
        }
    }
    Some(from)
}

/// Would steps begin much further down if the order were turned round? FORCE does not know up from down, but what begins further down is
/// smaller, and done sooner where states are found from the bottom upwards.
fn heads_up(items: &[Item], edges: &[Vec<Item>]) -> bool {
    let place: FxHashMap<Item, usize> = items.iter().enumerate().map(|(at, item)| (*item, at)).collect();
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
    let mut degrees: FxHashMap<Item, usize> = FxHashMap::default();
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
    let index: FxHashMap<Item, usize> = items.iter().enumerate().map(|(i, item)| (*item, i)).collect();
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
