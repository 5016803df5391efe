//! Workers that begin with a checkpoint: each takes the states that are its own, however many workers wrote it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use servanda_disk::{Manifest, Place, Run, RunReader, RunWriter, link_or_copy};
use servanda_model::StateStore;

use crate::board::{Board, Trouble};
use crate::checkpoint::unusable;
use crate::complaint::complaint;
use crate::fabric::Fabric;
use crate::shard::{Shard, owner};
use crate::spill::Spill;

/// After so many states it is asked whether to go on.
const ASK_EVERY: u64 = 1 << 14;

/// So many states, or this part of all, are put in order beside the table. The more there are, the less often files are read.
const TOGETHER: (u64, u64) = (1 << 18, 8);

/// Why a checkpoint was not read.
enum Unread {
    /// The work should end.
    Stopped,
    /// It is damaged, and how.
    Damaged(String),
    /// There are more states than can be numbered.
    Full,
}

/// Reads the states of a checkpoint that are one worker's own.
struct Reader<'a> {
    directory: &'a Path,
    manifest: &'a Manifest,
    board: &'a Board,
    own: usize,
    peers: usize,
}

impl Reader<'_> {
    /// The runs, opened.
    fn open(&self) -> Result<Vec<Run>, Unread> {
        let runs = self.manifest.runs.iter().map(|listed| {
            let run = listed.open(self.directory).map_err(|why| Unread::Damaged(why.to_string()))?;
            if run.words() != self.manifest.words || *run.levels().end() > self.manifest.level {
                return Err(Unread::Damaged(format!(
                    "{}: it does not belong to the checkpoint",
                    listed.name
                )));
            }
            Ok(run)
        });
        runs.collect()
    }

    fn is_own(&self, state: &[u64]) -> bool {
        owner(StateStore::hash(state), self.peers) == self.own
    }

    /// Shows all states of a run, and finds out whether it is what was written.
    fn read(
        &self,
        run: &Run,
        mut each: impl FnMut(&[u64], u64) -> Result<(), io::Error>,
    ) -> Result<(), Unread> {
        let (mut seen, mut is_stopped) = (0_u64, false);
        let read = RunReader::read_whole(run, |state, level| {
            seen += 1;
            if seen.is_multiple_of(ASK_EVERY) && self.board.is_stopped() {
                is_stopped = true;
                return Err(io::ErrorKind::Interrupted.into());
            }
            each(state, level)
        });
        match read {
            _ if is_stopped => Err(Unread::Stopped),
            Ok(()) => Ok(()),
            Err(error) => Err(self.damaged(run, &error)),
        }
    }

    fn damaged(&self, run: &Run, error: &io::Error) -> Unread {
        let name = run.path().file_name().map(|name| name.to_string_lossy().into_owned());
        Unread::Damaged(format!("{}: {error}", name.unwrap_or_default()))
    }

    /// How many states of each distance are this worker's own.
    fn count(&self, runs: &[Run]) -> Result<Vec<u64>, Unread> {
        let mut counts = vec![0; self.manifest.level as usize + 1];
        for run in runs {
            self.read(run, |state, level| {
                counts[level as usize] += u64::from(self.is_own(state));
                Ok(())
            })?;
        }
        Ok(counts)
    }
}

