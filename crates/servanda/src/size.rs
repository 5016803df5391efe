//! Counting states.

use servanda_engine::{Halt, Options};
use servanda_report::{CheckReport, Space};

use crate::engine::{self, Plan, Setup, Task};
use crate::{EngineChoice, EngineOptions, Loaded, Watch, check, halt};

/// Finds all reachable states and counts.
pub fn size(loaded: &Loaded, chosen: EngineOptions, watch: Watch<'_>) -> CheckReport {
    let plan = Plan::new(loaded, chosen.engine);
    let mut report = CheckReport { run: loaded.run(plan.lead()), ..CheckReport::default() };
    let mut model = loaded.model_report();
    let lowered = engine::lower(loaded, &[], Options::default());
    let setup = Setup::new(&lowered, Options::default(), chosen);
    let outcome = engine::run(&plan, setup, Task { questions: &[], skipped: &[], whole: true }, None, watch);
    report.run.choice = (chosen.engine == EngineChoice::Auto).then(|| outcome.choice(&plan));
    let (mut engines, mut halts) = (Vec::new(), Vec::new());
    for worked in outcome.worked {
        match worked.engine {
            Ok(engine) if engine.is_explored() && engines.is_empty() => {
                report.run.engine = worked.name;
                report.run.diagrams = engine.diagrams();
                report.run.symmetry = engine.symmetry_savings(watch.budget);
                report.run.spread = engine.spread();
                report.run.phases = worked.phases;
                engines.push(engine);
            }
            Ok(_) => {}
            Err(halt) => halts.push(halt),
        }
    }
    model.space = match check::count(&mut engines, chosen.statistics, watch, &mut report.run) {
        Some(counts) => Space::Whole(counts),
        None => match halts.into_iter().next() {
            Some(Halt::TooLarge(reason)) => Space::Uncounted { reason },
            Some(halt) => halt::partial_space(halt, loaded, &mut report.run).0,
            None => {
                let reason = format!("the engine {} does not count states", report.run.engine);
                Space::Uncounted { reason }
            }
        },
    };
    report.model = Some(model);
    report
}
