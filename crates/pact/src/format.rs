//! The standard form of a file.
//!
//! Every statement is printed from what was read, so that spelling and spacing are always the same; neighbours of one
//! kind are aligned. Comments are kept: before a statement, at the end of its line, or, where they stood inside a
//! statement, before it. Of several blank lines between statements one is kept.

mod comments;
mod element;
mod layout;
mod print;
mod protocol;

use servanda_syntax::Diagnostic;

use crate::parse::parse;

pub(crate) use comments::without_comments;
pub(crate) use protocol::scenario_steps;

/// Writes a file in standard form. Mistakes of form are returned; names and types do not matter.
///
/// ```
/// let standard = servanda_pact::format("roles   Cus,Mer // two\n\n\n\nstart idle").unwrap();
/// assert_eq!(standard, "roles Cus, Mer  // two\n\nstart idle\n");
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let file = parse(text, 0);
    if !file.diagnostics.is_empty() {
        return Err(file.diagnostics);
    }
    let elements = element::elements(&file.items);
    let lines = layout::lines(text, comments::comments(text), &elements);
    Ok(print::print(lines))
}
