//! Links the C++ library of the SAT solver into the program, where the compiler has it as an archive (GNU/Linux): the loader takes longer to
//! bind that library than `check` takes on a small model. Where there is none, or it is another library, the program is linked as usual.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const ARCHIVE: &str = "libstdc++.a";

fn main() {
    for name in ["CXX", "SERVANDA_SHARED_CXX"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    let is_gnu = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if !is_gnu("CARGO_CFG_TARGET_OS", "linux") || !is_gnu("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    // Another machine's compiler would have to be asked, and who packages the program may want the library that all share.
    if env::var("HOST") != env::var("TARGET") || env::var_os("SERVANDA_SHARED_CXX").is_some() {
        return;
    }
    if let (Some(archive), Ok(out)) = (archive(), env::var("OUT_DIR")) {
        // A directory in which there is nothing else: linkers look for a library in one directory after the other, the shared one first in
        // each.
        let directory = Path::new(&out).join("archives");
        let is_there =
            fs::create_dir_all(&directory).and_then(|()| fs::copy(archive, directory.join(ARCHIVE)));
        if is_there.is_ok() {
            println!("cargo::rustc-link-arg-bins=-L{}", directory.display());
        }
    }
}

/// Where the compiler has the archive; it answers with the bare name where it has none.
fn archive() -> Option<PathBuf> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let answer = Command::new(compiler).arg(format!("-print-file-name={ARCHIVE}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
    (path.is_absolute() && path.is_file()).then_some(path)
}
