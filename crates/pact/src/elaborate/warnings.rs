//! What has a meaning, but probably not the one wanted.

use rustc_hash::FxHashSet;
use servanda_logic::{EpistemicOp, Formula, Group, Kind};
use servanda_model::{AgentId, Label, Promise, Property, Visibility};
use servanda_syntax::{Code, Diagnostic, Severity};

use super::Elaborator;
use super::commands::Steps;
use super::definitions::Declared;
use super::machines::Plan;
use crate::parse::File;

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

    /// Notes of machines that are one role's alone and that everybody sees, where a property asks what another role knows. A part's machines
    /// are the business of those who made it.
    pub(super) fn public_machines(
        &mut self,
        plan: &Plan<'_>,
        steps: &Steps<'_>,
        properties: &[Property],
        file: &File,
    ) {
        let mut asked = FxHashSet::default();
        for property in properties {
            self.knowers(&property.formula, &mut asked);
        }
        for (number, machine) in plan.machines.iter().enumerate() {
            let Some((_, variable)) = machine.built else { continue };
            let variable = self.model.variable(variable);
            let own = !machine.name().is_empty() && !file.is_of_part(machine.name());
            if !own || !matches!(variable.visibility, Visibility::Public) {
                continue;
            }
            let edges = plan.edges.iter().enumerate().filter(|(_, edge)| edge.machine == number);
            let mut makers = edges.map(|(edge, _)| steps.alone(edge, &self.model));
            let Some(Some(maker)) = makers.next() else { continue };
            if !makers.all(|other| other == Some(maker)) || asked.iter().all(|role| *role == maker) {
                continue;
            }
            let (name, role) = (machine.name(), &self.model.agent(maker).name);
            let message =
                format!("everybody sees where the machine `{name}` is, and its steps are all `{role}`'s");
            let note = Diagnostic::new(Severity::Note, Code::PublicMachine, message, variable.span);
            let help = format!("if only `{role}` is to see it: `machine {name} of {role} {{ .. }}`");
            self.diagnostics.push(note.help(help));
        }
    }

    /// Collects the roles whose knowledge a ground formula asks about.
    fn knowers(&self, formula: &Formula, asked: &mut FxHashSet<AgentId>) {
        if let Kind::Epistemic(asking) = formula.kind()
            && asking.op != EpistemicOp::Correct
        {
            // Beside an agent a group says who is trusted.
            let named = match (&asking.agent, &asking.group) {
                (Some(name), _) | (None, Some(Group::Named(name))) => Some(std::slice::from_ref(name)),
                (None, Some(Group::Listed(names))) => Some(names.as_slice()),
                (None, Some(Group::Everybody) | None) => None,
            };
            let is_named =
                |agent: &str| named.is_none_or(|names| names.iter().any(|name| name.to_string() == agent));
            asked.extend(self.model.agents().filter(|(_, agent)| is_named(&agent.name)).map(|(id, _)| id));
        }
        formula.for_each_child(|child| self.knowers(child, asked));
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
