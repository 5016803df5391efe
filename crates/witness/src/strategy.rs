//! What a coalition does to reach its goal, state by state.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lower::{Goal, StateFormula};
use servanda_model::{AgentId, StepKind};

use crate::explain::Explainer;
use crate::scout::{Departure, Scout};
use crate::{Because, Choice, Move, Strategy};

/// Strategies that refer to more states are not shown.
const MOST_CHOICES: usize = 1000;

/// States that are looked at to find one.
const MOST_STATES: usize = 1 << 18;

/// The steps of a coalition's states, and who makes them.
type Steps<P> = FxHashMap<P, Vec<Departure<P>>>;

/// How far each state is from the goal at most, if the coalition plays well.
type Distances<P> = FxHashMap<P, usize>;

/// The states that matter, with their steps and distances.
type Field<P> = (Steps<P>, Distances<P>);

/// What each member does, and where that may lead.
type Chosen<P> = (Vec<Option<Move>>, Vec<P>);

impl<S: Scout> Explainer<'_, '_, S> {
    /// A strategy where there is one.
    pub(crate) fn strategy(
        &mut self,
        id: StateFormula,
        group: &[AgentId],
        goal: &Goal,
        point: S::Point,
    ) -> Result<Because, Halt> {
        if self.options.strategies.are_uniform() {
            return Ok(Because::NotShown("uniform strategies are not shown".to_owned()));
        }
        if goal.parts().any(|part| self.scout.looks_back(part)) {
            return Ok(Because::NotShown("the goal looks back within itself".to_owned()));
        }
        let (steps, distances) = match *goal {
            Goal::Next(a) => self.one_step(a, point)?,
            Goal::Globally(_) => self.winning(id, None, point)?,
            Goal::Until(_, b) => {
                let (steps, _) = self.winning(id, Some(b), point)?;
                let distances = self.distances(group, &steps, b, point)?;
                (steps, distances)
            }
        };
        let text = self.wording.state(self.scout.arena(), id);
        let mut strategy = Strategy { group: group.to_vec(), goal: text, choices: vec![], ends: vec![] };
        self.play(&mut strategy, goal, &steps, &distances, point)?;
        Ok(Because::Strategy(Box::new(strategy)))
    }

    /// For `X`: every state in which the goal holds is at distance 0.
    fn one_step(&mut self, a: StateFormula, point: S::Point) -> Result<Field<S::Point>, Halt> {
        let leaving = self.scout.moves(point)?;
        let mut distances = Distances::default();
        for step in &leaving {
            if self.scout.holds(a, step.target)? {
                distances.insert(step.target, 0);
            }
        }
        Ok((Steps::from_iter([(point, leaving)]), distances))
    }

    /// The winning states that can be reached through winning states, up to where the goal holds; all at distance 0.
    fn winning(
        &mut self,
        id: StateFormula,
        goal: Option<StateFormula>,
        point: S::Point,
    ) -> Result<Field<S::Point>, Halt> {
        let (mut steps, mut wins) = (Steps::default(), Distances::from_iter([(point, 0)]));
        let mut queue = VecDeque::from([point]);
        while let Some(here) = queue.pop_front() {
            self.scout.go_on()?;
            if let Some(goal) = goal
                && self.scout.holds(goal, here)?
            {
                continue;
            }
            let leaving = self.scout.moves(here)?;
            for step in &leaving {
                if !wins.contains_key(&step.target) && self.scout.holds(id, step.target)? {
                    wins.insert(step.target, 0);
                    queue.push_back(step.target);
                }
            }
            steps.insert(here, leaving);
            if steps.len() > MOST_STATES {
                return Err(Halt::TooLarge("the strategy refers to too many states".to_owned()));
            }
        }
        Ok((steps, wins))
    }

    /// How far the goal is at most, counted backwards from where it holds.
    fn distances(
        &mut self,
        group: &[AgentId],
        steps: &Steps<S::Point>,
        goal: StateFormula,
        here: S::Point,
    ) -> Result<Distances<S::Point>, Halt> {
        let mut distances = Distances::default();
        let mut points: Vec<S::Point> = steps.keys().copied().chain([here]).collect();
        points.extend(steps.values().flatten().map(|leaving| leaving.target));
        points.sort_unstable();
        points.dedup();
        for point in points {
            self.scout.go_on()?;
            if self.scout.holds(goal, point)? {
                distances.insert(point, 0);
            }
        }
        for distance in 1.. {
            self.scout.go_on()?;
            let near = |point: S::Point| distances.contains_key(&point);
            let open = steps.iter().filter(|(point, _)| !near(**point));
            let more: Vec<S::Point> = open
                .filter(|(_, leaving)| self.choose(group, leaving, &distances).is_some())
                .map(|(point, _)| *point)
                .collect();
            if more.is_empty() {
                break;
            }
            distances.extend(more.into_iter().map(|point| (point, distance)));
        }
        Ok(distances)
    }

