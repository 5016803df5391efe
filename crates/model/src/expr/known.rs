//! What an expression is worth where only some of what it reads is known.

use super::Expr;
use crate::FaultKind;

impl Expr {
    /// The value where only some of what is read has one: `leaf` knows that of variables, commitments and actions. `None` where it is
    /// not known yet or does not exist.
    pub fn value_of(&self, leaf: &impl Fn(&Expr) -> Option<i64>) -> Option<i64> {
        self.known(leaf).ok().flatten()
    }

    /// The value, `None` where what is known does not decide it. A value that is found so is the value in every state that agrees
    /// with what is known, or there is none; where everything is known it is exactly that of [`crate::Program`].
    ///
    /// # Errors
    /// Where it has no value, whatever is not known.
    pub fn known(&self, leaf: &impl Fn(&Expr) -> Option<i64>) -> Result<Option<i64>, FaultKind> {
        Ok(match self {
            Expr::Constant(value) => Some(*value),
            Expr::Variable(_) | Expr::InForce(_) | Expr::Action(_) => leaf(self),
            Expr::Not(inner) => inner.known(leaf)?.map(|value| i64::from(value == 0)),
            Expr::And(parts) => return connective(parts, leaf, 0),
            Expr::Or(parts) => return connective(parts, leaf, 1),
            Expr::Compare(comparison, left, right) => {
                let (left, right) = (left.known(leaf)?, right.known(leaf)?);
                left.zip(right).map(|(left, right)| i64::from(comparison.holds(left, right)))
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                let (left, right) = (left.known(leaf)?, right.known(leaf)?);
                left.zip(right).map(|(left, right)| arithmetic.checked(left, right)).transpose()?
            }
            Expr::If(condition, then, otherwise) => match condition.known(leaf)? {
                Some(0) => return otherwise.known(leaf),
                Some(_) => return then.known(leaf),
                None => None,
            },
            Expr::Select { index, low, options } => match index.known(leaf)? {
                Some(index) => {
                    let at = position(index, *low, options.len()).ok_or(FaultKind::IndexOutOfRange)?;
                    return options[at].known(leaf);
                }
                None => None,
            },
            Expr::Fault(kind) => return Err(*kind),
        })
    }
}

/// The place of a number among so many that are numbered from `low` on.
pub(crate) fn position(index: i64, low: i64, count: usize) -> Option<usize> {
    let at = usize::try_from(index.checked_sub(low)?).ok()?;
    (at < count).then_some(at)
}

/// A conjunction (`decisive` is 0) or disjunction (1): decided by one decisive part, or by all parts. Where a part has no value
/// those behind it are not read, unless one before it may turn out to be decisive.
fn connective(
    parts: &[Expr],
    leaf: &impl Fn(&Expr) -> Option<i64>,
    decisive: i64,
) -> Result<Option<i64>, FaultKind> {
    let mut undecided = false;
    for part in parts {
        match part.known(leaf) {
            Ok(Some(value)) if (value != 0) == (decisive != 0) => return Ok(Some(decisive)),
            Ok(Some(_)) => {}
            Err(fault) if !undecided => return Err(fault),
            Err(_) => return Ok(None),
            Ok(None) => undecided = true,
        }
    }
    Ok((!undecided).then_some(1 - decisive))
}
