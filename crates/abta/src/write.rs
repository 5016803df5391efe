//! Automata as text, one file per format.

mod dot;
mod hoa;
mod json;
mod product;
mod text;

pub use dot::dot;
pub use hoa::hoa;
pub use json::json;
pub use product::{product_json, product_text};
pub use text::text;

/// `(1), (4)`
fn listed(numbers: &[usize]) -> String {
    numbers.iter().map(|number| format!("({number})")).collect::<Vec<_>>().join(", ")
}

/// A string in double quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
