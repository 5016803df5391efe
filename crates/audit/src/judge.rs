//! What a model says about words of labels.
//!
//! A [`Judge`] follows words in one model. How a word stands is one small number, a [`Standing`]: the set of states in which the runs
//! are that agree with it, what every property makes of these runs, and what has become of every commitment. Sets and standings are
//! kept once, and steps between them are remembered: after a while a step is a look-up.
//!
//! ```
//! use servanda_audit::judge::{Judge, Step, Terms, Verdict};
//! use servanda_engine::NoLimits;
//! use servanda_syntax::SourceFile;
//!
//! let text = "
//!     roles Cus, Mer
//!     start idle
//!     idle -- Cus: ask --> asked
//!     asked -- Mer: answer --> idle
//!     asked -- Cus: leave --> left
//!     property answered = AG (in asked -> F in idle)
//! ";
//! let protocol = servanda_pact::load(&SourceFile::new("ask.pact", text), &[]).protocol.unwrap();
//! let mut judge = Judge::new(&protocol.model, &protocol.properties, &Terms::default(), &NoLimits).unwrap();
//! let (ask, leave) = (judge.letter("Cus: ask"), judge.letter("Cus: leave"));
//! let mut standing = judge.begin().standing;
//! for letter in [ask, leave] {
//!     let Step::Went { to, .. } = judge.step(standing, letter, &NoLimits).unwrap() else { panic!() };
//!     standing = to;
//! }
//! assert_eq!(judge.verdict(standing, 0), Verdict::False);
//! assert_eq!(judge.step(standing, ask, &NoLimits).unwrap(), Step::NotPossible);
//! ```

mod build;
mod explain;
mod findings;
mod labels;
mod letters;
mod news;
mod places;
mod possible;
mod product;
mod promises;
mod rules;
mod sets;
mod steps;
mod watch;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Options};
use servanda_enumerate::Explored;
use servanda_model::{CommandId, LabelId, Model, Mover, Property};
use servanda_space::Space;

pub use explain::{Explanation, Move};
pub use findings::{Begun, Decided, End, Event, InForce, News, Standing, Status, Step, Verdict};
pub use labels::Labels;
pub use letters::Letter;
pub use places::Place;
pub use possible::Possible;

use build::Followed;
use letters::Letters;
use news::Told;
use places::Places;
use sets::Sets;
use watch::Watch;

/// How many standings are remembered where nobody says otherwise.
pub const MOST_STANDINGS: usize = 1 << 20;

/// How words are followed.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The labels that leave no line, as texts that [`Labels::find`] understands.
    pub silent: Vec<String>,
    /// Whose part of the word counts: what this role neither says nor is told is silent. `None`: all of it.
    pub seen_by: Option<String>,
    /// So many standings are remembered; a step that needs one more is [`Step::TooMany`].
    pub most: usize,
}

impl Default for Terms {
    fn default() -> Self {
        Terms { silent: Vec::new(), seen_by: None, most: MOST_STANDINGS }
    }
}

/// Where a memoised step leads that is not possible.
const NOWHERE: u32 = u32::MAX;

/// A model that words are followed in, with what has been found out so far.
pub struct Judge<'m> {
    model: &'m Model,
    space: Space<'m>,
    labels: Labels<'m>,
    letters: Letters,
    /// By label, whether it leaves no line.
    silent: Vec<bool>,
    /// By label, whether the role sees it whose part of the word counts.
    hears: Option<Vec<bool>>,
    most: usize,
    /// The states first, then properties, then commitments.
    watches: Vec<Watch>,
    /// By standing, the set of each watch.
    standings: Sets,
    memo: FxHashMap<(Standing, Letter), (u32, News)>,
    begun: Begun,
    told: Told,
    places: Places,
    /// By property.
    properties: Vec<Followed>,
    /// By commitment.
    commitments: Vec<Followed>,
    /// By commitment, which labels create it.
    creating: Vec<Vec<bool>>,
    /// Which transitions labels come from, of those that have been asked for.
    written: FxHashMap<(Standing, LabelId), Option<CommandId>>,
    mover: Option<Mover<'m>>,
}

impl<'m> Judge<'m> {
    /// Explores a model and prepares to judge these properties, and its commitments.
    ///
    /// # Errors
    ///
    /// The model cannot be explored, a silent label or the role is unknown, or the budget says stop. A property that cannot be judged
    /// is no error: it stays open.
    pub fn new(
        model: &'m Model,
        properties: &[Property],
        terms: &Terms,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let mut labels = Labels::new(model)?;
        let hears = labels::hears(model, terms)?;
        let silent = labels::silent(model, &mut labels, terms, hears.as_deref())?;
        let mut explored = Explored::new(model, Options::default(), budget)?;
        let mut watches = vec![build::states(&explored.space)];
        let mut followed = Vec::new();
        for property in properties {
            let watch = build::property(&mut explored, property, budget);
            followed.push(keep(&mut watches, watch)?);
        }
        let mut promised = Vec::new();
        for (commitment, _) in model.commitments() {
            let watch = build::commitment(&mut explored, commitment, budget);
            promised.push(keep(&mut watches, watch)?);
        }
        let creating = model.commitments().map(|(id, _)| promises::creating(model, id)).collect();
        let mut judge = Judge {
            model,
            space: explored.space,
            labels,
            letters: Letters::default(),
            silent,
            hears,
            most: terms.most.max(1),
            watches,
            standings: Sets::default(),
            memo: FxHashMap::default(),
            begun: Begun { standing: Standing(0), news: News::NONE },
            told: Told::default(),
            places: Places::default(),
            properties: followed,
            commitments: promised,
            creating,
            written: FxHashMap::default(),
            mover: None,
        };
        judge.start(budget)?;
        Ok(judge)
    }

