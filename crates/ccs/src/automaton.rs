//! One sequential part of a system as a machine: its derivatives and how it goes from one to the other.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_syntax::Span;

use crate::steps::{Steps, TooManySteps};
use crate::term::{Action, Term, TermId};
use crate::words::Word;

/// States of one part, at most.
pub(crate) const MOST_STATES: usize = 1 << 17;

/// States of one part whose definition looks as if it grew for ever.
pub(crate) const MOST_STATES_GROWING: usize = 20_000;

/// A transition of a machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) from: u32,
    pub(crate) action: Action,
    pub(crate) to: u32,
    pub(crate) span: Span,
}

/// A machine.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// Names of the states, of which the first is the initial one.
    pub(crate) states: Arc<[Arc<str>]>,
    /// Where each state was first written.
    pub(crate) spans: Vec<Span>,
    pub(crate) moves: Vec<Move>,
}

/// Finds all derivatives of a term. `home` is the definition it stands in. Where there are more than can be kept, the error is how
/// many there are at least.
pub(crate) fn explore(
    steps: &mut Steps<'_>,
    root: TermId,
    home: Word,
    most: usize,
) -> Result<Automaton, usize> {
    let mut names = Names::default();
    let mut numbers: FxHashMap<TermId, u32> = FxHashMap::from_iter([(root, 0)]);
    let (first, first_home) = names.of(steps, root, home);
    let mut states = vec![first];
    let mut spans = vec![steps.terms.span(root)];
    let mut moves = Vec::new();
    let mut open = VecDeque::from([(root, first_home)]);
    let mut from = 0;
    while let Some((term, home)) = open.pop_front() {
        let found = steps.of(term).map_err(|TooManySteps| states.len())?;
        for step in found.iter() {
            let next = numbers.len() as u32;
            let to = *numbers.entry(step.target).or_insert(next);
            if to == next {
                let (name, new_home) = names.of(steps, step.target, home);
                states.push(name);
                spans.push(steps.terms.span(step.target));
                open.push_back((step.target, new_home));
                if states.len() > most {
                    return Err(states.len());
                }
            }
            moves.push(Move { from, action: step.action, to, span: step.span });
        }
        from += 1;
    }
    Ok(Automaton { states: states.into(), spans, moves })
}

/// Readable names for states: that of the constant where it is one, else that of the definition with a number.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<Word, usize>,
}

impl Names {
    /// The name of a state reached from the definition `home`, and the definition it belongs to itself.
    fn of(&mut self, steps: &Steps<'_>, term: TermId, home: Word) -> (Arc<str>, Word) {
        let words = &steps.file.words;
        match steps.terms.get(term) {
            Term::Nil => return (Arc::from("nil"), home),
            Term::Constant(name) => return (Arc::from(words.text(*name)), *name),
            _ => {}
        }
        let number = self.numbers.entry(home).or_insert(0);
        loop {
            *number += 1;
            // What stands before the last underscore is the definition, so only a process can have the same name.
            let name = format!("{}_{number}", words.text(home));
            if words.find(&name).is_none_or(|word| steps.body(word).is_none()) {
                return (Arc::from(name), home);
            }
        }
    }
}
