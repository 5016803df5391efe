//! What an outline means, told without its text: a second opinion on the language the text is written in.

use servanda_logic::Binary;
use servanda_model::StateView;

use super::names::{Element, Names, RING, location};
use super::outline::{
    Condition, Initial, LabelOutline, NewValue, Outline, Pick, Side, TransitionOutline, Values,
};
use super::sketch::Sketch;

/// A state without its commitments: the values of the variables, and for each machine its control state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlainState {
    /// Numbers; a truth value is 0 or 1, a value of an enumeration its position.
    values: Vec<i64>,
    /// The number in the name of each control state.
    locations: Vec<usize>,
}

/// A protocol as a transition system without commitments.
pub struct Meaning<'o> {
    outline: &'o Outline,
    names: Names,
}

/// A transition of one machine, if it is possible: its label, what it assigns and where it leads.
#[derive(Clone)]
struct Move {
    machine: usize,
    label: String,
    sets: Vec<(usize, i64)>,
    to: usize,
}

impl Values {
    fn code(self, pick: Pick) -> i64 {
        match self {
            Values::Bool => i64::from(pick.0 % 2),
            Values::Range { low, size } => low + i64::from(pick.0 % size),
            Values::Enumeration { size } => i64::from(pick.0 % size),
        }
    }

    fn all(self) -> Vec<i64> {
        match self {
            Values::Bool => vec![0, 1],
            Values::Range { low, size } => (low..low + i64::from(size)).collect(),
            Values::Enumeration { size } => (0..i64::from(size)).collect(),
        }
    }

    fn shown(self, code: i64) -> String {
        match self {
            Values::Bool => (code == 1).to_string(),
            Values::Range { .. } => code.to_string(),
            Values::Enumeration { .. } => self.value(Pick(code as u8)),
        }
    }
}

/// Does a comparison hold?
fn compares(test: Binary, left: i64, right: i64) -> bool {
    match test {
        Binary::Equal => left == right,
        Binary::NotEqual => left != right,
        Binary::Less => left < right,
        Binary::LessEqual => left <= right,
        Binary::Greater => left > right,
        _ => left >= right,
    }
}

/// Is it one of those that are written `=` where values have no order, and `any` before arrays?
fn is_equality(test: Binary) -> bool {
    matches!(test, Binary::Equal | Binary::LessEqual | Binary::GreaterEqual)
}

impl<'o> Meaning<'o> {
    /// The meaning of an outline.
    pub fn new(outline: &'o Outline) -> Self {
        Meaning { outline, names: Names::new(outline) }
    }

    /// The state as users see it, with nothing in force.
    pub fn view(&self, state: &PlainState) -> StateView {
        let elements = self.names.elements.iter().zip(&state.values);
        let machines = self.names.machines.iter().zip(&state.locations);
        StateView {
            variables: elements.map(|(e, code)| (e.name.clone(), e.values.shown(*code))).collect(),
            locations: machines.map(|((name, _), number)| (name.clone(), location(*number))).collect(),
            ..StateView::default()
        }
    }

    /// The initial states.
    pub fn initial(&self) -> Vec<PlainState> {
        let mut choices: Vec<Vec<i64>> = Vec::new();
        for variable in &self.outline.variables {
            let codes = match &variable.initial {
                Initial::One(pick) => vec![variable.values.code(*pick)],
                Initial::Set(picks) if !picks.is_empty() => {
                    picks.iter().map(|pick| variable.values.code(*pick)).collect()
                }
                Initial::Set(_) | Initial::Undeclared => variable.values.all(),
            };
            choices.extend(std::iter::repeat_n(codes, if variable.is_array { 2 } else { 1 }));
        }
        let mut all = vec![Vec::new()];
        for codes in choices {
            let longer = |values: &Vec<i64>, code: &i64| [values.as_slice(), &[*code]].concat();
            all = all.iter().flat_map(|v| codes.iter().map(move |code| longer(v, code))).collect();
        }
        let locations = vec![0; self.outline.machines.len()];
        all.sort();
        all.dedup();
        all.into_iter().map(|values| PlainState { values, locations: locations.clone() }).collect()
    }

