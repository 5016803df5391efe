//! Formulas: spelling, meaning, mistakes, fragments, round trips.

mod chains;
mod fragments;
mod meaning;
mod mistakes;
mod papers;
mod round_trip;
mod spelling;
mod words;
