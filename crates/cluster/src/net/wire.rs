//! The connections on which timely carries parcels between processes.
//!
//! The threads of timely that read and write them panic where a connection ends too early. That must not be seen, and must not reach
//! the workers, who find out from the board that a process is gone: so nothing is said here, and nothing happens before they have left.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

use super::mesh::Mesh;

/// So long it may take to hear who is gone.
const HEARSAY: Duration = Duration::from_millis(200);

/// What the ends of all connections of a session share.
#[derive(Default)]
pub(super) struct Ends {
    /// Have the workers of this process left? And how many ends are there?
    state: Mutex<(bool, usize)>,
    changed: Condvar,
}

impl Ends {
    fn change(&self, change: impl FnOnce(&mut (bool, usize))) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// The workers of this process have left; what they have said is sent, and what is sent to them is waited for, but not for ever.
    pub(super) fn close(&self, patience: Duration) {
        self.change(|state| state.0 = true);
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Who takes longer is left alone.
        drop(self.changed.wait_timeout_while(state, patience, |state| state.1 > 0));
    }

    fn wait_until_closed(&self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(state, |state| !state.0));
    }
}

/// One end of a connection.
pub(super) struct Wire {
    stream: TcpStream,
    peer: usize,
    mesh: &'static Mesh,
    ends: Arc<Ends>,
    frames: Frames,
}

impl Wire {
    pub(super) fn new(stream: TcpStream, peer: usize, mesh: &'static Mesh, ends: Arc<Ends>) -> Self {
        ends.change(|state| state.1 += 1);
        Wire { stream, peer, mesh, ends, frames: Frames::default() }
    }

    /// The other process is gone. The thread ends without a word once nobody needs it.
    fn fail(&self, error: &io::Error) -> ! {
        // Where this is what follows from another loss, that is being told on a line.
        self.mesh.hear_of_loss(HEARSAY);
        self.mesh.lose(&self.mesh.missed(self.peer, error));
        self.ends.wait_until_closed();
        std::panic::resume_unwind(Box::new("a process is gone"))
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.ends.change(|state| state.1 -= 1);
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buffer) {
            Ok(0) if !self.frames.ended => self.fail(&ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                self.frames.see(&buffer[..read]);
                Ok(read)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(self.read(buffer)?),
            // Nothing more was to come.
            Err(_) if self.frames.ended => Ok(0),
            Err(error) => self.fail(&error),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Err(error) if error.kind() != ErrorKind::Interrupted => self.fail(&error),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Wire::new(self.stream.try_clone()?, self.peer, self.mesh, Arc::clone(&self.ends)))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other end may have left before.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

/// The bytes of a header of timely: six words.
const HEADER: usize = 48;

/// Where the length of what follows stands in it.
const LENGTH: std::ops::Range<usize> = 32..40;

/// Follows what timely reads from one frame to the next, so that an end in the middle can be told from a good one: the last frame has no
/// content.
#[derive(Default)]
struct Frames {
    header: Vec<u8>,
    /// The bytes of the content that are still to come.
    left: usize,
    ended: bool,
}

impl Frames {
    fn see(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let content = self.left.min(bytes.len());
            self.left -= content;
            bytes = &bytes[content..];
            let header = (HEADER - self.header.len()).min(bytes.len());
            if self.left == 0 && header > 0 {
                self.header.extend_from_slice(&bytes[..header]);
                bytes = &bytes[header..];
            }
            if self.header.len() == HEADER {
                let length: [u8; 8] = self.header[LENGTH].try_into().unwrap_or_default();
                self.left = u64::from_be_bytes(length) as usize;
                self.ended |= self.left == 0;
                self.header.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_told_from_a_break() {
        let frame = |length: u64| {
            let mut bytes = vec![0; HEADER];
            bytes[LENGTH].copy_from_slice(&length.to_be_bytes());
            bytes.extend(vec![0; length as usize]);
            bytes
        };
        let all = [frame(100), frame(7), frame(48), frame(0)].concat();
        for part in [1, 5, 47, 48, 49, 1000] {
            let mut frames = Frames::default();
            for (at, bytes) in all.chunks(part).enumerate() {
                assert!(!frames.ended, "{at} parts of {part}");
                frames.see(bytes);
            }
            assert!(frames.ended);
        }
    }
}
