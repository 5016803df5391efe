//! State formulas at nodes, each decided when it is asked for.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Options, Progress, RunFault};
use servanda_lower::{Lowering, Over, PathFormula, State, StateFormula};
use servanda_model::{CommitmentId, Program};
use servanda_paths::{Automaton, Literal, take_recurring};

use crate::knowledge::{Knowledge, Question};
use crate::labelling::Labelling;
use crate::layers::{Layer, Node};
use crate::reduction::{Flaw, Guided, Moves};
use crate::search::{Ending, Search};
use crate::symmetry::{Asked, Divided};
use servanda_space::{Lent, Step};

/// Nodes are expanded in portions of this size where all are wanted.
const PORTION: usize = 256;

/// What is known of a model, of the formulas asked so far, and how to find out more.
///
/// Nodes are states together with all that formulas remember of the run, layer by layer, so whatever is said of a node holds of every run
/// that comes there.
pub struct Evaluation<'m> {
    /// Held while this evaluation works; all evaluations of an engine share one.
    pub space: Lent<'m>,
    /// The model's formulas in core form.
    pub lowering: Lowering<'m>,
    pub(crate) options: Options,
    /// The layers above the states, the first one being layer 1.
    pub(crate) layers: Vec<Layer>,
    /// The layer whose nodes decide a formula.
    ranks: FxHashMap<StateFormula, usize>,
    /// For each layer above the states what it must remember.
    remembered: Vec<Vec<PathFormula>>,
    /// The searches for paths that do not look back, and where each is; one that is at work is not there.
    pub(crate) searches: Vec<Option<Box<Search>>>,
    search_numbers: FxHashMap<(usize, PathFormula, Over), usize>,
    programs: Vec<Option<Program>>,
    pub(crate) stack: Vec<i64>,
    /// What `SC` comes down to, by what is in force.
    pub(crate) committed: FxHashMap<(StateFormula, Vec<CommitmentId>), PathFormula>,
    pub(crate) knowledge: Knowledge,
    /// Where formulas hold that were decided for all states at once.
    pub(crate) sets: FxHashMap<StateFormula, Vec<bool>>,
    /// The same for path formulas, of all of which there are paths.
    pub(crate) labelling: Labelling,
    /// By layer, how many nodes have been expanded in order.
    explored: Vec<usize>,
    pub(crate) fairness: Option<Box<crate::fairness::Constraints<'m>>>,
    /// For formulas that do not depend on the history of a run, though they look back within themselves.
    pub(crate) apart: FxHashMap<StateFormula, Box<Evaluation<'m>>>,
    /// Is this such an evaluation? Then nodes above the states need not be points of runs.
    pub(crate) apart_from_runs: bool,
    /// For knowledge in such an evaluation, which refers to the points of runs.
    pub(crate) on_runs: FxHashMap<StateFormula, Box<Evaluation<'m>>>,
    pub(crate) scratch: Vec<Step>,
    /// For each path formula asked for what stands for it where steps are left out, if they can be.
    pub(crate) linear: FxHashMap<PathFormula, Option<PathFormula>>,
    /// What reductions need to know of the model, once it was looked at and if there is anything.
    pub(crate) moves: Option<Box<Moves<'m>>>,
    pub(crate) moves_known: bool,
    /// By formula, the search for a way to where it holds, where it leaves out steps.
    pub(crate) guided: FxHashMap<StateFormula, Option<Box<Guided>>>,
    pub(crate) flaws: Option<Flaw>,
    pub(crate) automata: Automata,
    /// Where states stand for others that come from them when those who are alike change places.
    pub(crate) divided: Option<Box<Divided<'m>>>,
}

/// How automata are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Automata {
    /// Small ones as a whole, and then smaller; others as far as their states are met.
    #[default]
    Simplified,
    /// All as far as their states are met, and everything that can be demanded of loops is: for tests.
    #[cfg(test)]
    AsMet,
}

impl Automata {
    /// So many conditions that come again and again are demanded of loops. Fewer are as well off in the automaton, and evidence shows where
    /// they hold.
    pub(crate) fn least_recurring(self) -> usize {
        match self {
            Automata::Simplified => 3,
            #[cfg(test)]
            Automata::AsMet => 1,
        }
    }
}

