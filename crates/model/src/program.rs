//! Expressions compiled once to a flat program, so that evaluating one allocates nothing.

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
    Not,
    Compare(Comparison),
    Arithmetic(Arithmetic),
    /// If the top is 0, jump and keep it; otherwise drop it.
    JumpIfFalse(u32),
    /// If the top is not 0, jump and keep it; otherwise drop it.
    JumpIfTrue(u32),
    /// Jump.
    Jump(u32),
    /// Drop the top; if it was 0, jump.
    Branch(u32),
    /// Take the top away; if it is one of so many numbers from this one on, go to the jump of that number among those that follow.
    Select(i64, u32),
    Fault(FaultKind),
}

/// A compiled expression.
#[derive(Clone, Debug)]
pub struct Program {
    ops: Vec<Op>,
}

impl Program {
    /// Compiles an expression for a packing.
    pub fn new(expr: &Expr, layout: &Layout) -> Self {
        let mut program = Program { ops: Vec::new() };
        program.emit(expr, layout);
        program
    }

    fn emit(&mut self, expr: &Expr, layout: &Layout) {
        match expr {
            Expr::Constant(value) => self.ops.push(Op::Constant(*value)),
            Expr::Variable(variable) => self.ops.push(Op::Read(layout.variable(*variable))),
            Expr::InForce(commitment) => self.ops.push(Op::Read(layout.commitment(*commitment))),
            Expr::Action(agent) => self.ops.push(Op::Read(layout.action(*agent))),
            Expr::Not(inner) => {
                self.emit(inner, layout);
                self.ops.push(Op::Not);
            }
            Expr::And(parts) => self.emit_chain(parts, layout, Op::JumpIfFalse, 1),
            Expr::Or(parts) => self.emit_chain(parts, layout, Op::JumpIfTrue, 0),
            Expr::Compare(comparison, left, right) => {
                self.emit(left, layout);
                self.emit(right, layout);
                self.ops.push(Op::Compare(*comparison));
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                self.emit(left, layout);
                self.emit(right, layout);
                self.ops.push(Op::Arithmetic(*arithmetic));
            }
            Expr::If(condition, then, otherwise) => {
                self.emit(condition, layout);
                let branch = self.reserve();
                self.emit(then, layout);
                let jump = self.reserve();
                self.ops[branch] = Op::Branch(self.ops.len() as u32);
                self.emit(otherwise, layout);
                self.ops[jump] = Op::Jump(self.ops.len() as u32);
            }
            Expr::Select { index, low, options } => {
                self.emit(index, layout);
                self.ops.push(Op::Select(*low, options.len() as u32));
                let table: Vec<usize> = options.iter().map(|_| self.reserve()).collect();
                let mut ends = Vec::with_capacity(options.len());
                for (entry, option) in table.into_iter().zip(options) {
                    self.ops[entry] = Op::Jump(self.ops.len() as u32);
                    self.emit(option, layout);
                    ends.push(self.reserve());
                }
                let end = self.ops.len() as u32;
                ends.into_iter().for_each(|at| self.ops[at] = Op::Jump(end));
            }
            Expr::Fault(kind) => self.ops.push(Op::Fault(*kind)),
        }
    }

    /// A place for a jump whose target is not known yet.
    fn reserve(&mut self) -> usize {
        self.ops.push(Op::Jump(0));
        self.ops.len() - 1
    }

    fn emit_chain(&mut self, parts: &[Expr], layout: &Layout, jump: fn(u32) -> Op, neutral: i64) {
        let Some((last, front)) = parts.split_last() else {
            self.ops.push(Op::Constant(neutral));
            return;
        };
        let mut jumps = Vec::new();
        for part in front {
            self.emit(part, layout);
            jumps.push(self.ops.len());
            self.ops.push(jump(0));
        }
        self.emit(last, layout);
        let end = self.ops.len() as u32;
        for at in jumps {
            self.ops[at] = jump(end);
        }
    }

    /// The value in a state. `stack` is scratch space that callers keep between calls.
    pub fn evaluate(&self, state: &[u64], stack: &mut Vec<i64>) -> Result<i64, Fault> {
        stack.clear();
        let mut at = 0;
        while let Some(op) = self.ops.get(at) {
            at += 1;
            match *op {
                Op::Constant(value) => stack.push(value),
                Op::Read(field) => stack.push(field.read(state)),
                Op::Not => {
                    let value = pop(stack);
                    stack.push(i64::from(value == 0));
                }
                Op::Compare(comparison) => {
                    let (right, left) = (pop(stack), pop(stack));
                    stack.push(i64::from(comparison.holds(left, right)));
                }
                Op::Arithmetic(arithmetic) => {
                    let (right, left) = (pop(stack), pop(stack));
                    stack.push(arithmetic.checked(left, right)?);
                }
                Op::JumpIfFalse(target) if stack.last() == Some(&0) => at = target as usize,
                Op::JumpIfTrue(target) if stack.last() != Some(&0) => at = target as usize,
                Op::JumpIfFalse(_) | Op::JumpIfTrue(_) => {
                    stack.pop();
                }
                Op::Jump(target) => at = target as usize,
                Op::Branch(target) => {
                    if pop(stack) == 0 {
                        at = target as usize;
                    }
                }
                Op::Select(low, count) => {
                    let chosen = position(pop(stack), low, count as usize);
                    at += chosen.ok_or(FaultKind::IndexOutOfRange)?;
                }
                Op::Fault(kind) => return Err(kind),
            }
        }
        Ok(pop(stack))
    }

    /// Is the expression true in a state?
    pub fn holds(&self, state: &[u64], stack: &mut Vec<i64>) -> Result<bool, Fault> {
        Ok(self.evaluate(state, stack)? != 0)
    }
}

/// The operand stack never underflows: `emit` pushes exactly what each operator takes.
fn pop(stack: &mut Vec<i64>) -> i64 {
    stack.pop().unwrap_or_default()
}
