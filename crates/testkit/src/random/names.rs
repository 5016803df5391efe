//! What the parts of an outline are called.

use servanda_logic::{ActKind, Party};
use servanda_model::ActReading;

use super::outline::{
    AccessOutline, Initial, LabelOutline, NewValue, Outline, Pick, Roles, Side, Tag, TransitionOutline,
    Values,
};
use super::sketch::Sketch;
use super::write::committed;

const LITERALS: [&str; 3] = ["calm", "cross", "numb"];
const MESSAGES: [&str; 3] = ["ask", "tell", "nod"];
/// The message that keeps a protocol going.
pub(super) const RING: &str = "on";

/// The names of a protocol: formulas are written with them.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// How acts are read.
    pub(super) reading: ActReading,
    /// The roles: `Ann`, `Peer[1]`.
    pub roles: Vec<String>,
    /// The variables, arrays by element.
    pub(super) elements: Vec<Element>,
    /// The arrays.
    pub(super) arrays: Vec<Element>,
    /// Each machine's name, empty where there is only one, and its control states, the start first.
    pub(super) machines: Vec<(String, Vec<String>)>,
    /// The messages that transitions are labelled with, and who sends them.
    pub(super) messages: Vec<(&'static str, Option<String>)>,
    /// The number of declared propositions.
    pub(super) definitions: usize,
    /// The declared commitments, families by element.
    pub promises: Vec<Promise>,
    /// For each role, where it does not behave correctly.
    pub red: Vec<String>,
    /// The supports of acts.
    pub(super) supports: Vec<String>,
    /// The declared groups.
    pub(super) groups: Vec<String>,
    /// Does the content of some commitment look back along the run?
    pub(super) contents_look_back: bool,
}

/// A variable or an array of them.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) values: Values,
    pub(super) owner: Option<usize>,
}

/// A declared commitment.
#[derive(Clone, Debug)]
pub struct Promise {
    /// `c0`, `c1[2]`
    pub name: String,
    /// The role that owes it.
    pub debtor: usize,
    /// The role it is owed to.
    pub creditor: usize,
    /// Its moment.
    pub tag: Option<String>,
    /// Its content.
    pub content: String,
    /// Seen by its parties alone?
    pub is_private: bool,
}

impl Promise {
    /// The role that an act on it brings in.
    fn third(&self, pick: Pick, roles: usize) -> Option<usize> {
        let others: Vec<usize> =
            (0..roles).filter(|role| ![self.debtor, self.creditor].contains(role)).collect();
        pick.among(&others).copied()
    }

    /// An act on it with its third party, or where there is nobody to bring in, the act that just ends it.
    pub(super) fn performed(&self, kind: ActKind, third: Pick, roles: usize) -> (ActKind, Option<usize>) {
        match (kind, self.third(third, roles).filter(|_| kind.has_third())) {
            (ActKind::Delegate, None) => (ActKind::Withdraw, None),
            (ActKind::Assign, None) => (ActKind::Release, None),
            (kind, third) => (kind, third),
        }
    }

    /// The role that performs this kind of act on it.
    pub fn actor(&self, kind: ActKind) -> usize {
        match kind.party() {
            Party::Debtor => self.debtor,
            Party::Creditor => self.creditor,
        }
    }
}

impl Roles {
    /// What they are called.
    pub fn names(self) -> Vec<String> {
        let names: &[&str] = match self {
            Roles::Two => &["Ann", "Bob"],
            Roles::Three => &["Ann", "Bob", "Cyd"],
            Roles::Array => &["Ann", "Peer[1]", "Peer[2]"],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }
}

impl Values {
    /// One of the values.
    pub(super) fn value(self, pick: Pick) -> String {
        match self {
            Values::Bool => (pick.0 % 2 == 1).to_string(),
            Values::Range { low, size } => (low + i64::from(pick.0 % size)).to_string(),
            Values::Enumeration { size } => LITERALS[usize::from(pick.0 % size)].to_owned(),
        }
    }

