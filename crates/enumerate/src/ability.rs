//! Strategic ability: what a coalition can bring about, whatever the others do.
//!
//! Where transitions are made one at a time, every agent proposes one of its transitions, and one of the proposals, or a
//! transition made by nobody, happens. So whatever the coalition proposes may happen, and so may every transition of the
//! others and of nobody. Where agents act in rounds, the coalition fixes its part of the joint action.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::{Deadlock, Progress, Strategies};
use servanda_lower::{Goal, StateFormula};
use servanda_model::{AgentId, Behaviour};

use crate::Halt;
use crate::evaluate::{Evaluation, fixpoint};
use crate::recall::View;
use servanda_space::{Space, Step, Via};

/// The most uniform strategies that are tried.
const MOST_STRATEGIES: u64 = 1 << 22;

/// What an agent that sees only its local state can decide to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    /// One transition.
    Transition(Via),
    /// A label, where it cannot know which transition it will be.
    Label(u32),
    /// An action, where agents act in rounds.
    Action(usize),
}

/// An agent in one of its local states.
type Seat = (AgentId, usize);

/// What the members may choose in their local states; a strategy leaves one choice to each.
type Menu = BTreeMap<Seat, Vec<Choice>>;

/// The game on the states of a model.
struct Game<'a, 'm> {
    space: &'a Space<'m>,
    group: &'a [AgentId],
    goal: &'a Goal,
    /// Where the operands of the goal hold.
    parts: Vec<Vec<bool>>,
    deadlock: Deadlock,
    /// The local states of the members, numbered, by state.
    local: BTreeMap<AgentId, Vec<usize>>,
}

impl Evaluation<'_, '_> {
    /// Where the group can bring about the goal.
    pub(crate) fn able(&mut self, group: &[AgentId], goal: &Goal) -> Result<Vec<bool>, Halt> {
        if !self.fair.is_empty() {
            return Err(Halt::strategies_with_fairness());
        }
        let parts: Vec<Vec<bool>> =
            goal.parts().map(|part| self.states_of(part)).collect::<Result<_, _>>()?;
        let local = group.iter().map(|agent| (*agent, self.local_states(*agent))).collect();
        let game = Game { space: self.space, group, goal, parts, deadlock: self.options.deadlock, local };
        let by_state = match self.options.strategies {
            Strategies::PerfectInformation => game.solve(None),
            reading @ (Strategies::Uniform | Strategies::Subjective) => self.uniformly(&game, reading)?,
        };
        Ok(self.by_node(&by_state))
    }

    fn states_of(&mut self, id: StateFormula) -> Result<Vec<bool>, Halt> {
        self.evaluate(id)?;
        Ok(self.by_state(&self.truth[&id]))
    }

    /// The local state of an agent, as a number, in every state.
    fn local_states(&self, agent: AgentId) -> Vec<usize> {
        let mut numbers = vec![0; self.space.len()];
        for (node, class) in self.classes(&[agent], View::Now).into_iter().enumerate() {
            numbers[self.graph.state[node] as usize] = class;
        }
        numbers
    }

    /// Tries one strategy after the other.
    fn uniformly(&self, game: &Game<'_, '_>, reading: Strategies) -> Result<Vec<bool>, Halt> {
        let menu = game.menu();
        if let (Goal::Next(_), Strategies::Uniform) = (game.goal, reading) {
            // Only the present choice matters, so each state can be judged by itself.
            return Ok(game.solve(Some(&menu)));
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
            Progress::Deciding { nodes: number }.tell(self.budget)?;
            let mut rest = number;
            let mut strategy = Menu::new();
            for (seat, choices) in &open {
                strategy.insert(*seat, vec![choices[(rest % choices.len() as u64) as usize]]);
                rest /= choices.len() as u64;
            }
            let wins = game.solve(Some(&strategy));
            let wins = if reading == Strategies::Subjective { game.known(&wins) } else { wins };
            able.iter_mut().zip(wins).for_each(|(any, one)| *any |= one);
        }
        Ok(able)
    }
}

fn into(set: &[bool], step: &Step) -> bool {
    set[step.target as usize]
}

impl Game<'_, '_> {
    /// The fixpoints of the goals. Without a menu the members may do anything, knowing the whole state.
    fn solve(&self, menu: Option<&Menu>) -> Vec<bool> {
        let step = |set: &[bool]| -> Vec<bool> {
            (0..set.len()).map(|state| self.controls(set, state as u32, menu)).collect()
        };
        match (self.goal, self.parts.as_slice()) {
            (Goal::Globally(_), [a]) => fixpoint(a, step, |state, next| a[state] && next),
            (_, [a, b]) => fixpoint(b, step, |state, next| b[state] || (a[state] && next)),
            (_, parts) => step(&parts[0]),
        }
    }

    /// Where every member knows that the present state is in the set.
    fn known(&self, set: &[bool]) -> Vec<bool> {
        let mut known = set.to_vec();
        for numbers in self.local.values() {
            let outside: BTreeSet<usize> =
                numbers.iter().zip(set).filter(|(_, inside)| !**inside).map(|(number, _)| *number).collect();
            known.iter_mut().zip(numbers).for_each(|(known, number)| *known &= !outside.contains(number));
        }
        known
    }

