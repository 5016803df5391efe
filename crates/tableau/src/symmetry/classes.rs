//! Which values are names: variables that only take values over, compare them for equality and choose by them have names for values; all others
//! have numbers.

use servanda_model::{Comparison, Domain, Expr, Model, VariableId};

/// A domain of more values has plain numbers.
const MOST_VALUES: u64 = 1 << 10;

/// Which variables have values in common that are names and not numbers.
pub(super) struct Classes {
    /// By variable its class, if it has one.
    of: Vec<Option<usize>>,
    /// By class the least of its values and how many there are from there on.
    pub(super) ranges: Vec<(i64, usize)>,
}

impl Classes {
    pub(super) fn new(model: &Model) -> Self {
        let mut inference = Inference { leader: (0..model.variables.len()).collect(), numeric: Vec::new() };
        inference.numeric = (model.variables.iter())
            .map(|variable| variable.domain == Domain::Bool || variable.domain.size() > MOST_VALUES)
            .collect();
        for (_, command) in model.commands() {
            inference.condition(&command.guard);
            for (variable, value) in &command.updates {
                inference.same(&[&Expr::Variable(*variable), value]);
            }
        }
        let conditions = [&model.initial, &model.well_formed].into_iter().chain(&model.rest);
        conditions
            .chain(model.agents.iter().map(|agent| &agent.red))
            .for_each(|one| inference.condition(one));
        let count = model.variables.len();
        let mut number = vec![None; count];
        let mut ranges: Vec<(i64, usize)> = Vec::new();
        let mut of = vec![None; count];
        for (variable, class_of) in of.iter_mut().enumerate() {
            let leader = inference.find(variable);
            if inference.numeric[leader] {
                continue;
            }
            let domain = &model.variables[variable].domain;
            let class = *number[leader].get_or_insert_with(|| {
                ranges.push((domain.low(), 0));
                ranges.len() - 1
            });
            let (low, length) = ranges[class];
            let high = domain.high().max(low + length as i64 - 1);
            let low = domain.low().min(low);
            ranges[class] = (low, (high - low + 1) as usize);
            *class_of = Some(class);
        }
        Classes { of, ranges }
    }

    pub(super) fn of(&self, variable: VariableId) -> Option<usize> {
        self.of[variable.index()]
    }

    /// The class of the values of an expression, where it says so.
    pub(super) fn of_expr(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Variable(variable) => self.of(*variable),
            Expr::If(_, then, otherwise) => self.of_expr(then).or_else(|| self.of_expr(otherwise)),
            Expr::Select { options, .. } => options.iter().find_map(|option| self.of_expr(option)),
            _ => None,
        }
    }
}

/// Finds classes: the leader of each variable, and the classes whose values are numbers.
struct Inference {
    leader: Vec<usize>,
    numeric: Vec<bool>,
}

impl Inference {
    fn find(&mut self, mut at: usize) -> usize {
        while self.leader[at] != at {
            self.leader[at] = self.leader[self.leader[at]];
            at = self.leader[at];
        }
        at
    }

    /// Looks for conditions inside.
    fn condition(&mut self, expr: &Expr) {
        match expr {
            Expr::Compare(Comparison::Equal | Comparison::NotEqual, left, right) => self.same(&[left, right]),
            Expr::Compare(..) | Expr::Arithmetic(..) => {
                expr.operands().for_each(|operand| self.numbers(operand));
            }
            Expr::If(..) | Expr::Select { .. } => self.same(&[expr]),
            // A variable by itself is a condition, and a condition is no name.
            Expr::Variable(_) => self.numbers(expr),
            _ => expr.operands().for_each(|operand| self.condition(operand)),
        }
    }

    /// These have their values in common.
    fn same(&mut self, exprs: &[&Expr]) {
        let (mut variables, mut numeric) = (Vec::new(), false);
        exprs.iter().for_each(|expr| numeric |= self.sources(expr, &mut variables));
        let Some(first) = variables.first().map(|variable| self.find(*variable)) else { return };
        for variable in variables {
            let other = self.find(variable);
            let leader = self.find(first);
            numeric |= self.numeric[other];
            self.numeric[leader] |= numeric;
            self.leader[other] = leader;
        }
    }

    fn numbers(&mut self, expr: &Expr) {
        let mut variables = Vec::new();
        self.sources(expr, &mut variables);
        for variable in variables {
            let leader = self.find(variable);
            self.numeric[leader] = true;
        }
    }

    /// The variables that give an expression its value; says whether it may be computed.
    fn sources(&mut self, expr: &Expr, found: &mut Vec<usize>) -> bool {
        match expr {
            Expr::Constant(_) => false,
            Expr::Variable(variable) => {
                found.push(variable.index());
                false
            }
            Expr::If(condition, then, otherwise) => {
                self.condition(condition);
                let first = self.sources(then, found);
                self.sources(otherwise, found) || first
            }
            Expr::Select { index, options, .. } => {
                self.same(&[index]);
                let mut computed = false;
                for option in options {
                    computed |= self.sources(option, found);
                }
                computed
            }
            _ => {
                self.condition(expr);
                true
            }
        }
    }
}
