//! Writing a model in another language.

use servanda_chart::GraphFailure;
use servanda_export::{Failure, Subject, Target};
use servanda_report::{Finding, Run};
use servanda_syntax::{Code, Diagnostic, Span};

use crate::equiv::{refusal, system};
use crate::{Loaded, Watch};

/// The model and its properties as the text of a target.
///
/// # Errors
///
/// The reason in words; if the model is to blame, the run is told.
pub fn convert(loaded: &Loaded, target: Target, watch: Watch<'_>, run: &mut Run) -> Result<String, String> {
    let subject = Subject {
        model: loaded.model(),
        properties: loaded.properties(),
        validity: loaded.usual_validity(),
        system: &|| system(loaded, watch),
        budget: watch.budget,
    };
    (target.writer().write)(&subject).map_err(|failure| match failure {
        Failure::Unexplored(why) => refusal(why, loaded, run),
        Failure::Unfit { target, reason } => unfit(loaded, target, &reason, run),
        Failure::Graph(GraphFailure::Stopped(stop)) => stop.to_string(),
        Failure::Graph(failure) => {
            run.reject([cannot_draw(loaded, &failure)]);
            failure.to_string()
        }
    })
}

/// Tells the run that the model does not fit a target, and gives the reason.
pub(crate) fn unfit(loaded: &Loaded, target: &str, reason: &str, run: &mut Run) -> String {
    let message = format!("{} cannot be written as {target}: {reason}", loaded.source.name());
    run.reject([Finding::general(Diagnostic::error(Code::CannotConvert, message.clone(), Span::default()))]);
    message
}

/// The state graph of the model cannot be drawn.
pub(crate) fn cannot_draw(loaded: &Loaded, failure: &GraphFailure) -> Finding {
    let message = format!("{} cannot be drawn as a graph: {failure}", loaded.source.name());
    Finding::general(Diagnostic::error(Code::CannotDraw, message, Span::default()))
}
