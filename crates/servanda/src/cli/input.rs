//! Reading what the user names.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use servanda::{Language, Loaded};
use servanda_report::Finding;
use servanda_syntax::{Diagnostic, SourceFile, Span};

use super::args::{InputKind, ModelArguments};

/// What standard input is called in messages.
const STANDARD_INPUT: &str = "<stdin>";

/// A text that was read.
pub(crate) struct Input {
    /// The name it goes by in messages.
    pub(crate) name: String,
    /// The text.
    pub(crate) text: String,
    /// What it is written in.
    pub(crate) language: Language,
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(file: &str, kind: Option<InputKind>) -> Result<Input, Vec<Finding>> {
    let language = language(file, kind).ok_or_else(|| unknown_language(file))?;
    let (name, bytes) = match file {
        "-" => {
            let mut bytes = Vec::new();
            (STANDARD_INPUT, io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        }
        path => (path, fs::read(path)),
    };
    let bytes =
        bytes.map_err(|error| general("cannot-read", format!("{name} cannot be read: {error}"), None))?;
    let text = String::from_utf8(bytes).map_err(|error| vec![not_text(name, error)])?;
    Ok(Input { name: name.to_owned(), text, language })
}

/// Reads and loads a model.
pub(crate) fn load(file: &str, model: &ModelArguments) -> Result<Loaded, Vec<Finding>> {
    let Input { name, text, language } = read(file, model.input.input)?;
    match language {
        Language::Pact => Loaded::pact(name, text, &model.param),
        Language::Ispl if model.param.is_empty() => Loaded::ispl(name, text),
        Language::Aut if model.param.is_empty() => Loaded::aut(name, text),
        Language::Ispl | Language::Aut => {
            let kind = if language == Language::Ispl { "ISPL" } else { ".aut" };
            let message = format!("{name}: --param: an {kind} file has no parameters");
            Err(general("no-parameters", message, None))
        }
    }
}

/// Reads and loads the model that an argument of `equiv` or `minimise` names: a file.
pub(crate) fn load_named(argument: &str, model: &ModelArguments) -> Result<Loaded, Vec<Finding>> {
    load(argument, model)
}

/// Reads and loads a Pact protocol; `what` needs one.
pub(crate) fn load_pact(file: &str, model: &ModelArguments, what: &str) -> Result<Loaded, Vec<Finding>> {
    match language(file, model.input.input) {
        Some(Language::Ispl | Language::Aut) => Err(pact_only(shown_name(file), what)),
        Some(Language::Pact) | None => load(file, model),
    }
}

/// What is offered for Pact and for no other language.
pub(crate) fn pact_only(name: &str, what: &str) -> Vec<Finding> {
    general("pact-only", format!("{name}: {what}"), None)
}

/// The name that messages and reports use for `file`.
pub(crate) fn shown_name(file: &str) -> &str {
    if file == "-" { STANDARD_INPUT } else { file }
}

/// The language of a file: as the user says, else by its ending.
pub(crate) fn language(file: &str, kind: Option<InputKind>) -> Option<Language> {
    match (kind, Path::new(file).extension().and_then(|extension| extension.to_str())) {
        (Some(InputKind::Pact), _) | (None, Some("pact")) => Some(Language::Pact),
        (Some(InputKind::Ispl), _) | (None, Some("ispl")) => Some(Language::Ispl),
        (Some(InputKind::Aut), _) | (None, Some("aut")) => Some(Language::Aut),
        (None, _) => None,
    }
}

fn unknown_language(file: &str) -> Vec<Finding> {
    let (message, help) = match file {
        "-" => {
            let message = "the language of standard input must be given".to_owned();
            (message, "write --input pact, --input ispl or --input aut")
        }
        file => (
            format!("{file}: this version reads .pact, .ispl and .aut files only"),
            "if it is such a file under another name, write --input pact, --input ispl or --input aut",
        ),
    };
    general("unknown-input", message, Some(help))
}

fn general(code: &'static str, message: String, help: Option<&str>) -> Vec<Finding> {
    let error = Diagnostic::error(code, message, Span::default());
    vec![Finding::general(match help {
        Some(help) => error.help(help),
        None => error,
    })]
}

/// Points to the first byte that is not UTF-8.
fn not_text(name: &str, error: std::string::FromUtf8Error) -> Finding {
    let at = error.utf8_error().valid_up_to();
    let bytes = error.into_bytes();
    let source = Arc::new(SourceFile::new(name, String::from_utf8_lossy(&bytes)));
    let message = format!("the file is not UTF-8 text: byte 0x{:02x}", bytes.get(at).copied().unwrap_or(0));
    // Up to there the text is unchanged, so the offset is right in the shown text too.
    Finding::placed(Diagnostic::error("not-utf-8", message, Span::new(at, at)), &source)
}