impl<'m> Evaluation<'m> {
    /// Nothing is known yet, and no space is held.
    pub fn new(lowering: &Lowering<'m>, options: Options) -> Result<Self, Halt> {
        let mut evaluation = Evaluation::without_fairness(lowering, options);
        if lowering.model.has_fairness() {
            let constraints = crate::fairness::Constraints::new(lowering, options)?;
            evaluation.fairness = Some(Box::new(constraints));
        }
        Ok(evaluation)
    }

    /// The same for a reading in which all runs count.
    pub(crate) fn without_fairness(lowering: &Lowering<'m>, options: Options) -> Self {
        Evaluation {
            space: Lent::default(),
            lowering: lowering.clone(),
            options,
            layers: Vec::new(),
            ranks: FxHashMap::default(),
            remembered: Vec::new(),
            searches: Vec::new(),
            search_numbers: FxHashMap::default(),
            programs: Vec::new(),
            stack: Vec::new(),
            committed: FxHashMap::default(),
            knowledge: Knowledge::default(),
            sets: FxHashMap::default(),
            labelling: Labelling::default(),
            explored: Vec::new(),
            fairness: None,
            apart: FxHashMap::default(),
            apart_from_runs: false,
            on_runs: FxHashMap::default(),
            scratch: Vec::new(),
            linear: FxHashMap::default(),
            moves: None,
            moves_known: false,
            guided: FxHashMap::default(),
            flaws: None,
            automata: Automata::default(),
            divided: None,
        }
    }

