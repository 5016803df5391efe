//! What an audit finds, told as it is found or at the end.

use std::collections::{BTreeMap, BTreeSet};

use servanda::{Clock as _, Rules};
use servanda_audit::{Finding, Outcome, Sink, Verdict};
use servanda_report::audit::{AuditReport, github, json, junit, sarif, text};
use servanda_report::{Detail, Level, Statistics, Status, Style};
use servanda_syntax::nearest;

use super::super::args::{AuditArguments, AuditFormat, BadLines};
use super::super::limits::Limits;
use super::super::terminal::Terminal;

/// The width of charts in characters.
const WIDTH: usize = 100;

/// So many findings of one sort are told in full to people, and so many in a document. A log in another format than was said would bring
/// one for each of its lines.
const MOST_TOLD: u64 = 20;
const MOST_KEPT: u64 = 1000;

/// Among so many keys the one is looked for that is nearest to what was asked for.
const MOST_KEYS: usize = 10_000;

/// Tells what is found in the form that was asked for.
pub(super) struct Shown<'a> {
    arguments: &'a AuditArguments,
    rules: &'a Rules,
    limits: &'a Limits,
    terminal: &'a Terminal,
    style: Style,
    statistics: Statistics,
    pub(super) report: AuditReport,
    /// What has not been written yet.
    waiting: String,
    /// What is still owed, by debtor.
    owed: BTreeMap<String, u64>,
    status: Status,
    /// Has there been a slice of the key that was asked for?
    has_key: bool,
    /// Keys of slices, where one was asked for.
    keys: BTreeSet<String>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(
        arguments: &'a AuditArguments,
        rules: &'a Rules,
        logs: Vec<String>,
        (limits, terminal): (&'a Limits, &'a Terminal),
    ) -> Self {
        let statistics = if arguments.stats { Statistics::Shown } else { Statistics::Hidden };
        let style = terminal.output_style(statistics);
        let report = AuditReport {
            logs,
            by: arguments.by.name(),
            models: rules.models(),
            level: arguments.level.map_or(Level::Should, |level| level.0),
            is_complete: arguments.complete,
            most: most(arguments.format, style),
            ..AuditReport::default()
        };
        Shown {
            arguments,
            rules,
            limits,
            terminal,
            style,
            statistics,
            report,
            waiting: String::new(),
            owed: BTreeMap::new(),
            status: Status::Wanted,
            has_key: false,
            keys: BTreeSet::new(),
        }
    }

    /// The name of a log.
    pub(super) fn log(&self, number: usize) -> &str {
        self.report.logs.get(number).map_or("", String::as_str)
    }

    /// Is the slice one that was asked for?
    fn is_asked(&self, key: &[String]) -> bool {
        self.arguments.key.as_ref().is_none_or(|asked| *asked == key.join("/"))
    }

    /// Writes what has come together.
    pub(super) fn flush(&mut self) {
        if !self.waiting.is_empty() {
            self.limits.clear_progress();
            let text = std::mem::take(&mut self.waiting);
            self.status = self.terminal.write(&text, self.status);
        }
    }

    /// What to say where no slice has the key that was asked for: nothing was judged, which is not that nothing is wrong.
    fn no_such_key(&self) -> Option<String> {
        let asked = self.arguments.key.as_ref().filter(|_| !self.has_key)?;
        let help = match nearest(asked, self.keys.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let some: Vec<String> = self.keys.iter().take(5).map(|key| format!("`{key}`")).collect();
                let more = if self.keys.len() > some.len() { ", .." } else { "" };
                format!("there are {}{more}", some.join(", "))
            }
        };
        Some(format!("nothing was judged: no slice has the key `{asked}`; {help}"))
    }

    /// Tells how it went.
    pub(super) fn end(mut self, ended: Option<String>, memory: Option<u64>) -> Status {
        self.report.ended = ended;
        // Who follows a log may wait for its first line.
        if !self.arguments.follow {
            self.report.end();
        }
        if let Some(why) = self.no_such_key().filter(|_| self.report.ended.is_none()) {
            self.report.ended = Some(why);
        }
        self.report.owed = std::mem::take(&mut self.owed).into_iter().collect();
        self.report.totals.seconds = self.limits.elapsed().as_secs_f64();
        self.report.totals.memory = memory;
        let last = match self.arguments.format {
            AuditFormat::Text => text::summary(&self.report, self.style),
            AuditFormat::Json => json::document(&self.report, self.statistics),
            AuditFormat::Jsonl => json::summary_line(&self.report, self.statistics),
            AuditFormat::Junit => junit::document(&self.report),
            AuditFormat::Sarif => sarif::document(&self.report),
            AuditFormat::Github => github::rest(&self.report),
        };
        self.waiting.push_str(&last);
        self.flush();
        self.report.status().max(self.status)
    }
}

/// How many findings of one sort are told in full. Lines for programs have all.
fn most(format: AuditFormat, style: Style) -> Option<u64> {
    match format {
        AuditFormat::Text if style.detail == Detail::Verbose => None,
        AuditFormat::Text | AuditFormat::Github => Some(MOST_TOLD),
        AuditFormat::Json | AuditFormat::Junit | AuditFormat::Sarif => Some(MOST_KEPT),
        AuditFormat::Jsonl => None,
    }
}

impl Sink for Shown<'_> {
    fn finding(&mut self, mut found: Finding) {
        let is_bad = found.kind == servanda_audit::Kind::BadLine;
        if (is_bad && self.arguments.bad_lines == BadLines::Skip) || (!is_bad && !self.is_asked(&found.key)) {
            return;
        }
        if is_bad {
            found.level = Level::Must;
        }
        let mut finding = self.rules.finding(found, &self.report.logs);
        if !self.report.count(&finding) {
            return;
        }
        if self.arguments.explain {
            let drawn = self.rules.chart(&finding);
            finding.chart = drawn.map(|drawn| servanda_chart::text(&drawn, WIDTH));
        }
        match self.arguments.format {
            AuditFormat::Text => {
                self.waiting.push_str(&text::finding(&finding, self.report.level, self.style))
            }
            AuditFormat::Jsonl => self.waiting.push_str(&json::finding_line(&finding)),
            AuditFormat::Github => self.waiting.push_str(&github::finding(&finding)),
            AuditFormat::Json | AuditFormat::Junit | AuditFormat::Sarif => self.report.findings.push(finding),
        }
    }

    fn began(&mut self, key: Vec<String>) {
        let key = key.join("/");
        self.has_key |= self.arguments.key.as_ref() == Some(&key);
        if self.keys.len() < MOST_KEYS {
            self.keys.insert(key);
        }
    }

    fn wants_slices(&self) -> bool {
        self.arguments.key.is_some()
    }

    fn verdict(&mut self, verdict: Verdict) {
        if !self.is_asked(&verdict.key) {
            return;
        }
        if let (Some((debtor, _)), Outcome::Open) = (&verdict.parties, verdict.outcome) {
            *self.owed.entry(debtor.clone()).or_default() += 1;
        }
        let verdict = self.rules.verdict(verdict, &self.report.logs);
        match self.arguments.format {
            AuditFormat::Text if self.style.detail == Detail::Verbose => {
                self.waiting.push_str(&text::verdict(&verdict, self.style));
            }
            AuditFormat::Jsonl => self.waiting.push_str(&json::verdict_line(&verdict)),
            AuditFormat::Json | AuditFormat::Junit => self.report.verdicts.push(verdict),
            AuditFormat::Text | AuditFormat::Sarif | AuditFormat::Github => {}
        }
    }

    fn wants_verdicts(&self) -> bool {
        true
    }
}
