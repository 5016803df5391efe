//! The work on one model together with other processes: connections for its parcels, once all have shown that they work on the same.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use servanda_engine::{Budget, Halt, Options, Stop};
use servanda_model::Model;
use servanda_syntax::{Code, Diagnostic, Span};
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::{AllocatorBuilder, Hooks};

use super::card::Card;
use super::mesh::{Mesh, Vain};
use super::note::Note;
use super::wire::{Ends, Wire};
use crate::board::Board;

/// So long the last words of other processes are waited for.
const FAREWELL: Duration = Duration::from_secs(3);

/// One model that all processes work on.
pub(crate) struct Session {
    pub(crate) mesh: &'static Mesh,
    pub(crate) number: u64,
    ends: Arc<Ends>,
    /// The threads of timely that send and receive. Whoever drops this waits for them, and is told of their panics: they end by themselves.
    threads: Option<std::mem::ManuallyDrop<CommsGuard>>,
}

impl Session {
    /// Waits until all processes have come, with the same model.
    ///
    /// # Errors
    ///
    /// When they differ, one of them is gone, or the budget says stop.
    pub(crate) fn open(
        mesh: &'static Mesh,
        (model, options, disk): (&Model, Options, u64),
        board: &Arc<Board>,
        budget: &dyn Budget,
    ) -> Result<(Self, Vec<AllocatorBuilder>), Halt> {
        let own = Card::new(model, options, disk);
        let number = mesh.change(|state| {
            let number = state.begun;
            state.begun += 1;
            let heard = state.heard(number);
            heard.board = Arc::downgrade(board);
            heard.cards.insert(mesh.process(), own.clone());
            number
        });
        let mut session = Session { mesh, number, ends: Arc::default(), threads: None };
        mesh.tell_all(&Note::Open { session: number, card: own });
        let cards = mesh.wait(budget, |state| {
            let cards = &state.heard(number).cards;
            (cards.len() == mesh.processes()).then(|| cards.clone())
        });
        let cards = cards.map_err(|vain| session.halt(vain))?;
        let first = &cards[&0];
        let differs = cards.iter().find_map(|(process, card)| Some((*process, first.difference(card)?)));
        if let Some((process, how)) = differs {
            let why =
                format!("{} {how}: all processes must work on what process 0 works on", mesh.name(process));
            mesh.refuse(&why);
            return Err(different(&why));
        }
        match session.connect(budget)? {
            Ok(builders) => Ok((session, builders)),
            Err(error) => {
                let why = format!("there is no connection between the processes: {error}");
                mesh.lose(&why);
                Err(session.halt(Vain::Lost(why)))
            }
        }
    }

    /// Makes the connections for parcels, and has timely use them.
    fn connect(&mut self, budget: &dyn Budget) -> Result<io::Result<Vec<AllocatorBuilder>>, Halt> {
        let (mesh, number, own) = (self.mesh, self.number, self.mesh.process());
        let calling = || {
            let begin = Note::Data { process: own, key: mesh.hello.key.clone(), session: number }.line();
            (0..own)
                .map(|other| {
                    let mut stream = mesh.reach(other)?;
                    stream.write_all(begin.as_bytes())?;
                    Ok((other, stream))
                })
                .collect::<io::Result<Vec<_>>>()
        };
        let mut streams = match calling() {
            Ok(streams) => streams,
            Err(error) => return Ok(Err(error)),
        };
        let called = mesh.wait(budget, |state| {
            let made = &mut state.heard(number).made;
            (made.len() == mesh.processes() - 1 - own).then(|| std::mem::take(made))
        });
        streams.extend(called.map_err(|vain| self.halt(vain))?);
        Ok(self.hand_over(streams))
    }

    fn hand_over(&mut self, streams: Vec<(usize, std::net::TcpStream)>) -> io::Result<Vec<AllocatorBuilder>> {
        let (mesh, own, threads) = (self.mesh, self.mesh.process(), self.mesh.workers());
        let in_use = streams.iter().map(|(_, stream)| stream.try_clone()).collect::<io::Result<Vec<_>>>()?;
        mesh.change(|state| state.heard(self.number).in_use = in_use);
        let mut wires: Vec<Option<Wire>> = (0..mesh.processes()).map(|_| None).collect();
        for (peer, stream) in streams {
            wires[peer] = Some(Wire::new(stream, peer, mesh, Arc::clone(&self.ends)));
        }
        let hooks = Hooks::default();
        let within = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), None);
        let (builders, guard) = initialize_networking_from_sockets(within, wires, own, threads, hooks)?;
        self.threads = Some(std::mem::ManuallyDrop::new(guard));
        Ok(builders.into_iter().map(AllocatorBuilder::Tcp).collect())
    }

    /// What it means for the work that there is nothing to wait for.
    fn halt(&self, vain: Vain) -> Halt {
        let stop = match vain {
            Vain::Refused(why) => return different(&why),
            Vain::Lost(who) => Stop::Lost(who),
            Vain::Stopped(stop) => {
                // The others wait for this process in vain.
                self.mesh.lose(&format!("{} was stopped: {stop}", self.mesh.name(self.mesh.process())));
                stop
            }
        };
        Halt::Stopped { stop, states: 0, transitions: 0 }
    }

    /// The workers of this process have left.
    pub(crate) fn close(&self) {
        self.ends.close(FAREWELL);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.mesh.change(|state| drop(state.sessions.remove(&self.number)));
    }
}

/// Processes that differ are a mistake of whoever started them.
pub(crate) fn different(why: &str) -> Halt {
    Halt::Invalid(vec![Diagnostic::error(Code::DifferentProcesses, why.to_owned(), Span::default())])
}
