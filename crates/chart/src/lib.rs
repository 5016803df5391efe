//! Evidence as message charts, and models as state graphs.
//!
//! [`explanation`] turns the evidence for a verdict into an [`Explanation`], plain data in the words of the user: charts with agents
//! as lifelines, acts and messages as arrows, commitments as bars. [`text()`], [`svg()`], [`mermaid()`] and [`html()`] write it;
//! they decide nothing and can be tested with charts made by hand. [`StateGraph`] is all reachable states of a small model, written
//! by [`dot()`], [`graph_svg()`] and [`graph_json()`].
//!
//! ```
//! use servanda_chart::{Chart, Explanation, Happening, Moment, Section, Step, text};
//!
//! let pay = Happening::Message { from: 0, to: vec![1], label: "pay".to_owned() };
//! let step = Step { happening: pay, full: String::new(), after: Moment::default() };
//! let lifelines = vec!["Cus".to_owned(), "Mer".to_owned()];
//! let chart = Chart { lifelines, steps: vec![step], ..Chart::default() };
//! let explanation = Explanation { sections: vec![Section::Chart(chart)], ..Explanation::default() };
//! assert!(text(&explanation, 80).contains("── pay ──▶"));
//! ```

mod build;
mod data;
mod escape;
mod graph;
mod html;
mod layout;
mod mermaid;
mod svg;
mod text;

pub use build::{Happenings, explanation};
pub use data::{
    Bar, Chart, Commitment, End, Explanation, Flight, Fold, Happening, Landing, Moment, Plan, Section, Step,
};
pub use graph::{
    Boxed, GraphFailure, Highlight, MOST_STATES, Picture, StateGraph, Transition, dot, graph_json, graph_svg,
};
pub use html::html;
pub use mermaid::mermaid;
pub use svg::svg;
pub use text::text;
