//! One process of a fleet: does one part of a check, and tells what comes of it.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use super::super::args::{
    Arguments, CheckArguments, CheckFormat, ClusterArguments, PartArguments, PlotArguments,
};
use super::super::exit::ABORTED;
use super::super::terminal::{Ended, Terminal};
use super::super::watcher::stop_running;
use super::super::{check, job};
use super::Order;

/// One part of a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Which: models and their settings are counted from 0, in their order.
    pub(crate) number: usize,
    /// The time that is left.
    pub(crate) left: Option<Duration>,
    /// How many processes may be at work at a time.
    pub(crate) jobs: usize,
}

/// Does the part that the first line of standard input names.
pub(crate) fn part(arguments: &PartArguments, terminal: &Terminal) -> Ended {
    let lines = job::lines(&Arc::new(AtomicBool::new(false)));
    let order: Order = serde_json::from_slice(&lines.recv().unwrap_or_default())
        .map_err(|error| terminal.fail(&format!("the part has no meaning: {error}")))?;
    let mut whole =
        Arguments::of_check(&arguments.whole).map_err(|error| terminal.fail(&error.to_string()))?;
    whole.cluster.take_number(&mut whole.model);
    // Whoever says more wants the work to end.
    thread::spawn(move || {
        while lines.recv().is_ok() {
            if !stop_running() {
                exit(ABORTED);
            }
        }
    });
    let part = Part {
        number: order.part,
        left: order.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        jobs: whole.most_jobs(),
    };
    let own = CheckArguments {
        format: CheckFormat::Part,
        output: None,
        plot: PlotArguments { plot: None },
        jobs: 1,
        // The hosts are those of the whole.
        cluster: ClusterArguments::default(),
        ..whole
    };
    check::run_part(&own, part, terminal)
}
