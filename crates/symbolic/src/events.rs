//! The steps of a model as events: relations between the values of digits, from the first digit that an event is about downwards.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Progress};

use crate::diagrams::{Bdd, Operations};
use crate::digits::Digits;
use crate::encoding::Encoding;
use crate::multi::too_much;
use crate::relation::Part;

/// What an event does from some digit on: a matrix over the values of that digit.
pub(crate) type MatrixId = u32;

/// Nothing is asked and nothing changes any more.
pub(crate) const IDENTITY: MatrixId = 0;

/// A step of a digit: from a value to a value, and what happens to the digits below.
pub(crate) type Entry = (u32, u32, MatrixId);

/// What an event does to one digit and to those below.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Matrix {
    pub(crate) digit: usize,
    pub(crate) entries: Box<[Entry]>,
}

/// Which way events are gone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forwards,
    Backwards,
}

/// The parts of a relation by what they are about, not yet taken to pieces.
pub(crate) struct Shape {
    /// For each event the first digit it is about, the bits it changes, and its steps: those of parts that agree in both.
    events: Vec<(usize, Vec<bool>, Vec<Bdd>)>,
    /// So many results may be made: with no bound where most events begin far enough down that it pays to close nodes one by one,
    /// otherwise as many as it takes to see whether it does.
    pub(crate) most_results: usize,
    /// Where there is a step that changes nothing.
    idle: Vec<Bdd>,
}

/// Where events begin far up, saturation ends after so many results and a few for every event and digit.
const TRIAL_RESULTS: usize = 1 << 19;

/// Relations with more steps between digits than these in all are left as they are.
const MOST_ENTRIES: usize = 1 << 20;

impl Shape {
    /// The shape of these parts; `None` where everything happens at once: in rounds, or where there is but one part.
    pub(crate) fn new<'a>(
        digits: &Digits,
        bits: usize,
        parts: impl IntoIterator<Item = &'a Part>,
    ) -> Option<Self> {
        let digit_of = digits.digit_of_bit();
        let (mut depth, mut count, mut places) = (0, 0, FxHashMap::default());
        let mut idle = Vec::new();
        let mut events: Vec<(usize, Vec<bool>, Vec<Bdd>)> = Vec::new();
        // How many bits are above each digit.
        let mut above = vec![0];
        digits.bits.iter().for_each(|own| above.push(above[above.len() - 1] + own.len()));
        for part in parts {
            // Rounds mention actions, which are no part of a state, even where they come as one conjunct.
            if part.is_round() {
                return None;
            }
            let [conjunct] = part.all_conjuncts() else { return None };
            count += 1;
            let mut changed = vec![false; bits];
            part.changed().for_each(|bit| changed[bit] = true);
            let first_change = part.changed().map(|bit| digit_of[bit]).min().unwrap_or(digits.len());
            let top = first_change.min(digits.top(&conjunct.set));
            // What changes nothing leads nowhere else.
            if first_change == digits.len() {
                idle.push(conjunct.set.clone());
                continue;
            }
            depth += bits - above[top];
            let place = *places.entry((top, changed.clone())).or_insert(events.len());
            if place == events.len() {
                events.push((top, changed, Vec::new()));
            }
            events[place].2.push(conjunct.set.clone());
        }
        // What is fired after what does not depend on where commands are declared.
        let digits_of = |changed: &[bool]| {
            let digits =
                changed.iter().zip(&digit_of).filter_map(|(changed, digit)| changed.then_some(*digit));
            let mut digits: Vec<usize> = digits.collect();
            digits.sort_unstable();
            digits
        };
        events.sort_by_cached_key(|(top, changed, _)| (*top, digits_of(changed)));
        let deep = 4 * depth <= 3 * count * bits;
        let trial = TRIAL_RESULTS + 4 * events.len() * digits.len();
        let most_results = if deep { usize::MAX } else { trial };
        (count > 1).then_some(Shape { events, most_results, idle })
    }

    /// Where there is a step that changes nothing.
    pub(crate) fn idle(&self, encoding: &Encoding<'_>) -> Result<Bdd, Halt> {
        let none = encoding.diagrams.falsity();
        servanda_algebra::balanced(&self.idle, none, &mut |a, b| a.either(b))
    }
}

