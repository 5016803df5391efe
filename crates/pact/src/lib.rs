//! Pact, the protocol language of Servanda: who may say what, when, and what it commits them to.
//!
//! [`load`] turns a file into a [`Protocol`], that is a model and the properties to be decided about it, or into all
//! the mistakes it contains. [`format()`] writes a file in standard form. The language is described in docs/pact.md.
//!
//! ```
//! use servanda_syntax::SourceFile;
//!
//! let text = "
//!     protocol Payment
//!     roles Cus, Mer
//!     var paid : bool = false
//!     commitment promise = SC(Cus, Mer, F paid)
//!     start idle
//!     idle -- Cr(Cus, promise) --> promised
//!     promised -- Sat(Cus, promise) set paid = true --> done
//!     property kept expect true = AG (in done -> paid)
//! ";
//! let loaded = servanda_pact::load(&SourceFile::new("payment.pact", text), &[]);
//! let protocol = loaded.protocol.expect("no mistakes");
//! assert_eq!(protocol.model.behaviour.commands().len(), 2);
//! assert_eq!(protocol.properties[0].text, "AG (in done -> paid)");
//! ```

mod ast;
mod bindings;
mod constant;
mod elaborate;
mod expand;
mod family;
mod fold;
mod format;
mod names;
mod parse;
mod part;
mod scope;
mod symbols;
mod unroll;

pub use crate::format::format;
pub use crate::parse::KEYWORDS as STATEMENT_WORDS;
pub use crate::symbols::symbols;

use servanda_abta::decompose::Claim;
use servanda_logic::{Formula, Rewrite, parse_formula};
use servanda_lower::{Context, validate};
use servanda_model::{Model, Property};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, Symbols, has_errors};

use crate::bindings::Bindings;
use crate::expand::{Expander, Progress};
use crate::fold::check_constants;
use crate::part::Composer;
use crate::scope::Scope;

/// What a Pact file means.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// The model.
    pub model: Model,
    /// The properties, in the order of the file.
    pub properties: Vec<Property>,
    /// The decompositions that the file claims for acts.
    pub claims: Vec<Claim>,
    /// What later formulas can name.
    scope: Scope,
}

/// The result of reading a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What the file means; `None` exactly when there is an error.
    pub protocol: Option<Protocol>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Finds a text that another one uses: given what that one is called and the path as it is written there, what the text is called and
/// what stands in it; or why there is none, without a place.
pub type FindText<'a> = dyn FnMut(&str, &str) -> Result<(String, String), Box<Diagnostic>> + 'a;

/// Reads a file that uses no other. `parameters` override the values of its parameters.
pub fn load(source: &SourceFile, parameters: &[(String, i64)]) -> Loaded {
    load_with(&mut source.clone(), parameters, &mut |_, path| {
        let message = format!("`{path}` cannot be read: no other files are read here");
        Err(Box::new(Diagnostic::error(Code::CannotRead, message, Span::default())))
    })
}

/// Reads a file and those that it uses, which are added to `source`: places in what is returned may be places in them. `parameters`
/// override the values of the file's parameters.
pub fn load_with(source: &mut SourceFile, parameters: &[(String, i64)], find: &mut FindText<'_>) -> Loaded {
    let file = parse::parse(source.text(), source.base());
    loaded(source, file, parameters, find)
}

/// A file as editors want to know it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What it means, and what is wrong with it.
    pub loaded: Loaded,
    /// What its names stand for.
    pub symbols: Symbols,
    /// Its formulas as they are written, in the order of the text; none is a part of another.
    pub formulas: Vec<Formula>,
}

/// Reads a file once for all that editors ask: as [`load_with`] and [`symbols`] do.
pub fn read_with(source: &mut SourceFile, find: &mut FindText<'_>) -> Reading {
    let mut file = parse::parse(source.text(), source.base());
    let (symbols, formulas) = symbols::of_file(source.text(), &mut file);
    Reading { loaded: loaded(source, file, &[], find), symbols, formulas }
}

/// A property that is too long or too deep to be read is not decided; the others are.
fn refuse_properties(file: &mut parse::File) {
    let is_limit = |code: Code| matches!(code, Code::NestingTooDeep | Code::FormulaTooLong);
    let refused = file.diagnostics.iter_mut().filter(|found| is_limit(found.code));
    refused.filter(|found| file.refused.contains(&found.span)).for_each(refuse);
}

/// An error that a property has alone becomes a warning that it is not decided.
fn refuse(found: &mut Diagnostic) {
    let message = format!("{}, so the property is not decided", found.message);
    let help = found.help.take();
    *found = Diagnostic { help, ..Diagnostic::warning(Code::RefusedProperty, message, found.span) };
}

fn loaded(
    source: &mut SourceFile,
    mut file: parse::File,
    parameters: &[(String, i64)],
    find: &mut FindText<'_>,
) -> Loaded {
    if file.incomplete {
        return Loaded { protocol: None, diagnostics: file.diagnostics };
    }
    refuse_properties(&mut file);
    let open = vec![source.name().to_owned()];
    let mut composer = Composer { source, find, open, diagnostics: Vec::new() };
    composer.compose(&mut file, parameters);
    file.diagnostics.append(&mut composer.diagnostics);
    let mut loaded = elaborate::elaborate(source, &file, parameters);
    // What is odd about a part by itself is said where that file is read by itself.
    let is_own = |found: &Diagnostic| source.file_of(found.span.start).base() == source.base();
    loaded.diagnostics.retain(|found| is_own(found) || has_errors(std::slice::from_ref(found)));
    loaded
}

impl Protocol {
    /// Reads a further property: the names of the file can be used in it. The places of mistakes are places in `text`.
    pub fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        let formula = parse_formula(text)?;
        let mut diagnostics = Vec::new();
        let mut progress = Progress::new(self.scope.definitions.len());
        let ground = Expander::new(&self.scope, &mut progress, &Bindings::default(), &mut diagnostics)
            .formula(&formula)
            .filter(|ground| check_constants(ground, &mut diagnostics));
        let Some(ground) = ground else { return Err(diagnostics) };
        let whole = ground.span();
        diagnostics.extend(validate(&self.model, &ground, Context::Property).into_iter().map(|found| {
            // What is wrong may be the use made here of a content that stands in the file.
            let inside = whole.start <= found.span.start && found.span.end <= whole.end;
            if inside { found } else { Diagnostic { span: whole, ..found } }
        }));
        if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(ground) }
    }
}
