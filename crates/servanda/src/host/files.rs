//! Files as models use them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use servanda_report::{Finding, visible};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, nearest};

use crate::{Language, joined};

/// What standard input is called in messages. What is in no file has a name that begins like this.
pub const STANDARD_INPUT: &str = "<stdin>";

/// The language of a file by its ending.
pub fn by_ending(file: &str) -> Option<Language> {
    Language::with_ending(Path::new(file).extension()?.to_str()?)
}

/// The text of a file.
///
/// # Errors
///
/// It cannot be read, or is no text.
pub fn read(path: &str) -> Result<String, Vec<Finding>> {
    text(path, fs::File::open(path).and_then(contents))
}

/// Places in a text are numbers of 32 bits.
const LARGEST: u64 = u32::MAX as u64;

/// All that can be read from a file, or from standard input.
///
/// # Errors
///
/// It cannot be read, is too large, or goes on without being text, as some devices do.
pub fn contents(mut from: impl io::Read) -> io::Result<Vec<u8>> {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 1 << 16]);
    let refused = |message: &str| Err(io::Error::new(io::ErrorKind::InvalidData, message));
    loop {
        let read = match from.read(&mut chunk) {
            Ok(0) => return Ok(bytes),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let is_text = chunk[..read].iter().any(|byte| *byte != 0);
        if !is_text && read == chunk.len() {
            return refused("it is not text: there are zeros for 64 KB");
        }
        if (bytes.len() + read) as u64 > LARGEST {
            return refused("it is larger than 4 GB");
        }
        // The system may have less room than the limits allow.
        bytes.try_reserve(read).map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        bytes.extend_from_slice(&chunk[..read]);
    }
}

/// What was read as a text; messages call it `name`.
///
/// # Errors
///
/// It could not be read, or is no text.
pub fn text(name: &str, bytes: io::Result<Vec<u8>>) -> Result<String, Vec<Finding>> {
    let bytes = bytes.map_err(|error| {
        vec![Finding::error(Code::CannotRead, format!("{} cannot be read: {error}", visible(name)))]
    })?;
    String::from_utf8(bytes).map_err(|error| vec![not_text(name, error)])
}

/// A file that another one uses: it is looked for beside that one.
///
/// # Errors
///
/// It cannot be read, with the nearest name of one that could be; the one that uses it is no file.
pub fn beside(user: &str, path: &str) -> Result<(String, String), Box<Diagnostic>> {
    let refused = |message: String| Diagnostic::error(Code::CannotRead, message, Span::default());
    if user.starts_with('<') {
        let error =
            refused(format!("`{path}` cannot be found: used files are looked for in the same directory"));
        let whose = if user == STANDARD_INPUT { "standard input" } else { "a text that is in no file" };
        return Err(Box::new(error.help(format!("{whose} is beside nothing; write the text to a file"))));
    }
    let name = joined(user, path);
    let found = read(&name).map_err(|findings| findings.into_iter().next().map(|found| found.diagnostic));
    found.map(|text| (name.clone(), text)).map_err(|error| {
        let error = error.unwrap_or_else(|| refused(format!("{name} cannot be read")));
        // A place in the text that is no text says nothing without it.
        let error = Diagnostic { span: Span::default(), ..error };
        let near = nearest(&name, files_near(&name).iter().map(String::as_str)).map(str::to_owned);
        Box::new(match near.filter(|_| !Path::new(&name).exists()) {
            Some(near) => error.help(format!("did you mean {near}?")),
            None => error,
        })
    })
}

/// The files of the same language in the directory of one that is not there.
fn files_near(missing: &str) -> Vec<String> {
    let missing = Path::new(missing);
    let directory = missing.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let alike = |path: &PathBuf| path.extension() == missing.extension();
    let names = entries.filter_map(Result::ok).map(|entry| missing.with_file_name(entry.file_name()));
    let mut names: Vec<String> =
        names.filter(alike).map(|path| path.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The name and the text of the acts file beside a model, if there is one.
///
/// # Errors
///
/// It cannot be read.
pub fn acts_beside(file: &str) -> Result<Option<(String, String)>, Vec<Finding>> {
    let beside = Path::new(file).with_extension("acts");
    if file == "-" || !beside.is_file() {
        return Ok(None);
    }
    let name = beside.to_string_lossy().into_owned();
    read(&name).map(|text| Some((name, text)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_standard_input_uses_is_nowhere() {
        let error = beside(STANDARD_INPUT, "pay.pact").expect_err("there is no directory");
        assert_eq!(error.code, Code::CannotRead);
        assert!(error.help.is_some_and(|help| help.contains("standard input")));
    }

    #[test]
    fn a_file_that_is_not_there_is_named_with_the_nearest_that_is() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
        fs::write(path("payment.pact"), "roles A").expect("a file");
        let error = beside(&path("shop.pact"), "paymet.pact").expect_err("there is no such file");
        assert!(error.help.is_some_and(|help| help.contains("payment.pact")), "{}", error.message);
        let (name, text) = beside(&path("shop.pact"), "payment.pact").expect("there is such a file");
        assert_eq!((name, text.as_str()), (path("payment.pact"), "roles A"));
    }
}
