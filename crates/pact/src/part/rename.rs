//! A part's statements with the name of the part before every name in them. Names of indices are changed too, so that the condition under
//! which the part runs, which is read where it is used, means the same everywhere.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_logic::{
    ActionPattern, Arg, At, Binary, Carries, Comprehension, Formula, Group, Kind, Reference, Rewrite, Tag,
};

use super::role_names;
use crate::ast::{
    Assignment, Block, ChannelItem, Declared, DomainItem, Extent, Initial, Item, ItemKind, LabelItem,
    MessageItem, Name, PropertyItem, SaidItem, Transition, UseItem, Variables,
};
use crate::parse::File;

pub(super) struct Renamer<'a> {
    part: &'a UseItem,
    /// The roles of the part that are roles of the file that uses it.
    given: FxHashMap<Arc<str>, Reference>,
    roles: FxHashSet<Arc<str>>,
    /// Types that both files know, and their values: they keep their names.
    shared: FxHashSet<Arc<str>>,
    /// The machine that `in NAME` means in the part.
    machine: Option<String>,
    has_clock: bool,
    declares_final: bool,
}

/// Statements that belong to the control states of a file without machines.
fn is_of_machine(item: &Item) -> bool {
    use ItemKind::{Final, Start, Transition, Wait};
    matches!(item.kind, Start(_) | Transition(_) | Final(_) | Wait { .. })
}

