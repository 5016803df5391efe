//! Shrinking formulas by their structure.
//!
//! A formula that shows a mistake is replaced by a part of it, or by itself with a part replaced, as long as the
//! mistake still shows.

use proptest::strategy::{BoxedStrategy, NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use servanda_logic::{Binary, Unary};

use super::formulas::BOOLEAN;
use super::outline::{Condition, Pick};
use super::sketch::Sketch;

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
    type Tree = Shrunk<Sketch>;
    type Value = Sketch;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let known = self.formulas.new_tree(runner)?.current();
        let sort = self.sort;
        Ok(Shrunk::new(known, move |known| reductions(known, sort)))
    }
}

/// Gives what may stand in the place of something that shows a mistake, the smallest first.
type Smaller<T> = Box<dyn Fn(&T) -> Vec<T>>;

/// Something that is known to show a mistake, and what is tried in its place.
pub(super) struct Shrunk<T> {
    known: T,
    tried: Option<T>,
    /// What is left to try, the last first; `None`: not yet computed.
    untried: Option<Vec<T>>,
    smaller: Smaller<T>,
    /// What cannot be tried is passed over.
    can_be_tried: fn(&T) -> bool,
}

impl<T> Shrunk<T> {
    pub(super) fn new(known: T, smaller: impl Fn(&T) -> Vec<T> + 'static) -> Self {
        Shrunk { known, tried: None, untried: None, smaller: Box::new(smaller), can_be_tried: |_| true }
    }

    /// The same where not everything can be tried.
    pub(super) fn only(self, can_be_tried: fn(&T) -> bool) -> Self {
        Shrunk { can_be_tried, ..self }
    }

    fn next(&mut self) {
        let untried = self.untried.get_or_insert_with(|| {
            let mut smaller = (self.smaller)(&self.known);
            smaller.reverse();
            smaller
        });
        self.tried = std::iter::from_fn(|| untried.pop()).find(self.can_be_tried);
    }
}

impl<T: Clone + std::fmt::Debug> ValueTree for Shrunk<T> {
    type Value = T;

    fn current(&self) -> T {
        self.tried.as_ref().unwrap_or(&self.known).clone()
    }

    /// The present one shows the mistake: go on from it.
    fn simplify(&mut self) -> bool {
        if let Some(tried) = self.tried.take() {
            self.known = tried;
            self.untried = None;
        }
        self.next();
        self.tried.is_some()
    }

    /// The present one does not show it: try another. With nothing left, the known one is the present one again, so that the other
    /// parts of the case can go on shrinking.
    fn complicate(&mut self) -> bool {
        self.tried.take().is_some_and(|_| {
            self.next();
            true
        })
    }
}

/// The simplest condition.
fn plain() -> Sketch {
    Sketch::Condition(Condition::Variable(Pick(0), Binary::Equal, Pick(0)))
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
        Sketch::Binary(op, left, right) => BOOLEAN.contains(op) && is_state(left) && is_state(right),
        _ => true,
    }
}

/// What may stand below a formula that stands at a place of this sort.
fn sort_below(sketch: &Sketch, sort: Sort) -> Sort {
    match sketch {
        Sketch::Unary(Unary::Not, _) | Sketch::Binary(..) => sort,
        Sketch::Unary(Unary::AllPrevious | Unary::SomePrevious | Unary::AllPast | Unary::SomePast, _)
        | Sketch::Knows { .. }
        | Sketch::Able { .. } => Sort::State,
        _ => Sort::Path,
    }
}

/// Smaller formulas of the same sort, the smallest first.
fn reductions(sketch: &Sketch, sort: Sort) -> Vec<Sketch> {
    let mut smaller = Vec::new();
    if *sketch != plain() {
        smaller.push(plain());
    }
    if let Sketch::Condition(condition) = sketch {
        smaller.extend(smaller_conditions(condition).into_iter().map(Sketch::Condition));
    }
    let mut parts: Vec<Sketch> = sketch.children().into_iter().cloned().collect();
    if let Sketch::Able { group, goal } = sketch
        && let Sketch::Binary(Binary::Until, _, b) = &**goal
    {
        parts
            .push(Sketch::Able { group: group.clone(), goal: Box::new((**b).clone().unary(Unary::Finally)) });
    }
    for (number, child) in sketch.children().into_iter().enumerate() {
        let children = reductions(child, sort_below(sketch, sort)).into_iter();
        parts.extend(children.map(|child| sketch.with_child(number, child)));
    }
    smaller.extend(parts.into_iter().filter(|part| sort == Sort::Path || is_state(part)));
    smaller
}

fn smaller_conditions(condition: &Condition) -> Vec<Condition> {
    let Condition::Variable(variable, test, value) = condition else { return Vec::new() };
    let less = |pick: &Pick| pick.0.checked_sub(1).map(Pick);
    let first = less(variable).map(|variable| Condition::Variable(variable, *test, *value));
    let second = less(value).map(|value| Condition::Variable(*variable, *test, value));
    first.into_iter().chain(second).collect()
}
