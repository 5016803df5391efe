//! Every name of a file, with what it stands for.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_abta::decompose::Rule;
use servanda_logic::{Arg, Formula, Kind, Reference, Rewrite};
use servanda_syntax::{Span, SymbolKind, Symbols};

use super::{Declared, Space, occurrence, own_place};
use crate::ast::{
    Assignment, Block, ChannelItem, Declared as DeclaredName, DecomposeItem, DomainItem, Extent, Initial,
    Item, ItemKind, LabelItem, Name, ScenarioStepItem, Transition, UseItem, Variables,
};

/// Goes through all statements.
pub(super) struct Uses<'a> {
    pub(super) text: &'a str,
    pub(super) known: &'a Declared,
    pub(super) symbols: &'a mut Symbols,
    /// The indices that are in force, the innermost last, with their scopes.
    pub(super) indices: Vec<(Arc<str>, Arc<str>)>,
    pub(super) machine: Arc<str>,
    /// The statement that is read.
    pub(super) statement: Span,
    /// Control states whose first transition has been seen.
    left: FxHashSet<(Arc<str>, Arc<str>)>,
    /// The formulas that are no parts of others.
    pub(super) formulas: Vec<Formula>,
    /// How deep in one of them the names are that are read.
    pub(super) depth: usize,
}

impl<'a> Uses<'a> {
    pub(super) fn new(text: &'a str, known: &'a Declared, symbols: &'a mut Symbols) -> Self {
        let (indices, machine) = (Vec::new(), "".into());
        let (statement, left) = (Span::default(), FxHashSet::default());
        let (formulas, depth) = (Vec::new(), 0);
        Uses { text, known, symbols, indices, machine, statement, left, formulas, depth }
    }

    pub(super) fn items(&mut self, items: &[Item]) {
        for item in items {
            self.statement = item.span;
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Protocol(name) => self.declare(name, SymbolKind::Protocol),
            ItemKind::Param { name, value } => {
                self.declare(name, SymbolKind::Parameter);
                self.read(value);
            }
            ItemKind::Roles(roles) => self.declared(roles, SymbolKind::Role),
            ItemKind::Variables(variables) => self.variables(variables),
            ItemKind::Clock { names, domain } => {
                self.declared(names, SymbolKind::Clock);
                self.domain(domain);
            }
            ItemKind::Red { role, condition } => {
                self.name(role, Space::Role);
                self.read(condition);
            }
            ItemKind::Proposition { name, formula } => {
                self.declare_with_indices(name, SymbolKind::Proposition);
                self.read(formula);
            }
            ItemKind::Commitment { name, formula, .. } => {
                self.declare_with_indices(name, SymbolKind::Commitment);
                self.read(formula);
            }
            ItemKind::Start(state) => self.state(state),
            ItemKind::Transition(transition) => self.transition(transition),
            ItemKind::Access { debtor, creditor, guard } => {
                self.name(debtor, Space::Role);
                self.name(creditor, Space::Role);
                self.read(guard);
            }
            ItemKind::Fair(formula) | ItemKind::FairSteps { step: formula, .. } | ItemKind::Init(formula) => {
                self.read(formula);
            }
            ItemKind::Group { name, members } => {
                self.declare_with_indices(name, SymbolKind::Group);
                members.iter().for_each(|member| self.name(member, Space::Role));
            }
            ItemKind::Property(property) => {
                self.declare_with_indices(&property.name, SymbolKind::Property);
                self.read(&property.formula);
            }
            ItemKind::Machine { name, seers, body } => self.machine(name, seers, body),
            ItemKind::Type { name, domain } => {
                self.declare(name, SymbolKind::Type);
                self.domain(domain);
            }
            ItemKind::Message(message) => {
                self.declared(std::slice::from_ref(&message.name), SymbolKind::Message);
                message.parameters.iter().for_each(|(_, domain)| self.domain(domain));
            }
            ItemKind::Channel(channel) => self.channel(channel),
            ItemKind::Final(states) => states.iter().for_each(|state| self.state(state)),
            ItemKind::Wait { state, condition } => {
                self.state(state);
                self.read(condition);
            }
            ItemKind::Use(part) => self.part(part),
            ItemKind::Scenario(scenario) => {
                self.declare_with_indices(&scenario.name, SymbolKind::Scenario);
                for step in &scenario.steps {
                    if let ScenarioStepItem::Step(does) = step {
                        self.read(does);
                    }
                }
            }
            ItemKind::For { index, low, high, body } => {
                self.read(low);
                self.read(high);
                self.with_index(&index.text, Some(index.span), |uses| uses.items(&body.items));
            }
            ItemKind::Decompose(decompose) => self.decompose(decompose),
            ItemKind::Semantics(_) => {}
            ItemKind::Broken => self.broken(item.span),
        }
    }

