//! Results as JUnit XML: a suite per file, a case per property.
//!
//! A verdict that is not as wanted is a `failure`. What has no verdict, and an input without meaning, is an `error`: it
//! never counts as a pass. Suites have nothing but what the common schemas allow.

use servanda_syntax::Code;

use crate::xml::Element;
use crate::{CheckReport, Input, Outcome, PropertyReport, Style, diagnostics, verdicts};

/// The reports of one `check` as one document.
pub fn check(reports: &[CheckReport]) -> String {
    let suites: Vec<Suite> = reports.iter().map(suite).collect();
    let total = |at: usize| suites.iter().map(|suite| suite.counts[at]).sum::<usize>();
    let document = counted("testsuites", "servanda", [total(0), total(1), total(2)])
        .attribute("time", seconds(reports.iter().map(|report| report.run.seconds).sum()));
    suites.into_iter().fold(document, |document, suite| document.child(suite.element)).document()
}

/// The elements that say why a case is no success.
pub(crate) const FAILURE: &str = "failure";
pub(crate) const ERROR: &str = "error";
pub(crate) const SKIPPED: &str = "skipped";

/// A suite, or all of them, with how many tests, failures and errors there are.
pub(crate) fn counted(element: &'static str, name: &str, [tests, failures, errors]: [usize; 3]) -> Element {
    let named = Element::new(element).attribute("name", name);
    named.attribute("tests", tests).attribute("failures", failures).attribute("errors", errors)
}

/// A case that took so many seconds.
pub(crate) fn case(name: &str, class: &str, time: f64) -> Element {
    let named = Element::new("testcase").attribute("name", name);
    named.attribute("classname", class).attribute("time", seconds(time))
}

/// Why a case is no success: one of the three elements, in short, for those who sort by it, and at length.
pub(crate) fn no_success(element: &'static str, message: &str, kind: &str, text: &str) -> Element {
    Element::new(element).attribute("message", message).attribute("type", kind).text(text)
}

/// A suite, and how many tests, failures and errors it has.
struct Suite {
    element: Element,
    counts: [usize; 3],
}

/// Why a case is no success: failure or error, the kind for those who sort by it, and what is wrong, in short and at length.
type Wrong = (&'static str, &'static str, String, String);

fn suite(report: &CheckReport) -> Suite {
    let (run, mut cases) = (&report.run, Vec::new());
    let title = run.title();
    let mut add = |name: &str, time: f64, wrong: Option<Wrong>| {
        let case = case(name, &title, time);
        let element = wrong.as_ref().map(|(element, ..)| *element);
        let wrong = wrong.map(|(element, kind, message, text)| no_success(element, &message, kind, &text));
        cases.push((element, wrong.into_iter().fold(case, Element::child)));
    };
    let mut remarks = diagnostics::render_all(verdicts::findings(report), Style::plain());
    if run.input == Input::Bad {
        let error = run.findings.iter().find(|finding| finding.diagnostic.is_error());
        let message = error.map_or("the input has no meaning", |error| error.diagnostic.message.as_str());
        add("input", 0.0, Some((ERROR, "invalid", message.to_owned(), std::mem::take(&mut remarks))));
    }
    for property in &report.properties {
        let wrong = match property.outcome() {
            Outcome::Wanted => None,
            // A case that need not be a success has no word of its own in this format.
            Outcome::Unwanted if !report.demands(property) => Some((SKIPPED, "unwanted")),
            Outcome::Undecided if !report.demands(property) => Some((SKIPPED, "undecided")),
            Outcome::Unwanted => Some((FAILURE, "unwanted")),
            Outcome::Undecided => Some((ERROR, "undecided")),
        };
        let words = verdicts::words(property) + &verdicts::weight(property);
        let wrong = wrong.map(|(element, kind)| (element, kind, words, text(property)));
        add(&property.name, property.seconds, wrong);
    }
    if report.forbidden_deadlock {
        let found = run.findings.iter().find(|finding| finding.diagnostic.code == Code::Deadlock);
        let text = found.map(|found| verdicts::finding(found, "")).unwrap_or_default();
        add("deadlock", 0.0, Some((FAILURE, "deadlock", "a deadlock was reached".to_owned(), text)));
    }
    if let Some(message) = verdicts::unexplored(report) {
        add("states", 0.0, Some((ERROR, "undecided", message, String::new())));
    }
    if report.asks_nothing() {
        // A suite without a case would be green, or not be shown at all.
        let text = run.findings.iter().find(|finding| finding.diagnostic.code == Code::NoProperty);
        let text = text.map(|found| verdicts::finding(found, "")).unwrap_or_default();
        add("properties", 0.0, Some((SKIPPED, "no-property", "nothing was decided".to_owned(), text)));
    }
    let number = |of: &str| cases.iter().filter(|(element, _)| *element == Some(of)).count();
    let counts = [cases.len(), number(FAILURE), number(ERROR)];
    let suite = counted("testsuite", &title, counts)
        .attribute("skipped", number(SKIPPED))
        .attribute("time", seconds(run.seconds));
    let remarks = (!remarks.is_empty()).then(|| Element::new("system-out").text(&remarks));
    let element = cases.into_iter().map(|(_, case)| case).chain(remarks).fold(suite, Element::child);
    Suite { element, counts }
}

/// The formula, where it stands, and what shows the verdict.
fn text(property: &PropertyReport) -> String {
    let formula = match &property.location {
        Some(place) => format!("{}:{}:{}: {}", place.file, place.line, place.column, property.formula),
        None => property.formula.clone(),
    };
    formula + &verdicts::trace(property)
}

/// The schema of Jenkins' xUnit plugin, `junit-10.xsd`, allows for milliseconds and nothing finer.
fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}
