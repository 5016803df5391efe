//! Damage: to bytes, to JSON, to the order of lines, to the words of mappings.

use std::ops::Range;

use servanda_testkit::random::Dice;

use super::json::places;

/// Values that readers of JSON get wrong.
const VALUES: [&str; 34] = [
    "null",
    "true",
    "0",
    "-0",
    "1",
    "2",
    "1.0",
    "10e-1",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "18446744073709551616",
    "123456789012345678901234567890",
    "1e400",
    "-1e400",
    "1e-400",
    "0.1e99999999999999999999",
    "1E+2147483648",
    "01",
    "NaN",
    "\"\"",
    "\"1\"",
    "\"*\"",
    "\"/\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\\u202e\u{feff}\"",
    "\"{from}\"",
    "[]",
    "{}",
    "[null]",
    "{\"\":{\"\":\"\"}}",
    "[[1],{\"a\":[2]}]",
];

/// Pieces of expressions, of TOML and of labels.
const PIECES: [&str; 44] = [
    "(",
    ")",
    "'",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "#",
    "\n",
    "*",
    "&",
    "|",
    "!",
    "<",
    "+",
    "-",
    "{from}",
    "{",
    "\\",
    "\\u",
    "has(",
    "recall(",
    "if(",
    "increasing(",
    "slice_in(",
    "matches(id, \"(\")",
    "9223372036854775808",
    "-1",
    "0",
    "1e999",
    "true",
    "\"\"",
    "[[view]]",
    "[[table]]",
    "[define]",
    "/~2",
    "\u{feff}",
    "é",
    "A: B",
    "\0",
];

/// Many of the same: an object in an object, or a bracket in a bracket.
fn deep(dice: &mut Dice) -> Vec<u8> {
    let times = [10, 127, 128, 129, 1_000, 50_000][dice.below(6)];
    let (open, close) = [("[", "]"), ("{\"a\":", "}"), ("[{\"b\":", "}]")][dice.below(3)];
    let close = if dice.chance(80) { close } else { "" };
    [open.repeat(times), "1".into(), close.repeat(times)].concat().into_bytes()
}

fn value(dice: &mut Dice) -> Vec<u8> {
    match dice.below(100) {
        0 => format!("\"{}\"", "long ".repeat([100, 10_000, 300_000][dice.below(3)])).into_bytes(),
        1 => "9".repeat([20, 400, 100_000][dice.below(3)]).into_bytes(),
        2 | 3 => deep(dice),
        _ => VALUES[dice.below(VALUES.len())].into(),
    }
}

fn any(length: usize, dice: &mut Dice) -> Range<usize> {
    let start = dice.below(length + 1);
    start..(start + dice.below(9)).min(length)
}

/// Damage that knows nothing.
fn bytes(text: &mut Vec<u8>, dice: &mut Dice) {
    let range = any(text.len(), dice);
    match dice.below(7) {
        0 => drop(text.splice(range, (0..dice.below(6)).map(|_| dice.below(256) as u8).collect::<Vec<_>>())),
        1 => drop(text.drain(range)),
        2 => text.truncate(range.start),
        3 => {
            let copy = text[range.clone()].repeat(1 + dice.below(3));
            drop(text.splice(range.start..range.start, copy));
        }
        4 => {
            if let Some(byte) = text.get_mut(range.start) {
                *byte ^= 1 << dice.below(8);
            }
        }
        5 => {
            let odd: [&[u8]; 6] = [b"\0", b"\xff", b"\xed\xa0\x80", b"\r", b"\xef\xbb\xbf", b"\xe2\x80\xa8"];
            drop(text.splice(range.start..range.start, odd[dice.below(6)].iter().copied()));
        }
        _ => {
            let odd = b"{}[]\",:\\";
            drop(text.splice(range, [odd[dice.below(odd.len())]]));
        }
    }
}

/// Damage after which a line mostly is JSON still. `other` is another line, which values are taken from.
fn structure(line: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let found = places(line);
    let (Some(range), Some(member)) = (dice.among(&found.values), dice.among(&found.members)) else {
        return bytes(line, dice);
    };
    let theirs = places(other);
    match dice.below(8) {
        0 | 1 => drop(line.splice(range.clone(), value(dice))),
        2 => {
            let taken = dice.among(&theirs.values).map_or(&b"0"[..], |range| &other[range.clone()]);
            drop(line.splice(range.clone(), taken.to_vec()));
        }
        // The same key once more, before or behind, with the same value or another one.
        3 => {
            let again = if dice.chance(30) { line[member.value.clone()].to_vec() } else { value(dice) };
            let again = [b",", &line[member.key.clone()], b":", &again].concat();
            drop(line.splice(member.value.end..member.value.end, again));
        }
        4 => {
            let with_comma = line.get(member.value.end) == Some(&b',');
            drop(line.drain(member.key.start..member.value.end + usize::from(with_comma)));
        }
        5 => {
            let taken = dice.among(&theirs.members).map_or(&b"\"\""[..], |it| &other[it.key.clone()]);
            drop(line.splice(member.key.clone(), taken.to_vec()));
        }
        6 => {
            let (open, close) = [("[", "]"), ("{\"x\":", "}"), ("\"", "\""), (" ", "\t")][dice.below(4)];
            let wrapped = [open.as_bytes(), &line[range.clone()], close.as_bytes()].concat();
            drop(line.splice(range.clone(), wrapped));
        }
        // A key with an escape in it is the same key.
        _ => {
            let at = member.key.start + 1;
            if let Some(letter) = line.get(at).copied().filter(u8::is_ascii_alphanumeric) {
                drop(line.splice(at..=at, format!("\\u00{letter:02x}").into_bytes()));
            }
        }
    }
}