/// The events of a model in one direction.
pub(crate) struct Events {
    direction: Direction,
    matrices: Vec<Matrix>,
    numbers: FxHashMap<Matrix, MatrixId>,
    /// By digit: the events that begin there.
    pub(crate) beginning: Vec<Vec<MatrixId>>,
    /// From this digit on no event begins.
    pub(crate) end: usize,
    /// How many matrices have been made, some of them twice, and how many entries these have.
    taken: usize,
    entries: usize,
}

impl Events {
    /// Takes the parts of a relation to pieces, if they are not too many.
    pub(crate) fn new(
        encoding: &Encoding<'_>,
        digits: &Digits,
        shape: &Shape,
        direction: Direction,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let identity = Matrix { digit: digits.len(), entries: Box::default() };
        let mut events = Events {
            direction,
            matrices: vec![identity.clone()],
            numbers: FxHashMap::from_iter([(identity, IDENTITY)]),
            beginning: vec![Vec::new(); digits.len()],
            end: 0,
            taken: 0,
            entries: 0,
        };
        for (top, changed, parts) in &shape.events {
            encoding.diagrams.report(budget)?;
            let merged = servanda_algebra::balanced(parts, encoding.diagrams.falsity(), &mut |a, b| {
                encoding.diagrams.report(budget)?;
                a.either(b)
            })?;
            if merged.is_false() {
                continue;
            }
            let mut next_change = vec![digits.len(); digits.len() + 1];
            for digit in (0..digits.len()).rev() {
                let changes = digits.bits[digit].iter().any(|bit| changed[*bit]);
                next_change[digit] = if changes { digit } else { next_change[digit + 1] };
            }
            let mut pieces = Pieces { digits, changed, next_change, known: FxHashMap::default() };
            let event = events.take(&mut pieces, &merged, *top, budget)?;
            // Together parts may ask less than each of them: what they have in common can begin further down.
            let digit = events.matrix(event).digit;
            events.beginning[digit].push(event);
            events.end = events.end.max(digit + 1);
        }
        Ok(events)
    }

    /// A matrix.
    pub(crate) fn matrix(&self, id: MatrixId) -> &Matrix {
        &self.matrices[id as usize]
    }

    /// The matrix of what is left of a relation from a digit on.
    fn take(
        &mut self,
        pieces: &mut Pieces<'_>,
        relation: &Bdd,
        from: usize,
        budget: &dyn Budget,
    ) -> Result<MatrixId, Halt> {
        let digits = pieces.digits;
        let digit = pieces.next_change[from].min(digits.top(relation));
        if digit == digits.len() {
            return Ok(IDENTITY);
        }
        let key = (relation.clone(), digit);
        if let Some(known) = pieces.known.get(&key) {
            return Ok(*known);
        }
        self.taken += 1;
        if self.taken.is_multiple_of(64) {
            Progress::Deciding { nodes: self.matrices.len() as u64 }.tell(budget)?;
        }
        let mut entries = Vec::new();
        for (from, to, rest) in digits.steps(relation, digit, pieces.changed) {
            let rest = self.take(pieces, &rest, digit + 1, budget)?;
            let (from, to) = match self.direction {
                Direction::Forwards => (from as u32, to as u32),
                Direction::Backwards => (to as u32, from as u32),
            };
            entries.push((from, to, rest));
        }
        self.entries += entries.len();
        if self.entries > MOST_ENTRIES {
            return Err(too_much());
        }
        // What leads down is done from above, what leads up from below: one after the other, such steps are made in one go.
        entries.sort_unstable();
        if entries.iter().filter(|(from, to, _)| to < from).count() * 2 > entries.len() {
            entries.reverse();
        }
        let matrix = Matrix { digit, entries: entries.into() };
        let next = self.matrices.len() as MatrixId;
        let id = *self.numbers.entry(matrix.clone()).or_insert(next);
        if id == next {
            self.matrices.push(matrix);
        }
        pieces.known.insert(key, id);
        Ok(id)
    }
}

/// One event being taken to pieces.
struct Pieces<'a> {
    digits: &'a Digits,
    changed: &'a [bool],
    /// By digit: the first digit from there on that the event changes.
    next_change: Vec<usize>,
    known: FxHashMap<(Bdd, usize), MatrixId>,
}
