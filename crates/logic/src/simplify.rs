//! Simplification that never changes a verdict.
//!
//! What the rules may not do, and why:
//! - `E true` and `A false` stay: under fairness, or where deadlocks end paths, there may be no path at all.
//! - `EX true`, `EY true`, `EP true`, `AH false` and everything strategic stay for the same kind of reason.
//! - `AG G p` does not become `AG p`: where deadlocks end paths the second is about finite paths too and the first is
//!   not. A quantifier keeps the kind of operand it has.
//! - Contents, supports and labels are left alone: the identity of a commitment depends on its wording.
//! - Arithmetic is folded only where no rounding or overflow is involved.

use crate::fragment::is_state_formula;
use crate::tree::{Binary, Comprehension, Epistemic, Formula, Goal, Join, Kind, Strategic, Unary};

/// An equivalent formula, smaller where constants, repetitions, double negations or doubled operators allow.
///
/// ```
/// use servanda_logic::{parse_formula, simplify};
///
/// let formula = parse_formula("AG (!!p & true -> E (true U (q | q)))").unwrap();
/// assert_eq!(simplify(&formula).to_string(), "AG (p -> EF q)");
/// ```
pub fn simplify(formula: &Formula) -> Formula {
    let simple = below(formula);
    reduce(&simple).unwrap_or(simple)
}

/// The same operator over simplified operands.
fn below(formula: &Formula) -> Formula {
    let kind = match formula.kind() {
        Kind::Unary(op @ (Unary::ForAll | Unary::Exists), operand) => Kind::Unary(*op, quantified(operand)),
        Kind::Comprehension(comprehension) => {
            let body = simplify(&comprehension.body);
            Kind::Comprehension(Comprehension { body, ..comprehension.clone() })
        }
        Kind::Epistemic(epistemic) => {
            let body = simplify(&epistemic.body);
            Kind::Epistemic(Epistemic { body, ..epistemic.clone() })
        }
        Kind::Strategic(Strategic { group, goal }) => {
            let goal = match goal {
                Goal::Next(goal) => Goal::Next(simplify(goal)),
                Goal::Finally(goal) => Goal::Finally(simplify(goal)),
                Goal::Globally(goal) => Goal::Globally(simplify(goal)),
                Goal::Until(left, right) => Goal::Until(simplify(left), simplify(right)),
            };
            Kind::Strategic(Strategic { group: group.clone(), goal })
        }
        Kind::Unary(Unary::Challenged, _)
        | Kind::Bool(_)
        | Kind::Int(_)
        | Kind::Name(_)
        | Kind::At(_)
        | Kind::Does(_)
        | Kind::Act(_)
        | Kind::Commitment(_) => return formula.clone(),
        kind @ (Kind::Unary(..) | Kind::Binary(..) | Kind::Joined(..)) => kind.map_children(simplify),
    };
    Formula::new(kind, formula.span())
}

/// Something simpler than an operator over operands that are simple already, if there is.
fn reduce(formula: &Formula) -> Option<Formula> {
    match formula.kind() {
        Kind::Unary(op, operand) => unary(*op, operand),
        Kind::Binary(op, left, right) => binary(*op, left, right),
        Kind::Joined(join, parts) => Some(joined(formula, *join, parts)),
        Kind::Comprehension(comprehension) => match (comprehension.join, comprehension.body.kind()) {
            // The range may be empty, so only these hold whatever it is.
            (Join::All, Kind::Bool(true)) | (Join::Any, Kind::Bool(false)) => {
                Some(comprehension.body.clone())
            }
            _ => None,
        },
        Kind::Epistemic(epistemic) if epistemic.body.kind() == &Kind::Bool(true) => {
            Some(epistemic.body.clone())
        }
        _ => None,
    }
}

/// The kinds of operand a path quantifier can have that are told apart where deadlocks end paths.
#[derive(PartialEq, Eq)]
enum Operand {
    Branching,
    WeakBranching,
    Path,
}

fn operand_kind(formula: &Formula) -> Operand {
    match formula.kind() {
        Kind::Unary(Unary::Next | Unary::Finally | Unary::Globally, operand) if is_state_formula(operand) => {
            Operand::Branching
        }
        Kind::Binary(op, left, right) if is_state_formula(left) && is_state_formula(right) => match op {
            Binary::Until => Operand::Branching,
            Binary::WeakUntil | Binary::Release => Operand::WeakBranching,
            _ => Operand::Path,
        },
        _ => Operand::Path,
    }
}