    /// Finds out how a word stands that has no letter yet.
    fn start(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let mut sets = Vec::with_capacity(self.watches.len());
        for watch in &mut self.watches {
            sets.push(watch.begin(&self.silent, budget)?);
        }
        let standing = Standing(self.standings.number(&sets));
        self.begun = Begun { standing, news: self.tell(None, standing) };
        Ok(())
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The letter of a text, which is made if there is none yet. What [`Labels::find`] finds a mistake in is never possible.
    pub fn letter(&mut self, text: &str) -> Letter {
        if let Some(known) = self.letters.find(text) {
            return known;
        }
        let labels = self.labels.find(text).unwrap_or_default();
        self.letters.add(text, &labels, self.hears.as_deref())
    }

    /// Is everything that a letter stands for also what another stands for? `Agent: closes` is within `closes`.
    #[inline]
    pub fn is_within(&self, part: Letter, whole: Letter) -> bool {
        if part == whole {
            return true;
        }
        let (part, whole) = (&self.letters.heard(part).labels, &self.letters.heard(whole).labels);
        !part.is_empty() && part.iter().all(|label| whole.binary_search(label).is_ok())
    }

    /// The text of a letter.
    pub fn text(&self, letter: Letter) -> &str {
        self.letters.text(letter)
    }

    /// How a slice stands before its first line.
    pub fn begin(&self) -> Begun {
        self.begun
    }

    /// What becomes of a slice with a line.
    ///
    /// # Errors
    ///
    /// When the budget says stop, which is not asked where the step is remembered.
    #[inline]
    pub fn step(&mut self, from: Standing, letter: Letter, budget: &dyn Budget) -> Result<Step, Halt> {
        match self.memo.get(&(from, letter)) {
            Some(&(NOWHERE, _)) => Ok(Step::NotPossible),
            Some(&(to, news)) => Ok(Step::Went { to: Standing(to), news }),
            None => self.first_step(from, letter, budget),
        }
    }

    /// A step that has not been made yet.
    #[cold]
    fn first_step(&mut self, from: Standing, letter: Letter, budget: &dyn Budget) -> Result<Step, Halt> {
        let heard = self.letters.heard(letter);
        if heard.labels.is_empty() && heard.perhaps_unheard {
            self.memo.insert((from, letter), (from.0, News::NONE));
            return Ok(Step::Went { to: from, news: News::NONE });
        }
        let before = self.standings.get(from.0).to_vec();
        let mut after = Vec::with_capacity(before.len());
        for (watch, set) in self.watches.iter_mut().zip(&before) {
            let to = watch.step(*set, (letter.0, heard), &self.silent, budget)?;
            if after.is_empty() && watch.members(to).is_empty() {
                self.memo.insert((from, letter), (NOWHERE, News::NONE));
                return Ok(Step::NotPossible);
            }
            after.push(to);
        }
        if self.standings.len() >= self.most && self.standings.find(&after).is_none() {
            return Ok(Step::TooMany);
        }
        let to = self.standings.number(&after);
        let news = self.tell(Some((from, letter)), Standing(to));
        self.memo.insert((from, letter), (to, news));
        Ok(Step::Went { to: Standing(to), news })
    }

    /// The states in which the runs are that agree with the word.
    pub fn states(&self, at: Standing) -> &[u32] {
        self.watches[0].members(self.standings.get(at.0)[0])
    }

    /// How many standings are known.
    pub fn standings(&self) -> usize {
        self.standings.len()
    }

    /// The explored space of the model: what the numbers of states stand for.
    pub fn space(&self) -> &Space<'m> {
        &self.space
    }

    /// Can nothing more be said, in whatever state the slice is?
    pub fn is_over(&self, at: Standing) -> bool {
        self.states(at).iter().all(|state| self.watches[0].steps.of(*state).is_empty())
    }
}

/// Adds what is followed, or notes why it is not; only who stops the work ends all of it.
fn keep(watches: &mut Vec<Watch>, watch: Result<Watch, Halt>) -> Result<Followed, Halt> {
    match watch {
        Ok(watch) => {
            watches.push(watch);
            Ok(Ok(watches.len() - 1))
        }
        Err(halt @ Halt::Stopped { .. }) => Err(halt),
        Err(halt) => Ok(Err(halt.to_string())),
    }
}
