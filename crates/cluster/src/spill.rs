//! The states of a worker on disk: where they do not fit into memory, new ones are gathered, sorted and compared with the known ones at the
//! end of each level, all in one pass (delayed duplicate detection: Stern and Dill 1998; Korf, "Best-first frontier search with delayed
//! duplicate detection", AAAI 2004).

use std::io;
use std::sync::Arc;

use servanda_disk::{Lookup, Merge, Place, Run, RunReader, RunWriter};
use servanda_model::StateStore;

use crate::kept::Kept;

/// Where there are more runs than this, some of them become one.
const MOST_RUNS: usize = 24;

/// So many runs become one, the smallest first.
const MERGED: usize = 12;

/// After so many states it is asked whether to go on.
const ASK_EVERY: u64 = 1 << 14;

/// The states of a worker on disk.
pub(crate) struct Spill {
    place: Arc<Place>,
    words: usize,
    /// All states up to the distance that is expanded now, each in one of them.
    pub(crate) runs: Vec<Run>,
    /// States found from these, of which some may be known already.
    candidates: Vec<Run>,
    /// Those of them that are new, once that is known.
    next: Option<Run>,
    frontier: Frontier,
}

/// The states of one distance that are not expanded yet.
struct Frontier {
    level: u64,
    /// The runs in which the others are.
    runs: Vec<Run>,
    reader: Option<RunReader>,
    left: u64,
}

/// What is done with states one after the other was not done to the end.
pub(crate) enum Unfinished {
    /// The work should end.
    Stopped,
    /// Files cannot be read or written.
    Failed(io::Error),
}

impl From<io::Error> for Unfinished {
    fn from(error: io::Error) -> Self {
        Unfinished::Failed(error)
    }
}

impl Spill {
    /// Puts the states of a store on disk. `levels` are as in a shard: those from `next` on to the last are not expanded yet, and those
    /// behind are found from the others.
    pub(crate) fn new(
        (place, words): (&Arc<Place>, usize),
        store: &Kept,
        levels: &[u32],
        next: u32,
        is_stopped: impl Fn() -> bool,
    ) -> io::Result<Self> {
        let (level, last) = (levels.len() as u64 - 2, *levels.last().unwrap_or(&0));
        let name = || place.name("states");
        let runs = write_sorted(words, store, levels, 0..next, name)?;
        let mut spill = Spill::of((place, words), runs, level, &is_stopped)?;
        let frontier = write_sorted(words, store, levels, next..last, name)?;
        spill.candidates = write_sorted(words, store, levels, last..store.len() as u32, name)?;
        spill.runs.extend(frontier.iter().cloned());
        (spill.frontier.runs, spill.frontier.left) = (frontier, u64::from(last - next));
        Ok(spill)
    }

    /// With the runs of a checkpoint, in which so many states have the greatest distance and are not expanded yet.
    pub(crate) fn resumed(
        (place, words): (&Arc<Place>, usize),
        runs: Vec<Run>,
        level: u64,
        left: u64,
        is_stopped: impl Fn() -> bool,
    ) -> io::Result<Self> {
        let mut spill = Spill::of((place, words), runs, level, is_stopped)?;
        (spill.frontier.runs, spill.frontier.left) = (spill.runs.clone(), left);
        Ok(spill)
    }

    /// With known states that nobody reads yet: of many runs a few are made, if there is time for that.
    fn of(
        (place, words): (&Arc<Place>, usize),
        runs: Vec<Run>,
        level: u64,
        is_stopped: impl Fn() -> bool,
    ) -> io::Result<Self> {
        let frontier = Frontier { level, runs: Vec::new(), reader: None, left: 0 };
        let (place, candidates) = (Arc::clone(place), Vec::new());
        let mut spill = Spill { place, words, runs, candidates, next: None, frontier };
        match spill.make_few(is_stopped) {
            Err(Unfinished::Failed(error)) => Err(error),
            Err(Unfinished::Stopped) | Ok(()) => Ok(spill),
        }
    }

    /// How many states are known, those of the next distance apart.
    pub(crate) fn len(&self) -> u64 {
        self.runs.iter().map(Run::len).sum()
    }

    /// What they take on disk.
    pub(crate) fn bytes(&self) -> u64 {
        self.runs.iter().chain(&self.candidates).map(Run::bytes).sum()
    }

    /// How many states are not expanded yet.
    pub(crate) fn left(&self) -> u64 {
        self.frontier.left
    }

    /// Puts the next state that is not expanded yet into its place; `false` where there is none.
    pub(crate) fn peek(&mut self, state: &mut Vec<u64>) -> io::Result<bool> {
        let Frontier { level, runs, reader, left } = &mut self.frontier;
        if *left == 0 {
            return Ok(false);
        }
        loop {
            match reader.as_ref().and_then(RunReader::current) {
                Some((found, at)) if at == *level => {
                    state.clear();
                    state.extend_from_slice(found);
                    return Ok(true);
                }
                Some(_) => {}
                None => {
                    let missing = || io::Error::new(io::ErrorKind::InvalidData, "states are missing");
                    *reader = Some(RunReader::new(&runs.pop().ok_or_else(missing)?)?);
                }
            }
            if let Some(reader) = reader {
                reader.advance()?;
            }
        }
    }

    /// The state that was shown last is expanded.
    pub(crate) fn pass(&mut self) -> io::Result<()> {
        self.frontier.left -= 1;
        self.frontier.reader.as_mut().map_or(Ok(()), RunReader::advance)
    }

