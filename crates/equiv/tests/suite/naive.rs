//! The relations as they are defined: greatest fixpoints over all pairs of states, sets of traces by subsets. Nothing here
//! is shared with the crate but the systems.

use std::collections::{BTreeSet, VecDeque};

use servanda_equiv::{Duty, Formula, FormulaId, Node, Order, Preorder, Relation, Steps};
use servanda_lts::{Action, Lts, State};

type Set = BTreeSet<u32>;

fn actions(lts: &Lts) -> impl Iterator<Item = Action> {
    lts.labels().all()
}

fn step(lts: &Lts, state: u32, action: Action) -> Set {
    lts.edges(State(state)).iter().filter(|edge| edge.action == action).map(|edge| edge.target.0).collect()
}

/// `s ⇒ t`
fn silent(lts: &Lts, state: u32) -> Set {
    let mut set = Set::from([state]);
    loop {
        let more: Set = set.iter().flat_map(|state| step(lts, *state, Action::INTERNAL)).collect();
        let size = set.len();
        set.extend(more);
        if set.len() == size {
            return set;
        }
    }
}

/// `s ⇒ a ⇒ t`, or `s ⇒ t` for the internal label.
fn weak(lts: &Lts, state: u32, action: Action) -> Set {
    let before = silent(lts, state);
    if action.is_internal() {
        return before;
    }
    let middle = before.iter().flat_map(|state| step(lts, *state, action));
    middle.flat_map(|state| silent(lts, state)).collect()
}

/// The greatest relation whose pairs satisfy the condition.
fn greatest(lts: &Lts, condition: impl Fn(&dyn Fn(u32, u32) -> bool, u32, u32) -> bool) -> Vec<Vec<bool>> {
    let n = lts.states() as u32;
    let mut relation = vec![vec![true; n as usize]; n as usize];
    loop {
        let mut next = relation.clone();
        for s in 0..n {
            for t in 0..n {
                let related = |s: u32, t: u32| relation[s as usize][t as usize];
                next[s as usize][t as usize] &= condition(&related, s, t);
            }
        }
        if next == relation {
            return relation;
        }
        relation = next;
    }
}

/// Every step of `s` is answered by `t`, with answers as given.
fn answered(
    lts: &Lts,
    s: u32,
    t: u32,
    answers: impl Fn(u32, Action) -> Set,
    related: &dyn Fn(u32, u32) -> bool,
) -> bool {
    actions(lts).all(|action| {
        let answers = answers(t, action);
        step(lts, s, action).iter().all(|next| answers.iter().any(|answer| related(*next, *answer)))
    })
}

/// `t` answers every step of `s` as branching bisimilarity demands.
fn branches(lts: &Lts, silent: &[Set], s: u32, t: u32, related: &dyn Fn(u32, u32) -> bool) -> bool {
    actions(lts).all(|action| {
        step(lts, s, action).iter().all(|next| {
            if action.is_internal() && related(*next, t) {
                return true;
            }
            // t ⇒ middle with s ~ middle, and a step from there.
            silent[t as usize].iter().any(|middle| {
                related(s, *middle) && step(lts, *middle, action).iter().any(|end| related(*next, *end))
            })
        })
    })
}

/// A table of what can be reached, for it is needed again and again.
fn table(lts: &Lts, reached: impl Fn(u32) -> Set) -> Vec<Set> {
    (0..lts.states() as u32).map(reached).collect()
}

/// All pairs of states that are related.
pub(crate) fn related_pairs(lts: &Lts, relation: Relation) -> Vec<Vec<bool>> {
    match relation {
        Relation::Strong => greatest(lts, |related, s, t| {
            answered(lts, s, t, |t, action| step(lts, t, action), related)
                && answered(lts, t, s, |s, action| step(lts, s, action), &|t, s| related(s, t))
        }),
        Relation::Branching => {
            let silent = table(lts, |state| silent(lts, state));
            greatest(lts, |related, s, t| {
                branches(lts, &silent, s, t, related) && branches(lts, &silent, t, s, &|t, s| related(s, t))
            })
        }
        Relation::Weak => {
            let tables: Vec<Vec<Set>> =
                actions(lts).map(|action| table(lts, |state| weak(lts, state, action))).collect();
            let weak = |state: u32, action: Action| tables[action.0 as usize][state as usize].clone();
            greatest(lts, |related, s, t| {
                answered(lts, s, t, weak, related) && answered(lts, t, s, weak, &|t, s| related(s, t))
            })
        }
        Relation::Simulation => {
            let below = simulated_pairs(lts);
            let n = lts.states();
            (0..n).map(|s| (0..n).map(|t| below[s][t] && below[t][s]).collect()).collect()
        }
        Relation::Trace => {
            let n = lts.states() as u32;
            (0..n)
                .map(|s| (0..n).map(|t| trace_difference(lts, s, t, Traces::Visible).is_none()).collect())
                .collect()
        }
    }
}

