//! Where output goes and how it looks.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use servanda::{Loaded, Refusal, Watch};
use servanda_report::{
    Colour, Detail, Finding, Run, Statistics, Status, Style, diagnostics, harmless, text, visible,
};

use super::args::{ColourChoice, DisplayArguments, Format, LimitArguments, ProgressChoice, SubjectArguments};
use super::company::Voice;
use super::limits::Limits;
use super::progress::{Reader, Spinner};

/// How a command ended; an error has been told, and nothing else was done.
pub(crate) type Ended = Result<Status, Status>;

/// Held while results are written, so that a program that is ended from outside does not end in the middle of them.
static WRITING: Mutex<()> = Mutex::new(());

/// Has it been told that results cannot be written?
static OUTPUT_FAILED: AtomicBool = AtomicBool::new(false);

/// Keeps others from writing results, unless somebody is just doing so.
pub(crate) fn nobody_else_writes() -> Option<MutexGuard<'static, ()>> {
    WRITING.try_lock().ok()
}

/// Standard output and standard error, with what the user wants to see there.
#[derive(Clone)]
pub(crate) struct Terminal {
    choice: ColourChoice,
    progress: ProgressChoice,
    /// How much the user wants to be told.
    pub(crate) detail: Detail,
    voice: Voice,
}

impl Terminal {
    /// As the command line says.
    pub(crate) fn new(display: &DisplayArguments) -> Self {
        let detail = match (display.quiet, display.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Verbose,
            (false, false) => Detail::Normal,
        };
        Terminal { choice: display.color, progress: display.progress, detail, voice: Voice::Full }
    }

    /// The same for a process that works together with others.
    pub(crate) fn with(self, voice: Voice) -> Self {
        Terminal { voice, ..self }
    }

    /// Does this process report, or does another one that does the same?
    pub(crate) fn reports(&self) -> bool {
        self.voice == Voice::Full
    }

    /// The style of standard output.
    pub(crate) fn output_style(&self, statistics: Statistics) -> Style {
        let colour = self.colour(io::stdout().is_terminal());
        Style { colour, detail: self.detail, statistics, ..Style::plain() }
    }

    /// The style of standard error.
    pub(crate) fn error_style(&self) -> Style {
        let colour = self.colour(io::stderr().is_terminal());
        Style { colour, detail: self.detail, ..Style::plain() }
    }

    /// Begins to keep the limits of a command. Progress is displayed on a terminal, or where it is wanted.
    pub(crate) fn limits(&self, limits: &LimitArguments) -> Result<Arc<Limits>, Status> {
        let reader = match self.progress {
            _ if !self.reports() => None,
            ProgressChoice::Jsonl => Some(Reader::Program),
            ProgressChoice::Auto if self.detail != Detail::Quiet && io::stderr().is_terminal() => {
                Some(Reader::Person)
            }
            ProgressChoice::Auto | ProgressChoice::Never => None,
        };
        Limits::start(limits, reader.map(Spinner::new)).map_err(|message| self.fail(&message))
    }

    /// A line for who reads a log: a terminal shows such things beside its progress, and others are told only who want to know more.
    pub(crate) fn log(&self, line: &str) {
        if self.detail == Detail::Verbose && !io::stderr().is_terminal() {
            self.complain(&format!("{line}\n"));
        }
    }

    /// What is made of a model within its limits.
    pub(crate) fn made<T>(
        &self,
        subject: &SubjectArguments,
        make: impl FnOnce(&Loaded, Watch<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Status> {
        let limits = self.limits(&subject.limits)?;
        let loaded = subject.load().map_err(Refusal::Invalid);
        let made = loaded.and_then(|loaded| make(&loaded, limits.watch()));
        limits.clear_progress();
        made.map_err(|refusal| match refusal {
            Refusal::Invalid(findings) => self.refuse(&findings),
            Refusal::Undecided(reason) => {
                self.complain(&format!("{}: undecided: {reason}\n", visible(subject.name())));
                Status::Undecided
            }
        })
    }

    /// Writes a report: as JSON, or as text after what is wrong with the input.
    pub(crate) fn report(
        &self,
        run: &Run,
        status: Status,
        (format, statistics): (Format, Statistics),
        json: impl FnOnce() -> String,
        text: impl FnOnce(Style) -> String,
    ) -> Status {
        let shown = match format {
            Format::Json => json(),
            Format::Text => {
                self.complain(&text::errors(run, self.error_style()));
                return self.show(&text(self.output_style(statistics)), status);
            }
        };
        self.write(&shown, status)
    }

    fn colour(&self, is_terminal: bool) -> Colour {
        let wanted = match self.choice {
            ColourChoice::Always => true,
            ColourChoice::Never => false,
            // https://no-color.org: any value that is not empty.
            ColourChoice::Auto => {
                is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        if wanted { Colour::On } else { Colour::Off }
    }

    /// Writes results. The command's status stands unless they cannot be written.
    pub(crate) fn write(&self, text: &str, status: Status) -> Status {
        let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        self.write_last(text, status)
    }

    /// Writes results that are made when nobody else writes, so that they stand in the order in which they were made.
    pub(crate) fn write_made(&self, make: impl FnOnce() -> (String, Status)) -> Status {
        let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let (text, status) = make();
        if text.is_empty() { status } else { self.write_last(&text, status) }
    }

    /// Writes results for people: names and values that others made do not command the terminal.
    pub(crate) fn show(&self, text: &str, status: Status) -> Status {
        self.write(&harmless(text), status)
    }

    /// As [`Terminal::write`], for who keeps others from writing already.
    pub(crate) fn write_last(&self, text: &str, status: Status) -> Status {
        if !self.reports() {
            return status;
        }
        match written(io::stdout().lock(), text) {
            Ok(()) => status,
            // Who writes verdict by verdict would say it for each of them.
            Err(_) if OUTPUT_FAILED.swap(true, Ordering::Relaxed) => Status::Invalid,
            Err(error) => self.fail(&format!("standard output: {error}")),
        }
    }

    /// Writes what went wrong.
    pub(crate) fn complain(&self, text: &str) {
        if self.voice == Voice::Silent {
            return;
        }
        // There is nobody left to tell when standard error is closed.
        let _ = written(io::stderr().lock(), &harmless(text));
    }

    /// Writes what is wrong with the input and gives the status that goes with it.
    pub(crate) fn refuse(&self, findings: &[Finding]) -> Status {
        self.complain(&diagnostics::render_findings(findings, self.error_style()));
        Status::Invalid
    }

    /// Writes one error and gives the status that goes with it.
    pub(crate) fn fail(&self, message: &str) -> Status {
        self.complain(&format!("error: {message}\n"));
        Status::Invalid
    }
}

/// A reader that has seen enough (`| head`) is no error.
fn written(mut stream: impl Write, text: &str) -> io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
