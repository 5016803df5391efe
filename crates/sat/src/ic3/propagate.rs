//! What frames exclude, and how it moves to later ones.

use servanda_engine::Halt;

use crate::cube::{self, Cube};
use crate::effort::Effort;

use super::Ic3;

/// Does the smaller cube contain the other one?
fn contains(smaller: &Cube, cube: &Cube) -> bool {
    let mut rest = cube.iter();
    smaller.len() <= cube.len() && smaller.iter().all(|bit| rest.any(|other| other == bit))
}

impl Ic3 {
    /// Does a frame exclude a cube, as can be seen without a question?
    pub(super) fn is_excluded(&self, cube: &Cube, frame: usize) -> bool {
        let frames = self.frames[frame..].iter().flatten();
        frames.chain(&self.invariant).any(|excluded| contains(excluded, cube))
    }

    pub(super) fn exclude(&mut self, cube: Cube, frame: usize) {
        let mut clause = cube::clause(&self.state, &cube);
        clause.push(-self.active[frame]);
        self.gates.add(&clause);
        self.added += 1;
        for earlier in &mut self.frames[1..=frame] {
            earlier.retain(|other| !contains(&cube, other));
        }
        self.frames[frame].push(cube);
    }

    /// Moves cubes to later frames; `true` when some frame excludes all that its steps could lead to.
    pub(super) fn propagate(&mut self, last: usize, effort: &Effort<'_>) -> Result<bool, Halt> {
        for frame in 1..=last {
            let mut cubes = self.frames[frame].clone();
            cubes.sort_by_key(Vec::len);
            let mut all_move = true;
            for cube in cubes {
                // A smaller one that has moved may have taken it along.
                if !self.frames[frame].contains(&cube) {
                    continue;
                }
                match self.entered(&cube, frame, effort)? {
                    // In the last frame nothing can move, but it may be closed already.
                    Some(_) if frame == last => {}
                    Some(core) => {
                        let core = self.without_start(&cube, core, effort)?;
                        self.exclude(core, frame + 1);
                    }
                    None => {
                        all_move = false;
                        if frame == last {
                            return Ok(false);
                        }
                    }
                }
            }
            if all_move {
                self.settle(frame);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All that is excluded from a frame on is excluded for good.
    fn settle(&mut self, frame: usize) {
        for later in frame..self.frames.len() {
            for cube in std::mem::take(&mut self.frames[later]) {
                let clause = cube::clause(&self.state, &cube);
                self.gates.add(&clause);
                self.invariant.push(cube);
            }
        }
    }
}
