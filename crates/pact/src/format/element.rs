//! Statements as text, cut into the cells that neighbours are aligned by.

use servanda_logic::{Binary, Formula, Join, Kind, Reference, Unary};
use servanda_syntax::Span;

use super::protocol;
use crate::ast::{
    Assignment, Declared, DecomposeItem, DomainItem, Extent, Initial, Item, ItemKind, LabelItem, Transition,
    Variables,
};
use crate::parse::OPERATOR_LETTERS;

/// Something that stands on a line of its own, or a block.
pub(super) struct Element {
    pub(super) span: Span,
    pub(super) table: Table,
    pub(super) cells: Vec<String>,
    pub(super) block: Option<Inner>,
}

/// What stands between the braces of a block.
pub(super) struct Inner {
    pub(super) open: Span,
    pub(super) close: Span,
    pub(super) elements: Vec<Element>,
}

/// Neighbours in the same table are aligned.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Table {
    #[default]
    None,
    Propositions,
    Commitments,
    Transitions,
    Properties,
    Scenarios,
}

/// The statements of a file or block.
pub(super) fn elements(items: &[Item]) -> Vec<Element> {
    items.iter().map(element).collect()
}

fn element(item: &Item) -> Element {
    let plain = |text: String| (Table::None, vec![text], None);
    let block = |head: String, block: &crate::ast::Block| {
        let inner = Inner { open: block.open, close: block.close, elements: elements(&block.items) };
        (Table::None, vec![head], Some(inner))
    };
    let (table, cells, block) = match &item.kind {
        ItemKind::Protocol(name) => plain(format!("protocol {}", name.text)),
        ItemKind::Param { name, value } => plain(format!("param {} = {}", name.text, calculated(value))),
        ItemKind::Roles(roles) => plain(format!("roles {}", list(roles, declared))),
        ItemKind::Semantics(reading) => plain(format!("semantics {}", reading.word())),
        ItemKind::Variables(variables) => plain(variables_text(variables)),
        ItemKind::Red { role, condition } => plain(format!("red {role} : {condition}")),
        ItemKind::Proposition { name, formula } => {
            (Table::Propositions, vec![format!("prop {name}"), format!("= {formula}")], None)
        }
        ItemKind::Commitment { name, formula, private } => {
            let private = if *private { "private " } else { "" };
            let head = format!("{private}commitment {name}");
            (Table::Commitments, vec![head, format!("= {formula}")], None)
        }
        ItemKind::Start(name) => plain(format!("start {name}")),
        ItemKind::Transition(transition) => (Table::Transitions, transition_cells(transition), None),
        ItemKind::Access { debtor, creditor, guard } => {
            plain(format!("access {debtor} -> {creditor} : {guard}"))
        }
        ItemKind::Fair(formula) => plain(format!("fair {formula}")),
        ItemKind::FairSteps { strength, step } => plain(format!("fair {} {step}", strength.word())),
        ItemKind::Group { name, members } => {
            plain(format!("group {name} = {{ {} }}", list(members, ToString::to_string)))
        }
        ItemKind::Property(property) => {
            let expected = property.expected.map_or(String::new(), |expected| format!("expect {expected}"));
            let weight = protocol::weight(property);
            let head = format!("property {}{weight}", property.name);
            let cells = vec![head, expected, format!("= {}", property.formula)];
            (Table::Properties, cells, None)
        }
        ItemKind::Machine { name, seers, body } => block(format!("machine {name}{} {{", of(seers)), body),
        ItemKind::Type { name, domain } => plain(format!("type {} = {}", name.text, domain_text(domain))),
        ItemKind::Message(message) => plain(protocol::message(message)),
        ItemKind::Channel(channel) => plain(protocol::channel(channel)),
        ItemKind::Clock { names, domain } => {
            plain(format!("clock {} : {}", list(names, declared), domain_text(domain)))
        }
        ItemKind::Init(condition) => plain(format!("init {condition}")),
        ItemKind::Final(states) => plain(format!("final {}", list(states, ToString::to_string))),
        ItemKind::Wait { state, condition } => plain(format!("wait {state} while {condition}")),
        ItemKind::Use(part) => plain(protocol::part(part)),
        ItemKind::Scenario(scenario) => (Table::Scenarios, protocol::scenario(scenario), None),
        ItemKind::For { index, low, high, body } => {
            block(format!("for {} in {}..{} {{", index.text, calculated(low), calculated(high)), body)
        }
        ItemKind::Decompose(claim) => {
            let inner = Inner { open: claim.open, close: claim.close, elements: claim_elements(claim) };
            (Table::None, vec![format!("decompose {} {{", claim.act)], Some(inner))
        }
        // Files with such statements are not formatted.
        ItemKind::Broken => plain(String::new()),
    };
    Element { span: item.span, table, cells, block }
}