    /// Puts candidates on disk, so that there is room for others.
    pub(crate) fn flush(&mut self, store: &mut StateStore) -> Result<(), Unfinished> {
        if store.is_empty() {
            return Ok(());
        }
        let level = self.frontier.level + 1;
        let mut writer = RunWriter::create(self.place.name("candidates"), self.words, level..=level)?;
        store.drain_sorted(|state| writer.push(state, level))?;
        self.candidates.push(writer.finish()?);
        if self.candidates.len() > MOST_RUNS {
            let all = std::mem::take(&mut self.candidates);
            self.candidates = vec![self.merged(&all, || false)?];
        }
        Ok(())
    }

    /// Finds out which candidates are new, and shows those. To be called again where it was stopped.
    pub(crate) fn settle(
        &mut self,
        store: &mut StateStore,
        is_stopped: impl Fn() -> bool,
        mut each: impl FnMut(&[u64]),
    ) -> Result<(), Unfinished> {
        if self.next.is_some() {
            return Ok(());
        }
        self.flush(store)?;
        let level = self.frontier.level + 1;
        let (mut merge, mut known) = (Merge::new(&self.candidates)?, Lookup::new(&self.runs)?);
        let mut writer = RunWriter::create(self.place.name("states"), self.words, level..=level)?;
        let mut seen = 0_u64;
        while let Some((state, _)) = merge.next()? {
            if known.find(state)?.is_none() {
                each(state);
                writer.push(state, level)?;
            }
            seen += 1;
            if seen.is_multiple_of(ASK_EVERY) && is_stopped() {
                return Err(Unfinished::Stopped);
            }
        }
        self.next = Some(writer.finish()?);
        self.candidates.drain(..).for_each(|run| drop(run.remove()));
        Ok(())
    }

    /// The states that are new are expanded next.
    pub(crate) fn begin_level(&mut self) {
        let runs: Vec<Run> = self.next.take().into_iter().collect();
        let left = runs.iter().map(Run::len).sum();
        self.runs.extend(runs.iter().filter(|run| !run.is_empty()).cloned());
        self.frontier = Frontier { level: self.frontier.level + 1, runs, reader: None, left };
    }

    /// Makes one run of several where there are many, but for the last one: its states are expanded next.
    pub(crate) fn tidy(&mut self, is_stopped: impl Fn() -> bool) -> io::Result<()> {
        if self.runs.len() <= MOST_RUNS {
            return Ok(());
        }
        let last = self.runs.pop();
        let made = self.make_few(is_stopped);
        self.runs.extend(last);
        match made {
            Err(Unfinished::Failed(error)) => Err(error),
            // There is time for that later.
            Err(Unfinished::Stopped) | Ok(()) => Ok(()),
        }
    }

    /// Makes one run of several until there are few.
    fn make_few(&mut self, is_stopped: impl Fn() -> bool) -> Result<(), Unfinished> {
        while self.runs.len() > MOST_RUNS {
            self.runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
            let kept = self.runs.len() - MERGED;
            let merged = self.merged(&self.runs[kept..], &is_stopped)?;
            self.runs.truncate(kept);
            self.runs.push(merged);
        }
        Ok(())
    }

    /// One run with the states of several, which are removed.
    fn merged(&self, runs: &[Run], is_stopped: impl Fn() -> bool) -> Result<Run, Unfinished> {
        let first = runs.iter().map(|run| *run.levels().start()).min().unwrap_or(0);
        let last = runs.iter().map(|run| *run.levels().end()).max().unwrap_or(0);
        let mut writer = RunWriter::create(self.place.name("states"), self.words, first..=last)?;
        let mut merge = Merge::new(runs)?;
        while let Some((state, level)) = merge.next()? {
            writer.push(state, level)?;
            if writer.len().is_multiple_of(ASK_EVERY) && is_stopped() {
                return Err(Unfinished::Stopped);
            }
        }
        let merged = writer.finish()?;
        runs.iter().for_each(|run| drop(run.remove()));
        Ok(merged)
    }

    /// The distance of a state that is known.
    pub(crate) fn level_of(&self, state: &[u64]) -> io::Result<Option<u64>> {
        Lookup::new(&self.runs)?.find(state)
    }

    /// Shows all states, or those of one distance, until the work should end.
    pub(crate) fn for_each(
        &self,
        level: Option<u64>,
        is_stopped: impl Fn() -> bool,
        mut each: impl FnMut(u64, &[u64]),
    ) -> Result<(), Unfinished> {
        let mut seen = 0_u64;
        for run in self.runs.iter().filter(|run| level.is_none_or(|level| run.levels().contains(&level))) {
            let mut reader = RunReader::new(run)?;
            reader.advance()?;
            while let Some((state, at)) = reader.current() {
                if level.is_none_or(|level| level == at) {
                    each(at, state);
                }
                seen += 1;
                if seen.is_multiple_of(ASK_EVERY) && is_stopped() {
                    return Err(Unfinished::Stopped);
                }
                reader.advance()?;
            }
        }
        Ok(())
    }
}

/// Writes the states of a range of numbers as runs, each with its distance.
pub(crate) fn write_sorted(
    words: usize,
    store: &Kept,
    levels: &[u32],
    numbers: std::ops::Range<u32>,
    mut name: impl FnMut() -> std::path::PathBuf,
) -> io::Result<Vec<Run>> {
    let mut runs = Vec::new();
    let level = |number: u32| levels.partition_point(|begin| *begin <= number) as u64 - 1;
    let at_once = store.sorted_at_once(words);
    for from in numbers.clone().step_by(at_once as usize) {
        let to = numbers.end.min(from.saturating_add(at_once));
        let mut writer = RunWriter::create(name(), words, level(from)..=level(to - 1))?;
        store.for_each_sorted(words, from..to, |number, state| writer.push(state, level(number)))?;
        runs.push(writer.finish()?);
    }
    Ok(runs)
}
