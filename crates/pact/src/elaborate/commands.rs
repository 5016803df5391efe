//! Transitions become commands.
//!
//! First each transition gets its label and its place in the control graph, and partners of a synchronisation meet;
//! that is all that formulas can speak of. Guards and assignments, which may use definitions, follow once the
//! definitions have been checked.

use rustc_hash::FxHashMap;
use servanda_logic::{ActPattern, Formula, Reference, Rewrite};
use servanda_lower::{Context, resolve_act};
use servanda_model::{Command, Expr, Label, LabelId, VariableId, bind_boolean, bind_value};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all, optional};

use super::Elaborator;
use super::machines::{Edge, Plan};
use crate::ast::{Assignment, LabelItem, Side};
use crate::bindings::Bindings;
use crate::fold::constant;
use crate::names::NameKind;

/// Commands that are made, synchronisations included.
const MOST_COMMANDS: usize = 1_000_000;

/// The transitions of a file and the commands made of them.
pub(super) struct Steps<'p> {
    edges: &'p [Edge<'p>],
    labels: Vec<Option<EdgeLabel>>,
    /// For each command of the model the transition it is made of, and the receiver's in a synchronisation.
    made_of: Vec<(usize, Option<usize>)>,
}

/// What a transition does, when that is in order.
enum EdgeLabel {
    Alone(LabelId),
    Sends(LabelId, String),
    Receives(String),
}

/// The user's part of a transition: when it is possible and what it assigns.
struct Body {
    guard: Expr,
    updates: Vec<(VariableId, Expr, Span)>,
}

