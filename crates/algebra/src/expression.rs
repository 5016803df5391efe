//! Expressions over the state as functions: their value, and where they have one.
//!
//! Values are right where every variable has a value of its domain; elsewhere they are meaningless.

use servanda_engine::Halt;
use servanda_model::{Comparison, Domain, Expr, VariableId};

use crate::{Algebra, AlgebraOf, Encoding, Number};

/// A value and where it exists.
#[derive(Clone, Debug)]
pub struct Defined<T, F> {
    /// The value; meaningless where it does not exist.
    pub value: T,
    /// Where it exists.
    pub defined: F,
}

impl<T, F> Defined<T, F> {
    fn everywhere(algebra: &impl AlgebraOf<F>, value: T) -> Self {
        Defined { value, defined: algebra.truth() }
    }

    fn nowhere(algebra: &impl AlgebraOf<F>, value: T) -> Self {
        Defined { value, defined: algebra.falsity() }
    }
}

/// An option, and where its number is asked for.
type Numbered<'e, F> = (Defined<F, F>, &'e Expr);

/// And, or.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Junction {
    And,
    Or,
}

impl Junction {
    fn join<A: Algebra>(self, algebra: &mut A, parts: &[A::Function]) -> Result<A::Function, Halt> {
        match self {
            Junction::And => algebra.all(parts),
            Junction::Or => algebra.any(parts),
        }
    }
}

