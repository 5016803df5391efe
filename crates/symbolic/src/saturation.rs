//! The reachable states by saturation (Ciardo, Lüttgen, Siminiceanu): events are fired where they have an effect, from the bottom of the
//! order upwards, and every node is closed under the events below it before it becomes part of a larger one.
//!
//! Asynchronous models have many events that concern few variables each. Going over all states sweep by sweep makes diagrams in the
//! middle that are far larger than the one at the end; a node that is closed under what lies below it mostly stays as it is.

use oxidd::{BooleanFunction, Function, HasLevel, Manager, Node};
use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;
use crate::relation::Part;

/// The budget is asked each time so many results have been made.
const POLLED: usize = 1 << 12;

/// Steps that change the same bits, as one relation.
struct Event {
    relation: Bdd,
    /// By position: is the bit changed?
    changes: Vec<bool>,
    /// By position: the first position from there on at which the event changes a bit.
    next_change: Vec<usize>,
}

/// The events of a model by the topmost bit that they mention, and what has been found out about nodes.
pub(crate) struct Saturation<'e, 'm> {
    encoding: &'e Encoding<'m>,
    budget: &'e dyn Budget,
    /// With more nodes than this all results are forgotten: what is remembered cannot be collected.
    forgets_at: usize,
    /// The bits in the order of the diagrams, from the top: the variables of the present state.
    now: Vec<Bdd>,
    /// By level of the diagrams: the position of the bit, twice that for the present and one more for the next state.
    places: Vec<usize>,
    events: Vec<Event>,
    /// By position: the events whose topmost bit it is.
    beginning: Vec<Vec<usize>>,
    /// By position: the first position from there on where an event begins.
    next_event: Vec<usize>,
    saturated: FxHashMap<(Bdd, usize), Bdd>,
    fired: FxHashMap<(Bdd, Bdd, usize, usize), Bdd>,
    /// How many results have been made.
    pub(crate) made: usize,
    /// Do most events begin far enough down that it pays to close nodes one by one?
    pub(crate) pays: bool,
}

impl<'e, 'm> Saturation<'e, 'm> {
    /// The events of these parts; `None` where they are rounds, in which everything happens at once.
    pub(crate) fn new(
        encoding: &'e Encoding<'m>,
        parts: &[Part],
        nodes: usize,
        budget: &'e dyn Budget,
    ) -> Result<Option<Self>, Halt> {
        let bits = encoding.bits.len();
        let levels = encoding.diagrams.levels();
        let mut order: Vec<usize> = (0..bits).collect();
        order.sort_unstable_by_key(|bit| levels[encoding.bits[*bit].now as usize]);
        let mut places = vec![2 * bits; levels.len()];
        let mut position = vec![0; bits];
        for (at, bit) in order.iter().enumerate() {
            position[*bit] = at;
            places[levels[encoding.bits[*bit].now as usize]] = 2 * at;
            places[levels[encoding.bits[*bit].next as usize]] = 2 * at + 1;
        }
        let now = order.iter().map(|bit| encoding.diagrams.variable(encoding.bits[*bit].now));
        let mut saturation = Saturation {
            encoding,
            budget,
            forgets_at: nodes / 2,
            now: now.collect::<Result<_, _>>()?,
            places,
            events: Vec::new(),
            beginning: vec![Vec::new(); bits],
            next_event: Vec::new(),
            saturated: FxHashMap::default(),
            fired: FxHashMap::default(),
            made: 0,
            pays: false,
        };
        let mut depth = 0;
        let mut merged: FxHashMap<(usize, Vec<bool>), Bdd> = FxHashMap::default();
        for part in parts {
            let [conjunct] = part.all_conjuncts() else { return Ok(None) };
            let mut changes = vec![false; bits];
            part.changed().for_each(|bit| changes[position[bit]] = true);
            let first_change = changes.iter().position(|changed| *changed).unwrap_or(bits);
            let top = first_change.min(saturation.top(&conjunct.set) / 2);
            if top == bits {
                // It changes nothing and is possible everywhere or nowhere.
                continue;
            }
            depth += bits - top;
            let relation = merged.entry((top, changes)).or_insert_with(|| encoding.diagrams.falsity());
            *relation = relation.either(&conjunct.set)?;
        }
        saturation.pays = parts.len() > 1 && 4 * depth <= 3 * parts.len() * bits;
        let mut merged: Vec<_> = merged.into_iter().collect();
        merged.sort_unstable_by(|((a, left), _), ((b, right), _)| (a, left).cmp(&(b, right)));
        for ((top, changes), relation) in merged {
            saturation.beginning[top].push(saturation.events.len());
            let next_change = next(&changes);
            saturation.events.push(Event { relation, changes, next_change });
        }
        let begins: Vec<bool> = saturation.beginning.iter().map(|events| !events.is_empty()).collect();
        saturation.next_event = next(&begins);
        Ok(Some(saturation))
    }