    /// The transitions of a state: what they are labelled with (`Ann: ask`, `Cr by Bob`) and where they lead.
    pub fn steps(&self, state: &PlainState) -> Vec<(String, PlainState)> {
        let mut steps = Vec::new();
        for machine in 0..self.outline.machines.len() {
            for (side, first) in self.moves(state, machine) {
                match side {
                    Side::Alone => steps.push(self.taken(state, &[first])),
                    Side::Sends => {
                        let others = (0..self.outline.machines.len()).filter(|other| *other != machine);
                        for (side, second) in others.flat_map(|other| self.moves(state, other)) {
                            if side == Side::Receives && message(&second.label) == message(&first.label) {
                                let both = [first.clone(), second];
                                steps.push(self.taken(state, &both));
                            }
                        }
                    }
                    Side::Receives => {}
                }
            }
        }
        steps.sort();
        steps.dedup();
        steps
    }

    /// The state after one move, or after two partners moved together, labelled as the first.
    fn taken(&self, state: &PlainState, moves: &[Move]) -> (String, PlainState) {
        let mut next = state.clone();
        for one in moves {
            next.locations[one.machine] = one.to;
            for (variable, value) in &one.sets {
                next.values[*variable] = *value;
            }
        }
        (moves.first().map(|one| one.label.clone()).unwrap_or_default(), next)
    }

    /// The possible moves of one machine.
    fn moves(&self, state: &PlainState, machine: usize) -> Vec<(Side, Move)> {
        let transitions = &self.outline.machines[machine];
        let (ends, used) = self.outline.ends(transitions);
        let mut moves = Vec::new();
        for (transition, (from, to)) in transitions.iter().zip(ends) {
            if state.locations[machine] != from {
                continue;
            }
            let Some(sets) = self.assignments(state, transition) else { continue };
            let (side, labels) = self.labels(&transition.label);
            for label in labels {
                moves.push((side, Move { machine, label, sets: sets.clone(), to }));
            }
        }
        let at = used.iter().position(|location| *location == state.locations[machine]);
        if let (true, 0, Some(at)) = (self.outline.is_deadlock_free, machine, at) {
            let label = format!("{}: {RING}", self.names.roles[0]);
            let to = used[(at + 1) % used.len()];
            moves.push((Side::Alone, Move { machine, label, sets: Vec::new(), to }));
        }
        moves
    }

    fn labels(&self, label: &LabelOutline) -> (Side, Vec<String>) {
        if let Some((name, senders, side)) = self.names.sent(self.outline, label) {
            let shown = |by: Option<String>| by.map_or(name.to_owned(), |by| format!("{by}: {name}"));
            return (side, senders.into_iter().map(shown).collect());
        }
        let LabelOutline::Act { kind, commitment, third, .. } = label else {
            return (Side::Alone, Vec::new());
        };
        let acts = commitment.among(&self.names.promises).map(|promise| {
            let (kind, _) = promise.performed(*kind, *third, self.names.roles.len());
            format!("{} by {}", kind.short(), self.names.roles[promise.actor(kind)])
        });
        (Side::Alone, acts.into_iter().collect())
    }

    /// What a transition assigns; `None` where it is not possible.
    fn assignments(&self, state: &PlainState, transition: &TransitionOutline) -> Option<Vec<(usize, i64)>> {
        if !transition.guard.as_ref().is_none_or(|guard| self.holds(state, guard, self.names.definitions)) {
            return None;
        }
        let sets = self.names.sets(self.outline, transition).into_iter();
        sets.map(|(variable, value)| Some((variable, self.assigned(state, variable, value)?))).collect()
    }

    /// The value a variable gets; `None` where there is no room for it.
    fn assigned(&self, state: &PlainState, variable: usize, value: &NewValue) -> Option<i64> {
        let element = &self.names.elements[variable];
        let (values, old) = (element.values, state.values[variable]);
        let all = values.all();
        let at = all.iter().position(|code| *code == old)?;
        Some(match (value, values) {
            (NewValue::Constant(pick), _) => values.code(*pick),
            (NewValue::Copy(pick), _) => {
                let is_same = |other: &usize| self.names.elements[*other].values == values;
                let same: Vec<usize> = (0..self.names.elements.len()).filter(is_same).collect();
                pick.among(&same).map_or_else(|| values.code(*pick), |other| state.values[*other])
            }
            (_, Values::Enumeration { .. }) => values.code(Pick(1)),
            (NewValue::Whether(condition), Values::Bool) => {
                i64::from(self.holds(state, condition, self.names.definitions))
            }
            (NewValue::Up, Values::Range { .. }) => *all.get(at + 1)?,
            (NewValue::Down, Values::Range { .. }) => *all.get(at.checked_sub(1)?)?,
            (NewValue::Step | NewValue::Up | NewValue::Down | NewValue::Whether(_), _) => {
                all[(at + 1) % all.len()]
            }
        })
    }

