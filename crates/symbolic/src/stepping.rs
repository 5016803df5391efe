//! Single steps of all events at once, over multi-valued diagrams, and sets in which steps can be made for ever.
//!
//! Over binary diagrams a step is a product with each part of the relation, each of which goes over all of a set. Here a set is gone over
//! once: at each digit by the events that begin there, and each looks only at the digits that it is about. What has been found out about
//! parts of a set is known when it is met again in a smaller one, so that the rounds of a greatest fixpoint cost what changes in them.

use rustc_hash::FxHashMap;
use servanda_engine::Halt;

use crate::events::{IDENTITY, MatrixId};
use crate::multi::{EMPTY, Node, Nodes};
use crate::saturation::Work;

/// Steps being made, and what has been found out about nodes.
pub(crate) struct Stepping<'w, 'a, 'b> {
    work: &'w mut Work<'a, 'b>,
    after: FxHashMap<(Node, Node), Node>,
    fired: FxHashMap<(Node, MatrixId, Node), Node>,
}

impl<'w, 'a, 'b> Stepping<'w, 'a, 'b> {
    pub(crate) fn new(work: &'w mut Work<'a, 'b>) -> Self {
        Stepping { work, after: FxHashMap::default(), fired: FxHashMap::default() }
    }

    fn nodes(&mut self) -> &mut Nodes<'b> {
        &mut self.work.nodes
    }

    fn count(&mut self) -> Result<(), Halt> {
        let others = self.after.len() + self.fired.len();
        self.work.nodes.count(others)
    }

    /// Where the events that begin at a digit or below lead from a set, inside of another.
    pub(crate) fn after(&mut self, digit: usize, set: Node, within: Node) -> Result<Node, Halt> {
        if set == EMPTY || within == EMPTY || digit >= self.work.events.end {
            return Ok(EMPTY);
        }
        if let Some(known) = self.after.get(&(set, within)) {
            return Ok(*known);
        }
        self.count()?;
        let base = self.work.nodes.making.len();
        let values = self.work.digits.values(digit);
        self.nodes().making.resize(base + values, EMPTY);
        for value in 0..self.work.nodes.len(set) {
            let (child, bound) = (self.work.nodes.child(set, value), self.work.nodes.child(within, value));
            let child = self.after(digit + 1, child, bound)?;
            self.nodes().making[base + value] = child;
        }
        let events = self.work.events;
        for event in &events.beginning[digit] {
            self.enter(digit, base, (set, within), *event)?;
        }
        let found = self.nodes().finish(base)?;
        self.after.insert((set, within), found);
        Ok(found)
    }

    /// Adds to the children of a node that is being made where an event leads that is about its digit.
    fn enter(
        &mut self,
        digit: usize,
        base: usize,
        (set, within): (Node, Node),
        event: MatrixId,
    ) -> Result<(), Halt> {
        let events = self.work.events;
        for (from, to, rest) in &events.matrix(event).entries {
            let (from, to) = (*from as usize, *to as usize);
            let (child, bound) = (self.work.nodes.child(set, from), self.work.nodes.child(within, to));
            let made = self.fire(digit + 1, child, *rest, bound)?;
            let nodes = self.nodes();
            nodes.making[base + to] = nodes.union(nodes.making[base + to], made)?;
        }
        Ok(())
    }

    /// Where what is left of an event leads from a set, inside of another.
    fn fire(&mut self, digit: usize, set: Node, event: MatrixId, within: Node) -> Result<Node, Halt> {
        if set == EMPTY || within == EMPTY {
            return Ok(EMPTY);
        }
        if event == IDENTITY {
            return self.nodes().intersection(set, within);
        }
        if let Some(known) = self.fired.get(&(set, event, within)) {
            return Ok(*known);
        }
        self.count()?;
        let events = self.work.events;
        let base = self.work.nodes.making.len();
        if events.matrix(event).digit > digit {
            for value in 0..self.work.nodes.len(set) {
                let (child, bound) =
                    (self.work.nodes.child(set, value), self.work.nodes.child(within, value));
                let child = self.fire(digit + 1, child, event, bound)?;
                self.nodes().making.push(child);
            }
        } else {
            let values = self.work.digits.values(digit);
            self.nodes().making.resize(base + values, EMPTY);
            self.enter(digit, base, (set, within), event)?;
        }
        let found = self.nodes().finish(base)?;
        self.fired.insert((set, event, within), found);
        Ok(found)
    }

    /// The states of a set from which steps can be made for ever without leaving it.
    pub(crate) fn staying(&mut self, set: Node) -> Result<Node, Halt> {
        let mut stays = set;
        loop {
            let idle = self.work.idle;
            let idle = self.nodes().intersection(stays, idle)?;
            let before = self.after(0, stays, stays)?;
            let again = self.nodes().union(before, idle)?;
            if again == stays {
                return Ok(stays);
            }
            stays = again;
        }
    }
}
