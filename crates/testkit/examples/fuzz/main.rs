//! Fuzzing of both parsers, the formatter and the reference engine.
//!
//! ```text
//! cargo run --release -p servanda-testkit --example fuzz -- --seconds 600 --seed 1
//! ```
//!
//! Inputs are random bytes, damaged example files, damaged random protocols and damaged formulas; each follows from
//! the seed and its number. A worker process tries one after the other and catches panics; what cannot be caught,
//! an overflowing stack or an endless loop, ends the worker, and this process reports the input and starts another
//! one behind it.

#![allow(clippy::print_stdout, reason = "a program that is run by hand and reports what it finds")]

mod inputs;
mod random;
mod tries;
mod worker;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use inputs::Inputs;
use worker::Tally;

/// A worker that is at the same input for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many inputs that end a worker are shown.
const MOST_SHOWN: u64 = 10;

struct Arguments {
    seconds: u64,
    seed: u64,
    /// The first input.
    from: u64,
    /// The file a worker keeps its tally in; without it this is the supervisor.
    tally: Option<PathBuf>,
    /// Only show this input.
    show: Option<u64>,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments { seconds: 60, seed: 1, from: 0, tally: None, show: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} needs a number"));
        match word.as_str() {
            "--seconds" => arguments.seconds = number()?,
            "--seed" => arguments.seed = number()?,
            "--from" => arguments.from = number()?,
            "--show" => arguments.show = Some(number()?),
            "--tally" => arguments.tally = Some(PathBuf::from(value)),
            _ => return Err(format!("{word} is not an option: --seconds N --seed N [--show N]")),
        }
    }
    Ok(arguments)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(reason) => {
            println!("{reason}");
            return ExitCode::from(2);
        }
    };
    let inputs = Inputs::new(arguments.seed);
    let deadline = Instant::now() + Duration::from_secs(arguments.seconds);
    if let Some(number) = arguments.show {
        println!("{}", inputs.input(number));
        return ExitCode::SUCCESS;
    }
    if let Some(tally) = &arguments.tally {
        worker::work(&inputs, arguments.from, deadline, tally);
        return ExitCode::SUCCESS;
    }
    let tally = std::env::temp_dir().join(format!("servanda-fuzz-{}", std::process::id()));
    let found = supervise(&arguments, &inputs, deadline, &tally);
    let _ = std::fs::remove_file(&tally);
    match found {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(reason) => {
            println!("{reason}");
            ExitCode::from(2)
        }
    }
}

/// Runs workers until the time is up; says how many inputs failed.
fn supervise(
    arguments: &Arguments,
    inputs: &Inputs,
    deadline: Instant,
    tally: &Path,
) -> Result<u64, std::io::Error> {
    let program = std::env::current_exe()?;
    let mut all = Tally::default();
    let (mut from, mut crashes, mut hangs) = (0, 0, 0);
    while Instant::now() < deadline {
        Tally { next: from, ..Tally::default() }.write(tally)?;
        let left = deadline.saturating_duration_since(Instant::now()).as_secs() + 1;
        let mut child = Command::new(&program)
            .args(["--seconds", &left.to_string(), "--seed", &arguments.seed.to_string()])
            .args(["--from", &from.to_string()])
            .arg("--tally")
            .arg(tally)
            .spawn()?;
        let mut seen = (from, Instant::now());
        let (status, hung) = loop {
            if let Some(status) = child.try_wait()? {
                break (Some(status), false);
            }
            let next = Tally::read(tally)?.next;
            if next != seen.0 {
                seen = (next, Instant::now());
            } else if seen.1.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                break (None, true);
            }
            std::thread::sleep(Duration::from_millis(200));
        };
        let tallied = Tally::read(tally)?;
        all.add(&tallied);
        if status.is_some_and(|status| status.success()) {
            break;
        }
        crashes += u64::from(!hung);
        hangs += u64::from(hung);
        if crashes + hangs <= MOST_SHOWN {
            let what = if hung { "hangs" } else { "ends the process" };
            println!("=== input {} {what}:\n{}\n===", tallied.next, inputs.input(tallied.next));
        }
        from = tallied.next + 1;
    }
    let Tally { inputs, formulas, protocols, properties, panics, broken, .. } = all;
    println!("{inputs} inputs: {formulas} formulas and {protocols} protocols without mistakes");
    println!("{properties} properties decided");
    println!("{panics} panics, {crashes} ends of the process, {hangs} hangs, {broken} broken promises");
    Ok(panics + crashes + hangs + broken)
}
