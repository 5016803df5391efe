//! The ASCII form of AIGER 1.9: bad states for `AG`, justice for other `A ψ`, constraints for what a step is.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Node};
use servanda_lower::PathFormula;
use servanda_sat::{Encoded, Question};

use crate::{Failure, Subject, Writer};

pub(crate) const WRITER: Writer = Writer {
    name: "aiger",
    about: "writes the model as an and-inverter graph for hardware model checkers. A property that does not fit is named in a \
            comment with the reason.",
    write: |subject| write(subject).map_err(|reason| Failure::Unfit { target: "AIGER", reason }),
};

/// What becomes of a property.
enum Output {
    Bad(String, Edge),
    Justice(String, Vec<Edge>),
    Not(String, String),
}

/// Latches beyond the bits of a state: the edge, what it becomes, its reset value if it has one, and its name.
type Latch = (Edge, Edge, Option<bool>, String);

struct Written {
    inputs: Vec<(Edge, String)>,
    latches: Vec<Latch>,
    constraints: Vec<Edge>,
    outputs: Vec<Output>,
    /// False in the first step, then true.
    started: Edge,
}

/// The model and its properties as AIGER text. Latches hold the bits of a state, inputs what is chosen in a step.
fn write(subject: &Subject<'_>) -> Result<String, String> {
    let mut circuit = Encoded::new(subject.model, subject.validity)?;
    let started = circuit.graph().input();
    let mut written = Written {
        inputs: Vec::new(),
        latches: vec![(started, Edge::TRUE, Some(false), "started".to_owned())],
        constraints: Vec::new(),
        outputs: Vec::new(),
        started,
    };
    for property in subject.properties {
        let name = &property.name;
        let output = circuit.question(&property.formula).and_then(|(_, question)| match question {
            Question::Never(bad) if circuit.fair().is_empty() => {
                Ok(Output::Bad(name.clone(), circuit.condition(bad)?))
            }
            Question::Never(bad) => {
                let path = circuit.arena().finally(bad);
                justice(&mut circuit, name, path, &mut written)
            }
            Question::NoPath(path) => justice(&mut circuit, name, path, &mut written),
            Question::Other => Err("it is no property of all paths".to_owned()),
        });
        written.outputs.push(output.unwrap_or_else(|reason| Output::Not(name.clone(), reason)));
    }
    let names = circuit.bit_names();
    for (at, name) in names.into_iter().enumerate() {
        // What is remembered is false at first; the rest is as the initial states say.
        let reset = (at >= circuit.system().encoding.state.len()).then_some(false);
        written.latches.push((circuit.machine().state[at], circuit.machine().next[at], reset, name));
    }
    let choices: Vec<Edge> = circuit.machine().choices.clone();
    written.inputs.extend(choices.into_iter().enumerate().map(|(at, edge)| (edge, format!("choice.{at}"))));
    let initial = circuit.system().initial;
    let starts = circuit.graph().or(started, initial);
    written.constraints.extend([starts, circuit.system().typed, circuit.system().valid]);
    Ok(text(&circuit, &written))
}

/// The tableau of a path formula as further latches: the property fails iff it accepts.
fn justice(
    circuit: &mut Encoded<'_>,
    name: &str,
    path: PathFormula,
    written: &mut Written,
) -> Result<Output, String> {
    let product = circuit.acceptor(path)?;
    let own = circuit.machine().state.len();
    for at in own..product.machine.state.len() {
        let (bit, next) = (product.machine.state[at], product.machine.next[at]);
        written.latches.push((bit, next, None, format!("{name}.guess.{}", at - own)));
        written.inputs.push((next, format!("{name}.next.{}", at - own)));
    }
    // Whatever a run does, right guesses about it exist, so this excludes no run.
    written.constraints.push(product.machine.valid);
    let graph = circuit.graph();
    let claimed = graph.input();
    let claims = graph.choose(written.started, claimed, product.goal);
    written.latches.push((claimed, claims, Some(false), format!("{name}.claimed")));
    let mut sets = vec![claims];
    sets.extend(product.kept);
    Ok(Output::Justice(name.to_owned(), sets))
}

