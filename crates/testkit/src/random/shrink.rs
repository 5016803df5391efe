//! Shrinking formulas by their structure.
//!
//! A formula that shows a mistake is replaced by a part of it, or by itself with a part replaced, as long as the
//! mistake still shows.

use proptest::strategy::{BoxedStrategy, NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use servanda_logic::Unary;

use super::outline::{Condition, Pick, Test};
use super::sketch::{GoalSketch, Sketch};

/// What may stand at a place of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    State,
    Path,
}

/// A strategy for formulas whose values shrink by their structure.
#[derive(Clone, Debug)]
pub(super) struct Shrinking {
    pub(super) formulas: BoxedStrategy<Sketch>,
    pub(super) sort: Sort,
}

impl Strategy for Shrinking {
    type Tree = Shrunk;
    type Value = Sketch;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let known = self.formulas.new_tree(runner)?.current();
        Ok(Shrunk { known, tried: None, untried: None, sort: self.sort })
    }
}

/// A formula that is known to show the mistake, and what is tried in its place.
pub(super) struct Shrunk {
    known: Sketch,
    tried: Option<Sketch>,
    /// What is left to try, the last first; `None`: not yet computed.
    untried: Option<Vec<Sketch>>,
    sort: Sort,
}

impl ValueTree for Shrunk {
    type Value = Sketch;

    fn current(&self) -> Sketch {
        self.tried.as_ref().unwrap_or(&self.known).clone()
    }

    /// The present formula shows the mistake: go on from it.
    fn simplify(&mut self) -> bool {
        if let Some(tried) = self.tried.take() {
            self.known = tried;
            self.untried = None;
        }
        let (known, sort) = (&self.known, self.sort);
        let untried = self.untried.get_or_insert_with(|| {
            let mut smaller = reductions(known, sort);
            smaller.reverse();
            smaller
        });
        self.tried = untried.pop();
        self.tried.is_some()
    }

    /// The present formula does not show it: try another. With nothing left, the known one is the present one
    /// again, so that the other parts of the case can go on shrinking.
    fn complicate(&mut self) -> bool {
        self.tried.take().is_some_and(|_| {
            self.tried = self.untried.as_mut().and_then(Vec::pop);
            true
        })
    }
}

/// The simplest condition.
fn plain() -> Sketch {
    Sketch::Condition(Condition::Variable(Pick(0), Test::Equal, Pick(0)))
}

fn is_state(sketch: &Sketch) -> bool {
    match sketch {
        Sketch::Does(_) | Sketch::Act(_) => false,
        Sketch::Unary(op, operand) => match op {
            Unary::Not => is_state(operand),
            Unary::Next | Unary::Finally | Unary::Globally => false,
            Unary::Previous | Unary::Once | Unary::Historically => false,
            _ => true,
        },
        Sketch::Binary(op, left, right) => {
            use servanda_logic::Binary::{And, Iff, Implies, Or};
            matches!(op, And | Or | Implies | Iff) && is_state(left) && is_state(right)
        }
        _ => true,
    }
}

/// Smaller formulas of the same sort, the smallest first.
fn reductions(sketch: &Sketch, sort: Sort) -> Vec<Sketch> {
    let mut smaller = Vec::new();
    if *sketch != plain() {
        smaller.push(plain());
    }
    let fits = |part: &Sketch| sort == Sort::Path || is_state(part);
    let boxed = |sketch| Box::new(sketch);
    let mut parts: Vec<Sketch> = Vec::new();
    match sketch {
        Sketch::Condition(condition) => {
            smaller.extend(smaller_conditions(condition).into_iter().map(Sketch::Condition));
        }
        Sketch::Does(_) | Sketch::Act(_) | Sketch::Promise(_) => {}
        Sketch::Unary(op, operand) => {
            parts.push((**operand).clone());
            let below = match op {
                Unary::ForAll | Unary::Exists => Sort::Path,
                Unary::AllPrevious | Unary::SomePrevious | Unary::AllPast | Unary::SomePast => Sort::State,
                Unary::Not => sort,
                _ => Sort::Path,
            };
            parts.extend(reductions(operand, below).into_iter().map(|operand| operand.unary(*op)));
        }
        Sketch::Binary(op, left, right) => {
            parts.extend([(**left).clone(), (**right).clone()]);
            let lefts = reductions(left, sort).into_iter();
            parts.extend(lefts.map(|left| left.binary(*op, (**right).clone())));
            let rights = reductions(right, sort).into_iter();
            parts.extend(rights.map(|right| (**left).clone().binary(*op, right)));
        }
        Sketch::Committed { debtor, creditor, tag, content } => {
            parts.push((**content).clone());
            let (debtor, creditor, tag) = (*debtor, *creditor, *tag);
            let contents = reductions(content, Sort::Path).into_iter();
            parts.extend(contents.map(|content| {
                let content = boxed(content);
                Sketch::Committed { debtor, creditor, tag, content }
            }));
        }
        Sketch::Knows { op, agent, group, body } => {
            parts.push((**body).clone());
            let bodies = reductions(body, Sort::State).into_iter();
            parts.extend(bodies.map(|body| {
                let body = boxed(body);
                Sketch::Knows { op: *op, agent: *agent, group: group.clone(), body }
            }));
        }
        Sketch::Able { group, goal } => {
            let able = |goal| Sketch::Able { group: group.clone(), goal };
            let smaller = |goal: &Sketch| reductions(goal, Sort::State).into_iter().map(boxed);
            match goal {
                GoalSketch::Next(a) => parts.extend(smaller(a).map(|a| able(GoalSketch::Next(a)))),
                GoalSketch::Finally(a) => parts.extend(smaller(a).map(|a| able(GoalSketch::Finally(a)))),
                GoalSketch::Globally(a) => parts.extend(smaller(a).map(|a| able(GoalSketch::Globally(a)))),
                GoalSketch::Until(a, b) => {
                    parts.push(able(GoalSketch::Finally(b.clone())));
                    parts.extend(smaller(a).map(|a| able(GoalSketch::Until(a, b.clone()))));
                    parts.extend(smaller(b).map(|b| able(GoalSketch::Until(a.clone(), b))));
                }
            }
        }
    }
    smaller.extend(parts.into_iter().filter(fits));
    smaller
}

fn smaller_conditions(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::Not(inner) => vec![(**inner).clone()],
        Condition::Joined(_, left, right) => vec![(**left).clone(), (**right).clone()],
        Condition::Variable(variable, test, value) => {
            let mut smaller = Vec::new();
            if variable.0 > 0 {
                smaller.push(Condition::Variable(Pick(variable.0 - 1), *test, *value));
            }
            if value.0 > 0 {
                smaller.push(Condition::Variable(*variable, *test, Pick(value.0 - 1)));
            }
            smaller
        }
        _ => Vec::new(),
    }
}
