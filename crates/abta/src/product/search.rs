//! The depth-first search as it is printed: Figure 5 of the ACTL* paper, Algorithm 1 of the SCCTL* paper; Figure 10 of the CTL*CA paper is
//! lost, so there the search is the one that its prose describes.
//!
//! None of them has a case for `¬`: its successor is searched, as the prose says. `accepting` is one test, and here it means that the row is
//! in every acceptance set.

use servanda_engine::{Budget, Halt, Progress};

use super::build::Graph;
use super::{Node, Sign};
use crate::automaton::{Abta, StateKind};
use crate::options::Logic;

/// How many calls are made between two questions to the budget.
const ASK_EVERY: usize = 4096;

/// What the search did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Whether it succeeds from every first node.
    pub verdict: bool,
    /// Its calls, in the order in which they begin.
    pub calls: Vec<Call>,
    /// How many nodes it visits.
    pub nodes: usize,
}

/// One call of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The node.
    pub node: u32,
    /// The call it is made by.
    pub parent: Option<u32>,
    /// Had the node been visited before?
    pub again: bool,
    /// What it returns.
    pub value: bool,
}

/// How the values of successors make the value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combine {
    /// False as soon as one is false.
    All,
    /// True as soon as one is true.
    Any,
    /// That of the first: Figure 5 says `if DFS(v'') return true else return false` in a loop.
    First,
    /// True whatever they are: Algorithm 1 returns nothing after the loop of a positive `∨`, and what ends it is `return true`.
    Succeed,
}

/// What the paper does with a node that has successors.
pub(super) fn combine(kind: &StateKind, sign: Sign, logic: Logic) -> Combine {
    match (kind, sign) {
        (StateKind::And, Sign::Negative) if logic == Logic::Actl => Combine::First,
        (StateKind::And, Sign::Negative) => Combine::Any,
        (StateKind::Or, Sign::Positive | Sign::Neutral) => match logic {
            Logic::Actl => Combine::First,
            Logic::CtlCa => Combine::Any,
            Logic::Scctl => Combine::Succeed,
        },
        _ => Combine::All,
    }
}

/// What the search does with a node without successors.
fn leaf(abta: &Abta, logic: Logic, graph: &Graph, node: &Node) -> bool {
    match (&abta.state(node.row).kind, logic) {
        (StateKind::Action { .. }, _) => true,
        (StateKind::True | StateKind::False | StateKind::Literal { .. }, Logic::Scctl) => true,
        // Both signs have the same test, and it looks at states inside of states only.
        (StateKind::Literal { atom, .. }, Logic::Actl) if node.sign != Sign::Neutral => {
            graph.formulas(node.place).is_none_or(|formulas| formulas.contains(atom))
        }
        _ => is_leaf_successful(abta, graph, node),
    }
}

/// What Definition 5 of the ACTL* paper, Definition 6 of the CTL*CA paper, says of a node without successors.
pub(super) fn is_leaf_successful(abta: &Abta, graph: &Graph, node: &Node) -> bool {
    let positive = node.sign == Sign::Positive;
    match &abta.state(node.row).kind {
        _ if node.sign == Sign::Neutral => false,
        StateKind::Action { .. } => true,
        StateKind::True => positive,
        StateKind::False => !positive,
        StateKind::Literal { atom, .. } => match graph.formulas(node.place) {
            Some(formulas) => formulas.contains(atom) == positive,
            None => graph.holds(node.row, node.place.state).unwrap_or(false) == positive,
        },
        _ => false,
    }
}

/// A call that has not returned.
struct Open {
    call: u32,
    next: usize,
    combine: Combine,
}

/// Runs the search from every first node, each time with no node visited.
pub(super) fn search(abta: &Abta, logic: Logic, graph: &Graph, budget: &dyn Budget) -> Result<Search, Halt> {
    let accepting: Vec<bool> =
        abta.iter().map(|(id, _)| abta.acceptance.iter().all(|set| set.states.contains(&id))).collect();
    let mut search = Search { verdict: true, calls: Vec::new(), nodes: 0 };
    let mut ever = vec![false; graph.nodes.len()];
    for root in &graph.roots {
        let mut visited = vec![false; graph.nodes.len()];
        let mut open: Vec<Open> = Vec::new();
        let (mut called, mut parent) = (Some(*root), None);
        let mut returned = false;
        loop {
            if search.calls.len().is_multiple_of(ASK_EVERY) {
                Progress::Deciding { nodes: search.calls.len() as u64 }.tell(budget)?;
            }
            if let Some(number) = called.take() {
                let node = &graph.nodes[number as usize];
                let call = search.calls.len() as u32;
                let again = std::mem::replace(&mut visited[number as usize], true);
                search.calls.push(Call { node: number, parent, again, value: false });
                if again {
                    let accepts = accepting[node.row.index()];
                    returned =
                        !(node.sign == Sign::Positive && !accepts || node.sign == Sign::Negative && accepts);
                } else {
                    search.nodes += usize::from(!std::mem::replace(&mut ever[number as usize], true));
                    if !node.successors.is_empty() {
                        let combine = combine(&abta.state(node.row).kind, node.sign, logic);
                        open.push(Open { call, next: 1, combine });
                        (called, parent) = (Some(node.successors[0]), Some(call));
                        continue;
                    }
                    returned = leaf(abta, logic, graph, node);
                }
                search.calls[call as usize].value = returned;
            }
            let Some(top) = open.last_mut() else { break };
            let successors = &graph.nodes[search.calls[top.call as usize].node as usize].successors;
            let value = match (top.combine, returned) {
                (Combine::All, false) => Some(false),
                (Combine::Any | Combine::Succeed, true) => Some(true),
                (Combine::First, value) => Some(value),
                _ if top.next < successors.len() => None,
                (Combine::Any, _) => Some(false),
                (Combine::All | Combine::Succeed, _) => Some(true),
            };
            match value {
                None => {
                    (called, parent) = (Some(successors[top.next]), Some(top.call));
                    top.next += 1;
                }
                Some(value) => {
                    search.calls[top.call as usize].value = value;
                    returned = value;
                    open.pop();
                }
            }
        }
        search.verdict &= returned;
    }
    Ok(search)
}
