//! Normal forms: what expressions and formulas become under a renaming, whatever the order of operands.
//!
//! Two formulas with the same form say the same. Operands of expressions are put in order only where each has a value in every state:
//! otherwise it matters which is read first. Formulas of which a condition may have no value must not be asked for.

use rustc_hash::FxHashMap;
use servanda_lower::{Action, Arena, Goal, Over, Path, PathFormula, Relation, State, StateFormula};
use servanda_model::{AgentId, Arithmetic, Comparison, Expr, Model};

use super::renaming::{Renaming, mapped};
use servanda_model::range_everywhere;

/// The number of a form.
pub(super) type FormId = u32;

/// All forms, each once: an operator, and its operands or what else it stands for.
#[derive(Default)]
pub(super) struct Forms {
    numbers: FxHashMap<(Operator, Vec<i64>), FormId>,
    list: Vec<(Operator, Vec<i64>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operator {
    Constant,
    Variable,
    InForce,
    Not,
    And,
    Or,
    AndInOrder,
    OrInOrder,
    Compare(Comparison),
    Arithmetic(Arithmetic),
    ArithmeticInOrder(Arithmetic),
    If,
    Select,
    Fault,
    True,
    Condition,
    Exists(Over),
    Committed,
    Everywhere,
    Some,
    All,
    Common,
    AbleNext,
    AbleGlobally,
    AbleUntil,
    OfState,
    Does,
    Next,
    Until,
}

impl Forms {
    fn number(&mut self, operator: Operator, parts: Vec<i64>) -> FormId {
        let fresh = self.list.len() as FormId;
        let key = (operator, parts);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        self.list.push(key.clone());
        self.numbers.insert(key, fresh);
        fresh
    }

    /// Operands of which neither order nor brackets matter, nor, where `once` is true, how often each stands there.
    fn joined(&mut self, operator: Operator, operands: Vec<FormId>, once: bool) -> FormId {
        let mut all = Vec::new();
        for operand in operands {
            match &self.list[operand as usize] {
                (same, parts) if *same == operator => all.extend_from_slice(parts),
                _ => all.push(i64::from(operand)),
            }
        }
        all.sort_unstable();
        if once {
            all.dedup();
        }
        match all[..] {
            [single] if once => single as FormId,
            _ => self.number(operator, all),
        }
    }
}

/// The forms of formulas under one renaming.
#[derive(Default)]
pub(super) struct Known {
    states: FxHashMap<StateFormula, Option<FormId>>,
    paths: FxHashMap<PathFormula, Option<FormId>>,
}

/// Makes the forms of what a renaming turns things into. A `None` says that it cannot be told.
pub(super) struct Renamed<'a> {
    forms: &'a mut Forms,
    model: &'a Model,
    renaming: &'a Renaming,
    known: &'a mut Known,
}

impl<'a> Renamed<'a> {
    pub(super) fn new(
        forms: &'a mut Forms,
        known: &'a mut Known,
        model: &'a Model,
        renaming: &'a Renaming,
    ) -> Self {
        Renamed { forms, model, renaming, known }
    }

    fn has_value(&self, expr: &Expr) -> bool {
        !expr.can_fault() || range_everywhere(self.model, expr).is_some()
    }

    /// What happens to the values of an expression, where it says so.
    fn values_of(&self, expr: &Expr) -> Option<&'a [(i64, i64)]> {
        match expr {
            Expr::Constant(_) => None,
            Expr::Variable(variable) => Some(&self.renaming.values[variable.index()]),
            Expr::If(_, then, otherwise) => self.values_of(then).or_else(|| self.values_of(otherwise)),
            Expr::Select { options, .. } => options.iter().find_map(|option| self.values_of(option)),
            _ => Some(&[]),
        }
    }

    /// The form of a condition.
    pub(super) fn condition(&mut self, expr: &Expr) -> Option<FormId> {
        self.expr(expr, &[])
    }

