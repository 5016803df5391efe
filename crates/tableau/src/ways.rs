//! How a path formula can be met step by step, for those who look for evidence; which way is the best one is left to them.

use servanda_engine::{Budget, Halt};
use servanda_lower::{Over, PathFormula, State, StateFormula};
use servanda_paths::{Automaton, Literal, take_recurring};
use servanda_space::Step;

use crate::evaluate::Evaluation;
use crate::layers::Node;
use crate::search::{Keep, Pair, Search, Successor};

/// The ways to satisfy a path formula.
pub struct Paths {
    search: Search,
    starts: Vec<u32>,
}

/// A step from one place to the next.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Which way to meet the obligations is taken here; [`Paths::demands`] says what it demands.
    pub choice: usize,
    /// The step.
    pub step: Step,
    /// Where it leads.
    pub target: Pair,
    /// One bit for everything that must not be put off for ever, set where this step does not put it off. A loop is good
    /// when all bits are set on its way round that its places demand.
    pub kept: u64,
    /// The bits that matter to those who come to the place again and again: without them a loop through it is not good.
    pub demands: u64,
}

/// What can be done at a place.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// Nothing is demanded any more after this choice, and after this step where one is needed.
    pub done: Option<(usize, Option<Step>)>,
    /// All steps.
    pub ways: Vec<Way>,
}

impl Paths {
    /// What must hold at a place when this choice is made there.
    pub fn demands(&self, place: Pair, choice: usize) -> &[Literal] {
        &self.search.edge(place, choice).here
    }

    /// The places at which paths from a node begin.
    pub fn starts(&self, node: u32) -> impl Iterator<Item = Pair> {
        self.starts.iter().map(move |&state| Pair { node, state })
    }
}

impl Evaluation<'_> {
    /// For `SC` at a node: the path formula "accessible, and the body fails", for what is in force there.
    pub fn broken_at(&mut self, committed: StateFormula, at: Node) -> Option<PathFormula> {
        let State::Committed { debtor, creditor, limit, body } = *self.lowering.arena.state(committed) else {
            return None;
        };
        Some(self.broken((debtor, creditor), limit, (committed, body), at))
    }

    /// The ways to satisfy a path formula from a node. `owner` is the state formula that refers to such paths: the `E` over
    /// it, or the `SC` it comes from.
    pub fn paths(&mut self, owner: StateFormula, psi: PathFormula, at: Node) -> Result<Paths, Halt> {
        let over = match *self.lowering.arena.state(owner) {
            State::Exists { over, .. } => over,
            _ => self.lowering.paths_of_commitments(),
        };
        let ending = self.ending(over);
        let arena = &mut self.lowering.arena;
        if !arena.looks_back(psi) {
            let (rest, recurring) = match over {
                Over::Relation => (psi, Vec::new()),
                Over::AllPaths | Over::InfinitePaths => {
                    take_recurring(arena, psi, self.automata.least_recurring())
                }
            };
            let search = Search::for_formula(arena, rest, at.layer, ending).with_loops(&recurring, arena);
            let starts = vec![search.start];
            return Ok(Paths { search, starts });
        }
        let rank = self.rank(owner);
        let Some(remembering) = rank.checked_sub(1).and_then(|above| self.layers.get(above)) else {
            return Err(Halt::TooLarge("the past of this formula is not remembered".to_owned()));
        };
        let automaton = Automaton::remembering(remembering.remembered.clone())?;
        let mut search = Search::new(automaton, at.layer, ending);
        let guesses = self.guesses(Node { layer: rank, number: self.projected(at, rank) }).into_iter();
        let starts = guesses
            .map(|mut guess| {
                guess.formulas.push((psi, true));
                search.automaton.state(&self.lowering.arena, guess)
            })
            .collect();
        Ok(Paths { search, starts })
    }

    /// What can be done at a place to satisfy the path formula.
    pub fn ways(&mut self, paths: &mut Paths, place: Pair, budget: &dyn Budget) -> Result<Ways, Halt> {
        let mut result = Ways::default();
        let at = Node { layer: paths.search.layer, number: place.node };
        let demands = self.standing_in(&paths.search.loops, at, budget)?.demands;
        self.product_steps(&mut paths.search, place, Keep::Steps, budget, |choice, taken| {
            let Some((step, Successor { pair: target, kept }, satisfied)) = taken else {
                result.done = Some((choice, None));
                return false;
            };
            if satisfied && result.done.is_none() {
                result.done = Some((choice, Some(step)));
            }
            result.ways.push(Way { choice, step, target, kept, demands });
            true
        })?;
        // Of two ways that are as short, the one that demands less is easier to follow.
        result.ways.sort_by_key(|way| {
            let demands = paths.demands(place, way.choice).iter();
            let modal = demands.filter(|(id, _)| !self.lowering.arena.is_condition(*id)).count();
            (modal, paths.search.automaton.obligations(way.target.state).formulas.len())
        });
        Ok(result)
    }
}
