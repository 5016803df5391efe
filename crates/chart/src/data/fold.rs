//! What a chart leaves out since it repeats what it shows.

use super::{Chart, Moment};

/// A run of at most so many steps is drawn as it is.
const MOST_STEPS: usize = 40;

/// So many times in a row the same must happen to be folded.
const LEAST_ROUNDS: usize = 3;

/// Longer rounds are not looked for: to read one again is no more work than to see that it is the same.
const LONGEST_ROUND: usize = 64;

/// Steps that are not drawn: rounds that repeat the one before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first step that is not drawn.
    pub from: usize,
    /// The first step that is drawn again.
    pub to: usize,
    /// The number of steps in a round.
    pub period: usize,
    /// What is different after them.
    pub after: Moment,
}

impl Fold {
    /// What is said in their place.
    pub(crate) fn words(&self) -> String {
        let (rounds, first) = ((self.to - self.from) / self.period, self.from + 1 - self.period);
        let steps = self.to - self.from;
        match (self.period, rounds) {
            (1, _) => format!("step {first}, {steps} more times"),
            (_, 1) => format!("steps {first} to {} once more: {steps} steps", self.from),
            _ => format!("{rounds} more rounds of steps {first} to {}: {steps} steps", self.from),
        }
    }

    /// The moments that it stands for.
    pub(crate) fn moments(&self) -> (usize, usize) {
        (self.from + 1, self.to)
    }
}

/// What is drawn one below the other.
#[derive(Clone, Copy)]
pub(crate) enum Shown<'c> {
    /// A step by its number.
    Step(usize),
    /// Steps that are not drawn.
    Fold(&'c Fold),
}

impl Shown<'_> {
    /// The moments that it leads to, the first and the last.
    pub(crate) fn moments(self) -> (usize, usize) {
        match self {
            Shown::Step(index) => (index + 1, index + 1),
            Shown::Fold(fold) => fold.moments(),
        }
    }
}

impl Chart {
    /// The steps that are drawn, and what stands for the others.
    pub(crate) fn shown(&self) -> Vec<Shown<'_>> {
        let mut shown = Vec::new();
        let mut folds = self.folds.iter().peekable();
        let mut index = 0;
        while index < self.steps.len() {
            match folds.next_if(|fold| fold.from == index && fold.to > index) {
                Some(fold) => {
                    shown.push(Shown::Fold(fold));
                    index = fold.to;
                }
                None => {
                    shown.push(Shown::Step(index));
                    index += 1;
                }
            }
        }
        shown
    }

    /// Finds what repeats in a long run. Rounds are the same if the same happens in them and the same is said of them; what is
    /// different after all of them is for `between`, which is given the numbers of two moments.
    pub(crate) fn fold(&mut self, between: impl Fn(usize, usize) -> Vec<String>) {
        if self.steps.len() <= MOST_STEPS {
            return;
        }
        let keys: Vec<(String, &[String])> = self
            .steps
            .iter()
            .map(|step| (step.words(&self.lifelines), step.after.notes.as_slice()))
            .collect();
        let middle = self.repeats_from.unwrap_or(keys.len());
        let mut folds = Vec::new();
        for (begin, end) in [(0, middle), (middle, keys.len())] {
            let mut at = begin;
            while at < end {
                match best(&keys[at..end]) {
                    Some((period, rounds)) => {
                        let (from, to) = (at + period, at + period * rounds);
                        let after = Moment { facts: between(from, to), notes: Vec::new() };
                        folds.push(Fold { from, to, period, after });
                        at = to;
                    }
                    None => at += 1,
                }
            }
        }
        self.folds = folds;
    }
}

/// The length and the number of the rounds with which a list begins, such that most is left out.
fn best<T: PartialEq>(list: &[T]) -> Option<(usize, usize)> {
    let longest = LONGEST_ROUND.min(list.len() / LEAST_ROUNDS);
    let rounds = |period: usize| {
        let same = list.iter().zip(&list[period..]).take_while(|(one, next)| one == next).count();
        (period, same / period + 1)
    };
    let enough = (1..=longest).map(rounds).filter(|(_, rounds)| *rounds >= LEAST_ROUNDS);
    // Of the same saving the shortest round.
    enough.min_by_key(|(period, rounds)| (std::cmp::Reverse((rounds - 1) * period), *period))
}

#[cfg(test)]
mod tests {
    use super::best;

    #[test]
    fn rounds_are_found() {
        assert_eq!(best(b"ababababc"), Some((2, 4)));
        assert_eq!(best(b"aaaa"), Some((1, 4)));
        assert_eq!(best(b"aabaabaab"), Some((3, 3)));
        assert_eq!(best(b"abab"), None);
        assert_eq!(best(b""), None);
    }
}
