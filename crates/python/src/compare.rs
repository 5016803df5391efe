//! Models beside each other, and in other forms.

use std::sync::Arc;

use pyo3::prelude::*;
use servanda::{Language, Loaded, Named, TARGETS, Terms, Watch};
use servanda_equiv::{Comparison, Relation};
use servanda_report::{DutiesReport, EquivReport, Finding, Input, Run, Style, json, text};
use servanda_syntax::SourceFile;

use crate::choose::word;
use crate::fault;
use crate::load::Subject;
use crate::model::Model;
use crate::work::{self, Limits};

/// A report: as JSON and in words.
type Shown = (String, String);

/// Are two models related? The report of `servanda equiv`.
#[pyfunction]
pub(crate) fn equiv(
    py: Python<'_>,
    left: &Model,
    right: &Model,
    relation: &str,
    limits: Limits,
) -> PyResult<Shown> {
    let known: Vec<(&str, Comparison)> = Comparison::all().map(|one| (one.word(), one)).collect();
    let comparison = word("relation", Some(relation), &known, Comparison::from(Relation::ALL[0]))?;
    let subjects = [left, right].map(|model| Arc::clone(&model.subject));
    let report: EquivReport = work::run(py, limits, move |watch| {
        on_two(
            &subjects,
            watch,
            |models| servanda::equiv(models, comparison, watch),
            |report| &mut report.run,
        )
    })?;
    accepted(py, &report.run)?;
    Ok((json::equiv(&report), text::equiv(&report, Style::plain())))
}

/// How the labels of an agent and of its protocol are read.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    role: Option<String>,
    own: Vec<String>,
    hide: Vec<String>,
    rename: Vec<String>,
}

/// Does an agent keep to a protocol? The report of `servanda conform --to`.
#[pyfunction]
pub(crate) fn conform_to(
    py: Python<'_>,
    agent: &Model,
    protocol: &Model,
    terms: Reading,
    limits: Limits,
) -> PyResult<Shown> {
    let subjects = [agent, protocol].map(|model| Arc::clone(&model.subject));
    let report: DutiesReport = work::run(py, limits, move |watch| {
        let Reading { role, own, hide, rename } = &terms;
        let terms = Terms { role: role.as_deref(), own, hide, rename };
        on_two(
            &subjects,
            watch,
            |models| servanda::conform_to(models, terms, watch),
            |report| &mut report.run,
        )
    })?;
    accepted(py, &report.run)?;
    Ok((json::duties(&report), text::duties(&report, Style::plain())))
}

fn on_two<R>(
    subjects: &[Arc<Subject>; 2],
    watch: Watch<'_>,
    compare: impl FnOnce([Named<'_>; 2]) -> R,
    run: impl FnOnce(&mut R) -> &mut Run,
) -> R {
    let [left, right]: [&Loaded; 2] = subjects.each_ref().map(|subject| &subject.loaded);
    let before = watch.clock.elapsed();
    let mut report = compare([(left.source.name(), Ok(left)), (right.source.name(), Ok(right))]);
    run(&mut report).seconds = watch.clock.elapsed().saturating_sub(before).as_secs_f64();
    report
}

/// Input that has no meaning is an exception.
fn accepted(py: Python<'_>, run: &Run) -> PyResult<()> {
    if run.input == Input::Good {
        return Ok(());
    }
    let errors: Vec<Finding> =
        run.findings.iter().filter(|found| found.diagnostic.is_error()).cloned().collect();
    Err(fault::input(py, &errors))
}

/// Are the acts of a model what they say? The report of `servanda conform`.
#[pyfunction]
pub(crate) fn conform(py: Python<'_>, model: &Model, limits: Limits) -> PyResult<Shown> {
    let subject = Arc::clone(&model.subject);
    let report = work::run(py, limits, move |watch| {
        let before = watch.clock.elapsed();
        let mut report = servanda::conform(&subject.loaded, watch);
        report.run.seconds = watch.clock.elapsed().saturating_sub(before).as_secs_f64();
        report
    })?;
    accepted(py, &report.run)?;
    Ok((json::conform(&report), text::conform(&report, Style::plain())))
}

/// States and transitions.
type Size = (usize, usize);

/// The smallest system that is equivalent to a model: as `.aut`, with states and transitions before and after.
#[pyfunction]
pub(crate) fn minimise(
    py: Python<'_>,
    model: &Model,
    relation: &str,
    limits: Limits,
) -> PyResult<(String, Size, Size)> {
    let known = Relation::ALL.map(|relation| (relation.word(), relation));
    let relation = word("relation", Some(relation), &known, Relation::ALL[0])?;
    let subject = Arc::clone(&model.subject);
    let made = work::run(py, limits, move |watch| servanda::minimise(&subject.loaded, relation, watch))?;
    let made = made.map_err(|refusal| fault::refusal(py, &refusal))?;
    Ok((made.aut, made.before, made.after))
}

/// A model in another language, and its acts file where that has no words for acts.
#[pyfunction]
pub(crate) fn convert(
    py: Python<'_>,
    model: &Model,
    target: &str,
    limits: Limits,
) -> PyResult<(String, Option<String>)> {
    let known: Vec<(&str, usize)> =
        TARGETS.iter().enumerate().map(|(at, writer)| (writer.name, at)).collect();
    let writer = &TARGETS[word("target", Some(target), &known, 0)?];
    let subject = Arc::clone(&model.subject);
    let made = work::run(py, limits, move |watch| servanda::convert(&subject.loaded, writer, watch))?;
    let made = made.map_err(|refusal| fault::refusal(py, &refusal))?;
    Ok((made.text, made.acts))
}

/// What models can be converted to: the names, and what each is.
#[pyfunction]
pub(crate) fn targets() -> Vec<(&'static str, &'static str)> {
    TARGETS.iter().map(|writer| (writer.name, writer.about)).collect()
}

/// A Pact text in standard form.
#[pyfunction]
pub(crate) fn format(py: Python<'_>, text: &str, name: &str) -> PyResult<String> {
    let form = Language::Pact.front_end().standard_form;
    let formed =
        fault::guarded(|| form.map(|form| form(text))).map_err(|words| fault::internal(py, &words))?;
    formed.unwrap_or_else(|| Ok(text.to_owned())).map_err(|diagnostics| {
        let source = Arc::new(SourceFile::new(name, text));
        fault::input(py, &Finding::all_placed(diagnostics, &source))
    })
}
