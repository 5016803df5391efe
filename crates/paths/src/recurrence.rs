//! What of a path formula speaks only of what comes again and again: recurrence (`GF p`), persistence (`FG q`), and strong fairness
//! (`GF q -> GF p`).
//!
//! As obligations these would be carried along by every state of an automaton, and persistence would guess when it begins: `n` formulas of
//! strong fairness have 3^n states. But whether a path satisfies them depends on its loop alone. So they are taken out of the formula
//! and become conditions on loops (O. Lichtenstein and A. Pnueli, "Checking that finite state concurrent programs satisfy their linear
//! specification", 1985; E. A. Emerson and C.-L. Lei, "Modalities for model checking", 1987).

use rustc_hash::FxHashSet;
use servanda_lower::{Arena, CoreFormula, Path, PathFormula, StateFormula};

use crate::automaton::{Signed, obligations};

/// The most that are taken out.
const MOST: usize = 24;

/// Where one thing holds again and again, another does too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recurring {
    /// A condition on the state; `true` where the other must come again and again in any case.
    pub wanted: StateFormula,
    /// A condition on the state and on the step that is taken there.
    pub kept: PathFormula,
}

/// Takes out of a path formula what refers to what comes again and again, where there are at least so many parts of this kind. Gives what
/// is left.
pub fn take_recurring(arena: &mut Arena, psi: PathFormula, least: usize) -> (PathFormula, Vec<Recurring>) {
    let mut parts: Vec<Signed> =
        obligations(arena, psi).into_iter().flat_map(|part| drawn_out(arena, part)).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut found = Vec::new();
    let mut rest = Vec::new();
    for signed in parts {
        match recurring(arena, signed).filter(|_| found.len() < MOST) {
            Some(pair) => found.push(pair),
            None => rest.push(signed),
        }
    }
    if found.len() < least {
        return (psi, Vec::new());
    }
    let rest = rest.into_iter().fold(PathFormula::TRUE, |all, signed| {
        let part = unsigned(arena, signed);
        arena.and(all, part)
    });
    (rest, found)
}

/// Whether something comes again and again, or stays, is the same at every position of a path: `F (a & F G b)` is `F a & F G b`. So it
/// need not be carried along until `a` holds.
fn drawn_out(arena: &mut Arena, signed: Signed) -> Vec<Signed> {
    let Some((inner, true)) = finally(arena, signed) else { return vec![signed] };
    let (mut lasting, mut passing) = (Vec::new(), Vec::new());
    for part in obligations(arena, inner) {
        if lasts(arena, part) { lasting.push(part) } else { passing.push(part) }
    }
    if lasting.is_empty() || passing.is_empty() {
        return vec![signed];
    }
    let passing = passing.into_iter().fold(PathFormula::TRUE, |all, part| {
        let part = unsigned(arena, part);
        arena.and(all, part)
    });
    lasting.push((arena.finally(passing), true));
    lasting
}

/// `G F a` or `F G a`.
fn lasts(arena: &Arena, part: Signed) -> bool {
    globally(arena, part).is_some_and(|inner| finally(arena, inner).is_some())
        || finally(arena, part).is_some_and(|inner| globally(arena, inner).is_some())
}

/// The condition on loops that an obligation is, if it is one.
fn recurring(arena: &mut Arena, signed: Signed) -> Option<Recurring> {
    let (mut persists, mut kept) = (None, PathFormula::FALSE);
    for part in alternatives(arena, signed) {
        if let Some(again) = globally(arena, part).and_then(|inner| finally(arena, inner)) {
            let again = unsigned(arena, again);
            if !arena.is_one_step(again) {
                return None;
            }
            kept = arena.or(kept, again);
        } else if let Some(always) = finally(arena, part).and_then(|inner| globally(arena, inner)) {
            let always = unsigned(arena, always);
            let always = arena.as_state(always).filter(|always| arena.is_condition(*always))?;
            if persists.replace(always).is_some() {
                return None;
            }
        } else {
            return None;
        }
    }
    let wanted = persists.map_or(StateFormula::TRUE, |always| arena.not(always));
    Some(Recurring { wanted, kept })
}

/// What an obligation is the disjunction of.
fn alternatives(arena: &Arena, signed: Signed) -> Vec<Signed> {
    let (mut todo, mut found, mut seen) = (vec![signed], Vec::new(), FxHashSet::default());
    while let Some((id, sign)) = todo.pop() {
        if !seen.insert((id, sign)) {
            continue;
        }
        match *arena.path(id) {
            Path::Not(a) => todo.push((a, !sign)),
            Path::Or(a, b) if sign => todo.extend([(b, sign), (a, sign)]),
            Path::And(a, b) if !sign => todo.extend([(b, sign), (a, sign)]),
            _ => found.push((id, sign)),
        }
    }
    found
}

fn bare(arena: &Arena, (mut id, mut sign): Signed) -> Signed {
    while let Path::Not(inner) = *arena.path(id) {
        (id, sign) = (inner, !sign);
    }
    (id, sign)
}

/// `a` of `F a`.
fn finally(arena: &Arena, signed: Signed) -> Option<Signed> {
    match bare(arena, signed) {
        (id, true) => match *arena.path(id) {
            Path::Until(PathFormula::TRUE, a) => Some((a, true)),
            _ => None,
        },
        _ => None,
    }
}

/// `a` of `G a`.
fn globally(arena: &Arena, (id, sign): Signed) -> Option<Signed> {
    finally(arena, (id, !sign)).map(|(a, _)| (a, false))
}

fn unsigned(arena: &mut Arena, (id, sign): Signed) -> PathFormula {
    if sign { id } else { arena.not(id) }
}
