//! What an audit found, in every output format. Findings come one by one, so text, JSON lines and annotations are written as they come;
//! JSON, JUnit and SARIF are one document at the end.

pub mod github;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod text;

use std::collections::BTreeMap;

use servanda_model::Level;

use crate::{Location, Status};

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogLine {
    /// The log, as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
}

/// One thing that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFinding {
    /// What kind of thing: `not-possible`, `property`, ...
    pub kind: &'static str,
    /// How much it matters.
    pub level: Level,
    /// Would another order of the lines be all right?
    pub is_certain: bool,
    /// The name of the property or of the commitment, otherwise of the kind.
    pub code: String,
    /// One sentence without a full stop.
    pub message: String,
    /// The place in a specification.
    pub citation: Option<String>,
    /// The line; none: the end of the log.
    pub at: Option<LogLine>,
    /// Since when.
    pub since: Option<LogLine>,
    /// The view.
    pub view: Option<String>,
    /// The key of the slice.
    pub key: Vec<String>,
    /// What the line meant.
    pub labels: Vec<String>,
    /// What was possible, by role.
    pub possible: Vec<(Option<String>, Vec<String>)>,
    /// What would have put it in order, and at what cost.
    pub explanation: Option<(String, u32)>,
    /// The model, with its hash, and the place of the rule in it.
    pub rule: Option<AuditRule>,
    /// The last steps of the slice, oldest first.
    pub steps: Vec<(LogLine, String)>,
    /// The slice drawn, where that was asked for.
    pub chart: Option<String>,
}

/// Where the rule stands that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRule {
    /// The model, as the mapping calls it.
    pub model: String,
    /// Which text of that name it was.
    pub hash: String,
    /// The place.
    pub location: Option<Location>,
    /// Is the model one of the library, and no file of the user's?
    pub is_library: bool,
}

/// What became of a property or of a commitment in a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditVerdict {
    /// The view.
    pub view: String,
    /// The key of the slice.
    pub key: Vec<String>,
    /// The property or the commitment.
    pub name: String,
    /// Of a commitment: who owes it to whom.
    pub parties: Option<(String, String)>,
    /// `true`, `false`, `open`; of a commitment `kept`, `broken`, `owed`, `released`, `claimed`.
    pub word: &'static str,
    /// How much it matters.
    pub level: Level,
    /// The line that decided it; none: the end of the log.
    pub at: Option<LogLine>,
}

/// What was judged, and how much.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditTotals {
    /// Lines that were read.
    pub lines: u64,
    /// Lines that could not be read.
    pub bad_lines: u64,
    /// Slices that were begun.
    pub slices: u64,
    /// Slices that were still followed at the end.
    pub open_slices: u64,
    /// Sets of states that slices can be in.
    pub sets: u64,
    /// Changes that would put all slices in order, and steps of all slices.
    pub cost: (u64, u64),
    /// Seconds that it took.
    pub seconds: f64,
    /// Bytes that the program occupied in the end.
    pub memory: Option<u64>,
}

impl AuditTotals {
    /// How well the log fits the protocols: 1 where nothing had to be changed.
    pub fn fitness(&self) -> f64 {
        let (cost, steps) = self.cost;
        if steps == 0 { 1.0 } else { (1.0 - cost as f64 / steps as f64).max(0.0) }
    }
}

/// A whole audit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditReport {
    /// The logs, as the user named them.
    pub logs: Vec<String>,
    /// What they were judged by: an entry of the library or a mapping.
    pub by: String,
    /// Views, with their models and the hashes of these.
    pub models: Vec<(String, String, String)>,
    /// The level that is asked for.
    pub level: Level,
    /// Is the log said to be whole?
    pub is_complete: bool,
    /// What was found, in order, where that is needed at the end: see [`AuditReport::add`].
    pub findings: Vec<AuditFinding>,
    /// How much was found.
    pub counts: AuditCounts,
    /// How often each thing was found, shown or not.
    pub often: BTreeMap<AuditSort, u64>,
    /// So many of one sort are told in full; none: all.
    pub most: Option<u64>,
    /// What was decided; only where it was asked for.
    pub verdicts: Vec<AuditVerdict>,
    /// How many verdicts stayed open, of the level asked for.
    pub open: u64,
    /// How many commitments are still owed, by debtor.
    pub owed: Vec<(String, u64)>,
    /// How much was judged.
    pub totals: AuditTotals,
    /// Why the log was not judged, or not wholly.
    pub ended: Option<String>,
}

