//! Trace equivalence: breadth first over pairs of sets of states.
//!
//! A pair need not be looked at if the pairs seen so far imply that it is equal (Hopcroft and Karp, 1971). A trace that
//! told such a pair apart would tell apart one of those it follows from, and these were met no later, so the first
//! difference found is still a shortest one.

use servanda_engine::Halt;
use servanda_lts::{Action, Edge, Lts, State};

use crate::determinise::Sets;
use crate::difference::Side;
use crate::quotient::branching;
use crate::refine::Inert;
use crate::watch::Watch;

/// A pair of sets, and how it was met.
struct Pair {
    sets: [State; 2],
    from: Option<(usize, Action)>,
}

/// A shortest trace that only one of two states has, and which one.
pub(crate) fn difference(
    lts: &Lts,
    left: State,
    right: State,
    watch: &mut Watch<'_>,
) -> Result<Option<(Side, Vec<Action>)>, Halt> {
    // Branching bisimilar states have the same visible traces, and fewer states make fewer sets.
    let reduced = branching(lts, watch)?;
    let mut sets = Sets::new(&reduced.lts, Inert::Internal);
    let start = [sets.closed([reduced.image(left)], watch)?, sets.closed([reduced.image(right)], watch)?];
    let mut merged = Merged::default();
    let mut pairs = vec![Pair { sets: start, from: None }];
    merged.join(start);
    let mut next = 0;
    while next < pairs.len() {
        let [one, other] = pairs[next].sets;
        let (mine, theirs) = (sets.steps(one, watch)?, sets.steps(other, watch)?);
        if let Some((side, action)) = first_difference(&mine, &theirs) {
            let mut trace = vec![action];
            let mut at = next;
            while let Some((before, action)) = pairs[at].from {
                trace.push(action);
                at = before;
            }
            trace.reverse();
            return Ok(Some((side, trace)));
        }
        for (mine, theirs) in mine.iter().zip(&theirs) {
            let reached = [mine.target, theirs.target];
            if merged.join(reached) {
                pairs.push(Pair { sets: reached, from: Some((next, mine.action)) });
            }
        }
        next += 1;
    }
    Ok(None)
}

/// The first label that only one of them has.
fn first_difference(left: &[Edge], right: &[Edge]) -> Option<(Side, Action)> {
    let lacking = |these: &[Edge], those: &[Edge]| {
        let known = |action: Action| those.binary_search_by_key(&action, |step| step.action).is_ok();
        these.iter().map(|step| step.action).find(|action| !known(*action))
    };
    let only_left = lacking(left, right).map(|action| (Side::Left, action));
    only_left.or_else(|| lacking(right, left).map(|action| (Side::Right, action)))
}

/// Sets that are taken to be equal.
#[derive(Default)]
struct Merged {
    parent: Vec<u32>,
}

impl Merged {
    /// Takes two sets to be equal; `false` if that is known.
    fn join(&mut self, pair: [State; 2]) -> bool {
        let [one, other] = pair.map(|set| self.find(set.0));
        self.parent[one as usize] = other;
        one != other
    }

    fn find(&mut self, mut set: u32) -> u32 {
        let known = self.parent.len() as u32;
        self.parent.extend(known..(set + 1).max(known));
        while self.parent[set as usize] != set {
            let above = self.parent[set as usize];
            self.parent[set as usize] = self.parent[above as usize];
            set = above;
        }
        set
    }
}
