//! The files that a job reads: those below its directory.

use std::fs;
use std::path::{Component, Path};

use servanda::workbench::Files;
use servanda_report::Finding;
use servanda_syntax::{Code, Diagnostic, Span};

use super::super::input;

/// The files below the present directory.
pub(crate) struct Below;

impl Files for Below {
    fn find(&self, user: &str, path: &str) -> Result<(String, String), Box<Diagnostic>> {
        let name = servanda::joined(user, path);
        is_below(Path::new(""), &name).map_err(|message| Box::new(refused(message)))?;
        input::beside(user, path)
    }

    fn acts(&self, file: &str) -> Result<Option<(String, String)>, Vec<Finding>> {
        let beside = Path::new(file).with_extension("acts");
        is_below(Path::new(""), &beside.to_string_lossy())
            .map_err(|message| vec![Finding::general(refused(message))])?;
        input::acts_beside(file)
    }
}

fn refused(message: String) -> Diagnostic {
    Diagnostic::error(Code::CannotRead, message, Span::default())
}

/// Is a file, which need not be there, below a directory (the empty path is the present one), whatever links lead where?
fn is_below(directory: &Path, name: &str) -> Result<(), String> {
    let outside = || format!("{name} is not below the directory that is served, and is not read");
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    // That is how standard input is called where files are named.
    if name == "-" || !Path::new(name).components().all(plain) {
        return Err(outside());
    }
    let top = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let path = top.join(name);
    // Of what is not there, the directory that is: what lies beside it is told where a name is wrong.
    let there = path.ancestors().find_map(|path| fs::canonicalize(path).ok());
    match (fs::canonicalize(top), fs::canonicalize(&path)) {
        (Ok(top), _) if there.is_some_and(|real| !real.starts_with(&top)) => Err(outside()),
        // What is neither a file nor a directory may be read for ever.
        (_, Ok(real)) if !real.is_file() && !real.is_dir() => Err(format!("{name} is not a file")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_below_the_directory_is_not_read() {
        let top = tempfile::tempdir().expect("a directory");
        let inside = top.path().join("inside");
        fs::create_dir(&inside).expect("a directory");
        fs::write(top.path().join("secret.pact"), "roles A").expect("a file");
        fs::write(inside.join("open.pact"), "roles A").expect("a file");
        for name in ["open.pact", "./open.pact", "none.pact", "none/none.pact"] {
            assert_eq!(is_below(&inside, name), Ok(()), "{name}");
        }
        for name in ["../secret.pact", "/etc/passwd", "-", "a/../../secret.pact"] {
            assert!(is_below(&inside, name).is_err(), "{name}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(top.path().join("secret.pact"), inside.join("link.pact"))
                .expect("a link");
            std::os::unix::fs::symlink(top.path(), inside.join("up")).expect("a link");
            std::os::unix::fs::symlink(inside.join("open.pact"), inside.join("fine.pact")).expect("a link");
            assert!(is_below(&inside, "link.pact").is_err());
            assert!(is_below(&inside, "up/secret.pact").is_err());
            assert!(is_below(&inside, "up/none.pact").is_err(), "not even what is beside it is told");
            assert_eq!(is_below(&inside, "fine.pact"), Ok(()));
        }
    }
}
