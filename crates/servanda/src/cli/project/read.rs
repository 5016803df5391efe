//! From the text of `servanda.toml` to a project. All mistakes are reported in one go.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use servanda_syntax::{Diagnostic, SourceFile, Span, Text, Toml, TomlTable, TomlValue, toml_span};

use super::super::args::{
    DemandArguments, EngineArguments, LimitArguments, MOST_RECALLED, MOST_THREADS, ModelArguments,
    ReadingArguments, Uniform,
};
use super::super::setting::{self, Setting};
use super::super::values;
use super::questions::{Asked, Formula};
use super::{Model, Project};

const TOP_KEYS: [&str; 2] = ["model", "options"];

/// What can be said of all models, and of one.
const OPTION_KEYS: [&str; 11] = [
    "acts", "deadlock", "engine", "level", "memory", "past", "recall", "threads", "timeout", "uniform",
    "validity",
];

const MODEL_KEYS: [&str; 8] =
    ["acts-file", "expect", "file", "formulas", "input", "params", "process", "properties"];

const FORMULA_KEYS: [&str; 2] = ["expect", "formula"];

/// Reads a project whose files are in `directory`.
pub(super) fn read(source: &Arc<SourceFile>, directory: &Path) -> Result<Project, Vec<Diagnostic>> {
    let (toml, document) = Toml::parse(source)?;
    let mut reader = Reader { source, directory, toml };
    let project = reader.project(document.get_ref());
    let found = reader.toml.mistakes();
    match project {
        Some(project) if found.is_empty() => Ok(project),
        _ => Err(found),
    }
}

/// What can be said of all models, and of one.
#[derive(Clone, Default)]
struct Options {
    engine: EngineArguments,
    limits: LimitArguments,
    readings: ReadingArguments,
    demands: DemandArguments,
    /// A model may take back what is said of all.
    uniform: Option<Option<Uniform>>,
}

pub(super) struct Reader<'s> {
    source: &'s Arc<SourceFile>,
    directory: &'s Path,
    pub(super) toml: Toml<'s>,
}

