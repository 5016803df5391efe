//! Strategic ability (section 7), by trying every strategy of a group and looking at all that can happen then.

use std::collections::BTreeMap;

use proptest::prelude::*;
use servanda_engine::{Options, Strategies};
use servanda_model::{AgentId, CommandId, LabelId, Model};
use servanda_testkit::random::{Outline, conditions, protocols};
use servanda_testkit::{Limits, Trials, Tried, Walks, load};

use crate::oracles::support::{CONTENTS, MOST_STATES, agrees, condition, observes, seen_in_force};

/// The most strategies that are tried.
const MOST_STRATEGIES: usize = 3000;

/// What a member does in one situation: one transition, or whatever carries one label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    Transition(CommandId),
    Label(LabelId),
}

/// A member in a situation that it can tell from others: a state, or what it sees of it.
type Situation = (usize, Vec<String>);

struct Game<'a> {
    model: &'a Model,
    walks: &'a Walks<'a>,
    group: &'a [usize],
    strategies: Strategies,
}

impl Game<'_> {
    fn maker(&self, command: CommandId) -> Option<usize> {
        self.model.command(command).by.map(AgentId::index)
    }

    fn own_steps(&self, member: usize, state: usize) -> Vec<(CommandId, usize)> {
        let steps = self.walks.steps(state).iter();
        steps.filter(|(command, _)| self.maker(*command) == Some(member)).copied().collect()
    }

    /// What a member bases its choice on.
    fn situation(&self, member: usize, state: usize) -> Situation {
        let view = self.walks.state(state);
        let in_force = match self.strategies {
            Strategies::PerfectInformation => view.in_force.iter().collect(),
            Strategies::Uniform | Strategies::Subjective => seen_in_force(self.model, member, &view.in_force),
        };
        let mut seen: Vec<String> = in_force.iter().map(|promise| promise.text.clone()).collect();
        seen.extend(view.locations.iter().map(|(machine, place)| format!("{machine} {place}")));
        for (name, value) in &view.variables {
            let visible = observes(self.model, member, name);
            if visible || self.strategies == Strategies::PerfectInformation {
                seen.push(format!("{name} = {value}"));
            }
        }
        (member, seen)
    }

    fn fits(&self, choice: Choice, command: CommandId) -> bool {
        match choice {
            Choice::Transition(chosen) => chosen == command,
            Choice::Label(label) => self.model.command(command).label == label,
        }
    }

    /// What can be chosen in each situation: what is possible in all its states in which anything is.
    fn menu(&self) -> BTreeMap<Situation, Vec<Choice>> {
        let mut menu: BTreeMap<Situation, Vec<Choice>> = BTreeMap::new();
        for state in 0..self.walks.len() {
            for member in self.group {
                let steps = self.own_steps(*member, state);
                if steps.is_empty() {
                    continue;
                }
                let possible: Vec<Choice> = steps
                    .iter()
                    .flat_map(|(c, _)| [Choice::Transition(*c), Choice::Label(self.model.command(*c).label)])
                    .collect();
                let known = menu.entry(self.situation(*member, state)).or_insert_with(|| possible.clone());
                known.retain(|choice| possible.contains(choice));
                known.sort_unstable();
                known.dedup();
            }
        }
        menu
    }

    /// The states that may follow when the group keeps to a strategy; `None` where the strategy has no choice for a
    /// member that must make one.
    fn outcomes(&self, strategy: &BTreeMap<Situation, Choice>, state: usize) -> Option<Vec<usize>> {
        if self.walks.steps(state).is_empty() {
            return Some(vec![state]);
        }
        let mut next = Vec::new();
        for (command, target) in self.walks.steps(state) {
            match self.maker(*command).filter(|maker| self.group.contains(maker)) {
                None => next.push(*target),
                Some(member) => {
                    let choice = strategy.get(&self.situation(member, state))?;
                    if self.fits(*choice, *command) {
                        next.push(*target);
                    }
                }
            }
        }
        Some(next)
    }

    /// Where some strategy brings about what `wins` says of the outcomes of a strategy.
    fn able(&self, wins: impl Fn(&[Option<Vec<usize>>]) -> Vec<bool>) -> Option<Vec<bool>> {
        let menu: Vec<(Situation, Vec<Choice>)> =
            self.menu().into_iter().filter(|(_, choices)| !choices.is_empty()).collect();
        let count = menu.iter().try_fold(1_usize, |n, (_, choices)| n.checked_mul(choices.len()))?;
        if count > MOST_STRATEGIES {
            return None;
        }
        let mut able = vec![false; self.walks.len()];
        let taken_for: Vec<Vec<usize>> = match self.strategies {
            Strategies::Subjective => (0..able.len()).map(|state| self.taken_for(state)).collect(),
            _ => (0..able.len()).map(|state| vec![state]).collect(),
        };
        for number in 0..count {
            let mut rest = number;
            let mut strategy = BTreeMap::new();
            for (situation, choices) in &menu {
                strategy.insert(situation.clone(), choices[rest % choices.len()]);
                rest /= choices.len();
            }
            let outcomes: Vec<Option<Vec<usize>>> =
                (0..self.walks.len()).map(|state| self.outcomes(&strategy, state)).collect();
            let wins = wins(&outcomes);
            for (state, able) in able.iter_mut().enumerate() {
                *able |= taken_for[state].iter().all(|other| wins[*other]);
            }
        }
        Some(able)
    }

    /// The states that some member takes for possible in a state, and the state itself.
    fn taken_for(&self, state: usize) -> Vec<usize> {
        let alike = |other: &usize| {
            let looks = |member: &usize| self.situation(*member, state) == self.situation(*member, *other);
            *other == state || self.group.iter().any(looks)
        };
        (0..self.walks.len()).filter(alike).collect()
    }
}

