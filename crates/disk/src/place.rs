//! A directory for what is needed as long as the program runs.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The names of such directories begin so.
const PREFIX: &str = "servanda-spill-";

/// The file in it that is locked as long as somebody needs it.
const LOCK: &str = "lock";

/// How many directories this process has made.
static MADE: AtomicU64 = AtomicU64::new(0);

/// A directory of this program's own in one that it was given. It is removed in the end; those that were left by programs that were
/// killed are removed when the next one is made.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    /// Locked until the end.
    _lock: File,
    /// How many files were named.
    named: AtomicU64,
}

impl Place {
    /// A new directory within this one, which is made where there is none.
    ///
    /// # Errors
    ///
    /// It cannot be made.
    pub fn new(within: &Path) -> io::Result<Self> {
        fs::create_dir_all(within)?;
        remove_abandoned(within);
        loop {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let path = within.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            let lock = File::create_new(path.join(LOCK))?;
            // Where a file system has no locks, nobody can tell what was abandoned, and nothing is taken for it.
            let _ = lock.lock_shared();
            if !path.join(LOCK).exists() {
                // Somebody took it for abandoned before it was locked.
                continue;
            }
            return Ok(Place { path, _lock: lock, named: AtomicU64::new(0) });
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path in it that nobody else was given.
    pub fn name(&self, kind: &str) -> PathBuf {
        self.path.join(format!("{kind}-{}.run", self.named.fetch_add(1, Ordering::Relaxed)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes directories whose programs are gone.
fn remove_abandoned(within: &Path) {
    for entry in fs::read_dir(within).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let Ok(lock) = File::open(entry.path().join(LOCK)) else { continue };
        if is_ours && lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_removed_and_what_is_needed_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let left = directory.path().join("servanda-spill-0-7");
        fs::create_dir(&left).unwrap();
        fs::write(left.join("lock"), "").unwrap();
        fs::write(left.join("x-0.run"), "something").unwrap();
        fs::write(directory.path().join("other"), "something else").unwrap();
        let first = Place::new(directory.path()).unwrap();
        assert!(!left.exists(), "nobody needs it");
        fs::write(first.name("x"), "something").unwrap();
        let second = Place::new(directory.path()).unwrap();
        assert!(first.path().exists() && second.path().exists() && first.name("x") != first.name("x"));
        drop((first, second));
        let names: Vec<_> =
            fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["other"]);
    }
}