    /// Does a boolean combination of conditions hold, with so many propositions to be named in it?
    fn holds(&self, state: &PlainState, sketch: &Sketch, definitions: usize) -> bool {
        let of = |sketch: &Sketch| self.holds(state, sketch, definitions);
        match sketch {
            Sketch::Condition(condition) => self.atom_holds(state, condition, definitions),
            Sketch::Binary(Binary::And, left, right) => of(left) && of(right),
            Sketch::Binary(Binary::Or, left, right) => of(left) || of(right),
            Sketch::Binary(Binary::Implies, left, right) => !of(left) || of(right),
            Sketch::Binary(_, left, right) => of(left) == of(right),
            negation => !negation.children().into_iter().any(of),
        }
    }

    fn atom_holds(&self, state: &PlainState, condition: &Condition, definitions: usize) -> bool {
        let value = |element: &Element| {
            let index = self.names.elements.iter().position(|other| other.name == element.name);
            index.map_or(0, |index| state.values[index])
        };
        match condition {
            Condition::Constant(value) => *value,
            // What is in force is not known here; definitions are written without it.
            Condition::Active(..) => false,
            Condition::Variable(variable, test, pick) => match variable.among(&self.names.elements) {
                None => self.is_at(state, *variable, *pick),
                Some(element) => match element.values {
                    Values::Bool => (value(element) == 1) == pick.0.is_multiple_of(2),
                    Values::Range { .. } => compares(*test, value(element), element.values.code(*pick)),
                    Values::Enumeration { .. } => {
                        (value(element) == element.values.code(*pick)) == is_equality(*test)
                    }
                },
            },
            Condition::Integers(left, test, right, shift) => {
                let is_integer = |element: &&Element| matches!(element.values, Values::Range { .. });
                let integers: Vec<&Element> = self.names.elements.iter().filter(is_integer).collect();
                match (left.among(&integers), right.among(&integers)) {
                    (Some(left), Some(right)) => compares(*test, value(left), value(right) + shift),
                    _ => self.atom_holds(state, &Condition::Variable(*left, *test, *right), definitions),
                }
            }
            Condition::At(machine, location) => self.is_at(state, *machine, *location),
            Condition::Defined(pick) => pick
                .index(definitions)
                .is_none_or(|number| self.holds(state, &self.outline.definitions[number], number)),
            Condition::Elements(pick, test) => {
                let Some(array) = pick.among(&self.names.arrays) else {
                    return self.atom_holds(state, &Condition::Variable(*pick, *test, *pick), definitions);
                };
                let is_element = |element: &&Element| element.name.starts_with(&format!("{}[", array.name));
                let all: Vec<i64> = self.names.elements.iter().filter(is_element).map(value).collect();
                let wanted = array.values.code(*pick);
                let each = |wanted: i64| match is_equality(*test) {
                    true => all.contains(&wanted),
                    false => all.iter().all(|value| *value == wanted),
                };
                match array.values {
                    Values::Bool => each(1),
                    Values::Range { .. } => compares(*test, all.iter().sum(), wanted),
                    Values::Enumeration { .. } => each(wanted),
                }
            }
        }
    }

    fn is_at(&self, state: &PlainState, machine: Pick, location: Pick) -> bool {
        let Some(machine) = machine.index(self.outline.machines.len()) else { return true };
        let (_, used) = self.outline.ends(&self.outline.machines[machine]);
        location.among(&used) == Some(&state.locations[machine])
    }
}

/// A label without its sender.
fn message(label: &str) -> &str {
    label.rsplit(": ").next().unwrap_or(label)
}
