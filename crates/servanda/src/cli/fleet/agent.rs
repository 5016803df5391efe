//! A process of a fleet on another host: it is handed out parts by the first one, has each done by a process of its own, and passes on what
//! that tells.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use servanda::{Dismissed, Mesh};
use servanda_engine::Stop;
use servanda_report::Status;

use super::super::exit;
use super::super::limits::Limits;
use super::super::terminal::Terminal;
use super::child::Child;
use super::{Order, Told};

/// What is said where a machine has another text.
const DIFFERS: &str = "has another text there, or none";

/// Whose time is over waits for the first process to say so, and looks so often.
const LOOK: Duration = Duration::from_millis(10);

/// Does what it is handed out until the first process is at its end, and ends with the same status.
pub(crate) fn serve(mesh: &'static Mesh, limits: &Limits, terminal: &Terminal) -> Status {
    limits.wait_for_others();
    loop {
        match mesh.next_part(limits) {
            // A line that breaks is noticed by the other end.
            Ok(line) => drop(thread::spawn(move || work(line))),
            Err(Dismissed::Over(status)) => return status_of(status),
            Err(Dismissed::Stopped(Stop::Time)) => thread::sleep(LOOK),
            Err(Dismissed::Stopped(stop)) => return undecided(&stop.to_string(), terminal),
            Err(Dismissed::Lost(who)) => return undecided(&who, terminal),
        }
    }
}

fn undecided(why: &str, terminal: &Terminal) -> Status {
    terminal.complain(&format!("undecided: {why}\n"));
    Status::Undecided
}

fn status_of(number: u8) -> Status {
    match number {
        exit::WANTED => Status::Wanted,
        exit::UNWANTED => Status::Unwanted,
        exit::INVALID => Status::Invalid,
        _ => Status::Undecided,
    }
}

/// Has one part done.
fn work(line: TcpStream) -> io::Result<()> {
    let (mut said, mut words) = (BufReader::new(line.try_clone()?), String::new());
    if said.read_line(&mut words)? == 0 {
        return Ok(());
    }
    let mut tell = line.try_clone()?;
    let order: Order = serde_json::from_str(&words)?;
    if order.text.is_some() && order.text != Order::fingerprint(&order.file) {
        return tell.write_all(Told::Ended(format!("{} {DIFFERS}", order.file)).line().as_bytes());
    }
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let begun = std::env::current_exe().and_then(|program| Child::start(&program, &arguments, &order));
    let (child, answers) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            let why = format!("no process can be started: {error}");
            return tell.write_all(Told::Ended(why).line().as_bytes());
        }
    };
    let child = Arc::new(Mutex::new(child));
    let heeding = Arc::clone(&child);
    thread::spawn(move || heed(said, &heeding));
    let mut is_done = false;
    let complaints = answers.hear(|told| {
        is_done |= matches!(told, Told::Done(_));
        // Who does not listen any more has the process ended.
        let _ = tell.write_all(told.line().as_bytes());
    });
    let why = child.lock().unwrap_or_else(PoisonError::into_inner).ended(complaints);
    if !is_done {
        tell.write_all(Told::Ended(why).line().as_bytes())?;
    }
    line.shutdown(Shutdown::Both)
}

/// Passes on to a process what the first one says: that it should stop, or, when the line ends, that nobody wants to know any more.
fn heed(said: BufReader<TcpStream>, child: &Mutex<Child>) {
    let child = || child.lock().unwrap_or_else(PoisonError::into_inner);
    said.lines().map_while(Result::ok).for_each(|_| child().stop());
    child().kill();
}
