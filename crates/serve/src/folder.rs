//! The directory, and what in it may be opened.
//!
//! Paths are taken apart before anything is opened, and what is left is opened through a handle of the directory that follows no way out of it:
//! neither `..` nor links, whoever changes them in between.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use crate::{Refused, version};

/// A path that may be asked for has at most so many bytes.
const LONGEST: usize = 1024;

/// A directory whose files can be read and written.
pub struct Folder {
    /// Where it is, for people and for jobs.
    pub root: PathBuf,
    pub(crate) dir: Dir,
    /// The size of a file that is opened, in bytes.
    most: usize,
    /// One file is written at a time, so that nobody writes between a comparison and what follows from it.
    writing: Mutex<()>,
}

/// What a file contains, and which version of it that is.
#[derive(Debug)]
pub struct Contents {
    /// What it contains.
    pub text: String,
    pub(crate) version: String,
}

/// How writing ended.
#[derive(Debug)]
pub(crate) enum Written {
    /// It is there, with this version.
    Done(String),
    /// Not written: this is what the file is by now.
    Conflict(Contents),
}

impl Folder {
    /// Opens a directory, whose files have at most so many bytes.
    pub fn open(path: &Path, most: usize) -> io::Result<Folder> {
        let root = path.canonicalize()?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Folder { root, dir, most, writing: Mutex::new(()) })
    }

    /// A path as it is called below the directory: assistants name files by where they are, or from the directory with `./`.
    pub fn below<'p>(&self, path: &'p str) -> &'p str {
        let from_root = self.root.to_str().and_then(|root| path.strip_prefix(root)?.strip_prefix('/'));
        let mut path = from_root.unwrap_or(path);
        while let Some(rest) = path.strip_prefix("./") {
            path = rest;
        }
        path
    }

    /// Reads a text.
    pub fn read(&self, path: &str) -> Result<Contents, Refused> {
        allowed(path)?;
        self.contents(path)
    }

    fn contents(&self, path: &str) -> Result<Contents, Refused> {
        let told = |error: io::Error| told(path, &error);
        // Asked before it is opened: to open a pipe is to wait for somebody at its other end.
        if !self.dir.metadata(path).map_err(told)?.is_file() {
            return Err(Refused::forbidden(format!("{path} is not a file")));
        }
        let mut bytes = Vec::new();
        let file = self.dir.open(path).map_err(told)?;
        file.take(self.most as u64 + 1).read_to_end(&mut bytes).map_err(told)?;
        if bytes.len() > self.most {
            let message = format!("{path} has more than {} bytes", self.most);
            return Err(Refused::too_large(message));
        }
        let version = version::of(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| {
            Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("{path} is not a text in UTF-8"))
        })?;
        Ok(Contents { text, version })
    }

    /// Writes a text where the file still has the version that was read; `None`: where there is no file yet. Whoever reads it meanwhile sees
    /// the old text or the new one.
    pub(crate) fn write(&self, path: &str, text: &str, read: Option<&str>) -> Result<Written, Refused> {
        allowed(path)?;
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let told = |error: io::Error| told(path, &error);
        // A link within the directory stays one: what it leads to is written.
        let place = match self.dir.canonicalize(path) {
            Ok(place) => place,
            Err(error) if error.kind() == ErrorKind::NotFound => self.new_place(path)?,
            Err(error) => return Err(told(error)),
        };
        let before = match self.dir.try_exists(&place).map_err(told)? {
            true => Some(self.contents(path)?),
            false => None,
        };
        match (before, read) {
            (Some(before), Some(read)) if before.version == read => {}
            (None, None) => {}
            (Some(before), _) => return Ok(Written::Conflict(before)),
            (None, Some(_)) => return Err(Refused::not_found(format!("{path} no longer exists"))),
        }
        self.replace(&place, text).map_err(told)?;
        Ok(Written::Done(version::of(text.as_bytes())))
    }

    /// Where a new file goes.
    fn new_place(&self, path: &str) -> Result<PathBuf, Refused> {
        if self.dir.symlink_metadata(path).is_ok() {
            return Err(Refused::forbidden(format!("{path} is a link to nothing in the directory")));
        }
        let Some((parent, name)) = path.rsplit_once('/') else { return Ok(PathBuf::from(path)) };
        match self.dir.canonicalize(parent) {
            Ok(parent) => Ok(parent.join(name)),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(Refused::not_found(format!("there is no directory {parent}")))
            }
            Err(error) => Err(told(parent, &error)),
        }
    }

    /// Writes beside the file and puts the result in its place.
    fn replace(&self, place: &Path, text: &str) -> io::Result<()> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let beside = place.with_file_name(format!(".{name}.{:08x}.part", getrandom::u32()?));
        let mut options = OpenOptions::new();
        let written =
            self.dir.open_with(&beside, options.write(true).create_new(true)).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                if let Ok(before) = self.dir.metadata(place) {
                    file.set_permissions(before.permissions())?;
                }
                file.sync_all()
            });
        let placed = written.and_then(|()| self.dir.rename(&beside, &self.dir, place));
        if placed.is_err() {
            // What is told is why it was not written, not what was left behind.
            let _ = self.dir.remove_file(&beside);
        }
        placed
    }
}

