//! What may be put on disk.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use clap::Args;
use servanda::{EngineChoice, EngineOptions, Patience, Storage};
use servanda_report::{Status, visible};

use super::super::values::{self, EngineValue};
use super::super::{limits::Limits, memory};
use super::{EngineArguments, LimitArguments};

/// Checkpoints are so far from each other, where nobody says how far.
const USUAL_EVERY: Duration = Duration::from_secs(300);

/// So long a run may take to put things in order after a limit or a signal, where something is on disk.
const TO_SAVE: Duration = Duration::from_secs(600);
const TO_REMOVE: Duration = Duration::from_secs(10);

/// What a run is granted while something is put in order on disk.
struct MoreTime {
    run: Weak<Limits>,
    time: Duration,
}

impl Patience for MoreTime {
    fn begin(&self) {
        self.run.upgrade().inspect(|run| run.wait_longer(self.time));
    }

    fn end(&self) {
        self.run.upgrade().inspect(|run| run.wait_no_longer());
    }
}

/// Of the memory that a run may take this is not for states: a part of it, and so many bytes.
const RESERVE: (u64, u64) = (8, 40 << 20);

/// What may be put on disk.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StorageArguments {
    /// Put states into this directory that do not fit into memory (--memory, or half of what is free); the engine is cluster then
    #[arg(long, value_name = "DIR")]
    pub(crate) spill: Option<PathBuf>,
    /// Put what is known into this directory now and then, and when the run is ended by a limit or Ctrl-C; the engine is cluster then
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How much time passes between checkpoints: 30s, 5m, 1h [default: 5m]
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) every: Option<Duration>,
    /// Go on with the checkpoint in this directory, and put further ones into it unless --checkpoint names another
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
}

impl StorageArguments {
    fn is_some(&self) -> bool {
        self.spill.is_some() || self.keeps()
    }

    /// Are there checkpoints?
    fn keeps(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }

    /// What cannot be asked together.
    pub(crate) fn mistake(&self, engine: &EngineArguments) -> Option<&'static str> {
        let cluster = [EngineChoice::Auto, EngineChoice::Only(servanda::CLUSTER)].contains(&engine.choice());
        if self.every.is_some() && !self.keeps() {
            return Some("--every: there is no --checkpoint");
        }
        if self.is_some() && (!cluster || engine.bound.is_some()) {
            return Some("--spill, --checkpoint and --resume: only the engine cluster puts states on disk");
        }
        None
    }

    /// What cannot be asked of so many models, or settings of parameters.
    pub(crate) fn mistake_of_many(&self, models: usize) -> Option<&'static str> {
        let mistake = "--checkpoint and --resume: of one model only, with one value for each parameter";
        (models > 1 && self.keeps()).then_some(mistake)
    }

    /// How a run that came to no end can be gone on with, for whoever sees that it did not.
    pub(crate) fn way_on(&self, status: Status) -> Option<String> {
        let directory = self.checkpoint.as_ref().or(self.resume.as_ref())?;
        let is_unfinished = status == Status::Undecided && Storage::has_more_to_do(directory);
        let name = directory.display().to_string();
        is_unfinished.then(|| format!("there is a checkpoint: go on with --resume {}\n", visible(&name)))
    }

    /// Where something may be put on disk without a word about the engine, it is the one that can.
    pub(crate) fn engine(&self, engine: &EngineArguments) -> EngineArguments {
        let chosen = engine.engine.filter(|value| value.0 != EngineChoice::Auto);
        let only = self.is_some().then_some(EngineValue(EngineChoice::Only(servanda::CLUSTER)));
        EngineArguments { engine: chosen.or(only).or(engine.engine), ..engine.clone() }
    }

    /// In the words of the façade. The whole model is explored then: what is on disk is of one model, whatever is asked. `processes` are
    /// those of this machine that may put states on disk at the same time.
    ///
    /// # Errors
    ///
    /// A directory cannot be made.
    pub(crate) fn chosen(
        &self,
        chosen: EngineOptions,
        limits: &LimitArguments,
        run: &Arc<Limits>,
        processes: usize,
    ) -> Result<EngineOptions, String> {
        if !self.is_some() {
            return Ok(chosen);
        }
        let going_on = self.resume.clone().filter(|directory| Storage::has_checkpoint(directory));
        let checkpoint = self.checkpoint.clone().or(going_on);
        for directory in self.spill.iter().chain(&self.checkpoint) {
            let made = std::fs::create_dir_all(directory);
            let name = directory.display();
            made.map_err(|error| format!("nothing can be put into {name}: {error}"))?;
        }
        let every = self.every.unwrap_or(USUAL_EVERY);
        let last = Mutex::new(Instant::now());
        let is_due = move || {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            let is_due = last.elapsed() >= every;
            if is_due {
                *last = Instant::now();
            }
            is_due
        };
        let time = if checkpoint.is_some() { TO_SAVE } else { TO_REMOVE };
        let storage = Storage {
            spill: self.spill.clone(),
            memory: share(limits.memory, memory::available(), (processes, chosen.workers)),
            checkpoint,
            resume: self.resume.clone(),
            due: Some(Arc::new(is_due)),
            patience: Some(Arc::new(MoreTime { run: Arc::downgrade(run), time })),
        };
        // As the rest of the command line, it is there as long as the program.
        Ok(EngineOptions { storage: Some(Box::leak(Box::new(storage))), unreduced: true, ..chosen })
    }
}

/// The bytes that the states of each worker may take. A limit is one of each process; what is free is for all of them.
fn share(limit: Option<u64>, free: Option<u64>, (processes, workers): (usize, usize)) -> usize {
    let part = |free: u64| free / 2 / processes.max(1) as u64;
    let all = limit.or_else(|| free.map(part)).unwrap_or(1 << 30);
    let states = (all - all / RESERVE.0).saturating_sub(RESERVE.1);
    usize::try_from(states / workers.max(1) as u64).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One gigabyte, and what is left of it for states.
    const GIB: u64 = 1 << 30;
    const STATES: usize = (GIB - GIB / 8) as usize - (40 << 20);

    #[test]
    fn processes_of_one_machine_share_what_is_free() {
        assert_eq!(share(None, Some(2 * GIB), (1, 1)), STATES);
        assert_eq!(share(None, Some(2 * GIB), (1, 4)), STATES / 4);
        assert_eq!(share(None, Some(8 * GIB), (4, 1)), STATES);
        assert_eq!(share(None, Some(8 * GIB), (2, 1)), share(None, Some(4 * GIB), (1, 1)));
    }

    #[test]
    fn a_limit_is_one_of_each_process() {
        assert_eq!(share(Some(GIB), Some(8 * GIB), (4, 2)), STATES / 2);
        assert_eq!(share(Some(1), None, (1, 1)), 0);
    }
}
