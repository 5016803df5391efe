//! Property-directed reachability (IC3): is a set of states reachable?
//!
//! `frames[k]` are cubes that no state reached in at most `k` steps belongs to. They do not depend on the set that is asked
//! about, so every question profits from those before it. Once all that a frame excludes is excluded by its own steps
//! too, its cubes move to `invariant`, which excludes them for good. See Bradley, "SAT-based model checking without
//! unrolling"; Eén, Mishchenko and Brayton, "Efficient implementation of property directed reachability".

mod generalise;
mod lift;
mod obligations;
mod propagate;
mod start;
mod wire;

use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::cdcl::Cdcl;
use crate::cube::{self, Cube};
use crate::definitions::Definitions;
use crate::effort::{Effort, internal};
use crate::gates::Wired;
use crate::machine::Machine;
use generalise::HARD;
use lift::Lift;
use obligations::{Link, Obligations};
use propagate::Obstacles;
pub(crate) use start::Start;
use wire::Focus;

/// After so many clauses, and some for each cube, the solver is made anew.
const STALE: usize = 500;

/// The answer.
pub(crate) enum Answer {
    /// No state of the set is reachable: [`Ic3::invariant`] excludes them all.
    Unreachable,
    /// A state of the set that is reached.
    Reachable(Vec<bool>),
}

/// Somebody who looks for a run at the same time and gets turns.
pub(crate) trait Beside {
    /// May work about as long as was worked on the frames so far; gives a state of the set that is reached.
    fn turn(&mut self, ticks: u64) -> Result<Option<Vec<bool>>, Halt>;
}

/// Nobody.
pub(crate) struct Alone;

impl Beside for Alone {
    fn turn(&mut self, _: u64) -> Result<Option<Vec<bool>>, Halt> {
        Ok(None)
    }
}

/// The frames of a machine.
pub(crate) struct Ic3 {
    machine: Machine,
    initial: Edge,
    typed: Edge,
    start: Start,
    lift: Lift,
    definitions: Definitions,
    gates: Wired<Cdcl>,
    state: Vec<i32>,
    next: Vec<i32>,
    choices: Vec<i32>,
    valid: i32,
    starts: i32,
    /// Is much tried to make cubes small?
    is_hard: bool,
    /// How many clauses have been added to the gates since they were put into the solver.
    added: usize,
    frames: Vec<Vec<Cube>>,
    /// For each frame the literal that makes its cubes and those of later frames count.
    active: Vec<i32>,
    invariant: Vec<Cube>,
    obstacles: Obstacles,
    /// By position: how often a bit was part of what was excluded, and how much the next time counts.
    activity: Vec<f64>,
    activity_step: f64,
    focus: Focus,
    /// What was done in solvers that are gone.
    ticks_before: u64,
}

impl Ic3 {
    pub(crate) fn new(
        graph: &Graph,
        machine: &Machine,
        initial: Edge,
        typed: Edge,
        effort: &Effort<'_>,
    ) -> Result<Self, Halt> {
        effort.poll()?;
        let start = Start::new(graph, machine, initial, typed);
        effort.poll()?;
        let lift = Lift::new(graph, machine);
        effort.poll()?;
        let roots: Vec<Edge> = machine.next.iter().copied().chain([machine.valid, initial, typed]).collect();
        let definitions = Definitions::new(graph, &roots, effort)?;
        let bits = machine.state.len();
        let mut ic3 = Ic3 {
            machine: machine.clone(),
            initial,
            typed,
            start,
            lift,
            definitions,
            gates: Wired::over(Cdcl::default()),
            state: Vec::new(),
            next: Vec::new(),
            choices: Vec::new(),
            valid: 0,
            starts: 0,
            is_hard: false,
            added: 0,
            frames: vec![Vec::new()],
            active: Vec::new(),
            invariant: Vec::new(),
            obstacles: Obstacles::default(),
            activity: vec![0.0; bits],
            activity_step: 1.0,
            focus: Focus::nothing(bits),
            ticks_before: 0,
        };
        ic3.wire(graph, effort)?;
        Ok(ic3)
    }

    /// What no reachable state is.
    pub(crate) fn invariant(&self) -> &[Cube] {
        &self.invariant
    }

    /// Is a state of the set reachable?
    pub(crate) fn ask(
        &mut self,
        graph: &Graph,
        bad: Edge,
        beside: &mut dyn Beside,
        effort: &Effort<'_>,
    ) -> Result<Answer, Halt> {
        let mut bad_literal = self.gates.literal(graph, bad);
        let lift = Lift::of_set(graph, &self.machine, bad);
        self.look_at(&[bad_literal, self.starts]);
        if self.solve(&[self.starts, bad_literal], None, effort)? {
            return Ok(Answer::Reachable(self.values(&self.state)));
        }
        let mut last = 1;
        let mut obligations = Obligations::default();
        loop {
            while self.frames.len() <= last {
                self.frames.push(Vec::new());
                self.add_switch();
            }
            // Clauses of cubes that have moved or become smaller are in the way.
            if self.added > STALE + 2 * self.frames.iter().map(Vec::len).sum::<usize>() {
                self.wire(graph, effort)?;
                bad_literal = self.gates.literal(graph, bad);
            }
            obligations.begin_frame();
            loop {
                match self.block(graph, &mut obligations, last, beside, effort)? {
                    Blocked::Yes => {}
                    Blocked::Run(run) => return self.checked(graph, run, bad),
                    Blocked::Elsewhere(state) => return Ok(Answer::Reachable(state)),
                }
                self.look_at(&[bad_literal]);
                if !self.solve(&[self.active[last], bad_literal], None, effort)? {
                    break;
                }
                let state = self.values(&self.state);
                let cube = lift.to_set(&state)?;
                obligations.add(last, Link { cube, choices: Vec::new(), parent: None });
            }
            if self.propagate(last, effort)? {
                return Ok(Answer::Unreachable);
            }
            if let Some(state) = beside.turn(self.ticks())? {
                return Ok(Answer::Reachable(state));
            }
            last += 1;
        }
    }

