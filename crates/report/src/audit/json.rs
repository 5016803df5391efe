//! An audit as JSON: one document, or a line per finding as it comes.

use servanda_json::{Json, Object, list};

use super::{AuditFinding, AuditReport, AuditRule, AuditVerdict, LogLine};
use crate::json::line;
use crate::visible::escaped;
use crate::{Location, Statistics};

/// The version of this format.
const VERSION: u64 = 1;

/// The whole audit as one document.
pub fn document(report: &AuditReport, statistics: Statistics) -> String {
    let findings = list(&report.findings, finding);
    escaped(summary(report, statistics).with("findings", findings).pretty())
}

/// One finding as a line.
pub fn finding_line(found: &AuditFinding) -> String {
    line(&Object::new("type", "finding").and(finding(found)))
}

/// One verdict as a line.
pub fn verdict_line(found: &AuditVerdict) -> String {
    line(&Object::new("type", "verdict").and(verdict(found)))
}

/// The last line.
pub fn summary_line(report: &AuditReport, statistics: Statistics) -> String {
    line(&Object::new("type", "summary").and(summary(report, statistics)))
}

fn summary(report: &AuditReport, statistics: Statistics) -> Object {
    let models = list(&report.models, |(view, model, hash)| {
        Object::new("view", view).with("model", model).with("hash", hash)
    });
    let owed =
        list(&report.owed, |(debtor, count)| Object::new("debtor", debtor).with("commitments", *count));
    let totals = &report.totals;
    let counts = list(&report.often, |((kind, view, code), count)| {
        Object::new("kind", *kind).with("view", view.clone()).with("code", code).with("count", *count)
    });
    let figures =
        Object::new("seconds", totals.seconds).with("sets", totals.sets).with("memory", totals.memory);
    Object::new("version", VERSION)
        .with("logs", report.logs.as_slice())
        .with("by", &report.by)
        .with("models", models)
        .with("level", report.level.word())
        .with("complete", report.is_complete)
        .with("ok", report.status().is_wanted())
        .with("ended", report.ended.clone())
        .with("lines", totals.lines)
        .with("bad_lines", totals.bad_lines)
        .with("slices", totals.slices)
        .with("open_slices", totals.open_slices)
        .with("fitness", totals.fitness())
        .with("open", report.open)
        .with("owed", owed)
        .with("counts", counts)
        .with_some("statistics", (statistics == Statistics::Shown).then_some(figures))
        .with_some("verdicts", (!report.verdicts.is_empty()).then(|| list(&report.verdicts, verdict)))
}

fn place(at: &LogLine) -> Object {
    Object::new("file", &at.file).with("line", at.line)
}

fn finding(found: &AuditFinding) -> Object {
    let possible = list(&found.possible, |(role, labels)| {
        Object::new("role", role.as_ref().map(Json::from)).with("labels", labels.as_slice())
    });
    let explanation = found
        .explanation
        .as_ref()
        .map(|(text, cost)| Object::new("text", text).with("cost", u64::from(*cost)));
    let steps = list(&found.steps, |(at, label)| place(at).with("label", label));
    Object::new("kind", found.kind)
        .with("level", found.level.word())
        .with("certain", found.is_certain)
        .with("code", &found.code)
        .with("message", &found.message)
        .with("citation", found.citation.clone())
        .with("at", found.at.as_ref().map(place))
        .with("since", found.since.as_ref().map(place))
        .with("view", found.view.clone())
        .with("key", found.key.as_slice())
        .with("labels", found.labels.as_slice())
        .with("possible", possible)
        .with("explanation", explanation)
        .with("rule", found.rule.as_ref().map(rule))
        .with("steps", steps)
        .with_some("chart", found.chart.as_ref().map(Json::from))
}

fn rule(rule: &AuditRule) -> Object {
    let place = |location: &Location| {
        Object::new("file", &location.file)
            .with("line", location.line)
            .with("column", location.column)
            .with("end_line", location.end_line)
            .with("end_column", location.end_column)
    };
    Object::new("model", &rule.model)
        .with("library", rule.is_library)
        .with("hash", &rule.hash)
        .with("location", rule.location.as_ref().map(place))
}

fn verdict(found: &AuditVerdict) -> Object {
    let parties = found.parties.as_ref();
    let parties = parties.map(|(debtor, creditor)| Object::new("debtor", debtor).with("creditor", creditor));
    Object::new("view", &found.view)
        .with("key", found.key.as_slice())
        .with("name", &found.name)
        .with_some("parties", parties)
        .with("verdict", found.word)
        .with("level", found.level.word())
        .with("at", found.at.as_ref().map(place))
}
