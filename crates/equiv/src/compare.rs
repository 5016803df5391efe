//! Are two systems related, and if not, why?

use servanda_engine::{Budget, Halt};
use servanda_lts::{Lts, State, Union};

use crate::difference::{Difference, Explanation, Run, Side};
use crate::distinguish::Distinguisher;
use crate::evaluate::{can_do, holds};
use crate::formula::{Builder, Node};
use crate::inclusion::{self, Demand, Subject};
use crate::internal::collapse;
use crate::quotient;
use crate::refine::{Inert, refine};
use crate::relation::{Comparison, Order, Preorder, Relation, Steps};
use crate::saturate::{saturated, sorted};
use crate::simulation::{Game, Ready, Simulation};
use crate::trace;
use crate::watch::Watch;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Failure {
    /// A limit was reached.
    Halt(Halt),
    /// A mistake of this program: the explanation of a difference was not confirmed, or there is none.
    Internal(String),
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        Failure::Halt(halt)
    }
}

/// Decides whether two systems are related; if not, why. An explanation of a difference is confirmed before it is given.
///
/// # Errors
///
/// When the budget says stop.
pub fn compare(
    left: &Lts,
    right: &Lts,
    comparison: impl Into<Comparison>,
    budget: &dyn Budget,
) -> Result<Option<Difference>, Failure> {
    let union = Union::new(left, right);
    let mut comparer = Comparer::new(&union, budget)?;
    let found = match comparison.into() {
        Comparison::Equivalence(relation) => match relation {
            Relation::Strong => comparer.strong()?,
            Relation::Branching => comparer.branching()?,
            Relation::Weak => comparer.weak()?,
            Relation::Trace => comparer.trace()?,
            Relation::Simulation => comparer.simulation()?,
        },
        Comparison::Preorder(preorder) => comparer.preorder(preorder)?,
    };
    confirm(&union, found, None, budget)
}

/// What a protocol asks of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// To do only what is allowed.
    Allowed,
    /// To do all that it must.
    Required,
}

/// Decides whether an agent has a protocol's duties, by weak steps: are its traces within those of the protocol, and what it
/// refuses after a trace that both have? Where labels are its own it may choose among them, and what others do unforeseen is not its
/// fault; docs/equivalences.md has the definition. A difference is always one that the agent, the left side, has.
///
/// # Errors
///
/// When the budget says stop.
pub fn conforms(
    agent: &Lts,
    protocol: &Lts,
    duty: Duty,
    own: Option<&dyn Fn(&str) -> bool>,
    budget: &dyn Budget,
) -> Result<Option<Difference>, Failure> {
    let union = Union::new(agent, protocol);
    let labels = union.lts.labels();
    let own: Option<Vec<bool>> = own.map(|own| labels.all().map(|action| own(labels.name(action))).collect());
    let subject = match duty {
        Duty::Allowed => Subject::Traces,
        Duty::Required => Subject::Refusals,
    };
    let demand = Demand { steps: Steps::Weak, subject, own: own.as_deref() };
    let found = Comparer::new(&union, budget)?.inclusion(demand)?;
    confirm(&union, found, own.as_deref(), budget)
}

type Found = Option<(Side, Explanation)>;

struct Comparer<'u, 'w> {
    union: &'u Union,
    watch: Watch<'w>,
}

impl<'u, 'w> Comparer<'u, 'w> {
    fn new(union: &'u Union, budget: &'w dyn Budget) -> Result<Self, Halt> {
        let mut watch = Watch::new(budget);
        watch.ask()?;
        Ok(Comparer { union, watch })
    }

    fn strong(&mut self) -> Result<Found, Failure> {
        let Union { lts, left, right } = self.union;
        self.tell(lts, Inert::None, (*left, *right), |node| node)
    }

    fn branching(&mut self) -> Result<Found, Failure> {
        let collapsed = collapse(&self.union.lts);
        let pair = (collapsed.image(self.union.left), collapsed.image(self.union.right));
        self.tell(&collapsed.lts, Inert::Internal, pair, |node| node)
    }

    fn weak(&mut self) -> Result<Found, Failure> {
        let reduced = saturated(&self.union.lts, &mut self.watch)?;
        let pair = (reduced.image(self.union.left), reduced.image(self.union.right));
        // A step of the saturated system is a weak step of the system itself.
        self.tell(&reduced.lts, Inert::None, pair, |node| match node {
            Node::Step { action, then } => Node::Weak { action, then },
            node => node,
        })
    }

    /// Refines a system and tells two of its states apart.
    fn tell(
        &mut self,
        lts: &Lts,
        inert: Inert,
        (left, right): (State, State),
        change: impl Fn(Node) -> Node,
    ) -> Result<Found, Failure> {
        let partition = refine(lts, inert, &mut self.watch)?;
        if partition.parted(left, right).is_none() {
            return Ok(None);
        }
        let mut builder = Builder::default();
        let mut distinguisher = Distinguisher { lts, partition: &partition, inert, watch: &mut self.watch };
        let root = distinguisher.tell(left, right, &mut builder)?.ok_or_else(unexplained)?;
        // A formula that is a negation says better what the other side has.
        let (side, root) = match builder.nodes[root.index()] {
            Node::Not(inner) => (Side::Right, inner),
            _ => (Side::Left, root),
        };
        Ok(Some((side, Explanation::Formula(builder.extract(root, change)))))
    }

