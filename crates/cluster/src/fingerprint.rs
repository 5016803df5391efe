//! A number for all that something is: what it is compared by where it cannot be seen itself, in another process or later.

use std::fmt::{self, Debug, Write};
use std::hash::{DefaultHasher, Hasher};

/// What two things have in common that look the same.
pub(crate) fn fingerprint(thing: &impl Debug) -> u64 {
    struct Hashed(DefaultHasher);
    impl Write for Hashed {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let mut hashed = Hashed(DefaultHasher::new());
    // It writes to nothing that could fail.
    let _ = write!(hashed, "{thing:?}");
    hashed.0.finish()
}
