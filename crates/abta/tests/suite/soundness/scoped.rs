//! The components of commitments, played as docs/abta.md explains them: along paths that keep what is owed on entry.

use std::collections::HashMap;

use servanda_abta::{Abta, Options, Quantifier, StateId, StateKind, translate};
use servanda_logic::{Features, Formula, Kind, Unary};

use crate::soundness::solve::{Solver, cyclic_components};

/// How a position can go on: by a step, or with nothing left to be shown.
type End = Option<StateId>;

/// A point of the product: a state of the component, one of the automaton of what is owed, a node.
type Point = (End, End, usize);

/// The value of a state on entering it at a node where `owed` is in force; `None` where this player cannot tell.
pub(crate) fn play(
    solver: &mut Solver<'_, '_, '_>,
    entry: StateId,
    node: usize,
    owed: &Formula,
    options: Options,
) -> Option<bool> {
    let unsuited = Features::QUANTIFIERS.with(Features::LINEAR_PAST).with(Features::ACTS);
    if Features::of(owed).intersects(unsuited) {
        return None;
    }
    let keeping = translate(&owed.clone().unary(Unary::Exists), options).ok()?.automaton;
    let keeping_start = match owed.kind() {
        Kind::Bool(true) => None,
        _ => Some(StateId::from_index(0)),
    };
    let exists = solver.abta.state(entry).quantifier == Some(Quantifier::Exists);
    let mut points: Vec<Point> = vec![(Some(entry), keeping_start, node)];
    let mut numbers: HashMap<Point, usize> = HashMap::from([(points[0], 0)]);
    // Per point: the target, and the steps that were taken.
    let mut edges: Vec<Vec<(usize, End, End)>> = Vec::new();
    while edges.len() < points.len() {
        let (claim, promise, node) = points[edges.len()];
        let claims = match claim {
            Some(state) => claim_ways(solver, state, node, exists)?,
            None => vec![None],
        };
        let promises = match promise {
            Some(state) => promise_ways(solver, &keeping, state, node)?,
            None => vec![None],
        };
        let mut own = Vec::new();
        for (claim, promise) in claims.iter().flat_map(|c| promises.iter().map(move |p| (*c, *p))) {
            for edge in &solver.graph.edges[node] {
                let takes = |abta: &Abta, step: End| match step.map(|id| abta.state(id)) {
                    None => true,
                    Some(state) => match &state.kind {
                        StateKind::StepExists(actions) => {
                            actions.iter().all(|literal| solver.graph.matches(node, edge.label, literal))
                        }
                        StateKind::StepForAll(actions) => {
                            !actions.iter().any(|literal| solver.graph.matches(node, edge.label, literal))
                        }
                        _ => false,
                    },
                };
                if !takes(solver.abta, claim) || !takes(&keeping, promise) {
                    continue;
                }
                let point = (
                    claim.map(|id| solver.abta.state(id).successors[0]),
                    promise.map(|id| keeping.state(id).successors[0]),
                    edge.target,
                );
                let next = points.len();
                let number = *numbers.entry(point).or_insert(next);
                if number == next {
                    points.push(point);
                }
                own.push((number, claim, promise));
            }
        }
        edges.push(own);
        if points.len() > 5000 {
            return None;
        }
    }
    let moves: Vec<Vec<usize>> =
        edges.iter().map(|own| own.iter().map(|(target, ..)| *target).collect()).collect();
    let wins = cyclic_components(&moves).iter().any(|members| {
        let inside = || {
            let from = members.iter().flat_map(|point| &edges[*point]);
            from.filter(|(target, ..)| members.contains(target))
        };
        let meets = |abta: &Abta, pick: &dyn Fn(&(usize, End, End)) -> End| {
            let steps: Vec<StateId> = inside().filter_map(pick).collect();
            let component = steps.first().and_then(|id| abta.state(*id).component);
            let mut sets =
                abta.acceptance.iter().filter(|set| component.is_some() && set.component == component);
            sets.all(|set| steps.iter().any(|step| set.states.contains(step)))
        };
        meets(solver.abta, &|edge| edge.1) && meets(&keeping, &|edge| edge.2)
    });
    Some(wins == exists)
}

/// The ways in which the player of a component (for a universal one: whoever refutes it) can go on from a state.
fn claim_ways(solver: &mut Solver<'_, '_, '_>, id: StateId, node: usize, exists: bool) -> Option<Vec<End>> {
    let state = solver.abta.state(id);
    let constant = match state.kind {
        StateKind::True => Some(true),
        StateKind::False => Some(false),
        _ => None,
    };
    if let Some(value) = constant {
        return Some(if value == exists { vec![None] } else { Vec::new() });
    }
    if state.kind.is_step() {
        return Some(vec![Some(id)]);
    }
    let own = if exists { StateKind::Or } else { StateKind::And };
    let (stays, leaves): (Vec<StateId>, Vec<StateId>) =
        state.successors.iter().partition(|id| solver.abta.state(**id).scope == state.scope);
    let outside: Vec<bool> =
        leaves.iter().map(|id| Some(solver.values(*id)?[node] == exists)).collect::<Option<_>>()?;
    let mut ways = Vec::new();
    if state.kind == own {
        ways.extend(outside.iter().filter(|won| **won).map(|_| None));
        for stay in stays {
            ways.extend(claim_ways(solver, stay, node, exists)?);
        }
    } else if outside.iter().all(|won| *won) {
        match stays.as_slice() {
            [] => ways.push(None),
            [one] => ways = claim_ways(solver, *one, node, exists)?,
            _ => panic!("the automaton is not hesitant"),
        }
    }
    Some(ways)
}

/// The ways to go on keeping what is owed.
fn promise_ways(solver: &Solver<'_, '_, '_>, abta: &Abta, id: StateId, node: usize) -> Option<Vec<End>> {
    let state = abta.state(id);
    let mut below = Vec::new();
    for successor in state.successors.iter().filter(|_| !state.kind.is_step()) {
        below.push(promise_ways(solver, abta, *successor, node)?);
    }
    Some(match &state.kind {
        StateKind::True => vec![None],
        StateKind::False => Vec::new(),
        StateKind::Literal { atom, positive } => {
            if solver.graph.holds(node, atom)? == *positive {
                vec![None]
            } else {
                Vec::new()
            }
        }
        StateKind::StepExists(_) => vec![Some(id)],
        StateKind::Or => below.concat(),
        StateKind::And => {
            let mut ways: Vec<End> = vec![None];
            for more in below {
                ways = ways.iter().flat_map(|a| more.iter().map(move |b| a.or(*b))).collect();
            }
            ways
        }
        other => panic!("{other:?} does not occur under one existential quantifier"),
    })
}
