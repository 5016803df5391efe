//! The language of NuSMV, bit by bit: gates are definitions, properties INVARSPEC, CTLSPEC or LTLSPEC.

use std::fmt::Write as _;

use servanda_circuit::{Edge, Node};
use servanda_engine::{NoLimits, Validity};
use servanda_logic::Formula;
use servanda_lower::{Ctl, Path, PathFormula, State, StateFormula};
use servanda_model::Model;

use super::{Question, prepare, words};
use crate::sat::Sat;

/// The model and its properties as SMV text.
///
/// # Errors
/// Why the model cannot be written.
pub fn smv<'f>(
    model: &Model,
    validity: Validity,
    formulas: impl Iterator<Item = (&'f str, &'f Formula)>,
) -> Result<String, String> {
    let mut sat = prepare(model, validity)?;
    let mut specifications = String::new();
    let mut roots = Vec::new();
    for (name, formula) in formulas {
        let line = sat.specification(formula, &mut roots);
        let _ = match line {
            Ok(line) => writeln!(specifications, "-- {name}\n{line}"),
            Err(reason) => writeln!(specifications, "-- {name} is not written: {reason}"),
        };
    }
    for constraint in sat.fair.clone() {
        roots.push(constraint);
        let _ = writeln!(specifications, "FAIRNESS {};", name_of(constraint));
    }
    let system = &sat.system;
    roots.extend(&system.next);
    roots.extend([system.valid, system.initial, system.typed]);
    let mut text = format!("-- {}\nMODULE main\n", model.name);
    for (edge, name) in system.encoding.state.iter().zip(sat.bit_names()) {
        let _ = writeln!(text, "VAR {} : boolean; -- {name}", name_of(*edge));
    }
    for edge in &system.choices {
        let _ = writeln!(text, "IVAR {} : boolean;", name_of(*edge));
    }
    for node in system.graph.cone(&roots) {
        if let Node::And(a, b) = system.graph.node(node) {
            let _ = writeln!(text, "DEFINE n{node} := {} & {};", name_of(a), name_of(b));
        }
    }
    let _ = writeln!(text, "INIT {};", name_of(system.initial));
    let _ = writeln!(text, "INVAR {};", name_of(system.typed));
    let _ = writeln!(text, "TRANS {};", name_of(system.valid));
    for (bit, next) in system.encoding.state.iter().zip(&system.next) {
        let _ = writeln!(text, "TRANS next({}) <-> {};", name_of(*bit), name_of(*next));
    }
    text.push_str(&specifications);
    Ok(text)
}

fn name_of(edge: Edge) -> String {
    match edge {
        Edge::TRUE => "TRUE".to_owned(),
        Edge::FALSE => "FALSE".to_owned(),
        _ if edge.is_negated() => format!("!n{}", edge.node()),
        _ => format!("n{}", edge.node()),
    }
}

impl Sat<'_> {
    fn specification(&mut self, formula: &Formula, roots: &mut Vec<Edge>) -> Result<String, String> {
        let (id, question) = self.question(formula)?;
        match question {
            Question::Never(bad) if self.fair.is_empty() && self.present_only(bad, &NoLimits).is_ok() => {
                let bad = self.present_only(bad, &NoLimits).map_err(words)?;
                roots.push(bad);
                Ok(format!("INVARSPEC {};", name_of(!bad)))
            }
            Question::NoPath(path) if self.lowering.arena.ctl(path).is_none() => {
                Ok(format!("LTLSPEC !({});", self.linear(path, roots)?))
            }
            _ => {
                let branching = self.branching(id, roots)?;
                Ok(match self.options.validity {
                    Validity::Initial => format!("CTLSPEC {branching};"),
                    Validity::Reachable => format!("CTLSPEC AG ({branching});"),
                })
            }
        }
    }

    fn condition(&mut self, id: StateFormula, roots: &mut Vec<Edge>) -> Result<String, String> {
        let set = self.present_only(id, &NoLimits).map_err(words)?;
        roots.push(set);
        Ok(name_of(set))
    }

    fn branching(&mut self, id: StateFormula, roots: &mut Vec<Edge>) -> Result<String, String> {
        match *self.lowering.arena.state(id) {
            State::True | State::Proposition(_) => self.condition(id, roots),
            State::Not(a) => Ok(format!("!({})", self.branching(a, roots)?)),
            State::And(a, b) => {
                Ok(format!("({} & {})", self.branching(a, roots)?, self.branching(b, roots)?))
            }
            State::Or(a, b) => Ok(format!("({} | {})", self.branching(a, roots)?, self.branching(b, roots)?)),
            State::Exists { path, .. } => match self.lowering.arena.ctl(path) {
                Some(Ctl::Next(a)) => Ok(format!("EX ({})", self.branching(a, roots)?)),
                Some(Ctl::Until(a, b)) => {
                    Ok(format!("E [{} U {}]", self.branching(a, roots)?, self.branching(b, roots)?))
                }
                Some(Ctl::Release(a, b)) => {
                    let (a, b) = (self.branching(a, roots)?, self.branching(b, roots)?);
                    Ok(format!("(EG {b} | E [{b} U ({a} & {b})])"))
                }
                None => Err("a path formula that is not of CTL below other operators".to_owned()),
            },
            State::Knows { .. } => Err("knowledge".to_owned()),
            State::Committed { .. } => Err("commitments".to_owned()),
            State::Able { .. } => Err("strategies".to_owned()),
            State::SomePrevious(_) | State::SomePast(_) => Err("branching past".to_owned()),
        }
    }

    fn linear(&mut self, id: PathFormula, roots: &mut Vec<Edge>) -> Result<String, String> {
        match *self.lowering.arena.path(id) {
            Path::State(state) => self.condition(state, roots),
            Path::Not(a) => Ok(format!("!({})", self.linear(a, roots)?)),
            Path::And(a, b) => Ok(format!("({} & {})", self.linear(a, roots)?, self.linear(b, roots)?)),
            Path::Or(a, b) => Ok(format!("({} | {})", self.linear(a, roots)?, self.linear(b, roots)?)),
            Path::Next(a) => Ok(format!("X ({})", self.linear(a, roots)?)),
            Path::Until(a, b) => Ok(format!("({} U {})", self.linear(a, roots)?, self.linear(b, roots)?)),
            Path::Previous(a) => Ok(format!("Y ({})", self.linear(a, roots)?)),
            Path::Since(a, b) => Ok(format!("({} S {})", self.linear(a, roots)?, self.linear(b, roots)?)),
            Path::Does(_) | Path::Acts { .. } => Err("actions".to_owned()),
        }
    }
}
