//! Results in SARIF 2.1.0, the format of static analysis that code hosts and editors read.
//!
//! A result per property that is not as wanted or not decided, and one per finding. Properties that are as wanted have
//! none: most readers take every result for a problem. Where evidence was asked for, a result carries the run that shows the verdict.

mod flow;

use servanda_json::{Object, list};

use crate::location::is_file;
use crate::{CheckReport, Finding, Input, Location, Outcome, PropertyReport, Run, Trace, verdicts};

/// The rule of properties that are not as wanted.
const UNWANTED: &str = "unwanted-verdict";
/// The rule of what has no verdict.
const UNDECIDED: &str = "undecided";

/// The reports of one `check` as one log with one run.
pub fn check(reports: &[CheckReport]) -> String {
    let results: Vec<SarifResult> = reports.iter().flat_map(results).collect();
    let mut rules: Vec<&str> = results.iter().map(|(rule, _)| *rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let successful = reports.iter().all(|report| report.run.input == Input::Good);
    let driver = Object::new("name", "servanda")
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("semanticVersion", env!("CARGO_PKG_VERSION"))
        .with("rules", list(rules, rule));
    let run = Object::new("tool", Object::new("driver", driver))
        .with("invocations", vec![Object::new("executionSuccessful", successful)])
        .with("columnKind", "unicodeCodePoints")
        .with("results", list(results, |(_, object)| object));
    Object::new("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .with("version", "2.1.0")
        .with("runs", vec![run])
        .pretty()
}

/// A result, after the rule that it names.
type SarifResult<'a> = (&'a str, Object);

fn result<'a>(
    rule: &'a str,
    (kind, level): (&str, &str),
    text: String,
    places: Vec<Object>,
) -> SarifResult<'a> {
    let object = Object::new("ruleId", rule)
        .with("kind", kind)
        .with("level", level)
        .with("message", message(text))
        .with_some("locations", (!places.is_empty()).then_some(places));
    (rule, object)
}

/// What could not be decided; the standard has no level for it.
fn undecided(text: String, places: Vec<Object>) -> SarifResult<'static> {
    result(UNDECIDED, ("open", "none"), text, places)
}

fn results(report: &CheckReport) -> Vec<SarifResult<'_>> {
    let properties = report.properties.iter().filter(|property| property.outcome() != Outcome::Wanted);
    let mut results: Vec<SarifResult> =
        properties.map(|property| property_result(report, property)).collect();
    results.extend(report.run.findings.iter().map(|finding| finding_result(report, finding)));
    if let Some(text) = verdicts::unexplored(report) {
        let text = format!("{text}{}", report.run.setting());
        results.push(undecided(text, place(report, None, None)));
    }
    results
}

fn property_result(report: &CheckReport, property: &PropertyReport) -> SarifResult<'static> {
    let (name, setting) = (&property.name, report.run.setting());
    let text = format!("{name}{setting} is {}: {}", verdicts::words(property), property.formula);
    let place = place(report, property.location.as_ref(), Some(&property.name));
    match property.outcome() {
        Outcome::Undecided => undecided(text, place),
        Outcome::Unwanted | Outcome::Wanted => {
            let flow = match &property.trace {
                Trace::Evidence { evidence, origins } => {
                    Some(flow::code_flow(&report.run.file, evidence, origins))
                }
                Trace::NotAsked | Trace::Nothing(_) | Trace::GivenUp(_) => None,
            };
            let (rule, object) = result(UNWANTED, ("fail", "error"), text, place);
            (rule, object.with_some("codeFlows", flow.map(|flow| vec![flow])))
        }
    }
}

fn finding_result<'a>(report: &CheckReport, finding: &'a Finding) -> SarifResult<'a> {
    let level = finding.diagnostic.severity.word();
    let place = place(report, Location::of_finding(finding).as_ref(), None);
    let text = verdicts::finding(finding, &report.run.setting());
    result(finding.diagnostic.code.word(), ("fail", level), text, place)
}

/// Where a result belongs: to its place, else to the file as a whole, if there is a file.
fn place(report: &CheckReport, location: Option<&Location>, property: Option<&str>) -> Vec<Object> {
    let place = Object::default()
        .with_some("physicalLocation", location.map(physical).or_else(|| whole(&report.run.file)))
        .with_some("logicalLocations", property.map(|name| vec![logical(name, &report.run)]));
    if place.is_empty() { Vec::new() } else { vec![place] }
}

/// A property; with the parameters that were set where they tell it apart.
fn logical(name: &str, run: &Run) -> Object {
    let full = (!run.parameters.is_empty()).then(|| format!("{name}{}", run.setting()));
    Object::new("name", name).with_some("fullyQualifiedName", full)
}

/// A file as a whole; there is none for standard input.
fn whole(file: &str) -> Option<Object> {
    is_file(file).then(|| artifact(file))
}

fn physical(location: &Location) -> Object {
    let Location { file, line, column, end_line, end_column } = location;
    let region = Object::new("startLine", *line)
        .with("startColumn", *column)
        .with("endLine", *end_line)
        .with("endColumn", *end_column);
    artifact(file).with("region", region)
}

fn artifact(file: &str) -> Object {
    Object::new("artifactLocation", Object::new("uri", uri(file)))
}

fn message(text: impl Into<String>) -> Object {
    Object::new("text", text.into())
}

/// A file name as a reference: relative as it is, absolute with its scheme.
fn uri(file: &str) -> String {
    let mut uri = String::new();
    if file.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in file.strip_prefix("./").unwrap_or(file).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(byte as char)
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn rule(id: &str) -> Object {
    let text = match id {
        UNWANTED => Some("A property does not have the verdict that is wanted"),
        UNDECIDED => Some("Something was not decided"),
        _ => None,
    };
    Object::new("id", id).with_some("shortDescription", text.map(message))
}
