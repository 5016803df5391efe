//! Symmetry reduction: of states that differ only in who of several is who, one is enough.
//!
//! Agents and variables that a model treats alike are looked for ([`find`]): where two of them change places, with all that belongs to them, every
//! part of the model must become a part of it again ([`prove`]). Then a state and the same state with places changed can do the same. A search goes on with
//! the one of them that is in order ([`blocks`]), if what it looks for does not tell them apart either: who may change places is found out for each
//! modality of a property by itself ([`plan`]), and one that refers to one of several is asked of another by changing places first ([`divided`]).
//!
//! The quotient by symmetries is bisimilar to the model as far as what is asked does not change with them (Emerson and Sistla, "Symmetry and model
//! checking"; Clarke, Enders, Filkorn and Jha, "Exploiting symmetry in temporal logic model checking"). See docs/reductions.md.

mod blocks;
mod classes;
mod colours;
mod corridor;
mod counting;
mod divided;
mod exchanges;
mod find;
mod form;
mod plan;
mod prove;
mod renaming;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_lower::Lowering;
use servanda_model::{Behaviour, Layout, Model};
use servanda_space::{Lent, Space};

pub(crate) use blocks::Order;
pub use corridor::{Corridor, Quotient};
pub(crate) use counting::Counted;
pub(crate) use divided::{Asked, Divided};

use blocks::Rows;
use exchanges::Exchanges;
use form::{Forms, Known};
use plan::Group;

/// Where fewer states than this stand for one nothing is gained.
const LEAST_ORDER: u64 = 6;

/// A condition that tests leave out, to see that they notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// That the model stays as it is when two change places is not checked.
    Unproved,
    /// Whom a property refers to does not matter.
    AnyProperty,
    /// Which steps a property asks for does not matter.
    AnyLabel,
}

/// Some who are alike.
struct Family {
    exchanges: Exchanges,
    rows: Rows,
    /// The number of the first member among those of all families.
    first: usize,
}

/// Who in a model are alike.
pub(crate) struct Symmetry {
    families: Vec<Family>,
}

impl Symmetry {
    /// `None` where nobody is, or too few to matter.
    fn new(
        lowering: &Lowering<'_>,
        forms: &mut Forms,
        flaws: Option<Flaw>,
        budget: &dyn Budget,
    ) -> Result<Option<Self>, Halt> {
        let model = lowering.model;
        if !is_looked_into(model) {
            return Ok(None);
        }
        let layout = Layout::new(model);
        let mut families: Vec<Family> = Vec::new();
        let mut first = 0;
        for alike in find::find(lowering, forms, flaws, budget)? {
            let Some(exchanges) = Exchanges::new(model, &alike.exchanges) else { continue };
            let Some(rows) = Rows::new(model, &layout, &exchanges) else { continue };
            if !rows.is_empty() && !families.iter().any(|family| family.rows.meets(&rows)) {
                let members = rows.members;
                families.push(Family { exchanges, rows, first });
                first += members;
            }
        }
        let symmetry = Symmetry { families };
        Ok((symmetry.order_of(&symmetry.whole()) >= LEAST_ORDER).then_some(symmetry))
    }

    /// How states are put in order by those who may change places.
    fn order(&self, group: &Group) -> Order {
        let blocks = self.families.iter().flat_map(|family| {
            let members = family.first..family.first + family.rows.members;
            let firsts = members.clone().filter(|member| group[*member] == *member);
            firsts.map(move |first| {
                let block = members.clone().filter(|member| group[*member] == first);
                (&family.rows, block.map(|member| member - family.first).collect::<Vec<usize>>())
            })
        });
        Order::new(blocks.filter(|(_, members)| members.len() > 1))
    }

    /// Everybody may change places with those who are alike.
    fn whole(&self) -> Group {
        self.families.iter().flat_map(|family| vec![family.first; family.rows.members]).collect()
    }

    /// In how many ways places can be changed; very many are `u64::MAX`.
    fn order_of(&self, group: &Group) -> u64 {
        let mut order = 1u64;
        for (member, first) in group.iter().enumerate() {
            let place = group[..=member].iter().filter(|other| *other == first).count();
            order = order.saturating_mul(place as u64);
        }
        order
    }
}

/// What runs count depends on who acts on them again and again, which is not looked into; nor are rounds.
fn is_looked_into(model: &Model) -> bool {
    matches!(model.behaviour, Behaviour::Commands(_)) && !model.has_fairness()
}

/// Spaces in which states are in order, by who may change places.
type Pool<'m> = FxHashMap<Group, Vec<Lent<'m>>>;

/// What is known of the symmetries of a model, and the spaces in which states are in order.
#[derive(Default)]
pub(crate) struct Symmetries<'m> {
    /// Once it was looked for, and if there is any.
    found: Option<Option<Arc<Symmetry>>>,
    forms: Forms,
    /// The forms of formulas under the exchanges of two members, by family and members; those under none.
    known: FxHashMap<(usize, usize, usize), Known>,
    unchanged: Known,
    pool: Pool<'m>,
    /// How many properties were decided so.
    decided: u64,
    pub(crate) flaws: Option<Flaw>,
}

impl<'m> Symmetries<'m> {
    /// May some be alike? No longer, once nobody was found to be.
    pub(crate) fn can_be(&self, model: &Model) -> bool {
        is_looked_into(model) && !matches!(self.found, Some(None))
    }

    /// Who are alike, if enough are. What is found is kept.
    fn symmetry(
        &mut self,
        lowering: &Lowering<'m>,
        budget: &dyn Budget,
    ) -> Result<Option<Arc<Symmetry>>, Halt> {
        let Symmetries { found, forms, flaws, .. } = self;
        if let Some(found) = found {
            return Ok(found.clone());
        }
        let symmetry = Symmetry::new(lowering, forms, *flaws, budget)?.map(Arc::new);
        Ok(found.insert(symmetry).clone())
    }
}

/// A space in which states are in order: one that nobody holds, or a new one.
fn taken<'m>(
    pool: &mut Pool<'m>,
    symmetry: &Symmetry,
    group: &Group,
    lowering: &Lowering<'m>,
    budget: &dyn Budget,
) -> Result<Lent<'m>, Halt> {
    if let Some(space) = pool.get_mut(group).and_then(Vec::pop) {
        return Ok(space);
    }
    let order = Arc::new(symmetry.order(group));
    Ok(Lent::new(Space::in_order(lowering.model, lowering.deadlock, order, budget)?))
}
