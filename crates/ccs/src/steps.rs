//! The transitions of terms by the structural rules of CCS (Milner, "Communication and Concurrency", 1989, section 2.5),
//! each found once.
//!
//! A state is a term as it is written, with one exception: a constant that stands for a parallel composition, a
//! restriction or a relabelling is that process. So a system that comes back to where it began is in its first state
//! again, although that was written as a name.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use servanda_graph::components_of;
use servanda_syntax::Span;

use crate::check::references;
use crate::file::File;
use crate::sides::Sides;
use crate::term::{Action, Term, TermId, Terms};
use crate::words::Word;

/// Transitions that are found for one file, at most.
const MOST_STEPS: usize = 2_000_000;

/// Parts of all parallel compositions that are made on the way, at most: wide ones take much room each.
const MOST_PARTS_MADE: usize = 20_000_000;

/// There are more transitions than can be kept.
#[derive(Debug)]
pub(crate) struct TooManySteps;

/// A transition of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) action: Action,
    pub(crate) target: TermId,
    /// Where the action was written.
    pub(crate) span: Span,
}

/// Finds transitions.
pub(crate) struct Steps<'f> {
    pub(crate) file: &'f File,
    pub(crate) terms: Terms,
    by_name: Vec<Option<usize>>,
    /// What each constant stands for as a state.
    states: Vec<Option<TermId>>,
    found: Vec<Option<Rc<[Step]>>>,
    total: usize,
    parts_made: usize,
}

impl<'f> Steps<'f> {
    /// For a file without mistakes; its terms are taken out of it.
    pub(crate) fn new(file: &'f File, terms: Terms) -> Self {
        let mut steps = Steps {
            file,
            terms,
            by_name: file.by_name(),
            states: vec![None; file.words.len()],
            found: Vec::new(),
            total: 0,
            parts_made: 0,
        };
        // What a definition needs comes before it, since no recursion is without an action.
        let edges = references(file, |reference| !reference.guarded);
        for number in components_of(&edges).order {
            let process = &file.processes[number];
            let Some(body) = process.body else { continue };
            let state = match steps.terms.get(body) {
                Term::Parallel(_) | Term::Restrict(..) | Term::Relabel(..) => Some(steps.state(body)),
                Term::Constant(other) => steps.states[other.index()],
                Term::Nil | Term::Prefix(..) | Term::Sum(_) => None,
            };
            steps.states[process.name.index()] = state;
        }
        steps
    }

    /// What a constant is defined as.
    pub(crate) fn body(&self, constant: Word) -> Option<TermId> {
        self.by_name[constant.index()].and_then(|number| self.file.processes[number].body)
    }

    /// Does the constant stand for a parallel composition, a restriction or a relabelling?
    pub(crate) fn is_static(&self, constant: Word) -> bool {
        self.states[constant.index()].is_some()
    }

    /// The state that a term is. Recursion goes no deeper than the text is nested.
    pub(crate) fn state(&mut self, term: TermId) -> TermId {
        let made = match self.terms.get(term).clone() {
            Term::Nil | Term::Prefix(..) | Term::Sum(_) => return term,
            Term::Constant(name) => return self.states[name.index()].unwrap_or(term),
            Term::Parallel(parts) => Term::Parallel(parts.iter().map(|part| self.state(*part)).collect()),
            Term::Restrict(inner, names) => Term::Restrict(self.state(inner), names),
            Term::Relabel(inner, pairs) => Term::Relabel(self.state(inner), pairs),
        };
        self.terms.add(made, self.terms.span(term))
    }

    /// The transitions of a term, without duplicates.
    pub(crate) fn of(&mut self, term: TermId) -> Result<Rc<[Step]>, TooManySteps> {
        // A list instead of recursion: terms that grow become deep.
        let mut open = vec![term];
        while let Some(&top) = open.last() {
            self.found.resize(self.terms.len(), None);
            if self.found[top.index()].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            let missing = |part: &TermId| self.found[part.index()].is_none();
            match self.terms.get(top) {
                Term::Nil | Term::Prefix(..) => {}
                Term::Sum(parts) | Term::Parallel(parts) => {
                    open.extend(parts.iter().copied().filter(missing))
                }
                Term::Restrict(inner, _) | Term::Relabel(inner, _) => {
                    open.extend([*inner].into_iter().filter(missing));
                }
                Term::Constant(name) => open.extend(self.body(*name).into_iter().filter(missing)),
            }
            if open.len() == before {
                let steps = self.combined(top)?;
                self.check_room(steps.len())?;
                self.total += steps.len();
                self.found[top.index()] = Some(steps);
            }
        }
        Ok(self.known(term))
    }

