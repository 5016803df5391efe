//! Sets closed under the steps of a model by saturation: events are fired where they have an effect, from the bottom of the order upwards,
//! and every node is closed under the events below it before it becomes part of a larger one (Ciardo, Lüttgen, Siminiceanu).
//!
//! Asynchronous models have many events that concern few variables each. Going over all states sweep by sweep makes diagrams in the
//! middle that are far larger than the one at the end; a node that is closed under what lies below it mostly stays as it is. Backwards
//! the same is done within the states that matter (Zhao and Ciardo, "Symbolic CTL model checking of asynchronous systems using constrained
//! saturation").

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};

use crate::diagrams::Bdd;
use crate::digits::{Digits, Export, Import, Same};
use crate::encoding::Encoding;
use crate::events::{Direction, Events, IDENTITY, MatrixId, Shape};
use crate::multi::{ALL, EMPTY, Kept, Node, Nodes, too_much, words_for};
use crate::relation::Part;
use crate::stepping::Stepping;

/// The events of a model, taken to pieces when they are first needed.
pub(crate) struct Saturation {
    digits: Digits,
    shape: Shape,
    forwards: Option<Events>,
    backwards: Option<Events>,
    /// The nodes of what was asked before, and the binary diagrams of some of them.
    kept: Kept,
    same: Same,
    /// How many results have been made.
    pub(crate) made: usize,
}

/// What is asked for: a set, which way to go from it, and the states that ways may go through, if not all of them.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) direction: Direction,
    pub(crate) set: &'a Bdd,
    pub(crate) within: Option<&'a Bdd>,
}

