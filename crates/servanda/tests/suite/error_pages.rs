//! A page per code in `docs/errors`, each with an example that brings it about.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::run_in;
use crate::readme::words;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages by their codes.
fn pages() -> Vec<(String, String)> {
    let files = fs::read_dir(root().join("docs/errors")).unwrap().map(|file| file.unwrap().path());
    let named = files.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path));
    let mut pages: Vec<(String, String)> = named
        .filter(|(code, _)| code != "README")
        .map(|(code, path)| (code, fs::read_to_string(path).unwrap()))
        .collect();
    pages.sort();
    pages
}

/// The text of the program, without tests.
fn sources(directory: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            texts.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
        }
    }
}

fn all_sources() -> Vec<String> {
    let mut texts = Vec::new();
    for krate in fs::read_dir(root().join("crates")).unwrap() {
        let krate = krate.unwrap().path();
        if krate.file_name().is_some_and(|name| name != "testkit") && krate.join("src").is_dir() {
            sources(&krate.join("src"), &mut texts);
        }
    }
    texts
}

/// The codes that the program can emit: what is written first in whatever makes a diagnostic.
fn emitted(texts: &[String]) -> BTreeSet<String> {
    let makers = ["error(", "warning(", "general(", "refused(", "Severity::Note, ", "(severity, "];
    let mut codes = BTreeSet::new();
    for (text, maker) in texts.iter().flat_map(|text| makers.map(|maker| (text, maker))) {
        for after in text.split(maker).skip(1) {
            let Some(rest) = after.trim_start().strip_prefix('"') else { continue };
            let Some((code, _)) = rest.split_once('"') else { continue };
            let is_code = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if !code.is_empty() && code.chars().all(is_code) {
                codes.insert(code.to_owned());
            }
        }
    }
    codes
}

#[test]
fn every_code_has_its_page_and_every_page_its_code() {
    let texts = all_sources();
    let codes = emitted(&texts);
    assert!(codes.len() > 90, "{codes:?}");
    let pages: BTreeSet<String> = pages().into_iter().map(|(code, _)| code).collect();
    let missing: Vec<&String> = codes.difference(&pages).collect();
    assert!(missing.is_empty(), "no page in docs/errors: {missing:?}");
    let stale: Vec<&String> =
        pages.iter().filter(|code| !texts.iter().any(|text| text.contains(&format!("\"{code}\"")))).collect();
    assert!(stale.is_empty(), "no such code: {stale:?}");
    let overview = fs::read_to_string(root().join("docs/errors/README.md")).unwrap();
    for code in &pages {
        assert!(overview.contains(&format!("[`{code}`]({code}.md)")), "{code} is not in the overview");
    }
}

/// The fenced blocks of a page: what stands after the fence, and the text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').unwrap()).collect()
}

/// Inputs that are too long to be shown, or no text at all.
fn unshown(code: &str) -> Option<(&'static str, Vec<u8>)> {
    let model = "roles Ann\nvar a : bool\nstart s\ns -- Ann: go --> s\n";
    let chain = |length: usize| vec!["a"; length].join(" & ");
    let text = match code {
        "not-utf-8" => return Some(("example.pact", b"protocol \xff\n".to_vec())),
        "too-many-mistakes" => {
            return Some(("example.aut", format!("des (0, 0, 1)\n{}", "x\n".repeat(2000)).into_bytes()));
        }
        "formula-too-long" => format!("{model}property p = AG ({})\n", chain(1100)),
        "formula-too-deep" => {
            let definitions = (1..1100).map(|i| format!("prop p{i} = !p{}\n", i - 1)).collect::<String>();
            format!("{model}prop p0 = a\n{definitions}property p = AG p1099\n")
        }
        "term-too-long" => {
            let sum = vec!["0"; 1100].join(" + ");
            let text = crate::program::ODD_ISPL.replace("x = x + 1 if", &format!("x = {sum} if"));
            return Some(("example.ispl", text.into_bytes()));
        }
        _ => return None,
    };
    Some(("example.pact", text.into_bytes()))
}

#[test]
fn every_example_brings_its_code_about() {
    // What no input is known for.
    let never = ["engines-disagree", "input-kept", "internal-error", "question-mark"];
    for (code, page) in pages() {
        assert!(page.starts_with(&format!("# `{code}`\n")), "{code}");
        let directory = tempfile::tempdir().unwrap();
        let mut command = vec!["check".to_owned()];
        let mut message = None;
        if page.contains("<!-- no example: ") {
            if never.contains(&code.as_str()) {
                continue;
            }
            let (file, text) = unshown(&code).unwrap_or_else(|| panic!("{code} has no example"));
            fs::write(directory.path().join(file), text).unwrap();
            command.push(file.to_owned());
        } else {
            for (language, text) in blocks(&page) {
                match (language, text.strip_prefix("servanda ")) {
                    ("toml", _) => fs::write(directory.path().join("servanda.toml"), text).unwrap(),
                    ("text", Some(arguments)) => command = words(arguments),
                    ("text", None) => message = Some(text.trim_end().to_owned()),
                    (language, _) => {
                        fs::write(directory.path().join(format!("example.{language}")), text).unwrap();
                    }
                }
            }
        }
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        if arguments[0] != "check" {
            let ran = run_in(directory.path(), &arguments);
            assert_eq!(ran.stderr.lines().next().map(str::to_owned), message, "{code}");
            continue;
        }
        arguments.extend(["--format", "json"]);
        let object = run_in(directory.path(), &arguments).json();
        let found: Vec<(String, String)> = object["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| {
                let text = |name: &str| finding[name].as_str().unwrap().to_owned();
                let code = text("code");
                let shown = format!("{}[{code}]: {}", text("severity"), text("message"));
                (code, shown)
            })
            .collect();
        let fits = |(other, shown): &(String, String)| {
            *other == code && message.as_ref().is_none_or(|message| message == shown)
        };
        assert!(found.iter().any(fits), "{code}: {found:?}");
    }
}
