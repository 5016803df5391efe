//! Transitions become commands.
//!
//! First each transition gets its label and its place in the control graph, and partners of an exchange meet; that is all that formulas
//! can refer to. A message that carries something is a command for each value it can carry. Guards and assignments, which may use
//! definitions, follow once the definitions have been checked.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_logic::{ActPattern, Formula, Kind, written_content};
use servanda_lower::Context;
use servanda_model::{
    AgentId, Command, Expr, FaultKind, Label, LabelId, Local, MessageLabel, Model, bind_boolean_with,
};
use servanda_syntax::{Code, Diagnostic, Span, all};

use super::Elaborator;
use super::assignments::Updates;
use super::channels::{Carriers, ChannelPlan};
use super::labels::{Argument, Head, Said};
use super::machines::{Edge, Plan};
use crate::ast::{LabelItem, Side};
use crate::bindings::Bindings;

/// Commands that are made, exchanges included.
const MOST_COMMANDS: usize = 1_000_000;

/// The transitions of a file and the commands made of them.
pub(super) struct Steps<'p> {
    edges: &'p [Edge<'p>],
    pub(super) heads: Vec<Option<Head>>,
    pub(super) channels: Vec<ChannelPlan<'p>>,
    carriers: Carriers,
    /// For each of the first commands of the model what it is made of.
    origins: Vec<Origin>,
}

/// What a command is made of.
struct Origin {
    edge: usize,
    /// The receiver's transition of an exchange.
    partner: Option<usize>,
    /// What the message carries.
    values: Vec<i64>,
    /// Of all commands of a sending the one that finds out whether an argument is outside its type.
    checks: bool,
}

/// The user's part of a transition: when it is possible and what it assigns, in one of several ways.
struct Body {
    guard: Expr,
    choices: Vec<Updates>,
}

