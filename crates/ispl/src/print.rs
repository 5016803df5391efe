//! A model as ISPL text that reads back as the same model.

mod expression;
mod formula;

use std::fmt::Write as _;

use servanda_model::{
    AgentId, AgentProgram, Behaviour, Block, Domain, Expr, Line, Model, Property, VariableId, Visibility,
};

use crate::elaborate::ratio::existence;
use crate::print::expression::Scope;

/// Writes a model in the dialect of MCMAS 1.x. Reading the text gives the same model again.
///
/// # Errors
///
/// What does not fit ISPL: the reason, for people.
pub fn print(model: &Model, properties: &[Property]) -> Result<String, String> {
    let Behaviour::Rounds(programs) = &model.behaviour else {
        return Err("the agents of this model act one at a time, and those of ISPL act together".to_owned());
    };
    check(model)?;
    let mut out = String::new();
    if is_single_assignment(programs, model)? {
        out.push_str("Semantics = SingleAssignment;\n");
    }
    for ((id, _), program) in model.agents().zip(programs) {
        agent(&mut out, model, id, program)?;
    }
    let world = Scope { model, agent: None };
    let own = model.propositions.iter().filter(|proposition| !proposition.name.contains('.'));
    let propositions =
        own.map(|p| Ok(format!("{} if {}", identifier(&p.name)?, world.condition(&p.condition)?)));
    section(&mut out, "", "Evaluation", propositions)?;
    section(&mut out, "", "InitStates", [world.condition(&initial(model))])?;
    if !model.groups.is_empty() {
        let groups = model.groups.iter().map(|group| {
            let members: Vec<&str> =
                group.members.iter().map(|agent| model.agent(*agent).name.as_str()).collect();
            Ok(format!("{} = {{{}}}", identifier(&group.name)?, members.join(", ")))
        });
        section(&mut out, "", "Groups", groups)?;
    }
    if !model.fairness.is_empty() {
        section(&mut out, "", "Fairness", model.fairness.iter().map(|fair| formula::show(&fair.formula)))?;
    }
    let formulae = properties.iter().map(|property| {
        formula::show(&property.formula).map_err(|reason| format!("{}: {reason}", property.name))
    });
    section(&mut out, "", "Formulae", formulae)?;
    Ok(out)
}

/// A section: its head, its lines and its end.
fn section(
    out: &mut String,
    indent: &str,
    head: &str,
    lines: impl IntoIterator<Item = Result<String, String>>,
) -> Result<(), String> {
    let _ = writeln!(out, "{indent}{head}");
    for line in lines {
        let _ = writeln!(out, "{indent}  {};", line?);
    }
    let _ = writeln!(out, "{indent}end {}", head.trim_end_matches(':'));
    Ok(())
}

/// What ISPL has no words for.
fn check(model: &Model) -> Result<(), String> {
    if !model.commitments.is_empty() || !model.joint_acts.is_empty() || !model.machines.is_empty() {
        return Err("ISPL has no commitments and no control states".to_owned());
    }
    if !model.access.is_empty() {
        return Err("ISPL has no `access`".to_owned());
    }
    if model.agents.len() != model.behaviour.programs().len() {
        return Err("not every agent of this model has a program".to_owned());
    }
    for agent in &model.agents {
        identifier(&agent.name)?;
    }
    for (id, variable) in model.variables() {
        owner(model, id)?;
        if let Domain::Enumeration(literals) = &variable.domain {
            for literal in literals.iter() {
                identifier(literal)?;
            }
        }
    }
    Ok(())
}

/// A name that ISPL can read.
fn identifier(name: &str) -> Result<&str, String> {
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let reserved = ["end", "if", "and", "or", "true", "false"].contains(&name);
    if letters && first && !reserved { Ok(name) } else { Err(format!("`{name}` cannot be a name in ISPL")) }
}

