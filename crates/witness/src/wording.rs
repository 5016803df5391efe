//! Core formulas in the user's words.
//!
//! Every part of a property that means something by itself is lowered once more, by itself; where the result is the core formula
//! that is to be named, the user's own words are used. What has no words of its own (the negation of a path formula, say) is
//! written in the notation of docs/formulas.md.

use rustc_hash::FxHashMap;
use servanda_logic::{Bounded, Formula, Kind, Unary};
use servanda_lower::{Action, Arena, CoreFormula, Goal, Path, PathFormula, Relation, State, StateFormula};
use servanda_model::{AgentId, Arithmetic, Comparison, Expr, Model};
use servanda_paths::Literal;

/// Numbers of ticks left for which there are words.
const MOST_TICKS: i64 = 100;

/// The words for the formulas of one property.
pub(crate) struct Wording<'m> {
    model: &'m Model,
    paths: FxHashMap<PathFormula, String>,
    /// The same for state formulas.
    states: FxHashMap<StateFormula, String>,
    /// By the formula under a negation, the negation that was written.
    written_negation: FxHashMap<StateFormula, StateFormula>,
}

impl<'m> Wording<'m> {
    /// `find` says what a formula is in the core, if it has a meaning by itself.
    pub(crate) fn new(
        model: &'m Model,
        property: &Formula,
        mut find: impl FnMut(&Formula) -> Option<PathFormula>,
    ) -> Self {
        let mut paths = FxHashMap::default();
        let mut todo: Vec<Formula> = vec![property.clone()];
        let contents = model.commitments.iter().map(|promise| promise.content.clone());
        let guards = model.access.iter().map(|access| access.guard.clone());
        let fairness = model.fairness.iter().map(|fairness| fairness.formula.clone());
        let steps = model.step_fairness.iter().map(|fairness| fairness.step.clone());
        todo.extend(contents.chain(guards).chain(fairness).chain(steps));
        todo.reverse();
        while let Some(formula) = todo.pop() {
            if let Some(id) = find(&formula) {
                paths.entry(id).or_insert_with(|| formula.to_string());
            }
            // Where many ticks are counted, what is left after some of them is a formula of its own.
            if let Kind::Bounded(Bounded { bound, goal }) = formula.kind()
                && let Kind::Int(ticks) = *bound.kind()
            {
                for left in (0..ticks.min(MOST_TICKS)).flat_map(|ticks| {
                    [Unary::Exists, Unary::ForAll].map(|quantifier| goal.after_ticks(ticks, quantifier))
                }) {
                    if let Some(id) = find(&left) {
                        paths.entry(id).or_insert_with(|| left.to_string());
                    }
                }
            }
            formula.for_each_child(|child| todo.push(child.clone()));
        }
        let (states, written_negation) = (FxHashMap::default(), FxHashMap::default());
        Wording { model, paths, states, written_negation }
    }

    /// Takes note of which written formulas are state formulas, and which of them are negations in the core, such as `A ψ`.
    pub(crate) fn note_states(&mut self, arena: &Arena) {
        for (path, text) in &self.paths {
            let Some(state) = arena.as_state(*path) else { continue };
            self.states.insert(state, text.clone());
            if let State::Not(inner) = *arena.state(state) {
                self.written_negation.insert(inner, state);
            }
        }
    }

    /// The formula that says the same, or the opposite, in the user's words: `A ψ` fails rather than that `E !ψ` holds.
    pub(crate) fn as_written(&self, arena: &Arena, (id, holds): Literal) -> Literal {
        match *arena.state(id) {
            State::Not(inner) if !self.states.contains_key(&id) && self.states.contains_key(&inner) => {
                return (inner, !holds);
            }
            _ => {}
        }
        match self.written_negation.get(&id) {
            Some(negation) if !self.states.contains_key(&id) => (*negation, !holds),
            _ => (id, holds),
        }
    }

    /// A state formula in words.
    pub(crate) fn state(&self, arena: &Arena, id: StateFormula) -> String {
        self.show_state(arena, id).text
    }

    /// A path formula in words.
    pub(crate) fn path(&self, arena: &Arena, id: PathFormula) -> String {
        self.show_path(arena, id).text
    }

    fn agents(&self, agents: &[AgentId]) -> String {
        let names: Vec<&str> = agents.iter().map(|agent| self.model.agent(*agent).name.as_str()).collect();
        match names.as_slice() {
            [one] => (*one).to_owned(),
            names => format!("{{{}}}", names.join(", ")),
        }
    }

