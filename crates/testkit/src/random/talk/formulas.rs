//! Random formulas about talks.

use std::fmt;

use super::generate::Maker;
use super::outline::Label;
use super::term::Term;

/// What is true of states, or of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Of states.
    State,
    /// Of paths.
    Path,
}

/// A formula: texts with formulas between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    pieces: Vec<String>,
    parts: Vec<Phrase>,
    /// `None`: that of the parts.
    sort: Option<Sort>,
    /// What the parts may be; `None`: what the whole may be.
    inside: Option<Sort>,
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, piece) in self.pieces.iter().enumerate() {
            f.write_str(piece)?;
            if let Some(part) = self.parts.get(number) {
                write!(f, "{part}")?;
            }
        }
        Ok(())
    }
}

impl Phrase {
    /// A formula from a text with `{}` for each part.
    fn new(text: &str, sort: Option<Sort>, inside: Option<Sort>, parts: Vec<Phrase>) -> Phrase {
        Phrase { pieces: text.split("{}").map(str::to_owned).collect(), parts, sort, inside }
    }

    /// A formula without parts.
    pub fn plain(text: &str, sort: Sort) -> Phrase {
        Phrase::new(text, Some(sort), None, Vec::new())
    }

    /// Is it true of states or of paths?
    pub fn sort(&self) -> Sort {
        let of_parts = || self.parts.iter().map(Phrase::sort).max().unwrap_or(Sort::State);
        self.sort.unwrap_or_else(of_parts)
    }

    /// Smaller formulas for a place where this sort may stand.
    pub(super) fn smaller(&self, place: Sort) -> Vec<Phrase> {
        let truth = Phrase::plain("true", Sort::State);
        let mut found = if *self == truth { Vec::new() } else { vec![truth] };
        found.extend(self.parts.iter().filter(|part| part.sort() <= place).cloned());
        let inside = self.inside.unwrap_or(place);
        for (number, part) in self.parts.iter().enumerate() {
            for smaller in part.smaller(inside) {
                let mut whole = self.clone();
                whole.parts[number] = smaller;
                found.push(whole);
            }
        }
        found
    }
}

/// Adds questions.
pub(super) fn ask(maker: &mut Maker<'_>) {
    for _ in 0..2 + maker.dice.below(3) {
        let depth = 2 + maker.dice.below(2);
        let asked = maker.state(depth, true);
        maker.talk.properties.push(asked);
    }
}

const STATE: Option<Sort> = Some(Sort::State);
const PATH: Option<Sort> = Some(Sort::Path);