impl Saturation {
    /// The events of these parts; `None` where everything happens at once: in rounds, or where there is but one part.
    pub(crate) fn new<'a>(
        encoding: &Encoding<'_>,
        parts: impl IntoIterator<Item = &'a Part>,
    ) -> Option<Self> {
        let digits = Digits::new(encoding);
        let shape = Shape::new(&digits, encoding.bits.len(), parts)?;
        let (kept, same) = (Kept::default(), Same::default());
        Some(Saturation { digits, shape, forwards: None, backwards: None, kept, same, made: 0 })
    }

    /// Drops what was kept of former questions.
    fn forget(&mut self) {
        (self.kept, self.same) = (Kept::default(), Same::default());
    }

    /// A set with all states that steps lead to from it (`Forwards`), or that lead into it (`Backwards`), by states of another set alone
    /// if there is one. `None` if a set is about more than states.
    pub(crate) fn closed(
        &mut self,
        encoding: &Encoding<'_>,
        asked: Asked<'_>,
        room: usize,
        budget: &dyn Budget,
    ) -> Result<Option<Bdd>, Halt> {
        let most_results = self.shape.most_results;
        self.closed_within(encoding, asked, (room, most_results), budget)
    }

    /// The same; an error if more than so many results would have to be made.
    pub(crate) fn closed_within(
        &mut self,
        encoding: &Encoding<'_>,
        asked: Asked<'_>,
        (room, most_results): (usize, usize),
        budget: &dyn Budget,
    ) -> Result<Option<Bdd>, Halt> {
        self.answer(encoding, asked, (room, most_results), budget, |work, start, within| {
            let Work { digits, events, nodes, .. } = work;
            let (saturated, fired) = Default::default();
            Closing { digits, events, nodes, saturated, fired }.run(start, within)
        })
    }

    /// Where there is a step that changes nothing.
    pub(crate) fn idle(&self, encoding: &Encoding<'_>) -> Result<Bdd, Halt> {
        self.shape.idle(encoding)
    }

    /// Where single steps that change something lead from a set, or from where they lead into it.
    pub(crate) fn next(
        &mut self,
        encoding: &Encoding<'_>,
        asked: Asked<'_>,
        room: usize,
        budget: &dyn Budget,
    ) -> Result<Option<Bdd>, Halt> {
        self.answer(encoding, asked, (room, usize::MAX), budget, |work, start, within| {
            deep(work.digits.len(), || Stepping::new(work).after(0, start, within))
        })
    }

    /// The states of a set from which steps can be made for ever without leaving it.
    pub(crate) fn staying(
        &mut self,
        encoding: &Encoding<'_>,
        set: &Bdd,
        room: usize,
        budget: &dyn Budget,
    ) -> Result<Option<Bdd>, Halt> {
        let asked = Asked { direction: Direction::Backwards, set, within: None };
        self.answer(encoding, asked, (room, usize::MAX), budget, |work, start, _| {
            deep(work.digits.len(), || Stepping::new(work).staying(start))
        })
    }

    /// Has a set turned to multi-valued diagrams, something found out about it, and the result turned back.
    fn answer(
        &mut self,
        encoding: &Encoding<'_>,
        Asked { direction, set, within }: Asked<'_>,
        (room, most_results): (usize, usize),
        budget: &dyn Budget,
        find: impl FnOnce(&mut Work<'_, '_>, Node, Node) -> Result<Node, Halt>,
    ) -> Result<Option<Bdd>, Halt> {
        if self.kept.words() + self.same.words() > words_for(room) / 4 {
            self.forget();
        }
        let found =
            self.answered(encoding, Asked { direction, set, within }, (room, most_results), budget, find);
        if found.is_err() {
            // The nodes are gone, and what is known of them.
            self.forget();
        }
        found
    }

    /// The same, but that nodes are lost where there is no answer.
    fn answered(
        &mut self,
        encoding: &Encoding<'_>,
        Asked { direction, set, within }: Asked<'_>,
        (room, most_results): (usize, usize),
        budget: &dyn Budget,
        find: impl FnOnce(&mut Work<'_, '_>, Node, Node) -> Result<Node, Halt>,
    ) -> Result<Option<Bdd>, Halt> {
        let Saturation { digits, shape, forwards, backwards, kept, same, made } = self;
        let events = match direction {
            Direction::Forwards => forwards,
            Direction::Backwards => backwards,
        };
        let events = match events {
            Some(events) => events,
            None => events.insert(Events::new(encoding, digits, shape, direction, budget)?),
        };
        let mut nodes = Nodes::new(std::mem::take(kept), room, most_results, budget);
        let mut import = Import::new(digits, same);
        let start = import.set(&mut nodes, set)?;
        let within = within.map_or(Ok(Some(ALL)), |within| import.set(&mut nodes, within))?;
        let idle = shape.idle(encoding)?;
        let idle = import.set(&mut nodes, &idle)?;
        let (Some(start), Some(within), Some(idle)) = (start, within, idle) else {
            *kept = nodes.keep();
            return Ok(None);
        };
        let mut work = Work { digits, events, nodes, idle };
        let found = find(&mut work, start, within);
        *made += work.nodes.made;
        let found = Export::new(digits, encoding, same).set(&mut work.nodes, found?)?;
        *kept = work.nodes.keep();
        Ok(Some(found))
    }
}

/// What is known while a question is answered.
pub(crate) struct Work<'a, 'b> {
    pub(crate) digits: &'a Digits,
    pub(crate) events: &'a Events,
    pub(crate) nodes: Nodes<'b>,
    /// The states that some step does not change.
    pub(crate) idle: Node,
}

/// States with more digits are closed on a stack that is large enough.
const MOST_DIGITS_HERE: usize = 500;

/// What a digit takes on the stack, generously: the frames of two functions.
const STACK_PER_DIGIT: usize = 4 << 10;

/// Does something that goes as deep as there are digits: with many of them on a stack of its own, since who asks may have a small one.
pub(crate) fn deep<T: Send>(digits: usize, work: impl FnOnce() -> Result<T, Halt> + Send) -> Result<T, Halt> {
    if digits <= MOST_DIGITS_HERE {
        return work();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size((1 << 20) + STACK_PER_DIGIT * digits);
        match thread.spawn_scoped(scope, work).map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // There is no thread to be had; sweeps do not go as deep.
            Err(_) => Err(too_much()),
        }
    })
}

/// Sets being closed under events, and what has been found out about nodes.
struct Closing<'a, 'b> {
    digits: &'a Digits,
    events: &'a Events,
    nodes: &'a mut Nodes<'b>,
    saturated: FxHashMap<(Node, Node), Node>,
    fired: FxHashMap<(Node, MatrixId, Node), Node>,
}

