//! `E ψ` of CTL* by a symbolic tableau.
//!
//! As in the reference engine a position is a state with a guess: one bit for every `X` and `U`, saying what is claimed of the next
//! position, and one bit for every action atom, saying whether the step that is taken matches it. The positions from which some
//! path keeps all claims and puts off no until for ever are a greatest fixpoint (Emerson and Lei).

use oxidd::{Subst, VarNo};
use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Monitor, NoLimits};
use servanda_lower::{Path, PathFormula};

use crate::diagrams::{Bdd, Operations};
use crate::relation::Part;
use crate::symbolic::Symbolic;

/// What the guesses of one path formula mean.
struct Tableau {
    /// For every claim: its bit, the bit that stands for it while it is handed to the previous position, and what is
    /// claimed.
    claims: Vec<(VarNo, VarNo, Bdd)>,
    /// For every action atom its bit.
    actions: Vec<(Path, VarNo)>,
    /// Where no until is put off, one set per until; and the fairness constraints.
    kept: Vec<Bdd>,
    /// All bits of a guess.
    guess: Bdd,
    /// From the bits that hand claims back to the bits of the claims.
    handed_back: Subst<Bdd>,
    /// The variables of the joint action.
    joint: Bdd,
}

impl Symbolic<'_> {
    /// Where `E ψ` holds. Every state formula in ψ has been evaluated.
    pub(crate) fn tableau(&mut self, psi: PathFormula, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        self.remember(psi, monitor)?;
        let mut values: FxHashMap<PathFormula, Bdd> = FxHashMap::default();
        let mut actions: Vec<(Path, VarNo)> = Vec::new();
        let mut open: Vec<(PathFormula, VarNo, VarNo)> = Vec::new();
        let goal = self.value(psi, &mut values, &mut actions, &mut open, monitor)?;
        let mut claims = Vec::new();
        let mut kept = self.fair.clone();
        for (id, bit, handed) in &open {
            let claimed = match *self.lowering.arena.path(*id) {
                Path::Next(a) => values[&a].clone(),
                _ => values[id].clone(),
            };
            claims.push((*bit, *handed, claimed));
            if let Path::Until(_, right) = *self.lowering.arena.path(*id) {
                kept.push(values[&right].either(&values[id].complement()?)?);
            }
        }
        let bits = claims.iter().map(|(bit, _, _)| *bit).chain(actions.iter().map(|(_, bit)| *bit));
        let guess = self.encoding.diagrams.cube(bits)?;
        let pairs: Vec<(VarNo, VarNo)> = claims.iter().map(|(bit, handed, _)| (*handed, *bit)).collect();
        let handed_back = self.encoding.diagrams.renaming(&pairs)?;
        let joint = self.encoding.joint_action()?;
        let tableau = Tableau { claims, actions, kept, guess, handed_back, joint };
        let live = self.live(&tableau, monitor)?;
        live.both(&goal)?.some(&tableau.guess)?.both(&self.universe)
    }

    /// The value of a path formula at a position.
    fn value(
        &mut self,
        id: PathFormula,
        values: &mut FxHashMap<PathFormula, Bdd>,
        actions: &mut Vec<(Path, VarNo)>,
        open: &mut Vec<(PathFormula, VarNo, VarNo)>,
        monitor: &dyn Monitor,
    ) -> Result<Bdd, Halt> {
        if let Some(value) = values.get(&id) {
            return Ok(value.clone());
        }
        let node = *self.lowering.arena.path(id);
        let set = match node {
            Path::State(state) => self.evaluate(state, monitor)?,
            Path::Not(a) => self.value(a, values, actions, open, monitor)?.complement()?,
            Path::And(a, b) => {
                let a = self.value(a, values, actions, open, monitor)?;
                a.both(&self.value(b, values, actions, open, monitor)?)?
            }
            Path::Or(a, b) => {
                let a = self.value(a, values, actions, open, monitor)?;
                a.either(&self.value(b, values, actions, open, monitor)?)?
            }
            Path::Does(_) | Path::Acts { .. } => {
                let bit = self.memory.action_bit(&self.encoding, actions.len());
                actions.push((node, bit));
                self.encoding.diagrams.variable(bit)?
            }
            Path::Next(a) => {
                self.value(a, values, actions, open, monitor)?;
                let (bit, handed) = self.memory.claim_bits(&self.encoding, open.len());
                open.push((id, bit, handed));
                self.encoding.diagrams.variable(bit)?
            }
            Path::Until(a, b) => {
                let a = self.value(a, values, actions, open, monitor)?;
                let b = self.value(b, values, actions, open, monitor)?;
                let (bit, handed) = self.memory.claim_bits(&self.encoding, open.len());
                open.push((id, bit, handed));
                b.either(&a.both(&self.encoding.diagrams.variable(bit)?)?)?
            }
            Path::Previous(_) => self.memory.recalled(&self.encoding, id)?,
            Path::Since(a, b) => {
                let a = self.value(a, values, actions, open, monitor)?;
                let b = self.value(b, values, actions, open, monitor)?;
                b.either(&a.both(&self.memory.recalled(&self.encoding, id)?)?)?
            }
        };
        values.insert(id, set.clone());
        Ok(set)
    }

    /// The positions from which some infinite path keeps everything.
    fn live(&mut self, tableau: &Tableau, monitor: &dyn Monitor) -> Result<Bdd, Halt> {
        let mut live = self.universe.clone();
        loop {
            self.poll(monitor)?;
            let mut again = live.clone();
            for kept in &tableau.kept {
                let mut meets = again.both(kept)?;
                loop {
                    self.poll(monitor)?;
                    let more = meets.either(&again.both(&self.position_before(tableau, &meets)?)?)?;
                    if more == meets {
                        break;
                    }
                    meets = more;
                }
                again = again.both(&self.position_before(tableau, &meets)?)?;
            }
            if tableau.kept.is_empty() {
                again = again.both(&self.position_before(tableau, &again)?)?;
            }
            if again == live {
                return Ok(live);
            }
            live = again;
        }
    }

    /// The positions that fit before some position of a set.
    fn position_before(&self, tableau: &Tableau, set: &Bdd) -> Result<Bdd, Halt> {
        let mut offered = set.clone();
        for (_, handed, claimed) in &tableau.claims {
            offered = offered.both(&self.encoding.diagrams.variable(*handed)?.same(claimed)?)?;
        }
        let offered = offered.some(&tableau.guess)?;
        let mut all = self.encoding.diagrams.falsity();
        for part in &self.parts {
            all = all.either(&self.labelled_before(tableau, part, &offered)?)?;
        }
        all.renamed(&tableau.handed_back)?.both(&self.universe)
    }

    /// The preimage under one part, with the bits of the action atoms as the part's label has them.
    fn labelled_before(&self, tableau: &Tableau, part: &Part, set: &Bdd) -> Result<Bdd, Halt> {
        if tableau.actions.is_empty() {
            return part.preimage(set);
        }
        if part.is_round() {
            let mut before = part.preimage_with_actions(set)?;
            for (atom, bit) in &tableau.actions {
                let matches = self.action_matches(*atom, part)?;
                before = before.both(&self.encoding.diagrams.variable(*bit)?.same(&matches)?)?;
            }
            return before.some(&tableau.joint);
        }
        let mut before = part.preimage(set)?;
        for (atom, bit) in &tableau.actions {
            let bit = self.encoding.diagrams.variable(*bit)?;
            let matches = !self.action_matches(*atom, part)?.is_false();
            before = if matches { before.both(&bit)? } else { before.without(&bit)? };
        }
        Ok(before)
    }

    /// Where a part's steps match an action atom: everywhere or nowhere for a labelled part, a set of joint actions
    /// for rounds, nowhere for the implicit loops of deadlocks.
    pub(crate) fn action_matches(&self, atom: Path, part: &Part) -> Result<Bdd, Halt> {
        match atom {
            Path::Does(set) => {
                let matches =
                    part.label.is_some_and(|label| self.lowering.arena.labels(set).contains(&label));
                Ok(self.encoding.diagrams.constant(matches))
            }
            Path::Acts { agent, action } if part.is_round() => {
                self.encoding.functions.takes(&mut self.encoding.algebra(&NoLimits), agent, action)
            }
            _ => Ok(self.encoding.diagrams.falsity()),
        }
    }
}
