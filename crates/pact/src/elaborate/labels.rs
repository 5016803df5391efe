//! What each transition says: acts, and messages with those who say them, to whom, and what they carry.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_logic::{ActKind, Arg, Formula, Kind, Reference, Rewrite};
use servanda_lower::resolve_act;
use servanda_model::{
    AgentId, Domain, Expr, Label, LabelId, MessageLabel, MessageType, bind_value, values_in_words,
};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all, optional};

use super::Elaborator;
use super::channels::ChannelPlan;
use super::machines::Edge;
use super::payload::Payload;
use crate::ast::{ItemKind, LabelItem, MessageItem, SaidItem, Side};
use crate::bindings::Bindings;
use crate::family::full_name;
use crate::unroll::{Instance, Unrolled};

/// What a transition does, when that is in order.
pub(super) enum Head {
    Act(LabelId),
    Said(Said),
}

/// A message of a transition.
pub(super) struct Said {
    pub(super) side: Side,
    pub(super) name: String,
    /// Who sends it; for a `?` who receives it.
    pub(super) by: Option<AgentId>,
    /// To whom it is addressed.
    pub(super) to: Vec<AgentId>,
    /// For a `?`: the only one whose message is received.
    pub(super) from: Option<AgentId>,
    pub(super) types: Vec<Domain>,
    pub(super) arguments: Vec<Argument>,
    /// What it can carry, when it is sent.
    pub(super) payload: Payload,
    /// The labels of its sending, for each of [`Payload::tuples`].
    pub(super) labels: Vec<LabelId>,
    pub(super) span: Span,
}

/// What stands between the parentheses of a message.
pub(super) enum Argument {
    /// `_`
    Open,
    /// A name for what is received.
    Bound(Arc<str>, Span),
    /// What is sent, or what must be received.
    Value(Expr),
}

impl Said {
    /// The names for what is received.
    pub(super) fn binders(&self) -> impl Iterator<Item = (usize, &Arc<str>, Span)> {
        self.arguments.iter().enumerate().filter_map(|(position, argument)| match argument {
            Argument::Bound(name, span) => Some((position, name, *span)),
            Argument::Open | Argument::Value(_) => None,
        })
    }

    /// Can this `?` receive the message with these values, as far as that is known without a state?
    pub(super) fn receives(&self, sent: &MessageLabel) -> bool {
        let addressed = sent.to.is_empty() || self.by.is_some_and(|by| sent.to.contains(&by));
        let equal = |name: &Arc<str>, value: i64| {
            self.binders().all(|(position, other, _)| other != name || sent.values[position] == value)
        };
        sent.name == self.name
            && addressed
            && (self.from.is_none() || self.from == sent.by)
            && self.binders().all(|(position, name, _)| equal(name, sent.values[position]))
    }

    /// Where the values are what the arguments want.
    pub(super) fn agrees(&self, values: &[i64]) -> Expr {
        let wanted = self.arguments.iter().zip(values).filter_map(|(argument, value)| match argument {
            Argument::Value(Expr::Constant(wanted)) if wanted == value => None,
            Argument::Value(wanted) => Some(wanted.clone().equals(Expr::Constant(*value))),
            Argument::Open | Argument::Bound(..) => None,
        });
        Expr::and(wanted)
    }
}

