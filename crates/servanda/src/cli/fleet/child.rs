//! A process at work on one part, as its parent sees it.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{ChildStderr, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};

use super::{Order, Told};

/// How much of what a process complained about is told.
const TAIL: usize = 1000;

/// A process. It ends when nobody speaks to it any more, whatever becomes of this one.
pub(super) enum Child {
    /// One of this machine.
    Here { process: std::process::Child, input: Option<ChildStdin> },
    /// One of another host, and what that is called.
    Elsewhere { name: String, line: TcpStream },
}

/// What it says.
pub(super) struct Answers {
    output: Box<dyn Read + Send>,
    complaints: Option<JoinHandle<String>>,
}

/// What a process complained about, once it has ended.
pub(super) struct Complaints {
    here: Option<JoinHandle<String>>,
    elsewhere: String,
}

impl Child {
    /// Starts a process.
    pub(super) fn start(
        program: &Path,
        arguments: &[OsString],
        order: &Order,
    ) -> io::Result<(Child, Answers)> {
        let mut command = Command::new(program);
        command.args(["part", "--"]).args(arguments);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let streams = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(mut input), Some(output), Some(complaints)) = streams else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let line = serde_json::to_string(order)? + "\n";
        // Who does not listen has ended, and that is noticed by whoever hears it.
        let _ = input.write_all(line.as_bytes());
        let complaints = Some(thread::spawn(move || tail(complaints)));
        let answers = Answers { output: Box::new(output), complaints };
        Ok((Child::Here { process, input: Some(input) }, answers))
    }

    /// Hands a part out to a process of another host.
    pub(super) fn elsewhere(
        mut line: TcpStream,
        name: String,
        order: &Order,
    ) -> io::Result<(Child, Answers)> {
        line.write_all((serde_json::to_string(order)? + "\n").as_bytes())?;
        let output = Box::new(line.try_clone()?);
        Ok((Child::Elsewhere { name, line }, Answers { output, complaints: None }))
    }

    /// Asks it to come to an end in good order.
    pub(super) fn stop(&mut self) {
        // Who does not listen has ended.
        let _ = match self {
            Child::Here { input: Some(input), .. } => input.write_all(b"stop\n"),
            Child::Here { input: None, .. } => Ok(()),
            Child::Elsewhere { line, .. } => line.write_all(b"stop\n"),
        };
    }

    /// Ends it at once.
    pub(super) fn kill(&mut self) {
        // It may have ended by itself.
        match self {
            Child::Here { process, .. } => {
                let _ = process.kill();
                let _ = process.wait();
            }
            Child::Elsewhere { line, .. } => {
                let _ = line.shutdown(Shutdown::Both);
            }
        }
    }

    /// Waits until it has ended by itself.
    pub(super) fn wait(self) {
        if let Child::Here { mut process, .. } = self {
            let _ = process.wait();
        }
    }

    /// How it ended, who told nothing any more; if it has not, it has to.
    pub(super) fn ended(&mut self, complaints: Complaints) -> String {
        let (process, input) = match self {
            Child::Here { process, input } => (process, input),
            Child::Elsewhere { name, .. } if complaints.elsewhere.is_empty() => {
                return format!("{name}, which checked it, is gone");
            }
            Child::Elsewhere { name, .. } => return format!("{name}: {}", complaints.elsewhere),
        };
        *input = None;
        let status = match process.wait() {
            Ok(status) => status,
            Err(error) => return format!("the process that checked it is lost: {error}"),
        };
        let here = complaints.here.map(|here| here.join().unwrap_or_default());
        match here.unwrap_or_default().as_str() {
            "" => format!("the process that checked it ended with {status}"),
            complaints => format!("the process that checked it ended with {status}: {complaints}"),
        }
    }
}

impl Answers {
    /// Hears it to its end; what it complained about is known then.
    pub(super) fn hear(self, mut hears: impl FnMut(Told)) -> Complaints {
        let mut complaints = Complaints { here: self.complaints, elsewhere: String::new() };
        let mut output = BufReader::new(self.output);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            // Half a line is what a process leaves that was killed.
            let Ok(told) = serde_json::from_slice(&line) else { break };
            match told {
                Told::Ended(why) => complaints.elsewhere = why,
                told => hears(told),
            }
            line.clear();
        }
        complaints
    }
}

/// The end of what a process complains about, on one line.
fn tail(mut stream: ChildStderr) -> String {
    let (mut kept, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = stream.read(&mut piece) {
        kept.extend_from_slice(&piece[..length]);
        let over = kept.len().saturating_sub(TAIL);
        kept.drain(..over);
    }
    String::from_utf8_lossy(&kept).split_whitespace().collect::<Vec<_>>().join(" ")
}