impl Reader<'_> {
    fn project(&mut self, document: &TomlTable<'_>) -> Option<Project> {
        let mut options = Options::default();
        let mut models: &[TomlValue<'_>] = &[];
        for (key, value) in Toml::entries(document) {
            match key.text.as_str() {
                "options" => options = self.options(value),
                "model" => models = self.toml.array(value)?,
                _ => self.toml.unknown_key(&key, &TOP_KEYS),
            }
        }
        if models.is_empty() {
            let help = "write [[model]] and under it file = \"NAME\"";
            self.toml.missing_key("the project has no model", Span::default(), help);
        }
        let models = models.iter().filter_map(|model| self.model(model, &options)).collect();
        Some(Project { limits: options.limits, models })
    }

    fn options(&mut self, value: &TomlValue<'_>) -> Options {
        let mut options = Options::default();
        let Some(table) = self.toml.table(value) else { return options };
        for (key, value) in Toml::entries(table) {
            if !self.option(&mut options, &key.text, value) {
                self.toml.unknown_key(&key, &OPTION_KEYS);
            }
        }
        options
    }

    /// Reads an option, if there is one with this key.
    fn option(&mut self, options: &mut Options, key: &str, value: &TomlValue<'_>) -> bool {
        let Options { engine, limits, readings, demands, uniform } = options;
        match key {
            "acts" => readings.acts = self.choice(value),
            "deadlock" => readings.deadlock = self.choice(value),
            "engine" => engine.engine = self.choice(value),
            "level" => demands.level = self.choice(value),
            "memory" => limits.memory = self.toml.parsed(value, values::bytes),
            "past" => readings.past = self.choice(value),
            "recall" => readings.recall = self.within(value, 0..=MOST_RECALLED),
            "threads" => engine.threads = self.within(value, 1..=MOST_THREADS),
            "timeout" => limits.timeout = self.toml.parsed(value, values::duration),
            "uniform" if matches!(value.get_ref().as_str(), Some("objective" | "subjective")) => {
                *uniform = self.choice(value).map(Some);
            }
            "uniform" => {
                *uniform = self.toml.truth(value).map(|truth| truth.then_some(Uniform::Objective));
            }
            "validity" => readings.validity = self.choice(value),
            _ => return false,
        }
        true
    }

    fn within<N: TryFrom<i64>>(&mut self, value: &TomlValue<'_>, range: RangeInclusive<i64>) -> Option<N> {
        let number = self.toml.integer(value)?;
        let within = N::try_from(number).ok().filter(|_| range.contains(&number));
        if within.is_none() {
            let message = format!("expected a number from {} to {}", range.start(), range.end());
            self.toml.bad_value(&message, toml_span(value));
        }
        within
    }

    fn model(&mut self, value: &TomlValue<'_>, of_all: &Options) -> Option<Model> {
        let table = self.toml.table(value)?;
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
        for (key, value) in Toml::entries(table) {
            match key.text.as_str() {
                "file" => {
                    has_file = true;
                    file = self.toml.text(value);
                }
                "input" => model.input.input = self.choice(value),
                "acts-file" => {
                    let file = self.toml.text(value);
                    model.acts_file = file.map(|file| self.directory.join(file.text).display().to_string());
                }
                "process" => {
                    model.process = self.toml.text(value).map(|name| name.text).into_iter().collect()
                }
                "params" => model.param = self.each(value, Self::setting),
                "properties" => asked.properties = self.properties(value),
                "formulas" => asked.formulas = self.each(value, Self::formula),
                "expect" => {
                    let expected = |reader: &mut Self, name, value: &TomlValue<'_>| {
                        Some((name, reader.toml.truth(value)?))
                    };
                    asked.expected = self.each(value, expected);
                }
                other if self.option(&mut own, other, value) => {}
                _ => self.toml.unknown_key(&key, &known),
            }
        }
        if !has_file {
            self.toml.missing_key("this model has no file", toml_span(value), "write file = \"NAME\"");
        }
        let uniform = own.uniform.or(of_all.uniform).flatten();
        Some(Model {
            file: self.directory.join(file?.text).display().to_string(),
            model,
            engine: own.engine.or(&of_all.engine),
            limits: own.limits,
            readings: ReadingArguments { uniform, ..own.readings.or(&of_all.readings) },
            demands: DemandArguments { level: own.demands.level.or(of_all.demands.level) },
            asked: Some(asked),
        })
    }

    /// The entries of a table that can be read.
    fn each<T>(
        &mut self,
        value: &TomlValue<'_>,
        mut read: impl FnMut(&mut Self, Text, &TomlValue<'_>) -> Option<T>,
    ) -> Vec<T> {
        let entries = self.toml.table(value).map(Toml::entries).unwrap_or_default().into_iter();
        entries.filter_map(|(name, value)| read(self, name, value)).collect()
    }

    /// `N = 3`, `N = "2..8"`, or `N = [2, 4, "8..10"]`.
    fn setting(&mut self, name: Text, value: &TomlValue<'_>) -> Option<Setting> {
        let values = match value.get_ref().as_array() {
            Some(parts) => {
                let parts: Vec<Option<Vec<i64>>> = parts.iter().map(|part| self.values(part)).collect();
                let mut found: Vec<i64> = Vec::new();
                for part in parts.into_iter().collect::<Option<Vec<_>>>()?.concat() {
                    if !found.contains(&part) {
                        found.push(part);
                    }
                }
                found
            }
            None => self.values(value)?,
        };
        if values.is_empty() {
            self.toml.bad_value("expected at least one value", toml_span(value));
            return None;
        }
        Some(Setting { name: name.text, values, source: Arc::clone(self.source), span: name.span })
    }

    /// A number, or a range or list of numbers as a string.
    fn values(&mut self, value: &TomlValue<'_>) -> Option<Vec<i64>> {
        if value.get_ref().is_str() {
            return self.toml.parsed(value, setting::values);
        }
        Some(vec![self.toml.integer(value)?])
    }

    fn properties(&mut self, value: &TomlValue<'_>) -> Option<Vec<Text>> {
        let names = self.toml.array(value)?;
        Some(names.iter().filter_map(|name| self.toml.text(name)).collect())
    }

    /// `name = "FORMULA"`, or `name = { formula = "FORMULA", expect = false }`.
    fn formula(&mut self, name: Text, value: &TomlValue<'_>) -> Option<Formula> {
        if value.get_ref().is_str() {
            return Some(Formula { name, formula: self.toml.text(value)?, expected: None });
        }
        let (mut formula, mut expected) = (None, None);
        for (key, value) in Toml::entries(self.toml.table(value)?) {
            match key.text.as_str() {
                "formula" => formula = Some(self.toml.text(value)?),
                "expect" => expected = self.toml.truth(value),
                _ => self.toml.unknown_key(&key, &FORMULA_KEYS),
            }
        }
        if formula.is_none() {
            let message = format!("`{}` has no formula", name.text);
            self.toml.missing_key(&message, toml_span(value), "write formula = \"FORMULA\"");
        }
        Some(Formula { name, formula: formula?, expected })
    }
}
