//! Reading what the user names.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use servanda::{Choices, Language, Loaded};
use servanda_report::Finding;
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};

use super::args::ModelArguments;
use super::values::InputKind;

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
                let is_file = file == "-" || by_ending(file).is_some();
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

/// The language of a file by its ending.
fn by_ending(file: &str) -> Option<Language> {
    Language::with_ending(Path::new(file).extension()?.to_str()?)
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(named: &str, said: Option<InputKind>) -> Result<Input, Vec<Finding>> {
    let file = Named::new(named).file;
    let language = language(file, said).ok_or_else(|| unknown_language(file))?;
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
        bytes.map_err(|error| general(Code::CannotRead, format!("{name} cannot be read: {error}"), None))?;
    String::from_utf8(bytes).map_err(|error| vec![not_text(name, error)])
}

/// Reads and loads a model.
pub(crate) fn load(named: &str, model: &ModelArguments) -> Result<Loaded, Vec<Finding>> {
    let Input { name, text, language } = read(named, model.input.input)?;
    let process = match (Named::new(named).process, model.process.as_deref()) {
        (Some(one), Some(other)) if one != other => {
            let message = format!("{name}: two processes are named: `{one}` and, with --process, `{other}`");
            return Err(general(Code::WhichProcess, message, None));
        }
        (one, other) => one.or(other),
    };
    let refused = |code, message: String| Err(general(code, format!("{name}: {message}"), None));
    let front_end = language.front_end();
    if !front_end.has_parameters && !model.param.is_empty() {
        return refused(Code::NoParameters, format!("--param: {} has no parameters", front_end.a_file()));
    }
    if let Some(process) = process.filter(|_| !front_end.has_processes) {
        let message = format!("only CCS files have processes, and `{process}` is named");
        return refused(Code::NoProcesses, message);
    }
    Loaded::read(language, name, text, Choices { parameters: &model.param, process })
}

/// Reads and loads a Pact protocol; `what` needs one.
pub(crate) fn load_pact(file: &str, model: &ModelArguments, what: &str) -> Result<Loaded, Vec<Finding>> {
    match language(file, model.input.input) {
        Some(Language::Pact) | None => load(file, model),
        Some(_) => Err(pact_only(shown_name(file), what)),
    }
}

/// What is offered for Pact and for no other language.
pub(crate) fn pact_only(name: &str, what: &str) -> Vec<Finding> {
    general(Code::PactOnly, format!("{name}: {what}"), None)
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
pub(crate) fn language(named: &str, said: Option<InputKind>) -> Option<Language> {
    said.map(|kind| kind.0).or_else(|| by_ending(Named::new(named).file))
}

fn unknown_language(file: &str) -> Vec<Finding> {
    let kinds = Language::options("or");
    let (message, help) = match file {
        "-" => ("the language of standard input must be given".to_owned(), format!("write {kinds}")),
        file => (
            format!("{file}: this version reads {} files only", Language::endings("and")),
            format!("if it is such a file under another name, write {kinds}"),
        ),
    };
    general(Code::UnknownInput, message, Some(&help))
}

fn general(code: Code, message: String, help: Option<&str>) -> Vec<Finding> {
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
    Finding::placed(Diagnostic::error(Code::NotUtf8, message, Span::new(at, at)), &source)
}
