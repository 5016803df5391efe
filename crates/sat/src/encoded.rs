//! A model and its properties as a circuit, for those who write it for other programs. Nothing is decided.

use servanda_circuit::{Edge, Graph, System};
use servanda_engine::{Halt, NoLimits, Options, Validity};
use servanda_logic::Formula;
use servanda_lower::{Arena, PathFormula, State, StateFormula};
use servanda_model::Model;

use crate::fairness::Kept;
use crate::ic3::Start;
use crate::machine::Machine;
use crate::paths::{Product, far_ahead};
use crate::sat::{Sat, SatOptions};

/// A model as a circuit in which deadlocks are continued by loops, with what formulas about it come down to.
pub struct Encoded<'m>(Sat<'m>);

fn words(halt: Halt) -> String {
    halt.to_string()
}

/// What a property asks for.
pub enum Question {
    /// No run reaches a state where this holds.
    Never(StateFormula),
    /// No path from an initial state satisfies this.
    NoPath(PathFormula),
    /// Something else.
    Other,
}

impl<'m> Encoded<'m> {
    /// Encodes a model whose properties must hold where `validity` says.
    ///
    /// # Errors
    /// Why it cannot be encoded.
    pub fn new(model: &'m Model, validity: Validity) -> Result<Self, String> {
        let options = Options { validity, ..Options::default() };
        let nothing = SatOptions { bound: Some(0), ..SatOptions::default() };
        Sat::new(model, options, nothing, &NoLimits).map(Encoded).map_err(words)
    }

    /// The model as a circuit.
    pub fn system(&self) -> &System<'m> {
        &self.0.system
    }

    /// The graph that everything is part of.
    pub fn graph(&mut self) -> &mut Graph {
        &mut self.0.system.graph
    }

    /// The transition system, with what is remembered of the past.
    pub fn machine(&self) -> &Machine {
        &self.0.machine
    }

    /// For each of the model's own bits the value that it has in all initial states, if it has one there.
    pub fn at_first(&self) -> Vec<Option<bool>> {
        Start::new(&self.0.system.graph, &self.0.base, self.0.system.initial, Edge::TRUE).fixed().to_vec()
    }

    /// The fairness constraints.
    pub fn fair(&self) -> &[Kept] {
        &self.0.fair
    }

    /// What formulas are made of.
    pub fn arena(&mut self) -> &mut Arena {
        &mut self.0.lowering.arena
    }

    /// What a property is, and what it asks for.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn question(&mut self, formula: &Formula) -> Result<(StateFormula, Question), String> {
        let sat = &mut self.0;
        let id = sat.lowering.property(formula).map_err(Halt::Invalid).map_err(words)?;
        if let Some(bad) = sat.lowering.arena.never(id) {
            return Ok((id, Question::Never(bad)));
        }
        if sat.options.validity == Validity::Reachable {
            return Ok((id, Question::Never(sat.lowering.arena.not(id))));
        }
        if let State::Not(some) = *sat.lowering.arena.state(id)
            && let State::Exists { path, .. } = *sat.lowering.arena.state(some)
        {
            return Ok((id, Question::NoPath(path)));
        }
        Ok((id, Question::Other))
    }

    /// The states where a formula about the present state alone holds.
    ///
    /// # Errors
    /// It refers to more.
    pub fn condition(&mut self, id: StateFormula) -> Result<Edge, String> {
        self.0.present_only(id, &NoLimits).map_err(words)
    }

    /// The model together with guesses about the future, which accepts the paths that satisfy a path formula over the present state.
    ///
    /// # Errors
    /// Its parts refer to more, or it remembers what lies ahead.
    pub fn acceptor(&mut self, path: PathFormula) -> Result<Product, String> {
        for part in self.0.lowering.arena.state_parts(path) {
            self.condition(part)?;
        }
        if self.0.lowering.arena.remembers_what_lies_ahead(path) {
            return Err(words(far_ahead()));
        }
        self.0.product(path, &NoLimits).map_err(words)
    }

    /// The names of the bits of a state.
    pub fn bit_names(&self) -> Vec<String> {
        self.0.bit_names()
    }
}

impl Sat<'_> {
    /// The names of the bits of a state: the variable with the number of the bit, or the commitment.
    pub(crate) fn bit_names(&self) -> Vec<String> {
        let mut names = self.system.encoding.bit_names();
        let remembered = self.machine.state.len() - names.len();
        names.extend((0..remembered).map(|number| format!("remembered.{number}")));
        names
    }
}
