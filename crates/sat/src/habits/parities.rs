//! Parities of bits: of which sets of bits is the number that is set always even, or always odd?
//!
//! What is kept is a basis of all that hold of the states seen so far: at first every bit is what it is in one state, and every state that
//! differs takes one equation away. It is Karr's analysis ("Affine relationships among variables of a program") over the field of two.

/// An equation: the number of these bits that are set is odd, or it is even.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Parity {
    /// Positions in a state, one bit each.
    bits: Box<[u64]>,
    pub(super) is_odd: bool,
}

impl Parity {
    pub(super) fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The positions.
    pub(super) fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.bits.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// The runs in which it does not hold.
    fn broken(&self, state: &[u64]) -> u64 {
        let sum = self.positions().fold(0, |sum, at| sum ^ state[at]);
        if self.is_odd { !sum } else { sum }
    }

    fn add(&mut self, other: &Parity) {
        for (word, more) in self.bits.iter_mut().zip(&other.bits) {
            *word ^= more;
        }
        self.is_odd ^= other.is_odd;
    }

    fn len_with(&self, other: &Parity) -> usize {
        self.bits.iter().zip(&other.bits).map(|(a, b)| (a ^ b).count_ones() as usize).sum()
    }
}

/// The equations.
pub(super) struct Parities {
    pub(super) rows: Vec<Parity>,
}

impl Parities {
    /// Every bit is what it is in this state.
    pub(super) fn of(state: &[bool]) -> Self {
        let words = state.len().div_ceil(64);
        let row = |(at, value): (usize, &bool)| {
            let mut bits = vec![0; words].into_boxed_slice();
            bits[at / 64] = 1 << (at % 64);
            Parity { bits, is_odd: *value }
        };
        Parities { rows: state.iter().enumerate().map(row).collect() }
    }

    /// Sees the states of these runs; were there new ones?
    pub(super) fn see(&mut self, state: &[u64], runs: u64) -> bool {
        let mut any = false;
        let mut at = 0;
        while at < self.rows.len() {
            let broken = self.rows[at].broken(state) & runs;
            if broken == 0 {
                at += 1;
                continue;
            }
            any = true;
            // Equations before this one hold in all runs. The shortest that does not hold in this run is added to the others.
            let run = 1 << broken.trailing_zeros();
            let violated: Vec<usize> =
                (at..self.rows.len()).filter(|at| self.rows[*at].broken(state) & run != 0).collect();
            let Some(&shortest) = violated.iter().min_by_key(|at| self.rows[**at].len()) else { continue };
            let pivot = self.rows[shortest].clone();
            for row in violated.into_iter().filter(|row| *row != shortest) {
                self.rows[row].add(&pivot);
            }
            self.rows.remove(shortest);
        }
        any
    }

    /// The same with shorter equations, as far as two of them give a shorter one.
    pub(super) fn shorten(&mut self) {
        loop {
            let mut shorter = false;
            for at in 0..self.rows.len() {
                for other in 0..self.rows.len() {
                    if at != other && self.rows[at].len_with(&self.rows[other]) < self.rows[at].len() {
                        let other = self.rows[other].clone();
                        self.rows[at].add(&other);
                        shorter = true;
                    }
                }
            }
            if !shorter {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_of_all_states_is_left() {
        // Bits 0 and 1 are never the same, bit 2 is their sum with bit 3, bit 4 is always set.
        let states: Vec<Vec<bool>> = (0..8_u32)
            .map(|code| {
                let (a, c) = (code & 1 == 1, code & 2 == 2);
                vec![a, !a, !c, c, true]
            })
            .collect();
        let mut parities = Parities::of(&states[0]);
        for state in &states {
            let words: Vec<u64> = state.iter().map(|bit| if *bit { u64::MAX } else { 0 }).collect();
            parities.see(&words, u64::MAX);
            assert!(!parities.see(&words, u64::MAX), "nothing is new twice");
        }
        parities.shorten();
        let mut found: Vec<(Vec<usize>, bool)> =
            parities.rows.iter().map(|row| (row.positions().collect(), row.is_odd)).collect();
        found.sort();
        assert_eq!(found, [(vec![0, 1], true), (vec![2, 3], true), (vec![4], true)]);
    }
}
