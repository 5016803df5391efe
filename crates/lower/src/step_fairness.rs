//! Fairness of steps: which runs count because of what is done on them (docs/formulas.md section 8).

use servanda_logic::{Formula, Kind};
use servanda_model::{Expr, StepFairness, Strength};
use servanda_syntax::{Code, Diagnostic, Findings};

use crate::lowerer::{Lowerer, Scope};
use crate::{Action, CoreFormula as _, LabelSetId, Path, PathFormula, StateFormula};

/// A fairness constraint of steps. Of weak fairness the runs count on which infinitely often such a step is taken or not possible; of
/// strong fairness those on which it is infinitely often taken, or only finitely often possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepConstraint {
    /// How much it demands.
    pub strength: Strength,
    /// The labels of the steps.
    pub taken: LabelSetId,
    /// Where such a step is possible in the model as it is, whatever counts: a condition on the state. In states that no run visits a
    /// step that fails there is no step, though this holds.
    pub possible: StateFormula,
}

impl Lowerer<'_> {
    /// A constraint in core form; nothing where no step can meet it, so that it demands nothing.
    pub(crate) fn fair_step(&mut self, constraint: &StepFairness) -> Option<Option<StepConstraint>> {
        let path = self.formula(&constraint.step, Scope::default())?;
        let Some(taken) = self.require_step(path, &constraint.step)? else { return Some(None) };
        let labels = self.arena.labels(taken);
        let guards = self.model.commands().filter(|(_, command)| labels.contains(&command.label));
        let possible = Expr::or(guards.map(|(_, command)| command.guard.clone()));
        let possible = self.arena.proposition(possible);
        Some(Some(StepConstraint { strength: constraint.strength, taken, possible }))
    }

    /// The labels that `does(..)` stands for; `Some(None)` where there are none.
    pub(crate) fn require_step(
        &mut self,
        path: PathFormula,
        formula: &Formula,
    ) -> Option<Option<LabelSetId>> {
        match *self.arena.path(path) {
            Path::Action(Action::Does(labels)) if matches!(formula.kind(), Kind::Does(_)) => {
                Some(Some(labels))
            }
            _ if path == PathFormula::FALSE && matches!(formula.kind(), Kind::Does(_)) => Some(None),
            _ => {
                let message = "weak and strong fairness are about one kind of steps, `does(..)`";
                let error = Diagnostic::error(Code::NotACondition, message, formula.span());
                let help = "write one `fair` for each; `fair` without `weak` or `strong` says which states come again and again";
                self.diagnostics.refuse(error.help(help))
            }
        }
    }
}
