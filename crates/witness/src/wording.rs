//! Core formulas in the user's words.
//!
//! Every part of a property that means something by itself is lowered once more, by itself; where the result is the core formula
//! that is to be named, the user's own words are used. What has no words of its own (the negation of a path formula, say) is
//! written in the notation of docs/formulas.md.

use rustc_hash::FxHashMap;
use servanda_logic::Formula;
use servanda_lower::{Arena, Core, CoreId, Goal, Relation};
use servanda_model::{AgentId, Arithmetic, Comparison, Expr, Model};

/// The words for the formulas of one property.
pub(crate) struct Wording<'m> {
    model: &'m Model,
    written: FxHashMap<CoreId, String>,
    /// By the formula under a negation, the negation that was written.
    written_negation: FxHashMap<CoreId, CoreId>,
}

impl<'m> Wording<'m> {
    /// `find` says what a formula is in the core, if it has a meaning by itself.
    pub(crate) fn new(
        model: &'m Model,
        property: &Formula,
        mut find: impl FnMut(&Formula) -> Option<CoreId>,
    ) -> Self {
        let mut written = FxHashMap::default();
        let mut todo: Vec<Formula> = vec![property.clone()];
        let contents = model.commitments.iter().map(|promise| promise.content.clone());
        let guards = model.access.iter().map(|access| access.guard.clone());
        let fairness = model.fairness.iter().map(|fairness| fairness.formula.clone());
        todo.extend(contents.chain(guards).chain(fairness));
        todo.reverse();
        while let Some(formula) = todo.pop() {
            if let Some(id) = find(&formula) {
                written.entry(id).or_insert_with(|| formula.to_string());
            }
            formula.for_each_child(|child| todo.push(child.clone()));
        }
        Wording { model, written, written_negation: FxHashMap::default() }
    }

    /// Takes note of which written formulas are negations in the core, such as `A ψ`.
    pub(crate) fn note_negations(&mut self, arena: &Arena) {
        for id in self.written.keys() {
            if let Core::Not(inner) = *arena.node(*id) {
                self.written_negation.insert(inner, *id);
            }
        }
    }

    /// The formula that says the same, or the opposite, in the user's words: `A ψ` fails rather than that `E !ψ` holds.
    pub(crate) fn as_written(&self, arena: &Arena, id: CoreId, holds: bool) -> (CoreId, bool) {
        match *arena.node(id) {
            Core::Not(inner) if !self.written.contains_key(&id) && self.written.contains_key(&inner) => {
                return (inner, !holds);
            }
            _ => {}
        }
        match self.written_negation.get(&id) {
            Some(negation) if !self.written.contains_key(&id) => (*negation, !holds),
            _ => (id, holds),
        }
    }

    /// A formula in words.
    pub(crate) fn text(&self, arena: &Arena, id: CoreId) -> String {
        self.show(arena, id).0
    }

    fn agents(&self, agents: &[AgentId]) -> String {
        let names: Vec<&str> = agents.iter().map(|agent| self.model.agent(*agent).name.as_str()).collect();
        match names.as_slice() {
            [one] => (*one).to_owned(),
            names => format!("{{{}}}", names.join(", ")),
        }
    }

