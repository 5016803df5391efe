//! What the engine knows, opened to those who look for evidence.
//!
//! A [`Guide`] serves one property. Its points are states together with all that the property remembers of the run, so whatever it
//! says of a point holds of every run that comes there. It says which formulas hold at a point, how runs go on, and how a path
//! formula can be met step by step ([`Paths`]); which way is the best one is left to the caller.

use servanda_engine::{Budget, Halt, Options};
use servanda_logic::Formula;
use servanda_lower::{Arena, Lowering, PathFormula, State, StateFormula};
use servanda_model::{AgentId, Layout, StepKind};
use servanda_paths::{Automaton, Literal, Obligations, obligations};

use crate::evaluate::Evaluation;
use crate::labels::satisfies;
use crate::search::{Ending, Search};
use servanda_space::{Lent, Step, Via};

/// A point of a run, as far as the property can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u32);

/// A way to leave a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    via: Via,
    /// Where it leads.
    pub target: Point,
}

/// The ways to satisfy a path formula.
pub struct Paths {
    search: Search,
    starts: Vec<u32>,
    ending: Ending,
}

/// A point together with what the rest of the path must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The point.
    pub point: Point,
    obligations: u32,
}

/// A step from one place to the next.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Which way to meet the obligations is taken here; [`Paths::demands`] says what it demands.
    pub choice: usize,
    /// The step.
    pub leaving: Leaving,
    /// Where it leads.
    pub target: Place,
    /// One bit for everything that must not be put off for ever, set where this step does not put it off. A loop is good
    /// when all bits are set on its way round.
    pub kept: u64,
}

/// What can be done at a place.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// Nothing is demanded any more after this choice, and after this step where one is needed.
    pub done: Option<(usize, Option<Leaving>)>,
    /// All steps.
    pub ways: Vec<Way>,
}

impl Paths {
    /// What must hold at a place when this choice is made there.
    pub fn demands(&self, place: Place, choice: usize) -> &[Literal] {
        self.search.made_edges(place.obligations).get(choice).map_or(&[], |edge| &edge.here)
    }

    /// The places at which paths from the point begin.
    pub fn starts(&self, point: Point) -> Vec<Place> {
        self.starts.iter().map(|&obligations| Place { point, obligations }).collect()
    }
}

/// What is known about the points that matter to one property.
pub struct Guide<'m> {
    evaluation: Evaluation<'m>,
    layer: usize,
    property: StateFormula,
}

impl<'m> Guide<'m> {
    /// Prepares for one ground state formula. The space is given back by [`Guide::into_space`].
    pub fn new(
        lowering: &Lowering<'m>,
        space: Lent<'m>,
        options: Options,
        formula: &Formula,
    ) -> Result<Self, Halt> {
        let mut evaluation = Evaluation::new(lowering, options)?;
        evaluation.space = space;
        let property = evaluation.lowering.property(formula).map_err(Halt::Invalid)?;
        let layer = evaluation.prepare(property)?;
        Ok(Guide { evaluation, layer, property })
    }