impl Elaborator<'_> {
    /// Makes a command of each transition and of each pair of partners, as yet without guards and assignments.
    pub(super) fn commands<'p>(&mut self, plan: &'p Plan<'p>) -> Steps<'p> {
        let mut known = FxHashMap::default();
        let labels: Vec<Option<EdgeLabel>> =
            plan.edges.iter().map(|edge| self.edge_label(edge, &mut known)).collect();
        let mut receivers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (number, label) in labels.iter().enumerate() {
            if let Some(EdgeLabel::Receives(message)) = label {
                receivers.entry(message).or_default().push(number);
            }
        }
        let mut made_of = Vec::new();
        'edges: for (number, (edge, label)) in plan.edges.iter().zip(&labels).enumerate() {
            match label {
                Some(EdgeLabel::Alone(label)) => self.command(plan, *label, number, None, &mut made_of),
                Some(EdgeLabel::Sends(label, message)) => {
                    for &receiver in receivers.get(message.as_str()).into_iter().flatten() {
                        if plan.edges[receiver].machine != edge.machine {
                            self.command(plan, *label, number, Some(receiver), &mut made_of);
                        }
                        if made_of.len() > MOST_COMMANDS {
                            break;
                        }
                    }
                }
                Some(EdgeLabel::Receives(_)) | None => {}
            }
            if made_of.len() > MOST_COMMANDS {
                let message = format!("there are more than {MOST_COMMANDS} transitions");
                self.diagnostics.push(Diagnostic::error(Code::TooManyTransitions, message, edge.span));
                break 'edges;
            }
        }
        Steps { edges: &plan.edges, labels, made_of }
    }

    /// Adds a command that goes the way of one transition, or of a sender's and a receiver's together.
    fn command(
        &mut self,
        plan: &Plan<'_>,
        label: LabelId,
        sender: usize,
        receiver: Option<usize>,
        made_of: &mut Vec<(usize, Option<usize>)>,
    ) {
        let mut command = Command { by: self.model.label(label).by(), ..Command::new(label) };
        let (mut tests, mut home) = (Vec::new(), None);
        for number in [Some(sender), receiver].into_iter().flatten() {
            let edge = &plan.edges[number];
            let Some((machine, variable)) = plan.machines[edge.machine].built else { return };
            tests.push(Expr::variable(variable).equals(Expr::Constant(edge.from)));
            if edge.to != edge.from {
                command.updates.push((variable, Expr::Constant(edge.to)));
            }
            home.get_or_insert((machine, edge.from));
        }
        command.guard = Expr::and(tests);
        command.home = home;
        command.span = plan.edges[sender].span;
        self.model.add_command(command);
        made_of.push((sender, receiver));
    }

    fn edge_label(&mut self, edge: &Edge<'_>, known: &mut FxHashMap<Label, LabelId>) -> Option<EdgeLabel> {
        let (role, name, side) = match &edge.transition.label {
            LabelItem::Act { act, span } => {
                let ground = self.expander(&edge.bindings).act(act)?;
                let resolved = resolve_act(&self.model, &ground, *span, &mut self.diagnostics)?;
                return Some(EdgeLabel::Alone(self.label(Label::Act(resolved), known)));
            }
            LabelItem::Message { role, name, side } => (role, name, *side),
        };
        let by = optional(role, |role| self.role(role, &edge.bindings));
        let name = self.expander(&edge.bindings).reference(name);
        let (by, name) = (by?, name?.to_string());
        let message = Label::message(name.clone(), by);
        Some(match side {
            Side::Alone => EdgeLabel::Alone(self.label(message, known)),
            Side::Sender => EdgeLabel::Sends(self.label(message, known), name),
            Side::Receiver => EdgeLabel::Receives(name),
        })
    }

    /// As [`servanda_model::Model::add_label`], without looking through all labels.
    fn label(&mut self, label: Label, known: &mut FxHashMap<Label, LabelId>) -> LabelId {
        let labels = &mut self.model.labels;
        *known.entry(label).or_insert_with_key(|label| {
            labels.push(label.clone());
            LabelId::from_index(labels.len() - 1)
        })
    }

    /// Adds the user's guards and assignments to the commands, and checks what acts say.
    pub(super) fn guards_and_assignments(&mut self, steps: &Steps<'_>) {
        let bodies: Vec<Option<Body>> = steps.edges.iter().map(|edge| self.body(edge)).collect();
        for (number, (sender, receiver)) in steps.made_of.iter().enumerate() {
            let Some(first) = &bodies[*sender] else { continue };
            let second = match receiver {
                None => None,
                Some(receiver) => match &bodies[*receiver] {
                    None => continue,
                    second => second.as_ref(),
                },
            };
            let updates = self.merged(first, second);
            let guards = [Some(first), second].into_iter().flatten().map(|body| body.guard.clone());
            let command = &mut self.model.commands_mut()[number];
            let location = std::mem::replace(&mut command.guard, Expr::TRUE);
            command.guard = Expr::and(std::iter::once(location).chain(guards));
            command.updates.splice(0..0, updates);
        }
    }

    /// The assignments of both partners.
    fn merged(&mut self, first: &Body, second: Option<&Body>) -> Vec<(VariableId, Expr)> {
        let mut updates: Vec<(VariableId, Expr)> =
            first.updates.iter().map(|(variable, value, _)| (*variable, value.clone())).collect();
        for (variable, value, span) in second.into_iter().flat_map(|body| &body.updates) {
            match first.updates.iter().find(|(other, ..)| other == variable) {
                None => updates.push((*variable, value.clone())),
                Some((_, same, _)) if same == value => {}
                Some((.., place)) => {
                    let name = &self.model.variable(*variable).name;
                    let message = format!("sender and receiver assign different values to `{name}`");
                    let error = Diagnostic::error(Code::ConflictingAssignments, message, *place);
                    self.diagnostics.push(error.label(*span, "the receiver's assignment"));
                }
            }
        }
        updates
    }

    fn body(&mut self, edge: &Edge<'_>) -> Option<Body> {
        let transition = edge.transition;
        let label = match &transition.label {
            LabelItem::Act { act, .. } => self.check_act(act, &edge.bindings),
            LabelItem::Message { .. } => Some(()),
        };
        let guard = match &transition.guard {
            None => Some(Expr::TRUE),
            Some(guard) => self.condition(guard, &edge.bindings),
        };
        let mut updates: Vec<(VariableId, Expr, Span)> = Vec::new();
        let mut failed = false;
        for assignment in &transition.sets {
            match self.assignment(assignment, &edge.bindings) {
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
        label?;
        let guard = guard?;
        (!failed).then_some(Body { guard, updates })
    }

    /// Checks the content and support of an act as far as they are written in it.
    fn check_act(&mut self, act: &ActPattern, bindings: &Bindings) -> Option<()> {
        all(act.written().map(|formula| self.checked(formula, bindings, Context::Content))).map(drop)
    }

    /// A condition on the present state.
    pub(super) fn condition(&mut self, formula: &Formula, bindings: &Bindings) -> Option<Expr> {
        let ground = self.ground(formula, bindings)?;
        bind_boolean(&self.model, &ground, &mut self.diagnostics)
    }

    fn assignment(&mut self, assignment: &Assignment, bindings: &Bindings) -> Option<(VariableId, Expr)> {
        let target = self.target(&assignment.target, bindings);
        let ground = self.ground(&assignment.value, bindings);
        let (variable, ground) = (target?, ground?);
        let domain = self.model.variable(variable).domain.clone();
        let value = bind_value(&self.model, &ground, &domain, &mut self.diagnostics)?;
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

impl Steps<'_> {
    /// Warnings of transitions that wait for a partner that no other machine has.
    pub(super) fn lonely(&self) -> Vec<Diagnostic> {
        let mut met = vec![false; self.edges.len()];
        for (sender, receiver) in &self.made_of {
            met[*sender] = true;
            if let Some(receiver) = receiver {
                met[*receiver] = true;
            }
        }
        let alone = self.labels.iter().enumerate().filter(|(number, _)| !met[*number]);
        alone
            .filter_map(|(number, label)| {
                let (message, partner) = match label.as_ref()? {
                    EdgeLabel::Alone(_) => return None,
                    EdgeLabel::Sends(_, name) => (format!("{name}!"), format!("{name}?")),
                    EdgeLabel::Receives(name) => (format!("{name}?"), format!("{name}!")),
                };
                let span = match &self.edges[number].transition.label {
                    LabelItem::Message { name, .. } => name.span,
                    LabelItem::Act { span, .. } => *span,
                };
                let message = format!("`{message}` never happens: no other machine has `{partner}`");
                Some(Diagnostic::warning(Code::NoPartner, message, span))
            })
            .collect()
    }
}
