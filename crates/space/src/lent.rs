//! A space that several need, one at a time.

use std::ops::{Deref, DerefMut};

use crate::Space;

/// A space, or the place of one that somebody else holds. The evaluations of several formulas go on with one space: whoever works
/// holds it, and the others hold a place for it. That costs nothing per step, which a lock would.
#[derive(Default)]
pub struct Lent<'m>(Option<Box<Space<'m>>>);

impl<'m> Lent<'m> {
    /// Holds a space.
    pub fn new(space: Space<'m>) -> Self {
        Lent(Some(Box::new(space)))
    }

    /// Takes the space out of its place.
    #[must_use]
    pub fn take(&mut self) -> Self {
        Lent(self.0.take())
    }

    /// Is the space here?
    pub fn is_here(&self) -> bool {
        self.0.is_some()
    }
}

const HELD_ELSEWHERE: &str = "whoever works with a space holds it";

impl<'m> Deref for Lent<'m> {
    type Target = Space<'m>;

    #[inline]
    fn deref(&self) -> &Space<'m> {
        self.0.as_deref().expect(HELD_ELSEWHERE)
    }
}

impl DerefMut for Lent<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.0.as_deref_mut().expect(HELD_ELSEWHERE)
    }
}
