//! The `.aut` format: mistakes, models, round trips.

mod mistakes;
mod model;
mod round_trip;
