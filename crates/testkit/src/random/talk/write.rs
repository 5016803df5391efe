//! Talks as texts.

use std::fmt::{self, Write as _};

use super::outline::{
    Act, Argument, Assignment, Channel, Fairness, Label, Machine, Moment, Part, Pattern, Said, Side, Step,
    Talk, Target, Type, Value, Variable,
};

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Range(low, high) => write!(f, "{low}..{high}"),
            Type::UpTo(parameter) => write!(f, "0..{parameter}"),
            Type::Enumeration(literals) => write!(f, "{{{}}}", literals.join(", ")),
            Type::Named(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.index {
            None => f.write_str(&self.name),
            Some(index) => write!(f, "{}[{index}]", self.name),
        }
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assignment::Set(target, value) => write!(f, "{target} = {value}"),
            Assignment::Choose(target, values) => match values.as_slice() {
                // Consecutive numbers are written as a range.
                [Value::Int(low), .., Value::Int(high)] if high - low + 1 == values.len() as i64 => {
                    write!(f, "{target} in {low}..{high}")
                }
                _ => write!(f, "{target} in {{{}}}", list(values)),
            },
            Assignment::Each(index, last, one) => write!(f, "all {index} in 1..{last} : {one}"),
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Any => f.write_str("_"),
            Argument::Is(value) => write!(f, "{value}"),
            Argument::Bind(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.by, &self.to) {
            (Some(by), Some(to)) => write!(f, "{by} -> {to}: ")?,
            (Some(by), None) => write!(f, "{by}.")?,
            _ => {}
        }
        write!(f, "{}{}", self.name, if self.received { "?" } else { "" })?;
        if self.arguments.is_empty() {
            return Ok(());
        }
        let shown = |value: &Option<Value>| value.as_ref().map_or("_".to_owned(), ToString::to_string);
        write!(f, "({})", self.arguments.iter().map(shown).collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Said(Said { by, to, name, side, arguments }) => {
                match (by, to.as_slice()) {
                    (None, _) => {}
                    (Some(by), []) => write!(f, "{by}: ")?,
                    (Some(by), to) => write!(f, "{by} -> {}: ", to.join(", "))?,
                }
                let side = match side {
                    Side::Alone => "",
                    Side::Sends => "!",
                    Side::Receives => "?",
                };
                write!(f, "{name}{side}")?;
                if arguments.is_empty() { Ok(()) } else { write!(f, "({})", list(arguments)) }
            }
            // Who performs it is written by `Talk::text`, which knows the commitments.
            Label::Act(Act { commitment, support, third, .. }) => {
                let more = support.iter().chain(third).map(|more| format!(", {more}"));
                write!(f, "{commitment}{}", more.collect::<String>())
            }
        }
    }
}

/// The acts of debtors; the others are those of creditors.
pub(super) const OF_DEBTORS: &[&str] = &["Cr", "Wit", "Sat", "Vio", "React", "Def", "Jus", "Del"];

impl Talk {
    /// The text.
    pub fn text(&self) -> String {
        let mut text = String::from("protocol Talk\n");
        let mut line = |line: String| {
            let _ = writeln!(text, "{line}");
        };
        self.parameters.iter().for_each(|(name, value)| line(format!("param {name} = {value}")));
        line(format!("roles {}", self.roles.join(", ")));
        if !self.semantics.is_empty() {
            line(format!("semantics {}", self.semantics));
        }
        self.groups
            .iter()
            .for_each(|(name, members)| line(format!("group {name} = {{ {} }}", members.join(", "))));
        self.types.iter().for_each(|(name, own)| line(format!("type {name} = {own}")));
        self.variables.iter().for_each(|variable| line(declared(variable)));
        self.init.iter().for_each(|condition| line(format!("init {condition}")));
        self.clocks.iter().for_each(|clock| line(format!("clock {} : 0..{}", clock.name, clock.end)));
        for message in &self.messages {
            let named = |(name, own): &(Option<String>, Type)| match name {
                None => own.to_string(),
                Some(name) => format!("{name} : {own}"),
            };
            let size = message.size.map_or_else(String::new, |last| format!("[1..{last}]"));
            let types = message.types.iter().map(named).collect::<Vec<_>>().join(", ");
            line(format!("message {}{size}({types})", message.name));
        }
        self.channels.iter().for_each(|channel| line(carrying(channel)));
        for own in &self.commitments {
            let private = if own.private { "private " } else { "" };
            let content = own.content.replace("{}", &own.about);
            line(format!(
                "{private}commitment {} = SC({}, {}, {content})",
                own.name, own.debtor, own.creditor
            ));
        }
        self.parts.iter().for_each(|part| line(used(part)));
        self.machines.iter().for_each(|machine| line(self.machine(machine)));
        for fairness in &self.fairness {
            line(match fairness {
                Fairness::State(condition) => format!("fair {condition}"),
                Fairness::Weak(pattern) => format!("fair weak does({pattern})"),
                Fairness::Strong(pattern) => format!("fair strong does({pattern})"),
            });
        }
        self.properties
            .iter()
            .enumerate()
            .for_each(|(number, own)| line(format!("property f{number} = {own}")));
        for (number, scenario) in self.scenarios.iter().enumerate() {
            let moment = |moment: &Moment| match moment {
                Moment::Anything => "...".to_owned(),
                Moment::Step => "_".to_owned(),
                Moment::Said(pattern) => pattern.to_string(),
            };
            let moments = scenario.moments.iter().map(moment).collect::<Vec<_>>().join("; ");
            line(format!("scenario z{number} {{ {moments} }}"));
        }
        text
    }

