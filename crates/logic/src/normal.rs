//! Negation normal form.

use std::collections::HashMap;
use std::convert::Infallible;

use crate::tree::{
    Binary, Bounded, Comprehension, Epistemic, Formula, Goal, Join, Kind, Strategic, Unary, Within,
};

/// Pushes negations inwards as far as the language has duals, and expands `->`, `<->`, `so` and `if`.
///
/// Afterwards a negation stands only before names, `in`, `does(..)`, acts, commitments, `active(..)`, the epistemic and strategic
/// modalities, `Y`, `S`, `U<=k` and `?`, none of which has a dual that can be written. Negated comparisons become the opposite
/// comparison. Contents, supports, comparisons and arithmetic are left as they were written: the identity of a
/// commitment depends on its wording.
///
/// Subformulas of `<->` occur twice in the result, sharing their trees: that is small in memory even where
/// equivalences nest, but long when printed.
///
/// ```
/// use servanda_logic::{nnf, parse_formula};
///
/// let formula = parse_formula("!AG (request -> x < 3 U grant)").unwrap();
/// assert_eq!(nnf(&formula).to_string(), "EF (request & x >= 3 R !grant)");
/// ```
pub fn nnf(formula: &Formula) -> Formula {
    let Ok(normal) = nnf_with(formula, true, |_, _| Ok::<_, Infallible>(OwnRule::None));
    normal
}

/// What becomes of a formula by a rule that comes before those of [`nnf`].
pub enum OwnRule {
    /// There is none: the usual rules apply.
    None,
    /// This, as it is.
    Is(Formula),
    /// The normal form of this, negated where the formula was wanted negated.
    Instead(Formula),
}

/// As [`nnf`] of a formula, or of its negation where `keep` is false, with rules of one's own, which are told the same.
///
/// # Errors
///
/// When one of these gives one.
pub fn nnf_with<E>(
    formula: &Formula,
    keep: bool,
    mut own: impl FnMut(&Formula, bool) -> Result<OwnRule, E>,
) -> Result<Formula, E> {
    Rewriter { own: &mut own, done: HashMap::new(), instead: Vec::new() }.rewrite(formula, keep)
}

/// The comparison that holds exactly when `op` does not.
fn opposite(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::Equal => Binary::NotEqual,
        Binary::NotEqual => Binary::Equal,
        Binary::Less => Binary::GreaterEqual,
        Binary::LessEqual => Binary::Greater,
        Binary::Greater => Binary::LessEqual,
        Binary::GreaterEqual => Binary::Less,
        _ => return None,
    })
}

/// The operator that `!` turns this one into as it moves inwards.
fn dual(op: Unary) -> Option<Unary> {
    Some(match op {
        Unary::ForAll => Unary::Exists,
        Unary::Exists => Unary::ForAll,
        // Every path is infinite, so there is always exactly one next position.
        Unary::Next => Unary::Next,
        Unary::Finally => Unary::Globally,
        Unary::Globally => Unary::Finally,
        Unary::Once => Unary::Historically,
        Unary::Historically => Unary::Once,
        Unary::AllPrevious => Unary::SomePrevious,
        Unary::SomePrevious => Unary::AllPrevious,
        Unary::AllPast => Unary::SomePast,
        Unary::SomePast => Unary::AllPast,
        Unary::Not | Unary::Minus | Unary::Previous | Unary::Challenged => return None,
    })
}

struct Rewriter<'o, E> {
    own: &'o mut dyn FnMut(&Formula, bool) -> Result<OwnRule, E>,
    /// What has been rewritten, by node and by whether it is wanted as it is (true) or negated: without this, nested
    /// equivalences would take exponential time.
    done: HashMap<(usize, bool), Formula>,
    /// What own rules made, kept so that no other node takes the place of one.
    instead: Vec<Formula>,
}

