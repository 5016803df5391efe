//! Drawings of why a verdict is what it is.

use servanda_messages::{DrawingFormat, Event, Subject};

use super::check::Observer;
use super::desk::Desk;
use super::subject;
use crate::{Drawing, explain};

/// The width of charts in characters.
pub(super) const WIDTH: usize = 100;

/// Draws why the verdict of a property, or a formula, is what it is.
pub(super) fn run(
    subject: &Subject,
    asked: (Option<&String>, Option<&String>),
    format: DrawingFormat,
    desk: Desk<'_>,
) {
    let Some(loaded) = subject::load(subject, desk) else { return };
    let Some(question) = subject::one_question(&loaded, asked, desk) else { return };
    let options = desk.options(&loaded);
    let questions = std::slice::from_ref(&question);
    let observer = Observer::new(&loaded, questions, options.readings, desk).of_progress();
    let explained = observer.while_telling(|watch| explain(&loaded, &question, options, watch));
    let drawing = match format {
        DrawingFormat::Svg => Drawing::Svg,
        DrawingFormat::Html => Drawing::Html,
        DrawingFormat::Itf => Drawing::Itf,
        DrawingFormat::Mermaid => Drawing::Mermaid,
        DrawingFormat::Text => Drawing::Text,
    };
    match explained.draw(&loaded, drawing, WIDTH) {
        Ok(text) if text.is_empty() => {
            let reason = explained.report.properties.first().and_then(|property| match &property.verdict {
                servanda_engine::Verdict::Unknown(reason) => Some(reason.as_str()),
                _ => None,
            });
            let message = format!("there is nothing to draw: {}", reason.unwrap_or("it was not decided"));
            desk.refuse_for(message, &explained.report.run.findings);
        }
        Ok(text) => desk.page.tell(Event::Drawing { text }),
        Err(findings) => desk.refuse_for("there is nothing to draw", &findings),
    }
}
