//! `servanda tap`

use std::process::{Command, ExitStatus};
use std::sync::Arc;

use servanda_report::Status;
use servanda_tap::stdio::{Terms, run as carry};

use super::args::TapArguments;
use super::terminal::{Ended, Terminal};
use super::{exit, passing};

/// Passes on what a client and the command say to each other.
pub(crate) fn run(arguments: &TapArguments, terminal: &Terminal) -> Ended {
    let passing = &arguments.passing;
    let Some((program, rest)) = arguments.command.split_first() else {
        return Err(terminal.fail("which command?"));
    };
    let mut command = Command::new(program);
    command.args(rest);
    let (observer, sitting) = passing::Sitting::begin(passing, "stdio", terminal)?;
    let tape = passing::tape(passing.log.as_ref(), terminal)?;
    let terms = Terms {
        session: arguments.session.clone().unwrap_or_else(|| std::process::id().to_string()),
        enforce: passing.enforce,
        longest_line: usize::try_from(passing.longest).unwrap_or(usize::MAX),
    };
    // One thread for both ways: what passes is not handed from one thread to another more often than it must be.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| terminal.fail(&error.to_string()))?;
    let streams = (tokio::io::stdin(), tokio::io::stdout());
    let carried =
        carry(command, streams, Arc::clone(&tape), observer, (terms, servanda_serve::interrupted()));
    let status = runtime.block_on(carried);
    // Somebody may still wait for a word on standard input, and would wait for ever.
    runtime.shutdown_background();
    let judged = sitting.end().max(passing::told_failure(&tape, terminal));
    let status = status.map_err(|error| terminal.fail(&format!("{}: {error}", program.to_string_lossy())))?;
    match code(status) {
        0 => Ok(judged),
        code => std::process::exit(code),
    }
}

/// The status of the command as shells tell it.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(i32::from(exit::number(Status::Undecided)))
}
