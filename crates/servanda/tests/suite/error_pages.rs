//! A page per code in `docs/errors`, each with an example that brings it about.

use std::fs;
use std::path::PathBuf;

use servanda_audit::Kind;
use servanda_syntax::Code;

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

#[test]
fn every_code_has_its_page_and_every_page_its_code() {
    let overview = fs::read_to_string(root().join("docs/errors/README.md")).unwrap();
    for code in Code::ALL {
        assert!(root().join(code.page()).exists(), "no page in docs/errors: {code}");
        let row = format!("| [`{code}`]({code}.md) | {} |", code.usual_severity().word());
        assert!(overview.contains(&row), "not in the overview: {row}");
    }
    // Findings of audits that are about no property and no commitment have their pages here too.
    let named = [Kind::Property, Kind::Commitment].map(Kind::word);
    let kinds: Vec<&str> = Kind::WORDS.into_iter().filter(|kind| !named.contains(kind)).collect();
    for kind in &kinds {
        assert!(root().join(format!("docs/errors/{kind}.md")).exists(), "no page in docs/errors: {kind}");
        assert!(overview.contains(&format!("| [`{kind}`]({kind}.md) |")), "not in the overview: {kind}");
    }
    let known = |code: &str| kinds.contains(&code) || Code::ALL.iter().any(|known| *known == code);
    let stale: Vec<String> = pages().into_iter().map(|(code, _)| code).filter(|code| !known(code)).collect();
    assert!(stale.is_empty(), "no such code: {stale:?}");
}

/// The fenced blocks of a page: what stands after the fence, and the text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').unwrap()).collect()
}

/// Inputs that are too long to be shown, or no text at all.
fn unshown(code: &str) -> Option<(&'static str, Vec<u8>)> {
    let model = "roles Ann\nvar a : bool\nstart s\ns -- Ann: go --> s\n";
    let text = match code {
        "not-utf-8" => return Some(("example.pact", b"protocol \xff\n".to_vec())),
        "too-many-mistakes" => {
            return Some(("example.aut", format!("des (0, 0, 1)\n{}", "x\n".repeat(2000)).into_bytes()));
        }
        "formula-too-long" => format!("{model}prop p = {} = 0\n", vec!["0"; 1100].join(" - ")),
        "refused-property" => format!("{model}property p = {}a{}\n", "!(".repeat(300), ")".repeat(300)),
        "formula-too-deep" => {
            let definitions = (1..1100).map(|i| format!("prop p{i} = !p{}\n", i - 1)).collect::<String>();
            format!("{model}prop p0 = a\n{definitions}s -- Ann: stop when p1099 --> s\n")
        }
        "term-too-long" => {
            let sum = format!("{}0{}", "(0 + ".repeat(1100), ")".repeat(1100));
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
    let never = ["different-processes", "engines-disagree", "input-kept", "internal-error"];
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
                    // A file beside the example.
                    (file, _) if file.contains('.') => fs::write(directory.path().join(file), text).unwrap(),
                    (language, _) => {
                        fs::write(directory.path().join(format!("example.{language}")), text).unwrap();
                    }
                }
            }
        }
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        if arguments[0] == "audit" {
            let ran = run_in(directory.path(), &arguments);
            assert_eq!(ran.stdout.lines().next().map(str::to_owned), message, "{code}");
            continue;
        }
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
