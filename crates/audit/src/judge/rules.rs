//! The automaton of a path formula and its negation at the points of runs.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Progress};
use servanda_enumerate::Points;
use servanda_graph::Demanding;
use servanda_lower::{Action, Arena, PathFormula, State, StateFormula};
use servanda_paths::{Automaton, Obligations, obligations};

/// The bits of untils that are put off; those above are for fairness.
pub(super) const UNTILS: u64 = (1 << FIRST_FAIR) - 1;
/// The first bit of fairness.
pub(super) const FIRST_FAIR: usize = 48;

/// One way to go on from a state of the automaton.
struct Way {
    /// What must hold at the point: the number of a state formula, and whether it must hold.
    here: Box<[(usize, bool)]>,
    /// Which labels it admits, the last for no label; none: all.
    admits: Option<Rc<[bool]>>,
    next: u32,
    postponed: u64,
}

impl Way {
    fn admits(&self, label: Option<u32>) -> bool {
        self.admits
            .as_ref()
            .is_none_or(|admits| admits[label.map_or(admits.len() - 1, |label| label as usize)])
    }
}

/// A step of the automaton along a step of a run.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) label: Option<u32>,
    pub(super) point: u32,
    pub(super) state: u32,
    /// What it keeps: untils that are not put off, and fairness constraints.
    pub(super) kept: u64,
}

/// The rules for one path formula. Both signs of it are states of one automaton.
pub(super) struct Rules<'a> {
    pub(super) points: &'a Points,
    arena: &'a Arena,
    formula: PathFormula,
    negation: PathFormula,
    automaton: Automaton,
    ways: Vec<Option<Rc<[Way]>>>,
    /// By number, where a state formula holds.
    holds: Vec<&'a [bool]>,
    numbers: FxHashMap<StateFormula, usize>,
    /// By condition, the labels that meet it; the last is for no label.
    conditions: FxHashMap<u32, Rc<[bool]>>,
    labels: usize,
    /// By point, the number of the formulas that hold there.
    classes: Vec<u32>,
    rests: FxHashMap<(u32, u32), bool>,
    /// Does the formula look back?
    pub(super) looks_back: bool,
    budget: &'a dyn Budget,
}

impl<'a> Rules<'a> {
    /// The rules for a formula, with its negation, whose state formulas have been decided at the points.
    pub(super) fn new(
        arena: &'a Arena,
        (formula, negation): (PathFormula, PathFormula),
        points: &'a Points,
        labels: usize,
        budget: &'a dyn Budget,
    ) -> Result<Self, Halt> {
        if points.constraints() > 64 - FIRST_FAIR {
            return Err(Halt::TooLarge(format!("more than {} fairness constraints", 64 - FIRST_FAIR)));
        }
        let automaton = Automaton::remembering(arena.past_operators(formula))?;
        let (mut holds, mut numbers) = (Vec::new(), FxHashMap::default());
        for part in arena.state_parts_of(&[formula, negation]) {
            if let Some(set) = points.holds(part) {
                numbers.insert(part, holds.len());
                holds.push(set);
            }
        }
        let mut classes = FxHashMap::default();
        let class = |point: usize| {
            let fresh = classes.len() as u32;
            let here: Vec<bool> = holds.iter().map(|set: &&[bool]| set[point]).collect();
            *classes.entry(here).or_insert(fresh)
        };
        let classes = (0..points.len()).map(class).collect();
        let looks_back = arena.looks_back(formula);
        Ok(Rules {
            points,
            arena,
            formula,
            negation,
            automaton,
            ways: Vec::new(),
            holds,
            numbers,
            conditions: FxHashMap::default(),
            labels,
            classes,
            rests: FxHashMap::default(),
            looks_back,
            budget,
        })
    }

    /// The state that demands nothing, at the beginning of a run.
    pub(super) fn nothing(&mut self) -> u32 {
        self.automaton.state(self.arena, Obligations::default())
    }

    /// A state that demands in addition that the formula holds from here on, or fails.
    pub(super) fn demanding(&mut self, state: u32, holds: bool) -> u32 {
        let Obligations { mut formulas, memory } = self.automaton.obligations(state).clone();
        formulas.extend(obligations(self.arena, if holds { self.formula } else { self.negation }));
        self.automaton.state(self.arena, Obligations { formulas, memory })
    }

    /// All moves from a point and a state.
    pub(super) fn moves(&mut self, point: u32, state: u32, found: &mut Vec<Move>) -> Result<(), Halt> {
        found.clear();
        let ways = self.ways(state)?;
        let points = self.points;
        for way in ways.iter().filter(|way| self.holds_here(way, point)) {
            for (label, target) in points.steps(point as usize) {
                if way.admits(label) {
                    let met = |constraint: &usize| points.is_met(*constraint, point as usize, label);
                    let fair = (0..points.constraints()).filter(met);
                    let fair = fair.fold(0, |all, constraint| all | 1 << (FIRST_FAIR + constraint));
                    let kept = !way.postponed & UNTILS | fair;
                    found.push(Move { label, point: target as u32, state: way.next, kept });
                }
            }
        }
        Ok(())
    }

