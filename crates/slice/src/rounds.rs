//! Cones where agents act in rounds: what an agent does can be left out if nobody reads it and it can always do something.

use servanda_model::{AgentId, AgentProgram, Bounds, Expr, Model, Places, Ranges};

use crate::cone::Cone;
use crate::needs::{Needs, Style};
use crate::slicer::{Flaw, Slicer};

/// So many local states of an agent are looked at to see whether it can always do something.
const MOST_LOCAL_STATES: u64 = 4096;

/// May some line have no value, or none that fits? Then moves are lost, and what is left out may keep others from moving.
pub(crate) fn may_lose_moves(model: &Model, programs: &[AgentProgram], bounds: &Bounds) -> bool {
    let blocks = programs.iter().flat_map(|program| &program.evolution);
    blocks.flat_map(|block| &block.lines).any(|line| {
        let ranges = Ranges::where_holds(bounds, &line.guard).unwrap_or(Ranges::new(bounds));
        line.defined != Expr::TRUE || line.updates.iter().any(|update| ranges.may_not_fit(model, update))
    })
}

/// The cone of a property.
pub(crate) fn cone(slicer: &Slicer<'_>, needs: &Needs) -> Cone {
    let model = slicer.model;
    let (places, programs) = (Places::new(model), model.behaviour.programs());
    let mut cone = Cone {
        places: needs.places.clone(),
        commands: Vec::new(),
        actors: needs.actors.clone(),
        idle: None,
        style: Style::Exact,
    };
    for (active, program) in cone.actors.iter_mut().zip(programs) {
        let blocks =
            slicer.flaws != Some(Flaw::BlockingForgotten) && !can_always_act(program, &slicer.bounds);
        *active |= blocks;
    }
    loop {
        let before = (cone.places.clone(), cone.actors.clone());
        let mut read: Vec<u32> = Vec::new();
        for (number, program) in programs.iter().enumerate() {
            if cone.actors[number] {
                read.extend(places.read_by(program.permissions.iter().map(|p| &p.condition)));
            }
            for block in &program.evolution {
                if !block.variables.iter().any(|variable| cone.places[variable.index()]) {
                    continue;
                }
                for line in &block.lines {
                    let guard = slicer.folded(&line.guard);
                    read.extend(places.read_by([&guard]));
                    for_each_actor(&guard, &mut |agent| cone.actors[agent.index()] = true);
                    let kept = line.updates.iter().filter(|(to, _)| cone.places[to.index()]);
                    read.extend(places.read_by(kept.map(|(_, value)| value)));
                }
            }
        }
        for (_, together) in &slicer.initial {
            if cone.keeps_one_of(together) && slicer.flaws != Some(Flaw::InitialForgotten) {
                read.extend(together);
            }
        }
        read.into_iter().for_each(|place| cone.places[place as usize] = true);
        if before == (cone.places.clone(), cone.actors.clone()) {
            return cone;
        }
    }
}

fn for_each_actor(expr: &Expr, visit: &mut impl FnMut(AgentId)) {
    match expr {
        Expr::Action(agent) => visit(*agent),
        _ => expr.operands().for_each(|operand| for_each_actor(operand, visit)),
    }
}

/// Does the protocol of an agent permit something in all its local states?
fn can_always_act(program: &AgentProgram, bounds: &Bounds) -> bool {
    if program.permissions.iter().any(|permission| permission.actions.is_empty()) {
        return false;
    }
    if !program.otherwise.is_empty() {
        return true;
    }
    let mut read = Vec::new();
    for permission in &program.permissions {
        permission.condition.for_each_variable(&mut |variable| {
            if !read.contains(&variable) {
                read.push(variable);
            }
        });
    }
    let ranges: Vec<(i64, u64)> = read
        .iter()
        .map(|variable| bounds.of(*variable))
        .map(|(low, high)| (low, high.abs_diff(low).saturating_add(1)))
        .collect();
    let count = ranges.iter().try_fold(1_u64, |all, (_, size)| all.checked_mul(*size));
    let Some(count) = count.filter(|count| *count <= MOST_LOCAL_STATES) else { return false };
    (0..count).all(|number| {
        let mut rest = number;
        let values: Vec<i64> = ranges
            .iter()
            .map(|(low, size)| {
                let value = low + (rest % size) as i64;
                rest /= size;
                value
            })
            .collect();
        let value = |leaf: &Expr| match leaf {
            Expr::Variable(variable) => read.iter().position(|other| other == variable).map(|at| values[at]),
            _ => None,
        };
        program.permissions.iter().any(|permission| permission.condition.value_of(&value) == Some(1))
    })
}
