//! Acts files: mistakes, examples, and protocols written in other languages.

mod errors;
mod examples;
mod random;
mod support;
