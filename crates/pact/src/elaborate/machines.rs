//! Machines and their control states.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_logic::{Formula, Reference};
use servanda_model::{Domain, Machine, MachineId, Variable, VariableId, Visibility};
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use super::Elaborator;
use crate::ast::{Item, ItemKind, Transition};
use crate::bindings::Bindings;
use crate::family::full_name;
use crate::parse::File;
use crate::unroll::{Instance, Unrolled};

/// The machines of a file and the way its transitions go.
pub(super) struct Plan<'a> {
    pub(super) machines: Vec<MachinePlan<'a>>,
    pub(super) edges: Vec<Edge<'a>>,
}

/// A machine.
pub(super) struct MachinePlan<'a> {
    name: String,
    span: Span,
    start: Option<Span>,
    /// A statement of it could not be read.
    broken_start: bool,
    codes: FxHashMap<String, i64>,
    literals: Vec<Arc<str>>,
    spans: Vec<Span>,
    /// Who sees where it is.
    visibility: Visibility,
    /// The control states where it may rest for good.
    pub(super) finals: Vec<i64>,
    /// Where no time passes unless a condition holds: control states with the conditions.
    pub(super) waits: Vec<(i64, &'a Formula, Arc<Bindings>)>,
    /// Its number and variable in the model; `None` when it has no control state at all.
    pub(super) built: Option<(MachineId, VariableId)>,
}

/// A transition of a machine, at one value of every index around it.
pub(super) struct Edge<'a> {
    pub(super) transition: &'a Transition,
    pub(super) bindings: Arc<Bindings>,
    pub(super) span: Span,
    pub(super) machine: usize,
    pub(super) from: i64,
    pub(super) to: i64,
}

impl MachinePlan<'_> {
    fn new(name: String, span: Span) -> Self {
        MachinePlan {
            name,
            span,
            start: None,
            broken_start: false,
            codes: FxHashMap::default(),
            literals: Vec::new(),
            spans: Vec::new(),
            visibility: Visibility::Public,
            finals: Vec::new(),
            waits: Vec::new(),
            built: None,
        }
    }

    /// The code of a control state, which is added if it is new.
    fn code(&mut self, name: String, span: Span) -> i64 {
        let next = self.literals.len() as i64;
        let code = *self.codes.entry(name.clone()).or_insert(next);
        if code == next {
            self.literals.push(name.into());
            self.spans.push(span);
        }
        code
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The control states with their places, the start first.
    pub(super) fn locations(&self) -> impl ExactSizeIterator<Item = (&str, Span)> {
        self.literals.iter().zip(&self.spans).map(|(name, span)| (&**name, *span))
    }
}

