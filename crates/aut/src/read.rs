//! From text to a transition system.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_lts::{Action, Labels, Lts, State};
use servanda_syntax::{Code, Diagnostic, Span, has_errors};

use crate::model::reachable;

/// After so many mistakes the rest is not worth reading.
const MOST_MISTAKES: usize = 100;

/// So many states may have no transition at all. More of them are hardly meant, and would take memory for nothing.
const MOST_ISOLATED_STATES: u64 = 1_000_000;

const HEADER_HELP: &str =
    "the first line is `des (INITIAL, TRANSITIONS, STATES)`, for example `des (0, 5, 4)`";
const TRANSITION_HELP: &str =
    "a transition is `(FROM, \"LABEL\", TO)` on a line of its own, for example `(0, \"a\", 1)`";

/// Is a label of this name internal? `i` is what CADP writes, `tau` what mCRL2 writes, and `tau<a>` what CCS shows.
pub(crate) fn is_internal(label: &str) -> bool {
    matches!(label, "i" | "tau") || (label.starts_with("tau<") && label.ends_with('>'))
}

/// A piece of the text that knows where it stands.
#[derive(Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Piece<'t> {
    fn span(self) -> Span {
        Span::new(self.at, self.at + self.text.len())
    }

    fn from(self, start: usize) -> Self {
        Piece { text: &self.text[start..], at: self.at + start }
    }

    fn to(self, end: usize) -> Self {
        Piece { text: &self.text[..end], ..self }
    }

    fn trim(self) -> Self {
        let trimmed = self.text.trim_start();
        let start = self.text.len() - trimmed.len();
        Piece { text: trimmed.trim_end(), at: self.at + start }
    }

    /// What stands between an opening and a closing character at its ends.
    fn inside(self, open: char, close: char) -> Option<Self> {
        let text = self.text.strip_prefix(open)?.strip_suffix(close)?;
        Some(Piece { text, at: self.at + open.len_utf8() })
    }

    /// What stands before and after the place of a comma.
    fn parted(self, comma: Option<usize>) -> Option<(Self, Self)> {
        let comma = comma?;
        Some((self.to(comma), self.from(comma + 1)))
    }
}

/// The numbers of the header, each with its place: the initial state, how many transitions there are, and how many states.
type Header = [(u64, Span); 3];

/// A transition: the state it leaves, its label, and the state it leads to.
pub(crate) type Transition = (State, Action, State);

struct Reader {
    labels: Labels,
    transitions: Vec<Transition>,
    diagnostics: Vec<Diagnostic>,
}

/// Reads everything. There is a system exactly when there is no error.
pub(crate) fn read(text: &str) -> (Option<Lts>, Vec<Diagnostic>) {
    let mut reader = Reader { labels: Labels::new(), transitions: Vec::new(), diagnostics: Vec::new() };
    let mut lines = lines(text);
    let header = match lines.next() {
        Some(line) => reader.header(line),
        None => {
            reader.error(Code::NoHeader, "the text is empty", Span::default(), HEADER_HELP);
            None
        }
    };
    let mut count = 0u64;
    for line in lines {
        if reader.diagnostics.len() >= MOST_MISTAKES {
            let help = "the rest of the file was not read";
            reader.error(Code::TooManyMistakes, "there are too many mistakes", line.span(), help);
            break;
        }
        count += 1;
        reader.transition(line, header.as_ref());
    }
    let lts = header.and_then(|header| reader.finish(&header, count));
    reader.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    (lts, reader.diagnostics)
}

/// The lines that are not empty, without white space around them.
fn lines(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut rest = Piece { text, at: 0 }.from(start);
    std::iter::from_fn(move || {
        while !rest.text.is_empty() {
            let end = rest.text.find('\n').map_or(rest.text.len(), |end| end + 1);
            let line = rest.to(end).trim();
            rest = rest.from(end);
            if !line.text.is_empty() {
                return Some(line);
            }
        }
        None
    })
}

/// The state that a transition leaves, its label, and the state it leads to.
fn parts(line: Piece<'_>) -> Option<[Piece<'_>; 3]> {
    let inside = line.inside('(', ')')?;
    // A label may contain commas: the first and the last one are those that part.
    let (source, rest) = inside.parted(inside.text.find(','))?;
    let (label, target) = rest.parted(rest.text.rfind(','))?;
    Some([source.trim(), label.trim(), target.trim()])
}

/// Where transitions of a system stand in the text that it was read from; the first place of one that stands there twice.
pub(crate) fn places(text: &str, lts: &Lts, wanted: &FxHashSet<Transition>) -> FxHashMap<Transition, Span> {
    let state = |piece: Piece<'_>| piece.text.parse().ok().map(State);
    let action = |label: Piece<'_>| {
        let name = label.inside('"', '"').unwrap_or(label).text;
        if is_internal(name) { Some(Action::INTERNAL) } else { lts.labels().find(name) }
    };
    let mut found = FxHashMap::default();
    for line in lines(text).skip(1) {
        let Some([source, label, target]) = parts(line) else { continue };
        if let (Some(source), Some(action), Some(target)) = (state(source), action(label), state(target))
            && wanted.contains(&(source, action, target))
        {
            found.entry((source, action, target)).or_insert(line.span());
        }
    }
    found
}

