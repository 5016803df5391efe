//! `servanda equiv`, and `servanda conform --to`

use servanda::{Named, Terms, Watch};
use servanda_report::{DutiesReport, EquivReport, Run, Statistics, Status, Style, json, text};

use super::args::{ConformArguments, EquivArguments, LimitArguments, ModelArguments, OutputArguments};
use super::input;
use super::stopwatch::measured;
use super::terminal::{Ended, Terminal};

/// Compares two models.
pub(crate) fn run(arguments: &EquivArguments, terminal: &Terminal) -> Ended {
    let EquivArguments { left, right, relation, model, limits, output } = arguments;
    let compare = |models: [Named<'_>; 2], watch: Watch<'_>| servanda::equiv(models, relation.0, watch);
    let shown = Shown {
        run: |report: &mut EquivReport| &mut report.run,
        status: EquivReport::status,
        json: json::equiv,
        text: text::equiv,
    };
    on_two([left, right], (model, limits, output), terminal, compare, &shown)
}

/// Compares an agent with its protocol.
pub(crate) fn conform_to(arguments: &ConformArguments, protocol: &str, terminal: &Terminal) -> Ended {
    let ConformArguments { to, subject, output } = arguments;
    let terms = Terms { role: to.role.as_deref(), own: &to.own, hide: &to.hide, rename: &to.rename };
    let compare = |models: [Named<'_>; 2], watch: Watch<'_>| servanda::conform_to(models, terms, watch);
    let shown = Shown {
        run: |report: &mut DutiesReport| &mut report.run,
        status: DutiesReport::status,
        json: json::duties,
        text: text::duties,
    };
    on_two([&subject.file, protocol], (&subject.model, &subject.limits, output), terminal, compare, &shown)
}

/// How a report is shown.
struct Shown<R> {
    run: fn(&mut R) -> &mut Run,
    status: fn(&R) -> Status,
    json: fn(&R) -> String,
    text: fn(&R, Style) -> String,
}

/// Loads two models, compares them and writes what comes of it.
fn on_two<R>(
    files: [&str; 2],
    (model, limits, output): (&ModelArguments, &LimitArguments, &OutputArguments),
    terminal: &Terminal,
    compare: impl FnOnce([Named<'_>; 2], Watch<'_>) -> R,
    shown: &Shown<R>,
) -> Ended {
    if files == ["-", "-"] {
        return Err(terminal.fail("standard input can be read once only"));
    }
    let limits = terminal.limits(limits)?;
    let mut report = measured(
        || files.map(|file| (input::shown_argument(file), input::load(file, model))),
        |models| {
            let models = models.each_ref();
            compare(models.map(|(name, loaded)| (*name, loaded.as_ref().map_err(Vec::clone))), limits.watch())
        },
        shown.run,
    );
    limits.clear_progress();
    let (run, status) = ((shown.run)(&mut report).clone(), (shown.status)(&report));
    let (json, text) = (|| (shown.json)(&report), |style| (shown.text)(&report, style));
    Ok(terminal.report(&run, status, (output.format, Statistics::Hidden), json, text))
}