/// The operand of a path quantifier, simplified as far as its kind stays.
fn quantified(operand: &Formula) -> Formula {
    let kind = operand_kind(operand);
    let simple = below(operand);
    let reduced = reduce(&simple);
    [reduced, Some(simple)]
        .into_iter()
        .flatten()
        .find(|candidate| operand_kind(candidate) == kind)
        .unwrap_or_else(|| operand.clone())
}

fn unary(op: Unary, operand: &Formula) -> Option<Formula> {
    let constant = match operand.kind() {
        Kind::Bool(value) => Some(*value),
        _ => None,
    };
    match (op, constant) {
        (Unary::Not, Some(value)) => return Some(operand.constant(!value)),
        (Unary::Next | Unary::Finally | Unary::Globally | Unary::Once | Unary::Historically, Some(_))
        | (Unary::Previous | Unary::SomePrevious | Unary::SomePast, Some(false))
        | (Unary::AllPrevious | Unary::AllPast, Some(true)) => return Some(operand.clone()),
        _ => {}
    }
    match (op, operand.kind()) {
        (Unary::Not, Kind::Unary(Unary::Not, inner)) => Some(inner.clone()),
        (Unary::Finally | Unary::Globally | Unary::Once | Unary::Historically, Kind::Unary(inner, _))
            if *inner == op =>
        {
            Some(operand.clone())
        }
        // `F G F p` is `G F p`, and `G F G p` is `F G p`: both outer operators already look arbitrarily far.
        (Unary::Finally | Unary::Globally, Kind::Unary(Unary::Finally | Unary::Globally, inner)) => {
            matches!(inner.kind(), Kind::Unary(innermost, _) if *innermost == op).then(|| operand.clone())
        }
        (Unary::Minus, Kind::Int(number)) => {
            let number = number.checked_neg()?;
            Some(Formula::new(Kind::Int(number), operand.span()))
        }
        _ => None,
    }
}

fn binary(op: Binary, left: &Formula, right: &Formula) -> Option<Formula> {
    let constant = |formula: &Formula| match formula.kind() {
        Kind::Bool(value) => Some(*value),
        _ => None,
    };
    let (left_value, right_value) = (constant(left), constant(right));
    let span = left.span().to(right.span());
    let under = |op, operand: &Formula| {
        // The operand is simple already; the new operator over it may not be.
        unary(op, operand).unwrap_or_else(|| Formula::new(Kind::Unary(op, operand.clone()), span))
    };
    let keep = |formula: &Formula| Some(formula.clone());
    let value = |value| Some(Formula::new(Kind::Bool(value), span));
    match (op, left_value, right_value) {
        (Binary::And, Some(true), _) | (Binary::Or, Some(false), _) => keep(right),
        (Binary::And, _, Some(true)) | (Binary::Or, _, Some(false)) => keep(left),
        (Binary::And, Some(false), _) | (Binary::And, _, Some(false)) => value(false),
        (Binary::Or, Some(true), _) | (Binary::Or, _, Some(true)) => value(true),
        (Binary::And | Binary::Or, ..) if left == right => keep(left),
        (Binary::And, ..) if contradict(left, right) => value(false),
        (Binary::Or, ..) if contradict(left, right) => value(true),

        (Binary::Implies, Some(true), _) => keep(right),
        (Binary::Implies, Some(false), _) | (Binary::Implies, _, Some(true)) => value(true),
        (Binary::Implies, _, Some(false)) => Some(under(Unary::Not, left)),
        (Binary::Iff, Some(true), _) => keep(right),
        (Binary::Iff, _, Some(true)) => keep(left),
        (Binary::Iff, Some(false), _) => Some(under(Unary::Not, right)),
        (Binary::Iff, _, Some(false)) => Some(under(Unary::Not, left)),
        (Binary::Implies | Binary::Iff, ..) if left == right => value(true),
        (Binary::Iff, ..) if contradict(left, right) => value(false),

        (Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since, ..) => {
            temporal(op, left, right).map(|simpler| match simpler {
                Simpler::Left => left.clone(),
                Simpler::Right => right.clone(),
                Simpler::Value(value) => Formula::new(Kind::Bool(value), span),
                Simpler::Under(op, operand) => under(op, operand),
            })
        }
        (Binary::So, Some(true), _) => Some(under(Unary::Next, right)),
        (Binary::So, Some(false), _) | (Binary::So, _, Some(true)) => keep(left),
        (Binary::So, ..) if left == right => keep(left),

        (Binary::Equal, Some(left), Some(right)) => value(left == right),
        (Binary::NotEqual, Some(left), Some(right)) => value(left != right),
        _ => match (left.kind(), right.kind()) {
            (Kind::Int(left), Kind::Int(right)) => {
                calculate(op, *left, *right).map(|kind| Formula::new(kind, span))
            }
            _ => None,
        },
    }
}