    /// Gives the space back, with all that has been found.
    pub fn into_space(self) -> Lent<'m> {
        self.evaluation.space
    }

    /// The property.
    pub fn property(&self) -> StateFormula {
        self.property
    }

    /// What formulas are made of.
    pub fn arena(&self) -> &Arena {
        &self.evaluation.lowering.arena
    }

    /// The number of a formula that is part of the property, if it has a meaning by itself.
    pub fn find(&mut self, formula: &Formula) -> Option<PathFormula> {
        self.evaluation.lowering.path(formula).ok()
    }

    /// How states are packed.
    pub fn layout(&self) -> &Layout {
        &self.evaluation.space.layout
    }

    /// The points at which runs begin.
    pub fn starts(&mut self, budget: &dyn Budget) -> Result<Vec<Point>, Halt> {
        let mut starts = Vec::new();
        for state in self.evaluation.space.initial() {
            if self.evaluation.is_fair(state, budget)? {
                starts.push(Point(self.evaluation.start(self.layer, state)));
            }
        }
        Ok(starts)
    }

    /// The packed state of a point.
    pub fn state(&self, point: Point) -> &[u64] {
        let state = self.evaluation.projected(self.layer, point.0, 0);
        self.evaluation.space.state(state)
    }

    /// Does a state formula hold at a point? It must be part of the property.
    pub fn holds(&mut self, id: StateFormula, point: Point, budget: &dyn Budget) -> Result<bool, Halt> {
        self.evaluation.holds(id, self.layer, point.0, budget)
    }

    /// As [`Guide::holds`] for the property itself: where the nearest answer is as good as any, it is looked for.
    pub fn holds_at_start(&mut self, point: Point, budget: &dyn Budget) -> Result<bool, Halt> {
        self.evaluation.holds_at_start(self.property, self.layer, point.0, budget)
    }

    /// Who makes a step, where steps are made by one agent at a time.
    pub fn maker(&self, leaving: Leaving) -> Option<AgentId> {
        self.evaluation.space.maker(leaving.via)
    }

    /// Does the formula depend on how a run came to a point?
    pub fn looks_back(&mut self, id: StateFormula) -> bool {
        self.evaluation.rank(id) > 0
    }

    /// The ways to leave a point, the implicit loop of a deadlock included.
    pub fn steps(&mut self, point: Point, budget: &dyn Budget) -> Result<Vec<Leaving>, Halt> {
        let mut found: Vec<Step> = Vec::new();
        self.evaluation.steps(self.layer, point.0, &mut found, budget)?;
        Ok(found.into_iter().map(|step| Leaving { via: step.via, target: Point(step.target) }).collect())
    }

    /// What a step is.
    pub fn kind(&self, leaving: Leaving) -> StepKind {
        self.evaluation.space.kind(leaving.via)
    }

    /// Does knowledge speak of the point: is it on a run that counts, with all of these behaving correctly?
    pub fn speaks(&mut self, point: Point, correct: &[AgentId], budget: &dyn Budget) -> Result<bool, Halt> {
        self.evaluation.speaks(self.layer, point.0, correct, budget)
    }

    /// For `SC` at a point: the path formula "accessible, and the body fails", for what is in force there.
    pub fn broken(&mut self, committed: StateFormula, point: Point) -> Option<PathFormula> {
        let State::Committed { debtor, creditor, limit, body } = *self.arena().state(committed) else {
            return None;
        };
        Some(self.evaluation.broken((debtor, creditor), limit, (committed, body), self.layer, point.0))
    }

    /// The ways to satisfy a path formula from a point. `owner` is the state formula that speaks of such paths: the `E` over
    /// it, or the `SC` it comes from.
    pub fn paths(&mut self, owner: StateFormula, psi: PathFormula, point: Point) -> Result<Paths, Halt> {
        let over = match *self.arena().state(owner) {
            State::Exists { over, .. } => over,
            _ => self.evaluation.lowering.paths_of_commitments(),
        };
        let ending = self.evaluation.ending(over);
        let wanted = obligations(self.arena(), psi);
        if !self.arena().looks_back(psi) {
            let mut search = Search::new(Automaton::default());
            let starts = vec![search.state(Obligations { formulas: wanted, memory: 0 })];
            return Ok(Paths { search, starts, ending });
        }
        let rank = self.evaluation.rank(owner);
        let Some(layer) = rank.checked_sub(1).and_then(|above| self.evaluation.layers.get(above)) else {
            return Err(Halt::TooLarge("the past of this formula is not remembered".to_owned()));
        };
        let mut search = Search::new(Automaton::remembering(layer.remembered.clone())?);
        let node = self.evaluation.projected(self.layer, point.0, rank);
        let guesses = self.evaluation.guesses(rank, node).into_iter();
        let starts = guesses
            .map(|mut guess| {
                guess.formulas.extend_from_slice(&wanted);
                search.state(guess)
            })
            .collect();
        Ok(Paths { search, starts, ending })
    }

    /// What can be done at a place to satisfy the path formula.
    pub fn ways(&mut self, paths: &mut Paths, place: Place, budget: &dyn Budget) -> Result<Ways, Halt> {
        let arena = &self.evaluation.lowering.arena;
        let count = paths.search.edges(arena, place.obligations)?.len();
        let steps = self.steps(place.point, budget)?;
        let unfair = self.evaluation.unfair_bits(self.layer, place.point.0, budget)?;
        let mut result = Ways::default();
        for choice in 0..count {
            let edge = paths.search.made_edges(place.obligations)[choice].clone();
            if !self.evaluation.all_hold(&edge.here, self.layer, place.point.0, budget)? {
                continue;
            }
            let satisfied = paths.ending == Ending::Anywhere && paths.search.is_satisfied(edge.next);
            if satisfied && edge.label.is_none() {
                result.done = Some((choice, None));
                return Ok(result);
            }
            for &leaving in &steps {
                let possible = edge.label.is_none_or(|number| {
                    let condition = paths.search.condition(number);
                    let arena = &self.evaluation.lowering.arena;
                    satisfies(&self.evaluation.space, leaving.via, condition, arena)
                });
                if !possible {
                    continue;
                }
                if satisfied && result.done.is_none() {
                    result.done = Some((choice, Some(leaving)));
                }
                let target = Place { point: leaving.target, obligations: edge.next };
                result.ways.push(Way { choice, leaving, target, kept: !(edge.postponed | unfair) });
            }
        }
        // Of two ways that are as short, the one that demands less is easier to follow.
        result.ways.sort_by_key(|way| {
            let demands = paths.demands(place, way.choice).iter();
            let modal = demands.filter(|(id, _)| !self.arena().is_condition(*id)).count();
            (modal, paths.search.obligations(way.target.obligations))
        });
        Ok(result)
    }
}
