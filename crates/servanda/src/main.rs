//! The command line of Servanda.

mod cli;

use std::process::ExitCode;

use crate::cli::args::{Arguments, Command};
use crate::cli::terminal::Terminal;

/// Loading a large model makes and frees millions of small pieces; this allocator does it in less than half the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::read();
    let terminal = Terminal::new(&arguments.display);
    let status = match arguments.command {
        Command::Check(check) => cli::check::run(&check, &terminal),
        Command::Size(size) => cli::size::run(&size, &terminal),
        Command::States(states) => cli::states::run(&states, &terminal),
        Command::Conform(conform) => cli::conform::run(&conform, &terminal),
        Command::Fmt(fmt) => cli::fmt::run(&fmt, &terminal),
        Command::Explain(explain) => cli::explain::run(&explain, &terminal),
        Command::Abta(abta) => cli::abta::run(&abta, &terminal),
        Command::Convert(convert) => cli::convert::run(&convert, &terminal),
        Command::Equiv(equiv) => cli::equiv::run(&equiv, &terminal),
        Command::Minimise(minimise) => cli::minimise::run(&minimise, &terminal),
        Command::Sim(sim) => cli::sim::run(&sim, &terminal),
        Command::Audit(audit) => cli::audit::run(&audit, &terminal),
        Command::Tap(tap) => cli::tap::run(&tap, &terminal),
        Command::Proxy(proxy) => cli::proxy::run(&proxy, &terminal),
        Command::Library { command } => cli::library::run(&command, &terminal),
        Command::Lsp(lsp) => cli::lsp::run(&lsp, &terminal),
        Command::Mcp(mcp) => cli::mcp::run(&mcp, &terminal),
        Command::Job => cli::job::run(&terminal),
        Command::Serve(serve) => cli::serve::run(&serve, &terminal),
        Command::Completions { shell } => cli::shell::completions(shell, &terminal),
        Command::Man { all: Some(directory), .. } => cli::shell::manual(&directory, &terminal),
        Command::Man { command, all: None } => cli::shell::man(command.as_deref(), &terminal),
    };
    ExitCode::from(cli::exit::number(status.unwrap_or_else(|refused| refused)))
}
