//! What has a meaning, but probably not the one wanted.

use rustc_hash::FxHashSet;
use servanda_model::{Label, Promise};
use servanda_syntax::{Code, Diagnostic};

use super::Elaborator;
use super::commands::Steps;
use super::definitions::Declared;
use super::machines::Plan;

impl Elaborator<'_> {
    pub(super) fn warnings(&mut self, plan: &Plan<'_>, steps: &Steps<'_>, declared: &[Declared]) {
        self.never_created(declared);
        self.unreachable_states(plan);
        self.diagnostics.extend(steps.lonely());
    }

    fn never_created(&mut self, declared: &[Declared]) {
        let mut created: FxHashSet<Promise> = FxHashSet::default();
        for command in self.model.behaviour.commands() {
            if let Label::Act(act) = self.model.label(command.label) {
                created.extend(act.adds());
            }
        }
        for commitment in declared.iter().filter(|declared| !created.contains(&declared.promise)) {
            let message = format!("no act puts the commitment `{}` in force", commitment.name);
            let warning = Diagnostic::warning(Code::NeverCreated, message, commitment.span);
            self.diagnostics.push(warning);
        }
    }

    /// Control states to which no way leads, whatever the guards say.
    fn unreachable_states(&mut self, plan: &Plan<'_>) {
        let mut ways: Vec<Vec<Vec<i64>>> =
            plan.machines.iter().map(|machine| vec![Vec::new(); machine.locations().len()]).collect();
        for edge in &plan.edges {
            ways[edge.machine][edge.from as usize].push(edge.to);
        }
        for (machine, ways) in plan.machines.iter().zip(&ways) {
            let count = machine.locations().len();
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
                self.diagnostics.push(Diagnostic::warning(Code::UnreachableState, message, span));
            }
        }
    }
}
