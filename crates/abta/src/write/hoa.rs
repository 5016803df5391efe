//! The Hanoi omega-automata format, version 1, for formulas that are one path quantifier over a path formula on literals.
//!
//! HOA describes automata on words, an ABTA runs on trees. Under one quantifier the two meet: `E ψ` holds where some path
//! spells a word that `ψ` accepts, and `A ψ` where no path spells one that `!ψ` accepts. So what is written is a
//! generalised Büchi automaton for `ψ`, or for `!ψ` under `A`. Its letters say which propositions hold in a state and which
//! `does(..)` match the transition that leaves it; acceptance is on transitions.

use std::collections::HashMap;
use std::fmt::Write as _;

use servanda_logic::{Formula, Kind, Unary};
use servanda_syntax::{Code, Diagnostic, Span};

use super::quoted;
use crate::automaton::{Abta, StateId, StateKind};
use crate::options::{Options, Rules};
use crate::translation::{Translation, translate};

/// The most edges that are written.
const MOST_EDGES: usize = 100_000;

/// A proposition with its sign.
type Literal = (usize, bool);

/// How a position can go: what must hold at it, and the step that is taken; `None`: nothing is left to be shown.
type Way = (Vec<Literal>, Option<StateId>);

/// The automaton in HOA.
///
/// # Errors
///
/// Why the formula has none.
pub fn hoa(translation: &Translation, options: Options) -> Result<String, Vec<Diagnostic>> {
    word_automaton(translation, options).map_err(|error| vec![*error])
}

fn word_automaton(translation: &Translation, options: Options) -> Result<String, Box<Diagnostic>> {
    if translation.rules == Rules::Paper {
        return Err(inexpressible("the papers' automata are not automata on words", None)
            .help("leave out --rules paper, or choose another format")
            .into());
    }
    let formula = &translation.formula;
    let (path, universal) = match formula.kind() {
        Kind::Unary(Unary::Exists, path) => (path.clone(), false),
        Kind::Unary(Unary::ForAll, path) => (path.clone().negated(), true),
        _ => return Err(inexpressible("it is not one path quantifier over a path formula", Some(formula))),
    };
    if let Some(inner) = nested_quantifier(&path) {
        return Err(inexpressible("it has more than one path quantifier", Some(inner)));
    }
    let existential = path.unary(Unary::Exists);
    let word = translate(&existential, options).map_err(|mut errors| errors.swap_remove(0))?;
    let mut writer = Writer { abta: &word.automaton, propositions: Vec::new(), edges: 0 };
    writer.check()?;
    let what = if universal { format!("words that refute {formula}") } else { format!("words of {formula}") };
    writer.write(&what)
}

fn inexpressible(why: &str, formula: Option<&Formula>) -> Box<Diagnostic> {
    let span = formula.map_or(Span::default(), Formula::span);
    Diagnostic::error(Code::NotExpressible, format!("the formula cannot be written as HOA: {why}"), span)
        .into()
}

/// A path quantifier that stands under the first one; inside of literals there may be others.
fn nested_quantifier(formula: &Formula) -> Option<&Formula> {
    match formula.kind() {
        Kind::Unary(Unary::ForAll | Unary::Exists, _) => Some(formula),
        Kind::Unary(_, operand) => nested_quantifier(operand),
        Kind::Binary(_, left, right) => nested_quantifier(left).or_else(|| nested_quantifier(right)),
        Kind::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().find_map(nested_quantifier)
        }
        Kind::Joined(_, parts) => parts.iter().find_map(nested_quantifier),
        _ => None,
    }
}

struct Writer<'a> {
    abta: &'a Abta,
    propositions: Vec<String>,
    edges: usize,
}