    /// An initial state in a cube, if there is one.
    fn starts_in(&mut self, cube: &Cube, effort: &Effort<'_>) -> Result<Option<Vec<bool>>, Halt> {
        if self.start.excludes(cube) {
            return Ok(None);
        }
        if let Some(state) = self.start.state_in(cube) {
            return Ok(Some(state));
        }
        self.look_at(&[self.starts]);
        let mut assumptions = vec![self.starts];
        assumptions.extend(cube::literals(&self.state, cube));
        let found = self.solve(&assumptions, None, effort)?;
        Ok(found.then(|| self.values(&self.state)))
    }

    /// Is there a step from a frame, outside of the cube, into the cube? If not, the part of the cube that says so.
    fn entered(&mut self, cube: &Cube, frame: usize, effort: &Effort<'_>) -> Result<Option<Cube>, Halt> {
        self.look_at_steps(cube, frame);
        let arrives = cube::literals(&self.next, cube);
        let mut assumptions = vec![self.active[frame], self.valid];
        assumptions.extend(&arrives);
        let outside = cube::clause(&self.state, cube);
        if self.solve(&assumptions, Some(&outside), effort)? {
            return Ok(None);
        }
        let pairs = cube.iter().zip(&arrives);
        Ok(Some(pairs.filter(|(_, literal)| self.gates.is_needed(**literal)).map(|(bit, _)| *bit).collect()))
    }

    /// Excludes the cubes of all obligations, or finds a run.
    fn block(
        &mut self,
        graph: &Graph,
        obligations: &mut Obligations,
        last: usize,
        beside: &mut dyn Beside,
        effort: &Effort<'_>,
    ) -> Result<Blocked, Halt> {
        while let Some(obligation) = obligations.next(last) {
            let cube = obligations.link(obligation.number).cube.clone();
            if self.is_excluded(&cube, obligation.frame) {
                obligations.excluded(obligation, obligation.frame, last);
                continue;
            }
            if let Some(state) = self.starts_in(&cube, effort)? {
                return self.replay(graph, state, obligation.number, obligations).map(Blocked::Run);
            }
            match self.entered(&cube, obligation.frame - 1, effort)? {
                None => {
                    let (state, choices) = (self.values(&self.state), self.values(&self.choices));
                    let before = self.lift.to_cube(&state, &choices, &cube)?;
                    let link = Link { cube: before, choices, parent: Some(obligation.number) };
                    let number = obligations.add(obligation.frame - 1, link);
                    if obligation.frame == 1 {
                        return self.replay(graph, state, number, obligations).map(Blocked::Run);
                    }
                    obligations.put_back(obligation);
                }
                Some(core) => {
                    self.is_hard = obligations.found() >= HARD;
                    let (cube, frame) = self.generalise(&cube, core, obligation.frame, last, effort)?;
                    self.exclude(cube, frame);
                    obligations.excluded(obligation, frame, last);
                    if let Some(state) = beside.turn(self.ticks())? {
                        return Ok(Blocked::Elsewhere(state));
                    }
                }
            }
        }
        Ok(Blocked::Yes)
    }

    /// The states of a run from an initial state along the links.
    fn replay(
        &self,
        graph: &Graph,
        start: Vec<bool>,
        link: usize,
        obligations: &Obligations,
    ) -> Result<Vec<Vec<bool>>, Halt> {
        let mut run = vec![start];
        let mut at = Some(link);
        while let Some(link) = at {
            let link = obligations.link(link);
            if link.parent.is_some() {
                let step = run.last().and_then(|state| self.machine.step(graph, state, &link.choices));
                run.push(step.ok_or_else(|| internal("a run that was found cannot be replayed"))?);
            }
            at = link.parent;
        }
        Ok(run)
    }

    /// A run is believed once it has been looked at: it starts where runs start and ends in the set.
    fn checked(&self, graph: &Graph, run: Vec<Vec<bool>>, bad: Edge) -> Result<Answer, Halt> {
        let starts = run.first().is_some_and(|state| self.machine.contains(graph, self.initial, state));
        match run.into_iter().last() {
            Some(end)
                if starts
                    && self.machine.contains(graph, bad, &end)
                    && self.machine.contains(graph, self.typed, &end) =>
            {
                Ok(Answer::Reachable(end))
            }
            _ => Err(internal("a run that does not reach the state that was found")),
        }
    }
}

/// What became of an obligation.
enum Blocked {
    Yes,
    Run(Vec<Vec<bool>>),
    /// Somebody else found a state of the set.
    Elsewhere(Vec<bool>),
}