/// What became of a file, for who asked.
fn told(path: &str, error: &io::Error) -> Refused {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Refused::not_found(format!("there is no {path}")),
        // This is also what a way out of the directory gives.
        ErrorKind::PermissionDenied => Refused::forbidden(format!("{path} may not be opened")),
        _ => Refused::forbidden(format!("{path}: {error}")),
    }
}

/// Whether a path may be asked for: names joined by `/`, none of them hidden, and none that means something else on some system.
pub(crate) fn allowed(path: &str) -> Result<(), Refused> {
    if path.len() > LONGEST {
        return Err(Refused::forbidden(format!("a path has at most {LONGEST} bytes")));
    }
    match path.split('/').find(|name| !is_plain(name)) {
        None => Ok(()),
        Some(name) => Err(Refused::forbidden(format!("`{name}` is not allowed in a path"))),
    }
}

/// Whether something is the name of a file, and of nothing else, on every system.
pub(crate) fn is_plain(name: &str) -> bool {
    const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_numbered = |device| stem.strip_prefix(device).is_some_and(|rest| rest.chars().count() == 1);
    let is_device = DEVICES.contains(&stem.as_str()) || is_numbered("com") || is_numbered("lpt");
    let is_odd = |letter: char| letter.is_control() || matches!(letter, '/' | '\\' | ':');
    !name.is_empty()
        && !name.starts_with('.')
        && !name.ends_with(['.', ' '])
        && !name.contains(is_odd)
        && !is_device
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_called_as_it_is_below_the_directory() {
        let place = std::env::temp_dir();
        let folder = Folder::open(&place, 1).expect("a directory");
        let root = folder.root.to_str().expect("a text").to_owned();
        for (given, called) in [
            ("a.pact", "a.pact"),
            ("./a.pact", "a.pact"),
            ("././b/a.pact", "b/a.pact"),
            ("../a.pact", "../a.pact"),
            ("/elsewhere/a.pact", "/elsewhere/a.pact"),
        ] {
            assert_eq!(folder.below(given), called);
        }
        assert_eq!(folder.below(&format!("{root}/b/a.pact")), "b/a.pact");
        assert_eq!(folder.below(&format!("{root}-not/a.pact")), format!("{root}-not/a.pact"));
    }

    #[test]
    fn paths_that_mean_something_else_are_refused() {
        for path in ["a.pact", "a/b.pact", "a b.pact", "ä.pact", "console.pact", "a%2e.pact", "complete"] {
            assert!(allowed(path).is_ok(), "{path}");
        }
        let odd = [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../a",
            "a/../b",
            "a//b",
            "./a",
            "a/.",
            ".git/config",
            "a\\b",
            "C:a",
            "c:/a",
            "\\\\host\\share",
            "a\0b",
            "a\nb",
            "nul",
            "NUL.pact",
            "con",
            "com1.pact",
            "a.",
            "a ",
            "a:stream",
            "a/",
        ];
        for path in odd {
            assert!(allowed(path).is_err(), "{path:?}");
        }
        assert!(allowed(&"a".repeat(1025)).is_err());
    }
}
