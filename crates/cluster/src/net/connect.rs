//! How the processes of a cluster find each other: each listens at its address, and calls those with smaller numbers.

use std::io::{self, Write as _};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use servanda_engine::{Budget, Stop};
use socket2::{SockRef, TcpKeepalive};

use super::mesh::{Mesh, Vain};
use super::note::{Hello, Note};

/// So long processes wait for those that have not shown up.
const LIMIT: Duration = Duration::from_secs(30);

/// Who calls and is not answered calls again after so long.
const CALL_EVERY: Duration = Duration::from_millis(100);

/// Who says nothing for so long after calling is not one of us.
const GREETING: Duration = Duration::from_secs(5);

/// A line on which nothing is said is tried after the first time, then every so often, and so many times: some 9 seconds after the
/// last sign of life of the other machine the line is dead. A process that only rests is not missed, since its system answers for it.
const KEEPALIVE: (Duration, Duration, u32) = (Duration::from_secs(3), Duration::from_secs(2), 3);

/// The same where something was said and nobody confirms it.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNCONFIRMED: Duration = Duration::from_secs(9);

/// Where a process stands in a cluster.
#[derive(Clone, Debug)]
pub struct Place {
    /// By process, `host:port`.
    pub addresses: Vec<String>,
    /// The number of this process.
    pub process: usize,
    /// How many workers each process has.
    pub workers: usize,
    /// What only those know who belong together.
    pub key: String,
}

/// Why the processes have not met.
#[derive(Clone, Debug)]
pub enum Unmet {
    /// They are not alike: which one differs in what.
    Differs(String),
    /// Somebody is missing, or there is no network.
    Missing(String),
    /// The program wants it to end.
    Stopped(Stop),
}