    /// Lets another evaluation work with the space of this one.
    pub(crate) fn lend<T>(
        &mut self,
        other: &mut Evaluation<'m>,
        work: impl FnOnce(&mut Evaluation<'m>) -> T,
    ) -> T {
        other.space = self.space.take();
        let result = work(other);
        self.space = other.space.take();
        result
    }

    /// Are there at most so many states? So it is taken where one of them cannot be expanded, too: it may lie behind what decides, and a
    /// search that goes no farther than it must is not kept from its answer.
    pub(crate) fn are_few(&mut self, most: usize, budget: &dyn Budget) -> Result<bool, Halt> {
        match self.space.explore_up_to(most, budget) {
            Err(Halt::Fault(_)) => Ok(true),
            known => known,
        }
    }

    /// The layer whose nodes decide a formula: 0 where the state alone decides, more where the past does.
    pub fn rank(&mut self, id: StateFormula) -> usize {
        if let Some(&rank) = self.ranks.get(&id) {
            return rank;
        }
        let rank = match *self.lowering.arena.state(id) {
            State::Not(a) => self.rank(a),
            State::And(a, b) | State::Or(a, b) => self.rank(a).max(self.rank(b)),
            State::Exists { path, .. } => self.rank_of_paths(&[path]),
            State::Committed { debtor, creditor, limit, body } => {
                let paths = self.lowering.paths_within((debtor, creditor), limit, body);
                self.rank_of_paths(&paths)
            }
            State::Knows { body, .. } => self.rank(body),
            State::True
            | State::Proposition(_)
            | State::SomePrevious(_)
            | State::SomePast(_)
            | State::Able { .. } => 0,
        };
        self.ranks.insert(id, rank);
        rank
    }

    fn rank_of_paths(&mut self, paths: &[PathFormula]) -> usize {
        let parts = self.lowering.arena.state_parts_of(paths);
        let below = parts.into_iter().map(|part| self.rank(part)).max().unwrap_or(0);
        let past = self.lowering.arena.past_operators_of(paths);
        if past.is_empty() {
            return below;
        }
        if self.remembered.len() <= below {
            self.remembered.resize_with(below + 1, Vec::new);
        }
        let known = &mut self.remembered[below];
        for operator in past {
            if !known.contains(&operator) {
                known.push(operator);
            }
        }
        below + 1
    }

    /// Makes the layers that a formula needs and says which one decides it. Layers cannot change once they have been
    /// used, so an evaluation decides one formula that looks back, or any number that do not.
    pub fn prepare(&mut self, id: StateFormula) -> Result<usize, Halt> {
        let rank = self.rank(id);
        for remembered in self.remembered.iter().skip(self.layers.len()) {
            let layer = Layer::new(&self.lowering.arena, self.layers.len() + 1, remembered.clone())?;
            self.layers.push(layer);
        }
        Ok(rank)
    }

    /// Do all these hold?
    pub(crate) fn all_hold(
        &mut self,
        literals: &[Literal],
        at: Node,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        for &(id, sign) in literals {
            if self.holds(id, at, budget)? != sign {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does a state formula hold at a node of a layer that knows enough?
    pub fn holds(&mut self, id: StateFormula, at: Node, budget: &dyn Budget) -> Result<bool, Halt> {
        match *self.lowering.arena.state(id) {
            State::True => Ok(true),
            State::Not(a) => Ok(!self.holds(a, at, budget)?),
            State::And(..) | State::Or(..) if self.lowering.arena.shares_much(id) => {
                let mut known = FxHashMap::default();
                self.boolean(id, &mut known, &mut |this, id| this.holds(id, at, budget))
            }
            State::And(a, b) => Ok(self.holds(a, at, budget)? && self.holds(b, at, budget)?),
            State::Or(a, b) => Ok(self.holds(a, at, budget)? || self.holds(b, at, budget)?),
            State::Proposition(proposition) => {
                let state = self.projected(at, 0);
                self.proposition(proposition, state)
            }
            State::Exists { .. }
            | State::Committed { .. }
            | State::Knows { .. }
            | State::SomePrevious(_)
            | State::SomePast(_)
            | State::Able { .. } => {
                let layer = if at.layer == 0 { 0 } else { self.rank(id) };
                self.modality(id, Node { layer, number: self.projected(at, layer) }, budget)
            }
        }
    }

    /// A boolean of formulas, each of which is asked for once however often it occurs.
    fn boolean(
        &mut self,
        id: StateFormula,
        known: &mut FxHashMap<StateFormula, bool>,
        ask: &mut dyn FnMut(&mut Self, StateFormula) -> Result<bool, Halt>,
    ) -> Result<bool, Halt> {
        if let Some(value) = known.get(&id) {
            return Ok(*value);
        }
        let value = match *self.lowering.arena.state(id) {
            State::Not(a) => !self.boolean(a, known, ask)?,
            State::And(a, b) => self.boolean(a, known, ask)? && self.boolean(b, known, ask)?,
            State::Or(a, b) => self.boolean(a, known, ask)? || self.boolean(b, known, ask)?,
            State::True
            | State::Proposition(_)
            | State::Exists { .. }
            | State::Committed { .. }
            | State::Knows { .. }
            | State::SomePrevious(_)
            | State::SomePast(_)
            | State::Able { .. } => ask(self, id)?,
        };
        known.insert(id, value);
        Ok(value)
    }

    fn proposition(&mut self, proposition: servanda_lower::PropositionId, state: u32) -> Result<bool, Halt> {
        let index = proposition.index();
        if self.programs.len() <= index {
            self.programs.resize_with(index + 1, || None);
        }
        let program = self.programs[index].get_or_insert_with(|| {
            Program::new(self.lowering.arena.proposition_expr(proposition), &self.space.layout)
        });
        match program.holds(self.space.state(state), &mut self.stack) {
            Ok(value) => Ok(value),
            // Outside of the reachable states a proposition without a value is false: nobody can get there.
            Err(_) if !self.space.is_reachable(state) => Ok(false),
            Err(kind) => {
                let fault = RunFault::of_proposition(self.space.view(state), kind);
                Err(Halt::Fault(Box::new(fault)))
            }
        }
    }

    fn modality(&mut self, id: StateFormula, at: Node, budget: &dyn Budget) -> Result<bool, Halt> {
        if let Some(decided) = self.decided_elsewhere(id, at, Asked::Anywhere, budget)? {
            return Ok(decided);
        }
        match self.lowering.arena.state(id).clone() {
            State::Exists { path, over } => self.exists(path, over, at, budget),
            State::Committed { debtor, creditor, limit, body } => {
                let broken = self.broken((debtor, creditor), limit, (id, body), at);
                let over = self.lowering.paths_of_commitments();
                Ok(!self.exists(broken, over, at, budget)?)
            }
            State::Knows { relation, correct, body } => {
                let state = self.projected(at, 0);
                let seen = self.space.state(state).to_vec();
                let question = Question { id, relation: &relation, correct: &correct, body, layer: at.layer };
                if self.apart_from_runs && at.layer > 0 {
                    return self.known_on_runs(&question, &seen, budget);
                }
                self.knows(&question, &seen, budget)
            }
            State::SomePrevious(a) => self.in_set(id, at.number, |this| this.some_previous(a, budget)),
            State::SomePast(a) => self.in_set(id, at.number, |this| this.some_past(a, budget)),
            State::Able { group, goal } => {
                self.in_set(id, at.number, |this| this.able(&group, &goal, budget))
            }
            State::True | State::Proposition(_) | State::Not(_) | State::And(..) | State::Or(..) => {
                self.holds(id, at, budget)
            }
        }
    }

    /// Does some of these paths from here satisfy ψ?
    pub(crate) fn exists(
        &mut self,
        psi: PathFormula,
        over: Over,
        at: Node,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        // What has been found out before is by far the most frequent answer.
        if let Some(known) = self.label(psi, over, at) {
            return Ok(known);
        }
        let number = self.search_numbers.get(&(at.layer, psi, over)).copied();
        if let Some(known) = number.and_then(|number| self.searches[number].as_ref()?.known(at.number)) {
            return Ok(known);
        }
        if number.is_none() && self.lowering.arena.looks_back(psi) {
            let (above, ending) = (at.layer - 1, self.ending(over));
            // What takes its place serves where an error keeps this one from coming back.
            let automaton = Automaton::remembering(self.layers[above].remembered.clone())?;
            let idle = Search::new(automaton, at.layer, ending);
            let mut search = std::mem::replace(&mut self.layers[above].search, idle);
            search.ending = ending;
            let states: Vec<u32> = self
                .guesses(at)
                .into_iter()
                .map(|mut guess| {
                    guess.formulas.push((psi, true));
                    search.automaton.state(&self.lowering.arena, guess)
                })
                .collect();
            let found = self.some_path(&mut search, at.number, &states, budget)?;
            self.layers[above].search = search;
            return Ok(found);
        }
        self.search_or_label((psi, over), at, budget, |this, search| {
            let start = search.start;
            this.some_path(search, at.number, &[start], budget)
        })
    }

    /// Does some path from a node satisfy ψ, one that does not look back? `seek` searches for it; where that takes long, ψ may be decided
    /// for all states at once.
    fn search_or_label(
        &mut self,
        (psi, over): (PathFormula, Over),
        at: Node,
        budget: &dyn Budget,
        seek: impl Fn(&mut Self, &mut Search) -> Result<bool, Halt>,
    ) -> Result<bool, Halt> {
        let (number, mut search) = self.take_search(at.layer, psi, over, budget)?;
        loop {
            if search.may_be_labelled && self.labels_pay(search.visited) {
                self.searches[number] = Some(search);
                if let Some(holds) = self.labelled(psi, at.number, budget)? {
                    return Ok(holds);
                }
                (_, search) = self.take_search(at.layer, psi, over, budget)?;
                search.may_be_labelled = false;
            }
            // Whoever knows the answer already does not say anything of that.
            search.gave_up = false;
            let found = seek(self, &mut search)?;
            if !search.gave_up {
                self.searches[number] = Some(search);
                return Ok(found);
            }
            // A reduction that does not help is of no use for later questions either.
            search.reduction = None;
        }
    }

    /// Forgets what was found out about a path formula by searching.
    pub(crate) fn forget_search(&mut self, psi: PathFormula) {
        let number = self.search_numbers.get(&(0, psi, Over::AllPaths));
        if let Some(search) = number.and_then(|number| self.searches[*number].as_mut()) {
            search.forget();
        }
    }

    /// Takes the search for a path formula out of its place, where it must be put back.
    pub(crate) fn take_search(
        &mut self,
        layer: usize,
        psi: PathFormula,
        over: Over,
        budget: &dyn Budget,
    ) -> Result<(usize, Box<Search>), Halt> {
        let fresh = self.searches.len();
        let number = *self.search_numbers.entry((layer, psi, over)).or_insert(fresh);
        if number == fresh {
            self.searches.push(None);
        }
        if let Some(search) = self.searches[number].take() {
            return Ok((number, search));
        }
        let (ending, may_be_labelled) = (self.ending(over), self.may_be_labelled(layer, psi, over));
        let arena = &mut self.lowering.arena;
        // Taking equivalent states together forgets whether a step was made, which strict CTL operators ask for.
        if over == Over::Relation && self.fairness.is_none() {
            return Ok((number, Box::new(Search::for_formula(arena, psi, layer, ending))));
        }
        let (rest, recurring) = take_recurring(arena, psi, self.automata.least_recurring());
        let search = Search::for_formula(arena, rest, layer, ending).with_loops(&recurring, arena);
        let mut search = match self.automata {
            Automata::Simplified => search.simplified(arena, budget)?,
            #[cfg(test)]
            Automata::AsMet => search,
        };
        search.may_be_labelled = may_be_labelled;
        Ok((number, Box::new(search)))
    }

    /// Where a search may end before its path is infinite.
    pub(crate) fn ending(&self, over: Over) -> Ending {
        match over {
            Over::AllPaths | Over::Relation if self.fairness.is_none() => Ending::Anywhere,
            Over::AllPaths | Over::Relation | Over::InfinitePaths => Ending::Never,
        }
    }

    /// As [`Evaluation::holds`] for a property itself: where the nearest answer is as good as any, it is looked for.
    pub fn holds_at_start(&mut self, id: StateFormula, at: Node, budget: &dyn Budget) -> Result<bool, Halt> {
        let mut known = FxHashMap::default();
        self.boolean(id, &mut known, &mut |this, id| match *this.lowering.arena.state(id) {
            State::Exists { path, over }
                if this.ending(over) == Ending::Anywhere && !this.lowering.arena.looks_back(path) =>
            {
                if let Some(found) = this.decided_elsewhere(id, at, Asked::AtStart, budget)? {
                    return Ok(found);
                }
                let state = this.projected(at, 0);
                if let Some(found) = this.exists_with_fewer_steps(id, state, budget)? {
                    return Ok(found);
                }
                let rank = this.rank(id);
                let at = Node { layer: rank, number: this.projected(at, rank) };
                if let Some(known) = this.label(path, over, at) {
                    return Ok(known);
                }
                this.search_or_label((path, over), at, budget, |this, search| match search.is_terminal {
                    true => this.near_path(search, at.number, budget),
                    false => this.some_path(search, at.number, &[search.start], budget),
                })
            }
            _ => this.holds(id, at, budget),
        })
    }

    /// Expands some more nodes of a layer; says whether all have been expanded.
    pub(crate) fn explore_more(&mut self, layer: usize, budget: &dyn Budget) -> Result<bool, Halt> {
        if self.explored.len() <= layer {
            self.explored.resize(layer + 1, 0);
            // Runs begin here; what is found from elsewhere is no point of a run.
            for state in self.space.initial() {
                self.start(layer, state);
            }
        }
        let mut steps = Vec::new();
        for _ in 0..PORTION {
            let next = self.explored[layer];
            if next >= self.met(layer) {
                return Ok(true);
            }
            self.steps(Node { layer, number: next as u32 }, &mut steps, budget)?;
            self.explored[layer] = next + 1;
        }
        Progress::nodes(self.explored[layer], 1, budget)?;
        Ok(self.explored[layer] >= self.met(layer))
    }

    /// Expands all nodes of a layer.
    pub(crate) fn explore_all(&mut self, layer: usize, budget: &dyn Budget) -> Result<(), Halt> {
        while !self.explore_more(layer, budget)? {}
        Ok(())
    }
}
