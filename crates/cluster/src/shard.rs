//! The states of one worker: those whose hash says that they are its own, in the order of their distance.

use servanda_engine::{Share, Spread};
use servanda_model::{Ends, Layout, Model, StateStore, States};
use servanda_space::{Expander, Recent, Wanted};

use crate::answer::Known;
use crate::board::{Board, Trouble};
use crate::depot::Depot;
use crate::fabric::{Fabric, Lost};
use crate::kept::Kept;
use crate::purse::Purse;
use crate::spill::Spill;

/// States are numbered with 32 bits; a table has the number plus one.
pub(crate) const MOST_STATES: usize = u32::MAX as usize - 1;

/// What is said where a worker has more.
const TOO_MANY: &str = "the states of one worker are too many to be numbered: use more workers";

/// So many initial states are made until memory is asked for again.
const INITIAL: usize = 1 << 10;

/// What one worker knows of the reachable states.
pub(crate) struct Shard<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: Layout,
    pub(crate) expander: Expander<'m>,
    pub(crate) ends: Ends,
    pub(crate) store: Kept,
    /// The most states that a worker may number.
    most: usize,
    /// Where memory is asked for.
    pub(crate) purse: Purse,
    pub(crate) recent: Recent,
    /// Where the states of each distance begin; the last entry is where the next ones will.
    pub(crate) levels: Vec<u32>,
    /// The first state that is not expanded yet.
    pub(crate) next: u32,
    /// How many states of this distance are expanded.
    pub(crate) expanded: u64,
    /// What is on disk.
    pub(crate) depot: Depot,
    /// Have all workers found all states?
    pub(crate) is_done: bool,
    /// A state of the last level that cannot be expanded: what lies behind it will never be known.
    pub(crate) faulty: Option<Vec<u64>>,
    pub(crate) tally: Tally,
    /// Successors that are this worker's own, to be entered together.
    pub(crate) own: Vec<u64>,
    pub(crate) stack: Vec<i64>,
    /// Where the state is that is being expanded.
    pub(crate) expanding: Vec<u64>,
}

/// What was counted on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) transitions: u64,
    pub(crate) deadlocks: u64,
    /// A deadlock that is nearest to an initial state, and its distance.
    pub(crate) deadlock: Option<(u64, Vec<u64>)>,
    pub(crate) initial: u64,
    /// How many states all workers have expanded since they last told each other how many each has.
    pub(crate) unshared: u64,
    /// What the board was told of: states and transitions.
    pub(crate) told: (u64, u64),
}

/// What is looked for among new states, and the smallest of what was found.
#[derive(Default)]
pub(crate) struct Search<'a> {
    pub(crate) wanted: Option<&'a Wanted<'a>>,
    pub(crate) found: Option<Vec<u64>>,
    /// The smallest state in which it has no value.
    pub(crate) faulty: Option<Vec<u64>>,
}

impl Search<'_> {
    /// Looks at a state.
    #[inline]
    pub(crate) fn look(&mut self, state: &[u64], stack: &mut Vec<i64>) {
        let Some(wanted) = self.wanted else { return };
        match wanted.is(state, stack) {
            Ok(false) => {}
            Ok(true) => keep_least(&mut self.found, state),
            Err(_) => keep_least(&mut self.faulty, state),
        }
    }
}

impl<'m> Shard<'m> {
    /// Knows the initial states that are this worker's own. Every worker makes all of them, which takes less than sending them.
    ///
    /// # Errors
    ///
    /// When the board says stop.
    pub(crate) fn new(
        model: &'m Model,
        fabric: &Fabric,
        board: &Board,
        (purse, most): (Purse, usize),
    ) -> Result<Self, Trouble> {
        let layout = Layout::new(model);
        let words = layout.words();
        let mut shard = Shard {
            model,
            expander: Expander::new(model),
            ends: Ends::new(model, &layout),
            store: Kept::new(words),
            most,
            purse,
            recent: Recent::new(words),
            levels: vec![0],
            next: 0,
            expanded: 0,
            depot: Depot::default(),
            is_done: false,
            faulty: None,
            tally: Tally::default(),
            own: Vec::new(),
            stack: Vec::new(),
            expanding: Vec::new(),
            layout,
        };
        let mut states = States::initial(model, &shard.layout);
        let go_on = || if board.is_stopped() { Err(Trouble::Stopped) } else { Ok(()) };
        while let Some(state) = states.try_next(go_on)? {
            if owner(StateStore::hash(&state), fabric.peers()) == fabric.index() && shard.can_number(1) {
                if shard.store.len().is_multiple_of(INITIAL) {
                    shard.reserve(INITIAL);
                }
                shard.store.insert(&state);
            }
        }
        shard.tally.initial = shard.store.len() as u64;
        shard.levels.push(shard.store.len() as u32);
        Ok(shard)
    }

    /// A state by its number in this shard, which may be written into `room`.
    #[inline]
    pub(crate) fn state<'s>(&'s self, number: u32, room: &'s mut Vec<u64>) -> &'s [u64] {
        self.store.get(number, room)
    }