impl Closing<'_, '_> {
    /// Closes a set.
    fn run(&mut self, set: Node, within: Node) -> Result<Node, Halt> {
        deep(self.digits.len(), || self.saturate(0, set, within))
    }

    fn count(&mut self) -> Result<(), Halt> {
        self.nodes.count(self.saturated.len() + self.fired.len())
    }

    /// What events that begin at a digit or below reach from a set by states of another.
    fn saturate(&mut self, digit: usize, set: Node, within: Node) -> Result<Node, Halt> {
        if set == EMPTY || within == EMPTY || digit >= self.events.end {
            return Ok(set);
        }
        if let Some(known) = self.saturated.get(&(set, within)) {
            return Ok(*known);
        }
        self.count()?;
        let base = self.nodes.making.len();
        for value in 0..self.nodes.len(set) {
            let (child, bound) = (self.nodes.child(set, value), self.nodes.child(within, value));
            let child = self.saturate(digit + 1, child, bound)?;
            self.nodes.making.push(child);
        }
        let closed = self.close(digit, base, within)?;
        self.saturated.insert((set, within), closed);
        self.saturated.insert((closed, within), closed);
        Ok(closed)
    }

    /// Makes a node of children that are closed under the events below: fires the events that begin at its digit until nothing new comes.
    fn close(&mut self, digit: usize, base: usize, within: Node) -> Result<Node, Halt> {
        let events = self.events;
        let beginning = &events.beginning[digit];
        if beginning.is_empty() {
            return self.nodes.finish(base);
        }
        let values = self.digits.values(digit);
        self.nodes.making.resize(base + values, EMPTY);
        // By value: when its child last became larger; by event: up to when it has been fired.
        let mut clock = 1;
        let mut grown = vec![1; values];
        let mut fired = vec![0; beginning.len()];
        let mut stable = false;
        while !stable {
            stable = true;
            for (event, fired) in beginning.iter().zip(&mut fired) {
                let since = std::mem::replace(fired, clock);
                for (from, to, rest) in &events.matrix(*event).entries {
                    let (from, to) = (*from as usize, *to as usize);
                    let child = self.nodes.making[base + from];
                    if child == EMPTY || grown[from] <= since {
                        continue;
                    }
                    let bound = self.nodes.child(within, to);
                    let made = self.fire(digit + 1, child, *rest, bound)?;
                    let before = self.nodes.making[base + to];
                    let after = self.nodes.union(before, made)?;
                    if after != before {
                        self.nodes.making[base + to] = after;
                        clock += 1;
                        grown[to] = clock;
                        stable = false;
                    }
                }
            }
        }
        self.nodes.finish(base)
    }

