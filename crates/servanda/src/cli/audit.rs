//! `servanda audit`

mod init;
mod logs;
pub(crate) mod protocol;
mod show;

use std::path::PathBuf;

use servanda_audit::{Auditor, Line, Options};
use servanda_engine::{Budget, Halt, Progress, Stop};

use super::args::{AuditArguments, AuditCommand};
use super::limits::Limits;
use super::terminal::{Ended, Terminal};
use super::{input, memory};
use logs::{Failure, Item, Log};
use show::Shown;

/// Judges logs, or proposes how to read one.
pub(crate) fn run(arguments: &AuditArguments, terminal: &Terminal) -> Ended {
    match &arguments.command {
        Some(AuditCommand::Init(init)) => init::run(init, terminal),
        None => judge(arguments, terminal),
    }
}

/// Why an audit did not come to its end.
enum Early {
    /// A limit, or the user.
    Stopped(Stop),
    /// A model or the log.
    Failed(String),
}

impl From<Halt> for Early {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped { stop, .. } => Early::Stopped(stop),
            halt => Early::Failed(halt.to_string()),
        }
    }
}

fn judge(arguments: &AuditArguments, terminal: &Terminal) -> Ended {
    let rules = arguments.by.rules().map_err(|findings| terminal.refuse(&findings))?;
    if let Some(view) = &arguments.view
        && rules.model(view).is_none()
    {
        let views: Vec<&str> = rules.mapping().views.iter().map(|view| view.name.text.as_str()).collect();
        return Err(
            terminal.fail(&format!("--view: there is no view `{view}`; there are {}", views.join(", ")))
        );
    }
    terminal
        .complain(&servanda_report::diagnostics::render_findings(&rules.findings, terminal.error_style()));
    let names: Vec<String> = arguments.logs.iter().map(|log| input::shown_name(log).to_owned()).collect();
    let logs: Vec<Log> = arguments.logs.iter().map(|log| named(log)).collect();
    if logs.iter().filter(|log| **log == Log::Input).count() > 1 {
        return Err(terminal.fail("standard input can be read once"));
    }
    let limits = terminal.limits(&arguments.limits)?;
    let mut shown = Shown::new(arguments, &rules, names, (&limits, terminal));
    let ended = follow(arguments, &rules, &logs, &mut shown, &limits);
    limits.clear_progress();
    let ended = match ended {
        Ok(()) => None,
        // Whoever follows a log ends it himself, and has seen all there is.
        Err(Early::Stopped(Stop::Interrupted)) if arguments.follow => None,
        Err(Early::Stopped(stop)) => Some(format!("ended early: {stop}")),
        Err(Early::Failed(message)) => return Err(terminal.fail(&message)),
    };
    Ok(shown.end(ended, memory::resident()))
}

/// `-` is standard input.
fn named(log: &str) -> Log {
    if log == "-" { Log::Input } else { Log::File(PathBuf::from(log)) }
}

fn follow(
    arguments: &AuditArguments,
    rules: &servanda::Rules,
    logs: &[Log],
    shown: &mut Shown<'_>,
    limits: &Limits,
) -> Result<(), Early> {
    let options = Options {
        after: arguments.after.0,
        seen_by: arguments.seen_by.clone(),
        max_keys: arguments.max_keys,
        max_sets: arguments.limit,
        view: arguments.view.clone(),
    };
    let mut auditor = rules.auditor(options, limits)?;
    // Also where no line comes.
    let asks = || limits.progress(Progress::Reading { lines: 0 }).map_err(Early::Stopped);
    let read = logs::read(logs, arguments.follow, asks, |log, item| match item {
        Item::Line(number, text) => {
            let at = Line { file: log as u32, line: number };
            match text {
                Some(text) => auditor.push(text, at, shown, limits)?,
                None => auditor.too_long(at, shown)?,
            }
            shown.flush();
            Ok(())
        }
        Item::Idle => Ok(()),
    });
    let read = match read {
        Ok(()) => Ok(()),
        Err(Failure::Told(early)) => Err(early),
        Err(Failure::Log(log, error)) => {
            let message = format!("{} cannot be read: {error}", shown.log(log));
            return Err(Early::Failed(message));
        }
    };
    // What was found out so far is told also where the end was early; only a whole log can be complete.
    let complete = arguments.complete && read.is_ok();
    let finished = if read.is_ok() { auditor.finish(complete, shown, limits) } else { Ok(()) };
    count(&auditor, shown);
    read?;
    Ok(finished?)
}

fn count(auditor: &Auditor<'_>, shown: &mut Shown<'_>) {
    let stats = auditor.stats();
    shown.report.totals = servanda::totals(&stats);
    shown.report.open = stats.open;
}
