//! Slices: what a property cannot depend on is left out of a model before an engine sees it.
//!
//! A [`Slicer`] looks at a model once: which values variables can have, which commands can never run, what reads and writes what. For a
//! property it finds its [`Cone`], the variables and commitments that matter and the commands that change them (cone of influence;
//! Weiser, "Program slicing"). [`Slicer::cut`] makes a model of it. In that model everything has the number it had: what is left out has
//! one value only and is assigned by nobody. So formulas that were lowered for the whole model are those of the slice, and a state of the
//! whole model is one of the slice once what was left out is ([`Projection`]).
//!
//! Variables that are always equal ([`equal`]) are read as one, in commands and in properties ([`Slicer::formulas`], [`Slice::formulas`]).
//!
//! What may be left out depends on what a property notices:
//!
//! - Variables and commitments that no command reads, nor anything that is kept, can go whatever the property says: the slice makes the
//!   same steps
//!   ([`Style::Exact`]). So can, where agents act in rounds, what an agent does that nobody reads, if it can always do something.
//! - Commands that change nothing that is kept can go too, where the property does not notice how many steps are made between others
//!   ([`Style::Even`]). But
//!   on some runs nothing else happens any more. Whether there are such runs must be known ([`idle`]); then the slice has a step that changes nothing, or none.
//! - Where everything that the property asks for is shown by finite parts of runs ([`Style::Blind`]), that does not matter either.
//!
//! - A counter can go that is asked in guards, but never alone forbids a step, by sums that no command changes (`implied.rs`). By such sums
//!   it is also known that a command does not fail, and so need not be kept.
//!
//! Fairness constraints are read by every property. Knowledge reads all that those who know something see. A command that may fail to
//! run, or a guard that may have no value, is kept with all that it reads: a mistake of the model is found in the slice as in the whole.
//! Nothing is sliced for branching past, for which it matters how states were reached. See docs/reductions.md.

mod cone;
mod cut;
mod equal;
mod group;
mod idle;
mod implied;
mod needs;
mod rounds;
mod slicer;
#[cfg(test)]
mod tests;

pub use cone::Cone;
pub use cut::{Projection, Slice};
pub use group::{Group, grouped};
pub use needs::Style;
pub use slicer::Slicer;
