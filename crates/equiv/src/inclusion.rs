//! Is what one state can do, and refuse, within what another one can?
//!
//! A state on the one side is set against all states that the other side can be in after the same trace, made on the fly and
//! breadth first. Against fewer states there is more to find, so a state need not be looked at again with a larger set than before:
//! only the smallest sets are kept (De Wulf, Doyen, Henzinger and Raskin, 2006). What is left out so would have been found no
//! sooner, which is why the first violation has a shortest trace.
//!
//! Where labels have owners ([`Demand::own`]), the state is an agent's and the set is what its protocol may be in. What others do
//! unforeseen is not the agent's fault and ends the comparison there; what the agent does unforeseen is. Of its own labels it must
//! be able to do one wherever the protocol has one for it, of the labels of others all. (The first half is input-output
//! conformance, Tretmans, 1996: silence counts as output.) Then, and where only refusals are asked about, a smaller set may forgive
//! a step behind which there is something to find; so every set is looked at.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::Halt;
use servanda_lts::{Action, Lts, State};

use crate::determinise::Sets;
use crate::difference::Run;
use crate::initials::Initials;
use crate::quotient;
use crate::refine::Inert;
use crate::relation::Steps;
use crate::saturate::sorted;
use crate::simulation::{Game, Ready, plainly_simulates};
use crate::watch::Watch;

/// What has to be included.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// What can be done.
    Traces,
    /// What can be refused, after traces that both have.
    Refusals,
    /// Both.
    Failures,
}

/// What is asked.
#[derive(Clone, Copy)]
pub(crate) struct Demand<'a> {
    pub(crate) steps: Steps,
    pub(crate) subject: Subject,
    /// For each label whether it is the agent's own; `None` if nobody owns any.
    pub(crate) own: Option<&'a [bool]>,
}

/// A run of `below` that is not one of `above`, with a shortest trace; `None` if there is none.
pub(crate) fn violation(
    lts: &Lts,
    (below, above): (State, State),
    demand: Demand<'_>,
    watch: &mut Watch<'_>,
) -> Result<Option<Run>, Halt> {
    // Fewer states make fewer sets.
    let (reduced, inert) = match demand.steps {
        Steps::Strong => (quotient::strong(lts, watch)?, Inert::None),
        Steps::Weak => (sorted(lts, watch)?, Inert::Internal),
    };
    let (below, above) = (reduced.image(below), reduced.image(above));
    if demand.own.is_none() {
        // Simulation implies inclusion, and is often seen at once where sets would be many.
        let ready = if demand.subject == Subject::Traces { Ready::Ignored } else { Ready::Same };
        let game = Game::new(&reduced.lts, demand.steps, ready, watch)?;
        if plainly_simulates(&game, (below, above), watch)? {
            return Ok(None);
        }
    }
    let initials = match demand.subject {
        Subject::Traces => None,
        Subject::Refusals | Subject::Failures => Some(Initials::new(&reduced.lts, inert, watch)?),
    };
    let mut search = Search {
        lts: &reduced.lts,
        inert,
        demand,
        initials,
        sets: Sets::new(&reduced.lts, inert),
        steps: FxHashMap::default(),
        seen: FxHashSet::default(),
        smallest: FxHashMap::default(),
        met: Vec::new(),
    };
    search.run(below, above, watch)
}

/// A state and what it is set against; nothing if the trace that leads here is a violation.
struct Met {
    state: State,
    set: Option<State>,
    from: Option<(usize, Action)>,
}

struct Search<'a> {
    lts: &'a Lts,
    inert: Inert,
    demand: Demand<'a>,
    /// If it matters what is refused.
    initials: Option<Initials>,
    sets: Sets<'a>,
    steps: FxHashMap<(State, Action), Option<State>>,
    /// What was set against what.
    seen: FxHashSet<(State, State)>,
    /// The smallest sets that each state was set against, where these find all that larger ones do.
    smallest: FxHashMap<State, Vec<State>>,
    met: Vec<Met>,
}

