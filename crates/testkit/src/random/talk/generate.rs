//! Random talks.

mod steps;
mod terms;

use super::outline::{
    Channel, Clock, Commitment, Fairness, Machine, Message, Moment, Part, Pattern, Scenario, Talk, Type,
    Value, Variable,
};
use super::term::{Operator, Term};
use super::{Meaning, formulas};
use crate::random::dice::Dice;

/// Where machines can be.
pub(super) const PLACES: [&str; 3] = ["idle", "busy", "over"];

/// A talk that is being made.
pub(super) struct Maker<'d> {
    pub(super) dice: &'d mut Dice,
    pub(super) talk: Talk,
    /// Messages that are exchanged.
    pub(super) exchanged: Vec<String>,
    /// Will others use it, with other parameters?
    pub(super) is_part: bool,
    /// Is an argument being made? What is under way cannot be said in one.
    pub(super) in_argument: bool,
}

/// A random talk.
pub(super) fn talk(dice: &mut Dice) -> Talk {
    let mut maker =
        Maker { dice, talk: Talk::default(), exchanged: Vec::new(), is_part: false, in_argument: false };
    maker.declare(&["Ann", "Bob", "Eve"]);
    maker.parts();
    let machines = match maker.dice.below(10) {
        0..4 => 1,
        4..9 => 2,
        _ => 3,
    };
    maker.machines(machines);
    maker.uses_conditions();
    maker.limits();
    formulas::ask(&mut maker);
    maker.talk
}

