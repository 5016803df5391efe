//! Which lines there are: statements, comments and blank lines, in order.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::comments::Comment;
use super::element::{Element, Table};

/// A line of the result.
pub(super) enum Line {
    Blank,
    Comment { depth: usize, text: String },
    Statement { depth: usize, table: Table, cells: Vec<String>, trailing: Vec<String> },
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
            self.lines.push(Line::Comment { depth, text: comment.text });
        }
        let (table, cells) = (element.table, element.cells.clone());
        self.lines.push(Line::Statement { depth, table, cells, trailing: Vec::new() });
        self.end = head;
        self.trailing_comments();
        if let Some(inner) = &element.block {
            let close = inner.close.start as usize;
            self.elements(&inner.elements, depth + 1);
            self.comments_before(close, depth + 1);
            let cells = vec!["}".to_owned()];
            self.lines.push(Line::Statement { depth, table: Table::None, cells, trailing: Vec::new() });
            self.end = inner.close.end as usize;
            self.trailing_comments();
        }
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
            if let Some(Line::Statement { trailing, .. }) = self.lines.last_mut() {
                trailing.push(comment.text);
            }
        }
    }

    /// Comments that stand on lines of their own before `place`.
    fn comments_before(&mut self, place: usize, depth: usize) {
        while let Some(comment) = self.comments.next_if(|comment| (comment.span.start as usize) < place) {
            self.blank_before(comment.span.start as usize);
            self.end = comment.span.end as usize;
            self.lines.push(Line::Comment { depth, text: comment.text });
        }
    }

    /// A blank line, if there is one in the text before `place` and something to keep apart from.
    fn blank_before(&mut self, place: usize) {
        let between = self.text.get(self.end..place).unwrap_or_default();
        let opens = match self.lines.last() {
            None => true,
            Some(Line::Statement { cells, .. }) => cells.last().is_some_and(|cell| cell.ends_with('{')),
            Some(_) => false,
        };
        if between.matches('\n').count() >= 2 && !opens {
            self.lines.push(Line::Blank);
        }
    }
}
