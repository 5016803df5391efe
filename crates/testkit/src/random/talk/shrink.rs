//! Talks as a strategy: random ones, which shrink by leaving things out as long as the text has no mistakes.

use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::TestRunner;

use super::formulas::Sort;
use super::generate;
use super::outline::{Argument, Label, Machine, Step, Talk};
use super::term::Term;
use crate::random::dice::Dice;
use crate::random::shrink::Shrunk;

/// Random talks.
pub fn talks() -> impl Strategy<Value = Talk> {
    Talks
}

#[derive(Clone, Copy, Debug)]
struct Talks;

impl Strategy for Talks {
    type Tree = Shrunk<Talk>;
    type Value = Talk;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let known = generate::talk(&mut Dice::new(runner.rng().next_u64()));
        Ok(Shrunk::new(known, smaller).only(|talk| talk.load().protocol.is_some()))
    }
}

/// Every list with one of its elements left out.
fn without_one<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> + '_ {
    (0..list.len()).map(|number| {
        let mut rest = list.to_vec();
        rest.remove(number);
        rest
    })
}

/// Every list with one of its elements made smaller.
fn smaller_one<T: Clone>(list: &[T], smaller: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    for (number, element) in list.iter().enumerate() {
        for other in smaller(element) {
            let mut rest = list.to_vec();
            rest[number] = other;
            found.push(rest);
        }
    }
    found
}

fn smaller(talk: &Talk) -> Vec<Talk> {
    let mut found = Vec::new();
    macro_rules! leave_out {
        ($($field:ident),*) => {
            $(found.extend(without_one(&talk.$field).map(|$field| Talk { $field, ..talk.clone() }));)*
        };
    }
    leave_out!(
        properties,
        scenarios,
        parts,
        machines,
        fairness,
        init,
        commitments,
        channels,
        clocks,
        variables
    );
    leave_out!(messages, groups, types, parameters, files, roles);
    if !talk.semantics.is_empty() {
        found.push(Talk { semantics: String::new(), ..talk.clone() });
    }
    let machines = smaller_one(&talk.machines, smaller_machines);
    found.extend(machines.into_iter().map(|machines| Talk { machines, ..talk.clone() }));
    let parts = smaller_one(&talk.parts, |part| {
        let mut one = part.clone();
        one.when = None;
        let mut other = part.clone();
        other.roles.pop();
        let mut third = part.clone();
        third.parameters.pop();
        [one, other, third].into_iter().filter(|smaller| smaller != part).collect()
    });
    found.extend(parts.into_iter().map(|parts| Talk { parts, ..talk.clone() }));
    let files = smaller_one(&talk.files, |(name, file)| {
        smaller(file).into_iter().map(|file| (name.clone(), file)).collect()
    });
    found.extend(files.into_iter().map(|files| Talk { files, ..talk.clone() }));
    let variables = smaller_one(&talk.variables, |variable| {
        let mut one = variable.clone();
        one.initial.truncate(1);
        let mut other = variable.clone();
        other.owners.clear();
        [one, other].into_iter().filter(|smaller| smaller != variable).collect()
    });
    found.extend(variables.into_iter().map(|variables| Talk { variables, ..talk.clone() }));
    let channels = smaller_one(&talk.channels, |channel| {
        let mut all = vec![channel.clone(); 7];
        all[0].lossy = false;
        all[1].duplicating = false;
        all[2].unordered = false;
        all[3].from = None;
        all[4].to = None;
        all[5].capacity = channel.capacity.map(|capacity| (capacity - 1).max(1));
        all[6].carries.pop();
        all.retain(|smaller| smaller != channel && !smaller.carries.is_empty());
        all
    });
    found.extend(channels.into_iter().map(|channels| Talk { channels, ..talk.clone() }));
    let properties = smaller_one(&talk.properties, |own| own.smaller(Sort::State));
    found.extend(properties.into_iter().map(|properties| Talk { properties, ..talk.clone() }));
    found
}

fn smaller_machines(machine: &Machine) -> Vec<Machine> {
    let mut found = Vec::new();
    let with = |steps: Vec<Step>| Machine { steps, ..machine.clone() };
    found.extend(without_one(&machine.steps).map(with));
    found.extend(without_one(&machine.waits).map(|waits| Machine { waits, ..machine.clone() }));
    found.extend(without_one(&machine.finals).map(|finals| Machine { finals, ..machine.clone() }));
    if !machine.owners.is_empty() {
        found.push(Machine { owners: Vec::new(), ..machine.clone() });
    }
    found.extend(smaller_one(&machine.steps, smaller_steps).into_iter().map(with));
    found
}

fn smaller_steps(step: &Step) -> Vec<Step> {
    let mut found = Vec::new();
    if let Some(guard) = &step.guard {
        found.push(Step { guard: None, ..step.clone() });
        found.extend(
            smaller_terms(guard).into_iter().map(|guard| Step { guard: Some(guard), ..step.clone() }),
        );
    }
    found.extend(without_one(&step.sets).map(|sets| Step { sets, ..step.clone() }));
    if let Label::Said(said) = &step.label {
        let mut plain = said.clone();
        plain.to.clear();
        let mut others = vec![plain];
        for (number, argument) in said.arguments.iter().enumerate() {
            let mut other = said.clone();
            if let Argument::Is(term) = argument {
                for smaller in smaller_terms(term) {
                    other.arguments[number] = Argument::Is(smaller);
                    others.push(other.clone());
                }
            } else {
                other.arguments[number] = Argument::Any;
                others.push(other);
            }
        }
        others.retain(|other| other != said);
        found.extend(others.into_iter().map(|said| Step { label: Label::Said(said), ..step.clone() }));
    }
    let sets = smaller_one(&step.sets, |set| match set {
        super::outline::Assignment::Set(target, value) => smaller_terms(value)
            .into_iter()
            .map(|value| super::outline::Assignment::Set(target.clone(), value))
            .collect(),
        _ => Vec::new(),
    });
    found.extend(sets.into_iter().map(|sets| Step { sets, ..step.clone() }));
    found
}

fn smaller_terms(term: &Term) -> Vec<Term> {
    term.parts().into_iter().cloned().collect()
}
