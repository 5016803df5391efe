//! The same model with several parameters: one table.

use std::fmt::Write as _;

use servanda_engine::Verdict;
use servanda_syntax::{Code, Diagnostic};

use super::{bytes, check, number, seconds};
use crate::style::Ink;
use crate::{CheckReport, Colour, Finding, PropertyReport, Run, Space, Style};
use crate::{diagnostics, setting, verdicts, visible};

/// A table that is wider than this has numbers in place of the names of properties.
const WIDEST: usize = 110;

/// A cell: what it says, and in which ink.
type Cell = (String, Option<Ink>);

/// A row per setting of the parameters: sizes, time, memory and verdicts. After it what is worth knowing of the models.
pub fn sweep(reports: &[CheckReport], style: Style) -> String {
    let known: Vec<&CheckReport> = reports.iter().filter(|report| report.model.is_some()).collect();
    let Some(model) = known.first().and_then(|report| report.model.as_ref()) else { return String::new() };
    let names = properties(&known);
    let heading = style.colour.paint(Ink::Bold, &visible(&known[0].run.file));
    let mut shown = format!("{heading}: {}\n", model.name);
    shown.push_str(&table(&known, &names, style.colour));
    shown.push_str(&reasons(&known));
    let findings = findings(&known, style);
    if !findings.is_empty() {
        let _ = write!(shown, "\n{findings}");
    }
    let _ = writeln!(shown, "\n{}", summary(&known));
    shown
}

/// The properties of all, each once, in the order of their appearance.
pub(crate) fn properties<'r>(reports: &[&'r CheckReport]) -> Vec<&'r str> {
    let mut names: Vec<&str> = Vec::new();
    for property in reports.iter().flat_map(|report| &report.properties) {
        if !names.contains(&property.name.as_str()) {
            names.push(&property.name);
        }
    }
    names
}

/// The parameters of all, each once, in the order of their appearance.
pub(crate) fn parameters<'r>(reports: &[&'r CheckReport]) -> Vec<&'r str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in reports.iter().flat_map(|report| &report.run.parameters) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn table(reports: &[&CheckReport], names: &[&str], colour: Colour) -> String {
    let parameters = parameters(reports);
    let fixed = ["states", "transitions", "deadlocks", "time", "memory"].map(str::to_owned);
    let header = |properties: &[String]| -> Vec<Cell> {
        let first = parameters.iter().map(|name| (*name).to_owned()).chain(fixed.clone());
        first.chain(properties.iter().cloned()).map(|name| (name, Some(Ink::Bold))).collect()
    };
    let rows: Vec<Vec<Cell>> = reports.iter().map(|report| row(report, &parameters, names)).collect();
    let full: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut lines = vec![header(&full)];
    lines.extend(rows);
    let mut widths = column_widths(&lines);
    let mut legend = String::new();
    if widths.iter().map(|width| width + 2).sum::<usize>() > WIDEST {
        let numbers: Vec<String> = (1..=names.len()).map(|number| format!("({number})")).collect();
        for (number, name) in numbers.iter().zip(names) {
            let _ = writeln!(legend, "  {number} {name}");
        }
        lines[0] = header(&numbers);
        widths = column_widths(&lines);
    }
    // What is not known of any is no column.
    let unknown = |column: usize| lines[1..].iter().all(|line| line[column].0 == UNKNOWN);
    let kept: Vec<usize> = (0..widths.len()).filter(|column| !unknown(*column)).collect();
    let verdicts_from = parameters.len() + fixed.len();
    let mut text = String::new();
    for line in &lines {
        let mut written = String::new();
        for &column in &kept {
            let (cell, ink) = &line[column];
            let painted = ink.map_or_else(|| cell.clone(), |ink| colour.paint(ink, cell));
            let gap = " ".repeat(widths[column] - cell.chars().count());
            // Numbers are compared from their ends, words from their beginnings.
            match column < verdicts_from {
                true => _ = write!(written, "  {gap}{painted}"),
                false => _ = write!(written, "  {painted}{gap}"),
            }
        }
        let _ = writeln!(text, "{}", written.trim_end());
    }
    text + &legend
}

/// What stands where nothing is known.
const UNKNOWN: &str = "-";

fn column_widths(lines: &[Vec<Cell>]) -> Vec<usize> {
    let width = |column: usize| lines.iter().map(|line| line[column].0.chars().count()).max().unwrap_or(0);
    (0..lines.first().map_or(0, Vec::len)).map(width).collect()
}

fn row(report: &CheckReport, parameters: &[&str], names: &[&str]) -> Vec<Cell> {
    let plain = |text: Option<String>| (text.unwrap_or_else(|| UNKNOWN.to_owned()), None);
    let of = |name: &str| report.run.parameters.iter().find(|(given, _)| given == name);
    let mut cells: Vec<Cell> =
        parameters.iter().map(|name| plain(of(name).map(|(_, value)| value.to_string()))).collect();
    cells.extend(sizes(report).map(plain));
    cells.push(plain(Some(seconds(report.run.seconds))));
    cells.push(plain(report.run.peak_memory_bytes.map(bytes)));
    cells.extend(names.iter().map(|name| {
        let property = report.properties.iter().find(|property| property.name == **name);
        property.map_or_else(|| plain(None), |property| verdict(report, property))
    }));
    cells
}

