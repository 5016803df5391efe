//! Texts in the program.
