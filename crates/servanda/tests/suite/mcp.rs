//! `servanda mcp`, spoken to without any library: what assistants say, and what nobody should. Every conversation that keeps the rules is
//! judged by our own auditor at its end.

mod ending;
mod http;
mod page;
mod rough;
mod talk;
mod texts;
mod tools;
