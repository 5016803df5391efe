//! Messages: what they carry, to whom they are addressed, and the channels in which they are under way.

use servanda_logic::Carries;
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use crate::{AgentId, Domain, Expr, LabelId, Model, VariableId};

/// A message as the label of a transition: its sending, or its receiving from a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MessageLabel {
    /// Its full name, indices included.
    pub name: String,
    /// Who sends it, or receives it; `None`: nobody.
    pub by: Option<AgentId>,
    /// To whom it is addressed, in the order of the agents; nobody named: to everybody.
    pub to: Vec<AgentId>,
    /// What it carries: codes of the types of its [`MessageType`].
    pub values: Vec<i64>,
    /// Is it received from a channel?
    pub received: bool,
}

impl MessageLabel {
    /// A message that carries nothing, sent to everybody.
    pub fn new(name: impl Into<String>, by: Option<AgentId>) -> Self {
        MessageLabel { name: name.into(), by, to: Vec::new(), values: Vec::new(), received: false }
    }

    /// Is the agent among those to whom it is said?
    pub fn is_addressed_to(&self, agent: AgentId) -> bool {
        self.to.is_empty() || self.to.contains(&agent)
    }
}

/// What a declared message carries.
#[derive(Clone, Debug)]
pub struct MessageType {
    /// Its full name, indices included.
    pub name: String,
    /// The types of its values; those with names for the reader.
    pub parameters: Vec<(Option<String>, Domain)>,
    /// Where it was declared.
    pub span: Span,
}

/// Messages under way from senders to receivers.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its full name.
    pub name: String,
    /// The variables that hold what is under way, the oldest message first (`unordered`: in the order of codes, largest first). 0 is
    /// nothing; behind it there is nothing either.
    pub slots: Vec<VariableId>,
    /// What the codes from 1 on stand for: the labels of sendings.
    pub messages: Vec<LabelId>,
    /// Can messages overtake each other?
    pub unordered: bool,
    /// Where it was declared.
    pub span: Span,
}

impl Model {
    /// What a message carries, if it is declared.
    pub fn message_type(&self, name: &str) -> Option<&MessageType> {
        self.messages.iter().find(|message| message.name == name)
    }

    /// A message as the user writes it: `Ann -> Bob: quote(3, calm)`, and `Bob: quote?(3, calm)` where it is received.
    pub fn show_message(&self, message: &MessageLabel) -> String {
        let name = |agent: &AgentId| self.agent(*agent).name.as_str();
        let to = message.to.iter().map(name).collect::<Vec<_>>().join(", ");
        let head = match (&message.by, to.is_empty()) {
            (None, true) => String::new(),
            (None, false) => format!("-> {to}: "),
            (Some(by), true) => format!("{}: ", name(by)),
            (Some(by), false) => format!("{} -> {to}: ", name(by)),
        };
        format!("{head}{}", self.show_said(message))
    }

    /// What is said, without by whom and to whom: `quote(3, calm)`.
    pub fn show_said(&self, message: &MessageLabel) -> String {
        let side = if message.received { "?" } else { "" };
        format!("{}{side}{}", message.name, self.show_values(message))
    }

    fn show_values(&self, message: &MessageLabel) -> String {
        if message.values.is_empty() {
            return String::new();
        }
        let declared = self.message_type(&message.name).map_or(&[][..], |declared| &declared.parameters);
        let shown = message.values.iter().enumerate().map(|(position, value)| match declared.get(position) {
            Some((_, domain)) => domain.show(*value),
            None => value.to_string(),
        });
        format!("({})", shown.collect::<Vec<_>>().join(", "))
    }
}

impl Model {
    /// A channel by its full name.
    pub fn find_channel(&self, name: &str) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.name == name)
    }

    /// Where some message under way, or the oldest, matches a pattern, which is ground.
    pub(crate) fn carried(&self, carries: &Carries, diagnostics: &mut Vec<Diagnostic>) -> Option<Expr> {
        let name = carries.channel.to_string();
        let messages = self.messages_matching(&carries.message, diagnostics);
        let Some(channel) = self.find_channel(&name) else {
            let known = self.channels.iter().map(|channel| channel.name.as_str());
            return diagnostics.refuse(Diagnostic::unknown("channel", &name, carries.channel.span, known));
        };
        if carries.oldest && channel.unordered {
            let message = format!("the channel `{name}` is unordered: none of its messages is the oldest");
            let error = Diagnostic::error(Code::NoOldestMessage, message, carries.channel.span);
            return diagnostics.refuse(error.help(format!("ask for any of them: `{name}.has(..)`")));
        }
        let messages = messages?;
        let codes: Vec<i64> =
            (1..).zip(&channel.messages).filter(|(_, m)| messages.contains(m)).map(|(c, _)| c).collect();
        let slots = if carries.oldest { &channel.slots[..1] } else { &channel.slots[..] };
        let holds = |slot: &VariableId, code: &i64| Expr::variable(*slot).equals(Expr::Constant(*code));
        Some(Expr::or(
            slots.iter().flat_map(|slot| codes.iter().map(|code| holds(slot, code)).collect::<Vec<_>>()),
        ))
    }
}

impl Channel {
    /// How many messages are under way.
    pub fn length(&self) -> Expr {
        let counted = self.slots.iter().rev().zip((0..self.slots.len() as i64).rev());
        counted.fold(Expr::Constant(self.slots.len() as i64), |longer, (slot, length)| {
            let empty = Expr::variable(*slot).equals(Expr::Constant(0));
            Expr::If(Box::new(empty), Box::new(Expr::Constant(length)), Box::new(longer))
        })
    }
}