    /// All states reachable from a set, the set included.
    pub(crate) fn reach(&mut self, from: &Bdd) -> Result<Bdd, Halt> {
        self.saturate(from, 0)
    }

    /// The place of the topmost variable of a diagram.
    fn top(&self, set: &Bdd) -> usize {
        set.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => self.places[node.level() as usize],
            Node::Terminal(_) => 2 * self.now.len(),
        })
    }

    /// What is left of a diagram for a variable's being false and true; the variable must not lie below its top.
    fn split(&self, set: &Bdd, place: usize) -> [Bdd; 2] {
        match set.cofactors().filter(|_| self.top(set) == place) {
            Some((yes, no)) => [no, yes],
            None => [set.clone(), set.clone()],
        }
    }

    /// Asks the budget now and then, and forgets results where room gets scarce.
    fn poll(&mut self) -> Result<(), Halt> {
        self.made += 1;
        if self.made.is_multiple_of(POLLED) {
            self.encoding.diagrams.report(self.budget)?;
            if self.encoding.diagrams.nodes() > self.forgets_at {
                self.saturated.clear();
                self.fired.clear();
            }
        }
        Ok(())
    }

    /// The states that events from a position on reach from a set, which says nothing about bits above it.
    fn saturate(&mut self, set: &Bdd, position: usize) -> Result<Bdd, Halt> {
        let bits = self.now.len();
        // Where no event begins and nothing is said, nothing happens.
        let position = match self.next_event.get(position) {
            Some(next) if *next < bits => (*next).min(self.top(set) / 2),
            _ => return Ok(set.clone()),
        };
        if set.is_false() || position == bits {
            return Ok(set.clone());
        }
        if let Some(known) = self.saturated.get(&(set.clone(), position)) {
            return Ok(known.clone());
        }
        self.poll()?;
        let [no, yes] = self.split(set, 2 * position);
        let no = self.saturate(&no, position + 1)?;
        let yes = self.saturate(&yes, position + 1)?;
        let closed = self.close([no, yes], position)?;
        self.saturated.insert((set.clone(), position), closed.clone());
        self.saturated.insert((closed.clone(), position), closed.clone());
        Ok(closed)
    }

    /// Fires the events that begin at a position until nothing new comes; the two halves are closed under the events below.
    fn close(&mut self, mut halves: [Bdd; 2], position: usize) -> Result<Bdd, Halt> {
        let events = self.beginning[position].clone();
        let mut stable = 0;
        while stable < events.len() {
            for event in &events {
                let before = halves.clone();
                let relation = self.events[*event].relation.clone();
                let [from_no, from_yes] = self.split(&relation, 2 * position);
                for (from, relation) in [(0, from_no), (1, from_yes)] {
                    self.fire_half(&mut halves, from, &relation, *event, position)?;
                }
                stable = if halves == before { stable + 1 } else { 0 };
                if stable >= events.len() {
                    break;
                }
            }
        }
        let [no, yes] = halves;
        if no == yes { Ok(no) } else { self.now[position].choose(&yes, &no) }
    }

    /// Adds what an event makes of one half to the half that it leads to.
    fn fire_half(
        &mut self,
        halves: &mut [Bdd; 2],
        from: usize,
        relation: &Bdd,
        event: usize,
        position: usize,
    ) -> Result<(), Halt> {
        let towards = if self.events[event].changes[position] {
            self.split(relation, 2 * position + 1).into_iter().enumerate().collect()
        } else {
            vec![(from, relation.clone())]
        };
        for (to, relation) in towards {
            let made = self.fire(&halves[from], &relation, event, position + 1)?;
            halves[to] = halves[to].either(&made)?;
        }
        Ok(())
    }

    /// Where an event leads from a set, closed under the events that begin at a position or below. The set is closed and, like the
    /// relation, says nothing about bits above.
    fn fire(&mut self, set: &Bdd, relation: &Bdd, event: usize, position: usize) -> Result<Bdd, Halt> {
        let bits = self.now.len();
        if set.is_false() || relation.is_false() {
            return Ok(self.encoding.diagrams.falsity());
        }
        let change = self.events[event].next_change.get(position).copied().unwrap_or(bits);
        let said = self.top(relation) / 2;
        if change == bits && said == bits {
            return Ok(set.clone());
        }
        let begins = self.next_event.get(position).copied().unwrap_or(bits);
        let position = change.min(said).min(begins).min(self.top(set) / 2);
        let key = (set.clone(), relation.clone(), event, position);
        if let Some(known) = self.fired.get(&key) {
            return Ok(known.clone());
        }
        self.poll()?;
        let halves = self.split(set, 2 * position);
        let relations = self.split(relation, 2 * position);
        let falsity = self.encoding.diagrams.falsity();
        let mut made = [falsity.clone(), falsity];
        for (from, (half, relation)) in halves.iter().zip(&relations).enumerate() {
            if self.events[event].changes[position] {
                for (to, relation) in self.split(relation, 2 * position + 1).iter().enumerate() {
                    let more = self.fire(half, relation, event, position + 1)?;
                    made[to] = made[to].either(&more)?;
                }
            } else {
                made[from] = self.fire(half, relation, event, position + 1)?;
            }
        }
        let closed = self.close(made, position)?;
        self.fired.insert(key, closed.clone());
        Ok(closed)
    }
}

