//! The labels of a transition system.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// The number of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(pub u32);

impl Action {
    /// The label of internal steps. Every table has it, whether or not a transition does.
    pub const INTERNAL: Action = Action(0);

    /// Is it the label of internal steps?
    pub fn is_internal(self) -> bool {
        self == Action::INTERNAL
    }
}

/// The names of labels, without duplicates; number 0 is the internal one.
#[derive(Clone, Debug)]
pub struct Labels {
    pub(crate) names: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, Action>,
}

impl Labels {
    /// How the internal label is shown.
    pub const INTERNAL: &str = "tau";

    /// A table of nothing but the internal label.
    pub fn new() -> Self {
        let mut labels = Labels { names: Vec::new(), numbers: FxHashMap::default() };
        labels.number(Labels::INTERNAL);
        labels
    }

    /// The number of a label, which is added if it is new.
    ///
    /// # Panics
    /// When there are more than 2^32 labels.
    pub fn number(&mut self, name: &str) -> Action {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let action = Action(u32::try_from(self.names.len()).expect("fewer than 2^32 labels"));
        let name: Arc<str> = Arc::from(name);
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, action);
        action
    }

    /// The number of a label that is there.
    pub fn find(&self, name: &str) -> Option<Action> {
        self.numbers.get(name).copied()
    }

    /// What a label is called.
    pub fn name(&self, action: Action) -> &str {
        &self.names[action.0 as usize]
    }

    /// The place of each label in the order of their names, the internal one first. Numbers are an accident of how a system
    /// came about; where equal systems are to look equal, this is the order to use.
    pub fn ranks(&self) -> Vec<u32> {
        let mut actions: Vec<u32> = (1..self.names.len() as u32).collect();
        actions.sort_unstable_by_key(|action| &self.names[*action as usize]);
        let mut ranks = vec![0; self.names.len()];
        for (place, action) in (1..).zip(actions) {
            ranks[action as usize] = place;
        }
        ranks
    }

    /// All labels, the internal one first.
    pub fn all(&self) -> impl Iterator<Item = Action> + use<> {
        (0..self.names.len() as u32).map(Action)
    }
}

impl Default for Labels {
    fn default() -> Self {
        Labels::new()
    }
}
