//! Markdown: tables, and lines that are not too long.

use std::fmt::{Display, Formatter, Result};

/// A table that grows row by row.
pub(crate) struct Table {
    columns: usize,
    text: String,
}

/// Text in a cell: bars would end it.
pub(crate) fn code(text: &str) -> String {
    if text.contains('|') {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('|', "&#124;");
        format!("<code>{escaped}</code>")
    } else {
        format!("`{text}`")
    }
}

impl Table {
    pub(crate) fn new(heads: &[&str]) -> Table {
        let line = vec!["---"; heads.len()].join("|");
        Table { columns: heads.len(), text: format!("| {} |\n|{line}|\n", heads.join(" | ")) }
    }

    pub(crate) fn row(&mut self, cells: &[String]) {
        debug_assert_eq!(cells.len(), self.columns, "{cells:?}");
        self.text += &format!("| {} |\n", cells.join(" | "));
    }
}

impl Display for Table {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.write_str(&self.text)
    }
}

/// Long lines broken between words, tables left as they are. What goes on in an item of a list is indented.
pub(crate) fn wrapped(text: &str) -> String {
    const WIDTH: usize = 130;
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with('|') || line.chars().count() <= WIDTH {
            out += line;
            out.push('\n');
            continue;
        }
        let indent = if line.starts_with(|first: char| first.is_ascii_digit()) { "   " } else { "" };
        let mut width = 0;
        for word in line.split(' ') {
            let length = word.chars().count();
            if width > 0 && width + 1 + length > WIDTH {
                out.push('\n');
                out += indent;
                width = indent.len();
            } else if width > 0 {
                out.push(' ');
                width += 1;
            }
            out += word;
            width += length;
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_lines_are_broken_and_tables_are_not() {
        let word = "0123456789 ";
        let text = format!("1. {}end\n| {}|\nshort\n", word.repeat(13), word.repeat(20));
        let wrapped = wrapped(&text);
        assert!(
            wrapped.lines().filter(|line| !line.starts_with('|')).all(|line| line.len() <= 130),
            "{wrapped}"
        );
        assert!(wrapped.contains("\n   "), "{wrapped}");
        assert_eq!(
            wrapped.split_whitespace().collect::<Vec<_>>(),
            text.split_whitespace().collect::<Vec<_>>()
        );
    }
}
