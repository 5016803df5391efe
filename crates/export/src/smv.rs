//! The language of NuSMV, bit by bit: gates are definitions, properties INVARSPEC, CTLSPEC or LTLSPEC.

use std::fmt::Write as _;

use servanda_circuit::{Edge, Node};
use servanda_engine::Validity;
use servanda_logic::Formula;
use servanda_lower::{Ctl, Path, PathFormula, State, StateFormula};
use servanda_sat::{Encoded, Kept, Question};

use crate::{Failure, Subject, Writer};

pub(crate) const WRITER: Writer = Writer {
    name: "smv",
    about: "writes it in the language of NuSMV and nuXmv, bit by bit.",
    write: |subject| write(subject).map_err(|reason| Failure::Unfit { target: "SMV", reason }),
    acts: None,
};

/// The circuit of a model, and the gates that its specifications need.
struct Specifications<'m> {
    circuit: Encoded<'m>,
    validity: Validity,
    roots: Vec<Edge>,
}

/// The model and its properties as SMV text.
fn write(subject: &Subject<'_>) -> Result<String, String> {
    let circuit = Encoded::new(subject.model, subject.validity)?;
    let mut specifications = Specifications { circuit, validity: subject.validity, roots: Vec::new() };
    let mut lines = String::new();
    for property in subject.properties {
        let name = &property.name;
        let _ = match specifications.specification(&property.formula) {
            Ok(line) => writeln!(lines, "-- {name}\n{line}"),
            Err(reason) => writeln!(lines, "-- {name} is not written: {reason}"),
        };
    }
    let Specifications { circuit, mut roots, .. } = specifications;
    let mut steps = String::new();
    for (number, Kept { demanded, met, by_step }) in circuit.fair().iter().enumerate() {
        roots.extend([demanded, met]);
        // Fairness is about states there, so a further bit says what the last step was.
        let met = if *by_step {
            let _ = writeln!(steps, "VAR fair{number} : boolean;");
            let _ = writeln!(steps, "TRANS next(fair{number}) <-> {};", name_of(*met));
            format!("fair{number}")
        } else {
            name_of(*met)
        };
        let _ = match *demanded {
            Edge::TRUE => writeln!(lines, "FAIRNESS {met};"),
            _ => writeln!(lines, "COMPASSION({}, {met});", name_of(*demanded)),
        };
    }
    let system = circuit.system();
    roots.extend(&system.next);
    roots.extend([system.valid, system.initial, system.typed]);
    let mut text = format!("-- {}\nMODULE main\n", subject.model.name);
    for (edge, name) in system.encoding.state.iter().zip(circuit.bit_names()) {
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
    text.push_str(&steps);
    text.push_str(&lines);
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

impl Specifications<'_> {
    fn specification(&mut self, formula: &Formula) -> Result<String, String> {
        let (id, question) = self.circuit.question(formula)?;
        // NuSMV does not look at strong fairness where it decides formulas of CTL.
        let strong = !self.circuit.fair().iter().all(Kept::is_demanded_everywhere);
        match question {
            Question::Never(bad) if self.circuit.fair().is_empty() && self.circuit.condition(bad).is_ok() => {
                let bad = self.circuit.condition(bad)?;
                self.roots.push(bad);
                Ok(format!("INVARSPEC {};", name_of(!bad)))
            }
            Question::Never(bad) if strong && self.circuit.condition(bad).is_ok() => {
                Ok(format!("LTLSPEC G !({});", self.condition(bad)?))
            }
            Question::NoPath(path) if strong || self.circuit.arena().ctl(path).is_none() => {
                Ok(format!("LTLSPEC !({});", self.linear(path)?))
            }
            _ if strong => Err("strong fairness and a formula that is not of LTL".to_owned()),
            _ => {
                let branching = self.branching(id)?;
                Ok(match self.validity {
                    Validity::Initial => format!("CTLSPEC {branching};"),
                    Validity::Reachable => format!("CTLSPEC AG ({branching});"),
                })
            }
        }
    }

    fn condition(&mut self, id: StateFormula) -> Result<String, String> {
        let set = self.circuit.condition(id)?;
        self.roots.push(set);
        Ok(name_of(set))
    }

    fn branching(&mut self, id: StateFormula) -> Result<String, String> {
        match *self.circuit.arena().state(id) {
            State::True | State::Proposition(_) => self.condition(id),
            State::Not(a) => Ok(format!("!({})", self.branching(a)?)),
            State::And(a, b) => Ok(format!("({} & {})", self.branching(a)?, self.branching(b)?)),
            State::Or(a, b) => Ok(format!("({} | {})", self.branching(a)?, self.branching(b)?)),
            State::Exists { path, .. } => match self.circuit.arena().ctl(path) {
                Some(Ctl::Next(a)) => Ok(format!("EX ({})", self.branching(a)?)),
                Some(Ctl::Until(a, b)) => Ok(format!("E [{} U {}]", self.branching(a)?, self.branching(b)?)),
                Some(Ctl::Release(a, b)) => {
                    let (a, b) = (self.branching(a)?, self.branching(b)?);
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

    fn linear(&mut self, id: PathFormula) -> Result<String, String> {
        match *self.circuit.arena().path(id) {
            Path::State(state) => self.condition(state),
            Path::Not(a) => Ok(format!("!({})", self.linear(a)?)),
            Path::And(a, b) => Ok(format!("({} & {})", self.linear(a)?, self.linear(b)?)),
            Path::Or(a, b) => Ok(format!("({} | {})", self.linear(a)?, self.linear(b)?)),
            Path::Next(a) => Ok(format!("X ({})", self.linear(a)?)),
            Path::Until(a, b) => Ok(format!("({} U {})", self.linear(a)?, self.linear(b)?)),
            Path::Previous(a) => Ok(format!("Y ({})", self.linear(a)?)),
            Path::Since(a, b) => Ok(format!("({} S {})", self.linear(a)?, self.linear(b)?)),
            Path::Action(_) => Err("actions".to_owned()),
        }
    }
}
