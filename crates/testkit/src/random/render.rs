//! Outlines as Pact texts.

use std::fmt::Write as _;

use servanda_model::ActReading;

use super::names::{Element, Names, RING, location};
use super::outline::{LabelOutline, NewValue, Outline, Pick, Roles, Side, TransitionOutline, Values};

impl Outline {
    /// The protocol as a Pact text without properties.
    pub fn text(&self) -> String {
        let names = Names::new(self);
        let mut text = String::new();
        self.write(&names, &mut text).expect("a string takes everything");
        text
    }

    fn write(&self, names: &Names, text: &mut String) -> std::fmt::Result {
        writeln!(text, "protocol Random")?;
        if self.roles == Roles::Array {
            writeln!(text, "param N = 2\nroles Ann, Peer[1..N]")?;
        } else {
            writeln!(text, "roles {}", names.roles.join(", "))?;
        }
        match self.reading {
            ActReading::Actl => {}
            ActReading::Scctl => writeln!(text, "semantics scctl")?,
            ActReading::Ctlca => writeln!(text, "semantics ctlca")?,
        }
        for (number, variable) in self.variables.iter().enumerate() {
            let extent = if variable.is_array { "[1..2]" } else { "" };
            let (values, initial) = (variable.values.written(), variable.initial.written(variable.values));
            match variable.owner.and_then(|owner| owner.among(&names.roles)) {
                None => writeln!(text, "var v{number}{extent} : {values}{initial}")?,
                Some(role) => {
                    writeln!(text, "private var v{number}{extent} of {role} : {values}{initial}")?;
                }
            }
        }
        for (role, condition) in &self.red {
            let observer = role.index(names.roles.len()).unwrap_or(0);
            let condition = names.condition(condition, Some(observer));
            writeln!(text, "red {} : {condition}", names.roles[observer])?;
        }
        for (number, condition) in self.definitions.iter().enumerate() {
            // Earlier propositions only: a definition may not use itself, nor a commitment that uses it.
            let earlier = Names { definitions: number, ..names.clone() };
            writeln!(text, "prop d{number} = {}", earlier.condition(&condition.without_active(), None))?;
        }
        for (number, members) in self.groups.iter().enumerate() {
            let mut members: Vec<&String> = members.iter().filter_map(|m| m.among(&names.roles)).collect();
            members.sort();
            members.dedup();
            let members: Vec<&str> = members.into_iter().map(String::as_str).collect();
            let members = if members.is_empty() { "Ann".to_owned() } else { members.join(", ") };
            writeln!(text, "group team{number} = {{ {members} }}")?;
        }
        self.write_commitments(names, text)?;
        self.write_machines(names, text)?;
        for (debtor, creditor, guard) in names.access(self) {
            let guard = names.formula(guard);
            writeln!(text, "access {} -> {} : {guard}", names.roles[debtor], names.roles[creditor])?;
        }
        for constraint in &self.fairness {
            writeln!(text, "fair {}", names.formula(constraint))?;
        }
        for (strength, step) in &self.step_fairness {
            writeln!(text, "fair {} {}", strength.word(), names.formula(step))?;
        }
        Ok(())
    }

    fn write_commitments(&self, names: &Names, text: &mut String) -> std::fmt::Result {
        let mut promises = names.promises.iter();
        for (number, commitment) in self.commitments.iter().enumerate() {
            let Some(promise) = promises.next() else { break };
            let private = if commitment.is_private { "private " } else { "" };
            if commitment.is_family && self.roles == Roles::Array {
                let Some(second) = promises.next() else { break };
                let written = names.written_out(second).replacen("Peer[2]", "Peer[i]", 1);
                writeln!(text, "for i in 1..N {{\n  {private}commitment c{number}[i] = {written}\n}}")?;
            } else {
                writeln!(text, "{private}commitment {} = {}", promise.name, names.written_out(promise))?;
            }
        }
        Ok(())
    }

