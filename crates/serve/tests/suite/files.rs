//! Files of the directory: listed, read, written without losing what others wrote.

use std::fs;

use crate::bench::Bench;

#[test]
fn a_file_is_read_changed_and_read_again() {
    let bench = Bench::new();
    fs::write(bench.path().join("a.pact"), "roles Ann\n").unwrap();
    let read = bench.get("/api/file?path=a.pact").json();
    assert_eq!(
        (read["path"].as_str(), read["text"].as_str(), read["language"].as_str()),
        (Some("a.pact"), Some("roles Ann\n"), Some("pact"))
    );
    let first = read["version"].as_str().unwrap();
    let written = bench.put("a.pact", first, "roles Ann, Bob – ü\n");
    assert_eq!(written.status, 200);
    let second = written.json()["version"].as_str().unwrap().to_owned();
    assert_ne!(first, second);
    let again = bench.get("/api/file?path=a.pact").json();
    assert_eq!(
        (again["text"].as_str(), again["version"].as_str()),
        (Some("roles Ann, Bob – ü\n"), Some(second.as_str()))
    );
    assert_eq!(fs::read_dir(bench.path()).unwrap().count(), 1, "something was left beside it");
}

#[test]
fn what_somebody_else_wrote_is_not_lost() {
    let bench = Bench::new();
    assert_eq!(bench.put("a.pact", "new", "one").status, 200);
    let version = bench.get("/api/file?path=a.pact").json()["version"].as_str().unwrap().to_owned();
    fs::write(bench.path().join("a.pact"), "from an editor").unwrap();
    for stale in [version.as_str(), "new", ""] {
        let conflict = bench.put("a.pact", stale, "two");
        assert_eq!(
            (conflict.status, conflict.json()["text"].as_str()),
            (409, Some("from an editor")),
            "{stale}"
        );
    }
    let current = bench.put("a.pact", "new", "two").json()["version"].as_str().unwrap().to_owned();
    assert_eq!(bench.put("a.pact", &current, "two").status, 200);
    fs::remove_file(bench.path().join("a.pact")).unwrap();
    assert_eq!(bench.put("a.pact", &current, "three").status, 404, "it is gone");
    assert_eq!(bench.ask("PUT", "/api/file?path=a.pact", &[], "x").status, 428);
    assert_eq!(bench.put("nowhere/a.pact", "new", "x").status, 404);
}

/// Of many who write from the same version one wins, and the others are told.
#[test]
fn of_many_writers_one_wins() {
    let bench = Bench::new();
    let version = bench.put("a.pact", "new", "start").json()["version"].as_str().unwrap().to_owned();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let write = |number: usize| {
            let (bench, version) = (&bench, &version);
            scope.spawn(move || bench.put("a.pact", version, &format!("writer {number}")).status)
        };
        let writers: Vec<_> = (0..20).map(write).collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 409].contains(status)), "{statuses:?}");
}

#[test]
fn what_is_no_text_is_not_opened() {
    let bench = Bench::new();
    fs::write(bench.path().join("bytes.pact"), b"\xff\xfe").unwrap();
    fs::write(bench.path().join("large.pact"), "x".repeat((8 << 20) + 1)).unwrap();
    fs::create_dir(bench.path().join("dir.pact")).unwrap();
    for (path, status) in [("bytes.pact", 415), ("large.pact", 413), ("dir.pact", 403), ("none.pact", 404)] {
        let refused = bench.get(&format!("/api/file?path={path}"));
        assert_eq!(refused.status, status, "{path}");
        assert!(refused.text().contains(path));
    }
    assert_eq!(bench.get("/api/file").status, 400);
    let target = "/api/file?path=x.pact";
    let mut request = format!(
        "PUT {target} HTTP/1.1\r\nhost: {}\r\nx-servanda-token: {}\r\nx-servanda-version: new\r\nconnection: close\r\ncontent-length: 2\r\n\r\n",
        bench.address, bench.token
    )
    .into_bytes();
    request.extend(b"\xff\xfe");
    let mut stream = bench.connect();
    std::io::Write::write_all(&mut stream, &request).unwrap();
    assert_eq!(crate::bench::answer(&mut stream).status, 415);
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_pipes_do_not_hold_anybody_up() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::new();
    let path = bench.path().join("a.pact");
    fs::write(&path, "one").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let version = bench.get("/api/file?path=a.pact").json()["version"].as_str().unwrap().to_owned();
    assert_eq!(bench.put("a.pact", &version, "two").status, 200);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    let made = std::process::Command::new("mkfifo").arg(bench.path().join("pipe.pact")).status();
    assert!(made.unwrap().success());
    assert_eq!(bench.get("/api/file?path=pipe.pact").status, 403);
    assert_eq!(bench.put("pipe.pact", "new", "x").status, 403);
}

#[test]
fn what_can_be_opened_is_listed() {
    let bench = Bench::new();
    for directory in ["sub/deep", "node_modules/x", "target", ".git"] {
        fs::create_dir_all(bench.path().join(directory)).unwrap();
    }
    let files = [
        "b.pact",
        "sub/deep/a.ispl",
        "sub/c.ccs",
        "log.jsonl",
        "m.audit.toml",
        "servanda.toml",
        "x.acts",
        "node_modules/x/n.pact",
        "target/t.pact",
        ".git/g.pact",
        ".h.pact",
        "picture.png",
        "program",
    ];
    for file in files {
        fs::write(bench.path().join(file), "12345").unwrap();
    }
    let listed = bench.get("/api/files").json();
    let listed = listed.as_array().unwrap();
    let rows: Vec<(&str, &str)> =
        listed.iter().map(|row| (row["path"].as_str().unwrap(), row["language"].as_str().unwrap())).collect();
    let wanted = [
        ("b.pact", "pact"),
        ("log.jsonl", "log"),
        ("m.audit.toml", "mapping"),
        ("servanda.toml", "other"),
        ("sub/c.ccs", "ccs"),
        ("sub/deep/a.ispl", "ispl"),
        ("x.acts", "other"),
    ];
    assert_eq!(rows, wanted);
    assert!(listed.iter().all(|row| row["bytes"] == 5));
}

#[test]
fn a_list_has_an_end() {
    let bench = Bench::new();
    for number in 0..6000 {
        fs::write(bench.path().join(format!("{number}.pact")), "").unwrap();
    }
    let deep = bench.path().join("d/".repeat(200));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("x.pact"), "").unwrap();
    assert_eq!(bench.get("/api/files").json().as_array().unwrap().len(), 5000);
}
