//! Lines to text: indentation and alignment.

use super::element::Table;
use super::layout::Line;

/// Neighbours are aligned as long as that pushes nothing further to the right than this.
const WIDEST_TABLE: usize = 100;

/// Lines wider than this do not push the comments of their neighbours to the right.
const WIDEST_LINE: usize = 90;

/// Prints the lines.
pub(super) fn print(lines: Vec<Line>) -> String {
    let mut texts: Vec<(String, Vec<String>)> = Vec::new();
    let mut lines = lines.as_slice();
    while let Some(first) = lines.first() {
        let same = |line: &&Line| (line.depth, line.table) == (first.depth, first.table);
        let run = if first.table == Table::None { 1 } else { lines.iter().take_while(same).count() };
        let (now, later) = lines.split_at(run);
        texts.extend(now.iter().zip(aligned(now)).map(|(line, text)| (text, line.trailing.clone())));
        lines = later;
    }
    with_trailing_comments(&texts)
}

/// The text of each line; the lines are neighbours in one table.
fn aligned(lines: &[Line]) -> Vec<String> {
    let depth = lines.first().map_or(0, |line| line.depth);
    let rows: Vec<Vec<String>> = lines.iter().map(|line| line.cells.clone()).collect();
    // What stands in the last column is not aligned with anything, so its width does not matter.
    let before_last: usize = widths(&rows).iter().rev().skip(1).map(|width| width + 1).sum();
    let rows = match before_last + 2 * depth > WIDEST_TABLE {
        true => rows.into_iter().map(first_and_rest).collect(),
        false => rows,
    };
    let widths = widths(&rows);
    rows.iter().map(|row| format!("{}{}", "  ".repeat(depth), padded(row, &widths))).collect()
}

/// Too wide a table is aligned in its first column only.
fn first_and_rest(row: Vec<String>) -> Vec<String> {
    match row.split_first() {
        Some((first, rest)) if !rest.is_empty() => {
            let rest: Vec<&str> = rest.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
            vec![first.clone(), rest.join(" ")]
        }
        _ => row,
    }
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max();
    (0..columns).map(|column| widest(column).unwrap_or(0)).collect()
}

fn padded(row: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    // A column in which nothing stands is left out.
    for (cell, wanted) in row.iter().zip(widths).filter(|(_, wanted)| **wanted > 0) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(cell);
        text.push_str(&" ".repeat(wanted - width(cell)));
    }
    text.truncate(text.trim_end().len());
    text
}

/// Puts trailing comments of neighbouring lines into one column. The braces of a block are no neighbours.
fn with_trailing_comments(lines: &[(String, Vec<String>)]) -> String {
    let brace = |text: &str| text.ends_with(['{', '}']);
    let mut result = String::new();
    let mut column = 0;
    for (number, (text, trailing)) in lines.iter().enumerate() {
        result.push_str(text);
        if trailing.is_empty() || brace(text) {
            column = 0;
        } else if column == 0 {
            let run =
                lines[number..].iter().take_while(|(text, trailing)| !trailing.is_empty() && !brace(text));
            let widths = run.map(|(text, _)| width(text)).filter(|width| *width <= WIDEST_LINE);
            column = widths.max().unwrap_or(0);
        }
        if !trailing.is_empty() {
            result.push_str(&" ".repeat(column.saturating_sub(width(text)) + 2));
            result.push_str(&trailing.join(" "));
        }
        result.push('\n');
    }
    result
}

fn width(text: &str) -> usize {
    text.chars().count()
}
