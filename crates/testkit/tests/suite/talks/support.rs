//! Talks as protocols.

use servanda_pact::{Loaded, Protocol};
use servanda_testkit::random::talk::Talk;

/// A text without mistakes.
pub(super) fn right(loaded: Loaded, text: &str) -> Result<Protocol, String> {
    let Loaded { protocol, diagnostics } = loaded;
    protocol.ok_or_else(|| {
        let found = diagnostics.iter().map(|found| {
            let (start, end) = (found.span.start as usize, found.span.end as usize);
            format!("{}: {} at `{}`", found.code, found.message, text.get(start..end).unwrap_or("the part"))
        });
        format!("{}\n{text}", found.collect::<Vec<_>>().join("\n"))
    })
}

/// A talk read from its text.
pub(super) fn protocol(talk: &Talk) -> Result<Protocol, String> {
    right(talk.load(), &all_texts(talk))
}

/// Its text, and those of its parts.
pub(super) fn all_texts(talk: &Talk) -> String {
    let mut text = talk.text();
    for (name, part) in &talk.files {
        text.push_str(&format!("// ---- {name}\n{}", part.text()));
    }
    text
}
