//! Who and what there is: agents, variables and actions.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_model::{AgentId, Domain, Model, Variable, VariableId, Visibility};
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use crate::ast::{self, Name, Observability};

/// What the environment is called.
pub(crate) const ENVIRONMENT: &str = "Environment";

/// An agent by what can be named of it.
#[derive(Debug, Default)]
pub(crate) struct Player {
    /// Its own variables, by their names without a prefix, in the order of declaration.
    pub(crate) variables: Vec<(Arc<str>, VariableId)>,
    by_name: FxHashMap<Arc<str>, VariableId>,
    /// Its actions, in the order of declaration.
    pub(crate) actions: Vec<String>,
    /// Where each of them stands: generated files have very many.
    action_places: FxHashMap<String, usize>,
    /// The local state of the 2005 dialect.
    pub(crate) local_state: Option<VariableId>,
    /// Environment variables that it reads, besides those that everybody reads.
    observed: FxHashSet<VariableId>,
    /// Its only action stands for doing nothing and was not declared.
    pub(crate) has_no_actions: bool,
}

/// All agents.
#[derive(Debug, Default)]
pub(crate) struct Cast {
    pub(crate) players: Vec<Player>,
    by_name: FxHashMap<Arc<str>, AgentId>,
    pub(crate) environment: Option<AgentId>,
}

impl Player {
    /// A variable of its own.
    pub(crate) fn variable(&self, name: &str) -> Option<VariableId> {
        self.by_name.get(name).copied()
    }

    /// The position of an action.
    pub(crate) fn action(&self, name: &str) -> Option<usize> {
        self.action_places.get(name).copied()
    }

    /// Adds an action that is not yet there.
    pub(crate) fn add_action(&mut self, name: String) {
        self.action_places.entry(name.clone()).or_insert(self.actions.len());
        self.actions.push(name);
    }
}

impl Cast {
    /// An agent by name.
    pub(crate) fn agent(&self, name: &str) -> Option<AgentId> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn player(&self, agent: AgentId) -> &Player {
        &self.players[agent.index()]
    }

    /// May the agent read this variable of the environment?
    pub(crate) fn reads(&self, model: &Model, agent: AgentId, variable: VariableId) -> bool {
        self.environment == Some(agent)
            || model.variable(variable).visibility == Visibility::Public
            || self.player(agent).observed.contains(&variable)
    }

    /// Enters agents, variables and actions into the model.
    pub(crate) fn new(
        file: &ast::File,
        implicit: bool,
        model: &mut Model,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut casting = Casting { cast: Cast::default(), model, diagnostics };
        if implicit {
            casting.enter(&Name { text: ENVIRONMENT.into(), span: Span::default() });
        }
        let ids: Vec<AgentId> = file.agents.iter().map(|agent| casting.enter(&agent.name)).collect();
        for (agent, id) in file.agents.iter().zip(&ids) {
            casting.declare_variables(agent, *id);
            casting.declare_actions(agent, *id);
        }
        if implicit {
            casting.cast.players[0].add_action("none".to_owned());
            casting.cast.players[0].has_no_actions = true;
        }
        for (agent, id) in file.agents.iter().zip(&ids) {
            casting.declare_observed(agent, *id);
        }
        casting.cast
    }
}

