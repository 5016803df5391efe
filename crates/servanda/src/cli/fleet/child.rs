//! A process at work on one part, as its parent sees it.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use super::{Order, Told};

/// How much of what a process complained about is told.
const TAIL: usize = 1000;

/// A process. It ends when its standard input is closed, whatever becomes of this one.
pub(super) struct Child {
    process: std::process::Child,
    input: Option<ChildStdin>,
}

/// What it says.
pub(super) struct Answers {
    output: ChildStdout,
    complaints: JoinHandle<String>,
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
        let complaints = thread::spawn(move || tail(complaints));
        Ok((Child { process, input: Some(input) }, Answers { output, complaints }))
    }

    /// Asks it to come to an end in good order.
    pub(super) fn stop(&mut self) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(b"stop\n");
        }
    }

    /// Ends it at once.
    pub(super) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Waits until it has ended by itself.
    pub(super) fn wait(mut self) {
        let _ = self.process.wait();
    }

    /// How it ended, who told nothing any more; if it has not, it has to.
    pub(super) fn ended(&mut self, complaints: JoinHandle<String>) -> String {
        self.input = None;
        let status = match self.process.wait() {
            Ok(status) => status,
            Err(error) => return format!("the process that checked it is lost: {error}"),
        };
        match complaints.join().unwrap_or_default().as_str() {
            "" => format!("the process that checked it ended with {status}"),
            complaints => format!("the process that checked it ended with {status}: {complaints}"),
        }
    }
}

impl Answers {
    /// Hears it to its end; what it complained about is known then.
    pub(super) fn hear(self, mut hears: impl FnMut(Told)) -> JoinHandle<String> {
        let mut output = BufReader::new(self.output);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            // Half a line is what a process leaves that was killed.
            let Ok(told) = serde_json::from_slice(&line) else { break };
            hears(told);
            line.clear();
        }
        self.complaints
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
