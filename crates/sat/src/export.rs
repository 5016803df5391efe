//! Circuits for other programs: AIGER for hardware model checkers, SMV for NuSMV and nuXmv.
//!
//! Both are written with deadlocks continued by loops. A property that does not fit is named in a comment with the reason.

mod aiger;
mod smv;

use servanda_engine::{Halt, NoLimits, Options, Validity};
use servanda_logic::Formula;
use servanda_lower::{PathFormula, State, StateFormula};
use servanda_model::Model;

use crate::sat::{Sat, SatOptions};

pub use aiger::aiger;
pub use smv::smv;

/// The engine as far as it takes to write a model; nothing is decided.
fn prepare(model: &Model, validity: Validity) -> Result<Sat<'_>, String> {
    let options = Options { validity, ..Options::default() };
    Sat::new(model, options, SatOptions { bound: Some(0), ..SatOptions::default() }, &NoLimits).map_err(words)
}

fn words(halt: Halt) -> String {
    match halt {
        Halt::TooLarge(reason) => reason,
        Halt::Fault(fault) => fault.message.clone(),
        Halt::Invalid(diagnostics) => {
            diagnostics.first().map_or_else(String::new, |diagnostic| diagnostic.message.clone())
        }
        Halt::Stopped { stop, .. } => stop.to_string(),
    }
}

/// What a property asks for.
enum Question {
    /// No run reaches a state where this holds.
    Never(StateFormula),
    /// No path from an initial state satisfies this.
    NoPath(PathFormula),
    /// Something else.
    Other,
}

impl Sat<'_> {
    fn question(&mut self, formula: &Formula) -> Result<(StateFormula, Question), String> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid).map_err(words)?;
        if let Some(bad) = self.lowering.arena.never(id) {
            return Ok((id, Question::Never(bad)));
        }
        if self.options.validity == Validity::Reachable {
            return Ok((id, Question::Never(self.lowering.arena.not(id))));
        }
        if let State::Not(some) = *self.lowering.arena.state(id)
            && let State::Exists { path, .. } = *self.lowering.arena.state(some)
        {
            return Ok((id, Question::NoPath(path)));
        }
        Ok((id, Question::Other))
    }

    /// The names of the bits of a state: the variable with the number of the bit, or the commitment.
    pub(crate) fn bit_names(&self) -> Vec<String> {
        let model = self.system.encoding.model;
        let mut names = vec![String::new(); self.machine.state.len()];
        for (id, variable) in model.variables() {
            let bits = self.system.encoding.variable_bits(id);
            for (at, bit) in bits.iter().enumerate() {
                let machine = variable.machine.map(|machine| &model.machines[machine.index()].name);
                let name = machine.map_or(&variable.name, |name| name);
                let name = if name.is_empty() { "in" } else { name };
                names[*bit] = if bits.len() == 1 { name.to_owned() } else { format!("{name}.{at}") };
            }
        }
        for (id, promise) in model.commitments() {
            names[self.system.encoding.commitment_bit(id)] = model.show_promise(promise);
        }
        for (number, name) in names.iter_mut().skip(self.system.encoding.state.len()).enumerate() {
            *name = format!("remembered.{number}");
        }
        names
    }
}