impl Reader {
    fn error(&mut self, code: Code, message: impl Into<String>, span: Span, help: &str) {
        self.diagnostics.push(Diagnostic::error(code, message, span).help(help));
    }

    fn header(&mut self, line: Piece<'_>) -> Option<Header> {
        let numbers =
            line.text.strip_prefix("des").and_then(|_| line.from("des".len()).trim().inside('(', ')'));
        let parts = numbers.and_then(|numbers| {
            let (initial, rest) = numbers.parted(numbers.text.find(','))?;
            let (transitions, states) = rest.parted(rest.text.find(','))?;
            Some([initial, transitions, states])
        });
        let Some(parts) = parts else {
            self.error(Code::BadHeader, "this is not the header of an .aut file", line.span(), HEADER_HELP);
            return None;
        };
        // All three are looked at, so that all mistakes are found.
        let [initial, transitions, states] = parts.map(|part| self.number(part, "a number", HEADER_HELP));
        let (initial, transitions, states) = (initial?, transitions?, states?);
        if states.0 == 0 {
            let help = "there is at least the initial state";
            self.error(Code::NoStates, "a system has at least one state", states.1, help);
            return None;
        }
        if initial.0 >= states.0 {
            let message = format!("the initial state {} is not one of the {} states", initial.0, states.0);
            self.error(Code::UnknownState, message, initial.1, &range_help(states.0));
            return None;
        }
        Some([initial, transitions, states])
    }

    fn transition(&mut self, line: Piece<'_>, header: Option<&Header>) {
        let Some([source, label, target]) = parts(line) else {
            self.error(Code::BadTransition, "this is not a transition", line.span(), TRANSITION_HELP);
            return;
        };
        let source = self.state(source, header);
        let label = self.label(label);
        let target = self.state(target, header);
        if let (Some(source), Some(label), Some(target)) = (source, label, target) {
            self.transitions.push((source, label, target));
        }
    }

    fn label(&mut self, label: Piece<'_>) -> Option<Action> {
        let name = match label.inside('"', '"') {
            Some(quoted) => quoted.text,
            None if label.text.is_empty() => {
                self.error(Code::NoLabel, "the label is missing", label.span(), TRANSITION_HELP);
                return None;
            }
            None if label.text.starts_with('"') => {
                let help = "close it with `\"`";
                self.error(Code::UnterminatedLabel, "this label has no end", label.span(), help);
                return None;
            }
            None => label.text,
        };
        Some(if is_internal(name) { Action::INTERNAL } else { self.labels.number(name) })
    }

    fn state(&mut self, piece: Piece<'_>, header: Option<&Header>) -> Option<State> {
        let (number, span) = self.number(piece, "the number of a state", TRANSITION_HELP)?;
        if let Some([_, _, states]) = header
            && number >= states.0
        {
            let message = format!("state {number} is not one of the {} states of the header", states.0);
            self.diagnostics.push(
                Diagnostic::error(Code::UnknownState, message, span)
                    .label(states.1, "the number of states")
                    .help(range_help(states.0)),
            );
            return None;
        }
        u32::try_from(number).ok().map(State)
    }

    fn number(&mut self, piece: Piece<'_>, expected: &str, help: &str) -> Option<(u64, Span)> {
        let piece = piece.trim();
        if piece.text.is_empty() || !piece.text.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = match piece.text {
                "" => format!("expected {expected}"),
                found => format!("expected {expected}, found `{found}`"),
            };
            self.error(Code::BadNumber, message, piece.span(), help);
            return None;
        }
        match piece.text.parse() {
            Ok(number) if number < u64::from(u32::MAX) => Some((number, piece.span())),
            _ => {
                let help = format!("the largest number is {}", u32::MAX - 1);
                self.error(Code::NumberTooLarge, "this number is too large", piece.span(), &help);
                None
            }
        }
    }

    /// Compares with what the header says, and makes the system.
    fn finish(&mut self, header: &Header, count: u64) -> Option<Lts> {
        let [(initial, _), (promised, place), (states, states_place)] = *header;
        if promised != count && self.diagnostics.len() <= MOST_MISTAKES {
            let message = format!("the header says {promised} transitions, but there are {count}");
            self.error(
                Code::WrongCount,
                message,
                place,
                &format!("write {count}, or mend the list of transitions"),
            );
        }
        if states > 2 * count + 1 + MOST_ISOLATED_STATES {
            let message = format!("there are {states} states, but the transitions name far fewer");
            let help = "give the number of states that have transitions";
            self.error(Code::TooManyStates, message, states_place, help);
        }
        if has_errors(&self.diagnostics) {
            return None;
        }
        let initial = State(u32::try_from(initial).ok()?);
        let (transitions, labels) = (std::mem::take(&mut self.transitions), std::mem::take(&mut self.labels));
        let lts = Lts::new(usize::try_from(states).ok()?, initial, transitions, labels);
        let reached = reachable(&lts).1.len();
        if reached < lts.states() {
            let message = format!("only {reached} of {states} states can be reached from the initial state");
            self.diagnostics.push(Diagnostic::warning(Code::UnreachableStates, message, states_place));
        }
        Some(lts)
    }
}

fn range_help(states: u64) -> String {
    format!("states are numbered from 0 to {}", states - 1)
}
