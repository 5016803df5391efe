//! What workers say to each other: parcels of words, in rounds.
//!
//! A round is a time of a timely dataflow: everybody posts parcels, everybody takes what arrives, and a round is over for a worker when the
//! progress tracking of timely says that no parcel of it can arrive any more. Everything else in this crate is written against rounds,
//! so that it reads like a program for one worker that sometimes sends words to others.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::probe::Handle as ProbeHandle;
use timely::dataflow::operators::{Input, Probe};
use timely::worker::Worker;

use crate::board::Board;
use crate::words::Words;

/// A parcel is sent when it has so many words; larger ones make better use of memory and network, smaller ones arrive sooner.
const PARCEL: usize = 1 << 12;

/// A worker that waits for others looks so often whether one of them is gone.
const PATIENCE: Duration = Duration::from_millis(5);

/// To whom, and what. What a worker says of itself goes to the number of the receiver plus the number of workers.
type Parcel = (u64, Words);

/// What has arrived in a round.
#[derive(Default)]
struct Arrived {
    parcels: Vec<Vec<u64>>,
    /// What workers say of themselves: each begins with the number of the worker.
    said: Vec<Vec<u64>>,
}

/// What has arrived, by the parity of the round: a worker can be one round ahead of another, and never two.
type Inbox = Rc<RefCell<[Arrived; 2]>>;

/// Another worker is gone, so that no round will ever be over again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost;

/// One worker's way to all workers, itself included.
pub(crate) struct Fabric {
    worker: Worker,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Parcel>>>,
    probe: ProbeHandle<u64>,
    inbox: Inbox,
    /// The parcels that are not full yet, one for each worker.
    outbox: Vec<Vec<u64>>,
    round: u64,
    board: Arc<Board>,
}

/// Adds words, of which there is most often one: then nothing is called for it.
#[inline]
pub(crate) fn add(row: &mut Vec<u64>, words: &[u64]) {
    match words {
        [word] => row.push(*word),
        _ => row.extend_from_slice(words),
    }
}

