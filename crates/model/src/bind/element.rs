//! An element of an array by computed indices.

use std::collections::BTreeMap;

use servanda_logic::Reference;
use servanda_syntax::{Code, Diagnostic, Findings, all};

use super::{Binder, Type};
use crate::{Expr, FaultKind, Model, VariableId};

/// Nodes of the copies of an index.
const LARGEST: usize = 1_000_000;

/// The elements of an array of variables, by their indices.
type Elements = BTreeMap<Vec<i64>, VariableId>;

impl Model {
    /// The elements of an array of variables, by their indices; nothing where there is no such array.
    pub fn elements(&self, array: &str) -> Elements {
        let indices = |name: &str| -> Option<Vec<i64>> {
            let inside = name.strip_prefix(array)?.strip_prefix('[')?.strip_suffix(']')?;
            inside.split("][").map(|index| index.parse().ok()).collect()
        };
        let variables = self.variables().filter(|(_, variable)| variable.machine.is_none());
        variables.filter_map(|(id, variable)| Some((indices(&variable.name)?, id))).collect()
    }
}

impl Binder<'_> {
    /// An element of an array; which one is known only in a state. One that does not exist is a fault.
    pub(super) fn element(&mut self, reference: &Reference) -> Option<(Expr, Type)> {
        let indices = all(reference.indices.iter().map(|index| self.integer(index)))?;
        let elements = self.model.elements(&reference.name);
        let domains = |id: &VariableId| Type::of(&self.model.variable(*id).domain);
        let Some(found) = elements.values().next().map(domains) else {
            let variables = self.model.variables.iter().filter(|variable| variable.machine.is_none());
            let known = variables.filter_map(|variable| variable.name.split_once('[')).map(|(name, _)| name);
            return self.diagnostics.refuse(Diagnostic::unknown(
                "array",
                &reference.name,
                reference.span,
                known,
            ));
        };
        if elements.values().any(|id| domains(id) != found) {
            let message = format!("the elements of `{}` are not all of one type", reference.name);
            return self.diagnostics.error(Code::Type, message, reference.span);
        }
        let entries: Vec<(&[i64], Expr)> =
            elements.iter().map(|(at, id)| (at.as_slice(), Expr::Variable(*id))).collect();
        if entries.iter().any(|(at, _)| at.len() != indices.len()) {
            let message = format!("`{}` has another number of indices", reference.name);
            return self.diagnostics.error(Code::WrongIndices, message, reference.span);
        }
        let Some(element) = element_of(&indices, &entries) else {
            let message = "this element is too large an expression once it is written out";
            return self.diagnostics.error(Code::FormulaTooLarge, message, reference.span);
        };
        Some((element, found))
    }
}

/// The entry with these indices; entries are in the order of theirs. Where there is none the value is a fault. Every index is in the result
/// once, unless far more combinations of numbers have no entry than have one. `None` where that would make it too large.
pub fn element_of(indices: &[Expr], entries: &[(&[i64], Expr)]) -> Option<Expr> {
    let fits = |at: &[i64]| {
        indices.iter().zip(at).all(|(index, own)| !matches!(index, Expr::Constant(value) if value != own))
    };
    let varying: Vec<usize> =
        (0..indices.len()).filter(|at| !matches!(indices[*at], Expr::Constant(_))).collect();
    let narrowed: Vec<(Vec<i64>, &Expr)> = entries
        .iter()
        .filter(|(at, _)| fits(at))
        .map(|(at, value)| (varying.iter().map(|dimension| at[*dimension]).collect(), value))
        .collect();
    let indices: Vec<&Expr> = varying.iter().map(|dimension| &indices[*dimension]).collect();
    match indices.as_slice() {
        [] => Some(narrowed.first().map_or(MISSING, |(_, value)| (*value).clone())),
        [index] => {
            let rows: Vec<(i64, Expr)> =
                narrowed.iter().map(|(at, value)| (at[0], (*value).clone())).collect();
            by_number(index, &rows)
        }
        _ => block(&indices, &narrowed).or_else(|| by_rows(&indices, &narrowed)),
    }
}

/// An entry of a block of several dimensions: its place in the whole is found from its place in each of them.
fn block(indices: &[&Expr], entries: &[(Vec<i64>, &Expr)]) -> Option<Expr> {
    let bounds = |dimension: usize| {
        let numbers = || entries.iter().map(|(at, _)| at[dimension]);
        let (low, high) = (numbers().min()?, numbers().max()?);
        Some((low, usize::try_from(high.abs_diff(low)).ok()?.checked_add(1)?))
    };
    let bounds: Vec<(i64, usize)> = (0..indices.len()).map(bounds).collect::<Option<_>>()?;
    let size = bounds.iter().try_fold(1_usize, |size, (_, length)| size.checked_mul(*length))?;
    if size > 4 * entries.len() + 16 {
        return None;
    }
    let (mut options, mut weight, mut place) = (vec![MISSING; size], size, None);
    let mut weights = Vec::new();
    for (index, (low, length)) in indices.iter().zip(&bounds) {
        weight /= length;
        weights.push(weight);
        let steps = (0..*length).map(|at| Expr::Constant((at * weight) as i64)).collect();
        let own = Expr::select((*index).clone(), *low, steps);
        place = Some(match place {
            None => own,
            Some(before) => Expr::plus(before, own),
        });
    }
    for (at, value) in entries {
        let places = at.iter().zip(&bounds).map(|(number, (low, _))| number.abs_diff(*low) as usize);
        let place: usize = places.zip(&weights).map(|(place, weight)| place * weight).sum();
        options[place] = (*value).clone();
    }
    Some(Expr::select(place?, 0, options))
}

