//! Conditions and formulas as text, with the names of a protocol.
//!
//! Every operand stands in parentheses, so that nothing depends on how tightly operators bind or on the printer
//! under test.

use servanda_logic::{ActKind, Binary, Unary};
use servanda_model::ActReading;

use super::names::{Element, Names, Promise, other_role};
use super::outline::{Condition, Pick, Values};
use super::sketch::{ActSketch, GroupSketch, LabelSketch, Sketch, Written};

/// Where in a formula the writer is.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Inside branching past or a strategy: how many steps the path has made at least. Linear past may look back over
    /// those and no further, so beyond them the mirror image of a past operator is written.
    floor: Option<usize>,
    /// Inside a content or support, where a pattern could match an act on the very commitment it is part of.
    is_content: bool,
    /// Where acts are to be read by their labels alone, as access guards do.
    labels_only: bool,
    /// The role that must see the truth of it; `None`: nobody needs to.
    observer: Option<usize>,
}

/// `=` or `!=`, for values without an order.
fn equality(test: Binary) -> Binary {
    match test {
        Binary::NotEqual | Binary::Less | Binary::Greater => Binary::NotEqual,
        _ => Binary::Equal,
    }
}

impl Names {
    /// A condition; with an observer, one that this role can see the truth of.
    pub(super) fn condition(&self, condition: &Sketch, observer: Option<usize>) -> String {
        self.write(condition, Place { observer, ..Place::default() })
    }

    fn atom(&self, condition: &Condition, observer: Option<usize>) -> String {
        let seen =
            |element: &&Element| observer.is_none() || element.owner.is_none() || element.owner == observer;
        let elements: Vec<&Element> = self.elements.iter().filter(seen).collect();
        match condition {
            Condition::Constant(value) => value.to_string(),
            Condition::Variable(variable, test, value) => match variable.among(&elements) {
                Some(element) => compared(&element.name, element.values, *test, *value),
                None => self.at(*variable, *value),
            },
            Condition::Integers(left, test, right, shift) => {
                let is_integer = |element: &&Element| matches!(element.values, Values::Range { .. });
                let integers: Vec<&Element> = elements.iter().copied().filter(is_integer).collect();
                match (left.among(&integers), right.among(&integers)) {
                    (Some(left), Some(right)) => {
                        format!("({} {} {} + ({shift}))", left.name, test.symbol(), right.name)
                    }
                    _ => self.atom(&Condition::Variable(*left, *test, *right), observer),
                }
            }
            Condition::At(machine, location) => self.at(*machine, *location),
            Condition::Defined(pick) => match pick.index(self.definitions) {
                // A proposition may read what the observer does not see.
                Some(number) if observer.is_none() => format!("d{number}"),
                _ => "true".to_owned(),
            },
            Condition::Elements(array, test) => {
                let arrays: Vec<&Element> = self.arrays.iter().filter(seen).collect();
                let join = if equality(*test) == Binary::Equal { "any" } else { "all" };
                match array.among(&arrays).map(|array| (&array.name, array.values)) {
                    None => self.atom(&Condition::Variable(*array, *test, *array), observer),
                    Some((name, Values::Bool)) => format!("({join} k in 1..2 : {name}[k])"),
                    Some((name, values @ Values::Range { .. })) => {
                        format!("((sum k in 1..2 : {name}[k]) {} {})", test.symbol(), values.value(*array))
                    }
                    Some((name, values @ Values::Enumeration { .. })) => {
                        format!("({join} k in 1..2 : {name}[k] = {})", values.value(*array))
                    }
                }
            }
            Condition::Active(commitment, written) => self.active(*commitment, *written, observer),
        }
    }

    /// `active(..)`; with an observer, of a commitment that it sees.
    fn active(&self, commitment: Pick, written: Written, observer: Option<usize>) -> String {
        let sees = |promise: &&Promise| {
            let is_party = |role| [promise.debtor, promise.creditor].contains(&role);
            !promise.is_private || observer.is_none_or(is_party)
        };
        let seen: Vec<&Promise> = self.promises.iter().filter(sees).collect();
        match commitment.among(&seen) {
            None => "false".to_owned(),
            // A pattern may match what the observer does not see.
            Some(promise) if observer.is_some() => format!("active({})", promise.name),
            Some(promise) => format!("active({})", self.written(promise, written)),
        }
    }

