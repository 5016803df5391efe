//! What rules say: labels with values put in.

use rustc_hash::FxHashMap;

use crate::evaluate::{Line as Evaluated, NoSlice};
use crate::judge::{Judge, Letter};
use crate::mapping::{Piece, Template};
use crate::read::{Slot, ValueKind};

/// So many different labels are made of one template; what goes beyond is a label that is never possible, as most of them will be.
const MOST: usize = 1 << 14;

/// A label of a rule, ready to be said.
pub(super) enum Spoken {
    Fixed(Letter),
    Made {
        pieces: Vec<Piece>,
        /// By the values put in.
        known: FxHashMap<String, Letter>,
        beyond: Letter,
    },
}

impl Spoken {
    pub(super) fn new(template: &Template, judge: &mut Judge<'_>) -> Self {
        match template.fixed() {
            Some(text) => Spoken::Fixed(judge.letter(text)),
            None => Spoken::Made {
                pieces: template.pieces.clone(),
                known: FxHashMap::default(),
                beyond: judge.letter(&template.text.text),
            },
        }
    }

    /// What it says on a line; the error is a value that cannot be known.
    pub(super) fn letter(
        &mut self,
        line: &mut Evaluated<'_>,
        words: &[(String, String)],
        judge: &mut Judge<'_>,
        values: &mut String,
    ) -> Result<Letter, Slot> {
        let (pieces, known, beyond) = match self {
            Spoken::Fixed(letter) => return Ok(*letter),
            Spoken::Made { pieces, known, beyond } => (pieces, known, beyond),
        };
        values.clear();
        for piece in &*pieces {
            if let Piece::Value(node) = piece {
                let value = line.value(*node, &mut NoSlice);
                match value.kind {
                    ValueKind::Unclear => return Err(value),
                    ValueKind::Missing => values.push_str("missing"),
                    ValueKind::Null => values.push_str("null"),
                    ValueKind::True => values.push_str("true"),
                    ValueKind::False => values.push_str("false"),
                    _ => values.push_str(line.str(value)),
                }
                values.push(SEPARATOR);
            }
        }
        if let Some(letter) = known.get(values.as_str()) {
            return Ok(*letter);
        }
        if known.len() >= MOST {
            return Ok(*beyond);
        }
        let letter = make(pieces, values, words, judge);
        known.insert(values.clone(), letter);
        Ok(letter)
    }
}

/// Between two values.
const SEPARATOR: char = '\u{1f}';

/// The label with each value as a word of the model: the word that the mapping gives for it; otherwise the value as it is, if that is a
/// label; otherwise in small letters, with `_` for whatever is no letter or digit.
fn make(pieces: &[Piece], values: &str, words: &[(String, String)], judge: &mut Judge<'_>) -> Letter {
    let filled = |put: &dyn Fn(&str) -> String| {
        let mut rest = values.split(SEPARATOR);
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(fixed) => text.push_str(fixed),
                Piece::Value(_) => text.push_str(&put(rest.next().unwrap_or_default())),
            }
        }
        text
    };
    let word = |value: &str| words.iter().find(|(known, _)| known == value).map(|(_, word)| word.clone());
    let as_is = filled(&|value| word(value).unwrap_or_else(|| value.to_owned()));
    if !judge.model().labels_shown(&as_is).is_empty() {
        return judge.letter(&as_is);
    }
    let plain = |value: &str| -> String {
        let letters = value.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' });
        letters.flat_map(char::to_lowercase).take(200).collect()
    };
    judge.letter(&filled(&|value| word(value).unwrap_or_else(|| plain(value))))
}