    fn machine(&self, machine: &Machine) -> String {
        let mut lines = vec![format!("start {}", machine.start)];
        lines.extend(machine.steps.iter().map(|step| self.step(step)));
        lines
            .extend(machine.waits.iter().map(|(state, condition)| format!("wait {state} while {condition}")));
        if !machine.finals.is_empty() {
            lines.push(format!("final {}", machine.finals.join(", ")));
        }
        let (name, owners) = (&machine.name, machine.owners.join(", "));
        match (name.is_empty(), owners.is_empty()) {
            (true, _) => lines.join("\n"),
            (false, true) => format!("machine {name} {{\n  {}\n}}", lines.join("\n  ")),
            (false, false) => format!("machine {name} of {owners} {{\n  {}\n}}", lines.join("\n  ")),
        }
    }

    fn step(&self, step: &Step) -> String {
        let label = match &step.label {
            said @ Label::Said(_) => said.to_string(),
            Label::Act(act) => format!("{}({}, {})", act.kind, self.actor(act), step.label),
        };
        let guard = step.guard.as_ref().map_or_else(String::new, |guard| format!(" when {guard}"));
        let sets = if step.sets.is_empty() { String::new() } else { format!(" set {}", list(&step.sets)) };
        format!("{} -- {label}{guard}{sets} --> {}", step.from, step.to)
    }

    /// Who performs an act.
    pub(super) fn actor(&self, act: &Act) -> String {
        let promise = self.commitments.iter().find(|own| own.name == act.commitment);
        let actor =
            promise.map(|own| if OF_DEBTORS.contains(&act.kind) { &own.debtor } else { &own.creditor });
        actor.cloned().unwrap_or_default()
    }
}

fn declared(variable: &Variable) -> String {
    let Variable { name, size, of, initial, owners } = variable;
    let size = size.map_or_else(String::new, |last| format!("[1..{last}]"));
    let initial = match initial.as_slice() {
        [] => String::new(),
        [one] => format!(" = {one}"),
        several => format!(" = {{{}}}", list(several)),
    };
    match owners.is_empty() {
        true => format!("var {name}{size} : {of}{initial}"),
        false => format!("private var {name}{size} of {} : {of}{initial}", owners.join(", ")),
    }
}

fn carrying(channel: &Channel) -> String {
    let mut text = format!("channel {}", channel.name);
    let mut add = |word: String| text.push_str(&word);
    channel.from.iter().for_each(|from| add(format!(" from {from}")));
    channel.to.iter().for_each(|to| add(format!(" to {to}")));
    channel.capacity.iter().for_each(|capacity| add(format!(" of capacity {capacity}")));
    let words =
        [(channel.lossy, "lossy"), (channel.duplicating, "duplicating"), (channel.unordered, "unordered")];
    words.iter().filter(|(is, _)| *is).for_each(|(_, word)| add(format!(" {word}")));
    format!("{text} carries {}", channel.carries.join(", "))
}

fn used(part: &Part) -> String {
    let roles = part.roles.iter().map(|(theirs, ours)| format!("{theirs} = {ours}"));
    let parameters = part.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
    let given: Vec<String> = roles.chain(parameters).collect();
    let given = if given.is_empty() { String::new() } else { format!(" ({})", given.join(", ")) };
    let when = part.when.as_ref().map_or_else(String::new, |when| format!(" when {when}"));
    format!("use \"{}\" as {}{given}{when}", part.file, part.name)
}
