//! An audit in SARIF 2.1.0: a result is a line of a log, its code flow are the steps of the slice, and the rule in the model is related.

use servanda_json::{Object, list};

use super::{AuditFinding, AuditReport, LogLine, details};
use crate::location::is_file;
use crate::sarif::{log, message, physical, region, severity, whole};
use crate::visible::escaped;

/// The whole audit as one log with one run.
pub fn document(report: &AuditReport) -> String {
    let mut rules: Vec<(&str, Option<&str>)> =
        report.findings.iter().map(|finding| (finding.code.as_str(), finding.citation.as_deref())).collect();
    rules.sort_unstable();
    rules.dedup_by_key(|(code, _)| *code);
    let rules = list(rules, |(code, citation)| {
        let help = citation.map(|citation| Object::new("text", citation));
        Object::new("id", code).with_some("help", help)
    });
    let is_whole = report.ended.is_none() && report.counts.limits == 0;
    escaped(log(rules, (is_whole, report.ended.as_deref()), list(&report.findings, result)))
}

/// A line of a log, as a place.
fn place(at: &LogLine) -> Option<Object> {
    let file = whole(&at.file)?;
    Some(file.with("region", region(at.line)))
}

fn result(finding: &AuditFinding) -> Object {
    let kind = if finding.is_certain { "fail" } else { "review" };
    // The standard has no level for what is only to be looked at.
    let level = if finding.is_certain { severity(finding.level) } else { "none" };
    let text =
        std::iter::once(finding.message.clone()).chain(details(finding)).collect::<Vec<_>>().join("\n");
    let located = |place: Object| vec![Object::new("physicalLocation", place)];
    // A place in the library is no place in the user's files.
    let related = finding.rule.as_ref().filter(|rule| !rule.is_library);
    let related = related.and_then(|rule| rule.location.as_ref());
    let related = related.filter(|location| is_file(&location.file)).map(|location| {
        vec![Object::new("physicalLocation", physical(location)).with("message", message("the rule"))]
    });
    let steps = list(&finding.steps, |(at, label)| {
        let location =
            Object::default().with_some("physicalLocation", place(at)).with("message", message(label));
        Object::new("location", location)
    });
    let flow =
        (!steps.is_empty()).then(|| vec![Object::new("threadFlows", vec![Object::new("locations", steps)])]);
    Object::new("ruleId", &finding.code)
        .with("kind", kind)
        .with("level", level)
        .with("message", message(text))
        .with_some("locations", finding.at.as_ref().and_then(place).map(located))
        .with_some("codeFlows", flow)
        .with_some("relatedLocations", related)
        .with("properties", properties(finding))
}

/// What readers may sort by.
fn properties(finding: &AuditFinding) -> Object {
    Object::new("kind", finding.kind)
        .with("view", finding.view.clone())
        .with("key", finding.key.as_slice())
        .with("citation", finding.citation.clone())
        .with("model", finding.rule.as_ref().map(|rule| rule.model.clone()))
        .with("hash", finding.rule.as_ref().map(|rule| rule.hash.clone()))
}
