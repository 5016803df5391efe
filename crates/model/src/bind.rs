//! Ground boolean and integer formulas bound to the variables of a model: names become numbers, types are checked.

mod element;

pub use element::element_of;

use servanda_logic::{At, Binary, Formula, Join, Kind, Reference, Unary};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all};

use crate::{Arithmetic, Domain, Expr, Model, PromisePattern, VariableId};

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Bool,
    Int,
    Enumeration(Domain),
    /// A literal whose enumeration is known from what it is compared with.
    Literal(String),
}

impl Type {
    fn of(domain: &Domain) -> Type {
        match domain {
            Domain::Bool => Type::Bool,
            Domain::Range { .. } => Type::Int,
            Domain::Enumeration(_) => Type::Enumeration(domain.clone()),
        }
    }

    fn describe(&self) -> String {
        match self {
            Type::Bool => "a truth value".to_owned(),
            Type::Int => "an integer".to_owned(),
            Type::Enumeration(domain) => format!("a value of {}", domain.describe()),
            Type::Literal(name) => format!("the literal `{name}`"),
        }
    }
}

/// Binds a condition. Every mistake is reported; `None` means there was at least one.
pub fn bind_boolean(model: &Model, formula: &Formula, diagnostics: &mut Vec<Diagnostic>) -> Option<Expr> {
    bind_boolean_with(model, &[], formula, diagnostics)
}

/// A name that stands for a value of a domain at one place.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name.
    pub name: String,
    /// What it is one of.
    pub domain: Domain,
    /// What it stands for.
    pub value: i64,
}

/// As [`bind_boolean`], where some names stand for values.
pub fn bind_boolean_with(
    model: &Model,
    locals: &[Local],
    formula: &Formula,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    Binder { model, locals, diagnostics }.boolean(formula)
}

/// Binds an expression whose value is to be stored in a variable of the given domain. Values of a range are not
/// checked here: whether they fit is known only when they are computed.
pub fn bind_value(
    model: &Model,
    formula: &Formula,
    domain: &Domain,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    bind_value_with(model, &[], formula, domain, diagnostics)
}

/// As [`bind_value`], where some names stand for values.
pub fn bind_value_with(
    model: &Model,
    locals: &[Local],
    formula: &Formula,
    domain: &Domain,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    Binder { model, locals, diagnostics }.typed(formula, &Type::of(domain))
}

