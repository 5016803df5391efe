//! What could stand at a place.

use std::collections::BTreeSet;

use servanda_logic::ActKind;
use servanda_syntax::{Span, SymbolKind, Token};

use crate::{Analysis, Language, mapping};

/// What a proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A name.
    Name(SymbolKind),
    /// A word that begins a statement or section.
    Keyword,
    /// An act.
    Act,
    /// An operator of the logic.
    Operator,
}

/// Something that could stand at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Completion {
    /// What it is.
    pub kind: CompletionKind,
    /// What is written.
    pub text: String,
    /// What it takes the place of; `None` for the word before the place. It is the same for all proposals at a place.
    pub replaces: Option<Span>,
}

/// Operators that are words.
const OPERATORS: &[&str] = &[
    "AG", "AF", "AX", "EG", "EF", "EX", "A", "E", "G", "F", "X", "U", "W", "in", "does", "active", "K", "GK",
    "DK", "GCK", "SC", "PC", "true", "false", "any", "all", "sum", "if", "min", "max",
];

/// What fits at a place.
enum Wanted {
    Statement,
    States(Option<String>),
    Kinds(&'static [SymbolKind]),
    Label,
    Formula,
}

/// What could stand at an offset, whatever was begun there. The list is not filtered by what is written already.
pub fn complete(analysis: &Analysis, offset: usize) -> Vec<Completion> {
    if analysis.language == Language::Mapping {
        return mapping::proposals(analysis, offset);
    }
    if in_comment(analysis, offset) {
        return Vec::new();
    }
    let before = line_before(analysis, offset);
    let wanted = match analysis.language {
        Language::Pact => pact(analysis, &before),
        Language::Ispl if before.is_empty() => Wanted::Statement,
        Language::Ispl => Wanted::Formula,
        Language::Ccs if before.is_empty() => Wanted::Statement,
        Language::Ccs => Wanted::Kinds(&[SymbolKind::Process, SymbolKind::Action, SymbolKind::Set]),
        Language::Mapping => return Vec::new(),
    };
    let mut found = BTreeSet::new();
    let mut names = |fits: &dyn Fn(SymbolKind, &str) -> bool| {
        // The word at the cursor is no name yet.
        let others = analysis.symbols.occurrences.iter().filter(|name| name.span.end as usize != offset);
        for name in others.filter(|name| fits(name.kind, &name.scope)) {
            let (kind, text) = (CompletionKind::Name(name.kind), name.name.to_string());
            found.insert(Completion { kind, text, replaces: None });
        }
    };
    match &wanted {
        Wanted::Statement => names(&|kind, _| kind == SymbolKind::State),
        Wanted::States(machine) => names(&|kind, scope| {
            kind == SymbolKind::State && machine.as_ref().is_none_or(|machine| scope == machine)
        }),
        Wanted::Kinds(kinds) => names(&|kind, _| kinds.contains(&kind)),
        Wanted::Label => names(&|kind, _| matches!(kind, SymbolKind::Role | SymbolKind::Message)),
        Wanted::Formula => names(&|kind, _| {
            !matches!(
                kind,
                SymbolKind::Protocol | SymbolKind::State | SymbolKind::Property | SymbolKind::Scenario
            )
        }),
    }
    let mut add = |kind, words: &mut dyn Iterator<Item = &str>| {
        found.extend(words.map(|word| Completion { kind, text: word.to_owned(), replaces: None }));
    };
    let keywords = analysis.symbols.keywords;
    match wanted {
        Wanted::Statement => add(CompletionKind::Keyword, &mut keywords.iter().copied()),
        Wanted::Label => add(CompletionKind::Act, &mut ActKind::ALL.iter().map(|act| act.short())),
        Wanted::Formula if analysis.language == Language::Pact => {
            add(CompletionKind::Operator, &mut OPERATORS.iter().copied());
            add(CompletionKind::Act, &mut ActKind::ALL.iter().map(|act| act.short()));
        }
        Wanted::Formula => add(CompletionKind::Operator, &mut OPERATORS.iter().copied()),
        Wanted::States(_) | Wanted::Kinds(_) => {}
    }
    found.into_iter().collect()
}

/// Does an offset lie behind the beginning of a comment of its line?
fn in_comment(analysis: &Analysis, offset: usize) -> bool {
    let sign = match analysis.language {
        Language::Pact => "//",
        // `--` within a word's reach is a comment in ISPL, `*` one in CCS.
        Language::Ispl => "--",
        Language::Ccs => "*",
        Language::Mapping => "#",
    };
    let text = analysis.text().get(..offset).unwrap_or_default();
    text.rsplit('\n').next().is_some_and(|line| line.contains(sign))
}

/// The words and signs of the line before the word that is being written.
fn line_before(analysis: &Analysis, offset: usize) -> Vec<&str> {
    let text = analysis.text();
    let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let tokens = &analysis.symbols.tokens;
    let first = tokens.partition_point(|token| (token.span.start as usize) < start);
    let is_before = |token: &&Token| (token.span.end as usize) <= offset && token.span.end > token.span.start;
    let mut line: Vec<Span> = tokens[first..].iter().take_while(is_before).map(|token| token.span).collect();
    let is_word = |span: &Span| analysis.slice(*span).ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if line.last().is_some_and(|last| last.end as usize == offset && is_word(last)) {
        line.pop();
    }
    // Of several statements on a line the last counts.
    let begin = line.iter().rposition(|span| matches!(analysis.slice(*span), ";" | "{" | "}"));
    let begin = begin.filter(|at| analysis.slice(line[*at]) != "{" || !has_set(analysis, &line[..*at]));
    line[begin.map_or(0, |at| at + 1)..].iter().map(|span| analysis.slice(*span)).collect()
}

/// Is a brace after these words that of a list, and not that of a block?
fn has_set(analysis: &Analysis, line: &[Span]) -> bool {
    line.last().is_some_and(|last| matches!(analysis.slice(*last), "=" | ":" | "in" | "(" | ","))
}

fn pact(analysis: &Analysis, before: &[&str]) -> Wanted {
    use SymbolKind::{Group, Message, Role, Type};
    let Some(last) = before.last().copied() else { return Wanted::Statement };
    let first = before[0];
    let transition = before.contains(&"--") && !before.contains(&"-->");
    match last {
        "-->" | "start" | "final" | "wait" => Wanted::States(None),
        "in" if first == "for"
            || before.iter().any(|word| matches!(*word, "set" | "any" | "all" | "sum")) =>
        {
            Wanted::Formula
        }
        "in" => {
            let machine = before.get(before.len().wrapping_sub(2)).copied().unwrap_or_default();
            let is_machine = |kind, name: &str| kind == SymbolKind::Machine && name == machine;
            let known = analysis.symbols.occurrences.iter().any(|found| is_machine(found.kind, &found.name));
            Wanted::States(known.then(|| machine.to_owned()))
        }
        "--" => Wanted::Label,
        "carries" => Wanted::Kinds(&[Message]),
        "of" | "red" | "access" | "from" | "to" => Wanted::Kinds(&[Role, Group]),
        ":" if matches!(first, "var" | "private" | "clock") => Wanted::Kinds(&[Type]),
        ":" if transition && !before.contains(&"when") => Wanted::Kinds(&[Message]),
        "," if first == "channel" => Wanted::Kinds(&[Message]),
        "," if first == "final" => Wanted::States(None),
        "," | "{" if first == "group" => Wanted::Kinds(&[Role, Group]),
        _ if first == "scenario" || matches!(first, "->" | "...") => Wanted::Label,
        _ => Wanted::Formula,
    }
}
