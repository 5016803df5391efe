//! The model that a call is about: a text, or a file below the directory.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use servanda_messages::Language;
use servanda_serve::Folder;

use crate::answer::Finding;

/// The model that is meant.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Subject {
    /// The text of the model. Give this or `file`.
    pub(crate) model: Option<String>,
    /// A file with the model, as a path below the directory of the server. Give this or `model`.
    pub(crate) file: Option<String>,
    /// What the model is written in; without it, what the ending of `file` says, otherwise Pact.
    pub(crate) language: Option<Language>,
    /// Other texts that the model uses, by their paths; what is not here is read below the directory.
    pub(crate) files: BTreeMap<String, String>,
    /// Values of parameters of the model, which override those it has.
    pub(crate) parameters: BTreeMap<String, i64>,
    /// For CCS: the process that is meant, where there are several.
    pub(crate) process: Option<String>,
}

/// A model with its text.
pub(crate) struct Read {
    name: String,
    text: String,
    language: Language,
    files: BTreeMap<String, String>,
    parameters: BTreeMap<String, i64>,
    process: Option<String>,
}

impl Subject {
    /// Finds the text.
    pub(crate) fn read(self, folder: &Folder) -> Result<Read, Vec<Finding>> {
        let Subject { model, file, language, files, parameters, process } = self;
        let (name, text) = match (model, file) {
            (Some(text), None) => (format!("model.{}", language.unwrap_or(Language::Pact).word()), text),
            (None, Some(file)) => {
                let text = text(&file, folder).map_err(|finding| vec![*finding])?;
                (folder.below(&file).to_owned(), text)
            }
            (Some(_), Some(_)) => {
                return Err(vec![Finding::error("give `model` or `file`, not both")]);
            }
            (None, None) => {
                let wrong = Finding::error("no model is given");
                return Err(vec![wrong.help("give its text as `model`, or its path as `file`")]);
            }
        };
        let Some(language) = language.or_else(|| Language::called(name.rsplit_once('.')?.1)) else {
            let wrong = Finding::error(format!("what {name} is written in is not clear"));
            return Err(vec![wrong.help("say `language`: pact, ispl or ccs")]);
        };
        Ok(Read { name, text, language, files, parameters, process })
    }

    /// The same where nothing else is wrong; otherwise everything that is.
    pub(crate) fn read_unless(self, wrong: Vec<Finding>, folder: &Folder) -> Result<Read, Vec<Finding>> {
        match self.read(folder) {
            Ok(read) if wrong.is_empty() => Ok(read),
            Ok(_) => Err(wrong),
            Err(findings) => Err([wrong, findings].concat()),
        }
    }
}

/// A file below the directory.
pub(crate) fn text(file: &str, folder: &Folder) -> Result<String, Box<Finding>> {
    let contents = folder.read(folder.below(file)).map_err(|refused| {
        let finding = Finding::error(refused.to_string());
        Box::new(finding.help(format!("paths are those below {}", folder.root.display())))
    })?;
    Ok(contents.text)
}

impl Read {
    /// As jobs are told it.
    pub(crate) fn request(&self) -> Value {
        json!({
            "language": self.language.word(),
            "path": self.name,
            "text": self.text,
            "open": self.files,
            "parameters": self.parameters,
            "process": self.process,
        })
    }

    /// The text itself.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What lines are taken from.
    pub(crate) fn texts<'t>(&'t self, folder: &'t Folder) -> Texts<'t> {
        let mut known: BTreeMap<&str, &str> =
            self.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        known.insert(&self.name, &self.text);
        Texts { known, folder: Some(folder) }
    }
}

/// The texts that findings are about.
#[derive(Default)]
pub(crate) struct Texts<'t> {
    /// By their names.
    pub(crate) known: BTreeMap<&'t str, &'t str>,
    /// Where others are.
    pub(crate) folder: Option<&'t Folder>,
}

impl Texts<'_> {
    /// A line, from 1.
    pub(crate) fn line(&self, name: &str, line: usize) -> Option<String> {
        let of = |text: &str| text.lines().nth(line.checked_sub(1)?).map(str::to_owned);
        match self.known.get(name) {
            Some(text) => of(text),
            None => of(&self.folder?.read(name).ok()?.text),
        }
    }
}
