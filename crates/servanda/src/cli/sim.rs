//! `servanda sim`

mod recording;
mod session;
mod show;
mod walks;

use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal};

use servanda::host::Stopwatch;
use servanda::{Known, Present, Watch};
use servanda_engine::{Budget, Halt, NoLimits};
use servanda_report::Status;
use servanda_sim::{Chance, Simulation};

use super::args::{EngineArguments, Format, SimArguments};
use super::input;
use super::limits::Limits;
use super::terminal::{Ended, Terminal};
use session::Session;

/// What stands before a command, on a terminal.
const PROMPT: &str = "> ";

/// Steps through the file: as the commands on standard input say, or by chance.
pub(crate) fn run(arguments: &SimArguments, terminal: &Terminal) -> Ended {
    if input::shown_name(&arguments.file) == input::shown_name("-") {
        return Err(terminal.fail("sim reads commands from standard input, so the model must be in a file"));
    }
    let loaded =
        input::load(&arguments.file, &arguments.model).map_err(|findings| terminal.refuse(&findings))?;
    let recording = arguments.trace.as_ref().map(|path| recording::read(path, arguments.property.as_deref()));
    let recording = recording.transpose().map_err(|message| terminal.fail(&message))?;
    if arguments.random.is_none() && (arguments.walks.is_some() || arguments.format != Format::Text) {
        return Err(terminal.fail("--walks and --format are for random walks: give --random STEPS"));
    }
    // Somebody at a terminal needs no limits, and Ctrl-C should end the session at once.
    let limited = arguments.limits.timeout.is_some() || arguments.limits.memory.is_some();
    let limits = limited.then(|| Limits::start(&arguments.limits, None)).transpose();
    let limits = limits.map_err(|message| terminal.fail(&message))?;
    let budget: &dyn Budget = limits.as_ref().map_or(&NoLimits, |limits| &**limits);
    let clock = Stopwatch::start();
    let watch = Watch { budget, clock: &clock };
    let simulation = Simulation::new(loaded.model(), budget).map_err(|halt| stopped(&halt, terminal))?;
    let chosen = EngineArguments::default().chosen(&arguments.limits);
    let options = arguments.readings.options(loaded.usual_validity(), chosen);
    let known = Known::new(&loaded, options);
    let (bare, own) = servanda::as_it_is(&loaded, options);
    let own = bare.as_ref().map(|bare| Known::new(bare, own));
    let mut session = Session {
        loaded: &loaded,
        simulation,
        recording,
        chance: Chance::new(arguments.seed),
        present: RefCell::new(Present::new(&known)),
        scenarios: own.as_ref().map(|own| RefCell::new(Present::new(own))),
        limits: watch,
    };
    for expression in &arguments.watch {
        session.watch(expression).map_err(|findings| terminal.refuse(&findings))?;
    }
    Ok(match arguments.random {
        Some(steps) => walks::run(session, steps, arguments, (budget, terminal)),
        None => converse(session, terminal),
    })
}

/// A limit was reached, or the user ended the run.
fn stopped(halt: &Halt, terminal: &Terminal) -> Status {
    terminal.complain(&format!("{halt}\n"));
    Status::Undecided
}

/// Reads commands until there are no more. A command that makes no sense is answered; in a script it also makes the run
/// a failure, since what follows is not what the author had in mind.
fn converse(mut session: Session<'_, '_>, terminal: &Terminal) -> Status {
    let stdin = io::stdin();
    let at_terminal = stdin.is_terminal();
    let mut status = terminal.show(&show::beginning(&session), Status::Wanted);
    let mut lines = stdin.lock().lines();
    loop {
        if at_terminal {
            status = terminal.write(PROMPT, status);
        }
        let line = match lines.next() {
            None => return status,
            Some(Ok(line)) => line,
            Some(Err(error)) => return terminal.fail(&format!("standard input: {error}")),
        };
        match session.turn(&line) {
            Ok(None) => return status,
            Ok(Some(text)) => status = terminal.show(&text, status),
            Err(text) => {
                let refused = if at_terminal { status } else { Status::Invalid };
                status = terminal.show(&text, refused);
            }
        }
    }
}