    /// Where what is left of an event leads from a set, inside of another and closed under the events that begin at a digit or below.
    fn fire(&mut self, digit: usize, set: Node, event: MatrixId, within: Node) -> Result<Node, Halt> {
        if set == EMPTY || within == EMPTY {
            return Ok(EMPTY);
        }
        if event == IDENTITY {
            // The set is closed, but under what its former place allows.
            let set = self.nodes.intersection(set, within)?;
            return if within == ALL { Ok(set) } else { self.saturate(digit, set, within) };
        }
        if let Some(known) = self.fired.get(&(set, event, within)) {
            return Ok(*known);
        }
        self.count()?;
        let events = self.events;
        let matrix = events.matrix(event);
        let base = self.nodes.making.len();
        if matrix.digit > digit {
            for value in 0..self.nodes.len(set) {
                let (child, bound) = (self.nodes.child(set, value), self.nodes.child(within, value));
                let child = self.fire(digit + 1, child, event, bound)?;
                self.nodes.making.push(child);
            }
        } else {
            self.nodes.making.resize(base + self.digits.values(digit), EMPTY);
            for (from, to, rest) in &matrix.entries {
                let (from, to) = (*from as usize, *to as usize);
                let (child, bound) = (self.nodes.child(set, from), self.nodes.child(within, to));
                let made = self.fire(digit + 1, child, *rest, bound)?;
                self.nodes.making[base + to] = self.nodes.union(self.nodes.making[base + to], made)?;
            }
        }
        let closed = self.close(digit, base, within)?;
        self.fired.insert((set, event, within), closed);
        Ok(closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagrams::Operations;
    use crate::symbolic::Symbolic;
    use servanda_engine::{NoLimits, Options};
    use servanda_testkit::{Trials, Tried};

    #[test]
    fn saturation_finds_what_sweeps_find() {
        Trials::from_environment(1000).on_protocols(|case| {
            let Ok(mut symbolic) = Symbolic::new(&case.model, Options::default(), 1 << 18, &NoLimits) else {
                return Ok(Tried::Skipped);
            };
            let stop = |_: Halt| "a limit".to_owned();
            let Some(mut saturation) = Saturation::new(&symbolic.encoding, &symbolic.parts) else {
                return Ok(Tried::Skipped);
            };
            let mut closed = |symbolic: &Symbolic<'_>, direction, sets: (&Bdd, Option<&Bdd>)| {
                let asked = Asked { direction, set: sets.0, within: sets.1 };
                let closed = saturation.closed(&symbolic.encoding, asked, 1 << 18, &NoLimits);
                closed.map_err(stop)?.ok_or_else(|| "more than states".to_owned())
            };
            let initial = symbolic.initial.clone();
            let swept = symbolic.reach(&initial, &NoLimits).map_err(stop)?;
            if closed(&symbolic, Direction::Forwards, (&initial, None))? != swept {
                return Err("not the same states".to_owned());
            }
            for bit in symbolic.encoding.bits.clone() {
                let bit = symbolic.encoding.diagrams.variable(bit.now).map_err(stop)?;
                for goal in [symbolic.universe.both(&bit), symbolic.universe.without(&bit)] {
                    let goal = goal.map_err(stop)?;
                    // Through all states, and through those on the other side alone, so that some ways are closed.
                    let through = symbolic.universe.without(&goal).map_err(stop)?;
                    for through in [&symbolic.universe.clone(), &through] {
                        let swept = symbolic.swept_until(through, &goal, &NoLimits).map_err(stop)?;
                        let within = through.both(&symbolic.universe).map_err(stop)?;
                        if closed(&symbolic, Direction::Backwards, (&goal, Some(&within)))? != swept {
                            return Err("not the same states before".to_owned());
                        }
                    }
                }
            }
            Ok(Tried::Holds)
        });
    }

    /// Digits of several variables say the same as digits of one, and sums that are wrong do not go unnoticed.
    #[test]
    fn what_a_sum_ties_is_one_digit() {
        let text = "protocol Ring\nroles A\nvar p0, p1 : 0..2 = 1\nvar p2, p3 : 0..2 = 0\nstart s\n\
            s -- A: a when p0 > 0 set p0 = p0 - 1, p1 = p1 + 1 --> s\n\
            s -- A: b when p1 > 0 set p1 = p1 - 1, p2 = p2 + 1 --> s\n\
            s -- A: c when p2 > 0 & p3 < 2 set p2 = p2 - 1, p3 = p3 + 1 --> s\n\
            s -- A: d when p3 > 0 set p3 = p3 - 1, p0 = p0 + 1 --> s\n";
        let model = servanda_testkit::load(text).model;
        let mut symbolic =
            Symbolic::new(&model, Options::default(), 1 << 18, &NoLimits).expect("a small model");
        let initial = symbolic.initial.clone();
        let swept = symbolic.reach(&initial, &NoLimits).expect("it fits");
        let mut closed = |change: i64| {
            symbolic.encoding.sums.iter_mut().for_each(|sum| sum.total += change);
            let mut saturation =
                Saturation::new(&symbolic.encoding, &symbolic.parts).expect("there are events");
            let asked = Asked { direction: Direction::Forwards, set: &initial, within: None };
            let closed = saturation.closed(&symbolic.encoding, asked, 1 << 18, &NoLimits);
            (saturation.digits.len(), closed.expect("it fits").expect("states alone"))
        };
        let (digits, states) = closed(0);
        assert!(digits <= 2, "{digits} digits");
        assert!(states == swept, "not the same states");
        assert!(closed(-1).1 != swept, "a wrong sum is not noticed");
    }
}
