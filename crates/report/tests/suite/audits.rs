//! Audits in every format.

use servanda_report::audit::{
    AuditFinding, AuditReport, AuditRule, AuditTotals, AuditVerdict, LogLine, github, json, junit, sarif,
    text,
};
use servanda_report::{Level, Location, Statistics, Style};

fn at(line: u64) -> LogLine {
    LogLine { file: "session.jsonl".into(), line }
}

/// A finding with everything.
fn finding() -> AuditFinding {
    let place =
        |line| Location { file: "request.pact".into(), line, column: 1, end_line: line, end_column: 9 };
    AuditFinding {
        kind: "not-possible",
        level: Level::Must,
        is_certain: true,
        code: "not-possible".into(),
        message: "`Responder: progress_not_larger` is not possible here".into(),
        citation: Some("basic/utilities/progress".into()),
        at: Some(at(9)),
        since: Some(at(7)),
        view: Some("request".into()),
        key: vec!["s1".into(), "client".into(), "4".into()],
        labels: vec!["Responder: progress_not_larger".into()],
        possible: vec![
            (Some("Responder".into()), vec!["Responder: progress".into(), "Sat(Responder, answer)".into()]),
            (Some("Requestor".into()), vec!["Requestor: cancel".into()]),
        ],
        explanation: Some(("in order if line 9 were `Responder: progress`".into(), 1)),
        rule: Some(AuditRule {
            model: "request.pact".into(),
            hash: "00ff".into(),
            location: Some(place(4)),
            is_library: false,
        }),
        steps: vec![(at(6), "Requestor: request_tracked".into()), (at(7), "Responder: progress".into())],
        chart: None,
    }
}

fn report() -> AuditReport {
    let mut may = finding();
    (may.level, may.kind, may.code, may.at) = (Level::May, "property", "finishes".into(), None);
    (may.possible, may.explanation, may.citation) = (Vec::new(), None, None);
    may.message = "finishes is false".into();
    let mut perhaps = finding();
    (perhaps.is_certain, perhaps.view, perhaps.rule) = (false, Some("session".into()), None);
    let verdict = AuditVerdict {
        view: "request".into(),
        key: vec!["s1".into()],
        name: "is_answered".into(),
        parties: Some(("Responder".into(), "Requestor".into())),
        word: "owed",
        level: Level::Should,
        at: None,
    };
    let mut report = AuditReport {
        logs: vec!["session.jsonl".into()],
        by: "mcp/2025-11-25".into(),
        models: vec![("request".into(), "request.pact".into(), "00ff".into())],
        level: Level::Should,
        verdicts: vec![verdict],
        open: 1,
        owed: vec![("Responder".into(), 2)],
        totals: AuditTotals {
            lines: 12,
            slices: 3,
            open_slices: 1,
            sets: 9,
            cost: (1, 10),
            seconds: 0.5,
            ..Default::default()
        },
        ..AuditReport::default()
    };
    [finding(), may, perhaps].into_iter().for_each(|finding| report.add(finding));
    report
}

#[test]
fn an_audit_as_text() {
    let report = report();
    let style = Style { statistics: Statistics::Shown, ..Style::plain() };
    let findings: String =
        report.findings.iter().map(|finding| text::finding(finding, report.level, style)).collect();
    let verdicts: String = report.verdicts.iter().map(|verdict| text::verdict(verdict, style)).collect();
    insta::assert_snapshot!(findings + &verdicts + &text::summary(&report, style));
}

#[test]
fn an_audit_as_json_lines() {
    let report = report();
    let findings: String = report.findings.iter().map(json::finding_line).collect();
    let verdicts: String = report.verdicts.iter().map(json::verdict_line).collect();
    insta::assert_snapshot!(findings + &verdicts + &json::summary_line(&report, Statistics::Hidden));
}

#[test]
fn an_audit_as_json() {
    insta::assert_snapshot!(json::document(&report(), Statistics::Shown));
}

#[test]
fn an_audit_as_junit() {
    let document = junit::document(&report());
    roxmltree::Document::parse(&document).unwrap();
    insta::assert_snapshot!(document);
}

#[test]
fn an_audit_as_sarif() {
    let document = sarif::document(&report());
    insta::assert_snapshot!(document);
}

#[test]
fn an_audit_as_annotations() {
    let annotations: String = report().findings.iter().map(github::finding).collect();
    insta::assert_snapshot!(annotations);
}
