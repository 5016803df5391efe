//! Length, order and closure of formulas, and the bounds that the papers derive from them: Definitions 8 to 10 and Lemmas 1, 2 and 5 of
//! the CTL*CA paper, Lemma 1 of the SCCTL* paper.

use std::collections::HashSet;

use servanda_logic::{Arg, Binary, Commitment, Features, Formula, Join, Kind, Unary};

use crate::acts::PlainAct;
use crate::automaton::{State, StateId};
use crate::options::Logic;
use crate::translation::Translation;

/// A formula in the papers' numbers.
#[derive(Clone, Debug)]
pub struct Measures {
    /// Definition 8: how many variables and operators it has, what acts bring about written out.
    pub length: u64,
    /// Definition 10: its Fischer-Ladner closure, the formula first.
    pub closure: Vec<Formula>,
    /// Definition 9, for every application of a rule.
    pub order: Vec<Ordered>,
    /// What the lemmas say, beside what is so.
    pub bounds: Vec<Bound>,
}

/// One application of a rule, by Definition 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ordered {
    /// The row it is applied to.
    pub from: StateId,
    /// The row it leaves.
    pub to: StateId,
    /// The clause by which the second comes after the first: 1, it is the first one step on; 2, it is shorter. `None`: by neither.
    pub clause: Option<u8>,
}

/// A bound of a lemma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Where it is stated.
    pub lemma: String,
    /// What is bounded.
    pub what: &'static str,
    /// How large it is.
    pub value: u64,
    /// The bound as the lemma writes it, with its value.
    pub bound: String,
    /// Is it kept?
    pub holds: bool,
}

/// The numbers of a formula and of its tableau.
pub fn measures(translation: &Translation) -> Measures {
    let formula = &translation.formula;
    let (length, closure) = (length(formula), closure(formula));
    let (size, states) = (closure.len() as u64, translation.tableau.states.len() as u64);
    let bound =
        |lemma: &str, what, value, bound, holds| Bound { lemma: lemma.to_owned(), what, value, bound, holds };
    let automaton = "states of the automaton, |B|";
    // A number is below 2^n if it has no more than n binary digits.
    let exponential = u64::from(u64::BITS - states.leading_zeros()) <= length;
    let power = format!("< 2^|ψ| = 2^{length}");
    let mut bounds = match translation.logic {
        Some(Logic::Scctl) => vec![
            bound("Lemma 1 of SCCTL*", "closure, |CL(ψ)|", size, format!("< |ψ| = {length}"), size < length),
            bound("Lemma 1 of SCCTL*", automaton, states, power, exponential),
        ],
        _ => vec![
            bound(
                "Lemma 2 of CTL*CA",
                "closure, |CL(ψ)|",
                size,
                format!("≤ 2|ψ| = {}", length.saturating_mul(2)),
                size <= length.saturating_mul(2),
            ),
            bound("Lemma 5 of CTL*CA", automaton, states, power, exponential),
        ],
    };
    if !Features::of(formula).contains(Features::PATH_FORMULAS) {
        let linear = format!("≤ |ψ| = {length}");
        bounds.push(bound("the same, for state formulas only", automaton, states, linear, states <= length));
    }
    Measures { length, closure, order: order(&translation.tableau.states), bounds }
}

/// Definition 8. `F` and `G` count as the operators that they are written as, and so do the quantifiers.
fn length(formula: &Formula) -> u64 {
    parts(formula).iter().fold(1, |sum, part| length(part).saturating_add(sum))
}

/// What Definitions 8 and 10 take a formula apart into; nothing for an atom.
fn parts(formula: &Formula) -> Vec<Formula> {
    match formula.kind() {
        Kind::Act(act) => {
            let left = PlainAct::of(act, formula.span()).and_then(|act| act.brought_about());
            left.into_iter().collect()
        }
        Kind::Commitment(Commitment { content: Arg::Is(content), .. }) => vec![content.clone()],
        Kind::Binary(Binary::So, support, conclusion) => {
            let weakened = support.clone().negated().binary(Binary::Or, conclusion.clone());
            vec![support.clone(), weakened.unary(Unary::Next)]
        }
        Kind::Unary(Unary::Minus, _) => Vec::new(),
        Kind::Unary(_, operand) => vec![operand.clone()],
        Kind::Binary(
            Binary::And
            | Binary::Or
            | Binary::Implies
            | Binary::Iff
            | Binary::Until
            | Binary::WeakUntil
            | Binary::Release
            | Binary::Since,
            left,
            right,
        ) => vec![left.clone(), right.clone()],
        Kind::If(condition, then, otherwise) => vec![condition.clone(), then.clone(), otherwise.clone()],
        Kind::Joined(Join::Any | Join::All, parts) => parts.clone(),
        _ => Vec::new(),
    }
}

/// The operator that puts off a formula that a rule unfolds.
fn postponed(formula: &Formula) -> Option<Unary> {
    match formula.kind() {
        Kind::Unary(Unary::Finally | Unary::Globally, _)
        | Kind::Binary(Binary::Until | Binary::WeakUntil | Binary::Release, ..) => Some(Unary::Next),
        Kind::Unary(Unary::Once | Unary::Historically, _) | Kind::Binary(Binary::Since, ..) => {
            Some(Unary::Previous)
        }
        _ => None,
    }
}

/// Definition 10.
fn closure(formula: &Formula) -> Vec<Formula> {
    let mut closure = vec![formula.clone()];
    let mut known: HashSet<Formula> = closure.iter().cloned().collect();
    let mut next = 0;
    while next < closure.len() {
        let formula = closure[next].clone();
        let again = postponed(&formula).map(|op| formula.clone().unary(op));
        for part in parts(&formula).into_iter().chain(again) {
            if known.insert(part.clone()) {
                closure.push(part);
            }
        }
        next += 1;
    }
    closure
}

/// Definition 9. The formulas that two rows share stand for `Φ` and are not compared.
fn order(states: &[State]) -> Vec<Ordered> {
    let only = |one: &State, other: &State| -> Vec<Formula> {
        one.formulas.iter().filter(|formula| !other.formulas.contains(formula)).cloned().collect()
    };
    let total = |formulas: &[Formula], quantified: bool| {
        formulas.iter().map(length).fold(u64::from(quantified), u64::saturating_add)
    };
    let clause = |from: &State, to: &State| {
        let (before, after) = (only(from, to), only(to, from));
        let is_again = |later: &Formula| match later.kind() {
            Kind::Unary(Unary::Next | Unary::Previous, operand) => before.contains(operand),
            _ => false,
        };
        if after.iter().any(is_again) {
            return Some(1);
        }
        let shorter = total(&before, from.quantifier.is_some()) > total(&after, to.quantifier.is_some());
        shorter.then_some(2)
    };
    let mut order = Vec::new();
    for (index, from) in states.iter().enumerate() {
        for to in &from.successors {
            let clause = clause(from, &states[to.index()]);
            order.push(Ordered { from: StateId::from_index(index), to: *to, clause });
        }
    }
    order
}
