//! Clauses in one arena, and who watches them.

use super::Literal;

/// Where a clause begins in the arena.
pub(super) type Clause = u32;

/// No clause.
pub(super) const NONE: Clause = u32::MAX;

/// A clause that waits for a literal to become false.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub(super) clause: Clause,
    /// Another literal of the clause: where it is true the clause need not be looked at. The only other one, if it `is_pair`.
    pub(super) other: Literal,
    pub(super) is_pair: bool,
}

/// Before the literals of a clause stand their number and its activity; the number of one that is gone is 0.
const HEAD: usize = 3;

#[derive(Default)]
pub(super) struct Arena {
    words: Vec<u32>,
    /// Words of clauses that are gone.
    wasted: usize,
}

impl Arena {
    pub(super) fn add(&mut self, literals: &[Literal]) -> Clause {
        let clause = self.words.len() as Clause;
        self.words.extend([literals.len() as u32, literals.len() as u32, 0]);
        self.words.extend(literals.iter().map(|literal| literal.0));
        clause
    }

    #[inline]
    pub(super) fn len(&self, clause: Clause) -> usize {
        self.words[clause as usize] as usize
    }

    #[inline]
    pub(super) fn is_gone(&self, clause: Clause) -> bool {
        self.words[clause as usize] == 0
    }

    pub(super) fn remove(&mut self, clause: Clause) {
        self.wasted += HEAD + self.len(clause);
        self.words[clause as usize] = 0;
    }

    #[inline]
    pub(super) fn literal(&self, clause: Clause, at: usize) -> Literal {
        Literal(self.words[clause as usize + HEAD + at])
    }

    #[inline]
    pub(super) fn swap(&mut self, clause: Clause, a: usize, b: usize) {
        self.words.swap(clause as usize + HEAD + a, clause as usize + HEAD + b);
    }

    #[inline]
    pub(super) fn literals(&self, clause: Clause) -> impl Iterator<Item = Literal> + '_ {
        let begin = clause as usize + HEAD;
        self.words[begin..begin + self.len(clause)].iter().map(|word| Literal(*word))
    }

    #[inline]
    pub(super) fn activity(&self, clause: Clause) -> f32 {
        f32::from_bits(self.words[clause as usize + 2])
    }

    #[inline]
    pub(super) fn set_activity(&mut self, clause: Clause, activity: f32) {
        self.words[clause as usize + 2] = activity.to_bits();
    }

    /// Is more than half of it wasted?
    pub(super) fn is_sparse(&self) -> bool {
        self.wasted > 20_000 && self.wasted * 2 > self.words.len()
    }

    /// Moves what is left together; gives where each clause went, by where it was.
    pub(super) fn compact(&mut self) -> impl Fn(Clause) -> Clause + use<> {
        let mut moved = rustc_hash::FxHashMap::default();
        let mut words = Vec::with_capacity(self.words.len() - self.wasted);
        let mut at = 0;
        while at < self.words.len() {
            let whole = HEAD + self.words[at + 1] as usize;
            if self.words[at] != 0 {
                moved.insert(at as Clause, words.len() as Clause);
                words.extend_from_slice(&self.words[at..at + whole]);
            }
            at += whole;
        }
        self.words = words;
        self.wasted = 0;
        move |clause| moved.get(&clause).copied().unwrap_or(NONE)
    }
}
