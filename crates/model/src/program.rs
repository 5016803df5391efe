//! Expressions compiled once to a flat program, so that evaluating one allocates nothing.

mod compile;
mod form;
mod test;

use compile::Compiler;
use form::Form;
pub(crate) use test::{Choice, Test};

use crate::expr::position;
use crate::{Arithmetic, Comparison, Expr, Field, Layout};

/// Why an expression has no value in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Division or remainder by zero.
    DivisionByZero,
    /// A result beyond 64 bits.
    Overflow,
    /// An element of an array that it does not have.
    IndexOutOfRange,
    /// Two assignments give one variable different values.
    ConflictingAssignments,
    /// A message carries a value that is not of its type.
    ValueOutOfType,
}

impl FaultKind {
    /// In words.
    pub fn reason(self) -> &'static str {
        match self {
            FaultKind::DivisionByZero => "division by zero",
            FaultKind::Overflow => "an arithmetic result is beyond 64 bits",
            FaultKind::IndexOutOfRange => "an index is out of range",
            FaultKind::ConflictingAssignments => "two assignments give one variable different values",
            FaultKind::ValueOutOfType => "a message carries a value outside of its type",
        }
    }
}

/// A failed evaluation.
pub type Fault = FaultKind;

#[derive(Clone, Copy, Debug)]
enum Op {
    Constant(i64),
    Read(Field),
    /// The form with this number.
    Form(u32),
    Compare(Comparison),
    Arithmetic(Arithmetic),
    /// Jump if the test comes out as wanted.
    Test {
        test: Test,
        want: bool,
        target: u32,
    },
    /// The same with the comparison of a form with 0.
    Compared {
        comparison: Comparison,
        form: u32,
        want: bool,
        target: u32,
    },
    /// Drop the top; jump if it is a condition that is as wanted.
    JumpIf(bool, u32),
    /// Jump.
    Jump(u32),
    /// Take the top away; if it is one of so many numbers from this one on, go to the jump of that number among those that follow.
    Select(i64, u32),
    Fault(FaultKind),
    /// The value of the whole is this.
    Done(i64),
}

impl Op {
    /// Where it jumps to, if it does.
    fn target(&mut self) -> Option<&mut u32> {
        match self {
            Op::Test { target, .. } | Op::Compared { target, .. } => Some(target),
            Op::JumpIf(_, target) | Op::Jump(target) => Some(target),
            Op::Constant(_) | Op::Read(_) | Op::Form(_) | Op::Compare(_) | Op::Arithmetic(_) => None,
            Op::Select(..) | Op::Fault(_) | Op::Done(_) => None,
        }
    }
}

/// A compiled expression.
#[derive(Clone, Debug)]
pub struct Program {
    /// None where the first form is all there is to it.
    ops: Vec<Op>,
    forms: Vec<Form>,
}

impl Program {
    /// Compiles an expression for a packing.
    pub fn new(expr: &Expr, layout: &Layout) -> Self {
        Compiler::new(layout).compile(expr)
    }

    /// The value in a state. `stack` is scratch space that callers keep between calls.
    #[inline]
    pub fn evaluate(&self, state: &[u64], stack: &mut Vec<i64>) -> Result<i64, Fault> {
        match (&self.ops[..], &self.forms[..]) {
            ([], [form]) => Ok(form.value(state)),
            _ => self.run(state, stack),
        }
    }

    fn run(&self, state: &[u64], stack: &mut Vec<i64>) -> Result<i64, Fault> {
        stack.clear();
        let mut at = 0;
        while let Some(op) = self.ops.get(at) {
            at += 1;
            match op {
                Op::Test { test, want, target } => {
                    if test.holds(state) == *want {
                        at = *target as usize;
                    }
                }
                Op::Compared { comparison, form, want, target } => {
                    if comparison.holds(self.forms[*form as usize].value(state), 0) == *want {
                        at = *target as usize;
                    }
                }
                Op::Constant(value) => stack.push(*value),
                Op::Read(field) => stack.push(field.read(state)),
                Op::Form(form) => stack.push(self.forms[*form as usize].value(state)),
                Op::Compare(comparison) => {
                    let (right, left) = (pop(stack), pop(stack));
                    stack.push(i64::from(comparison.holds(left, right)));
                }
                Op::Arithmetic(arithmetic) => {
                    let (right, left) = (pop(stack), pop(stack));
                    stack.push(arithmetic.checked(left, right)?);
                }
                Op::JumpIf(want, target) => {
                    if (pop(stack) != 0) == *want {
                        at = *target as usize;
                    }
                }
                Op::Jump(target) => at = *target as usize,
                Op::Select(low, count) => {
                    let chosen = position(pop(stack), *low, *count as usize);
                    at += chosen.ok_or(FaultKind::IndexOutOfRange)?;
                }
                Op::Fault(kind) => return Err(*kind),
                Op::Done(value) => return Ok(*value),
            }
        }
        Ok(pop(stack))
    }

