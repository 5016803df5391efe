//! Lines to text: indentation and alignment.

use super::element::Table;
use super::layout::Line;

/// Wider cells are not waited for by their neighbours.
const WIDEST_CELL: usize = 72;

/// Lines wider than this do not push the comments of their neighbours to the right.
const WIDEST_LINE: usize = 90;

/// Prints the lines.
pub(super) fn print(lines: Vec<Line>) -> String {
    let mut texts: Vec<(String, Vec<String>)> = Vec::new();
    let mut lines = lines.as_slice();
    while let Some(first) = lines.first() {
        let run = match first {
            Line::Statement { depth, table, .. } if *table != Table::None => {
                let same = |line: &&Line| matches!(line, Line::Statement { depth: d, table: t, .. } if d == depth && t == table);
                lines.iter().take_while(same).count()
            }
            _ => 1,
        };
        let (now, later) = lines.split_at(run);
        texts.extend(aligned(now));
        lines = later;
    }
    with_trailing_comments(&texts)
}

/// The text of each line and its trailing comments; the lines are neighbours in one table.
fn aligned(lines: &[Line]) -> Vec<(String, Vec<String>)> {
    let columns = lines.iter().map(|line| cells(line).len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let widths = lines.iter().filter_map(|line| cells(line).get(column)).map(|cell| width(cell));
            widths.filter(|width| *width <= WIDEST_CELL).max().unwrap_or(0)
        })
        .collect();
    lines
        .iter()
        .map(|line| match line {
            Line::Blank => (String::new(), Vec::new()),
            Line::Comment { depth, text } => (format!("{}{text}", indentation(*depth)), Vec::new()),
            Line::Statement { depth, cells, trailing, .. } => {
                let mut text = indentation(*depth);
                for (column, (cell, wanted)) in cells.iter().zip(&widths).enumerate() {
                    if *wanted == 0 && cell.is_empty() {
                        continue;
                    }
                    if column > 0 {
                        text.push(' ');
                    }
                    text.push_str(cell);
                    if column + 1 < cells.len() {
                        text.push_str(&" ".repeat(wanted.saturating_sub(width(cell))));
                    }
                }
                (text.trim_end().to_owned(), trailing.clone())
            }
        })
        .collect()
}

/// Puts trailing comments of neighbouring lines into one column.
fn with_trailing_comments(lines: &[(String, Vec<String>)]) -> String {
    let mut result = String::new();
    let mut column = 0;
    for (number, (text, trailing)) in lines.iter().enumerate() {
        result.push_str(text);
        if trailing.is_empty() {
            column = 0;
        } else {
            if column == 0 {
                let run = lines[number..].iter().take_while(|(_, trailing)| !trailing.is_empty());
                let widths = run.map(|(text, _)| width(text)).filter(|width| *width <= WIDEST_LINE);
                column = widths.max().unwrap_or(1).max(1);
            }
            result.push_str(&" ".repeat(column.saturating_sub(width(text)) + 2));
            result.push_str(&trailing.join(" "));
        }
        result.push('\n');
    }
    result
}

fn cells(line: &Line) -> &[String] {
    match line {
        Line::Statement { cells, .. } => cells,
        _ => &[],
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn indentation(depth: usize) -> String {
    "  ".repeat(depth)
}
