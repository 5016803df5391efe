//! Strategic ability: what a coalition can bring about, whatever the others do.
//!
//! In a state every agent proposes one of its transitions, and one of the proposals, or a transition made by nobody, happens. So
//! whatever the coalition proposes may happen, and so may every transition of the others and of nobody.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::{Deadlock, Progress, Strategies};
use servanda_lower::{CoreId, Goal};
use servanda_model::{AgentId, CommandId, LabelId, StateId};

use crate::Halt;
use crate::evaluate::Evaluation;
use crate::space::{Space, Step};

/// The most uniform strategies that are tried.
const MOST_STRATEGIES: u64 = 1 << 22;

/// What an agent that sees only its local state can decide to do: a transition, or, where it cannot know which
/// transition it will be, a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    Transition(CommandId),
    Label(LabelId),
}

/// An agent in one of its local states.
type Seat = (AgentId, usize);

/// A goal with the states its operands hold in.
enum Target {
    Next(Vec<bool>),
    Globally(Vec<bool>),
    Until(Vec<bool>, Vec<bool>),
}

/// The game on the states of a model.
struct Game<'a, 'm> {
    space: &'a Space<'m>,
    group: &'a [AgentId],
    deadlock: Deadlock,
}

impl Evaluation<'_, '_> {
    /// Where the group can bring about the goal.
    pub(crate) fn able(&mut self, group: &[AgentId], goal: &Goal) -> Result<Vec<bool>, Halt> {
        if !self.fair.is_empty() {
            return Err(Halt::TooLarge(
                "strategies are not defined on models with fairness constraints".to_owned(),
            ));
        }
        let target = match goal {
            Goal::Next(a) => Target::Next(self.states_of(*a)?),
            Goal::Globally(a) => Target::Globally(self.states_of(*a)?),
            Goal::Until(a, b) => {
                let (a_states, b_states) = (self.states_of(*a)?, self.states_of(*b)?);
                Target::Until(a_states, b_states)
            }
        };
        let game = Game { space: self.space, group, deadlock: self.options.deadlock };
        let by_state = match self.options.strategies {
            Strategies::PerfectInformation => solve(&target, |set, state| {
                game.controls(set, state, |steps, set| steps.iter().any(|s| into(set, s)))
            }),
            Strategies::Uniform => self.uniformly(&game, &target)?,
        };
        Ok(self.by_node(&by_state))
    }

    fn states_of(&mut self, id: CoreId) -> Result<Vec<bool>, Halt> {
        self.evaluate(id)?;
        Ok(self.by_state(&self.truth[&id]))
    }

    /// Tries one strategy after the other.
    fn uniformly(&self, game: &Game<'_, '_>, target: &Target) -> Result<Vec<bool>, Halt> {
        let seats = Seats::new(self, game.group);
        let menu = game.menu(&seats);
        if let Target::Next(_) = target {
            // Only the present choice matters, so each state can be judged by itself.
            return Ok(solve(target, |set, state| {
                game.controls(set, state, |steps, set| {
                    let agent = game.maker(&steps[0]);
                    let choices = agent.map(|agent| &menu[&seats.of(agent, state)]);
                    choices.is_some_and(|all| all.iter().any(|choice| game.follow(*choice, steps, set)))
                })
            }));
        }
        let open: Vec<(Seat, &Vec<Choice>)> = menu
            .iter()
            .filter(|(_, choices)| !choices.is_empty())
            .map(|(seat, choices)| (*seat, choices))
            .collect();
        let count = open.iter().try_fold(1u64, |n, (_, choices)| n.checked_mul(choices.len() as u64));
        let Some(count) = count.filter(|count| *count <= MOST_STRATEGIES) else {
            let reason = format!("there are more than {MOST_STRATEGIES} uniform strategies to try");
            return Err(Halt::TooLarge(reason));
        };
        let mut able = vec![false; game.space.len()];
        for number in 0..count {
            self.monitor.progress(Progress::Deciding { nodes: number }).map_err(|stop| Halt::Stopped {
                stop,
                states: 0,
                transitions: 0,
            })?;
            let mut rest = number;
            let mut strategy: BTreeMap<Seat, Choice> = BTreeMap::new();
            for (seat, choices) in &open {
                strategy.insert(*seat, choices[(rest % choices.len() as u64) as usize]);
                rest /= choices.len() as u64;
            }
            let wins = solve(target, |set, state| {
                game.controls(set, state, |steps, set| {
                    let agent = game.maker(&steps[0]);
                    let choice = agent.and_then(|agent| strategy.get(&seats.of(agent, state)));
                    choice.is_some_and(|choice| game.follow(*choice, steps, set))
                })
            });
            able.iter_mut().zip(wins).for_each(|(any, one)| *any |= one);
        }
        Ok(able)
    }
}

fn into(set: &[bool], step: &Step) -> bool {
    set[step.target.index()]
}

