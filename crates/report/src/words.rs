//! Words that live as long as the program, such as the names of engines, as other processes tell them.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serializer};

/// A word that lives as long as the program. Not written as a reference, since derived readers would want to borrow it from what
/// they read.
pub type Word = &'static str;

/// Every word that was read: they are few, and each is kept once.
static KNOWN: Mutex<BTreeSet<Word>> = Mutex::new(BTreeSet::new());

/// Writes a word.
///
/// # Errors
///
/// It cannot be written.
pub fn serialize<S: Serializer>(word: &Word, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(word)
}

/// Reads a word.
///
/// # Errors
///
/// It is none.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    String::deserialize(deserializer).map(kept)
}

fn kept(word: String) -> Word {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    match known.get(word.as_str()) {
        Some(word) => word,
        None => {
            let word: Word = Box::leak(word.into_boxed_str());
            known.insert(word);
            word
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_kept_once() {
        let words = ["bdd", "sat", "bdd"].map(|word| kept(word.to_owned()));
        assert_eq!(words, ["bdd", "sat", "bdd"]);
        assert!(std::ptr::eq(words[0], words[2]));
    }
}