impl<E> Rewriter<'_, E> {
    /// The normal form of `formula`, or of its negation where `keep` is false.
    fn rewrite(&mut self, formula: &Formula, keep: bool) -> Result<Formula, E> {
        let key = (formula.address(), keep);
        if let Some(done) = self.done.get(&key) {
            return Ok(done.clone());
        }
        let result = match (self.own)(formula, keep)? {
            OwnRule::None => self.fresh(formula, keep)?,
            OwnRule::Is(formula) => formula,
            OwnRule::Instead(formula) => {
                self.instead.push(formula.clone());
                self.rewrite(&formula, keep)?
            }
        };
        self.done.insert(key, result.clone());
        Ok(result)
    }

    fn fresh(&mut self, formula: &Formula, keep: bool) -> Result<Formula, E> {
        let kind = match formula.kind() {
            Kind::Bool(value) => Kind::Bool(*value == keep),
            Kind::Unary(Unary::Not, operand) => return self.rewrite(operand, !keep),
            Kind::Unary(Unary::Previous, operand) => {
                let kind = Kind::Unary(Unary::Previous, self.rewrite(operand, true)?);
                return Ok(literal(kind, formula, keep));
            }
            Kind::Unary(op, operand) => match dual(*op) {
                Some(dual) => Kind::Unary(if keep { *op } else { dual }, self.rewrite(operand, keep)?),
                None => return Ok(literal(formula.kind().clone(), formula, keep)),
            },
            Kind::Binary(op, left, right) => return self.binary(formula, *op, left, right, keep),
            Kind::If(condition, then, otherwise) => {
                let join = |op, left, right| Formula::new(Kind::Binary(op, left, right), formula.span());
                let taken = join(Binary::And, self.rewrite(condition, true)?, self.rewrite(then, keep)?);
                let other =
                    join(Binary::And, self.rewrite(condition, false)?, self.rewrite(otherwise, keep)?);
                Kind::Binary(Binary::Or, taken, other)
            }
            Kind::Bounded(Bounded { bound, goal }) => {
                let bounded = |goal| Kind::Bounded(Bounded { bound: bound.clone(), goal });
                match goal {
                    Within::Finally(operand) | Within::Globally(operand) => {
                        let operand = self.rewrite(operand, keep)?;
                        let finally = matches!(goal, Within::Finally(_)) == keep;
                        bounded(if finally { Within::Finally(operand) } else { Within::Globally(operand) })
                    }
                    Within::Until(left, right) => {
                        let (left, right) = (self.rewrite(left, true)?, self.rewrite(right, true)?);
                        return Ok(literal(bounded(Within::Until(left, right)), formula, keep));
                    }
                }
            }
            Kind::Comprehension(comprehension) => match flipped(comprehension.join, keep) {
                Some(join) => {
                    let body = self.rewrite(&comprehension.body, keep)?;
                    Kind::Comprehension(Comprehension { join, body, ..comprehension.clone() })
                }
                None => return Ok(literal(formula.kind().clone(), formula, keep)),
            },
            Kind::Joined(join, parts) => match flipped(*join, keep) {
                Some(join) => {
                    let parts = parts.iter().map(|part| self.rewrite(part, keep));
                    Kind::Joined(join, parts.collect::<Result<_, E>>()?)
                }
                None => return Ok(literal(formula.kind().clone(), formula, keep)),
            },
            Kind::Epistemic(epistemic) => {
                let body = self.rewrite(&epistemic.body, true)?;
                return Ok(literal(Kind::Epistemic(Epistemic { body, ..epistemic.clone() }), formula, keep));
            }
            Kind::Strategic(Strategic { group, goal }) => {
                let goal = match goal {
                    Goal::Next(goal) => Goal::Next(self.rewrite(goal, true)?),
                    Goal::Finally(goal) => Goal::Finally(self.rewrite(goal, true)?),
                    Goal::Globally(goal) => Goal::Globally(self.rewrite(goal, true)?),
                    Goal::Until(left, right) => {
                        Goal::Until(self.rewrite(left, true)?, self.rewrite(right, true)?)
                    }
                };
                return Ok(literal(Kind::Strategic(Strategic { group: group.clone(), goal }), formula, keep));
            }
            Kind::Int(_)
            | Kind::Name(_)
            | Kind::At(_)
            | Kind::Carries(_)
            | Kind::Length(_)
            | Kind::Does(_)
            | Kind::Act(_)
            | Kind::Commitment(_)
            | Kind::Active(_) => {
                return Ok(if keep { formula.clone() } else { formula.clone().negated() });
            }
        };
        Ok(Formula::new(kind, formula.span()))
    }

    fn binary(
        &mut self,
        formula: &Formula,
        op: Binary,
        left: &Formula,
        right: &Formula,
        keep: bool,
    ) -> Result<Formula, E> {
        let span = formula.span();
        let join = |op, left, right| Formula::new(Kind::Binary(op, left, right), span);
        let mut of = |operand, keep| self.rewrite(operand, keep);
        Ok(match (op, keep) {
            (Binary::And | Binary::Or | Binary::Until | Binary::Release | Binary::WeakUntil, true) => {
                join(op, of(left, true)?, of(right, true)?)
            }
            (Binary::And, false) => join(Binary::Or, of(left, false)?, of(right, false)?),
            (Binary::Or, false) => join(Binary::And, of(left, false)?, of(right, false)?),
            (Binary::Until, false) => join(Binary::Release, of(left, false)?, of(right, false)?),
            (Binary::Release, false) => join(Binary::Until, of(left, false)?, of(right, false)?),
            // `φ W ψ` fails when `φ` ends before or without `ψ`.
            (Binary::WeakUntil, false) => {
                let neither = join(Binary::And, of(left, false)?, of(right, false)?);
                join(Binary::Until, of(right, false)?, neither)
            }
            (Binary::Implies, true) => join(Binary::Or, of(left, false)?, of(right, true)?),
            (Binary::Implies, false) => join(Binary::And, of(left, true)?, of(right, false)?),
            (Binary::Iff, _) => {
                let both = join(Binary::And, of(left, true)?, of(right, keep)?);
                let neither = join(Binary::And, of(left, false)?, of(right, !keep)?);
                join(Binary::Or, both, neither)
            }
            (Binary::So, true) => {
                let next = join(Binary::Or, of(left, false)?, of(right, true)?);
                join(Binary::And, of(left, true)?, Formula::new(Kind::Unary(Unary::Next, next), span))
            }
            (Binary::So, false) => {
                let next = join(Binary::And, of(left, true)?, of(right, false)?);
                join(Binary::Or, of(left, false)?, Formula::new(Kind::Unary(Unary::Next, next), span))
            }
            (Binary::Since, _) => {
                literal(Kind::Binary(Binary::Since, of(left, true)?, of(right, true)?), formula, keep)
            }
            (_, true) => formula.clone(),
            (_, false) => match opposite(op) {
                Some(opposite) => join(opposite, left.clone(), right.clone()),
                None => formula.clone().negated(),
            },
        })
    }
}

/// A node that stays under its negation, at the place of `formula`.
fn literal(kind: Kind, formula: &Formula, keep: bool) -> Formula {
    let node = Formula::new(kind, formula.span());
    if keep { node } else { node.negated() }
}

/// What becomes of a comprehension; a sum is a number and cannot be negated.
fn flipped(join: Join, keep: bool) -> Option<Join> {
    match (join, keep) {
        (Join::Sum, _) => None,
        (Join::Any, true) | (Join::All, false) => Some(Join::Any),
        (Join::All, true) | (Join::Any, false) => Some(Join::All),
    }
}
