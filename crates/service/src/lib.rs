//! The language service: what editors ask about a text, answered without reading a file or knowing a protocol of editors.
//!
//! A [`Text`] takes edits; [`Analysis::new`] reads it and says what is wrong with it, exactly what `servanda check` says when it reads the
//! file, and what its names stand for. Everything else ([`complete()`], [`hover()`], [`fixes()`], [`coloured`]) answers from that.
//!
//! ```
//! use servanda_service::{Analysis, Language};
//!
//! let analysis = Analysis::new(Language::Pact, "a.pact", "roles Cus\nred Cud : true\n", &mut servanda_service::nothing);
//! assert_eq!(analysis.diagnostics[0].help.as_deref(), Some("did you mean `Cus`?"));
//! let fixes = servanda_service::fixes(&analysis, &analysis.diagnostics[0]);
//! assert_eq!(fixes[0].edits[0].1, "Cus");
//! ```

mod analysis;
mod colour;
mod complete;
mod fixes;
mod hover;
mod mapping;
mod reserved;
mod text;

pub use analysis::{Analysis, FindText, Language, names, nothing};
pub use colour::{Colour, coloured};
pub use complete::{Completion, CompletionKind, complete};
pub use fixes::{Fix, accept, fixes};
pub use hover::hover;
pub use mapping::Vocabulary;
pub use reserved::unfit;
pub use text::{Position, Text};
