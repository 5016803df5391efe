//! Are the acts of a model what they say?

use servanda_abta::decompose::{Claim, decompose_act};
use servanda_engine::{Conformance, Engine, Options};
use servanda_enumerate::Explored;
use servanda_model::Model;
use servanda_report::{ActReport, ClaimReport, ConformReport, DecompositionReport, Space, Written};
use servanda_syntax::Span;

use crate::check::empty;
use crate::halt;
use crate::watch::not_yet_stopped;
use crate::{ENUMERATE, Loaded, Watch};

/// Judges every act of the model and compares every claimed decomposition (docs/formulas.md section 4, "Conformance of
/// acts").
pub fn conform(loaded: &Loaded, watch: Watch<'_>) -> ConformReport {
    let mut report =
        ConformReport { run: loaded.run(ENUMERATE), ..ConformReport::new(loaded.source.name(), ENUMERATE) };
    if loaded.is_empty() {
        report.run.reject([empty(loaded)]);
        return report;
    }
    report.commitments = loaded.model().view_named_commitments();
    let mut model = loaded.model_report();
    let mut phases = Vec::new();

    // Claims and decompositions need no exploring, so they are there whatever becomes of the rest.
    report.claims = loaded.claims().iter().map(|claim| compare(claim, loaded)).collect();
    report.acts = acts(loaded.model());

    let judged = watch.phase(&mut phases, "exploring", || {
        not_yet_stopped(watch)?;
        Explored::new(loaded.model(), Options::default(), watch.budget)
    });
    let judged = match judged {
        Err(halt) => {
            let (space, reason) = halt::partial_space(halt, loaded, &mut report.run);
            model.space = space;
            Err(reason)
        }
        Ok(mut explored) => {
            model.space = Engine::counts(&explored).map_or(Space::NotNeeded, Space::Whole);
            watch
                .phase(&mut phases, "judging acts", || {
                    not_yet_stopped(watch)?;
                    explored.conformance(watch.budget)
                })
                .map_err(|halt| {
                    let (model, source) = (Some(loaded.model()), &loaded.source);
                    let asked = halt::Asked { model, source, span: Span::default() };
                    halt::reason(halt, asked, &mut report.run)
                })
        }
    };
    report.decided = judged.map(|conformance| fill_in(conformance, loaded, &mut report));
    report.run.phases = phases;
    report.model = Some(model);
    report
}

/// The acts of the model with their decompositions, not yet judged.
fn acts(model: &Model) -> Vec<ActReport> {
    let acts = model.acts().into_iter();
    acts.map(|act| {
        let decomposition = decompose_act(model, act);
        let formulas = |state: &Vec<_>| state.iter().map(ToString::to_string).collect();
        ActReport {
            label: model.show_act(act),
            judged: None,
            place: None,
            decomposition: DecompositionReport {
                states: decomposition.states.iter().map(formulas).collect(),
                edges: decomposition
                    .edges
                    .iter()
                    .map(|edge| (edge.from, edge.rule.to_string(), edge.to))
                    .collect(),
            },
        }
    })
    .collect()
}

/// Enters what the engine found about each act.
fn fill_in(conformance: Conformance, loaded: &Loaded, report: &mut ConformReport) {
    for judged in conformance.acts {
        let Some(act) = report.acts.iter_mut().find(|act| act.label == judged.label) else { continue };
        // What agents do in rounds has no one place.
        let written = judged.span != Span::default();
        act.place = written.then(|| Written::at(&loaded.source, judged.span.start));
        act.judged = Some(judged);
    }
    report.turns = conformance.turns;
}

fn compare(claim: &Claim, loaded: &Loaded) -> ClaimReport {
    ClaimReport {
        // A claim may be about an act that labels no transition.
        label: loaded.model().show_act(&claim.act),
        difference: claim.first_difference(loaded.model()),
        place: Written::at(&loaded.source, claim.span.start),
    }
}