    /// How many states this worker has in memory.
    pub(crate) fn len(&self) -> u32 {
        self.store.len() as u32
    }

    /// How many states this worker knows. Of those on disk, what is found is known when it was compared with them.
    pub(crate) fn states(&self) -> u64 {
        self.depot.spill.as_ref().map_or(self.store.len() as u64, Spill::len)
    }

    /// The distance of the states that are expanded now.
    pub(crate) fn level(&self) -> u64 {
        (self.levels.len() as u64).saturating_sub(2)
    }

    /// Can so many more states be numbered? If not, nothing more will be found out, since states are missing from now on.
    pub(crate) fn can_number(&mut self, states: usize) -> bool {
        let can = self.store.numbers_with(states, self.layout.words()) <= self.most;
        if !can {
            self.depot.broken.get_or_insert_with(|| TOO_MANY.to_owned());
        }
        can
    }

    /// Enters the states of a parcel.
    pub(crate) fn enter(&mut self, parcel: &[u64], search: &mut Search<'_>) {
        let states = parcel.len() / self.layout.words();
        self.reserve(states);
        if !self.can_number(states) {
            return;
        }
        let Shard { store, stack, layout, .. } = self;
        store.insert_all(layout.words(), parcel, |state, is_new| {
            if is_new {
                search.look(state, stack);
            }
        });
        self.make_room();
    }

    /// Enters the states that another worker has sent. Those of one word that were dealt with a moment ago are not looked up again: what
    /// workers find at the same time is often the same.
    pub(crate) fn receive(&mut self, parcel: &[u64], search: &mut Search<'_>) {
        if self.layout.words() > 1 {
            return self.enter(parcel, search);
        }
        let Shard { recent, own, .. } = self;
        let is_new = |word: &&u64| !recent.again(&[**word], StateStore::hash(&[**word]));
        own.extend(parcel.iter().filter(is_new));
        self.enter_own(search);
    }

    /// Enters the successors that are this worker's own.
    pub(crate) fn enter_own(&mut self, search: &mut Search<'_>) {
        let mut own = std::mem::take(&mut self.own);
        self.enter(&own, search);
        own.clear();
        self.own = own;
    }

    /// Tells the board how far this worker is.
    pub(crate) fn report(&mut self, board: &Board) {
        let told = self.tally.told;
        // What was found when states went to disk counts again when it was compared with them.
        let now = (self.states().max(told.0), self.tally.transitions.max(told.1));
        board.add(now.0 - told.0, now.1 - told.1);
        self.tally.told = now;
    }

    /// How states are spread over the workers.
    ///
    /// # Errors
    ///
    /// When a worker is gone.
    pub(crate) fn spread(&self, fabric: &mut Fabric) -> Result<Spread, Lost> {
        let own = [self.states(), self.bytes(), self.tally.transitions];
        let mut spread = Spread { level: self.level(), ..Spread::default() };
        for told in fabric.gather(&own)? {
            let [states, bytes, transitions] = told[..] else { return Err(Lost) };
            spread.states += states;
            spread.transitions += transitions;
            spread.workers.push(Share { states, bytes });
        }
        Ok(spread)
    }

    /// What all workers together know.
    ///
    /// # Errors
    ///
    /// When a worker is gone.
    pub(crate) fn known(&self, fabric: &mut Fabric) -> Result<Known, Lost> {
        let Tally { transitions, deadlocks, deadlock, initial, .. } = &self.tally;
        let own = [self.states(), *transitions, *deadlocks, *initial, self.bytes()];
        let [states, transitions, deadlocks, initial, bytes] = fabric.sum(own)?;
        let mut nearest = Vec::new();
        if let Some((level, state)) = deadlock {
            nearest.push(*level);
            nearest.extend_from_slice(state);
        }
        let nearest = least(fabric, Some(nearest))?;
        Ok(Known {
            is_done: self.is_done,
            states,
            transitions,
            deadlocks,
            initial,
            bytes,
            diameter: self.level(),
            spread: self.spread(fabric)?,
            deadlock: nearest.map(|words| words[1..].to_vec()),
        })
    }
}

/// The smallest of the rows of words that workers name.
pub(crate) fn least(fabric: &mut Fabric, own: Option<Vec<u64>>) -> Result<Option<Vec<u64>>, Lost> {
    let named = fabric.gather(&own.unwrap_or_default())?;
    Ok(named.into_iter().filter(|state| !state.is_empty()).min())
}

/// Keeps the smaller of two states.
pub(crate) fn keep_least(least: &mut Option<Vec<u64>>, state: &[u64]) {
    if least.as_ref().is_none_or(|other| state < other.as_slice()) {
        *least = Some(state.to_vec());
    }
}

/// Whose a state is. The table of a shard looks at the upper bits of the hash, this at the lower ones: otherwise the states of a shard
/// would crowd in one part of its table.
#[inline]
pub(crate) fn owner(hash: u64, peers: usize) -> usize {
    (((hash & 0xffff_ffff) * peers as u64) >> 32) as usize
}