    fn write_machines(&self, names: &Names, text: &mut String) -> std::fmt::Result {
        for (number, (transitions, (name, _))) in self.machines.iter().zip(&names.machines).enumerate() {
            let indent = if name.is_empty() { "" } else { "  " };
            if !name.is_empty() {
                writeln!(text, "machine {name} {{")?;
            }
            writeln!(text, "{indent}start {}", location(0))?;
            let (ends, used) = self.ends(transitions);
            let mut written: Vec<String> =
                transitions.iter().zip(ends).map(|(t, ends)| self.transition(names, t, ends)).collect();
            if self.is_deadlock_free && number == 0 {
                let next = used.iter().cycle().skip(1);
                let ring = used.iter().zip(next);
                let step = |(from, to): (&usize, &usize)| {
                    format!("{} -- {}: {RING} --> {}", location(*from), names.roles[0], location(*to))
                };
                written.extend(ring.map(step));
            }
            for written in written {
                match written.contains("Peer[i]") {
                    true => writeln!(text, "{indent}for i in 1..N {{ {written} }}")?,
                    false => writeln!(text, "{indent}{written}")?,
                }
            }
            if !name.is_empty() {
                writeln!(text, "}}")?;
            }
        }
        Ok(())
    }

    fn transition(
        &self,
        names: &Names,
        transition: &TransitionOutline,
        (from, to): (usize, usize),
    ) -> String {
        let label = self.label(names, &transition.label);
        let mut guards: Vec<String> =
            transition.guard.iter().map(|guard| names.condition(guard, None)).collect();
        let mut sets: Vec<String> = Vec::new();
        for (variable, value) in names.sets(self, transition) {
            let element = &names.elements[variable];
            let (value, guard) = new_value(names, element, value);
            guards.extend(guard);
            sets.push(format!("{} = {value}", element.name));
        }
        let mut text = format!("{} -- {label}", location(from));
        if !guards.is_empty() {
            let _ = write!(text, " when {}", guards.join(" & "));
        }
        if !sets.is_empty() {
            let _ = write!(text, " set {}", sets.join(", "));
        }
        format!("{text} --> {}", location(to))
    }

    fn label(&self, names: &Names, label: &LabelOutline) -> String {
        match label {
            LabelOutline::Message { name, by, side, is_family } => {
                let message = Names::message(*name);
                let sign = match names.side(*side) {
                    Side::Alone => "",
                    Side::Sends => "!",
                    Side::Receives => "?",
                };
                match names.sender(self, *by, *is_family) {
                    Some(by) => format!("{by}: {message}{sign}"),
                    None => format!("{message}{sign}"),
                }
            }
            LabelOutline::Act { kind, commitment, support, is_written_out, third } => {
                let Some(promise) = commitment.among(&names.promises) else {
                    return Names::message(*commitment).to_owned();
                };
                let (kind, third) = promise.performed(*kind, *third, names.roles.len());
                let actor = &names.roles[promise.actor(kind)];
                let about = if *is_written_out { names.written_out(promise) } else { promise.name.clone() };
                let support = match kind.has_support() {
                    true => format!(", {}", names.content(support)),
                    false => String::new(),
                };
                let third = third.map_or_else(String::new, |third| format!(", {}", names.roles[third]));
                format!("{}({actor}, {about}{support}{third})", kind.short())
            }
        }
    }
}

/// The value a variable is set to, and the guard that keeps it within its range.
fn new_value(names: &Names, element: &Element, value: &NewValue) -> (String, Option<String>) {
    let name = &element.name;
    let values = element.values;
    let copy = |pick: &Pick| {
        let same: Vec<&Element> = names.elements.iter().filter(|other| other.values == values).collect();
        pick.among(&same).map_or_else(|| values.value(*pick), |other| other.name.clone())
    };
    match (values, value) {
        (_, NewValue::Constant(pick)) => (values.value(*pick), None),
        (_, NewValue::Copy(pick)) => (copy(pick), None),
        (Values::Bool, NewValue::Whether(condition)) => (names.condition(condition, None), None),
        (Values::Bool, NewValue::Step | NewValue::Up | NewValue::Down) => (format!("!{name}"), None),
        (Values::Range { low, size }, NewValue::Step | NewValue::Whether(_)) => {
            (format!("({name} + {}) % {size} + ({low})", 1 - low), None)
        }
        (Values::Range { low, size }, NewValue::Up) => {
            (format!("{name} + 1"), Some(format!("{name} < {}", low + i64::from(size) - 1)))
        }
        (Values::Range { low, .. }, NewValue::Down) => {
            (format!("{name} - 1"), Some(format!("{name} > {low}")))
        }
        (Values::Enumeration { .. }, _) => (values.value(Pick(1)), None),
    }
}