    /// The text, and whether it needs parentheses under an operator.
    fn show(&self, arena: &Arena, id: CoreId) -> (String, Tight) {
        if let Some(text) = self.written.get(&id) {
            let tight = if text.contains([' ', '(']) { Tight::No } else { Tight::Yes };
            return (text.clone(), tight);
        }
        let of = |id: CoreId| match self.show(arena, id) {
            (text, Tight::Yes) => text,
            (text, Tight::No) => format!("({text})"),
        };
        let prefix = |operator: &str, id| (format!("{operator} {}", of(id)), Tight::No);
        let infix = |a, operator: &str, b| (format!("{} {operator} {}", of(a), of(b)), Tight::No);
        let is_true = |id: CoreId| matches!(arena.node(id), Core::True);
        match arena.node(id) {
            Core::True => ("true".to_owned(), Tight::Yes),
            Core::Proposition(p) => self.expression(arena.proposition_expr(*p)),
            Core::Does(set) => {
                let labels = arena.labels(*set);
                let names: Vec<String> =
                    labels.iter().take(3).map(|label| self.model.show_label(*label)).collect();
                let more = if labels.len() > 3 { ", ..." } else { "" };
                (format!("does({}{more})", names.join(", ")), Tight::Yes)
            }
            Core::Acts { agent, action } => {
                let program = self.model.behaviour.programs().get(agent.index());
                let name = program.and_then(|program| program.actions.get(*action));
                let name = name.map_or("_", String::as_str);
                (format!("does({}.{name})", self.model.agent(*agent).name), Tight::Yes)
            }
            Core::Not(a) => match *arena.node(*a) {
                Core::True => ("false".to_owned(), Tight::Yes),
                Core::Exists(psi) => match *arena.node(psi) {
                    Core::Not(inner) => prefix("A", inner),
                    _ => (format!("A !{}", of(psi)), Tight::No),
                },
                Core::Until(left, right) if is_true(left) => match *arena.node(right) {
                    Core::Not(inner) => prefix("G", inner),
                    _ => (format!("G !{}", of(right)), Tight::No),
                },
                _ => (format!("!{}", of(*a)), Tight::Yes),
            },
            Core::And(a, b) => infix(*a, "&", *b),
            Core::Or(a, b) => match *arena.node(*a) {
                Core::Not(a) => infix(a, "->", *b),
                _ => infix(*a, "|", *b),
            },
            Core::Exists(psi) => prefix("E", *psi),
            Core::Next(a) => prefix("X", *a),
            Core::Until(a, b) if is_true(*a) => prefix("F", *b),
            Core::Until(a, b) => infix(*a, "U", *b),
            Core::Previous(a) => prefix("Y", *a),
            Core::Since(a, b) if is_true(*a) => prefix("P", *b),
            Core::Since(a, b) => infix(*a, "S", *b),
            Core::SomePrevious(a) => prefix("EY", *a),
            Core::SomePast(a) => prefix("EP", *a),
            Core::Committed { debtor, creditor, body, .. } => {
                let (debtor, creditor) = (self.agents(&[*debtor]), self.agents(&[*creditor]));
                (format!("SC({debtor}, {creditor}, {})", self.text(arena, *body)), Tight::Yes)
            }
            Core::Knows { relation, correct, body } => {
                let body = self.text(arena, *body);
                let text = match (relation, correct.as_slice()) {
                    (Relation::Everywhere, correct) => format!("O({}, {body})", self.agents(correct)),
                    (Relation::Some(agents), []) if agents.len() == 1 => {
                        format!("K({}, {body})", self.agents(agents))
                    }
                    (Relation::Some(agents), []) => format!("GK({}, {body})", self.agents(agents)),
                    (Relation::Some(agents), correct) => {
                        format!("KH({}, {}, {body})", self.agents(agents), self.agents(correct))
                    }
                    (Relation::All(agents), _) => format!("DK({}, {body})", self.agents(agents)),
                    (Relation::Common(agents), _) => format!("GCK({}, {body})", self.agents(agents)),
                };
                (text, Tight::Yes)
            }
            Core::Able { group, goal } => {
                let group = self.agents(group);
                let text = match *goal {
                    Goal::Next(a) => format!("<{group}>X {}", of(a)),
                    Goal::Globally(a) => format!("<{group}>G {}", of(a)),
                    Goal::Until(a, b) if is_true(a) => format!("<{group}>F {}", of(b)),
                    Goal::Until(a, b) => format!("<{group}>({} U {})", of(a), of(b)),
                };
                (text, Tight::No)
            }
        }
    }

    fn expression(&self, expr: &Expr) -> (String, Tight) {
        let of = |expr: &Expr| match self.expression(expr) {
            (text, Tight::Yes) => text,
            (text, Tight::No) => format!("({text})"),
        };
        let joined = |parts: &[Expr], operator: &str| {
            (parts.iter().map(of).collect::<Vec<_>>().join(operator), Tight::No)
        };
        match expr {
            Expr::Constant(value) => (value.to_string(), Tight::Yes),
            Expr::Variable(variable) => (self.model.variable(*variable).name.clone(), Tight::Yes),
            Expr::InForce(commitment) => {
                let promise = self.model.commitment(*commitment);
                (format!("in force: {}", self.model.show_promise(promise)), Tight::No)
            }
            Expr::Action(agent) => (format!("{}.Action", self.model.agent(*agent).name), Tight::Yes),
            Expr::Not(inner) => (format!("!{}", of(inner)), Tight::Yes),
            Expr::And(parts) => joined(parts, " & "),
            Expr::Or(parts) => joined(parts, " | "),
            Expr::Compare(comparison, left, right) => self.comparison(*comparison, left, right),
            Expr::Arithmetic(arithmetic, left, right) => {
                let operator = match arithmetic {
                    Arithmetic::Add => "+",
                    Arithmetic::Subtract => "-",
                    Arithmetic::Multiply => "*",
                    Arithmetic::Divide => "/",
                    Arithmetic::Remainder => "%",
                };
                (format!("{} {operator} {}", of(left), of(right)), Tight::No)
            }
        }
    }

    /// A comparison; a control state and a value of an enumeration have names.
    fn comparison(&self, comparison: Comparison, left: &Expr, right: &Expr) -> (String, Tight) {
        let operator = match comparison {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
        };
        if let (Expr::Variable(variable), Expr::Constant(value)) = (left, right) {
            let variable = self.model.variable(*variable);
            let value = variable.domain.show(*value);
            return match (variable.machine, comparison) {
                (Some(machine), Comparison::Equal) => {
                    let name = &self.model.machines[machine.index()].name;
                    let prefix = if name.is_empty() { String::new() } else { format!("{name}.") };
                    (format!("in {prefix}{value}"), Tight::Yes)
                }
                _ => (format!("{} {operator} {value}", variable.name), Tight::Yes),
            };
        }
        (format!("{} {operator} {}", self.expression(left).0, self.expression(right).0), Tight::No)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tight {
    Yes,
    No,
}