impl<'a> Renamer<'a> {
    pub(super) fn new(
        part: &'a UseItem,
        file: &File,
        given: FxHashMap<Arc<str>, Reference>,
        shared: Vec<Arc<str>>,
    ) -> Self {
        let literals = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Type { name, domain: DomainItem::Enumeration(literals) }
                if shared.contains(&name.text) =>
            {
                Some(literals.iter().map(|literal| literal.text.clone()))
            }
            _ => None,
        });
        let shared_literals: Vec<Arc<str>> = literals.flatten().collect();
        let machines: Vec<&Reference> = file
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Machine { name, .. } => Some(name),
                _ => None,
            })
            .filter(|name| !file.is_of_part(&name.name))
            .collect();
        let machine = match machines.as_slice() {
            [] => Some(part.name.text.to_string()),
            [only] => Some(format!("{}.{only}", part.name.text)),
            _ => None,
        };
        let names = crate::names::collect(&file.items, &mut Vec::new());
        Renamer {
            part,
            given,
            roles: file.items.iter().flat_map(|item| role_names(&item.kind)).map(Arc::from).collect(),
            shared: shared.into_iter().chain(shared_literals).collect(),
            machine,
            has_clock: file.items.iter().any(|item| matches!(item.kind, ItemKind::Clock { .. })),
            declares_final: names.kind("final").is_some(),
        }
    }

    /// The statements as they stand in the file that uses the part. Control states outside of machines become the machine that is called
    /// like the part.
    pub(super) fn items(mut self, items: &[Item]) -> Vec<Item> {
        let mut renamed = self.block(items, false);
        let own = self.block(items, true);
        if let Some(first) = items.iter().find(|item| is_of_machine(item)) {
            let name = Reference { name: self.part.name.text.clone(), indices: Vec::new(), span: first.span };
            let body = Block { items: own, open: first.span, close: first.span };
            let kind = ItemKind::Machine { name, seers: Vec::new(), body };
            renamed.push(Item { kind, span: first.span });
        }
        renamed
    }

    /// The statements that belong to the machine without a name, or all others.
    fn block(&mut self, items: &[Item], of_machine: bool) -> Vec<Item> {
        let mut renamed = Vec::new();
        for item in items {
            let kind = match &item.kind {
                ItemKind::For { index, low, high, body } => {
                    let items = self.block(&body.items, of_machine);
                    if items.is_empty() {
                        continue;
                    }
                    let (low, high) = (self.expression(low), self.expression(high));
                    Some(ItemKind::For {
                        index: self.name(index),
                        low,
                        high,
                        body: Block { items, ..body.clone() },
                    })
                }
                _ if is_of_machine(item) != of_machine => None,
                kind => self.item(kind),
            };
            renamed.extend(kind.map(|kind| Item { kind, span: item.span }));
        }
        renamed
    }

    /// All statements of a machine.
    fn body(&mut self, body: &Block) -> Block {
        let mut items = self.block(&body.items, true);
        items.extend(self.block(&body.items, false));
        Block { items, ..body.clone() }
    }

    fn item(&mut self, kind: &ItemKind) -> Option<ItemKind> {
        Some(match kind {
            ItemKind::Param { name, value } => {
                let given = self.part.given.iter().find(|(given, _)| given.text == name.text);
                let value = given.map_or_else(|| self.expression(value), |(_, value)| value.clone());
                ItemKind::Param { name: self.name(name), value }
            }
            ItemKind::Roles(roles) => ItemKind::Roles(self.roles(roles)?),
            ItemKind::Variables(variables) => ItemKind::Variables(self.variables(variables)),
            ItemKind::Red { role, condition } => {
                ItemKind::Red { role: self.role(role)?, condition: self.expression(condition) }
            }
            ItemKind::Proposition { name, formula } => {
                ItemKind::Proposition { name: self.prefixed(name), formula: self.expression(formula) }
            }
            ItemKind::Commitment { name, formula, private } => {
                let (name, formula) = (self.prefixed(name), self.expression(formula));
                ItemKind::Commitment { name, formula, private: *private }
            }
            ItemKind::Start(name) => ItemKind::Start(self.location(name)),
            ItemKind::Transition(transition) => ItemKind::Transition(self.transition(transition)?),
            ItemKind::Access { debtor, creditor, guard } => ItemKind::Access {
                debtor: self.role(debtor)?,
                creditor: self.role(creditor)?,
                guard: self.expression(guard),
            },
            ItemKind::Fair(formula) => ItemKind::Fair(self.expression(formula)),
            ItemKind::FairSteps { strength, step } => {
                ItemKind::FairSteps { strength: *strength, step: self.expression(step) }
            }
            ItemKind::Group { name, members } => {
                ItemKind::Group { name: self.prefixed(name), members: self.people(members) }
            }
            ItemKind::Property(property) if self.part.with_properties => ItemKind::Property(PropertyItem {
                name: self.prefixed(&property.name),
                formula: self.expression(&property.formula),
                ..property.clone()
            }),
            ItemKind::Machine { name, seers, body } => ItemKind::Machine {
                name: self.prefixed(name),
                seers: self.people(seers),
                body: self.body(body),
            },
            ItemKind::Type { name, domain } if !self.shared.contains(&name.text) => {
                ItemKind::Type { name: self.name(name), domain: self.domain(domain) }
            }
            ItemKind::Message(message) => ItemKind::Message(self.message_item(message)),
            ItemKind::Channel(channel) => ItemKind::Channel(self.channel(channel)?),
            ItemKind::Clock { names, domain } => ItemKind::Clock {
                names: names.iter().map(|name| self.declared(name)).collect(),
                domain: self.domain(domain),
            },
            ItemKind::Init(condition) => ItemKind::Init(self.expression(condition)),
            ItemKind::Final(states) => {
                ItemKind::Final(states.iter().map(|state| self.location(state)).collect())
            }
            ItemKind::Wait { state, condition } => {
                ItemKind::Wait { state: self.location(state), condition: self.expression(condition) }
            }
            ItemKind::Protocol(_)
            | ItemKind::Semantics(_)
            | ItemKind::Property(_)
            | ItemKind::Type { .. }
            | ItemKind::For { .. }
            | ItemKind::Decompose(_)
            | ItemKind::Use(_)
            | ItemKind::Scenario(_)
            | ItemKind::Broken => return None,
        })
    }

    /// The roles that stay, if any do: others are given by whoever uses the part.
    fn roles(&mut self, roles: &[Declared]) -> Option<Vec<Declared>> {
        let own: Vec<&Declared> = roles.iter().filter(|role| !self.given.contains_key(&role.name)).collect();
        let own: Vec<Declared> = own.into_iter().map(|role| self.declared(role)).collect();
        (!own.is_empty()).then_some(own)
    }

    fn variables(&mut self, Variables { owners, names, domain, initial }: &Variables) -> Variables {
        Variables {
            owners: self.people(owners),
            names: names.iter().map(|name| self.declared(name)).collect(),
            domain: self.domain(domain),
            initial: initial.as_ref().map(|initial| self.values(initial)),
        }
    }

    fn message_item(&mut self, MessageItem { name, parameters }: &MessageItem) -> MessageItem {
        let name = self.declared(name);
        let parameters = parameters.iter().map(|(name, domain)| (name.clone(), self.domain(domain)));
        MessageItem { name, parameters: parameters.collect() }
    }

    fn channel(&mut self, channel: &ChannelItem) -> Option<ChannelItem> {
        let end =
            |renamer: &mut Self, role: &Option<Reference>| role.as_ref().and_then(|role| renamer.role(role));
        Some(ChannelItem {
            name: self.prefixed(&channel.name),
            from: end(self, &channel.from),
            to: end(self, &channel.to),
            capacity: channel.capacity.as_ref().map(|capacity| self.expression(capacity)),
            carries: channel.carries.iter().map(|message| self.prefixed(message)).collect(),
            when: self.condition(channel.when.as_ref()),
            ..channel.clone()
        })
    }

    fn transition(&mut self, transition: &Transition) -> Option<Transition> {
        let label = match &transition.label {
            LabelItem::Act { act, span } => LabelItem::Act { act: self.act(act)?, span: *span },
            LabelItem::Message(said) => LabelItem::Message(SaidItem {
                role: said.role.as_ref().and_then(|role| self.role(role)),
                to: self.people(&said.to),
                name: self.message_name(&said.name),
                arguments: said.arguments.iter().map(|argument| self.argument(argument)).collect(),
                ..said.clone()
            }),
        };
        Some(Transition {
            from: self.location(&transition.from),
            label,
            guard: self.condition(transition.guard.as_ref()),
            sets: transition.sets.iter().map(|set| self.assignment(set)).collect(),
            to: self.location(&transition.to),
        })
    }

    fn assignment(&mut self, set: &Assignment) -> Assignment {
        match set {
            Assignment::Is { target, value } => {
                Assignment::Is { target: self.prefixed(target), value: self.expression(value) }
            }
            Assignment::OneOf { target, values } => {
                Assignment::OneOf { target: self.prefixed(target), values: self.values(values) }
            }
            Assignment::Each { index, low, high, body } => Assignment::Each {
                index: self.name(index),
                low: self.expression(low),
                high: self.expression(high),
                body: Box::new(self.assignment(body)),
            },
        }
    }

    fn values(&mut self, values: &Initial) -> Initial {
        let parts = values.parts.iter().map(|part| self.extent(part)).collect();
        Initial { parts, braces: values.braces }
    }

    /// A condition of the part, and the one under which the part runs.
    fn condition(&mut self, own: Option<&Formula>) -> Option<Formula> {
        let own = own.map(|own| self.expression(own));
        match (self.part.when.clone(), own) {
            (Some(when), Some(own)) => {
                let span = own.span();
                Some(when.binary(Binary::And, own).with_span(span))
            }
            (when, own) => when.or(own),
        }
    }

    fn domain(&mut self, domain: &DomainItem) -> DomainItem {
        match domain {
            DomainItem::Bool => DomainItem::Bool,
            DomainItem::Range { low, high, span } => {
                DomainItem::Range { low: self.expression(low), high: self.expression(high), span: *span }
            }
            DomainItem::Enumeration(literals) => {
                DomainItem::Enumeration(literals.iter().map(|literal| self.name(literal)).collect())
            }
            DomainItem::Named(name) => DomainItem::Named(self.prefixed(name)),
        }
    }

    fn declared(&mut self, declared: &Declared) -> Declared {
        Declared {
            name: self.text(&declared.name),
            indices: declared.indices.iter().map(|extent| self.extent(extent)).collect(),
            span: declared.span,
        }
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        let high = extent.high.as_ref().map(|high| self.expression(high));
        Extent { low: self.expression(&extent.low), high }
    }

    fn text(&self, name: &Arc<str>) -> Arc<str> {
        if self.shared.contains(name) {
            name.clone()
        } else {
            format!("{}.{name}", self.part.name.text).into()
        }
    }

    fn name(&self, name: &Name) -> Name {
        Name { text: self.text(&name.text), span: name.span }
    }

    fn prefixed(&mut self, name: &Reference) -> Reference {
        Reference { name: self.text(&name.name), ..self.location(name) }
    }

    /// Only the indices: the names of control states are the machine's own.
    fn location(&mut self, name: &Reference) -> Reference {
        let indices = name.indices.iter().map(|index| self.expression(index)).collect();
        Reference { name: name.name.clone(), indices, span: name.span }
    }

    /// `tick` is the same for all.
    fn message_name(&mut self, name: &Reference) -> Reference {
        if self.has_clock && &*name.name == "tick" { name.clone() } else { self.prefixed(name) }
    }

    fn argument(&mut self, argument: &Arg<Formula>) -> Arg<Formula> {
        match argument {
            Arg::Any => Arg::Any,
            Arg::Is(value) => Arg::Is(self.expression(value)),
        }
    }

    /// Roles and groups.
    fn people(&mut self, names: &[Reference]) -> Vec<Reference> {
        names.iter().map(|name| self.person(name)).collect()
    }

    fn person(&mut self, name: &Reference) -> Reference {
        self.given.get(&name.name).cloned().unwrap_or_else(|| self.prefixed(name))
    }

    fn expression(&mut self, formula: &Formula) -> Formula {
        let kind = match formula.kind() {
            Kind::Name(name) if &*name.name == "final" && !self.declares_final => formula.kind().clone(),
            Kind::Name(name) => Kind::Name(self.prefixed(name)),
            Kind::At(At { machine: None, location }) => {
                let machine = self.machine.as_ref().map(|name| Reference::plain(name, formula.span()));
                Kind::At(At { machine, location: self.location(location) })
            }
            Kind::At(At { machine: Some(machine), location }) => {
                Kind::At(At { machine: Some(self.prefixed(machine)), location: self.location(location) })
            }
            Kind::Comprehension(Comprehension { join, index, low, high, body }) => {
                let (low, high) = (self.expression(low), self.expression(high));
                let (index, body) = (self.text(index), self.expression(body));
                Kind::Comprehension(Comprehension { join: *join, index, low, high, body })
            }
            Kind::Length(channel) => Kind::Length(self.prefixed(channel)),
            Kind::Carries(Carries { channel, oldest, message }) => {
                let message = self.message(message).unwrap_or_else(|| message.clone());
                Kind::Carries(Carries { channel: self.prefixed(channel), oldest: *oldest, message })
            }
            kind => kind.rewrite(self).unwrap_or_else(|| kind.clone()),
        };
        Formula::new(kind, formula.span())
    }
}

