//! Strings with escapes.

/// Adds the text that a string with escapes stands for. Half of a pair of surrogates stands for the replacement character.
pub fn decode(mut raw: &str, into: &mut String) {
    while let Some(at) = raw.find('\\') {
        into.push_str(&raw[..at]);
        let (character, length) = one_escape(&raw[at..]);
        into.push(character);
        raw = raw.get(at + length..).unwrap_or("");
    }
    into.push_str(raw);
}

fn one_escape(raw: &str) -> (char, usize) {
    let unit = |at: usize| raw.get(at..at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match raw.as_bytes().get(1) {
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => {
            let first = unit(2).unwrap_or(0xfffd);
            let second = if raw.get(6..8) == Some("\\u") { unit(8) } else { None };
            match (first, second) {
                (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
                    let code = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
                    (char::from_u32(code).unwrap_or('\u{fffd}'), 12)
                }
                _ => (char::from_u32(first).unwrap_or('\u{fffd}'), 6),
            }
        }
        Some(other) => (char::from(*other), 2),
        None => ('\\', 1),
    }
}
