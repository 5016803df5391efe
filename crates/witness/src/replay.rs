//! Evidence replayed by the model alone: every state, every step, every label, every local state.
//!
//! Nothing here knows how evidence is found. What it says about formulas is the business of [`crate::recheck`].

use servanda_engine::{Deadlock, Options};
use servanda_model::{AgentId, Layout, Model, Mover, Program, StepKind};

use crate::{Because, Claim, Evidence, Path, State, build};

/// Replays evidence.
pub(crate) struct Replay<'m> {
    model: &'m Model,
    pub(crate) layout: Layout,
    deadlock: Deadlock,
    mover: Mover<'m>,
}

/// A transition: who makes it, how, and where it leads.
pub(crate) type Moved = (Option<AgentId>, StepKind, Vec<u64>);

/// What is wrong with evidence; good evidence has nothing wrong.
pub(crate) type Finding = Result<(), String>;

pub(crate) fn demand(good: bool, wrong: impl FnOnce() -> String) -> Finding {
    if good { Ok(()) } else { Err(wrong()) }
}

impl<'m> Replay<'m> {
    pub(crate) fn new(model: &'m Model, options: Options) -> Self {
        let mover = Mover::new(model);
        Replay { model, layout: mover.layout().clone(), deadlock: options.deadlock, mover }
    }

    /// Is there such a transition?
    fn leads_to(&mut self, from: &[u64], kind: &StepKind, to: &[u64]) -> Result<bool, String> {
        if let StepKind::Joint(joint) = kind {
            return Ok(self.mover.lines_to(from, joint, to).is_some());
        }
        Ok(self.moves(from)?.iter().any(|(_, other, next)| other == kind && next == to))
    }

    /// All transitions of a state, the implicit loop of a deadlock included, with who makes each where they are made one at a time.
    pub(crate) fn moves(&mut self, state: &[u64]) -> Result<Vec<Moved>, String> {
        let (model, mut found) = (self.model, Vec::new());
        let moved = self.mover.for_each(state, |cause, next| {
            let (by, kind) = build::kind(model, cause);
            found.push((by, kind, next.to_vec()));
        });
        moved.map_err(|fault| format!("a transition of a state cannot be made: {fault:?}"))?;
        if found.is_empty() && self.deadlock == Deadlock::Loop {
            found.push((None, StepKind::Stutter, state.to_vec()));
        }
        Ok(found)
    }

    /// Replays everything that evidence shows.
    pub(crate) fn evidence(&mut self, evidence: &Evidence) -> Finding {
        self.run(&evidence.start)?;
        demand(evidence.start.loop_to.is_none(), || "the start of the evidence is a loop".to_owned())?;
        self.claim(&evidence.claim, &evidence.start.states[evidence.start.last()])
    }

    fn claim(&mut self, claim: &Claim, here: &State) -> Finding {
        match &claim.because {
            Because::State | Because::Everywhere(_) | Because::NotShown(_) => Ok(()),
            Because::Parts(parts) => parts.iter().try_for_each(|part| self.claim(part, here)),
            Because::Path(evidence) => self.branch(&evidence.path, &evidence.claims, here),
            Because::Accessible(accessible) => {
                let shown = &here.view.in_force;
                demand(accessible.in_force.iter().all(|promise| shown.contains(promise)), || {
                    "a commitment that is not in force is said to be".to_owned()
                })?;
                self.branch(&accessible.evidence.path, &accessible.evidence.claims, here)
            }
            Because::CannotTell(doubt) => {
                let mut from = here;
                for step in &doubt.steps {
                    self.run(&step.run)?;
                    let to = &step.run.states[step.run.last()];
                    for agent in &step.agents {
                        demand(self.looks_the_same(*agent, from, to), || {
                            let name = &self.model.agent(*agent).name;
                            format!("{name} can tell two points that it is said not to tell")
                        })?;
                    }
                    from = to;
                }
                self.claim(&doubt.claim, from)
            }
            Because::Before(before) => {
                self.run(&before.run)?;
                let last = &before.run.states[before.run.last()];
                demand(last.packed == here.packed, || {
                    "the run through an earlier state does not come here".to_owned()
                })?;
                let earlier = before.run.states.get(before.position);
                let earlier = earlier.ok_or_else(|| "the earlier state is not on its run".to_owned())?;
                self.claim(&before.claim, earlier)
            }
            Because::Strategy(strategy) => {
                let states = strategy.choices.iter().map(|choice| &choice.state).chain(&strategy.ends);
                states.into_iter().try_for_each(|state| self.state(state))
            }
        }
    }

    fn branch(&mut self, path: &Path, claims: &[(usize, Claim)], here: &State) -> Finding {
        self.path(path)?;
        demand(path.states[0].packed == here.packed, || {
            "a path does not begin where it is said to begin".to_owned()
        })?;
        for (position, claim) in claims {
            let state = path.states.get(*position);
            self.claim(claim, state.ok_or_else(|| "a claim is about no position of its path".to_owned())?)?;
        }
        Ok(())
    }

    /// A path from an initial state.
    fn run(&mut self, path: &Path) -> Finding {
        self.path(path)?;
        demand(self.is_initial(&path.states[0].packed), || {
            format!("a run begins in a state that is not initial: {}", path.states[0].view)
        })
    }

    /// Is it an initial state?
    fn is_initial(&self, state: &[u64]) -> bool {
        let mut stack = Vec::new();
        let values = self
            .model
            .variables()
            .all(|(id, variable)| variable.initial.contains(&self.layout.variable(id).read(state)));
        let nothing_in_force =
            self.model.commitments().all(|(id, _)| self.layout.commitment(id).read(state) == 0);
        let condition = Program::new(&self.model.initial, &self.layout);
        values && nothing_in_force && condition.holds(state, &mut stack) == Ok(true)
    }

    fn looks_the_same(&self, agent: AgentId, a: &State, b: &State) -> bool {
        self.layout.sight(self.model, &[agent]).is_same(&a.packed, &b.packed)
    }

    /// Is the state shown as it is?
    fn state(&self, state: &State) -> Finding {
        demand(state.packed.len() == self.layout.words(), || "a state has the wrong size".to_owned())?;
        demand(build::state(self.model, &self.layout, &state.packed) == *state, || {
            format!("a state is shown as something else: {}", state.view)
        })
    }

    /// Every step of a path.
    fn path(&mut self, path: &Path) -> Finding {
        let steps = if path.loop_to.is_some() { path.states.len() } else { path.states.len().max(1) - 1 };
        let fits = !path.states.is_empty() && path.steps.len() == steps;
        let loops = path.loop_to.is_none_or(|at| at < path.states.len());
        demand(fits && loops, || "a path is not well formed".to_owned())?;
        path.states.iter().try_for_each(|state| self.state(state))?;
        for (at, step) in path.steps.iter().enumerate() {
            let next = if at + 1 < path.states.len() { at + 1 } else { path.loop_to.unwrap_or(at) };
            let (from, to) = (&path.states[at], &path.states[next]);
            demand(self.leads_to(&from.packed, &step.kind, &to.packed)?, || {
                format!("there is no step `{}` from ({}) to ({})", step.label, from.view, to.view)
            })?;
            demand(build::step(self.model, step.kind.clone()) == *step, || {
                format!("the step `{}` is shown as something else", step.label)
            })?;
        }
        Ok(())
    }
}
