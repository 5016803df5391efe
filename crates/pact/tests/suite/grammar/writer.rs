//! Texts made by the grammar.

use std::collections::BTreeSet;

use super::notation::{Grammar, Part};

/// Choices for one statement, so that the first does not use up all there are.
const MOST_CHOICES: usize = 80;

/// Rules within one another, beyond which the shallowest way is taken.
const DEEPEST: usize = 90;

/// Rules within one another, beyond which the shallowest way is usual.
const MIDDLE: usize = 14;

/// What names are made of. They stand for nothing else; some are words only where they are expected.
const NAMES: &[&str] = &[
    "a", "b", "x1", "paid", "Customer", "café", "order_2", "level", "capacity", "weak", "final", "min",
    "active", "clock", "start", "wait", "scenario", "type",
];

/// Makes a text, with numbers that decide between alternatives; where there are no more of them, or it gets too deep, the shallowest
/// alternative is taken.
pub(super) struct Writer<'a> {
    grammar: &'a Grammar,
    choices: std::slice::Iter<'a, u16>,
    /// Choices left for this statement.
    left: usize,
    depth: usize,
    text: String,
    /// The alternatives that were taken.
    pub(super) used: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(grammar: &'a Grammar, choices: &'a [u16]) -> Self {
        Writer {
            grammar,
            choices: choices.iter(),
            left: 0,
            depth: 0,
            text: String::new(),
            used: BTreeSet::new(),
        }
    }

    pub(super) fn file(&mut self) -> String {
        self.rule("file");
        std::mem::take(&mut self.text)
    }

    fn choose(&mut self) -> usize {
        if self.depth > DEEPEST || self.depth > 1 && self.left == 0 {
            return 0;
        }
        self.left = self.left.saturating_sub(1);
        self.choices.next().map_or(0, |choice| usize::from(*choice))
    }

    fn rule(&mut self, name: &str) {
        match name {
            "name" => {
                let choice = self.choose();
                self.push(NAMES[choice % NAMES.len()]);
            }
            "number" => {
                let choice = self.choose();
                self.push(["0", "1", "2", "7"][choice % 4]);
            }
            "text" => self.push("\"a file.pact\""),
            _ => {
                if self.depth == 1 {
                    self.left = MOST_CHOICES;
                }
                self.depth += 1;
                self.part(&self.grammar.rules[name]);
                self.depth -= 1;
                if matches!(name, "header" | "statement" | "step") {
                    self.text.push('\n');
                }
            }
        }
    }

    fn part(&mut self, part: &'a Part) {
        match part {
            Part::Word(word) => self.push(word),
            Part::Rule(name) => self.rule(name),
            Part::All(parts) => parts.iter().for_each(|part| self.part(part)),
            Part::One(number, parts) => {
                let mut order: Vec<usize> = (0..parts.len()).collect();
                order.sort_by_key(|alternative| self.grammar.depth(&parts[*alternative]));
                // Deep inside mostly the shallowest, or little would be left for what comes later.
                let choice = self.choose();
                let shallow = self.depth > MIDDLE && !(choice >> 8).is_multiple_of(4);
                let alternative = order[if shallow { 0 } else { choice % parts.len() }];
                self.used.insert(self.grammar.name(*number, alternative));
                self.part(&parts[alternative]);
            }
            Part::Maybe(part) => {
                if self.choose() % self.rarity() == 1 {
                    self.part(part);
                }
            }
            Part::Many(part) => {
                // Of the outermost there are many.
                let more = |writer: &mut Self| match writer.depth {
                    1 => !writer.choose().is_multiple_of(10),
                    _ => writer.choose() % writer.rarity() == 1,
                };
                while more(self) {
                    self.part(part);
                }
            }
        }
    }

    /// One in how many times there is what may be left out: inside of formulas seldom, since each has many such places.
    fn rarity(&self) -> usize {
        if self.depth > 3 { 5 } else { 2 }
    }

    fn push(&mut self, word: &str) {
        let joined = self.text.is_empty() || self.text.ends_with(['\n', '_']);
        // `_` by itself is a word like others; `SC_` is the beginning of one.
        if !joined || self.text.ends_with(" _") {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }
}
