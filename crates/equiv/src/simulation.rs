//! The simulation preorders, by refuting pairs.
//!
//! `t` simulates `s` if for every step of `s` it has one with the same label, again to a state that simulates. Starting
//! from all pairs that matter, those are refuted where `s` has a step that `t` cannot answer any more, in the order of
//! how many steps it takes to show it.
//!
//! What has to be answered is a step to `s'` with label `a`, whichever state makes it, so the answers that are left are counted
//! once for each `a`, `s'` and `t`. That bounds the work by transitions times states (Henzinger, Henzinger and Kopke,
//! 1995), of which only what can be met from the pairs in question is done. Nor do weak steps cost more than they are made of: what
//! `t` can answer after an internal step to `u`, and what `u` can answer, is one thing and counted once.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::Halt;
use servanda_lts::{Action, Lts, Rows, State};

use crate::distinguish::pruned;
use crate::formula::{Builder, FormulaId, Node};
use crate::initials::Initials;
use crate::refine::Inert;
use crate::relation::Steps;
use crate::watch::Watch;

/// A state to be simulated and one that may simulate it.
type Pair = (State, State);

/// A label, where it leads one state, and another state that has to be able to follow. By weak steps the internal label stands for what
/// is left to do when the step itself is done: some internal steps.
type Duty = (Action, State, State);

/// How many pairs are looked at first.
const FEW: usize = 1 << 12;

/// The rules: which steps have to be answered, and by which.
pub(crate) struct Game<'l> {
    lts: &'l Lts,
    steps: Steps,
    ready: Ready,
    initials: Initials,
}

/// Does it matter what a state cannot do?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ready {
    /// No.
    Ignored,
    /// A state that simulates another one has the same labels.
    Same,
}

impl<'l> Game<'l> {
    /// By weak steps, internal steps must lead to smaller numbers.
    pub(crate) fn new(lts: &'l Lts, steps: Steps, ready: Ready, watch: &mut Watch<'_>) -> Result<Self, Halt> {
        let inert = match steps {
            Steps::Strong => Inert::None,
            Steps::Weak => Inert::Internal,
        };
        Ok(Game { lts, steps, ready, initials: Initials::new(lts, inert, watch)? })
    }

    /// Has a state no answer at all to this label?
    fn lacks(&self, state: State, action: Action) -> bool {
        let needs_none = self.steps == Steps::Weak && action.is_internal();
        !needs_none && !self.initials.has(state, action)
    }

    /// A label of `other` that `one` lacks, if there must be none.
    fn surplus(&self, one: State, other: State) -> Option<Action> {
        let labels = self.initials.of(other).iter().copied().filter(|_| self.ready == Ready::Same);
        labels.into_iter().find(|action| !self.initials.has(one, *action))
    }

    /// Where a label can lead a state.
    fn answers(&self, state: State, action: Action, watch: &mut Watch<'_>) -> Result<Vec<State>, Halt> {
        let targets = |states: &[State], action| -> Vec<State> {
            states.iter().flat_map(|state| self.lts.successors(*state, action)).collect()
        };
        let mut silently = |mut states: Vec<State>| {
            let mut seen: FxHashSet<State> = states.iter().copied().collect();
            let mut next = 0;
            while let Some(&state) = states.get(next) {
                watch.work(1)?;
                next += 1;
                states.extend(
                    targets(&[state], Action::INTERNAL).into_iter().filter(|next| seen.insert(*next)),
                );
            }
            states.sort_unstable();
            Ok(states)
        };
        match (self.steps, action.is_internal()) {
            (Steps::Strong, _) => Ok(targets(&[state], action)),
            (Steps::Weak, true) => silently(vec![state]),
            (Steps::Weak, false) => {
                let mut middle = targets(&silently(vec![state])?, action);
                middle.sort_unstable();
                middle.dedup();
                silently(middle)
            }
        }
    }

    /// The formula that says that a step can be made.
    fn step(&self, action: Action, then: FormulaId) -> Node {
        match self.steps {
            Steps::Strong => Node::Step { action, then },
            Steps::Weak => Node::Weak { action, then },
        }
    }
}

/// What is known of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// It is not refuted.
    NotRefuted,
    /// The number of a step of the first state that the second cannot answer.
    Step(u32),
    /// A label that the first state lacks and must not.
    Surplus(Action),
}

/// The pairs that can be met from some pairs, and which of them are refuted.
pub(crate) struct Simulation<'g> {
    game: &'g Game<'g>,
    numbers: FxHashMap<Pair, u32>,
    pairs: Vec<Pair>,
    reasons: Vec<Reason>,
    /// Were all pairs looked at? If not, what is refuted is so all the same, but the others may not hold.
    complete: bool,
}

