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
    /// Is each report of a sweep shown besides their table?
    single: bool,
    statistics: Statistics,
    style: Style,
    /// Texts that have been handed out.
    shown: usize,
    /// Reports that wait for the end, in formats that are one document.
    waiting: Vec<CheckReport>,
    /// The reports of a model that is checked with several parameters, while that goes on.
    sweep: Option<Vec<CheckReport>>,
}

impl Form {
    /// Nothing yet.
    pub(crate) fn new((format, single): (CheckFormat, bool), statistics: Statistics, style: Style) -> Self {
        Form { format, single, statistics, style, shown: 0, waiting: Vec::new(), sweep: None }
    }

    /// What follows is the same model with several parameters.
    pub(crate) fn begin_sweep(&mut self) {
        self.sweep = Some(Vec::new());
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
            if !self.single && self.style.detail == Detail::Normal {
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

    /// With an empty line before it if there was something before it.
    fn apart(&mut self, shown: String) -> String {
        self.shown += 1;
        let gap = if self.shown > 1 && !shown.is_empty() { "\n" } else { "" };
        format!("{gap}{}", harmless(&shown))
    }
}