impl Elaborator<'_> {
    /// Finds the machines, their control states and the ends of their transitions, and enters the machines into the
    /// model.
    pub(super) fn machines<'a>(&mut self, unrolled: &Unrolled<'a>, file: &File) -> Plan<'a> {
        let mut machines: Vec<MachinePlan<'a>> = Vec::new();
        // Where a block's machine stands in the list; a block with a bad name has a machine that is thrown away.
        for (number, block) in unrolled.machines.iter().enumerate() {
            let ItemKind::Machine { name, seers, .. } = &block.item.kind else { continue };
            let indices = self.declared_indices(name, &block.bindings);
            if let Some(indices) = &indices {
                let declared = self.scope.machines.declare(&name.name, indices, number, name.span);
                self.diagnostics.accept(declared);
            }
            let shown = full_name(&name.name, &indices.unwrap_or_default());
            let visibility = self.visibility(seers, &block.bindings).unwrap_or(Visibility::Public);
            machines.push(MachinePlan { visibility, ..MachinePlan::new(shown, name.span) });
        }
        let bare = self.bare_machine(unrolled, file, &mut machines);
        self.starts(unrolled, &mut machines, bare);
        let edges = self.edges(unrolled, &mut machines, bare);
        self.rests_and_waits(unrolled, &mut machines, bare);
        let mut own = machines.iter().filter(|machine| !file.is_of_part(&machine.name));
        if let (Some(only), None) = (own.next(), own.next())
            && machines.len() > 1
            && !only.name.is_empty()
        {
            self.scope.own_machine = Some(only.name.clone());
        }
        for machine in &mut machines {
            self.build(machine);
        }
        Plan { machines, edges }
    }

    /// The machine of the statements outside all blocks, if there are any.
    fn bare_machine(
        &mut self,
        unrolled: &Unrolled<'_>,
        file: &File,
        machines: &mut Vec<MachinePlan<'_>>,
    ) -> Option<usize> {
        let belongs = |item: &Item| {
            use ItemKind::{Final, Start, Transition, Wait};
            matches!(item.kind, Start(_) | Transition(_) | Final(_) | Wait { .. })
        };
        let first = unrolled.instances.iter().find(|i| i.machine.is_none() && belongs(i.item))?;
        let is_own = |machine: &&MachinePlan<'_>| !file.is_of_part(&machine.name);
        if let Some(head) = machines.iter().find(is_own).map(|machine| machine.span) {
            let message = "a file with machines has no control states outside them";
            let error = Diagnostic::error(Code::OutsideMachines, message, first.item.span);
            self.diagnostics
                .push(error.label(head, "a machine").help("put this into a machine: `machine NAME { .. }`"));
        }
        machines.push(MachinePlan::new(String::new(), first.item.span));
        Some(machines.len() - 1)
    }

    fn location(&mut self, name: &Reference, bindings: &Bindings) -> Option<String> {
        self.declared_indices(name, bindings).map(|indices| full_name(&name.name, &indices))
    }

    fn starts(&mut self, unrolled: &Unrolled<'_>, machines: &mut [MachinePlan<'_>], bare: Option<usize>) {
        for Instance { item, bindings, machine } in &unrolled.instances {
            let Some(machine) = machine.or(bare).and_then(|number| machines.get_mut(number)) else {
                continue;
            };
            match &item.kind {
                ItemKind::Broken if self.source.slice(item.span).starts_with("start") => {
                    machine.broken_start = true;
                }
                ItemKind::Start(name) => {
                    let Some(location) = self.location(name, bindings) else {
                        machine.broken_start = true;
                        continue;
                    };
                    if let Some(first) = machine.start.replace(name.span) {
                        let error = Diagnostic::error(
                            Code::DuplicateStatement,
                            "a machine has one `start`",
                            item.span,
                        );
                        self.diagnostics.push(error.label(first, "the other one"));
                    }
                    machine.code(location, name.span);
                }
                _ => {}
            }
        }
    }

    fn edges<'a>(
        &mut self,
        unrolled: &Unrolled<'a>,
        machines: &mut [MachinePlan<'_>],
        bare: Option<usize>,
    ) -> Vec<Edge<'a>> {
        let mut edges = Vec::new();
        for Instance { item, bindings, machine } in &unrolled.instances {
            let ItemKind::Transition(transition) = &item.kind else { continue };
            let (from, to) =
                (self.location(&transition.from, bindings), self.location(&transition.to, bindings));
            let (Some(from), Some(to)) = (from, to) else { continue };
            let Some(number) = machine.or(bare) else { continue };
            let Some(machine) = machines.get_mut(number) else { continue };
            let from = machine.code(from, transition.from.span);
            let to = machine.code(to, transition.to.span);
            let bindings = bindings.clone();
            edges.push(Edge { transition, bindings, span: item.span, machine: number, from, to });
        }
        edges
    }

    /// `final` and `wait`, which name control states that are there.
    fn rests_and_waits<'a>(
        &mut self,
        unrolled: &Unrolled<'a>,
        machines: &mut [MachinePlan<'a>],
        bare: Option<usize>,
    ) {
        for Instance { item, bindings, machine } in &unrolled.instances {
            let Some(machine) = machine.or(bare).and_then(|number| machines.get_mut(number)) else {
                continue;
            };
            match &item.kind {
                ItemKind::Final(states) => {
                    for state in states {
                        let code = self.known_location(machine, state, bindings);
                        machine.finals.extend(code);
                    }
                }
                ItemKind::Wait { state, condition } => {
                    let code = self.known_location(machine, state, bindings);
                    machine.waits.extend(code.map(|code| (code, condition, bindings.clone())));
                }
                _ => {}
            }
        }
    }

    /// A control state that some transition or `start` names.
    fn known_location(
        &mut self,
        machine: &MachinePlan<'_>,
        name: &Reference,
        bindings: &Bindings,
    ) -> Option<i64> {
        let location = self.location(name, bindings)?;
        let known = machine.codes.get(&location).copied();
        if known.is_none() {
            let states = machine.literals.iter().map(|state| &**state);
            self.diagnostics.push(Diagnostic::unknown("control state", &location, name.span, states));
        }
        known
    }

    /// Enters a machine into the model.
    fn build(&mut self, plan: &mut MachinePlan<'_>) {
        if plan.start.is_none() && !plan.broken_start {
            let what = match plan.name.as_str() {
                "" => "the protocol".to_owned(),
                name => format!("the machine `{name}`"),
            };
            let error = Diagnostic::error(Code::NoStart, format!("{what} has no `start`"), plan.span);
            let first = plan.literals.first().map_or("NAME", |first| first);
            self.diagnostics.push(error.help(format!("say where it begins: `start {first}`")));
        }
        if plan.literals.is_empty() {
            let base = plan.name.split('[').next().unwrap_or_default();
            self.suspects.insert(base.into());
            return;
        }
        let machine = MachineId::from_index(self.model.machines.len());
        let domain = Domain::Enumeration(plan.literals.clone().into());
        let name = if plan.name.is_empty() { "in" } else { &plan.name };
        let variable = self.model.add_variable(Variable {
            machine: Some(machine),
            span: plan.span,
            ..Variable::new(name, domain, vec![0], plan.visibility.clone())
        });
        self.model.machines.push(Machine {
            name: plan.name.clone(),
            variable,
            span: plan.span,
            location_spans: plan.spans.clone(),
        });
        plan.built = Some((machine, variable));
    }
}
