//! Lines that are tried before they count: whoever leaves out the refused ones sees the same.

use servanda_audit::{Auditor, Certainty, Finding, Kind, Line, Options};
use servanda_engine::NoLimits;
use servanda_library::entries;
use servanda_model::Level;

use crate::common::Setup;
use crate::logs::brief;

/// Two views of one line, of which one may object, with memory of every kind.
const MAPPING: &str = r#"
version = 1
[source]
format = "jsonl"
time = "/t"
each = "/parts"
[fields]
who = "/who"
word = "/each/word"
size = "/each/n"
[[table]]
name = "last"
when = 'has(word)'
key = ["who"]
value = 'word'
[[view]]
name = "count"
model = "count.pact"
key = ["who"]
event = [
  { when = 'word = "all"', key = ["*"], label = "A: ends" },
  { when = 'has(size) & !increasing(size)', label = "A: falls" },
  { when = 'recall("last", who) = word', label = "A: repeats" },
  { when = 'has(word)', label = "A: says" },
]
timer = [ { after = ["A: says"], unless = ["A: says", "A: ends"], within = "10s", label = "A: ends" } ]
[[view]]
name = "few"
model = "few.pact"
key = ["who"]
event = [ { when = 'word = "b"', label = "A: says" } ]
"#;

fn model(name: &str) -> String {
    match name {
        "count.pact" => "protocol Count\nroles A\nstart s\nmessage falls\ns -- A: says --> s\ns -- A: repeats --> s\ns -- A: ends --> e\nfinal e\n",
        _ => "protocol Few\nroles A\nvar n : 0..2 = 0\nstart s\ns -- A: says when n < 2 set n = n + 1 --> s\n",
    }
    .to_owned()
}

fn refuses(finding: &Finding) -> bool {
    finding.level == Level::Must && finding.certainty == Certainty::Certain && finding.kind != Kind::Limit
}

/// Which lines are refused; what is found in all others.
fn admitted(setup: &Setup, log: &[String]) -> (Vec<usize>, Vec<Finding>, String) {
    let mut auditor = Auditor::new(&setup.mapping, &setup.asked(), Options::default(), &NoLimits).unwrap();
    let (mut refused, mut rest) = (Vec::new(), Vec::new());
    for (number, line) in log.iter().enumerate() {
        let at = Line { file: 0, line: number as u64 + 1 };
        let mut found = Vec::new();
        match auditor.admit(line.as_bytes(), at, refuses, &mut found, &NoLimits).unwrap() {
            None => rest.append(&mut found),
            Some(why) => {
                assert!(refuses(&why) && found.contains(&why), "{line}");
                refused.push(number);
            }
        }
    }
    let stats = auditor.stats();
    assert_eq!(stats.refused, refused.len() as u64);
    auditor.finish(true, &mut rest, &NoLimits).unwrap();
    (refused, rest, format!("{:?}", (stats.slices, stats.live, stats.labels, stats.stored)))
}

/// Lines that are refused leave nothing behind: an audit of the others, each with its number, finds the same.
fn check(setup: &Setup, log: &[String]) -> Vec<usize> {
    let (refused, rest, counts) = admitted(setup, log);
    let mut auditor = Auditor::new(&setup.mapping, &setup.asked(), Options::default(), &NoLimits).unwrap();
    let mut found = Vec::new();
    for (number, line) in log.iter().enumerate().filter(|(number, _)| !refused.contains(number)) {
        let at = Line { file: 0, line: number as u64 + 1 };
        auditor.push(line.as_bytes(), at, &mut found, &NoLimits).unwrap();
    }
    let stats = auditor.stats();
    assert_eq!(counts, format!("{:?}", (stats.slices, stats.live, stats.labels, stats.stored)));
    auditor.finish(true, &mut found, &NoLimits).unwrap();
    assert_eq!(brief(&rest), brief(&found), "{log:#?}");
    refused
}

#[test]
fn what_is_refused_has_not_happened_in_any_view() {
    let setup = Setup::new(MAPPING, model).unwrap();
    let line = |t: u32, parts: &str| format!("{{\"t\":{t},\"who\":\"x\",\"parts\":[{parts}]}}");
    let log = [
        line(1, r#"{"word":"b","n":5}"#),
        // Possible in the second view, not in the first: it may not count in the second either.
        line(2, r#"{"word":"b","n":4}"#),
        line(3, r#"{"word":"b","n":6}"#),
        // The first part is in order, the second is not: none of it has happened, and nothing was stored.
        line(4, r#"{"word":"c","n":7},{"word":"b","n":8}"#),
        line(5, r#"{"word":"d","n":7},{"word":"d","n":8}"#),
        "no JSON".to_owned(),
        line(6, r#"{"word":"b","n":9}"#),
        line(7, r#"{"word":"all"},{"word":"d"}"#),
        line(8, r#"{"word":"all"}"#),
        line(9, r#"{"word":"d"}"#),
    ];
    assert_eq!(check(&setup, &log), [1, 3, 5, 6, 7, 9]);
}

/// Seeded logs of all the kinds of lines there are.
#[test]
fn random_lines() {
    let setup = Setup::new(MAPPING, model).unwrap();
    let mut seed = 7_u64;
    let mut next = |most: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % most
    };
    let mut refused = 0;
    for _ in 0..300 {
        let mut time = 0;
        let mut log = Vec::new();
        for _ in 0..12 {
            time += next(6);
            let who = ["x", "y", "z"][next(3) as usize];
            let mut parts = Vec::new();
            for _ in 0..=next(2) {
                let word = ["a", "b", "b", "c", "all"][next(5) as usize];
                let size = if next(2) == 0 { format!(",\"n\":{}", next(9)) } else { String::new() };
                parts.push(format!("{{\"word\":\"{word}\"{size}}}"));
            }
            log.push(format!("{{\"t\":{time},\"who\":\"{who}\",\"parts\":[{}]}}", parts.join(",")));
        }
        refused += check(&setup, &log).len();
    }
    assert!(refused > 300, "{refused}");
}

#[test]
fn recordings_of_the_library() {
    let mut counts = [0, 0];
    for entry in entries() {
        for recording in entry.recordings.iter().filter(|it| ["stdio", "http", "chat"].contains(&it.source)) {
            let mapping = entry.mapping(recording.source).unwrap();
            let model = |name: &str| entry.text_from(mapping.path, name).unwrap().text.to_owned();
            let setup = Setup::new(mapping.text, model).unwrap();
            let log: Vec<String> = recording.text.lines().map(str::to_owned).collect();
            let refused = check(&setup, &log);
            let musts = entry.expected(recording).iter().filter(|it| it.level == "must").count();
            assert!(refused.is_empty() || musts > 0, "{}: {refused:?}", recording.path);
            counts[0] += usize::from(musts > 0);
            counts[1] += usize::from(!refused.is_empty());
        }
    }
    // What is found because time passed is nobody's line.
    assert!(counts[0] > 50 && counts[1] + 5 > counts[0], "{counts:?}");
}
