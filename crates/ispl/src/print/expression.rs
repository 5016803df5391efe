//! Conditions and values as ISPL text.

use servanda_model::{AgentId, Arithmetic, Comparison, Domain, Expr, Model, VariableId};

use super::owner;

/// Where an expression is written: inside an agent, or outside of all.
#[derive(Clone, Copy)]
pub(super) struct Scope<'m> {
    pub(super) model: &'m Model,
    pub(super) agent: Option<AgentId>,
}

/// What an expression is, which ISPL must know to write its constants.
enum Kind<'m> {
    Truth,
    Number,
    Choice(&'m Domain),
    Action(AgentId),
    /// A constant: whatever the other side is.
    Any,
}

/// How tightly a condition or a value must bind to need no parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Comparison,
    BitOr,
    BitAnd,
    Sum,
    Product,
    Operand,
}

type Text = Result<String, String>;

impl<'m> Scope<'m> {
    pub(super) fn condition(self, expr: &Expr) -> Text {
        self.condition_at(expr, Level::Or)
    }

    fn condition_at(self, expr: &Expr, loosest: Level) -> Text {
        let (level, text) = match expr {
            Expr::Constant(value) => (Level::Comparison, self.constant_condition(*value != 0)),
            Expr::Variable(variable) => (Level::Comparison, format!("{} = true", self.variable(*variable)?)),
            Expr::Not(inner) => (Level::Comparison, format!("!({})", self.condition(inner)?)),
            Expr::And(parts) if parts.is_empty() => (Level::Comparison, self.constant_condition(true)),
            Expr::Or(parts) if parts.is_empty() => (Level::Comparison, self.constant_condition(false)),
            Expr::And(parts) => {
                (Level::And, joined(parts, " and ", |part| self.condition_at(part, Level::Comparison))?)
            }
            Expr::Or(parts) => {
                (Level::Or, joined(parts, " or ", |part| self.condition_at(part, Level::And))?)
            }
            Expr::Compare(comparison, left, right) => {
                (Level::Comparison, self.comparison(*comparison, left, right)?)
            }
            Expr::If(..) | Expr::Select { .. } | Expr::Fault(_) => {
                return Err("a condition depends on another one".to_owned());
            }
            Expr::Arithmetic(..) | Expr::Action(_) => {
                return Err("a number is used as a condition".to_owned());
            }
            Expr::InForce(_) => return Err("ISPL has no commitments".to_owned()),
        };
        Ok(if level < loosest { format!("({text})") } else { text })
    }

    /// MCMAS reads no `true` as a condition, so a variable is compared with itself where there is one.
    fn constant_condition(self, value: bool) -> String {
        let relation = if value { "=" } else { "<>" };
        let some = self.model.variables().find_map(|(id, _)| {
            let (agent, name) = owner(self.model, id).ok()?;
            match self.agent {
                None => Some(self.model.variable(id).name.clone()),
                Some(own) => (own == agent).then(|| name.to_owned()),
            }
        });
        some.map_or_else(|| value.to_string(), |variable| format!("{variable} {relation} {variable}"))
    }

    fn variable(self, id: VariableId) -> Text {
        let variable = self.model.variable(id);
        let (agent, name) = owner(self.model, id)?;
        match self.agent {
            None => Ok(variable.name.clone()),
            Some(own) if own == agent => Ok(name.to_owned()),
            Some(_) if self.model.agent(agent).name == "Environment" => Ok(variable.name.clone()),
            Some(own) => Err(format!(
                "`{}` reads `{}`, which ISPL does not allow",
                self.model.agent(own).name,
                variable.name
            )),
        }
    }

