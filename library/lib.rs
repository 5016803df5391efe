//! Protocols that recorded conversations are judged by, and how logs are read: texts that the program carries in itself.
//!
//! An [`Entry`] has models in Pact, a mapping for each source that logs come from, a page that says which rules it knows, and for every
//! rule a recording that breaks it and one that does not. Paths are those of this directory, so that the files work as they lie here:
//! a mapping names its models by paths from where it is.
//!
//! ```
//! let entry = servanda_library::entry("mcp/2025-11-25").unwrap();
//! let mapping = entry.mapping("stdio").unwrap();
//! assert_eq!(entry.text_from(mapping.path, "../session.pact").unwrap().path, "mcp/session.pact");
//! ```

mod entries;

pub use entries::entries;

/// A file.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// Where it is in the library.
    pub path: &'static str,
    /// What it says.
    pub text: &'static str,
}

/// How the logs of one source are read.
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
    /// Where logs come from: `stdio`, `http`, `otlp`, ..
    pub source: &'static str,
    /// Where it is in the library.
    pub path: &'static str,
    /// What it says.
    pub text: &'static str,
}

/// A recorded conversation.
#[derive(Clone, Copy, Debug)]
pub struct Recording {
    /// Which mapping reads it.
    pub source: &'static str,
    /// Where it is in the library.
    pub path: &'static str,
    /// Its lines.
    pub text: &'static str,
}

/// What is to be found in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The line, from 1.
    pub line: u64,
    /// `must`, `should` or `may`.
    pub level: &'static str,
    /// The view that finds it.
    pub view: &'static str,
    /// The property, or the kind of finding.
    pub code: &'static str,
    /// The rule that is broken, in one sentence.
    pub rule: &'static str,
    /// Where it stands.
    pub section: &'static str,
}

/// A protocol, with all that is needed to judge logs by it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name: `mcp/2025-11-25`.
    pub name: &'static str,
    /// Which version of the protocol it is; empty where there are none.
    pub version: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it is good for, in one sentence.
    pub about: &'static str,
    /// Its models, and the files that these use.
    pub models: &'static [Text],
    /// Its mappings, the most usual source first.
    pub mappings: &'static [Mapping],
    /// Its page: every rule with its level and where it stands, in Markdown.
    pub page: Text,
    /// Recordings that break a rule, and recordings that do not.
    pub recordings: &'static [Recording],
    /// What is to be found in them, as a table.
    pub expected: Text,
}

/// The entry of this name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    entries().iter().find(|entry| entry.name == name)
}

impl Entry {
    /// How logs of this source are read.
    pub fn mapping(&self, source: &str) -> Option<&'static Mapping> {
        self.mappings.iter().find(|mapping| mapping.source == source)
    }

    /// What is to be found in a recording; nothing: nothing is wrong with it.
    pub fn expected(&self, recording: &Recording) -> Vec<Expected> {
        let rows = self.expected.text.lines().filter(|line| !line.starts_with('#'));
        rows.filter_map(|row| {
            let mut columns = row.split('\t');
            columns.next().filter(|file| recording.path.ends_with(&format!("/recordings/{file}")))?;
            Some(Expected {
                line: columns.next()?.parse().ok()?,
                level: columns.next()?,
                view: columns.next()?,
                code: columns.next()?,
                rule: columns.next()?,
                section: columns.next()?,
            })
        })
        .collect()
    }

    /// The file that a file of the library names, as `../session.pact`.
    pub fn text_from(&self, from: &str, named: &str) -> Option<&'static Text> {
        let path = join(from, named);
        self.models.iter().find(|model| model.path == path)
    }

    /// All its files, each once: what a copy of it consists of.
    pub fn texts(&self) -> Vec<Text> {
        let mappings = self.mappings.iter().map(|mapping| Text { path: mapping.path, text: mapping.text });
        let recordings = self.recordings.iter().map(|it| Text { path: it.path, text: it.text });
        let models = self.models.iter().copied();
        models.chain(mappings).chain([self.page, self.expected]).chain(recordings).collect()
    }
}

/// A path as it is written in a file, from the top of the library.
fn join(from: &str, named: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests;
