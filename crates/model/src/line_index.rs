//! Which lines of a block can be enabled under a joint action: most lines ask for one action of one agent, and an agent may have very
//! many actions.

use rustc_hash::FxHashMap;

use crate::{Comparison, Expr, Line};

/// The lines of a block by the action of the agent that most of them ask for.
pub(crate) struct LineIndex {
    /// Whose action it is.
    agent: usize,
    /// By action: the lines that ask for it, in their order.
    asking: FxHashMap<usize, Vec<u32>>,
    /// The lines that ask for no action of that agent.
    others: Vec<u32>,
}

impl LineIndex {
    pub(crate) fn new(lines: &[Line]) -> Self {
        let asked: Vec<Vec<(usize, Vec<usize>)>> =
            lines.iter().map(|line| actions_asked(&line.guard)).collect();
        let mut asking_by_agent: Vec<usize> = Vec::new();
        for (agent, _) in asked.iter().flatten() {
            asking_by_agent.resize(asking_by_agent.len().max(agent + 1), 0);
            asking_by_agent[*agent] += 1;
        }
        let most = (0..asking_by_agent.len()).rev().max_by_key(|agent| asking_by_agent[*agent]);
        let mut index =
            LineIndex { agent: most.unwrap_or(0), asking: FxHashMap::default(), others: Vec::new() };
        for (number, asked) in (0_u32..).zip(&asked) {
            let Some((_, actions)) = asked.iter().find(|(agent, _)| *agent == index.agent) else {
                index.others.push(number);
                continue;
            };
            for action in actions {
                index.asking.entry(*action).or_default().push(number);
            }
        }
        index
    }

    /// The lines that can be enabled under a joint action, in their order.
    pub(crate) fn lines(&self, joint: &[usize]) -> impl Iterator<Item = usize> {
        let asking = joint.get(self.agent).and_then(|action| self.asking.get(action));
        let mut asking = asking.map_or(&[][..], Vec::as_slice);
        let mut others = self.others.as_slice();
        std::iter::from_fn(move || {
            let first = match (asking.first(), others.first()) {
                (Some(a), Some(b)) if a < b => &mut asking,
                (Some(_), None) => &mut asking,
                _ => &mut others,
            };
            let (line, rest) = first.split_first()?;
            *first = rest;
            Some(*line as usize)
        })
    }
}

/// The agents of whom a guard asks for one of some actions, each with these actions, in increasing order.
fn actions_asked(guard: &Expr) -> Vec<(usize, Vec<usize>)> {
    let mut asked: Vec<(usize, Vec<usize>)> = Vec::new();
    for part in guard.conjuncts() {
        if let Some((agent, mut actions)) = one_of_actions(part)
            && asked.iter().all(|(other, _)| *other != agent)
        {
            actions.sort_unstable();
            actions.dedup();
            asked.push((agent, actions));
        }
    }
    asked
}

/// `Action = a or Action = b or ...` of one agent.
fn one_of_actions(part: &Expr) -> Option<(usize, Vec<usize>)> {
    match part {
        Expr::Compare(Comparison::Equal, left, right) => match (&**left, &**right) {
            (Expr::Action(agent), Expr::Constant(action)) | (Expr::Constant(action), Expr::Action(agent)) => {
                // No action has a negative number: such a line is never enabled.
                Some((agent.index(), usize::try_from(*action).into_iter().collect()))
            }
            _ => None,
        },
        Expr::Or(parts) => {
            let mut parts = parts.iter().map(one_of_actions);
            let (agent, mut actions) = parts.next()??;
            for part in parts {
                let (other, more) = part?;
                if other != agent {
                    return None;
                }
                actions.extend(more);
            }
            Some((agent, actions))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AgentId;

    fn does(agent: usize, action: i64) -> Expr {
        let action = Box::new(Expr::Constant(action));
        Expr::Compare(Comparison::Equal, Box::new(Expr::Action(AgentId::from_index(agent))), action)
    }

    fn line(guard: Expr) -> Line {
        Line {
            guard,
            defined: Expr::Constant(1),
            updates: Vec::new(),
            span: servanda_syntax::Span::default(),
        }
    }

    #[test]
    fn lines_come_in_their_order_and_only_those_that_can_be_enabled() {
        let lines = [
            line(does(0, 2)),
            line(Expr::Constant(1)),
            line(Expr::And(vec![does(1, 1), Expr::Or(vec![does(0, 1), does(0, 2)])])),
            line(Expr::Or(vec![does(0, 1), does(1, 1)])),
            line(does(1, 0)),
            line(Expr::And(vec![does(0, 1), does(0, 2)])),
            line(does(0, -1)),
        ];
        let index = LineIndex::new(&lines);
        assert_eq!(index.agent, 0, "four lines ask for an action of this agent, two of the other");
        let lines = |joint: &[usize]| index.lines(joint).collect::<Vec<_>>();
        assert_eq!(lines(&[0, 0]), [1, 3, 4]);
        // The last but one is never enabled, which its guard says: one of its conditions is enough here.
        assert_eq!(lines(&[1, 0]), [1, 2, 3, 4, 5]);
        assert_eq!(lines(&[2, 1]), [0, 1, 2, 3, 4]);
        assert_eq!(lines(&[9, 1]), [1, 3, 4], "nobody asks for it");
    }
}