    /// The choice after which all that can happen leads to a state with a distance, the least of the largest ones; with what
    /// can happen.
    fn choose(
        &self,
        group: &[AgentId],
        leaving: &[Departure<S::Point>],
        distances: &Distances<S::Point>,
    ) -> Option<Chosen<S::Point>> {
        if self.model.behaviour.is_rounds() {
            return self.choose_actions(group, leaving, distances);
        }
        let member = |step: &&Departure<S::Point>| step.by.is_some_and(|agent| group.contains(&agent));
        let mut outcomes: Vec<S::Point> =
            leaving.iter().filter(|step| !member(step)).map(|step| step.target).collect();
        let mut moves = Vec::new();
        for agent in group {
            let own = leaving.iter().filter(|step| step.by == Some(*agent));
            let any = own.clone().next().is_some();
            let best = own
                .filter(|step| distances.contains_key(&step.target))
                .min_by_key(|step| distances[&step.target]);
            match best {
                None if any => return None,
                None => moves.push(None),
                Some(step) => {
                    outcomes.push(step.target);
                    moves.push(Some(self.transition(step)));
                }
            }
        }
        outcomes.iter().all(|point| distances.contains_key(point)).then_some((moves, outcomes))
    }

    fn transition(&self, step: &Departure<S::Point>) -> Move {
        let label = match step.kind {
            StepKind::Labelled(label) => label,
            StepKind::Joint(_) | StepKind::Stutter => servanda_model::LabelId(u32::MAX),
        };
        let target = self.scout.state(step.target).to_vec();
        Move::Transition { label, text: self.model.show_label(label), target }
    }

    fn choose_actions(
        &self,
        group: &[AgentId],
        leaving: &[Departure<S::Point>],
        distances: &Distances<S::Point>,
    ) -> Option<Chosen<S::Point>> {
        let mut by_part: FxHashMap<Vec<usize>, Vec<S::Point>> = FxHashMap::default();
        for step in leaving {
            match &step.kind {
                StepKind::Joint(joint) => {
                    let part = group.iter().map(|agent| joint[agent.index()]).collect();
                    by_part.entry(part).or_default().push(step.target);
                }
                // In a deadlock nobody does anything.
                _ => {
                    let waits = distances.contains_key(&step.target);
                    return waits.then(|| (vec![None; group.len()], vec![step.target]));
                }
            }
        }
        let good = by_part.into_iter().filter(|(_, points)| points.iter().all(|p| distances.contains_key(p)));
        let farthest = |points: &[S::Point]| points.iter().map(|point| distances[point]).max();
        let (part, points) = good.min_by_key(|(part, points)| (farthest(points), part.clone()))?;
        let programs = self.model.behaviour.programs();
        let name = |agent: &AgentId, action: usize| programs[agent.index()].actions[action].clone();
        let moves = group.iter().zip(&part);
        let moves =
            moves.map(|(agent, action)| Some(Move::Action { action: *action, text: name(agent, *action) }));
        Some((moves.collect(), points))
    }

    /// Follows the choices from a point to all that can come about.
    fn play(
        &mut self,
        strategy: &mut Strategy,
        goal: &Goal,
        steps: &Steps<S::Point>,
        distances: &Distances<S::Point>,
        point: S::Point,
    ) -> Result<(), Halt> {
        let group = strategy.group.clone();
        let mut seen: Vec<Vec<u64>> = vec![self.scout.state(point).to_vec()];
        let mut queue = VecDeque::from([(point, true)]);
        while let Some((here, first)) = queue.pop_front() {
            let over = match goal {
                Goal::Next(_) => !first,
                Goal::Until(..) => distances.get(&here) == Some(&0),
                Goal::Globally(_) => false,
            };
            if over {
                strategy.ends.push(self.state(here));
                continue;
            }
            let nearer: Distances<S::Point> = match goal {
                Goal::Until(..) => {
                    let own = distances.get(&here).copied().unwrap_or(usize::MAX);
                    distances.iter().filter(|(_, d)| **d < own).map(|(p, d)| (*p, *d)).collect()
                }
                _ => distances.clone(),
            };
            let Some((moves, outcomes)) = steps.get(&here).and_then(|l| self.choose(&group, l, &nearer))
            else {
                return Err(Halt::TooLarge(
                    "no strategy was found where the engine says there is one".to_owned(),
                ));
            };
            let distance = distances.get(&here).copied().unwrap_or(0);
            strategy.choices.push(Choice { state: self.state(here), moves, distance });
            if strategy.choices.len() > MOST_CHOICES {
                return Err(Halt::TooLarge("the strategy refers to too many states".to_owned()));
            }
            for outcome in outcomes {
                let packed = self.scout.state(outcome).to_vec();
                // For `X` the state itself may be where the step leads: it is an end then.
                if matches!(goal, Goal::Next(_)) || !seen.contains(&packed) {
                    seen.push(packed);
                    queue.push_back((outcome, false));
                }
            }
        }
        Ok(())
    }
}