    /// Does the coalition see to it that the next state is in the set?
    fn controls(&self, set: &[bool], state: u32, menu: Option<&Menu>) -> bool {
        if self.space.steps(state).is_empty() {
            return self.deadlock == Deadlock::Loop && set[state as usize];
        }
        match self.space.model.behaviour {
            Behaviour::Commands(_) => self.controls_proposals(set, state, menu),
            Behaviour::Rounds(_) => self.controls_round(set, state, menu),
        }
    }

    fn seat(&self, agent: AgentId, state: u32) -> Seat {
        (agent, self.local[&agent][state as usize])
    }

    fn controls_proposals(&self, set: &[bool], state: u32, menu: Option<&Menu>) -> bool {
        let member =
            |step: &Step| self.space.maker(step.via).is_some_and(|agent| self.group.contains(&agent));
        let others_safe =
            self.space.steps(state).iter().filter(|step| !member(step)).all(|step| into(set, step));
        let succeeds = |agent: &AgentId| {
            let own = self.steps_of(*agent, state);
            let seat = self.seat(*agent, state);
            let safe = |choice: &Choice| {
                own.iter().filter(|step| self.is_choice(*choice, step)).all(|step| into(set, step))
            };
            own.is_empty()
                || match menu {
                    None => own.iter().any(|step| into(set, step)),
                    Some(menu) => menu.get(&seat).is_some_and(|choices| choices.iter().any(safe)),
                }
        };
        others_safe && self.group.iter().all(succeeds)
    }

    fn controls_round(&self, set: &[bool], state: u32, menu: Option<&Menu>) -> bool {
        let steps = self.space.steps(state);
        let part = |step: &Step| -> Vec<Option<usize>> {
            let label = self.space.label(step.via);
            self.group.iter().map(|agent| self.space.action(label, *agent)).collect()
        };
        let allowed = |part: &Vec<Option<usize>>| {
            self.group.iter().zip(part).all(|(agent, action)| {
                let choices = menu.map(|menu| menu.get(&self.seat(*agent, state)));
                choices.is_none_or(|choices| match (choices, action) {
                    (Some(choices), Some(action)) => choices.contains(&Choice::Action(*action)),
                    _ => false,
                })
            })
        };
        let parts: BTreeSet<Vec<Option<usize>>> = steps.iter().map(part).filter(allowed).collect();
        parts
            .iter()
            .any(|chosen| steps.iter().filter(|step| part(step) == *chosen).all(|step| into(set, step)))
    }

    /// The transitions of one agent in a state, where they are made one at a time.
    fn steps_of(&self, agent: AgentId, state: u32) -> Vec<Step> {
        let steps = self.space.steps(state);
        steps.iter().filter(|step| self.space.maker(step.via) == Some(agent)).copied().collect()
    }

    fn is_choice(&self, choice: Choice, step: &Step) -> bool {
        match choice {
            Choice::Transition(via) => step.via == via,
            Choice::Label(label) => self.space.label(step.via) == label,
            Choice::Action(_) => false,
        }
    }

    /// What an agent can do in a state.
    fn choices(&self, agent: AgentId, state: u32) -> BTreeSet<Choice> {
        if self.space.model.behaviour.is_rounds() {
            let action = |step: &Step| self.space.action(self.space.label(step.via), agent);
            return self.space.steps(state).iter().filter_map(action).map(Choice::Action).collect();
        }
        let steps = self.steps_of(agent, state);
        let both = |step: &Step| [Choice::Transition(step.via), Choice::Label(self.space.label(step.via))];
        steps.iter().flat_map(both).collect()
    }

    /// What each member may choose in each of its local states: what it can do in every state that looks like
    /// this one to it and in which it can do anything. No entry: it never has to choose. An empty entry: it has to, but there
    /// is nothing it can do in all of them, so no uniform strategy leads through here.
    fn menu(&self) -> Menu {
        let mut common: BTreeMap<Seat, BTreeSet<Choice>> = BTreeMap::new();
        for state in (0..self.space.len()).map(|state| state as u32) {
            for agent in self.group {
                let here = self.choices(*agent, state);
                if here.is_empty() {
                    continue;
                }
                common
                    .entry(self.seat(*agent, state))
                    .and_modify(|known| known.retain(|choice| here.contains(choice)))
                    .or_insert(here);
            }
        }
        common.into_iter().map(|(seat, choices)| (seat, self.without_repetitions(choices))).collect()
    }

    /// Choosing a label leaves open which of its transitions happens: never better than choosing one of them.
    fn without_repetitions(&self, choices: BTreeSet<Choice>) -> Vec<Choice> {
        let label_of = |choice: &Choice| match choice {
            Choice::Transition(via) => Some(self.space.label(*via)),
            Choice::Label(_) | Choice::Action(_) => None,
        };
        let covered: BTreeSet<u32> = choices.iter().filter_map(label_of).collect();
        let repeats = |choice: &Choice| matches!(choice, Choice::Label(label) if covered.contains(label));
        choices.into_iter().filter(|choice| !repeats(choice)).collect()
    }
}
