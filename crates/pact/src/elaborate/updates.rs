//! Assignments become updates of commands: those of both halves of an exchange together, and those to elements that are known only in
//! a state.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_logic::Binary;
use servanda_model::{Expr, FaultKind, VariableId, element_of};
use servanda_syntax::{Code, Diagnostic};

use super::Elaborator;
use super::assignments::{Assigned, Target, Updates};

/// The values that one variable may get, each with when it does.
type Hits = Vec<(Expr, Expr)>;

impl Elaborator<'_> {
    /// The updates of a command in each of the ways in which the two halves of an exchange choose; a few more than `most` at most.
    pub(super) fn merged(
        &mut self,
        first: &[Updates],
        second: Option<&[Updates]>,
        most: usize,
    ) -> Vec<Vec<(VariableId, Expr)>> {
        if let (Some(own), Some(other)) = (first.first(), second.and_then(<[Updates]>::first)) {
            self.check_halves(own, other);
        }
        let nothing = [Vec::new()];
        let pairs =
            first.iter().flat_map(|own| second.unwrap_or(&nothing).iter().map(move |other| (own, other)));
        pairs.take(most.saturating_add(1)).map(|(own, other)| self.updates(own, other)).collect()
    }

    /// Two halves that assign one variable must assign the same, and a choice is never the same as another.
    fn check_halves(&mut self, own: &Updates, other: &Updates) {
        let known: FxHashMap<&Target, &Assigned> = own.iter().map(|one| (&one.target, one)).collect();
        for theirs in other {
            let Some(ours) = known.get(&theirs.target) else { continue };
            if ours.value == theirs.value && !ours.chosen && !theirs.chosen {
                continue;
            }
            let name = self.target_name(&theirs.target);
            let message = match ours.chosen || theirs.chosen {
                true => format!("sender and receiver both assign `{name}`, and it is chosen"),
                false => format!("sender and receiver assign different values to `{name}`"),
            };
            let error = Diagnostic::error(Code::ConflictingAssignments, message, ours.span);
            self.diagnostics.push(error.label(theirs.span, "the receiver's assignment"));
        }
    }

    fn updates(&self, own: &Updates, other: &Updates) -> Vec<(VariableId, Expr)> {
        let simple = |one: &Assigned| matches!(one.target, Target::Variable(_));
        let mut hits: FxHashMap<VariableId, Hits> = FxHashMap::default();
        let mut order = Vec::new();
        let mut exist: FxHashMap<VariableId, Vec<Expr>> = FxHashMap::default();
        let mut hit = |id: VariableId, when: Expr, value: &Expr| {
            let known = hits.entry(id).or_insert_with(|| {
                order.push(id);
                Vec::new()
            });
            if when != Expr::FALSE && !known.contains(&(when.clone(), value.clone())) {
                known.push((when, value.clone()));
            }
        };
        // Values that are assigned anyhow come first: then there is nothing else to look at.
        for one in own.iter().chain(other).filter(|one| simple(one)) {
            let Target::Variable(id) = one.target else { continue };
            hit(id, Expr::TRUE, &one.value);
        }
        for one in own.iter().chain(other) {
            let Target::Element(array, indices) = &one.target else { continue };
            let elements = self.scope.variables.array(array);
            for (at, id) in &elements {
                hit(**id, all_equal(indices, at), &one.value);
            }
            if let Some((_, first)) = elements.first() {
                exist.entry(**first).or_default().extend(self.exists(array, indices));
            }
        }
        let update = |id: VariableId| {
            let value = resolved(&hits[&id], Expr::Variable(id));
            let checks = exist.remove(&id).unwrap_or_default();
            let missing = Expr::Fault(FaultKind::IndexOutOfRange);
            let checked = checks
                .into_iter()
                .fold(value, |value, exists| Expr::if_then_else(exists, value, missing.clone()));
            (id, checked)
        };
        order.into_iter().map(update).collect()
    }

    /// True where there is such an element; elsewhere a fault. `None` where that is too large an expression.
    pub(super) fn exists(&self, array: &Arc<str>, indices: &[Expr]) -> Option<Expr> {
        let elements = self.scope.variables.array(array);
        let entries: Vec<(&[i64], Expr)> = elements.iter().map(|(at, _)| (*at, Expr::TRUE)).collect();
        element_of(indices, &entries)
    }
}

fn all_equal(indices: &[Expr], at: &[i64]) -> Expr {
    let equal = |(index, own): (&Expr, &i64)| match index {
        Expr::Constant(value) => Expr::Constant(i64::from(value == own)),
        other => other.clone().equals(Expr::Constant(*own)),
    };
    let parts: Vec<Expr> = indices.iter().zip(at).map(equal).collect();
    if parts.contains(&Expr::FALSE) { Expr::FALSE } else { Expr::and(parts) }
}

/// The value that a variable gets, or keeps; where it would get two different ones it has none.
fn resolved(hits: &[(Expr, Expr)], old: Expr) -> Expr {
    let Some(((when, value), rest)) = hits.split_first() else { return old };
    let differs = |(also, other): &(Expr, Expr)| {
        (other != value)
            .then(|| Expr::and([also.clone(), other.clone().compared(Binary::NotEqual, value.clone())]))
    };
    let conflict = Expr::or(rest.iter().filter_map(differs));
    let agreed = Expr::if_then_else(conflict, Expr::Fault(FaultKind::ConflictingAssignments), value.clone());
    Expr::if_then_else(when.clone(), agreed, resolved(rest, old))
}
