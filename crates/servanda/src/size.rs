//! Counting states.

use servanda_engine::Options;
use servanda_report::{SizeReport, Space};

use crate::engine::Extent;
use crate::{Loaded, Means, Watch, engine, halt};

/// Finds all reachable states and counts.
pub fn size(loaded: &Loaded, means: Means, watch: Watch<'_>) -> SizeReport {
    let mut report = SizeReport::new(loaded.source.name(), means.usual_engine(Some(loaded.language())));
    report.run.findings.clone_from(&loaded.findings);
    let mut model = loaded.model_report();
    model.space =
        match engine::prepare(loaded, Options::default(), means, Extent::Whole, watch, &mut report.run) {
            Ok(ready) => {
                let counts = ready.count(means.statistics, watch, &mut report.run);
                report.run.diagrams = ready.diagrams();
                let uncounted = || format!("the engine {} does not count states", report.run.engine);
                counts.map_or_else(|| Space::Uncounted { reason: uncounted() }, Space::Whole)
            }
            Err(halt) => halt::partial_space(halt, &loaded.source, &mut report.run).0,
        };
    report.model = Some(model);
    report
}
