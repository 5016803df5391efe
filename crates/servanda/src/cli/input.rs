//! Reading what the user names.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use servanda::Loaded;
use servanda_report::Finding;
use servanda_syntax::{Diagnostic, SourceFile, Span};

use super::args::{InputKind, ModelArguments};

/// What standard input is called in messages.
const STANDARD_INPUT: &str = "<stdin>";

/// The text of a file, or of standard input for `-`, with the name it goes by in messages.
pub(crate) fn read(file: &str, kind: Option<InputKind>) -> Result<(String, String), Vec<Finding>> {
    expect_pact(file, kind)?;
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
    Ok((name.to_owned(), text))
}

/// Reads and loads a protocol.
pub(crate) fn load(file: &str, model: &ModelArguments) -> Result<Loaded, Vec<Finding>> {
    let (name, text) = read(file, model.input.input)?;
    Loaded::new(name, text, &model.param)
}

/// The name that messages and reports use for `file`.
pub(crate) fn shown_name(file: &str) -> &str {
    if file == "-" { STANDARD_INPUT } else { file }
}

/// Is the input in a language that this version reads?
fn expect_pact(file: &str, kind: Option<InputKind>) -> Result<(), Vec<Finding>> {
    match (kind, file, Path::new(file).extension().and_then(|extension| extension.to_str())) {
        (Some(InputKind::Pact), ..) | (None, _, Some("pact")) => Ok(()),
        (None, "-", _) => Err(general(
            "unknown-input",
            "the language of standard input must be given".to_owned(),
            Some("write --input pact"),
        )),
        (None, ..) => Err(general(
            "unknown-input",
            format!("{file}: this version reads .pact files only"),
            Some("if it is a Pact file under another name, write --input pact"),
        )),
    }
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