/// The tables that are filled.
struct Casting<'a> {
    cast: Cast,
    model: &'a mut Model,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Casting<'_> {
    fn enter(&mut self, name: &Name) -> AgentId {
        let id = self.model.add_agent(&*name.text, name.span);
        self.cast.players.push(Player::default());
        if let Some(before) = self.cast.by_name.get(&name.text) {
            let message = format!("two agents are called `{}`", name.text);
            self.diagnostics.push(
                Diagnostic::error(Code::DuplicateName, message, name.span)
                    .label(self.model.agent(*before).span, "the first"),
            );
            return id;
        }
        self.cast.by_name.insert(Arc::clone(&name.text), id);
        if &*name.text == ENVIRONMENT {
            self.cast.environment = Some(id);
        }
        id
    }

    fn declare_variables(&mut self, agent: &ast::Agent, id: AgentId) {
        let is_environment = self.cast.environment == Some(id);
        for variable in &agent.variables {
            if variable.observability == Observability::Everybody && !is_environment {
                let message =
                    format!("`{}` cannot have `Obsvars`: only the Environment has", agent.name.text);
                self.diagnostics.push(
                    Diagnostic::error(Code::NotTheEnvironment, message, variable.name.span)
                        .help("declare it in `Vars`, or make it a variable of the Environment"),
                );
            }
            let domain = match &variable.domain {
                ast::Domain::Boolean => Domain::Bool,
                ast::Domain::Range(low, high) => Domain::Range { low: *low, high: *high },
                ast::Domain::Enumeration(literals) => Domain::Enumeration(
                    distinct(literals, "this value is listed twice", self.diagnostics)
                        .map(Arc::clone)
                        .collect(),
                ),
            };
            let visibility = match variable.observability {
                Observability::Everybody => Visibility::Public,
                Observability::Owner => Visibility::Private(id),
            };
            self.declare(agent, id, &variable.name, domain, visibility);
        }
        if let Some((states, span)) = &agent.local_states {
            if states.is_empty() {
                let message = format!("`{}` has no local states", agent.name.text);
                self.diagnostics.push(Diagnostic::error(Code::EmptyDomain, message, *span));
                return;
            }
            let literals = distinct(states, "this local state is listed twice", self.diagnostics);
            let domain = Domain::Enumeration(literals.map(Arc::clone).collect());
            let name = Name { text: "Lstate".into(), span: *span };
            let variable = self.declare(agent, id, &name, domain, Visibility::Private(id));
            self.cast.players[id.index()].local_state = variable;
        }
    }

    fn declare(
        &mut self,
        agent: &ast::Agent,
        id: AgentId,
        name: &Name,
        domain: Domain,
        visibility: Visibility,
    ) -> Option<VariableId> {
        let player = &mut self.cast.players[id.index()];
        if let Some(before) = player.by_name.get(&name.text) {
            let message = format!("`{}` has a variable called `{}` already", agent.name.text, name.text);
            return self.diagnostics.refuse(
                Diagnostic::warning(Code::DuplicateName, message, name.span)
                    .label(self.model.variable(*before).span, "this one counts"),
            );
        }
        // Every value is possible at first; `InitStates` narrows that. A range that no engine can hold is not listed.
        let initial = codes(&domain, name, self.diagnostics);
        let full_name = format!("{}.{}", agent.name.text, name.text);
        let variable = Variable { span: name.span, ..Variable::new(full_name, domain, initial, visibility) };
        let variable = self.model.add_variable(variable);
        player.variables.push((Arc::clone(&name.text), variable));
        player.by_name.insert(Arc::clone(&name.text), variable);
        Some(variable)
    }

    fn declare_actions(&mut self, agent: &ast::Agent, id: AgentId) {
        let player = &mut self.cast.players[id.index()];
        let names = distinct(&agent.actions, "this action is listed twice", self.diagnostics);
        names.for_each(|name| player.add_action(name.to_string()));
        if player.actions.is_empty() {
            player.has_no_actions = true;
            player.add_action("none".to_owned());
        }
    }

    fn declare_observed(&mut self, agent: &ast::Agent, id: AgentId) {
        for name in &agent.observed {
            let found = self
                .cast
                .environment
                .and_then(|environment| self.cast.player(environment).variable(&name.text));
            let Some(variable) = found else {
                let message = format!("the Environment has no variable called `{}`", name.text);
                let known = self.cast.environment.map_or(&[][..], |e| &self.cast.player(e).variables[..]);
                let known = known.iter().map(|(name, _)| &**name);
                self.diagnostics.push(
                    Diagnostic::error(Code::UnknownName, message, name.span).suggest(&name.text, known),
                );
                continue;
            };
            self.cast.players[id.index()].observed.insert(variable);
            let visibility = &mut self.model.variables[variable.index()].visibility;
            match visibility {
                Visibility::Private(owner) if *owner != id => {
                    *visibility = Visibility::Shared(vec![*owner, id])
                }
                Visibility::Shared(agents) if !agents.contains(&id) => agents.push(id),
                _ => {}
            }
        }
    }
}

/// The names without repetitions, which are reported.
fn distinct<'a>(
    names: &'a [Name],
    message: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> impl Iterator<Item = &'a Arc<str>> + use<'a> {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut kept = Vec::new();
    for name in names {
        if seen.insert(&name.text) {
            kept.push(&name.text);
        } else {
            diagnostics.push(Diagnostic::warning(Code::DuplicateName, message, name.span));
        }
    }
    kept.into_iter()
}

/// Values that one variable may have: engines list the initial ones.
const MOST_VALUES: u64 = 1 << 20;

fn codes(domain: &Domain, name: &Name, diagnostics: &mut Vec<Diagnostic>) -> Vec<i64> {
    if domain.size() > MOST_VALUES {
        let message = format!("`{}` has too many values", name.text);
        let error = Diagnostic::error(Code::DomainTooLarge, message, name.span);
        diagnostics.push(error.help(format!("a variable may have {MOST_VALUES}")));
        return vec![domain.low()];
    }
    let low = domain.low();
    (0..domain.size() as i64).map(|offset| low + offset).collect()
}
