//! What a job works with.

use servanda_engine::Options;
use servanda_messages::{Event, Say};
use servanda_report::Finding;
use servanda_syntax::Diagnostic;

use super::places;
use crate::{CheckOptions, EngineOptions, Loaded, Watch};

/// The other side of a job.
pub trait Page: Sync {
    /// Tells something.
    fn tell(&self, event: Event);

    /// Waits for what is said next; `None` when nothing more is. What makes no sense has been answered already.
    fn hear(&self) -> Option<Say>;
}

/// The files that a job may read.
pub trait Files: Sync {
    /// A text that another one uses: given what that one is called and the path as it is written there, what the text is called and what
    /// stands in it; or why there is none.
    ///
    /// # Errors
    ///
    /// It is not there, or must not be read.
    fn find(&self, user: &str, path: &str) -> Result<(String, String), Box<Diagnostic>>;

    /// The name and the text of the acts file beside a text, where there is one.
    ///
    /// # Errors
    ///
    /// It cannot be read, or must not be.
    fn acts(&self, file: &str) -> Result<Option<(String, String)>, Vec<Finding>>;
}

/// What a job works with.
#[derive(Clone, Copy)]
pub struct Desk<'d> {
    /// The other side.
    pub page: &'d dyn Page,
    /// Time and limits.
    pub watch: Watch<'d>,
    /// The texts that did not come with the request.
    pub files: &'d dyn Files,
    /// How much engines may use.
    pub engine: EngineOptions,
    /// Where chance begins.
    pub seed: u64,
}

impl Desk<'_> {
    /// Tells that something cannot be done, and why.
    pub(super) fn refuse(&self, message: impl Into<String>) {
        self.page.tell(Event::Refused { message: message.into(), findings: Vec::new() });
    }

    /// Tells that what is asked has no meaning.
    pub(super) fn refuse_for(&self, message: impl Into<String>, findings: &[Finding]) {
        let findings = places::findings(findings);
        self.page.tell(Event::Refused { message: message.into(), findings });
    }

    /// Tells all findings that are known by now.
    pub(super) fn tell_findings(&self, findings: &[Finding]) {
        self.page.tell(Event::Findings { findings: places::findings(findings) });
    }

    /// What is taken for granted when a text is checked.
    pub(super) fn options(&self, loaded: &Loaded) -> CheckOptions {
        let readings = Options { validity: loaded.usual_validity(), ..Options::default() };
        CheckOptions { readings, engine: self.engine, ..CheckOptions::default() }
    }

    /// Seconds since the job began.
    pub(super) fn seconds(&self) -> f64 {
        self.watch.clock.elapsed().as_secs_f64()
    }
}
