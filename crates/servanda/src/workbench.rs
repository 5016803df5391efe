//! What the jobs of the workbench do: one file per kind.
//!
//! A job is asked one [`Request`] and tells [`Event`]s; some converse and take [`Say`]s. Where they come from and go to is the business
//! of whoever runs the job: nothing here reads or writes anything.

mod check;
mod desk;
mod draw;
mod messages;
mod places;
mod subject;

pub use desk::{Desk, Files, Page};
pub use messages::*;

/// Does what is asked; ends when that is done, or when nobody says anything more.
pub fn run(request: &Request, desk: Desk<'_>) {
    match request {
        Request::Check { subject, properties, formulas, engine, .. } => {
            check::run(subject, (properties, formulas), engine.as_deref(), desk);
        }
        Request::Draw { subject, property, formula, format, .. } => {
            draw::run(subject, (property.as_ref(), formula.as_ref()), *format, desk);
        }
        Request::Audit(_) => desk.refuse("logs are not judged here yet"),
        _ => desk.refuse("this is not done here yet"),
    }
}
