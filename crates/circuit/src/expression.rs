//! Expressions over the state as circuits: their value, and where they have one.

use servanda_model::{Domain, Expr, VariableId};

use crate::{Edge, Number, System, TooWide};

/// A value and where it exists.
#[derive(Clone, Debug)]
pub struct Defined<T> {
    /// The value; meaningless where it does not exist.
    pub value: T,
    /// Where it exists.
    pub defined: Edge,
}

impl<T> Defined<T> {
    fn everywhere(value: T) -> Self {
        Defined { value, defined: Edge::TRUE }
    }
}

impl System<'_> {
    /// Where an expression is true.
    pub fn truth(&mut self, expr: &Expr) -> Result<Defined<Edge>, TooWide> {
        Ok(match expr {
            Expr::Constant(value) => Defined::everywhere(Edge::constant(*value != 0)),
            Expr::Variable(id) if self.model.variable(*id).domain == Domain::Bool => {
                Defined::everywhere(self.variable_edges(*id)[0])
            }
            Expr::InForce(id) => Defined::everywhere(self.state[self.commitment_bit(*id)]),
            Expr::Not(inner) => {
                let inner = self.truth(inner)?;
                Defined { value: !inner.value, defined: inner.defined }
            }
            Expr::And(parts) => self.chain(parts, Edge::TRUE)?,
            Expr::Or(parts) => self.chain(parts, Edge::FALSE)?,
            Expr::Compare(comparison, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                let value = left.value.compare(&mut self.graph, *comparison, &right.value);
                Defined { value, defined: self.graph.and(left.defined, right.defined) }
            }
            Expr::Variable(_) | Expr::Action(_) | Expr::Arithmetic(..) => {
                let number = self.number(expr)?;
                Defined { value: number.value.is_not_zero(&mut self.graph), defined: number.defined }
            }
        })
    }

    /// A conjunction (neutral value true) or disjunction: a part counts only where those before it leave the matter open.
    fn chain(&mut self, parts: &[Expr], neutral: Edge) -> Result<Defined<Edge>, TooWide> {
        let conjunction = neutral == Edge::TRUE;
        let mut values = Vec::with_capacity(parts.len());
        let mut defined = Edge::TRUE;
        for part in parts {
            let part = self.truth(part)?;
            if part.defined != Edge::TRUE {
                let so_far = if conjunction { self.graph.all(&values) } else { self.graph.any(&values) };
                let open = if conjunction { so_far } else { !so_far };
                let missing = self.graph.without(open, part.defined);
                defined = self.graph.without(defined, missing);
            }
            values.push(part.value);
        }
        let value = if conjunction { self.graph.all(&values) } else { self.graph.any(&values) };
        Ok(Defined { value, defined })
    }

    /// The value of an expression.
    pub fn number(&mut self, expr: &Expr) -> Result<Defined<Number>, TooWide> {
        Ok(match expr {
            Expr::Constant(value) => Defined::everywhere(Number::constant(*value)),
            Expr::Variable(id) => {
                let domain = &self.model.variable(*id).domain;
                let code = self.variable_edges(*id);
                Defined::everywhere(Number::of_code(&mut self.graph, &code, domain.low(), domain.high()))
            }
            Expr::Action(agent) => {
                let code = self.action_edges(*agent).to_vec();
                let most = (1_i64 << code.len().min(62)) - 1;
                Defined::everywhere(Number::of_code(&mut self.graph, &code, 0, most))
            }
            Expr::Arithmetic(operator, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                let (value, exists) = left.value.calculate(&mut self.graph, *operator, &right.value)?;
                let defined = self.graph.and(left.defined, right.defined);
                Defined { value, defined: self.graph.and(defined, exists) }
            }
            Expr::InForce(_) | Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Compare(..) => {
                let truth = self.truth(expr)?;
                Defined { value: Number::of_truth(truth.value), defined: truth.defined }
            }
        })
    }

    /// The bits that a variable gets when it is set to an expression, and where the expression has a value that fits.
    pub(crate) fn assigned(
        &mut self,
        variable: VariableId,
        expr: &Expr,
    ) -> Result<Defined<Vec<(usize, Edge)>>, TooWide> {
        use servanda_model::Comparison::LessEqual;
        let domain = &self.model.variable(variable).domain;
        let (low, high) = (Number::constant(domain.low()), Number::constant(domain.high()));
        let number = self.number(expr)?;
        let above = low.compare(&mut self.graph, LessEqual, &number.value);
        let below = number.value.compare(&mut self.graph, LessEqual, &high);
        let fits = self.graph.and(above, below);
        let code = number.value.minus(&mut self.graph, &low);
        let positions = self.variable_bits(variable).to_vec();
        let bits = positions.into_iter().enumerate().map(|(at, bit)| (bit, code.bit_at(at))).collect();
        Ok(Defined { value: bits, defined: self.graph.and(number.defined, fits) })
    }
}