impl Mesh {
    /// Meets all other processes, at most half a minute long. `listener` is bound to the address of this one.
    ///
    /// # Errors
    ///
    /// When a process has not shown up, is another version of the program, or sees the cluster in another way.
    pub fn connect(place: Place, listener: TcpListener, budget: &dyn Budget) -> Result<&'static Mesh, Unmet> {
        let Place { addresses, process, workers, key } = place;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let hello = Hello { process, version, processes: addresses.len(), workers, key };
        Mesh::meet(hello, addresses, listener, budget)
    }

    fn meet(
        hello: Hello,
        addresses: Vec<String>,
        listener: TcpListener,
        budget: &dyn Budget,
    ) -> Result<&'static Mesh, Unmet> {
        let process = hello.process;
        // It lives as long as the process: who listens on a line never knows whether there is more to hear.
        let mesh: &'static Mesh = Box::leak(Box::new(Mesh::new(hello, addresses)));
        let in_background = |name: String, work: Box<dyn FnOnce() + Send>| {
            let spawned = thread::Builder::new().name(name).spawn(work);
            spawned.map_err(|error| Unmet::Missing(error.to_string()))
        };
        in_background("calls".to_owned(), Box::new(move || mesh.answer_calls(&listener)))?;
        for other in 0..process {
            in_background(format!("call-{other}"), Box::new(move || mesh.call(other)))?;
        }
        let begun = Instant::now();
        let met = mesh.wait(budget, |state| {
            let missing = state.hellos.iter().position(Option::is_none);
            match missing {
                None => Some(Ok(())),
                Some(process) => (begun.elapsed() >= LIMIT).then_some(Err(process)),
            }
        });
        match met {
            Ok(Ok(())) => {}
            Ok(Err(process)) => {
                let seconds = LIMIT.as_secs();
                let missing = format!("{} has not shown up within {seconds} s", mesh.name(process));
                mesh.lose(&missing);
                return Err(Unmet::Missing(missing));
            }
            Err(Vain::Refused(why)) => return Err(Unmet::Differs(why)),
            Err(Vain::Lost(who)) => return Err(Unmet::Missing(who)),
            Err(Vain::Stopped(stop)) => {
                mesh.lose(&format!("{} was stopped: {stop}", mesh.name(process)));
                return Err(Unmet::Stopped(stop));
            }
        }
        match mesh.stranger() {
            None => Ok(mesh),
            Some(why) => {
                mesh.refuse(&why);
                Err(Unmet::Differs(why))
            }
        }
    }

    /// Which process is not like the first one, and in what. All processes come to the same answer.
    fn stranger(&self) -> Option<String> {
        let hellos: Vec<Hello> = self.state().hellos.iter().flatten().cloned().collect();
        let first = hellos.first()?;
        hellos.iter().find_map(|hello| self.difference(first, hello))
    }

    fn difference(&self, first: &Hello, other: &Hello) -> Option<String> {
        let name = self.name(other.process);
        let workers =
            |workers: usize| if workers == 1 { "1 worker".into() } else { format!("{workers} workers") };
        if first.version != other.version {
            let (one, two) = (&first.version, &other.version);
            return Some(format!("{name} is version {two} of the program, process 0 is version {one}"));
        }
        if first.workers != other.workers {
            let (one, two) = (workers(first.workers), workers(other.workers));
            return Some(format!("{name} has {two}, process 0 has {one}: all need the same --workers"));
        }
        if first.processes != other.processes {
            let (one, two) = (first.processes, other.processes);
            return Some(format!(
                "{name} knows of {two} processes, process 0 of {one}: all need the same --hosts"
            ));
        }
        let differs = "was given other hosts than process 0, or only one of them was given --jobs";
        (first.key != other.key).then(|| format!("{name} {differs}"))
    }

    /// Calls a process until it answers.
    fn call(&'static self, other: usize) {
        while !self.is_over() {
            match self.greet(other) {
                Ok(Some((hello, line))) => return self.hold(hello, line),
                Ok(None) => return,
                Err(_) => thread::sleep(CALL_EVERY),
            }
        }
    }

    fn is_over(&self) -> bool {
        let state = self.state();
        state.lost.is_some() || state.refused.is_some()
    }

    /// Calls once: gives the line, or nothing where this process is not wanted.
    fn greet(&self, other: usize) -> io::Result<Option<(Hello, TcpStream)>> {
        let mut line = self.reach(other)?;
        line.write_all(Note::Hello(self.hello.clone()).line().as_bytes())?;
        line.set_read_timeout(Some(GREETING))?;
        match Note::next(&line)? {
            Note::Hello(hello) if hello.process == other => {
                line.set_read_timeout(None)?;
                keep_alive(&line)?;
                Ok(Some((hello, line)))
            }
            Note::Hello(hello) => {
                let name = self.name(other);
                self.refuse(&format!("{name} says that it is process {}", hello.process));
                Ok(None)
            }
            Note::Refused(why) => {
                self.refuse(&why);
                Ok(None)
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// A connection to a process.
    pub(super) fn reach(&self, other: usize) -> io::Result<TcpStream> {
        let mut failed = io::ErrorKind::AddrNotAvailable.into();
        for address in self.addresses[other].to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, Duration::from_secs(2)) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    return Ok(stream);
                }
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    fn answer_calls(&'static self, listener: &TcpListener) {
        for stream in listener.incoming() {
            match stream {
                // Whoever says nothing does not keep others from being heard.
                Ok(stream) => drop(thread::Builder::new().spawn(move || self.answer(stream))),
                Err(_) => thread::sleep(CALL_EVERY),
            }
        }
    }

    /// Answers a call. Who does not speak as we do has called the wrong number.
    fn answer(&'static self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(GREETING))?;
        let note = Note::next(&stream)?;
        stream.set_read_timeout(None)?;
        match note {
            Note::Hello(hello) => {
                if let Some(why) = self.unwanted(&hello) {
                    return stream.write_all(Note::Refused(why).line().as_bytes());
                }
                keep_alive(&stream)?;
                stream.write_all(Note::Hello(self.hello.clone()).line().as_bytes())?;
                self.hold(hello, stream);
            }
            Note::Data { process, key, session } if key == self.hello.key => {
                self.change(|state| drop(state.heard(session).made.insert(process, stream)));
            }
            Note::Part { process: 0, key } if key == self.hello.key => {
                keep_alive(&stream)?;
                self.change(|state| state.take_part(stream));
            }
            _ => {}
        }
        Ok(())
    }

    /// Why a caller is not wanted.
    fn unwanted(&self, caller: &Hello) -> Option<String> {
        let (own, process) = (self.hello.process, caller.process);
        if process >= self.processes() {
            let why = format!("process {process} was given other hosts than {}", self.name(own));
            self.refuse(&why);
            return Some(why);
        }
        let is_known = process <= own || self.state().hellos[process].is_some();
        is_known.then(|| format!("there are two processes with the number {process}"))
    }
}

/// The system finds out where the other end of a line is.
pub(super) fn keep_alive(line: &TcpStream) -> io::Result<()> {
    let (first, then, times) = KEEPALIVE;
    let socket = SockRef::from(line);
    let keepalive = TcpKeepalive::new().with_time(first).with_interval(then).with_retries(times);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(UNCONFIRMED))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use servanda_engine::NoLimits;

    #[test]
    fn a_process_of_another_version_is_named_by_all() {
        let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let addresses: Vec<_> = listeners.iter().map(|one| one.local_addr().unwrap().to_string()).collect();
        let calls = listeners.into_iter().enumerate().map(|(process, listener)| {
            let version = if process == 2 { "0.0.1" } else { "0.1.0" }.to_owned();
            let hello = Hello { process, version, processes: 3, workers: 1, key: String::new() };
            let addresses = addresses.clone();
            thread::spawn(move || Mesh::meet(hello, addresses, listener, &NoLimits))
        });
        let calls: Vec<_> = calls.collect();
        let expected = format!(
            "process 2 ({}) is version 0.0.1 of the program, process 0 is version 0.1.0",
            addresses[2]
        );
        for call in calls {
            let Err(Unmet::Differs(why)) = call.join().unwrap() else { panic!("they work together") };
            assert_eq!(why, expected);
        }
    }
}