/// The simulation preorder.
pub(crate) fn simulated_pairs(lts: &Lts) -> Vec<Vec<bool>> {
    greatest(lts, |related, s, t| answered(lts, s, t, |t, action| step(lts, t, action), related))
}

/// Which steps make a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Traces {
    /// All, internal ones too.
    Strong,
    /// Visible ones, with internal steps in between.
    Visible,
}

/// The length of a shortest trace that only one of them has, by pairs of sets of states and nothing else.
pub(crate) fn trace_difference(lts: &Lts, s: u32, t: u32, traces: Traces) -> Option<usize> {
    let start = (Set::from([s]), Set::from([t]));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((one, other), length)) = queue.pop_front() {
        for action in actions(lts).filter(|action| traces == Traces::Strong || !action.is_internal()) {
            let next = |state: &u32| match traces {
                Traces::Strong => step(lts, *state, action),
                Traces::Visible => weak(lts, *state, action),
            };
            let after = |set: &Set| -> Set { set.iter().flat_map(next).collect() };
            let pair = (after(&one), after(&other));
            match (pair.0.is_empty(), pair.1.is_empty()) {
                (true, true) => {}
                (true, false) | (false, true) => return Some(length + 1),
                (false, false) => {
                    if seen.insert(pair.clone()) {
                        queue.push_back((pair, length + 1));
                    }
                }
            }
        }
    }
    None
}

/// Does a formula hold? By its definition, over and over again.
pub(crate) fn holds(lts: &Lts, formula: &Formula, id: FormulaId, state: u32) -> bool {
    let is = |id: &FormulaId, state: u32| holds(lts, formula, *id, state);
    match formula.node(id) {
        Node::True => true,
        Node::Not(part) => !is(part, state),
        Node::All(parts) => parts.iter().all(|part| is(part, state)),
        Node::Step { action, then } => step(lts, state, *action).iter().any(|next| is(then, *next)),
        Node::Weak { action, then } => weak(lts, state, *action).iter().any(|next| is(then, *next)),
        Node::Until { hold, action, then } => {
            // The states that can be reached through states with `hold`, and their silent successors.
            let mut inside = Set::new();
            let mut edge = Set::from([state]);
            while let Some(state) = edge.pop_first() {
                if action.is_internal() && is(then, state) {
                    return true;
                }
                if is(hold, state) && inside.insert(state) {
                    edge.extend(step(lts, state, Action::INTERNAL));
                }
            }
            !action.is_internal()
                && inside.iter().any(|state| step(lts, *state, *action).iter().any(|next| is(then, *next)))
        }
    }
}

/// The labels of the next steps: all of them, or the visible ones that internal steps can come before.
pub(crate) fn initials(lts: &Lts, state: u32, steps: Steps) -> BTreeSet<Action> {
    match steps {
        Steps::Strong => actions(lts).filter(|action| !step(lts, state, *action).is_empty()).collect(),
        Steps::Weak => {
            let visible = actions(lts).filter(|action| !action.is_internal());
            visible.filter(|action| !weak(lts, state, *action).is_empty()).collect()
        }
    }
}

/// Every pair of a state reached by a trace and the states that the same trace leads to from `t`, with the length of the trace. The
/// set may be empty.
fn met(lts: &Lts, s: u32, t: u32, steps: Steps) -> Vec<(u32, Set, usize)> {
    let start = match steps {
        Steps::Strong => (Set::from([s]), Set::from([t])),
        Steps::Weak => (silent(lts, s), silent(lts, t)),
    };
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, 0)]);
    let mut met = Vec::new();
    while let Some(((one, other), length)) = queue.pop_front() {
        met.extend(one.iter().map(|state| (*state, other.clone(), length)));
        for action in actions(lts).filter(|action| steps == Steps::Strong || !action.is_internal()) {
            let next = |state: &u32| match steps {
                Steps::Strong => step(lts, *state, action),
                Steps::Weak => weak(lts, *state, action),
            };
            let after = |set: &Set| -> Set { set.iter().flat_map(next).collect() };
            let pair = (after(&one), after(&other));
            if !pair.0.is_empty() && seen.insert(pair.clone()) {
                queue.push_back((pair, length + 1));
            }
        }
    }
    met
}

