//! What the jobs of the workbench do: one file per kind.
//!
//! A job is asked one [`Request`] and tells [`Event`]s; some converse and take [`Say`]s. Where they come from and go to is the business
//! of whoever runs the job: nothing here reads or writes anything.

mod audit;
mod check;
mod desk;
mod draw;
mod evidence;
mod explain;
mod format;
mod formula;
mod graph;
mod places;
mod scribe;
mod simulate;
mod subject;
mod survey;

pub use desk::{Desk, Files, Page};
pub use servanda_messages::*;

/// Does what is asked; ends when that is done, or when nobody says anything more.
pub fn run(request: &Request, desk: Desk<'_>) {
    match request {
        Request::Check { subject, properties, formulas, engine, explain, .. } => {
            check::run(subject, (properties, formulas), (engine.as_deref(), *explain), desk);
        }
        Request::Explain { subject, property, formula, chart, .. } => {
            explain::run(subject, (property.as_ref(), formula.as_ref()), *chart, desk);
        }
        Request::Draw { subject, property, formula, format, .. } => {
            draw::run(subject, (property.as_ref(), formula.as_ref()), *format, desk);
        }
        Request::Simulate { subject, seed, .. } => {
            simulate::run(subject, Desk { seed: seed.unwrap_or(desk.seed), ..desk });
        }
        Request::Format { subject, .. } => format::run(subject, desk),
        Request::Graph { subject, by, most, .. } => graph::run(subject, by, *most, desk),
        Request::Formula { subject, formula, .. } => formula::run(subject, formula, desk),
        Request::Audit(request) => audit::run(request, desk),
    }
}