/// What a temporal operator amounts to.
enum Simpler<'a> {
    Left,
    Right,
    Value(bool),
    Under(Unary, &'a Formula),
}

fn temporal<'a>(op: Binary, left: &'a Formula, right: &'a Formula) -> Option<Simpler<'a>> {
    let (left_kind, right_kind) = (left.kind(), right.kind());
    match (op, left_kind, right_kind) {
        (_, _, Kind::Bool(true)) => Some(Simpler::Value(true)),
        (Binary::WeakUntil, Kind::Bool(true), _) => Some(Simpler::Value(true)),
        (Binary::WeakUntil, _, Kind::Bool(false)) => Some(Simpler::Under(Unary::Globally, left)),
        (_, _, Kind::Bool(false)) => Some(Simpler::Value(false)),
        (Binary::Until, Kind::Bool(true), _) => Some(Simpler::Under(Unary::Finally, right)),
        (Binary::Since, Kind::Bool(true), _) => Some(Simpler::Under(Unary::Once, right)),
        (Binary::Release, Kind::Bool(true), _) => Some(Simpler::Right),
        (Binary::Release, Kind::Bool(false), _) => Some(Simpler::Under(Unary::Globally, right)),
        (_, Kind::Bool(false), _) => Some(Simpler::Right),
        _ if left == right => Some(Simpler::Left),
        _ => None,
    }
}

/// Is one the negation of the other?
fn contradict(left: &Formula, right: &Formula) -> bool {
    let negates = |one: &Formula, other: &Formula| matches!(one.kind(), Kind::Unary(Unary::Not, inner) if inner == other);
    negates(left, right) || negates(right, left)
}

/// Constant arithmetic and comparisons.
fn calculate(op: Binary, left: i64, right: i64) -> Option<Kind> {
    let exact = left >= 0 && right > 0;
    Some(match op {
        Binary::Equal => Kind::Bool(left == right),
        Binary::NotEqual => Kind::Bool(left != right),
        Binary::Less => Kind::Bool(left < right),
        Binary::LessEqual => Kind::Bool(left <= right),
        Binary::Greater => Kind::Bool(left > right),
        Binary::GreaterEqual => Kind::Bool(left >= right),
        Binary::Add => Kind::Int(left.checked_add(right)?),
        Binary::Subtract => Kind::Int(left.checked_sub(right)?),
        Binary::Multiply => Kind::Int(left.checked_mul(right)?),
        Binary::Divide if exact => Kind::Int(left / right),
        Binary::Remainder if exact => Kind::Int(left % right),
        _ => return None,
    })
}

fn joined(formula: &Formula, join: Join, parts: &[Formula]) -> Formula {
    let mut kept: Vec<Formula> = Vec::new();
    for part in parts {
        match (join, part.kind()) {
            (Join::All, Kind::Bool(true)) | (Join::Any, Kind::Bool(false)) | (Join::Sum, Kind::Int(0)) => {}
            (Join::All, Kind::Bool(false)) | (Join::Any, Kind::Bool(true)) => return part.clone(),
            _ => kept.push(part.clone()),
        }
    }
    match (kept.len(), join) {
        (1, _) => kept.swap_remove(0),
        (0, Join::Sum) => Formula::new(Kind::Int(0), formula.span()),
        (0, _) => formula.constant(join == Join::All),
        _ => Formula::new(Kind::Joined(join, kept), formula.span()),
    }
}
