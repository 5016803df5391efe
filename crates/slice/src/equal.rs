//! Variables that are always equal.
//!
//! Those that begin with the same value, and that every command changes alike, remain equal for ever (signal correspondence; van Eijk,
//! "Sequential equivalence checking based on structural similarities"). Two variables are changed alike if the values that they are given
//! are the same once each variable in them stands for all that are equal to it. So the coarsest division is looked for that explains itself:
//! at first all that begin alike are together, and those that a command tells apart are divided, until it tells no two apart.

use std::collections::hash_map::Entry;
use std::mem::discriminant;

use rustc_hash::FxHashMap;
use servanda_model::{Bounds, Command, Expr, Model, Variable, VariableId};

use crate::slicer::Flaw;

/// No more nodes of expressions are looked at than this; chains of equal variables need a round for each link.
const MOST_NODES: usize = 1 << 21;

/// What a command makes of a variable that it does not leave as it is.
type Change = (u32, Expr);

/// For each variable the first of those that it is always equal to, itself perhaps. `None` where there are no two, where it takes too long
/// to find out, and where agents act in rounds, in which no command says what changes.
pub(crate) fn equal(
    (model, bounds): (&Model, &Bounds),
    commands: &[Command],
    flaws: Option<Flaw>,
) -> Option<Vec<VariableId>> {
    if model.behaviour.is_rounds() {
        return None;
    }
    let mut firsts = begin_alike(model, bounds);
    let updates = commands.iter().flat_map(|command| &command.updates);
    let nodes: usize = 1 + updates.map(|(_, value)| 1 + value.size_up_to(MOST_NODES)).sum::<usize>();
    for _ in 0..MOST_NODES / nodes {
        if is_trivial(&firsts) {
            return None;
        }
        let next = divided(&firsts, commands);
        if next == firsts || flaws == Some(Flaw::ChangesForgotten) {
            return Some(firsts);
        }
        firsts = next;
    }
    None
}

fn is_trivial(firsts: &[VariableId]) -> bool {
    firsts.iter().enumerate().all(|(index, first)| first.index() == index)
}

/// The first of those that begin with the same value and can have the same ones. What never changes is replaced by its value anyway.
fn begin_alike(model: &Model, bounds: &Bounds) -> Vec<VariableId> {
    let mut firsts = FxHashMap::default();
    let first = |(id, variable): (VariableId, &Variable)| match variable.initial[..] {
        [value] if bounds.constant(id).is_none() => {
            let Variable { domain, .. } = variable;
            let values = (discriminant(domain), domain.low(), domain.high());
            *firsts.entry((value, values)).or_insert(id)
        }
        _ => id,
    };
    model.variables().map(first).collect()
}

/// The first of those that were together and are changed alike.
fn divided(firsts: &[VariableId], commands: &[Command]) -> Vec<VariableId> {
    let mut changes: Vec<Vec<Change>> = vec![Vec::new(); firsts.len()];
    for (number, command) in (0..).zip(commands) {
        for (variable, value) in &command.updates {
            let value = value.folded(&|read| Expr::Variable(firsts[read.index()]));
            if value != Expr::Variable(firsts[variable.index()]) {
                changes[variable.index()].push((number, value));
            }
        }
    }
    let mut found: FxHashMap<(VariableId, Vec<Change>), VariableId> = FxHashMap::default();
    let first = |(index, changes): (usize, Vec<Change>)| match found.entry((firsts[index], changes)) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(new) => *new.insert(VariableId::from_index(index)),
    };
    changes.into_iter().enumerate().map(first).collect()
}

