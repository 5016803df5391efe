//! A report on its way from one process to another.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use servanda_syntax::SourceFile;

use crate::CheckReport;

/// A report with the texts that its findings point into, each of them once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parcel {
    report: CheckReport,
    sources: Vec<Source>,
    /// For each finding the position of its text among them.
    places: Vec<Option<usize>>,
}

/// The texts of a source, each after its name: its own, and those that it uses.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Source(Vec<(String, String)>);

impl Source {
    fn new(source: &SourceFile) -> Self {
        Source(source.texts().map(|text| (text.name().to_owned(), text.text().to_owned())).collect())
    }

    fn file(self) -> SourceFile {
        let mut texts = self.0.into_iter();
        let (name, text) = texts.next().unwrap_or_default();
        let mut file = SourceFile::new(name, text);
        for (name, text) in texts {
            file.add(name, text);
        }
        file
    }
}

impl From<CheckReport> for Parcel {
    fn from(report: CheckReport) -> Self {
        let mut known: Vec<&Arc<SourceFile>> = Vec::new();
        let mut places = Vec::new();
        for finding in &report.run.findings {
            places.push(finding.source.as_ref().map(|source| {
                known.iter().position(|one| Arc::ptr_eq(one, source)).unwrap_or_else(|| {
                    known.push(source);
                    known.len() - 1
                })
            }));
        }
        let sources = known.into_iter().map(|source| Source::new(source)).collect();
        Parcel { report, sources, places }
    }
}

impl From<Parcel> for CheckReport {
    fn from(Parcel { mut report, sources, places }: Parcel) -> Self {
        let sources: Vec<Arc<SourceFile>> =
            sources.into_iter().map(|source| Arc::new(source.file())).collect();
        for (finding, place) in report.run.findings.iter_mut().zip(places) {
            finding.source = place.and_then(|place| sources.get(place).cloned());
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use servanda_syntax::{Code, Diagnostic, Span};

    use super::*;
    use crate::{Finding, json, sarif, text};
    use crate::{Statistics, Style};

    /// What arrives is reported with the same words, places and excerpts.
    #[test]
    fn what_arrives_is_what_was_sent() {
        let mut source = SourceFile::new("shop.pact", "use \"pay.pact\" as pay\nroles ∧nn\n");
        let base = source.add("pay.pact", "roles Bob\nroles Bob\n");
        let source = Arc::new(source);
        let other = Arc::new(SourceFile::new("--formula", "AG p"));
        let mut report = CheckReport::new("shop.pact", "bdd");
        let error = |from, to| Diagnostic::error(Code::DuplicateName, "twice", Span::new(from, to));
        report.run.reject([
            Finding::placed(error(base + 16, base + 19).label(Span::new(28, 33), "here"), &source),
            Finding::placed(error(0, 3), &source),
            Finding::placed(error(3, 4), &other),
            Finding::note(Code::Deadlock, "none"),
        ]);
        let sent = serde_json::to_string(&Parcel::from(report.clone())).expect("it can be written");
        assert_eq!(sent.matches("pay.pact").count(), 2, "each text is there once: {sent}");
        let arrived: Parcel = serde_json::from_str(&sent).expect("it can be read");
        let arrived = CheckReport::from(arrived);
        let shown = |report: &CheckReport| {
            let reports = std::slice::from_ref(report);
            let errors = text::errors(&report.run, Style::plain());
            [errors, json::check(reports, Statistics::Shown), sarif::check(reports)]
        };
        assert_eq!(shown(&arrived), shown(&report));
    }
}
