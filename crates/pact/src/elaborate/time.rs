//! Where models begin and may rest, and how time passes.

use std::sync::Arc;

use servanda_logic::{At, Formula, Join, Kind, Reference};
use servanda_model::{Command, Expr, Label, States};
use servanda_syntax::{Code, Diagnostic, Span};

use super::Elaborator;
use super::labels::Head;
use super::machines::Plan;
use crate::ast::ItemKind;
use crate::unroll::{Instance, Unrolled};

/// The label of the step by which time passes.
pub(super) const TICK: &str = "tick";

/// Combinations of initial values that are tried to find out whether `init` leaves any.
const MOST_TRIALS: usize = 1_000_000;

impl Elaborator<'_> {
    /// Where control may rest for good.
    pub(super) fn rests(&mut self, plan: &Plan<'_>) {
        let resting = || plan.machines.iter().filter(|machine| !machine.finals.is_empty());
        if resting().next().is_none() {
            return;
        }
        let span = Span::default();
        let node = |kind: Kind| Formula::new(kind, span);
        let (mut formulas, mut conditions) = (Vec::new(), Vec::new());
        for machine in resting() {
            let Some((_, variable)) = machine.built else { continue };
            let name = (!machine.name().is_empty()).then(|| Reference::plain(machine.name(), span));
            let names: Vec<&str> = machine.locations().map(|(name, _)| name).collect();
            let at = |code: &i64| {
                let location = Reference::plain(names[*code as usize], span);
                node(Kind::At(At { machine: name.clone(), location }))
            };
            formulas.push(node(Kind::Joined(Join::Any, machine.finals.iter().map(at).collect())));
            let here =
                machine.finals.iter().map(|code| Expr::variable(variable).equals(Expr::Constant(*code)));
            conditions.push(Expr::or(here));
        }
        self.scope.rest = node(Kind::Joined(Join::All, formulas));
        self.model.rest = Some(Expr::and(conditions));
    }

    /// The label of the step by which time passes, where there are clocks: formulas can count these steps.
    pub(super) fn tick_label(&mut self) {
        if !self.clocks.is_empty() {
            self.model.tick = Some(self.label(Label::message(TICK, None)));
        }
    }

    /// The step by which time passes.
    pub(super) fn tick(&mut self, plan: &Plan<'_>) {
        let Some(label) = self.model.tick else { return };
        let mut allowed = Vec::new();
        for machine in &plan.machines {
            let Some((_, variable)) = machine.built else { continue };
            for (state, condition, bindings) in &machine.waits {
                let elsewhere = Expr::variable(variable).equals(Expr::Constant(*state)).negate();
                let condition = self.condition(condition, &Arc::clone(bindings));
                allowed.extend(condition.map(|condition| Expr::or([elsewhere, condition])));
            }
        }
        let later = |clock: &servanda_model::VariableId| {
            let next = Expr::variable(*clock).plus(Expr::Constant(1));
            (*clock, next.min(Expr::Constant(self.model.variable(*clock).domain.high())))
        };
        let updates = self.clocks.iter().map(later).collect();
        self.model.add_command(Command { guard: Expr::and(allowed), updates, ..Command::new(label) });
    }

    /// Reports what takes the place of the step by which time passes, and waiting where no time passes.
    pub(super) fn check_time(&mut self, plan: &Plan<'_>, heads: &[Option<Head>]) {
        if self.clocks.is_empty() {
            for (_, condition, _) in plan.machines.iter().flat_map(|machine| &machine.waits) {
                let message = "without a clock no time passes";
                let error = Diagnostic::error(Code::NoClock, message, condition.span());
                self.diagnostics.push(error.help("declare one: `clock age : 0..5`"));
            }
            return;
        }
        for head in heads.iter().flatten() {
            if let Head::Said(said) = head
                && said.name == TICK
            {
                let message = "`tick` is the step by which time passes, and cannot be the name of a message";
                self.diagnostics.push(Diagnostic::error(Code::ReservedName, message, said.span));
            }
        }
    }

    /// The conditions on initial states.
    pub(super) fn initial_states(&mut self, unrolled: &Unrolled<'_>) {
        let mut last = None;
        for Instance { item, bindings, .. } in &unrolled.instances {
            let ItemKind::Init(condition) = &item.kind else { continue };
            let Some(condition) = self.condition(condition, bindings) else { return };
            let old = std::mem::replace(&mut self.model.initial, Expr::TRUE);
            self.model.initial = Expr::and([old, condition]);
            last = Some(item.span);
        }
        let Some(span) = last else { return };
        let trials = self.model.variables.iter().try_fold(1_usize, |all, variable| {
            all.checked_mul(variable.initial.len()).filter(|all| *all <= MOST_TRIALS)
        });
        if trials.is_some()
            && States::initial(&self.model, &servanda_model::Layout::new(&self.model)).next().is_none()
        {
            let error = Diagnostic::error(Code::NoInitialState, "no initial state satisfies `init`", span);
            self.diagnostics.push(error.help("the initial values of the variables leave no other choice"));
        }
    }
}
