//! Random edits: what is shown after them is what a fresh reading of the text finds.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use servanda_service::Text;
use servanda_syntax::{Code, Diagnostic, SourceFile};

use crate::client::Client;

/// A small generator of numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

const WORDS: &[&str] = &[
    "roles ",
    "var ",
    "AG ",
    "-->",
    "--",
    "{",
    "}",
    "(",
    ")",
    "\n",
    "\n\n",
    "//",
    "/*",
    "x",
    "𝕏",
    "∧",
    "\r\n",
    "in ",
    "property p = ",
    "1..3",
    ";",
    "proc ",
    "end ",
    "'",
    "\"",
    "use ",
    " ",
    "end Agent",
    "set ",
    "[",
    "]",
];

fn times() -> usize {
    std::env::var("SERVANDA_TIMES").map_or(1, |times| times.parse().expect("SERVANDA_TIMES is a number"))
}

/// What a fresh reading finds, as code, place and message.
fn fresh(uri: &str, text: &str) -> Vec<(String, Value, String)> {
    let source = SourceFile::new(uri.trim_start_matches("file://"), text);
    let found: Vec<Diagnostic> = match uri.rsplit('.').next() {
        Some("pact") => servanda_pact::load(&source, &[]).diagnostics,
        Some("ispl") => servanda_ispl::load(&source).diagnostics,
        _ => of_all_processes(&source),
    };
    let text = Text::new(text);
    let place = |offset: u32| {
        let position = text.position(offset as usize);
        json!({ "line": position.line, "character": position.character })
    };
    let shown = |found: &Diagnostic| {
        let range = json!({ "start": place(found.span.start), "end": place(found.span.end) });
        (found.code.to_string(), range, found.message.clone())
    };
    found.iter().map(shown).collect()
}

/// What is wrong with any of the processes that could be meant.
fn of_all_processes(source: &SourceFile) -> Vec<Diagnostic> {
    let loaded = servanda_ccs::load(source, None);
    let which = loaded.diagnostics.iter().find(|found| found.code == Code::WhichProcess);
    let Some(which) = which else { return loaded.diagnostics };
    let marked = std::iter::once(which.span).chain(which.labels.iter().map(|label| label.span));
    let mut all: Vec<Diagnostic> = Vec::new();
    for process in marked.map(|span| source.slice(span).to_owned()) {
        for found in servanda_ccs::load(source, Some(&process)).diagnostics {
            if !all.contains(&found) {
                all.push(found);
            }
        }
    }
    all.sort_by_key(|found| found.span.start);
    all
}

/// Edits a file so many times, and compares after each batch.
fn edited(file: &str, edits: usize, seed: u64) {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    let original = std::fs::read_to_string(path).expect("an example");
    let uri = format!("file:///{file}");
    let mut client = Client::new();
    client.open(&uri, &original);
    let (mut mirror, mut chance) = (original.clone(), Chance(seed));
    let mut done = 0;
    while done < edits {
        let mut changes = Vec::new();
        for _ in 0..=chance.below(24) {
            let text = Text::new(mirror.as_str());
            let boundary = |at: usize| (0..=at).rev().find(|at| mirror.is_char_boundary(*at)).unwrap_or(0);
            let from = boundary(chance.below(mirror.len() + 1));
            let to = boundary((from + chance.below(12)).min(mirror.len()));
            let by = match chance.below(3) {
                0 => "",
                _ => WORDS[chance.below(WORDS.len())],
            };
            // Editors do not point between the two characters of one end of a line.
            if mirror[..from].ends_with('\r') || mirror[..to].ends_with('\r') {
                continue;
            }
            let place = |offset: usize| {
                let position = text.position(offset);
                json!({ "line": position.line, "character": position.character })
            };
            changes.push(json!({ "range": { "start": place(from), "end": place(to) }, "text": by }));
            mirror.replace_range(from..to, by);
        }
        done += changes.len();
        client.change(&uri, changes.into());
        // Half a file is not worth more edits.
        if mirror.len() < original.len() / 2 || mirror.len() > 2 * original.len() {
            mirror.clone_from(&original);
            client.change(&uri, json!([{ "text": original }]));
        }
        compare(&mut client, &uri, &mirror);
    }
}

