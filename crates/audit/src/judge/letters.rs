//! The letters of words: what lines say, as sets of labels.

use rustc_hash::FxHashMap;
use servanda_model::LabelId;

/// What a line says: a text of the mapping, and the labels of the model that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter(pub(crate) u32);

/// What is heard of a letter.
#[derive(Default)]
pub(crate) struct Heard {
    /// The labels that it stands for, those that are heard, in order.
    pub(crate) labels: Vec<u32>,
    /// Does it also stand for labels that are not heard?
    pub(crate) perhaps_unheard: bool,
}

/// All letters so far.
#[derive(Default)]
pub(crate) struct Letters {
    texts: Vec<String>,
    heard: Vec<Heard>,
    by_text: FxHashMap<String, Letter>,
    by_label: FxHashMap<LabelId, Letter>,
}

impl Letters {
    pub(crate) fn find(&self, text: &str) -> Option<Letter> {
        self.by_text.get(text).copied()
    }

    /// Adds a letter; `hears` says which labels are heard, all where there is none.
    pub(crate) fn add(&mut self, text: &str, labels: &[LabelId], hears: Option<&[bool]>) -> Letter {
        let letter = self.push(text.to_owned(), labels, hears);
        self.by_text.insert(text.to_owned(), letter);
        letter
    }

    /// The letter that stands for one label, whatever else is called so.
    pub(crate) fn of_label(
        &mut self,
        label: LabelId,
        text: impl FnOnce() -> String,
        hears: Option<&[bool]>,
    ) -> Letter {
        if let Some(&known) = self.by_label.get(&label) {
            return known;
        }
        let letter = self.push(text(), &[label], hears);
        self.by_label.insert(label, letter);
        letter
    }

    fn push(&mut self, text: String, labels: &[LabelId], hears: Option<&[bool]>) -> Letter {
        let letter = Letter(self.texts.len() as u32);
        let is_heard = |label: &LabelId| hears.is_none_or(|hears| hears[label.index()]);
        let (heard, unheard): (Vec<LabelId>, Vec<LabelId>) = labels.iter().partition(|label| is_heard(label));
        let mut labels: Vec<u32> = heard.into_iter().map(|label| label.0).collect();
        labels.sort_unstable();
        labels.dedup();
        self.heard.push(Heard { labels, perhaps_unheard: !unheard.is_empty() });
        self.texts.push(text);
        letter
    }

    pub(crate) fn text(&self, letter: Letter) -> &str {
        &self.texts[letter.0 as usize]
    }

    pub(crate) fn heard(&self, letter: Letter) -> &Heard {
        &self.heard[letter.0 as usize]
    }
}
