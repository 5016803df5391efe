//! A property with its verdict, and what shows it.

use schemars::JsonSchema;
use serde::Serialize;
use servanda_messages::{Asked, Level, Place, Verdict, Word};

use super::LINES;
use crate::answer::{Line, Outline, first_lines};
use crate::subject::Texts;

/// The lines of one chart.
const CHART: usize = 26;

/// The verdict of a property.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) formula: String,
    pub(super) verdict: Word,
    /// Is it what the model expects, or true where it expects nothing? Never where it is unknown.
    pub(super) as_wanted: bool,
    /// What the model expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected: Option<bool>,
    /// How much it matters; `must` where nothing is said.
    pub(super) level: Level,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// Where it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Line>,
    /// A run that shows a verdict that is not as wanted, as a message chart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) chart: Option<String>,
    /// The lines that the steps of this run are written in: candidates for a change.
    pub(super) lines: Vec<Line>,
}

/// Why a verdict is what it is.
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) chart: Option<String>,
    pub(super) places: Vec<Place>,
}

impl Property {
    pub(super) fn new(
        asked: Asked,
        verdict: Option<&Verdict>,
        shown: Option<Shown>,
        (cut, texts): (Option<&str>, &Texts<'_>),
    ) -> Self {
        let lines = shown.as_ref().map_or_else(Vec::new, |shown| Line::all(&shown.places, texts));
        let more = format!("call `explain` with the property `{}` and `lines`", asked.name);
        let chart = shown.and_then(|shown| shown.chart);
        Property {
            verdict: verdict.map_or(Word::Unknown, |verdict| verdict.verdict),
            as_wanted: verdict.is_some_and(|verdict| verdict.as_wanted),
            expected: verdict.and_then(|verdict| verdict.expected),
            level: verdict.and_then(|verdict| verdict.level).unwrap_or(Level::Must),
            reason: match verdict {
                Some(verdict) => verdict.reason.clone(),
                None => Some(cut.unwrap_or("it was not decided").to_owned()),
            },
            at: asked.place.map(|place| Line::new(&place, texts)),
            chart: chart.map(|chart| first_lines(drawing(&chart), CHART, &more)),
            lines,
            name: asked.name,
            formula: asked.formula,
        }
    }

    /// What is not as wanted first, then what is not known.
    pub(super) fn rank(&self) -> u8 {
        match (self.verdict, self.as_wanted) {
            (Word::Unknown, _) => 1,
            (_, false) => 0,
            (_, true) => 2,
        }
    }

    pub(super) fn told(&self, into: &mut Outline) {
        let mark = match self.rank() {
            0 => '✗',
            1 => '?',
            _ => '✓',
        };
        let wanted = match (self.rank(), self.expected) {
            (0, Some(expected)) => format!(", wanted {expected}"),
            (0, None) => ", wanted true".to_owned(),
            _ => String::new(),
        };
        let level = if self.level == Level::Must { "" } else { self.level.word() };
        let level = if level.is_empty() { String::new() } else { format!(" ({level})") };
        let reason = self.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
        into.line(format!("{mark} {}: {}{wanted}{level}{reason}", self.name, self.verdict.word()));
        if self.rank() == 2 {
            return;
        }
        match &self.at {
            Some(at) => into.line(format!("    {}", at.told())),
            None => into.line(format!("    {}", self.formula)),
        }
        if self.rank() == 0 {
            self.show(into);
        }
    }

    /// The run, as far as there is room.
    fn show(&self, into: &mut Outline) {
        if !self.lines.is_empty() {
            into.line("    its run goes through these lines:");
            self.lines.iter().take(8).for_each(|line| into.line(format!("      {}", line.told())));
        }
        match &self.chart {
            Some(chart) if into.len() + chart.lines().count() <= LINES - 6 => into.text(chart),
            Some(_) => into.line(format!("    to see it: `explain` with the property `{}`", self.name)),
            None => {}
        }
    }
}

/// A chart without its head, which says what is said already.
fn drawing(chart: &str) -> &str {
    chart.split_once("\n\n").map_or(chart, |(_, drawing)| drawing.trim_start_matches('\n'))
}
