//! Results in SARIF 2.1.0, the format of static analysis that code hosts and editors read.
//!
//! A result per property that is not as wanted or not decided, and one per finding. Properties that are as wanted have
//! none: most readers take every result for a problem. Where evidence was asked for, a result carries the run that shows the verdict.

mod flow;

use servanda_json::{Object, list};
use servanda_syntax::percent_encoded;

use crate::location::is_file;
use crate::visible::escaped;
use crate::{CheckReport, Finding, Input, Level, Location, Outcome, PropertyReport, Run, Trace, verdicts};

/// The rule of properties that are not as wanted.
const UNWANTED: &str = "unwanted-verdict";
/// The rule of what has no verdict.
const UNDECIDED: &str = "undecided";

/// The reports of one `check` as one log with one run.
pub fn check(reports: &[CheckReport]) -> String {
    let results: Vec<SarifResult> = reports.iter().flat_map(results).collect();
    let mut rules: Vec<&Rule> = results.iter().map(|(rule, _)| rule).collect();
    rules.sort_unstable();
    rules.dedup();
    // A rule has one help: where properties of one name come from several places, all of them.
    let rules: Vec<Object> = rules.chunk_by(|one, other| one.id == other.id).map(rule).collect();
    let successful = reports.iter().all(|report| report.run.input == Input::Good);
    log(rules, (successful, None), list(results, |(_, object)| object))
}

/// A log with one run: whether it did what it was asked for, and why not where that is known.
pub(crate) fn log(
    rules: Vec<Object>,
    (successful, why): (bool, Option<&str>),
    results: Vec<Object>,
) -> String {
    let invocation = Object::new("executionSuccessful", successful);
    let invocation = match why {
        Some(why) => invocation.with("exitCodeDescription", why),
        None => invocation,
    };
    let driver = Object::new("name", "servanda")
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("semanticVersion", env!("CARGO_PKG_VERSION"))
        .with("rules", rules);
    let run = Object::new("tool", Object::new("driver", driver))
        .with("invocations", vec![invocation])
        .with("columnKind", "unicodeCodePoints")
        .with("results", results);
    let log = Object::new("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .with("version", "2.1.0")
        .with("runs", vec![run]);
    escaped(log.pretty())
}

/// What a result breaks. A property whose author says where it comes from, or how much it matters, is a rule of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    id: String,
    level: Option<Level>,
    cite: Option<String>,
}

impl Rule {
    fn plain(id: &str) -> Self {
        Rule { id: id.to_owned(), level: None, cite: None }
    }

    fn of(property: &PropertyReport) -> Self {
        if property.level == Level::Must && property.cite.is_none() {
            return Rule::plain(UNWANTED);
        }
        let id = format!("{UNWANTED}/{}", property.name);
        Rule { id, level: Some(property.level), cite: property.cite.clone() }
    }
}

/// The word for a level.
pub(crate) fn severity(level: Level) -> &'static str {
    match level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May => "note",
    }
}

/// A result, after the rule that it names.
type SarifResult = (Rule, Object);

fn result(rule: Rule, (kind, level): (&str, &str), text: String, places: Vec<Object>) -> SarifResult {
    let object = Object::new("ruleId", &rule.id)
        .with("kind", kind)
        .with("level", level)
        .with("message", message(text))
        .with_some("locations", (!places.is_empty()).then_some(places));
    (rule, object)
}

/// What could not be decided; the standard has no level for it.
fn undecided(text: String, places: Vec<Object>) -> SarifResult {
    result(Rule::plain(UNDECIDED), ("open", "none"), text, places)
}

fn results(report: &CheckReport) -> Vec<SarifResult> {
    let properties = report.properties.iter().filter(|property| property.outcome() != Outcome::Wanted);
    let mut results: Vec<SarifResult> =
        properties.map(|property| property_result(report, property)).collect();
    results.extend(verdicts::findings(report).map(|finding| finding_result(report, finding)));
    if let Some(text) = verdicts::unexplored(report) {
        let text = format!("{text}{}", report.run.setting());
        results.push(undecided(text, place(report, None, None)));
    }
    results
}

fn property_result(report: &CheckReport, property: &PropertyReport) -> SarifResult {
    let (name, setting) = (&property.name, report.run.setting());
    let mut text = format!("{name}{setting} is {}: {}", verdicts::words(property), property.formula);
    for line in verdicts::reached(property) {
        text.push('\n');
        text.push_str(&line);
    }
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
            let level = severity(property.level);
            let (rule, object) = result(Rule::of(property), ("fail", level), text, place);
            (rule, object.with_some("codeFlows", flow.map(|flow| vec![flow])))
        }
    }
}

fn finding_result(report: &CheckReport, finding: &Finding) -> SarifResult {
    let level = finding.diagnostic.severity.word();
    let place = place(report, Location::of_finding(finding).as_ref(), None);
    let text = verdicts::finding(finding, &report.run.setting());
    result(Rule::plain(finding.diagnostic.code.word()), ("fail", level), text, place)
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
pub(crate) fn whole(file: &str) -> Option<Object> {
    is_file(file).then(|| artifact(file))
}

pub(crate) fn physical(location: &Location) -> Object {
    let Location { file, line, column, end_line, end_column } = location;
    let region = Object::new("startLine", *line)
        .with("startColumn", *column)
        .with("endLine", *end_line)
        .with("endColumn", *end_column);
    artifact(file).with("region", region)
}

/// A whole line.
pub(crate) fn region(line: u64) -> Object {
    Object::new("startLine", line)
}

fn artifact(file: &str) -> Object {
    Object::new("artifactLocation", Object::new("uri", uri(file)))
}

pub(crate) fn message(text: impl Into<String>) -> Object {
    Object::new("text", text.into())
}

/// A file name as a reference: relative as it is, absolute with its scheme.
fn uri(file: &str) -> String {
    let scheme = if file.starts_with('/') { "file://" } else { "" };
    let path = file.strip_prefix("./").unwrap_or(file);
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    format!("{scheme}{}", percent_encoded(&path))
}

/// A rule, from all that results say of it.
fn rule(same: &[&Rule]) -> Object {
    let first = same[0];
    let own = first.level.is_some();
    let text = match first.id.as_str() {
        _ if own => Some("A property does not have the verdict that is wanted"),
        UNWANTED => Some("A property does not have the verdict that is wanted"),
        UNDECIDED => Some("Something was not decided"),
        _ => None,
    };
    let cites: Vec<&str> = same.iter().filter_map(|rule| rule.cite.as_deref()).collect();
    let help = (!cites.is_empty()).then(|| message(cites.join("\n")));
    let level = first.level.map(|level| Object::new("level", severity(level)));
    Object::new("id", &first.id)
        .with_some("shortDescription", text.map(message))
        .with_some("help", help)
        .with_some("defaultConfiguration", level)
}
