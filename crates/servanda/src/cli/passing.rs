//! Judging what passes: the judge has a thread of its own, and is told record by record.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use servanda::Rules;
use servanda_audit::{Certainty, Finding, Kind, Line, Options, Sink};
use servanda_engine::NoLimits;
use servanda_report::audit::{AuditFinding, AuditReport, json, text};
use servanda_report::{Level, Status};
use servanda_tap::{Answer, Nobody, Observer, Refusal, Tape};
use tokio::sync::oneshot;

use super::args::{PassingArguments, PassingFormat};
use super::terminal::Terminal;

/// Records that wait to be judged. Who sends more waits, so memory stays bounded.
const WAITING: usize = 4096;

/// Protocols may nest deeply.
const STACK: usize = 64 << 20;

/// What the judge is told.
enum Told {
    /// A record of something that has passed.
    Passed(Vec<u8>),
    /// A record of an answer of ours, which is a line of the log and nothing else.
    Answered,
    /// A record of something that waits for an answer.
    Asked(Vec<u8>, oneshot::Sender<Result<(), Refusal>>),
}

/// The side of the judge that the tap sees.
struct Court(SyncSender<Told>);

impl Observer for Court {
    fn passed(&self, record: &[u8]) {
        // A judge that is gone has said why.
        let _ = self.0.send(Told::Passed(record.to_vec()));
    }

    fn answered(&self, _: &[u8]) {
        let _ = self.0.send(Told::Answered);
    }

    fn may_pass(&self, record: &[u8]) -> Answer {
        let (answer, wait) = oneshot::channel();
        let _ = self.0.send(Told::Asked(record.to_vec(), answer));
        wait
    }
}

/// A judge at work; without one everything is in order.
pub(super) struct Sitting(Option<JoinHandle<Status>>);

impl Sitting {
    /// Begins to judge, where that is asked for; who tells the judge what passes comes first.
    pub(super) fn begin(
        arguments: &PassingArguments,
        source: &str,
        terminal: &Terminal,
    ) -> Result<(Arc<dyn Observer>, Self), Status> {
        let Some(by) = arguments.by.given(source) else { return Ok((Arc::new(Nobody), Sitting(None))) };
        let rules = by.rules().map_err(|findings| terminal.refuse(&findings))?;
        let report = AuditReport {
            by: by.name(),
            level: arguments.level.map_or(Level::Should, |level| level.0),
            ..AuditReport::default()
        };
        let log = arguments.log.as_ref().map_or("record".to_owned(), |log| log.display().to_string());
        let lines = arguments.log.as_ref().map_or(0, |log| lines_of(log));
        let (sender, receiver) = sync_channel(WAITING);
        let (format, own) = (arguments.format, terminal.clone());
        let judge = thread::Builder::new().stack_size(STACK).spawn(move || {
            let teller = Teller { rules: &rules, logs: vec![log], report, format, terminal: own };
            sit(&rules, teller, (lines, &receiver))
        });
        let judge = judge.map_err(|error| terminal.fail(&format!("the judge cannot begin: {error}")))?;
        Ok((Arc::new(Court(sender)), Sitting(Some(judge))))
    }

    /// Waits until everything is judged that was told, once nobody can tell more.
    pub(super) fn end(self) -> Status {
        self.0.map_or(Status::Wanted, |judge| judge.join().unwrap_or(Status::Undecided))
    }
}

/// Judges until nobody is left who tells something; so many lines are in the log already.
fn sit(rules: &Rules, mut teller: Teller<'_>, (mut line, receiver): (u64, &Receiver<Told>)) -> Status {
    let mut auditor = match rules.auditor(Options::default(), &NoLimits) {
        Ok(auditor) => auditor,
        Err(halt) => return teller.terminal.fail(&halt.to_string()),
    };
    while let Ok(told) = receiver.recv() {
        line += 1;
        let (record, answer) = match told {
            Told::Answered => continue,
            Told::Passed(record) => (record, None),
            Told::Asked(record, answer) => (record, Some(answer)),
        };
        let at = Line { file: 0, line };
        // Nothing stops it: there are no limits.
        match answer {
            None => drop(auditor.push(&record, at, &mut teller, &NoLimits)),
            Some(answer) => {
                let refused = auditor.admit(&record, at, refuses, &mut teller, &NoLimits);
                let _ = answer.send(refused.ok().flatten().map_or(Ok(()), |finding| Err(refusal(&finding))));
            }
        }
    }
    let _ = auditor.finish(false, &mut teller, &NoLimits);
    teller.report.status()
}

