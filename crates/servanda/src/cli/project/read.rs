//! From the text of `servanda.toml` to a project. All mistakes are reported in one go.

use std::path::Path;
use std::sync::Arc;

use servanda_syntax::{Code, Diagnostic, SourceFile, Span};
use toml::de::DeTable;

use super::questions::{Asked, Formula};
use super::table::{Mistakes, Text, Value, span};
use super::{Model, Project};
use crate::cli::args::{EngineArguments, LimitArguments, MOST_THREADS, ModelArguments, ReadingArguments};
use crate::cli::merge::Merge as _;
use crate::cli::values;

const TOP_KEYS: [&str; 2] = ["model", "options"];

/// What can be said of all models, and of one.
const OPTION_KEYS: [&str; 9] =
    ["acts", "deadlock", "engine", "memory", "past", "threads", "timeout", "uniform", "validity"];

const MODEL_KEYS: [&str; 7] = ["expect", "file", "formulas", "input", "params", "process", "properties"];

const FORMULA_KEYS: [&str; 2] = ["expect", "formula"];

/// Reads a project whose files are in `directory`.
pub(super) fn read(source: &Arc<SourceFile>, directory: &Path) -> Result<Project, Vec<Diagnostic>> {
    let (document, errors) = DeTable::parse_recoverable(source.text());
    if !errors.is_empty() {
        // What could be saved of a text that cannot be read would give rise to mistakes that are none.
        return Err(errors.into_iter().map(syntax_error).collect());
    }
    let mut reader = Reader { mistakes: Mistakes::new(source), source, directory };
    let project = reader.project(document.get_ref());
    let mut found = reader.mistakes.found;
    found.sort_by_key(|mistake| mistake.span);
    match project {
        Some(project) if found.is_empty() => Ok(project),
        _ => Err(found),
    }
}

fn syntax_error(error: toml::de::Error) -> Diagnostic {
    let place = error.span().map_or(Span::default(), span);
    Diagnostic::error(Code::ProjectSyntax, error.message().replace('\n', ", "), place)
}

/// What can be said of all models, and of one.
#[derive(Clone, Default)]
struct Options {
    engine: EngineArguments,
    limits: LimitArguments,
    readings: ReadingArguments,
    /// A model may take back what is said of all.
    uniform: Option<bool>,
}

struct Reader<'s> {
    mistakes: Mistakes<'s>,
    source: &'s Arc<SourceFile>,
    directory: &'s Path,
}

