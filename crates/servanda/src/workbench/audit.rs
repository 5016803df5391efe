//! A log that is judged, slice by slice.

use std::collections::BTreeMap;
use std::time::Duration;

use servanda_audit::{Certainty, Ended, Finding, Kind, Line, Options, Outcome, Said, Sink, Verdict};
use servanda_engine::Halt;
use servanda_messages::{
    AuditCommitment, AuditFinding, AuditKind, AuditRequest, AuditSlice, AuditVerdict, AuditWord, Audited,
    CommitmentWord, Event, Level, PossibleNow, Progress,
};

use super::check::INTERVAL;
use super::desk::Desk;
use super::places;
use crate::Rules;

/// Slices and findings beyond so many are counted and not shown.
const MOST: usize = 2000;

/// Judges the log.
pub(super) fn run(request: &AuditRequest, desk: Desk<'_>) {
    let read = match (&request.library, &request.mapping) {
        (Some(name), _) => Rules::of_library(name, request.source.as_deref(), &[]),
        (None, Some(mapping)) => {
            let find = |user: &str, path: &str| match request.models.get(path) {
                Some(text) => Ok((path.to_owned(), text.clone())),
                None => desk.files.find(user, path),
            };
            Rules::read("mapping", mapping, &[], &find)
        }
        (None, None) => return desk.refuse("a log is judged by an entry of the library or by a mapping"),
    };
    let rules = match read {
        Ok(rules) => rules,
        Err(findings) => return desk.refuse_for("the log cannot be judged by this", &findings),
    };
    desk.tell_findings(&rules.findings);
    let mut found = Found {
        rules: &rules,
        is_complete: request.complete,
        slices: BTreeMap::new(),
        findings: Vec::new(),
        left_out: 0,
    };
    match judge(request, &rules, &mut found, desk) {
        Ok(lines) => {
            let audited = found.told(lines, request.level);
            desk.page.tell(Event::Audited { audited });
        }
        // A limit: how the job ended is told by whoever runs it.
        Err(Halt::Stopped { .. }) => {}
        Err(halt) => desk.refuse(halt.to_string()),
    }
}

fn judge(request: &AuditRequest, rules: &Rules, found: &mut Found<'_>, desk: Desk<'_>) -> Result<u64, Halt> {
    let budget = desk.watch.budget;
    let mut auditor = rules.auditor(Options::default(), budget)?;
    let (all, mut told) = (request.log.lines().count(), desk.watch.clock.elapsed());
    for (number, line) in (1..).zip(request.log.lines()) {
        auditor.push(line.as_bytes(), Line { file: 0, line: number }, found, budget)?;
        let now = desk.watch.clock.elapsed();
        if now.saturating_sub(told) >= INTERVAL {
            told = now;
            desk.page.tell(progress(number, all, now));
        }
    }
    auditor.finish(request.complete, found, budget)?;
    Ok(auditor.stats().lines)
}

/// How far the work has come.
fn progress(lines: u64, all: usize, after: Duration) -> Event {
    let seconds = after.as_secs_f64();
    Event::Progress(Progress {
        phase: "reading".to_owned(),
        states: None,
        nodes: None,
        rate: (seconds > 0.0).then(|| lines as f64 / seconds),
        seconds,
        decided: usize::try_from(lines).unwrap_or(all),
        of: all,
    })
}

/// What is known of a slice.
#[derive(Default)]
struct Slice {
    lines: Vec<u64>,
    verdicts: Vec<AuditVerdict>,
    commitments: Vec<AuditCommitment>,
    has_left: bool,
    cost: u32,
    length: u32,
    chart: Option<String>,
}

impl Slice {
    /// A line is one of its.
    fn add(&mut self, line: Option<u64>) {
        self.lines.extend(line.filter(|line| self.lines.last() != Some(line)));
    }
}

/// What is found, slice by slice in the order of views and keys.
struct Found<'r> {
    rules: &'r Rules,
    is_complete: bool,
    slices: BTreeMap<(String, String), Slice>,
    findings: Vec<AuditFinding>,
    left_out: usize,
}

