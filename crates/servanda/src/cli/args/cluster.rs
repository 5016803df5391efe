//! Workers in several processes.

use std::path::PathBuf;

use clap::Args;
use servanda::EngineChoice;

use super::{EngineArguments, ModelArguments};

/// The most processes that are started on one machine.
const MOST_PROCESSES: i64 = 64;

/// Workers in several processes.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClusterArguments {
    /// Processes of this machine that share the states, each with so many workers as --workers says; the engine is then cluster
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_PROCESSES))]
    pub(crate) processes: Option<u16>,
    /// Machines that share the states: a file with a line host:port for each process. Each is started with the same command and its
    /// number, from 0, as --process; the first reports
    #[arg(long, value_name = "FILE", conflicts_with = "processes")]
    pub(crate) hosts: Option<PathBuf>,
    /// The number that `--process` gives, with `--hosts`.
    #[arg(skip)]
    pub(crate) number: Option<usize>,
    /// What `--jobs` gives, where there is such an option.
    #[arg(skip)]
    pub(crate) jobs: Option<u16>,
}

impl ClusterArguments {
    /// `--process` names a process of a CCS file, and is the number of this process where there are hosts: takes the number.
    pub(crate) fn take_number(&mut self, model: &mut ModelArguments) {
        if self.hosts.is_some() {
            model.process.retain(|said| match said.parse() {
                Ok(number) => {
                    self.number = Some(number);
                    false
                }
                Err(_) => true,
            });
        }
    }

    /// Are there several processes, or could there be?
    pub(crate) fn is_asked(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }

    /// Are models spread over hosts, and not the states of one?
    pub(crate) fn spreads_models(&self) -> bool {
        self.hosts.is_some() && self.has_jobs()
    }

    fn has_jobs(&self) -> bool {
        self.jobs.is_some_and(|jobs| jobs != 1)
    }

    /// What cannot be asked together.
    pub(crate) fn mistake(&self, engine: &EngineArguments, model: &ModelArguments) -> Option<String> {
        let number = model.process.iter().find(|said| said.parse::<usize>().is_ok());
        if let (None, Some(number)) = (&self.hosts, number) {
            return Some(format!(
                "--process {number}: a number needs --hosts, which says who the others are"
            ));
        }
        let option = if self.hosts.is_some() { "--hosts" } else { "--processes" };
        let spread = [EngineChoice::Auto, EngineChoice::Only(servanda::CLUSTER)].contains(&engine.choice());
        // Where models are spread over hosts each is checked by one process, by any engine.
        if self.is_asked() && !self.spreads_models() && (!spread || engine.bound.is_some()) {
            return Some(format!("{option}: only the engine cluster works in several processes"));
        }
        // Each of the jobs would look for processes that have met already.
        if self.processes.is_some() && self.has_jobs() {
            return Some(
                "--jobs: spreads models, and --processes the states of one: say one of them".to_owned(),
            );
        }
        if self.hosts.is_some() && self.number.is_none() {
            return Some("--hosts: say with --process which of them this is: a number from 0".to_owned());
        }
        None
    }
}
