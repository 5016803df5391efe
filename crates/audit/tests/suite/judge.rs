//! What a judge says of words.

mod commitments;
mod evidence;
mod explanations;
mod known;
mod random;
mod rest;
mod speed;
mod terms;
mod words;
