//! Parts of the work on many models: the first process hands them out to the others, each on a connection of its own. What is said on these
//! is the business of both ends. Nobody has to do the same as anybody else then, so who is gone takes nobody along but with the first one.

use std::io::{self, Write as _};
use std::net::TcpStream;

use servanda_engine::{Budget, Progress, Stop};

use super::connect::keep_alive;
use super::mesh::{Mesh, PATIENCE, State};
use super::note::Note;

/// Why a process is given no parts any more.
#[derive(Clone, Debug)]
pub enum Dismissed {
    /// All is done; the status with which the first process ends.
    Over(u8),
    /// The first process is gone.
    Lost(String),
    /// This process has to stop.
    Stopped(Stop),
}

impl Mesh {
    /// A connection on which a part is handed out to a process.
    ///
    /// # Errors
    ///
    /// When it cannot be reached.
    pub fn hand_out(&self, process: usize) -> io::Result<TcpStream> {
        let mut stream = self.reach(process)?;
        let (process, key) = (self.process(), self.hello.key.clone());
        stream.write_all(Note::Part { process, key }.line().as_bytes())?;
        keep_alive(&stream)?;
        Ok(stream)
    }

    /// The next connection on which this process is given a part.
    ///
    /// # Errors
    ///
    /// When there will be none.
    pub fn next_part(&self, budget: &dyn Budget) -> Result<TcpStream, Dismissed> {
        loop {
            let mut state = self.state();
            if let Some(part) = state.parts.pop() {
                return Ok(part);
            }
            if let Some(status) = state.over {
                return Err(Dismissed::Over(status));
            }
            if state.first_is_gone {
                return Err(Dismissed::Lost(format!("{} is gone", self.name(0))));
            }
            drop(self.changed.wait_timeout(state, PATIENCE));
            budget.progress(Progress::Reading { lines: 0 }).map_err(Dismissed::Stopped)?;
        }
    }

    /// All is done: the others end with this status.
    pub fn dismiss(&self, status: u8) {
        self.tell_all(&Note::Over(status));
    }
}

impl State {
    /// A part for this process.
    pub(super) fn take_part(&mut self, part: TcpStream) {
        self.parts.insert(0, part);
    }
}
