//! Reading what the user names.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use servanda::{ActsFile, Choices, Language, Loaded, joined};
use servanda_report::Finding;
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, nearest};

use super::args::ModelArguments;
use super::setting;
use super::values::InputKind;

/// What standard input is called in messages.
const STANDARD_INPUT: &str = "<stdin>";

/// What the user names on the command line: a file, or `-`, and after a colon perhaps one of its processes. `FILE:NAME` is a
/// process of a file, unless there is a file of that very name.
fn parts(named: &str) -> (&str, Option<&str>) {
    match named.rsplit_once(':') {
        Some((file, process)) if !process.contains(['/', '\\']) && !Path::new(named).exists() => {
            let is_file = file == "-" || by_ending(file).is_some() || Path::new(file).exists();
            if is_file { (file, Some(process)) } else { (named, None) }
        }
        _ => (named, None),
    }
}

/// The language of a file by its ending.
fn by_ending(file: &str) -> Option<Language> {
    Language::with_ending(Path::new(file).extension()?.to_str()?)
}

/// The text of a file, or of standard input for `-`, and what it is written in.
pub(crate) fn read(named: &str, said: Option<InputKind>) -> Result<(Language, String), Vec<Finding>> {
    let (file, _) = parts(named);
    let language = language(file, said).ok_or_else(|| vec![unknown_language(file)])?;
    Ok((language, read_text(file)?))
}

/// The text of a file in whatever language, or of standard input for `-`.
pub(crate) fn read_text(file: &str) -> Result<String, Vec<Finding>> {
    let (name, bytes) = match file {
        "-" => {
            // It can be read once, and is asked for again with each setting of the parameters.
            static READ: OnceLock<Vec<u8>> = OnceLock::new();
            let read = match READ.get() {
                Some(bytes) => Ok(bytes.clone()),
                None => {
                    let mut bytes = Vec::new();
                    let read = io::stdin().lock().read_to_end(&mut bytes);
                    read.map(|_| READ.get_or_init(|| bytes).clone())
                }
            };
            (STANDARD_INPUT, read)
        }
        path => (path, fs::read(path)),
    };
    let bytes = bytes
        .map_err(|error| vec![Finding::error(Code::CannotRead, format!("{name} cannot be read: {error}"))])?;
    String::from_utf8(bytes).map_err(|error| vec![not_text(name, error)])
}

/// Reads and loads a model.
pub(crate) fn load(named: &str, model: &ModelArguments) -> Result<Loaded, Vec<Finding>> {
    let (language, text) = read(named, model.input.input)?;
    let name = shown_name(named);
    let refused = |code, message: String| Err(vec![Finding::error(code, format!("{name}: {message}"))]);
    let process = match (parts(named).1, model.process.as_deref()) {
        (Some(one), Some(other)) if one != other => {
            let message = format!("two processes are named: `{one}` and, with --process, `{other}`");
            return refused(Code::WhichProcess, message);
        }
        (one, other) => one.or(other),
    };
    let front_end = language.front_end();
    if !front_end.has_parameters && !model.param.is_empty() {
        let (article, name) = front_end.name;
        return refused(Code::NoParameters, format!("--param: {article} {name} file has no parameters"));
    }
    if let Some(process) = process.filter(|_| !front_end.has_processes) {
        let message = format!("only CCS files have processes, and `{process}` is named");
        return refused(Code::NoProcesses, message);
    }
    let acts = match &model.acts_file {
        Some(file) if !front_end.has_acts => {
            let message =
                format!("--acts-file {file}: {} files say themselves which acts there are", front_end.name.1);
            return refused(Code::NoActsFile, message);
        }
        Some(file) => Some((file.clone(), read_text(file)?)),
        None if front_end.has_acts => acts_beside(parts(named).0)?,
        None => None,
    };
    let is_given = model.acts_file.is_some();
    let acts = acts.as_ref().map(|(name, text)| ActsFile { name, text, is_given });
    let parameters = setting::single(&model.param)?;
    let choices = Choices { parameters: &parameters, process, acts, find: Some(&beside) };
    Loaded::read(language, name, text, choices).map_err(|findings| {
        findings.into_iter().map(|finding| setting::where_it_is_set(finding, &model.param)).collect()
    })
}

/// A file that another one uses: it is looked for beside that one.
pub(crate) fn beside(user: &str, path: &str) -> Result<(String, String), Box<Diagnostic>> {
    let refused = |message: String| Diagnostic::error(Code::CannotRead, message, Span::default());
    if user == STANDARD_INPUT {
        let error = refused(format!("`{path}` cannot be found: what is used is looked for beside the file"));
        return Err(Box::new(error.help("standard input is beside nothing; write the text to a file")));
    }
    let name = joined(user, path);
    let found =
        read_text(&name).map_err(|findings| findings.into_iter().next().map(|found| found.diagnostic));
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
pub(crate) fn acts_beside(file: &str) -> Result<Option<(String, String)>, Vec<Finding>> {
    let beside = Path::new(file).with_extension("acts");
    if file == "-" || !beside.is_file() {
        return Ok(None);
    }
    let name = beside.to_string_lossy().into_owned();
    read_text(&name).map(|text| Some((name, text)))
}

/// Reads and loads a model with acts; `what` needs them.
pub(crate) fn load_with_acts(file: &str, model: &ModelArguments, what: &str) -> Result<Loaded, Vec<Finding>> {
    let loaded = load(file, model)?;
    let by_itself = loaded.language() == Language::Pact;
    if by_itself || loaded.has_acts_file() { Ok(loaded) } else { Err(pact_only(shown_name(file), what)) }
}

/// What is offered for Pact and for no other language.
pub(crate) fn pact_only(name: &str, what: &str) -> Vec<Finding> {
    vec![Finding::error(Code::PactOnly, format!("{name}: {what}"))]
}

/// The name that messages and reports use for what the user names.
pub(crate) fn shown_name(named: &str) -> &str {
    match parts(named).0 {
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
    said.map(|kind| kind.0).or_else(|| by_ending(parts(named).0))
}

fn unknown_language(file: &str) -> Finding {
    let kinds = Language::options("or");
    let (message, help) = match file {
        "-" => ("the language of standard input must be given".to_owned(), format!("write {kinds}")),
        file => (
            format!("{file}: this version reads {} files only", Language::endings("and")),
            format!("if it is such a file under another name, write {kinds}"),
        ),
    };
    Finding::error(Code::UnknownInput, message).help(help)
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