    fn known(&self, term: TermId) -> Rc<[Step]> {
        self.found.get(term.index()).cloned().flatten().unwrap_or_else(|| Rc::from([]))
    }

    /// The transitions of a term from those of its parts: one case for each operator.
    fn combined(&mut self, term: TermId) -> Result<Rc<[Step]>, TooManySteps> {
        let steps: Vec<Step> = match self.terms.get(term).clone() {
            Term::Nil => Vec::new(),
            Term::Prefix(action, target) => {
                vec![Step { action, target: self.state(target), span: self.terms.span(term) }]
            }
            Term::Sum(parts) => parts.iter().flat_map(|part| self.known(*part).to_vec()).collect(),
            Term::Parallel(parts) => self.parallel(&parts)?,
            Term::Restrict(inner, names) => {
                let open = |step: &&Step| {
                    step.action.open_name().is_none_or(|name| names.binary_search(&name).is_err())
                };
                let steps: Vec<Step> = self.known(inner).iter().filter(open).copied().collect();
                self.around(steps, |target| Term::Restrict(target, names.clone()))
            }
            Term::Relabel(inner, pairs) => {
                let relabelled = |step: &Step| Step { action: relabel(step.action, &pairs), ..*step };
                let steps: Vec<Step> = self.known(inner).iter().map(relabelled).collect();
                self.around(steps, |target| Term::Relabel(target, pairs.clone()))
            }
            Term::Constant(name) => match self.body(name) {
                Some(body) => return Ok(self.known(body)),
                None => Vec::new(),
            },
        };
        let mut seen = FxHashSet::default();
        Ok(steps.into_iter().filter(|step| seen.insert((step.action, step.target))).collect())
    }

    /// Puts something around the targets of transitions.
    fn around(&mut self, mut steps: Vec<Step>, make: impl Fn(TermId) -> Term) -> Vec<Step> {
        for step in &mut steps {
            step.target = self.terms.add(make(step.target), step.span);
        }
        steps
    }

    /// One part moves, or two take the two sides of one name.
    fn parallel(&mut self, parts: &[TermId]) -> Result<Vec<Step>, TooManySteps> {
        let moves: Vec<Rc<[Step]>> = parts.iter().map(|part| self.known(*part)).collect();
        let (mut steps, mut sides) = (Vec::new(), Sides::new());
        for (position, own) in moves.iter().enumerate() {
            for step in own.iter() {
                sides.add(position, step.action, *step);
                let target = self.moved(parts, &[(position, step.target)], step.span);
                steps.push(Step { target, ..*step });
                self.check_room(steps.len())?;
            }
        }
        for ((sender, output), (receiver, input)) in sides.meetings() {
            let Some(action) = output.action.with(input.action) else { continue };
            let target = self.moved(parts, &[(sender, output.target), (receiver, input.target)], output.span);
            steps.push(Step { action, target, span: output.span });
            self.check_room(steps.len())?;
        }
        Ok(steps)
    }

    /// A parallel composition after some of its parts have moved.
    fn moved(&mut self, parts: &[TermId], moved: &[(usize, TermId)], span: Span) -> TermId {
        self.parts_made += parts.len();
        let mut next: Box<[TermId]> = parts.into();
        for (position, target) in moved {
            next[*position] = *target;
        }
        self.terms.add(Term::Parallel(next), span)
    }

    fn check_room(&self, more: usize) -> Result<(), TooManySteps> {
        let room = self.total + more <= MOST_STEPS && self.parts_made <= MOST_PARTS_MADE;
        if room { Ok(()) } else { Err(TooManySteps) }
    }
}

/// An action under its new name.
pub(crate) fn relabel(action: Action, pairs: &[(Word, Word)]) -> Action {
    let Some(name) = action.open_name() else { return action };
    match pairs.binary_search_by_key(&name, |(old, _)| *old) {
        Ok(position) => action.renamed(pairs[position].1),
        Err(_) => action,
    }
}
