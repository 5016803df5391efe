//! A talk together with its parts: everything by its full name, no named types, no parameters, no groups.

use super::super::outline::{
    Act, Argument, Assignment, Channel, Commitment, Label, Pattern, Said, Side, Step, Talk, Target, Type,
    Value,
};
use super::super::term::Term;

/// Everything that a talk and its parts declare.
#[derive(Default)]
pub(super) struct Flat {
    /// The parameters of the talk itself, for conditions that are asked about it.
    pub(super) parameters: Vec<(String, i64)>,
    /// Every role.
    pub(super) roles: Vec<String>,
    /// Variables, elements of arrays and clocks, with their types and initial values.
    pub(super) variables: Vec<(String, Type, Vec<Value>)>,
    pub(super) clocks: Vec<(String, i64)>,
    pub(super) init: Vec<Term>,
    /// Names with indices.
    pub(super) messages: Vec<(String, Vec<Type>)>,
    pub(super) channels: Vec<Channel>,
    /// When the steps of each channel are possible.
    pub(super) channel_runs: Vec<Option<Term>>,
    pub(super) commitments: Vec<Commitment>,
    pub(super) machines: Vec<Runs>,
}

/// A machine.
pub(super) struct Runs {
    pub(super) name: String,
    pub(super) start: String,
    pub(super) steps: Vec<Step>,
    pub(super) waits: Vec<(String, Term)>,
    pub(super) finals: Vec<String>,
    /// Where it runs.
    pub(super) when: Option<Term>,
}

/// How names of a talk are read.
struct Reader<'a> {
    talk: &'a Talk,
    /// What stands before its names: `part.`, or nothing.
    prefix: String,
    roles: Vec<(String, String)>,
    parameters: Vec<(String, i64)>,
    /// Literals that both the talk and the one that uses it know.
    shared: Vec<String>,
    when: Option<Term>,
}

impl Flat {
    pub(super) fn new(talk: &Talk) -> Flat {
        let mut flat = Flat { parameters: talk.parameters.clone(), ..Flat::default() };
        let main = Reader {
            talk,
            prefix: String::new(),
            roles: Vec::new(),
            parameters: talk.parameters.clone(),
            shared: Vec::new(),
            when: None,
        };
        flat.add(&main);
        for part in &talk.parts {
            let Some((_, theirs)) = talk.files.iter().find(|(name, _)| *name == part.file) else { continue };
            let mut parameters = theirs.parameters.clone();
            for (name, value) in &mut parameters {
                if let Some((_, given)) = part.parameters.iter().find(|(given, _)| given == name) {
                    *value = *given;
                }
            }
            let both = theirs.types.iter().filter(|(name, _)| talk.types.iter().any(|(own, _)| own == name));
            let literals = both.flat_map(|(_, own)| match own {
                Type::Enumeration(literals) => literals.clone(),
                _ => Vec::new(),
            });
            flat.add(&Reader {
                talk: theirs,
                prefix: format!("{}.", part.name),
                roles: part.roles.clone(),
                parameters,
                shared: literals.collect(),
                when: part.when.as_ref().map(|when| main.term(when, &[])),
            });
        }
        flat
    }

