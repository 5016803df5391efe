//! Protocols made elsewhere: `use "FILE" as NAME (..)`.

use crate::ast::{ItemKind, Transition};

/// Does the machine belong to a part?
pub(crate) fn is_of_part(kind: &ItemKind) -> bool {
    matches!(kind, ItemKind::Machine { name, .. } if name.name.contains('.'))
}

/// Does the guard or an assignment of a transition speak of a name?
pub(crate) fn mentions(transition: &Transition, name: &str) -> bool {
    use servanda_logic::{Formula, Kind};
    fn inside(formula: &Formula, name: &str) -> bool {
        let here = matches!(formula.kind(), Kind::Name(reference) if &*reference.name == name);
        let mut found = here;
        formula.for_each_child(|child| found = found || inside(child, name));
        found
    }
    transition
        .guard
        .iter()
        .chain(transition.sets.iter().map(|set| &set.value))
        .any(|formula| inside(formula, name))
}
