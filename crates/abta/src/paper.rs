//! The papers' rules, as their worked examples use them.
//!
//! Rules R1 to R22 are those of Table 1 of the ACTL* paper. The rule figures of the CTL*CA paper are lost in the copy
//! this work rests on; its prose names R1 to R7, R14, R18, R19, R24, R25 and R27, and the order of its rule labels
//! gives R8 to R17. Where rules and worked examples disagree the examples win, since they are what can be compared;
//! [`crate::Note`]s say where that happens.
//!
//! These automata are here to be studied. No verdict of Servanda rests on them: see docs/formulas.md section 10.

mod acceptance;
mod numbers;
mod push;
mod rules;
mod tableau;

pub(crate) use numbers::usual_logic;
pub(crate) use tableau::translate;
