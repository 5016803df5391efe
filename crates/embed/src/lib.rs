//! For build scripts: the files of a directory as a table that is compiled into the program.
//!
//! The table is an expression of type `&[(&str, &[u8])]`, paths with `/` and contents, ordered by path. A crate that carries texts has a
//! `build.rs` of one line and includes the table:
//!
//! ```text
//! fn main() -> std::io::Result<()> { servanda_embed::write("errors", &["md"]) }
//!
//! static PAGES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));
//! ```

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Writes `files.rs` into the directory that cargo gives to build scripts: the files below `directory`, which is relative to the manifest,
/// with one of the endings; with no ending given, all files. Cargo builds again when something in the directory changes.
pub fn write(directory: &str, endings: &[&str]) -> io::Result<()> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let root = variable("CARGO_MANIFEST_DIR")?.join(directory);
    #[expect(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]
    {
        println!("cargo::rerun-if-changed={directory}");
    }
    fs::write(variable("OUT_DIR")?.join("files.rs"), table(&root, endings)?)
}

/// The table as Rust.
fn table(root: &Path, endings: &[&str]) -> io::Result<String> {
    let mut found = Vec::new();
    collect(root, "", endings, &mut found)?;
    found.sort();
    let mut text = String::from("&[\n");
    for (name, path) in found {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    ({name:?}, include_bytes!({path:?})),");
    }
    text.push_str("]\n");
    Ok(text)
}

fn collect(
    directory: &Path,
    above: &str,
    endings: &[&str],
    found: &mut Vec<(String, PathBuf)>,
) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", directory.display()));
    for entry in fs::read_dir(directory).map_err(named)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.starts_with('.') {
            continue;
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, &format!("{above}{name}/"), endings, found)?;
        } else if endings.is_empty() || endings.contains(&ending) {
            found.push((format!("{above}{name}"), path.clone()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_are_listed_in_order() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let listed = |endings: &[&str]| {
            let table = table(root, endings).unwrap();
            let rows = table.lines().filter_map(|line| line.split('"').nth(1).map(str::to_owned));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(listed(&[]), ["Cargo.toml", "src/lib.rs"]);
        assert_eq!(listed(&["rs"]), ["src/lib.rs"]);
        assert!(table(&root.join("nowhere"), &[]).is_err());
    }
}