impl Search<'_> {
    fn run(&mut self, below: State, above: State, watch: &mut Watch<'_>) -> Result<Option<Run>, Halt> {
        let start = self.sets.closed([above], watch)?;
        self.met.push(Met { state: below, set: Some(start), from: None });
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let Met { state, set, .. } = self.met[at];
            let Some(set) = set else { return Ok(Some(self.run_to(at, None))) };
            if self.is_covered(state, set, watch)? {
                continue;
            }
            self.cover(state, set);
            if let Some(refused) = self.refused(state, set, watch)? {
                return Ok(Some(self.run_to(at, Some(refused))));
            }
            for edge in self.lts.edges(state) {
                let silent = self.inert == Inert::Internal && edge.action.is_internal();
                let next = if silent { Some(set) } else { self.step(set, edge.action, watch)? };
                let in_vain = match next {
                    None => !self.is_blamed(edge.action),
                    Some(next) => self.is_covered(edge.target, next, watch)?,
                };
                if in_vain {
                    continue;
                }
                // A trace that is no longer comes next.
                if silent {
                    queue.push_front(self.met.len())
                } else {
                    queue.push_back(self.met.len())
                }
                self.met.push(Met { state: edge.target, set: next, from: Some((at, edge.action)) });
            }
        }
        Ok(None)
    }

    fn step(&mut self, set: State, action: Action, watch: &mut Watch<'_>) -> Result<Option<State>, Halt> {
        if let Some(known) = self.steps.get(&(set, action)) {
            return Ok(*known);
        }
        let next = self.sets.step(set, action, watch)?;
        self.steps.insert((set, action), next);
        Ok(next)
    }

    fn is_own(&self, action: Action) -> bool {
        self.demand.own.is_some_and(|own| own[action.0 as usize])
    }

    /// Is it a violation to do this where the other side cannot?
    fn is_blamed(&self, action: Action) -> bool {
        self.demand.subject != Subject::Refusals && (self.demand.own.is_none() || self.is_own(action))
    }

    /// Is every step one that the other side must have?
    fn forgives_nothing(&self) -> bool {
        self.demand.subject != Subject::Refusals && self.demand.own.is_none()
    }

    /// Is nothing to be found here that would not be found elsewhere?
    fn is_covered(&self, state: State, set: State, watch: &mut Watch<'_>) -> Result<bool, Halt> {
        let members = self.sets.members(set);
        // What a state can do it can do on both sides.
        if members.binary_search(&state).is_ok() || self.seen.contains(&(state, set)) {
            return Ok(true);
        }
        for known in self.smallest.get(&state).into_iter().flatten() {
            watch.work(members.len())?;
            if is_within(self.sets.members(*known), members) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn cover(&mut self, state: State, set: State) {
        self.seen.insert((state, set));
        if self.forgives_nothing() {
            let (sets, smallest) = (&self.sets, self.smallest.entry(state).or_default());
            smallest.retain(|known| !is_within(sets.members(set), sets.members(*known)));
            smallest.push(set);
        }
    }

    /// What the state refuses, if no state of the set may: few labels that show it.
    fn refused(&self, state: State, set: State, watch: &mut Watch<'_>) -> Result<Option<Vec<Action>>, Halt> {
        let Some(initials) = &self.initials else { return Ok(None) };
        let members = self.sets.members(set);
        watch.work(members.len() * initials.of(state).len().max(1))?;
        let lacks = |action: &Action| !initials.has(state, *action);
        // Each member asks for all labels of others that it has, and for some of the agent's own.
        let others = |member: State| initials.of(member).iter().filter(|action| !self.is_own(**action));
        let own = |member: State| initials.of(member).iter().filter(|action| self.is_own(**action));
        let asks_for_own = |member: State| own(member).next().is_some() && own(member).all(lacks);
        if members.iter().any(|member| !others(*member).any(lacks) && !asks_for_own(*member)) {
            return Ok(None);
        }
        let mut refused: FxHashSet<Action> = FxHashSet::default();
        for member in members.iter().filter(|member| !others(**member).any(lacks)) {
            refused.extend(own(*member));
        }
        let mut open: Vec<State> =
            members.iter().copied().filter(|member| others(*member).any(lacks)).collect();
        while !open.is_empty() {
            let mut counts: FxHashMap<Action, usize> = FxHashMap::default();
            for action in open.iter().flat_map(|member| others(*member)).filter(|action| lacks(action)) {
                *counts.entry(*action).or_default() += 1;
            }
            watch.work(open.len() + counts.len())?;
            let best = counts.into_iter().max_by_key(|(action, count)| (*count, std::cmp::Reverse(*action)));
            let Some((best, _)) = best else { break };
            refused.insert(best);
            open.retain(|member| !initials.has(*member, best));
        }
        let mut refused: Vec<Action> = refused.into_iter().collect();
        refused.sort_unstable();
        Ok(Some(refused))
    }

    fn run_to(&self, mut at: usize, refused: Option<Vec<Action>>) -> Run {
        let mut trace = Vec::new();
        while let Some((before, action)) = self.met[at].from {
            if self.inert == Inert::None || !action.is_internal() {
                trace.push(action);
            }
            at = before;
        }
        trace.reverse();
        Run { steps: self.demand.steps, trace, refused }
    }
}

/// Are all members of one sorted set in the other?
fn is_within(small: &[State], large: &[State]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|member| rest.any(|other| other == member))
}
