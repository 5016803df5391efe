//! Values that never meet: which two of the parts that variables have are never in the same state?
//!
//! A part says something of one variable: a bit of it, some of its bits, its value. What has been seen together once is crossed out. What is
//! left holds of every state seen so far, and says mostly that two agents are not at the same place at the same time.

use crate::cube::Cube;

/// Variables with so few bits have a part for each of their values; of others single bits are looked at.
const FEW_VALUES: usize = 4;

/// Of variables with so few bits every choice of bits is looked at.
const FEW_BITS: usize = 3;

/// With more parts than that a state would take too long.
const MOST_PARTS: usize = 500;

/// What can be said of one variable.
struct Part {
    cube: Cube,
    variable: usize,
    /// Parts of the same variable that say less.
    weaker: Vec<usize>,
}

/// Parts, and which of them have been seen together.
pub(super) struct Pairs {
    parts: Vec<Part>,
    /// For each part, those up to it that have not been seen with it, one bit each.
    apart: Vec<u64>,
    words: usize,
    /// By part: in which runs it holds.
    holds: Vec<u64>,
}

impl Pairs {
    /// Nothing has been seen yet. The positions of the bits of each variable.
    pub(super) fn new(variables: &[Vec<usize>]) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for (variable, bits) in variables.iter().enumerate() {
            let first = parts.len();
            for cube in cubes(bits) {
                let says = |less: &Cube| less.len() < cube.len() && less.iter().all(|bit| cube.contains(bit));
                let weaker = (first..parts.len()).filter(|at| says(&parts[*at].cube)).collect();
                parts.push(Part { cube, variable, weaker });
            }
        }
        if parts.len() > MOST_PARTS {
            parts.clear();
        }
        let words = parts.len().div_ceil(64);
        let mut pairs =
            Pairs { apart: vec![0; words * parts.len()], words, holds: vec![0; parts.len()], parts };
        for one in 0..pairs.parts.len() {
            for other in 0..=one {
                if one == other || pairs.parts[one].variable != pairs.parts[other].variable {
                    pairs.apart[one * words + other / 64] |= 1 << (other % 64);
                }
            }
        }
        pairs
    }

    /// Looks at nothing any more.
    pub(super) fn give_up(&mut self) {
        self.parts.clear();
    }

    /// Sees the states of these runs; were there new pairs?
    pub(super) fn see(&mut self, state: &[u64], runs: u64) -> bool {
        for (part, holds) in self.parts.iter().zip(&mut self.holds) {
            *holds = part
                .cube
                .iter()
                .fold(runs, |all, (at, value)| all & if *value { state[*at] } else { !state[*at] });
        }
        let mut any = false;
        for one in 0..self.parts.len() {
            let own = self.holds[one];
            if own == 0 {
                continue;
            }
            for word in 0..=one / 64 {
                let apart = &mut self.apart[one * self.words + word];
                let mut rest = *apart;
                while rest != 0 {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    if own & self.holds[word * 64 + bit] != 0 {
                        *apart &= !(1 << bit);
                        any = true;
                    }
                }
            }
        }
        any
    }

    fn are_apart(&self, one: usize, other: usize) -> bool {
        let (small, large) = (one.min(other), one.max(other));
        self.apart[large * self.words + small / 64] >> (small % 64) & 1 == 1
    }

    /// Pairs of parts that have never been seen together, without those that follow from others; a part that has never been seen is a pair
    /// with itself.
    pub(super) fn never(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let is_new = |one: usize| !self.are_apart(one, one);
        for one in 0..self.parts.len() {
            if !is_new(one) {
                if self.parts[one].weaker.iter().all(|weaker| is_new(*weaker)) {
                    found.push((one, one));
                }
                continue;
            }
            for word in 0..=one / 64 {
                let mut rest = self.apart[one * self.words + word];
                while rest != 0 {
                    let other = word * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    if is_new(other)
                        && !self.parts[one].weaker.iter().any(|weaker| self.are_apart(*weaker, other))
                        && !self.parts[other].weaker.iter().any(|weaker| self.are_apart(one, *weaker))
                    {
                        found.push((one, other));
                    }
                }
            }
        }
        found
    }

    /// The states in which both parts hold.
    pub(super) fn cube(&self, (one, other): (usize, usize)) -> Cube {
        let mut cube = self.parts[one].cube.clone();
        if one != other {
            cube.extend(&self.parts[other].cube);
        }
        cube.sort_unstable();
        cube
    }
}

/// What is said of a variable with these bits, fewer bits before more.
fn cubes(bits: &[usize]) -> Vec<Cube> {
    if bits.len() > FEW_VALUES {
        return bits.iter().flat_map(|at| [vec![(*at, false)], vec![(*at, true)]]).collect();
    }
    let mut cubes = vec![Cube::new()];
    for at in bits {
        for with in 0..cubes.len() {
            for value in [false, true] {
                let mut cube = cubes[with].clone();
                cube.push((*at, value));
                cubes.push(cube);
            }
        }
    }
    let is_said = |cube: &Cube| cube.len() == 1 || bits.len() <= FEW_BITS || cube.len() == bits.len();
    let mut said: Vec<Cube> = cubes.into_iter().filter(|cube| !cube.is_empty() && is_said(cube)).collect();
    for cube in &mut said {
        cube.sort_unstable();
    }
    said.sort_by_key(Vec::len);
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_seen_together_is_left() {
        // Two variables of two bits: they are never 3, and never 1 at the same time.
        let mut pairs = Pairs::new(&[vec![0, 1], vec![2, 3]]);
        for code in 0..16_u64 {
            let (a, b) = (code & 3, code >> 2);
            if a == 3 || b == 3 || a == 1 && b == 1 {
                continue;
            }
            let state: Vec<u64> = (0..4).map(|bit| code >> bit & 1).collect();
            pairs.see(&state, 1);
        }
        let mut never: Vec<Cube> = pairs.never().into_iter().map(|pair| pairs.cube(pair)).collect();
        never.sort();
        // Since 3 is never there, one bit is enough to say 1.
        assert_eq!(
            never,
            [vec![(0, true), (1, true)], vec![(0, true), (2, true)], vec![(2, true), (3, true)]]
        );
    }
}
