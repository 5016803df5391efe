//! A formula, looked at while it is typed.

use std::sync::Arc;

use servanda_abta::Options as AbtaOptions;
use servanda_engine::{Limited, Verdict as Decision};
use servanda_logic::{Features, Formula, parse_formula, words};
use servanda_messages::{Event, FormulaView, Subject, Verdict};
use servanda_report::{CheckReport, Finding};
use servanda_syntax::{SourceFile, Span};

use super::check::Observer;
use super::desk::Desk;
use super::places::{self, FORMULA};
use super::subject;
use crate::{Loaded, Question, Watch, automaton_picture, check};

/// A formula is decided at once on models with at most so many states.
const MOST_STATES: u64 = 10_000;
const MOST_TRANSITIONS: u64 = 100_000;
/// Nor are more nodes made for it.
const MOST_NODES: u64 = 1_000_000;

/// Automata with more states are no use to look at.
const MOST_BOXES: usize = 150;

/// Says what a formula means, draws its automaton, and decides it where that takes no time.
pub(super) fn run(subject: &Subject, text: &str, desk: Desk<'_>) {
    let loaded = subject::load(subject, desk);
    let source = Arc::new(SourceFile::new(FORMULA, text));
    let mut view = FormulaView { text: text.to_owned(), ..FormulaView::default() };
    let read = match &loaded {
        Some(loaded) => loaded.formula(text),
        None => parse_formula(text),
    };
    // Also a formula with a name that means nothing says something.
    let as_typed = parse_formula(text).ok();
    if let Some(formula) = as_typed.as_ref().or(read.as_ref().ok()) {
        view.words = words(formula);
    }
    match (&loaded, read) {
        (_, Err(errors)) => {
            let found: Vec<Finding> =
                errors.into_iter().map(|error| Finding::placed_if_written(error, &source)).collect();
            view.findings = places::findings(&found);
        }
        (None, Ok(formula)) => {
            draw(&formula, AbtaOptions::default(), &mut view);
            view.notes.push("the text has mistakes, so that the formula is not decided".to_owned());
        }
        (Some(loaded), Ok(formula)) => {
            let options = AbtaOptions { acts: loaded.model().acts, ..AbtaOptions::default() };
            draw(as_typed.as_ref().unwrap_or(&formula), options, &mut view);
            decide(loaded, formula, &source, desk, &mut view);
        }
    }
    desk.page.tell(Event::Formula { formula: view });
}

/// Draws the automaton, or says why there is none.
fn draw(formula: &Formula, options: AbtaOptions, view: &mut FormulaView) {
    match servanda_abta::translate(formula, options) {
        Ok(translation) => {
            let picture = automaton_picture(&translation);
            if picture.boxes.len() <= MOST_BOXES {
                view.automaton = Some(servanda_chart::graph_svg(&picture));
            } else {
                view.notes.push(format!("its automaton has {}, too many to draw", picture.description));
            }
        }
        Err(errors) => {
            let words: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            view.notes.push(format!("there is no automaton: {}", words.join("; ")));
        }
    }
}

/// Decides a formula, unless that may take long.
fn decide(
    loaded: &Loaded,
    formula: Formula,
    source: &Arc<SourceFile>,
    desk: Desk<'_>,
    view: &mut FormulaView,
) {
    view.notes.extend(fragment(&formula));
    let text = view.text.clone();
    let question =
        Question::new(FORMULA.to_owned(), &text, formula, None, (source, Span::new(0, text.len())));
    let questions = std::slice::from_ref(&question);
    let options = desk.options(loaded);
    let observer = Observer::new(loaded, questions, options.readings, desk).of_progress();
    let report = observer.while_telling(|watch| {
        let within = Limited::new(watch.budget).space(MOST_STATES, MOST_TRANSITIONS).nodes(MOST_NODES);
        check(loaded, questions, options, Watch { budget: &within, ..watch })
    });
    let about_it = report.run.findings.iter().filter(|finding| {
        finding.source.as_ref().is_some_and(|source| source.name() == FORMULA)
            || (finding.diagnostic.is_error() && finding.source.is_none())
    });
    view.findings = places::findings(&about_it.cloned().collect::<Vec<_>>());
    match verdict(&observer, &question, &report) {
        Ok(verdict) => view.verdict = Some(verdict),
        Err(reason) => view.notes.push(format!("it is not decided at once: {reason}")),
    }
}

/// The verdict, or why there is none.
fn verdict(observer: &Observer<'_>, question: &Question, report: &CheckReport) -> Result<Verdict, String> {
    match report.properties.first() {
        Some(property) => match &property.verdict {
            Decision::Unknown(reason) => Err(reason.clone()),
            Decision::True | Decision::False => Ok(observer.verdict(question, property)),
        },
        None => Err("nothing was asked".to_owned()),
    }
}

/// The well-known logic that a formula belongs to, if it belongs to one.
fn fragment(formula: &Formula) -> Option<String> {
    let used = Features::of(formula);
    let time = Features::QUANTIFIERS | Features::FUTURE;
    let paths = time | Features::PATH_FORMULAS;
    let logic = if !used.contains(Features::FUTURE) {
        return None;
    } else if time.contains(used.without(Features::BRANCHING)) {
        "CTL"
    } else if paths.contains(used) {
        "LTL"
    } else if paths.contains(used.without(Features::BRANCHING)) {
        "CTL*"
    } else {
        return None;
    };
    Some(format!("it is a formula of {logic}"))
}