impl Elaborator<'_> {
    /// Makes commands of transitions and of pairs of partners, as yet without guards and assignments.
    pub(super) fn commands<'p>(
        &mut self,
        plan: &'p Plan<'p>,
        (channels, carriers): (Vec<ChannelPlan<'p>>, Carriers),
    ) -> Steps<'p> {
        self.enter_channels(&channels);
        let heads = self.heads(&plan.edges);
        self.check_ends(&heads, &channels, &carriers);
        self.fill_channels(&carriers, &heads);
        self.know_messages(&heads, &channels);
        let mut steps =
            Steps { edges: &plan.edges, heads: Vec::new(), channels, carriers, origins: Vec::new() };
        let mut receivers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (number, head) in heads.iter().enumerate() {
            if let Some(Head::Said(said)) = head
                && said.side == Side::Receiver
            {
                receivers.entry(&said.name).or_default().push(number);
            }
        }
        for (number, (edge, head)) in plan.edges.iter().zip(&heads).enumerate() {
            match head {
                Some(Head::Act(label)) => {
                    let origin = Origin { edge: number, partner: None, values: Vec::new(), checks: false };
                    self.command(plan, *label, origin, &mut steps.origins);
                }
                Some(Head::Said(said)) => match steps.carriers.get(&said.name).copied() {
                    Some(channel) => self.through_channel(plan, number, said, channel, &mut steps.origins),
                    None if said.side == Side::Alone => {
                        self.sendings(plan, number, None, said, &mut steps.origins)
                    }
                    None if said.side == Side::Sender => {
                        for &receiver in receivers.get(said.name.as_str()).into_iter().flatten() {
                            let Some(Head::Said(partner)) = &heads[receiver] else { continue };
                            if plan.edges[receiver].machine != edge.machine
                                && steps.origins.len() <= MOST_COMMANDS
                            {
                                let partner = Some((receiver, partner));
                                self.sendings(plan, number, partner, said, &mut steps.origins);
                            }
                        }
                    }
                    None => {}
                },
                None => {}
            }
            if steps.origins.len() > MOST_COMMANDS {
                self.diagnostics.push(too_many_transitions(edge.span));
                break;
            }
        }
        Steps { heads, ..steps }
    }

    /// A command for each value that the message can carry, alone or with a partner.
    fn sendings(
        &mut self,
        plan: &Plan<'_>,
        edge: usize,
        partner: Option<(usize, &Said)>,
        said: &Said,
        origins: &mut Vec<Origin>,
    ) {
        let mut checks = said.payload.can_fail;
        for (values, label) in said.payload.tuples.iter().zip(&said.labels) {
            if let (Some((_, receiver)), Label::Message(message)) = (partner, self.model.label(*label))
                && !receiver.receives(message)
            {
                continue;
            }
            let partner = partner.map(|(number, _)| number);
            let one = Origin { edge, partner, values: values.clone(), checks: std::mem::take(&mut checks) };
            self.command(plan, *label, one, origins);
        }
    }

    /// The commands of a sending into a channel, or of a receiving from it.
    fn through_channel(
        &mut self,
        plan: &Plan<'_>,
        edge: usize,
        said: &Said,
        channel: usize,
        origins: &mut Vec<Origin>,
    ) {
        let channel = self.model.channels[channel].clone();
        let mut checks = said.side == Side::Sender && said.payload.can_fail;
        let own: FxHashSet<LabelId> = said.labels.iter().copied().collect();
        for (code, sending) in (1..).zip(&channel.messages) {
            let Label::Message(message) = self.model.label(*sending).clone() else { continue };
            let (guarded, label) = match said.side {
                Side::Receiver if said.receives(&message) => {
                    let (name, values) = (message.name.clone(), message.values.clone());
                    let received = MessageLabel { name, by: said.by, to: Vec::new(), values, received: true };
                    (channel.receiving(code), self.label(Label::Message(received)))
                }
                Side::Sender if own.contains(sending) => (channel.sending(code), *sending),
                _ => continue,
            };
            let before = origins.len();
            let checks = std::mem::take(&mut checks);
            self.command(
                plan,
                label,
                Origin { edge, partner: None, values: message.values, checks },
                origins,
            );
            if origins.len() > before
                && let Some(command) = self.model.commands_mut().last_mut()
            {
                let (possible, moved) = guarded;
                let location = std::mem::replace(&mut command.guard, Expr::TRUE);
                command.guard = Expr::and([location, possible]);
                command.updates.extend(moved);
            }
        }
    }

    /// Adds a command that goes the way of one transition, or of a sender's and a receiver's together.
    fn command(&mut self, plan: &Plan<'_>, label: LabelId, one: Origin, origins: &mut Vec<Origin>) {
        let mut command = Command { by: self.model.label(label).by(), ..Command::new(label) };
        let (mut tests, mut home) = (Vec::new(), None);
        for number in std::iter::once(one.edge).chain(one.partner) {
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
        command.span = plan.edges[one.edge].span;
        self.model.add_command(command);
        origins.push(one);
    }

    /// Adds the user's guards and assignments to the commands, and checks what acts say.
    pub(super) fn guards_and_assignments(&mut self, steps: &Steps<'_>) {
        let mut bodies: FxHashMap<(usize, Vec<i64>), Option<Body>> = FxHashMap::default();
        for number in
            (0..steps.edges.len()).zip(steps.met()).filter(|(_, met)| !met).map(|(number, _)| number)
        {
            // What cannot be received is checked as well, with the first value of each type.
            let values: Vec<i64> = match &steps.heads[number] {
                Some(Head::Said(said)) => said.types.iter().map(servanda_model::Domain::low).collect(),
                _ => Vec::new(),
            };
            self.body(steps, number, &values);
        }
        let commands = self.model.commands_mut().to_vec();
        let mut complete = Vec::new();
        for (command, origin) in commands.into_iter().zip(&steps.origins) {
            for number in std::iter::once(origin.edge).chain(origin.partner) {
                let key = (number, steps.bound(number, &origin.values));
                bodies.entry(key).or_insert_with(|| self.body(steps, number, &origin.values));
            }
            let body = |number: usize| bodies.get(&(number, steps.bound(number, &origin.values)))?.as_ref();
            let Some(first) = body(origin.edge) else { continue };
            let second = match origin.partner.map(body) {
                Some(None) => continue,
                second => second.flatten(),
            };
            let guard = steps.guard(origin, &command, first, second);
            let partner = second.map(|body| body.choices.as_slice());
            let alternatives = self.merged(&first.choices, partner, MOST_COMMANDS);
            for mut updates in alternatives {
                updates.extend(command.updates.iter().cloned());
                complete.push(Command { guard: guard.clone(), updates, ..command.clone() });
                if complete.len() > MOST_COMMANDS {
                    self.diagnostics.push(too_many_transitions(command.span));
                    return;
                }
            }
        }
        self.model.set_commands(complete);
    }

    /// What the user says of a transition that carries these values.
    fn body(&mut self, steps: &Steps<'_>, number: usize, values: &[i64]) -> Option<Body> {
        let edge = &steps.edges[number];
        let transition = edge.transition;
        let label = match &transition.label {
            LabelItem::Act { act, .. } => self.check_act(act, &edge.bindings),
            LabelItem::Message(_) => Some(()),
        };
        let locals = steps.locals(number, values);
        let names = locals.iter().map(|local| local.name.as_str().into()).collect();
        let bindings = edge.bindings.receiving(names);
        let guard = match &transition.guard {
            None => Some(Expr::TRUE),
            Some(guard) => self.ground(guard, &bindings).and_then(|ground| self.bound(&ground, &locals)),
        };
        let choices = self.assignments(&transition.sets, &bindings, &locals, MOST_COMMANDS);
        label?;
        Some(Body { guard: guard?, choices: choices? })
    }

    /// Checks the content and support of an act as far as they are written in it.
    fn check_act(&mut self, act: &ActPattern, bindings: &Bindings) -> Option<()> {
        all(act.written().map(|formula| self.checked(formula, bindings, Context::Content))).map(drop)
    }

    /// A condition on the present state.
    pub(super) fn condition(&mut self, formula: &Formula, bindings: &Bindings) -> Option<Expr> {
        let ground = self.ground(formula, bindings)?;
        self.bound(&ground, &[])
    }

    /// A ground condition on the present state.
    pub(super) fn bound(&mut self, ground: &Formula, locals: &[Local]) -> Option<Expr> {
        let expr = bind_boolean_with(&self.model, locals, ground, &mut self.diagnostics)?;
        self.check_subjects(ground)?;
        Some(expr)
    }

    /// Checks the contents of what an expression asks to be in force.
    pub(super) fn check_subjects(&mut self, ground: &Formula) -> Option<()> {
        if let Kind::Active(subject) = ground.kind() {
            let content = subject.given().and_then(written_content).cloned();
            return content.map_or(Some(()), |content| self.validated(content, Context::Content).map(drop));
        }
        let mut sound = Some(());
        ground.for_each_child(|child| sound = self.check_subjects(child).and(sound));
        sound
    }
}

