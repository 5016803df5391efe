//! Where the printed search gives a node a wrong value although all values that it was made from are right.

use std::collections::BTreeMap;

use super::search::{Combine, combine};
use super::{Node, Product, Sign};
use crate::automaton::StateKind;
use crate::options::Logic;

/// What is to blame for a wrong value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blame {
    /// The place in docs/formulas.md section 10, if it is one of those.
    pub item: Option<u8>,
    /// What goes wrong.
    pub text: &'static str,
}

/// Where the value that a first node should have is not known, since runs come back to its state.
const HISTORY: Blame = Blame {
    item: Some(7),
    text: "what the rows say depends on how a state was reached, and the search does not know how it was",
};

/// A reason for wrong values, with where it is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The reason.
    pub blame: Blame,
    /// The calls that return a wrong value for it.
    pub calls: Vec<u32>,
    /// The calls on the way to the first of them from a first node whose value is wrong, if this is what makes it wrong.
    pub way: Vec<u32>,
}

/// All reasons; the one that makes the verdict wrong has a way.
pub(super) fn find(product: &Product) -> Vec<Fault> {
    let calls = &product.search.calls;
    let node = |call: usize| &product.nodes[calls[call].node as usize];
    let wrong: Vec<bool> = (0..calls.len())
        .map(|call| node(call).sound.is_some_and(|sound| sound != calls[call].value))
        .collect();
    // The last call with a wrong value that each call makes: it came later than those whose values did not end the search.
    let mut below: Vec<Option<u32>> = vec![None; calls.len()];
    for (number, call) in calls.iter().enumerate().filter(|(number, _)| wrong[*number]) {
        if let Some(parent) = call.parent {
            below[parent as usize] = Some(number as u32);
        }
    }
    let mut faults: BTreeMap<Blame, Vec<u32>> = BTreeMap::new();
    for number in (0..calls.len()).filter(|number| wrong[*number] && below[*number].is_none()) {
        faults.entry(blame(product, node(number), calls[number].again)).or_default().push(number as u32);
    }
    let mut way = Vec::new();
    let mut next = (0..calls.len()).find(|number| calls[*number].parent.is_none() && wrong[*number]);
    while let Some(number) = next {
        way.push(number as u32);
        next = below[number].map(|number| number as usize);
    }
    let fault = |(blame, calls): (Blame, Vec<u32>)| {
        let is_end = way.last().is_some_and(|end| calls.contains(end));
        Fault { blame, calls, way: if is_end { way.clone() } else { Vec::new() } }
    };
    let mut faults: Vec<Fault> = faults.into_iter().map(fault).collect();
    if way.is_empty() && product.differs() {
        let first = (0..calls.len()).filter(|number| calls[*number].parent.is_none());
        let first: Vec<u32> = first.map(|number| number as u32).collect();
        faults.push(Fault { blame: HISTORY, way: first[..1].to_vec(), calls: first });
    }
    faults.sort_by_key(|fault| fault.way.is_empty());
    faults
}

fn blame(product: &Product, node: &Node, again: bool) -> Blame {
    let row = product.translation.automaton.state(node.row);
    let item = |item, text| Blame { item: Some(item), text };
    let other = |text| Blame { item: None, text };
    if again {
        return item(
            3,
            "a second arrival at a node returns what its sign and its acceptance say, not what the node came to",
        );
    }
    let (inside, stuck) = (node.place.inside.is_some(), node.successors.is_empty());
    match (&row.kind, product.logic) {
        (StateKind::Literal { .. } | StateKind::True | StateKind::False, Logic::Scctl) => {
            other("Algorithm 1 has no case for an atom: every atom succeeds, whatever its sign")
        }
        (StateKind::Literal { .. }, _) if inside => other(
            "inside a state an atom is looked up among the formulas of the decomposition, not in the state",
        ),
        (StateKind::Literal { .. }, Logic::Actl) => {
            other("the case of an atom looks at states inside of states only: elsewhere every atom succeeds")
        }
        (StateKind::Action { .. }, _) if stuck && !inside => {
            item(2, "an action label with no matching transition is a successful leaf")
        }
        (StateKind::Action { negated: true, .. }, _) => other(
            "`<¬Act>`: what the act would have brought about is demanded after a step with another act, and a step with the act itself does not \
             fail",
        ),
        (StateKind::Action { .. }, _) if !inside => item(
            6,
            "`<Act>` follows every transition whose act has this name, on whatever commitment, and the other formulas of the set do not take \
             the step",
        ),
        (_, _) if stuck && inside => {
            other("no clause fits the row and the state inside of the state, and such a leaf fails")
        }
        (StateKind::Next, _) if stuck => {
            other("`X` in a state without transitions is a leaf, and such a leaf fails")
        }
        (StateKind::Next, _) if inside => {
            other("`X` inside of a state takes a step of the decomposition, none of the model")
        }
        (StateKind::Next, _) => item(1, "`X` at a positive node demands all successors"),
        (StateKind::Equivalent, _) => {
            item(4, "the set is split in two, though one path must satisfy both parts")
        }
        (StateKind::Commitment, _) if stuck => other(
            "no clause refers to a commitment in a state that was not entered by its act, and such a leaf fails",
        ),
        (StateKind::Commitment, _) => item(5, "a commitment becomes what it claims of one path"),
        (StateKind::Previous, _) => item(7, "`X-` visits all predecessors"),
        (StateKind::Not, Logic::CtlCa) => item(8, "`!Ac` is rewritten to `Ref`"),
        (kind, logic) => match combine(kind, node.sign, logic) {
            Combine::First => other(
                "the loop over the successors returns after the first: `if DFS(v'') return true else return false`",
            ),
            Combine::Succeed => {
                other("nothing is returned after the loop of a positive `∨`, so that it succeeds in any case")
            }
            Combine::All | Combine::Any if node.sign == Sign::Neutral => other("a neutral node"),
            Combine::All | Combine::Any => other("the form of the row and its meaning are not the same"),
        },
    }
}
