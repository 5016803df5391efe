//! What the names of a file stand for, told by the words around them, so that mistakes elsewhere do not matter.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_syntax::{Occurrence, Outlined, Span, Stated, SymbolKind, Symbols, Token, TokenKind};

use crate::parse::parse;
use crate::token::lex;

/// The words that begin sections.
const KEYWORDS: &[&str] = &[
    "Agent",
    "Actions",
    "Evaluation",
    "Evolution",
    "Fairness",
    "Formulae",
    "Groups",
    "InitStates",
    "Lobsvars",
    "Obsvars",
    "Protocol",
    "RedStates",
    "Semantics",
    "Vars",
    "end",
];

/// Words that are no names.
const RESERVED: &[&str] = &[
    "Action", "Other", "and", "bitand", "bitor", "bitxor", "boolean", "false", "if", "or", "true", "AG",
    "AF", "AX", "EG", "EF", "EX", "A", "E", "U", "K", "GK", "DK", "GCK", "O", "X", "F", "G",
];

/// What the names of a file stand for. The file need not be right.
///
/// ```
/// let text = "Agent Lamp\n Vars: on : boolean; end Vars\n Evolution: on = true if on = ; end Evolution\nend Agent";
/// let names: Vec<String> = servanda_ispl::symbols(text).occurrences.iter().map(|found| found.name.to_string()).collect();
/// assert_eq!(names, ["Lamp", "on", "on", "on"]);
/// ```
pub fn symbols(text: &str) -> Symbols {
    let (tokens, _) = lex(text);
    let formulae = parse(text, &tokens).formulae;
    of_tokens(text, tokens, &formulae)
}

/// The same for a text whose tokens are known, and where in them its formulas stand.
pub(crate) fn of_tokens(text: &str, tokens: Vec<Token>, formulae: &[Range<usize>]) -> Symbols {
    let mut reader = Reader { text, tokens: &tokens, known: FxHashMap::default(), found: Symbols::default() };
    reader.sections(true);
    reader.sections(false);
    let mut found = reader.found;
    for (position, range) in formulae.iter().enumerate() {
        let (Some(first), Some(last)) = (tokens.get(range.start), tokens.get(range.end.saturating_sub(1)))
        else {
            continue;
        };
        // A formula has a number and no name: it stands for itself.
        let span = first.span.to(last.span);
        let name = format!("formula_{}", position + 1).into();
        found.stated.push(Stated {
            name,
            name_span: span,
            span,
            expected: None,
            expect_at: span.end,
            is_scenario: false,
        });
    }
    found.tokens = tokens;
    found.keywords = KEYWORDS;
    found.in_order()
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Kinds by scope and name.
    known: FxHashMap<(Arc<str>, Arc<str>), SymbolKind>,
    found: Symbols,
}

impl<'a> Reader<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| self.slice(token.span))
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Goes through the sections: first to declare names, then to find their uses.
    fn sections(&mut self, declaring: bool) {
        let (mut agent, mut section): (Arc<str>, &'static str) = ("".into(), "");
        let mut open: Option<(usize, usize)> = None;
        for at in 0..self.tokens.len() {
            let word = self.word(at);
            let ends = at > 0 && self.word(at - 1) == "end";
            let begins = KEYWORDS.iter().find(|known| **known == word && **known != "end");
            match begins {
                Some(&"Agent") if ends => {
                    if let (false, Some((from, name))) = (declaring, open.take()) {
                        self.outline(from, name, at);
                    }
                    (agent, section) = ("".into(), "");
                }
                Some(_) if ends => section = "",
                Some(&"Agent") => {
                    agent = self.word(at + 1).into();
                    (section, open) = ("Agent", Some((at, at + 1)));
                }
                Some(known) if at + 1 < self.tokens.len() => section = known,
                _ if self.tokens[at].kind == TokenKind::Word && !RESERVED.contains(&word) && !ends => {
                    self.name(at, &agent, section, declaring);
                }
                _ => {}
            }
        }
    }

    fn outline(&mut self, from: usize, name: usize, to: usize) {
        let (Some(from), Some(name), Some(to)) =
            (self.tokens.get(from), self.tokens.get(name), self.tokens.get(to))
        else {
            return;
        };
        let span = from.span.to(to.span);
        self.found.folds.push(span);
        self.found.outline.push(Outlined {
            name: self.slice(name.span).to_owned(),
            kind: SymbolKind::Role,
            name_span: name.span,
            span,
            children: Vec::new(),
        });
    }

    fn name(&mut self, at: usize, agent: &Arc<str>, section: &str, declaring: bool) {
        let (before, after) = (if at == 0 { "" } else { self.word(at - 1) }, self.word(at + 1));
        let before_that = if at < 2 { "" } else { self.word(at - 2) };
        let declares = match section {
            "Agent" if before == "Agent" => Some(SymbolKind::Role),
            "Vars" | "Obsvars" if after == ":" => Some(SymbolKind::Variable),
            "Vars" | "Obsvars" if matches!(before, "{" | ",") => Some(SymbolKind::Value),
            "Actions" if matches!(before, "{" | ",") => Some(SymbolKind::Action),
            "Evaluation" if after == "if" => Some(SymbolKind::Proposition),
            "Groups" if after == "=" => Some(SymbolKind::Group),
            _ => None,
        };
        let name: Arc<str> = self.word(at).into();
        let global = |kind| matches!(kind, SymbolKind::Role | SymbolKind::Proposition | SymbolKind::Group);
        let top: Arc<str> = "".into();
        if declaring {
            if let Some(kind) = declares {
                let scope = if global(kind) { top } else { agent.clone() };
                self.known.entry((scope, name)).or_insert(kind);
            }
            return;
        }
        // After a dot the agent is named; after `A.x =` stands a value or an action of that agent.
        let of: Arc<str> = if before == "." {
            before_that.into()
        } else if before == "=" && at >= 4 && self.word(at - 3) == "." {
            self.word(at - 4).into()
        } else {
            agent.clone()
        };
        let found = [of, top].into_iter().find_map(|scope| {
            let kind = self.known.get(&(scope.clone(), name.clone()))?;
            Some((scope, *kind))
        });
        if let Some((scope, kind)) = found {
            let span = self.tokens[at].span;
            let declares = declares == Some(kind);
            self.found.occurrences.push(Occurrence { name, kind, scope, span, declares, statement: span });
        }
    }
}
