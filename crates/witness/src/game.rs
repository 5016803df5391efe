//! Strategies, checked by the rules of docs/formulas.md section 7.

use servanda_lower::{Goal, StateFormula};
use servanda_model::{AgentId, StepKind};

use crate::path_truth::Value;
use crate::recheck::Recheck;
use crate::replay::{Finding, demand};
use crate::{Choice, Move, Strategy};

impl Recheck<'_, '_> {
    /// Does the strategy reach the goal from this state?
    pub(crate) fn strategy(
        &mut self,
        strategy: &Strategy,
        group: &[AgentId],
        goal: &Goal,
        here: &[u64],
    ) -> Finding {
        demand(strategy.group == group, || "a strategy is for another coalition".to_owned())?;
        let begins = match strategy.choices.first() {
            Some(choice) => choice.state.packed == here,
            None => strategy.ends.first().is_some_and(|end| end.packed == here),
        };
        demand(begins, || "a strategy does not begin here".to_owned())?;
        let (while_playing, at_end) = match *goal {
            Goal::Next(a) => (None, Some(a)),
            Goal::Globally(a) => (Some(a), None),
            Goal::Until(a, b) => (Some(a), Some(b)),
        };
        let at_most_one = !matches!(goal, Goal::Next(_)) || strategy.choices.len() == 1;
        let endless = at_end.is_some() || strategy.ends.is_empty();
        demand(at_most_one && endless, || "a strategy does not fit its goal".to_owned())?;
        for end in &strategy.ends {
            self.goal_holds(at_end, &end.packed)?;
        }
        for choice in &strategy.choices {
            self.goal_holds(while_playing, &choice.state.packed)?;
            for outcome in self.outcomes(group, choice)? {
                let ends = strategy.ends.iter().any(|end| end.packed == outcome);
                let next = strategy.choices.iter().find(|other| other.state.packed == outcome);
                let goes_on = match (goal, next) {
                    (Goal::Next(_), _) | (_, None) => false,
                    (Goal::Globally(_), Some(_)) => true,
                    (Goal::Until(..), Some(next)) => next.distance < choice.distance,
                };
                demand(ends || goes_on, || {
                    "a strategy does not say what to do in a state that it may lead to".to_owned()
                })?;
            }
        }
        Ok(())
    }

    /// Does a part of the goal hold in a state?
    fn goal_holds(&mut self, part: Option<StateFormula>, state: &[u64]) -> Finding {
        let Some(part) = part else { return Ok(()) };
        let by_reference = |id: StateFormula| -> Value { self.walker?.holds_in(id, state) };
        match self.boolean(part, state, &by_reference) {
            Some(true) => {}
            None => self.assumed = true,
            Some(false) => return Err("a strategy leads to where its goal fails".to_owned()),
        }
        Ok(())
    }

    /// The states that may come about when the coalition chooses so.
    fn outcomes(&mut self, group: &[AgentId], choice: &Choice) -> Result<Vec<Vec<u64>>, String> {
        let moves = self.replay.moves(&choice.state.packed)?;
        demand(choice.moves.len() == group.len(), || "a choice is not for all of the coalition".to_owned())?;
        let mut outcomes = Vec::new();
        if self.replay.model.behaviour.is_rounds() {
            let fits = |made: &StepKind| {
                match made {
                StepKind::Joint(joint) => group.iter().zip(&choice.moves).all(|(agent, chosen)| {
                    matches!(chosen, Some(Move::Action { action, .. }) if joint.get(agent.index()) == Some(action))
                }),
                _ => true,
            }
            };
            outcomes.extend(moves.into_iter().filter(|(_, kind, _)| fits(kind)).map(|(_, _, next)| next));
            demand(!outcomes.is_empty(), || "a coalition does what it must not".to_owned())?;
            return Ok(outcomes);
        }
        for (agent, chosen) in group.iter().zip(&choice.moves) {
            let mut own = moves.iter().filter(|(by, _, _)| *by == Some(*agent));
            match chosen {
                None => demand(own.next().is_none(), || "a member of a coalition does nothing".to_owned())?,
                Some(Move::Transition { label, target, .. }) => {
                    let kind = StepKind::Labelled(*label);
                    demand(own.any(|(_, other, next)| *other == kind && next == target), || {
                        "a member of a coalition does what it cannot".to_owned()
                    })?;
                    outcomes.push(target.clone());
                }
                Some(Move::Action { .. }) => return Err("a move is of the wrong kind".to_owned()),
            }
        }
        let others = moves.into_iter().filter(|(by, _, _)| by.is_none_or(|agent| !group.contains(&agent)));
        outcomes.extend(others.map(|(_, _, next)| next));
        Ok(outcomes)
    }
}
