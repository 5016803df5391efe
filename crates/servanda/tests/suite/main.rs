//! The program as users and scripts meet it.

// What helpers of tests cannot do, the test fails at.
#![allow(clippy::unwrap_used)]

mod abta;
mod action;
mod audit;
mod audit_formats;
mod ccs;
mod check;
mod code_flows;
mod conform;
mod convert;
mod dependencies;
mod engines;
mod equiv;
mod error_pages;
mod evidence;
mod exit_status;
mod explain;
mod facade;
mod fmt;
mod formats;
mod guide;
mod help;
mod input;
mod ispl;
mod itf;
mod library;
mod library_command;
mod lsp;
mod mcp;
mod minimise;
mod nested;
mod packages;
mod papers;
mod part_two;
mod product;
mod program;
mod project;
mod proxy;
mod readme;
mod recall;
mod scenarios;
mod schema;
mod serve;
mod sim;
mod size;
mod states;
mod stopping;
mod sweep;
mod systems;
mod tap;
mod time;
mod trace;
mod workbench;