/// The fixpoints of the goals, from "the coalition controls that the next state is in this set".
fn solve(target: &Target, controls: impl Fn(&[bool], StateId) -> bool) -> Vec<bool> {
    let step = |set: &[bool]| -> Vec<bool> {
        (0..set.len()).map(|state| controls(set, StateId::from_index(state))).collect()
    };
    let repeat = |start: Vec<bool>, rule: &dyn Fn(usize, bool) -> bool| {
        let mut set = start;
        loop {
            let next = step(&set);
            let again: Vec<bool> = (0..set.len()).map(|state| rule(state, next[state])).collect();
            if again == set {
                return set;
            }
            set = again;
        }
    };
    match target {
        Target::Next(a) => step(a),
        Target::Globally(a) => repeat(a.clone(), &|state, next| a[state] && next),
        Target::Until(a, b) => repeat(b.clone(), &|state, next| b[state] || (a[state] && next)),
    }
}

impl Game<'_, '_> {
    fn maker(&self, step: &Step) -> Option<AgentId> {
        let label = self.space.model.command(step.command).label;
        self.space.model.label(label).by()
    }

    /// The transitions of one agent in a state.
    fn steps_of(&self, agent: AgentId, state: StateId) -> Vec<Step> {
        let steps = self.space.steps(state);
        steps.iter().filter(|step| self.maker(step) == Some(agent)).copied().collect()
    }

    /// Does the coalition see to it that the next state is in the set? `succeeds` says it for the transitions of one
    /// member that has some.
    fn controls(&self, set: &[bool], state: StateId, succeeds: impl Fn(&[Step], &[bool]) -> bool) -> bool {
        let steps = self.space.steps(state);
        if steps.is_empty() {
            return self.deadlock == Deadlock::Loop && set[state.index()];
        }
        let member = |step: &Step| self.maker(step).is_some_and(|agent| self.group.contains(&agent));
        steps.iter().filter(|step| !member(step)).all(|step| into(set, step))
            && self.group.iter().all(|agent| {
                let own = self.steps_of(*agent, state);
                own.is_empty() || succeeds(&own, set)
            })
    }

    fn is_choice(&self, choice: Choice, step: &Step) -> bool {
        match choice {
            Choice::Transition(command) => step.command == command,
            Choice::Label(label) => self.space.model.command(step.command).label == label,
        }
    }

    /// Does the choice lead into the set, whichever of the transitions it stands for happens?
    fn follow(&self, choice: Choice, steps: &[Step], set: &[bool]) -> bool {
        steps.iter().filter(|step| self.is_choice(choice, step)).all(|step| into(set, step))
    }

    /// What each member may choose in each of its local states: what it can do in every state that looks like
    /// this one to it and in which it can do anything. No entry: it never has to choose. An empty entry: it has to, but there
    /// is nothing it can do in all of them, so no uniform strategy leads through here.
    fn menu(&self, seats: &Seats) -> BTreeMap<Seat, Vec<Choice>> {
        let mut common: BTreeMap<Seat, BTreeSet<Choice>> = BTreeMap::new();
        for index in 0..self.space.len() {
            let state = StateId::from_index(index);
            for agent in self.group {
                let steps = self.steps_of(*agent, state);
                if steps.is_empty() {
                    continue;
                }
                let label = |step: &Step| self.space.model.command(step.command).label;
                let here: BTreeSet<Choice> = steps
                    .iter()
                    .flat_map(|step| [Choice::Transition(step.command), Choice::Label(label(step))])
                    .collect();
                common
                    .entry(seats.of(*agent, state))
                    .and_modify(|known| known.retain(|choice| here.contains(choice)))
                    .or_insert(here);
            }
        }
        common.into_iter().map(|(seat, choices)| (seat, self.without_repetitions(choices))).collect()
    }

    /// A label whose only transition can be chosen by itself adds nothing.
    fn without_repetitions(&self, choices: BTreeSet<Choice>) -> Vec<Choice> {
        let label_of = |choice: &Choice| match choice {
            Choice::Transition(command) => Some(self.space.model.command(*command).label),
            Choice::Label(_) => None,
        };
        let covered: BTreeSet<LabelId> = choices.iter().filter_map(label_of).collect();
        // Choosing the label leaves open which of its transitions happens: never better than choosing one of them.
        let repeats = |choice: &Choice| matches!(choice, Choice::Label(label) if covered.contains(label));
        choices.into_iter().filter(|choice| !repeats(choice)).collect()
    }
}

/// The local states of the members, numbered, by state.
struct Seats {
    classes: BTreeMap<AgentId, Vec<usize>>,
}

impl Seats {
    fn new(eval: &Evaluation<'_, '_>, group: &[AgentId]) -> Self {
        let by_state = |agent: &AgentId| {
            let mut numbers = vec![0; eval.space.len()];
            for (node, class) in eval.classes(&[*agent]).into_iter().enumerate() {
                numbers[eval.graph.state[node].index()] = class;
            }
            (*agent, numbers)
        };
        Seats { classes: group.iter().map(by_state).collect() }
    }

    fn of(&self, agent: AgentId, state: StateId) -> Seat {
        (agent, self.classes[&agent][state.index()])
    }
}
