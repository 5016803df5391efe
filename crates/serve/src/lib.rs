//! The server of the workbench.
