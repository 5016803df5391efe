//! `servanda mcp`

use std::env;
use std::ffi::OsString;
use std::io::{self, ErrorKind};

use servanda_mcp::{Server, Settings};
use servanda_report::{Detail, Status};
use servanda_serve::{Program, interrupted, token};

use super::args::McpArguments;
use super::serve::{limits, warn_if_reachable};
use super::terminal::{Ended, Terminal};

/// Where the token is, which assistants over HTTP send with every request.
const TOKEN: &str = "SERVANDA_MCP_TOKEN";

/// Shorter ones can be guessed.
const SHORTEST: usize = 16;

/// Serves assistants until the other side, or Ctrl-C, ends it.
pub(crate) fn run(arguments: &McpArguments, terminal: &Terminal) -> Ended {
    let failed = |error: io::Error| {
        terminal.fail(&match (error.kind(), &arguments.http) {
            (ErrorKind::AddrInUse, Some(listen)) => {
                format!("{listen}: another program listens there; with `--http 127.0.0.1:0` any free port is taken")
            }
            _ => error.to_string(),
        })
    };
    // Who is started by another program is where that is, which may be the top of everything.
    if let Ok(top) = arguments.within.canonicalize()
        && top.parent().is_none()
    {
        return Err(terminal.fail("--within: all files of this machine are too many; name a directory"));
    }
    let server = settings(arguments).and_then(Server::new).map_err(failed)?;
    let Some(listen) = &arguments.http else {
        server.stdio(interrupted()).map_err(failed)?;
        return Ok(Status::Wanted);
    };
    let (secret, is_given) = match env::var(TOKEN) {
        Ok(secret) if secret.len() < SHORTEST => {
            return Err(terminal.fail(&format!("{TOKEN} has fewer than {SHORTEST} characters")));
        }
        Ok(secret) => (secret, true),
        Err(_) => (token().map_err(failed)?, false),
    };
    let http = server.http(listen, secret).map_err(failed)?;
    if terminal.detail != Detail::Quiet {
        let shown = arguments.within.display();
        terminal.complain(&format!("Serving {shown} to assistants; Ctrl-C ends it.\n"));
    }
    warn_if_reachable(http.address(), terminal);
    let mut line = format!("{}\n", http.link());
    if !is_given {
        line += &format!("Authorization: Bearer {}\n", http.token());
    }
    let status = terminal.write(&line, Status::Wanted);
    http.run(interrupted()).map_err(failed)?;
    Ok(status)
}

/// Jobs are this program again.
fn settings(arguments: &McpArguments) -> io::Result<Settings> {
    Ok(Settings {
        directory: arguments.within.clone(),
        job: Program { path: env::current_exe()?, arguments: vec![OsString::from("job")] },
        limits: limits(&arguments.limits, arguments.jobs),
        version: env!("CARGO_PKG_VERSION"),
    })
}