    fn add(&mut self, reader: &Reader<'_>) {
        let talk = reader.talk;
        for role in &talk.roles {
            let full = reader.role(role);
            if !self.roles.contains(&full) {
                self.roles.push(full);
            }
        }
        for variable in &talk.variables {
            let (name, of) = (reader.name(&variable.name), reader.of(&variable.of));
            let initial: Vec<Value> = variable.initial.iter().map(|value| reader.value(value)).collect();
            match variable.size {
                None => self.variables.push((name, of, initial)),
                Some(last) => self.variables.extend(
                    (1..=last).map(|index| (format!("{name}[{index}]"), of.clone(), initial.clone())),
                ),
            }
        }
        for clock in &talk.clocks {
            let name = reader.name(&clock.name);
            self.clocks.push((name.clone(), clock.end));
            self.variables.push((name, Type::Range(0, clock.end), vec![Value::Int(0)]));
        }
        self.init.extend(talk.init.iter().map(|condition| reader.term(condition, &[])));
        for message in &talk.messages {
            let types: Vec<Type> = message.types.iter().map(|(_, of)| reader.of(of)).collect();
            let name = reader.name(&message.name);
            match message.size {
                None => self.messages.push((name, types)),
                Some(last) => {
                    self.messages.extend((1..=last).map(|index| (format!("{name}[{index}]"), types.clone())))
                }
            }
        }
        for channel in &talk.channels {
            self.channels.push(Channel {
                name: reader.name(&channel.name),
                from: channel.from.as_ref().map(|role| reader.role(role)),
                to: channel.to.as_ref().map(|role| reader.role(role)),
                carries: channel.carries.iter().map(|name| reader.name(name)).collect(),
                ..channel.clone()
            });
            self.channel_runs.push(reader.when.clone());
        }
        for own in &talk.commitments {
            self.commitments.push(Commitment {
                name: reader.name(&own.name),
                debtor: reader.role(&own.debtor),
                creditor: reader.role(&own.creditor),
                about: reader.name(&own.about),
                ..own.clone()
            });
        }
        for machine in &talk.machines {
            let waits = machine.waits.iter().map(|(state, term)| (state.clone(), reader.term(term, &[])));
            self.machines.push(Runs {
                name: reader.machine(&machine.name),
                start: machine.start.clone(),
                steps: machine.steps.iter().map(|step| reader.step(step)).collect(),
                waits: waits.collect(),
                finals: machine.finals.clone(),
                when: reader.when.clone(),
            });
        }
    }
}