/// What has to be answered, and what depends on it.
#[derive(Default)]
struct Duties {
    numbers: FxHashMap<Duty, u32>,
    all: Vec<Duty>,
    /// How many answers are left.
    left: Vec<u32>,
    /// Pairs that are answers, each with the duty it helps.
    helped: Vec<(State, u32)>,
    /// Duties that are answers to others.
    parents: Vec<(State, u32)>,
    /// Duties, each with a pair that needs it and the number of the step.
    needed: Vec<(State, (u32, u32))>,
}

impl Duties {
    fn number(&mut self, duty: Duty) -> u32 {
        let fresh = State::from_index(self.all.len()).0;
        let number = *self.numbers.entry(duty).or_insert(fresh);
        if number == fresh {
            self.all.push(duty);
        }
        number
    }
}

impl<'g> Simulation<'g> {
    /// Decides these pairs and all that they depend on.
    pub(crate) fn new(game: &'g Game<'g>, roots: &[Pair], watch: &mut Watch<'_>) -> Result<Self, Halt> {
        Simulation::up_to(usize::MAX, game, roots, watch)
    }

    /// Decides one pair. Most differences show after a few steps, so a few pairs are tried before many.
    pub(crate) fn of_pair(game: &'g Game<'g>, pair: Pair, watch: &mut Watch<'_>) -> Result<Self, Halt> {
        let mut most = FEW;
        loop {
            let simulation = Simulation::up_to(most, game, &[pair], watch)?;
            if simulation.complete || !simulation.holds(pair) {
                return Ok(simulation);
            }
            most = most.saturating_mul(8);
        }
    }

    /// Looks at no more than so many pairs, and takes all others to hold.
    fn up_to(most: usize, game: &'g Game<'g>, roots: &[Pair], watch: &mut Watch<'_>) -> Result<Self, Halt> {
        let mut simulation = Simulation {
            game,
            numbers: FxHashMap::default(),
            pairs: Vec::new(),
            reasons: Vec::new(),
            complete: true,
        };
        roots.iter().for_each(|pair| {
            simulation.number(*pair);
        });
        simulation.run(most, watch)?;
        Ok(simulation)
    }

    fn number(&mut self, pair: Pair) -> u32 {
        let fresh = State::from_index(self.pairs.len()).0;
        let number = *self.numbers.entry(pair).or_insert(fresh);
        if number == fresh {
            self.pairs.push(pair);
        }
        number
    }

    fn run(&mut self, most: usize, watch: &mut Watch<'_>) -> Result<(), Halt> {
        let game = self.game;
        let mut duties = Duties::default();
        let mut refuted: VecDeque<u32> = VecDeque::new();
        let mut at = 0;
        while at < self.pairs.len().min(most) {
            let (one, other) = self.pairs[at];
            let edges = game.lts.edges(one);
            let unanswered = edges.iter().position(|edge| game.lacks(other, edge.action));
            let reason = match (unanswered, game.surplus(one, other)) {
                (Some(step), _) => Reason::Step(step as u32),
                (None, Some(action)) => Reason::Surplus(action),
                (None, None) => Reason::NotRefuted,
            };
            self.reasons.push(reason);
            watch.work(edges.len())?;
            if reason != Reason::NotRefuted {
                refuted.push_back(at as u32);
            } else if one != other {
                // Where the pair is decided, there is no need to look further; every state simulates itself.
                for (step, edge) in edges.iter().enumerate() {
                    let duty = duties.number((edge.action, edge.target, other));
                    duties.needed.push((State(duty), (at as u32, step as u32)));
                }
                self.answer(&mut duties, watch)?;
            }
            at += 1;
        }
        self.complete = at == self.pairs.len();
        self.reasons.resize(self.pairs.len(), Reason::NotRefuted);
        self.refute(refuted, duties, watch)
    }

