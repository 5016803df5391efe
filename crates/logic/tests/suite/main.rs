//! Formulas: spelling, meaning, mistakes, fragments, round trips.

mod fragments;
mod meaning;
mod mistakes;
mod round_trip;
mod spelling;
