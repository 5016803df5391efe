//! The other processes of a cluster: those of this machine are started here, those of others are met.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use servanda::host::files;
use servanda::{EngineChoice, EngineOptions, Mesh, Place, Unmet};
use servanda_report::{Finding, Status, visible};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};

use super::args::{ClusterArguments, EngineArguments};
use super::exit;
use super::limits::Limits;
use super::terminal::Terminal;

/// The number of a process that another one has started. It is told where the others are on its standard input, which also ends when the
/// first process does.
const MEMBER: &str = "SERVANDA_MEMBER";

/// Where processes of one machine listen: at any port that is free.
const LOOPBACK: &str = "127.0.0.1:0";

/// Processes that were started here have so long to end by themselves: so many times, and so long each time.
const FAREWELL: (u32, Duration) = (200, Duration::from_millis(10));

/// What a process says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// It reports.
    Full,
    /// It works for another one, and says what goes wrong with itself.
    Complaints,
    /// It works for another one, which was given the same input and says what is wrong with it.
    Silent,
}

/// What this process says.
pub(crate) fn voice(arguments: &ClusterArguments) -> Voice {
    match (member(arguments), arguments.number) {
        (Some(_), _) => Voice::Silent,
        (None, Some(number)) if number > 0 => Voice::Complaints,
        _ => Voice::Full,
    }
}

/// The number of this process, if another one has started it.
fn member(arguments: &ClusterArguments) -> Option<usize> {
    arguments.processes.and_then(|_| std::env::var(MEMBER).ok()?.parse().ok())
}

/// The processes that work together, as this one sees them.
pub(crate) struct Company {
    is_asked: bool,
    mesh: Option<&'static Mesh>,
    /// How many of them are on this machine, this one included.
    here: usize,
    /// Those that were started here, and what they hear.
    started: Vec<(Child, Option<ChildStdin>)>,
}

impl Company {
    /// Meets the others, if there are any.
    pub(crate) fn meet(
        arguments: &ClusterArguments,
        engine: &EngineArguments,
        limits: &Limits,
        terminal: &Terminal,
    ) -> Result<Company, Status> {
        let mut company =
            Company { is_asked: arguments.is_asked(), mesh: None, here: 1, started: Vec::new() };
        let workers = engine.workers.unwrap_or(1).into();
        let (place, listener) = match (&arguments.hosts, arguments.processes) {
            (Some(file), _) => of_file(file, arguments.number.unwrap_or(0), workers, terminal)?,
            (None, Some(processes)) if processes > 1 => {
                let found = match member(arguments) {
                    Some(number) => joined(number, workers),
                    None => company.start(processes.into(), workers),
                };
                found.map_err(|error| terminal.fail(&format!("--processes {processes}: {error}")))?
            }
            _ => return Ok(company),
        };
        // Who spreads models does other work than who spreads states.
        let key = if arguments.spreads_models() { place.key + " jobs" } else { place.key };
        let place = Place { key, ..place };
        company.here = together(&place.addresses, place.process);
        match Mesh::connect(place, listener, limits) {
            Ok(mesh) => company.mesh = Some(mesh),
            Err(Unmet::Differs(why)) => return Err(terminal.fail(&why)),
            Err(Unmet::Missing(who)) => return Err(undecided(&who, terminal)),
            Err(Unmet::Stopped(stop)) => return Err(undecided(&stop.to_string(), terminal)),
        }
        if let (Voice::Complaints, Some(mesh)) = (voice(arguments), company.mesh) {
            let (number, all) = (mesh.process(), mesh.processes());
            let with = if workers == 1 { "1 worker".to_owned() } else { format!("{workers} workers") };
            terminal.complain(&format!("process {number} of {all}, with {with}: process 0 reports\n"));
        }
        Ok(company)
    }

    /// The way to the others.
    pub(crate) fn mesh(&self) -> Option<&'static Mesh> {
        self.mesh
    }

    /// How many processes are on this machine, this one included.
    pub(crate) fn here(&self) -> usize {
        self.here
    }

    /// The engine that works with them.
    pub(crate) fn applied(&self, chosen: EngineOptions) -> EngineOptions {
        let engine = match chosen.engine {
            EngineChoice::Auto if self.is_asked => EngineChoice::Only(servanda::CLUSTER),
            engine => engine,
        };
        EngineOptions { engine, mesh: self.mesh, ..chosen }
    }

    /// Starts the other processes of this machine: they are given the same arguments, tell where they listen, and are told where the
    /// others do.
    fn start(&mut self, processes: usize, workers: usize) -> io::Result<(Place, TcpListener)> {
        let listener = TcpListener::bind(LOOPBACK)?;
        let mut addresses = vec![listener.local_addr()?.to_string()];
        for number in 1..processes {
            let mut child = Command::new(std::env::current_exe()?)
                .args(std::env::args_os().skip(1))
                .env(MEMBER, number.to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()?;
            let (input, output) = (child.stdin.take(), child.stdout.take());
            self.started.push((child, input));
            let mut line = String::new();
            output.map(|output| BufReader::new(output).read_line(&mut line)).transpose()?;
            if line.is_empty() {
                return Err(io::Error::other(format!("process {number} has ended before it began")));
            }
            addresses.push(line.trim_end().to_owned());
        }
        // Nobody else on this machine can join.
        let key = [(); 2].map(|()| format!("{:016x}", RandomState::new().hash_one(0))).concat();
        let table = format!("{key} {}\n", addresses.join(" "));
        for input in self.started.iter_mut().filter_map(|(_, input)| input.as_mut()) {
            input.write_all(table.as_bytes())?;
            input.flush()?;
        }
        Ok((Place { addresses, process: 0, workers, key }, listener))
    }
}