    fn machine(&mut self, name: &Reference, seers: &[Reference], body: &Block) {
        self.declare_with_indices(name, SymbolKind::Machine);
        seers.iter().for_each(|seer| self.name(seer, Space::Role));
        let outside = std::mem::replace(&mut self.machine, name.name.clone());
        self.items(&body.items);
        self.machine = outside;
    }

    /// Where a statement could not be read, every word is taken for what it is elsewhere, if it is only one thing.
    fn broken(&mut self, span: Span) {
        let words: Vec<Span> = self
            .symbols
            .tokens
            .iter()
            .map(|token| token.span)
            .filter(|place| span.start <= place.start && place.end <= span.end)
            .collect();
        for place in words {
            let Some(word) = self.text.get(place.start as usize..place.end as usize) else { continue };
            let spaces = [
                Space::Value,
                Space::Role,
                Space::Message,
                Space::Machine,
                Space::Channel,
                Space::Type,
                Space::Part,
            ];
            let mut found: Vec<(SymbolKind, Arc<str>)> = spaces
                .iter()
                .flat_map(|space| self.known.find(*space, word))
                .map(|(scope, kind)| (*kind, scope.clone()))
                .collect();
            if let Some(machine) = self.known.machine_of(word, None, &self.machine) {
                found.push((SymbolKind::State, machine.clone()));
            }
            if let [only] = found.as_slice() {
                self.symbols.occurrences.push(occurrence(word, only.clone(), place, self.statement));
            }
        }
    }

    fn variables(&mut self, Variables { owners, names, domain, initial }: &Variables) {
        owners.iter().for_each(|owner| self.name(owner, Space::Role));
        self.declared(names, SymbolKind::Variable);
        self.domain(domain);
        initial.iter().for_each(|initial| self.values(initial));
    }

    fn channel(&mut self, channel: &ChannelItem) {
        self.declare_with_indices(&channel.name, SymbolKind::Channel);
        channel.from.iter().chain(&channel.to).for_each(|role| self.name(role, Space::Role));
        channel.capacity.iter().for_each(|capacity| self.read(capacity));
        channel.carries.iter().for_each(|message| self.name(message, Space::Message));
    }

    fn part(&mut self, part: &UseItem) {
        self.declare(&part.name, SymbolKind::Part);
        for (theirs, ours) in &part.given {
            let scope = part.name.text.clone();
            if let Some(span) = own_place(self.text, theirs.span, &theirs.text) {
                self.push(&theirs.text, (SymbolKind::Foreign, scope), span, false);
            }
            match ours.kind() {
                Kind::Name(name) if !self.known.find(Space::Role, &name.name).is_empty() => {
                    self.name(name, Space::Role);
                }
                _ => self.read(ours),
            }
        }
        part.when.iter().for_each(|when| self.read(when));
    }

