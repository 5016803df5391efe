//! The steps of a state.

use std::collections::BTreeMap;

use super::super::outline::{
    Act, Argument, Assignment, Channel, Label, Said, Side, Step, Target, Type, Value,
};
use super::super::term::Term;
use super::super::write::OF_DEBTORS;
use super::evaluate::Local;
use super::flat::Runs;
use super::{Fault, Meaning, Place, Sent};

/// What is done: a message, or an act as it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Done {
    /// A message.
    Said(Sent),
    /// An act.
    Act(String),
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Done::Said(sent) => write!(f, "{sent}"),
            Done::Act(act) => f.write_str(act),
        }
    }
}

/// A transition of a machine that is where it begins.
#[derive(Clone, Copy)]
struct Move<'s> {
    place: &'s Place,
    machine: &'s Runs,
    step: &'s Step,
}

/// What is done, and where it leads.
type Found = Vec<(Done, Place)>;

/// Values for variables and elements.
type Values = BTreeMap<String, Value>;

impl Meaning {
    /// What can happen in a state, and where it leads; each once.
    ///
    /// # Errors
    /// When something that can happen goes wrong.
    pub fn steps(&self, place: &Place) -> Result<Found, Fault> {
        let mut found = Vec::new();
        for machine in &self.flat.machines {
            for step in self.leaving(place, machine)? {
                let one = Move { place, machine, step };
                match &step.label {
                    Label::Act(act) => self.perform(one, act, &mut found)?,
                    Label::Said(said) => match (said.side, self.channel(&said.name)) {
                        (Side::Alone, _) => self.speak(one, said, None, &mut found)?,
                        (Side::Sends, Some(channel)) => self.speak(one, said, Some(channel), &mut found)?,
                        (Side::Receives, Some(channel)) => self.receive(one, said, channel, &mut found)?,
                        (Side::Sends, None) => self.exchange(one, said, &mut found)?,
                        (Side::Receives, None) => {}
                    },
                }
            }
        }
        for (channel, runs) in self.flat.channels.iter().zip(&self.flat.channel_runs) {
            if self.allowed(place, runs.as_ref())? {
                self.disturb(place, channel, &mut found);
            }
        }
        self.tick(place, &mut found)?;
        found.sort();
        found.dedup();
        Ok(found)
    }

    fn allowed(&self, place: &Place, condition: Option<&Term>) -> Result<bool, Fault> {
        condition.map_or(Ok(true), |condition| self.is_true(place, condition))
    }

