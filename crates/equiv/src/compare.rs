//! Are two systems equivalent, and if not, why?

use servanda_engine::{Budget, Halt};
use servanda_lts::{Lts, State, Union};

use crate::difference::{Difference, Explanation, Side};
use crate::distinguish::Distinguisher;
use crate::evaluate::{can_do, holds};
use crate::formula::{Builder, Node};
use crate::internal::collapse;
use crate::quotient;
use crate::refine::{Inert, refine};
use crate::relation::Relation;
use crate::saturate::saturated;
use crate::simulation::Simulation;
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

/// Decides whether two systems are equivalent; if not, why. An explanation of a difference is confirmed before it is given.
///
/// # Errors
///
/// When the budget says stop.
pub fn compare(
    left: &Lts,
    right: &Lts,
    relation: Relation,
    budget: &dyn Budget,
) -> Result<Option<Difference>, Failure> {
    let union = Union::new(left, right);
    let mut comparison = Comparison { union: &union, watch: Watch::new(budget) };
    comparison.watch.ask()?;
    let found = match relation {
        Relation::Strong => comparison.strong()?,
        Relation::Branching => comparison.branching()?,
        Relation::Weak => comparison.weak()?,
        Relation::Trace => comparison.trace()?,
        Relation::Simulation => comparison.simulation()?,
    };
    let Some((side, explanation)) = found else { return Ok(None) };
    let (labels, internal_steps) = (union.lts.labels().clone(), union.lts.has_internal_steps());
    let difference = Difference { side, explanation, labels, internal_steps };
    if !is_confirmed(&union, &difference, budget)? {
        return Err(Failure::Internal(format!("the difference found was not confirmed: {difference}")));
    }
    Ok(Some(difference))
}

type Found = Option<(Side, Explanation)>;

struct Comparison<'u, 'w> {
    union: &'u Union,
    watch: Watch<'w>,
}

impl Comparison<'_, '_> {
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
        Ok(found.map(|(side, trace)| (side, Explanation::Trace(trace))))
    }

    fn simulation(&mut self) -> Result<Found, Failure> {
        let reduced = quotient::strong(&self.union.lts, &mut self.watch)?;
        let (left, right) = (reduced.image(self.union.left), reduced.image(self.union.right));
        for (side, pair) in [(Side::Left, (left, right)), (Side::Right, (right, left))] {
            let simulation = Simulation::of_pair(&reduced.lts, pair, &mut self.watch)?;
            if !simulation.holds(pair) {
                let mut builder = Builder::default();
                let root = simulation.tell(pair, &mut builder, &mut self.watch)?;
                let formula = builder.extract(root.ok_or_else(unexplained)?, |node| node);
                return Ok(Some((side, Explanation::Formula(formula))));
            }
        }
        Ok(None)
    }
}

fn unexplained() -> Failure {
    Failure::Internal("a difference was found and could not be explained".to_owned())
}

/// The explanation must be right for the systems as they were given, whatever was done to find it.
fn is_confirmed(union: &Union, difference: &Difference, budget: &dyn Budget) -> Result<bool, Halt> {
    let (has, lacks) = match difference.side {
        Side::Left => (union.left, union.right),
        Side::Right => (union.right, union.left),
    };
    let is = |state: State| match &difference.explanation {
        Explanation::Formula(formula) => holds(&union.lts, formula, state, budget),
        Explanation::Trace(trace) => can_do(&union.lts, trace, state, budget),
    };
    Ok(is(has)? && !is(lacks)?)
}