/// All sets of labels.
fn all_sets(lts: &Lts) -> Vec<BTreeSet<Action>> {
    let mut sets = vec![BTreeSet::new()];
    for action in actions(lts) {
        let more: Vec<_> = sets.iter().cloned().map(|mut set| (set.insert(action), set).1).collect();
        sets.extend(more);
    }
    sets
}

/// How long the shortest trace is that only `s` has; with refusals, the shortest trace of a failure that only `s` has.
pub(crate) fn excess(lts: &Lts, s: u32, t: u32, steps: Steps, order: Order) -> Option<usize> {
    let refuses = |state: u32, set: &BTreeSet<Action>| initials(lts, state, steps).is_disjoint(set);
    let excess = met(lts, s, t, steps).into_iter().filter(|(state, others, _)| match order {
        Order::TracesWithin => others.is_empty(),
        _ => all_sets(lts)
            .iter()
            .any(|set| refuses(*state, set) && !others.iter().any(|other| refuses(*other, set))),
    });
    excess.map(|(_, _, length)| length).min()
}

/// Stable failures, as in CSP: only states without internal steps refuse; traces count, too.
pub(crate) fn stable_failures_within(lts: &Lts, s: u32, t: u32) -> bool {
    let refuses = |state: u32, set: &BTreeSet<Action>| {
        let initials = initials(lts, state, Steps::Strong);
        !initials.contains(&Action::INTERNAL) && initials.is_disjoint(set)
    };
    met(lts, s, t, Steps::Weak).into_iter().all(|(state, others, _)| {
        let sets = all_sets(lts);
        let mut refused = sets.iter().filter(|set| refuses(state, set));
        !others.is_empty() && refused.all(|set| others.iter().any(|other| refuses(*other, set)))
    })
}

/// Does the relation hold? By definition.
pub(crate) fn preorder(lts: &Lts, left: u32, right: u32, preorder: Preorder) -> bool {
    let Preorder { order, steps } = preorder;
    if matches!(order, Order::TracesWithin | Order::FailuresWithin) {
        return excess(lts, left, right, steps, order).is_none();
    }
    let simulated = greatest(lts, |related, s, t| {
        let is_ready = initials(lts, s, steps) == initials(lts, t, steps);
        let answers = |t, action| match steps {
            Steps::Strong => step(lts, t, action),
            Steps::Weak => weak(lts, t, action),
        };
        (order == Order::Simulates || is_ready) && answered(lts, s, t, answers, related)
    });
    simulated[right as usize][left as usize]
}

/// Has an agent done its duty? By definition: traces that nobody but the agent can leave, states that ask for all labels of others and
/// one of the agent's own.
pub(crate) fn conforms(
    lts: &Lts,
    agent: u32,
    protocol: u32,
    duty: Duty,
    own: Option<&dyn Fn(Action) -> bool>,
) -> bool {
    let is_own = |action: &Action| own.is_some_and(|own| own(*action));
    let initials = |state| initials(lts, state, Steps::Weak);
    met(lts, agent, protocol, Steps::Weak).into_iter().all(|(state, others, _)| match duty {
        Duty::Allowed => {
            let foreseen = |action: &Action| others.iter().any(|other| initials(*other).contains(action));
            let forgiven = |action: &Action| own.is_some() && !is_own(action);
            others.is_empty() || initials(state).iter().all(|action| foreseen(action) || forgiven(action))
        }
        Duty::Required => {
            let can = initials(state);
            let content = |other: &u32| {
                let (own, others): (BTreeSet<Action>, BTreeSet<Action>) =
                    initials(*other).into_iter().partition(|action| is_own(action));
                others.is_subset(&can) && (own.is_empty() || !own.is_disjoint(&can))
            };
            others.is_empty() || others.iter().any(content)
        }
    })
}
