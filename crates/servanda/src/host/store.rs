//! Files that are written whole or not at all: beside their place, and then renamed. Whoever is killed meanwhile, or finds the disk full,
//! leaves what was there before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// So many links are followed.
const MOST_LINKS: usize = 40;

/// Puts `content` into a file, which is made where there is none. Links are followed, and permissions are kept. What is no plain file, a pipe
/// or a terminal for example, is written to as it is.
///
/// # Errors
///
/// The file cannot be written; then it is what it was.
pub fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> io::Result<()> {
    put(path.as_ref(), content.as_ref(), File::sync_all)
}

/// As [`write`], for what is written again soon: a program that is killed leaves the old content or the new, but it is not waited until
/// the disk has it.
///
/// # Errors
///
/// The file cannot be written; then it is what it was.
pub fn refresh(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> io::Result<()> {
    put(path.as_ref(), content.as_ref(), |_| Ok(()))
}

type Sync = fn(&File) -> io::Result<()>;

fn put(path: &Path, content: &[u8], sync: Sync) -> io::Result<()> {
    let place = behind_links(path)?;
    match fs::metadata(&place) {
        Ok(found) if !found.is_file() => OpenOptions::new().write(true).open(&place)?.write_all(content),
        Ok(found) => {
            // Renaming would replace what must not be written to.
            let old = OpenOptions::new().read(true).write(true).open(&place)?;
            let replaced = beside(&place, content, sync).and_then(|made| {
                made.as_file().set_permissions(found.permissions())?;
                keep_owner(&found, made.as_file());
                made.persist(&place).map(drop).map_err(|failed| failed.error)
            });
            match replaced {
                // No file can be made there, or the place is a mount of its own.
                Err(error) if cannot_rename(&error) => in_place(old, content),
                result => result,
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let made = beside(&place, content, sync)?;
            made.persist(&place).map(drop).map_err(|failed| failed.error)
        }
        Err(error) => Err(error),
    }
}

/// Where a link leads, and the links behind it, also where nothing is there.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&place) {
            Ok(next) => place = place.parent().map_or_else(|| next.clone(), |parent| parent.join(&next)),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("too many links"))
}

/// A file with this content in the same directory; it is gone unless it is renamed.
fn beside(place: &Path, content: &[u8], sync: Sync) -> io::Result<NamedTempFile> {
    let directory = place.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".servanda-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // What every new file has, less what the user does not want.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut made = builder.tempfile_in(directory)?;
    made.write_all(content)?;
    // Some systems notice only here that there is no room.
    sync(made.as_file())?;
    Ok(made)
}

/// A file of somebody else stays theirs, where that can be.
fn keep_owner(old: &fs::Metadata, new: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
    #[cfg(not(unix))]
    let _ = (old, new);
}

fn cannot_rename(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::ResourceBusy
            | ErrorKind::CrossesDevices
    )
}

/// Writes over what is there, without giving up its room first: what was there can always be put back.
fn in_place(mut file: File, content: &[u8]) -> io::Result<()> {
    let mut old = Vec::new();
    io::Read::read_to_end(&mut file, &mut old)?;
    let put_over = |file: &mut File, content: &[u8]| {
        file.rewind()?;
        file.write_all(content)?;
        file.set_len(content.len() as u64)?;
        file.sync_all()
    };
    put_over(&mut file, content).inspect_err(|_| {
        let _ = put_over(&mut file, &old);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_replaced_and_nothing_is_left_beside_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.txt");
        for text in ["one", "", "a longer one"] {
            write(&path, text).expect("it can be written");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
        }
        assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 1);
        assert!(write(directory.path().join("none/b.txt"), "x").is_err());
        assert!(write(directory.path(), "x").is_err(), "a directory is no file");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let directory = tempfile::tempdir().expect("a directory");
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("below")).expect("a directory");
        fs::write(at("below/real"), "old").expect("a file");
        fs::set_permissions(at("below/real"), fs::Permissions::from_mode(0o640)).expect("a mode");
        symlink("below/real", at("link")).expect("a link");
        symlink("link", at("second")).expect("a link");
        write(at("second"), "new").expect("it can be written");
        assert_eq!(fs::read_to_string(at("below/real")).expect("it is there"), "new");
        assert!(at("link").is_symlink() && at("second").is_symlink());
        let mode = fs::metadata(at("below/real")).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        symlink("nowhere", at("dangling")).expect("a link");
        write(at("dangling"), "made").expect("it can be written");
        assert_eq!(fs::read_to_string(at("nowhere")).expect("it is there"), "made");
        symlink("round", at("round")).expect("a link");
        assert!(write(at("round"), "x").is_err());
        write("/dev/null", "gone").expect("a device takes it");
        assert!(!Path::new("/dev/null").is_file());
    }

    #[test]
    fn what_cannot_be_renamed_is_written_over_in_place() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.txt");
        fs::write(&path, "what was there before").expect("a file");
        let open = || OpenOptions::new().read(true).write(true).open(&path).expect("a file");
        in_place(open(), b"short").expect("there is room");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "short");
        in_place(open(), b"longer than before").expect("there is room");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "longer than before");
    }
}
