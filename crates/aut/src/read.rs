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

/// What stands between an opening and a closing character at the ends of a text.
fn inside(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// Without white space around it; where there is nothing else, what is left is the end.
fn trim(text: &str) -> &str {
    text.trim_start().trim_end()
}

/// The numbers of the header, each with its place: the initial state, how many transitions there are, and how many states.
type Header = [(u64, Span); 3];

/// A transition: the state it leaves, its label, and the state it leads to.
pub(crate) type Transition = (State, Action, State);

struct Reader<'t> {
    text: &'t str,
    labels: Labels,
    transitions: Vec<Transition>,
    diagnostics: Vec<Diagnostic>,
}

/// Reads everything. There is a system exactly when there is no error.
pub(crate) fn read(text: &str) -> (Option<Lts>, Vec<Diagnostic>) {
    let mut reader = Reader { text, labels: Labels::new(), transitions: Vec::new(), diagnostics: Vec::new() };
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
            reader.error(Code::TooManyMistakes, "there are too many mistakes", span(text, line), help);
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
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').map(trim).filter(|line| !line.is_empty())
}

/// Where a part of a text stands in it.
fn span(text: &str, part: &str) -> Span {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    Span::new(start, start + part.len())
}

/// The state that a transition leaves, its label, and the state it leads to.
fn parts(line: &str) -> Option<[&str; 3]> {
    // A label may contain commas: the first and the last one are those that part.
    let (source, rest) = inside(line, '(', ')')?.split_once(',')?;
    let (label, target) = rest.rsplit_once(',')?;
    Some([source, label, target].map(trim))
}

/// Where transitions of a system stand in the text that it was read from; the first place of one that stands there twice.
pub(crate) fn places(text: &str, lts: &Lts, wanted: &FxHashSet<Transition>) -> FxHashMap<Transition, Span> {
    let state = |part: &str| part.parse().ok().map(State);
    let action = |label: &str| {
        let name = inside(label, '"', '"').unwrap_or(label);
        if is_internal(name) { Some(Action::INTERNAL) } else { lts.labels().find(name) }
    };
    let mut found = FxHashMap::default();
    for line in lines(text).skip(1) {
        let Some([source, label, target]) = parts(line) else { continue };
        if let (Some(source), Some(action), Some(target)) = (state(source), action(label), state(target))
            && wanted.contains(&(source, action, target))
        {
            found.entry((source, action, target)).or_insert_with(|| span(text, line));
        }
    }
    found
}

impl Reader<'_> {
    fn span(&self, part: &str) -> Span {
        span(self.text, part)
    }

    fn error(&mut self, code: Code, message: impl Into<String>, span: Span, help: &str) {
        self.diagnostics.push(Diagnostic::error(code, message, span).help(help));
    }

    fn header(&mut self, line: &str) -> Option<Header> {
        let numbers = line.strip_prefix("des").and_then(|rest| inside(trim(rest), '(', ')'));
        let parts = numbers.and_then(|numbers| {
            let (initial, rest) = numbers.split_once(',')?;
            let (transitions, states) = rest.split_once(',')?;
            Some([initial, transitions, states])
        });
        let Some(parts) = parts else {
            let message = "this is not the header of an .aut file";
            self.error(Code::BadHeader, message, self.span(line), HEADER_HELP);
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

    fn transition(&mut self, line: &str, header: Option<&Header>) {
        let Some([source, label, target]) = parts(line) else {
            self.error(Code::BadTransition, "this is not a transition", self.span(line), TRANSITION_HELP);
            return;
        };
        let source = self.state(source, header);
        let label = self.label(label);
        let target = self.state(target, header);
        if let (Some(source), Some(label), Some(target)) = (source, label, target) {
            self.transitions.push((source, label, target));
        }
    }

    fn label(&mut self, label: &str) -> Option<Action> {
        let name = match inside(label, '"', '"') {
            Some(quoted) => quoted,
            None if label.is_empty() => {
                self.error(Code::NoLabel, "the label is missing", self.span(label), TRANSITION_HELP);
                return None;
            }
            None if label.starts_with('"') => {
                let help = "close it with `\"`";
                self.error(Code::UnterminatedLabel, "this label has no end", self.span(label), help);
                return None;
            }
            None => label,
        };
        Some(if is_internal(name) { Action::INTERNAL } else { self.labels.number(name) })
    }

    fn state(&mut self, part: &str, header: Option<&Header>) -> Option<State> {
        let (number, span) = self.number(part, "the number of a state", TRANSITION_HELP)?;
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

    fn number(&mut self, part: &str, expected: &str, help: &str) -> Option<(u64, Span)> {
        let part = trim(part);
        let span = self.span(part);
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = match part {
                "" => format!("expected {expected}"),
                found => format!("expected {expected}, found `{found}`"),
            };
            self.error(Code::BadNumber, message, span, help);
            return None;
        }
        match part.parse() {
            Ok(number) if number < u64::from(u32::MAX) => Some((number, span)),
            _ => {
                let help = format!("the largest number is {}", u32::MAX - 1);
                self.error(Code::NumberTooLarge, "this number is too large", span, &help);
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
                &format!("write {count}, or correct the list of transitions"),
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
