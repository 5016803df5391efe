//! Time that stops.

use servanda_engine::{Counts, Halt, StoppedTime};
use servanda_report::Finding;
use servanda_syntax::{Code, Diagnostic, Span};

use super::{Effort, MOST_VISITS, ask, example_and_way, states};
use crate::engine::Ready;
use crate::watch::not_yet_stopped;
use crate::{Loaded, Watch};

/// States from which time can pass no more, where there are clocks.
pub(super) fn stopped_time(
    engines: &mut [Ready<'_>],
    loaded: &Loaded,
    (counts, effort): (Option<&Counts>, Effort),
    watch: Watch<'_>,
) -> Result<Option<StoppedTime>, Halt> {
    if loaded.model().tick.is_none() {
        return Ok(None);
    }
    not_yet_stopped(watch)?;
    if effort == Effort::Bounded && counts.is_some_and(|counts| counts.states > MOST_VISITS.into()) {
        return Err(Halt::NotOffered);
    }
    ask(engines, |engine| engine.stopped_time(watch.budget))
}

pub(super) fn finding(stopped: &StoppedTime) -> Finding {
    let places = states("reachable state", &stopped.states);
    let message = format!("time stops: no `tick` is possible any more from {places}");
    let detail = example_and_way((&stopped.example, &stopped.path), "");
    let warning = Diagnostic::warning(Code::StoppedTime, message, Span::default()).at_span(detail.trim_end());
    Finding::general(
        warning.help("let something else happen there, end there with `final`, or change what `wait` says"),
    )
}
