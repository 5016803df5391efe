//! Is there a path that the automaton accepts? Searched in the product of nodes and automaton states, as far as needed.
//!
//! The search keeps the strongly connected components of what it has met on a stack (the algorithms of Tarjan and Couvreur): a
//! component in which no until is put off by every transition is a path that goes round for ever and keeps everything. What is found
//! out stays: pairs from which no such path leads are never entered again, and on success everything on the stack leads
//! to the path that was found. So all searches for one formula together are linear in the product.

use std::ops::Range;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Progress};
use servanda_lower::{Arena, PathFormula};
use servanda_paths::{Automaton, Edge, Look, Obligations, Position, Recurring};

use crate::evaluate::Evaluation;
use crate::labels::satisfies;
use crate::layers::Node;
use crate::recurring::Loops;
use crate::reduction::Reduction;
use servanda_space::Step;

const UNSEEN: u32 = 0;
const DEAD: u32 = 1;
const LIVE: u32 = 2;
/// On the stack, at the position after subtracting this.
const OPEN: u32 = 3;

/// How many pairs are visited between two reports of progress.
pub(crate) const REPORT_EVERY: usize = 1 << 12;

/// Of so many states of an automaton each has a row of nodes; most nodes are not met with each of more.
const ROWS: usize = 64;

/// An automaton with what has been found out about its pairs.
pub(crate) struct Search {
    pub(crate) automaton: Automaton,
    /// The layer whose nodes are searched.
    pub(crate) layer: usize,
    pub(crate) ending: Ending,
    /// What is demanded of loops besides what the automaton puts off.
    pub(crate) loops: Loops,
    /// Have all edges of the automaton been made, for whatever holds at a position? Otherwise they are made for those that are met.
    is_whole: bool,
    /// Is a path accepted exactly when the automaton comes to where nothing is demanded? Where that was looked at.
    pub(crate) is_terminal: bool,
    /// The state that a search for the formula itself begins in.
    pub(crate) start: u32,
    /// By automaton state, then by node; for the states beyond the first by pair.
    status: Vec<Vec<u32>>,
    far_status: FxHashMap<Pair, u32>,
    /// What has been asked about a node. Kept to save its allocation.
    position: Position,
    /// Which steps may be left out, where some may.
    pub(crate) reduction: Option<Box<Reduction>>,
    /// Was the last search given up, because the reduction does not help or all states are better decided at once?
    pub(crate) gave_up: bool,
    /// Can what is searched for be decided for all states at once, and is there room?
    pub(crate) may_be_labelled: bool,
    /// How many pairs all searches together have visited.
    pub(crate) visited: usize,
    /// The edges that are open at a pair: which it is, condition on the label, next state, what is put off. Kept to save its allocation.
    open: Vec<(usize, Option<u32>, u32, u64)>,
}

/// A node with an automaton state, which says what the rest of the path must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// The node.
    pub node: u32,
    pub(crate) state: u32,
}

/// A pair after a step, with what was not put off on the way.
#[derive(Clone, Copy)]
pub(crate) struct Successor {
    pub(crate) pair: Pair,
    pub(crate) kept: u64,
}

/// Why the search may end at a pair whose automaton state demands nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Every state begins some path, so nothing more needs to be looked for.
    Anywhere,
    /// Only infinite paths count, and not every state begins one.
    Never,
}

/// Pairs that have been met, with the successors left to visit.
struct Frame {
    pair: Pair,
    /// Where its successors start among those pending.
    start: usize,
}

/// The root of a component on the stack.
struct Root {
    position: usize,
    /// What is not put off by some transition inside the component.
    kept: u64,
    /// The same for the transition that led into it.
    entering: u64,
    /// What must not be put off for ever by those who go round in it.
    demands: u64,
}

impl Root {
    /// What is demanded, and put off by every transition inside the component.
    fn lacking(&self) -> u64 {
        self.demands & !self.kept
    }
}

impl Search {
    /// For an automaton whose states are made as they are needed.
    pub(crate) fn new(automaton: Automaton, layer: usize, ending: Ending) -> Self {
        Search {
            automaton,
            layer,
            ending,
            loops: Loops::default(),
            is_whole: false,
            is_terminal: false,
            start: 0,
            status: Vec::new(),
            far_status: FxHashMap::default(),
            position: Position::default(),
            reduction: None,
            gave_up: false,
            may_be_labelled: false,
            visited: 0,
            open: Vec::new(),
        }
    }

