//! A conversation with a job.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::command_in;

/// Nothing takes longer, also where the machine has much to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// The directory that holds `examples`.
pub(super) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a job tells is what the schema says, and nothing else.
fn judge(event: &Value) {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let text = std::fs::read_to_string(root().join("docs/schema/workbench.schema.json")).unwrap();
        jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
    });
    let errors: Vec<String> =
        schema.iter_errors(event).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?}: {event:#}");
}

/// A job that runs.
pub(super) struct Job {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// What it told so far.
    pub(super) told: Vec<Value>,
}

impl Job {
    /// Begins one with a first line, whatever that is.
    pub(super) fn begin(directory: &Path, line: &[u8]) -> Self {
        let mut command = command_in(directory, &["job"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let mut input = child.stdin.take().unwrap();
        // Who has read enough is no mistake of the test.
        let _ = input.write_all(line).and_then(|()| input.write_all(b"\n"));
        Job { child, input: Some(input), lines, told: Vec::new() }
    }

    pub(super) fn new(request: &Value) -> Self {
        Job::begin(&root(), request.to_string().as_bytes())
    }

    #[allow(dead_code)]
    pub(super) fn say(&mut self, say: &Value) {
        self.say_line(&say.to_string());
    }

    pub(super) fn say_line(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next event; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Value> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                let event: Value =
                    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
                judge(&event);
                self.told.push(event.clone());
                Some(event)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing is told: {:#?}", self.told),
        }
    }

    /// The next event of a kind; others before it are passed over.
    pub(super) fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            match self.next() {
                Some(event) if event["event"] == kind => return event,
                Some(_) => {}
                None => panic!("there is no {kind}: {:#?}", self.told),
            }
        }
    }

    /// What is answered to something said.
    pub(super) fn answer(&mut self, say: &Value) -> Value {
        self.say(say);
        self.next().unwrap_or_else(|| panic!("no answer to {say}"))
    }

    /// Everything that is told, and how the job ended. Nothing is ever written to standard error.
    pub(super) fn end(mut self) -> (Vec<Value>, i32) {
        while self.next().is_some() {}
        let status = self.child.wait().unwrap().code().unwrap();
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(errors, "", "{:#?}", self.told);
        (std::mem::take(&mut self.told), status)
    }

    /// Closes standard input; the status and the time it took to end.
    pub(super) fn close(mut self) -> (i32, Duration) {
        let started = Instant::now();
        drop(self.input.take());
        let status = self.child.wait().unwrap().code().unwrap();
        (status, started.elapsed())
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // A test that fails leaves no process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Does a job to its end.
pub(super) fn done(request: &Value) -> Vec<Value> {
    let (told, status) = Job::new(request).end();
    assert_eq!(status, 0, "{told:#?}");
    told
}

/// The events of a kind.
pub(super) fn of_kind<'t>(told: &'t [Value], kind: &str) -> Vec<&'t Value> {
    told.iter().filter(|event| event["event"] == kind).collect()
}

/// A request about a text, with further fields.
pub(super) fn about(path: &str, text: &str, more: Value) -> Value {
    let ending = path.rsplit_once('.').map_or("pact", |(_, ending)| ending);
    let mut request = json!({"subject": {"language": ending, "path": path, "text": text}});
    if path.ends_with("pnaws.ccs") {
        request["subject"]["process"] = json!("Closed");
    }
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

/// The examples that models are in, as paths from the directory above them, with their texts.
pub(super) fn examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for directory in ["examples", "examples/part2", "examples/papers"] {
        for entry in std::fs::read_dir(root().join(directory)).unwrap() {
            let path = entry.unwrap().path();
            let is_model =
                path.extension().is_some_and(|ending| ["pact", "ispl", "ccs"].iter().any(|it| ending == *it));
            if is_model {
                let name = format!("{directory}/{}", path.file_name().unwrap().to_string_lossy());
                found.push((name, std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The text of an example.
pub(super) fn example(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}