/// A recording, damaged, with lines of another one in it.
pub(super) fn log(text: &str, other: &str, dice: &mut Dice) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let others: Vec<&[u8]> = other.lines().map(str::as_bytes).collect();
    for _ in 0..=dice.below(6) {
        let (one, two) = (dice.below(lines.len().max(1)), dice.below(lines.len().max(1)));
        let line = dice.among(&others).copied().unwrap_or_default();
        match dice.below(20) {
            _ if lines.is_empty() => lines.push(line.to_vec()),
            0 => drop(lines.remove(one)),
            1 => lines.insert(two, lines[one].clone()),
            2 => lines.swap(one, two),
            3 => lines.insert(one, line.to_vec()),
            4 => lines.extend(lines[one..].to_vec()),
            5 => {
                let next = lines.remove(one);
                lines.insert(one, [next.as_slice(), line].concat());
            }
            6 | 7 => bytes(&mut lines[one], dice),
            8 => lines.insert(one, (0..dice.below(200)).map(|_| dice.below(256) as u8).collect()),
            9 if dice.chance(10) => lines.insert(one, vec![b"x {\"["[dice.below(5)]; 2_000_000]),
            _ => structure(&mut lines[one], line, dice),
        }
    }
    lines
}

/// A mapping, damaged.
pub(super) fn mapping(text: &str, dice: &mut Dice) -> String {
    let mut text = text.to_owned();
    for _ in 0..=dice.below(3) {
        match dice.below(8) {
            0 => {
                let mut damaged = text.into_bytes();
                bytes(&mut damaged, dice);
                text = String::from_utf8_lossy(&damaged).into_owned();
            }
            1 | 2 => rearrange(&mut text, dice),
            3 => {
                let (open, close) = [("(", ")"), ("!(", ")"), ("has(", ")"), ("[", "]")][dice.below(4)];
                let times = [2, 60, 300, 20_000][dice.below(4)];
                let nested = format!("'{}id{}'", open.repeat(times), close.repeat(times));
                replace(&mut text, &strings, |_, _| nested.clone(), dice);
            }
            4 => {
                replace(&mut text, &strings, |strings, dice| strings[dice.below(strings.len())].clone(), dice)
            }
            5 => replace(&mut text, &words, |words, dice| words[dice.below(words.len())].clone(), dice),
            _ => replace(&mut text, &words, |_, dice| PIECES[dice.below(PIECES.len())].to_owned(), dice),
        }
    }
    text
}

/// Lines of a mapping in another order, missing, or there twice.
fn rearrange(text: &mut String, dice: &mut Dice) {
    let mut lines: Vec<&str> = text.lines().collect();
    let (one, two) = (dice.below(lines.len().max(1)), dice.below(lines.len().max(1)));
    match dice.below(3) {
        _ if lines.is_empty() => {}
        0 => drop(lines.remove(one)),
        1 => lines.insert(two, lines[one]),
        _ => lines.swap(one, two),
    }
    *text = lines.join("\n");
}

/// Puts something in the place of one of the pieces that are found.
fn replace(
    text: &mut String,
    find: &dyn Fn(&str) -> Vec<Range<usize>>,
    with: impl Fn(&[String], &mut Dice) -> String,
    dice: &mut Dice,
) {
    let found = find(text);
    let Some(range) = dice.among(&found).cloned() else { return };
    let all: Vec<String> = found.iter().map(|range| text[range.clone()].to_owned()).collect();
    text.replace_range(range, &with(&all, dice));
}

/// The strings of a mapping with their quotes.
fn strings(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, u8)> = None;
    for (at, byte) in text.bytes().enumerate() {
        match open {
            Some((start, quote)) if byte == quote => {
                found.push(start..at + 1);
                open = None;
            }
            Some(_) if byte == b'\n' => open = None,
            None if matches!(byte, b'"' | b'\'') => open = Some((at, byte)),
            _ => {}
        }
    }
    found
}

/// Its words.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            match found.last_mut() {
                Some(last) if last.end == at => last.end += 1,
                _ => found.push(at..at + 1),
            }
        }
    }
    found
}
