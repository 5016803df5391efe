//! What a talk does, from what the language says about it: places, steps and what is under way as plain data.

mod evaluate;
mod flat;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use servanda_model::{CommitmentView, StateView};

use super::outline::{Moment, Scenario, Talk, Type, Value};
use flat::Flat;
pub use steps::Done;

/// Something goes wrong while a step is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault;

/// A message as it is sent: what is under way in a channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sent {
    /// By whom; `None`: nobody.
    pub by: Option<String>,
    /// To whom; nobody: to everybody.
    pub to: Vec<String>,
    /// Its name.
    pub name: String,
    /// What it carries.
    pub values: Vec<Value>,
    /// Is it received from a channel?
    pub received: bool,
}

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// What the variables and clocks hold.
    pub values: BTreeMap<String, Value>,
    /// Where the machines are.
    pub at: BTreeMap<String, String>,
    /// What is under way, the oldest first; in no order: sorted.
    pub under_way: BTreeMap<String, Vec<Sent>>,
    /// What is in force: debtor, creditor, content.
    pub in_force: BTreeSet<(String, String, String)>,
}

/// What a talk does.
pub struct Meaning {
    flat: Flat,
}

impl std::fmt::Display for Sent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.by, self.to.is_empty()) {
            (None, _) => {}
            (Some(by), true) => write!(f, "{by}: ")?,
            (Some(by), false) => write!(f, "{by} -> {}: ", self.to.join(", "))?,
        }
        write!(f, "{}{}", self.name, if self.received { "?" } else { "" })?;
        if self.values.is_empty() {
            return Ok(());
        }
        write!(f, "({})", self.values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    }
}

impl Meaning {
    /// The meaning of a talk.
    pub fn new(talk: &Talk) -> Self {
        Meaning { flat: Flat::new(talk) }
    }

    /// The values of a type.
    fn values(&self, of: &Type) -> Vec<Value> {
        match of {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Range(low, high) => (*low..=*high).map(Value::Int).collect(),
            Type::Enumeration(literals) => literals.iter().cloned().map(Value::Literal).collect(),
            Type::UpTo(_) | Type::Named(_) => unreachable!("types are resolved"),
        }
    }

    /// The initial states.
    ///
    /// # Errors
    /// When a condition on them has no value.
    pub fn initial(&self) -> Result<Vec<Place>, Fault> {
        let mut values: Vec<BTreeMap<String, Value>> = vec![BTreeMap::new()];
        for (name, of, initial) in &self.flat.variables {
            let choices = if initial.is_empty() { self.values(of) } else { initial.clone() };
            values = values
                .into_iter()
                .flat_map(|known| {
                    choices.iter().map(move |choice| {
                        let mut more = known.clone();
                        more.insert(name.clone(), choice.clone());
                        more
                    })
                })
                .collect();
        }
        let place = |values| Place {
            values,
            at: self.flat.machines.iter().map(|own| (own.name.clone(), own.start.clone())).collect(),
            under_way: self.flat.channels.iter().map(|own| (own.name.clone(), Vec::new())).collect(),
            in_force: BTreeSet::new(),
        };
        let mut found = Vec::new();
        for place in values.into_iter().map(place) {
            let mut all = true;
            for condition in &self.flat.init {
                all = all && self.is_true(&place, condition)?;
            }
            if all {
                found.push(place);
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Is the state final?
    pub fn is_final(&self, place: &Place) -> bool {
        let mut resting = self.flat.machines.iter().filter(|machine| !machine.finals.is_empty()).peekable();
        resting.peek().is_some() && resting.all(|machine| machine.finals.contains(&place.at[&machine.name]))
    }

    /// Has the talk a run like this? False where one goes wrong.
    pub fn can_happen(&self, scenario: &Scenario) -> bool {
        let mut todo: Vec<(Place, usize)> = Vec::new();
        let mut known = BTreeSet::new();
        todo.extend(self.initial().unwrap_or_default().into_iter().map(|place| (place, 0)));
        while let Some((place, at)) = todo.pop() {
            if !known.insert((place.clone(), at)) {
                continue;
            }
            let Some(moment) = scenario.moments.get(at) else { return true };
            if *moment == Moment::Anything {
                todo.push((place.clone(), at + 1));
            }
            for (done, next) in self.steps(&place).unwrap_or_default() {
                match moment {
                    Moment::Anything => todo.push((next, at)),
                    Moment::Step => todo.push((next, at + 1)),
                    Moment::Said(pattern) => {
                        if let Done::Said(sent) = &done
                            && pattern.means(sent)
                        {
                            todo.push((next, at + 1));
                        }
                    }
                }
            }
        }
        false
    }

    /// The state as users see it, in an order that does not matter: everything sorted, contents without parentheses.
    pub fn view(&self, place: &Place) -> StateView {
        let shown = |pair: (&String, &Value)| (pair.0.clone(), pair.1.to_string());
        let sent =
            |pair: (&String, &Vec<Sent>)| (pair.0.clone(), pair.1.iter().map(ToString::to_string).collect());
        let owed = |(debtor, creditor, content): &(String, String, String)| {
            bare(&format!("SC({debtor}, {creditor}, {content})"))
        };
        self.sorted(&StateView {
            variables: place.values.iter().map(shown).collect(),
            locations: place.at.iter().map(|(name, at)| (name.clone(), at.clone())).collect(),
            channels: place.under_way.iter().map(sent).collect(),
            in_force: place.in_force.iter().map(owed).map(CommitmentView::unnamed).collect(),
        })
    }

    /// A state of a model in the same order.
    pub fn sorted(&self, view: &StateView) -> StateView {
        let mut view = view.clone();
        view.variables.sort();
        view.locations.sort();
        view.channels.sort();
        for (name, sent) in &mut view.channels {
            if self.flat.channels.iter().any(|own| own.name == *name && own.unordered) {
                sent.sort();
            }
        }
        let mut in_force: Vec<String> = view.in_force.iter().map(|owed| bare(&owed.text)).collect();
        in_force.sort();
        view.in_force = in_force.into_iter().map(CommitmentView::unnamed).collect();
        view
    }
}

/// A text without parentheses and blanks: how the printer groups is not what is compared.
pub fn bare(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '(' | ')' | ' ')).collect()
}
