//! Reading what the user names.

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use servanda::host::files::{self, STANDARD_INPUT, by_ending};
use servanda::{ActsFile, Choices, Language, Loaded};
use servanda_report::{Finding, visible};
use servanda_syntax::Code;

use super::args::ModelArguments;
use super::setting;
use super::values::InputKind;

pub(crate) use servanda::host::files::{acts_beside, beside};

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

/// Is it a plain file, which every process can read for itself?
pub(crate) fn is_file(named: &str) -> bool {
    Path::new(parts(named).0).is_file()
}

/// The text of a file, or of standard input for `-`, and what it is written in.
pub(crate) fn read(named: &str, said: Option<InputKind>) -> Result<(Language, String), Vec<Finding>> {
    let (file, _) = parts(named);
    let language = language(file, said).ok_or_else(|| vec![unknown_language(file)])?;
    Ok((language, read_text(file)?))
}

/// The text of a file in whatever language, or of standard input for `-`.
pub(crate) fn read_text(file: &str) -> Result<String, Vec<Finding>> {
    if file != "-" {
        return files::read(file);
    }
    // It can be read once, and is asked for again with each setting of the parameters.
    static READ: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = match READ.get() {
        Some(bytes) => Ok(bytes.clone()),
        None => {
            let read = files::contents(io::stdin().lock());
            read.map(|bytes| READ.get_or_init(|| bytes).clone())
        }
    };
    files::text(STANDARD_INPUT, bytes)
}

/// Reads and loads a model.
pub(crate) fn load(named: &str, model: &ModelArguments) -> Result<Loaded, Vec<Finding>> {
    let (language, text) = read(named, model.input.input)?;
    let name = shown_name(named);
    let refused =
        |code, message: String| Err(vec![Finding::error(code, format!("{}: {message}", visible(name)))]);
    let process = match (parts(named).1, model.process.last().map(String::as_str)) {
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

/// Reads and loads a model with acts; `what` needs them.
pub(crate) fn load_with_acts(file: &str, model: &ModelArguments, what: &str) -> Result<Loaded, Vec<Finding>> {
    let loaded = load(file, model)?;
    let by_itself = loaded.language() == Language::Pact;
    if by_itself || loaded.has_acts_file() { Ok(loaded) } else { Err(pact_only(shown_name(file), what)) }
}

/// What is offered for Pact and for no other language.
pub(crate) fn pact_only(name: &str, what: &str) -> Vec<Finding> {
    vec![Finding::error(Code::PactOnly, format!("{}: {what}", visible(name)))]
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
            format!("{}: this version reads {} files only", visible(file), Language::endings("and")),
            format!("if it is such a file under another name, write {kinds}"),
        ),
    };
    Finding::error(Code::UnknownInput, message).help(help)
}
