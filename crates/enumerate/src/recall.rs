//! Knowledge with perfect recall, over runs of at most so many steps (docs/formulas.md section 5).
//!
//! What does not depend on knowledge is evaluated as ever. Then the graph is unrolled ([`crate::unroll`]), and of every other formula two
//! sets are computed: where it certainly holds, and where it possibly does. In the unrolled levels both are the same but for what lies
//! beyond them. There an agent certainly knows what holds at all points that look the same now, since whoever remembers can tell more
//! points apart; and it possibly knows whatever may be true.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::{PROMISED_KNOWLEDGE, Validity, Verdict, beyond_recall};
use servanda_lower::{Arena, CoreFormula, Path, PathFormula, Relation, State, StateFormula};
use servanda_model::AgentId;

use crate::Halt;
use crate::evaluate::Evaluation;
use crate::unroll::unroll;

/// A formula that holds where another one certainly does, and one that holds where it possibly does.
type Bounds = [StateFormula; 2];
const CERTAIN: usize = 0;
const POSSIBLE: usize = 1;

/// What knowledge rests on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// What agents see.
    Now,
    /// What they remember; beyond the levels at least what they see.
    Certain,
    /// What they remember; beyond the levels at most what is true.
    Possible,
}

/// Who cannot tell what from what on an unrolled graph.
#[derive(Default)]
pub(crate) struct Recall {
    /// For each group that looks together, the class of each node.
    classes: FxHashMap<Vec<AgentId>, Vec<u32>>,
    /// Does a node lie beyond the levels?
    beyond: Vec<bool>,
    bounds: FxHashMap<StateFormula, Bounds>,
    /// How many sets have been given a name.
    sets: usize,
    /// What could not be evaluated with recall.
    obstacle: Option<&'static str>,
}

/// What has to be known before the graph is unrolled.
#[derive(Default)]
struct Needs {
    observers: Vec<Vec<AgentId>>,
    looks_back: bool,
    seen: FxHashSet<StateFormula>,
}

impl Recall {
    /// The class of each node for some agents together.
    pub(crate) fn classes(&self, agents: &[AgentId], view: View) -> Vec<usize> {
        let classes: Vec<usize> = self.classes[agents].iter().map(|class| *class as usize).collect();
        if view != View::Possible {
            return classes;
        }
        let fresh = classes.iter().max().map_or(0, |most| most + 1);
        let alone = |(node, class): (usize, usize)| if self.beyond[node] { fresh + node } else { class };
        classes.into_iter().enumerate().map(alone).collect()
    }

    /// Goes on with another graph.
    pub(crate) fn carry(&mut self, was: &[usize]) {
        for classes in self.classes.values_mut() {
            *classes = was.iter().map(|node| classes[*node]).collect();
        }
        self.beyond = was.iter().map(|node| self.beyond[*node]).collect();
    }
}

impl Evaluation<'_, '_> {
    /// Decides a formula that refers to knowledge, looking at runs of so many steps.
    pub(crate) fn decide_recalling(
        &mut self,
        id: StateFormula,
        steps: u32,
        validity: Validity,
    ) -> Result<Verdict, Halt> {
        if self.lowering.speaks_of_knowledge(self.lowering.fairness()) {
            let reason = "a fairness constraint refers to knowledge: with `--recall` it is not known which runs are fair";
            return Ok(Verdict::Unknown(reason.to_owned()));
        }
        let mut needs = Needs::default();
        self.evaluate(StateFormula::TRUE)?;
        self.prepare(id, &mut needs)?;
        let seen: Vec<Vec<usize>> =
            needs.observers.iter().map(|agents| self.classes(agents, View::Now)).collect();
        let unrolled = unroll(&self.graph, &seen, (steps, !needs.looks_back), self.budget)?;
        self.replace_graph(unrolled.graph, &unrolled.was);
        self.recall = Some(Recall {
            classes: needs.observers.into_iter().zip(unrolled.classes).collect(),
            beyond: unrolled.beyond,
            ..Recall::default()
        });
        let bounds = self.bounds(id)?;
        if self.is_valid(bounds[CERTAIN], validity) {
            return Ok(Verdict::True);
        }
        if !self.is_valid(bounds[POSSIBLE], validity) {
            return Ok(Verdict::False);
        }
        let obstacle = self.recall.as_ref().and_then(|recall| recall.obstacle);
        Ok(Verdict::Unknown(obstacle.map_or_else(|| beyond_recall(steps), str::to_owned)))
    }

    /// Evaluates what does not depend on knowledge, and collects what the rest needs.
    fn prepare(&mut self, id: StateFormula, needs: &mut Needs) -> Result<(), Halt> {
        if !needs.seen.insert(id) {
            return Ok(());
        }
        if !self.lowering.speaks_of_knowledge(&[id]) {
            return self.evaluate(id);
        }
        let arena = &self.lowering.arena;
        match *arena.state(id) {
            State::Exists { path, .. } => needs.looks_back |= arena.looks_back(path),
            State::Committed { debtor, creditor, limit, body } => {
                let contents = self.lowering.contents_of((debtor, creditor), limit);
                needs.looks_back |= contents.iter().chain([&body]).any(|path| arena.looks_back(*path));
                for part in arena.state_parts_of(&contents) {
                    self.prepare(part, needs)?;
                }
            }
            State::Knows { ref relation, .. } => {
                let observers: Vec<Vec<AgentId>> = match relation {
                    Relation::Everywhere => Vec::new(),
                    Relation::All(agents) => vec![agents.clone()],
                    Relation::Some(agents) | Relation::Common(agents) => {
                        agents.iter().map(|agent| vec![*agent]).collect()
                    }
                };
                for observer in observers {
                    if !needs.observers.contains(&observer) {
                        needs.observers.push(observer);
                    }
                }
            }
            _ => {}
        }
        for part in self.lowering.arena.operands(id) {
            self.prepare(part, needs)?;
        }
        Ok(())
    }