/// States, transitions and deadlocks, where they are known.
fn sizes(report: &CheckReport) -> [Option<String>; 3] {
    match report.model.as_ref().map(|model| &model.space) {
        Some(Space::Whole(counts)) => [
            Some(counts.states.to_string()),
            counts.transitions.as_ref().map(ToString::to_string),
            Some(counts.deadlocks.to_string()),
        ],
        Some(Space::Part { states, transitions, .. }) => {
            [Some(format!("> {states}")), Some(format!("> {transitions}")), None]
        }
        _ => [None, None, None],
    }
}

fn verdict(report: &CheckReport, property: &PropertyReport) -> Cell {
    let (mark, ink) = check::mark(report, property);
    (format!("{mark} {}", verdicts::word(property)), Some(ink))
}

/// `N = 2, 3`, or `(N = 2, M = 1), (N = 3, M = 1)`
fn settings(runs: &[&Run]) -> String {
    match runs.first().map(|run| run.parameters.as_slice()) {
        Some([(name, _)]) => {
            let values = runs.iter().filter_map(|run| Some(run.parameters.first()?.1.to_string()));
            format!("{name} = {}", values.collect::<Vec<_>>().join(", "))
        }
        _ => runs.iter().map(|run| format!("({})", setting(&run.parameters))).collect::<Vec<_>>().join(", "),
    }
}

/// Things that were found at several settings, each once with the runs where it was; `same` says what is one thing.
fn gathered<'r, T>(
    found: impl Iterator<Item = (&'r Run, T)>,
    same: impl Fn(&T, &T) -> bool,
) -> Vec<(T, Vec<&'r Run>)> {
    let mut groups: Vec<(T, Vec<&Run>)> = Vec::new();
    for (run, thing) in found {
        match groups.iter_mut().find(|(other, _)| same(other, &thing)) {
            Some((_, runs)) if runs.last().is_some_and(|last| std::ptr::eq(*last, run)) => {}
            Some((_, runs)) => runs.push(run),
            None => groups.push((thing, vec![run])),
        }
    }
    groups
}

/// Why verdicts are missing.
fn reasons(reports: &[&CheckReport]) -> String {
    let unknown = reports.iter().flat_map(|report| {
        let reason = |property: &PropertyReport| match &property.verdict {
            Verdict::Unknown(reason) => Some(reason.clone()),
            Verdict::True | Verdict::False => None,
        };
        report.properties.iter().filter_map(reason).map(|reason| (&report.run, reason))
    });
    let line = |(reason, runs): (String, Vec<&Run>)| format!("  unknown at {}: {reason}\n", settings(&runs));
    gathered(unknown, |one, other| one == other).into_iter().map(line).collect()
}

/// What was found, each thing once, with where. That there are deadlocks stands in the table.
fn findings(reports: &[&CheckReport], style: Style) -> String {
    let found = reports.iter().flat_map(|report| {
        let told =
            |finding: &&Finding| finding.diagnostic.code != Code::Deadlock || finding.diagnostic.is_error();
        report.run.findings.iter().filter(told).map(|finding| (&report.run, finding))
    });
    let place = |finding: &Finding| {
        let Diagnostic { code, span, .. } = finding.diagnostic;
        (code, span, finding.source.as_ref().map(|source| source.name().to_owned()))
    };
    let groups = gathered(found, |one, other| place(one) == place(other));
    let shown = groups.into_iter().map(|(finding, runs)| {
        let shown = diagnostics::render_findings([finding], style);
        match runs.len() == reports.len() || shown.is_empty() {
            true => shown,
            false => format!("at {}:\n{shown}", settings(&runs)),
        }
    });
    shown.filter(|shown| !shown.is_empty()).collect::<Vec<_>>().join("\n")
}

/// How many verdicts are as wanted, over all settings.
fn summary(reports: &[&CheckReport]) -> String {
    let of = |report: &&CheckReport| -> Vec<&'static str> {
        report.properties.iter().map(|property| check::outcome(report, property)).collect()
    };
    let all: Vec<&str> = reports.iter().flat_map(of).collect();
    let mut words = vec![number(reports.len(), "setting", "settings")];
    if !all.is_empty() {
        words.push(number(all.len(), "verdict", "verdicts"));
    }
    let mut line = words.join(", ");
    let count = |words: &str| all.iter().filter(|other| **other == words).count();
    let parts: Vec<String> = check::OUTCOMES
        .into_iter()
        .map(|words| (count(words), words))
        .filter(|(count, _)| *count > 0)
        .map(
            |(count, words)| {
                if count == all.len() { format!("all {words}") } else { format!("{count} {words}") }
            },
        )
        .collect();
    if !parts.is_empty() {
        let _ = write!(line, ": {}", parts.join(", "));
    }
    if reports.iter().any(|report| report.forbidden_deadlock) {
        line.push_str("; a deadlock was reached");
    }
    if let Some(next) = reports.iter().find_map(|report| report.next.as_ref()) {
        let _ = write!(line, "\nto see why: {}", visible(next));
    }
    line
}
