//! `E ψ` of CTL* by a tableau.
//!
//! Positions are those of the crate `paths`: a state with one bit per elementary formula. The guesses of the next position are choices
//! of the step, so that the product is a machine like any other. Guesses claim no more than they must ([`Signs::POSITIVE`]): cubes
//! profit, since most of their guesses are dropped.

use servanda_circuit::{Edge, Graph};
use servanda_engine::{Budget, Halt, Past};
use servanda_lower::{Path, PathFormula, StateFormula};
use servanda_paths::{Elementary, Guess, Signs};

use crate::Technique;
use crate::backward;
use crate::effort::Effort;
use crate::fairness::Kept;
use crate::machine::Machine;
use crate::memory::matches;
use crate::project::some;
use crate::sat::Sat;

/// A machine with guesses, and what they mean.
pub struct Product {
    /// The machine, guesses included.
    pub machine: Machine,
    /// Where the path formula is claimed.
    pub goal: Edge,
    /// No until is put off for ever, one for each; and the fairness constraints.
    pub kept: Vec<Kept>,
    /// Where nothing is claimed of what comes: any path may follow.
    pub(crate) ends: Edge,
    /// Within a bound: state formulas that are guessed like the future, how they occur, and the guess.
    pub(crate) nested: Vec<(StateFormula, Signs, Edge)>,
}

impl Sat<'_> {
    /// Where `E ψ` holds. Every state formula in ψ has been evaluated.
    pub(crate) fn tableau(&mut self, psi: PathFormula, budget: &dyn Budget) -> Result<Edge, Halt> {
        if self.lowering.arena.remembers_what_lies_ahead(psi) {
            return Err(far_ahead());
        }
        self.tableau_at_start(psi, budget)
    }

    /// Where `E ψ` holds; right in initial states, and everywhere if ψ does not remember what lies further ahead than the next
    /// state.
    pub(crate) fn tableau_at_start(&mut self, psi: PathFormula, budget: &dyn Budget) -> Result<Edge, Halt> {
        let product = self.product(psi, budget)?;
        self.note(Technique::Tableau);
        self.narrow(budget)?;
        let care = self.care();
        let effort = Effort::new(budget, &self.calls);
        let graph = &mut self.system.graph;
        let live = backward::globally(graph, &product.machine, self.universe, &product.kept, care, &effort)?;
        let start = graph.and(live, product.goal);
        some(graph, start, &self.machine.state, care, &effort)
    }

    /// The machine whose fair paths from the goal are the paths that satisfy ψ.
    ///
    /// Where ψ remembers what lies ahead, guesses are remembered, so that its past cannot be part of the model's state: then the goal is
    /// that there is no past, and the machine is right about initial states alone.
    pub(crate) fn product(&mut self, psi: PathFormula, budget: &dyn Budget) -> Result<Product, Halt> {
        let alone = self.lowering.arena.remembers_what_lies_ahead(psi);
        if !alone {
            self.remember(psi)?;
        } else if self.options.past == Past::All {
            return Err(far_ahead());
        }
        for part in self.lowering.arena.state_parts(psi) {
            // Within a bound everything else is guessed, and has witnesses of its own.
            if self.choices.bound.is_none() || self.lowering.arena.is_condition(part) {
                self.evaluate(part, budget)?;
            }
        }
        let arena = &self.lowering.arena;
        let known = |of: PathFormula| match *arena.path(of) {
            Path::State(state) => self.truth.get(&state).copied(),
            _ => self.memory.get(&of).copied(),
        };
        let add = |graph: &mut Graph, _| Ok(graph.input());
        let (graph, labelling) = self.system.labelling();
        let positions = Elementary::new(arena, psi, Signs::POSITIVE, graph, known, add)?;
        let Elementary { mut goal, claims, actions, states, past, accepting, ends } = positions;
        let mut machine = self.machine.clone();
        let claimed = claims.iter().map(|(guess, _)| guess);
        for guess in actions.iter().map(|(_, guess)| guess).chain(claimed).chain(&states) {
            let next = graph.input();
            machine.state.push(guess.bit);
            machine.next.push(next);
            machine.choices.push(next);
        }
        for (bit, held) in past {
            machine.state.push(bit);
            machine.next.push(held);
            goal = graph.without(goal, bit);
        }
        for (action, Guess { signs, bit, .. }) in &actions {
            let matches = matches(&labelling, graph, arena, *action)?;
            let right = signs.right(graph, bit, &matches)?;
            machine.valid = graph.and(machine.valid, right);
        }
        for (Guess { signs, bit, .. }, claimed) in &claims {
            let next = machine.at_next(graph, *claimed);
            let right = signs.right(graph, bit, &next)?;
            machine.valid = graph.and(machine.valid, right);
        }
        let kept = self.fair.iter().copied().chain(accepting.into_iter().map(Kept::often)).collect();
        let nested =
            states.iter().filter_map(|guess| Some((arena.as_state(guess.of)?, guess.signs, guess.bit)));
        let nested = nested.collect();
        Ok(Product { machine, goal, kept, ends, nested })
    }
}

/// Why a formula that remembers what lies ahead is not decided here.
pub(crate) fn far_ahead() -> Halt {
    Halt::TooLarge(
        "a past operator over a formula that looks further ahead than the next state, elsewhere than in the initial states; \
         the reference engine decides it"
            .to_owned(),
    )
}
