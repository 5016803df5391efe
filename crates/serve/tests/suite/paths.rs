//! Nothing outside the directory is read or written, by whatever path.

use std::fs;
use std::path::Path;

use crate::bench::Bench;

/// A path as it can stand in an address.
fn encoded(path: &str) -> String {
    path.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn paths_out_of_the_directory_are_refused() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.pact"), "secret").unwrap();
    let bench = Bench::new();
    fs::create_dir(bench.path().join("sub")).unwrap();
    fs::create_dir(bench.path().join(".git")).unwrap();
    fs::write(bench.path().join(".git/config"), "hidden").unwrap();
    let absolute = outside.path().join("secret.pact").to_str().unwrap().to_owned();
    let climb = format!("{}{absolute}", "../".repeat(20));
    let paths = [
        absolute.as_str(),
        &climb,
        "../x.pact",
        "sub/../../x.pact",
        "sub/..",
        ".",
        "..",
        "",
        "/",
        "//etc/passwd",
        "sub//x.pact",
        "x\0.pact",
        "..\\x.pact",
        "C:\\x.pact",
        "C:x.pact",
        "\\\\host\\share\\x",
        "NUL",
        "con.pact",
        ".git/config",
        ".hidden",
        "x.pact ",
        "file:///etc/passwd",
        "%2e%2e/x.pact/..",
        "~/../x",
    ];
    for path in paths {
        for given in [encoded(path), path.replace('\0', "%00").replace([' ', '\\'], "%5C")] {
            let read = bench.get(&format!("/api/file?path={given}"));
            assert!(
                [403, 404].contains(&read.status) && !read.text().contains("secret"),
                "{path:?}: {read:?}"
            );
            let written = bench.put(&given, "new", "overwritten");
            assert!([403, 404].contains(&written.status), "{path:?}: {written:?}");
        }
    }
    // As an address of a page, where a browser would have taken it apart itself.
    for target in [
        "/../secret.pact",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/../../Cargo.toml",
        "/%00",
    ] {
        assert_eq!(bench.get(target).status, 404, "{target}");
        let api = bench.get(&format!("/api/gallery{target}"));
        assert!([404, 405].contains(&api.status), "{target}: {api:?}");
    }
    assert_eq!(fs::read_to_string(outside.path().join("secret.pact")).unwrap(), "secret");
    assert_eq!(fs::read_to_string(bench.path().join(".git/config")).unwrap(), "hidden");
    let left: Vec<_> = fs::read_dir(bench.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_directory_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.pact"), "secret").unwrap();
    let bench = Bench::new();
    let at = |path: &str| bench.path().join(path);
    fs::create_dir(at("sub")).unwrap();
    symlink(outside.path().join("secret.pact"), at("link.pact")).unwrap();
    symlink(outside.path(), at("away")).unwrap();
    symlink("../..", at("sub/up")).unwrap();
    symlink(outside.path().join("new.pact"), at("dangling.pact")).unwrap();
    symlink("loop.pact", at("loop.pact")).unwrap();
    symlink("away/secret.pact", at("twice.pact")).unwrap();
    for path in [
        "link.pact",
        "away/secret.pact",
        "away/new.pact",
        "sub/up/x.pact",
        "dangling.pact",
        "loop.pact",
        "twice.pact",
    ] {
        let read = bench.get(&format!("/api/file?path={path}"));
        assert!([403, 404].contains(&read.status), "{path}: {read:?}");
        for version in ["new", "0"] {
            let written = bench.put(path, version, "overwritten");
            assert!([403, 404].contains(&written.status), "{path}: {written:?}");
        }
    }
    assert_eq!(fs::read_to_string(outside.path().join("secret.pact")).unwrap(), "secret");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "something was made outside");
    let listed = bench.get("/api/files").text();
    assert_eq!(listed, "[]", "what cannot be opened is not listed");
}

#[cfg(unix)]
#[test]
fn links_within_the_directory_are_followed_and_stay_links() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    fs::create_dir(bench.path().join("sub")).unwrap();
    fs::write(bench.path().join("sub/a.pact"), "one").unwrap();
    symlink("sub/a.pact", bench.path().join("link.pact")).unwrap();
    symlink("sub", bench.path().join("other")).unwrap();
    let read = bench.get("/api/file?path=link.pact").json();
    assert_eq!(read["text"], "one");
    assert_eq!(bench.put("link.pact", read["version"].as_str().unwrap(), "two").status, 200);
    assert_eq!(fs::read_to_string(bench.path().join("sub/a.pact")).unwrap(), "two");
    assert!(bench.path().join("link.pact").is_symlink());
    assert_eq!(bench.get("/api/file?path=other/a.pact").json()["text"], "two");
    assert_eq!(bench.put("other/b.pact", "new", "b").status, 200);
    assert_eq!(fs::read_to_string(bench.path().join("sub/b.pact")).unwrap(), "b");
}

/// A link that is changed between good and bad while files are read: never anything from outside.
#[cfg(unix)]
#[test]
fn links_that_change_meanwhile_lead_nowhere() {
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("a.pact"), "secret").unwrap();
    let bench = Bench::new();
    fs::create_dir(bench.path().join("good")).unwrap();
    fs::write(bench.path().join("good/a.pact"), "public").unwrap();
    let (good, bad) = (Path::new("good"), outside.path());
    let (link, spare) = (bench.path().join("link"), bench.path().join("spare"));
    symlink(good, &link).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for target in [bad, good] {
                    let _ = fs::remove_file(&spare);
                    symlink(target, &spare).unwrap();
                    fs::rename(&spare, &link).unwrap();
                }
            }
        });
        let mut public = 0;
        for _ in 0..300 {
            let read = bench.get("/api/file?path=link/a.pact");
            assert!(!read.text().contains("secret"), "{read:?}");
            public += usize::from(read.text().contains("public"));
            let _ = bench.put("link/b.pact", "new", "b");
        }
        done.store(true, Ordering::Relaxed);
        assert!(public > 0, "nothing was read at all");
    });
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "something was made outside");
}
