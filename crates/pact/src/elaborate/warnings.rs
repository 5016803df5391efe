//! What has a meaning, but probably not the one wanted.

use rustc_hash::FxHashSet;
use servanda_model::{Label, Model, Promise};
use servanda_syntax::Diagnostic;

use super::Elaborator;
use super::commands::Steps;
use super::definitions::Declared;
use super::machines::Plan;

impl Elaborator<'_> {
    pub(super) fn warnings(&mut self, plan: &Plan<'_>, steps: &Steps<'_>, declared: &[Declared]) {
        self.never_created(declared);
        self.unreachable_states(plan);
        for lonely in steps.lonely() {
            let message = format!("`{}` never finds its partner `{0}{}`", lonely.message, lonely.wanted);
            let warning = Diagnostic::warning("no-partner", message, lonely.span);
            self.diagnostics.push(warning.help(format!(
                "a transition labelled `{}{}` in another machine takes part in it",
                lonely.message, lonely.wanted
            )));
        }
    }

    fn never_created(&mut self, declared: &[Declared]) {
        let mut created: FxHashSet<Promise> = FxHashSet::default();
        for command in &self.model.commands {
            if let Label::Act(act) = self.model.label(command.label) {
                created.extend(Model::promises_changed_by(act).1);
            }
        }
        for commitment in declared.iter().filter(|declared| !created.contains(&declared.promise)) {
            let message = format!("no act puts the commitment `{}` in force", commitment.name);
            let warning = Diagnostic::warning("never-created", message, commitment.span);
            self.diagnostics.push(warning);
        }
    }

    /// Control states to which no way leads, whatever the guards say.
    fn unreachable_states(&mut self, plan: &Plan<'_>) {
        for (number, machine) in plan.machines.iter().enumerate() {
            let count = machine.locations().len();
            let mut ways: Vec<Vec<i64>> = vec![Vec::new(); count];
            for edge in plan.edges.iter().filter(|edge| edge.machine == number) {
                ways[edge.from as usize].push(edge.to);
            }
            let mut reached = vec![false; count];
            let mut todo: Vec<i64> = if count > 0 { vec![0] } else { Vec::new() };
            while let Some(state) = todo.pop() {
                if !std::mem::replace(&mut reached[state as usize], true) {
                    todo.extend(&ways[state as usize]);
                }
            }
            for ((name, span), _) in machine.locations().zip(reached).filter(|(_, reached)| !reached) {
                let place = match machine.name() {
                    "" => String::new(),
                    machine => format!(" of the machine `{machine}`"),
                };
                let message = format!("no transitions lead to the control state `{name}`{place}");
                self.diagnostics.push(Diagnostic::warning("unreachable-state", message, span));
            }
        }
    }
}
