//! Acts files: which actions of a model are which acts on which commitments.
//!
//! CCS and ISPL have actions and know nothing of commitments. A file beside the model, `docs/acts.md` describes it, says what the
//! actions mean to the parties; then formulas refer to acts and commitments as they do of protocols. [`add`] reads such a
//! file into a model.
//!
//! ```
//! use servanda_model::{ActionLabel, Alphabet, Command, Label, Model, Port};
//! use servanda_syntax::SourceFile;
//!
//! let mut model = Model::new("Pay");
//! let port = Port { name: "pay".to_owned(), content: None };
//! let pay = model.add_label(Label::Action { action: ActionLabel::Input(port), acts: Vec::new() });
//! model.add_command(Command::new(pay));
//! model.alphabet = Some(Alphabet { names: vec!["pay".to_owned()], contents: Vec::new() });
//!
//! let text = "roles Ann, Bob\ncommitment debt = SC(Ann, Bob, F does(pay))\npay is Cr(Ann, debt)";
//! let added = servanda_acts::add(&SourceFile::new("pay.acts", text), &mut model, &[]);
//! assert!(added.diagnostics.is_empty());
//! assert_eq!(model.commitments.len(), 1);
//! assert_eq!(model.show_label(pay), "pay is Cr(Ann, debt)");
//! ```

mod apply;
mod ast;
mod parse;

use rustc_hash::FxHashMap;
use servanda_logic::lex;
use servanda_model::{Model, Property};
use servanda_syntax::{Code, Diagnostic, SourceFile, has_errors};

use crate::apply::Applier;
use crate::parse::File;

/// What a file adds to a model besides acts and commitments.
#[derive(Clone, Debug)]
pub struct Added {
    /// Is the file about this process of the model's file? Otherwise nothing was added.
    pub is_about: bool,
    /// The properties, in the order of the file.
    pub properties: Vec<Property>,
    /// Errors and warnings, in the order of the text. With an error the model is not to be used.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file about a model into the model. `processes` are those that the model's own file defines, of which the model is one;
/// none where the language has none.
pub fn add(source: &SourceFile, model: &mut Model, processes: &[String]) -> Added {
    let File { statements, diagnostics: found, broken } = parse::parse(source.text());
    let mut applier = Applier { source, model, diagnostics: Vec::new(), named: FxHashMap::default() };
    let is_about = applier.is_about(&statements, processes);
    let properties = if is_about { applier.apply(&statements) } else { Vec::new() };
    let Applier { diagnostics: later, named, .. } = applier;
    // Not to know what a statement with a mistake would have declared is no further mistake.
    let lost: Vec<&str> = source.words_in(&lex(source.text()).0, &broken).collect();
    let follows = |found: &Diagnostic| {
        let name = source.slice(found.span);
        let elsewhere = |kind| named.get(&(kind, name.to_owned())).is_some_and(|at| *at != found.span);
        let declared = lost.contains(&name) || ["name", "role", "group"].into_iter().any(elsewhere);
        found.code == Code::UnknownName && declared
    };
    let (doubtful, certain): (Vec<_>, Vec<_>) = later.into_iter().partition(follows);
    let mut diagnostics = found;
    diagnostics.extend(certain);
    if !has_errors(&diagnostics) {
        diagnostics.extend(doubtful);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Added { is_about, properties, diagnostics }
}
