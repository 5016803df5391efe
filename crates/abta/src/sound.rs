//! Rules with which the automaton accepts exactly the models of the formula.
//!
//! A goal is a state formula, or `E Φ` (some path satisfies all of `Φ`), or `A Φ` (every path satisfies some formula
//! of `Φ`). One formula of `Φ` is taken apart at a time:
//!
//! | rule | `E` | leaves | rule | `A` | leaves |
//! |---|---|---|---|---|---|
//! | E1 | `E(Φ, s)`, `s` a state formula | `s` and `E(Φ)` | A1 | `A(Φ, s)` | `s` or `A(Φ)` |
//! | E2 | `E(Φ, φ & ψ)` | `E(Φ, φ, ψ)` | A2 | <code>A(Φ, φ &#124; ψ)</code> | `A(Φ, φ, ψ)` |
//! | E3 | <code>E(Φ, φ &#124; ψ)</code> | `E(Φ, φ)` or `E(Φ, ψ)` | A3 | `A(Φ, φ & ψ)` | `A(Φ, φ)` and `A(Φ, ψ)` |
//! | E4 | `E(Φ, φ U ψ)` | `E(Φ, ψ)` or `E(Φ, φ, X(φ U ψ))` | A4 | `A(Φ, φ R ψ)` | `A(Φ, ψ)` and `A(Φ, φ, X(φ R ψ))` |
//! | E5 | `E(Φ, φ R ψ)` | `E(Φ, φ, ψ)` or `E(Φ, ψ, X(φ R ψ))` | A5 | `A(Φ, φ U ψ)` | `A(Φ, φ, ψ)` and `A(Φ, ψ, X(φ U ψ))` |
//! | E6 | only `X` and action literals left | one step for all | A6 | the same | one step for all |
//!
//! The right half is the left half negated, so the code is written once for both. Every cycle goes through steps of one
//! quantifier, so the automaton is hesitant: a run that stays in `E` must fulfil every until formula it postpones, and
//! dually for `A`. Acceptance is judged at the steps. A step is in the set of an until formula `u` unless it postpones
//! `u` without having met it at the same position; that it was met is part of the goal, since `X u` can come from elsewhere
//! too (`E G X F p`).

mod components;
mod convert;
mod past;
mod rules;
mod tableau;

pub(crate) use components::find_components;
pub(crate) use tableau::translate;
