//! How a model is first encoded: of several orders of its variables one in which all states are soon found.
//!
//! No estimate of an order is as good as a trial. Saturation is the work that depends most on the order and says soon whether it is a good
//! one; so each order is given the same number of results, and where none is enough, more.

use servanda_engine::{Budget, Halt, Stop};
use servanda_model::{Flow, Model};

use crate::build::{Relation, build};
use crate::diagrams::Bdd;
use crate::encoding::Encoding;
use crate::events::Direction;
use crate::order::{Item, orders, sums};
use crate::saturation::{Asked, Saturation};

/// So many results may be made with each order, one round after the other.
const ROUNDS: [usize; 3] = [1 << 14, 1 << 17, 1 << 19];

/// The diagrams that a model begins with.
pub(crate) struct Start<'m> {
    pub(crate) encoding: Encoding<'m>,
    pub(crate) relation: Relation,
    pub(crate) type_correct: Bdd,
    pub(crate) initial: Bdd,
    /// The reachable states, if they have been found.
    pub(crate) reached: Option<Bdd>,
}

/// How a trial ended.
enum Trial<'m> {
    Found(Box<Start<'m>>),
    TooLong,
    /// There is nothing that could be saturated.
    NoEvents(Box<Start<'m>>),
}

impl<'m> Start<'m> {
    /// Encodes a model in the order that suits it best; what is named in `first` stands on top.
    pub(crate) fn begin(
        model: &'m Model,
        (nodes, first): (usize, &[String]),
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let sums = sums(model, budget)?;
        let mut orders = orders(model, &sums);
        if first.is_empty() && !model.behaviour.is_rounds() && model.behaviour.commands().len() > 1 {
            for most_results in ROUNDS {
                for order in &orders {
                    match Start::tried((model, &sums), (nodes, most_results), order, budget)? {
                        Trial::Found(start) | Trial::NoEvents(start) => return Ok(*start),
                        Trial::TooLong => {}
                    }
                }
            }
        }
        Start::new((model, &sums), nodes, orders.swap_remove(0), first, budget)
    }

    fn new(
        (model, sums): (&'m Model, &[Flow]),
        nodes: usize,
        order: Vec<Item>,
        first: &[String],
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let mut encoding = Encoding::new(model, nodes, order, first)?;
        encoding.sums = sums.to_vec();
        let relation = build(&encoding, budget)?;
        let type_correct = encoding.functions.type_correct(&mut encoding.algebra(budget))?;
        let initial = encoding.functions.initial(&mut encoding.algebra(budget), &type_correct)?;
        Ok(Start { encoding, relation, type_correct, initial, reached: None })
    }

    /// Looks for the reachable states with one order.
    fn tried(
        (model, sums): (&'m Model, &[Flow]),
        (nodes, most_results): (usize, usize),
        order: &[Item],
        budget: &dyn Budget,
    ) -> Result<Trial<'m>, Halt> {
        let mut start = match Start::new((model, sums), nodes, order.to_vec(), &[], budget) {
            Err(Halt::Stopped { stop: Stop::Memory, .. }) => return Ok(Trial::TooLong),
            start => start?,
        };
        let Some(mut saturation) = Saturation::new(&start.encoding, &start.relation.parts) else {
            return Ok(Trial::NoEvents(Box::new(start)));
        };
        let asked = Asked { direction: Direction::Forwards, set: &start.initial, within: None };
        match saturation.closed_within(&start.encoding, asked, (nodes, most_results), budget) {
            Ok(Some(reached)) => start.reached = Some(reached),
            Err(Halt::TooLarge(_)) if saturation.made == 0 => return Ok(Trial::NoEvents(Box::new(start))),
            Err(Halt::TooLarge(_) | Halt::Stopped { stop: Stop::Memory, .. }) => return Ok(Trial::TooLong),
            Ok(None) => return Ok(Trial::NoEvents(Box::new(start))),
            Err(halt) => return Err(halt),
        }
        Ok(Trial::Found(Box::new(start)))
    }
}
