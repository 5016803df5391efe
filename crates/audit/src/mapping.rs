//! Mappings: how the lines of a log become labels of models.
//!
//! A mapping is a TOML file (docs/audit.md): where the fields of a line are, what is computed from them, and views, each with a model, a
//! key and rules. [`Mapping::read`] reads one and reports every mistake; [`Mapping::check`] compares it with the models.

mod check;
mod compile;
mod functions;
mod keys;
mod program;
mod read;
mod scan;
mod symbols;
mod tables;
mod tree;
mod views;
mod wanted;

use servanda_model::{Level, Model};
use servanda_syntax::{Code, Diagnostic, Findings, SourceFile, Text};

pub use check::Vocabulary;
pub use functions::{FUNCTIONS, Function};
pub use keys::{Holds, Key, Section};
pub(crate) use program::{ConstantId, KeyId, Node, NodeId, Program};
pub use symbols::{Names, Told, names};
pub(crate) use tree::Operator;
pub use wanted::{Wanted, wanted};
#[cfg(test)]
pub(crate) use {compile::Compiler, tree::parse};

use crate::read::{Nanos, Pointers, Unit};

servanda_syntax::named! {
    /// What the lines of a log are.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Format {
        /// A JSON value on each line.
        #[default]
        Jsonl = "jsonl",
        /// OTLP/JSON: spans, each with a start and an end, and log records.
        Otlp = "otlp",
        /// A capture of server-sent events.
        Sse = "sse",
        /// A header and rows of values.
        Csv = "csv",
    }
}

servanda_syntax::named! {
    /// In which order lines count.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Order {
        /// As they come.
        #[default]
        File = "file",
        /// By their times.
        Time = "time",
        /// Those of one sender as they come; those of others may have come before or after.
        PerSender = "per-sender",
    }
}

/// When a key that is not used any more is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forget {
    /// After a time, by the times of the lines.
    After(Nanos),
    /// After so many lines of the log.
    Lines(i64),
}

/// Where lines come from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// What the lines are.
    pub format: Format,
    /// In which order they count.
    pub order: Order,
    /// How far lines may be from their place.
    pub window: Nanos,
    /// What numbers that are times count.
    pub unit: Unit,
    /// The role at whose side the log was taken: what it saw before it spoke did come before.
    pub tap: Option<Text>,
    /// The field that is the time, by its slot.
    pub(crate) time: Option<u32>,
    /// The field whose elements count as lines of their own, by its slot.
    pub(crate) each: Option<u32>,
}

/// Memory: what lines store under a key.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) when: NodeId,
    pub(crate) key: KeyId,
    pub(crate) value: NodeId,
    pub(crate) forget: Option<Forget>,
}

/// A part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// What an expression is worth.
    Value(NodeId),
    /// All that there are.
    Every,
}

/// A piece of a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Value(NodeId),
}

/// A label of a rule, perhaps with values to be put in.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) text: Text,
}

impl Template {
    /// The label, where nothing is put in.
    pub(crate) fn fixed(&self) -> Option<&str> {
        match &*self.pieces {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}

/// A rule of a view: what a line means.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) when: NodeId,
    /// Which of the keys of the view.
    pub(crate) key: usize,
    pub(crate) labels: Vec<Template>,
}

/// A rule about time: a label that is taken when nothing else came.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    /// The labels that start it.
    pub(crate) after: Vec<Text>,
    /// The labels that stop it; none: every label does.
    pub(crate) unless: Vec<Text>,
    pub(crate) within: Nanos,
    pub(crate) label: Text,
}

/// A view: a model and the key of its slices.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Its name.
    pub name: Text,
    /// The file of its model, as it is written.
    pub model: Text,
    /// The labels that leave no line.
    pub silent: Vec<Text>,
    /// How much properties matter here.
    pub levels: Vec<(Text, Level)>,
    /// Where the rules stand that labels break when they are not possible: a label, or how it begins, and the place.
    pub cites: Vec<(Text, String)>,
    /// The labels that end a slice.
    pub end: Vec<Text>,
    /// When slices that are not used any more are forgotten.
    pub forget: Option<Forget>,
    /// Are lines reported that no rule matches?
    pub unmatched: bool,
    pub(crate) keys: Vec<KeyId>,
    pub(crate) events: Vec<Event>,
    pub(crate) timers: Vec<Timer>,
}

impl View {
    /// Where the rule stands that a label breaks when it is not possible, by the longest beginning that is named.
    pub(crate) fn cited(&self, label: &str) -> Option<&str> {
        let begins = self.cites.iter().filter(|(begin, _)| is_named(&begin.text, label));
        begins.max_by_key(|(begin, _)| begin.text.len()).map(|(_, place)| place.as_str())
    }
}

/// Is this the label, or all of it but what it carries?
fn is_named(begin: &str, label: &str) -> bool {
    label.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
}

/// A mapping.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// Where lines come from.
    pub source: Source,
    /// The views.
    pub views: Vec<View>,
    /// The fields by their names, in the order of the file.
    pub fields: Vec<Text>,
    pub(crate) words: Vec<(Text, Text)>,
    pub(crate) tables: Vec<Table>,
    pub(crate) program: Program,
    pub(crate) pointers: Pointers,
    /// Pointers into the elements of `each`, whose slots come behind the others.
    pub(crate) each: Pointers,
}

impl Mapping {
    /// Reads a mapping: as much of it as can be read, and all mistakes. It can be used only if none is an error.
    pub fn read(source: &SourceFile) -> (Option<Mapping>, Vec<Diagnostic>) {
        read::read(source)
    }

    /// What is wrong with it in view of the models and their properties, one for each view, in their order; `None` for one that could
    /// not be read. Logs cannot be followed in some models: that is said too.
    pub fn check_models(&self, models: &[Option<(&Model, Vec<String>)>]) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut words = Vec::new();
        for (view, model) in self.views.iter().zip(models) {
            let vocabulary = model.clone().map(|(model, properties)| Vocabulary::new(model, properties));
            words.push(vocabulary.and_then(|vocabulary| match vocabulary {
                Ok(vocabulary) => Some(vocabulary),
                Err(halt) => {
                    let message = format!("logs cannot be followed in `{}`: {halt}", view.model.text);
                    found.error(Code::NotExpressible, message, view.model.span)
                }
            }));
        }
        found.extend(self.check(&mut words));
        found
    }

    /// What is wrong with it in view of the models, one for each view, in their order; `None` for one that could not be read.
    pub fn check(&self, models: &mut [Option<Vocabulary<'_>>]) -> Vec<Diagnostic> {
        check::check(self, models)
    }
}