pub(super) fn list<T>(things: &[T], show: impl Fn(&T) -> String) -> String {
    things.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// An expression where only arithmetic is read: anything looser stood in parentheses.
pub(super) fn calculated(formula: &Formula) -> String {
    let loose = match formula.kind() {
        Kind::Unary(op, _) => *op != Unary::Minus,
        Kind::Binary(op, ..) => !matches!(
            op,
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Remainder
        ),
        Kind::Comprehension(comprehension) => comprehension.join != Join::Sum,
        Kind::Strategic(_) | Kind::Bounded(_) => true,
        _ => false,
    };
    if loose { format!("({formula})") } else { formula.to_string() }
}

pub(super) fn declared(declared: &Declared) -> String {
    let mut text = declared.name.to_string();
    for extent in &declared.indices {
        text.push_str(&format!("[{}]", range(extent, calculated)));
    }
    text
}

/// One value, shown as `alone` says, or a range of them.
fn range(extent: &Extent, alone: impl Fn(&Formula) -> String) -> String {
    match &extent.high {
        None => alone(&extent.low),
        Some(high) => format!("{}..{}", calculated(&extent.low), calculated(high)),
    }
}

fn variables_text(variables: &Variables) -> String {
    let names = list(&variables.names, declared);
    let head = match variables.owners.as_slice() {
        [] => format!("var {names}"),
        owners => format!("private var {names}{}", of(owners)),
    };
    let domain = domain_text(&variables.domain);
    match &variables.initial {
        None => format!("{head} : {domain}"),
        Some(initial) => format!("{head} : {domain} = {}", initial_text(initial)),
    }
}

/// ` of A, B`, where somebody is named.
fn of(names: &[Reference]) -> String {
    if names.is_empty() { String::new() } else { format!(" of {}", list(names, ToString::to_string)) }
}

pub(super) fn domain_text(domain: &DomainItem) -> String {
    match domain {
        DomainItem::Bool => "bool".to_owned(),
        DomainItem::Range { low, high, .. } => format!("{}..{}", calculated(low), calculated(high)),
        DomainItem::Enumeration(literals) => format!("{{{}}}", list(literals, |l| l.text.to_string())),
        DomainItem::Named(name) => name.to_string(),
    }
}

fn initial_text(initial: &Initial) -> String {
    let parts = list(&initial.parts, |part| range(part, constant));
    if initial.braces { format!("{{{parts}}}") } else { parts }
}

/// Where a letter that begins a value would be read as one, the value stands in parentheses.
fn constant(value: &Formula) -> String {
    let text = value.to_string();
    let (word, rest) = text.split_at(text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len()));
    let letter = OPERATOR_LETTERS.contains(&word) && !rest.starts_with(['(', '[', '_']);
    if letter && !matches!(value.kind(), Kind::Name(_)) { format!("({text})") } else { text }
}

fn assignment(set: &Assignment) -> String {
    match set {
        Assignment::Is { target, value } => format!("{target} = {value}"),
        Assignment::OneOf { target, values } => format!("{target} in {}", initial_text(values)),
        Assignment::Each { index, low, high, body } => {
            let (low, high) = (calculated(low), calculated(high));
            format!("all {} in {low}..{high} : {}", index.text, assignment(body))
        }
    }
}

fn transition_cells(transition: &Transition) -> Vec<String> {
    let label = match &transition.label {
        LabelItem::Act { act, .. } => format!("-- {act}"),
        LabelItem::Message(said) => format!("-- {}", protocol::said(said)),
    };
    let guard = transition.guard.as_ref().map_or(String::new(), |guard| format!("when {guard}"));
    let sets = list(&transition.sets, assignment);
    let sets = if sets.is_empty() { sets } else { format!("set {sets}") };
    let from = &transition.from;
    // After a formula these words would be read as operators; with indices nothing else tells them apart.
    let operator = matches!(&*from.name, "U" | "W" | "R" | "S" | "so" | "and" | "or");
    let from = if operator && !from.indices.is_empty() { format!("; {from}") } else { from.to_string() };
    vec![from, label, guard, sets, format!("--> {}", transition.to)]
}

/// States and edges of a claimed decomposition, in the order of the text.
fn claim_elements(claim: &DecomposeItem) -> Vec<Element> {
    let mut parts: Vec<(Span, String)> = Vec::new();
    for state in &claim.states {
        let formulas = list(&state.formulas, ToString::to_string);
        parts.push((state.span, format!("{} : {formulas}", state.name.text)));
    }
    for edge in &claim.edges {
        parts.push((edge.span, format!("{} --[{}]--> {}", edge.from.text, edge.rule, edge.to.text)));
    }
    parts.sort_by_key(|(span, _)| *span);
    let last = parts.len().saturating_sub(1);
    let numbered = parts.into_iter().enumerate();
    numbered
        .map(|(number, (span, text))| {
            let cells = vec![if number == last { text } else { format!("{text} ;") }];
            Element { span, table: Table::None, cells, block: None }
        })
        .collect()
}
