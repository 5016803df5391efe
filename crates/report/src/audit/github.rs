//! An audit as annotations of a pull request, a line per finding as it comes.

use super::{AuditFinding, AuditReport, details, place};
use crate::github::{command, data, property};
use crate::location::is_file;
use crate::visible::visible;

/// One finding.
pub fn finding(finding: &AuditFinding) -> String {
    let command = if finding.is_certain { command(finding.level) } else { "warning" };
    let at = finding.at.as_ref().filter(|at| is_file(&at.file));
    let where_ = at.map(|at| format!("file={},line={},", property(&at.file), at.line)).unwrap_or_default();
    let mut message = visible(&finding.message).into_owned();
    if at.is_none() {
        message = format!("{}: {message}", visible(&place(finding)));
    }
    for line in details(finding) {
        message.push('\n');
        message.push_str(&visible(&line));
    }
    format!("::{command} {where_}title={}::{}\n", property(&visible(&finding.code)), data(&message))
}

/// What is told at the end: what was found more often than is annotated, and why not everything was judged.
pub fn rest(report: &AuditReport) -> String {
    let line = |(kind, view, code): &super::AuditSort, count: u64| {
        let view = view.as_ref().map(|view| format!(" in view {view}")).unwrap_or_default();
        let message = format!("{count} more of {kind}{view}");
        format!("::notice title={}::{}\n", property(&visible(code)), data(&visible(&message)))
    };
    let untold: String = report.untold().map(|(sort, count)| line(sort, count)).collect();
    let ended =
        report.ended.as_ref().map(|why| format!("::error title=undecided::{}\n", data(&visible(why))));
    untold + &ended.unwrap_or_default()
}