    /// For the paths that satisfy a formula.
    pub(crate) fn for_formula(arena: &Arena, psi: PathFormula, layer: usize, ending: Ending) -> Self {
        let mut search = Search::new(Automaton::default(), layer, ending);
        search.start = search.automaton.state(arena, Obligations { formulas: vec![(psi, true)], memory: 0 });
        search
    }

    /// The same where this is demanded of loops as well.
    pub(crate) fn with_loops(mut self, recurring: &[Recurring], arena: &Arena) -> Self {
        if !recurring.is_empty() {
            let first_bit = self.automaton.reserve(recurring.len() as u32);
            self.loops = Loops::new(recurring, first_bit, arena);
            // Whoever demands nothing more of the path does so of its loop.
            self.ending = Ending::Never;
        }
        self
    }

    /// The same with an automaton that is made whole and simplified where it is small.
    pub(crate) fn simplified(mut self, arena: &Arena, budget: &dyn Budget) -> Result<Self, Halt> {
        if let Some(became) = self.automaton.simplify(arena, budget)? {
            self.start = became[self.start as usize];
            self.is_whole = true;
            self.is_terminal = self.loops.is_empty() && self.automaton.is_terminal();
        }
        Ok(self)
    }

    /// An edge of a pair, by the number under which [`Evaluation::product_steps`] refers to it.
    pub(crate) fn edge(&self, pair: Pair, choice: usize) -> &Edge {
        match self.is_whole {
            true => &self.automaton.made_edges(pair.state)[choice],
            false => self.automaton.edge_at(choice),
        }
    }

    /// What is known of the formula itself at a node.
    pub(crate) fn known(&self, node: u32) -> Option<bool> {
        match self.status(Pair { node, state: self.start }) {
            LIVE => Some(true),
            DEAD => Some(false),
            _ => None,
        }
    }

    /// Is the reduction of no use? Then the search is over without a result.
    fn gives_up(&mut self) -> bool {
        self.gave_up = self.reduction.as_ref().is_some_and(|reduction| reduction.is_idle());
        self.gave_up
    }

    /// Forgets what was found out, for whoever knows it otherwise.
    pub(crate) fn forget(&mut self) {
        self.status = Vec::new();
        self.far_status = FxHashMap::default();
    }

    fn status(&self, pair: Pair) -> u32 {
        if pair.state as usize >= ROWS {
            return self.far_status.get(&pair).copied().unwrap_or(UNSEEN);
        }
        let row = self.status.get(pair.state as usize);
        row.and_then(|row| row.get(pair.node as usize)).copied().unwrap_or(UNSEEN)
    }

    fn set_status(&mut self, pair: Pair, status: u32) {
        let (state, node) = (pair.state as usize, pair.node as usize);
        if state >= ROWS {
            self.far_status.insert(pair, status);
            return;
        }
        if self.status.len() <= state {
            self.status.resize_with(state + 1, Vec::new);
        }
        let row = &mut self.status[state];
        if row.len() <= node {
            row.resize((node + 1).next_power_of_two(), UNSEEN);
        }
        row[node] = status;
    }
}