    fn trace(&mut self) -> Result<Found, Failure> {
        let Union { lts, left, right } = self.union;
        let found = trace::difference(lts, *left, *right, &mut self.watch)?;
        Ok(found
            .map(|(side, trace)| (side, Explanation::Run(Run { steps: Steps::Weak, trace, refused: None }))))
    }

    fn simulation(&mut self) -> Result<Found, Failure> {
        let reduced = quotient::strong(&self.union.lts, &mut self.watch)?;
        let (left, right) = (reduced.image(self.union.left), reduced.image(self.union.right));
        let game = Game::new(&reduced.lts, Steps::Strong, Ready::Ignored, &mut self.watch)?;
        match self.unsimulated(&game, (left, right))? {
            Some(explanation) => Ok(Some((Side::Left, explanation))),
            None => {
                let found = self.unsimulated(&game, (right, left))?;
                Ok(found.map(|explanation| (Side::Right, explanation)))
            }
        }
    }

    fn preorder(&mut self, preorder: Preorder) -> Result<Found, Failure> {
        let Preorder { order, steps } = preorder;
        let ready = match order {
            Order::TracesWithin => {
                return self.inclusion(Demand { steps, subject: Subject::Traces, own: None });
            }
            Order::FailuresWithin => {
                return self.inclusion(Demand { steps, subject: Subject::Failures, own: None });
            }
            Order::Simulates => Ready::Ignored,
            Order::ReadySimulates => Ready::Same,
        };
        let reduced = match steps {
            Steps::Strong => quotient::strong(&self.union.lts, &mut self.watch)?,
            Steps::Weak => sorted(&self.union.lts, &mut self.watch)?,
        };
        let game = Game::new(&reduced.lts, steps, ready, &mut self.watch)?;
        // It is the first system that has to simulate.
        let pair = (reduced.image(self.union.right), reduced.image(self.union.left));
        Ok(self.unsimulated(&game, pair)?.map(|explanation| (Side::Right, explanation)))
    }

    /// What the first of two states can do, and the second cannot follow.
    fn unsimulated(&mut self, game: &Game<'_>, pair: (State, State)) -> Result<Option<Explanation>, Failure> {
        let simulation = Simulation::of_pair(game, pair, &mut self.watch)?;
        if simulation.holds(pair) {
            return Ok(None);
        }
        let mut builder = Builder::default();
        let root = simulation.tell(pair, &mut builder, &mut self.watch)?.ok_or_else(unexplained)?;
        Ok(Some(Explanation::Formula(builder.extract(root, |node| node))))
    }

    fn inclusion(&mut self, demand: Demand<'_>) -> Result<Found, Failure> {
        let Union { lts, left, right } = self.union;
        let found = inclusion::violation(lts, (*left, *right), demand, &mut self.watch)?;
        Ok(found.map(|run| (Side::Left, Explanation::Run(run))))
    }
}

fn unexplained() -> Failure {
    Failure::Internal("a difference was found and could not be explained".to_owned())
}

/// The explanation must be right for the systems as they were given, whatever was done to find it.
fn confirm(
    union: &Union,
    found: Found,
    own: Option<&[bool]>,
    budget: &dyn Budget,
) -> Result<Option<Difference>, Failure> {
    let Some((side, explanation)) = found else { return Ok(None) };
    let (labels, internal_steps) = (union.lts.labels().clone(), union.lts.has_internal_steps());
    let difference = Difference { side, explanation, labels, internal_steps };
    let (has, lacks) = match difference.side {
        Side::Left => (union.left, union.right),
        Side::Right => (union.right, union.left),
    };
    let is_so = match &difference.explanation {
        Explanation::Formula(formula) => {
            let is = |state: State| holds(&union.lts, formula, state, budget);
            is(has)? && !is(lacks)?
        }
        Explanation::Run(run) => {
            let is = |state, own, run: &Run| can_do(&union.lts, run, own, state, budget);
            is(has, None, run)? && !is(lacks, own, run)? && is_to_blame(run, own, |run| is(lacks, None, run))?
        }
    };
    match is_so {
        true => Ok(Some(difference)),
        false => Err(Failure::Internal(format!("the difference found was not confirmed: {difference}"))),
    }
}

/// Where labels have owners, whatever leads to a violation must be allowed, and the violation be the agent's own doing.
fn is_to_blame(
    run: &Run,
    own: Option<&[bool]>,
    is_allowed: impl Fn(&Run) -> Result<bool, Halt>,
) -> Result<bool, Halt> {
    let Some(own) = own else { return Ok(true) };
    let mut before = Run { refused: None, ..run.clone() };
    let last = if run.refused.is_none() { before.trace.pop() } else { None };
    Ok(last.is_none_or(|last| own[last.0 as usize]) && is_allowed(&before)?)
}