    fn kind(self, expr: &Expr) -> Kind<'m> {
        match expr {
            Expr::Constant(_) => Kind::Any,
            Expr::Variable(variable) => match &self.model.variable(*variable).domain {
                Domain::Bool => Kind::Truth,
                Domain::Range { .. } => Kind::Number,
                domain @ Domain::Enumeration(_) => Kind::Choice(domain),
            },
            Expr::Action(agent) => Kind::Action(*agent),
            Expr::Arithmetic(..) => Kind::Number,
            // Of which nothing can be written.
            Expr::If(..) | Expr::Select { .. } | Expr::Fault(_) => Kind::Any,
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Compare(..) | Expr::InForce(_) => Kind::Truth,
        }
    }

    fn comparison(self, comparison: Comparison, left: &Expr, right: &Expr) -> Text {
        let relation = match comparison {
            Comparison::Equal => "=",
            Comparison::NotEqual => "<>",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
        };
        let kind = match self.kind(left) {
            Kind::Any => self.kind(right),
            kind => kind,
        };
        let side = |expr: &Expr| match (&kind, expr) {
            (Kind::Truth, _) => self.bits(expr, Level::BitOr),
            (Kind::Number | Kind::Any, _) => self.number(expr, Level::Sum),
            (Kind::Choice(domain), _) => self.choice(domain, expr),
            (Kind::Action(_), Expr::Action(agent)) => Ok(match self.agent {
                Some(own) if own == *agent => "Action".to_owned(),
                _ => format!("{}.Action", self.model.agent(*agent).name),
            }),
            (Kind::Action(agent), Expr::Constant(position)) => {
                let programs = self.model.behaviour.programs();
                let actions = programs.get(agent.index()).map_or(&[][..], |program| &program.actions[..]);
                let action = usize::try_from(*position).ok().and_then(|position| actions.get(position));
                action.cloned().ok_or_else(|| "an action is compared with something that is none".to_owned())
            }
            (Kind::Action(_), _) => {
                Err("an action is compared with something else than an action".to_owned())
            }
        };
        Ok(format!("{} {relation} {}", side(left)?, side(right)?))
    }

    /// A value for a variable.
    pub(super) fn value(self, variable: VariableId, expr: &Expr) -> Text {
        match &self.model.variable(variable).domain {
            Domain::Bool => self.bits(expr, Level::BitOr),
            domain @ Domain::Enumeration(_) => self.choice(domain, expr),
            Domain::Range { .. } => match expr {
                // The only division that is exact: its line says where.
                Expr::Arithmetic(Arithmetic::Divide, top, bottom) => {
                    let (top, bottom) =
                        (self.number(top, Level::Product)?, self.number(bottom, Level::Operand)?);
                    Ok(format!("{top} / {bottom}"))
                }
                _ => self.number(expr, Level::Sum),
            },
        }
    }

    fn choice(self, domain: &Domain, expr: &Expr) -> Text {
        match expr {
            Expr::Variable(variable) if self.model.variable(*variable).domain == *domain => {
                self.variable(*variable)
            }
            Expr::Constant(code) if domain.contains(*code) => Ok(domain.show(*code)),
            _ => Err("the value of an enumeration is calculated".to_owned()),
        }
    }

    /// A boolean value.
    fn bits(self, expr: &Expr, loosest: Level) -> Text {
        let (level, text) = match expr {
            Expr::Constant(value) => (Level::Operand, (*value != 0).to_string()),
            Expr::Variable(variable) => (Level::Operand, self.variable(*variable)?),
            Expr::Not(inner) => (Level::Operand, format!("~{}", self.bits(inner, Level::Operand)?)),
            Expr::And(parts) if !parts.is_empty() => {
                (Level::BitAnd, joined(parts, " & ", |part| self.bits(part, Level::Operand))?)
            }
            Expr::Or(parts) if !parts.is_empty() => {
                (Level::BitOr, joined(parts, " | ", |part| self.bits(part, Level::BitAnd))?)
            }
            Expr::And(_) => (Level::Operand, "true".to_owned()),
            Expr::Or(_) => (Level::Operand, "false".to_owned()),
            Expr::Compare(Comparison::NotEqual, left, right)
                if matches!((self.kind(left), self.kind(right)), (Kind::Truth, Kind::Truth)) =>
            {
                let (left, right) = (self.bits(left, Level::BitAnd)?, self.bits(right, Level::BitAnd)?);
                (Level::BitOr, format!("{left} ^ {right}"))
            }
            Expr::Compare(comparison, left, right) => {
                (Level::Operand, format!("({})", self.comparison(*comparison, left, right)?))
            }
            _ => return Err("a number is used as a truth value".to_owned()),
        };
        Ok(if level < loosest { format!("({text})") } else { text })
    }

    fn number(self, expr: &Expr, loosest: Level) -> Text {
        let (level, text) = match expr {
            Expr::Constant(value) => (Level::Operand, value.to_string()),
            Expr::Variable(variable) if matches!(self.kind(expr), Kind::Number) => {
                (Level::Operand, self.variable(*variable)?)
            }
            Expr::Arithmetic(operator, left, right) => {
                let (symbol, own, right_loosest) = match operator {
                    Arithmetic::Add => ("+", Level::Sum, Level::Product),
                    Arithmetic::Subtract => ("-", Level::Sum, Level::Product),
                    Arithmetic::Multiply => ("*", Level::Product, Level::Operand),
                    Arithmetic::Divide | Arithmetic::Remainder => {
                        return Err("ISPL has no division of integers".to_owned());
                    }
                    Arithmetic::Min | Arithmetic::Max => {
                        return Err("ISPL has no smaller or larger of two numbers".to_owned());
                    }
                };
                let (left, right) = (self.number(left, own)?, self.number(right, right_loosest)?);
                (own, format!("{left} {symbol} {right}"))
            }
            Expr::If(..) | Expr::Select { .. } | Expr::Fault(_) => {
                return Err("a value depends on a condition".to_owned());
            }
            _ => return Err("a truth value is used as a number".to_owned()),
        };
        Ok(if level < loosest { format!("({text})") } else { text })
    }
}

fn joined(parts: &[Expr], operator: &str, show: impl Fn(&Expr) -> Text) -> Text {
    Ok(parts.iter().map(show).collect::<Result<Vec<_>, _>>()?.join(operator))
}
