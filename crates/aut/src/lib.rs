//! The `.aut` format of Aldebaran, which CADP, mCRL2 and many others read and write.
//!
//! ```text
//! des (0, 3, 2)
//! (0, "coin", 1)
//! (1, tea, 0)
//! (1, i, 0)
//! ```
//!
//! The header gives the initial state, the number of transitions and the number of states, which are numbered from 0;
//! each further line is one transition. A label may stand in quotation marks or not. The label `i`, as in CADP, or
//! `tau`, as in mCRL2, is the internal one. [`load`] gives a transition system, and with it a model that all engines can
//! work on; [`write`] gives the text of a transition system.
//!
//! ```
//! use servanda_syntax::SourceFile;
//!
//! let text = "des (0, 2, 2)\n(0, \"coin\", 1)\n(1, i, 0)\n";
//! let system = servanda_aut::load(&SourceFile::new("machine.aut", text)).system.expect("no mistakes");
//! assert_eq!(system.lts().states(), 2);
//! assert_eq!(servanda_aut::write(system.lts()).unwrap(), "des (0, 2, 2)\n(0, \"coin\", 1)\n(1, i, 0)\n");
//! assert!(system.formula("AG (does(coin) -> X E does(tau))").is_ok());
//! ```

mod model;
mod read;
mod write;

use std::sync::OnceLock;

use servanda_logic::{Formula, parse_formula};
use servanda_lower::{Context, validate};
use servanda_lts::Lts;
use servanda_model::{CommandId, Model};
use servanda_syntax::{Diagnostic, SourceFile, Span, has_errors};

pub use write::write;

/// What an `.aut` file means.
#[derive(Debug)]
pub struct System {
    lts: Lts,
    /// A model of a million transitions takes a while to make, and equivalences do not need it.
    model: OnceLock<Model>,
}

/// The result of reading a file.
#[derive(Debug)]
pub struct Loaded {
    /// What the file means; `None` exactly when there is an error.
    pub system: Option<System>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file.
pub fn load(source: &SourceFile) -> Loaded {
    let (lts, diagnostics) = read::read(source.text());
    Loaded { system: lts.map(|lts| System { lts, model: OnceLock::new() }), diagnostics }
}

impl System {
    /// The transition system, with the numbers of the file.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }

    /// The system as a model: one agent, one machine whose control states `s0`, `s1`, ... are the states that can be
    /// reached, and a message that nobody sends for every label.
    pub fn model(&self) -> &Model {
        self.model.get_or_init(|| model::model(&self.lts))
    }

    /// Where the transitions that commands of the model stand for are written, in the text that the system was read from. The text
    /// is looked through again: places are needed too seldom to keep millions of them.
    pub fn places(&self, source: &SourceFile, commands: &[CommandId]) -> Vec<Option<Span>> {
        let transitions = model::transitions(&self.lts, commands);
        let wanted = transitions.iter().copied().flatten().collect();
        let found = read::places(source.text(), &self.lts, &wanted);
        transitions.into_iter().map(|transition| found.get(&transition?).copied()).collect()
    }

    /// Reads a formula about the model. The places of mistakes are places in `text`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        let formula = parse_formula(text)?;
        let diagnostics = validate(self.model(), &formula, Context::Property);
        if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(formula) }
    }
}
