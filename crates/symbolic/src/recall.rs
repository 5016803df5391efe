//! Knowledge with perfect recall, over runs of at most so many steps (docs/formulas.md section 5).
//!
//! A run of `n` steps is a state and, for each step before it, a copy of the bits that somebody sees who is asked about. What an agent
//! does not know is one quantification over the present bits and all copies that it does not see. Formulas are evaluated level by level,
//! from the last one back; beyond it, on states. Of each the set is known where it certainly holds, and where it possibly does.

use oxidd::VarNo;
use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::{Budget, Halt, Validity, Verdict, beyond_recall};
use servanda_lower::{Ctl, Over, Relation, State, StateFormula};
use servanda_model::AgentId;

use crate::diagrams::{Bdd, Operations};
use crate::fairness::StepChoice;
use crate::symbolic::Symbolic;

/// A set for each level, and at the end one for all points beyond.
type Levels = Vec<Bdd>;

/// Where a formula certainly holds, and where it possibly does.
type Bounds = [Levels; 2];

/// The runs by their number of steps.
struct Runs {
    /// The runs of each level; at the end the points beyond.
    points: Levels,
    /// The bits that are copied.
    seen: Vec<usize>,
    /// For each step the variables of the copies of these bits.
    copies: Vec<Vec<VarNo>>,
    /// For each step "the copy is the present".
    same: Vec<Bdd>,
    bounds: FxHashMap<StateFormula, Bounds>,
}

