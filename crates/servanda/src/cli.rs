//! The commands, and what they share.

pub(crate) mod abta;
pub(crate) mod args;
pub(crate) mod audit;
mod certificates;
pub(crate) mod check;
pub(crate) mod company;
pub(crate) mod conform;
pub(crate) mod convert;
pub(crate) mod equiv;
pub(crate) mod exit;
pub(crate) mod explain;
mod fleet;
pub(crate) mod fmt;
mod form;
pub(crate) mod input;
pub(crate) mod job;
pub(crate) mod library;
pub(crate) mod limits;
pub(crate) mod lsp;
pub(crate) mod mcp;
pub(crate) mod minimise;
mod next;
mod passing;
mod plot;
pub(crate) mod progress;
pub(crate) mod project;
pub(crate) mod proxy;
mod results;
pub(crate) mod serve;
mod setting;
pub(crate) mod shell;
pub(crate) mod sim;
pub(crate) mod size;
pub(crate) mod states;
pub(crate) mod stopwatch;
pub(crate) mod tap;
pub(crate) mod terminal;
pub(crate) mod values;
mod watcher;

use servanda::host::memory;

use args::{Arguments, Command};
use terminal::Terminal;

/// Does what the command line says, and gives the exit status.
pub(crate) fn run(arguments: Arguments) -> u8 {
    let terminal = Terminal::new(&arguments.display);
    let status = match arguments.command {
        Command::Check(mut check) => {
            check.cluster.jobs = Some(check.jobs);
            check.cluster.take_number(&mut check.model);
            check::run(&check, &terminal.with(company::voice(&check.cluster)))
        }
        Command::Size(mut size) => {
            size.cluster.take_number(&mut size.subject.model);
            size::run(&size, &terminal.with(company::voice(&size.cluster)))
        }
        Command::States(states) => states::run(&states, &terminal),
        Command::Conform(conform) => conform::run(&conform, &terminal),
        Command::Fmt(fmt) => fmt::run(&fmt, &terminal),
        Command::Explain(explain) => explain::run(&explain, &terminal),
        Command::Abta(abta) => abta::run(&abta, &terminal),
        Command::Convert(convert) => convert::run(&convert, &terminal),
        Command::Equiv(equiv) => equiv::run(&equiv, &terminal),
        Command::Minimise(minimise) => minimise::run(&minimise, &terminal),
        Command::Sim(sim) => sim::run(&sim, &terminal),
        Command::Audit(audit) => audit::run(&audit, &terminal),
        Command::Tap(tap) => tap::run(&tap, &terminal),
        Command::Proxy(proxy) => proxy::run(&proxy, &terminal),
        Command::Library { command } => library::run(&command, &terminal),
        Command::Lsp(lsp) => lsp::run(&lsp, &terminal),
        Command::Mcp(mcp) => mcp::run(&mcp, &terminal),
        Command::Job => job::run(&terminal),
        Command::Part(part) => fleet::part(&part, &terminal),
        Command::Serve(serve) => serve::run(&serve, &terminal),
        Command::Completions { shell } => shell::completions(shell, &terminal),
        Command::Man { all: Some(directory), .. } => shell::manual(&directory, &terminal),
        Command::Man { command, all: None } => shell::man(command.as_deref(), &terminal),
    };
    exit::number(status.unwrap_or_else(|refused| refused))
}
