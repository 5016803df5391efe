//! The remembered past as bits of the state.
//!
//! A `Y` or `S` whose operands look no further than the next state needs one bit: what it was a step ago. The bit is
//! false at the start and follows the run. Operands that look ahead would need a set of possible pasts; the
//! reference engine keeps one, this engine says that it does not decide them.

use oxidd::VarNo;
use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Monitor, Past};
use servanda_lower::{Path, PathFormula};

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;
use crate::relation::{Conjunct, Part};
use crate::symbolic::Symbolic;

/// The bits beyond the model's own.
#[derive(Default)]
pub(crate) struct Memory {
    /// For each past operator the bit of the state that recalls it.
    recalled: FxHashMap<PathFormula, usize>,
    /// Bits of guesses, used again by every formula.
    claims: Vec<(VarNo, VarNo)>,
    actions: Vec<VarNo>,
    /// Nothing is remembered: whoever looks at single states wants no bits that are not the model's own.
    refused: bool,
}

impl Memory {
    /// Is nothing remembered?
    pub(crate) fn is_empty(&self) -> bool {
        self.recalled.is_empty()
    }

    /// From now on formulas that would have to be remembered are not decided.
    pub(crate) fn refuse_more(&mut self) {
        self.refused = true;
    }

    /// The bits that recall the past, to quantify over.
    pub(crate) fn cube(&self, encoding: &Encoding<'_>) -> Result<Bdd, Halt> {
        encoding.diagrams.cube(self.recalled.values().map(|bit| encoding.bits[*bit].now))
    }

    /// What a past operator was a step ago.
    pub(crate) fn recalled(&self, encoding: &Encoding<'_>, id: PathFormula) -> Result<Bdd, Halt> {
        encoding.diagrams.variable(encoding.bits[self.recalled[&id]].now)
    }

    /// The bits of the `index`-th claim of a tableau.
    pub(crate) fn claim_bits(&mut self, encoding: &Encoding<'_>, index: usize) -> (VarNo, VarNo) {
        while self.claims.len() <= index {
            let pair = encoding.diagrams.add_variables(2);
            self.claims.push((pair.start, pair.start + 1));
        }
        self.claims[index]
    }

    /// The bit of the `index`-th action atom of a tableau.
    pub(crate) fn action_bit(&mut self, encoding: &Encoding<'_>, index: usize) -> VarNo {
        while self.actions.len() <= index {
            self.actions.push(encoding.diagrams.add_variables(1).start);
        }
        self.actions[index]
    }
}

impl Symbolic<'_> {
    /// Adds the bits that a path formula's past operators need.
    pub(crate) fn remember(&mut self, psi: PathFormula, monitor: &dyn Monitor) -> Result<(), Halt> {
        if self.lowering.arena.remembers_what_lies_ahead(psi) {
            return Err(looks_far_ahead());
        }
        let mut operators = self.lowering.arena.past_operators(psi);
        operators.retain(|id| !self.memory.recalled.contains_key(id));
        if operators.is_empty() {
            return Ok(());
        }
        if self.memory.refused {
            return Err(Halt::TooLarge("what a run remembers is no part of its states".to_owned()));
        }
        if self.options.past == Past::All {
            return Err(Halt::TooLarge("linear past together with `--past all`".to_owned()));
        }
        for id in &operators {
            let bit = self.encoding.add_bit()?;
            self.memory.recalled.insert(*id, bit);
        }
        let mut parts = Vec::new();
        for part in &self.parts {
            let mut more = Vec::new();
            for id in &operators {
                let held = self.present(self.lowering.arena.remembered_of(*id), part)?;
                let next =
                    self.encoding.diagrams.variable(self.encoding.bits[self.memory.recalled[id]].next)?;
                more.push(Conjunct::new(&self.encoding, next.same(&held)?));
            }
            let bits = operators.iter().map(|id| self.memory.recalled[id]);
            parts.push(part.extended(&self.encoding, more, bits)?);
        }
        self.parts = parts;
        for id in &operators {
            self.initial = self.initial.without(&self.memory.recalled(&self.encoding, *id)?)?;
        }
        let allowed = self.universe.clone();
        let reached = self.reach(&self.initial.clone(), monitor)?;
        self.points = reached.both(&allowed)?;
        self.universe = self.points.clone();
        Ok(())
    }

    /// The value of a formula of present and past at a step of a part. Its state formulas have been evaluated.
    fn present(&self, id: PathFormula, part: &Part) -> Result<Bdd, Halt> {
        match *self.lowering.arena.path(id) {
            Path::State(state) => Ok(self.truth[&state].clone()),
            Path::Not(a) => self.present(a, part)?.complement(),
            Path::And(a, b) => self.present(a, part)?.both(&self.present(b, part)?),
            Path::Or(a, b) => self.present(a, part)?.either(&self.present(b, part)?),
            Path::Next(a) => part.at_next(&self.present(a, part)?),
            Path::Previous(_) => self.memory.recalled(&self.encoding, id),
            Path::Since(a, b) => {
                let before = self.memory.recalled(&self.encoding, id)?;
                self.present(b, part)?.either(&self.present(a, part)?.both(&before)?)
            }
            atom @ (Path::Does(_) | Path::Acts { .. }) => self.action_matches(atom, part),
            Path::Until(..) => Err(looks_far_ahead()),
        }
    }
}

fn looks_far_ahead() -> Halt {
    let reason = "a past operator over a formula that looks further ahead than the next state; the reference engine decides it";
    Halt::TooLarge(reason.to_owned())
}
