//! What was possible, and what would have put a slice in order, in words.

use servanda_engine::{Budget, Halt};

use crate::finding::{Change, Explanation, Possible};
use crate::judge::{Judge, Letter, Move, Standing};
use crate::slices::Mark;

/// The cheapest explanation, and how the slice stands with it.
pub(super) struct Explained {
    pub(super) explanation: Explanation,
    pub(super) standing: Standing,
    /// For each step of the word, whether it is left out.
    left_out: Vec<bool>,
}

impl Explained {
    /// Are the last so many steps left out, and all others as they are?
    pub(super) fn dropped(&self, count: usize) -> bool {
        let start = self.left_out.len().saturating_sub(count);
        self.left_out[start..].iter().all(|left_out| *left_out)
            && self.explanation.changes.len() == self.left_out.len() - start
    }
}

/// What could have come instead, by role.
pub(super) fn possible(judge: &Judge<'_>, at: Standing, wanted: &str) -> Vec<Possible> {
    let found = judge.possible(at, wanted).into_iter();
    found.map(|it| Possible { role: it.role, labels: it.labels }).collect()
}

/// The cheapest explanation of steps after a standing; none where that takes too much.
pub(super) fn explain(
    judge: &mut Judge<'_>,
    base: Standing,
    marks: &[Mark],
    budget: &dyn Budget,
) -> Result<Option<Explained>, Halt> {
    let letters: Vec<Letter> = marks.iter().map(|mark| mark.letter).collect();
    let Some(found) = judge.explain(base, &letters, budget)? else { return Ok(None) };
    let mut left_out = vec![false; marks.len()];
    let mut changes = Vec::new();
    for one in &found.moves {
        let label = |line: usize| judge.text(marks[line].letter).to_owned();
        match *one {
            Move::Kept { .. } | Move::Silent { .. } => {}
            Move::Dropped { line } => {
                left_out[line] = true;
                changes.push(Change::Drop { label: label(line), at: marks[line].at.line() });
            }
            Move::Inserted { before, label } => {
                let before = marks.get(before).map(|mark| mark.at.line());
                changes.push(Change::Insert { label: judge.model().show_label(label), before });
            }
            Move::Replaced { line, label: by } => changes.push(Change::Replace {
                label: label(line),
                by: judge.model().show_label(by),
                at: marks[line].at.line(),
            }),
        }
    }
    let explanation = Explanation { cost: found.cost as u32, text: in_words(&changes), changes };
    Ok(Some(Explained { explanation, standing: found.standing, left_out }))
}

/// ``in order if `Agent: task` had come before line 2``
fn in_words(changes: &[Change]) -> String {
    let mut missing: Vec<String> = Vec::new();
    let mut surplus: Vec<String> = Vec::new();
    for change in changes {
        match change {
            Change::Insert { label, before: Some(line) } => {
                missing.push(format!("`{label}` had come before line {}", line.line));
            }
            Change::Insert { label, before: None } => missing.push(format!("`{label}` had come at the end")),
            Change::Replace { label, by, at } => {
                missing.push(format!("line {} had said `{by}`, not `{label}`", at.line));
            }
            Change::Drop { label, at } => surplus.push(format!("`{label}` of line {}", at.line)),
        }
    }
    let without =
        if surplus.is_empty() { String::new() } else { format!(" without {}", surplus.join(" and ")) };
    let with = if missing.is_empty() { String::new() } else { format!(" if {}", missing.join(" and ")) };
    let joint = if surplus.is_empty() || missing.is_empty() { "" } else { " and" };
    format!("in order{without}{joint}{with}")
}
