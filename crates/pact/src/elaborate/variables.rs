//! Variables: their domains and initial values.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_logic::{Formula, Kind, Reference};
use servanda_model::{AgentId, Domain, Variable, VariableId, Visibility};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all};

use super::Elaborator;
use crate::ast::{DomainItem, Extent, Initial, ItemKind, Variables};
use crate::bindings::Bindings;
use crate::constant::{Constant, Evaluator, range_length};
use crate::family::full_name;
use crate::unroll::{Instance, Unrolled};

/// Initial values of all variables of a file together.
const MOST_INITIAL_VALUES: u64 = 4_000_000;

/// What initial values are called in messages.
const INITIAL: &str = "initial value";

/// A clock is a variable that starts at 0.
fn clock(names: &[crate::ast::Declared], domain: &DomainItem) -> Variables {
    let zero = Formula::new(Kind::Int(0), names.first().map(|name| name.span).unwrap_or_default());
    let initial = Initial { parts: vec![Extent { low: zero, high: None }], braces: false };
    Variables { owners: Vec::new(), names: names.to_vec(), domain: domain.clone(), initial: Some(initial) }
}

impl Elaborator<'_> {
    pub(super) fn variables(&mut self, unrolled: &Unrolled<'_>) {
        let mut values = 0;
        for Instance { item, bindings, .. } in &unrolled.instances {
            let declared = match &item.kind {
                ItemKind::Variables(variables) => variables,
                ItemKind::Clock { names, domain } => &clock(names, domain),
                _ => continue,
            };
            let first = self.model.variables.len();
            if self.declare_variables(declared, bindings, &mut values).is_none() {
                self.suspects.extend(declared.names.iter().map(|name| name.name.clone()));
            }
            if matches!(item.kind, ItemKind::Clock { .. }) {
                self.clocks.extend((first..self.model.variables.len()).map(VariableId::from_index));
            }
        }
    }

    /// Who sees what is declared `of` these; nobody named: everybody does.
    pub(super) fn visibility(&mut self, seers: &[Reference], bindings: &Bindings) -> Option<Visibility> {
        if seers.is_empty() {
            return Some(Visibility::Public);
        }
        let agents = self.agents_named(seers, bindings)?;
        Some(match agents.as_slice() {
            [agent] => Visibility::Private(*agent),
            _ => Visibility::Shared(agents),
        })
    }

    /// These roles and the members of these groups, in the order of the agents.
    pub(super) fn agents_named(&mut self, names: &[Reference], bindings: &Bindings) -> Option<Vec<AgentId>> {
        let named = all(names.iter().map(|name| self.expander(bindings).addressees(name)))?;
        let mut agents: Vec<AgentId> =
            named.iter().flatten().filter_map(|name| self.model.find_agent(&name.to_string())).collect();
        agents.sort_unstable();
        agents.dedup();
        Some(agents)
    }

    /// The types that have names.
    pub(super) fn types(&mut self, unrolled: &Unrolled<'_>) {
        let mut declared: FxHashMap<&str, Span> = FxHashMap::default();
        for Instance { item, bindings, .. } in &unrolled.instances {
            let ItemKind::Type { name, domain } = &item.kind else { continue };
            if let Some(first) = declared.insert(&name.text, name.span) {
                self.diagnostics.push(super::declarations::twice("type", name, first));
                continue;
            }
            match self.domain(domain, bindings) {
                Some(domain) => self.scope.types.extend([(name.text.clone(), domain)]),
                None => self.suspects.extend([name.text.clone()]),
            }
        }
    }

    pub(super) fn evaluator(&mut self, bindings: &Bindings) -> Evaluator<'_> {
        Evaluator::new(&self.scope.names, &self.scope.parameters, bindings, &mut self.diagnostics)
    }

    /// Declares the variables of one statement; `None` after a mistake.
    fn declare_variables(
        &mut self,
        variables: &Variables,
        bindings: &Bindings,
        values: &mut u64,
    ) -> Option<()> {
        let visibility = self.visibility(&variables.owners, bindings);
        let domain = self.domain(&variables.domain, bindings);
        let elements: Vec<Option<Vec<Vec<i64>>>> =
            variables.names.iter().map(|name| self.elements(&name.indices, bindings, name.span)).collect();
        let domain = domain?;
        let place = variables.names.first().map(|name| name.span).unwrap_or_default();
        let initial = match &variables.initial {
            None => self.every_value(&domain, place),
            Some(initial) => self.constants(&initial.parts, &domain, bindings, INITIAL),
        };
        // With a domain the variable can be used, so that mistakes in its uses are found as well.
        let initial = initial.unwrap_or_else(|| vec![domain.low()]);
        let visibility = visibility.unwrap_or(Visibility::Public);
        for (name, elements) in variables.names.iter().zip(elements) {
            for indices in elements? {
                *values += initial.len() as u64;
                if *values > MOST_INITIAL_VALUES {
                    self.too_many_values(name.span);
                    return None;
                }
                let id = VariableId::from_index(self.model.variables.len());
                match self.scope.variables.declare(&name.name, &indices, id, name.span) {
                    Ok(()) => {
                        self.model.add_variable(Variable {
                            span: name.span,
                            ..Variable::new(
                                full_name(&name.name, &indices),
                                domain.clone(),
                                initial.clone(),
                                visibility.clone(),
                            )
                        });
                    }
                    Err(error) => self.diagnostics.push(*error),
                }
            }
        }
        Some(())
    }

    fn too_many_values(&mut self, span: Span) {
        let message = format!("there are more than {MOST_INITIAL_VALUES} initial values");
        let error = Diagnostic::error(Code::TooManyValues, message, span);
        self.diagnostics.push(error.help("give initial values with `= value`"));
    }

    pub(super) fn domain(&mut self, domain: &DomainItem, bindings: &Bindings) -> Option<Domain> {
        match domain {
            DomainItem::Named(name) => {
                match self.scope.types.get(&name.name) {
                    Some(domain) if name.indices.is_empty() => Some(domain.clone()),
                    _ => {
                        let known = self.scope.types.keys().map(|name| &**name).chain(["bool"]);
                        let error = Diagnostic::unknown("type", &name.to_string(), name.span, known);
                        self.diagnostics.refuse(match error.help {
                        Some(_) => error,
                        None => error.help("a type is `bool`, `low..high`, `{a, b}` or the name of one: `type NAME = ..`"),
                    })
                    }
                }
            }
            DomainItem::Bool => Some(Domain::Bool),
            DomainItem::Range { low, high, span } => {
                let (low, high) = self.evaluator(bindings).range(low, high)?;
                if low > high {
                    let message = format!("no value lies in `{low}..{high}`");
                    return self.diagnostics.error(Code::EmptyRange, message, *span);
                }
                // One code more than the values must fit as well.
                if high.checked_sub(low).is_none_or(|length| length == i64::MAX) {
                    return self.diagnostics.error(Code::Overflow, "this range is too large", *span);
                }
                Some(Domain::Range { low, high })
            }
            DomainItem::Enumeration(literals) => {
                let mut seen: FxHashSet<&str> = FxHashSet::default();
                for literal in literals {
                    if !seen.insert(&literal.text) {
                        let message = format!("the value `{}` is listed twice", literal.text);
                        self.diagnostics.push(Diagnostic::error(Code::DuplicateName, message, literal.span));
                    }
                }
                let literals: Vec<Arc<str>> = literals.iter().map(|literal| literal.text.clone()).collect();
                Some(Domain::Enumeration(literals.into()))
            }
        }
    }

    fn every_value(&mut self, domain: &Domain, span: Span) -> Option<Vec<i64>> {
        if domain.size() > MOST_INITIAL_VALUES {
            self.too_many_values(span);
            return None;
        }
        let low = domain.low();
        Some((low..low.saturating_add_unsigned(domain.size())).collect())
    }

    /// The codes of constants that must be values of the domain, each once; `what` they are called.
    pub(super) fn constants(
        &mut self,
        parts: &[Extent],
        domain: &Domain,
        bindings: &Bindings,
        what: &str,
    ) -> Option<Vec<i64>> {
        let mut values: Vec<i64> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut failed = false;
        for part in parts {
            let low = self.constant(&part.low, domain, bindings, what);
            let codes = match &part.high {
                None => low.map(|low| (low, low)),
                Some(high) => {
                    let high = self.constant(high, domain, bindings, what);
                    self.constant_range(low, high, domain, part)
                }
            };
            match codes {
                Some((low, high)) => values.extend((low..=high).filter(|code| seen.insert(*code))),
                None => failed = true,
            }
        }
        (!failed).then_some(values)
    }

    fn constant_range(
        &mut self,
        low: Option<i64>,
        high: Option<i64>,
        domain: &Domain,
        part: &Extent,
    ) -> Option<(i64, i64)> {
        let (low, high) = (low?, high?);
        let span = part.low.span().to(part.high.as_ref().unwrap_or(&part.low).span());
        if !matches!(domain, Domain::Range { .. }) {
            let message = format!("expected a value of `{}`, found a range", domain.describe());
            return self.diagnostics.error(Code::Type, message, span);
        }
        if low > high {
            let message = format!("no value lies in `{low}..{high}`");
            return self.diagnostics.error(Code::EmptyRange, message, span);
        }
        if range_length(low, high) > MOST_INITIAL_VALUES {
            self.too_many_values(span);
            return None;
        }
        Some((low, high))
    }

    /// A name that can only be meant as a value of the enumeration.
    fn written_literal(&self, value: &Formula, domain: &Domain, bindings: &Bindings) -> Option<Arc<str>> {
        let Kind::Name(Reference { name, indices, .. }) = value.kind() else { return None };
        let free =
            indices.is_empty() && bindings.get(name).is_none() && self.scope.names.kind(name).is_none();
        (free && matches!(domain, Domain::Enumeration(_))).then(|| name.clone())
    }

    /// The code of a constant that must be a value of the domain.
    fn constant(&mut self, value: &Formula, domain: &Domain, bindings: &Bindings, what: &str) -> Option<i64> {
        let constant = match self.written_literal(value, domain, bindings) {
            Some(name) => Constant::Literal(name),
            None => self.evaluator(bindings).value(value)?,
        };
        let span = value.span();
        let error = match (&constant, domain) {
            (Constant::Bool(value), Domain::Bool) => return Some(i64::from(*value)),
            (Constant::Int(value), Domain::Range { .. }) => {
                if domain.contains(*value) {
                    return Some(*value);
                }
                let message = format!("the {what} {value} is not in `{}`", domain.describe());
                Diagnostic::error(Code::OutOfRange, message, span)
            }
            (Constant::Literal(name), Domain::Enumeration(literals)) => {
                if let Some(code) = domain.literal(name) {
                    return Some(code);
                }
                let message = format!("`{name}` is not one of `{}`", domain.describe());
                Diagnostic::error(Code::Type, message, span)
                    .suggest(name, literals.iter().map(|known| &**known))
            }
            _ => {
                let message =
                    format!("expected a value of `{}`, found {}", domain.describe(), constant.described());
                Diagnostic::error(Code::Type, message, span)
            }
        };
        self.diagnostics.refuse(error)
    }
}
