//! `E ψ` of CTL* by a symbolic tableau.
//!
//! Positions are those of the crate `paths`: a state with one bit per elementary formula. The positions from which some path keeps
//! all claims and puts off no until for ever are a greatest fixpoint (Emerson and Lei).

use oxidd::{Subst, VarNo};
use servanda_engine::{Budget, Halt, NoLimits};
use servanda_lower::{Action, Path, PathFormula};
use servanda_paths::{Elementary, Kind, Signs};

use crate::diagrams::{Bdd, Diagrams, Operations, Watched};
use crate::fairness::{Fair, StepChoice};
use crate::relation::Part;
use crate::symbolic::{Symbolic, internal};

/// What the guesses of one path formula mean.
struct Tableau {
    /// For every claim: the set where the bit that hands it to the previous position is as the position says.
    offers: Vec<Bdd>,
    /// For every action atom its bit.
    actions: Vec<(Action, Bdd)>,
    /// The acceptance sets, and the fairness constraints.
    accepting: Vec<Fair>,
    /// All bits of a guess.
    guess: Bdd,
    /// From the bits that hand claims back to the bits of the claims.
    handed_back: Subst<Bdd>,
    /// The variables of the joint action.
    joint: Bdd,
}

/// The variables of guesses, which every formula uses again.
#[derive(Default)]
pub(crate) struct GuessVariables {
    /// For each claim its variable, and the one that stands for it while it is handed to the previous position.
    claims: Vec<(VarNo, VarNo)>,
    actions: Vec<VarNo>,
}

impl GuessVariables {
    fn claim(&mut self, diagrams: &Diagrams, index: usize) -> VarNo {
        if self.claims.len() == index {
            let pair = diagrams.add_variables(2);
            self.claims.push((pair.start, pair.start + 1));
        }
        self.claims[index].0
    }

    fn action(&mut self, diagrams: &Diagrams, index: usize) -> VarNo {
        if self.actions.len() == index {
            self.actions.push(diagrams.add_variables(1).start);
        }
        self.actions[index]
    }
}

impl Symbolic<'_> {
    /// Where `E ψ` holds. Every state formula in ψ has been evaluated.
    pub(crate) fn tableau(&mut self, psi: PathFormula, budget: &dyn Budget) -> Result<Bdd, Halt> {
        self.remember(psi, budget)?;
        let Symbolic { encoding, lowering, memory, truth, guesses, .. } = self;
        let (arena, diagrams) = (&lowering.arena, &encoding.diagrams);
        let known = |of: PathFormula| match *arena.path(of) {
            Path::State(state) => truth.get(&state).cloned(),
            _ => memory.get(&of).map(|bit| encoding.functions.state[*bit].clone()),
        };
        let (mut claims, mut actions) = (0, 0);
        let add = |_: &mut Watched<'_>, kind| match kind {
            Kind::Claim => {
                claims += 1;
                diagrams.variable(guesses.claim(diagrams, claims - 1))
            }
            Kind::Action(_) => {
                actions += 1;
                diagrams.variable(guesses.action(diagrams, actions - 1))
            }
            Kind::State | Kind::Past => Err(internal("a part of a path formula is not known")),
        };
        let algebra = &mut encoding.algebra(budget);
        let positions = Elementary::new(arena, psi, Signs::BOTH, algebra, known, add)?;
        let claims = &guesses.claims[..claims];
        let bits = claims.iter().map(|(bit, _)| bit).chain(&guesses.actions[..actions]);
        let guess = diagrams.cube(bits.copied())?;
        let pairs: Vec<(VarNo, VarNo)> = claims.iter().map(|(bit, handed)| (*handed, *bit)).collect();
        let handed_back = diagrams.renaming(&pairs)?;
        let mut offers = Vec::new();
        for ((claim, claimed), (handed, _)) in positions.claims.iter().zip(pairs) {
            offers.push(claim.signs.right(algebra, &diagrams.variable(handed)?, claimed)?);
        }
        let actions = positions.actions.into_iter().map(|(action, guess)| (action, guess.bit)).collect();
        let accepting = positions.accepting.into_iter().map(Fair::often);
        let accepting = self.fair.iter().cloned().chain(accepting).collect();
        let joint = encoding.joint_action()?;
        let tableau = Tableau { offers, actions, accepting, guess, handed_back, joint };
        let before = |this: &mut Self, set: &Bdd, taken| this.position_before(&tableau, set, taken, budget);
        let reaching = |this: &mut Self, through: &Bdd, set| {
            this.reaching(through, set, &[StepChoice::Any], before, budget)
        };
        let universe = self.universe.clone();
        let live = self.fair_paths(&universe, &tableau.accepting, (before, reaching), budget)?;
        live.both(&positions.goal)?.some(&tableau.guess)?.both(&self.universe)
    }

    /// The positions that fit before some position of a set, with a step of such a label where that is asked for.
    fn position_before(
        &self,
        tableau: &Tableau,
        set: &Bdd,
        taken: StepChoice,
        budget: &dyn Budget,
    ) -> Result<Bdd, Halt> {
        let mut offered = set.clone();
        for offer in &tableau.offers {
            offered = offered.both(offer)?;
        }
        let offered = offered.some(&tableau.guess)?;
        let mut all = self.encoding.diagrams.falsity();
        for part in self.parts_taken(taken)? {
            self.encoding.diagrams.report(budget)?;
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
                before = before.both(&bit.same(&matches)?)?;
            }
            return before.some(&tableau.joint);
        }
        let mut before = part.preimage(set)?;
        for (atom, bit) in &tableau.actions {
            let matches = !self.action_matches(*atom, part)?.is_false();
            before = if matches { before.both(bit)? } else { before.without(bit)? };
        }
        Ok(before)
    }

    /// Where a part's steps match an action atom: everywhere or nowhere for a labelled part, a set of joint actions
    /// for rounds, nowhere for the implicit loops of deadlocks.
    pub(crate) fn action_matches(&self, action: Action, part: &Part) -> Result<Bdd, Halt> {
        match action {
            Action::Does(set) => {
                let matches =
                    part.label.is_some_and(|label| self.lowering.arena.labels(set).contains(&label));
                Ok(self.encoding.diagrams.constant(matches))
            }
            Action::Acts { agent, action } if part.is_round() => {
                self.encoding.functions.takes(&mut self.encoding.algebra(&NoLimits), agent, action)
            }
            Action::Acts { .. } => Ok(self.encoding.diagrams.falsity()),
        }
    }
}
