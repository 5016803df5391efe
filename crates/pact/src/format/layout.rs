//! Which lines there are: statements, comments and blank lines, in order.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::comments::Comment;
use super::element::{Element, Table};

/// A line of the result: a statement, a comment, or nothing, which is a blank line.
#[derive(Default)]
pub(super) struct Line {
    pub(super) depth: usize,
    pub(super) table: Table,
    pub(super) cells: Vec<String>,
    /// Comments after a statement.
    pub(super) trailing: Vec<String>,
    is_statement: bool,
}

/// Lays out statements and the comments between them.
pub(super) fn lines(text: &str, comments: Vec<Comment>, elements: &[Element]) -> Vec<Line> {
    let mut layout = Layout { text, comments: comments.into_iter().peekable(), lines: Vec::new(), end: 0 };
    layout.elements(elements, 0);
    layout.comments_before(text.len() + 1, 0);
    layout.lines
}

struct Layout<'t> {
    text: &'t str,
    comments: Peekable<IntoIter<Comment>>,
    lines: Vec<Line>,
    /// Where in the text the last thing laid out ends.
    end: usize,
}

impl Layout<'_> {
    fn elements(&mut self, elements: &[Element], depth: usize) {
        for element in elements {
            self.element(element, depth);
        }
    }

    fn element(&mut self, element: &Element, depth: usize) {
        let (start, end) = (element.span.start as usize, element.span.end as usize);
        self.comments_before(start, depth);
        self.blank_before(start);
        // Comments inside the statement, or in the head of a block, move before it.
        let head = element.block.as_ref().map_or(end, |inner| inner.open.end as usize);
        while let Some(comment) = self.comments.next_if(|comment| (comment.span.start as usize) < head) {
            self.comment(comment.text, depth);
        }
        self.statement(depth, element.table, element.cells.clone());
        self.end = head;
        self.trailing_comments();
        if let Some(inner) = &element.block {
            let close = inner.close.start as usize;
            self.elements(&inner.elements, depth + 1);
            self.comments_before(close, depth + 1);
            self.statement(depth, Table::None, vec!["}".to_owned()]);
            self.end = inner.close.end as usize;
            self.trailing_comments();
        }
    }

    fn statement(&mut self, depth: usize, table: Table, cells: Vec<String>) {
        self.lines.push(Line { depth, table, cells, is_statement: true, ..Line::default() });
    }

    fn comment(&mut self, text: String, depth: usize) {
        self.lines.push(Line { depth, cells: vec![text], ..Line::default() });
    }

    /// Comments on the same line as what was laid out last.
    fn trailing_comments(&mut self) {
        while let Some(comment) = self.comments.peek() {
            let start = comment.span.start as usize;
            let between = self.text.get(self.end..start).unwrap_or("\n");
            if between.contains('\n') || between.contains('}') || between.chars().any(char::is_alphanumeric) {
                return;
            }
            let Some(comment) = self.comments.next() else { return };
            self.end = comment.span.end as usize;
            if let Some(line) = self.lines.last_mut().filter(|line| line.is_statement) {
                line.trailing.push(comment.text);
            }
        }
    }

    /// Comments that stand on lines of their own before `place`.
    fn comments_before(&mut self, place: usize, depth: usize) {
        while let Some(comment) = self.comments.next_if(|comment| (comment.span.start as usize) < place) {
            self.blank_before(comment.span.start as usize);
            self.end = comment.span.end as usize;
            self.comment(comment.text, depth);
        }
    }

    /// A blank line, if there is one in the text before `place` and something to keep apart from.
    fn blank_before(&mut self, place: usize) {
        let between = self.text.get(self.end..place).unwrap_or_default();
        let ends =
            |line: &Line| line.is_statement && line.cells.last().is_some_and(|cell| cell.ends_with('{'));
        let opens = self.lines.last().is_none_or(ends);
        if between.matches('\n').count() >= 2 && !opens {
            self.lines.push(Line::default());
        }
    }
}