    /// The transitions that begin where the machine is, if it runs.
    fn leaving<'s>(&self, place: &Place, machine: &'s Runs) -> Result<Vec<&'s Step>, Fault> {
        let runs = self.allowed(place, machine.when.as_ref())?;
        Ok(machine.steps.iter().filter(|step| runs && step.from == place.at[&machine.name]).collect())
    }

    fn possible(&self, place: &Place, step: &Step, local: &Local) -> Result<bool, Fault> {
        step.guard.as_ref().map_or(Ok(true), |guard| self.holds(place, guard, local))
    }

    fn channel(&self, message: &str) -> Option<&Channel> {
        let base = message.split('[').next().unwrap_or(message);
        self.flat
            .channels
            .iter()
            .find(|channel| channel.carries.iter().any(|own| own == message || own == base))
    }

    /// The message that a transition sends.
    fn sent(&self, place: &Place, said: &Said) -> Result<Sent, Fault> {
        let types = self.flat.messages.iter().find(|(name, _)| *name == said.name);
        let types = types.map_or(&[][..], |(_, types)| types);
        let mut values = Vec::new();
        for (argument, of) in said.arguments.iter().zip(types) {
            let Argument::Is(term) = argument else { panic!("{argument} cannot be sent") };
            let value = self.value(place, term, &Local::new())?;
            if !self.values(of).contains(&value) {
                return Err(Fault);
            }
            values.push(value);
        }
        let to = self.flat.roles.iter().filter(|role| said.to.contains(role)).cloned().collect();
        Ok(Sent { by: said.by.clone(), to, name: said.name.clone(), values, received: false })
    }

    /// What a transition calls the values that it receives; `None` where it does not receive them.
    fn accepts(&self, place: &Place, said: &Said, sent: &Sent) -> Result<Option<Local>, Fault> {
        let addressed = sent.to.is_empty() || said.by.as_ref().is_some_and(|by| sent.to.contains(by));
        let wanted = said.to.is_empty() || sent.by.as_ref().is_some_and(|by| said.to.contains(by));
        if said.name != sent.name || !addressed || !wanted {
            return Ok(None);
        }
        let mut local = Local::new();
        for (argument, value) in said.arguments.iter().zip(&sent.values) {
            match argument {
                Argument::Any => {}
                Argument::Is(term) => {
                    if self.value(place, term, &Local::new())? != *value {
                        return Ok(None);
                    }
                }
                Argument::Bind(name) => {
                    if local.iter().any(|(own, known)| own == name && known != value) {
                        return Ok(None);
                    }
                    local.push((name.clone(), value.clone()));
                }
            }
        }
        Ok(Some(local))
    }

    /// A message that happens alone, or is put under way where there is room.
    fn speak(
        &self,
        one: Move<'_>,
        said: &Said,
        channel: Option<&Channel>,
        found: &mut Found,
    ) -> Result<(), Fault> {
        let room =
            |channel: &Channel| one.place.under_way[&channel.name].len() < channel.capacity.unwrap_or(1);
        if channel.is_none_or(room) && self.possible(one.place, one.step, &Local::new())? {
            let sent = self.sent(one.place, said)?;
            for mut next in self.taken(&[(one, Local::new())])? {
                channel.iter().for_each(|channel| put(&mut next, channel, sent.clone()));
                found.push((Done::Said(sent.clone()), next));
            }
        }
        Ok(())
    }

    fn receive(&self, one: Move<'_>, said: &Said, channel: &Channel, found: &mut Found) -> Result<(), Fault> {
        let Move { place, step, .. } = one;
        let under_way = &place.under_way[&channel.name];
        for (number, sent) in under_way.iter().enumerate().take(reachable(channel, under_way)) {
            let Some(local) = self.accepts(place, said, sent)? else { continue };
            if !self.possible(place, step, &local)? {
                continue;
            }
            let (name, values) = (sent.name.clone(), sent.values.clone());
            let done = Sent { by: said.by.clone(), to: Vec::new(), name, values, received: true };
            for mut next in self.taken(&[(one, local.clone())])? {
                next.under_way.get_mut(&channel.name).expect("a channel").remove(number);
                found.push((Done::Said(done.clone()), next));
            }
        }
        Ok(())
    }

    fn exchange(&self, one: Move<'_>, said: &Said, found: &mut Found) -> Result<(), Fault> {
        let Move { place, machine: sender, step } = one;
        if !self.possible(place, step, &Local::new())? {
            return Ok(());
        }
        let sent = self.sent(place, said)?;
        for machine in self.flat.machines.iter().filter(|machine| !std::ptr::eq(*machine, sender)) {
            for other in self.leaving(place, machine)? {
                let Label::Said(heard) = &other.label else { continue };
                if heard.side != Side::Receives {
                    continue;
                }
                let Some(local) = self.accepts(place, heard, &sent)? else { continue };
                if !self.possible(place, other, &local)? {
                    continue;
                }
                let heard = Move { place, machine, step: other };
                let next = self.taken(&[(one, Local::new()), (heard, local)])?;
                found.extend(next.into_iter().map(|next| (Done::Said(sent.clone()), next)));
            }
        }
        Ok(())
    }

    /// Losses and repetitions.
    fn disturb(&self, place: &Place, channel: &Channel, found: &mut Found) {
        let under_way = &place.under_way[&channel.name];
        let step = |word: &str| by_nobody(format!("{}.{word}", channel.name));
        for (number, sent) in under_way.iter().enumerate().take(reachable(channel, under_way)) {
            if channel.lossy {
                let mut next = place.clone();
                next.under_way.get_mut(&channel.name).expect("a channel").remove(number);
                found.push((step("lose"), next));
            }
            if channel.duplicating && under_way.len() < channel.capacity.unwrap_or(1) {
                let mut next = place.clone();
                put(&mut next, channel, sent.clone());
                found.push((step("repeat"), next));
            }
        }
    }

    fn tick(&self, place: &Place, found: &mut Found) -> Result<(), Fault> {
        if self.flat.clocks.is_empty() {
            return Ok(());
        }
        for machine in &self.flat.machines {
            for (state, condition) in &machine.waits {
                if place.at[&machine.name] == *state && !self.is_true(place, condition)? {
                    return Ok(());
                }
            }
        }
        let mut next = place.clone();
        for (clock, end) in &self.flat.clocks {
            if let Some(Value::Int(age)) = next.values.get_mut(clock)
                && *age < *end
            {
                *age += 1;
            }
        }
        found.push((by_nobody("tick".to_owned()), next));
        Ok(())
    }

    /// The states after some transitions were taken together: several where something is chosen.
    fn taken(&self, moves: &[(Move<'_>, Local)]) -> Result<Vec<Place>, Fault> {
        let place = moves[0].0.place;
        let mut outcomes: Vec<Values> = vec![Values::new()];
        for (one, local) in moves {
            for set in &one.step.sets {
                self.assign(place, set, local, &mut outcomes)?;
            }
        }
        let next = |values: Values| {
            let mut next = place.clone();
            next.values.extend(values);
            for (one, _) in moves {
                next.at.insert(one.machine.name.clone(), one.step.to.clone());
            }
            next
        };
        Ok(outcomes.into_iter().map(next).collect())
    }

    fn assign(
        &self,
        place: &Place,
        set: &Assignment,
        local: &Local,
        outcomes: &mut Vec<Values>,
    ) -> Result<(), Fault> {
        let (target, values) = match set {
            Assignment::Each(index, last, one) => {
                for number in 1..=*last {
                    let mut local = local.clone();
                    local.push((index.clone(), Value::Int(number)));
                    self.assign(place, one, &local, outcomes)?;
                }
                return Ok(());
            }
            Assignment::Set(target, value) => (target, vec![self.value(place, value, local)?]),
            Assignment::Choose(target, values) => (target, values.clone()),
        };
        let name = self.target(place, target, local)?;
        let (_, of, _) = self.flat.variables.iter().find(|(own, ..)| *own == name).ok_or(Fault)?;
        let of: &Type = of;
        let mut more = Vec::new();
        for value in values {
            if !self.values(of).contains(&value) {
                return Err(Fault);
            }
            for outcome in outcomes.iter() {
                let mut outcome = outcome.clone();
                if outcome.insert(name.clone(), value.clone()).is_some_and(|before| before != value) {
                    return Err(Fault);
                }
                more.push(outcome);
            }
        }
        *outcomes = more;
        Ok(())
    }

    fn target(&self, place: &Place, target: &Target, local: &Local) -> Result<String, Fault> {
        Ok(match &target.index {
            None => target.name.clone(),
            Some(index) => format!("{}[{}]", target.name, self.int(place, index, local)?),
        })
    }

    fn perform(&self, one: Move<'_>, act: &Act, found: &mut Found) -> Result<(), Fault> {
        if !self.possible(one.place, one.step, &Local::new())? {
            return Ok(());
        }
        let own = self.flat.commitments.iter().find(|own| own.name == act.commitment).expect("a commitment");
        let (debtor, creditor) = (&own.debtor, &own.creditor);
        let content = own.content.replace("{}", &own.about);
        let owed = |debtor: &str, creditor: &str, content: &str| {
            (debtor.to_owned(), creditor.to_owned(), content.to_owned())
        };
        let support = act.support.clone().unwrap_or_default();
        let actor = if OF_DEBTORS.contains(&act.kind) { debtor } else { creditor };
        let more: String = act.support.iter().chain(&act.third).map(|more| format!(", {more}")).collect();
        let shown = format!("{}({actor}, SC({debtor}, {creditor}, {content}){more})", act.kind);
        for mut next in self.taken(&[(one, Local::new())])? {
            let force = &mut next.in_force;
            let plain = owed(debtor, creditor, &content);
            let stances = ["", "!", "?"].map(|sign| owed(creditor, debtor, &format!("{sign}{content}")));
            match act.kind {
                "Cr" | "React" => force.extend([plain]),
                "Wit" | "Sat" | "Vio" | "Rel" => force.retain(|other| *other != plain),
                "Ac" | "Ref" | "Ch" => {
                    force.retain(|other| !stances.contains(other));
                    let number = match act.kind {
                        "Ac" => 0,
                        "Ref" => 1,
                        _ => 2,
                    };
                    force.extend([stances[number].clone()]);
                }
                "At" => force.extend([owed(creditor, debtor, &format!("{support} so !{content}"))]),
                "Def" | "Jus" => force.extend([owed(debtor, creditor, &format!("{support} so {content}"))]),
                "Del" | "Ass" => {
                    let third = act.third.clone().unwrap_or_default();
                    force.retain(|other| *other != plain);
                    force.extend([match act.kind {
                        "Del" => owed(&third, creditor, &content),
                        _ => owed(debtor, &third, &content),
                    }]);
                }
                other => panic!("there is no act {other}"),
            }
            found.push((Done::Act(shown.clone()), next));
        }
        Ok(())
    }
}

/// So many of the messages under way can be had next.
fn reachable(channel: &Channel, under_way: &[Sent]) -> usize {
    if channel.unordered { under_way.len() } else { under_way.len().min(1) }
}

/// What happens by itself.
fn by_nobody(name: String) -> Done {
    Done::Said(Sent { by: None, to: Vec::new(), name, values: Vec::new(), received: false })
}

/// A message is put under way.
fn put(place: &mut Place, channel: &Channel, sent: Sent) {
    let under_way = place.under_way.get_mut(&channel.name).expect("a channel");
    under_way.push(sent);
    if channel.unordered {
        under_way.sort();
    }
}