impl Shard<'_> {
    /// Begins with a checkpoint. All workers do.
    ///
    /// # Errors
    ///
    /// When it is damaged, or a worker is gone.
    pub(crate) fn resume(
        &mut self,
        directory: &Path,
        manifest: &Manifest,
        fabric: &mut Fabric,
        board: &Board,
    ) -> Result<(), Trouble> {
        let reader = Reader { directory, manifest, board, own: fabric.index(), peers: fabric.peers() };
        let read = self.load(&reader);
        let is = |which: bool| u64::from(which);
        let own = [is(matches!(read, Err(Unread::Stopped))), is(matches!(read, Err(Unread::Full)))];
        let [stopped, full] = fabric.sum(own)?;
        let failed = match read {
            Err(Unread::Damaged(why)) => Some(why),
            _ => None,
        };
        if let Some(why) = complaint(fabric, failed.as_deref())? {
            return Err(Trouble::Halt(unusable(directory, &why)));
        }
        if full > 0 {
            return Err(self.complain(fabric)?);
        }
        if stopped > 0 {
            return Err(Trouble::Stopped);
        }
        let expected: u64 = manifest.runs.iter().map(|run| run.states).sum();
        let [states] = fabric.sum([self.states()])?;
        if states != expected {
            let why = format!("it has {states} states, and {expected} were written");
            return Err(Trouble::Halt(unusable(directory, &why)));
        }
        self.is_done = manifest.is_done;
        if fabric.index() == 0 {
            self.tally.transitions = manifest.transitions;
            self.tally.deadlocks = manifest.deadlocks;
            self.tally.deadlock = manifest.deadlock.clone();
        }
        if let Some(keeper) = &mut self.depot.keeper {
            keeper.begun = self.tally.clone();
        }
        self.make_room();
        Ok(())
    }

    /// Takes the states that are this worker's own, into memory where they fit.
    fn load(&mut self, reader: &Reader<'_>) -> Result<(), Unread> {
        let Reader { manifest, peers, .. } = reader;
        let runs = reader.open()?;
        let states: u64 = manifest.runs.iter().map(|run| run.states).sum();
        let room = self.depot.room().cloned();
        self.expanded = 0;
        match room.filter(|(_, most)| states / *peers as u64 * 9 / 8 > *most as u64) {
            Some((place, _)) => self.load_to_disk(reader, &runs, &place)?,
            None => self.load_to_memory(reader, &runs)?,
        }
        if reader.board.is_stopped() { Err(Unread::Stopped) } else { Ok(()) }
    }

    fn load_to_disk(&mut self, reader: &Reader<'_>, runs: &[Run], place: &Arc<Place>) -> Result<(), Unread> {
        let Reader { manifest, own, peers, board, .. } = reader;
        let last = manifest.level;
        let (mut taken, mut initial, mut unexpanded) = (Vec::new(), 0, 0);
        let mut count = |level: u64| {
            initial += u64::from(level == 0);
            unexpanded += u64::from(level == last);
        };
        for (listed, run) in manifest.runs.iter().zip(runs) {
            let failed = |error: io::Error| reader.damaged(run, &error);
            let path = place.name("states");
            if manifest.workers == *peers {
                if listed.worker != *own {
                    continue;
                }
                let linked = link_or_copy(run, &path).and_then(|()| Run::open(&path)).map_err(failed)?;
                reader.read(&linked, |_, level| {
                    count(level);
                    Ok(())
                })?;
                taken.push(linked);
            } else {
                let mut writer = RunWriter::create(path, manifest.words, run.levels()).map_err(failed)?;
                reader.read(run, |state, level| {
                    if reader.is_own(state) {
                        count(level);
                        writer.push(state, level)?;
                    }
                    Ok(())
                })?;
                taken.push(writer.finish().map_err(failed)?);
            }
        }
        self.tally.initial = initial;
        self.levels = vec![0; last as usize + 2];
        self.store = self.empty_store();
        let left = if manifest.is_done { 0 } else { unexpanded };
        let spill = Spill::resumed((place, manifest.words), taken, last, left, || board.is_stopped());
        self.depot.spill = Some(spill.map_err(|error| Unread::Damaged(error.to_string()))?);
        Ok(())
    }

    /// Some distances after the others, so that hardly any state is twice in memory.
    fn load_to_memory(&mut self, reader: &Reader<'_>, runs: &[Run]) -> Result<(), Unread> {
        let counts = reader.count(runs)?;
        let all: u64 = counts.iter().sum();
        self.tally.initial = counts[0];
        self.levels = vec![0];
        self.store = self.empty_store();
        let together = (all / TOGETHER.1).max(TOGETHER.0);
        let mut begin = 0;
        while begin < counts.len() {
            let (mut end, mut states) = (begin + 1, counts[begin]);
            while end < counts.len() && states + counts[end] <= together {
                states += counts[end];
                end += 1;
            }
            self.load_levels(reader, runs, (begin as u64, end as u64))?;
            begin = end;
        }
        let (last, begin) = (self.levels.len() - 1, self.levels.len() - 2);
        self.next = self.levels[if reader.manifest.is_done { last } else { begin }];
        Ok(())
    }

    /// Takes the states of the distances from one to before another.
    fn load_levels(
        &mut self,
        reader: &Reader<'_>,
        runs: &[Run],
        (begin, end): (u64, u64),
    ) -> Result<(), Unread> {
        // A single distance needs no order: it goes straight into the table.
        let mut waiting: Vec<Vec<u64>> = vec![Vec::new(); (end - begin) as usize];
        let words = reader.manifest.words;
        let mut unread = None;
        for run in runs.iter().filter(|run| *run.levels().start() < end && *run.levels().end() >= begin) {
            let read = reader.read(run, |state, level| {
                if level < begin || level >= end || !reader.is_own(state) {
                    return Ok(());
                }
                if end - begin > 1 {
                    waiting[(level - begin) as usize].extend_from_slice(state);
                    return Ok(());
                }
                let taken = self.take(state, reader.board);
                taken.map_err(|why| {
                    unread = Some(why);
                    io::ErrorKind::Other.into()
                })
            });
            if let Some(why) = unread.take() {
                return Err(why);
            }
            read?;
        }
        for states in waiting {
            states.chunks_exact(words).try_for_each(|state| self.take(state, reader.board))?;
            self.levels.push(self.len());
        }
        Ok(())
    }

    /// Takes a state, which is new.
    fn take(&mut self, state: &[u64], board: &Board) -> Result<(), Unread> {
        if (self.store.len() as u64).is_multiple_of(ASK_EVERY) {
            self.reserve(ASK_EVERY as usize);
            if board.is_stopped() {
                return Err(Unread::Stopped);
            }
        }
        if !self.can_number(1) {
            return Err(Unread::Full);
        }
        let is_new = self.store.insert(state);
        if is_new { Ok(()) } else { Err(Unread::Damaged("a state is in it twice".to_owned())) }
    }
}
