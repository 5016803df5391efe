//! From expressions to flat programs: conditions become jumps, sums become forms, tests of one field or word single operations.
//!
//! What always has a value may be asked in any order, so of the parts of a conjunction or disjunction the cheap ones come first; a part
//! that may have none keeps its place among the others.

use super::form::{FieldSum, Form};
use super::test::{Choice, Test};
use super::{Op, Program};
use crate::{Arithmetic, Comparison, Expr, Layout};

/// The number of a place in the program that is not known yet.
type Label = u32;

pub(super) struct Compiler<'l> {
    layout: &'l Layout,
    ops: Vec<Op>,
    forms: Vec<Form>,
    /// Where each label stands, once that is known.
    labels: Vec<u32>,
}

/// A part of a conjunction, which is to be true or, without its sign, false.
#[derive(Clone, Copy)]
enum Part<'e> {
    Choice(Choice),
    Other { expr: &'e Expr, sign: bool, cost: usize },
}

/// Costs are told apart up to here.
const MOST_COST: usize = 1 << 10;

impl<'l> Compiler<'l> {
    pub(super) fn new(layout: &'l Layout) -> Self {
        Compiler { layout, ops: Vec::new(), forms: Vec::new(), labels: Vec::new() }
    }

    /// The program of an expression.
    pub(super) fn compile(mut self, expr: &Expr) -> Program {
        match expr {
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Compare(..) => {
                let no = self.label();
                self.condition(expr, false, no);
                self.ops.push(Op::Done(1));
                self.place(no);
                self.ops.push(Op::Done(0));
            }
            _ => self.value(expr),
        }
        let Compiler { mut ops, forms, labels, .. } = self;
        if let [Op::Form(_)] = ops[..] {
            return Program { ops: Vec::new(), forms };
        }
        for target in ops.iter_mut().filter_map(Op::target) {
            *target = labels[*target as usize];
        }
        Program { ops, forms }
    }

    fn label(&mut self) -> Label {
        self.labels.push(0);
        (self.labels.len() - 1) as Label
    }

    /// The label stands here.
    fn place(&mut self, label: Label) {
        self.labels[label as usize] = self.ops.len() as u32;
    }

    /// Pushes the value of an expression.
    fn value(&mut self, expr: &Expr) {
        if let Some(field) = self.layout.field_of(expr) {
            return self.ops.push(Op::Read(field));
        }
        match expr {
            Expr::Constant(value) => self.ops.push(Op::Constant(*value)),
            Expr::Arithmetic(arithmetic, left, right) => match self.sum(expr, *arithmetic) {
                Some(sum) => self.push_sum(&sum),
                None => {
                    self.value(left);
                    self.value(right);
                    self.ops.push(Op::Arithmetic(*arithmetic));
                }
            },
            Expr::If(condition, then, otherwise) => {
                let (no, end) = (self.label(), self.label());
                self.condition(condition, false, no);
                self.value(then);
                self.ops.push(Op::Jump(end));
                self.place(no);
                self.value(otherwise);
                self.place(end);
            }
            Expr::Select { index, low, options } => {
                self.value(index);
                self.ops.push(Op::Select(*low, options.len() as u32));
                let places: Vec<Label> = options.iter().map(|_| self.label()).collect();
                let end = self.label();
                self.ops.extend(places.iter().map(|place| Op::Jump(*place)));
                for (option, place) in options.iter().zip(places) {
                    self.place(place);
                    self.value(option);
                    self.ops.push(Op::Jump(end));
                }
                self.place(end);
            }
            Expr::Fault(kind) => self.ops.push(Op::Fault(*kind)),
            // Fields have been dealt with, so this is a condition.
            _ => {
                let (no, end) = (self.label(), self.label());
                self.condition(expr, false, no);
                self.ops.push(Op::Constant(1));
                self.ops.push(Op::Jump(end));
                self.place(no);
                self.ops.push(Op::Constant(0));
                self.place(end);
            }
        }
    }

