//! The circuit and the frames in a solver, and what the solver is asked to look at.

use servanda_circuit::Graph;
use servanda_engine::Halt;

use crate::cdcl::Cdcl;
use crate::cube::{self, Cube};
use crate::effort::Effort;
use crate::gates::Wired;

use super::Ic3;

/// After so many literals propagated the budget is asked whether to go on.
const TICKS: u64 = 400_000;

/// What the solver looks at.
pub(super) struct Focus {
    /// By position: steps into a cube with this bit.
    bits: Vec<bool>,
    count: usize,
    /// Steps from initial states, too.
    from_start: bool,
}

impl Focus {
    pub(super) fn nothing(bits: usize) -> Self {
        Focus { bits: vec![false; bits], count: usize::MAX, from_start: false }
    }
}

impl Ic3 {
    /// Puts the gates, and what frames exclude, into a new solver.
    pub(super) fn wire(&mut self, graph: &Graph, effort: &Effort<'_>) -> Result<(), Halt> {
        self.ticks_before += self.gates.solver().ticks();
        self.gates = Wired::over(Cdcl::default());
        self.gates.define(&self.definitions);
        self.focus = Focus::nothing(self.machine.state.len());
        self.gates.require(graph, self.typed);
        self.state = self.gates.row(graph, &self.machine.state);
        self.next.clear();
        for edge in &self.machine.next {
            effort.poll()?;
            self.next.push(self.gates.literal(graph, *edge));
        }
        self.choices = self.gates.row(graph, &self.machine.choices);
        self.valid = self.gates.literal(graph, self.machine.valid);
        self.starts = self.gates.literal(graph, self.initial);
        let types = self.gates.literal(graph, self.typed);
        self.gates.solver().part_of_all(&self.state);
        self.gates.solver().part_of_all(&[types]);
        self.active = vec![self.starts];
        for frame in 1..self.frames.len() {
            self.add_switch();
            for cube in &self.frames[frame] {
                let mut clause = cube::clause(&self.state, cube);
                clause.push(-self.active[frame]);
                self.gates.add(&clause);
            }
        }
        for cube in &self.invariant {
            self.gates.add(&cube::clause(&self.state, cube));
        }
        self.added = 0;
        Ok(())
    }

    /// A literal for one more frame; whoever switches a frame on switches on the later ones.
    pub(super) fn add_switch(&mut self) {
        let active = self.gates.fresh();
        self.gates.solver().never_decide(active);
        if self.active.len() > 1 {
            self.gates.add(&[-self.active[self.active.len() - 1], active]);
        }
        self.active.push(active);
    }

    /// How much has been done.
    pub(super) fn ticks(&mut self) -> u64 {
        self.ticks_before + self.gates.solver().ticks()
    }

    pub(super) fn solve(
        &mut self,
        assumptions: &[i32],
        own: Option<&[i32]>,
        effort: &Effort<'_>,
    ) -> Result<bool, Halt> {
        effort.spend()?;
        loop {
            if let Some(answer) = self.gates.solver().solve_with(assumptions, own, TICKS) {
                return Ok(answer);
            }
            effort.poll()?;
        }
    }

    pub(super) fn values(&self, row: &[i32]) -> Vec<bool> {
        row.iter().map(|bit| self.gates.value(*bit)).collect()
    }

    /// The next questions are about these.
    pub(super) fn look_at(&mut self, literals: &[i32]) {
        self.gates.solver().focus(literals);
        self.focus = Focus::nothing(self.state.len());
    }

    /// The next questions are about steps from a frame into a cube.
    pub(super) fn look_at_steps(&mut self, cube: &Cube, frame: usize) {
        let covered = cube.iter().all(|(at, _)| self.focus.bits[*at]);
        if covered && self.focus.count <= 2 * cube.len() + 8 && (frame > 0 || self.focus.from_start) {
            return;
        }
        let mut literals: Vec<i32> = cube.iter().map(|(at, _)| self.next[*at]).collect();
        literals.push(self.valid);
        if frame == 0 {
            literals.push(self.starts);
        }
        self.gates.solver().focus(&literals);
        self.focus.from_start = frame == 0;
        self.focus.bits.fill(false);
        for (at, _) in cube {
            self.focus.bits[*at] = true;
        }
        self.focus.count = cube.len();
    }
}
