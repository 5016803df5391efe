//! The keys that a mapping may have, table by table, with what they are for.

use servanda_model::Level;

use super::{Format, Order};
use crate::read::Unit;

/// A table of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The whole file.
    Top,
    /// `[source]`
    Source,
    /// `[fields]`
    Fields,
    /// `[define]`
    Define,
    /// `[words]`
    Words,
    /// `[[table]]`
    Table,
    /// `[[view]]`
    View,
    /// A rule of a view.
    Event,
    /// A rule about time of a view.
    Timer,
    /// How much properties matter in a view.
    Levels,
    /// Where rules stand that labels of a view break.
    Cites,
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A table, or several.
    Tables,
    /// A pointer into a line.
    Pointer,
    /// An expression.
    Expression,
    /// Expressions, or `*`.
    Keys,
    /// A label, or several.
    Labels,
    /// A role of a model.
    Role,
    /// The file of a model.
    Model,
    /// The name of what the table is about.
    Name,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Something that is only written.
    Other,
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub about: &'static str,
    /// What stands behind it.
    pub holds: Holds,
}

const fn row(name: &'static str, holds: Holds, about: &'static str) -> Key {
    Key { name, about, holds }
}

servanda_syntax::named! {
    /// What becomes of lines that no rule matches.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Unmatched {
        Ignore = "ignore",
        Report = "report",
    }
}

const TOP: [Key; 7] = [
    row("define", Holds::Tables, "names for expressions"),
    row("fields", Holds::Tables, "names for values of a line: JSON pointers; what is not there is missing"),
    row("source", Holds::Tables, "what the lines of the log are and in which order they count"),
    row("table", Holds::Tables, "memory: what earlier lines said, stored under a key"),
    row("version", Holds::Other, "the version of mappings that this one is written in: 1"),
    row("view", Holds::Tables, "a model, the key that cuts the log into slices, and what lines mean in it"),
    row("words", Holds::Tables, "values of the log that the model has another word for"),
];

const SOURCE: [Key; 7] = [
    row(
        "each",
        Holds::Pointer,
        "an array whose elements count as lines of their own: `/each/..` points into one",
    ),
    row("format", Holds::OneOf(&Format::WORDS), "what the lines are; `jsonl` unless stated otherwise"),
    row(
        "order",
        Holds::OneOf(&Order::WORDS),
        "in which order lines count: as they come, by their times, or as each sender wrote them",
    ),
    row(
        "tap",
        Holds::Role,
        "the role at whose side the log was taken: what it had seen before it spoke came before",
    ),
    row("time", Holds::Pointer, "where the time of a line is: a number, or a time of RFC 3339"),
    row(
        "unit",
        Holds::OneOf(&Unit::WORDS),
        "the unit of times that are numbers; without it, their size decides",
    ),
    row("window", Holds::Other, "how far lines may be from their place, as \"10s\""),
];

const TABLE: [Key; 5] = [
    row(
        "forget",
        Holds::Other,
        "after which time (\"10m\") or how many lines a key that was not used is dropped",
    ),
    row("key", Holds::Keys, "what a value is stored under"),
    row("name", Holds::Name, "what `recall` calls it"),
    row("value", Holds::Expression, "what is stored; a value that is missing takes out what is there"),
    row("when", Holds::Expression, "which lines store something"),
];

const VIEW: [Key; 11] = [
    row(
        "cites",
        Holds::Tables,
        "where the rule stands that a line with this label breaks when it is not possible",
    ),
    row("end", Holds::Labels, "labels after which a slice ends"),
    row("event", Holds::Tables, "rules: the first whose `when` holds says what the line means"),
    row(
        "forget",
        Holds::Other,
        "after which time (\"10m\") or how many lines a slice that was not used is dropped",
    ),
    row("key", Holds::Keys, "what cuts the log into slices; `\"*\"` stands for all slices that there are"),
    row("levels", Holds::Tables, "how much properties of the model matter here: must, should, may"),
    row("model", Holds::Model, "the file of the model, beside this one"),
    row("name", Holds::Name, "what findings call the view"),
    row("silent", Holds::Labels, "labels that leave no line: the model takes such a step unseen"),
    row("timer", Holds::Tables, "labels that are taken when nothing else came in time"),
    row("unmatched", Holds::OneOf(&Unmatched::WORDS), "whether lines are reported that no rule matches"),
];

const EVENT: [Key; 3] = [
    row("key", Holds::Keys, "the key of such lines, where it is not that of the view"),
    row(
        "label",
        Holds::Labels,
        "what the line means: a label, several, or \"\" for a line of no interest; `{expression}` puts a value in",
    ),
    row("when", Holds::Expression, "which lines are meant"),
];

const TIMER: [Key; 4] = [
    row("after", Holds::Labels, "the labels that start it"),
    row("label", Holds::Labels, "the label that is taken then"),
    row("unless", Holds::Labels, "the labels that stop it; without it every label does"),
    row("within", Holds::Other, "how long it waits by the times of the lines, as \"10s\""),
];

impl Section {
    /// The keys, in the order of their names; none where the author names them.
    pub fn keys(self) -> &'static [Key] {
        match self {
            Section::Top => &TOP,
            Section::Source => &SOURCE,
            Section::Table => &TABLE,
            Section::View => &VIEW,
            Section::Event => &EVENT,
            Section::Timer => &TIMER,
            Section::Fields | Section::Define | Section::Words | Section::Levels | Section::Cites => &[],
        }
    }

    /// The names of the keys.
    pub(super) fn names(self) -> Vec<&'static str> {
        self.keys().iter().map(|key| key.name).collect()
    }

    /// What stands behind a key.
    pub fn holds(self, key: &str) -> Option<Holds> {
        match self {
            Section::Fields => Some(Holds::Pointer),
            Section::Define => Some(Holds::Expression),
            Section::Words | Section::Cites => Some(Holds::Other),
            Section::Levels => Some(Holds::OneOf(&Level::WORDS)),
            _ => self.keys().iter().find(|known| known.name == key).map(|known| known.holds),
        }
    }

    /// The table behind a key.
    pub(super) fn inside(self, key: &str) -> Option<Section> {
        Some(match (self, key) {
            (Section::Top, "source") => Section::Source,
            (Section::Top, "fields") => Section::Fields,
            (Section::Top, "define") => Section::Define,
            (Section::Top, "words") => Section::Words,
            (Section::Top, "table") => Section::Table,
            (Section::Top, "view") => Section::View,
            (Section::View, "event") => Section::Event,
            (Section::View, "timer") => Section::Timer,
            (Section::View, "levels") => Section::Levels,
            (Section::View, "cites") => Section::Cites,
            _ => return None,
        })
    }
}