/// The same where most of the block is empty.
fn by_rows(indices: &[&Expr], entries: &[(Vec<i64>, &Expr)]) -> Option<Expr> {
    let inner: Vec<Expr> = indices[1..].iter().map(|index| (*index).clone()).collect();
    can_be_copied(indices[1..].iter().copied(), entries.len())?;
    let rows = entries.chunk_by(|(a, _), (b, _)| a[0] == b[0]);
    let row = |row: &[(Vec<i64>, &Expr)]| {
        let within: Vec<(&[i64], Expr)> =
            row.iter().map(|(at, value)| (&at[1..], (*value).clone())).collect();
        Some((row[0].0[0], element_of(&inner, &within)?))
    };
    by_number(indices[0], &rows.map(row).collect::<Option<Vec<_>>>()?)
}

fn can_be_copied<'e>(mut indices: impl Iterator<Item = &'e Expr>, times: usize) -> Option<()> {
    let most = LARGEST / times.max(1);
    indices.all(|index| index.size_up_to(most + 1) <= most).then_some(())
}

const MISSING: Expr = Expr::Fault(FaultKind::IndexOutOfRange);

/// The row with a number; rows are in the order of theirs. Where far more numbers have no row than have one, halves are told apart.
fn by_number(index: &Expr, rows: &[(i64, Expr)]) -> Option<Expr> {
    let (Some((low, _)), Some((high, _))) = (rows.first(), rows.last()) else { return Some(MISSING) };
    if high.abs_diff(*low) > 4 * rows.len() as u64 + 16 {
        can_be_copied(std::iter::once(index), rows.len())?;
        let (lower, upper) = rows.split_at(rows.len() / 2);
        let below = index.clone().less_than(Expr::Constant(upper[0].0));
        return Some(Expr::if_then_else(below, by_number(index, lower)?, by_number(index, upper)?));
    }
    let mut options = Vec::with_capacity(rows.len());
    for (number, value) in rows {
        options.resize(number.abs_diff(*low) as usize, MISSING);
        options.push(value.clone());
    }
    Some(Expr::select(index.clone(), *low, options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, Layout, Program, Variable, Visibility};

    /// Every element is found by its indices, and no other is.
    #[test]
    fn elements_are_found_by_their_indices() {
        let sparse = vec![(-1, 3), (0, 1), (0, 2), (2, 5), (900, 1), (1_000_000_000, 0)];
        let dense: Vec<(i64, i64)> =
            (-1..=3).flat_map(|i| (1..4).map(move |j| (i, j))).filter(|at| *at != (2, 2)).collect();
        for declared in [sparse, dense] {
            check(&declared);
        }
    }

    fn check(declared: &[(i64, i64)]) {
        let mut model = Model::new("m");
        let wide = Domain::Range { low: -2, high: 1 << 40 };
        for name in ["i", "j"] {
            model.add_variable(Variable::new(name, wide.clone(), vec![0], Visibility::Public));
        }
        for (i, j) in declared {
            let variable = Variable::new(format!("a[{i}][{j}]"), Domain::Bool, vec![0], Visibility::Public);
            model.add_variable(variable);
        }
        let formula = servanda_logic::parse_formula("a[i][j]").expect("a formula");
        let bound = crate::bind_boolean(&model, &formula, &mut Vec::new()).expect("a condition");
        let layout = Layout::new(&model);
        let program = Program::new(&bound, &layout);
        for i in [-2, -1, 0, 1, 2, 3, 899, 900, 901, 1_000_000_000, 1_000_000_001] {
            for j in 0..7 {
                let mut state = vec![0; layout.words()];
                for (name, value) in [("i", i), ("j", j), (&format!("a[{i}][{j}]"), 1)] {
                    if let Some(id) = model.find_variable(name) {
                        layout.variable(id).write(&mut state, value);
                    }
                }
                let expected = match declared.contains(&(i, j)) {
                    true => Ok(1),
                    false => Err(FaultKind::IndexOutOfRange),
                };
                assert_eq!(program.evaluate(&state, &mut Vec::new()), expected, "a[{i}][{j}]");
            }
        }
    }
}