impl Writer<'_> {
    fn check(&self) -> Result<(), Box<Diagnostic>> {
        for state in &self.abta.states {
            if let Some(scope) = &state.scope {
                let why = "a commitment refers to the paths that are accessible in a model";
                return Err(inexpressible(why, Some(&scope.commitment)));
            }
            match &state.kind {
                StateKind::Literal { atom, .. } if matches!(atom.kind(), Kind::Unary(Unary::Previous, _)) => {
                    return Err(inexpressible(
                        "it has a past operator, and letters do not say what was",
                        Some(atom),
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn proposition(&mut self, formula: &Formula) -> usize {
        let name = formula.to_string();
        self.propositions.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.propositions.push(name);
            self.propositions.len() - 1
        })
    }

    fn too_many() -> Box<Diagnostic> {
        let message = format!("the automaton has more than {MOST_EDGES} edges as HOA");
        Diagnostic::error(Code::TooLarge, message, Span::default()).into()
    }

    /// All ways to go on from a state at one position.
    fn ways(&mut self, id: StateId) -> Result<Vec<Way>, Box<Diagnostic>> {
        let state = self.abta.state(id);
        match &state.kind {
            StateKind::True => Ok(vec![(Vec::new(), None)]),
            StateKind::False => Ok(Vec::new()),
            StateKind::Literal { atom, positive } => {
                let proposition = self.proposition(atom);
                Ok(vec![(vec![(proposition, *positive)], None)])
            }
            StateKind::StepExists(actions) => {
                let literals: Vec<Literal> = actions
                    .iter()
                    .map(|literal| (self.proposition(&literal.action), literal.positive))
                    .collect();
                let consistent = literals.iter().all(|(p, sign)| !literals.contains(&(*p, !sign)));
                Ok(if consistent { vec![(literals, Some(id))] } else { Vec::new() })
            }
            StateKind::Or => {
                let mut ways = Vec::new();
                for successor in &state.successors {
                    ways.extend(self.ways(*successor)?);
                    if ways.len() > MOST_EDGES {
                        return Err(Self::too_many());
                    }
                }
                Ok(ways)
            }
            StateKind::And => {
                let mut ways: Vec<Way> = vec![(Vec::new(), None)];
                for successor in &state.successors {
                    let further = self.ways(*successor)?;
                    let mut joined = Vec::new();
                    for (literals, end) in &ways {
                        for (more, other_end) in &further {
                            if end.is_some() && other_end.is_some() {
                                return Err(inexpressible("it has more than one path quantifier", None));
                            }
                            joined.extend(conjunction(literals, more).map(|all| (all, end.or(*other_end))));
                            if joined.len() > MOST_EDGES {
                                return Err(Self::too_many());
                            }
                        }
                    }
                    ways = joined;
                }
                Ok(ways)
            }
            _ => Err(inexpressible("its automaton is not one on words", None)),
        }
    }

    /// The acceptance sets that a step meets, among so many. A component with fewer sets than others meets the rest at
    /// every step.
    fn marks(&self, step: StateId, sets: usize) -> Vec<usize> {
        let component = self.abta.state(step).component;
        let own: Vec<_> = self
            .abta
            .acceptance
            .iter()
            .filter(|set| component.is_some() && set.component == component)
            .collect();
        (0..sets).filter(|index| own.get(*index).is_none_or(|set| set.states.contains(&step))).collect()
    }

    fn write(&mut self, name: &str) -> Result<String, Box<Diagnostic>> {
        let sets = (0..self.abta.components.len())
            .map(|component| {
                self.abta.acceptance.iter().filter(|set| set.component == Some(component)).count()
            })
            .max()
            .unwrap_or(0);
        let mut numbers: HashMap<StateId, usize> = HashMap::new();
        let mut order = vec![StateId::from_index(0)];
        numbers.insert(order[0], 0);
        let mut sink = false;
        let mut body = Vec::new();
        while body.len() < order.len() {
            let mut edges: Vec<(Vec<Literal>, Option<usize>, Vec<usize>)> = Vec::new();
            for (mut literals, end) in self.ways(order[body.len()])? {
                literals.sort_unstable();
                literals.dedup();
                let edge = match end {
                    None => {
                        sink = true;
                        (literals, None, (0..sets).collect())
                    }
                    Some(step) => {
                        let target = self.abta.state(step).successors[0];
                        let next = order.len();
                        let number = *numbers.entry(target).or_insert(next);
                        if number == next {
                            order.push(target);
                        }
                        (literals, Some(number), self.marks(step, sets))
                    }
                };
                if !edges.contains(&edge) {
                    edges.push(edge);
                    self.edges += 1;
                }
                if self.edges > MOST_EDGES {
                    return Err(Self::too_many());
                }
            }
            body.push(edges);
        }
        let states = order.len() + usize::from(sink);
        let mut shown = self.header(name, states, sets);
        for (number, edges) in body.iter().enumerate() {
            let _ = writeln!(shown, "State: {number} {}", quoted(&self.abta.state(order[number]).text));
            for (literals, target, marks) in edges {
                let _ =
                    writeln!(shown, "{} {}{}", label(literals), target.unwrap_or(order.len()), marked(marks));
            }
        }
        if sink {
            let all: Vec<usize> = (0..sets).collect();
            let _ = writeln!(shown, "State: {} \"true\"\n[t] {}{}", order.len(), order.len(), marked(&all));
        }
        shown.push_str("--END--\n");
        Ok(shown)
    }

    fn header(&self, name: &str, states: usize, sets: usize) -> String {
        let mut shown = String::from("HOA: v1\n");
        let _ = writeln!(shown, "name: {}", quoted(name));
        let _ = writeln!(shown, "tool: \"servanda\" \"{}\"", env!("CARGO_PKG_VERSION"));
        let _ = writeln!(shown, "States: {states}\nStart: 0");
        let propositions: String =
            self.propositions.iter().map(|name| format!(" {}", quoted(name))).collect();
        let _ = writeln!(shown, "AP: {}{propositions}", self.propositions.len());
        let condition = match sets {
            0 => "t".to_owned(),
            sets => (0..sets).map(|set| format!("Inf({set})")).collect::<Vec<_>>().join("&"),
        };
        let acceptance = match sets {
            0 => "all".to_owned(),
            1 => "Buchi".to_owned(),
            sets => format!("generalized-Buchi {sets}"),
        };
        let _ = writeln!(shown, "acc-name: {acceptance}\nAcceptance: {sets} {condition}");
        shown.push_str("properties: trans-labels explicit-labels trans-acc\n--BODY--\n");
        shown
    }
}

/// Both sets of literals, unless they contradict each other.
fn conjunction(left: &[Literal], right: &[Literal]) -> Option<Vec<Literal>> {
    if left.iter().any(|(proposition, sign)| right.contains(&(*proposition, !sign))) {
        return None;
    }
    let mut all = left.to_vec();
    all.extend(right.iter().filter(|literal| !left.contains(literal)));
    Some(all)
}

fn label(literals: &[Literal]) -> String {
    let shown: Vec<String> = literals
        .iter()
        .map(|(proposition, sign)| format!("{}{proposition}", if *sign { "" } else { "!" }))
        .collect();
    if shown.is_empty() { "[t]".to_owned() } else { format!("[{}]", shown.join("&")) }
}

fn marked(sets: &[usize]) -> String {
    if sets.is_empty() {
        return String::new();
    }
    format!(" {{{}}}", sets.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}
