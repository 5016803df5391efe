//! What frames exclude, and how it moves to later ones.

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::cube::{self, Cube};
use crate::definitions::Definitions;
use crate::effort::Effort;

use super::Ic3;

/// Why cubes have not moved on: states of their frames from which steps enter them. As long as such a state is not excluded itself, nobody
/// need ask again.
#[derive(Default)]
pub(super) struct Obstacles {
    /// For each cube the frame, the state, and how much had been excluded when that was looked at last.
    of: FxHashMap<Cube, (usize, Vec<bool>, usize)>,
    /// What has been excluded, from which frame on.
    excluded: Vec<(usize, Cube)>,
}

impl Obstacles {
    /// Is the obstacle to a cube that was found in a frame still there?
    fn stands(&mut self, cube: &Cube, frame: usize) -> bool {
        let Some((found, state, looked)) = self.of.get_mut(cube) else { return false };
        let has = |excluded: &Cube| excluded.iter().all(|(at, value)| state[*at] == *value);
        let stands = *found == frame
            && !self.excluded[*looked..].iter().any(|(last, other)| *last >= frame && has(other));
        *looked = self.excluded.len();
        if !stands {
            self.of.remove(cube);
        }
        stands
    }

    /// What stood in the way may be no longer possible.
    fn forget(&mut self) {
        self.of.clear();
    }

    fn put(&mut self, cube: Cube, frame: usize, state: Vec<bool>) {
        self.of.insert(cube, (frame, state, self.excluded.len()));
    }
}

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

    /// No reachable state is in these cubes, as somebody else has proved; together they are inductive.
    pub(crate) fn know<'c>(&mut self, cubes: impl Iterator<Item = &'c Cube>) {
        for cube in cubes {
            self.gates.add(&cube::clause(&self.state, cube));
            self.invariant.push(cube.clone());
            self.obstacles.excluded.push((usize::MAX, cube.clone()));
        }
    }

    /// As [`Ic3::know`], where reachable states are known to have more in common as well. What frames exclude stays as it is.
    pub(crate) fn know_more<'c>(
        &mut self,
        graph: &Graph,
        typed: Edge,
        cubes: impl Iterator<Item = &'c Cube>,
        effort: &Effort<'_>,
    ) -> Result<(), Halt> {
        let roots = self.machine.next.iter().copied().chain([self.machine.valid, self.initial, typed]);
        self.definitions = Definitions::new(graph, &roots.collect::<Vec<Edge>>(), effort)?;
        self.typed = typed;
        self.obstacles.forget();
        self.know(cubes);
        self.wire(graph, effort)
    }

    pub(super) fn exclude(&mut self, cube: Cube, frame: usize) {
        let mut clause = cube::clause(&self.state, &cube);
        clause.push(-self.active[frame]);
        self.gates.add(&clause);
        self.added += 1;
        for earlier in &mut self.frames[1..=frame] {
            earlier.retain(|other| !contains(&cube, other));
        }
        self.obstacles.excluded.push((frame, cube.clone()));
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
                if self.obstacles.stands(&cube, frame) {
                    all_move = false;
                    if frame == last {
                        return Ok(false);
                    }
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
                        let state = self.values(&self.state);
                        self.obstacles.put(cube, frame, state);
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
