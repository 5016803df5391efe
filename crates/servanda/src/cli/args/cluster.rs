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

    /// What cannot be asked together. `jobs` are the processes over which models are spread; 1: there is but this one.
    pub(crate) fn mistake(
        &self,
        engine: &EngineArguments,
        model: &ModelArguments,
        jobs: u16,
    ) -> Option<String> {
        let number = model.process.iter().find(|said| said.parse::<usize>().is_ok());
        if let (None, Some(number)) = (&self.hosts, number) {
            return Some(format!(
                "--process {number}: a number needs --hosts, which says who the others are"
            ));
        }
        let option = if self.hosts.is_some() { "--hosts" } else { "--processes" };
        let spread = [EngineChoice::Auto, EngineChoice::Only(servanda::CLUSTER)].contains(&engine.choice());
        if self.is_asked() && (!spread || engine.bound.is_some()) {
            return Some(format!("{option}: only the engine cluster works in several processes"));
        }
        // Each of the jobs would look for processes that have met already.
        if self.is_asked() && jobs != 1 {
            return Some(format!("--jobs: spreads models, which cannot be together with {option}"));
        }
        if self.hosts.is_some() && self.number.is_none() {
            return Some("--hosts: say with --process which of them this is: a number from 0".to_owned());
        }
        None
    }
}
