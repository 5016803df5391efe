//! Smaller cubes that a frame still excludes.
//!
//! A literal is dropped if the rest is still not entered. Where a step into the rest is found and the frame is a hard one, its origin may
//! itself be excluded first (a counterexample to generalisation), or the cube is joined with it. See Hassan, Bradley and Somenzi, "Better
//! generalization in IC3". Where few cubes are enough that costs more than it saves: how much is tried rests on how hard the question has
//! turned out to be, an idea of Su, Yang and Ci, "Extended CTG generalization and dynamic adjustment of generalization strategies in IC3".

use servanda_engine::Halt;

use crate::cube::Cube;
use crate::effort::Effort;

use super::Ic3;

/// A frame of which so many cubes were found that lead out of it is a hard one.
pub(super) const HARD: usize = 256;

/// So many origins of steps into a candidate are excluded before it is given up.
const ORIGINS: usize = 3;

/// And no origins of steps into those.
const DEPTH: usize = 1;

/// What the activity of bits is worth after one more cube.
const AGEING: f64 = 0.9;
const LARGE: f64 = 1e100;

/// Where a cube is made smaller: in which frame, of how many, and how far from the obligation.
#[derive(Clone, Copy)]
struct Level {
    frame: usize,
    last: usize,
    depth: usize,
}

impl Ic3 {
    /// A part of the cube that is not initial: the core, and as much of the cube as it takes.
    pub(super) fn without_start(
        &mut self,
        cube: &Cube,
        core: Cube,
        effort: &Effort<'_>,
    ) -> Result<Cube, Halt> {
        if self.start.excludes(&core) {
            return Ok(core);
        }
        let mut core = core;
        let best = |bit: &&(usize, bool)| self.activity[bit.0];
        let telling = cube.iter().filter(|bit| self.start.tells_apart(bit));
        if let Some(bit) = telling.max_by(|a, b| best(a).total_cmp(&best(b))) {
            core.push(*bit);
            core.sort_unstable();
            return Ok(core);
        }
        let Some(mut found) = self.starts_in(&core, effort)? else { return Ok(core) };
        for bit in cube {
            // What was found is an initial state in the core; a literal that it violates tells it from the cube.
            if found[bit.0] != bit.1 && !core.contains(bit) {
                core.push(*bit);
                core.sort_unstable();
                match self.starts_in(&core, effort)? {
                    None => return Ok(core),
                    Some(other) => found = other,
                }
            }
        }
        Ok(cube.clone())
    }

    /// A smaller cube that a frame still excludes, and the last frame that does.
    pub(super) fn generalise(
        &mut self,
        cube: &Cube,
        core: Cube,
        frame: usize,
        last: usize,
        effort: &Effort<'_>,
    ) -> Result<(Cube, usize), Halt> {
        let core = self.without_start(cube, core, effort)?;
        let mut cube = self.fewer(core, Level { frame, last, depth: 0 }, effort)?;
        let mut frame = frame;
        while frame < last {
            let Some(core) = self.entered(&cube, frame, effort)? else { break };
            cube = self.without_start(&cube, core, effort)?;
            frame += 1;
        }
        self.count(&cube);
        Ok((cube, frame))
    }

    /// The bits of a cube are part of what is excluded; that counts for more than what was excluded before.
    fn count(&mut self, cube: &Cube) {
        self.activity_step /= AGEING;
        for (at, _) in cube {
            self.activity[*at] += self.activity_step;
        }
        if self.activity_step > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.activity_step /= LARGE;
        }
    }

    /// Drops what can be dropped from a cube that a frame excludes.
    fn fewer(&mut self, cube: Cube, level: Level, effort: &Effort<'_>) -> Result<Cube, Halt> {
        let mut cube = cube;
        let mut order = cube.clone();
        // What was often needed will be needed again.
        order.sort_by(|a, b| self.activity[a.0].total_cmp(&self.activity[b.0]));
        let mut kept = Cube::new();
        for bit in order {
            let Ok(place) = cube.binary_search(&bit) else { continue };
            if cube.len() == 1 {
                break;
            }
            let mut candidate = cube.clone();
            candidate.remove(place);
            match self.down(candidate, &kept, level, effort)? {
                Some(smaller) => cube = smaller,
                None => kept.push(bit),
            }
        }
        Ok(cube)
    }

    /// The candidate or a part of it that the frame excludes, if what was kept can stay.
    fn down(
        &mut self,
        candidate: Cube,
        kept: &Cube,
        level: Level,
        effort: &Effort<'_>,
    ) -> Result<Option<Cube>, Halt> {
        let mut candidate = candidate;
        let mut origins = 0;
        loop {
            if self.starts_in(&candidate, effort)?.is_some() {
                return Ok(None);
            }
            if let Some(core) = self.entered(&candidate, level.frame - 1, effort)? {
                return self.without_start(&candidate, core, effort).map(Some);
            }
            if !self.is_hard || level.depth >= DEPTH {
                return Ok(None);
            }
            let (state, choices) = (self.values(&self.state), self.values(&self.choices));
            if origins < ORIGINS
                && level.frame > 1
                && self.exclude_origin(&state, &choices, &candidate, level, effort)?
            {
                origins += 1;
                continue;
            }
            origins = 0;
            // The smallest cube that has the state as well.
            let lost = |bit: &(usize, bool)| state[bit.0] != bit.1;
            if kept.iter().any(lost) {
                return Ok(None);
            }
            let before = candidate.len();
            candidate.retain(|bit| !lost(bit));
            if candidate.is_empty() || candidate.len() == before {
                return Ok(None);
            }
        }
    }

    /// Excludes the origin of a step from the frame before, where that is easy.
    fn exclude_origin(
        &mut self,
        state: &[bool],
        choices: &[bool],
        target: &Cube,
        level: Level,
        effort: &Effort<'_>,
    ) -> Result<bool, Halt> {
        let mut frame = level.frame - 1;
        let origin = self.lift.to_cube(state, choices, target)?;
        if self.starts_in(&origin, effort)?.is_some() {
            return Ok(false);
        }
        let Some(mut core) = self.entered(&origin, frame - 1, effort)? else { return Ok(false) };
        while frame < level.last {
            let Some(later) = self.entered(&origin, frame, effort)? else { break };
            core = later;
            frame += 1;
        }
        let core = self.without_start(&origin, core, effort)?;
        let cube = self.fewer(core, Level { frame, depth: level.depth + 1, ..level }, effort)?;
        self.exclude(cube, frame);
        Ok(true)
    }
}