impl Reader<'_> {
    fn name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn role(&self, role: &str) -> String {
        let given = self.roles.iter().find(|(theirs, _)| theirs == role);
        given.map_or_else(|| self.name(role), |(_, ours)| ours.clone())
    }

    /// A machine; one without a name is called like its part.
    fn machine(&self, name: &str) -> String {
        match name.is_empty() {
            true => self.prefix.trim_end_matches('.').to_owned(),
            false => self.name(name),
        }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Literal(name) if !self.shared.contains(name) => Value::Literal(self.name(name)),
            other => other.clone(),
        }
    }

    fn of(&self, of: &Type) -> Type {
        match of {
            Type::UpTo(parameter) => {
                let found = self.parameters.iter().find(|(name, _)| name == parameter);
                Type::Range(0, found.map_or(0, |(_, value)| *value))
            }
            Type::Named(name) => {
                let found = self.talk.types.iter().find(|(own, _)| own == name);
                found.map_or(Type::Bool, |(_, of)| self.of(of))
            }
            Type::Enumeration(literals) => {
                let literal = |name: &String| match self.shared.contains(name) {
                    true => name.clone(),
                    false => self.name(name),
                };
                Type::Enumeration(literals.iter().map(literal).collect())
            }
            other => other.clone(),
        }
    }

    /// An expression, in which `local` names stand for themselves.
    fn term(&self, term: &Term, local: &[String]) -> Term {
        let inner = |term: &Term| Box::new(self.term(term, local));
        match term {
            Term::Value(value) => Term::Value(self.value(value)),
            Term::Name(name) if local.contains(name) => term.clone(),
            Term::Name(name) => match self.parameters.iter().find(|(own, _)| own == name) {
                Some((_, value)) => Term::int(*value),
                None => Term::Name(self.name(name)),
            },
            Term::Element(array, index) => Term::Element(self.name(array), inner(index)),
            Term::Not(operand) => Term::Not(inner(operand)),
            Term::Binary(operator, left, right) => Term::Binary(*operator, inner(left), inner(right)),
            Term::If(condition, yes, no) => Term::If(inner(condition), inner(yes), inner(no)),
            Term::Over(word, index, last, body) => {
                let local = [local, std::slice::from_ref(index)].concat();
                Term::Over(word, index.clone(), *last, Box::new(self.term(body, &local)))
            }
            Term::At(machine, state) => Term::At(self.at(machine), state.clone()),
            Term::Length(channel) => Term::Length(self.name(channel)),
            Term::Carries(channel, oldest, pattern) => {
                Term::Carries(self.name(channel), *oldest, self.pattern(pattern))
            }
            Term::Active(commitment) => Term::Active(self.name(commitment)),
            Term::Final => Term::Final,
        }
    }

    /// The machine before `in`: without a name the only one of this file.
    fn at(&self, machine: &str) -> String {
        match (machine.is_empty(), self.talk.machines.as_slice()) {
            (true, [only]) => self.machine(&only.name),
            _ => self.machine(machine),
        }
    }

    pub(super) fn pattern(&self, pattern: &Pattern) -> Pattern {
        Pattern {
            by: pattern.by.as_ref().map(|role| self.role(role)),
            to: pattern.to.as_ref().map(|role| self.role(role)),
            name: self.name(&pattern.name),
            received: pattern.received,
            arguments: pattern.arguments.iter().map(|v| v.as_ref().map(|v| self.value(v))).collect(),
        }
    }

    fn step(&self, step: &Step) -> Step {
        let mut local = Vec::new();
        if let Label::Said(said) = &step.label {
            local.extend(said.arguments.iter().filter_map(|argument| match argument {
                Argument::Bind(name) => Some(name.clone()),
                _ => None,
            }));
        }
        let label = match &step.label {
            Label::Act(act) => Label::Act(Act {
                commitment: self.name(&act.commitment),
                support: act.support.as_ref().map(|name| self.name(name)),
                third: act.third.as_ref().map(|role| self.role(role)),
                ..act.clone()
            }),
            Label::Said(said) => Label::Said(self.said(said, &local)),
        };
        Step {
            from: step.from.clone(),
            label,
            guard: step.guard.as_ref().map(|guard| self.term(guard, &local)),
            sets: step.sets.iter().map(|set| self.assignment(set, &local)).collect(),
            to: step.to.clone(),
        }
    }

    fn said(&self, said: &Said, local: &[String]) -> Said {
        let argument = |argument: &Argument| match argument {
            Argument::Is(term) => Argument::Is(self.term(term, local)),
            other => other.clone(),
        };
        let (mut by, mut to) = (said.by.as_ref().map(|role| self.role(role)), self.members(&said.to));
        // The receiver is the one behind the arrow; who stands before it is the only sender.
        if said.side == Side::Receives && to.len() == 1 {
            (by, to) = (to.pop(), by.into_iter().collect());
        }
        let arguments = said.arguments.iter().map(argument).collect();
        Said { by, to, name: self.name(&said.name), side: said.side, arguments }
    }

    /// Roles, and the members of groups, in the order of the roles.
    fn members(&self, names: &[String]) -> Vec<String> {
        let group = |name: &String| self.talk.groups.iter().find(|(own, _)| own == name);
        let all: Vec<&String> = names
            .iter()
            .flat_map(|name| group(name).map_or_else(|| vec![name], |(_, members)| members.iter().collect()))
            .collect();
        self.talk.roles.iter().filter(|role| all.contains(role)).map(|role| self.role(role)).collect()
    }

    fn assignment(&self, set: &Assignment, local: &[String]) -> Assignment {
        let target = |target: &Target| Target {
            name: self.name(&target.name),
            index: target.index.as_ref().map(|index| self.term(index, local)),
        };
        match set {
            Assignment::Set(own, value) => Assignment::Set(target(own), self.term(value, local)),
            Assignment::Choose(own, values) => {
                Assignment::Choose(target(own), values.iter().map(|value| self.value(value)).collect())
            }
            Assignment::Each(index, last, one) => {
                let local = [local, std::slice::from_ref(index)].concat();
                Assignment::Each(index.clone(), *last, Box::new(self.assignment(one, &local)))
            }
        }
    }
}
