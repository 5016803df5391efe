//! What one worker has to complain of is said to all.

use crate::fabric::{Fabric, Lost};

/// What the first worker that complains says.
///
/// # Errors
///
/// When a worker is gone.
pub(crate) fn complaint(fabric: &mut Fabric, own: Option<&str>) -> Result<Option<String>, Lost> {
    let said = fabric.gather(&packed(own.unwrap_or_default()))?;
    Ok(said.iter().map(|words| unpacked(words)).find(|text| !text.is_empty()))
}

/// A text as words, the first of which is its length.
fn packed(text: &str) -> Vec<u64> {
    let bytes = text.as_bytes();
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    std::iter::once(bytes.len() as u64).chain(bytes.chunks(8).map(word)).collect()
}

fn unpacked(words: &[u64]) -> String {
    let Some((length, words)) = words.split_first() else { return String::new() };
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take(*length as usize).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for text in ["", "a", "12345678", "no space left: größer"] {
            assert_eq!(unpacked(&packed(text)), text);
        }
    }
}