    fn at(&self, machine: Pick, location: Pick) -> String {
        let Some((name, locations)) = machine.among(&self.machines) else { return "true".to_owned() };
        let location = location.among(locations).map_or("s0", |location| location);
        match name.as_str() {
            "" => format!("(in {location})"),
            name => format!("({name} in {location})"),
        }
    }

    /// A formula.
    pub fn formula(&self, sketch: &Sketch) -> String {
        self.write(sketch, Place::default())
    }

    /// The content of a commitment or the support of an act.
    pub(super) fn content(&self, sketch: &Sketch) -> String {
        self.write(sketch, Place { is_content: true, ..Place::default() })
    }

    /// A formula that can stand inside branching past or a strategy: no part of it looks back beyond its own
    /// beginning.
    pub fn closed(&self, sketch: &Sketch) -> String {
        self.write(sketch, Place { floor: Some(0), ..Place::default() })
    }

    /// A formula that says of a path what an access guard says of it: its acts are labels.
    pub fn labels(&self, sketch: &Sketch) -> String {
        self.write(sketch, Place { labels_only: true, ..Place::default() })
    }

    fn write(&self, sketch: &Sketch, place: Place) -> String {
        match sketch {
            Sketch::Condition(condition) => self.atom(condition, place.observer),
            Sketch::Unary(op, operand) => self.write_unary(*op, operand, place),
            Sketch::Binary(op, left, right) => {
                let op = match op {
                    Binary::Since if place.floor.is_some() => Binary::Until,
                    op => *op,
                };
                let (left, right) = (self.write(left, place), self.write(right, place));
                format!("(({left}) {} ({right}))", op.symbol())
            }
            Sketch::Does(label) => format!("does({})", self.label(label, place)),
            Sketch::Act(act) => {
                let looks_back = self.reading != ActReading::Actl || self.contents_look_back;
                let is_label = place.labels_only || place.floor.is_some() && looks_back;
                match self.act(act, place) {
                    None => "does(_)".to_owned(),
                    Some(act) if is_label => format!("does({act})"),
                    Some(act) => act,
                }
            }
            Sketch::Promise(pick) => match pick.among(&self.promises) {
                Some(promise) if place.floor.is_none() || !self.contents_look_back => promise.name.clone(),
                _ => "E (true)".to_owned(),
            },
            Sketch::Committed { debtor, creditor, tag, content } => {
                let content = self.write(content, place);
                if place.floor.is_some() && self.contents_look_back {
                    return format!("A ({content})");
                }
                let debtor = debtor.index(self.roles.len()).unwrap_or(0);
                let creditor = other_role(*creditor, debtor, self.roles.len());
                let tag = tag.map(Names::tag);
                committed(&self.roles[debtor], &self.roles[creditor], tag.as_deref(), &content)
            }
            Sketch::Knows { op, agent, group, body } => {
                // Knowledge refers to points of runs, each with a past of its own.
                let body = self.write(body, Place { floor: None, ..place });
                let agent = agent.among(&self.roles).cloned().filter(|_| op.has_agent());
                let group = self.group(group).filter(|_| op.has_group());
                let arguments: Vec<String> = agent.into_iter().chain(group).chain([body]).collect();
                format!("{}({})", op.symbol(), arguments.join(", "))
            }
            Sketch::Able { group, goal } => {
                let place = Place { floor: Some(0), ..place };
                let group = self.group(group).unwrap_or_else(|| format!("{{{}}}", self.roles.join(", ")));
                // A goal refers to states: what looks back in it looks back over no step, not even that of `X`.
                let goal = match &**goal {
                    Sketch::Unary(op, a) => format!("{} ({})", op.symbol(), self.write(a, place)),
                    goal => self.write(goal, place),
                };
                format!("<{group}>{goal}")
            }
        }
    }

    fn write_unary(&self, op: Unary, operand: &Sketch, place: Place) -> String {
        let (op, place) = match (op, place.floor) {
            (Unary::Previous, Some(0)) => (Unary::Next, place),
            (Unary::Previous, Some(steps)) => (op, Place { floor: Some(steps - 1), ..place }),
            (Unary::Next, Some(steps)) => (op, Place { floor: Some(steps + 1), ..place }),
            (Unary::Once, Some(_)) => (Unary::Finally, place),
            (Unary::Historically, Some(_)) => (Unary::Globally, place),
            (Unary::AllPrevious | Unary::SomePrevious | Unary::AllPast | Unary::SomePast, _) => {
                (op, Place { floor: Some(0), ..place })
            }
            _ => (op, place),
        };
        format!("{} ({})", op.symbol(), self.write(operand, place))
    }