/// Whose variable it is, and what it is called there: ISPL variables have names such as `Agent.x`.
fn owner(model: &Model, id: VariableId) -> Result<(AgentId, &str), String> {
    let name = &model.variable(id).name;
    let (agent, own) = name
        .split_once('.')
        .ok_or_else(|| format!("variable `{name}` belongs to no agent, and ISPL wants that"))?;
    let agent = model.find_agent(agent).ok_or_else(|| format!("variable `{name}` belongs to no agent"))?;
    Ok((agent, identifier(own)?))
}

/// The variables of an agent.
fn variables_of(model: &Model, id: AgentId) -> Vec<VariableId> {
    let own = model.variables().filter(|(v, _)| owner(model, *v).is_ok_and(|(agent, _)| agent == id));
    own.map(|(v, _)| v).collect()
}

/// Is one line chosen for each variable, or one for each agent?
fn is_single_assignment(programs: &[AgentProgram], model: &Model) -> Result<bool, String> {
    let owned = |position: usize| variables_of(model, AgentId::from_index(position));
    let fits = |together: fn(&[Block], &[VariableId]) -> bool| {
        programs.iter().enumerate().all(|(position, program)| together(&program.evolution, &owned(position)))
    };
    let multi = fits(|blocks, own| match blocks {
        [] => own.is_empty(),
        [block] => block.variables == own,
        _ => false,
    });
    if multi {
        return Ok(false);
    }
    let single = fits(|blocks, own| {
        blocks.len() == own.len()
            && blocks.iter().zip(own).all(|(block, variable)| block.variables == [*variable])
    });
    if single {
        return Ok(true);
    }
    Err("the variables of this model evolve neither all together nor each alone".to_owned())
}

/// Everything that is said of initial states.
fn initial(model: &Model) -> Expr {
    let mut conditions = Vec::new();
    for (id, variable) in model.variables() {
        if (variable.initial.len() as u64) < variable.domain.size() {
            let values = variable.initial.iter().map(|code| Expr::variable(id).equals(Expr::Constant(*code)));
            conditions.push(Expr::or(values));
        }
    }
    conditions.push(model.initial.clone());
    Expr::and(conditions)
}

fn agent(out: &mut String, model: &Model, id: AgentId, program: &AgentProgram) -> Result<(), String> {
    let name = &model.agent(id).name;
    let is_environment = name == "Environment";
    let scope = Scope { model, agent: Some(id) };
    let _ = writeln!(out, "Agent {name}");
    let own = variables_of(model, id);
    let public = |variable: &VariableId| model.variable(*variable).visibility == Visibility::Public;
    if is_environment {
        // Declared in this order, the variables keep their order.
        let first_hidden = own.iter().position(|variable| !public(variable)).unwrap_or(own.len());
        if own[first_hidden..].iter().any(public) {
            return Err("variables of the Environment that everybody observes must come first".to_owned());
        }
        variables(out, model, "Obsvars:", &own[..first_hidden])?;
        variables(out, model, "Vars:", &own[first_hidden..])?;
    } else {
        let private = |variable: &VariableId| model.variable(*variable).visibility == Visibility::Private(id);
        if let Some(other) = own.iter().find(|variable| !private(variable)) {
            let other = &model.variable(*other).name;
            return Err(format!(
                "`{other}` is observed by others, which only the Environment's variables can be"
            ));
        }
        let observed: Vec<&str> = model
            .variables()
            .filter(|(_, variable)| matches!(&variable.visibility, Visibility::Shared(agents) if agents.contains(&id)))
            .map(|(variable, _)| owner(model, variable).map(|(_, name)| name))
            .collect::<Result<_, _>>()?;
        if !observed.is_empty() {
            let _ = writeln!(out, "  Lobsvars = {{{}}};", observed.join(", "));
        }
        let own = match own.split_first() {
            Some((local_state, others)) if reads_unobserved(model, id, program) => {
                self::local_state(out, model, *local_state)?;
                others
            }
            _ => &own,
        };
        variables(out, model, "Vars:", own)?;
    }
    let red = &model.agent(id).red;
    if *red != Expr::FALSE {
        section(out, "  ", "RedStates:", [scope.condition(red)])?;
    }
    for action in &program.actions {
        identifier(action)?;
    }
    let _ = writeln!(out, "  Actions = {{{}}};", program.actions.join(", "));
    let names = |actions: &[usize]| {
        let names: Option<Vec<&str>> =
            actions.iter().map(|action| program.actions.get(*action).map(String::as_str)).collect();
        names.map(|names| names.join(", ")).ok_or_else(|| format!("`{name}` has no such action"))
    };
    let permissions = program.permissions.iter().map(|permission| {
        Ok(format!("{} : {{{}}}", scope.condition(&permission.condition)?, names(&permission.actions)?))
    });
    // A protocol without lines would permit everything.
    let otherwise = (!program.otherwise.is_empty() || program.permissions.is_empty())
        .then(|| Ok(format!("Other : {{{}}}", names(&program.otherwise)?)));
    section(out, "  ", "Protocol:", permissions.chain(otherwise))?;
    let lines = program.evolution.iter().flat_map(|block| &block.lines);
    section(out, "  ", "Evolution:", lines.map(|line| evolution_line(scope, line)))?;
    out.push_str("end Agent\n");
    Ok(())
}

