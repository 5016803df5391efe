//! Conditions and values as expressions of the model.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_logic::Binary;
use servanda_model::{AgentId, Arithmetic, Domain, Expr, Model, VariableId};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all};

use super::cast::Cast;
use super::ratio::{Ratio, related};
use crate::ast::{BitOperator, Term, TermKind};

/// From where something is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Inside an agent, where only the state can be read.
    State(AgentId),
    /// Inside an agent, where the actions of this round can be read as well.
    Round(AgentId),
    /// Outside of all agents.
    World,
}

/// What can be compared and assigned.
#[derive(Debug)]
pub(crate) enum Value<'a> {
    Truth(Expr),
    Number(Ratio),
    /// A variable with these literals.
    Choice(VariableId, Arc<[Arc<str>]>),
    /// What an agent does in this round.
    Action(AgentId),
    /// A name that is no variable: a literal or an action, as the other side tells.
    Loose(&'a str),
}

/// Translates terms seen from one place.
pub(crate) struct Translator<'a> {
    /// The text that the places of terms refer to.
    pub(crate) text: &'a str,
    pub(crate) model: &'a Model,
    pub(crate) cast: &'a Cast,
    /// Names in statements that could not be read: they may have been declared there.
    pub(crate) excused: &'a FxHashSet<Arc<str>>,
    pub(crate) view: View,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Translator<'a> {
    /// What stands at a place.
    pub(crate) fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// A condition.
    pub(crate) fn condition(&mut self, term: &Term) -> Option<Expr> {
        match &term.kind {
            TermKind::Not(inner) => Some(self.condition(inner)?.negate()),
            // All parts before giving up, so that every mistake is reported.
            TermKind::And(parts) => all(parts.iter().map(|part| self.condition(part))).map(Expr::and),
            TermKind::Or(parts) => all(parts.iter().map(|part| self.condition(part))).map(Expr::or),
            _ => self.truth(term).map(as_condition),
        }
    }

    /// A boolean value.
    pub(crate) fn truth(&mut self, term: &Term) -> Option<Expr> {
        match self.value(term)? {
            Value::Truth(expr) => Some(expr),
            Value::Loose(name) => match self.local_state(name) {
                Some(expr) => Some(expr),
                None => self.unknown(name, term.span),
            },
            other => self.mismatch("a truth value", &other, term.span),
        }
    }

    /// In the 2005 dialect the name of a local state alone is a condition.
    fn local_state(&self, name: &str) -> Option<Expr> {
        let variable = self.cast.player(self.agent()?).local_state?;
        let code = self.model.variable(variable).domain.literal(name)?;
        Some(Expr::variable(variable).equals(Expr::Constant(code)))
    }

    /// A number.
    pub(crate) fn number(&mut self, term: &Term) -> Option<Ratio> {
        match self.value(term)? {
            Value::Number(ratio) => Some(ratio),
            Value::Loose(name) => self.unknown(name, term.span),
            other => self.mismatch("a number", &other, term.span),
        }
    }

    /// Any value.
    pub(crate) fn value(&mut self, term: &Term) -> Option<Value<'a>> {
        match &term.kind {
            TermKind::Truth(value) => Some(Value::Truth(Expr::Constant(i64::from(*value)))),
            TermKind::Number(value) => Some(Value::Number(Ratio::integer(Expr::Constant(*value)))),
            TermKind::Name => Some(self.name(self.slice(term.span))),
            TermKind::Dotted { agent, name } => {
                let (first, last) = dotted_places(term.span, *agent, *name);
                self.dotted(first, last)
            }
            TermKind::Not(_) | TermKind::And(_) | TermKind::Or(_) => self.condition(term).map(Value::Truth),
            TermKind::Compare(relation, sides) => self.compare(*relation, sides, term.span).map(Value::Truth),
            TermKind::Complement(inner) => Some(Value::Truth(self.truth(inner)?.negate())),
            TermKind::Bits(operator, sides) => {
                let (left, right) = (self.truth(&sides[0]), self.truth(&sides[1]));
                let (left, right) = (left?, right?);
                Some(Value::Truth(match operator {
                    BitOperator::And => Expr::and([left, right]),
                    BitOperator::Or => Expr::or([left, right]),
                    BitOperator::Xor => related(Binary::NotEqual, left, right),
                }))
            }
            TermKind::Arithmetic(operator, sides) => {
                let (left, right) = (self.number(&sides[0]), self.number(&sides[1]));
                Some(Value::Number(left?.calculate(*operator, right?)))
            }
            TermKind::Minus(inner) => {
                let zero = Ratio::integer(Expr::Constant(0));
                Some(Value::Number(zero.calculate(Arithmetic::Subtract, self.number(inner)?)))
            }
        }
    }

    fn agent(&self) -> Option<AgentId> {
        match self.view {
            View::State(agent) | View::Round(agent) => Some(agent),
            View::World => None,
        }
    }

    fn of_variable(&self, variable: VariableId) -> Value<'a> {
        match &self.model.variable(variable).domain {
            Domain::Bool => Value::Truth(Expr::variable(variable)),
            Domain::Range { .. } => Value::Number(Ratio::integer(Expr::variable(variable))),
            Domain::Enumeration(literals) => Value::Choice(variable, Arc::clone(literals)),
        }
    }

    fn name(&self, name: &'a str) -> Value<'a> {
        let own = self.agent().and_then(|agent| self.cast.player(agent).variable(name));
        match (own, self.view) {
            (Some(variable), _) => self.of_variable(variable),
            (None, View::Round(agent)) if name == "Action" => Value::Action(agent),
            _ => Value::Loose(name),
        }
    }

    fn dotted(&mut self, agent_place: Span, name_place: Span) -> Option<Value<'a>> {
        let (agent, name) = (self.slice(agent_place), self.slice(name_place));
        let span = agent_place.to(name_place);
        let Some(owner) = self.cast.agent(agent) else {
            if !self.excused.contains(agent) {
                let known = self.model.agents.iter().map(|agent| agent.name.as_str());
                self.diagnostics.push(Diagnostic::unknown("agent", agent, agent_place, known));
            }
            return None;
        };
        let found = self.cast.player(owner).variable(name);
        if name == "Action" && found.is_none() {
            if let View::Round(_) = self.view {
                return Some(Value::Action(owner));
            }
            let message = "actions cannot be read here, only in the conditions of an evolution";
            return self.diagnostics.error(Code::ActionNotReadable, message, span);
        }
        let readable = match self.agent() {
            None => true,
            Some(reader) if reader == owner => true,
            Some(reader) if self.cast.environment == Some(owner) => {
                // In the dialect of 2005 evolutions are functions of the state of the Environment as well, whether or not the agent
                // observes it: what an agent knows depends on its local state alone.
                let evolves =
                    self.view == View::Round(reader) && self.cast.player(reader).local_state.is_some();
                evolves || found.is_none_or(|variable| self.cast.reads(self.model, reader, variable))
            }
            Some(reader) => {
                let message =
                    format!("`{}` cannot read the variables of `{agent}`", self.model.agent(reader).name);
                let help = format!("it can read `{agent}.Action`, and variables of the Environment");
                let error = Diagnostic::error(Code::NotObservable, message, span).help(help);
                return self.diagnostics.refuse(error);
            }
        };
        let Some(variable) = found else {
            if !self.excused.contains(name) {
                let known = self.cast.player(owner).variables.iter().map(|(name, _)| &**name);
                let message = format!("`{agent}` has no variable called `{name}`");
                self.diagnostics
                    .push(Diagnostic::error(Code::UnknownName, message, name_place).suggest(name, known));
            }
            return None;
        };
        if !readable {
            let reader = self.agent().map_or("", |agent| self.model.agent(agent).name.as_str());
            let message = format!("`{reader}` does not observe `{name}` of the Environment");
            return self.diagnostics.refuse(
                Diagnostic::error(Code::NotObservable, message, span)
                    .help(format!("list it in the `Lobsvars` of `{reader}`, or declare it in `Obsvars`")),
            );
        }
        Some(self.of_variable(variable))
    }

    fn compare(&mut self, relation: Binary, sides: &[Term; 2], span: Span) -> Option<Expr> {
        let [left, right] = sides;
        let (a, b) = (self.value(left), self.value(right));
        let (a, b) = (a?, b?);
        // An action or a literal may be called like a variable: the other side tells which is meant.
        let a = self.as_meant(a, left, &b);
        let b = self.as_meant(b, right, &a);
        let ordering = !matches!(relation, Binary::Equal | Binary::NotEqual);
        // Whether two things are equal can be asked from either side: what has the values first, and their name second.
        let (a, b, place) = match (a, b) {
            (a @ Value::Loose(_), b @ (Value::Choice(..) | Value::Action(_))) if !ordering => {
                (b, a, left.span)
            }
            (a, b) => (a, b, right.span),
        };
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => {
                self.warn_if_never_equal(relation, &a, &b, span);
                Some(a.relate(relation, b))
            }
            (a, b) if ordering => {
                let (found, place) = if matches!(a, Value::Number(_)) { (b, right) } else { (a, left) };
                match found {
                    Value::Loose(name) => self.unknown(name, place.span),
                    found => self.mismatch("a number", &found, place.span),
                }
            }
            (Value::Truth(a), Value::Truth(b)) => Some(related(relation, a, b)),
            (Value::Choice(variable, literals), Value::Loose(name)) => {
                let code = self.literal(&literals, name, place)?;
                Some(related(relation, Expr::variable(variable), Expr::Constant(code)))
            }
            (Value::Choice(a, ours), Value::Choice(b, theirs)) => {
                self.choices(relation, (a, &ours), (b, &theirs), span)
            }
            (Value::Action(agent), Value::Loose(name)) => {
                let code = self.action(agent, name, place)?;
                Some(related(relation, Expr::Action(agent), Expr::Constant(code as i64)))
            }
            (Value::Action(_), _) | (_, Value::Action(_)) => {
                let message = "an action can be compared only with the name of one";
                self.diagnostics.error(Code::Type, message, span)
            }
            (Value::Loose(name), Value::Loose(other)) => {
                let known = |name: &str| self.literals().any(|literal| &**literal == name);
                if known(name) && known(other) {
                    let message = "two literals are compared: one side must be a variable";
                    return self.diagnostics.error(Code::Type, message, span);
                }
                let (name, place) = if known(name) { (other, right) } else { (name, left) };
                self.unknown(name, place.span)
            }
            (Value::Loose(name), _) => self.unknown(name, left.span),
            (_, Value::Loose(name)) => self.unknown(name, right.span),
            (a, b) => self.mismatch(kind(&a), &b, right.span),
        }
    }

    /// Reads a name as a literal or an action although a variable has that name, where only that makes sense.
    fn as_meant(&self, value: Value<'a>, term: &Term, other: &Value<'a>) -> Value<'a> {
        let TermKind::Name = &term.kind else { return value };
        let name = self.slice(term.span);
        match (&value, other) {
            (Value::Loose(_) | Value::Action(_), _) => value,
            (_, Value::Action(_)) => Value::Loose(name),
            (Value::Choice(_, ours), Value::Choice(_, theirs)) if ours.iter().any(|l| theirs.contains(l)) => {
                value
            }
            (_, Value::Choice(_, literals)) if literals.iter().any(|literal| &**literal == name) => {
                Value::Loose(name)
            }
            _ => value,
        }
    }

    /// Two enumeration variables, perhaps with different literals: equal are those of the same name.
    fn choices(
        &mut self,
        relation: Binary,
        (a, ours): (VariableId, &[Arc<str>]),
        (b, theirs): (VariableId, &[Arc<str>]),
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = (Expr::variable(a), Expr::variable(b));
        if ours == theirs {
            return Some(related(relation, left, right));
        }
        let common: Vec<Expr> = ours
            .iter()
            .enumerate()
            .filter_map(|(code, literal)| {
                let other = theirs.iter().position(|l| l == literal)?;
                let same = |variable, code| Expr::variable(variable).equals(Expr::Constant(code as i64));
                Some(Expr::and([same(a, code), same(b, other)]))
            })
            .collect();
        if common.is_empty() {
            let message = "these variables have no value in common";
            return self.diagnostics.error(Code::Type, message, span);
        }
        let equal = Expr::or(common);
        Some(if relation == Binary::Equal { equal } else { equal.negate() })
    }

    /// The code of a literal.
    pub(crate) fn literal(&mut self, literals: &[Arc<str>], name: &str, span: Span) -> Option<i64> {
        let found = literals.iter().position(|literal| &**literal == name);
        if found.is_none() && !self.excused.contains(name) {
            let message = format!("`{name}` is not one of {{{}}}", literals.join(", "));
            let known = literals.iter().map(|literal| &**literal);
            self.diagnostics.push(Diagnostic::error(Code::Type, message, span).suggest(name, known));
        }
        found.map(|position| position as i64)
    }

    /// The position of an action.
    pub(crate) fn action(&mut self, agent: AgentId, name: &str, span: Span) -> Option<usize> {
        let player = self.cast.player(agent);
        let found = player.action(name);
        if found.is_none() && !self.excused.contains(name) {
            let message = format!("`{}` has no action called `{name}`", self.model.agent(agent).name);
            let error = Diagnostic::error(Code::UnknownName, message, span);
            let known: &[String] = if player.has_no_actions { &[] } else { &player.actions };
            let close = servanda_syntax::nearest(name, known.iter().map(String::as_str));
            self.diagnostics.push(match (close, known) {
                (Some(best), _) => error.help(format!("did you mean `{best}`?")),
                (None, []) => error.help("it declares no actions"),
                (None, known) if known.len() <= 8 => {
                    error.help(format!("its actions are {}", known.join(", ")))
                }
                _ => error,
            });
        }
        found
    }

    fn literals(&self) -> impl Iterator<Item = &Arc<str>> {
        self.model.variables.iter().flat_map(|variable| match &variable.domain {
            Domain::Enumeration(literals) => &literals[..],
            _ => &[],
        })
    }

    fn mismatch<T>(&mut self, wanted: &str, found: &Value<'_>, span: Span) -> Option<T> {
        let message = format!("expected {wanted}, found {}", kind(found));
        let error = Diagnostic::error(Code::Type, message, span);
        let number = |ratio: &Ratio| match ratio.top {
            Expr::Constant(0) => Some("false"),
            Expr::Constant(1) => Some("true"),
            _ => None,
        };
        self.diagnostics.refuse(match found {
            Value::Number(ratio) if wanted == "a truth value" => match number(ratio) {
                Some(word) => error.help(format!("write `{word}`")),
                None => error,
            },
            _ => error,
        })
    }

    /// Reports a name that means nothing here.
    fn unknown<T>(&mut self, name: &str, span: Span) -> Option<T> {
        if self.excused.contains(name) {
            return None;
        }
        if self.literals().any(|literal| &**literal == name) {
            let message = format!("`{name}` is a value of an enumeration, which does not fit here");
            return self.diagnostics.error(Code::Type, message, span);
        }
        let error = Diagnostic::error(Code::UnknownName, format!("nothing is called `{name}` here"), span);
        let own: Vec<&str> = match self.agent() {
            Some(agent) => self.cast.player(agent).variables.iter().map(|(name, _)| &**name).collect(),
            None => Vec::new(),
        };
        // Outside of an agent, and for what belongs to the Environment, a prefix may have been forgotten.
        let owners = self.model.agents().filter(|(id, _)| self.cast.player(*id).variable(name).is_some());
        let prefixed = owners
            .filter(|(id, _)| self.agent().is_none() || self.cast.environment == Some(*id))
            .map(|(_, agent)| format!("{}.{name}", agent.name))
            .next();
        self.diagnostics.refuse(match prefixed {
            Some(full) => error.help(format!("did you mean `{full}`?")),
            None => error.suggest(name, own.into_iter().chain(self.literals().map(|literal| &**literal))),
        })
    }

    fn warn_if_never_equal(&mut self, relation: Binary, a: &Ratio, b: &Ratio, span: Span) {
        let ((Expr::Variable(variable), Expr::Constant(value))
        | (Expr::Constant(value), Expr::Variable(variable))) = (&a.top, &b.top)
        else {
            return;
        };
        let (variable, value) = (self.model.variable(*variable), *value);
        if relation == Binary::Equal && a.is_integer() && b.is_integer() && !variable.domain.contains(value) {
            let message = format!(
                "`{}` is never {value}: its values are {}",
                variable.name,
                variable.domain.describe()
            );
            self.diagnostics.push(Diagnostic::warning(Code::OutOfRange, message, span));
        }
    }
}

/// The places of the two names of a dotted one.
pub(super) fn dotted_places(span: Span, agent: u32, name: u32) -> (Span, Span) {
    (Span { end: span.start + agent, ..span }, Span { start: span.end - name, ..span })
}

/// A boolean variable alone is a condition; written out, so that what is printed is what was read.
fn as_condition(expr: Expr) -> Expr {
    match expr {
        Expr::Variable(_) => expr.equals(Expr::TRUE),
        Expr::Not(inner) => as_condition(*inner).negate(),
        Expr::And(parts) => Expr::and(parts.into_iter().map(as_condition)),
        Expr::Or(parts) => Expr::or(parts.into_iter().map(as_condition)),
        other => other,
    }
}

fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::Truth(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::Choice(..) => "a value of an enumeration",
        Value::Action(_) => "an action",
        Value::Loose(_) => "a name",
    }
}