impl Reader<'_> {
    fn project(&mut self, document: &DeTable<'_>) -> Option<Project> {
        let mut options = Options::default();
        let mut models = Vec::new();
        for (key, value) in Mistakes::entries(document) {
            match key.text.as_str() {
                "options" => options = self.options(value),
                "model" => models = self.mistakes.array(value)?,
                _ => self.mistakes.unknown_key(&key, &TOP_KEYS),
            }
        }
        if models.is_empty() {
            let message = "the project has no model";
            let error = Diagnostic::error(Code::MissingKey, message, Span::default());
            self.mistakes.found.push(error.help("write [[model]] and under it file = \"NAME\""));
        }
        let models: Vec<Option<Model>> =
            models.into_iter().map(|model| self.model(model, &options)).collect();
        Some(Project { limits: options.limits, models: models.into_iter().flatten().collect() })
    }

    fn options(&mut self, value: &Value<'_>) -> Options {
        let mut options = Options::default();
        let Some(table) = self.mistakes.table(value) else { return options };
        for (key, value) in Mistakes::entries(table) {
            if !self.option(&mut options, &key.text, value) {
                self.mistakes.unknown_key(&key, &OPTION_KEYS);
            }
        }
        options
    }

    /// Reads an option, if there is one with this key.
    fn option(&mut self, options: &mut Options, key: &str, value: &Value<'_>) -> bool {
        let Options { engine, limits, readings, uniform } = options;
        let mistakes = &mut self.mistakes;
        match key {
            "acts" => readings.acts = mistakes.choice(value),
            "deadlock" => readings.deadlock = mistakes.choice(value),
            "engine" => engine.engine = mistakes.choice(value),
            "memory" => limits.memory = mistakes.parsed(value, values::bytes),
            "past" => readings.past = mistakes.choice(value),
            "threads" => engine.threads = self.threads(value),
            "timeout" => limits.timeout = mistakes.parsed(value, values::duration),
            "uniform" => *uniform = mistakes.truth(value),
            "validity" => readings.validity = mistakes.choice(value),
            _ => return false,
        }
        true
    }

    fn threads(&mut self, value: &Value<'_>) -> Option<u16> {
        let number = self.mistakes.integer(value)?;
        let threads = u16::try_from(number).ok().filter(|_| (1..=MOST_THREADS).contains(&number));
        if threads.is_none() {
            let message = format!("expected a number from 1 to {MOST_THREADS}");
            self.mistakes.bad_value(&message, span(value.span()), None);
        }
        threads
    }

    fn model(&mut self, value: &Value<'_>, of_all: &Options) -> Option<Model> {
        let table = self.mistakes.table(value)?;
        let mut own = Options::default();
        let mut file = None;
        let mut model = ModelArguments::default();
        let mut asked = Asked::everything(Arc::clone(self.source));
        let known: Vec<&str> = {
            let mut known = [&MODEL_KEYS[..], &OPTION_KEYS].concat();
            known.sort_unstable();
            known
        };
        let mut has_file = false;
        for (key, value) in Mistakes::entries(table) {
            match key.text.as_str() {
                "file" => {
                    has_file = true;
                    file = self.mistakes.text(value);
                }
                "input" => model.input.input = self.mistakes.choice(value),
                "process" => model.process = self.mistakes.text(value).map(|name| name.text),
                "params" => model.param = self.params(value),
                "properties" => asked.properties = self.properties(value),
                "formulas" => asked.formulas = self.formulas(value),
                "expect" => asked.expected = self.expectations(value),
                other if self.option(&mut own, other, value) => {}
                _ => self.mistakes.unknown_key(&key, &known),
            }
        }
        if !has_file {
            let error = Diagnostic::error(Code::MissingKey, "this model has no file", span(value.span()));
            self.mistakes.found.push(error.help("write file = \"NAME\""));
        }
        let uniform = own.uniform.or(of_all.uniform).unwrap_or(false);
        Some(Model {
            file: self.directory.join(file?.text).display().to_string(),
            model,
            engine: own.engine.or(&of_all.engine),
            limits: own.limits,
            readings: ReadingArguments { uniform, ..own.readings.or(&of_all.readings) },
            asked,
        })
    }

    fn params(&mut self, value: &Value<'_>) -> Vec<(String, i64)> {
        let Some(table) = self.mistakes.table(value) else { return Vec::new() };
        let entries = Mistakes::entries(table).into_iter();
        entries.filter_map(|(name, value)| Some((name.text, self.mistakes.integer(value)?))).collect()
    }

    fn properties(&mut self, value: &Value<'_>) -> Option<Vec<Text>> {
        let names = self.mistakes.array(value)?;
        Some(names.into_iter().filter_map(|name| self.mistakes.text(name)).collect())
    }

    fn expectations(&mut self, value: &Value<'_>) -> Vec<(Text, bool)> {
        let Some(table) = self.mistakes.table(value) else { return Vec::new() };
        let entries = Mistakes::entries(table).into_iter();
        entries.filter_map(|(name, value)| Some((name, self.mistakes.truth(value)?))).collect()
    }

    fn formulas(&mut self, value: &Value<'_>) -> Vec<Formula> {
        let Some(table) = self.mistakes.table(value) else { return Vec::new() };
        let entries = Mistakes::entries(table).into_iter();
        entries.filter_map(|(name, value)| self.formula(name, value)).collect()
    }

    /// `name = "FORMULA"`, or `name = { formula = "FORMULA", expect = false }`.
    fn formula(&mut self, name: Text, value: &Value<'_>) -> Option<Formula> {
        if value.get_ref().is_str() {
            return Some(Formula { name, formula: self.mistakes.text(value)?, expected: None });
        }
        let (mut formula, mut expected) = (None, None);
        for (key, value) in Mistakes::entries(self.mistakes.table(value)?) {
            match key.text.as_str() {
                "formula" => formula = Some(self.mistakes.text(value)?),
                "expect" => expected = self.mistakes.truth(value),
                _ => self.mistakes.unknown_key(&key, &FORMULA_KEYS),
            }
        }
        if formula.is_none() {
            let message = format!("`{}` has no formula", name.text);
            let error = Diagnostic::error(Code::MissingKey, message, span(value.span()));
            self.mistakes.found.push(error.help("write formula = \"FORMULA\""));
        }
        Some(Formula { name, formula: formula?, expected })
    }
}