    /// Where a formula certainly and where it possibly holds; `truth` knows both afterwards.
    fn bounds(&mut self, id: StateFormula) -> Result<Bounds, Halt> {
        // What was known before the graph was unrolled does not depend on knowledge.
        if self.truth.contains_key(&id) {
            return Ok([id, id]);
        }
        if let Some(bounds) = self.recall.as_ref().and_then(|recall| recall.bounds.get(&id)) {
            return Ok(*bounds);
        }
        let node = self.lowering.arena.state(id).clone();
        let bounds = match node {
            State::True | State::Proposition(_) => [id, id],
            State::Not(a) => {
                let [certain, possible] = self.bounds(a)?;
                [possible, certain].map(|a| self.lowering.arena.not(a))
            }
            State::And(a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                [CERTAIN, POSSIBLE].map(|of| self.lowering.arena.and(a[of], b[of]))
            }
            State::Or(a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                [CERTAIN, POSSIBLE].map(|of| self.lowering.arena.or(a[of], b[of]))
            }
            State::Exists { path, over } => {
                self.path_bounds(path)?.map(|path| self.lowering.arena.exists(path, over))
            }
            State::Committed { debtor, creditor, limit, body } => {
                let contents = self.lowering.contents_of((debtor, creditor), limit);
                let parts = self.lowering.arena.state_parts_of(&contents);
                if self.lowering.speaks_of_knowledge(&parts) {
                    self.obstacle(PROMISED_KNOWLEDGE)
                } else {
                    let committed = |body| State::Committed { debtor, creditor, limit, body };
                    self.path_bounds(body)?.map(|body| self.lowering.arena.add_state(committed(body)))
                }
            }
            State::Knows { relation, correct, body } => {
                let body = self.bounds(body)?;
                let mut named = body;
                for (of, view) in [(CERTAIN, View::Certain), (POSSIBLE, View::Possible)] {
                    let set = self.knows(&relation, &correct, body[of], view)?;
                    let number = self.recall.as_mut().map_or(0, |recall| {
                        recall.sets += 1;
                        recall.sets
                    });
                    named[of] = self.lowering.arena.known_set(number);
                    self.truth.insert(named[of], set);
                }
                named
            }
            State::SomePrevious(_) | State::SomePast(_) => self.obstacle(
                "with `--recall` it is not known what is known inside branching past, which refers to states and not to runs",
            ),
            State::Able { .. } => self.obstacle(
                "with `--recall` it is not known what is known inside the goal of a strategy, which refers to states and not to runs",
            ),
        };
        for bound in bounds {
            self.evaluate(bound)?;
        }
        if let Some(recall) = &mut self.recall {
            recall.bounds.insert(id, bounds);
        }
        Ok(bounds)
    }

    /// Nothing is known of a formula, and why.
    fn obstacle(&mut self, reason: &'static str) -> Bounds {
        if let Some(recall) = &mut self.recall {
            recall.obstacle = Some(reason);
        }
        [StateFormula::FALSE, StateFormula::TRUE]
    }

    /// The same of a path formula: its state formulas replaced by their bounds.
    fn path_bounds(&mut self, path: PathFormula) -> Result<[PathFormula; 2], Halt> {
        let mut bounds = FxHashMap::default();
        for part in self.lowering.arena.state_parts(path) {
            bounds.insert(part, self.bounds(part)?);
        }
        let mut replacing =
            Replacing { arena: &mut self.lowering.arena, bounds, known: FxHashMap::default() };
        Ok([CERTAIN, POSSIBLE].map(|of| replacing.path(path, of)))
    }
}

/// State formulas of a path formula replaced by their bounds.
struct Replacing<'a> {
    arena: &'a mut Arena,
    bounds: FxHashMap<StateFormula, Bounds>,
    known: FxHashMap<(PathFormula, usize), PathFormula>,
}

impl Replacing<'_> {
    fn path(&mut self, path: PathFormula, of: usize) -> PathFormula {
        if let Some(&path) = self.known.get(&(path, of)) {
            return path;
        }
        let node = *self.arena.path(path);
        // Where something certainly fails it does not possibly hold.
        let inside = if matches!(node, Path::Not(_)) { CERTAIN + POSSIBLE - of } else { of };
        let operands: Vec<PathFormula> = node.operands().map(|part| self.path(part, inside)).collect();
        let arena = &mut *self.arena;
        let replaced = match (node, operands.as_slice()) {
            (Path::State(state), _) => self.bounds[&state][of].on_path(arena),
            (Path::Not(_), [a]) => arena.not(*a),
            (Path::And(..), [a, b]) => arena.and(*a, *b),
            (Path::Or(..), [a, b]) => arena.or(*a, *b),
            (Path::Next(_), [a]) => arena.next(*a),
            (Path::Until(..), [a, b]) => arena.until(*a, *b),
            (Path::Previous(_), [a]) => arena.previous(*a),
            (Path::Since(..), [a, b]) => arena.since(*a, *b),
            _ => path,
        };
        self.known.insert((path, of), replaced);
        replaced
    }
}
