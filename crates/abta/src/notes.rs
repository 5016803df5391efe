//! stub
use servanda_logic::Formula;
use crate::{Abta, Logic, Options};
/// What to know about an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The item of docs/formulas.md section 10 it is about, if to any.
    pub item: Option<u8>,
    /// What is to be known.
    pub text: String,
}
pub(crate) fn notes(_: &Formula, _: &Abta, _: Options, _: Option<Logic>) -> Vec<Note> { Vec::new() }