/// What findings have in common that are told once for many: kind, view, and the name of the property or the commitment.
pub type AuditSort = (&'static str, Option<String>, String);

/// How much was found, by what it means for the exit status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditCounts {
    /// Findings of the level asked for.
    pub wrong: u64,
    /// Findings of lower levels, and such as another order of the lines would undo.
    pub minor: u64,
    /// Lines that cannot be read, where that matters.
    pub bad: u64,
    /// What was not followed further.
    pub limits: u64,
}

impl AuditReport {
    /// Counts a finding. Is it told in full, and not only counted?
    pub fn count(&mut self, finding: &AuditFinding) -> bool {
        let counts = &mut self.counts;
        let count = match finding.kind {
            BAD_LINE if finding.level == Level::Must => &mut counts.bad,
            LIMIT => &mut counts.limits,
            _ if demands(self.level, finding) => &mut counts.wrong,
            _ => &mut counts.minor,
        };
        *count += 1;
        let often = self.often.entry((finding.kind, finding.view.clone(), finding.code.clone())).or_default();
        *often += 1;
        self.most.is_none_or(|most| *often <= most)
    }

    /// Counts a finding, and keeps it where the output is one document at the end.
    pub fn add(&mut self, finding: AuditFinding) {
        if self.count(&finding) {
            self.findings.push(finding);
        }
    }

    /// What was found more often than it is told in full, and how often it is not.
    fn untold(&self) -> impl Iterator<Item = (&AuditSort, u64)> {
        let most = self.most.unwrap_or(u64::MAX);
        self.often
            .iter()
            .filter(move |(_, often)| **often > most)
            .map(move |(sort, often)| (sort, often - most))
    }

    /// The log is over. One that means nothing to a mapping is no log that is in order.
    pub fn end(&mut self) {
        if self.ended.is_none() && self.totals.slices == 0 {
            let by = &self.by;
            let why = format!(
                "nothing was judged: no line means anything to {by}; is it the right protocol, and the right source?"
            );
            self.ended = Some(why);
        }
    }

    /// Does this finding decide the exit status?
    pub fn demands(&self, finding: &AuditFinding) -> bool {
        demands(self.level, finding)
    }

    /// The exit status.
    pub fn status(&self) -> Status {
        let open = self.is_complete && self.open > 0;
        match &self.counts {
            counts if counts.bad > 0 => Status::Invalid,
            counts if counts.wrong > 0 => Status::Unwanted,
            counts if counts.limits > 0 || self.ended.is_some() || open => Status::Undecided,
            _ => Status::Wanted,
        }
    }
}

/// Does a finding count, where this level is asked for? What may be otherwise in another order is a warning.
fn demands(level: Level, finding: &AuditFinding) -> bool {
    finding.is_certain && finding.level <= level && finding.kind != LIMIT
}

/// The kinds that have a status of their own.
const LIMIT: &str = "limit";
const BAD_LINE: &str = "bad-line";

/// Where a finding is, in words.
fn place(finding: &AuditFinding) -> String {
    match &finding.at {
        Some(at) => format!("{}:{}", at.file, at.line),
        None => "at the end".to_owned(),
    }
}

/// The slice, in words: `request s1/client/4`.
fn slice(view: Option<&str>, key: &[String]) -> String {
    let key = key.join("/");
    match view {
        Some(view) if key.is_empty() => view.to_owned(),
        Some(view) => format!("{view} {key}"),
        None => key,
    }
}

/// What was possible, in words, if anything was.
fn possible(finding: &AuditFinding) -> Option<String> {
    let groups = finding
        .possible
        .iter()
        .map(|(_, labels)| labels.iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", "));
    let groups: Vec<String> = groups.filter(|group| !group.is_empty()).collect();
    (!groups.is_empty()).then(|| groups.join("; "))
}