    /// An arithmetic expression as a sum, where that says more than the expression does.
    fn sum<'e>(&self, expr: &'e Expr, arithmetic: Arithmetic) -> Option<FieldSum<'e>> {
        let is_sum = matches!(arithmetic, Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply);
        let sum = is_sum.then(|| FieldSum::of(expr, self.layout)).flatten();
        sum.filter(|sum| !matches!(&sum.others[..], [(other, _)] if std::ptr::eq(*other, expr)))
    }

    fn push_sum(&mut self, sum: &FieldSum<'_>) {
        self.ops.push(Op::Form(self.forms.len() as u32));
        self.forms.push(sum.form());
        for (other, coefficient) in &sum.others {
            self.value(other);
            if *coefficient != 1 {
                self.ops.push(Op::Constant(*coefficient));
                self.ops.push(Op::Arithmetic(Arithmetic::Multiply));
            }
            self.ops.push(Op::Arithmetic(Arithmetic::Add));
        }
    }

    /// Jumps to a label if a condition is as wanted, and goes on here otherwise.
    fn condition(&mut self, expr: &Expr, want: bool, target: Label) {
        let is_plain = matches!(expr, Expr::Compare(..)) || self.layout.field_of(expr).is_some();
        if let Some(choice) = is_plain.then(|| Choice::of(expr, true, self.layout)).flatten() {
            return match Test::all(&[choice])[..] {
                [test, ..] => self.ops.push(Op::Test { test, want, target }),
                [] => self.condition(&Expr::TRUE, want, target),
            };
        }
        match expr {
            Expr::Constant(value) if (*value != 0) == want => self.ops.push(Op::Jump(target)),
            Expr::Constant(_) => {}
            Expr::Not(inner) => self.condition(inner, !want, target),
            Expr::And(_) => self.conjunction(expr, true, want, target),
            Expr::Or(_) => self.conjunction(expr, false, !want, target),
            Expr::If(condition, then, otherwise) => {
                let (no, end) = (self.label(), self.label());
                self.condition(condition, false, no);
                self.condition(then, want, target);
                self.ops.push(Op::Jump(end));
                self.place(no);
                self.condition(otherwise, want, target);
                self.place(end);
            }
            Expr::Compare(comparison, left, right) => {
                self.comparison(*comparison, (left, right), want, target);
            }
            _ => {
                self.value(expr);
                self.ops.push(Op::JumpIf(want, target));
            }
        }
    }

    fn comparison(&mut self, comparison: Comparison, sides: (&Expr, &Expr), want: bool, target: Label) {
        let (left, right) = sides;
        let form = self.forms.len() as u32;
        match FieldSum::of_difference(left, right, self.layout) {
            Some(sum) if sum.others.is_empty() => {
                self.forms.push(sum.form());
                self.ops.push(Op::Compared { comparison, form, want, target });
            }
            Some(sum) => {
                self.push_sum(&sum);
                self.ops.push(Op::Constant(0));
                self.ops.push(Op::Compare(comparison));
                self.ops.push(Op::JumpIf(want, target));
            }
            None => {
                self.value(left);
                self.value(right);
                self.ops.push(Op::Compare(comparison));
                self.ops.push(Op::JumpIf(want, target));
            }
        }
    }

    /// The same for an expression taken as a conjunction, or its opposite where the sign is not set.
    fn conjunction(&mut self, expr: &Expr, sign: bool, want: bool, target: Label) {
        let mut parts = Vec::new();
        flatten(expr, sign, &mut parts);
        let mut steps: Vec<Step<'_>> = Vec::new();
        // What always has a value since the last part that may have none.
        let mut run: Vec<Part<'_>> = Vec::new();
        for (expr, sign) in parts {
            if let Some(choice) = Choice::of(expr, sign, self.layout) {
                run.push(Part::Choice(choice));
                continue;
            }
            let part = Part::Other { expr, sign, cost: expr.size_up_to(MOST_COST) };
            if self.layout.range_of(expr).is_some() {
                run.push(part);
            } else {
                finish(&mut run, &mut steps);
                steps.push(Step::Other(expr, sign));
            }
        }
        finish(&mut run, &mut steps);
        let Some((last, front)) = steps.split_last() else {
            if want {
                self.ops.push(Op::Jump(target));
            }
            return;
        };
        // The first part that is false decides.
        let end = if want { self.label() } else { target };
        front.iter().for_each(|step| self.step(step, false, end));
        self.step(last, want, target);
        if want {
            self.place(end);
        }
    }

    fn step(&mut self, step: &Step<'_>, want: bool, target: Label) {
        match *step {
            Step::Test(test) => self.ops.push(Op::Test { test, want, target }),
            Step::Other(expr, sign) => self.condition(expr, sign == want, target),
        }
    }
}

/// A part of a conjunction in the order in which parts are asked.
enum Step<'e> {
    Test(Test),
    Other(&'e Expr, bool),
}

/// The order of parts that all have values: the cheapest first.
fn finish<'e>(run: &mut Vec<Part<'e>>, steps: &mut Vec<Step<'e>>) {
    let choices: Vec<Choice> = run
        .iter()
        .filter_map(|part| match part {
            Part::Choice(choice) => Some(*choice),
            Part::Other { .. } => None,
        })
        .collect();
    steps.extend(Test::all(&choices).into_iter().map(Step::Test));
    let mut others: Vec<(usize, &Expr, bool)> = run
        .drain(..)
        .filter_map(|part| match part {
            Part::Choice(_) => None,
            Part::Other { expr, sign, cost } => Some((cost, expr, sign)),
        })
        .collect();
    others.sort_by_key(|(cost, ..)| *cost);
    steps.extend(others.into_iter().map(|(_, expr, sign)| Step::Other(expr, sign)));
}

/// The parts of a conjunction, from left to right; each with whether it, or its opposite, is a part.
fn flatten<'e>(expr: &'e Expr, sign: bool, parts: &mut Vec<(&'e Expr, bool)>) {
    match expr {
        Expr::And(inner) if sign => inner.iter().for_each(|part| flatten(part, sign, parts)),
        Expr::Or(inner) if !sign => inner.iter().for_each(|part| flatten(part, sign, parts)),
        Expr::Not(inner) => flatten(inner, !sign, parts),
        _ => parts.push((expr, sign)),
    }
}