/// Does the evolution of an agent depend on something that it does not observe?
fn reads_unobserved(model: &Model, id: AgentId, program: &AgentProgram) -> bool {
    let mut found = false;
    let mut look = |variable: VariableId| {
        found |= match &model.variable(variable).visibility {
            Visibility::Public => false,
            Visibility::Private(agent) => *agent != id,
            Visibility::Shared(agents) => !agents.contains(&id),
        };
    };
    for line in program.evolution.iter().flat_map(|block| &block.lines) {
        line.guard.for_each_variable(&mut look);
        for (_, value) in &line.updates {
            value.for_each_variable(&mut look);
        }
    }
    found
}

/// The local states as the dialect of 2005 declares them, whose evolutions may depend on what is not observed.
fn local_state(out: &mut String, model: &Model, id: VariableId) -> Result<(), String> {
    match (owner(model, id)?, &model.variable(id).domain) {
        ((_, "Lstate"), Domain::Enumeration(literals)) => {
            let _ = writeln!(out, "  Lstate = {{{}}};", literals.join(", "));
            Ok(())
        }
        ((agent, _), _) => Err(format!(
            "the evolution of `{}` depends on what it does not observe, which ISPL can say of agents with an `Lstate` only",
            model.agent(agent).name
        )),
    }
}

fn variables(out: &mut String, model: &Model, head: &str, variables: &[VariableId]) -> Result<(), String> {
    if variables.is_empty() {
        return Ok(());
    }
    let declared = variables.iter().map(|id| {
        let (_, name) = owner(model, *id)?;
        let domain = match &model.variable(*id).domain {
            Domain::Bool => "boolean".to_owned(),
            Domain::Range { low, high } => format!("{low} .. {high}"),
            Domain::Enumeration(literals) => format!("{{{}}}", literals.join(", ")),
        };
        Ok(format!("{name} : {domain}"))
    });
    section(out, "  ", head, declared)
}

fn evolution_line(scope: Scope<'_>, line: &Line) -> Result<String, String> {
    // What is written says where a value exists; it must be what the model says.
    let written = Expr::and(line.updates.iter().map(|(_, value)| existence(value)));
    if written != line.defined {
        return Err("a line has values that exist under a condition that ISPL cannot say".to_owned());
    }
    if line.updates.is_empty() {
        return Err("a line of an evolution changes nothing".to_owned());
    }
    let mut assignments = Vec::new();
    for (variable, value) in &line.updates {
        let (_, name) = owner(scope.model, *variable)?;
        assignments.push(format!("{name} = {}", scope.value(*variable, value)?));
    }
    Ok(format!("{} if {}", assignments.join(" and "), scope.condition(&line.guard)?))
}