impl Elaborator<'_> {
    /// The declared messages.
    pub(super) fn messages(&mut self, unrolled: &Unrolled<'_>) {
        for Instance { item, bindings, .. } in &unrolled.instances {
            let ItemKind::Message(MessageItem { name, parameters }) = &item.kind else { continue };
            let elements = self.elements(&name.indices, bindings, name.span);
            let domains = all(parameters.iter().map(|(_, domain)| self.domain(domain, bindings)));
            let (Some(elements), Some(domains)) = (elements, domains) else {
                self.suspects.insert(name.name.clone());
                continue;
            };
            let names = parameters.iter().map(|(name, _)| name.as_ref().map(|name| name.text.to_string()));
            let parameters: Vec<(Option<String>, Domain)> = names.zip(domains).collect();
            for indices in elements {
                let number = self.model.messages.len();
                let declared = self.scope.messages.declare(&name.name, &indices, number, name.span);
                if self.diagnostics.accept(declared).is_some() {
                    let (full, span) = (full_name(&name.name, &indices), name.span);
                    self.model.messages.push(MessageType {
                        name: full,
                        parameters: parameters.clone(),
                        span,
                    });
                }
            }
        }
    }

    /// The names of messages with dots in them, which patterns have to tell from roles before a message.
    pub(super) fn said_in_parts(&mut self, unrolled: &Unrolled<'_>) {
        for Instance { item, .. } in &unrolled.instances {
            let name = match &item.kind {
                ItemKind::Message(message) => &message.name.name,
                ItemKind::Transition(transition) => match &transition.label {
                    LabelItem::Message(said) => &said.name.name,
                    LabelItem::Act { .. } => continue,
                },
                _ => continue,
            };
            if name.contains('.') {
                self.scope.said.insert(name.to_string());
            }
        }
    }

    /// What each transition says. Acts come first where messages carry something: what that is may depend on what is in force.
    pub(super) fn heads(&mut self, edges: &[Edge<'_>]) -> Vec<Option<Head>> {
        let mut heads: Vec<Option<Head>> = Vec::new();
        for edge in edges {
            let head = match &edge.transition.label {
                LabelItem::Act { act, span } => self.expander(&edge.bindings).act(act).and_then(|ground| {
                    let resolved = resolve_act(&self.model, &ground, *span, &mut self.diagnostics)?;
                    Some(Head::Act(self.label(Label::Act(resolved))))
                }),
                LabelItem::Message(said) if said.arguments.is_empty() => self.said(said, &edge.bindings),
                LabelItem::Message(_) => None,
            };
            heads.push(head);
        }
        self.model.number_commitments();
        for (edge, head) in edges.iter().zip(&mut heads) {
            if let LabelItem::Message(said) = &edge.transition.label
                && !said.arguments.is_empty()
            {
                *head = self.said(said, &edge.bindings);
            }
        }
        heads
    }

    fn said(&mut self, said: &SaidItem, bindings: &Bindings) -> Option<Head> {
        let role = optional(&said.role, |role| self.role(role, bindings));
        let to = self.agents_named(&said.to, bindings);
        let full = self.expander(bindings).reference(&said.name);
        let types = full.as_ref().and_then(|full| self.carried_types(said, full));
        let arguments = types.as_ref().and_then(|types| {
            let arguments = said.arguments.iter().zip(types);
            all(arguments.map(|(argument, domain)| self.argument(argument, domain, said.side, bindings)))
        });
        let (role, to, name, types, arguments) = (role?, to?, full?.to_string(), types?, arguments?);
        let (by, to, from) = match (said.side, to.as_slice()) {
            (Side::Receiver, []) => (role, to, None),
            (Side::Receiver, [receiver]) => (Some(*receiver), Vec::new(), role),
            (Side::Receiver, _) => {
                let message = "one role receives a message, and here several are named";
                let error = Diagnostic::error(Code::SeveralAddressees, message, said.span);
                return self.diagnostics.refuse(error.help("write a transition for each of them"));
            }
            _ => (role, to, None),
        };
        let span = said.span;
        let mut head = Said {
            side: said.side,
            name,
            by,
            to,
            from,
            types,
            arguments,
            payload: Payload::default(),
            labels: Vec::new(),
            span,
        };
        if said.side != Side::Receiver {
            head.payload = self.payload(&head)?;
            for values in head.payload.tuples.clone() {
                let (name, to) = (head.name.clone(), head.to.clone());
                let message = MessageLabel { name, by, to, values, received: false };
                head.labels.push(self.label(Label::Message(message)));
            }
        }
        Some(Head::Said(head))
    }

    /// What the message carries, if the transition says as much.
    fn carried_types(&mut self, said: &SaidItem, full: &Reference) -> Option<Vec<Domain>> {
        let indices: Vec<i64> = full.indices.iter().filter_map(crate::fold::constant).collect();
        let declared = match self.scope.messages.contains(&full.name) {
            false => None,
            true => {
                let found = self.scope.messages.find(&full.name, &indices, said.name.span).copied();
                Some(self.diagnostics.accept(found)?)
            }
        };
        let parameters = declared.map_or(&[][..], |number| &self.model.messages[number].parameters);
        let types: Vec<Domain> = parameters.iter().map(|(_, domain)| domain.clone()).collect();
        let found = said.arguments.len();
        if found == types.len() {
            return Some(types);
        }
        let first = said.arguments.first().and_then(Arg::given).map(Formula::kind);
        self.diagnostics.refuse(match declared {
            // `Make(Ann, c)` looks like an act.
            None if said.role.is_none()
                && matches!(first, Some(Kind::Name(role)) if self.scope.roles.contains(&role.name)) =>
            {
                let message = format!("`{}` is not an act", said.name.name);
                Diagnostic::error(Code::UnknownAct, message, said.name.span)
                    .suggest(&said.name.name, ActKind::names())
            }
            None => {
                let message =
                    format!("the message `{}` is not declared, so it carries nothing", said.name.name);
                let example = vec!["TYPE"; found].join(", ");
                Diagnostic::error(Code::UndeclaredPayload, message, said.span)
                    .help(format!("declare what it carries: `message {}({example})`", said.name.name))
            }
            Some(number) => {
                let wanted = values_in_words(types.len());
                let message = format!("`{}` carries {wanted}, found {found}", said.name.name);
                let declared = self.model.messages[number].span;
                Diagnostic::error(Code::WrongArguments, message, said.span).label(declared, "declared here")
            }
        })
    }

    fn argument(
        &mut self,
        argument: &Arg<Formula>,
        domain: &Domain,
        side: Side,
        bindings: &Bindings,
    ) -> Option<Argument> {
        let formula = match argument {
            Arg::Is(formula) => formula,
            Arg::Any if side == Side::Receiver => return Some(Argument::Open),
            // Reported where it was read.
            Arg::Any => return None,
        };
        if side == Side::Receiver
            && let Kind::Name(name) = formula.kind()
            && name.indices.is_empty()
            && bindings.get(&name.name).is_none()
            && self.scope.names.kind(&name.name).is_none()
        {
            return self.binder(name);
        }
        let ground = self.ground(formula, bindings)?;
        if asks_what_is_under_way(&ground) {
            let message = "what is under way depends on what messages carry, so it cannot be asked for here";
            let error = Diagnostic::error(Code::NotACondition, message, formula.span());
            return self.diagnostics.refuse(error.help("write a transition for each case, with `when`"));
        }
        let value = bind_value(&self.model, &ground, domain, &mut self.diagnostics)?;
        if let Some(number) = crate::fold::constant(&ground)
            && !domain.contains(number)
        {
            let message = format!("{number} is not in `{}`, which the message carries", domain.describe());
            return self.diagnostics.error(Code::OutOfRange, message, formula.span());
        }
        Some(Argument::Value(value))
    }

    /// A name for what is received, which must stand for nothing else.
    fn binder(&mut self, name: &Reference) -> Option<Argument> {
        let text = &*name.name;
        let scope = &self.scope;
        let taken = [
            (scope.roles.contains(text), "a role"),
            (scope.groups.contains(text), "a group"),
            (scope.machines.contains(text), "a machine"),
            (scope.messages.contains(text), "a message"),
            (scope.types.contains_key(text), "a type"),
            (scope.channels.contains(text), "a channel"),
        ];
        match taken.iter().find(|(taken, _)| *taken) {
            None => Some(Argument::Bound(name.name.clone(), name.span)),
            Some((_, what)) => {
                let message = format!("`{text}` is {what}, so it cannot stand for what is received");
                let error = Diagnostic::error(Code::ShadowingBinder, message, name.span);
                self.diagnostics.refuse(error.help("choose a name that is declared nowhere"))
            }
        }
    }

    /// Makes the names of messages known that are written but never said: nothing is labelled with them.
    pub(super) fn know_messages(&mut self, heads: &[Option<Head>], channels: &[ChannelPlan<'_>]) {
        let received = heads.iter().flatten().filter_map(|head| match head {
            Head::Said(said) => Some((&said.name, said.span)),
            Head::Act(_) => None,
        });
        let carried = channels
            .iter()
            .flat_map(|channel| channel.carries.iter().map(|message| (message, channel.item.name.span)));
        let said = self.model.labels.iter().filter_map(|label| match label {
            Label::Message(message) => Some(message.name.clone()),
            Label::Act(_) | Label::Action { .. } => None,
        });
        let declared = self.model.messages.iter().map(|message| message.name.clone());
        let mut known: FxHashSet<String> = said.chain(declared).collect();
        for (name, span) in received.chain(carried) {
            if known.insert(name.clone()) {
                let name = name.clone();
                self.model.messages.push(MessageType { name, parameters: Vec::new(), span });
            }
        }
    }

    /// As [`servanda_model::Model::add_label`], without looking through all labels.
    pub(super) fn label(&mut self, label: Label) -> LabelId {
        let labels = &mut self.model.labels;
        *self.label_numbers.entry(label).or_insert_with_key(|label| {
            labels.push(label.clone());
            LabelId::from_index(labels.len() - 1)
        })
    }
}

fn asks_what_is_under_way(formula: &Formula) -> bool {
    let mut asks = matches!(formula.kind(), Kind::Carries(_));
    formula.for_each_child(|child| asks = asks || asks_what_is_under_way(child));
    asks
}
