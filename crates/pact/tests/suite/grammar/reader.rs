//! Texts read by the grammar alone: all ways are followed at once.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use servanda_logic::lex;
use servanda_syntax::TokenKind;

use super::notation::{Grammar, Part};

type Ends = Rc<BTreeSet<usize>>;

struct Reader<'a> {
    grammar: &'a Grammar,
    /// The tokens in the spelling of the grammar, with what they are.
    tokens: Vec<(TokenKind, String)>,
    /// Where what a rule makes may end, by the rule and where it begins.
    known: BTreeMap<(&'a str, usize), Ends>,
    farthest: usize,
}

/// Is the whole text made by the grammar? Otherwise what is left behind the longest way.
pub(super) fn read(grammar: &Grammar, text: &str) -> Result<(), String> {
    let (tokens, diagnostics) = lex(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut written = Vec::new();
    let mut places = Vec::new();
    for token in tokens {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let spelled = match token.kind {
            TokenKind::Symbol(symbol) => symbol.text(),
            TokenKind::End => break,
            _ => &text[start..end],
        };
        if let Some(role) = spelled.strip_prefix("SC_") {
            written.push((token.kind, "SC_".to_owned()));
            places.push(start);
            written.push((token.kind, role.to_owned()));
        } else {
            written.push((token.kind, spelled.to_owned()));
        }
        places.push(start);
    }
    let count = written.len();
    let mut reader = Reader { grammar, tokens: written, known: BTreeMap::new(), farthest: 0 };
    let ends = reader.rule("file", 0);
    match ends.contains(&count) {
        true => Ok(()),
        false => Err(places.get(reader.farthest).map_or(String::new(), |start| text[*start..].to_owned())),
    }
}

impl<'a> Reader<'a> {
    fn rule(&mut self, name: &'a str, at: usize) -> Ends {
        if let Some(ends) = self.known.get(&(name, at)) {
            return Rc::clone(ends);
        }
        let lexical = |kind: fn(&Self, usize) -> bool| {
            BTreeSet::from_iter((at < self.tokens.len() && kind(self, at)).then_some(at + 1))
        };
        let ends = match name {
            "name" => lexical(Self::is_word),
            "number" => lexical(|reader, at| reader.tokens[at].0 == TokenKind::Number),
            "text" => lexical(|reader, at| reader.tokens[at].0 == TokenKind::Text),
            _ => self.part(&self.grammar.rules[name], at),
        };
        self.farthest = ends.last().copied().unwrap_or_default().max(self.farthest);
        let ends = Rc::new(ends);
        self.known.insert((name, at), Rc::clone(&ends));
        ends
    }

    fn is_word(&self, at: usize) -> bool {
        let (kind, text) = &self.tokens[at];
        *kind == TokenKind::Word
            || matches!(kind, TokenKind::Symbol(_)) && text.starts_with(char::is_alphabetic)
    }

    fn part(&mut self, part: &'a Part, at: usize) -> BTreeSet<usize> {
        match part {
            Part::Word(word) => {
                let found = self.tokens.get(at).is_some_and(|(_, text)| text == word);
                if found {
                    self.farthest = self.farthest.max(at + 1);
                }
                BTreeSet::from_iter(found.then_some(at + 1))
            }
            Part::Rule(name) => (*self.rule(name, at)).clone(),
            Part::All(parts) => {
                let mut ends = BTreeSet::from([at]);
                for part in parts {
                    ends = ends.into_iter().flat_map(|at| self.part(part, at)).collect();
                }
                ends
            }
            Part::One(_, parts) => parts.iter().flat_map(|part| self.part(part, at)).collect(),
            Part::Maybe(part) => {
                let mut ends = self.part(part, at);
                ends.insert(at);
                ends
            }
            Part::Many(part) => {
                let (mut ends, mut new) = (BTreeSet::from([at]), vec![at]);
                while let Some(at) = new.pop() {
                    new.extend(self.part(part, at).into_iter().filter(|end| ends.insert(*end)));
                }
                ends
            }
        }
    }
}
