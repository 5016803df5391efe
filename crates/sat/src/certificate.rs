//! Proofs that a set of states is not reachable, and their check by a solver of their own.

use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::cube::{self, Cube};
use crate::effort::Effort;
use crate::gates::Gates;
use crate::machine::Machine;

/// What no reachable state is: cubes of positions in the state, with values.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Certificate {
    /// The cubes.
    pub excluded: Vec<Vec<(usize, bool)>>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It excludes an initial state.
    Initial,
    /// A step leads from a state that it allows to one that it excludes.
    Step,
    /// It allows a state of the set.
    Bad,
}

/// The states that are in none of the cubes.
pub(crate) fn allowed(graph: &mut Graph, machine: &Machine, excluded: &[Cube]) -> Edge {
    let clauses: Vec<Edge> = excluded.iter().map(|cube| !cube::edge(graph, &machine.state, cube)).collect();
    graph.all(&clauses)
}

/// What is claimed of a machine.
pub(crate) struct Claim<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) initial: Edge,
    pub(crate) typed: Edge,
    pub(crate) bad: Edge,
}

/// Looks for a flaw with a solver that has seen nothing of how the certificate was found.
pub(crate) fn flaw(
    graph: &mut Graph,
    claim: &Claim<'_>,
    certificate: &Certificate,
    effort: &Effort<'_>,
) -> Result<Option<Flaw>, Halt> {
    let inside = allowed(graph, claim.machine, &certificate.excluded);
    let next = claim.machine.at_next(graph, inside);
    let mut gates = Gates::new(effort.budget());
    gates.require(graph, claim.typed);
    let literal = |gates: &mut Gates<'_>, edge: Edge| gates.literal(graph, edge);
    let (inside, next) = (literal(&mut gates, inside), literal(&mut gates, next));
    let starts = literal(&mut gates, claim.initial);
    let valid = literal(&mut gates, claim.machine.valid);
    let bad = literal(&mut gates, claim.bad);
    if gates.solve(&[starts, -inside], effort)? {
        return Ok(Some(Flaw::Initial));
    }
    if gates.solve(&[inside, valid, -next], effort)? {
        return Ok(Some(Flaw::Step));
    }
    if gates.solve(&[inside, bad], effort)? {
        return Ok(Some(Flaw::Bad));
    }
    Ok(None)
}