impl Fabric {
    /// Every worker must make one, and no dataflow of its own before it. The board tells of workers that are gone.
    pub(crate) fn new(mut worker: Worker, board: Arc<Board>) -> Self {
        let inbox: Inbox = Rc::default();
        let arrived = Rc::clone(&inbox);
        let mut input = InputHandle::new();
        let peers = worker.peers() as u64;
        let probe = worker.dataflow::<u64, _, _>(|scope| {
            let posted = scope.input_from(&mut input);
            let delivered = posted.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                Exchange::new(|parcel: &Parcel| parcel.0),
                "deliver",
                move |_, _| {
                    move |input, _| {
                        input.for_each(|time, parcels| {
                            let mut arrived = arrived.borrow_mut();
                            let own = &mut arrived[(*time.time() % 2) as usize];
                            for (to, Words(words)) in parcels.drain(..) {
                                let is_said = to >= peers;
                                if is_said { own.said.push(words) } else { own.parcels.push(words) }
                            }
                        });
                    }
                },
            );
            delivered.probe().0
        });
        let outbox = vec![Vec::new(); worker.peers()];
        Fabric { worker, input, probe, inbox, outbox, round: 0, board }
    }

    /// The number of this worker, from 0.
    pub(crate) fn index(&self) -> usize {
        self.worker.index()
    }

    /// How many workers there are.
    pub(crate) fn peers(&self) -> usize {
        self.outbox.len()
    }

    /// Sends words to a worker in this round. Words that are posted together stay together.
    #[inline]
    pub(crate) fn post(&mut self, to: usize, words: &[u64]) {
        let parcel = &mut self.outbox[to];
        add(parcel, words);
        if parcel.len() >= PARCEL {
            // Who was sent so many words will be sent more.
            let full = std::mem::replace(parcel, Vec::with_capacity(PARCEL + words.len()));
            self.input.send((to as u64, Words(full)));
        }
    }

    /// Takes the parcels of this round that are there already.
    pub(crate) fn take(&mut self, mut each: impl FnMut(&[u64])) {
        self.input.flush();
        self.worker.step();
        self.open(&mut each);
    }

    fn open(&mut self, each: &mut impl FnMut(&[u64])) {
        let parcels = std::mem::take(&mut self.inbox.borrow_mut()[(self.round % 2) as usize].parcels);
        parcels.iter().for_each(|parcel| each(parcel));
    }

    /// Ends this round: takes all that was posted in it by anybody.
    ///
    /// # Errors
    ///
    /// When a worker is gone.
    pub(crate) fn end_round(&mut self, mut each: impl FnMut(&[u64])) -> Result<(), Lost> {
        for to in 0..self.peers() {
            let parcel = std::mem::take(&mut self.outbox[to]);
            if !parcel.is_empty() {
                self.input.send((to as u64, Words(parcel)));
            }
        }
        self.input.advance_to(self.round + 1);
        while self.probe.less_than(self.input.time()) {
            if self.board.is_lost() {
                return Err(Lost);
            }
            self.worker.step_or_park(Some(PATIENCE));
            self.open(&mut each);
            // Where there are more workers than processors, the one that everybody waits for must have its turn.
            std::thread::yield_now();
        }
        self.open(&mut each);
        self.round += 1;
        Ok(())
    }

    /// Ends this round, and tells all workers some words: gives what everyone told, by worker.
    ///
    /// # Errors
    ///
    /// When a worker is gone.
    pub(crate) fn end_telling(
        &mut self,
        words: &[u64],
        each: impl FnMut(&[u64]),
    ) -> Result<Vec<Vec<u64>>, Lost> {
        let mut own = vec![self.index() as u64];
        own.extend_from_slice(words);
        let peers = self.peers();
        (0..peers).for_each(|to| self.input.send(((to + peers) as u64, Words(own.clone()))));
        let parity = (self.round % 2) as usize;
        self.end_round(each)?;
        let mut all = vec![Vec::new(); peers];
        for mut said in std::mem::take(&mut self.inbox.borrow_mut()[parity].said) {
            let from = said.remove(0) as usize;
            all[from] = said;
        }
        Ok(all)
    }

    /// Tells all workers some words, and gives what everyone told, by worker.
    ///
    /// # Errors
    ///
    /// When a worker is gone.
    pub(crate) fn gather(&mut self, words: &[u64]) -> Result<Vec<Vec<u64>>, Lost> {
        self.end_telling(words, |_| ())
    }

    /// Ends this round, and gives the sums of what all workers tell.
    ///
    /// # Errors
    ///
    /// When a worker is gone.
    pub(crate) fn end_summing<const N: usize>(
        &mut self,
        own: [u64; N],
        each: impl FnMut(&[u64]),
    ) -> Result<[u64; N], Lost> {
        let mut sums = [0; N];
        for told in self.end_telling(&own, each)? {
            sums.iter_mut().zip(told).for_each(|(sum, word)| *sum += word);
        }
        Ok(sums)
    }

    /// The sums of what all workers tell.
    ///
    /// # Errors
    ///
    /// When a worker is gone.
    pub(crate) fn sum<const N: usize>(&mut self, own: [u64; N]) -> Result<[u64; N], Lost> {
        self.end_summing(own, |_| ())
    }

    /// Ends the computation: nobody will post any more.
    pub(crate) fn close(self) {
        let Fabric { mut worker, input, board, .. } = self;
        drop(input);
        while worker.has_dataflows() && !board.is_lost() {
            worker.step_or_park(Some(PATIENCE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timely::CommunicationConfig;
    use timely::WorkerConfig;

    /// What so many workers find, each with a fabric.
    fn together<T: Send + 'static>(workers: usize, job: fn(&mut Fabric) -> T) -> Vec<T> {
        let board = Arc::new(Board::default());
        let (builders, others) = CommunicationConfig::Process(workers).try_build().unwrap();
        let guards = timely::communication::initialize_from(builders, others, move |allocator| {
            let worker = Worker::new(WorkerConfig::default(), allocator, None);
            let mut fabric = Fabric::new(worker, Arc::clone(&board));
            let found = job(&mut fabric);
            fabric.close();
            found
        });
        guards.unwrap().join().into_iter().map(Result::unwrap).collect()
    }

    #[test]
    fn all_hear_what_all_say_round_after_round() {
        for workers in 1..5 {
            let sums = together(workers, |fabric| {
                (0..200)
                    .map(|round| fabric.sum([round + fabric.index() as u64]).unwrap()[0])
                    .collect::<Vec<_>>()
            });
            let n = workers as u64;
            let expected: Vec<u64> = (0..200).map(|round| round * n + n * (n - 1) / 2).collect();
            assert!(sums.iter().all(|found| *found == expected));
        }
    }
}