    /// The form of what an expression becomes whose values become others: where the old one has a value the new one has what becomes of it.
    pub(super) fn expr(&mut self, expr: &Expr, values: &[(i64, i64)]) -> Option<FormId> {
        let number = |this: &mut Self, operator, parts: &[FormId]| {
            Some(this.forms.number(operator, parts.iter().map(|part| i64::from(*part)).collect()))
        };
        match expr {
            Expr::Constant(value) => {
                Some(self.forms.number(Operator::Constant, vec![mapped(values, *value)]))
            }
            Expr::Variable(variable) => {
                if self.renaming.values[variable.index()] != values {
                    return None;
                }
                let becomes = self.renaming.variables[variable.index()];
                Some(self.forms.number(Operator::Variable, vec![becomes.0.into()]))
            }
            Expr::If(condition, then, otherwise) => {
                let parts =
                    [self.condition(condition)?, self.expr(then, values)?, self.expr(otherwise, values)?];
                number(self, Operator::If, &parts)
            }
            Expr::Select { index, low, options } => {
                let of_index = self.values_of(index).unwrap_or(&[]);
                let index = self.expr(index, of_index)?;
                let mut parts = vec![None; options.len()];
                for (from, option) in (*low..).zip(options) {
                    let to = usize::try_from(mapped(of_index, from).checked_sub(*low)?).ok()?;
                    *parts.get_mut(to)? = Some(i64::from(self.expr(option, values)?));
                }
                let parts = parts.into_iter().collect::<Option<Vec<i64>>>()?;
                let head = [i64::from(index), *low];
                Some(self.forms.number(Operator::Select, head.into_iter().chain(parts).collect()))
            }
            // What follows has values of its own, which stay.
            _ if !values.is_empty() => None,
            Expr::InForce(commitment) => {
                let becomes = self.renaming.commitments[commitment.index()];
                Some(self.forms.number(Operator::InForce, vec![becomes.0.into()]))
            }
            Expr::Action(_) => None,
            Expr::Fault(kind) => Some(self.forms.number(Operator::Fault, vec![*kind as i64])),
            Expr::Not(inner) => {
                let inner = self.condition(inner)?;
                Some(self.negated(inner))
            }
            Expr::And(_) | Expr::Or(_) => self.junction(expr),
            Expr::Compare(comparison, left, right) => {
                let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                let known = self.values_of(left).or_else(|| self.values_of(right));
                let values = known.filter(|_| equality).unwrap_or(&[]);
                let mut parts = [self.expr(left, values)?, self.expr(right, values)?];
                if equality {
                    parts.sort_unstable();
                }
                number(self, Operator::Compare(*comparison), &parts)
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                let parts = vec![self.condition(left)?, self.condition(right)?];
                let commutes = match arithmetic {
                    Arithmetic::Add | Arithmetic::Multiply => self.is_small(expr),
                    Arithmetic::Min | Arithmetic::Max => self.has_value(expr),
                    Arithmetic::Subtract | Arithmetic::Divide | Arithmetic::Remainder => false,
                };
                if commutes {
                    return Some(self.forms.joined(Operator::Arithmetic(*arithmetic), parts, false));
                }
                number(self, Operator::ArithmeticInOrder(*arithmetic), &parts)
            }
        }
    }

    /// The form of a conjunction or disjunction. Parts that have a value everywhere may change places with each other, but not with one that may
    /// have none.
    fn junction(&mut self, expr: &Expr) -> Option<FormId> {
        let all = matches!(expr, Expr::And(_));
        let (operator, in_order) =
            if all { (Operator::And, Operator::AndInOrder) } else { (Operator::Or, Operator::OrInOrder) };
        let (mut run, mut sequence) = (Vec::new(), Vec::new());
        for part in operands(expr) {
            let form = self.condition(part)?;
            if self.has_value(part) {
                run.push(form);
                continue;
            }
            if !run.is_empty() {
                sequence.push(self.forms.joined(operator, std::mem::take(&mut run), true));
            }
            sequence.push(form);
        }
        if !run.is_empty() || sequence.is_empty() {
            sequence.push(self.forms.joined(operator, run, true));
        }
        match sequence[..] {
            [single] => Some(single),
            _ => Some(self.forms.number(in_order, sequence.into_iter().map(i64::from).collect())),
        }
    }

    /// Has every sum or product of some of the operands a value, in whatever order?
    fn is_small(&self, expr: &Expr) -> bool {
        fn most(model: &Model, expr: &Expr) -> Option<u64> {
            match expr {
                Expr::Arithmetic(Arithmetic::Add, left, right) => {
                    most(model, left)?.checked_add(most(model, right)?)
                }
                Expr::Arithmetic(Arithmetic::Multiply, left, right) => {
                    most(model, left)?.max(1).checked_mul(most(model, right)?.max(1))
                }
                _ => range_everywhere(model, expr)
                    .map(|(low, high)| low.unsigned_abs().max(high.unsigned_abs())),
            }
        }
        most(self.model, expr).is_some_and(|most| most < 1 << 62)
    }

    fn negated(&mut self, form: FormId) -> FormId {
        match &self.forms.list[form as usize] {
            (Operator::Not, inner) => inner[0] as FormId,
            _ => self.forms.number(Operator::Not, vec![form.into()]),
        }
    }

    fn agent(&self, agent: AgentId) -> i64 {
        self.renaming.agents[agent.index()].0.into()
    }

