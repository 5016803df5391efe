//! Results as JUnit XML: a suite per file, a case per property.
//!
//! A verdict that is not as wanted is a `failure`. What has no verdict, and an input without meaning, is an `error`: it
//! never counts as a pass. Suites have nothing but what the common schemas allow.

mod xml;

use servanda_syntax::Code;

use crate::{CheckReport, Input, Outcome, PropertyReport, Style, diagnostics, verdicts};
use xml::Element;

/// The reports of one `check` as one document.
pub fn check(reports: &[CheckReport]) -> String {
    let suites: Vec<Suite> = reports.iter().map(Suite::new).collect();
    let total = |count: fn(&Suite) -> usize| suites.iter().map(count).sum::<usize>();
    let document = Element::new("testsuites")
        .attribute("name", "servanda")
        .attribute("tests", total(|suite| suite.cases.len()))
        .attribute("failures", total(Suite::failures))
        .attribute("errors", total(Suite::errors))
        .attribute("time", seconds(suites.iter().map(|suite| suite.seconds).sum()));
    suites.iter().fold(document, |document, suite| document.child(suite.element())).document()
}

/// Why a case is no success.
enum Wrong {
    Failure,
    Error,
}

struct Case {
    name: String,
    seconds: f64,
    /// What is wrong, in short and at length; the kind is for those who sort by it.
    wrong: Option<(Wrong, &'static str, String, String)>,
}

struct Suite {
    file: String,
    seconds: f64,
    cases: Vec<Case>,
    /// What was found besides.
    remarks: String,
}

impl Suite {
    fn new(report: &CheckReport) -> Self {
        let mut cases: Vec<Case> = report.properties.iter().map(case).collect();
        let mut remarks = diagnostics::render_findings(&report.run.findings, Style::plain());
        if report.run.input == Input::Bad {
            let errors = report.run.findings.iter().filter(|finding| finding.diagnostic.is_error());
            let messages: Vec<&str> = errors.map(|finding| finding.diagnostic.message.as_str()).collect();
            let message = messages.first().copied().unwrap_or("the input has no meaning").to_owned();
            let wrong = (Wrong::Error, "invalid", message, std::mem::take(&mut remarks));
            cases.insert(0, Case { name: "input".to_owned(), seconds: 0.0, wrong: Some(wrong) });
        }
        if report.forbidden_deadlock {
            let found = report.run.findings.iter().find(|finding| finding.diagnostic.code == Code::Deadlock);
            let text = found.map(verdicts::finding).unwrap_or_default();
            let wrong = (Wrong::Failure, "deadlock", "a deadlock was reached".to_owned(), text);
            cases.push(Case { name: "deadlock".to_owned(), seconds: 0.0, wrong: Some(wrong) });
        }
        if let Some(reason) = verdicts::unexplored(report) {
            let message = format!("not all states were explored: {reason}");
            let wrong = (Wrong::Error, "undecided", message, String::new());
            cases.push(Case { name: "states".to_owned(), seconds: 0.0, wrong: Some(wrong) });
        }
        Suite { file: report.run.file.clone(), seconds: report.run.seconds, cases, remarks }
    }

    fn failures(&self) -> usize {
        self.cases.iter().filter(|case| matches!(case.wrong, Some((Wrong::Failure, ..)))).count()
    }

    fn errors(&self) -> usize {
        self.cases.iter().filter(|case| matches!(case.wrong, Some((Wrong::Error, ..)))).count()
    }

    fn element(&self) -> Element {
        let suite = Element::new("testsuite")
            .attribute("name", &self.file)
            .attribute("tests", self.cases.len())
            .attribute("failures", self.failures())
            .attribute("errors", self.errors())
            .attribute("skipped", 0)
            .attribute("time", seconds(self.seconds));
        let suite = self.cases.iter().fold(suite, |suite, case| suite.child(case.element(&self.file)));
        match self.remarks.as_str() {
            "" => suite,
            remarks => suite.child(Element::new("system-out").text(remarks)),
        }
    }
}

fn case(property: &PropertyReport) -> Case {
    let wrong = match property.outcome() {
        Outcome::Wanted => None,
        Outcome::Unwanted => Some((Wrong::Failure, "unwanted")),
        Outcome::Undecided => Some((Wrong::Error, "undecided")),
    };
    Case {
        name: property.name.clone(),
        seconds: property.seconds,
        wrong: wrong.map(|(wrong, kind)| (wrong, kind, verdicts::words(property), text(property))),
    }
}

/// The formula, where it stands, and what shows the verdict.
fn text(property: &PropertyReport) -> String {
    let formula = match &property.location {
        Some(place) => format!("{}:{}:{}: {}", place.file, place.line, place.column, property.formula),
        None => property.formula.clone(),
    };
    formula + &verdicts::trace(property)
}

impl Case {
    fn element(&self, file: &str) -> Element {
        let case = Element::new("testcase")
            .attribute("name", &self.name)
            .attribute("classname", file)
            .attribute("time", seconds(self.seconds));
        match &self.wrong {
            None => case,
            Some((wrong, kind, message, text)) => {
                let name = match wrong {
                    Wrong::Failure => "failure",
                    Wrong::Error => "error",
                };
                case.child(
                    Element::new(name).attribute("message", message).attribute("type", kind).text(text),
                )
            }
        }
    }
}

/// The schema of Jenkins' xUnit plugin, `junit-10.xsd`, allows for milliseconds and nothing finer.
fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}