impl Evaluation<'_> {
    /// Is some path from the node accepted from one of these automaton states?
    pub(crate) fn some_path(
        &mut self,
        search: &mut Search,
        node: u32,
        states: &[u32],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let starts = states.iter().map(|&state| Pair { node, state });
        for pair in starts {
            let found = match search.status(pair) {
                LIVE => true,
                DEAD => false,
                _ => self.depth_first(search, pair, budget)?,
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn depth_first(&mut self, search: &mut Search, start: Pair, budget: &dyn Budget) -> Result<bool, Halt> {
        let mut stack: Vec<Pair> = Vec::new();
        let mut roots: Vec<Root> = Vec::new();
        let mut frames: Vec<Frame> = Vec::new();
        let mut pending: Vec<Successor> = Vec::new();
        let mut enter = Some(Successor { pair: start, kept: 0 });
        let mut visited = 0usize;
        // By position on the stack: has the pair successors left to visit, so that a step there closes a cycle?
        let mut on_path: Vec<bool> = Vec::new();
        search.gave_up = false;
        let found = loop {
            if let Some(Successor { pair, kept }) = enter.take() {
                visited += 1;
                Progress::nodes(visited, REPORT_EVERY, budget)?;
                if self.leaves_rest(search) {
                    break false;
                }
                search.set_status(pair, OPEN + stack.len() as u32);
                let at = Node { layer: search.layer, number: pair.node };
                let demands = self.standing_in(&search.loops, at, budget)?.demands;
                roots.push(Root { position: stack.len(), kept: 0, entering: kept, demands });
                stack.push(pair);
                on_path.push(true);
                frames.push(Frame { pair, start: pending.len() });
                let first = pending.len();
                let closes_cycle = |status: u32| status >= OPEN && on_path[(status - OPEN) as usize];
                if self.fewest_successors(search, pair, closes_cycle, Keep::Steps, &mut pending, budget)? {
                    break true;
                }
                if search.gives_up() {
                    break false;
                }
                // The last is taken first.
                pending[first..].reverse();
            }
            let Some(frame) = frames.last() else { break false };
            if pending.len() > frame.start
                && let Some(successor) = pending.pop()
            {
                match search.status(successor.pair) {
                    UNSEEN => enter = Some(successor),
                    DEAD => {}
                    LIVE => break true,
                    open => {
                        let position = (open - OPEN) as usize;
                        let (mut kept, mut demands) = (successor.kept, 0);
                        while let Some(root) = roots.pop_if(|root| root.position > position) {
                            kept |= root.kept | root.entering;
                            demands |= root.demands;
                        }
                        if let Some(root) = roots.last_mut() {
                            root.kept |= kept;
                            root.demands |= demands;
                            if root.lacking() == 0 {
                                break true;
                            }
                        }
                    }
                }
                continue;
            }
            let OPEN.. = search.status(frame.pair) else { unreachable!("a pair in a frame is on the stack") };
            let position = (search.status(frame.pair) - OPEN) as usize;
            frames.pop();
            on_path[position] = false;
            if let Some(root) = roots.pop_if(|root| root.position == position) {
                if self.goes_round(search, &stack[position..], root.lacking(), budget)? {
                    break true;
                }
                for pair in stack.drain(position..) {
                    search.set_status(pair, DEAD);
                }
                on_path.truncate(position);
            }
        };
        let status = if search.gave_up { UNSEEN } else { LIVE };
        for pair in stack {
            search.set_status(pair, status);
        }
        Ok(found)
    }

    /// As [`Evaluation::some_path`] for an automaton that accepts as soon as nothing is demanded, nearest pairs first. Finds what is
    /// near in models too large to be gone through, but finds out less for later searches.
    pub(crate) fn near_path(
        &mut self,
        search: &mut Search,
        node: u32,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let start = Pair { node, state: search.start };
        match search.status(start) {
            LIVE => return Ok(true),
            DEAD => return Ok(false),
            _ => {}
        }
        let mut queue = vec![start];
        let mut successors = Vec::new();
        search.set_status(start, OPEN);
        search.gave_up = false;
        let mut next = 0;
        let found = loop {
            let Some(&pair) = queue.get(next) else { break false };
            next += 1;
            Progress::nodes(next, REPORT_EVERY, budget)?;
            if self.leaves_rest(search) {
                break false;
            }
            // Every cycle has a step to a pair that is no farther in the queue.
            let closes_cycle = |status: u32| status >= OPEN && ((status - OPEN) as usize) < next;
            let keep = Keep::Nothing;
            if self.fewest_successors(search, pair, closes_cycle, keep, &mut successors, budget)? {
                break true;
            }
            if search.gives_up() {
                break false;
            }
            let mut known = false;
            for Successor { pair, .. } in successors.drain(..) {
                match search.status(pair) {
                    UNSEEN => {
                        search.set_status(pair, OPEN + queue.len() as u32);
                        queue.push(pair);
                    }
                    LIVE => known = true,
                    _ => {}
                }
            }
            if known {
                break true;
            }
        };
        let status = if found || search.gave_up { UNSEEN } else { DEAD };
        for pair in queue {
            search.set_status(pair, status);
        }
        if found {
            search.set_status(start, LIVE);
        }
        Ok(found)
    }

    /// Counts a pair that a search visits. Are all states better decided at once? Then the search is over without a result.
    fn leaves_rest(&self, search: &mut Search) -> bool {
        search.visited += 1;
        let asks = search.may_be_labelled && search.visited.is_multiple_of(REPORT_EVERY);
        search.gave_up = asks && search.reduction.is_none() && self.labels_pay(search.visited);
        search.gave_up
    }

    /// As [`Evaluation::successors`], with no more steps than must be taken. `closes_cycle` knows of which statuses the pairs are to which
    /// a step closes a cycle.
    fn fewest_successors(
        &mut self,
        search: &mut Search,
        pair: Pair,
        closes_cycle: impl Fn(u32) -> bool,
        keep: Keep,
        successors: &mut Vec<Successor>,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        if search.reduction.is_none() {
            return self.successors(search, pair, keep, successors, budget);
        }
        let first = successors.len();
        if self.successors(search, pair, Keep::Reduced, successors, budget)? {
            return Ok(true);
        }
        let closes_cycle = successors[first..].iter().any(|next| closes_cycle(search.status(next.pair)));
        if search.reduction.as_mut().is_some_and(|reduction| reduction.must_take_all(closes_cycle)) {
            successors.truncate(first);
            return self.successors(search, pair, Keep::Nothing, successors, budget);
        }
        Ok(false)
    }

    /// Adds the successors of a pair in the product, or says that from a place after it every path will do.
    pub(crate) fn successors(
        &mut self,
        search: &mut Search,
        pair: Pair,
        keep: Keep,
        successors: &mut Vec<Successor>,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let mut done = false;
        self.product_steps(search, pair, keep, budget, |_, taken| {
            match taken {
                Some((_, successor, false)) => successors.push(successor),
                None | Some((_, _, true)) => done = true,
            }
            !done
        })?;
        Ok(done)
    }

    /// Visits the steps of a pair in the product, until the visitor has seen enough. It is told the number of the automaton's edge, and
    /// the step with where it leads and whether every path from there will do; without a step where that is so before any.
    pub(crate) fn product_steps(
        &mut self,
        search: &mut Search,
        pair: Pair,
        keep: Keep,
        budget: &dyn Budget,
        mut visit: impl FnMut(usize, Option<(Step, Successor, bool)>) -> bool,
    ) -> Result<(), Halt> {
        let (layer, ending) = (search.layer, search.ending);
        let at = Node { layer, number: pair.node };
        let mut open = std::mem::take(&mut search.open);
        open.clear();
        for choice in self.edges(search, pair, budget)? {
            let edge = search.edge(pair, choice);
            let (label, next, postponed) = (edge.label, edge.next, edge.postponed);
            let holds = match edge.here[..] {
                // What was asked before the edge was made holds.
                _ if !search.is_whole => true,
                [] => true,
                [(id, sign)] => self.holds(id, at, budget)? == sign,
                _ => {
                    let here = edge.here.clone();
                    self.all_hold(&here, at, budget)?
                }
            };
            if holds {
                let satisfied =
                    label.is_none() && ending == Ending::Anywhere && search.automaton.is_satisfied(next);
                if satisfied && !visit(choice, None) {
                    return Ok(());
                }
                open.push((choice, label, next, postponed));
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        let standing = self.standing_in(&search.loops, at, budget)?;
        let mut steps: Vec<Step> = std::mem::take(&mut self.scratch);
        match (keep, &mut search.reduction, &mut self.moves) {
            (Keep::Reduced, Some(reduction), Some(moves)) => {
                reduction.steps(moves, &mut self.space, pair.node, &mut steps)?;
            }
            (Keep::Nothing | Keep::Reduced, ..) if layer == 0 => {
                self.space.successors(pair.node, &mut steps, budget)?;
            }
            _ => self.steps(at, &mut steps, budget)?,
        }
        'enough: for &(choice, label, next, postponed) in &open {
            let satisfied = ending == Ending::Anywhere && search.automaton.is_satisfied(next);
            for step in &steps {
                let possible = label.is_none_or(|number| {
                    let condition = search.automaton.condition(number);
                    satisfies(&self.space, step.via, condition, &self.lowering.arena)
                });
                let pair = Pair { node: step.target, state: next };
                if !possible {
                    continue;
                }
                let mut unmet = standing.unmet & !self.met_by(step.via);
                if search.loops.watch_steps() {
                    unmet |= self.unmet_by_step(&search.loops, at, step.via, budget)?;
                }
                let successor = Successor { pair, kept: !(postponed | unmet) };
                if !visit(choice, Some((*step, successor, satisfied))) {
                    break 'enough;
                }
            }
        }
        self.scratch = steps;
        search.open = open;
        Ok(())
    }

    /// The numbers of the edges of a pair: all of the automaton's state, or those for what holds at the node.
    fn edges(&mut self, search: &mut Search, pair: Pair, budget: &dyn Budget) -> Result<Range<usize>, Halt> {
        if search.is_whole {
            return Ok(0..search.automaton.made_edges(pair.state).len());
        }
        let at = Node { layer: search.layer, number: pair.node };
        search.position.leave();
        loop {
            let position = &mut search.position;
            match search.automaton.look(&self.lowering.arena, pair.state, position, budget)? {
                Look::Ask(id) => position.answer(self.holds(id, at, budget)?),
                Look::Edges(edges) => return Ok(edges),
            }
        }
    }
}

/// Whether transitions are kept for the next time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    Steps,
    Nothing,
    /// They are not, and only those are made that have to be taken, where the search may leave some out.
    Reduced,
}
