//! Words as they go from process to process: bytes in one piece, since word after word takes as long as to find some of the states.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// The bytes of a word.
const BYTES: usize = size_of::<u64>();

/// Words that are sent together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words(pub(crate) Vec<u64>);

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = vec![0; BYTES * self.0.len()];
        let (rooms, _) = bytes.as_chunks_mut::<BYTES>();
        rooms.iter_mut().zip(&self.0).for_each(|(room, word)| *room = word.to_le_bytes());
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Reader)
    }
}

/// Reads the bytes of words.
struct Reader;

impl Visitor<'_> for Reader {
    type Value = Words;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("words of eight bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Words, E> {
        match bytes.as_chunks::<BYTES>() {
            (words, []) => Ok(Words(words.iter().copied().map(u64::from_le_bytes).collect())),
            _ => Err(E::invalid_length(bytes.len(), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::de::value::{BytesDeserializer, Error};

    use super::*;

    fn read(bytes: &[u8]) -> Result<Words, Error> {
        Words::deserialize(BytesDeserializer::new(bytes))
    }

    #[test]
    fn what_is_sent_arrives_and_half_a_word_is_refused() {
        let words = Words(vec![0, 1, 0x0102_0304_0506_0708, u64::MAX]);
        let bytes: Vec<u8> = words.0.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(read(&bytes), Ok(words));
        assert_eq!(read(&[]), Ok(Words(Vec::new())));
        assert!(read(&bytes[..9]).is_err_and(|error| error.to_string().contains("words of eight bytes")));
    }
}