    /// A group of roles; `None` where it is left out.
    fn group(&self, group: &GroupSketch) -> Option<String> {
        let role = |pick: &Pick| pick.among(&self.roles).cloned();
        match group {
            GroupSketch::Role(pick) => role(pick),
            GroupSketch::Declared(pick) => pick.among(&self.groups).cloned().or_else(|| role(pick)),
            GroupSketch::Listed(picks) => {
                let members: Vec<String> = picks.iter().filter_map(role).collect();
                Some(format!("{{{}}}", members.join(", ")))
            }
            GroupSketch::Everybody => None,
        }
    }

    fn label(&self, label: &LabelSketch, place: Place) -> String {
        let written = match label {
            LabelSketch::Any => None,
            LabelSketch::Message(pick) => pick.among(&self.messages).map(|(name, _)| (*name).to_owned()),
            LabelSketch::Sent(pick) => pick.among(&self.messages).map(|(name, by)| match by {
                Some(by) => format!("{by}.{name}"),
                None => (*name).to_owned(),
            }),
            LabelSketch::Act(act) => self.act(act, place),
        };
        written.unwrap_or_else(|| "_".to_owned())
    }

    /// An act; `None` where there are no commitments to act on.
    fn act(&self, act: &ActSketch, place: Place) -> Option<String> {
        if place.is_content {
            let definite = ActSketch {
                kind: act.kind.or(Some(ActKind::Create)),
                written: if act.written == Written::Out { Written::Out } else { Written::Named },
                third: act.third.or(Some(Pick(0))),
                ..act.clone()
            };
            return self.written_act(&definite, "true");
        }
        self.written_act(act, "_")
    }

    /// An act; `other_support` stands for a support that is not one of the protocol's.
    fn written_act(&self, act: &ActSketch, other_support: &str) -> Option<String> {
        let promise = act.commitment.among(&self.promises)?;
        let (kind, third) = match act.kind {
            None => (None, None),
            Some(kind) => {
                let (kind, third) = promise.performed(kind, act.third.unwrap_or(Pick(0)), self.roles.len());
                (Some(kind), third)
            }
        };
        let third = third.map_or_else(String::new, |third| match act.third {
            Some(_) => format!(", {}", self.roles[third]),
            None => ", _".to_owned(),
        });
        let actor = match act.any_actor {
            true => "_",
            false => &self.roles[promise.actor(kind.unwrap_or(ActKind::Create))],
        };
        let commitment = self.written(promise, act.written);
        let support = match kind {
            Some(kind) if kind.has_support() => match act.support.and_then(|pick| pick.among(&self.supports))
            {
                Some(support) => format!(", {support}"),
                None => format!(", {other_support}"),
            },
            _ => String::new(),
        };
        let name = kind.map_or("Act", ActKind::short);
        Some(format!("{name}({actor}, {commitment}{support}{third})"))
    }

    /// A commitment as acts and `active` name it.
    fn written(&self, promise: &Promise, written: Written) -> String {
        let (debtor, creditor) = (&self.roles[promise.debtor], &self.roles[promise.creditor]);
        let (tag, content) = (promise.tag.as_deref(), &promise.content);
        match written {
            Written::Named => promise.name.clone(),
            Written::Out => committed(debtor, creditor, tag, content),
            Written::AnyContent => committed(debtor, creditor, tag, "_"),
            Written::AnyDebtor => committed("_", creditor, tag, content),
            Written::AnyCreditor => committed(debtor, "_", tag, content),
            Written::AnyTag => committed(debtor, creditor, tag.map(|_| "_"), content),
            Written::Any => "_".to_owned(),
        }
    }
}

/// A commitment written out.
pub(super) fn committed(debtor: &str, creditor: &str, tag: Option<&str>, content: &str) -> String {
    match tag {
        None => format!("SC({debtor}, {creditor}, {content})"),
        Some(tag) => format!("PC({debtor}, {creditor}, {tag}, {content})"),
    }
}

/// A variable compared with one of its values.
fn compared(name: &str, values: Values, test: Binary, value: Pick) -> String {
    match values {
        Values::Bool if value.0.is_multiple_of(2) => name.to_owned(),
        Values::Bool => format!("!{name}"),
        Values::Range { .. } => format!("({name} {} {})", test.symbol(), values.value(value)),
        Values::Enumeration { .. } => format!("({name} {} {})", equality(test).symbol(), values.value(value)),
    }
}