/// A command that reads the first variable instead of each that is equal to it. What leaves a variable as it is does so for all to see.
pub(crate) fn reading_first(command: &Command, firsts: &[VariableId]) -> Command {
    let instead = |read: VariableId| Expr::Variable(firsts[read.index()]);
    let update = |(variable, value): &(VariableId, Expr)| {
        let value = value.folded(&instead);
        let stays = value == instead(*variable);
        (*variable, if stays { Expr::Variable(*variable) } else { value })
    };
    let updates = command.updates.iter().map(update).collect();
    Command { guard: command.guard.folded(&instead), updates, ..command.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use servanda_model::{Domain, Label, Visibility};

    const BITS: Domain = Domain::Bool;

    /// A model of variables with their domains and first values; each command assigns values to some of them.
    fn model(variables: &[(&str, Domain, &[i64])], commands: &[&[(usize, Expr)]]) -> Model {
        let mut model = Model::new("Registers");
        let label = model.add_label(Label::message("step".to_owned(), None));
        for (name, domain, initial) in variables {
            let (domain, initial) = (domain.clone(), initial.to_vec());
            model.add_variable(Variable::new((*name).to_owned(), domain, initial, Visibility::Public));
        }
        for updates in commands {
            let updates =
                updates.iter().map(|(to, value)| (VariableId::from_index(*to), value.clone())).collect();
            model.add_command(Command { updates, ..Command::new(label) });
        }
        model
    }

    fn read(variable: usize) -> Expr {
        Expr::Variable(VariableId::from_index(variable))
    }

    fn put(value: i64) -> Expr {
        Expr::Constant(value)
    }

    #[test]
    fn nothing_is_said_of_rounds_which_have_no_commands() {
        let mut model = model(&[("a", BITS, &[0]), ("b", BITS, &[0])], &[]);
        model.behaviour = servanda_model::Behaviour::Rounds(Vec::new());
        let domains = Bounds::of_domains(&model);
        assert_eq!(equal((&model, &domains), &[], None), None);
    }

    /// Which of the variables are equal to which before them.
    fn found(model: &Model) -> Vec<(usize, usize)> {
        let firsts = equal((model, &Bounds::of_runs(model)), model.behaviour.commands(), None);
        let firsts = firsts.unwrap_or_default().into_iter().map(VariableId::index).enumerate();
        firsts.filter(|(own, first)| own != first).collect()
    }

    #[test]
    fn registers_that_are_fed_alike_are_equal_link_by_link() {
        let variables = ["a", "b", "c", "x", "y", "z"].map(|name| (name, BITS, &[0][..]));
        let shift =
            |fed: i64| [(0, put(fed)), (1, read(0)), (2, read(1)), (3, read(4)), (4, read(5)), (5, put(fed))];
        assert_eq!(found(&model(&variables, &[&shift(0), &shift(1)])), [(3, 2), (4, 1), (5, 0)]);
    }

    #[test]
    fn what_is_given_the_value_of_an_equal_one_stays_equal() {
        let more = |variable| read(variable).plus(put(1));
        let variables = ["a", "b"].map(|name| (name, Domain::Range { low: 0, high: 7 }, &[2][..]));
        let commands: [&[_]; 2] = [&[(0, more(0)), (1, more(1))], &[(1, read(0))]];
        assert_eq!(found(&model(&variables, &commands)), [(1, 0)]);
    }

    #[test]
    fn those_that_begin_otherwise_have_other_values_or_are_changed_otherwise_are_not() {
        let flip = |variable| Expr::Not(Box::new(read(variable)));
        let both: [&[_]; 1] = [&[(0, flip(0)), (1, flip(1))]];
        let nothing: &[(usize, usize)] = &[];
        assert_eq!(found(&model(&[("a", BITS, &[0]), ("b", BITS, &[0])], &both)), [(1, 0)]);
        assert_eq!(found(&model(&[("a", BITS, &[0]), ("b", BITS, &[1])], &both)), nothing);
        assert_eq!(found(&model(&[("a", BITS, &[0]), ("b", BITS, &[0, 1])], &both)), nothing);
        let values = |high| Domain::Range { low: 0, high };
        let set: [&[_]; 1] = [&[(0, put(2)), (1, put(2))]];
        assert_eq!(found(&model(&[("a", values(3), &[0]), ("b", values(4), &[0])], &set)), nothing);
        let one: [&[_]; 2] = [&[(0, put(1))], &[(0, put(1)), (1, put(1))]];
        assert_eq!(found(&model(&[("a", BITS, &[0]), ("b", BITS, &[0])], &one)), nothing);
    }
}
