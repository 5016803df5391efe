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

/// What the user names on the command line: a file, and after a colon perhaps one of its processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named<'a> {
    /// The file, or `-`.
    pub(crate) file: &'a str,
    /// The process.
    pub(crate) process: Option<&'a str>,
}

impl<'a> Named<'a> {
    /// `FILE:NAME` is a process of a file, unless there is a file of that very name.
    pub(crate) fn new(named: &'a str) -> Self {
        let whole = Named { file: named, process: None };
        match named.rsplit_once(':') {
            Some((file, process)) if !process.contains(['/', '\\']) && !Path::new(named).exists() => {
                let is_file = file == "-" || extension(file).is_some_and(|it| KNOWN.contains(&it));
                if is_file || Path::new(file).exists() {
                    Named { file, process: Some(process) }
                } else {
                    whole
                }
            }
            _ => whole,
        }
    }
}

/// The endings of files that can be read.
const KNOWN: [&str; 3] = ["pact", "ispl", "ccs"];

fn extension(file: &str) -> Option<&str> {
    Path::new(file).extension().and_then(|extension| extension.to_str())
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(named: &str, kind: Option<InputKind>) -> Result<Input, Vec<Finding>> {
    let file = Named::new(named).file;
    let language = language(file, kind).ok_or_else(|| unknown_language(file))?;
    let name = shown_name(named);
    let text = read_text(file)?;
    Ok(Input { name: name.to_owned(), text, language })
}

/// The text of a file in whatever language, or of standard input for `-`.
pub(crate) fn read_text(file: &str) -> Result<String, Vec<Finding>> {
    let (name, bytes) = match file {
        "-" => {
            let mut bytes = Vec::new();
            (STANDARD_INPUT, io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        }
        path => (path, fs::read(path)),
    };
    let bytes =
        bytes.map_err(|error| general("cannot-read", format!("{name} cannot be read: {error}"), None))?;
    String::from_utf8(bytes).map_err(|error| vec![not_text(name, error)])
}

/// Reads and loads a model.
pub(crate) fn load(named: &str, model: &ModelArguments) -> Result<Loaded, Vec<Finding>> {
    let Input { name, text, language } = read(named, model.input.input)?;
    let process = match (Named::new(named).process, model.process.as_deref()) {
        (Some(one), Some(other)) if one != other => {
            let message = format!("{name}: two processes are named: `{one}` and, with --process, `{other}`");
            return Err(general("which-process", message, None));
        }
        (one, other) => one.or(other),
    };
    let refused = |code, message: String| Err(general(code, format!("{name}: {message}"), None));
    match language {
        Language::Ispl if !model.param.is_empty() => {
            refused("no-parameters", "--param: an ISPL file has no parameters".to_owned())
        }
        Language::Ccs if !model.param.is_empty() => {
            refused("no-parameters", "--param: a CCS file has no parameters".to_owned())
        }
        Language::Aut if !model.param.is_empty() => {
            refused("no-parameters", "--param: an .aut file has no parameters".to_owned())
        }
        Language::Pact | Language::Ispl | Language::Aut if process.is_some() => {
            let process = process.unwrap_or_default();
            refused("no-processes", format!("only CCS files have processes, and `{process}` is named"))
        }
        Language::Pact => Loaded::pact(name, text, &model.param),
        Language::Ispl => Loaded::ispl(name, text),
        Language::Ccs => Loaded::ccs(name, text, process),
        Language::Aut => Loaded::aut(name, text),
    }
}
/// Reads and loads a Pact protocol; `what` needs one.
pub(crate) fn load_pact(file: &str, model: &ModelArguments, what: &str) -> Result<Loaded, Vec<Finding>> {
    match language(file, model.input.input) {
        Some(Language::Ispl | Language::Ccs | Language::Aut) => Err(pact_only(shown_name(file), what)),
        Some(Language::Pact) | None => load(file, model),
    }
}

/// What is offered for Pact and for no other language.
pub(crate) fn pact_only(name: &str, what: &str) -> Vec<Finding> {
    general("pact-only", format!("{name}: {what}"), None)
}

/// The name that messages and reports use for what the user names.
pub(crate) fn shown_name(named: &str) -> &str {
    match Named::new(named).file {
        "-" => STANDARD_INPUT,
        file => file,
    }
}

/// An argument as messages name it: with the process, where one is named.
pub(crate) fn shown_argument(named: &str) -> &str {
    if named == "-" { shown_name(named) } else { named }
}

/// The language of a file: as the user says, else by its ending.
pub(crate) fn language(named: &str, kind: Option<InputKind>) -> Option<Language> {
    match (kind, extension(Named::new(named).file)) {
        (Some(InputKind::Pact), _) | (None, Some("pact")) => Some(Language::Pact),
        (Some(InputKind::Ispl), _) | (None, Some("ispl")) => Some(Language::Ispl),
        (Some(InputKind::Ccs), _) | (None, Some("ccs")) => Some(Language::Ccs),
        (Some(InputKind::Aut), _) | (None, Some("aut")) => Some(Language::Aut),
        (None, _) => None,
    }
}

fn unknown_language(file: &str) -> Vec<Finding> {
    let kinds = "--input pact, --input ispl, --input ccs or --input aut";
    let (message, help) = match file {
        "-" => ("the language of standard input must be given".to_owned(), format!("write {kinds}")),
        file => (
            format!("{file}: this version reads .pact, .ispl, .ccs and .aut files only"),
            format!("if it is such a file under another name, write {kinds}"),
        ),
    };
    general("unknown-input", message, Some(&help))
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
