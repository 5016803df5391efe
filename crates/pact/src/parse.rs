//! From text to statements.
//!
//! Reading never stops at a mistake: a statement that cannot be read is reported and stepped over, and its words are
//! remembered, since what it would have declared is not unknown.

mod assignment;
mod decompose;
mod protocol;
mod statement;
mod transition;

use servanda_logic::Parser;
use servanda_syntax::{Code, Diagnostic, Span, Token};

use crate::ast::{Block, Item, ItemKind};

pub(crate) use statement::OPERATOR_LETTERS;

/// The words that begin statements.
pub const KEYWORDS: &[&str] = &[
    "protocol",
    "param",
    "roles",
    "semantics",
    "var",
    "private",
    "red",
    "prop",
    "commitment",
    "start",
    "access",
    "fair",
    "group",
    "property",
    "machine",
    "for",
    "decompose",
    "type",
    "message",
    "channel",
    "clock",
    "init",
    "final",
    "wait",
    "use",
    "scenario",
];

/// The statements that declare nothing other statements can name.
const SILENT: &[&str] =
    &["protocol", "semantics", "red", "access", "fair", "property", "decompose", "init", "wait", "scenario"];

/// Blocks in blocks that are read.
const DEEPEST_BLOCK: usize = 50;

/// A file as read.
pub(crate) struct File {
    pub(crate) items: Vec<Item>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) tokens: Vec<Token>,
    /// Where the statements stand that could not be read and may have declared something.
    pub(crate) broken: Vec<Span>,
    /// Part of the file was not read at all, so nothing can be said about what it declares.
    pub(crate) incomplete: bool,
    /// The names of the protocols made elsewhere that it uses.
    pub(crate) parts: Vec<String>,
    /// Where properties are too long or too deep to be read. That is a mistake of theirs alone.
    pub(crate) refused: Vec<Span>,
}

