//! The results of `servanda check` in one form: what is written as soon as it is known, and the document at the end.

use servanda_report::{
    CheckReport, Detail, Statistics, Status, Style, csv, diagnostics, github, harmless, json, junit, sarif,
    text,
};

use super::args::CheckFormat;
use super::fleet::Told;

/// Results in one of the forms.
pub(crate) struct Form {
    pub(crate) format: CheckFormat,
    asked: Asked,
    statistics: Statistics,
    style: Style,
    /// Texts that have been handed out.
    shown: usize,
    /// What was handed out of the report that is not yet complete.
    begun: Begun,
    /// Reports that wait for the end, in formats that are one document.
    waiting: Vec<CheckReport>,
    /// The reports of a model that is checked with several parameters, while that goes on.
    sweep: Option<Vec<CheckReport>>,
}

/// What a table has no room for.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) evidence: text::Evidence,
    pub(crate) statistics: Statistics,
}

/// The beginning of a report.
#[derive(Default)]
struct Begun {
    text: String,
    /// So many of its properties are in it.
    properties: usize,
}

impl Form {
    /// Nothing yet.
    pub(crate) fn new(format: CheckFormat, asked: Asked, style: Style) -> Self {
        Form {
            format,
            asked,
            statistics: asked.statistics,
            style,
            shown: 0,
            begun: Begun::default(),
            waiting: Vec::new(),
            sweep: None,
        }
    }

    /// What follows is the same model with several parameters.
    pub(crate) fn begin_sweep(&mut self) {
        self.sweep = Some(Vec::new());
    }

    /// What is to be written of a report that is not yet complete: as text its verdicts, as far as all before them are known.
    pub(crate) fn begun(&mut self, report: &CheckReport) -> String {
        let is_table = self.sweep.is_some() && !self.shows_each();
        if self.format != CheckFormat::Text || is_table {
            return String::new();
        }
        let (shown, next) = text::begun(report, self.begun.properties, self.asked.evidence, self.style);
        self.begun.properties = next;
        let gap = if self.begun.text.is_empty() { self.gap(&shown) } else { "" };
        let shown = format!("{gap}{}", harmless(&shown));
        self.begun.text.push_str(&shown);
        shown
    }

    /// Takes back what was handed out of the report that is not yet complete: it will be handed out with the rest.
    pub(crate) fn take_back(&mut self) {
        self.begun = Begun::default();
    }

    /// Is each report of a sweep shown besides their table?
    fn shows_each(&self) -> bool {
        let Asked { evidence, statistics } = self.asked;
        let has_room = evidence == text::Evidence::NotAsked && statistics == Statistics::Hidden;
        !has_room || self.style.detail != Detail::Normal
    }

    /// Takes a report, and gives what is to be written now.
    pub(crate) fn add(&mut self, report: CheckReport) -> String {
        let style = self.style;
        // What is said of a report, here or where errors are told, counts for the whole run.
        self.style = diagnostics::after(&report.run.findings, style);
        match self.format {
            CheckFormat::Jsonl => {
                self.shown += 1;
                return json::file_line(&report, self.statistics);
            }
            CheckFormat::Part => return Told::Done(Box::new(report.into())).line(),
            CheckFormat::Github => return github::check(&[report], self.style.detail),
            CheckFormat::Json | CheckFormat::Junit | CheckFormat::Sarif | CheckFormat::Csv => {
                self.waiting.push(report);
                return String::new();
            }
            CheckFormat::Text => {}
        }
        let shown = text::check(&report, style);
        if let Some(sweep) = &mut self.sweep {
            sweep.push(report);
            if !self.shows_each() {
                return String::new();
            }
        }
        self.apart(shown)
    }

    /// So many findings can still be shown in full.
    pub(crate) fn findings(&self) -> usize {
        self.style.findings
    }

    /// The table of a sweep, if there was one.
    pub(crate) fn end_sweep(&mut self) -> String {
        match self.sweep.take() {
            Some(reports) if self.format == CheckFormat::Text && self.style.detail != Detail::Quiet => {
                self.apart(text::sweep(&reports, self.style))
            }
            _ => String::new(),
        }
    }

    /// What is to be written at the end: the table of a sweep that was not ended, or all reports in one document.
    pub(crate) fn end(&mut self, status: Status) -> String {
        let table = self.end_sweep();
        match self.format {
            CheckFormat::Jsonl => json::summary_line(self.shown, status),
            _ => table + &self.document(&[]),
        }
    }

    /// What stands behind the texts so far, while other reports are to come: what is undecided does not look like a success.
    pub(crate) fn rest(&self, to_come: &[CheckReport]) -> String {
        match self.format {
            CheckFormat::Text => self.begun.text.clone(),
            CheckFormat::Github => github::check(to_come, self.style.detail),
            _ => String::new(),
        }
    }

    /// The reports so far and those that are to come as one document; empty in formats that are none.
    pub(crate) fn document(&self, to_come: &[CheckReport]) -> String {
        let reports: Vec<CheckReport>;
        let reports = match to_come {
            [] => &self.waiting,
            to_come => {
                reports = self.waiting.iter().chain(to_come).cloned().collect();
                &reports
            }
        };
        match self.format {
            CheckFormat::Text | CheckFormat::Jsonl | CheckFormat::Github | CheckFormat::Part => String::new(),
            CheckFormat::Json => json::check(reports, self.statistics),
            CheckFormat::Junit => junit::check(reports),
            CheckFormat::Sarif => sarif::check(reports),
            CheckFormat::Csv => csv::check(reports),
        }
    }

    /// With an empty line before it if there was something before it, and without what was written of it before.
    fn apart(&mut self, shown: String) -> String {
        let whole = format!("{}{}", self.gap(&shown), harmless(&shown));
        self.shown += 1;
        let begun = std::mem::take(&mut self.begun).text;
        match whole.strip_prefix(&begun) {
            Some(rest) => rest.to_owned(),
            // Something was found that changes what was said: all of it is said again.
            None => format!("\n{}", whole.trim_start_matches('\n')),
        }
    }

    /// What stands between a text and the one before it.
    fn gap(&self, shown: &str) -> &'static str {
        if self.shown > 0 && !shown.is_empty() { "\n" } else { "" }
    }
}