impl Symbolic<'_> {
    /// Decides a formula that refers to knowledge, looking at runs of so many steps.
    pub(crate) fn decide_recalling(
        &mut self,
        id: StateFormula,
        steps: u32,
        budget: &dyn Budget,
    ) -> Result<Verdict, Halt> {
        if self.lowering.speaks_of_knowledge(self.lowering.fairness()) {
            return Err(not_here("fairness constraints that refer to knowledge"));
        }
        // What is remembered for formulas becomes part of the state, so these come first.
        let (mut seen, mut visited) = (Vec::new(), FxHashSet::default());
        self.prepare(id, &mut seen, &mut visited, budget)?;
        seen.sort_unstable();
        seen.dedup();
        let mut runs = self.runs(seen, steps, budget)?;
        let [certain, possible] = self.bounds(id, &mut runs, budget)?;
        let levels = match self.options.validity {
            Validity::Initial => 0..1,
            Validity::Reachable => 0..runs.points.len(),
        };
        let (mut valid, mut fails) = (true, false);
        for level in levels {
            valid &= runs.points[level].without(&certain[level])?.is_false();
            fails |= !runs.points[level].without(&possible[level])?.is_false();
        }
        Ok(match (valid, fails) {
            (true, _) => Verdict::True,
            (_, true) => Verdict::False,
            _ => Verdict::Unknown(beyond_recall(steps)),
        })
    }

    /// Evaluates what does not depend on knowledge, and collects the bits that are seen by those who know something.
    fn prepare(
        &mut self,
        id: StateFormula,
        seen: &mut Vec<usize>,
        visited: &mut FxHashSet<StateFormula>,
        budget: &dyn Budget,
    ) -> Result<(), Halt> {
        if !visited.insert(id) {
            return Ok(());
        }
        if !self.lowering.speaks_of_knowledge(&[id]) {
            return self.evaluate(id, budget).map(|_| ());
        }
        let arena = &self.lowering.arena;
        match arena.state(id) {
            State::Knows { relation: Relation::Some(agents) | Relation::Common(agents), .. } => {
                seen.extend(agents.iter().flat_map(|agent| self.encoding.functions.visible_to(&[*agent])));
            }
            State::Knows { relation: Relation::All(agents), .. } => {
                seen.extend(self.encoding.functions.visible_to(agents));
            }
            State::Exists { path, over } if *over == Over::InfinitePaths || arena.ctl(*path).is_none() => {
                return Err(not_here("path formulas over knowledge that are no operators of CTL"));
            }
            State::Committed { .. } => return Err(not_here("commitments that refer to knowledge")),
            State::SomePrevious(_) | State::SomePast(_) => {
                return Err(not_here("knowledge in the branching past"));
            }
            State::Able { .. } => return Err(not_here("strategies for knowledge")),
            _ => {}
        }
        for part in self.lowering.arena.operands(id) {
            self.prepare(part, seen, visited, budget)?;
        }
        Ok(())
    }

    /// All runs of at most so many steps.
    fn runs(&mut self, seen: Vec<usize>, steps: u32, budget: &dyn Budget) -> Result<Runs, Halt> {
        let mut runs = Runs {
            points: vec![self.initial.clone()],
            seen,
            copies: Vec::new(),
            same: Vec::new(),
            bounds: FxHashMap::default(),
        };
        let mut last = self.initial.clone();
        for step in 0..steps as usize {
            self.poll(budget)?;
            let here = step * runs.seen.len()..(step + 1) * runs.seen.len();
            let missing = here.end.saturating_sub(self.copies.len());
            self.copies.extend(self.encoding.diagrams.add_variables(missing));
            let copy = self.copies[here].to_vec();
            let mut same = self.encoding.diagrams.truth();
            for (bit, copy) in runs.seen.iter().zip(&copy) {
                let now = self.encoding.diagrams.variable(self.encoding.bits[*bit].now)?;
                same = same.both(&now.same(&self.encoding.diagrams.variable(*copy)?)?)?;
            }
            last = self.after(&last.both(&same)?, budget)?;
            runs.points.push(last.clone());
            runs.copies.push(copy);
            runs.same.push(same);
        }
        let copies = self.encoding.diagrams.cube(runs.copies.iter().flatten().copied())?;
        let first = self.after(&last.some(&copies)?, budget)?;
        runs.points.push(self.reach(&first, budget)?.both(&self.points)?);
        Ok(runs)
    }

    /// Where steps lead from points of runs.
    fn after(&self, set: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let mut all = self.encoding.diagrams.falsity();
        for part in &self.parts {
            self.encoding.diagrams.report(budget)?;
            all = all.either(&part.image(set)?)?;
        }
        all.both(&self.points)
    }

    /// The runs of a level from which a step leads into a set of the next one.
    fn step_back(&self, runs: &Runs, level: usize, next: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let before = self.before_by(next, StepChoice::Any, budget)?;
        let Some(same) = runs.same.get(level) else { return before.both(&runs.points[level]) };
        let copy = self.encoding.diagrams.cube(runs.copies[level].iter().copied())?;
        before.both_some(same, &copy)?.both(&runs.points[level])
    }

    fn bounds(&mut self, id: StateFormula, runs: &mut Runs, budget: &dyn Budget) -> Result<Bounds, Halt> {
        if let Some(bounds) = runs.bounds.get(&id) {
            return Ok(bounds.clone());
        }
        self.poll(budget)?;
        let bounds = if !self.lowering.speaks_of_knowledge(&[id]) {
            let set = self.evaluate(id, budget)?;
            let levels: Levels =
                runs.points.iter().map(|points| points.both(&set)).collect::<Result<_, _>>()?;
            [levels.clone(), levels]
        } else {
            match self.lowering.arena.state(id).clone() {
                State::Not(a) => {
                    let [certain, possible] = self.bounds(a, runs, budget)?;
                    let not = |levels: &Levels| pointwise(&runs.points, levels, Bdd::without);
                    [not(&possible)?, not(&certain)?]
                }
                State::And(a, b) => {
                    let (a, b) = (self.bounds(a, runs, budget)?, self.bounds(b, runs, budget)?);
                    [pointwise(&a[0], &b[0], Bdd::both)?, pointwise(&a[1], &b[1], Bdd::both)?]
                }
                State::Or(a, b) => {
                    let (a, b) = (self.bounds(a, runs, budget)?, self.bounds(b, runs, budget)?);
                    [pointwise(&a[0], &b[0], Bdd::either)?, pointwise(&a[1], &b[1], Bdd::either)?]
                }
                State::Exists { path, .. } => {
                    let operator = self.lowering.arena.ctl(path);
                    let operator = operator.ok_or_else(|| not_here("such path formulas"))?;
                    let (a, b) = match operator {
                        Ctl::Next(a) => (a, a),
                        Ctl::Until(a, b) | Ctl::Release(a, b) => (a, b),
                    };
                    let (a, b) = (self.bounds(a, runs, budget)?, self.bounds(b, runs, budget)?);
                    [
                        self.levels_of(operator, &a[0], &b[0], runs, budget)?,
                        self.levels_of(operator, &a[1], &b[1], runs, budget)?,
                    ]
                }
                State::Knows { relation, correct, body } => {
                    let [certain, possible] = self.bounds(body, runs, budget)?;
                    let correct = self.correct(&correct)?;
                    [
                        self.known(&relation, &correct, &certain, runs)?,
                        self.perhaps_known(&relation, &correct, &possible, runs)?,
                    ]
                }
                _ => return Err(not_here("such formulas")),
            }
        };
        runs.bounds.insert(id, bounds.clone());
        Ok(bounds)
    }

    /// An operator of CTL: its fixpoint beyond the levels, and from there back.
    fn levels_of(
        &mut self,
        operator: Ctl,
        a: &Levels,
        b: &Levels,
        runs: &Runs,
        budget: &dyn Budget,
    ) -> Result<Levels, Halt> {
        let beyond = runs.points.len() - 1;
        let (last_a, last_b) = (&a[beyond], &b[beyond]);
        let mut later = match operator {
            Ctl::Next(_) => self.before(last_a, budget)?,
            Ctl::Until(..) => self.until(last_a, last_b, budget)?,
            Ctl::Release(..) => {
                let stays = self.globally_fair(last_b, budget)?;
                stays.either(&self.until(last_b, &last_b.both(last_a)?, budget)?)?
            }
        }
        .both(&runs.points[beyond])?;
        let mut levels = vec![later.clone()];
        for level in (0..beyond).rev() {
            self.poll(budget)?;
            later = match operator {
                Ctl::Next(_) => self.step_back(runs, level, &a[level + 1], budget)?,
                Ctl::Until(..) => {
                    self.step_back(runs, level, &later, budget)?.both(&a[level])?.either(&b[level])?
                }
                Ctl::Release(..) => {
                    self.step_back(runs, level, &later, budget)?.either(&a[level])?.both(&b[level])?
                }
            };
            levels.push(later.clone());
        }
        levels.reverse();
        Ok(levels)
    }

    /// Where a body is certainly known: in each level by what is remembered, beyond by what is seen.
    fn known(&self, relation: &Relation, correct: &Bdd, body: &Levels, runs: &Runs) -> Result<Levels, Halt> {
        if *relation == Relation::Everywhere {
            return self.everywhere(correct, body, runs);
        }
        (0..runs.points.len())
            .map(|level| self.known_at(level, relation, correct, &body[level], runs))
            .collect()
    }

    /// Where a body is possibly known: beyond the levels wherever it may be true.
    fn perhaps_known(
        &self,
        relation: &Relation,
        correct: &Bdd,
        body: &Levels,
        runs: &Runs,
    ) -> Result<Levels, Halt> {
        let mut known = self.known(relation, correct, body, runs)?;
        let nobody =
            matches!(relation, Relation::Some(agents) | Relation::Common(agents) if agents.is_empty());
        if let (Some(beyond), Some(points), Some(body)) = (known.last_mut(), runs.points.last(), body.last())
            && *relation != Relation::Everywhere
            && !nobody
        {
            *beyond = points.without(&correct.without(body)?)?;
        }
        Ok(known)
    }

    fn everywhere(&self, correct: &Bdd, body: &Levels, runs: &Runs) -> Result<Levels, Halt> {
        for (points, body) in runs.points.iter().zip(body) {
            if !points.both(correct)?.without(body)?.is_false() {
                return Ok(vec![self.encoding.diagrams.falsity(); runs.points.len()]);
            }
        }
        Ok(runs.points.clone())
    }

    fn known_at(
        &self,
        level: usize,
        relation: &Relation,
        correct: &Bdd,
        body: &Bdd,
        runs: &Runs,
    ) -> Result<Bdd, Halt> {
        let points = &runs.points[level];
        let speaks = points.both(correct)?;
        let each = |agents: &[AgentId], body: &Bdd| -> Result<Bdd, Halt> {
            let doubted = speaks.without(body)?;
            let mut known = points.clone();
            for agent in agents {
                known = known.without(&doubted.some(&self.forgotten_by(&[*agent], level, runs)?)?)?;
            }
            Ok(known)
        };
        match relation {
            Relation::Everywhere => Ok(points.clone()),
            Relation::Some(agents) => each(agents, body),
            Relation::All(agents) => {
                points.without(&speaks.without(body)?.some(&self.forgotten_by(agents, level, runs)?)?)
            }
            Relation::Common(agents) => {
                let mut common = points.clone();
                loop {
                    let again = each(agents, &body.both(&common)?)?;
                    if again == common {
                        return Ok(common);
                    }
                    common = again;
                }
            }
        }
    }

    /// What none of the agents sees or has seen on the way to a level.
    fn forgotten_by(&self, agents: &[AgentId], level: usize, runs: &Runs) -> Result<Bdd, Halt> {
        let visible = self.encoding.functions.visible_to(agents);
        let hidden = self.encoding.bits.iter().enumerate().filter(|(bit, _)| !visible.contains(bit));
        let copies = runs.copies.iter().take(level).flat_map(|copy| {
            runs.seen.iter().zip(copy).filter(|(bit, _)| !visible.contains(bit)).map(|(_, copy)| *copy)
        });
        self.encoding.diagrams.cube(hidden.map(|(_, bit)| bit.now).chain(copies))
    }
}

fn pointwise(
    one: &Levels,
    other: &Levels,
    join: fn(&Bdd, &Bdd) -> Result<Bdd, Halt>,
) -> Result<Levels, Halt> {
    one.iter().zip(other).map(|(one, other)| join(one, other)).collect()
}

fn not_here(what: &str) -> Halt {
    Halt::TooLarge(format!("with `--recall` the engine bdd does not decide {what}; enumerate does more"))
}
