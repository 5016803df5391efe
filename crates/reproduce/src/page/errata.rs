//! Where the papers contradict themselves, and what follows.

/// The last section of the page.
pub(super) const TEXT: &str = include_str!("errata.md");
