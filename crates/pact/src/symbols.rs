//! What the names of a file stand for: every declaration and every use with its kind and place. Statements that cannot be read spoil
//! nothing but themselves, and even in them names are found that are declared elsewhere.

mod formulas;
mod outline;
mod uses;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_logic::Formula;
use servanda_syntax::{Occurrence, Span, SymbolKind, Symbols};

use crate::ast::{DomainItem, Item, ItemKind, LabelItem};
use crate::parse::{File, KEYWORDS, parse};

/// What the names of a file stand for. Names and types need not be right.
///
/// ```
/// use servanda_syntax::SymbolKind;
///
/// let symbols = servanda_pact::symbols("roles Cus, Mer\nstart idle\nidle -- Cus: pay --> \nproperty p = AG (in idle)");
/// let kinds: Vec<SymbolKind> = symbols.occurrences.iter().map(|found| found.kind).collect();
/// use SymbolKind::{Property, Role, State};
/// assert_eq!(kinds, [Role, Role, State, State, Role, Property, State]);
/// ```
pub fn symbols(text: &str) -> Symbols {
    of_file(text, &mut parse(text, 0)).0
}

/// What the names of a file stand for that has been read, and its formulas as written. The tokens are taken out of the file.
pub(crate) fn of_file(text: &str, file: &mut File) -> (Symbols, Vec<Formula>) {
    let mut names = Declared { known: FxHashMap::default(), machine: "".into() };
    names.items(&file.items);
    let tokens = std::mem::take(&mut file.tokens);
    let mut symbols = Symbols { tokens, keywords: KEYWORDS, ..Symbols::default() };
    let mut uses = uses::Uses::new(text, &names, &mut symbols);
    uses.items(&file.items);
    let formulas = uses.formulas;
    outline::add(text, &file.items, &mut symbols);
    (symbols.in_order(), formulas)
}

/// Names that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Space {
    /// What formulas can name.
    Value,
    /// Roles and groups.
    Role,
    State,
    Message,
    Machine,
    Channel,
    Type,
    Property,
    Part,
}

/// What a name stands for, in which scopes.
type Scopes = Vec<(Arc<str>, SymbolKind)>;

/// What is declared: name by name, with the machine for control states.
struct Declared {
    known: FxHashMap<(Space, Arc<str>), Scopes>,
    /// The machine whose statements are read.
    machine: Arc<str>,
}

impl Declared {
    fn add(&mut self, space: Space, name: &Arc<str>, kind: SymbolKind) {
        let scope = if space == Space::State { self.machine.clone() } else { "".into() };
        let known = self.known.entry((space, name.clone())).or_default();
        if !known.iter().any(|(other, _)| *other == scope) {
            known.push((scope, kind));
        }
    }

    fn find(&self, space: Space, name: &str) -> &[(Arc<str>, SymbolKind)] {
        self.known.get(&(space, Arc::from(name))).map_or(&[], Vec::as_slice)
    }

    fn items(&mut self, items: &[Item]) {
        items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Param { name, .. } => self.add(Space::Value, &name.text, SymbolKind::Parameter),
            ItemKind::Roles(roles) => {
                roles.iter().for_each(|role| self.add(Space::Role, &role.name, SymbolKind::Role));
            }
            ItemKind::Variables(variables) => {
                for name in &variables.names {
                    self.add(Space::Value, &name.name, SymbolKind::Variable);
                }
                self.literals(&variables.domain);
            }
            ItemKind::Clock { names, domain } => {
                names.iter().for_each(|name| self.add(Space::Value, &name.name, SymbolKind::Clock));
                self.literals(domain);
            }
            ItemKind::Proposition { name, .. } => {
                self.add(Space::Value, &name.name, SymbolKind::Proposition);
            }
            ItemKind::Commitment { name, .. } => self.add(Space::Value, &name.name, SymbolKind::Commitment),
            ItemKind::Group { name, .. } => self.add(Space::Role, &name.name, SymbolKind::Group),
            ItemKind::Property(property) => {
                self.add(Space::Property, &property.name.name, SymbolKind::Property);
            }
            ItemKind::Scenario(scenario) => {
                self.add(Space::Property, &scenario.name.name, SymbolKind::Scenario);
            }
            ItemKind::Type { name, domain } => {
                self.add(Space::Type, &name.text, SymbolKind::Type);
                self.literals(domain);
            }
            ItemKind::Message(message) => {
                self.add(Space::Message, &message.name.name, SymbolKind::Message);
                message.parameters.iter().for_each(|(_, domain)| self.literals(domain));
            }
            ItemKind::Channel(channel) => self.add(Space::Channel, &channel.name.name, SymbolKind::Channel),
            ItemKind::Use(part) => self.add(Space::Part, &part.name.text, SymbolKind::Part),
            ItemKind::Start(state) => self.add(Space::State, &state.name, SymbolKind::State),
            ItemKind::Transition(transition) => {
                self.add(Space::State, &transition.from.name, SymbolKind::State);
                self.add(Space::State, &transition.to.name, SymbolKind::State);
                if let LabelItem::Message(said) = &transition.label {
                    self.add(Space::Message, &said.name.name, SymbolKind::Message);
                }
            }
            ItemKind::Machine { name, body, .. } => {
                self.add(Space::Machine, &name.name, SymbolKind::Machine);
                let outside = std::mem::replace(&mut self.machine, name.name.clone());
                self.items(&body.items);
                self.machine = outside;
            }
            ItemKind::For { body, .. } => self.items(&body.items),
            _ => {}
        }
    }

    fn literals(&mut self, domain: &DomainItem) {
        if let DomainItem::Enumeration(literals) = domain {
            literals.iter().for_each(|name| self.add(Space::Value, &name.text, SymbolKind::Value));
        }
    }

    /// The machine that a control state named in a formula is of: the one that is named there, the one around it, or the only one with
    /// such a state.
    fn machine_of<'d>(&'d self, state: &str, said: Option<&str>, around: &str) -> Option<&'d Arc<str>> {
        let known = self.find(Space::State, state);
        let of = |machine: &str| known.iter().map(|(scope, _)| scope).find(|scope| &***scope == machine);
        match (said, known) {
            (Some(machine), _) => of(machine),
            (None, [(only, _)]) => Some(only),
            (None, _) => of(around).or_else(|| of("")),
        }
    }
}

/// The place of a name whose place with indices is known; `None` where something else is written there.
fn own_place(text: &str, span: Span, name: &str) -> Option<Span> {
    let start = span.start as usize;
    let end = start + name.len();
    (text.get(start..end)? == name && end <= span.end as usize).then(|| Span::new(start, end))
}

/// A name at a place, with nothing else known.
fn occurrence(name: &str, (kind, scope): (SymbolKind, Arc<str>), span: Span, statement: Span) -> Occurrence {
    Occurrence { name: name.into(), kind, scope, span, declares: false, statement }
}
