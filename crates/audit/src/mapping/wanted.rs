//! What fits at a place of a mapping, for editors. The text need not be right, nor whole.

use servanda_syntax::{Span, Token, TokenKind};

use super::keys::{Holds, Section};
use super::scan::{self, Named, Next, Open, Scan};
use super::symbols::Told;

/// What fits at a place of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The name of a table, between brackets.
    Header,
    /// A key of a table, which has some already.
    Key(Section, Vec<String>),
    /// Names and functions, where a view is around them its number.
    Expression(Option<usize>),
    /// The name of a table.
    Table,
    /// Something of the model of this view, or of any.
    Told(Told, Option<usize>),
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// What fits at an offset, what of the text it takes the place of, and whether that stands between quotation marks already.
pub fn wanted(text: &str, offset: usize) -> Option<(Wanted, Span, bool)> {
    let before = text.get(..offset)?;
    let scan = Scan::new(before);
    if let Some(open) = scan.open {
        return in_text(text, offset, &scan, open);
    }
    let word =
        before.len() - before.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-')).len();
    let span = Span::new(offset - word, offset);
    // The word that is being typed is no key yet.
    let typed = word > 0 && scan.tokens.last().is_some_and(|token| token.span.end as usize == offset);
    let next = match scan.next {
        Next::Equals if typed => Next::Key,
        Next::After if typed => Next::Value,
        next => next,
    };
    let view =
        scan.blocks.last().and_then(|block| block.number.filter(|_| block.section != Some(Section::Table)));
    let wanted = match next {
        Next::Header => Wanted::Header,
        Next::Key => match scan.section? {
            Section::Levels => Wanted::Told(Told::Property, view),
            Section::Cites => Wanted::Told(Told::Label, view),
            section => Wanted::Key(section, given(&scan, text, section, typed)),
        },
        Next::Value => match scan.section?.holds(&scan.key)? {
            Holds::OneOf(words) => Wanted::OneOf(words),
            Holds::Labels => Wanted::Told(Told::Label, view),
            Holds::Role => Wanted::Told(Told::Role, None),
            _ => return None,
        },
        Next::Equals | Next::After | Next::Nothing => return None,
    };
    // Words that are keys stand without quotation marks, as do headers.
    let bare = matches!(wanted, Wanted::Header | Wanted::Key(..) | Wanted::Told(Told::Property, _));
    Some((wanted, span, bare))
}

/// The keys that the table around a place has, in lines before and after it.
fn given(scan: &Scan<'_>, text: &str, section: Section, typed: bool) -> Vec<String> {
    let block = scan.blocks.len() - 1;
    let from = scan.blocks[block].span.start as usize;
    let whole = Scan::new(text);
    let meant = |named: &&Named| named.section == Some(section);
    let in_block = |named: &&Named| {
        let place = named.text.span.start as usize;
        place >= from && whole.blocks[named.block].span.start as usize == from
    };
    // The keys of a rule are those of its braces: what is typed before them is all that is certain.
    let is_rule = matches!(section, Section::Event | Section::Timer);
    let own = scan.keys.last().filter(|_| typed).map(|named| named.text.span.start);
    let rule = scan.rule();
    let before = scan.keys.iter().filter(meant).filter(|named| named.text.span.start as usize >= rule);
    let names = |named: &Named| named.text.text.clone();
    if is_rule && rule > 0 {
        return before.filter(|named| Some(named.text.span.start) != own).map(names).collect();
    }
    let keys = whole.keys.iter().filter(meant).filter(in_block);
    keys.filter(|named| Some(named.text.span.start) != own).map(names).collect()
}

/// What fits within a text that is open at an offset.
fn in_text(text: &str, offset: usize, scan: &Scan<'_>, open: Open) -> Option<(Wanted, Span, bool)> {
    let content = &text[open.start..offset];
    let view =
        scan.blocks.last().and_then(|block| block.number.filter(|_| block.section != Some(Section::Table)));
    // Editors compare proposals with what they replace: that is what has been typed, not what stands behind it.
    let typed = Span::new(open.start, offset);
    if scan.next == Next::Equals {
        let told = match scan.section? {
            Section::Levels => Told::Property,
            Section::Cites => Told::Label,
            _ => return None,
        };
        return Some((Wanted::Told(told, view), typed, true));
    }
    let holds = scan.section?.holds(&scan.key).filter(|_| open.plain)?;
    match holds {
        Holds::OneOf(words) => Some((Wanted::OneOf(words), typed, true)),
        Holds::Role => Some((Wanted::Told(Told::Role, None), typed, true)),
        Holds::Expression | Holds::Keys => in_expression(content, offset, view),
        Holds::Labels => {
            let last = content.rfind(['{', '}']);
            if let Some(at) = last.filter(|at| content[*at..].starts_with('{')) {
                return in_expression(&content[at + 1..], offset, view);
            }
            let start = open.start + last.map_or(0, |at| at + 1);
            Some((Wanted::Told(Told::Label, view), Span::new(start, offset), true))
        }
        _ => None,
    }
}

fn in_expression(content: &str, offset: usize, view: Option<usize>) -> Option<(Wanted, Span, bool)> {
    let mut tokens = Vec::new();
    scan::expression(content, 0, &mut tokens);
    let written = |token: &Token| &content[token.span.start as usize..token.span.end as usize];
    if let Some((last, before)) = tokens.split_last()
        && last.kind == TokenKind::Broken
        && written(last).starts_with('"')
    {
        let span = Span::new(offset + 1 - written(last).len(), offset);
        let mut back = before.iter().rev().map(written);
        let wanted = match (back.next(), back.next()) {
            (Some("("), Some("recall")) => Wanted::Table,
            (Some("("), Some("slice_in")) => Wanted::Told(Told::State, view),
            _ => return None,
        };
        return Some((wanted, span, true));
    }
    let word = content.len() - content.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    Some((Wanted::Expression(view), Span::new(offset - word, offset), true))
}
