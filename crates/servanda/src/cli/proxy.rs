//! `servanda proxy`

use std::sync::Arc;

use servanda_report::Status;
use servanda_tap::proxy::{Proxy, Terms, address};

use super::args::ProxyArguments;
use super::passing;
use super::terminal::{Ended, Terminal};

/// Passes on what clients and the target say to each other, until Ctrl-C.
pub(crate) fn run(arguments: &ProxyArguments, terminal: &Terminal) -> Ended {
    let passing = &arguments.passing;
    let target = address(&arguments.target)
        .map_err(|error| terminal.fail(&format!("--target {}: {error}", arguments.target)))?;
    let (observer, sitting) = passing::Sitting::begin(passing, "http", terminal)?;
    let tape = passing::tape(passing.log.as_ref(), terminal)?;
    // On an address that others reach, whoever set it up knows by which names; without any the address alone protects.
    let mut hosts = arguments.host.clone();
    if arguments.listen.ip().is_loopback() && hosts.is_empty() {
        hosts.push("localhost".to_owned());
    }
    let terms = Terms {
        target,
        enforce: passing.enforce,
        longest_body: usize::try_from(passing.longest).unwrap_or(usize::MAX),
        most_connections: arguments.connections.max(1),
        hosts,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| terminal.fail(&error.to_string()))?;
    let served = runtime.block_on(async {
        let proxy = Proxy::bind(arguments.listen, terms, Arc::clone(&tape), observer).await;
        let proxy = proxy.map_err(|error| terminal.fail(&format!("{}: {error}", arguments.listen)))?;
        let address = proxy.address().map_err(|error| terminal.fail(&error.to_string()))?;
        let line = format!("http://{address} -> {}\n", arguments.target);
        let written = terminal.write(&line, Status::Wanted);
        proxy.run(servanda_serve::interrupted()).await;
        Ok(written)
    });
    drop(runtime);
    let judged = sitting.end().max(passing::told_failure(&tape, terminal));
    Ok(served?.max(judged))
}