impl File {
    /// Does the machine with this name come from a part?
    pub(crate) fn is_of_part(&self, machine: &str) -> bool {
        self.parts.iter().any(|part| {
            machine.strip_prefix(part.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}

/// Reads a file whose places count from `base`.
pub(crate) fn parse(text: &str, base: usize) -> File {
    let parser = Parser::at_offset(text, base).with_statement_words(KEYWORDS);
    let (broken, refused) = (Vec::new(), Vec::new());
    let mut reader = Reader { parser, broken, refused, blocks: 0, incomplete: false };
    let items = reader.items(Within::File);
    let incomplete = reader.incomplete || reader.gave_up();
    let (broken, refused) = (reader.broken, reader.refused);
    let (tokens, diagnostics) = reader.parser.into_parts();
    File { items, diagnostics, tokens, broken, incomplete, parts: Vec::new(), refused }
}

/// What statements stand in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    File,
    /// A block, and whether it belongs to a machine, directly or not.
    Block {
        machine: bool,
    },
}

struct Reader<'t> {
    parser: Parser<'t>,
    /// Where the statements stand that could not be read and may have declared something.
    broken: Vec<Span>,
    /// Where properties are too long or too deep to be read.
    refused: Vec<Span>,
    /// Blocks open here.
    blocks: usize,
    incomplete: bool,
}

impl Reader<'_> {
    /// Reads statements to the end of the block or file.
    fn items(&mut self, within: Within) -> Vec<Item> {
        let mut items = Vec::new();
        loop {
            match self.parser.spelling(0) {
                "" => return items,
                ";" => {
                    self.parser.bump();
                }
                "}" if within != Within::File => return items,
                "}" => {
                    let span = self.parser.bump();
                    self.parser.report(Diagnostic::error(
                        Code::UnexpectedToken,
                        "no block is open here",
                        span,
                    ));
                }
                _ if within == (Within::Block { machine: true }) && self.forgotten_brace() => return items,
                _ => items.extend(self.item(within)),
            }
        }
    }

    fn item(&mut self, within: Within) -> Option<Item> {
        let start = self.parser.span();
        let errors = self.parser.diagnostics.len();
        let declares = self.at_transition() || !SILENT.iter().any(|word| self.parser.at(word));
        let kind = self.statement(within);
        let is_block =
            matches!(kind, Some(ItemKind::Machine { .. } | ItemKind::For { .. } | ItemKind::Decompose(_)));
        // A property that was refused is one: dropped, it would not be missed.
        let is_refused = matches!(&kind, Some(ItemKind::Property(property)) if property.refused.is_some());
        let sound = is_block || is_refused || self.parser.diagnostics.len() == errors;
        let end = self.parser.previous_span();
        match kind {
            Some(kind) if sound => {
                // With more behind it a formula that declares nothing is hardly the one that was meant.
                let kind = if self.end_of_statement(declares) || declares { kind } else { ItemKind::Broken };
                Some(Item { kind, span: start.to(end) })
            }
            _ => {
                self.skip_statement(start);
                let span = start.to(self.parser.previous_span());
                self.broken.extend(declares.then_some(span));
                Some(Item { kind: ItemKind::Broken, span })
            }
        }
    }

    /// Checks that nothing more stands on the line, or that it is another statement. Is that so?
    fn end_of_statement(&mut self, declares: bool) -> bool {
        let ends = matches!(self.parser.spelling(0), "" | ";" | "}");
        if ends || self.parser.starts_line(0) || self.at_statement() {
            return true;
        }
        let start = self.parser.span();
        self.parser.unexpected::<()>("the end of the statement");
        self.skip_statement(start);
        // What was skipped may be part of what was meant to be declared.
        self.broken.extend(declares.then_some(start.to(self.parser.previous_span())));
        false
    }

    /// Moves on to where a statement may begin; past `start` in any case.
    fn skip_statement(&mut self, start: Span) {
        if self.parser.span() == start && !self.parser.at("}") {
            self.parser.bump();
        }
        let mut open = 0_usize;
        loop {
            match self.parser.spelling(0) {
                "" => return,
                ";" if open == 0 => return,
                "{" => open += 1,
                "}" if open == 0 => return,
                "}" => open -= 1,
                _ if self.parser.starts_line(0) && self.at_statement() => return,
                _ => {}
            }
            self.parser.bump();
        }
    }

    /// Does a statement begin here?
    fn at_statement(&self) -> bool {
        self.parser.word(0).is_some_and(|word| KEYWORDS.contains(&word)) || self.at_transition()
    }

    /// Is this a name with or without indices, and dashes after it?
    fn at_transition(&self) -> bool {
        self.parser.word(0).is_some() && self.parser.at_nth(self.after_indices(1), "--")
    }

    /// The number of the first token, from `n`, that belongs to no index.
    fn after_indices(&self, n: usize) -> usize {
        let mut ahead = n;
        while self.parser.at_nth(ahead, "[") {
            let mut open = 1_usize;
            let mut inner = ahead + 1;
            while open > 0 {
                match self.parser.spelling(inner) {
                    "[" => open += 1,
                    "]" => open -= 1,
                    "" | "-->" | ";" => return ahead,
                    _ => {}
                }
                inner += 1;
            }
            ahead = inner;
        }
        ahead
    }

    /// In a machine: is this a statement that cannot stand here, and are there too few closing braces ahead?
    fn forgotten_brace(&self) -> bool {
        let word = self.parser.word(0).unwrap_or_default();
        let foreign = KEYWORDS.contains(&word)
            && !matches!(word, "start" | "for" | "final" | "wait")
            && !self.at_transition();
        if !foreign || !self.parser.starts_line(0) {
            return false;
        }
        let (mut open, mut closers) = (0_usize, 0_usize);
        for ahead in 0.. {
            match self.parser.spelling(ahead) {
                "{" => open += 1,
                "}" if open == 0 => closers += 1,
                "}" => open -= 1,
                "" => break,
                _ => {}
            }
        }
        closers < self.blocks
    }

    /// `{ statements }`; `None` only when there is no brace at all.
    fn block(&mut self, within: Within) -> Option<Block> {
        let open = self.parser.expect("{")?;
        if self.blocks >= DEEPEST_BLOCK {
            let message = format!("more than {DEEPEST_BLOCK} blocks are open here");
            self.parser.report(Diagnostic::error(Code::NestingTooDeep, message, open));
            self.incomplete = true;
            self.parser.skip(usize::MAX);
            return None;
        }
        self.blocks += 1;
        let items = self.items(within);
        let close = self.close(open);
        self.blocks -= 1;
        Some(Block { items, open, close })
    }

    /// Wants the brace that closes what `open` opened.
    fn close(&mut self, open: Span) -> Span {
        let close = self.parser.span();
        if !self.parser.eat("}") && !self.gave_up() && !self.incomplete {
            let found = match self.parser.spelling(0) {
                "" => "the end of the text".to_owned(),
                text => format!("`{text}`"),
            };
            let message = format!("expected `}}`, found {found}");
            let error = Diagnostic::error(Code::UnexpectedToken, message, close);
            self.parser.report(error.label(open, "this block is not closed"));
        }
        close
    }

    /// After a mistake in the head of a block: reads the block if it begins on the same line, so that its contents
    /// are checked for mistakes of form. What it declares is only suspected.
    fn block_without_head(&mut self, within: Within) {
        while !matches!(self.parser.spelling(0), "" | "{" | "}") {
            if self.parser.starts_line(0) && self.at_statement() {
                return;
            }
            self.parser.bump();
        }
        if self.parser.at("{") {
            self.block(within);
        }
    }

    /// Is there a formula that was not read, other than a property, which nobody else needs?
    fn gave_up(&self) -> bool {
        let fatal = |found: &Diagnostic| {
            matches!(found.code, Code::NestingTooDeep | Code::FormulaTooLong)
                && !self.refused.contains(&found.span)
        };
        self.parser.diagnostics.iter().any(fatal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: usize = 1000;

    /// What was read, with all places so much lower.
    fn shown(file: &File, base: usize) -> String {
        let shown = format!("{:?} {:?} {:?}", file.items, file.diagnostics, file.broken);
        let mut parts = shown.split("Span { start: ");
        let mut lowered = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (span, rest) = part.split_once(" }").expect("the end of a place");
            let (start, end) = span.split_once(", end: ").expect("an end");
            let low = |offset: &str| offset.parse::<usize>().expect("an offset").checked_sub(base);
            let (start, end) = (low(start).expect("in the text"), low(end).expect("in the text"));
            lowered.push_str(&format!("{start}..{end}{rest}"));
        }
        lowered
    }

    #[test]
    fn a_text_that_begins_elsewhere_is_read_alike() {
        let text = include_str!("../../../examples/netbill.pact");
        assert_eq!(shown(&parse(text, BASE), BASE), shown(&parse(text, 0), 0));
        // With something missing there are mistakes, whose places count from there too.
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for at in (0..starts.len()).step_by(37) {
            let from = starts[at];
            let to = starts.get(at + 5).copied().unwrap_or(text.len());
            let cut = format!("{}{}", &text[..from], &text[to..]);
            assert_eq!(shown(&parse(&cut, BASE), BASE), shown(&parse(&cut, 0), 0), "without {from}..{to}");
            let open = &text[..from];
            assert_eq!(shown(&parse(open, BASE), BASE), shown(&parse(open, 0), 0), "to {from}");
        }
    }
}
