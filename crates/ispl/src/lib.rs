//! ISPL, the language of the model checker MCMAS: agents that act together in rounds.
//!
//! [`load`] turns a file into a [`System`], that is a model and the formulas to be decided about it, or into all the
//! mistakes it contains. Both dialects are read: that of MCMAS 1.x, and that of 2005 with one list of local states per
//! agent. Every file that MCMAS reads is read, and more: sections in any order, `!=`, `true` in formulas, a boolean
//! variable alone as a condition, operators of the common logic. [`print()`] writes a model as ISPL text.
//!
//! ```
//! use servanda_syntax::SourceFile;
//!
//! let text = "
//!     Agent Lamp
//!       Vars: on : boolean; end Vars
//!       Actions = {press, wait};
//!       Protocol: Other : {press, wait}; end Protocol
//!       Evolution: on = ~on if Action = press; end Evolution
//!     end Agent
//!     Evaluation lit if Lamp.on = true; end Evaluation
//!     InitStates Lamp.on = false; end InitStates
//!     Formulae AG EF lit; end Formulae
//! ";
//! let loaded = servanda_ispl::load(&SourceFile::new("lamp.ispl", text));
//! let system = loaded.system.expect("no mistakes");
//! assert_eq!(system.model.agents[0].name, "Lamp");
//! assert_eq!(system.properties[0].text, "AG EF lit");
//! assert!(system.formula("K(Lamp, lit) or K(Lamp, !lit)").is_ok());
//! ```

mod ast;
mod cursor;
mod elaborate;
mod formula;
mod parse;
mod print;
mod symbols;
mod token;
mod verdicts;

pub use crate::elaborate::ratio::existence;
pub use crate::print::print;
pub use crate::symbols::symbols;
pub use crate::verdicts::verdicts_in_comments;

use servanda_logic::Formula;
use servanda_lower::{Context, validate};
use servanda_model::{Model, Property};
use servanda_syntax::{Diagnostic, SourceFile, Symbols, Token, has_errors};

/// The dialects of ISPL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// MCMAS 1.x.
    Mcmas,
    /// The first MCMAS, with `Lstate`. Its formulas are decided in all reachable states.
    Year2005,
}

/// What an ISPL file means.
#[derive(Clone, Debug)]
pub struct System {
    /// The model.
    pub model: Model,
    /// The formulas, in the order of the file.
    pub properties: Vec<Property>,
    /// The dialect the file is written in.
    pub dialect: Dialect,
}

/// The result of reading a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What the file means; `None` exactly when there is an error.
    pub system: Option<System>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file.
pub fn load(source: &SourceFile) -> Loaded {
    let (tokens, diagnostics) = token::lex(source.text());
    let file = parse::parse(source.text(), &tokens);
    loaded(source, &tokens, file, diagnostics)
}

/// Reads a file once for all that editors ask: as [`load`] and [`symbols`] do.
pub fn read(source: &SourceFile) -> (Loaded, Symbols) {
    let (tokens, diagnostics) = token::lex(source.text());
    let file = parse::parse(source.text(), &tokens);
    let formulae = file.formulae.clone();
    let loaded = loaded(source, &tokens, file, diagnostics);
    (loaded, symbols::of_tokens(source.text(), tokens, &formulae))
}

fn loaded(source: &SourceFile, tokens: &[Token], mut file: ast::File, found: Vec<Diagnostic>) -> Loaded {
    let mut diagnostics = found;
    diagnostics.extend(std::mem::take(&mut file.diagnostics));
    let old = file.agents.iter().any(|agent| agent.local_states.is_some());
    let dialect = if old { Dialect::Year2005 } else { Dialect::Mcmas };
    let (model, properties) = elaborate::elaborate(source, tokens, file, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let system = (!has_errors(&diagnostics)).then_some(System { model, properties, dialect });
    Loaded { system, diagnostics }
}

impl System {
    /// Reads a further formula: the names of the file can be used in it. The places of mistakes are places in `text`.
    pub fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        let formula = self.model.with_commitments(&formula::parse_alone(text, &self.model)?);
        let diagnostics = validate(&self.model, &formula, Context::Property);
        if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(formula) }
    }
}
