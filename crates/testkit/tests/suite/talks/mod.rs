//! Random protocols of the second part of the language: what their texts mean against what their outlines say, one engine against the
//! others, and standard form.

mod engines;
mod form;
mod meaning;
mod support;
mod truths;