/// Lines below the first: what was possible, what would have put it in order, where it is written.
fn details(finding: &AuditFinding) -> Vec<String> {
    let mut lines = Vec::new();
    let slice = slice(finding.view.as_deref(), &finding.key);
    let since = finding.since.as_ref().map(|since| match &finding.at {
        Some(at) if at.file == since.file => format!("since line {}", since.line),
        _ => format!("since {}:{}", since.file, since.line),
    });
    let place: Vec<String> =
        [Some(slice).filter(|slice| !slice.is_empty()), since].into_iter().flatten().collect();
    if !place.is_empty() {
        lines.push(place.join(", "));
    }
    lines.extend(possible(finding).map(|possible| format!("possible: {possible}")));
    lines.extend(finding.explanation.as_ref().map(|(text, _)| text.clone()));
    if !finding.is_certain {
        lines.push("in another order of the senders' lines this would be all right".to_owned());
    }
    let rule = finding.rule.as_ref().map(|rule| {
        let whose = if rule.is_library { "library " } else { "" };
        match &rule.location {
            Some(location) => format!("{whose}{}:{}", location.file, location.line),
            None => format!("{whose}{}", rule.model),
        }
    });
    let source: Vec<String> = [finding.citation.clone(), rule].into_iter().flatten().collect();
    if !source.is_empty() {
        lines.push(format!("rule: {}", source.join(" · ")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding() -> AuditFinding {
        AuditFinding {
            kind: "not-possible",
            level: Level::Must,
            is_certain: true,
            code: "not-possible".into(),
            message: "not possible".into(),
            ..AuditFinding::default()
        }
    }

    fn report(findings: Vec<AuditFinding>) -> AuditReport {
        let totals = AuditTotals { cost: (1, 10), ..AuditTotals::default() };
        let mut report = AuditReport { level: Level::Should, open: 1, totals, ..AuditReport::default() };
        findings.into_iter().for_each(|finding| report.add(finding));
        report
    }

    #[test]
    fn the_worst_decides_the_status() {
        let may = AuditFinding { level: Level::May, kind: "property", ..finding() };
        assert_eq!(report(vec![may.clone(), finding()]).status(), Status::Unwanted);
        let mut all = report(vec![may]);
        assert_eq!(all.status(), Status::Wanted, "a may is not asked for");
        all.is_complete = true;
        assert_eq!(all.status(), Status::Undecided);
        all.open = 0;
        all.ended = Some("interrupted".into());
        assert_eq!(all.status(), Status::Undecided);
        all.add(AuditFinding { kind: BAD_LINE, ..finding() });
        assert_eq!(all.status(), Status::Invalid);
        let limit = AuditFinding { kind: LIMIT, level: Level::May, ..finding() };
        assert_eq!(report(vec![limit]).status(), Status::Undecided);
    }

    #[test]
    fn what_comes_too_often_is_counted_and_not_kept() {
        let mut report = AuditReport { most: Some(2), level: Level::Should, ..AuditReport::default() };
        let other = AuditFinding { view: Some("other".into()), ..finding() };
        for found in [finding(), finding(), other, finding(), finding()] {
            report.add(found);
        }
        assert_eq!((report.findings.len(), report.counts.wrong), (3, 5));
        let untold: Vec<(&str, u64)> = report.untold().map(|(sort, count)| (sort.0, count)).collect();
        assert_eq!(untold, [("not-possible", 2)]);
        assert!(text::summary(&report, crate::Style::plain()).contains("2 more"));
    }

    #[test]
    fn what_another_order_would_allow_is_a_warning() {
        assert_eq!(report(vec![AuditFinding { is_certain: false, ..finding() }]).status(), Status::Wanted);
    }

    #[test]
    fn fitness_is_one_where_nothing_had_to_be_changed() {
        assert_eq!(AuditTotals::default().fitness(), 1.0);
        assert_eq!(report(Vec::new()).totals.fitness(), 0.9);
    }
}
