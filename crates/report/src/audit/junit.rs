//! An audit as JUnit XML: a suite per view, a case per rule of it.
//!
//! A case is a property, a commitment, or that every line is possible; all findings of a rule are in its case.

use std::collections::BTreeMap;

use super::{AuditFinding, AuditReport, BAD_LINE, LIMIT, details, place};
use crate::junit::{self, ERROR, FAILURE, SKIPPED, counted, no_success};
use crate::visible::visible;
use crate::xml::Element;

/// What a case is called where no line of a view was out of its protocol.
const FOLLOWS: &str = "every line is possible";

/// The whole audit as one document.
pub fn document(report: &AuditReport) -> String {
    let mut views: BTreeMap<&str, BTreeMap<String, Vec<&AuditFinding>>> = BTreeMap::new();
    for (view, ..) in &report.models {
        views.entry(view).or_default().entry(FOLLOWS.to_owned()).or_default();
    }
    for verdict in &report.verdicts {
        views.entry(&verdict.view).or_default().entry(verdict.name.clone()).or_default();
    }
    for finding in &report.findings {
        let view = finding.view.as_deref().unwrap_or("log");
        let case = if finding.kind == "not-possible" { FOLLOWS.to_owned() } else { finding.code.clone() };
        views.entry(view).or_default().entry(case).or_default().push(finding);
    }
    let (mut suites, mut totals) = (Vec::new(), [0usize; 3]);
    for (view, cases) in views {
        let (mut elements, mut counts) = (Vec::new(), [cases.len(), 0, 0]);
        for (name, findings) in cases {
            let (element, failed) = case(report, view, &name, &findings);
            counts[1] += usize::from(failed == Some(FAILURE));
            counts[2] += usize::from(failed == Some(ERROR));
            elements.push(element);
        }
        let suite = counted("testsuite", view, counts);
        suites.push(elements.into_iter().fold(suite, Element::child));
        for (total, count) in totals.iter_mut().zip(counts) {
            *total += count;
        }
    }
    if let Some(why) = &report.ended {
        suites.push(not_judged(report, why));
        totals[0] += 1;
        totals[2] += 1;
    }
    let document = counted("testsuites", &format!("servanda audit {}", report.by), totals)
        .attribute("time", format!("{:.3}", report.totals.seconds));
    suites.into_iter().fold(document, Element::child).document()
}

/// A log of which not all was judged, or nothing, has not passed whatever the other cases say.
fn not_judged(report: &AuditReport, why: &str) -> Element {
    let error = no_success(ERROR, &visible(why), "undecided", &visible(why));
    let case = junit::case("the whole log is judged", &format!("{}.log", report.by), 0.0);
    counted("testsuite", "the log", [1, 0, 1]).child(case.child(error))
}

/// A case, and why it is no success: what counts fails it, what cannot be judged is an error, the rest skips it.
fn case(
    report: &AuditReport,
    view: &str,
    name: &str,
    findings: &[&AuditFinding],
) -> (Element, Option<&'static str>) {
    let case = junit::case(name, &format!("{}.{view}", report.by), 0.0);
    let counts = findings.iter().any(|finding| report.demands(finding));
    let cannot = findings.iter().any(|finding| [LIMIT, BAD_LINE].contains(&finding.kind));
    let Some(first) = findings.first() else { return (case, None) };
    let element = match () {
        () if cannot => ERROR,
        () if counts => FAILURE,
        () => SKIPPED,
    };
    let text: Vec<String> = findings
        .iter()
        .map(|finding| {
            let head = format!("{}: {}: {}", place(finding), finding.level.word(), finding.message);
            std::iter::once(visible(&head).into_owned())
                .chain(details(finding).iter().map(|line| format!("  {}", visible(line))))
                .collect::<Vec<_>>()
                .join("\n")
        })
        .collect();
    let message = format!("{}: {}", place(first), first.message);
    let wrong = no_success(element, &visible(&message), first.kind, &text.join("\n"));
    (case.child(wrong), Some(element))
}
