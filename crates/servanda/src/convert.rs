//! Writing a model in another language.

use servanda_chart::GraphFailure;
use servanda_export::{Failure, Subject, Writer};
use servanda_report::Finding;
use servanda_syntax::Code;

use crate::equiv::{refusal, system};
use crate::{Language, Loaded, Refusal, Watch};

/// What a model is written as.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The model and its properties as the text of a target.
    pub text: String,
    /// What of it the target has no words for, as an acts file.
    pub acts: Option<String>,
}

/// The model and its properties in another language.
///
/// # Errors
///
/// Why they cannot be written.
pub fn convert(loaded: &Loaded, target: &Writer, watch: Watch<'_>) -> Result<Converted, Refusal> {
    if let Some((name, reason)) =
        loaded.properties().iter().find_map(|property| Some((&property.name, property.refused.as_ref()?)))
    {
        let message = format!("`{name}` cannot be written: {reason}");
        return Err(Refusal::Invalid(vec![Finding::error(Code::CannotConvert, message)]));
    }
    let subject = Subject {
        model: loaded.model(),
        properties: loaded.properties(),
        validity: loaded.usual_validity(),
        system: &|| system(loaded, watch),
        budget: watch.budget,
    };
    let acts = target.acts.filter(|_| loaded.language() == Language::Pact && needs_acts(loaded));
    let converted = (target.write)(&subject).and_then(|text| {
        let acts = acts.map(|acts| acts(&subject)).transpose()?;
        Ok(Converted { text, acts })
    });
    converted.map_err(|failure| match failure {
        Failure::Unexplored(why) => refusal(why, loaded),
        Failure::Unfit { target, reason } => unfit(loaded, target, &reason),
        Failure::Graph(GraphFailure::Stopped(stop)) => Refusal::Undecided(stop.to_string()),
        Failure::Graph(failure) => Refusal::Invalid(vec![cannot_draw(loaded, &failure)]),
    })
}

/// Does a protocol say something that languages of actions alone have no words for?
fn needs_acts(loaded: &Loaded) -> bool {
    let model = loaded.model();
    let said = [model.access.is_empty(), !model.has_fairness(), model.groups.is_empty()];
    !model.acts().is_empty() || !loaded.properties().is_empty() || said.contains(&false)
}

/// The model does not fit a target.
pub(crate) fn unfit(loaded: &Loaded, target: &str, reason: &str) -> Refusal {
    let message = format!("{} cannot be written as {target}: {reason}", loaded.shown_name());
    Refusal::Invalid(vec![Finding::error(Code::CannotConvert, message)])
}

/// The state graph of the model cannot be drawn.
pub(crate) fn cannot_draw(loaded: &Loaded, failure: &GraphFailure) -> Finding {
    let message = format!("{} cannot be drawn as a graph: {failure}", loaded.shown_name());
    Finding::error(Code::CannotDraw, message)
}
