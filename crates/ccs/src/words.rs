//! Names and contents, each stored once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A name or a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Word(u32);

impl Word {
    /// Its position in tables that have an entry for every word.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All words of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    texts: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, Word>,
}

impl Words {
    /// The number of a text, which is entered if it is new.
    pub(crate) fn add(&mut self, text: &str) -> Word {
        if let Some(word) = self.numbers.get(text) {
            return *word;
        }
        let text: Arc<str> = Arc::from(text);
        // Every word takes at least a byte of a text whose places have 32 bits.
        let word = Word(self.texts.len() as u32);
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, word);
        word
    }

    /// The number of a text that is known.
    pub(crate) fn find(&self, text: &str) -> Option<Word> {
        self.numbers.get(text).copied()
    }

    /// The text of a word.
    pub(crate) fn text(&self, word: Word) -> &str {
        &self.texts[word.index()]
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }
}
