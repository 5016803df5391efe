//! The notation in which the grammar is written.

use std::collections::{BTreeMap, BTreeSet};

/// What a rule consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text that stands for itself.
    Word(String),
    /// What another rule makes.
    Rule(String),
    All(Vec<Part>),
    /// One of several; the number tells this choice from others.
    One(usize, Vec<Part>),
    Maybe(Box<Part>),
    Many(Box<Part>),
}

/// The rules by their names.
pub(super) struct Grammar {
    pub(super) rules: BTreeMap<String, Part>,
    /// How many rules lie within one another in the shallowest text that each makes.
    pub(super) depths: BTreeMap<String, usize>,
    choices: Vec<(String, usize)>,
}

/// Names that stand for themselves: what they consist of is the business of the lexer.
pub(super) const LEXICAL: [&str; 3] = ["name", "number", "text"];

impl Grammar {
    /// Reads rules such as `file = { statement | ";" } .`
    pub(super) fn read(text: &str) -> Grammar {
        let tokens = tokens(text);
        let mut reader = Reader { tokens: &tokens, at: 0, rule: String::new(), choices: Vec::new() };
        let mut rules = BTreeMap::new();
        while reader.at < tokens.len() {
            let name = reader.next();
            reader.rule.clone_from(&name);
            assert_eq!(reader.next(), "=", "after {name}");
            let part = reader.one();
            assert_eq!(reader.next(), ".", "at the end of {name}");
            let known = LEXICAL.contains(&name.as_str());
            assert!(known || rules.insert(name.clone(), part).is_none(), "{name} is there twice");
        }
        let choices = reader.choices;
        let mut grammar = Grammar { rules, depths: BTreeMap::new(), choices };
        while grammar.deepen() {}
        for name in grammar.rules.keys() {
            assert!(grammar.depths.contains_key(name), "{name} makes no text");
        }
        grammar
    }

    /// Finds depths of further rules; did it find any?
    fn deepen(&mut self) -> bool {
        let known = |name: &String| self.depths.contains_key(name);
        let new: Vec<(String, usize)> = self
            .rules
            .iter()
            .filter(|(name, _)| !known(name))
            .filter_map(|(name, part)| Some((name.clone(), self.depth(part)? + 1)))
            .collect();
        let lowest = new.iter().map(|(_, depth)| *depth).min();
        self.depths.extend(new.into_iter().filter(|(_, depth)| Some(*depth) == lowest));
        lowest.is_some()
    }

    /// The depth of the shallowest text, where it is known.
    pub(super) fn depth(&self, part: &Part) -> Option<usize> {
        match part {
            Part::Word(_) | Part::Maybe(_) | Part::Many(_) => Some(0),
            Part::Rule(name) if LEXICAL.contains(&name.as_str()) => Some(0),
            Part::Rule(name) => self.depths.get(name).copied(),
            Part::All(parts) => {
                parts.iter().map(|part| self.depth(part)).try_fold(0, |all, one| Some(all.max(one?)))
            }
            Part::One(_, parts) => parts.iter().filter_map(|part| self.depth(part)).min(),
        }
    }

    /// Every alternative of every choice, as a [`super::writer::Writer`] notes it.
    pub(super) fn alternatives(&self) -> BTreeSet<String> {
        let each = |(number, (rule, count)): (usize, &(String, usize))| {
            (0..*count).map(|alternative| self.alternative(rule, number, alternative)).collect::<Vec<_>>()
        };
        let lexical = |(_, (rule, _)): &(usize, &(String, usize))| !LEXICAL.contains(&rule.as_str());
        self.choices.iter().enumerate().filter(lexical).flat_map(each).collect()
    }

    fn alternative(&self, rule: &str, choice: usize, alternative: usize) -> String {
        format!("{rule}: {alternative} of choice {choice}")
    }

    /// The name of an alternative.
    pub(super) fn name(&self, choice: usize, alternative: usize) -> String {
        self.alternative(&self.choices[choice].0, choice, alternative)
    }
}

/// Words, marks, and texts between quotation marks of either kind, with the first of these.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => rest[1..].find(first).expect("a closing quotation mark") + 2,
            _ if first.is_alphabetic() => rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()),
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = after.trim_start();
    }
    tokens
}

struct Reader<'a> {
    tokens: &'a [String],
    at: usize,
    rule: String,
    choices: Vec<(String, usize)>,
}

impl Reader<'_> {
    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn one(&mut self) -> Part {
        let mut parts = vec![self.all()];
        while self.tokens[self.at] == "|" {
            self.at += 1;
            parts.push(self.all());
        }
        if parts.len() == 1 {
            return parts.remove(0);
        }
        self.choices.push((self.rule.clone(), parts.len()));
        Part::One(self.choices.len() - 1, parts)
    }

    fn all(&mut self) -> Part {
        let mut parts = Vec::new();
        loop {
            let token = self.tokens[self.at].clone();
            let part = match token.as_str() {
                "|" | "." | ")" | "]" | "}" => return Part::All(parts),
                "(" => self.enclosed(")"),
                "[" => Part::Maybe(Box::new(self.enclosed("]"))),
                "{" => Part::Many(Box::new(self.enclosed("}"))),
                _ => {
                    self.at += 1;
                    match token.strip_prefix(['"', '\'']) {
                        Some(quoted) => Part::Word(quoted[..quoted.len() - 1].to_owned()),
                        None => Part::Rule(token),
                    }
                }
            };
            parts.push(part);
        }
    }

    fn enclosed(&mut self, close: &str) -> Part {
        self.at += 1;
        let part = self.one();
        assert_eq!(self.next(), close, "in {}", self.rule);
        part
    }
}