    fn agents(&self, agents: &[AgentId]) -> Vec<i64> {
        let mut all: Vec<i64> = agents.iter().map(|agent| self.agent(*agent)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The form of a state formula.
    pub(super) fn state(&mut self, arena: &Arena, id: StateFormula) -> Option<FormId> {
        if let Some(known) = self.known.states.get(&id) {
            return *known;
        }
        let form = self.make_state(arena, id);
        self.known.states.insert(id, form);
        form
    }

    fn make_state(&mut self, arena: &Arena, id: StateFormula) -> Option<FormId> {
        let limit_code = |limit: Option<usize>| limit.map_or(-1, |limit| limit as i64);
        Some(match arena.state(id) {
            State::True => self.forms.number(Operator::True, Vec::new()),
            State::Proposition(proposition) => {
                let expr = arena.proposition_expr(*proposition);
                // The name of a set that somebody knows says nothing about who is in it.
                if matches!(expr, Expr::Constant(_)) {
                    return None;
                }
                let form = self.condition(expr)?;
                self.forms.number(Operator::Condition, vec![form.into()])
            }
            State::Not(a) => {
                let form = self.state(arena, *a)?;
                self.negated(form)
            }
            State::And(a, b) | State::Or(a, b) => {
                let all = matches!(arena.state(id), State::And(..));
                let forms = vec![self.state(arena, *a)?, self.state(arena, *b)?];
                self.forms.joined(if all { Operator::And } else { Operator::Or }, forms, true)
            }
            State::Exists { path, over } => {
                let form = self.path(arena, *path)?;
                self.forms.number(Operator::Exists(*over), vec![form.into()])
            }
            State::SomePrevious(_) | State::SomePast(_) => return None,
            State::Committed { debtor, creditor, limit, body } => {
                let form = self.path(arena, *body)?;
                let pair = [self.agent(*debtor), self.agent(*creditor)];
                let parts = [pair[0], pair[1], limit_code(*limit), form.into()];
                self.forms.number(Operator::Committed, parts.to_vec())
            }
            State::Knows { relation, correct, body } => {
                let form = self.state(arena, *body)?;
                let (operator, agents) = match relation {
                    Relation::Everywhere => (Operator::Everywhere, Vec::new()),
                    Relation::Some(agents) => (Operator::Some, self.agents(agents)),
                    Relation::All(agents) => (Operator::All, self.agents(agents)),
                    Relation::Common(agents) => (Operator::Common, self.agents(agents)),
                };
                let mut parts = vec![form.into(), agents.len() as i64];
                parts.extend(agents);
                parts.extend(self.agents(correct));
                self.forms.number(operator, parts)
            }
            State::Able { group, goal } => {
                let operator = match goal {
                    Goal::Next(_) => Operator::AbleNext,
                    Goal::Globally(_) => Operator::AbleGlobally,
                    Goal::Until(..) => Operator::AbleUntil,
                };
                let mut parts = Vec::new();
                for part in goal.parts() {
                    parts.push(i64::from(self.state(arena, part)?));
                }
                parts.extend(self.agents(group));
                self.forms.number(operator, parts)
            }
        })
    }

    /// The form of a path formula.
    pub(super) fn path(&mut self, arena: &Arena, id: PathFormula) -> Option<FormId> {
        if let Some(known) = self.known.paths.get(&id) {
            return *known;
        }
        let form = self.make_path(arena, id);
        self.known.paths.insert(id, form);
        form
    }

    fn make_path(&mut self, arena: &Arena, id: PathFormula) -> Option<FormId> {
        let two = |this: &mut Self, a, b| Some(vec![this.path(arena, a)?, this.path(arena, b)?]);
        Some(match *arena.path(id) {
            Path::State(state) => {
                let form = self.state(arena, state)?;
                self.forms.number(Operator::OfState, vec![form.into()])
            }
            Path::Action(action) => self.action(arena, action)?,
            Path::Not(a) => {
                let form = self.path(arena, a)?;
                self.negated(form)
            }
            Path::And(a, b) => {
                let forms = two(self, a, b)?;
                self.forms.joined(Operator::And, forms, true)
            }
            Path::Or(a, b) => {
                let forms = two(self, a, b)?;
                self.forms.joined(Operator::Or, forms, true)
            }
            Path::Next(a) => {
                let form = self.path(arena, a)?;
                self.forms.number(Operator::Next, vec![form.into()])
            }
            Path::Until(a, b) => {
                let forms = two(self, a, b)?;
                self.forms.number(Operator::Until, forms.into_iter().map(i64::from).collect())
            }
            Path::Previous(_) | Path::Since(..) => return None,
        })
    }

    /// The form of a condition on the next step.
    pub(super) fn action(&mut self, arena: &Arena, action: Action) -> Option<FormId> {
        let Action::Does(set) = action else { return None };
        let labels = arena.labels(set).iter();
        let mut labels: Vec<i64> = labels.map(|label| self.renaming.labels[label.index()].0.into()).collect();
        labels.sort_unstable();
        Some(self.forms.number(Operator::Does, labels))
    }
}

/// The parts of a conjunction or disjunction from left to right, those of the same kind directly inside taken apart.
fn operands(expr: &Expr) -> Vec<&Expr> {
    let same =
        |part: &Expr| matches!((expr, part), (Expr::And(_), Expr::And(_)) | (Expr::Or(_), Expr::Or(_)));
    let parts = expr.operands();
    parts.flat_map(|part| if same(part) { operands(part) } else { vec![part] }).collect()
}