fn text(circuit: &Encoded<'_>, written: &Written) -> String {
    let graph = &circuit.system().graph;
    let mut roots: Vec<Edge> = written.latches.iter().map(|(_, next, _, _)| *next).collect();
    roots.extend(&written.constraints);
    for output in &written.outputs {
        match output {
            Output::Bad(_, edge) => roots.push(*edge),
            Output::Justice(_, edges) => roots.extend(edges),
            Output::Not(..) => {}
        }
    }
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    numbers.insert(0, 0);
    for (edge, _) in &written.inputs {
        let next = numbers.len();
        numbers.insert(edge.node(), next);
    }
    for (edge, ..) in &written.latches {
        let next = numbers.len();
        numbers.insert(edge.node(), next);
    }
    let mut gates = Vec::new();
    for node in graph.cone(&roots) {
        if let Node::And(a, b) = graph.node(node) {
            let next = numbers.len();
            numbers.insert(node, next);
            gates.push((node, a, b));
        }
    }
    let literal = |edge: Edge| 2 * numbers[&edge.node()] + usize::from(edge.is_negated());
    let bads: Vec<(&str, Edge)> = written
        .outputs
        .iter()
        .filter_map(|output| match output {
            Output::Bad(name, edge) => Some((name.as_str(), *edge)),
            _ => None,
        })
        .collect();
    let justices: Vec<(&str, &Vec<Edge>)> = written
        .outputs
        .iter()
        .filter_map(|output| match output {
            Output::Justice(name, edges) => Some((name.as_str(), edges)),
            _ => None,
        })
        .collect();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "aag {} {} {} 0 {} {} {} {} 0",
        numbers.len() - 1,
        written.inputs.len(),
        written.latches.len(),
        gates.len(),
        bads.len(),
        written.constraints.len(),
        justices.len()
    );
    for (edge, _) in &written.inputs {
        let _ = writeln!(text, "{}", literal(*edge));
    }
    for (edge, next, reset, _) in &written.latches {
        // A latch that is its own reset value starts with any value.
        let reset = reset.map_or(literal(*edge), usize::from);
        let _ = writeln!(text, "{} {} {reset}", literal(*edge), literal(*next));
    }
    for (_, edge) in &bads {
        let _ = writeln!(text, "{}", literal(*edge));
    }
    for edge in &written.constraints {
        let _ = writeln!(text, "{}", literal(*edge));
    }
    for (_, edges) in &justices {
        let _ = writeln!(text, "{}", edges.len());
    }
    for edge in justices.iter().flat_map(|(_, edges)| edges.iter()) {
        let _ = writeln!(text, "{}", literal(*edge));
    }
    for (node, a, b) in &gates {
        let (a, b) = (literal(*a), literal(*b));
        let _ = writeln!(text, "{} {} {}", 2 * numbers[node], a.max(b), a.min(b));
    }
    let named = |text: &mut String, kind: char, names: &mut dyn Iterator<Item = &str>| {
        for (at, name) in names.enumerate() {
            let _ = writeln!(text, "{kind}{at} {name}");
        }
    };
    named(&mut text, 'i', &mut written.inputs.iter().map(|(_, name)| name.as_str()));
    named(&mut text, 'l', &mut written.latches.iter().map(|(.., name)| name.as_str()));
    named(&mut text, 'b', &mut bads.iter().map(|(name, _)| *name));
    named(&mut text, 'j', &mut justices.iter().map(|(name, _)| *name));
    let _ = writeln!(text, "c\n{}", circuit.system().encoding.model.name);
    let _ = writeln!(text, "a property holds iff its bad state is not reachable, or its justice not met");
    for output in &written.outputs {
        if let Output::Not(name, reason) = output {
            let _ = writeln!(text, "not written: {name}: {reason}");
        }
    }
    text
}
