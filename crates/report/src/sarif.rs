//! Results in SARIF 2.1.0, the format of static analysis that code hosts and editors read.
//!
//! A result per property that is not as wanted or not decided, and one per finding. Properties that are as wanted have
//! none: most readers take every result for a problem. Where evidence was asked for, a result carries the run that shows the verdict.

mod flow;

use serde::Serialize;
use servanda_syntax::Severity;

use crate::location::is_file;
use crate::{CheckReport, Finding, Input, Location, Outcome, PropertyReport, Trace, json, verdicts};
use flow::CodeFlow;

/// The rule of properties that are not as wanted.
const UNWANTED: &str = "unwanted-verdict";
/// The rule of what has no verdict.
const UNDECIDED: &str = "undecided";

/// The reports of one `check` as one log with one run.
pub fn check(reports: &[CheckReport]) -> String {
    let results: Vec<SarifResult> = reports.iter().flat_map(results).collect();
    let mut rules: Vec<&str> = results.iter().map(|result| result.rule_id).collect();
    rules.sort_unstable();
    rules.dedup();
    let successful = reports.iter().all(|report| report.run.input == Input::Good);
    json::write(&Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "servanda",
                    version: env!("CARGO_PKG_VERSION"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: rules.into_iter().map(rule).collect(),
                },
            },
            invocations: [Invocation { execution_successful: successful }],
            column_kind: "unicodeCodePoints",
            results,
        }],
    })
}

fn results(report: &CheckReport) -> Vec<SarifResult<'_>> {
    let properties = report.properties.iter().filter(|property| property.outcome() != Outcome::Wanted);
    let mut results: Vec<SarifResult> =
        properties.map(|property| property_result(report, property)).collect();
    results.extend(report.run.findings.iter().map(|finding| finding_result(report, finding)));
    if let Some(reason) = verdicts::unexplored(report) {
        let text = format!("not all states were explored: {reason}");
        results.push(SarifResult::open(UNDECIDED, text, place(report, None, None)));
    }
    results
}

fn property_result<'a>(report: &'a CheckReport, property: &'a PropertyReport) -> SarifResult<'a> {
    let text = format!("{} is {}: {}", property.name, verdicts::words(property), property.formula);
    let place = place(report, property.location.as_ref(), Some(&property.name));
    match property.outcome() {
        Outcome::Undecided => SarifResult::open(UNDECIDED, text, place),
        Outcome::Unwanted | Outcome::Wanted => {
            let flow = match &property.trace {
                Trace::Evidence { evidence, origins } => {
                    Some(flow::code_flow(&report.run.file, evidence, origins))
                }
                Trace::NotAsked | Trace::Nothing(_) | Trace::GivenUp(_) => None,
            };
            let result = SarifResult::fail(UNWANTED, "error", text, place);
            SarifResult { code_flows: flow.into_iter().collect(), ..result }
        }
    }
}

fn finding_result<'a>(report: &'a CheckReport, finding: &'a Finding) -> SarifResult<'a> {
    let level = match finding.diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let place = place(report, Location::of_finding(finding).as_ref(), None);
    SarifResult::fail(finding.diagnostic.code.word(), level, verdicts::finding(finding), place)
}

/// Where a result belongs: to its place, else to the file as a whole, if there is a file.
fn place<'a>(
    report: &'a CheckReport,
    location: Option<&Location>,
    property: Option<&'a str>,
) -> Vec<Place<'a>> {
    let physical_location = location.map(physical).or_else(|| whole(&report.run.file));
    let logical_locations: Vec<Logical> = property.map(|name| Logical { name }).into_iter().collect();
    if physical_location.is_none() && logical_locations.is_empty() {
        return Vec::new();
    }
    vec![Place { physical_location, logical_locations }]
}

/// A file as a whole; there is none for standard input.
fn whole(file: &str) -> Option<Physical> {
    is_file(file).then(|| Physical { artifact_location: artifact(file), region: None })
}

fn physical(location: &Location) -> Physical {
    let Location { file, line, column, end_line, end_column } = location;
    Physical {
        artifact_location: artifact(file),
        region: Some(Region {
            start_line: *line,
            start_column: *column,
            end_line: *end_line,
            end_column: *end_column,
        }),
    }
}

fn artifact(file: &str) -> Artifact {
    Artifact { uri: uri(file) }
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

fn rule(id: &str) -> Rule<'_> {
    let text = match id {
        UNWANTED => "A property does not have the verdict that is wanted",
        UNDECIDED => "Something was not decided",
        _ => return Rule { id, short_description: None },
    };
    Rule { id, short_description: Some(Message { text: text.to_owned() }) }
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    kind: &'static str,
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Place<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
}

impl<'a> SarifResult<'a> {
    fn fail(rule_id: &'a str, level: &'static str, text: String, locations: Vec<Place<'a>>) -> Self {
        SarifResult {
            rule_id,
            kind: "fail",
            level,
            message: Message { text },
            locations,
            code_flows: Vec::new(),
        }
    }

    /// What could not be decided; the standard has no level for it.
    fn open(rule_id: &'a str, text: String, locations: Vec<Place<'a>>) -> Self {
        SarifResult { kind: "open", ..SarifResult::fail(rule_id, "none", text, locations) }
    }
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<Physical>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical<'a>>,
}

#[derive(Serialize)]
struct Logical<'a> {
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}
