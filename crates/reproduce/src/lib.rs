//! What the five papers print, set beside what the program gives: their models as families of any size, their formulas, and the page
//! `docs/reproduction.md` made of both. It knows no engine: it runs the program and reads its JSON.

mod family;
mod formulas;
mod ispl;
mod page;
mod project;
mod run;
mod table;

pub use family::{list, model};
pub use page::{Page, families, verdicts, write};
pub use project::project;
pub use run::Servanda;
