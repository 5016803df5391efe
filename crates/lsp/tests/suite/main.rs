//! The language server, driven by a client.

mod checks;
mod client;
#[allow(clippy::print_stdout, reason = "measurements are printed")]
mod edits;
mod mappings;
mod requests;
