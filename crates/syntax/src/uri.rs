//! Paths in addresses.

/// A path as it stands in an address: what has a meaning of its own there, and what is no ASCII, by the numbers of its bytes.
///
/// ```
/// assert_eq!(servanda_syntax::percent_encoded("a b/ä.pact"), "a%20b/%C3%A4.pact");
/// ```
pub fn percent_encoded(path: &str) -> String {
    path.bytes().fold(String::new(), |mut encoded, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(byte as char);
            }
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
        encoded
    })
}