/// A talk that others use.
fn part(dice: &mut Dice) -> Talk {
    let mut maker =
        Maker { dice, talk: Talk::default(), exchanged: Vec::new(), is_part: true, in_argument: false };
    maker.declare(&["Buyer", "Seller"]);
    let machines = if maker.dice.chance(70) { 1 } else { 2 };
    maker.machines(machines);
    maker.talk
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

impl Maker<'_> {
    fn declare(&mut self, roles: &[&str]) {
        let is_part = self.is_part;
        let count = if !is_part && self.dice.chance(60) { 3 } else { 2 };
        self.talk.roles = strings(&roles[..count]);
        if !is_part {
            self.talk.semantics = self.dice.pick(&["", "", "", "scctl", "ctlca"]).to_owned();
        }
        if self.dice.chance(50) {
            let members = self.talk.roles[..2].to_vec();
            self.talk.groups.push(("team".to_owned(), members));
        }
        if self.dice.chance(30) {
            self.talk.parameters.push(("N".to_owned(), 1 + self.dice.below(2) as i64));
        }
        if self.dice.chance(40) {
            self.talk.types.push(("Mood".to_owned(), Type::Enumeration(strings(&["calm", "cross"]))));
        }
        if self.dice.chance(30) {
            let of = self.level();
            self.talk.types.push(("Level".to_owned(), of));
        }
        self.variables(is_part);
        if self.dice.chance(if is_part { 15 } else { 35 }) {
            let end = 1 + self.dice.below(2) as i64;
            self.talk.clocks.push(Clock { name: "t".to_owned(), end });
            if self.dice.chance(20) {
                self.talk.clocks.push(Clock { name: "u".to_owned(), end: 1 });
            }
        }
        self.messages();
        if self.dice.chance(if is_part { 15 } else { 45 }) {
            self.promises();
        }
    }

    /// A small range.
    fn level(&mut self) -> Type {
        let named = |name: &str, talk: &Talk| talk.types.iter().any(|(own, _)| own == name);
        if named("Level", &self.talk) && self.dice.chance(60) {
            return Type::Named("Level".to_owned());
        }
        match self.talk.parameters.is_empty() || self.dice.chance(50) {
            true => Type::Range(0, 1 + self.dice.below(2) as i64),
            false => Type::UpTo("N".to_owned()),
        }
    }

    fn mood(&mut self) -> Type {
        match self.talk.types.iter().any(|(name, _)| name == "Mood") {
            true => Type::Named("Mood".to_owned()),
            false => Type::Enumeration(strings(&["calm", "cross"])),
        }
    }

    fn variables(&mut self, is_part: bool) {
        self.variable("p", Type::Bool, false);
        if self.dice.chance(50) {
            self.variable("q", Type::Bool, true);
        }
        if self.dice.chance(60) {
            let of = self.level();
            self.variable("x", of, true);
        }
        if self.dice.chance(30) {
            let of = self.mood();
            self.variable("m", of, true);
        }
        if !is_part && self.dice.chance(35) {
            let of = self.level();
            self.variable("last", of, true);
        }
        if self.dice.chance(25) {
            self.array();
        }
        if self.dice.chance(20) {
            let condition = self.condition(1, &[]);
            self.talk.init.push(condition);
            if !Meaning::new(&self.talk).initial().is_ok_and(|initial| !initial.is_empty()) {
                self.talk.init.clear();
            }
        }
    }

    fn array(&mut self) {
        let index = Variable {
            name: "i".to_owned(),
            size: None,
            of: Type::Range(1, 2),
            initial: vec![Value::Int(1)],
            owners: Vec::new(),
        };
        self.talk.variables.push(index);
        let of = if self.dice.chance(50) { Type::Bool } else { Type::Range(0, 1) };
        self.variable("a", of, true);
        if let Some(array) = self.talk.variables.last_mut() {
            array.size = Some(2);
        }
    }

    fn variable(&mut self, name: &str, of: Type, may_be_private: bool) {
        let values = self.values(&of);
        let initial = match self.dice.below(10) {
            0..7 => values[..1].to_vec(),
            7 => values[values.len() - 1..].to_vec(),
            8 => vec![values[0].clone(), values[values.len() - 1].clone()],
            _ => Vec::new(),
        };
        let owners = if may_be_private && self.dice.chance(35) { self.owners() } else { Vec::new() };
        self.talk.variables.push(Variable { name: name.to_owned(), size: None, of, initial, owners });
    }

    /// Some roles, or a group.
    pub(super) fn owners(&mut self) -> Vec<String> {
        if !self.talk.groups.is_empty() && self.dice.chance(25) {
            return vec!["team".to_owned()];
        }
        let first = self.role();
        match self.dice.chance(40).then(|| self.other(&[&first])).flatten() {
            Some(second) => vec![first, second],
            None => vec![first],
        }
    }

    /// A role.
    pub(super) fn role(&mut self) -> String {
        let number = self.dice.below(self.talk.roles.len());
        self.talk.roles[number].clone()
    }

    /// A role that is none of these.
    pub(super) fn other(&mut self, than: &[&str]) -> Option<String> {
        let others: Vec<String> =
            self.talk.roles.iter().filter(|role| !than.contains(&role.as_str())).cloned().collect();
        self.dice.among(&others).cloned()
    }

    fn messages(&mut self) {
        let mut add = |name: &str, size: Option<i64>, types: Vec<(Option<String>, Type)>| {
            self.talk.messages.push(Message { name: name.to_owned(), size, types });
        };
        add("flag", None, vec![(None, Type::Bool)]);
        add("deal", None, vec![(Some("sum".to_owned()), Type::Range(0, 1)), (None, Type::Bool)]);
        add("bid", Some(2), vec![(None, Type::Range(0, 2))]);
        let mood = self.mood();
        self.talk.messages.push(Message { name: "say".to_owned(), size: None, types: vec![(None, mood)] });
        let level = self.level();
        let types = vec![(None, level.clone()), (None, level)];
        self.talk.messages.push(Message { name: "pair".to_owned(), size: None, types });
        // Each is said, exchanged or carried.
        let mut names = strings(&["flag", "deal", "bid[1]", "bid[2]", "say", "pair", "note", "sync", "done"]);
        for _ in 0..if self.dice.chance(45) { 1 + self.dice.below(2) } else { 0 } {
            let carries: Vec<String> =
                (0..1 + self.dice.below(2)).map(|_| names.remove(self.dice.below(names.len()))).collect();
            let name = if self.talk.channels.is_empty() { "wire" } else { "pipe" };
            let channel = Channel {
                name: name.to_owned(),
                from: self.dice.chance(25).then(|| self.role()),
                to: self.dice.chance(25).then(|| self.role()),
                capacity: self.dice.chance(70).then(|| 1 + self.dice.below(3)),
                lossy: self.dice.chance(30),
                duplicating: self.dice.chance(25),
                unordered: self.dice.chance(35),
                carries,
            };
            self.talk.channels.push(channel);
        }
        self.exchanged = names.into_iter().filter(|name| name == "sync" || self.dice.chance(50)).collect();
    }

    fn promises(&mut self) {
        for number in 0..1 + self.dice.below(2) {
            let debtor = self.role();
            let Some(creditor) = self.other(&[&debtor]) else { continue };
            let content =
                self.dice.pick(&["F {}", "G !{}", "{} -> F {}", "!{} U {}", "X {}", "{}", "G F {}"]);
            self.talk.commitments.push(Commitment {
                name: format!("c{number}"),
                private: self.dice.chance(40),
                debtor,
                creditor,
                content: content.to_owned(),
                about: "p".to_owned(),
            });
        }
    }

    fn parts(&mut self) {
        if !self.dice.chance(20) {
            return;
        }
        let theirs = part(self.dice);
        for number in 0..if self.dice.chance(20) { 2 } else { 1 } {
            let mut roles = Vec::new();
            for role in &theirs.roles {
                let taken: Vec<&str> =
                    roles.iter().map(|(_, ours): &(String, String)| ours.as_str()).collect();
                if self.dice.chance(70)
                    && let Some(own) = self.other(&taken)
                {
                    roles.push((role.clone(), own));
                }
            }
            let given = theirs.parameters.iter().filter(|_| self.dice.chance(50));
            let parameters = given.map(|(name, value)| (name.clone(), value + 1)).collect();
            let name = ["part", "more"][number].to_owned();
            self.talk.parts.push(Part { file: "part.pact".to_owned(), name, roles, parameters, when: None });
        }
        self.talk.files.push(("part.pact".to_owned(), theirs));
    }

    /// Where parts run: known when the machines are.
    fn uses_conditions(&mut self) {
        for number in 0..self.talk.parts.len() {
            if self.dice.chance(60) {
                self.talk.parts[number].when = Some(self.condition(1, &[]));
            }
        }
    }

    fn machines(&mut self, count: usize) {
        let nameless = count == 1 && self.dice.chance(60);
        for name in ["Desk", "Shop", "Till"].into_iter().take(count) {
            let owners = if !nameless && self.dice.chance(40) { self.owners() } else { Vec::new() };
            let name = if nameless { "" } else { name };
            self.talk.machines.push(Machine {
                name: name.to_owned(),
                owners,
                start: PLACES[0].to_owned(),
                steps: Vec::new(),
                waits: Vec::new(),
                finals: Vec::new(),
            });
        }
        for number in 0..count {
            for step in 0..2 + self.dice.below(4) {
                let step = self.step(number, step);
                self.talk.machines[number].steps.push(step);
            }
            let used = self.used(number);
            if !self.talk.clocks.is_empty() && self.dice.chance(60) {
                let state = used[self.dice.below(used.len())].clone();
                let condition = match self.dice.chance(70) {
                    true => Term::name("t").with(Operator::Less, Term::int(1)),
                    false => self.condition(1, &[]),
                };
                self.talk.machines[number].waits.push((state, condition));
            }
            if self.dice.chance(30) {
                let finals = used.into_iter().filter(|_| self.dice.chance(50)).collect();
                self.talk.machines[number].finals = finals;
            }
        }
    }

    /// The states of a machine.
    pub(super) fn used(&self, machine: usize) -> Vec<String> {
        let machine = &self.talk.machines[machine];
        let steps = machine.steps.iter().flat_map(|step| [&step.from, &step.to]);
        let all: Vec<&String> = steps.chain([&machine.start]).collect();
        PLACES.iter().map(|place| (*place).to_owned()).filter(|place| all.contains(&place)).collect()
    }

    /// Which runs count, and what must be possible.
    fn limits(&mut self) {
        if self.dice.chance(25) {
            for _ in 0..1 + self.dice.below(2) {
                let fairness = match (self.dice.below(3), self.pattern()) {
                    (0, Some(pattern)) => Fairness::Weak(pattern),
                    (1, Some(pattern)) => Fairness::Strong(pattern),
                    _ => Fairness::State(self.condition(0, &[])),
                };
                self.talk.fairness.push(fairness);
            }
        }
        if self.dice.chance(30) {
            let mut moments = Vec::new();
            for _ in 0..1 + self.dice.below(4) {
                let moment = match self.dice.below(5) {
                    0 | 1 => Moment::Anything,
                    2 => Moment::Step,
                    _ => self.pattern().map_or(Moment::Step, Moment::Said),
                };
                // Two in a row say no more than one.
                if moment != Moment::Anything || moments.last() != Some(&Moment::Anything) {
                    moments.push(moment);
                }
            }
            self.talk.scenarios.push(Scenario { moments });
        }
    }

    /// Some labels of the talk.
    pub(super) fn pattern(&mut self) -> Option<Pattern> {
        let named = |name: &str| Pattern {
            by: None,
            to: None,
            name: name.to_owned(),
            received: false,
            arguments: Vec::new(),
        };
        if !self.talk.clocks.is_empty() && self.dice.chance(20) {
            return Some(named("tick"));
        }
        let disturbed: Vec<String> = self
            .talk
            .channels
            .iter()
            .flat_map(|own| {
                [(own.lossy, "lose"), (own.duplicating, "repeat")].map(|(is, word)| (own, is, word))
            })
            .filter(|(_, is, _)| *is)
            .map(|(own, _, word)| format!("{}.{word}", own.name))
            .collect();
        if let Some(name) = self.dice.among(&disturbed)
            && self.dice.chance(20)
        {
            return Some(named(name));
        }
        self.said_pattern()
    }
}