/// Is this a reason not to pass a message on?
fn refuses(finding: &Finding) -> bool {
    finding.level == Level::Must && finding.certainty == Certainty::Certain && finding.kind != Kind::Limit
}

/// What whoever sent it is told.
fn refusal(finding: &Finding) -> Refusal {
    let rule = finding.citation.as_ref().map(|citation| format!(" ({citation})")).unwrap_or_default();
    Refusal { code: finding.code.clone(), message: format!("{}{rule}", finding.message) }
}

/// Tells what is found on standard error, since standard output belongs to the conversation.
struct Teller<'r> {
    rules: &'r Rules,
    logs: Vec<String>,
    report: AuditReport,
    format: PassingFormat,
    terminal: Terminal,
}

impl Sink for Teller<'_> {
    fn finding(&mut self, finding: Finding) {
        let finding: AuditFinding = self.rules.finding(finding, &self.logs);
        let text = match self.format {
            PassingFormat::Text => text::finding(&finding, self.report.level, self.terminal.error_style()),
            PassingFormat::Jsonl => json::finding_line(&finding),
        };
        self.terminal.complain(&text);
        self.report.count(&finding);
    }
}

/// Opens the file that records go to, at its end.
pub(super) fn tape(
    log: Option<&PathBuf>,
    terminal: &Terminal,
) -> Result<Arc<Tape<Box<dyn Write + Send>>>, Status> {
    let writer: Box<dyn Write + Send> = match log {
        None => Box::new(io::sink()),
        Some(path) => match open(path) {
            Ok(file) => Box::new(file),
            Err(error) => {
                return Err(terminal.fail(&format!("{} cannot be written: {error}", path.display())));
            }
        },
    };
    Ok(Arc::new(Tape::new(writer)))
}

/// A file at its end. A line that broke off there, on a full disk say, is ended: what comes now is not part of it.
fn open(path: &Path) -> io::Result<File> {
    let mut file = File::options().create(true).append(true).open(path)?;
    // Something that cannot be read, a pipe say, has no last line.
    if let Ok(mut before) = File::open(path)
        && before.metadata().is_ok_and(|about| about.is_file() && about.len() > 0)
    {
        let mut last = [0];
        before.seek(SeekFrom::End(-1))?;
        before.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

/// How many lines a log has before it is written to: findings name the lines after them.
fn lines_of(path: &Path) -> u64 {
    let is_file = path.metadata().is_ok_and(|about| about.is_file());
    let Some(file) = is_file.then(|| File::open(path).ok()).flatten() else { return 0 };
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let (mut lines, mut is_whole) = (0, true);
    loop {
        let count = match reader.fill_buf() {
            Ok([]) | Err(_) => return lines + u64::from(!is_whole),
            Ok(bytes) => {
                lines += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
                is_whole = bytes.ends_with(b"\n");
                bytes.len()
            }
        };
        reader.consume(count);
    }
}

/// Says so where records could not be written.
pub(super) fn told_failure(tape: &Tape<Box<dyn Write + Send>>, terminal: &Terminal) -> Status {
    match tape.failure() {
        None => Status::Wanted,
        Some(error) => terminal.fail(&format!("records could not be written any more: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_goes_on_where_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for (before, lines, after) in
            [(None, 0, "x"), (Some(""), 0, "x"), (Some("a\nb\n"), 2, "a\nb\nx"), (Some("a\nb"), 2, "a\nb\nx")]
        {
            let _ = std::fs::remove_file(&path);
            if let Some(before) = before {
                std::fs::write(&path, before).unwrap();
            }
            assert_eq!(lines_of(&path), lines, "{before:?}");
            open(&path).unwrap().write_all(b"x").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), after, "{before:?}");
        }
    }
}