/// The variable and the value that `in NAME` or `M in NAME` refers to.
fn location(
    model: &Model,
    at: &At,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(VariableId, i64)> {
    let machine = match &at.machine {
        Some(reference) => {
            let name = reference.to_string();
            let known = model.machines.iter().map(|m| m.name.as_str()).filter(|n| !n.is_empty());
            let unknown = || Box::new(Diagnostic::unknown("machine", &name, reference.span, known));
            diagnostics.accept(model.find_machine(&name).ok_or_else(unknown))?
        }
        None if model.machines.len() == 1 => crate::MachineId(0),
        // Where the others belong to parts, the one without a name is meant.
        None if model.find_machine("").is_some() => model.find_machine("")?,
        None => {
            let example = model.machines.first().map_or("M", |m| m.name.as_str());
            return diagnostics.refuse(
                Diagnostic::error(Code::WhichMachine, "`in` needs a machine here: there are several", span)
                    .help(format!("write `{example} in {}`", at.location)),
            );
        }
    };
    let variable = model.machines[machine.index()].variable;
    let domain = &model.variable(variable).domain;
    let name = at.location.to_string();
    match domain.literal(&name) {
        Some(code) => Some((variable, code)),
        None => {
            let known = domain.literals();
            diagnostics.refuse(Diagnostic::unknown("control state", &name, at.location.span, known))
        }
    }
}

struct Binder<'a> {
    model: &'a Model,
    locals: &'a [Local],
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Binder<'_> {
    fn boolean(&mut self, formula: &Formula) -> Option<Expr> {
        self.typed(formula, &Type::Bool)
    }

    fn integer(&mut self, formula: &Formula) -> Option<Expr> {
        self.typed(formula, &Type::Int)
    }

    fn typed(&mut self, formula: &Formula, wanted: &Type) -> Option<Expr> {
        if let Kind::If(condition, then, otherwise) = formula.kind() {
            let condition = self.boolean(condition);
            let (then, otherwise) = (self.typed(then, wanted), self.typed(otherwise, wanted));
            return Some(Expr::if_then_else(condition?, then?, otherwise?));
        }
        let (expr, found) = self.any(formula)?;
        self.coerce(expr, found, wanted, formula.span())
    }

    fn coerce(&mut self, expr: Expr, found: Type, wanted: &Type, span: Span) -> Option<Expr> {
        match (&found, wanted) {
            (Type::Literal(name), Type::Enumeration(domain)) => match domain.literal(name) {
                Some(code) => Some(Expr::Constant(code)),
                None => {
                    let message = format!("`{name}` is not one of {}", domain.describe());
                    let error = Diagnostic::error(Code::Type, message, span).suggest(name, domain.literals());
                    self.diagnostics.refuse(error)
                }
            },
            (Type::Literal(name), _) => {
                let message =
                    format!("expected {}, found the enumeration literal `{name}`", wanted.describe());
                self.diagnostics.error(Code::Type, message, span)
            }
            _ if found == *wanted => Some(expr),
            _ => {
                let message = format!("expected {}, found {}", wanted.describe(), found.describe());
                self.diagnostics.error(Code::Type, message, span)
            }
        }
    }

    fn any(&mut self, formula: &Formula) -> Option<(Expr, Type)> {
        match formula.kind() {
            Kind::Bool(value) => Some((Expr::Constant(i64::from(*value)), Type::Bool)),
            Kind::Int(value) => Some((Expr::Constant(*value), Type::Int)),
            Kind::Name(reference) => self.name(reference),
            Kind::At(at) => {
                let (variable, code) = location(self.model, at, formula.span(), self.diagnostics)?;
                Some((Expr::Variable(variable).equals(Expr::Constant(code)), Type::Bool))
            }
            Kind::Length(channel) => match self.model.find_channel(&channel.to_string()) {
                Some(channel) => Some((channel.length(), Type::Int)),
                None => {
                    let known = self.model.channels.iter().map(|channel| channel.name.as_str());
                    let error = Diagnostic::unknown("channel", &channel.to_string(), channel.span, known);
                    self.diagnostics.refuse(error)
                }
            },
            Kind::Carries(carries) => {
                let carried = self.model.carried(carries, self.diagnostics)?;
                Some((carried, Type::Bool))
            }
            Kind::Unary(Unary::Not, inner) => {
                let inner = self.boolean(inner)?;
                Some((inner.negate(), Type::Bool))
            }
            Kind::Unary(Unary::Minus, inner) => {
                let inner = match self.integer(inner)? {
                    Expr::Constant(value) => Expr::Constant(value.checked_neg()?),
                    other => Expr::Constant(0).calculated(Arithmetic::Subtract, other),
                };
                Some((inner, Type::Int))
            }
            Kind::Binary(op, left, right) => self.binary(formula, *op, left, right),
            Kind::If(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            Kind::Joined(join, parts) => {
                let wanted = if *join == Join::Sum { Type::Int } else { Type::Bool };
                let bound = all(parts.iter().map(|part| self.typed(part, &wanted)))?;
                let expr = match join {
                    Join::Any => Expr::or(bound),
                    Join::All => Expr::and(bound),
                    Join::Sum => Expr::sum(bound),
                };
                Some((expr, wanted))
            }
            Kind::Active(subject) => {
                let pattern = PromisePattern::of_subject(self.model, subject, self.diagnostics)?;
                let in_force = self.model.commitments_matching(&pattern).map(Expr::InForce);
                Some((Expr::or(in_force), Type::Bool))
            }
            _ => {
                let message = format!("`{formula}` refers to more than the present state");
                self.diagnostics.refuse(Diagnostic::error(Code::NotACondition, message, formula.span())
                        .help("only variables, control states, `active(..)`, comparisons, arithmetic and `! & | -> <->` are allowed here"))
            }
        }
    }

    /// A value that depends on a condition; both values must be of one type.
    fn conditional(
        &mut self,
        condition: &Formula,
        then: &Formula,
        otherwise: &Formula,
    ) -> Option<(Expr, Type)> {
        let condition_bound = self.boolean(condition);
        let (a, b) = (self.any(then), self.any(otherwise));
        let (condition, (a, a_type), (b, b_type)) = (condition_bound?, a?, b?);
        let (a, b, found) = match (a_type, b_type) {
            // Which enumeration is meant is known only from what the whole is compared with or assigned to.
            (literal @ Type::Literal(_), Type::Literal(_)) => (a, b, literal),
            (Type::Literal(_), found) => (self.typed(then, &found)?, b, found),
            (found, Type::Literal(_)) => (a, self.typed(otherwise, &found)?, found),
            (found, b_type) => {
                let b = self.coerce(b, b_type, &found, otherwise.span())?;
                (a, b, found)
            }
        };
        Some((Expr::if_then_else(condition, a, b), found))
    }

    fn name(&mut self, reference: &Reference) -> Option<(Expr, Type)> {
        if reference.indices.iter().any(|index| !matches!(index.kind(), Kind::Int(_))) {
            return self.element(reference);
        }
        let name = reference.to_string();
        if let Some(local) = self.locals.iter().find(|local| local.name == name) {
            return Some((Expr::Constant(local.value), Type::of(&local.domain)));
        }
        if let Some(variable) = self.model.find_variable(&name) {
            return Some((Expr::Variable(variable), Type::of(&self.model.variable(variable).domain)));
        }
        if let Some(proposition) = self.model.propositions.iter().find(|proposition| proposition.name == name)
        {
            return Some((proposition.condition.clone(), Type::Bool));
        }
        if let Some(channel) = name.strip_suffix(".length").and_then(|name| self.model.find_channel(name)) {
            return Some((channel.length(), Type::Int));
        }
        let declared = self.model.variables.iter().filter(|v| v.is_declared()).map(|v| &v.domain);
        let carried = self.model.messages.iter().flat_map(|m| &m.parameters).map(|(_, domain)| domain);
        if declared.chain(carried).any(|domain| domain.literal(&name).is_some()) {
            return Some((Expr::Constant(0), Type::Literal(name)));
        }
        let variables = self.model.variables.iter().filter(|v| v.is_declared());
        let propositions = self.model.propositions.iter().map(|p| p.name.as_str());
        let known = variables.map(|v| v.name.as_str()).chain(propositions);
        self.diagnostics.refuse(Diagnostic::nothing(&name, reference.span, known))
    }

    fn binary(
        &mut self,
        whole: &Formula,
        op: Binary,
        left: &Formula,
        right: &Formula,
    ) -> Option<(Expr, Type)> {
        match op {
            Binary::And | Binary::Or | Binary::Implies | Binary::Iff => {
                let (a, b) = (self.boolean(left), self.boolean(right));
                let (a, b) = (a?, b?);
                let expr = match op {
                    Binary::And => Expr::and([a, b]),
                    Binary::Or => Expr::or([a, b]),
                    Binary::Implies => Expr::or([a.negate(), b]),
                    _ => a.equals(b),
                };
                Some((expr, Type::Bool))
            }
            Binary::Equal | Binary::NotEqual => {
                let (a, b) = (self.any(left), self.any(right));
                let ((a, a_type), (b, b_type)) = (a?, b?);
                let (a, b) = match (&a_type, &b_type) {
                    (Type::Literal(_), Type::Literal(_)) => {
                        return self.diagnostics.error(
                            Code::Type,
                            "two literals are compared: one side must be a variable",
                            whole.span(),
                        );
                    }
                    (Type::Literal(_), other) => (self.typed(left, other)?, b),
                    (other, Type::Literal(_)) => (a, self.typed(right, other)?),
                    (other, _) => {
                        let b = self.coerce(b, b_type.clone(), &other.clone(), right.span())?;
                        (a, b)
                    }
                };
                Some((a.compared(op, b), Type::Bool))
            }
            op if op.is_temporal() => {
                let message = format!("`{whole}` refers to more than the present state");
                self.diagnostics.error(Code::NotACondition, message, whole.span())
            }
            _ => {
                let (a, b) = (self.integer(left), self.integer(right));
                let (a, b) = (a?, b?);
                Some(match Arithmetic::of(op) {
                    Some(arithmetic) => (a.calculated(arithmetic, b), Type::Int),
                    None => (a.compared(op, b), Type::Bool),
                })
            }
        }
    }
}
