//! What is still to be excluded, from which frame, and how the run from there to the set goes on.
//!
//! Who leads to the set in some steps mostly does so in more steps as well, and what was excluded in its place need not be excluded from the
//! next frame. So who has been excluded from the last frame is asked about again when there is one more, before anybody looks for another
//! state of the set; but not for ever, since what was learnt meanwhile is mostly worth more.

use std::collections::BinaryHeap;

use crate::cube::Cube;

/// So often somebody is asked about in one frame more; beyond that only where there is such a frame already.
const MOVES: usize = 4;

/// A cube to be excluded from a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Obligation {
    pub(super) frame: usize,
    /// Which link it is.
    pub(super) number: usize,
    /// How often it has been moved to a later frame.
    moves: usize,
}

impl Ord for Obligation {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // A heap gives the greatest first: the lowest frame, the newest obligation in it.
        other.frame.cmp(&self.frame).then(self.number.cmp(&other.number)).then(self.moves.cmp(&other.moves))
    }
}

impl PartialOrd for Obligation {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A cube all of whose states have a step, with these choices, into the cube of the parent, or into the set asked about.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) cube: Cube,
    pub(super) choices: Vec<bool>,
    pub(super) parent: Option<usize>,
}

/// All obligations of one question.
#[derive(Default)]
pub(super) struct Obligations {
    links: Vec<Link>,
    heap: BinaryHeap<Obligation>,
    /// How many links there were before the last frame was begun.
    before: usize,
}

impl Obligations {
    pub(super) fn link(&self, number: usize) -> &Link {
        &self.links[number]
    }

    /// How many have been found since the last frame was begun.
    pub(super) fn found(&self) -> usize {
        self.links.len() - self.before
    }

    /// One more, and its number.
    pub(super) fn add(&mut self, frame: usize, link: Link) -> usize {
        let number = self.links.len();
        self.links.push(link);
        self.heap.push(Obligation { frame, number, moves: 0 });
        number
    }

    /// The next one that is not beyond the last frame.
    pub(super) fn next(&mut self, last: usize) -> Option<Obligation> {
        if self.heap.peek()?.frame > last { None } else { self.heap.pop() }
    }

    /// It is not done yet.
    pub(super) fn put_back(&mut self, obligation: Obligation) {
        self.heap.push(obligation);
    }

    /// It has been excluded up to a frame, and may have to be excluded from the next.
    pub(super) fn excluded(&mut self, obligation: Obligation, frame: usize, last: usize) {
        let moves = obligation.moves + 1;
        if frame < last || moves < MOVES {
            self.heap.push(Obligation { frame: frame + 1, moves, ..obligation });
        }
    }

    /// Another frame is the last one from now on. Links that nobody comes through any more are forgotten.
    pub(super) fn begin_frame(&mut self) {
        let mut needed = vec![false; self.links.len()];
        for obligation in &self.heap {
            let mut at = Some(obligation.number);
            while let Some(link) = at.filter(|link| !needed[*link]) {
                needed[link] = true;
                at = self.links[link].parent;
            }
        }
        let mut places = Vec::with_capacity(needed.len());
        let mut kept = Vec::new();
        for (link, needed) in std::mem::take(&mut self.links).into_iter().zip(needed) {
            places.push(kept.len());
            if needed {
                // Parents stand before those who lead to them.
                kept.push(Link { parent: link.parent.map(|parent| places[parent]), ..link });
            }
        }
        let moved = |old: Obligation| Obligation { number: places[old.number], ..old };
        self.heap = std::mem::take(&mut self.heap).into_iter().map(moved).collect();
        self.before = kept.len();
        self.links = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(bit: usize, parent: Option<usize>) -> Link {
        Link { cube: vec![(bit, true)], choices: Vec::new(), parent }
    }

    #[test]
    fn the_lowest_frame_comes_first_and_later_frames_wait() {
        let mut obligations = Obligations::default();
        let bad = obligations.add(2, link(0, None));
        let before = obligations.add(1, link(1, Some(bad)));
        let first = obligations.next(2).expect("two are waiting");
        assert_eq!(first.number, before);
        obligations.excluded(first, 2, 2);
        assert_eq!(obligations.next(2).map(|next| next.number), Some(bad));
        assert!(obligations.next(2).is_none(), "the other is in the third frame now");
        assert_eq!(obligations.next(3).map(|next| (next.number, next.frame)), Some((before, 3)));
    }

    #[test]
    fn nobody_is_asked_about_for_ever() {
        let mut obligations = Obligations::default();
        obligations.add(1, link(0, None));
        let mut last = 1;
        while let Some(next) = obligations.next(last) {
            obligations.excluded(next, last, last);
            last += 1;
        }
        assert_eq!(last, 1 + MOVES);
    }

    #[test]
    fn links_that_are_still_needed_survive_a_new_frame() {
        let mut obligations = Obligations::default();
        obligations.add(1, link(7, None));
        let bad = obligations.add(3, link(0, None));
        let middle = obligations.add(2, link(1, Some(bad)));
        obligations.add(1, link(2, Some(middle)));
        // The first of all and the one in the middle are done, but the run from the newest goes through the latter.
        for done in [3, 0, 2] {
            assert_eq!(obligations.next(3).map(|next| next.number), Some(done));
        }
        obligations.put_back(Obligation { frame: 1, number: 3, moves: 0 });
        obligations.begin_frame();
        assert_eq!(obligations.found(), 0);
        let newest = obligations.next(3).expect("two are waiting");
        let mut run = Vec::new();
        let mut at = Some(newest.number);
        while let Some(number) = at {
            run.push(obligations.link(number).cube[0].0);
            at = obligations.link(number).parent;
        }
        assert_eq!(run, [2, 1, 0]);
        assert_eq!(obligations.next(3).map(|next| obligations.link(next.number).cube[0].0), Some(0));
    }
}
