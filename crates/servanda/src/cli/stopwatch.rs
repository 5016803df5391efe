//! What only the program itself can tell of a run: time and memory.

use std::time::Instant;

use servanda_report::{Phase, Run};

use super::memory;

/// Loads what a report is about and makes it, and enters time and memory into the `run` that it has.
pub(crate) fn measured<L, R>(
    load: impl FnOnce() -> L,
    report: impl FnOnce(L) -> R,
    run: impl FnOnce(&mut R) -> &mut Run,
) -> R {
    let started = Instant::now();
    let loaded = load();
    let loading = started.elapsed().as_secs_f64();
    let mut report = report(loaded);
    let run = run(&mut report);
    run.phases.insert(0, Phase { name: "loading", seconds: loading });
    run.seconds = started.elapsed().as_secs_f64();
    run.peak_memory_bytes = memory::peak();
    report
}
