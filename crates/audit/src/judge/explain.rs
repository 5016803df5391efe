//! The cheapest explanation of lines that no run of the model agrees with: which of them should not be there, which are missing,
//! which should say something else.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_model::LabelId;

use super::rules::asked;
use super::{Judge, Letter, Standing, Step};

/// The most places that a search visits; beyond, lines that are not possible are dropped.
const MOST_PLACES: usize = 1 << 20;

/// One move of an explanation. Lines are positions in the trail that is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The line is as it should be.
    Kept {
        /// Which line.
        line: usize,
    },
    /// The line should not be there.
    Dropped {
        /// Which line.
        line: usize,
    },
    /// A line is missing.
    Inserted {
        /// Before which line.
        before: usize,
        /// What it would say.
        label: LabelId,
    },
    /// The line should say something else.
    Replaced {
        /// Which line.
        line: usize,
        /// What it would say.
        label: LabelId,
    },
    /// Something that leaves no line.
    Silent {
        /// Before which line.
        before: usize,
        /// What.
        label: LabelId,
    },
}

impl Move {
    /// What it costs.
    pub fn cost(self) -> usize {
        match self {
            Move::Kept { .. } | Move::Silent { .. } => 0,
            Move::Dropped { .. } | Move::Inserted { .. } | Move::Replaced { .. } => 1,
        }
    }
}

/// How lines can be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// How many lines are dropped, inserted or replaced.
    pub cost: usize,
    /// What happens, in order.
    pub moves: Vec<Move>,
    /// How the slice stands after it.
    pub standing: Standing,
}

/// A place of the search: so many lines are explained, and the run is in this state.
type Place = (u32, u32);

/// What a place costs to reach, by which way.
struct Reached {
    cost: u64,
    from: Option<(Place, Move)>,
}

/// The order among explanations: fewer changes first; a missing line is likelier than one too many, and that than a wrong one; then the
/// change is looked for near the end; then less is silent.
fn weight(found: Move, lines: usize) -> u64 {
    let change = |kind: u64, line: usize| (1 << 40) + (kind << 32) + ((lines - line) << 16) as u64;
    match found {
        Move::Kept { .. } => 0,
        Move::Silent { .. } => 1,
        Move::Inserted { before, .. } => change(0, before),
        Move::Dropped { line } => change(1, line),
        Move::Replaced { line, .. } => change(2, line),
    }
}

impl Judge<'_> {
    /// The cheapest explanation of some lines after a standing. It is looked for within a bound, beyond which lines that are not possible
    /// are dropped; none where there are too many standings to go on from it.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub fn explain(
        &mut self,
        from: Standing,
        trail: &[Letter],
        budget: &dyn Budget,
    ) -> Result<Option<Explanation>, Halt> {
        match self.cheapest(from, trail, budget)? {
            Some(moves) => match self.walk(from, trail, &moves, budget)? {
                Some(standing) => {
                    let cost = moves.iter().map(|found| found.cost()).sum();
                    Ok(Some(Explanation { cost, moves, standing }))
                }
                None => Ok(None),
            },
            None => self.dropping(from, trail, budget),
        }
    }

    /// A search for the cheapest way through the lines, over states and lines explained; none where it becomes too long.
    fn cheapest(
        &self,
        from: Standing,
        trail: &[Letter],
        budget: &dyn Budget,
    ) -> Result<Option<Vec<Move>>, Halt> {
        let mut reached: FxHashMap<Place, Reached> = FxHashMap::default();
        let mut todo = BinaryHeap::new();
        for state in self.states(from) {
            reached.insert((0, *state), Reached { cost: 0, from: None });
            todo.push(Reverse((0, (0, *state))));
        }
        let (mut visited, mut moves) = (0, Vec::new());
        while let Some(Reverse((cost, place))) = todo.pop() {
            if cost > reached[&place].cost {
                continue;
            }
            if place.0 as usize == trail.len() {
                return Ok(Some(way_to(&reached, place)));
            }
            asked(visited, budget)?;
            visited += 1;
            if visited > MOST_PLACES {
                return Ok(None);
            }
            self.moves_from(place, trail, &mut moves);
            for (found, next) in moves.drain(..) {
                let cost = cost + weight(found, trail.len());
                if reached.get(&next).is_none_or(|known| cost < known.cost) {
                    reached.insert(next, Reached { cost, from: Some((place, found)) });
                    todo.push(Reverse((cost, next)));
                }
            }
        }
        Ok(None)
    }

    fn moves_from(&self, (lines, state): Place, trail: &[Letter], moves: &mut Vec<(Move, Place)>) {
        let line = lines as usize;
        let heard = self.letters.heard(trail[line]);
        if heard.perhaps_unheard {
            moves.push((Move::Kept { line }, (lines + 1, state)));
        }
        for &(label, target) in self.watches[0].steps.of(state) {
            let id = LabelId(label);
            if self.silent[label as usize] {
                moves.push((Move::Silent { before: line, label: id }, (lines, target)));
            } else if heard.labels.binary_search(&label).is_ok() {
                moves.push((Move::Kept { line }, (lines + 1, target)));
                moves.push((Move::Inserted { before: line, label: id }, (lines, target)));
            } else {
                moves.push((Move::Replaced { line, label: id }, (lines + 1, target)));
                moves.push((Move::Inserted { before: line, label: id }, (lines, target)));
            }
        }
        moves.push((Move::Dropped { line }, (lines + 1, state)));
    }

    /// How a slice stands after an explanation; none where there are too many standings.
    fn walk(
        &mut self,
        from: Standing,
        trail: &[Letter],
        moves: &[Move],
        budget: &dyn Budget,
    ) -> Result<Option<Standing>, Halt> {
        let mut standing = from;
        for found in moves {
            let letter = match *found {
                Move::Kept { line } => trail[line],
                Move::Inserted { label, .. } | Move::Replaced { label, .. } => self.letter_of(label),
                Move::Dropped { .. } | Move::Silent { .. } => continue,
            };
            match self.step(standing, letter, budget)? {
                Step::Went { to, .. } => standing = to,
                Step::NotPossible | Step::TooMany => return Ok(None),
            }
        }
        Ok(Some(standing))
    }

    /// The explanation that drops every line that is not possible.
    fn dropping(
        &mut self,
        from: Standing,
        trail: &[Letter],
        budget: &dyn Budget,
    ) -> Result<Option<Explanation>, Halt> {
        let (mut standing, mut moves) = (from, Vec::new());
        for (line, letter) in trail.iter().enumerate() {
            match self.step(standing, *letter, budget)? {
                Step::Went { to, .. } => {
                    standing = to;
                    moves.push(Move::Kept { line });
                }
                Step::NotPossible => moves.push(Move::Dropped { line }),
                Step::TooMany => return Ok(None),
            }
        }
        let cost = moves.iter().map(|found| found.cost()).sum();
        Ok(Some(Explanation { cost, moves, standing }))
    }

    /// The letter that stands for one label.
    fn letter_of(&mut self, label: LabelId) -> Letter {
        let shown = || self.model.show_label(label);
        self.letters.of_label(label, shown, self.hears.as_deref())
    }
}

fn way_to(reached: &FxHashMap<Place, Reached>, mut place: Place) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some((before, found)) = reached.get(&place).and_then(|reached| reached.from) {
        moves.push(found);
        place = before;
    }
    moves.reverse();
    moves
}