    /// Finds the answers to all duties that are new.
    fn answer(&mut self, duties: &mut Duties, watch: &mut Watch<'_>) -> Result<(), Halt> {
        let game = self.game;
        while let Some(&(action, target, other)) = duties.all.get(duties.left.len()) {
            let number = duties.left.len() as u32;
            let before = duties.helped.len() + duties.parents.len();
            let pair = |simulation: &mut Self, duties: &mut Duties, answer| {
                duties.helped.push((State(simulation.number((target, answer))), number));
            };
            let follow = |duties: &mut Duties, duty: Duty| {
                let answer = duties.number(duty);
                duties.parents.push((State(answer), number));
            };
            if game.steps == Steps::Strong {
                for answer in game.lts.successors(other, action) {
                    pair(self, duties, answer);
                }
            } else {
                if action.is_internal() {
                    pair(self, duties, other);
                }
                // A state simulates itself, so then no internal step is needed.
                if !action.is_internal() || target != other {
                    let silent = game.lts.successors(other, Action::INTERNAL);
                    for next in silent.filter(|next| !game.lacks(*next, action)) {
                        follow(duties, (action, target, next));
                    }
                }
                if !action.is_internal() {
                    for next in game.lts.successors(other, action) {
                        follow(duties, (Action::INTERNAL, target, next));
                    }
                }
            }
            let answers = duties.helped.len() + duties.parents.len() - before;
            watch.work(answers)?;
            duties.left.push(answers as u32);
        }
        Ok(())
    }

    fn refute(
        &mut self,
        mut refuted: VecDeque<u32>,
        duties: Duties,
        watch: &mut Watch<'_>,
    ) -> Result<(), Halt> {
        let Duties { mut left, helped, parents, needed, .. } = duties;
        let helped = Rows::new(self.pairs.len(), helped.iter().copied());
        let parents = Rows::new(left.len(), parents.iter().copied());
        let needed = Rows::new(left.len(), needed.iter().copied());
        watch.ask()?;
        let mut losing: Vec<u32> = Vec::new();
        while let Some(pair) = refuted.pop_front() {
            losing.extend(helped.of(State(pair)));
            while let Some(duty) = losing.pop() {
                watch.work(1)?;
                left[duty as usize] -= 1;
                if left[duty as usize] > 0 {
                    continue;
                }
                losing.extend(parents.of(State(duty)));
                for &(user, step) in needed.of(State(duty)) {
                    watch.work(1)?;
                    if self.reasons[user as usize] == Reason::NotRefuted {
                        self.reasons[user as usize] = Reason::Step(step);
                        refuted.push_back(user);
                    }
                }
            }
        }
        Ok(())
    }

    fn reason(&self, pair: Pair) -> Option<Reason> {
        self.numbers.get(&pair).map(|number| self.reasons[*number as usize])
    }

    /// Is the first state simulated by the second? They must be among the pairs that were asked about.
    pub(crate) fn holds(&self, pair: Pair) -> bool {
        self.reason(pair) == Some(Reason::NotRefuted)
    }

    /// A formula that holds in the first state of a refuted pair and not in the second. It has no negations, save that in ready
    /// simulation it may say that there is no step with a label.
    pub(crate) fn tell(
        &self,
        pair: Pair,
        builder: &mut Builder,
        watch: &mut Watch<'_>,
    ) -> Result<Option<FormulaId>, Halt> {
        let mut known: FxHashMap<Pair, FormulaId> = FxHashMap::default();
        let mut tasks = vec![pair];
        while let Some(&(one, other)) = tasks.last() {
            let step = match self.reason((one, other)) {
                None | Some(Reason::NotRefuted) => return Ok(None),
                Some(Reason::Step(step)) => step,
                Some(Reason::Surplus(action)) => {
                    tasks.pop();
                    let then = builder.all(Vec::new());
                    let can = builder.add(self.game.step(action, then));
                    known.insert((one, other), builder.not(can));
                    continue;
                }
            };
            let Some(edge) = self.game.lts.edges(one).get(step as usize) else { return Ok(None) };
            let answers = self.game.answers(other, edge.action, watch)?;
            let open: Vec<Pair> = answers
                .iter()
                .map(|answer| (edge.target, *answer))
                .filter(|pair| !known.contains_key(pair))
                .collect();
            if open.is_empty() {
                tasks.pop();
                let parts = answers.iter().filter_map(|answer| known.get(&(edge.target, *answer)).copied());
                let parts = pruned(self.game.lts, parts.collect(), &answers, builder, watch)?;
                let then = builder.all(parts);
                known.insert((one, other), builder.add(self.game.step(edge.action, then)));
            } else {
                tasks.extend(open);
            }
        }
        Ok(known.get(&pair).copied())
    }
}

/// Does the second state simulate the first, as far as that can be seen with little work?
pub(crate) fn plainly_simulates(game: &Game<'_>, pair: Pair, watch: &mut Watch<'_>) -> Result<bool, Halt> {
    let simulation = Simulation::up_to(8 * FEW, game, &[pair], watch)?;
    Ok(simulation.complete && simulation.holds(pair))
}