    fn transition(&mut self, Transition { from, label, guard, sets, to }: &Transition) {
        let first = self.left.insert((self.machine.clone(), from.name.clone()));
        self.state(from);
        if let (true, Some(last)) = (first && from.indices.is_empty(), self.symbols.occurrences.last_mut()) {
            last.declares = last.kind == SymbolKind::State;
        }
        match label {
            LabelItem::Act { act, .. } => {
                let _ = self.act(act);
            }
            LabelItem::Message(said) => {
                said.role.iter().chain(&said.to).for_each(|role| self.name(role, Space::Role));
                self.name(&said.name, Space::Message);
                said.arguments.iter().filter_map(Arg::given).for_each(|value| self.read(value));
            }
        }
        guard.iter().for_each(|guard| self.read(guard));
        sets.iter().for_each(|set| self.assignment(set));
        self.state(to);
    }

    fn assignment(&mut self, set: &Assignment) {
        match set {
            Assignment::Is { target, value } => {
                self.name(target, Space::Value);
                self.read(value);
            }
            Assignment::OneOf { target, values } => {
                self.name(target, Space::Value);
                self.values(values);
            }
            Assignment::Each { index, low, high, body } => {
                self.read(low);
                self.read(high);
                self.with_index(&index.text, Some(index.span), |uses| uses.assignment(body));
            }
        }
    }

    fn decompose(&mut self, decompose: &DecomposeItem) {
        let _ = self.act(&decompose.act);
        let formulas = decompose.states.iter().flat_map(|state| &state.formulas);
        formulas.for_each(|formula| self.read(formula));
        for edge in &decompose.edges {
            if let Rule::Commitment(role) = &edge.rule {
                self.name(role, Space::Role);
            }
        }
    }

    fn domain(&mut self, domain: &DomainItem) {
        match domain {
            DomainItem::Bool => {}
            DomainItem::Range { low, high, .. } => [low, high].into_iter().for_each(|bound| self.read(bound)),
            DomainItem::Enumeration(literals) => {
                literals.iter().for_each(|name| self.declare(name, SymbolKind::Value));
            }
            DomainItem::Named(name) => self.name(name, Space::Type),
        }
    }

    fn values(&mut self, values: &Initial) {
        values.parts.iter().for_each(|part| self.extent(part));
    }

    fn extent(&mut self, Extent { low, high }: &Extent) {
        std::iter::once(low).chain(high).for_each(|bound| self.read(bound));
    }

    fn declared(&mut self, names: &[DeclaredName], kind: SymbolKind) {
        for name in names {
            if let Some(span) = own_place(self.text, name.span, &name.name) {
                self.push(&name.name, (kind, "".into()), span, true);
            }
            name.indices.iter().for_each(|extent| self.extent(extent));
        }
    }

    fn declare(&mut self, name: &Name, kind: SymbolKind) {
        self.push(&name.text, (kind, "".into()), name.span, true);
    }

    fn declare_with_indices(&mut self, name: &Reference, kind: SymbolKind) {
        if let Some(span) = own_place(self.text, name.span, &name.name) {
            self.push(&name.name, (kind, "".into()), span, true);
        }
        name.indices.iter().for_each(|index| self.read(index));
    }

    pub(super) fn push(
        &mut self,
        name: &str,
        stands_for: (SymbolKind, Arc<str>),
        span: Span,
        declares: bool,
    ) {
        let found = occurrence(name, stands_for, span, self.statement);
        self.symbols.occurrences.push(servanda_syntax::Occurrence { declares, ..found });
    }

    /// A control state of the machine that is read.
    fn state(&mut self, state: &Reference) {
        let machine = self.machine.clone();
        self.state_of(state, &machine);
    }

    pub(super) fn state_of(&mut self, state: &Reference, machine: &Arc<str>) {
        if let Some(span) = own_place(self.text, state.span, &state.name) {
            self.push(&state.name, (SymbolKind::State, machine.clone()), span, false);
        }
        state.indices.iter().for_each(|index| self.read(index));
    }
}