    /// As declared.
    pub(super) fn written(self) -> String {
        match self {
            Values::Bool => "bool".to_owned(),
            Values::Range { low, size } => format!("{low}..{}", low + i64::from(size) - 1),
            Values::Enumeration { size } => format!("{{{}}}", LITERALS[..usize::from(size)].join(", ")),
        }
    }
}

impl Initial {
    /// As declared, with the sign.
    pub(super) fn written(&self, values: Values) -> String {
        match self {
            Initial::Undeclared => String::new(),
            Initial::One(pick) => format!(" = {}", values.value(*pick)),
            Initial::Set(picks) => {
                let mut all: Vec<String> = picks.iter().map(|pick| values.value(*pick)).collect();
                all.sort();
                all.dedup();
                match all.as_slice() {
                    [] => String::new(),
                    _ => format!(" = {{{}}}", all.join(", ")),
                }
            }
        }
    }
}

pub(super) fn location(number: usize) -> String {
    format!("s{number}")
}

/// Another role than `one`.
pub(super) fn other_role(pick: Pick, one: usize, roles: usize) -> usize {
    let step = pick.index(roles - 1).unwrap_or(0) + 1;
    (one + step) % roles
}

impl Names {
    /// Names everything.
    pub fn new(outline: &Outline) -> Self {
        let roles = outline.roles.names();
        let looks_back = |sketch: &Sketch| sketch.looks_back(outline.reading);
        let mut names = Names {
            reading: outline.reading,
            contents_look_back: outline.commitments.iter().any(|promise| looks_back(&promise.content))
                || outline.supports().any(looks_back),
            definitions: outline.definitions.len(),
            groups: (0..outline.groups.len()).map(|number| format!("team{number}")).collect(),
            roles,
            ..Names::default()
        };
        names.name_variables(outline);
        names.name_machines(outline);
        names.name_messages(outline);
        names.name_promises(outline);
        names.red = (0..names.roles.len()).map(|role| names.red_states(outline, role)).collect();
        let mut supports: Vec<String> = outline.supports().map(|support| names.content(support)).collect();
        supports.sort();
        supports.dedup();
        names.supports = supports;
        names
    }

    fn name_variables(&mut self, outline: &Outline) {
        for (number, variable) in outline.variables.iter().enumerate() {
            let owner = variable.owner.and_then(|owner| owner.index(self.roles.len()));
            let values = variable.values;
            if variable.is_array {
                self.arrays.push(Element { name: format!("v{number}"), values, owner });
                for index in 1..=2 {
                    self.elements.push(Element { name: format!("v{number}[{index}]"), values, owner });
                }
            } else {
                self.elements.push(Element { name: format!("v{number}"), values, owner });
            }
        }
    }

    fn red_states(&self, outline: &Outline, role: usize) -> String {
        let of_role = outline.red.iter().filter(|(pick, _)| pick.index(self.roles.len()) == Some(role));
        let conditions: Vec<String> =
            of_role.map(|(_, condition)| format!("({})", self.condition(condition, Some(role)))).collect();
        if conditions.is_empty() { "false".to_owned() } else { conditions.join(" | ") }
    }

    fn name_machines(&mut self, outline: &Outline) {
        for (number, transitions) in outline.machines.iter().enumerate() {
            let name = if outline.machines.len() == 1 { String::new() } else { format!("M{number}") };
            let (_, used) = outline.ends(transitions);
            self.machines.push((name, used.into_iter().map(location).collect()));
        }
    }

    /// The side of a synchronisation that a message is on, which takes two machines.
    pub(super) fn side(&self, side: Side) -> Side {
        if self.machines.len() > 1 { side } else { Side::Alone }
    }

    /// The role that sends a message, if any: `Peer[i]` in a family.
    pub(super) fn sender(&self, outline: &Outline, by: Option<Pick>, is_family: bool) -> Option<String> {
        if is_family && outline.roles == Roles::Array {
            return Some("Peer[i]".to_owned());
        }
        by.and_then(|by| by.among(&self.roles)).cloned()
    }

    pub(super) fn message(name: Pick) -> &'static str {
        MESSAGES[usize::from(name.0) % MESSAGES.len()]
    }

    /// What a label sends, if it is a message: its name, all who send it, and the side it is on.
    pub(super) fn sent(
        &self,
        outline: &Outline,
        label: &LabelOutline,
    ) -> Option<(&'static str, Vec<Option<String>>, Side)> {
        match label {
            LabelOutline::Message { name, by, side, is_family } => {
                let senders = match self.sender(outline, *by, *is_family) {
                    Some(family) if family == "Peer[i]" => {
                        self.roles[1..].iter().cloned().map(Some).collect()
                    }
                    by => vec![by],
                };
                Some((Names::message(*name), senders, self.side(*side)))
            }
            // Without commitments an act is written as a message.
            LabelOutline::Act { commitment, .. } if outline.commitments.is_empty() => {
                Some((Names::message(*commitment), vec![None], Side::Alone))
            }
            LabelOutline::Act { .. } => None,
        }
    }

