//! The last steps of a slice. Most slices make few, which lie in the slice itself.

use std::ops::Deref;

use super::{Mark, Packed};
use crate::judge::Letter;

/// How many are few: a request, what it promises, its progress and its answer.
const FEW: usize = 4;

/// No step.
const NONE: Mark = Mark { letter: Letter(0), at: Packed { line: 0, rest: 0 } };

/// Steps in their order.
#[derive(Clone, Debug)]
pub(crate) enum Trail {
    Few(u8, [Mark; FEW]),
    #[expect(clippy::box_collection, reason = "few slices have one, and all would have to make room for it")]
    Many(Box<Vec<Mark>>),
}

impl Default for Trail {
    fn default() -> Self {
        Trail::Few(0, [NONE; FEW])
    }
}

impl Deref for Trail {
    type Target = [Mark];

    #[inline]
    fn deref(&self) -> &[Mark] {
        match self {
            Trail::Few(length, marks) => marks.get(..usize::from(*length)).unwrap_or_default(),
            Trail::Many(marks) => marks,
        }
    }
}

impl Trail {
    #[inline]
    pub(crate) fn push(&mut self, mark: Mark) {
        match self {
            Trail::Many(marks) => marks.push(mark),
            Trail::Few(length, marks) => match marks.get_mut(usize::from(*length)) {
                Some(free) => {
                    *free = mark;
                    *length += 1;
                }
                None => {
                    let mut many = Vec::with_capacity(4 * FEW);
                    many.extend_from_slice(marks);
                    many.push(mark);
                    *self = Trail::Many(Box::new(many));
                }
            },
        }
    }

    /// Keeps only the first ones.
    pub(crate) fn truncate(&mut self, count: usize) {
        match self {
            Trail::Few(length, _) => *length = (*length).min(count as u8),
            Trail::Many(marks) => marks.truncate(count),
        }
    }

    /// Drops the first ones.
    pub(crate) fn forget(&mut self, count: usize) {
        match self {
            Trail::Many(marks) => {
                marks.drain(..count.min(marks.len()));
            }
            Trail::Few(..) => *self = self.iter().skip(count).copied().collect(),
        }
    }
}

impl Extend<Mark> for Trail {
    fn extend<I: IntoIterator<Item = Mark>>(&mut self, marks: I) {
        marks.into_iter().for_each(|mark| self.push(mark));
    }
}

impl FromIterator<Mark> for Trail {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        let mut trail = Trail::default();
        trail.extend(marks);
        trail
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Line;

    #[test]
    fn trails_are_lists() {
        let mark = |number: u32| Mark {
            letter: Letter(number),
            at: Packed::new(Line { file: 0, line: u64::from(number) }),
        };
        let letters = |trail: &Trail| trail.iter().map(|mark| mark.letter.0).collect::<Vec<u32>>();
        for length in 0..12u32 {
            let trail: Trail = (0..length).map(mark).collect();
            assert_eq!(letters(&trail), (0..length).collect::<Vec<_>>());
            for count in 0..=length {
                let (mut cut, mut later) = (trail.clone(), trail.clone());
                cut.truncate(count as usize);
                later.forget(count as usize);
                cut.push(mark(99));
                let expected: Vec<u32> = (0..count).chain([99]).collect();
                assert_eq!(letters(&cut), expected);
                assert_eq!(letters(&later), (count..length).collect::<Vec<_>>());
            }
        }
    }
}
