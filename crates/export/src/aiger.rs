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
    acts: None,
};

/// Latches beyond the bits of a state: the edge, what it becomes, its reset value if it has one, and its name.
type Latch = (Edge, Edge, Option<bool>, String);

struct Written {
    inputs: Vec<(Edge, String)>,
    latches: Vec<Latch>,
    constraints: Vec<Edge>,
    /// What becomes of properties, by name: a bad state, sets of states met for ever, or why it is not written.
    bads: Vec<(String, Edge)>,
    justices: Vec<(String, Vec<Edge>)>,
    left_out: Vec<(String, String)>,
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
        bads: Vec::new(),
        justices: Vec::new(),
        left_out: Vec::new(),
        started,
    };
    for property in subject.properties {
        let name = &property.name;
        let output = circuit.question(&property.formula).and_then(|(_, question)| match question {
            Question::Never(bad) if circuit.fair().is_empty() => {
                written.bads.push((name.clone(), circuit.condition(bad)?));
                Ok(())
            }
            Question::Never(bad) => {
                let path = circuit.arena().finally(bad);
                justice(&mut circuit, name, path, &mut written)
            }
            Question::NoPath(path) => justice(&mut circuit, name, path, &mut written),
            Question::Other => Err("it is no property of all paths".to_owned()),
        });
        written.left_out.extend(output.err().map(|reason| (name.clone(), reason)));
    }
    let (names, at_first) = (circuit.bit_names(), circuit.at_first());
    for (at, name) in names.into_iter().enumerate() {
        // What is remembered is false at first; the rest is as the initial states say, which a constraint repeats where they are no cube.
        let reset = at_first.get(at).copied().unwrap_or(Some(false));
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
) -> Result<(), String> {
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
    for (number, kept) in product.kept.iter().enumerate() {
        if kept.is_demanded_everywhere() {
            sets.push(kept.met);
            continue;
        }
        // What is met again and again, or from some time on, which is guessed, no longer demanded. Who does not guess is excluded
        // from nothing.
        let (free, guess) = (graph.input(), graph.input());
        let next = graph.or(free, guess);
        written.latches.push((free, next, Some(false), format!("{name}.free.{number}")));
        written.inputs.push((guess, format!("{name}.frees.{number}")));
        let demanded = graph.and(free, kept.demanded);
        written.constraints.push(!demanded);
        sets.push(graph.or(kept.met, free));
    }
    written.justices.push((name.to_owned(), sets));
    Ok(())
}

fn text(circuit: &Encoded<'_>, written: &Written) -> String {
    let graph = &circuit.system().graph;
    let mut roots: Vec<Edge> = written.latches.iter().map(|(_, next, _, _)| *next).collect();
    roots.extend(&written.constraints);
    roots.extend(written.bads.iter().map(|(_, edge)| edge));
    roots.extend(written.justices.iter().flat_map(|(_, edges)| edges));
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    numbers.insert(0, 0);
    let inputs = written.inputs.iter().map(|(edge, _)| edge);
    for edge in inputs.chain(written.latches.iter().map(|(edge, ..)| edge)) {
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
    let mut text = String::new();
    let _ = writeln!(
        text,
        "aag {} {} {} 0 {} {} {} {} 0",
        numbers.len() - 1,
        written.inputs.len(),
        written.latches.len(),
        gates.len(),
        written.bads.len(),
        written.constraints.len(),
        written.justices.len()
    );
    for (edge, _) in &written.inputs {
        let _ = writeln!(text, "{}", literal(*edge));
    }
    for (edge, next, reset, _) in &written.latches {
        // A latch that is its own reset value starts with any value.
        let reset = reset.map_or(literal(*edge), usize::from);
        let _ = writeln!(text, "{} {} {reset}", literal(*edge), literal(*next));
    }
    for edge in written.bads.iter().map(|(_, edge)| edge).chain(&written.constraints) {
        let _ = writeln!(text, "{}", literal(*edge));
    }
    for (_, edges) in &written.justices {
        let _ = writeln!(text, "{}", edges.len());
    }
    for edge in written.justices.iter().flat_map(|(_, edges)| edges.iter()) {
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
    named(&mut text, 'b', &mut written.bads.iter().map(|(name, _)| name.as_str()));
    named(&mut text, 'j', &mut written.justices.iter().map(|(name, _)| name.as_str()));
    let _ = writeln!(text, "c\n{}", circuit.system().encoding.model.name);
    let _ = writeln!(text, "a property holds iff its bad state is not reachable, or its justice not met");
    for (name, reason) in &written.left_out {
        let _ = writeln!(text, "not written: {name}: {reason}");
    }
    text
}
