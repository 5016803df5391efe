//! What the search for evidence asks of an engine.
//!
//! There are two answers: [`crate::on_the_fly`] visits states one by one, nearest first; [`crate::diagrams`] knows sets of states and
//! visits only those that it shows. Both find shortest paths. What is shown of them is decided by [`crate::explain`].

use std::fmt::Debug;
use std::hash::Hash;

use servanda_engine::Halt;
use servanda_logic::Formula;
use servanda_lower::{Arena, PathFormula, Relation, StateFormula};
use servanda_model::{AgentId, Layout, StepKind};
use servanda_paths::Literal;

/// A path through points, with what must hold at each where that matters.
#[derive(Clone, Debug)]
pub(crate) struct Trail<P, S = StepKind> {
    pub(crate) points: Vec<P>,
    pub(crate) steps: Vec<S>,
    pub(crate) loop_to: Option<usize>,
    pub(crate) demands: Vec<Vec<Literal>>,
}

impl<P, S> Default for Trail<P, S> {
    fn default() -> Self {
        Trail { points: Vec::new(), steps: Vec::new(), loop_to: None, demands: Vec::new() }
    }
}

impl<P: Eq, S: Eq> Trail<P, S> {
    /// Goes on with another trail.
    pub(crate) fn append(&mut self, mut more: Self) {
        self.points.append(&mut more.points);
        self.steps.append(&mut more.steps);
        self.demands.append(&mut more.demands);
    }

    /// The same infinite path in fewer positions. Places tell apart what must still be satisfied; the points and steps may repeat
    /// earlier and more often than the places do.
    pub(crate) fn tighten(&mut self) {
        let Some(mut begin) = self.loop_to else { return };
        // Once round the loop may be several times round a shorter one.
        let length = self.points.len() - begin;
        let repeats = |period: usize| {
            let same = |at: usize| self.is_alike(at, at - period);
            length.is_multiple_of(period) && (begin + period..self.points.len()).all(same)
        };
        if let Some(period) = (1..length).find(|period| repeats(*period)) {
            for at in (begin + period..self.points.len()).rev() {
                self.drop_last(at - period);
            }
        }
        // The way into the loop may be the end of the loop.
        while let Some(before) = begin.checked_sub(1) {
            let last = self.points.len() - 1;
            if !self.is_alike(before, last) {
                break;
            }
            self.drop_last(before);
            begin = before;
        }
        self.loop_to = Some(begin);
    }

    /// Is the same step made from the same point at both positions? Where it leads is seen at the positions that follow.
    fn is_alike(&self, one: usize, other: usize) -> bool {
        self.points[one] == self.points[other] && self.steps[one] == self.steps[other]
    }

    /// Takes the last position away, which is the same point as another one; what must hold there must hold at that one.
    fn drop_last(&mut self, same: usize) {
        self.points.pop();
        self.steps.pop();
        for literal in self.demands.pop().unwrap_or_default() {
            if !self.demands[same].contains(&literal) {
                self.demands[same].push(literal);
            }
        }
    }
}

/// A way to leave a point.
#[derive(Clone, Debug)]
pub(crate) struct Departure<P> {
    /// Who makes the step, where steps are made by one agent at a time.
    pub(crate) by: Option<AgentId>,
    pub(crate) kind: StepKind,
    pub(crate) target: P,
}

/// A run through an earlier point, and the position of that point on it.
pub(crate) type Earlier<P> = (Trail<P>, usize);

/// Points that are taken for each other, step by step: who cannot tell, and the other point.
pub(crate) type Steps<P> = Vec<(Vec<AgentId>, P)>;

/// For the agents of a modality, those who see together; each group sees for itself.
pub(crate) fn groups(relation: &Relation) -> Vec<Vec<AgentId>> {
    match relation {
        Relation::Everywhere => vec![vec![]],
        Relation::All(agents) => vec![agents.clone()],
        Relation::Some(agents) | Relation::Common(agents) => {
            agents.iter().map(|agent| vec![*agent]).collect()
        }
    }
}

/// Somebody who knows a model, one property of it, and the points that matter to that property.
pub(crate) trait Scout {
    /// A state with all that the property remembers of the run to it.
    type Point: Copy + Eq + Hash + Ord + Debug;

    /// May the search go on? Asked where it is long.
    fn go_on(&self) -> Result<(), Halt>;

    /// The property.
    fn property(&self) -> StateFormula;

    /// What formulas are made of.
    fn arena(&self) -> &Arena;

    /// The number of a formula that is part of the property, if it has a meaning by itself.
    fn find(&mut self, formula: &Formula) -> Option<PathFormula>;

    /// How states are packed.
    fn layout(&self) -> &Layout;

    /// The packed state of a point.
    fn state(&self, point: Self::Point) -> &[u64];

    /// Does a state formula hold at a point? It must be part of the property.
    fn holds(&mut self, id: StateFormula, point: Self::Point) -> Result<bool, Halt>;

    /// Does the formula depend on how a run came to a point?
    fn looks_back(&mut self, id: StateFormula) -> bool;

    /// A point where runs begin, and whether the property holds there. Where the property is false it is a point where it fails, if
    /// there is one.
    fn start(&mut self, verdict: bool) -> Result<Option<(Self::Point, bool)>, Halt>;

    /// The nearest point of all runs at which the property fails.
    fn failing(&mut self) -> Result<Option<Self::Point>, Halt>;

    /// A shortest run to a point that this scout has named before.
    fn run(&mut self, point: Self::Point) -> Result<Trail<Self::Point>, Halt>;

    /// For `SC` at a point: the path formula "accessible, and the body fails", for what is in force there.
    fn broken(&mut self, committed: StateFormula, point: Self::Point) -> Option<PathFormula>;

    /// A shortest path that satisfies a path formula; `None` where there is none. `owner` is the state formula that refers to such
    /// paths: the `E` over it, or the `SC` it comes from.
    fn trail(
        &mut self,
        owner: StateFormula,
        psi: PathFormula,
        point: Self::Point,
    ) -> Result<Option<Trail<Self::Point>>, Halt>;

    /// The nearest point that is not told from this one and where the body fails; the steps to it are several for common knowledge
    /// alone.
    fn doubt(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: StateFormula,
        point: Self::Point,
    ) -> Result<Option<Steps<Self::Point>>, Halt>;

    /// A run to the point through an earlier state where a formula holds, and the position of that state: a predecessor, or the nearest
    /// to the point.
    fn before(
        &mut self,
        one_step: bool,
        a: StateFormula,
        point: Self::Point,
    ) -> Result<Option<Earlier<Self::Point>>, Halt>;

    /// The ways to leave a point, the implicit loop of a deadlock included.
    fn moves(&mut self, point: Self::Point) -> Result<Vec<Departure<Self::Point>>, Halt>;
}
