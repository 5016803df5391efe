//! A text in standard form.

use std::sync::Arc;

use servanda_messages::{Event, Subject};
use servanda_report::Finding;
use servanda_syntax::{Code, SourceFile};

use super::desk::Desk;

/// Writes the text in standard form, where its language has one.
pub(super) fn run(subject: &Subject, desk: Desk<'_>) {
    let front_end = super::subject::language(subject.language).front_end();
    let Some(form) = front_end.standard_form else {
        let message =
            format!("there is a standard form of Pact files only, not of {} files", front_end.name.1);
        return desk.tell_findings(&[Finding::error(Code::PactOnly, message)]);
    };
    match form(&subject.text) {
        Ok(text) => desk.page.tell(Event::Formatted { text }),
        Err(diagnostics) => {
            let source = Arc::new(SourceFile::new(subject.path.as_str(), subject.text.as_str()));
            desk.tell_findings(&Finding::all_placed(diagnostics, &source));
        }
    }
}
