//! Counting states.

use servanda_engine::Options;
use servanda_enumerate::Explored;
use servanda_report::{Counts, SizeReport, Space};

use crate::check::not_yet_stopped;
use crate::{ENGINE, Loaded, Watch, halt};

/// Explores the whole state space and counts.
pub fn size(loaded: &Loaded, watch: Watch<'_>) -> SizeReport {
    let mut report = SizeReport::new(loaded.source.name(), ENGINE);
    report.run.findings.clone_from(&loaded.findings);
    let mut model = loaded.model_report();
    let mut phases = Vec::new();
    let explored = watch.phase(&mut phases, "exploring", || {
        not_yet_stopped(watch)?;
        Explored::new(loaded.model(), Options::default(), watch.monitor)
    });
    model.space = match explored {
        Ok(explored) => Space::Whole(counts(&explored.counts())),
        Err(halt) => halt::partial_space(halt, &loaded.source, &mut report.run).0,
    };
    report.run.phases = phases;
    report.model = Some(model);
    report
}

pub(crate) fn counts(counts: &servanda_enumerate::Counts) -> Counts {
    Counts {
        states: counts.states,
        transitions: counts.transitions,
        deadlocks: counts.deadlocks,
        initial: counts.initial,
        diameter: counts.diameter,
        bytes: counts.bytes,
    }
}