    /// What must be kept by those who pass a point again and again.
    pub(super) fn demands(&self, point: u32) -> u64 {
        let demanded = |constraint: &usize| self.points.demands(*constraint, point as usize);
        let fair = (0..self.points.constraints()).filter(demanded);
        fair.fold(UNTILS, |all, constraint| all | 1 << (FIRST_FAIR + constraint))
    }

    /// Is it fair to stand still at a point for ever?
    pub(super) fn rests_fairly(&self, point: u32) -> bool {
        let point = point as usize;
        let kept = |constraint| {
            !self.points.demands(constraint, point) || self.points.is_met(constraint, point, None)
        };
        (0..self.points.constraints()).all(kept)
    }

    /// Are the obligations of a state met where the run stands still at a point for ever? What holds at the point decides.
    pub(super) fn rests(&mut self, point: u32, state: u32) -> Result<bool, Halt> {
        let class = self.classes[point as usize];
        if let Some(&known) = self.rests.get(&(class, state)) {
            return Ok(known);
        }
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::from_iter([(state, 0)]);
        let mut found = vec![state];
        let mut loops = Demanding::default();
        while let Some(&here) = found.get(loops.steps.len()) {
            let ways = self.ways(here)?;
            let mut steps = Vec::new();
            for way in ways.iter().filter(|way| self.holds_here(way, point)) {
                if way.admits(None) {
                    let fresh = found.len();
                    let number = *numbers.entry(way.next).or_insert(fresh);
                    if number == fresh {
                        found.push(way.next);
                    }
                    steps.push((number, !way.postponed & UNTILS));
                }
            }
            loops.steps.push(steps);
            loops.demands.push(UNTILS);
        }
        let rests = loops.has_fair_part(|| Ok::<(), Halt>(()))?;
        self.rests.insert((class, state), rests);
        Ok(rests)
    }

    fn holds_here(&self, way: &Way, point: u32) -> bool {
        way.here.iter().all(|(number, wanted)| self.holds[*number][point as usize] == *wanted)
    }

    /// The labels that meet a condition; the last is for no label.
    fn meeting(&mut self, condition: u32) -> Rc<[bool]> {
        let Rules { arena, automaton, conditions, labels, .. } = self;
        let meeting = conditions.entry(condition).or_insert_with(|| {
            let mut meets = vec![true; *labels + 1];
            for (action, wanted) in automaton.condition(condition) {
                let mut done = vec![false; *labels + 1];
                if let Action::Does(set) = action {
                    arena.labels(*set).iter().for_each(|label| done[label.index()] = true);
                }
                meets.iter_mut().zip(done).for_each(|(meets, done)| *meets &= done == *wanted);
            }
            meets.into()
        });
        meeting.clone()
    }

    fn ways(&mut self, state: u32) -> Result<Rc<[Way]>, Halt> {
        let at = state as usize;
        if self.ways.len() <= at {
            self.ways.resize_with(at + 1, || None);
        }
        if let Some(known) = &self.ways[at] {
            return Ok(known.clone());
        }
        self.automaton.make_edges(self.arena, state, self.budget)?;
        let mut ways = Vec::new();
        for edge in self.automaton.made_edges(state).to_vec() {
            let here: Option<Box<[(usize, bool)]>> =
                edge.here.iter().map(|(formula, wanted)| self.number(*formula, *wanted)).collect();
            let Some(here) = here else {
                return Err(Halt::TooLarge("a part of the formula has not been decided".to_owned()));
            };
            let admits = edge.label.map(|condition| self.meeting(condition));
            ways.push(Way { here, admits, next: edge.next, postponed: edge.postponed });
        }
        let ways: Rc<[Way]> = ways.into();
        self.ways[at] = Some(ways.clone());
        Ok(ways)
    }

    /// The number of a state formula that must hold, or fail.
    fn number(&self, formula: StateFormula, wanted: bool) -> Option<(usize, bool)> {
        match (self.numbers.get(&formula), self.arena.state(formula)) {
            (Some(number), _) => Some((*number, wanted)),
            (None, State::Not(inner)) => self.numbers.get(inner).map(|number| (*number, !wanted)),
            _ => None,
        }
    }
}

/// Asks the budget from time to time.
pub(super) fn asked(count: usize, budget: &dyn Budget) -> Result<(), Halt> {
    Progress::nodes(count + 1, 1 << 12, budget)
}
