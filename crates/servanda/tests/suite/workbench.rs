//! The jobs of the workbench, driven over pipes; every event is judged by the schema.

mod check;
mod explain;
mod format;
mod formula;
mod graph;
mod simulate;
mod talk;
