//! Propositions and commitments.

use servanda_logic::{Formula, Kind, Reference};
use servanda_lower::{Context, resolve_promise};
use servanda_model::{NamedCommitment, Promise};
use servanda_syntax::{Findings, Span};

use super::Elaborator;
use crate::ast::ItemKind;
use crate::bindings::Bindings;
use crate::expand::{Progress, Status};
use crate::family::full_name;
use crate::scope::{Definition, DefinitionId};
use crate::unroll::{Instance, Unrolled};

/// A declared commitment that is in order.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) promise: Promise,
    pub(super) span: Span,
    pub(super) private: bool,
}

impl Elaborator<'_> {
    /// Enters all definitions, so that they can use each other in any order.
    pub(super) fn definitions(&mut self, unrolled: &Unrolled<'_>) {
        for instance in &unrolled.instances {
            match &instance.item.kind {
                ItemKind::Proposition { name, formula } => self.define(instance, name, formula, None),
                ItemKind::Commitment { name, formula, private } => {
                    self.define(instance, name, formula, Some(*private));
                }
                _ => {}
            }
        }
        self.progress = Progress::new(self.scope.definitions.len());
    }

    /// `commitment` says whether a commitment is private; a proposition is none.
    fn define(
        &mut self,
        instance: &Instance<'_>,
        name: &Reference,
        formula: &Formula,
        commitment: Option<bool>,
    ) {
        let is_commitment = commitment.is_some();
        let Some(indices) = self.declared_indices(name, &instance.bindings) else { return };
        let id = DefinitionId(self.scope.definitions.len());
        let families = if is_commitment { &mut self.scope.commitments } else { &mut self.scope.propositions };
        let declared = families.declare(&name.name, &indices, id, name.span);
        if self.diagnostics.accept(declared).is_none() {
            return;
        }
        self.scope.definitions.push(Definition {
            name: full_name(&name.name, &indices),
            formula: formula.clone(),
            bindings: instance.bindings.clone(),
            span: name.span,
            is_commitment,
            private: commitment == Some(true),
        });
    }

    /// The declared commitments that can be acted on.
    pub(super) fn promises(&mut self) -> Vec<Declared> {
        let mut promises = Vec::new();
        for number in 0..self.scope.definitions.len() {
            if !self.scope.definitions[number].is_commitment {
                continue;
            }
            let Some(ground) = self.ground_definition(number) else { continue };
            let Kind::Commitment(commitment) = ground.kind() else { continue };
            match resolve_promise(&self.model, commitment, ground.span(), &mut self.diagnostics) {
                Some(promise) => {
                    let definition = &self.scope.definitions[number];
                    let (name, span, private) =
                        (definition.name.clone(), definition.span, definition.private);
                    let named =
                        NamedCommitment { name: name.clone(), formula: ground, promise: promise.clone() };
                    self.model.named_commitments.push(named);
                    promises.push(Declared { name, promise, span, private });
                }
                None => self.progress.statuses[number] = Status::Failed,
            }
        }
        promises
    }

    /// Hides the private commitments and what acts on them derive.
    pub(super) fn hide(&mut self, declared: &[Declared]) {
        let of = |private: bool| declared.iter().filter(move |declared| declared.private == private);
        let public = of(false).map(|declared| declared.promise.clone()).collect();
        self.model.hide(of(true).map(|declared| declared.promise.clone()), &public);
    }

    fn ground_definition(&mut self, number: usize) -> Option<Formula> {
        let definition = &self.scope.definitions[number];
        let (formula, bindings, span) =
            (definition.formula.clone(), definition.bindings.clone(), definition.span);
        match self.expander(&bindings).check(DefinitionId(number), span) {
            Status::Sound(_) => self.ground(&formula, &bindings),
            Status::TooDeep => self.expander(&bindings).too_deep(span),
            _ => None,
        }
    }

    /// Checks every definition completely, so that its uses need not be.
    pub(super) fn check_definitions(&mut self) {
        let mut sound: Vec<(usize, usize)> = Vec::new();
        for number in 0..self.scope.definitions.len() {
            let span = self.scope.definitions[number].span;
            let status = self.expander(&Bindings::default()).check(DefinitionId(number), span);
            if let Status::Sound(nodes) = status {
                sound.push((nodes, number));
            }
        }
        // A definition is larger than those it uses, so they come first and silence it if they are wrong.
        sound.sort_unstable();
        for (_, number) in sound {
            let ground = self.ground_definition(number);
            if ground.and_then(|ground| self.validated(ground, Context::Proposition)).is_none() {
                self.progress.statuses[number] = Status::Failed;
            }
        }
    }
}
