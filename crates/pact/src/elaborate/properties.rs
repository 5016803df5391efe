//! What is to be decided, and what narrows the runs it is decided on.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use servanda_logic::{Formula, Kind, Reference};
use servanda_lower::Context;
use servanda_model::{Access, AgentId, CommitmentId, Expr, Fairness, Property, StepFairness, VariableId};
use servanda_syntax::{Code, Diagnostic, Span};

use super::Elaborator;
use crate::ast::{ItemKind, PropertyItem};
use crate::bindings::Bindings;
use crate::family::{Families, full_name};
use crate::format::without_comments;
use crate::unroll::{Instance, Unrolled};

/// Why a property is not decided whose formula was not read.
const REFUSED: &str = "the formula is too long or too deep to be read";

impl Elaborator<'_> {
    /// Where roles do not behave correctly.
    pub(super) fn red_states(&mut self, unrolled: &Unrolled<'_>) {
        for Instance { item, bindings, .. } in &unrolled.instances {
            let ItemKind::Red { role, condition } = &item.kind else { continue };
            let agent = self.role(role, bindings);
            let ground = self.ground(condition, bindings);
            let (Some(agent), Some(ground)) = (agent, ground) else { continue };
            let Some(red) = self.bound(&ground, &[]) else { continue };
            self.check_observed(agent, &red, &ground);
            let old = std::mem::replace(&mut self.model.agents[agent.index()].red, Expr::FALSE);
            self.model.agents[agent.index()].red = Expr::or([old, red]);
        }
    }

    /// What a role does must depend on what it observes.
    fn check_observed(&mut self, agent: AgentId, red: &Expr, formula: &Formula) {
        let mut hidden: FxHashSet<VariableId> = FxHashSet::default();
        red.for_each_variable(&mut |variable| {
            if !self.model.variable(variable).visibility.seen_by(&[agent]) {
                hidden.insert(variable);
            }
        });
        let mut secret: BTreeSet<CommitmentId> = BTreeSet::new();
        red.for_each_commitment(&mut |commitment| {
            if !self.model.sees_commitment(&[agent], commitment) {
                secret.insert(commitment);
            }
        });
        let role = &self.model.agent(agent).name;
        for commitment in secret {
            let promise = self.model.show_promise(self.model.commitment(commitment));
            let message = format!("`{role}` does not observe whether `{promise}` is in force");
            let error = Diagnostic::error(Code::NotObserved, message, formula.span());
            self.diagnostics.push(error.help("only its debtor and its creditor see a private commitment"));
        }
        let mut hidden: Vec<VariableId> = hidden.into_iter().collect();
        hidden.sort_unstable();
        for variable in hidden {
            let name = &self.model.variable(variable).name;
            let place = place_of(formula, name).unwrap_or(formula.span());
            let message = format!("`{role}` does not observe `{name}`");
            let error = Diagnostic::error(Code::NotObserved, message, place);
            self.diagnostics.push(error.help(format!(
                "the correct behaviour of `{role}` can depend on public variables, its own and control states"
            )));
        }
    }

    /// Access guards, fairness constraints and properties.
    pub(super) fn properties(&mut self, unrolled: &Unrolled<'_>) -> Vec<Property> {
        let mut names = Families::new("property");
        let mut properties = Vec::new();
        for Instance { item, bindings, .. } in &unrolled.instances {
            match &item.kind {
                ItemKind::Access { debtor, creditor, guard } => {
                    let access = self.access(debtor, creditor, guard, bindings);
                    self.model.access.extend(access);
                }
                ItemKind::Fair(formula) => {
                    let formula = self.checked(formula, bindings, Context::Fairness);
                    self.model.fairness.extend(formula.map(|formula| Fairness { formula }));
                }
                ItemKind::Scenario(scenario) => {
                    properties.extend(self.scenario(scenario, bindings, &mut names));
                }
                ItemKind::FairSteps { strength, step } => {
                    let step = self.checked(step, bindings, Context::StepFairness);
                    let constraint = step.map(|step| StepFairness { strength: *strength, step });
                    self.model.step_fairness.extend(constraint);
                }
                ItemKind::Property(property) => {
                    properties.extend(self.property(property, bindings, &mut names));
                }
                _ => {}
            }
        }
        properties
    }

    fn access(
        &mut self,
        debtor: &Reference,
        creditor: &Reference,
        guard: &Formula,
        bindings: &Bindings,
    ) -> Option<Access> {
        let debtor = self.role(debtor, bindings);
        let creditor = self.role(creditor, bindings);
        let guard = self.checked(guard, bindings, Context::AccessGuard);
        Some(Access { debtor: debtor?, creditor: creditor?, guard: guard? })
    }

    fn property(
        &mut self,
        property: &PropertyItem,
        bindings: &Bindings,
        names: &mut Families<()>,
    ) -> Option<Property> {
        let name = self.property_name(&property.name, bindings, names);
        let before = self.diagnostics.len();
        let mut refused = property.refused.is_some();
        let formula = match property.refused {
            Some(_) => property.formula.clone(),
            None => match self.checked(&property.formula, bindings, Context::Property) {
                Some(formula) => formula,
                None => {
                    refused = self.refuse_since(before);
                    refused.then(|| Formula::new(Kind::Int(0), property.formula.span()))?
                }
            },
        };
        let written = without_comments(self.source.slice(property.written));
        let words: Vec<&str> = written.split_whitespace().collect();
        Some(Property {
            expected: property.expected,
            level: property.level.unwrap_or_default(),
            has_level: property.level.is_some(),
            cite: property.cite.as_ref().map(|cite| cite.text.to_string()),
            refused: refused.then(|| REFUSED.to_owned()),
            ..Property::new(name?, words.join(" "), formula, property.name.span)
        })
    }

    /// A property that is too deep once its definitions are expanded refuses itself, not the file: says whether nothing else is wrong with it.
    fn refuse_since(&mut self, before: usize) -> bool {
        let found = &mut self.diagnostics[before..];
        let is_limit = |found: &Diagnostic| found.code == Code::FormulaTooDeep;
        let refused = !found.is_empty() && found.iter().all(is_limit);
        if refused {
            found.iter_mut().for_each(crate::refuse);
        }
        refused
    }

    /// The full name of a property or scenario, which must be new.
    pub(super) fn property_name(
        &mut self,
        name: &Reference,
        bindings: &Bindings,
        names: &mut Families<()>,
    ) -> Option<String> {
        let own = self.expander(bindings).indices(name)?;
        // Inside `for` a name without indices is made different by the indices around it.
        let indices = if own.is_empty() { bindings.values() } else { own };
        if let Err(error) = names.declare(&name.name, &indices, (), name.span) {
            self.diagnostics.push(*error);
        }
        Some(full_name(&name.name, &indices))
    }
}

/// Where a formula names a variable.
fn place_of(formula: &Formula, variable: &str) -> Option<Span> {
    if let Kind::Name(reference) = formula.kind()
        && reference.to_string() == variable
    {
        return Some(reference.span);
    }
    let mut place = None;
    formula.for_each_child(|child| {
        if place.is_none() {
            place = place_of(child, variable);
        }
    });
    place
}
