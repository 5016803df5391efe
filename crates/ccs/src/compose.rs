//! A system taken apart becomes a model: one machine for every sequential part, one command for every move and every
//! pair of moves that fit together.

use rustc_hash::FxHashMap;
use servanda_model::{
    ActionLabel, AgentId, Command, Domain, Expr, Label, LabelId, Machine, MachineId, Model,
    Port as PortLabel, Variable, VariableId, Visibility,
};
use servanda_syntax::Span;

use crate::automaton::Move;
use crate::fresh::Fresh;
use crate::layout::{Layout, Node};
use crate::sides::Sides;
use crate::steps::relabel;
use crate::term::{Action, Port};
use crate::words::{Word, Words};

/// Commands of a model, at most.
const MOST_COMMANDS: usize = 4_000_000;

/// There are more commands than can be kept.
pub(crate) struct TooManyCommands;

/// The model of a system.
pub(crate) fn compose(
    name: &str,
    layout: &Layout,
    words: &Words,
    agent_span: Span,
) -> Result<Model, TooManyCommands> {
    let mut model = Model::new(name);
    for agent in &layout.agents {
        model.add_agent(agent.clone(), agent_span);
    }
    add_machines(&mut model, layout);
    let mut composer = Composer { model, layout, words, labels: FxHashMap::default() };
    for offer in composer.offers(&layout.root)? {
        composer.command(offer.action, offer, None)?;
    }
    Ok(composer.model)
}

/// One machine for every part. It is called as its agent, with a number if the agent has several.
fn add_machines(model: &mut Model, layout: &Layout) {
    let mut parts_of = vec![0usize; layout.agents.len()];
    layout.parts.iter().for_each(|part| parts_of[part.agent] += 1);
    let mut names = Fresh::default();
    layout.agents.iter().for_each(|agent| names.reserve(agent));
    for (number, part) in layout.parts.iter().enumerate() {
        let automaton = &layout.automata[part.automaton];
        let agent = &layout.agents[part.agent];
        let name = if parts_of[part.agent] == 1 { agent.clone() } else { names.numbered(agent, 1) };
        let machine = MachineId::from_index(number);
        let domain = Domain::Enumeration(automaton.states.clone());
        let visibility = Visibility::Private(AgentId::from_index(part.agent));
        let variable =
            Variable { machine: Some(machine), ..Variable::new(&name, domain, vec![0], visibility) };
        let variable = model.add_variable(variable);
        let span = automaton.spans.first().copied().unwrap_or_default();
        model.machines.push(Machine { name, variable, span, location_spans: automaton.spans.clone() });
    }
}

/// A move of a part, as seen from outside of some of what is around it.
#[derive(Clone, Copy)]
struct Offer {
    part: usize,
    action: Action,
    from: u32,
    to: u32,
    span: Span,
}

struct Composer<'l> {
    model: Model,
    layout: &'l Layout,
    words: &'l Words,
    labels: FxHashMap<Action, LabelId>,
}

impl Composer<'_> {
    /// The moves of a node in which others can take part. Commands are made of the rest.
    fn offers(&mut self, node: &Node) -> Result<Vec<Offer>, TooManyCommands> {
        match node {
            Node::Part(part) => {
                let layout = self.layout;
                let moves = &layout.automata[layout.parts[*part].automaton].moves;
                let mut offers = Vec::with_capacity(moves.len());
                for &Move { from, action, to, span } in moves {
                    let offer = Offer { part: *part, action, from, to, span };
                    match action.open_name() {
                        Some(_) => offers.push(offer),
                        None => self.command(action, offer, None)?,
                    }
                }
                Ok(offers)
            }
            Node::Restrict(inner, names) => {
                let mut offers = self.offers(inner)?;
                let is_open = |name| names.binary_search(&name).is_err();
                offers.retain(|offer| offer.action.open_name().is_none_or(is_open));
                Ok(offers)
            }
            Node::Relabel(inner, pairs) => {
                let mut offers = self.offers(inner)?;
                offers.iter_mut().for_each(|offer| offer.action = relabel(offer.action, pairs));
                Ok(offers)
            }
            Node::Parallel(components) => {
                let (mut all, mut sides) = (Vec::new(), Sides::new());
                for (component, node) in components.iter().enumerate() {
                    let offers = self.offers(node)?;
                    offers.iter().for_each(|offer| sides.add(component, offer.action, *offer));
                    all.extend(offers);
                }
                for ((_, output), (_, input)) in sides.meetings() {
                    if let Some(action) = output.action.with(input.action) {
                        self.command(action, output, Some(input))?;
                    }
                }
                Ok(all)
            }
        }
    }

    /// Adds the command of a move, or of a sender's and a receiver's together.
    fn command(
        &mut self,
        action: Action,
        offer: Offer,
        receiver: Option<Offer>,
    ) -> Result<(), TooManyCommands> {
        if self.model.behaviour.commands().len() >= MOST_COMMANDS {
            return Err(TooManyCommands);
        }
        let agent = AgentId::from_index(self.layout.parts[offer.part].agent);
        let mut command = Command {
            by: Some(agent),
            home: Some((MachineId::from_index(offer.part), i64::from(offer.from))),
            span: offer.span,
            ..Command::new(self.label(action))
        };
        let mut tests = Vec::with_capacity(2);
        for Offer { part, from, to, .. } in [Some(offer), receiver].into_iter().flatten() {
            // The machines are the only variables, in the order of the parts.
            let variable = VariableId::from_index(part);
            tests.push(Expr::variable(variable).equals(Expr::Constant(i64::from(from))));
            if from != to {
                command.updates.push((variable, Expr::Constant(i64::from(to))));
            }
        }
        command.guard = Expr::and(tests);
        self.model.add_command(command);
        Ok(())
    }

    fn label(&mut self, action: Action) -> LabelId {
        if let Some(label) = self.labels.get(&action) {
            return *label;
        }
        let text = |word: Word| self.words.text(word).to_owned();
        let port = |port: Port| PortLabel { name: text(port.name), content: port.content.map(text) };
        let label = match action {
            Action::Tau => ActionLabel::Tau,
            Action::Input(input) => ActionLabel::Input(port(input)),
            Action::Output(output) => ActionLabel::Output(port(output)),
            Action::Synchronised(both) => ActionLabel::Synchronised(port(both)),
        };
        self.model.labels.push(Label::Action { action: label, acts: Vec::new() });
        let id = LabelId::from_index(self.model.labels.len() - 1);
        self.labels.insert(action, id);
        id
    }
}
