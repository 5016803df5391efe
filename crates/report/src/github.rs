//! Results as annotations of a pull request: one workflow command of GitHub Actions per line.
//!
//! `::error file=shop.pact,line=3,col=1::paid is false, expected true`. What is as wanted has no line.

use std::fmt::Write as _;

use servanda_syntax::Severity;

use crate::location::is_file;
use crate::{CheckReport, Detail, Level, Location, Outcome, verdicts, visible};

/// The annotations of one `check`: what is not as wanted, and unless little is to be said also what else was found.
pub fn check(reports: &[CheckReport], detail: Detail) -> String {
    let mut lines = String::new();
    for report in reports {
        let mut annotate = |command: &str, location: Option<&Location>, title: &str, message: &str| {
            let place = place(&report.run.file, location);
            let _ = writeln!(lines, "::{command} {place}title={}::{}", property(title), data(message));
        };
        let setting = report.run.setting();
        for property in report.properties.iter().filter(|property| property.outcome() != Outcome::Wanted) {
            let (name, words) = (&property.name, verdicts::words(property));
            let name = format!("{name}{setting}");
            let weight = verdicts::weight(property);
            let message =
                format!("{name} is {words}{weight}\n{}{}", property.formula, verdicts::trace(property));
            annotate(command(property.level), property.location.as_ref(), &name, &message);
        }
        for finding in verdicts::findings(report) {
            let command = match finding.diagnostic.severity {
                Severity::Error => "error",
                _ if detail == Detail::Quiet => continue,
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            let (title, message) = (finding.diagnostic.code.word(), verdicts::finding(finding, &setting));
            annotate(command, Location::of_finding(finding).as_ref(), title, &message);
        }
        if let Some(message) = verdicts::unexplored(report) {
            annotate("error", None, "undecided", &format!("{message}{setting}"));
        }
    }
    lines
}

/// The command for what has this level.
pub(crate) fn command(level: Level) -> &'static str {
    match level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May => "notice",
    }
}

/// The properties that say where.
fn place(file: &str, location: Option<&Location>) -> String {
    match location {
        Some(Location { file, line, column, end_line, end_column }) => {
            let mut place = format!("file={},line={line},col={column},endLine={end_line}", property(file));
            // Columns are understood within one line only.
            if line == end_line && end_column > column {
                let _ = write!(place, ",endColumn={end_column}");
            }
            place + ","
        }
        None if is_file(file) => format!("file={},", property(file)),
        None => String::new(),
    }
}

/// A line's end would end the command; what else a terminal would obey is shown as what it is.
pub(crate) fn data(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(visible).collect();
    lines.join("\n").replace('%', "%25").replace('\n', "%0A")
}

/// In a property a colon and a comma would end it as well.
pub(crate) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