    fn show_path(&self, arena: &Arena, id: PathFormula) -> Shown {
        if let Some(text) = self.paths.get(&id) {
            return Shown::written(text);
        }
        let of = |id: PathFormula| self.show_path(arena, id).under_operator();
        match *arena.path(id) {
            Path::State(state) => self.show_state(arena, state),
            Path::Action(Action::Does(set)) => {
                let labels = arena.labels(set);
                let names: Vec<String> =
                    labels.iter().take(3).map(|label| self.model.show_label(*label)).collect();
                let more = if labels.len() > 3 { ", ..." } else { "" };
                Shown::tight(format!("does({}{more})", names.join(", ")))
            }
            Path::Action(Action::Acts { agent, action }) => {
                let program = self.model.behaviour.programs().get(agent.index());
                let name = program.and_then(|program| program.actions.get(action));
                let name = name.map_or("_", String::as_str);
                Shown::tight(format!("does({}.{name})", self.model.agent(agent).name))
            }
            Path::Not(a) => match *arena.path(a) {
                Path::Until(PathFormula::TRUE, b) => {
                    Shown::loose(format!("G {}", self.negated_path(arena, b)))
                }
                _ => Shown::tight(format!("!{}", of(a))),
            },
            Path::And(a, b) => Shown::loose(format!("{} & {}", of(a), of(b))),
            Path::Or(a, b) => match self.negation(arena, a) {
                Some(a) => Shown::loose(format!("{a} -> {}", of(b))),
                None => Shown::loose(format!("{} | {}", of(a), of(b))),
            },
            Path::Next(a) => Shown::loose(format!("X {}", of(a))),
            Path::Until(PathFormula::TRUE, b) => Shown::loose(format!("F {}", of(b))),
            Path::Until(a, b) => Shown::loose(format!("{} U {}", of(a), of(b))),
            Path::Previous(a) => Shown::loose(format!("Y {}", of(a))),
            Path::Since(PathFormula::TRUE, b) => Shown::loose(format!("P {}", of(b))),
            Path::Since(a, b) => Shown::loose(format!("{} S {}", of(a), of(b))),
        }
    }