/// All outcomes lie in the set; a strategy without a choice brings about nothing.
fn all_in(outcomes: &Option<Vec<usize>>, set: &[bool]) -> bool {
    outcomes.as_ref().is_some_and(|next| next.iter().all(|state| set[*state]))
}

/// On every path of outcomes `a` holds until `b` does: a state counts once all its outcomes count.
fn until(outcomes: &[Option<Vec<usize>>], a: &[bool], b: &[bool]) -> Vec<bool> {
    let mut set = b.to_vec();
    loop {
        let mut changed = false;
        for state in 0..set.len() {
            if !set[state] && a[state] && all_in(&outcomes[state], &set) {
                set[state] = true;
                changed = true;
            }
        }
        if !changed {
            return set;
        }
    }
}

/// Every state that outcomes lead to is in the set.
fn always(outcomes: &[Option<Vec<usize>>], a: &[bool]) -> Vec<bool> {
    let from = |start: usize| {
        let (mut seen, mut todo) = (vec![false; a.len()], vec![start]);
        while let Some(state) = todo.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            match &outcomes[state] {
                Some(next) if a[state] => todo.extend(next),
                _ => return false,
            }
        }
        true
    };
    (0..a.len()).map(from).collect()
}

fn compare(strategies: Strategies, cases: u32) {
    let outlines = protocols(CONTENTS).prop_map(Outline::without_fairness);
    let group = prop_oneof![Just(vec![0]), Just(vec![1]), Just(vec![0, 1])];
    Trials::from_environment(cases).run(
        &(outlines, conditions(), conditions(), group),
        |(outline, a, b, group)| {
            let text = outline.text();
            let protocol = load(&text);
            let model = &protocol.model;
            let Some(walks) = Walks::new(model, MOST_STATES) else { return Ok(Tried::Skipped) };
            let (p, a) = condition(outline, &protocol, &walks, a);
            let (q, b) = condition(outline, &protocol, &walks, b);
            let game = Game { model, walks: &walks, group, strategies };
            let everything = vec![true; walks.len()];
            let members: Vec<&str> = group.iter().map(|member| model.agents[*member].name.as_str()).collect();
            let g = format!("<{{{}}}>", members.join(", "));
            let found = [
                (format!("{g}X {p}"), game.able(|next| next.iter().map(|next| all_in(next, &a)).collect())),
                (format!("{g}F {p}"), game.able(|next| until(next, &everything, &a))),
                (format!("{g}G {p}"), game.able(|next| always(next, &a))),
                (format!("{g}({p} U {q})"), game.able(|next| until(next, &a, &b))),
            ];
            let mut expected = Vec::new();
            for (formula, able) in found {
                let Some(able) = able else { return Ok(Tried::Skipped) };
                expected.push((formula, able));
            }
            let options = Options { strategies, ..Options::default() };
            let limits = Limits { nodes: 10_000, ..Limits::default() };
            agrees(&protocol, &walks, options, limits, &expected)
                .map_err(|reason| format!("{reason}\n{text}"))
        },
    );
}

#[test]
fn perfect_information_is_a_choice_in_every_state() {
    compare(Strategies::PerfectInformation, 600);
}

#[test]
fn uniform_strategies_are_a_choice_in_every_local_state() {
    compare(Strategies::Uniform, 600);
}

#[test]
fn subjective_strategies_work_wherever_a_member_may_be() {
    compare(Strategies::Subjective, 200);
}
