//! Pages and texts of the program, and what browsers are told about them.

use crate::bench::Bench;

#[test]
fn the_page_allows_no_script_in_itself_and_nobody_to_frame_it() {
    let bench = Bench::new();
    let nonce = || {
        let page = bench.ask("GET", "/?token=x", &[("x-servanda-token", "")], "");
        assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
        let policy = page.header("content-security-policy").unwrap().to_owned();
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        assert!(
            page.text().contains(&format!("content=\"{nonce}\"")) && !page.text().contains("{{"),
            "{}",
            page.text()
        );
        let rest = policy.replace(&nonce, "N").replace(&bench.address.to_string(), "H");
        assert_eq!(
            rest,
            "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data: blob:; font-src 'self'; \
             connect-src 'self' ws://H; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        nonce
    };
    assert_ne!(nonce(), nonce());
    for target in
        ["/", "/api/info", "/api/nothing", "/nothing", "/errors/deadlock", "/page.css", "/errors/nothing"]
    {
        let answer = bench.get(target);
        let told = |name: &str| answer.header(name).unwrap_or_default().to_owned();
        assert_eq!(told("x-content-type-options"), "nosniff", "{target}");
        assert_eq!(told("referrer-policy"), "no-referrer", "{target}");
        assert_eq!(told("x-frame-options"), "DENY", "{target}");
        assert_eq!(told("cross-origin-opener-policy"), "same-origin", "{target}");
        assert_eq!(told("cross-origin-resource-policy"), "same-origin", "{target}");
        let policy = told("content-security-policy");
        assert!(
            policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"),
            "{target}: {policy}"
        );
    }
    assert_eq!(bench.get("/nothing.js").status, 404);
}

#[test]
fn files_of_the_page_are_sent_once() {
    let bench = Bench::new();
    for file in servanda_web::files().filter(|file| file.path != "index.html") {
        let sent = bench.get(&format!("/{}", file.path));
        assert_eq!(
            (sent.status, sent.header("content-type")),
            (200, Some(file.content_type)),
            "{}",
            file.path
        );
        assert_eq!(sent.body, file.bytes, "{}", file.path);
        let tag = sent.header("etag").unwrap();
        let again = bench.ask("GET", &format!("/{}", file.path), &[("if-none-match", tag)], "");
        assert_eq!((again.status, again.body.len()), (304, 0));
    }
}

#[test]
fn examples_come_with_what_they_use() {
    let bench = Bench::new();
    let gallery = bench.get("/api/gallery").json();
    let rows = gallery.as_array().unwrap();
    assert!(rows.len() > 50);
    for row in rows {
        let name = row["name"].as_str().unwrap();
        let example = bench.get(&format!("/api/gallery/{name}")).json();
        assert!(!example["text"].as_str().unwrap().is_empty(), "{name}");
        assert_eq!(example["language"], row["language"], "{name}");
        for word in ["title", "about", "group"] {
            assert!(row[word].is_string(), "{name}");
        }
    }
    let used = bench.get("/api/gallery/part2/use.pact").json();
    assert_eq!(bench.get("/api/gallery/part2%2Fuse.pact").json(), used);
    assert!(used["beside"]["part2/payment.pact"].as_str().unwrap().contains("protocol Payment"));
    assert_eq!(bench.get("/api/gallery/nothing.pact").status, 404);
    assert_eq!(bench.get("/api/library").text(), "[]");
}

#[test]
fn pages_about_codes_are_markdown_for_the_page_and_markup_for_people() {
    let bench = Bench::new();
    let page = bench.get("/api/errors/deadlock").json();
    assert!(page["markdown"].as_str().unwrap().starts_with("# `deadlock`\n"));
    for code in servanda_docs::codes().chain(["README"]) {
        let page = bench.get(&format!("/errors/{code}"));
        assert!(page.status == 200 && page.text().contains("<h1 id="), "{code}");
        assert!(!page.text().contains("<script") && !page.text().contains("style="), "{code}");
    }
    for path in servanda_docs::pages() {
        let page = bench.get(&format!("/{path}"));
        assert!(page.status == 200 && page.text().contains("<h1 id="), "{path}");
        assert!(!page.text().contains("<script") && !page.text().contains("style="), "{path}");
    }
    assert!(bench.get("/errors/README").text().contains("<table>"));
    assert_eq!(bench.get("/errors/deadlock.md").status, 200, "as the pages call each other");
    for code in ["nothing", "..%2FREADME", "%3Cscript%3E"] {
        for target in ["/api/errors/", "/errors/"] {
            assert_eq!(bench.get(&format!("{target}{code}")).status, 404, "{code}");
        }
    }
}

#[test]
fn the_server_says_what_it_serves() {
    let bench = Bench::new();
    let info = bench.get("/api/info").json();
    assert_eq!(info["directory"].as_str(), bench.path().canonicalize().unwrap().to_str());
    assert_eq!(info["limits"]["jobs"], 8);
    assert_eq!(info["limits"]["megabytes"], 2048);
    assert_eq!(info["limits"]["seconds"], 300);
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
}
