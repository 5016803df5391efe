//! Evaluating formulas and traces, by their definitions.
//!
//! This confirms what the decision procedures claim, so it uses none of their code: it looks at the systems as they were
//! given, not at quotients. First it finds out, from the whole to the parts, which parts matter in which states; then it
//! evaluates these from the parts to the whole.

use rustc_hash::FxHashSet;
use servanda_engine::{Budget, Halt};
use servanda_lts::{Action, Lts, State};

use crate::difference::Run;
use crate::formula::{Formula, FormulaId, Node};
use crate::relation::Steps;
use crate::watch::Watch;

/// Does the formula hold in the state?
///
/// # Errors
///
/// When the budget says stop.
pub fn holds(lts: &Lts, formula: &Formula, state: State, budget: &dyn Budget) -> Result<bool, Halt> {
    let mut watch = Watch::new(budget);
    Ok(truth(lts, formula.nodes(), formula.root(), &[state], &mut watch)?[0])
}

/// Can this be done, and refused in the end?
///
/// Of a protocol that says for each label whether it is the agent's `own`, the question is whether it lets the agent refuse: in some
/// state after the trace nobody else can do anything of what is refused, and there is either nothing for the agent to do, or something
/// that is not refused.
///
/// # Errors
///
/// When the budget says stop.
pub fn can_do(
    lts: &Lts,
    run: &Run,
    own: Option<&[bool]>,
    state: State,
    budget: &dyn Budget,
) -> Result<bool, Halt> {
    let mut watch = Watch::new(budget);
    let mut here = |states: Vec<State>| match run.steps {
        Steps::Strong => Ok(states.into_iter().collect()),
        Steps::Weak => silently(lts, states, &mut watch),
    };
    let mut after: FxHashSet<State> = here(vec![state])?;
    for action in &run.trace {
        after = here(after.iter().flat_map(|state| lts.successors(*state, *action)).collect())?;
    }
    let Some(refused) = &run.refused else { return Ok(!after.is_empty()) };
    for state in after {
        let from = here(vec![state])?;
        let visible = |action: &Action| run.steps == Steps::Strong || !action.is_internal();
        let labels = from.iter().flat_map(|state| lts.edges(*state)).map(|edge| edge.action).filter(visible);
        let (own, others): (Vec<Action>, Vec<Action>) =
            labels.partition(|action| own.is_some_and(|own| own[action.0 as usize]));
        let is_refused = |action: &Action| refused.contains(action);
        if !others.iter().any(is_refused) && (own.is_empty() || !own.iter().all(is_refused)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// In which of these states does a node hold?
pub(crate) fn truth(
    lts: &Lts,
    nodes: &[Node],
    root: FormulaId,
    states: &[State],
    watch: &mut Watch<'_>,
) -> Result<Vec<bool>, Halt> {
    // Which nodes are asked about in which states.
    let mut asked: Vec<FxHashSet<State>> = vec![FxHashSet::default(); root.index() + 1];
    asked[root.index()].extend(states);
    for at in (0..=root.index()).rev() {
        if asked[at].is_empty() {
            continue;
        }
        let here: Vec<State> = asked[at].iter().copied().collect();
        watch.work(here.len())?;
        match &nodes[at] {
            Node::True => {}
            Node::Not(part) => asked[part.index()].extend(&here),
            Node::All(parts) => parts.iter().for_each(|part| asked[part.index()].extend(&here)),
            Node::Step { action, then } => {
                let next = here.iter().flat_map(|state| lts.successors(*state, *action));
                asked[then.index()].extend(next);
            }
            Node::Weak { action, then } => {
                let next = weakly(lts, here, *action, watch)?;
                asked[then.index()].extend(next);
            }
            Node::Until { hold, action, then } => {
                let before = silently(lts, here, watch)?;
                asked[hold.index()].extend(&before);
                if action.is_internal() {
                    asked[then.index()].extend(&before);
                } else {
                    let next = before.iter().flat_map(|state| lts.successors(*state, *action));
                    asked[then.index()].extend(next);
                }
            }
        }
    }
    // Where they hold.
    let mut holds: Vec<FxHashSet<State>> = Vec::with_capacity(root.index() + 1);
    for at in 0..=root.index() {
        let mut found = FxHashSet::default();
        for &state in &asked[at] {
            watch.work(1)?;
            let is = |part: &FormulaId, state: &State| holds[part.index()].contains(state);
            let value = match &nodes[at] {
                Node::True => true,
                Node::Not(part) => !is(part, &state),
                Node::All(parts) => parts.iter().all(|part| is(part, &state)),
                Node::Step { action, then } => lts.successors(state, *action).any(|next| is(then, &next)),
                Node::Weak { action, then } => {
                    weakly(lts, [state], *action, watch)?.iter().any(|next| is(then, next))
                }
                Node::Until { hold, action, then } => {
                    until(lts, state, *action, |state| is(hold, &state), |state| is(then, &state))
                }
            };
            if value {
                found.insert(state);
            }
        }
        holds.push(found);
    }
    Ok(states.iter().map(|state| holds[root.index()].contains(state)).collect())
}

/// What internal steps can reach, the states themselves included.
fn silently(
    lts: &Lts,
    states: impl IntoIterator<Item = State>,
    watch: &mut Watch<'_>,
) -> Result<FxHashSet<State>, Halt> {
    let mut seen: FxHashSet<State> = states.into_iter().collect();
    let mut open: Vec<State> = seen.iter().copied().collect();
    while let Some(state) = open.pop() {
        watch.work(1)?;
        open.extend(lts.successors(state, Action::INTERNAL).filter(|next| seen.insert(*next)));
    }
    Ok(seen)
}

/// What a label can reach with internal steps before and after it.
fn weakly(
    lts: &Lts,
    states: impl IntoIterator<Item = State>,
    action: Action,
    watch: &mut Watch<'_>,
) -> Result<FxHashSet<State>, Halt> {
    let before = silently(lts, states, watch)?;
    if action.is_internal() {
        return Ok(before);
    }
    let after: Vec<State> = before.iter().flat_map(|state| lts.successors(*state, action)).collect();
    silently(lts, after, watch)
}

/// `<hold tau* action>then`
fn until(
    lts: &Lts,
    state: State,
    action: Action,
    hold: impl Fn(State) -> bool,
    then: impl Fn(State) -> bool,
) -> bool {
    let mut seen = FxHashSet::from_iter([state]);
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        if action.is_internal() && then(state) {
            return true;
        }
        if !hold(state) {
            continue;
        }
        if !action.is_internal() && lts.successors(state, action).any(&then) {
            return true;
        }
        open.extend(lts.successors(state, Action::INTERNAL).filter(|next| seen.insert(*next)));
    }
    false
}