/// The place of a process that another one has started.
fn joined(process: usize, workers: usize) -> io::Result<(Place, TcpListener)> {
    let listener = TcpListener::bind(LOOPBACK)?;
    let mut output = io::stdout().lock();
    writeln!(output, "{}", listener.local_addr()?)?;
    output.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let key = words.next().ok_or(io::ErrorKind::UnexpectedEof)?;
    thread::spawn(|| {
        // Nothing more is said: this ends when the first process does, whatever has become of it.
        let _ = io::stdin().lock().read(&mut [0]);
        std::process::exit(exit::UNDECIDED.into());
    });
    Ok((Place { addresses: words.collect(), process, workers, key }, listener))
}

/// The place of a process in a file of hosts.
fn of_file(
    file: &Path,
    process: usize,
    workers: usize,
    terminal: &Terminal,
) -> Result<(Place, TcpListener), Status> {
    let name = file.display().to_string();
    let text = files::read(&name).map_err(|findings| terminal.refuse(&findings))?;
    let addresses = hosts(&name, &text).map_err(|findings| terminal.refuse(&findings))?;
    let Some(own) = addresses.get(process) else {
        let (name, last) = (visible(&name), addresses.len() - 1);
        return Err(terminal.fail(&format!("--process {process}: {name} has the processes 0 to {last}")));
    };
    let listener = TcpListener::bind(own)
        .map_err(|error| terminal.fail(&format!("{own}: process {process} cannot listen there: {error}")))?;
    // Who was given other hosts does not belong to these.
    let key = addresses.join(" ");
    Ok((Place { addresses, process, workers, key }, listener))
}

/// How many processes are on the machine of one of them, as far as their addresses say.
fn together(addresses: &[String], process: usize) -> usize {
    let host = |address: &String| address.rsplit_once(':').map(|(host, _)| host.to_owned());
    let own = addresses.get(process).and_then(host);
    addresses.iter().filter(|address| host(address) == own).count().max(1)
}

/// The addresses in a file of hosts, one in a line, or all that is wrong with it.
fn hosts(name: &str, text: &str) -> Result<Vec<String>, Vec<Finding>> {
    let mistake = |message: String, span: Span| {
        let source = Arc::new(SourceFile::new(name, text));
        let error = Diagnostic::error(Code::BadValue, message, span);
        Finding::placed(error.help("write a line host:port for each process"), &source)
    };
    let (mut addresses, mut wrong, mut at) = (Vec::<String>::new(), Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let said = line.trim();
        let begin = at + line.len() - line.trim_start().len();
        let span = Span::new(begin, begin + said.len());
        at += line.len();
        if said.is_empty() || said.starts_with('#') {
            continue;
        }
        let port = said.rsplit_once(':').filter(|(host, _)| !host.is_empty() && !host.contains(' '));
        if !port.is_some_and(|(_, port)| port.parse::<u16>().is_ok_and(|port| port > 0)) {
            wrong.push(mistake(format!("`{said}` is no address of a process"), span));
        } else if let Some(first) = addresses.iter().position(|known| known == said) {
            wrong.push(mistake(format!("`{said}` is the address of process {first} already"), span));
        }
        addresses.push(said.to_owned());
    }
    if addresses.is_empty() {
        wrong.push(mistake("there is no address in this file".to_owned(), Span::new(0, text.len().min(1))));
    }
    if wrong.is_empty() { Ok(addresses) } else { Err(wrong) }
}

fn undecided(why: &str, terminal: &Terminal) -> Status {
    terminal.complain(&format!("undecided: {why}\n"));
    Status::Undecided
}

impl Drop for Company {
    /// Those who were started here end with this process.
    fn drop(&mut self) {
        for (_, input) in &mut self.started {
            *input = None;
        }
        for (child, _) in &mut self.started {
            let ended = || matches!(child.try_wait(), Ok(Some(_)) | Err(_));
            let (times, pause) = FAREWELL;
            let is_gone = std::iter::repeat_with(ended).take(times as usize).any(|gone| {
                if !gone {
                    thread::sleep(pause);
                }
                gone
            });
            if !is_gone {
                // It may have ended just now.
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_one_machine_are_counted() {
        let addresses = ["a:1", "b:1", "a:2", "[::1]:1", "[::1]:2", "a:3"].map(str::to_owned);
        assert_eq!([0, 1, 2, 3].map(|process| together(&addresses, process)), [3, 1, 3, 2]);
    }

    #[test]
    fn hosts_are_read_line_by_line() {
        let text = "# two machines\nnode1:2101\n\n  node2:2101  \n[::1]:2102";
        assert_eq!(hosts("hosts", text).unwrap(), ["node1:2101", "node2:2101", "[::1]:2102"]);
        for wrong in ["", "# none\n", "node1\n", "node1:\n", ":2101\n", "node1:port\n", "a:1\na:1\n", "a:0\n"]
        {
            assert!(hosts("hosts", wrong).is_err(), "{wrong}");
        }
    }
}
