//! Workers that begin with a checkpoint: each takes the states that are its own, however many workers wrote it.

use std::io;
use std::path::Path;

use servanda_disk::{Manifest, Run, RunReader, RunWriter, link_or_copy};
use servanda_model::StateStore;

use crate::board::Trouble;
use crate::checkpoint::unusable;
use crate::complaint::complaint;
use crate::fabric::Fabric;
use crate::shard::{Shard, owner};
use crate::spill::Spill;

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
    ) -> Result<(), Trouble> {
        let failed = self.load(directory, manifest, (fabric.index(), fabric.peers())).err();
        if let Some(why) = complaint(fabric, failed.as_deref())? {
            return Err(Trouble::Halt(unusable(directory, &why)));
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
    fn load(
        &mut self,
        directory: &Path,
        manifest: &Manifest,
        (own, peers): (usize, usize),
    ) -> Result<(), String> {
        let told = |name: &str, error: io::Error| format!("{name}: {error}");
        let states: u64 = manifest.runs.iter().map(|run| run.states).sum();
        let room = self.depot.room().cloned();
        let spills = room.filter(|(_, most)| states / peers as u64 * 9 / 8 > *most as u64);
        let mut by_level: Vec<Vec<u64>> = vec![Vec::new(); manifest.level as usize + 1];
        let (mut runs, mut counts) = (Vec::new(), [0; 2]);
        let count = |counts: &mut [u64; 2], level: u64| {
            counts[0] += u64::from(level == 0);
            counts[1] += u64::from(level == manifest.level);
        };
        for listed in &manifest.runs {
            let run = listed.open(directory).map_err(|why| why.to_string())?;
            if run.words() != manifest.words || *run.levels().end() > manifest.level {
                return Err(format!("{}: it does not belong to the checkpoint", listed.name));
            }
            let is_own = |state: &[u64]| owner(StateStore::hash(state), peers) == own;
            match &spills {
                Some((place, _)) if manifest.workers == peers => {
                    if listed.worker != own {
                        continue;
                    }
                    let path = place.name("states");
                    let read = link_or_copy(&run, &path).and_then(|()| Run::open(&path)).and_then(|run| {
                        RunReader::read_whole(&run, |_, level| {
                            count(&mut counts, level);
                            Ok(())
                        })?;
                        Ok(run)
                    });
                    runs.push(read.map_err(|error| told(&listed.name, error))?);
                }
                Some((place, _)) => {
                    let read = RunWriter::create(place.name("states"), manifest.words, run.levels());
                    let read = read.and_then(|mut writer| {
                        RunReader::read_whole(&run, |state, level| {
                            if is_own(state) {
                                count(&mut counts, level);
                                writer.push(state, level)?;
                            }
                            Ok(())
                        })?;
                        writer.finish()
                    });
                    runs.push(read.map_err(|error| told(&listed.name, error))?);
                }
                None => RunReader::read_whole(&run, |state, level| {
                    if is_own(state) {
                        count(&mut counts, level);
                        by_level[level as usize].extend_from_slice(state);
                    }
                    Ok(())
                })
                .map_err(|error| told(&listed.name, error))?,
            }
        }
        self.tally.initial = counts[0];
        self.expanded = 0;
        self.levels = vec![0];
        match &spills {
            Some((place, _)) => {
                self.levels = vec![0; manifest.level as usize + 2];
                self.store = self.empty_store();
                let left = if manifest.is_done { 0 } else { counts[1] };
                let spill = Spill::resumed(place, manifest.words, runs, manifest.level, left);
                self.depot.spill = Some(spill.map_err(|error| error.to_string())?);
            }
            None => {
                self.store = self.empty_store();
                for states in by_level {
                    let is_new = |state| self.store.insert(state);
                    if !states.chunks_exact(manifest.words).all(is_new) {
                        return Err("a state is in it twice".to_owned());
                    }
                    self.levels.push(self.store.len() as u32);
                }
                let (last, begin) = (self.levels.len() - 1, self.levels.len() - 2);
                self.next = self.levels[if manifest.is_done { last } else { begin }];
            }
        }
        Ok(())
    }
}
