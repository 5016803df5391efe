//! Assignments.

use servanda_logic::Reference;
use servanda_model::{Expr, Local, VariableId, bind_value_with};
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use super::Elaborator;
use crate::ast::Assignment;
use crate::bindings::Bindings;
use crate::fold::constant;
use crate::names::NameKind;

/// What a transition assigns, with where that is written.
pub(super) type Updates = Vec<(VariableId, Expr, Span)>;

impl Elaborator<'_> {
    /// What a transition assigns: one list for each combination of its choices.
    pub(super) fn assignments(
        &mut self,
        sets: &[Assignment],
        bindings: &Bindings,
        locals: &[Local],
    ) -> Option<Vec<Updates>> {
        let mut updates: Updates = Vec::new();
        let mut failed = false;
        for assignment in sets {
            match self.assignment(assignment, bindings, locals) {
                None => failed = true,
                Some((variable, value)) => {
                    let span = assignment.target.span.to(assignment.value.span());
                    if let Some((.., first)) = updates.iter().find(|(other, ..)| *other == variable) {
                        let name = &self.model.variable(variable).name;
                        let message = format!("`{name}` is assigned twice");
                        let error = Diagnostic::error(Code::AssignedTwice, message, assignment.target.span);
                        self.diagnostics.push(error.label(*first, "first assigned here"));
                    }
                    updates.push((variable, value, span));
                }
            }
        }
        (!failed).then_some(vec![updates])
    }

    fn assignment(
        &mut self,
        assignment: &Assignment,
        bindings: &Bindings,
        locals: &[Local],
    ) -> Option<(VariableId, Expr)> {
        let target = self.target(&assignment.target, bindings);
        let ground = self.ground(&assignment.value, bindings);
        let (variable, ground) = (target?, ground?);
        let domain = self.model.variable(variable).domain.clone();
        let value = bind_value_with(&self.model, locals, &ground, &domain, &mut self.diagnostics)?;
        self.check_subjects(&ground)?;
        if let Some(number) = constant(&ground)
            && !domain.contains(number)
        {
            let name = &self.model.variable(variable).name;
            let message = format!("{number} is assigned to `{name}`, which is in `{}`", domain.describe());
            return self.diagnostics.error(Code::OutOfRange, message, ground.span());
        }
        Some((variable, value))
    }

    /// The variable that is assigned.
    fn target(&mut self, target: &Reference, bindings: &Bindings) -> Option<VariableId> {
        let (name, span) = (&*target.name, target.span);
        let indices = self.expander(bindings).indices(target)?;
        let found = match (bindings.get(name), self.scope.names.kind(name)) {
            (None, Some(NameKind::Variable)) => self.scope.variables.find(name, &indices, span).copied(),
            (None, None) => {
                let known = self.scope.names.of_kind(NameKind::Variable);
                Err(Box::new(Diagnostic::unknown("variable", name, span, known)))
            }
            (index, kind) => {
                let kind = match index {
                    Some(_) => "an index",
                    None => kind.map_or("unknown", NameKind::described),
                };
                let message = format!("`{name}` is {kind} and cannot be assigned");
                Err(Box::new(Diagnostic::error(Code::NotAVariable, message, span)))
            }
        };
        self.diagnostics.accept(found)
    }
}