fn compare(client: &mut Client, uri: &str, text: &str) {
    let shown: Vec<(String, Value, String)> = client
        .findings(uri)
        .iter()
        .map(|one| {
            let message = one["message"].as_str().expect("as the protocol says").to_owned();
            (one["code"].as_str().expect("as the protocol says").to_owned(), one["range"].clone(), message)
        })
        .collect();
    let expected = fresh(uri, text);
    assert_eq!(shown.len(), expected.len(), "{text}\n{shown:#?}\n{expected:#?}");
    for (one, other) in shown.iter().zip(&expected) {
        assert_eq!((&one.0, &one.1), (&other.0, &other.1), "{text}");
        assert!(one.2.starts_with(&other.2), "{} is not {}", one.2, other.2);
    }
}

#[test]
fn findings_after_edits_of_pact_are_those_of_a_fresh_reading() {
    edited("netbill.pact", 5_000 * times(), 7);
    edited("alternating_bit.pact", 5_000 * times(), 8);
}

#[test]
fn findings_after_edits_of_ispl_are_those_of_a_fresh_reading() {
    edited("trains3.ispl", 5_000 * times(), 9);
}

#[test]
fn findings_after_edits_of_ccs_are_those_of_a_fresh_reading() {
    edited("scheduler.ccs", 5_000 * times(), 10);
}

/// Protocols of so many lines: of commitments, of messages between control states, and of machines.
fn long(lines: usize) -> [(&'static str, String); 3] {
    let head = "protocol Long\nroles Ann, Bob\n";
    let (mut promises, mut messages, mut machines) =
        (format!("{head}start s0\n"), format!("{head}start s0\n"), head.to_owned());
    for number in 0..lines / 4 {
        let next = number + 1;
        promises.push_str(&format!(
            "var x{number} : 0..3 = 0\ncommitment c{number} = SC(Ann, Bob, F x{number} = 1)\n\
             s{number} -- Cr(Ann, c{number}) set x{number} = 1 --> s{next}\n\
             property p{number} = AG (in s{number} -> EF x{number} = 1)\n"
        ));
        messages.push_str(&format!(
            "var x{number} : 0..9 = 0\ns{number} -- Ann: m{number} when x{number} < 9 set x{number} = x{number} + 1 --> s{number}\n\
             s{number} -- Bob: n{number} when x{number} = 9 --> s{next}\n\
             property p{number} = AG (does(m{number}) -> in s{number} & A[x{number} < 9 U in s{next} | G in s{number}])\n"
        ));
    }
    for number in 0..lines / 10 {
        machines.push_str(&format!(
            "var x{number} : bool = false\nmachine M{number} {{\n  start a\n  a -- Ann: go{number} set x{number} = true --> b\n\
             \x20 b -- Bob: on{number} when x{number} --> c\n  c -- Ann: off{number} set x{number} = false --> a\n\
             \x20 c -- Bob: stay{number} --> c\n}}\n\
             property p{number} = AG (M{number} in c -> x{number})\nproperty q{number} = AG (x{number} -> EF M{number} in a)\n"
        ));
    }
    [("promises", promises), ("messages", messages), ("machines", machines)]
}

#[test]
fn findings_are_there_soon_after_a_key_is_pressed() {
    let mut worst = Duration::ZERO;
    for (what, text) in long(2_000) {
        let uri = format!("file:///{what}.pact");
        let mut client = Client::new();
        client.open(&uri, &text);
        // There may be remarks, but no mistake.
        let sound = client.findings(&uri);
        assert!(sound.iter().all(|found| found["severity"] != 1), "{what}: {sound:?}");
        for line in [10, 500, 1000, 1900] {
            let place = json!({ "line": line, "character": 0 });
            let end = json!({ "line": line, "character": 1 });
            for (kind, from, to, by) in [("typed", &place, &place, "?"), ("mended", &place, &end, "")] {
                let started = Instant::now();
                client.change(&uri, json!([{ "range": { "start": from, "end": to }, "text": by }]));
                let found = client.findings(&uri);
                let took = started.elapsed();
                assert_eq!(found == sound, kind == "mended", "{what}, line {line}");
                println!("{what}, {} lines, line {line}, {kind}: {took:?}", text.lines().count());
                worst = worst.max(took);
            }
        }
    }
    println!("at most {worst:?}");
    // It is a few milliseconds; but tests are built without much optimisation and run beside others.
    assert!(worst < Duration::from_secs(2), "{worst:?}");
}