impl Rewrite for Renamer<'_> {
    fn formula(&mut self, formula: &Formula) -> Option<Formula> {
        Some(self.expression(formula))
    }

    fn reference(&mut self, reference: &Reference) -> Option<Reference> {
        Some(self.prefixed(reference))
    }

    fn role(&mut self, name: &Reference) -> Option<Reference> {
        Some(self.person(name))
    }

    fn group(&mut self, group: &Group) -> Option<Group> {
        Some(match group {
            // All roles of the part; the file that uses it may have more.
            Group::Everybody => Group::Everybody,
            Group::Named(name) => Group::Named(self.person(name)),
            Group::Listed(members) => Group::Listed(self.people(members)),
        })
    }

    /// The moment of a commitment is a name for itself, unless it is an index or a parameter: with the part's name before it is as good.
    fn tag(&mut self, tag: &Tag) -> Option<Tag> {
        Some(match tag {
            Tag::Name(name) => Tag::Name(self.prefixed(name)),
            Tag::Number(number) => Tag::Number(*number),
        })
    }

    fn message(&mut self, action: &ActionPattern) -> Option<ActionPattern> {
        let arguments = action.arguments.as_ref();
        let arguments = arguments.map(|list| list.iter().map(|argument| self.argument(argument)).collect());
        // Before the dot stands a role, or a part or channel of the part.
        let (agent, name) = match &action.agent {
            Some(agent) if !agent.indices.is_empty() && !self.roles.contains(&agent.name) => {
                (Some(self.prefixed(agent)), action.name.clone())
            }
            Some(agent) if action.to.is_empty() && !self.roles.contains(&agent.name) => {
                let name = format!("{}.{}", agent.name, action.name.name);
                (None, self.prefixed(&Reference { name: name.into(), ..action.name.clone() }))
            }
            agent => (agent.as_ref().map(|agent| self.person(agent)), self.message_name(&action.name)),
        };
        Some(ActionPattern { agent, to: self.people(&action.to), name, arguments, ..action.clone() })
    }
}
