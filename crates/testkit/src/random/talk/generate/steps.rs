//! Random transitions.

use super::super::outline::{
    Act, Argument, Assignment, Label, Pattern, Said, Side, Step, Target, Type, Value, Variable,
};
use super::super::term::{Operator, Term};
use super::terms::Readable;
use super::{Maker, PLACES};

const ACTS: &[&str] = &[
    "Cr", "Cr", "Cr", "Wit", "Sat", "Vio", "React", "Ac", "Ref", "Ch", "Def", "Jus", "At", "Rel", "Del",
    "Ass",
];

/// Which variables a transition may assign: halves of an exchange must not assign the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum May {
    All,
    Even,
    Odd,
}

impl Maker<'_> {
    /// A transition; the first ones go round, so that something can happen.
    pub(super) fn step(&mut self, machine: usize, number: usize) -> Step {
        let from = if number == 0 { 0 } else { self.dice.below(3) };
        let to = if number < 2 { (from + 1) % 3 } else { self.dice.below(3) };
        let act = self.act();
        let label = match act {
            Some(act) => Label::Act(act),
            None => Label::Said(self.said()),
        };
        let (mut more, mut may) = (Vec::new(), May::All);
        let mut both = false;
        if let Label::Said(said) = &label {
            more = self.received(said);
            // Two machines here may also exchange what a part exchanges.
            if self.exchanged.contains(&said.name) || said.name.contains('.') {
                may = if said.side == Side::Sends { May::Even } else { May::Odd };
                both = said.name == "sync";
            }
        }
        let guard = self.dice.chance(40).then(|| self.condition(2, &more));
        let mut sets = self.assignments(may, &more);
        if both {
            // Both halves may assign the same.
            sets.retain(
                |set| !matches!(set, Assignment::Set(own, _) | Assignment::Choose(own, _) if own.name == "p"),
            );
            let target = Target { name: "p".to_owned(), index: None };
            sets.push(Assignment::Set(target, Term::Value(Value::Bool(true))));
        }
        // Every machine is connected from its start.
        let from = if self.talk.machines[machine].steps.iter().any(|step| step.to == PLACES[from]) {
            from
        } else {
            0
        };
        Step { from: PLACES[from].to_owned(), label, guard, sets, to: PLACES[to].to_owned() }
    }

    fn act(&mut self) -> Option<Act> {
        if !self.dice.chance(35) {
            return None;
        }
        let own = self.dice.among(&self.talk.commitments)?.clone();
        let kind = self.dice.pick(ACTS);
        let third = match kind {
            "Del" | "Ass" => Some(self.other(&[&own.debtor, &own.creditor])?),
            _ => None,
        };
        let support = matches!(kind, "Def" | "Jus" | "At").then(|| "p".to_owned());
        Some(Act { kind, commitment: own.name, support, third })
    }

    /// A message to be said, sent or received.
    fn said(&mut self) -> Said {
        let all = ["flag", "deal", "bid[1]", "bid[2]", "say", "pair", "note", "sync", "done"];
        // What is carried comes often, else channels stay empty.
        let carried: Vec<String> = self.talk.channels.iter().flat_map(|own| own.carries.clone()).collect();
        let theirs = self.of_part();
        let name = match self.dice.among(&carried) {
            Some(name) if self.dice.chance(60) => name.clone(),
            _ => self.dice.pick(&all).to_owned(),
        };
        if let Some(said) = theirs
            && self.dice.chance(30)
        {
            return said;
        }
        let channel = self.talk.channels.iter().find(|own| own.carries.contains(&name)).cloned();
        let several = self.talk.machines.len() > 1;
        let side = match (&channel, self.exchanged.contains(&name) && several) {
            (None, false) => Side::Alone,
            _ if self.dice.chance(50) => Side::Sends,
            _ => Side::Receives,
        };
        let (from, to) = channel.map_or((None, None), |own| (own.from, own.to));
        let arguments = self.arguments(&name, side);
        if side == Side::Receives {
            let receiver = to.unwrap_or_else(|| self.role());
            return match self.dice.chance(20).then(|| self.other(&[&receiver])).flatten() {
                Some(sender) => Said { by: Some(sender), to: vec![receiver], name, side, arguments },
                None => Said { by: Some(receiver), to: Vec::new(), name, side, arguments },
            };
        }
        let by = from.unwrap_or_else(|| self.role());
        let nobody = side == Side::Alone && arguments.is_empty() && self.dice.chance(10);
        let to = match self.dice.below(10) {
            0..6 => Vec::new(),
            6 if !self.talk.groups.is_empty() => vec!["team".to_owned()],
            7 => self.talk.roles.iter().filter(|role| **role != by).cloned().collect(),
            _ => self.other(&[&by]).into_iter().collect(),
        };
        match nobody {
            true => Said { by: None, to: Vec::new(), name, side, arguments },
            false => Said { by: Some(by), to, name, side, arguments },
        }
    }

    /// The other half of a message that a part exchanges, or that one of its channels carries.
    fn of_part(&mut self) -> Option<Said> {
        let part = self.talk.parts.first()?.clone();
        let (_, theirs) = self.talk.files.first()?.clone();
        let plain = |said: &Said| said.arguments.is_empty() && said.side != Side::Alone;
        let steps = theirs.machines.iter().flat_map(|machine| &machine.steps);
        let said: Vec<Said> = steps
            .filter_map(|step| match &step.label {
                Label::Said(said) if plain(said) => Some(said.clone()),
                _ => None,
            })
            .collect();
        let own = self.dice.among(&said)?.clone();
        if theirs.channels.iter().any(|channel| channel.carries.contains(&own.name)) {
            return None;
        }
        let side = if own.side == Side::Sends { Side::Receives } else { Side::Sends };
        let (by, name) = (self.role(), format!("{}.{}", part.name, own.name));
        Some(Said { by: Some(by), to: Vec::new(), name, side, arguments: Vec::new() })
    }

    /// What a message carries.
    fn types(&self, name: &str) -> Vec<Type> {
        let base = name.split('[').next().unwrap_or(name);
        let declared = self.talk.messages.iter().find(|own| own.name == base);
        declared.map_or_else(Vec::new, |own| own.types.iter().map(|(_, of)| of.clone()).collect())
    }

    fn arguments(&mut self, name: &str, side: Side) -> Vec<Argument> {
        let mut arguments = Vec::new();
        self.in_argument = true;
        for (number, of) in self.types(name).into_iter().enumerate() {
            arguments.push(match (side, self.dice.below(10)) {
                (Side::Receives, 0..3) => Argument::Any,
                // One name twice receives equal values only.
                (Side::Receives, 3..7) if name == "pair" && self.dice.chance(50) => {
                    Argument::Bind("n".to_owned())
                }
                (Side::Receives, 3..7) => Argument::Bind(format!("n{number}")),
                // A number too large for the message, now and then.
                (Side::Alone, 0) if self.dice.chance(20) && matches!(self.resolved(&of), Type::Range(..)) => {
                    let high = self.values(&of).len() as i64;
                    let large = Box::new(Term::int(high));
                    Argument::Is(Term::If(Box::new(Term::name("p")), large, Box::new(Term::int(0))))
                }
                _ => Argument::Is(self.term(&of, 1, &[])),
            });
        }
        self.in_argument = false;
        arguments
    }

    /// The names for what a transition receives.
    fn received(&self, said: &Said) -> Vec<Readable> {
        let types = self.types(&said.name);
        let bound = said.arguments.iter().zip(types).filter_map(|(argument, of)| match argument {
            Argument::Bind(name) => Some((Term::Name(name.clone()), self.resolved(&of))),
            _ => None,
        });
        let mut found: Vec<Readable> = bound.collect();
        found.dedup();
        found
    }

    fn assignments(&mut self, may: May, more: &[Readable]) -> Vec<Assignment> {
        let mut sets = Vec::new();
        let variables = self.talk.variables.clone();
        for (number, variable) in variables.iter().enumerate() {
            let allowed = match may {
                May::All => true,
                May::Even => number % 2 == 0,
                May::Odd => number % 2 == 1,
            };
            if allowed && self.dice.chance(30) {
                self.assignment(variable, more, &mut sets);
            }
        }
        for clock in self.talk.clocks.clone() {
            if may != May::Odd && self.dice.chance(30) {
                let target = Target { name: clock.name, index: None };
                sets.push(Assignment::Set(target, Term::int(0)));
            }
        }
        sets
    }

    fn assignment(&mut self, variable: &Variable, more: &[Readable], sets: &mut Vec<Assignment>) {
        let (name, of) = (variable.name.clone(), variable.of.clone());
        if variable.size.is_some() {
            match self.dice.below(4) {
                0 => {
                    let value = match self.dice.chance(50) {
                        true => self.term(&of, 1, more),
                        false => {
                            let index = Term::int(3).with(Operator::Subtract, Term::name("k"));
                            Term::Element(name.clone(), Box::new(index))
                        }
                    };
                    let target = Target { name, index: Some(Term::name("k")) };
                    sets.push(Assignment::Each("k".to_owned(), 2, Box::new(Assignment::Set(target, value))));
                }
                1 => {
                    let values = self.values(&of);
                    sets.push(Assignment::Choose(Target { name, index: Some(Term::int(1)) }, values));
                }
                kind => {
                    // Now and then past the end.
                    let past = Term::name("i").with(Operator::Add, Term::int(1));
                    let index = if self.dice.chance(10) { past } else { Term::name("i") };
                    let value = self.term(&of, 1, more);
                    sets.push(Assignment::Set(Target { name: name.clone(), index: Some(index) }, value));
                    if kind == 3 {
                        let other = Term::int(3).with(Operator::Subtract, Term::name("i"));
                        let value = self.term(&of, 1, more);
                        sets.push(Assignment::Set(Target { name, index: Some(other) }, value));
                    }
                }
            }
            return;
        }
        let target = Target { name: name.clone(), index: None };
        if self.dice.chance(15) {
            let values = self.values(&of);
            sets.push(Assignment::Choose(target, values));
            return;
        }
        let value = match self.resolved(&of) {
            // Past the end of the range.
            Type::Range(..) if self.dice.chance(5) => Term::Name(name).with(Operator::Add, Term::int(1)),
            _ => self.term(&of, 2, more),
        };
        sets.push(Assignment::Set(target, value));
    }

    /// Some messages of the talk.
    pub(in super::super) fn said_pattern(&mut self) -> Option<Pattern> {
        let steps = self.talk.machines.iter().flat_map(|machine| &machine.steps);
        let all: Vec<&Said> = steps
            .filter_map(|step| match &step.label {
                Label::Said(said) => Some(said),
                Label::Act(_) => None,
            })
            .collect();
        // What nobody sends is no message.
        let is_sent = |name: &str| all.iter().any(|said| said.name == name && said.side != Side::Receives);
        let said: Vec<Said> =
            all.iter().filter(|said| is_sent(&said.name)).map(|said| (*said).clone()).collect();
        let said = self.dice.among(&said)?.clone();
        let carried = self.talk.channels.iter().any(|own| own.carries.contains(&said.name));
        let received = carried && said.side == Side::Receives;
        let arrow = said.side != Side::Receives && self.dice.chance(30);
        let by = if arrow || self.dice.chance(30) { Some(self.role()) } else { None };
        let to = if arrow { Some(self.role()) } else { None };
        let mut arguments = Vec::new();
        if self.dice.chance(50) {
            for of in self.types(&said.name) {
                let values = self.values(&of);
                arguments.push(self.dice.chance(60).then(|| values[self.dice.below(values.len())].clone()));
            }
        }
        // A part's message is shown without its part's roles here.
        Some(Pattern { by, to, name: said.name, received, arguments })
    }
}
