//! Texts damaged by chance, as files are that somebody is still writing, or that were meant to do harm.

use crate::random::Dice;

/// Pieces that matter to some parser.
pub const PIECES: [&str; 71] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "..",
    "\"",
    "'",
    "_",
    "--",
    "-->",
    "->",
    "=",
    "!",
    "//",
    "/*",
    "\n",
    "-1",
    "9223372036854775807",
    "99999999999999999999",
    "AG",
    "E[",
    "U",
    "in",
    "all i in 1..3 :",
    "SC(",
    "K(",
    "<{",
    "for i in 1..9 {",
    "machine M {",
    "∧",
    "\u{0}",
    "\u{1b}[2J",
    "end Agent",
    ".",
    "?",
    "-",
    "<->",
    "!=",
    "<=",
    "&",
    "|",
    "+",
    "*",
    "/",
    "%",
    "*/",
    "0",
    "A",
    "E",
    "X",
    "so",
    "EP",
    "any i in 1..3 :",
    "sum i in 1..2 :",
    "PC(",
    "Cr(",
    "Jus(",
    "Act(_, _)",
    "does(_)",
    "GCK(",
    "B(",
    "for i in 1..2 {",
    "é",
    "expect",
];

/// Bytes are taken away, changed, repeated and moved, pieces are put in, and the end of another text may follow.
pub fn damage(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    for _ in 0..=dice.below(5) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + dice.below(24)).min(bytes.len());
        match dice.below(8) {
            0 => bytes.insert(at, dice.below(256) as u8),
            1 => drop(bytes.drain(at..end)),
            2 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            3 => {
                let again = bytes[at..end].repeat(1 + dice.below(4));
                bytes.splice(at..at, again);
            }
            4 => {
                let from = dice.below(bytes.len() + 1);
                let moved = bytes[from..(from + dice.below(60)).min(bytes.len())].to_vec();
                bytes.splice(at..end, moved);
            }
            5 => {
                bytes.truncate(at);
                bytes.extend_from_slice(&other[dice.below(other.len() + 1)..]);
            }
            _ => {
                let piece = PIECES[dice.below(PIECES.len())].bytes();
                bytes.splice(at..at, piece);
            }
        }
    }
}
