//! The files of the folders that an editor works in.

use std::fs;
use std::path::{Path, PathBuf};

/// So many files are read, so large, in folders so deep: who has more does not wait for the rest.
const MOST_FILES: usize = 2_000;
const LARGEST: u64 = 4 << 20;
const DEEPEST: usize = 12;

/// The Pact files below these folders, by name, each with what stands in it; the empty path is the present directory. Links are not
/// followed, and what is hidden or made by programs is left out.
pub(super) fn pact_files(folders: &[String]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in folders {
        below(Path::new(folder), 0, &mut found);
    }
    found.sort();
    found.dedup();
    let text = |path: PathBuf| Some((path.to_str()?.to_owned(), fs::read_to_string(&path).ok()?));
    found.into_iter().filter_map(text).collect()
}

fn below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(listed) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let Some(written) = name.to_str() else { continue };
        if found.len() >= MOST_FILES
            || written.starts_with('.')
            || ["node_modules", "target"].contains(&written)
        {
            continue;
        }
        // This does not follow links.
        let Ok(about) = entry.metadata() else { continue };
        let path = folder.join(&name);
        if about.is_dir() && depth < DEEPEST {
            below(&path, depth + 1, found);
        } else if about.is_file()
            && about.len() <= LARGEST
            && path.extension().is_some_and(|end| end == "pact")
        {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_hidden_folders_are_left_out() {
        let top = tempfile::tempdir().expect("a directory");
        let folder = top.path().join("work");
        for name in ["sub", ".git", "target"] {
            fs::create_dir_all(folder.join(name)).expect("a directory");
            fs::write(folder.join(name).join("a.pact"), name).expect("a file");
        }
        fs::write(folder.join("b.pact"), "b").expect("a file");
        fs::write(folder.join("c.ccs"), "c").expect("a file");
        fs::write(top.path().join("secret.pact"), "secret").expect("a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink(top.path(), folder.join("up")).expect("a link");
        #[cfg(unix)]
        std::os::unix::fs::symlink(top.path().join("secret.pact"), folder.join("d.pact")).expect("a link");
        let found = pact_files(&[folder.to_string_lossy().into_owned()]);
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["b", "sub"]);
    }
}
