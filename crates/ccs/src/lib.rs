//! CCS, Milner's calculus of communicating systems, in the dialect of the Concurrency Workbench.
//!
//! [`load`] turns a file and the name of one of its processes into a [`System`], or into all the mistakes the file
//! contains. The language is described in `docs/ccs.md`.
//!
//! The meaning is that of the structural rules, but no term is rewritten while an engine works: the parallel
//! compositions, restrictions and relabellings around the sequential parts of a system never change, so they are laid
//! out once; every sequential part becomes a machine whose control states are its derivatives; and a move, or a pair of
//! moves that synchronise, becomes a guarded command. Terms are stored once each, so that equal derivatives are one
//! number.
//!
//! ```
//! use servanda_syntax::SourceFile;
//!
//! let text = "
//!     * Two people share a hammer.
//!     proc Hammer = get.put.Hammer
//!     proc Jobber = 'get.work.'put.Jobber
//!     proc Shop = (Jobber | Jobber | Hammer) \\ {get, put}
//! ";
//! let loaded = servanda_ccs::load(&SourceFile::new("shop.ccs", text), None);
//! let system = loaded.system.expect("no mistakes");
//! assert_eq!(system.model.name, "Shop");
//! let agents: Vec<&str> = system.model.agents.iter().map(|agent| agent.name.as_str()).collect();
//! assert_eq!(agents, ["Jobber", "Jobber_2", "Hammer"]);
//! assert!(system.formula("AG (Hammer in Hammer -> E does(tau))").is_ok());
//! assert!(system.formula("AG E does(gte)").is_err());
//! ```

mod automaton;
mod build;
mod check;
mod choose;
mod compose;
mod file;
mod formula;
mod fresh;
mod layout;
mod parse;
mod sides;
mod steps;
mod symbols;
mod term;
mod token;
mod unused;
mod words;

pub use crate::symbols::symbols;

use servanda_logic::Formula;
use servanda_lower::{Context, validate};
use servanda_model::Model;
use servanda_syntax::{Diagnostic, Findings, SourceFile, Symbols, Token, has_errors};

/// What a process of a file means.
#[derive(Clone, Debug)]
pub struct System {
    /// The model. Its name is that of the process.
    pub model: Model,
    /// The names of the processes that the file defines, in the order of the file.
    pub processes: Vec<String>,
}

/// The result of reading a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What the process means; `None` exactly when there is an error.
    pub system: Option<System>,
    /// The names of the processes that the file defines, in the order of the file.
    pub processes: Vec<String>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file. Without a name, the process is meant that no other definition uses; if there are several, that is an
/// error that lists them.
pub fn load(source: &SourceFile, process: Option<&str>) -> Loaded {
    let (tokens, diagnostics) = token::lex(source.text());
    let (mut file, mut diagnostics) = parsed(source, &tokens, diagnostics);
    let processes: Vec<String> =
        file.processes.iter().map(|process| file.words.text(process.name).to_owned()).collect();

    let readable = !has_errors(&diagnostics);
    let chosen = choose::choose(&file, process);
    let model = match chosen {
        Ok(number) if readable => {
            build::build(&mut file, number).map_err(|error| diagnostics.push(*error)).ok()
        }
        Ok(_) => None,
        // Without the definitions that could not be read, it is not known which ones are used.
        Err(_) if process.is_none() && !readable => None,
        Err(error) => diagnostics.refuse(*error),
    };
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let system = model.map(|model| System { model, processes: processes.clone() });
    Loaded { system, processes, diagnostics }
}

/// The file as it is written, and what is wrong with it whatever process is meant.
fn parsed(source: &SourceFile, tokens: &[Token], found: Vec<Diagnostic>) -> (file::File, Vec<Diagnostic>) {
    let mut diagnostics = found;
    let (file, found) = parse::parse(source.text(), tokens);
    diagnostics.extend(found);
    check::check(&file, &mut diagnostics);
    // A name that means nothing is used by nobody, which need not be said as well.
    if !has_errors(&diagnostics) {
        unused::warn(&file, &mut diagnostics);
    }
    (file, diagnostics)
}

/// Of so many processes that could be meant it is found out what is wrong with them.
const MOST_BUILT: usize = 16;

/// Reads a file once for all that editors ask: what is wrong with any of the processes that could be meant, and what the names stand for.
/// Which process is meant is said where one is checked, and not in the text.
///
/// ```
/// use servanda_syntax::SourceFile;
///
/// let (found, _) = servanda_ccs::read(&SourceFile::new("a.ccs", "proc P = a.P\nproc Q = a.Q | b.Q"));
/// assert!(found.iter().all(|found| found.code.word() != "which-process"));
/// assert!(found.iter().any(|found| found.is_error()), "the second process grows without end");
/// ```
pub fn read(source: &SourceFile) -> (Vec<Diagnostic>, Symbols) {
    let (tokens, diagnostics) = token::lex(source.text());
    let (file, mut diagnostics) = parsed(source, &tokens, diagnostics);
    if !has_errors(&diagnostics) {
        let candidates = choose::candidates(&file);
        if candidates.is_empty() {
            diagnostics.extend(choose::choose(&file, None).err().map(|error| *error));
        }
        for number in candidates.into_iter().take(MOST_BUILT) {
            if let Err(error) = build::build(&mut file.clone(), number)
                && !diagnostics.contains(&error)
            {
                diagnostics.push(*error);
            }
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    (diagnostics, symbols::of_tokens(source.text(), tokens))
}

impl System {
    /// Reads a formula: `does(a)`, `does('a)` and `does(tau)` refer to the actions of the file, `Agent in State` of where
    /// its parts are. The places of mistakes are places in `text`.
    pub fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        let formula = self.model.with_commitments(&formula::parse(text, &self.model)?);
        let diagnostics = validate(&self.model, &formula, Context::Property);
        if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(formula) }
    }
}