impl Maker<'_> {
    fn group(&mut self) -> String {
        match self.talk.groups.is_empty() || self.dice.chance(40) {
            true => {
                let (one, other) = (self.role(), self.role());
                if one == other { format!("{{{one}}}") } else { format!("{{{one}, {other}}}") }
            }
            false => "team".to_owned(),
        }
    }

    /// A state formula; `past`: may it look back along the path?
    fn state(&mut self, depth: usize, past: bool) -> Phrase {
        if depth == 0 || self.dice.chance(10) {
            return self.atom();
        }
        let quantified = |maker: &mut Self, text: &str| {
            let part = maker.path(depth - 1, past);
            Phrase::new(text, STATE, PATH, vec![part])
        };
        match self.dice.below(16) {
            0 => Phrase::new("!({})", None, None, vec![self.state(depth - 1, past)]),
            1 | 2 => {
                let text =
                    self.dice.pick(&["(({}) & ({}))", "(({}) | ({}))", "(({}) -> ({}))", "(({}) <-> ({}))"]);
                let parts = vec![self.state(depth - 1, past), self.state(depth - 1, past)];
                Phrase::new(text, None, None, parts)
            }
            3..8 => {
                let text = self.dice.pick(&["A ({})", "E ({})", "AG ({})", "EF ({})", "AF ({})", "EG ({})"]);
                quantified(self, text)
            }
            8 | 9 if !self.talk.clocks.is_empty() => {
                let text = self.dice.pick(&["AF<=1 ({})", "EF<=0 ({})", "EG<=2 ({})", "AG<=1 ({})"]);
                quantified(self, text)
            }
            8..12 => {
                let inner = self.state(depth - 1, past);
                let text = match self.dice.below(4) {
                    0 | 1 => format!("K({}, {{}})", self.role()),
                    _ => format!("{}({}, {{}})", self.dice.pick(&["GK", "DK", "GCK"]), self.group()),
                };
                // Groups have braces of their own.
                let (before, after) = text.rsplit_once("{}").unwrap_or((&text, ""));
                let pieces = vec![before.to_owned(), after.to_owned()];
                Phrase { pieces, parts: vec![inner], sort: STATE, inside: STATE }
            }
            12 | 13 => {
                let debtor = self.role();
                let Some(creditor) = self.other(&[&debtor]) else { return self.atom() };
                quantified(self, &format!("SC({debtor}, {creditor}, {{}})"))
            }
            _ => {
                let text = self.dice.pick(&["AY ({})", "EY ({})", "AH ({})", "EP ({})"]);
                Phrase::new(text, STATE, STATE, vec![self.state(depth - 1, false)])
            }
        }
    }

    fn path(&mut self, depth: usize, past: bool) -> Phrase {
        if depth == 0 || self.dice.chance(10) {
            return if self.dice.chance(60) { self.happening(past) } else { self.atom() };
        }
        let clock = !self.talk.clocks.is_empty();
        let one = self.path(depth - 1, past);
        match self.dice.below(14) {
            0 => Phrase::new("!({})", None, None, vec![one]),
            1 | 2 => {
                let text = self.dice.pick(&["(({}) & ({}))", "(({}) | ({}))", "(({}) -> ({}))"]);
                Phrase::new(text, None, None, vec![one, self.path(depth - 1, past)])
            }
            3 => Phrase::new("X ({})", PATH, PATH, vec![one]),
            4..8 => {
                let text = match clock {
                    true => self.dice.pick(&[
                        "F ({})",
                        "G ({})",
                        "F<=1 ({})",
                        "G<=1 ({})",
                        "F<=0 ({})",
                        "F<=2 ({})",
                    ]),
                    false => self.dice.pick(&["F ({})", "G ({})"]),
                };
                Phrase::new(text, PATH, PATH, vec![one])
            }
            8..10 => {
                let all =
                    ["(({}) U ({}))", "(({}) W ({}))", "(({}) R ({}))", "(({}) so ({}))", "(({}) U<=1 ({}))"];
                let count = if clock { all.len() } else { all.len() - 1 };
                let text = all[self.dice.below(count)];
                Phrase::new(text, PATH, PATH, vec![one, self.path(depth - 1, past)])
            }
            10 | 11 if past => {
                let text = self.dice.pick(&["Y ({})", "P ({})", "H ({})"]);
                Phrase::new(text, PATH, PATH, vec![one])
            }
            12 if past => Phrase::new("(({}) S ({}))", PATH, PATH, vec![one, self.path(depth - 1, past)]),
            _ => self.state(depth, past),
        }
    }

    /// What is true of a state by itself.
    fn atom(&mut self) -> Phrase {
        let rests = self.talk.machines.iter().any(|machine| !machine.finals.is_empty());
        let text = match self.dice.below(8) {
            0 if rests => Term::Final.to_string(),
            1 if !self.talk.commitments.is_empty() => {
                let (one, other) = (self.role(), self.role());
                match self.dice.below(3) {
                    0 => format!("active(SC({one}, _, _))"),
                    1 => format!("active(SC(_, {other}, _))"),
                    _ => format!("active(SC({one}, {other}, _))"),
                }
            }
            2 if !self.talk.commitments.is_empty() => {
                let number = self.dice.below(self.talk.commitments.len());
                self.talk.commitments[number].name.clone()
            }
            _ => self.condition(1, &[]).to_string(),
        };
        Phrase::plain(&text, Sort::State)
    }

    /// What is true of a step. Two readings of acts look back for the creation of the commitment.
    fn happening(&mut self, past: bool) -> Phrase {
        let looks_back = !self.talk.semantics.is_empty();
        let acts: Vec<String> = self
            .talk
            .machines
            .iter()
            .flat_map(|machine| &machine.steps)
            .filter_map(|step| match &step.label {
                Label::Act(act) => Some(format!("{}({}, {})", act.kind, self.talk.actor(act), step.label)),
                Label::Said(_) => None,
            })
            .collect();
        let text = match self.dice.among(&acts) {
            Some(act) if (past || !looks_back) && self.dice.chance(25) => act.clone(),
            Some(act) if self.dice.chance(25) => format!("does({act})"),
            _ => match self.pattern() {
                Some(pattern) if self.dice.chance(90) => format!("does({pattern})"),
                _ => "does(_)".to_owned(),
            },
        };
        Phrase::plain(&text, Sort::Path)
    }
}
