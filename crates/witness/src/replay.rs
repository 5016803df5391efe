//! Evidence replayed by the model alone: every state, every step, every label, every local state.
//!
//! Nothing here knows how evidence is found. What it says about formulas is the business of [`crate::recheck`]; here they are
//! collected.

use servanda_engine::{Deadlock, Options};
use servanda_lower::{Arena, Lowering, PathFormula, State as StateNode, StateFormula};
use servanda_model::{AgentId, CommitmentId, Layout, Model, Mover, Program, StepKind};

use crate::{Because, Claim, Evidence, Path, PathEvidence, State, build};

/// Replays evidence.
pub(crate) struct Replay<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: Layout,
    deadlock: Deadlock,
    mover: Mover<'m>,
    /// What the formulas of the evidence are made of.
    pub(crate) lowering: Lowering<'m>,
    /// For the paths of commitments, what they satisfy; in the order of a walk through the evidence.
    pub(crate) broken: Vec<PathFormula>,
    /// All state formulas whose truth may be asked for.
    pub(crate) wanted: Vec<StateFormula>,
}

/// A transition: who makes it, how, and where it leads.
pub(crate) type Moved = (Option<AgentId>, StepKind, Vec<u64>);

/// What is wrong with evidence; good evidence has nothing wrong.
pub(crate) type Finding = Result<(), String>;

pub(crate) fn demand(good: bool, wrong: impl FnOnce() -> String) -> Finding {
    if good { Ok(()) } else { Err(wrong()) }
}

/// A formula without the negation before it.
pub(crate) fn strip(arena: &Arena, id: StateFormula, holds: bool) -> (StateFormula, bool) {
    match *arena.state(id) {
        StateNode::Not(inner) => (inner, !holds),
        _ => (id, holds),
    }
}

impl<'m> Replay<'m> {
    /// The lowering has the evidence's formulas.
    pub(crate) fn new(lowering: Lowering<'m>, options: Options) -> Self {
        let mover = Mover::new(lowering.model);
        let (model, layout, deadlock) = (lowering.model, mover.layout().clone(), options.deadlock);
        Replay { model, layout, deadlock, mover, lowering, broken: Vec::new(), wanted: Vec::new() }
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

    /// Replays everything that evidence shows; `property` is the property as the checker itself reads it.
    pub(crate) fn evidence(&mut self, evidence: &Evidence, property: StateFormula) -> Finding {
        self.run(&evidence.start)?;
        demand(evidence.start.loop_to.is_none(), || "the start of the evidence is a loop".to_owned())?;
        self.claim(&evidence.claim, &evidence.start.states[evidence.start.last()])?;
        demand(evidence.claim.formula == property, || "the evidence is about another formula".to_owned())?;
        self.wanted.sort_unstable();
        self.wanted.dedup();
        Ok(())
    }

    fn claim(&mut self, claim: &Claim, here: &State) -> Finding {
        let known = self.lowering.arena.has_state(claim.formula);
        demand(known, || "a claim is about an unknown formula".to_owned())?;
        self.wanted.push(claim.formula);
        match &claim.because {
            Because::State | Because::Everywhere(_) | Because::NotShown(_) => Ok(()),
            Because::Parts(parts) => parts.iter().try_for_each(|part| self.claim(part, here)),
            Because::Path(evidence) => self.branch(evidence, evidence.formula, here),
            Because::Accessible(accessible) => {
                let shown = &here.view.in_force;
                demand(accessible.in_force.iter().all(|promise| shown.contains(promise)), || {
                    "a commitment that is not in force is said to be".to_owned()
                })?;
                let psi = self.broken(claim.formula, &here.packed)?;
                self.broken.push(psi);
                self.branch(&accessible.evidence, psi, here)
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
                let (inner, _) = strip(&self.lowering.arena, claim.formula, true);
                if let StateNode::Able { goal, .. } = self.lowering.arena.state(inner) {
                    self.wanted.extend(goal.parts());
                }
                let states = strategy.choices.iter().map(|choice| &choice.state).chain(&strategy.ends);
                states.into_iter().try_for_each(|state| self.state(state))
            }
        }
    }

    fn branch(&mut self, evidence: &PathEvidence, psi: PathFormula, here: &State) -> Finding {
        let path = &evidence.path;
        self.path(path)?;
        demand(path.states[0].packed == here.packed, || {
            "a path does not begin where it is said to begin".to_owned()
        })?;
        demand(self.lowering.arena.has_path(psi), || "a path shows an unknown formula".to_owned())?;
        self.wanted.extend(self.lowering.arena.state_parts(psi));
        for (position, claim) in &evidence.claims {
            let state = path.states.get(*position);
            self.claim(claim, state.ok_or_else(|| "a claim is about no position of its path".to_owned())?)?;
        }
        Ok(())
    }

    /// For an `SC` in a state: "the path is accessible, and the body fails" (docs/formulas.md section 4).
    fn broken(&mut self, committed: StateFormula, here: &[u64]) -> Result<PathFormula, String> {
        let lowering = &mut self.lowering;
        let (inner, _) = strip(&lowering.arena, committed, true);
        let StateNode::Committed { debtor, creditor, limit, body } = *lowering.arena.state(inner) else {
            return Err("an accessible path is shown for what is no commitment".to_owned());
        };
        let mut all = lowering.access(debtor, creditor);
        let pair = (debtor, creditor);
        let of_pair = self.model.commitments().filter(|(_, p)| (p.debtor, p.creditor) == pair);
        let in_force: Vec<CommitmentId> = of_pair
            .map(|(id, _)| id)
            .filter(|id| limit.is_none_or(|limit| lowering.depth(*id) < limit))
            .filter(|id| self.layout.commitment(*id).read(here) == 1)
            .collect();
        for id in in_force {
            let content = lowering.content(id);
            all = lowering.arena.and(all, content);
        }
        let fails = lowering.arena.not(body);
        Ok(lowering.arena.and(all, fails))
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
