//! Formulas: tree, tokens, parser, printer, normal form and what of the language they use.
//!
//! One [`Formula`] type serves every front end and every engine: it holds arithmetic expressions, state formulas and
//! path formulas exactly as they were written. This crate reads them ([`parse_formula`], or [`Parser`] for languages
//! that contain formulas), prints them so that they read back the same, walks and rewrites them, and says which
//! features of the language they use. It knows no model: what a name stands for is the business of the front ends.
//!
//! ```
//! use servanda_logic::parse_formula;
//!
//! let formula = parse_formula("∀□ (paid → ◇ delivered)").unwrap();
//! assert_eq!(formula, parse_formula("AG(paid -> F delivered)").unwrap());
//! assert_eq!(formula.to_string(), "AG (paid -> F delivered)");
//! ```

mod act;
mod fragment;
mod lexer;
mod normal;
mod operator;
mod parser;
mod printer;
mod tree;
mod walk;
mod words;

pub use act::{ActKind, Between, Outcome, Owed, Party, Stance};
pub use fragment::{Features, is_ctl_operator, is_state_formula, path_part};
pub use lexer::{lex, lex_at};
pub use normal::{OwnRule, nnf, nnf_with};
pub use operator::prefix;
pub use parser::{Parser, parse_formula};
pub use tree::{
    ActPattern, ActionPattern, Arg, At, Binary, Bounded, Carries, Commitment, Comprehension, Epistemic,
    EpistemicOp, Formula, Goal, Group, Join, Kind, LabelPattern, Reference, Strategic, Tag, Unary, Within,
};
pub use walk::{Rewrite, commitment_depth, written_content};
pub use words::words;
