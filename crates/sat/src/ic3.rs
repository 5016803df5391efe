//! Property-directed reachability (IC3): is a set of states reachable?
//!
//! `frames[k]` are cubes that no state reached in at most `k` steps belongs to. They do not depend on the set that is asked
//! about, so every question profits from those before it. Once all that a frame excludes is excluded by its own steps
//! too, its cubes move to `invariant`, which excludes them for good. See Bradley, "SAT-based model checking without
//! unrolling"; Eén, Mishchenko and Brayton, "Efficient implementation of property directed reachability".

use std::collections::BinaryHeap;

use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::cube::{self, Cube};
use crate::effort::{Effort, internal};
use crate::gates::Gates;
use crate::machine::Machine;

/// A cube to be excluded from a frame.
#[derive(Clone, PartialEq, Eq)]
struct Obligation {
    frame: usize,
    /// Where it stands among all obligations of the question.
    number: usize,
}

impl Ord for Obligation {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // A heap gives the greatest first: the lowest frame, the newest obligation in it.
        other.frame.cmp(&self.frame).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Obligation {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A cube all of whose states have a step, with these choices, into the cube of the parent, or into the set asked about.
struct Link {
    cube: Cube,
    choices: Vec<bool>,
    parent: Option<usize>,
}

/// The answer.
pub(crate) enum Answer {
    /// No state of the set is reachable: [`Ic3::invariant`] excludes them all.
    Unreachable,
    /// The states of a run into the set.
    Reachable(Vec<Vec<bool>>),
}

/// The frames of a machine.
pub(crate) struct Ic3 {
    machine: Machine,
    initial: Edge,
    typed: Edge,
    /// For questions about frames.
    main: Gates,
    /// For enlarging states to cubes.
    lift: Gates,
    state: Vec<i32>,
    next: Vec<i32>,
    choices: Vec<i32>,
    valid: i32,
    starts: i32,
    frames: Vec<Vec<Cube>>,
    /// For each frame the literal that makes its own cubes count.
    active: Vec<i32>,
    invariant: Vec<Cube>,
}

impl Ic3 {
    pub(crate) fn new(graph: &Graph, machine: &Machine, initial: Edge, typed: Edge) -> Self {
        let mut main = Gates::new();
        main.require(graph, typed);
        let state = main.row(graph, &machine.state);
        let next = main.row(graph, &machine.next);
        let choices = main.row(graph, &machine.choices);
        let valid = main.literal(graph, machine.valid);
        let starts = main.literal(graph, initial);
        let mut lift = Gates::new();
        lift.require(graph, typed);
        Ic3 {
            machine: machine.clone(),
            initial,
            typed,
            main,
            lift,
            state,
            next,
            choices,
            valid,
            starts,
            frames: vec![Vec::new()],
            active: vec![0],
            invariant: Vec::new(),
        }
    }

    /// What no reachable state is.
    pub(crate) fn invariant(&self) -> &[Cube] {
        &self.invariant
    }

    /// Is a state of the set reachable?
    pub(crate) fn ask(&mut self, graph: &Graph, bad: Edge, effort: &Effort<'_>) -> Result<Answer, Halt> {
        let bad_literal = self.main.literal(graph, bad);
        if self.main.solve(&[self.starts, bad_literal], effort)? {
            let state = self.state.iter().map(|bit| self.main.value(*bit)).collect();
            return Ok(Answer::Reachable(vec![state]));
        }
        let mut last = 1;
        loop {
            while self.frames.len() <= last {
                self.frames.push(Vec::new());
                let active = self.main.fresh();
                self.active.push(active);
            }
            let mut links: Vec<Link> = Vec::new();
            loop {
                let mut assumptions = self.frame(last);
                assumptions.push(bad_literal);
                if !self.main.solve(&assumptions, effort)? {
                    break;
                }
                let state: Vec<bool> = self.state.iter().map(|bit| self.main.value(*bit)).collect();
                let cube = self.lift_to_set(graph, &state, bad, effort)?;
                links.push(Link { cube, choices: Vec::new(), parent: None });
                let first = Obligation { frame: last, number: links.len() - 1 };
                if let Some(run) = self.block(graph, first, last, &mut links, effort)? {
                    return self.checked(graph, run, bad);
                }
            }
            if self.propagate(last, effort)? {
                return Ok(Answer::Unreachable);
            }
            last += 1;
        }
    }

    /// The assumptions that make a frame count; frame 0 is the initial states.
    fn frame(&self, frame: usize) -> Vec<i32> {
        if frame == 0 { vec![self.starts] } else { self.active[frame..].to_vec() }
    }

    fn lift_to_set(
        &mut self,
        graph: &Graph,
        state: &[bool],
        set: Edge,
        effort: &Effort<'_>,
    ) -> Result<Cube, Halt> {
        let outside = self.lift.literal(graph, !set);
        let row = self.lift.row(graph, &self.machine.state);
        let full: Cube = state.iter().copied().enumerate().collect();
        let needed = self.lift.minimal(&[outside], &cube::literals(&row, &full), effort)?;
        Ok(cube::of_literals(&row, &needed))
    }

    /// Enlarges a state to a cube that these choices lead into another cube.
    fn lift_to_cube(
        &mut self,
        graph: &Graph,
        state: &[bool],
        choices: &[bool],
        target: &Cube,
        effort: &Effort<'_>,
    ) -> Result<Cube, Halt> {
        let lift = &mut self.lift;
        let row = lift.row(graph, &self.machine.state);
        let chosen = lift.row(graph, &self.machine.choices);
        let next = lift.row(graph, &self.machine.next);
        let valid = lift.literal(graph, self.machine.valid);
        let misses = lift.fresh();
        let mut clause = cube::clause(&next, target);
        clause.extend([-valid, -misses]);
        lift.add(&clause);
        let mut fixed: Vec<i32> =
            chosen.iter().zip(choices).map(|(own, set)| if *set { *own } else { -own }).collect();
        fixed.push(misses);
        let full: Cube = state.iter().copied().enumerate().collect();
        let needed = lift.minimal(&fixed, &cube::literals(&row, &full), effort)?;
        lift.add(&[-misses]);
        Ok(cube::of_literals(&row, &needed))
    }

    /// Does a cube contain an initial state?
    fn starts_in(&mut self, cube: &Cube, effort: &Effort<'_>) -> Result<bool, Halt> {
        let mut assumptions = vec![self.starts];
        assumptions.extend(cube::literals(&self.state, cube));
        self.main.solve(&assumptions, effort)
    }

    /// Is there a step from a frame, outside of the cube, into the cube? If not, the part of the cube that says so.
    fn entered(&mut self, cube: &Cube, frame: usize, effort: &Effort<'_>) -> Result<Option<Cube>, Halt> {
        let outside = self.main.fresh();
        let mut clause = cube::clause(&self.state, cube);
        clause.push(-outside);
        self.main.add(&clause);
        let mut assumptions = self.frame(frame);
        assumptions.extend([outside, self.valid]);
        let arrives = cube::literals(&self.next, cube);
        assumptions.extend(&arrives);
        let answer = if self.main.solve(&assumptions, effort)? {
            None
        } else {
            let needed = self.main.needed(&arrives);
            Some(cube.iter().zip(&arrives).filter(|(_, l)| needed.contains(l)).map(|(c, _)| *c).collect())
        };
        if answer.is_some() {
            // Where a step was found the assignment is still to be read.
            self.main.add(&[-outside]);
        }
        Ok(answer)
    }

    /// Excludes the cubes of all obligations, or finds a run.
    fn block(
        &mut self,
        graph: &Graph,
        first: Obligation,
        last: usize,
        links: &mut Vec<Link>,
        effort: &Effort<'_>,
    ) -> Result<Option<Vec<Vec<bool>>>, Halt> {
        let mut heap = BinaryHeap::from([first]);
        while let Some(obligation) = heap.pop() {
            let cube = links[obligation.number].cube.clone();
            if self.starts_in(&cube, effort)? {
                let state = self.state.iter().map(|bit| self.main.value(*bit)).collect();
                return self.replay(graph, state, obligation.number, links).map(Some);
            }
            match self.entered(&cube, obligation.frame - 1, effort)? {
                None => {
                    let state: Vec<bool> = self.state.iter().map(|bit| self.main.value(*bit)).collect();
                    let choices: Vec<bool> = self.choices.iter().map(|bit| self.main.value(*bit)).collect();
                    let before = self.lift_to_cube(graph, &state, &choices, &cube, effort)?;
                    links.push(Link { cube: before, choices, parent: Some(obligation.number) });
                    let number = links.len() - 1;
                    if obligation.frame == 1 {
                        return self.replay(graph, state, number, links).map(Some);
                    }
                    heap.push(Obligation { frame: obligation.frame - 1, number });
                    heap.push(obligation);
                }
                Some(core) => {
                    let (cube, frame) = self.generalise(&cube, core, obligation.frame, last, effort)?;
                    self.exclude(cube, frame);
                    if frame < last {
                        heap.push(Obligation { frame: frame + 1, number: obligation.number });
                    }
                }
            }
        }
        Ok(None)
    }

    /// A part of the cube that is not initial: the core, and as much of the cube as it takes.
    fn without_start(&mut self, cube: &Cube, core: Cube, effort: &Effort<'_>) -> Result<Cube, Halt> {
        if !self.starts_in(&core, effort)? {
            return Ok(core);
        }
        let mut core = core;
        for literal in cube {
            if core.contains(literal) {
                continue;
            }
            // The assignment found is an initial state in the core; a literal that it violates tells it from the cube.
            if self.main.value(self.state[literal.0]) != literal.1 {
                core.push(*literal);
                core.sort_unstable();
                if !self.starts_in(&core, effort)? {
                    return Ok(core);
                }
            }
        }
        Ok(cube.clone())
    }

    /// A smaller cube that a frame still excludes, and the last frame that does.
    fn generalise(
        &mut self,
        cube: &Cube,
        core: Cube,
        frame: usize,
        last: usize,
        effort: &Effort<'_>,
    ) -> Result<(Cube, usize), Halt> {
        let mut cube = self.without_start(cube, core, effort)?;
        let mut at = 0;
        let mut failures = 0;
        while at < cube.len() && failures < 24 {
            let mut fewer = cube.clone();
            fewer.remove(at);
            if self.starts_in(&fewer, effort)? {
                at += 1;
                continue;
            }
            match self.entered(&fewer, frame - 1, effort)? {
                None => {
                    at += 1;
                    failures += 1;
                }
                Some(core) => {
                    let smaller = self.without_start(&fewer, core, effort)?;
                    // What was kept before may have gone as well; start over where the cube has changed.
                    at = cube.iter().zip(&smaller).take(at).take_while(|(a, b)| a == b).count();
                    cube = smaller;
                }
            }
        }
        let mut frame = frame;
        while frame < last && self.entered(&cube, frame, effort)?.is_some() {
            frame += 1;
        }
        Ok((cube, frame))
    }

    fn exclude(&mut self, cube: Cube, frame: usize) {
        let mut clause = cube::clause(&self.state, &cube);
        clause.push(-self.active[frame]);
        self.main.add(&clause);
        self.frames[frame].push(cube);
    }

    /// Moves cubes to later frames; `true` when some frame excludes all that its steps could lead to.
    fn propagate(&mut self, last: usize, effort: &Effort<'_>) -> Result<bool, Halt> {
        for frame in 1..=last {
            // In the last frame nothing can move, but it may be closed already.
            let cubes = std::mem::take(&mut self.frames[frame]);
            let mut kept = Vec::new();
            let mut moved = Vec::new();
            for cube in cubes {
                match self.entered(&cube, frame, effort)? {
                    Some(_) => moved.push(cube),
                    None => kept.push(cube),
                }
            }
            let closed = kept.is_empty();
            if frame == last && !closed {
                kept.extend(moved);
                self.frames[frame] = kept;
                return Ok(false);
            }
            self.frames[frame] = kept;
            if frame < last {
                for cube in moved {
                    self.exclude(cube, frame + 1);
                }
            } else {
                self.frames[frame] = moved;
            }
            if closed {
                self.settle(frame);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All that is excluded from a frame on is excluded for good.
    fn settle(&mut self, frame: usize) {
        for later in frame..self.frames.len() {
            for cube in std::mem::take(&mut self.frames[later]) {
                let clause = cube::clause(&self.state, &cube);
                self.main.add(&clause);
                self.invariant.push(cube);
            }
        }
    }

    /// The states of a run from an initial state along the links.
    fn replay(
        &self,
        graph: &Graph,
        start: Vec<bool>,
        link: usize,
        links: &[Link],
    ) -> Result<Vec<Vec<bool>>, Halt> {
        let mut run = vec![start];
        let mut at = Some(link);
        while let Some(link) = at {
            let link = &links[link];
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
        let ends = run.last().is_some_and(|state| {
            self.machine.contains(graph, bad, state) && self.machine.contains(graph, self.typed, state)
        });
        if starts && ends { Ok(Answer::Reachable(run)) } else { Err(internal("a run that leads elsewhere")) }
    }
}
