//! The states where a formula holds.

use std::fmt::Write as _;

use servanda_model::CommitmentView;

use super::{diagram_rows, table, time_rows, warnings};
use crate::{Detail, Input, StatesReport, Statistics, Style};

/// How many they are, then the first of them or cubes of them, one in a line. What makes an input bad is left to [`super::errors`].
pub fn states(report: &StatesReport, style: Style) -> String {
    if report.run.input == Input::Bad {
        return String::new();
    }
    let file = report.run.title();
    let mut text = match &report.found {
        Err(reason) => format!("{file}: it is not known which states satisfy {}: {reason}\n", report.formula),
        Ok(found) => {
            let (count, all) = (&found.count, &found.reachable);
            let mut text = format!("{file}: {count} of {all} states satisfy {}\n", report.formula);
            if found.depends != 0_u32.into() {
                let _ = writeln!(text, "in {} more it depends on how they were reached", found.depends);
            }
            let (lines, rest) = match &report.cubes {
                Some((cubes, all)) => {
                    let line = |cube: &Vec<String>| match cube.as_slice() {
                        [] => "anything".to_owned(),
                        parts => parts.join(", "),
                    };
                    let rest = (!all).then(|| "and further cubes".to_owned());
                    (cubes.iter().map(line).collect::<Vec<_>>(), rest)
                }
                None => {
                    let rest = count - found.first.len();
                    let rest = (rest != 0_u32.into()).then(|| format!("and {rest} more"));
                    (found.first.iter().map(ToString::to_string).collect(), rest)
                }
            };
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
            if let Some(rest) = rest {
                let _ = writeln!(text, "  {rest} (--limit)");
            }
            for one in CommitmentView::mentioned(&report.commitments, &text) {
                let _ = writeln!(text, "where {}", one.in_full());
            }
            text
        }
    };
    if style.detail == Detail::Verbose || style.statistics == Statistics::Shown {
        let mut rows = diagram_rows(&report.run, Detail::Verbose);
        rows.extend(time_rows(&report.run));
        let _ = write!(text, "\n{}", table(&rows));
    }
    text + &warnings(&report.run, style)
}
