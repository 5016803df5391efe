//! What the processes of a fleet tell each other: a line of JSON each.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};
use servanda_engine::{Stop, Verdict};
use servanda_report::words::Word;
use servanda_report::{CheckReport, Parcel, Space};

/// What a process is asked, in its first line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// Which part: models and their settings are counted from 0, in their order.
    pub(super) part: usize,
    /// The time that is left.
    pub(super) seconds: Option<f64>,
    /// The file in which the model is, and a fingerprint of its text, where another machine is asked.
    pub(super) file: String,
    pub(super) text: Option<u64>,
}

impl Order {
    /// The fingerprint of a text; the same on all machines with the same version of the program.
    pub(super) fn fingerprint(file: &str) -> Option<u64> {
        let text = std::fs::read(file).ok()?;
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Some(hasher.finish())
    }
}

/// What a process tells.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Told {
    /// The model is read: the report as it is while nothing is decided.
    Begun(Box<Parcel>),
    /// A verdict that is just known.
    Decided(Decided),
    /// The report.
    Done(Box<Parcel>),
    /// There will be no report, and why: from another machine.
    Ended(String),
}

impl Told {
    /// As a line.
    pub(crate) fn line(&self) -> String {
        // Only keys that are no strings make this fail, and there are none.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// A verdict of a property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Decided {
    /// Which of the properties that are asked.
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) formula: String,
    /// The verdict that is wanted.
    pub(crate) wanted: bool,
    #[serde(with = "servanda_report::words")]
    pub(crate) engine: Word,
    pub(crate) verdict: Verdict,
    pub(crate) seconds: f64,
}

impl Decided {
    /// A line for who watches.
    pub(crate) fn shown(&self) -> String {
        let mark = if self.verdict.decided() == Some(self.wanted) { "✓" } else { "✗" };
        format!("{mark} {}  {}", servanda_report::visible(&self.name), self.verdict.word())
    }
}

/// Why the report of a model that has just been read says that nothing is decided.
pub(crate) const NOT_YET: Stop = Stop::Interrupted;

/// A report of a model that has just been read, as it stands in results that are written while the run goes on.
pub(crate) fn so_far(begun: CheckReport) -> CheckReport {
    left(begun, &[], NOT_SO_FAR)
}

/// Why nothing is said of what is to come.
pub(crate) const NOT_SO_FAR: &str = "the run has not come so far";

/// Why a report came to nothing more, and the verdicts that were known by then.
pub(super) fn left(mut report: CheckReport, verdicts: &[Decided], reason: &str) -> CheckReport {
    let not_yet = NOT_YET.to_string();
    let mend = |words: &mut String| {
        if *words == not_yet {
            reason.clone_into(words);
        }
    };
    for (number, property) in report.properties.iter_mut().enumerate() {
        if let Some(known) = verdicts.iter().find(|known| known.number == number) {
            let Decided { engine, verdict, seconds, .. } = known.clone();
            (property.engine, property.verdict, property.seconds) = (engine, verdict, seconds);
        } else if let Verdict::Unknown(words) = &mut property.verdict {
            mend(words);
        }
    }
    if let Some(Space::Part { reason, .. } | Space::Uncounted { reason }) =
        report.model.as_mut().map(|model| &mut model.space)
    {
        mend(reason);
    }
    report
}
