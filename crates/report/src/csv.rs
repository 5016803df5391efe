//! Results as a table of comma-separated values (RFC 4180): a row per file and setting of its parameters, a column per
//! parameter and per property.

use crate::CheckReport;
use crate::text::{parameters, properties};

/// The columns between the parameters and the properties.
const MEASURED: [&str; 6] = ["outcome", "states", "transitions", "deadlocks", "seconds", "peak_memory_bytes"];

/// The reports of one `check` or one `size`. What is not known is empty.
pub fn check(reports: &[CheckReport]) -> String {
    let all: Vec<&CheckReport> = reports.iter().collect();
    let (parameters, properties) = (parameters(&all), properties(&all));
    let mut header: Vec<String> = vec!["file".to_owned()];
    let taken =
        |header: &[String], name: &str| header.iter().any(|other| other == name) || MEASURED.contains(&name);
    let add = |header: &mut Vec<String>, name: &str, kind: &str| {
        let shown = if taken(header, name) { format!("{kind} {name}") } else { name.to_owned() };
        header.push(shown);
    };
    parameters.iter().for_each(|name| add(&mut header, name, "parameter"));
    header.extend(MEASURED.map(str::to_owned));
    properties.iter().for_each(|name| add(&mut header, name, "property"));
    let rows = reports.iter().map(|report| row(report, &parameters, &properties));
    std::iter::once(header).chain(rows).map(|cells| line(&cells)).collect()
}

fn row(report: &CheckReport, parameters: &[&str], properties: &[&str]) -> Vec<String> {
    let run = &report.run;
    let counts = report.model.as_ref().and_then(|model| model.counts());
    let set = |name: &&str| run.parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value);
    let verdict = |name: &&str| report.properties.iter().find(|property| property.name == **name);
    let known = |value: Option<String>| value.unwrap_or_default();
    let mut cells = vec![run.file.clone()];
    cells.extend(parameters.iter().map(|name| known(set(name).map(i64::to_string))));
    cells.push(report.status().word().to_owned());
    cells.push(known(counts.map(|counts| counts.states.to_string())));
    cells.push(known(counts.and_then(|counts| Some(counts.transitions.as_ref()?.to_string()))));
    cells.push(known(counts.map(|counts| counts.deadlocks.to_string())));
    cells.push(format!("{:.6}", run.seconds));
    cells.push(known(run.peak_memory_bytes.map(|bytes| bytes.to_string())));
    cells.extend(properties.iter().map(|name| known(verdict(name).map(|it| it.verdict.word().to_owned()))));
    cells
}

fn line(cells: &[String]) -> String {
    let cell = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n"
}