impl<F: Clone + Eq> Encoding<'_, F> {
    /// Where an expression is true.
    pub fn truth(&self, algebra: &mut impl AlgebraOf<F>, expr: &Expr) -> Result<Defined<F, F>, Halt> {
        Ok(match expr {
            Expr::Constant(value) => Defined::everywhere(algebra, algebra.constant(*value != 0)),
            Expr::Variable(id) if self.model.variable(*id).domain == Domain::Bool => {
                Defined::everywhere(algebra, self.state[self.variable_bits(*id)[0]].clone())
            }
            Expr::InForce(id) => Defined::everywhere(algebra, self.state[self.commitment_bit(*id)].clone()),
            Expr::Not(inner) => {
                let inner = self.truth(algebra, inner)?;
                Defined { value: algebra.not(&inner.value)?, defined: inner.defined }
            }
            Expr::And(parts) => match self.literals(parts) {
                Some(literals) => {
                    let cube = algebra.cube(&literals)?;
                    Defined::everywhere(algebra, cube)
                }
                None => self.junction(algebra, Junction::And, parts)?,
            },
            Expr::Or(parts) => self.junction(algebra, Junction::Or, parts)?,
            Expr::Compare(comparison, left, right) => self.comparison(algebra, *comparison, left, right)?,
            Expr::If(condition, then, otherwise) => {
                let condition = self.truth(algebra, condition)?;
                let (then, otherwise) = (self.truth(algebra, then)?, self.truth(algebra, otherwise)?);
                choice(algebra, &condition, then, otherwise, truth_of)?
            }
            Expr::Select { index, low, options } => {
                let numbered = self.numbered(algebra, index, *low, options)?;
                let none = Defined::nowhere(algebra, algebra.falsity());
                numbered.into_iter().rev().try_fold(none, |others, (is, option)| {
                    let option = self.truth(algebra, option)?;
                    choice(algebra, &is, option, others, truth_of)
                })?
            }
            Expr::Fault(_) => Defined::nowhere(algebra, algebra.falsity()),
            Expr::Variable(_) | Expr::Action(_) | Expr::Arithmetic(..) => {
                let number = self.number(algebra, expr)?;
                Defined { value: number.value.is_not_zero(algebra)?, defined: number.defined }
            }
        })
    }

    /// A conjunction or disjunction: a part counts only where those before it leave the matter open.
    fn junction(
        &self,
        algebra: &mut impl AlgebraOf<F>,
        junction: Junction,
        parts: &[Expr],
    ) -> Result<Defined<F, F>, Halt> {
        let mut values = Vec::with_capacity(parts.len());
        let mut defined = algebra.truth();
        for part in parts {
            let part = self.truth(algebra, part)?;
            if part.defined != algebra.truth() {
                let so_far = junction.join(algebra, &values)?;
                let open = if junction == Junction::And { so_far.clone() } else { algebra.not(&so_far)? };
                let missing = algebra.without(&open, &part.defined)?;
                defined = algebra.without(&defined, &missing)?;
                values = vec![so_far];
            }
            values.push(part.value);
        }
        Ok(Defined { value: junction.join(algebra, &values)?, defined })
    }

    /// The bits that a conjunction of "this variable has this value" fixes, in the order of their positions; `None` if it is not one,
    /// or contradicts itself. Generated models have very many of them.
    fn literals(&self, parts: &[Expr]) -> Option<Vec<(F, bool)>> {
        let mut literals = Vec::new();
        for part in parts {
            let Expr::Compare(Comparison::Equal, left, right) = part else { return None };
            let (Expr::Variable(variable), Expr::Constant(value)) = (&**left, &**right) else { return None };
            let domain = &self.model.variable(*variable).domain;
            if !domain.contains(*value) {
                return None;
            }
            let code = value.abs_diff(domain.low());
            let bits = self.variable_bits(*variable).iter().enumerate();
            literals.extend(bits.map(|(at, bit)| (*bit, code >> at & 1 == 1)));
        }
        literals.sort_unstable();
        literals.dedup();
        let contradicts = literals.windows(2).any(|pair| pair[0].0 == pair[1].0);
        let of_bits = literals.into_iter().map(|(bit, value)| (self.state[bit].clone(), value));
        (!contradicts).then(|| of_bits.collect())
    }

    fn comparison(
        &self,
        algebra: &mut impl AlgebraOf<F>,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Result<Defined<F, F>, Halt> {
        let same = match (comparison, left, right) {
            (Comparison::Less | Comparison::LessEqual, ..) => None,
            (_, Expr::Variable(variable), Expr::Constant(value))
            | (_, Expr::Constant(value), Expr::Variable(variable)) => {
                Some(self.is(algebra, *variable, *value)?)
            }
            (_, Expr::Action(agent), Expr::Constant(value))
            | (_, Expr::Constant(value), Expr::Action(agent))
                if usize::try_from(*value).is_ok_and(|action| action >> self.action(*agent).len() == 0) =>
            {
                Some(self.takes(algebra, *agent, *value as usize)?)
            }
            _ => None,
        };
        if let Some(same) = same {
            let value = if comparison == Comparison::Equal { same } else { algebra.not(&same)? };
            return Ok(Defined::everywhere(algebra, value));
        }
        if let Some(value) = self.layered(algebra, comparison, left, right)? {
            return Ok(Defined::everywhere(algebra, value));
        }
        let (left, right) = (self.number(algebra, left)?, self.number(algebra, right)?);
        let value = left.value.compare(algebra, comparison, &right.value)?;
        Ok(Defined { value, defined: algebra.and(&left.defined, &right.defined)? })
    }

    /// The value of an expression.
    fn number<A: Algebra<Function = F>>(
        &self,
        algebra: &mut A,
        expr: &Expr,
    ) -> Result<Defined<Number<A>, F>, Halt> {
        Ok(match expr {
            Expr::Constant(value) => Defined::everywhere(algebra, Number::constant(algebra, *value)),
            Expr::Variable(id) => {
                let (row, domain) = (self.row(*id), &self.model.variable(*id).domain);
                let number = Number::of_code(algebra, row, domain.low(), domain.size() - 1)?;
                Defined::everywhere(algebra, number)
            }
            Expr::Action(agent) => {
                let code = self.action(*agent).to_vec();
                let most = (1_u64 << code.len().min(62)) - 1;
                let number = Number::of_code(algebra, code, 0, most)?;
                Defined::everywhere(algebra, number)
            }
            Expr::Arithmetic(operator, left, right) => {
                let (left, right) = (self.number(algebra, left)?, self.number(algebra, right)?);
                let (value, exists) = left.value.calculate(algebra, *operator, &right.value)?;
                let defined = algebra.and(&left.defined, &right.defined)?;
                Defined { value, defined: algebra.and(&defined, &exists)? }
            }
            Expr::If(condition, then, otherwise) => {
                let condition = self.truth(algebra, condition)?;
                let (then, otherwise) = (self.number(algebra, then)?, self.number(algebra, otherwise)?);
                choice(algebra, &condition, then, otherwise, Number::either)?
            }
            Expr::Select { index, low, options } => {
                let numbered = self.numbered(algebra, index, *low, options)?;
                let none = Defined::nowhere(algebra, Number::constant(algebra, 0));
                numbered.into_iter().rev().try_fold(none, |others, (is, option)| {
                    let option = self.number(algebra, option)?;
                    choice(algebra, &is, option, others, Number::either)
                })?
            }
            Expr::Fault(_) => Defined::nowhere(algebra, Number::constant(algebra, 0)),
            Expr::InForce(_) | Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Compare(..) => {
                let truth = self.truth(algebra, expr)?;
                Defined { value: Number::of_truth(algebra, truth.value), defined: truth.defined }
            }
        })
    }

    /// Options, each with where the index has its number.
    fn numbered<'e>(
        &self,
        algebra: &mut impl AlgebraOf<F>,
        index: &Expr,
        low: i64,
        options: &'e [Expr],
    ) -> Result<Vec<Numbered<'e, F>>, Halt> {
        let number = self.number(algebra, index)?;
        let mut numbered = Vec::with_capacity(options.len());
        for (option, own) in options.iter().zip(low..) {
            algebra.poll()?;
            let value = match index {
                Expr::Variable(variable) => self.is(algebra, *variable, own)?,
                _ => {
                    let own = Number::constant(algebra, own);
                    number.value.compare(algebra, Comparison::Equal, &own)?
                }
            };
            if value != algebra.falsity() {
                numbered.push((Defined { value, defined: number.defined.clone() }, option));
            }
        }
        Ok(numbered)
    }

    /// The bits that a variable gets when it is set to an expression, by position; and where the expression has a value that fits.
    pub(crate) fn assigned(
        &self,
        algebra: &mut impl AlgebraOf<F>,
        variable: VariableId,
        expr: &Expr,
    ) -> Result<Defined<Vec<(usize, F)>, F>, Halt> {
        let domain = &self.model.variable(variable).domain;
        let (low, high) = (Number::constant(algebra, domain.low()), Number::constant(algebra, domain.high()));
        let number = self.number(algebra, expr)?;
        let above = low.compare(algebra, Comparison::LessEqual, &number.value)?;
        let below = number.value.compare(algebra, Comparison::LessEqual, &high)?;
        let fits = algebra.and(&above, &below)?;
        let code = number.value.subtract(algebra, &low)?;
        let bits = self.variable_bits(variable).iter().enumerate();
        let bits = bits.map(|(at, bit)| (*bit, code.bit(at).clone())).collect();
        Ok(Defined { value: bits, defined: algebra.and(&number.defined, &fits)? })
    }
}

/// One of two values, by a condition: it exists where the condition does and the one that is taken.
fn choice<A: Algebra, T>(
    algebra: &mut A,
    condition: &Defined<A::Function, A::Function>,
    then: Defined<T, A::Function>,
    otherwise: Defined<T, A::Function>,
    choose: impl FnOnce(&mut A, &A::Function, T, T) -> Result<T, Halt>,
) -> Result<Defined<T, A::Function>, Halt> {
    let taken = algebra.choose(&condition.value, &then.defined, &otherwise.defined)?;
    let defined = algebra.and(&condition.defined, &taken)?;
    // What exists nowhere widens nothing.
    let value = if then.defined == algebra.falsity() {
        otherwise.value
    } else if otherwise.defined == algebra.falsity() {
        then.value
    } else {
        choose(algebra, &condition.value, then.value, otherwise.value)?
    };
    Ok(Defined { value, defined })
}

fn truth_of<A: Algebra>(
    algebra: &mut A,
    condition: &A::Function,
    then: A::Function,
    otherwise: A::Function,
) -> Result<A::Function, Halt> {
    algebra.choose(condition, &then, &otherwise)
}
