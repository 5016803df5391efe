//! A protocol as a model of rounds: the Environment does what is done, whoever does it, and holds all variables; the agents look on.
//!
//! Public variables and control states are observed by everybody, private ones by their owners, so that knowledge is kept. Who moves is
//! not, and so strategies are not.

use servanda_logic::{ActionPattern, Reference};
use servanda_model::{
    AgentId, AgentProgram, Arithmetic, Behaviour, Block, Expr, Label, LabelId, Line, Model, NamedProposition,
    Permission, Variable, VariableId, Visibility,
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
            ..ActionPattern::named(plain(name))
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
        model.agents[index + 1].red = condition(&model, &agent.red, &variables)?;
    }
    model.initial = condition(&model, &old.initial, &variables)?;

    let mut of_labels = vec![Vec::new(); old.labels.len()];
    let mut actions = Vec::new();
    for (id, command) in old.commands() {
        let base = base_name(old, command.label);
        let name = names.of("action", &format!("{base}_{}", id.index() + 1));
        of_labels[command.label.index()].push(name.clone());
        actions.push(name);
    }
    model.behaviour = Behaviour::Rounds(programs(old, &model, actions, &variables)?);

    // Acts files put everything in force in public.
    let keeps_knowledge = old.private_commitments.is_empty();
    let mut formulas = Formulas::new(old, names, OfEnvironment(of_labels), keeps_knowledge);
    let acts = head(old) + &body(subject, &mut formulas)?;
    for (_, name, holds) in &formulas.propositions {
        let condition = condition(&model, holds, &variables)?;
        model.propositions.push(NamedProposition { name: name.clone(), condition });
    }
    let text = servanda_ispl::print(&model, &[]).map_err(|reason| reason.to_string())?;
    Ok((text, acts))
}

/// What an action is called after.
pub(crate) fn base_name(model: &Model, label: LabelId) -> String {
    match model.label(label) {
        Label::Message(message) => {
            let said = model.show_said(message);
            message.by.map_or(said.clone(), |by| format!("{}_{said}", model.agent(by).name))
        }
        Label::Act(act) => format!("{}_{}", act.kind.short(), model.agent(act.actor()).name),
        Label::Action { action, .. } => action.to_string(),
    }
}

/// Gives the Environment the variables, those that everybody sees first, and says which is which.
fn variables(old: &Model, model: &mut Model, environment: AgentId) -> Vec<VariableId> {
    let mut names = Identifiers::without(&["end", "if"]);
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
        let chosen = Expr::Action(AgentId::from_index(0)).equals(Expr::Constant(id.index() as i64));
        let mut conditions = vec![condition(model, &command.guard, variables)?];
        let updates: Vec<(VariableId, Expr)> = command
            .updates
            .iter()
            .map(|(variable, value)| Ok((variables[variable.index()], moved(value, variables)?)))
            .collect::<Result<_, String>>()?;
        let by_case = updates.iter().any(|(_, value)| foreign(value));
        for case in cases(model, updates.iter().map(|(_, value)| value))? {
            let value = |value: &Expr| match by_case {
                false => Some(value.clone()),
                true => case.value(value).map(Expr::Constant),
            };
            let updates: Option<Vec<(VariableId, Expr)>> =
                updates.iter().map(|(variable, new)| Some((*variable, value(new)?))).collect();
            match updates {
                Some(updates) if updates.is_empty() => {}
                Some(updates) => lines.push(Line {
                    guard: Expr::and([chosen.clone(), case.holds]),
                    defined: Expr::and(updates.iter().map(|(_, value)| servanda_ispl::existence(value))),
                    updates,
                    span: Span::default(),
                }),
                // Without a value there is no such move.
                None => conditions.push(case.holds.negate()),
            }
        }
        permissions.push(Permission { condition: Expr::and(conditions), actions: vec![id.index()] });
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

/// What some variables hold.
struct Values {
    values: Vec<(VariableId, i64)>,
    /// That they do.
    holds: Expr,
}

impl Values {
    /// The value of an expression that reads no others, if it has one.
    fn value(&self, expr: &Expr) -> Option<i64> {
        expr.value_of(&|leaf: &Expr| match leaf {
            Expr::Variable(read) => {
                self.values.iter().find(|(known, _)| known == read).map(|(_, value)| *value)
            }
            _ => None,
        })
    }
}

/// The cases to be told apart, since ISPL has no division of integers, no values that depend on conditions and no indices: one where
/// there are none, otherwise all that the variables can hold.
fn cases<'e>(model: &Model, exprs: impl Iterator<Item = &'e Expr>) -> Result<Vec<Values>, String> {
    let exprs: Vec<&Expr> = exprs.collect();
    let mut cases = vec![Values { values: Vec::new(), holds: Expr::TRUE }];
    if !exprs.iter().any(|expr| foreign(expr)) {
        return Ok(cases);
    }
    let mut read = Vec::new();
    exprs.iter().for_each(|expr| expr.for_each_variable(&mut |variable| read.push(variable)));
    read.sort_unstable();
    read.dedup();
    for variable in read {
        let domain = &model.variable(variable).domain;
        if domain.size().saturating_mul(cases.len() as u64) > MOST_CASES {
            return Err(TOO_MANY_CASES.to_owned());
        }
        let with = |case: &Values, value: i64| {
            let is = Expr::variable(variable).equals(Expr::Constant(value));
            let values = case.values.iter().copied().chain([(variable, value)]).collect();
            Values { values, holds: Expr::and([case.holds.clone(), is]) }
        };
        cases = cases
            .iter()
            .flat_map(|case| (domain.low()..=domain.high()).map(move |value| with(case, value)))
            .collect();
    }
    Ok(cases)
}

/// Cases of one expression, at most.
const MOST_CASES: u64 = 1000;

const TOO_MANY_CASES: &str = "ISPL has no division of integers, no `if`, `min` or `max` as a value and no computed index, and what is \
                              calculated here has too many cases to write them out";

/// Is there anything that ISPL cannot say?
fn foreign(expr: &Expr) -> bool {
    let own = match expr {
        Expr::Arithmetic(operator, ..) => {
            !matches!(operator, Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply)
        }
        Expr::If(..) | Expr::Select { .. } | Expr::Fault(_) => true,
        _ => false,
    };
    own || expr.operands().any(foreign)
}

/// A condition on the variables of the new model, of what ISPL can say only.
fn condition(model: &Model, expr: &Expr, variables: &[VariableId]) -> Result<Expr, String> {
    fn written_out(model: &Model, expr: &Expr) -> Result<Expr, String> {
        let all =
            |parts: &[Expr]| parts.iter().map(|part| written_out(model, part)).collect::<Result<Vec<_>, _>>();
        Ok(match expr {
            expr if !foreign(expr) => expr.clone(),
            Expr::Not(inner) => written_out(model, inner)?.negate(),
            Expr::And(parts) => Expr::and(all(parts)?),
            Expr::Or(parts) => Expr::or(all(parts)?),
            other => {
                let cases = cases(model, std::iter::once(other))?.into_iter();
                Expr::or(cases.filter(|case| case.value(other) == Some(1)).map(|case| case.holds))
            }
        })
    }
    written_out(model, &moved(expr, variables)?)
}

/// An expression over the variables of the new model.
fn moved(expr: &Expr, variables: &[VariableId]) -> Result<Expr, String> {
    match expr {
        Expr::Variable(variable) => Ok(Expr::Variable(variables[variable.index()])),
        Expr::InForce(_) | Expr::Action(_) => Err("a condition reads what is in force".to_owned()),
        _ => expr.try_map_operands(|operand| moved(operand, variables)),
    }
}
