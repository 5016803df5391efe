//! The results of `servanda check` for one file after the other, as they are to be written.

use servanda_report::{CheckReport, Statistics, Status, github, json, junit, sarif, text};

use super::args::CheckFormat;
use super::terminal::Terminal;

/// What is known so far.
pub(crate) struct Results {
    format: CheckFormat,
    statistics: Statistics,
    terminal: Terminal,
    /// The worst status so far.
    pub(crate) status: Status,
    /// Files whose text has been handed out.
    shown: usize,
    /// Reports that wait for the end, in formats that are one document.
    waiting: Vec<CheckReport>,
}

impl Results {
    /// Nothing yet.
    pub(crate) fn new(format: CheckFormat, statistics: Statistics, terminal: &Terminal) -> Self {
        let (terminal, status) = (terminal.clone(), Status::Wanted);
        Results { format, statistics, terminal, status, shown: 0, waiting: Vec::new() }
    }

    /// Takes a report, and gives what is to be written now: a file's verdicts are shown as text as soon as they are known.
    pub(crate) fn add(&mut self, report: CheckReport) -> String {
        self.status = self.status.max(report.status());
        if self.format != CheckFormat::Text {
            self.waiting.push(report);
            return String::new();
        }
        self.terminal.complain(&text::errors(&report.run, self.terminal.error_style()));
        let shown = text::check(&report, self.terminal.output_style(self.statistics));
        self.shown += 1;
        let gap = if self.shown > 1 && !shown.is_empty() { "\n" } else { "" };
        format!("{gap}{shown}")
    }

    /// What is to be written at the end: all reports in one document.
    pub(crate) fn end(&mut self) -> String {
        let reports = std::mem::take(&mut self.waiting);
        match self.format {
            CheckFormat::Text => String::new(),
            CheckFormat::Json => json::check(&reports, self.statistics),
            CheckFormat::Junit => junit::check(&reports),
            CheckFormat::Sarif => sarif::check(&reports),
            CheckFormat::Github => github::check(&reports, self.terminal.detail),
        }
    }
}
