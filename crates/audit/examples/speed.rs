//! How fast lines are judged and how much memory that takes, on made MCP sessions.
//!
//! ```text
//! cargo run --release -p servanda-audit --example speed -- lines 2000000 MAPPING MODELS [MAX_KEYS]
//! cargo run --release -p servanda-audit --example speed -- slices 1000000 MAPPING MODELS
//! ```
//!
//! `MAPPING` is a mapping of the lines of a stdio tap, `MODELS` the directory of its models.

#![expect(clippy::print_stdout, reason = "it is a program")]

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use servanda_audit::mapping::Mapping;
use servanda_audit::{Asked, Auditor, Finding, Line, Options};
use servanda_engine::NoLimits;
use servanda_syntax::SourceFile;

/// Sessions that talk at the same time.
const AT_ONCE: usize = 100;

/// Requests of a session.
const REQUESTS: u64 = 200;

/// A session that is made up.
struct Session {
    name: String,
    step: u64,
}

/// Makes lines of about 250 bytes, those of many sessions in turn.
struct Lines {
    sessions: Vec<Session>,
    made: u64,
    turn: usize,
    line: String,
}

impl Lines {
    fn new() -> Self {
        let sessions = (0..AT_ONCE).map(|number| Session { name: format!("session-{number:08}"), step: 0 });
        Lines { sessions: sessions.collect(), made: AT_ONCE as u64, turn: 0, line: String::new() }
    }

    fn next(&mut self) -> &str {
        self.turn = (self.turn + 1) % self.sessions.len();
        let session = &mut self.sessions[self.turn];
        let (name, step) = (&session.name, session.step);
        let line = &mut self.line;
        line.clear();
        let id = (step.saturating_sub(3)) / 3 + 2;
        let open = format!("{{\"t\":{}.{:06},\"session\":\"{name}\",\"from\"", step, step * 7 % 1_000_000);
        let written = match step {
            0 => write!(
                line,
                "{open}:\"client\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{{\"elicitation\":{{\"form\":{{}},\"url\":{{}}}}}},\"clientInfo\":{{\"name\":\"mcp\",\"version\":\"0.1.0\"}}}}}}}}"
            ),
            1 => write!(
                line,
                "{open}:\"server\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{{\"tools\":{{}}}},\"serverInfo\":{{\"name\":\"made\",\"version\":\"1\"}}}}}}}}"
            ),
            2 => write!(
                line,
                "{open}:\"client\",\"msg\":{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}}}"
            ),
            _ if id > REQUESTS => write!(line, "{open}:\"client\",\"eof\":true}}"),
            _ => match step % 3 {
                0 => write!(
                    line,
                    "{open}:\"client\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"build\",\"arguments\":{{\"steps\":3,\"target\":\"release\",\"path\":\"/srv/projects/made-up/module\"}},\"_meta\":{{\"progressToken\":{id}}}}}}}}}"
                ),
                1 => write!(
                    line,
                    "{open}:\"server\",\"msg\":{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":{id},\"progress\":1,\"total\":3,\"message\":\"step 1: compiling what was changed since the last time it was built\"}}}}}}"
                ),
                _ => write!(
                    line,
                    "{open}:\"server\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"built without a warning, see target/release for what it made\"}}],\"isError\":false,\"structuredContent\":{{\"result\":\"built\"}}}}}}}}"
                ),
            },
        };
        written.expect("a text can always be written to");
        session.step += 1;
        if id > REQUESTS && step > 2 {
            *session = Session { name: format!("session-{:08}", self.made), step: 0 };
            self.made += 1;
        }
        line
    }
}

/// The time that this process has had a core for, in seconds: other programs do not count.
fn core_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// The memory of this process in megabytes: now, and at most so far.
fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        number.unwrap_or(0) / 1024
    };
    (field("VmRSS:"), field("VmHWM:"))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, count, mapping, models, rest @ ..] = &arguments[..] else {
        panic!("speed lines|slices COUNT MAPPING MODELS [MAX_KEYS]");
    };
    let count: u64 = count.parse().expect("a number");
    let text = std::fs::read_to_string(mapping).expect("a mapping");
    let (mapping, found) = Mapping::read(&SourceFile::new(mapping, text));
    let mapping = mapping.unwrap_or_else(|| panic!("{found:?}"));
    let load = |name: &str| {
        let text = std::fs::read_to_string(Path::new(models).join(name)).expect("a model");
        servanda_pact::load(&SourceFile::new(name, text), &[]).protocol.expect("a model without mistakes")
    };
    let protocols: Vec<_> = mapping.views.iter().map(|view| load(&view.model.text)).collect();
    let asked: Vec<Asked<'_>> =
        protocols.iter().map(|it| Asked { model: &it.model, properties: &it.properties }).collect();
    let max_keys = rest.first().and_then(|number| number.parse().ok()).unwrap_or(usize::MAX);
    let options = Options { max_keys, ..Options::default() };
    let mut auditor =
        Auditor::new(&mapping, &asked, options, &NoLimits).expect("models that can be followed");
    if mode == "slices" { slices(count, &mut auditor) } else { lines(count, &mut auditor) }
}

fn lines(count: u64, auditor: &mut Auditor<'_>) {
    let mut findings: Vec<Finding> = Vec::new();
    let mut made = Lines::new();
    // What is made is made before it is judged, so that only judging is measured.
    let batch = 200_000.min(count);
    let (mut done, mut time, mut bytes) = (0u64, 0.0, 0u64);
    while done < count {
        let mut texts = String::new();
        let mut ends = Vec::new();
        for _ in 0..batch {
            texts.push_str(made.next());
            ends.push(texts.len());
        }
        bytes += texts.len() as u64;
        let (start, mut from) = (core_time(), 0);
        for end in ends {
            done += 1;
            let at = Line { file: 0, line: done };
            auditor.push(&texts.as_bytes()[from..end], at, &mut findings, &NoLimits).expect("no limit");
            from = end;
        }
        time += core_time() - start;
        if done.is_multiple_of(10 * batch) || done >= count {
            let (now, most) = memory();
            let live = auditor.stats().live;
            println!(
                "{done} lines, {:.0} a second and core, {now} MB now, {most} MB at most, {live} slices",
                done as f64 / time
            );
        }
    }
    println!(
        "{:.0} bytes a line, {} findings, {:?}",
        bytes as f64 / done as f64,
        findings.len(),
        auditor.stats()
    );
    for finding in findings.iter().take(3) {
        println!("{:?} {} {:?}", finding.at, finding.message, finding.key);
    }
}

fn slices(count: u64, auditor: &mut Auditor<'_>) {
    let mut findings: Vec<Finding> = Vec::new();
    let (before, _) = memory();
    let start = Instant::now();
    for number in 0..count {
        let (session, id) = (number / 1000, number % 1000);
        let line = format!(
            "{{\"t\":{number},\"session\":\"session-{session:08}\",\"from\":\"client\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}}}"
        );
        let at = Line { file: 0, line: number + 1 };
        auditor.push(line.as_bytes(), at, &mut findings, &NoLimits).expect("no limit");
    }
    let (now, most) = memory();
    let stats = auditor.stats();
    println!(
        "{} slices, {} entries of tables, {} MB more, {most} MB at most, {:.1} s, {} findings",
        stats.live,
        stats.stored,
        now.saturating_sub(before),
        start.elapsed().as_secs_f64(),
        findings.len()
    );
}