impl Found<'_> {
    fn slice(&mut self, view: &str, key: &[String]) -> &mut Slice {
        self.slices.entry((view.to_owned(), key.join("/"))).or_default()
    }

    /// In the words of the page.
    fn told(mut self, lines: u64, level: Option<Level>) -> Audited {
        // A key that was looked up and had nothing to say is no conversation.
        self.slices.retain(|_, slice| !slice.lines.is_empty());
        let whole = self.slices.len() <= MOST && self.left_out == 0;
        let message = (!whole).then(|| {
            format!(
                "there are {} slices and {} findings; the first {MOST} are shown, `servanda audit` shows all",
                self.slices.len(),
                self.findings.len() + self.left_out
            )
        });
        if let Some(level) = level {
            self.findings.retain(|finding| finding.level <= level);
        }
        let slices = self.slices.into_iter().take(MOST).map(|((view, key), slice)| AuditSlice {
            view,
            key,
            lines: slice.lines,
            verdicts: slice.verdicts,
            commitments: slice.commitments,
            fitness: 1.0 - f64::from(slice.cost.min(slice.length)) / f64::from(slice.length.max(1)),
            chart: slice.chart,
        });
        let slices = slices.collect();
        let models = self.rules.texts();
        Audited { lines, slices, findings: self.findings, is_whole: whole, message, models }
    }
}

fn kind(kind: Kind) -> AuditKind {
    match kind {
        Kind::NotPossible => AuditKind::NotPossible,
        Kind::Property => AuditKind::Property,
        Kind::Commitment => AuditKind::Commitment,
        Kind::Unmatched => AuditKind::Unmatched,
        Kind::LateLine => AuditKind::LateLine,
        Kind::BadLine => AuditKind::BadLine,
        Kind::Limit => AuditKind::Limit,
    }
}

impl Sink for Found<'_> {
    fn finding(&mut self, found: Finding) {
        if self.findings.len() >= MOST {
            self.left_out += 1;
            return;
        }
        let view = found.view.clone().unwrap_or_default();
        let rule = found.rule.as_ref().and_then(|rule| rule.span).zip(self.rules.model(&view));
        let rule = rule.and_then(|(span, model)| places::written(&model.source, span));
        let shown = AuditFinding {
            kind: kind(found.kind),
            level: places::level(found.level),
            is_certain: found.certainty == Certainty::Certain,
            code: found.code.clone(),
            message: found.message.clone(),
            citation: found.citation.clone(),
            line: found.at.map_or(0, |at| at.line),
            since: found.since.map(|since| since.line),
            view: view.clone(),
            key: found.key.join("/"),
            possible: (found.possible.iter())
                .map(|possible| PossibleNow {
                    role: possible.role.clone().unwrap_or_default(),
                    labels: possible.labels.clone(),
                })
                .collect(),
            explanation: found.explanation.as_ref().map(|explanation| explanation.text.clone()),
            rule,
        };
        self.findings.push(shown);
        if !view.is_empty() {
            let (key, has_left) = (found.key.clone(), found.kind == Kind::NotPossible);
            let line = found.at.map(|at| at.line);
            let cost = found.explanation.as_ref().map_or(0, |explanation| explanation.cost);
            let drawn = self.rules.finding(found, &["log".to_owned()]);
            let chart = self.rules.chart(&drawn).map(|drawn| servanda_chart::svg(&drawn));
            let slice = self.slice(&view, &key);
            slice.has_left |= has_left;
            slice.add(line);
            slice.cost += cost;
            slice.chart = slice.chart.take().or(chart);
        }
    }

    fn verdict(&mut self, verdict: Verdict) {
        let is_complete = self.is_complete;
        let slice = self.slice(&verdict.view, &verdict.key);
        if let Some((debtor, creditor)) = &verdict.parties {
            let outcome = match verdict.outcome {
                Outcome::Held => CommitmentWord::Kept,
                Outcome::Broken => CommitmentWord::Broken,
                // Nothing more comes of a log that is whole: what is not kept is owed for good.
                Outcome::Open if is_complete => CommitmentWord::Owed,
                Outcome::Open => CommitmentWord::Open,
                Outcome::Released => CommitmentWord::Released,
                Outcome::Claimed => CommitmentWord::Claimed,
            };
            let (debtor, creditor, name) = (debtor.clone(), creditor.clone(), verdict.name);
            let line = verdict.at.map(|at| at.line);
            slice.commitments.push(AuditCommitment { name, debtor, creditor, outcome, line });
            return;
        }
        let word = match verdict.outcome {
            Outcome::Held => AuditWord::True,
            Outcome::Broken => AuditWord::False,
            _ if slice.has_left => AuditWord::Left,
            _ => AuditWord::Open,
        };
        slice.verdicts.push(AuditVerdict {
            name: verdict.name,
            verdict: word,
            line: verdict.at.map(|at| at.line),
            level: places::level(verdict.level),
        });
    }

    fn said(&mut self, said: Said) {
        let slice = self.slice(&said.view, &said.key);
        slice.length += said.labels.len() as u32;
        slice.add(Some(said.at.line));
    }

    fn ended(&mut self, _: Ended) {}

    fn wants_verdicts(&self) -> bool {
        true
    }

    fn wants_lines(&self) -> bool {
        true
    }
}