    /// Is the expression true in a state?
    #[inline]
    pub fn holds(&self, state: &[u64], stack: &mut Vec<i64>) -> Result<bool, Fault> {
        Ok(self.evaluate(state, stack)? != 0)
    }
}

/// The operand stack never underflows: the compiler pushes exactly what each operator takes.
fn pop(stack: &mut Vec<i64>) -> i64 {
    stack.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, Model, Variable, VariableId, Visibility};

    /// Numbers that look random and are the same every time.
    struct Chance(u64);

    impl Chance {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// Many variables of several widths, so that a state has several words.
    fn model() -> Model {
        let mut model = Model::new("wide");
        let domains = [(0, 1), (0, 3), (-2, 5), (3, 3), (0, 62), (-100, 100), (0, 1), (0, 1)];
        for index in 0..120 {
            let (low, high) = domains[index % domains.len()];
            let domain = Domain::Range { low, high };
            model.add_variable(Variable::new(format!("x{index}"), domain, vec![low], Visibility::Public));
        }
        model
    }

    fn number(chance: &mut Chance, depth: u64) -> Expr {
        let two =
            |op, chance: &mut Chance| number(chance, depth - 1).calculated(op, number(chance, depth - 1));
        match chance.below(if depth == 0 { 4 } else { 11 }) {
            0..3 => Expr::Variable(VariableId::from_index(chance.below(120) as usize)),
            3 => Expr::Constant([0, 1, -1, 3, 70, 1 << 40][chance.below(6) as usize]),
            4..7 => two(Arithmetic::Add, chance),
            7 => two(Arithmetic::Subtract, chance),
            8 => two(
                [Arithmetic::Multiply, Arithmetic::Divide, Arithmetic::Max][chance.below(3) as usize],
                chance,
            ),
            9 => (0..20 + chance.below(80)).fold(Expr::Constant(1), |sum, _| sum.plus(number(chance, 0))),
            _ => Expr::If(
                Box::new(condition(chance, depth - 1)),
                Box::new(number(chance, depth - 1)),
                Box::new(number(chance, depth - 1)),
            ),
        }
    }

    fn condition(chance: &mut Chance, depth: u64) -> Expr {
        let comparisons = [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::LessEqual];
        match chance.below(if depth == 0 { 4 } else { 8 }) {
            0..4 => {
                let depth = depth.saturating_sub(1);
                let (left, right) = (number(chance, depth), number(chance, depth));
                Expr::Compare(comparisons[chance.below(4) as usize], Box::new(left), Box::new(right))
            }
            4 => condition(chance, depth - 1).negate(),
            5 | 6 => Expr::And((0..chance.below(5)).map(|_| condition(chance, depth - 1)).collect()),
            _ => Expr::Or((0..chance.below(5)).map(|_| condition(chance, depth - 1)).collect()),
        }
    }

    #[test]
    fn programs_say_what_expressions_say() {
        let (model, mut chance, mut stack) = (model(), Chance(7), Vec::new());
        let layout = Layout::new(&model);
        let (mut values, mut faults) = (0, 0);
        for round in 0..3000 {
            let expr = if round % 2 == 0 { condition(&mut chance, 3) } else { number(&mut chance, 3) };
            let program = Program::new(&expr, &layout);
            for _ in 0..6 {
                let mut state = vec![0; layout.words()];
                for (id, variable) in model.variables() {
                    let value = variable.domain.low() + chance.below(variable.domain.size()) as i64;
                    layout.variable(id).write(&mut state, value);
                }
                let read = |leaf: &Expr| layout.field_of(leaf).map(|field| field.read(&state));
                let expected = expr.known(&read).map(Option::unwrap_or_default);
                assert_eq!(program.evaluate(&state, &mut stack), expected, "{expr:?}");
                if expected.is_ok() { values += 1 } else { faults += 1 }
            }
        }
        assert!(values > 10_000 && faults > 100, "{values} values, {faults} faults");
    }
}