/// By position: the first position from there on that is marked, or the number of positions.
fn next(marked: &[bool]) -> Vec<usize> {
    let mut next = vec![marked.len(); marked.len()];
    for at in (0..marked.len()).rev() {
        let following = next.get(at + 1).copied().unwrap_or(marked.len());
        next[at] = if marked[at] { at } else { following };
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Symbolic;
    use servanda_engine::{NoLimits, Options};
    use servanda_testkit::{Trials, Tried};

    #[test]
    fn saturation_finds_what_sweeps_find() {
        Trials::from_environment(1000).on_protocols(|case| {
            let Ok(mut symbolic) = Symbolic::new(&case.model, Options::default(), 1 << 18, &NoLimits) else {
                return Ok(Tried::Skipped);
            };
            let initial = symbolic.initial.clone();
            let swept = symbolic.reach(&initial, &NoLimits).map_err(|_| "no sweeps".to_owned())?;
            // Now and then everything is forgotten.
            for nodes in [1 << 18, 0] {
                let saturation = Saturation::new(&symbolic.encoding, &symbolic.parts, nodes, &NoLimits);
                let Ok(Some(mut saturation)) = saturation else { return Err("no events".to_owned()) };
                match saturation.reach(&initial) {
                    Ok(reached) if reached == swept => {}
                    _ => return Err(format!("not the same states with room for {nodes} nodes")),
                }
            }
            Ok(Tried::Holds)
        });
    }
}
