//! Channels: what is under way is kept in variables, one per place, and sending and receiving move it along.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_logic::{Formula, Reference, Rewrite};
use servanda_model::{
    AgentId, Channel, Command, Domain, Expr, Guarded, Label, LabelId, MessageLabel, Variable, VariableId,
    Visibility,
};
use servanda_syntax::{Code, Diagnostic, Findings, Span, optional};

use super::Elaborator;
use super::labels::{Head, Said};
use crate::ast::{ChannelItem, ItemKind, Side};
use crate::bindings::Bindings;
use crate::family::full_name;
use crate::unroll::{Instance, Unrolled};

/// Messages under way in one channel at most.
const LARGEST_CAPACITY: i64 = 1_000;

/// A channel as declared.
pub(super) struct ChannelPlan<'a> {
    pub(super) item: &'a ChannelItem,
    pub(super) bindings: &'a Bindings,
    pub(super) name: String,
    from: Option<AgentId>,
    to: Option<AgentId>,
    capacity: usize,
    pub(super) carries: Vec<String>,
}

/// The channel of each message that one carries.
pub(super) type Carriers = FxHashMap<String, usize>;

impl Elaborator<'_> {
    /// The channels, and which messages they carry.
    pub(super) fn channels<'a>(&mut self, unrolled: &'a Unrolled<'a>) -> (Vec<ChannelPlan<'a>>, Carriers) {
        let (mut plans, mut carriers) = (Vec::new(), Carriers::default());
        let mut declared: FxHashMap<String, Span> = FxHashMap::default();
        for Instance { item, bindings, .. } in &unrolled.instances {
            let ItemKind::Channel(channel) = &item.kind else { continue };
            let Some(plan) = self.channel(channel, bindings) else {
                self.suspects.insert(channel.name.name.clone());
                continue;
            };
            if let Some(first) = declared.insert(plan.name.clone(), channel.name.span) {
                let message = format!("the channel `{}` is declared twice", plan.name);
                let error = Diagnostic::error(Code::DuplicateName, message, channel.name.span);
                self.diagnostics.push(error.label(first, "first declared here"));
                continue;
            }
            for message in &plan.carries {
                if let Some(other) = carriers.insert(message.clone(), plans.len()) {
                    // It may be this one, which is not yet in the list.
                    let other: &ChannelPlan<'_> = plans.get(other).unwrap_or(&plan);
                    let text = format!("`{message}` is carried by the channel `{}` already", other.name);
                    let error = Diagnostic::error(Code::DuplicateName, text, channel.name.span);
                    self.diagnostics.push(error.label(other.item.name.span, "this one carries it"));
                }
            }
            self.scope.channels.insert(plan.name.clone());
            let steps = [(channel.lossy, "lose"), (channel.duplicating, "repeat")];
            let steps = steps.iter().filter(|(has, _)| *has).map(|(_, step)| format!("{}.{step}", plan.name));
            self.scope.said.extend(steps);
            plans.push(plan);
        }
        (plans, carriers)
    }

    fn channel<'a>(&mut self, item: &'a ChannelItem, bindings: &'a Bindings) -> Option<ChannelPlan<'a>> {
        let indices = self.declared_indices(&item.name, bindings);
        let from = optional(&item.from, |role| self.role(role, bindings));
        let to = optional(&item.to, |role| self.role(role, bindings));
        let capacity = match &item.capacity {
            None => Some(1),
            Some(capacity) => self.capacity(capacity, bindings),
        };
        let carries: Vec<String> =
            item.carries.iter().flat_map(|message| self.carried(message, bindings)).collect();
        let name = full_name(&item.name.name, &indices?);
        Some(ChannelPlan { item, bindings, name, from: from?, to: to?, capacity: capacity?, carries })
    }

    fn capacity(&mut self, capacity: &Formula, bindings: &Bindings) -> Option<usize> {
        let value = self.evaluator(bindings).integer(capacity)?;
        if !(1..=LARGEST_CAPACITY).contains(&value) {
            let message = format!("a channel has room for 1 to {LARGEST_CAPACITY} messages, not {value}");
            return self.diagnostics.error(Code::OutOfRange, message, capacity.span());
        }
        usize::try_from(value).ok()
    }

    /// A message, or all elements of an array of messages.
    fn carried(&mut self, message: &Reference, bindings: &Bindings) -> Vec<String> {
        let elements = self.scope.messages.array(&message.name);
        if message.indices.is_empty() && !elements.is_empty() {
            return elements.iter().map(|(indices, _)| full_name(&message.name, indices)).collect();
        }
        let full = self.expander(bindings).reference(message);
        full.map(|full| full.to_string()).into_iter().collect()
    }

    /// Reports what is said past the channel that carries it, and by whom it cannot be.
    pub(super) fn check_ends(
        &mut self,
        heads: &[Option<Head>],
        plans: &[ChannelPlan<'_>],
        carriers: &Carriers,
    ) {
        for head in heads.iter().flatten() {
            let Head::Said(said) = head else { continue };
            let Some(plan) = carriers.get(&said.name).map(|number| &plans[*number]) else { continue };
            let (end, word, done) = match said.side {
                Side::Sender => (plan.from, "from", "send"),
                Side::Receiver => (plan.to, "to", "receive"),
                Side::Alone => {
                    let (message, channel) = (&said.name, &plan.name);
                    let text = format!(
                        "`{message}` is carried by the channel `{channel}`, so it is sent in one step and received in another"
                    );
                    let error = Diagnostic::error(Code::ChannelMessage, text, said.span);
                    let error =
                        error.help(format!("send it with `{message}!`, receive it with `{message}?`"));
                    self.diagnostics.push(error.label(plan.item.name.span, "the channel"));
                    continue;
                }
            };
            if let Some(end) = end.filter(|end| said.by != Some(*end)) {
                let (name, message) = (&self.model.agent(end).name, &said.name);
                let who = said.by.map_or("nobody", |by| &self.model.agent(by).name);
                let text = format!(
                    "`{who}` cannot {done} `{message}`: the channel `{}` goes {word} `{name}`",
                    plan.name
                );
                let error = Diagnostic::error(Code::WrongEnd, text, said.span);
                let error = error.help(format!("leave out `{word} {name}` if others may {done} as well"));
                self.diagnostics.push(error.label(plan.item.name.span, "the channel"));
            }
        }
    }

    /// Enters the channels into the model. What can be under way in them is not known before the messages are.
    pub(super) fn enter_channels(&mut self, plans: &[ChannelPlan<'_>]) {
        for plan in plans {
            let slot = |number: usize| Variable {
                is_slot: true,
                span: plan.item.name.span,
                ..Variable::new(
                    format!("{} {number}", plan.name),
                    Domain::Range { low: 0, high: 0 },
                    vec![0],
                    Visibility::Shared(Vec::new()),
                )
            };
            let slots: Vec<VariableId> =
                (1..=plan.capacity).map(|number| self.model.add_variable(slot(number))).collect();
            let unordered = plan.item.unordered;
            let tidy = slots.windows(2).map(|pair| {
                let (first, second) = (Expr::variable(pair[0]), Expr::variable(pair[1]));
                match unordered {
                    true => second.less_than(first.plus(Expr::Constant(1))),
                    false => Expr::or([is(pair[0], 0).negate(), second.equals(Expr::Constant(0))]),
                }
            });
            let old = std::mem::replace(&mut self.model.well_formed, Expr::TRUE);
            self.model.well_formed = Expr::and(std::iter::once(old).chain(tidy));
            let (name, span, messages) = (plan.name.clone(), plan.item.name.span, Vec::new());
            self.model.channels.push(Channel { name, slots, messages, unordered, span });
        }
    }

    /// Everything that can be under way in the channels.
    pub(super) fn fill_channels(&mut self, carriers: &Carriers, heads: &[Option<Head>]) {
        // A label has one message, and a message one channel.
        let mut known: FxHashSet<LabelId> = FxHashSet::default();
        for said in sent(heads) {
            if let Some(number) = carriers.get(&said.name) {
                let new = said.labels.iter().filter(|label| known.insert(**label));
                self.model.channels[*number].messages.extend(new);
            }
        }
        for channel in &self.model.channels {
            let high = channel.messages.len() as i64;
            for slot in &channel.slots {
                self.model.variables[slot.index()].domain = Domain::Range { low: 0, high };
            }
        }
    }

    /// The steps that channels make by themselves.
    pub(super) fn channel_steps(&mut self, plans: &[ChannelPlan<'_>]) {
        for (number, plan) in plans.iter().enumerate() {
            let mut steps: Vec<(&str, Guarded)> = Vec::new();
            let channel = &self.model.channels[number];
            if plan.item.lossy {
                steps.extend(channel.losses().into_iter().map(|guarded| ("lose", guarded)));
            }
            if plan.item.duplicating {
                steps.extend(channel.repetitions().into_iter().map(|guarded| ("repeat", guarded)));
            }
            let when = match &plan.item.when {
                None => Expr::TRUE,
                Some(when) => self.condition(when, plan.bindings).unwrap_or(Expr::TRUE),
            };
            for (word, (guard, updates)) in steps {
                let name = format!("{}.{word}", plan.name);
                let label = self.label(Label::Message(MessageLabel::new(name, None)));
                let span = plan.item.name.span;
                let guard = Expr::and([guard, when.clone()]);
                self.model.add_command(Command { guard, updates, span, ..Command::new(label) });
            }
        }
    }

    /// Warnings of channels at which one end is missing.
    pub(super) fn lonely_channels(&mut self, plans: &[ChannelPlan<'_>], heads: &[Option<Head>]) {
        for plan in plans {
            for message in &plan.carries {
                let has = |side: Side| {
                    let said = heads.iter().flatten().filter_map(|head| match head {
                        Head::Said(said) => Some(said),
                        Head::Act(_) => None,
                    });
                    said.into_iter().any(|said| said.name == *message && said.side == side)
                };
                let (sent, received) = (has(Side::Sender), has(Side::Receiver));
                let (code, what, word) = match (sent, received) {
                    (true, false) => (Code::NobodyReceives, "nobody receives", format!("{message}?")),
                    (false, _) => (Code::NobodySends, "nobody sends", format!("{message}!")),
                    (true, true) => continue,
                };
                let text = format!("{what} `{message}`, which the channel `{}` carries", plan.name);
                let warning = Diagnostic::warning(code, text, plan.item.name.span);
                self.diagnostics.push(warning.help(format!("write a transition with `{word}`")));
            }
        }
    }
}

/// The messages that are sent.
fn sent(heads: &[Option<Head>]) -> impl Iterator<Item = &Said> {
    heads.iter().flatten().filter_map(|head| match head {
        Head::Said(said) if said.side == Side::Sender => Some(said),
        Head::Said(_) | Head::Act(_) => None,
    })
}

fn is(variable: VariableId, value: i64) -> Expr {
    Expr::variable(variable).equals(Expr::Constant(value))
}
