//! A protocol as a model of rounds: the Environment does what is done, whoever does it, and holds all variables; the agents look on.
//!
//! Public variables and control states are observed by everybody, private ones by their owners, so that knowledge is kept. Who moves is
//! not, and so strategies are not.

use servanda_logic::{ActionPattern, Reference};
use servanda_model::{
    AgentId, AgentProgram, Behaviour, Block, Expr, Label, LabelId, Line, Model, NamedProposition, Permission,
    Variable, VariableId, Visibility,
};
use servanda_syntax::Span;

use crate::Subject;
use crate::acts::{Actions, Formulas, Identifiers, body, head};

const ENVIRONMENT: &str = "Environment";

/// For every label the actions of the Environment that are it.
struct OfEnvironment(Vec<Vec<String>>);

impl Actions for OfEnvironment {
    fn of(&self, label: LabelId) -> Vec<ActionPattern> {
        let plain = |name: &str| Reference::plain(name, Span::default());
        let pattern = |name: &String| ActionPattern {
            agent: Some(plain(ENVIRONMENT)),
            output: false,
            name: plain(name),
            content: None,
        };
        self.0[label.index()].iter().map(pattern).collect()
    }
}

/// The ISPL text of a protocol, and its acts file.
pub(crate) fn write(subject: &Subject<'_>) -> Result<(String, String), String> {
    let old = subject.model;
    let mut names = Identifiers::without(&["end", "if", ENVIRONMENT, "none"]);
    let agents: Vec<String> = old.agents.iter().map(|agent| names.of("agent", &agent.name)).collect();
    let mut model = Model::new(old.name.clone());
    let environment = model.add_agent(ENVIRONMENT, Span::default());
    agents.iter().for_each(|name| {
        model.add_agent(name.clone(), Span::default());
    });
    let variables = variables(old, &mut model, environment);
    for (index, agent) in old.agents.iter().enumerate() {
        model.agents[index + 1].red = moved(&agent.red, &variables)?;
    }
    model.initial = moved(&old.initial, &variables)?;

    let mut of_labels = vec![Vec::new(); old.labels.len()];
    let mut actions = Vec::new();
    for (id, command) in old.commands() {
        let base = base_name(old, command.label);
        let name = names.of("action", &format!("{base}_{}", id.index() + 1));
        of_labels[command.label.index()].push(name.clone());
        actions.push(name);
    }
    model.behaviour = Behaviour::Rounds(programs(old, &model, actions, &variables)?);

    let mut formulas = Formulas::new(old, names, OfEnvironment(of_labels), true);
    let acts = head(old) + &body(subject, &mut formulas)?;
    for (_, name, condition) in &formulas.propositions {
        let condition = moved(condition, &variables)?;
        model.propositions.push(NamedProposition { name: name.clone(), condition });
    }
    let text = servanda_ispl::print(&model, &[]).map_err(|reason| reason.to_string())?;
    Ok((text, acts))
}

/// What an action is called after.
pub(crate) fn base_name(model: &Model, label: LabelId) -> String {
    match model.label(label) {
        Label::Message { name, by: None } => name.clone(),
        Label::Message { name, by: Some(by) } => format!("{}_{name}", model.agent(*by).name),
        Label::Act(act) => format!("{}_{}", act.kind.short(), model.agent(act.actor()).name),
        Label::Action { action, .. } => action.to_string(),
    }
}

/// Gives the Environment the variables, those that everybody sees first, and says which is which.
fn variables(
    old: &Model,
    model: &mut Model,
    environment: AgentId,
    names: &mut Identifiers,
) -> Vec<VariableId> {
    let mut new = vec![VariableId::from_index(0); old.variables.len()];
    let public = |variable: &Variable| variable.visibility == Visibility::Public;
    let order = old.variables().filter(|(_, v)| public(v)).chain(old.variables().filter(|(_, v)| !public(v)));
    for (id, variable) in order {
        let name = match variable.machine {
            Some(_) => format!("control_{}", variable.name),
            None => variable.name.clone(),
        };
        let moved = |agent: &AgentId| AgentId::from_index(agent.index() + 1);
        let visibility = match &variable.visibility {
            Visibility::Public => Visibility::Public,
            Visibility::Private(owner) => Visibility::Shared(vec![environment, moved(owner)]),
            Visibility::Shared(seers) => {
                Visibility::Shared(std::iter::once(environment).chain(seers.iter().map(moved)).collect())
            }
        };
        let name = format!("{ENVIRONMENT}.{}", names.of("variable", &name));
        let domain = variable.domain.clone();
        new[id.index()] =
            model.add_variable(Variable::new(name, domain, variable.initial.clone(), visibility));
    }
    new
}

fn programs(
    old: &Model,
    model: &Model,
    actions: Vec<String>,
    variables: &[VariableId],
) -> Result<Vec<AgentProgram>, String> {
    let (mut permissions, mut lines) = (Vec::new(), Vec::new());
    for (id, command) in old.commands() {
        permissions
            .push(Permission { condition: moved(&command.guard, variables)?, actions: vec![id.index()] });
        let updates: Vec<(VariableId, Expr)> = command
            .updates
            .iter()
            .map(|(variable, value)| Ok((variables[variable.index()], moved(value, variables)?)))
            .collect::<Result<_, String>>()?;
        if !updates.is_empty() {
            lines.push(Line {
                guard: Expr::Action(AgentId::from_index(0)).equals(Expr::Constant(id.index() as i64)),
                defined: Expr::and(updates.iter().map(|(_, value)| servanda_ispl::existence(value))),
                updates,
                span: Span::default(),
            });
        }
    }
    let actions = if actions.is_empty() { vec!["none".to_owned()] } else { actions };
    let all: Vec<VariableId> = model.variables().map(|(id, _)| id).collect();
    let evolution = if all.is_empty() { Vec::new() } else { vec![Block { variables: all, lines }] };
    let doer = AgentProgram { actions, permissions, otherwise: Vec::new(), evolution };
    let looks_on = AgentProgram {
        actions: vec!["none".to_owned()],
        permissions: Vec::new(),
        otherwise: vec![0],
        evolution: Vec::new(),
    };
    Ok(std::iter::once(doer).chain(old.agents.iter().map(|_| looks_on.clone())).collect())
}

/// An expression over the variables of the new model.
fn moved(expr: &Expr, variables: &[VariableId]) -> Result<Expr, String> {
    let both = |left: &Expr, right: &Expr| -> Result<(Box<Expr>, Box<Expr>), String> {
        Ok((Box::new(moved(left, variables)?), Box::new(moved(right, variables)?)))
    };
    let all = |parts: &[Expr]| parts.iter().map(|part| moved(part, variables)).collect::<Result<Vec<_>, _>>();
    Ok(match expr {
        Expr::Constant(value) => Expr::Constant(*value),
        Expr::Variable(variable) => Expr::Variable(variables[variable.index()]),
        Expr::InForce(_) | Expr::Action(_) => return Err("a condition reads what is in force".to_owned()),
        Expr::Not(inner) => Expr::Not(Box::new(moved(inner, variables)?)),
        Expr::And(parts) => Expr::And(all(parts)?),
        Expr::Or(parts) => Expr::Or(all(parts)?),
        Expr::Compare(comparison, left, right) => {
            let (left, right) = both(left, right)?;
            Expr::Compare(*comparison, left, right)
        }
        Expr::Arithmetic(arithmetic, left, right) => {
            let (left, right) = both(left, right)?;
            Expr::Arithmetic(*arithmetic, left, right)
        }
    })
}