    /// What a formula negates, in words, where it is a negation.
    fn negation(&self, arena: &Arena, id: PathFormula) -> Option<String> {
        match *arena.path(id) {
            Path::Not(inner) => Some(self.show_path(arena, inner).under_operator()),
            Path::State(state) => match *arena.state(state) {
                State::Not(inner) => Some(self.show_state(arena, inner).under_operator()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The negation of a formula, in words.
    fn negated_path(&self, arena: &Arena, id: PathFormula) -> String {
        let negated = self.negation(arena, id);
        negated.unwrap_or_else(|| format!("!{}", self.show_path(arena, id).under_operator()))
    }

    fn show_state(&self, arena: &Arena, id: StateFormula) -> Shown {
        if let Some(text) = self.states.get(&id) {
            return Shown::written(text);
        }
        let of = |id: StateFormula| self.show_state(arena, id).under_operator();
        let of_path = |id: PathFormula| self.show_path(arena, id).under_operator();
        match arena.state(id) {
            State::True => Shown::tight("true".to_owned()),
            State::Proposition(p) => self.expression(arena.proposition_as_written(*p)),
            State::Not(StateFormula::TRUE) => Shown::tight("false".to_owned()),
            State::Not(a) => match *arena.state(*a) {
                State::Exists { path, .. } => Shown::loose(format!("A {}", self.negated_path(arena, path))),
                _ => Shown::tight(format!("!{}", of(*a))),
            },
            State::And(a, b) => Shown::loose(format!("{} & {}", of(*a), of(*b))),
            State::Or(a, b) => match *arena.state(*a) {
                State::Not(a) => Shown::loose(format!("{} -> {}", of(a), of(*b))),
                _ => Shown::loose(format!("{} | {}", of(*a), of(*b))),
            },
            State::Exists { path, .. } => Shown::loose(format!("E {}", of_path(*path))),
            State::SomePrevious(a) => Shown::loose(format!("EY {}", of(*a))),
            State::SomePast(a) => Shown::loose(format!("EP {}", of(*a))),
            State::Committed { debtor, creditor, body, .. } => {
                let (debtor, creditor) = (self.agents(&[*debtor]), self.agents(&[*creditor]));
                Shown::tight(format!("SC({debtor}, {creditor}, {})", self.path(arena, *body)))
            }
            State::Knows { relation, correct, body } => {
                Shown::tight(self.knowledge(relation, correct, &self.state(arena, *body)))
            }
            State::Able { group, goal } => {
                let group = self.agents(group);
                Shown::loose(match *goal {
                    Goal::Next(a) => format!("<{group}>X {}", of(a)),
                    Goal::Globally(a) => format!("<{group}>G {}", of(a)),
                    Goal::Until(StateFormula::TRUE, b) => format!("<{group}>F {}", of(b)),
                    Goal::Until(a, b) => format!("<{group}>({} U {})", of(a), of(b)),
                })
            }
        }
    }

    fn knowledge(&self, relation: &Relation, correct: &[AgentId], body: &str) -> String {
        let (word, agents) = match (relation, correct) {
            (Relation::Everywhere, correct) => ("O", self.agents(correct)),
            (Relation::Some(agents), []) if agents.len() == 1 => ("K", self.agents(agents)),
            (Relation::Some(agents), []) => ("GK", self.agents(agents)),
            (Relation::Some(agents), correct) => {
                ("KH", format!("{}, {}", self.agents(agents), self.agents(correct)))
            }
            (Relation::All(agents), _) => ("DK", self.agents(agents)),
            (Relation::Common(agents), _) => ("GCK", self.agents(agents)),
        };
        format!("{word}({agents}, {body})")
    }

    fn expression(&self, expr: &Expr) -> Shown {
        let of = |expr: &Expr| self.expression(expr).under_operator();
        let joined = |parts: &[Expr], operator: &str| {
            Shown::loose(parts.iter().map(of).collect::<Vec<_>>().join(operator))
        };
        match expr {
            Expr::Constant(value) => Shown::tight(value.to_string()),
            Expr::Variable(variable) => Shown::tight(self.model.variable(*variable).name.clone()),
            Expr::InForce(commitment) => {
                let promise = self.model.commitment(*commitment);
                let shown = self.model.show_promise(promise);
                match promise.content.kind() {
                    // Nobody can write it.
                    Kind::Unary(Unary::Challenged, _) => Shown::loose(format!("in force: {shown}")),
                    _ => Shown::tight(format!("active({shown})")),
                }
            }
            Expr::Action(agent) => Shown::tight(format!("{}.Action", self.model.agent(*agent).name)),
            Expr::Not(inner) => Shown::tight(format!("!{}", of(inner))),
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
                    Arithmetic::Min => return self.call("min", left, right),
                    Arithmetic::Max => return self.call("max", left, right),
                };
                Shown::loose(format!("{} {operator} {}", of(left), of(right)))
            }
            Expr::If(condition, then, otherwise) => Shown::loose(format!(
                "if {} then {} else {}",
                self.expression(condition).text,
                self.expression(then).text,
                self.expression(otherwise).text
            )),
            Expr::Select { index, low, options } => self.selection(index, *low, options),
            Expr::Fault(kind) => Shown::tight(format!("[{}]", kind.reason())),
        }
    }

    fn call(&self, function: &str, left: &Expr, right: &Expr) -> Shown {
        Shown::tight(format!("{function}({}, {})", self.expression(left).text, self.expression(right).text))
    }

    /// An element of an array: its name and the index, where the options are elements of one array; otherwise the options themselves.
    fn selection(&self, index: &Expr, low: i64, options: &[Expr]) -> Shown {
        let index = self.expression(index).text;
        let element = |(option, number): (&Expr, i64)| match option {
            Expr::Variable(variable) => {
                self.model.variable(*variable).name.strip_suffix(&format!("[{number}]"))
            }
            _ => None,
        };
        let mut arrays = options.iter().zip(low..).map(element);
        if let Some(Some(array)) = arrays.next()
            && arrays.all(|other| other == Some(array))
        {
            return Shown::tight(format!("{array}[{index}]"));
        }
        let options: Vec<String> = options.iter().map(|option| self.expression(option).text).collect();
        Shown::tight(format!("({})[{index}]", options.join(", ")))
    }

    /// A comparison; a control state and a value of an enumeration have names.
    fn comparison(&self, comparison: Comparison, left: &Expr, right: &Expr) -> Shown {
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
                    Shown::tight(format!("in {prefix}{value}"))
                }
                _ => Shown::tight(format!("{} {operator} {value}", variable.name)),
            };
        }
        Shown::loose(format!("{} {operator} {}", self.expression(left).text, self.expression(right).text))
    }
}

/// A text, and whether it needs parentheses under an operator.
struct Shown {
    text: String,
    tight: bool,
}

impl Shown {
    fn tight(text: String) -> Self {
        Shown { text, tight: true }
    }

    fn loose(text: String) -> Self {
        Shown { text, tight: false }
    }

    fn written(text: &str) -> Self {
        Shown { text: text.to_owned(), tight: !text.contains([' ', '(']) }
    }

    fn under_operator(self) -> String {
        if self.tight { self.text } else { format!("({})", self.text) }
    }
}
