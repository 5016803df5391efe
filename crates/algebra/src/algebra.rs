//! What diagrams and gates have in common.

use servanda_engine::Halt;

/// A boolean algebra of functions.
///
/// Operations fail where there is no room left, or no time.
pub trait Algebra {
    /// A function. Equal ones mean the same; whether different ones do is for the algebra to know.
    type Function: Clone + Eq;

    /// What a code that stands for no value of its domain is read as is meaningless. Gates are fewer if it is not thought of; diagrams
    /// are smaller if it is read as the number that comes next, since a sum that overflows is a more complicated function.
    const READS_ALL_CODES: bool;

    /// Whether a sum is below a limit is better asked variable by variable than added up: so it is for diagrams, not for gates.
    const LAYERED: bool;

    /// A constant.
    fn constant(&self, value: bool) -> Self::Function;

    /// `!a`
    fn not(&mut self, a: &Self::Function) -> Result<Self::Function, Halt>;

    /// `a & b`
    fn and(&mut self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Halt>;

    /// `a | b`
    fn or(&mut self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Halt>;

    /// `a & !b`
    fn without(&mut self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Halt>;

    /// `a` and `b` have different values.
    fn differs(&mut self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Halt>;

    /// `a` and `b` have the same value.
    fn same(&mut self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Halt>;

    /// `yes` where the condition holds, otherwise `no`.
    fn choose(
        &mut self,
        condition: &Self::Function,
        yes: &Self::Function,
        no: &Self::Function,
    ) -> Result<Self::Function, Halt>;

    /// Is asked again and again while something large is made: may the work go on?
    fn poll(&mut self) -> Result<(), Halt> {
        Ok(())
    }

    /// Each of these bits, given in the order of their positions in a state, has its value.
    fn cube(&mut self, literals: &[(Self::Function, bool)]) -> Result<Self::Function, Halt> {
        let mut signed = Vec::with_capacity(literals.len());
        for (bit, value) in literals {
            signed.push(if *value { bit.clone() } else { self.not(bit)? });
        }
        self.all(&signed)
    }

    /// The constant true.
    fn truth(&self) -> Self::Function {
        self.constant(true)
    }

    /// The constant false.
    fn falsity(&self) -> Self::Function {
        self.constant(false)
    }

    /// The conjunction of many.
    fn all(&mut self, parts: &[Self::Function]) -> Result<Self::Function, Halt> {
        balanced(parts, self.truth(), &mut |a, b| self.and(a, b))
    }

    /// The disjunction of many.
    fn any(&mut self, parts: &[Self::Function]) -> Result<Self::Function, Halt> {
        balanced(parts, self.falsity(), &mut |a, b| self.or(a, b))
    }

    /// A row of bits, least significant first, spells a code.
    fn spells(&mut self, row: &[Self::Function], code: u64) -> Result<Self::Function, Halt> {
        let bit_of = |at: usize| at < 64 && code >> at & 1 == 1;
        let literals: Vec<_> = row.iter().enumerate().map(|(at, bit)| (bit.clone(), bit_of(at))).collect();
        self.cube(&literals)
    }

    /// A row of bits, least significant first, spells a code smaller than `limit`.
    fn below(&mut self, row: &[Self::Function], limit: u64) -> Result<Self::Function, Halt> {
        if row.len() < 64 && limit >> row.len() != 0 {
            return Ok(self.truth());
        }
        let mut less = self.falsity();
        for (position, bit) in row.iter().enumerate() {
            let clear = self.not(bit)?;
            less =
                if limit >> position & 1 == 1 { self.or(&clear, &less)? } else { self.and(&clear, &less)? };
        }
        Ok(less)
    }
}

/// An algebra of such functions.
pub trait AlgebraOf<F>: Algebra<Function = F> {}

impl<A: Algebra> AlgebraOf<A::Function> for A {}

/// Joins many pairwise, as a shallow tree: thousands of small functions cost far less than when each is added to a growing one.
pub fn balanced<F: Clone, E>(
    parts: &[F],
    neutral: F,
    join: &mut impl FnMut(&F, &F) -> Result<F, E>,
) -> Result<F, E> {
    match parts {
        [] => Ok(neutral),
        [one] => Ok(one.clone()),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let left = balanced(left, neutral.clone(), join)?;
            let right = balanced(right, neutral, join)?;
            join(&left, &right)
        }
    }
}
