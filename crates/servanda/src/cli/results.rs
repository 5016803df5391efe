//! The results of `servanda check` for one file after the other, as they are to be written.

use servanda_report::plot::Point;
use servanda_report::{CheckReport, Detail, Statistics, Status, csv, github, json, junit, sarif, text};

use super::args::CheckFormat;
use super::terminal::Terminal;

/// What is known so far.
pub(crate) struct Results {
    format: CheckFormat,
    /// Is each report of a sweep shown besides their table?
    single: bool,
    statistics: Statistics,
    terminal: Terminal,
    /// The worst status so far.
    pub(crate) status: Status,
    /// Texts that have been handed out.
    shown: usize,
    /// Reports that wait for the end, in formats that are one document.
    waiting: Vec<CheckReport>,
    /// The reports of a model that is checked with several parameters, while that goes on.
    sweep: Option<Vec<CheckReport>>,
    /// What was said of bad input in this sweep; that is the same for most parameters.
    complaints: Vec<String>,
    /// What a picture of growth is made of.
    pub(crate) points: Vec<Point>,
}

impl Results {
    /// Nothing yet.
    pub(crate) fn new(
        (format, single): (CheckFormat, bool),
        statistics: Statistics,
        terminal: &Terminal,
    ) -> Self {
        Results {
            format,
            single,
            statistics,
            terminal: terminal.clone(),
            status: Status::Wanted,
            shown: 0,
            waiting: Vec::new(),
            sweep: None,
            complaints: Vec::new(),
            points: Vec::new(),
        }
    }

    /// What follows is the same model with several parameters.
    pub(crate) fn begin_sweep(&mut self) {
        self.sweep = Some(Vec::new());
        self.complaints.clear();
    }

    /// Takes a report, and gives what is to be written now: a file's verdicts are shown as text as soon as they are known.
    pub(crate) fn add(&mut self, report: CheckReport) -> String {
        self.status = self.status.max(report.status());
        self.points.push(Point::of(&report));
        if matches!(self.format, CheckFormat::Text | CheckFormat::Csv) {
            let errors = text::errors(&report.run, self.terminal.error_style());
            if !self.complaints.contains(&errors) {
                self.terminal.complain(&errors);
            }
            if self.sweep.is_some() {
                self.complaints.push(errors);
            }
        }
        if self.format != CheckFormat::Text {
            self.waiting.push(report);
            return String::new();
        }
        let style = self.terminal.output_style(self.statistics);
        let shown = text::check(&report, style);
        if let Some(sweep) = &mut self.sweep {
            sweep.push(report);
            if !self.single && style.detail == Detail::Normal {
                return String::new();
            }
        }
        self.apart(shown)
    }

    /// The table of a sweep, if there was one.
    pub(crate) fn end_sweep(&mut self) -> String {
        match self.sweep.take() {
            Some(reports) if self.terminal.detail != Detail::Quiet => {
                let style = self.terminal.output_style(self.statistics);
                self.apart(text::sweep(&reports, style))
            }
            _ => String::new(),
        }
    }

    /// What is to be written at the end: the table of a sweep that was not ended, or all reports in one document.
    pub(crate) fn end(&mut self) -> String {
        let table = self.end_sweep();
        let reports = std::mem::take(&mut self.waiting);
        match self.format {
            CheckFormat::Text => table,
            CheckFormat::Json => json::check(&reports, self.statistics),
            CheckFormat::Junit => junit::check(&reports),
            CheckFormat::Sarif => sarif::check(&reports),
            CheckFormat::Csv => csv::check(&reports),
            CheckFormat::Github => github::check(&reports, self.terminal.detail),
        }
    }

    /// With an empty line before it if there was something before it.
    fn apart(&mut self, shown: String) -> String {
        self.shown += 1;
        let gap = if self.shown > 1 && !shown.is_empty() { "\n" } else { "" };
        format!("{gap}{shown}")
    }
}