    /// Collects the messages that some transition really has: a partner may be missing.
    fn name_messages(&mut self, outline: &Outline) {
        let mut found: Vec<(usize, &'static str, Option<String>, Side)> = Vec::new();
        for (machine, transitions) in outline.machines.iter().enumerate() {
            for transition in transitions {
                let Some((name, senders, side)) = self.sent(outline, &transition.label) else { continue };
                found.extend(senders.into_iter().map(|by| (machine, name, by, side)));
            }
        }
        if outline.is_deadlock_free {
            found.push((0, RING, Some(self.roles[0].clone()), Side::Alone));
        }
        for (machine, name, by, side) in &found {
            let meets = |other: &(usize, &'static str, Option<String>, Side)| {
                other.0 != *machine && other.1 == *name && other.3 == Side::Receives
            };
            let happens = match side {
                Side::Alone => true,
                Side::Sends => found.iter().any(meets),
                Side::Receives => false,
            };
            if happens && !self.messages.contains(&(*name, by.clone())) {
                self.messages.push((name, by.clone()));
            }
        }
    }

    /// A moment as written.
    pub(super) fn tag(tag: Tag) -> String {
        match tag {
            Tag::Name(pick) => format!("t{}", pick.0 % 2),
            Tag::Number(pick) => (pick.0 % 2).to_string(),
        }
    }

    /// What a transition assigns to which variable: of several assignments to one the first counts, and a receiver leaves to the
    /// sender what some sender of its message assigns.
    pub(super) fn sets<'o>(
        &self,
        outline: &'o Outline,
        transition: &'o TransitionOutline,
    ) -> Vec<(usize, &'o NewValue)> {
        let message = |label: &LabelOutline, wanted: Side| match label {
            LabelOutline::Message { name, side, .. } if self.side(*side) == wanted => {
                Some(Names::message(*name))
            }
            _ => None,
        };
        let variables = |transition: &'o TransitionOutline| {
            transition.sets.iter().filter_map(|(v, value)| Some((v.index(self.elements.len())?, value)))
        };
        let received = message(&transition.label, Side::Receives);
        let senders = outline.machines.iter().flatten();
        let senders =
            senders.filter(|other| received.is_some() && message(&other.label, Side::Sends) == received);
        let mut taken: Vec<usize> = senders.flat_map(variables).map(|(variable, _)| variable).collect();
        let mut sets = Vec::new();
        for (variable, value) in variables(transition) {
            if !taken.contains(&variable) {
                taken.push(variable);
                sets.push((variable, value));
            }
        }
        sets
    }

    fn name_promises(&mut self, outline: &Outline) {
        for (number, commitment) in outline.commitments.iter().enumerate() {
            let content = self.content(&commitment.content);
            let tag = commitment.tag.map(Names::tag);
            if commitment.is_family && outline.roles == Roles::Array {
                for index in 1..=2 {
                    let name = format!("c{number}[{index}]");
                    let (tag, content) = (tag.clone(), content.clone());
                    let is_private = commitment.is_private;
                    self.promises.push(Promise {
                        name,
                        debtor: index,
                        creditor: 0,
                        tag,
                        content,
                        is_private,
                    });
                }
                continue;
            }
            let debtor = commitment.debtor.index(self.roles.len()).unwrap_or(0);
            let creditor = match commitment.is_to_itself {
                true => debtor,
                false => other_role(commitment.creditor, debtor, self.roles.len()),
            };
            let (name, is_private) = (format!("c{number}"), commitment.is_private);
            self.promises.push(Promise { name, debtor, creditor, tag, content, is_private });
        }
    }

    /// The roles whose accessible paths are narrowed, towards whom, and to what.
    pub fn access<'o>(&self, outline: &'o Outline) -> Vec<(usize, usize, &'o Sketch)> {
        let pair = |access: &'o AccessOutline| {
            let debtor = access.debtor.index(self.roles.len()).unwrap_or(0);
            (debtor, other_role(access.creditor, debtor, self.roles.len()), &access.guard)
        };
        outline.access.iter().map(pair).collect()
    }

    /// A commitment written out.
    pub fn written_out(&self, promise: &Promise) -> String {
        let (debtor, creditor) = (&self.roles[promise.debtor], &self.roles[promise.creditor]);
        committed(debtor, creditor, promise.tag.as_deref(), &promise.content)
    }
}

impl Outline {
    /// Where each transition of a machine starts and ends, and the control states there are, the start first. Each
    /// starts where an earlier one can have led to.
    pub(super) fn ends(&self, transitions: &[TransitionOutline]) -> (Vec<(usize, usize)>, Vec<usize>) {
        let (mut ends, mut known) = (Vec::new(), vec![0]);
        for transition in transitions {
            let from = transition.from.among(&known).copied().unwrap_or(0);
            let to = transition.to.index(self.locations).unwrap_or(0);
            ends.push((from, to));
            if !known.contains(&to) {
                known.push(to);
            }
        }
        (ends, known)
    }

    /// The supports of the acts that have one.
    pub(super) fn supports(&self) -> impl Iterator<Item = &Sketch> {
        self.machines.iter().flatten().filter_map(|transition| match &transition.label {
            LabelOutline::Act { kind, support, .. } if kind.has_support() && !self.commitments.is_empty() => {
                Some(support)
            }
            _ => None,
        })
    }
}