impl Steps<'_> {
    /// What the names that a transition gives to received values stand for.
    fn locals(&self, number: usize, values: &[i64]) -> Vec<Local> {
        let Some(Head::Said(said)) = &self.heads[number] else { return Vec::new() };
        let local = |(position, name, _): (usize, &std::sync::Arc<str>, _)| Local {
            name: name.to_string(),
            domain: said.types[position].clone(),
            value: values[position],
        };
        said.binders().map(local).collect()
    }

    /// The values to which the transition gives names: it is the same whatever the others are.
    fn bound(&self, number: usize, values: &[i64]) -> Vec<i64> {
        self.locals(number, values).into_iter().map(|local| local.value).collect()
    }

    /// Where the command is possible: its control states, the sender's condition, what is sent, the receiver's condition.
    fn guard(&self, origin: &Origin, command: &Command, first: &Body, second: Option<&Body>) -> Expr {
        let mut parts = vec![command.guard.clone(), first.guard.clone()];
        if let Some(Head::Said(said)) = &self.heads[origin.edge] {
            if origin.checks {
                parts.push(Expr::or([said.is_typed(), Expr::Fault(FaultKind::ValueOutOfType)]));
            }
            parts.push(said.agrees(&origin.values));
        }
        if let Some((partner, body)) = origin.partner.zip(second) {
            if let Some(Head::Said(said)) = &self.heads[partner] {
                parts.push(said.agrees(&origin.values));
            }
            parts.push(body.guard.clone());
        }
        Expr::and(parts)
    }

    /// Who makes the step of a transition, where one role does so alone: in an exchange two take part.
    pub(super) fn alone(&self, number: usize, model: &Model) -> Option<AgentId> {
        match self.heads[number].as_ref()? {
            Head::Act(label) => model.label(*label).by(),
            Head::Said(said) if said.side == Side::Alone || self.carriers.contains_key(&said.name) => said.by,
            Head::Said(_) => None,
        }
    }

    /// Which transitions some command is made of.
    fn met(&self) -> Vec<bool> {
        let mut met = vec![false; self.edges.len()];
        for origin in &self.origins {
            std::iter::once(origin.edge).chain(origin.partner).for_each(|edge| met[edge] = true);
        }
        met
    }

    /// Warnings of transitions that wait for a partner that no other machine has, and of names for what is received that are not used.
    pub(super) fn lonely(&self) -> Vec<Diagnostic> {
        let met = self.met();
        let alone = self.heads.iter().enumerate().filter(|(number, _)| !met[*number]);
        let lonely = alone.filter_map(|(number, head)| {
            let Some(Head::Said(said)) = head else { return None };
            if self.carriers.contains_key(&said.name) {
                return None;
            }
            let name = &said.name;
            let (message, partner) = match said.side {
                Side::Alone => return None,
                Side::Sender => (format!("{name}!"), format!("{name}?")),
                Side::Receiver => (format!("{name}?"), format!("{name}!")),
            };
            let span = match &self.edges[number].transition.label {
                LabelItem::Message(said) => said.name.span,
                LabelItem::Act { span, .. } => *span,
            };
            let message = format!("`{message}` never happens: no other machine has `{partner}`");
            Some(Diagnostic::warning(Code::NoPartner, message, span))
        });
        lonely.chain(self.unused_binders()).collect()
    }

    fn unused_binders(&self) -> Vec<Diagnostic> {
        let mut unused = Vec::new();
        for (edge, head) in self.edges.iter().zip(&self.heads) {
            let Some(Head::Said(said)) = head else { continue };
            for (position, name, span) in said.binders() {
                let again = said.binders().any(|(other, known, _)| other != position && known == name);
                if !again && !crate::part::mentions(edge.transition, name) {
                    let message = format!("`{name}` is received and not used");
                    let warning = Diagnostic::warning(Code::UnusedBinder, message, span);
                    unused.push(warning.help("write `_` for a value that does not matter"));
                }
            }
        }
        unused
    }
}

fn too_many_transitions(span: Span) -> Diagnostic {
    let message = format!("there are more than {MOST_COMMANDS} transitions");
    Diagnostic::error(Code::TooManyTransitions, message, span)
}

impl Said {
    /// Where every argument is of its type.
    fn is_typed(&self) -> Expr {
        let arguments = self.arguments.iter().zip(&self.types);
        Expr::and(arguments.flat_map(|(argument, domain)| match argument {
            Argument::Value(value) => {
                let (low, high) = (Expr::Constant(domain.low()), Expr::Constant(domain.high()));
                let above = value.clone().less_than(low).negate();
                vec![above, high.less_than(value.clone()).negate()]
            }
            Argument::Open | Argument::Bound(..) => Vec::new(),
        }))
    }
}
