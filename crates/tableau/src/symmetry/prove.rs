//! Is a renaming a symmetry of the model? Every part of the model must become a part of it.
//!
//! Then a state and what becomes of it can do the same: each run becomes a run, step by step, and whatever holds somewhere holds, renamed,
//! where that place goes.

use servanda_lower::{Lowering, PathFormula};
use servanda_model::{Command, LabelId, Model, VariableId, Visibility};

use super::form::{FormId, Forms, Known, Renamed};
use super::renaming::Renaming;

/// A command as far as it matters what it does: label, maker, guard, assignments, and commitments taken away and added.
type CommandForm = (LabelId, Option<u32>, FormId, Vec<(VariableId, FormId)>, Vec<u32>, Vec<u32>);

/// Does the model stay as it is when everything is renamed?
pub(super) fn is_symmetry(lowering: &Lowering<'_>, renaming: &Renaming, forms: &mut Forms) -> bool {
    let identity = Renaming::identity(lowering.model);
    renaming.is_one_to_one()
        && variables_agree(lowering.model, renaming)
        && match (parts(lowering, &identity, forms), parts(lowering, renaming, forms)) {
            (Some(before), Some(after)) => before == after,
            _ => false,
        }
}

/// Domains, initial values and who sees a variable.
fn variables_agree(model: &Model, renaming: &Renaming) -> bool {
    model.variables().all(|(id, variable)| {
        let becomes = model.variable(renaming.variables[id.index()]);
        let inside =
            |(from, to): &(i64, i64)| variable.domain.contains(*from) && becomes.domain.contains(*to);
        let sorted = |mut all: Vec<i64>| {
            all.sort_unstable();
            all.dedup();
            all
        };
        let initial = variable.initial.iter().map(|value| renaming.value(id, *value)).collect();
        let shape = |variable: &servanda_model::Variable| {
            (variable.domain.low(), variable.domain.size(), variable.machine.is_some(), variable.is_slot)
        };
        shape(variable) == shape(becomes)
            && renaming.values[id.index()].iter().all(inside)
            && sorted(initial) == sorted(becomes.initial.clone())
            && seers(&variable.visibility, Some(renaming)) == seers(&becomes.visibility, None)
    })
}

/// Who sees a variable, renamed where that is wanted; nobody in particular where everybody does.
fn seers(visibility: &Visibility, renaming: Option<&Renaming>) -> Option<Vec<u32>> {
    let agents = match visibility {
        Visibility::Public => return None,
        Visibility::Private(agent) => vec![*agent],
        Visibility::Shared(agents) => agents.clone(),
    };
    let named = agents.into_iter().map(|id| renaming.map_or(id, |renaming| renaming.agents[id.index()]).0);
    let mut named: Vec<u32> = named.collect();
    named.sort_unstable();
    named.dedup();
    Some(named)
}

/// What a model consists of besides its variables, in an order that does not depend on how it was written.
#[derive(PartialEq, Eq)]
struct Parts {
    conditions: Vec<Option<FormId>>,
    commands: Vec<CommandForm>,
    agents: Vec<(u32, FormId)>,
    commitments: Vec<(u32, u32, u32, bool, usize, FormId)>,
    access: Vec<(u32, u32, FormId)>,
    tick: Option<LabelId>,
}

/// The parts of a model, renamed; `None` where one cannot be.
fn parts(lowering: &Lowering<'_>, renaming: &Renaming, forms: &mut Forms) -> Option<Parts> {
    let model = lowering.model;
    // What narrows accessible paths is put together from several declarations.
    let mut own = lowering.clone();
    let mut pairs: Vec<_> = model.access.iter().map(|access| (access.debtor, access.creditor)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let guards: Vec<PathFormula> =
        pairs.iter().map(|(debtor, creditor)| own.access(*debtor, *creditor)).collect();
    let arena = &own.arena;
    let mut known = Known::default();
    let mut renamed = Renamed::new(forms, &mut known, model, renaming);
    let agent = |id: servanda_model::AgentId| renaming.agents[id.index()].0;

    let mut commands = Vec::new();
    for (_, command) in model.commands() {
        commands.push(command_form(command, renaming, &mut renamed)?);
    }
    commands.sort_unstable();
    let mut agents = Vec::new();
    for (id, party) in model.agents() {
        agents.push((agent(id), renamed.condition(&party.red)?));
    }
    agents.sort_unstable();
    let mut commitments = Vec::new();
    for (id, promise) in model.commitments() {
        let becomes = renaming.commitments[id.index()].0;
        let hidden = model.private_commitments.contains(&id);
        let content = renamed.path(arena, lowering.content(id))?;
        let parties = (agent(promise.debtor), agent(promise.creditor));
        commitments.push((becomes, parties.0, parties.1, hidden, lowering.depth(id), content));
    }
    commitments.sort_unstable();
    let mut access = Vec::new();
    for ((debtor, creditor), guard) in pairs.into_iter().zip(guards) {
        access.push((agent(debtor), agent(creditor), renamed.path(arena, guard)?));
    }
    access.sort_unstable();
    let mut conditions = Vec::new();
    for condition in [Some(&model.initial), Some(&model.well_formed), model.rest.as_ref()] {
        conditions.push(match condition {
            Some(condition) => Some(renamed.condition(condition)?),
            None => None,
        });
    }
    let tick = model.tick.map(|tick| renaming.labels[tick.index()]);
    Some(Parts { conditions, commands, agents, commitments, access, tick })
}

fn command_form(command: &Command, renaming: &Renaming, renamed: &mut Renamed<'_>) -> Option<CommandForm> {
    let mut updates = Vec::new();
    for (variable, value) in &command.updates {
        let becomes = renaming.variables[variable.index()];
        updates.push((becomes, renamed.expr(value, &renaming.values[variable.index()])?));
    }
    updates.sort_unstable();
    // Of two assignments to one variable it may matter which comes first.
    if updates.windows(2).any(|two| two[0].0 == two[1].0) {
        return None;
    }
    let all = |ids: &[servanda_model::CommitmentId]| {
        let mut all: Vec<u32> = ids.iter().map(|id| renaming.commitments[id.index()].0).collect();
        all.sort_unstable();
        all
    };
    Some((
        renaming.labels[command.label.index()],
        command.by.map(|by| renaming.agents[by.index()].0),
        renamed.condition(&command.guard)?,
        updates,
        all(&command.effect.remove),
        all(&command.effect.add),
    ))
}
