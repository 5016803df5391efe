//! Runs that do not come to their end: limits, Ctrl-C, closed pipes.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::program::command_in;
use crate::program::{LARGE, command, run_in, run_on, run_on_ispl};

#[test]
fn a_time_limit_is_kept_and_what_was_reached_is_told() {
    let started = Instant::now();
    let ran = run_on(LARGE, &["check", "--engine", "enumerate", "--timeout", "300ms", "--format", "json"]);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(ran.status, 3);
    let reached = ran.json()["model"]["reached"]["states"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(reached > 0);
}

#[test]
fn a_memory_limit_is_kept() {
    let ran = run_on(
        LARGE,
        &["size", "--engine", "enumerate", "--memory", "100M", "--timeout", "60s", "--format", "json"],
    );
    assert_eq!(ran.status, 3);
    let object = ran.json();
    assert_eq!(object["model"]["reached"]["reason"], "the memory limit was reached");
    // The watcher looks now and then, so it may be passed a little.
    assert!(object["peak_memory_bytes"].as_u64().unwrap() <= most(100) << 20);
}

/// A limit of memory may be passed by a tenth, or by 64 MB where that is more; all in megabytes.
fn most(limit: u64) -> u64 {
    limit + (limit / 10).max(64)
}

/// Runs the program on a text under a limit in megabytes, and sees to it that the limit is kept: who is ended from outside does not say how
/// much it held. Gives the status and what was written.
#[cfg(target_os = "linux")]
fn within(limit: u64, (name, text): (&str, &str), arguments: &[&str]) -> (Option<i32>, String) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(name), text).unwrap();
    let out = std::fs::File::create(directory.path().join("out")).unwrap();
    let memory = format!("{limit}M");
    let all =
        [&arguments[..1], &[name], &arguments[1..], &["--memory", &memory, "--timeout", "60s"]].concat();
    let mut child = command_in(directory.path(), &all)
        .stdin(Stdio::null())
        .stdout(out.try_clone().unwrap())
        .stderr(out)
        .spawn()
        .unwrap();
    let mut peak = 0;
    let status = loop {
        let known = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = known.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) >> 10);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let said = std::fs::read_to_string(directory.path().join("out")).unwrap();
    assert!(peak <= most(limit), "{arguments:?}: {peak} MB under a limit of {limit} MB\n{said}");
    (status.code(), said)
}

/// So many machines that nothing keeps from moving: 145 bytes that once asked for 10 GB at once.
#[cfg(target_os = "linux")]
fn machines(count: u32) -> String {
    format!(
        "protocol M\nparam N = {count}\nfor i in 1..N {{\n  roles A[i]\n  \
         machine M[i] of A[i] {{ start s  s -- A[i]: go --> t }}\n}}\nproperty p = AG !M[1] in t\n"
    )
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_held_is_told_and_no_allocation_ends_the_program() {
    let (name, text) = ("machines10k.pact", machines(10_000));
    // A search that finds the step at once needs no more.
    let (status, said) = within(1024, (name, &text), &["check", "--engine", "sat"]);
    assert_eq!(status, Some(1), "{said}");
    let (status, said) = within(1024, (name, &text), &["check", "--engine", "enumerate"]);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("the memory limit was reached"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn tables_ask_before_they_grow() {
    let (name, text) = ("machines2k.pact", machines(2_000));
    // Beside others `tableau` may be refused room and one of them have the answer, so it is asked alone.
    for arguments in [["check", "--engine", "enumerate"], ["size", "--engine", "tableau"]] {
        let (status, said) = within(150, (name, &text), &arguments);
        assert_eq!(status, Some(3), "{arguments:?}: {said}");
        assert!(said.contains("the memory limit was reached"), "{arguments:?}: {said}");
    }
}

/// Every action used to be compared with every line: 160,000 of them took more than anybody waits for.
#[cfg(target_os = "linux")]
#[test]
fn very_many_actions_are_read_in_proportion_to_their_number() {
    let count = 160_000;
    let names: Vec<String> = (0..count).map(|at| format!("a{at}")).collect();
    let names = names.join(", ");
    let lines: String =
        (0..count).step_by(8).map(|at| format!("x = {} if Action = a{at}; ", at % 4)).collect();
    let text = format!(
        "Agent Environment\n Obsvars: x : 0 .. 3; end Obsvars\n Actions = {{{names}}};\n \
         Protocol: Other: {{{names}}}; end Protocol\n Evolution: {lines}end Evolution\nend Agent\n\
         Agent B\n Vars: y : boolean; end Vars\n Actions = {{n}};\n Protocol: Other: {{n}}; end Protocol\n \
         Evolution: y = true if y = false; end Evolution\nend Agent\n\
         Evaluation done if Environment.x = 3; end Evaluation\n\
         InitStates Environment.x = 0 and B.y = false; end InitStates\nFormulae AG !done; end Formulae\n"
    );
    let (status, said) = within(512, ("actions.ispl", &text), &["size"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("states"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_still_reports() {
    let mut child = command(&["check", "-", "--input", "pact", "--engine", "enumerate", "--timeout", "60s"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(LARGE.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("? low  unknown: the run was interrupted"), "{stdout}");
}

#[cfg(unix)]
fn send(signal: &str, child: &std::process::Child) {
    let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// A run that is stuck: it waits for an input that does not come, and asks nobody meanwhile whether to go on.
#[cfg(unix)]
fn stuck(arguments: &[&str]) -> std::process::Child {
    let child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    child
}

/// Output, status and the time it took to end.
#[cfg(unix)]
fn ended(mut child: std::process::Child) -> (String, String, Option<i32>, Duration) {
    let signalled = Instant::now();
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code(), signalled.elapsed())
}

/// Processes of a loaded machine are late; who is stuck would never end.
const SOON: Duration = Duration::from_secs(10);

#[cfg(unix)]
#[test]
fn termination_ends_a_run_that_is_stuck_with_a_whole_document_of_what_was_found() {
    let child = stuck(&["check", "examples/tunnel.pact", "-", "--input", "pact", "--format", "json"]);
    send("-TERM", &child);
    let (stdout, stderr, status, time) = ended(child);
    assert!(time < SOON, "{time:?}");
    assert_eq!((stderr.as_str(), status), ("", Some(3)));
    let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(document["files"][0]["properties"][0]["verdict"], "false");
    assert_eq!(document["files"][1]["model"], serde_json::Value::Null);
    let note = &document["files"][1]["diagnostics"][0];
    assert_eq!(note["message"], "nothing is decided: the run was interrupted");
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_a_run_at_once() {
    let child = stuck(&["check", "-", "--input", "pact"]);
    send("-INT", &child);
    std::thread::sleep(Duration::from_millis(100));
    send("-INT", &child);
    let (stdout, _, status, time) = ended(child);
    assert!(time < SOON, "{time:?}");
    // On a loaded machine the first one may have ended it before the second one came.
    assert!(status == Some(130) || (status == Some(3) && !stdout.is_empty()), "{status:?}: {stdout}");
}

#[cfg(unix)]
#[test]
fn every_command_with_limits_can_be_ended_while_it_is_stuck() {
    for command in
        [&["size", "-"][..], &["conform", "-"], &["minimise", "-"], &["convert", "-", "--to", "aut"]]
    {
        let child = stuck(&[command, &["--input", "pact"]].concat());
        send("-TERM", &child);
        let (stdout, stderr, status, time) = ended(child);
        assert!(time < SOON, "{command:?}: {time:?}");
        assert_eq!((stdout.as_str(), status), ("", Some(3)), "{command:?}");
        assert_eq!(stderr, "undecided: the run was interrupted\n", "{command:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_time_limit_ends_a_run_that_is_stuck() {
    let child = stuck(&["check", "-", "--input", "pact", "--timeout", "300ms"]);
    let (stdout, _, status, time) = ended(child);
    assert!(time < SOON, "{time:?}");
    assert_eq!(status, Some(3));
    assert!(stdout.contains("nothing is decided: the time limit was reached"), "{stdout}");
}

/// `servanda check ... | head -0` used to be the classic way to make a program panic.
#[test]
fn a_closed_pipe_is_no_error() {
    for format in ["text", "json"] {
        let mut child = command(&["check", "-", "--input", "pact", "--format", format])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        // The program writes after it has read, so the pipe is closed by then.
        let text = "protocol P\nroles A\nstart s\ns -- A: go --> s\nproperty p = AG in s\n";
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

/// So many agents with two actions each that nobody will see the second state.
fn crowd() -> String {
    let agent = |number: usize| {
        format!(
            "Agent A{number}\n  Vars: x: boolean; end Vars\n  Actions = {{a, b}};\n  Protocol: Other: {{a, b}}; end Protocol\n  \
             Evolution: x = true if Action = b; end Evolution\nend Agent\n"
        )
    };
    let agents: String = (0..50).map(agent).collect();
    let initial: Vec<String> = (0..50).map(|number| format!("A{number}.x = false")).collect();
    format!(
        "{agents}Evaluation\n  met if A0.x = true;\nend Evaluation\nInitStates\n  {};\nend InitStates\nFormulae\n  AG (!met -> EX met);\nend Formulae\n",
        initial.join(" and ")
    )
}

/// It used to be asked between two states only whether to go on.
#[test]
fn limits_are_kept_within_a_state_that_has_very_many_joint_actions() {
    let ispl = crowd();
    for arguments in [
        &["check", "--engine", "enumerate", "--timeout", "300ms"][..],
        &["check", "--engine", "tableau", "--timeout", "300ms"],
        &["size", "--engine", "tableau", "--threads", "2", "--timeout", "300ms"],
        &["minimise", "--timeout", "300ms"],
    ] {
        let started = Instant::now();
        let ran = run_on_ispl(&ispl, arguments);
        assert_eq!(ran.status, 3, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        assert!(started.elapsed() < Duration::from_secs(20), "{arguments:?}");
    }
}

#[test]
fn a_state_that_has_very_many_joint_actions_is_not_drawn_and_can_be_stepped_from() {
    let ispl = crowd();
    let ran = run_on_ispl(&ispl, &["convert", "--to", "dot"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("more than 8192 transitions, too many to draw"), "{}", ran.stderr);
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("crowd.ispl"), ispl).unwrap();
    let ran = run_in(directory.path(), &["sim", "crowd.ispl", "--random", "2", "--seed", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("A0.a"), "{}", ran.stdout);
}

/// No state satisfies the initial condition, and that shows only when all variables have values.
#[test]
fn limits_are_kept_while_initial_states_are_looked_for() {
    let variables: String = (0..40).map(|number| format!("x{number} : 0 .. 3; ")).collect();
    // The sum is even, which no range of values tells.
    let sum: Vec<String> = (0..40).map(|number| format!("A.x{number} + A.x{number}")).collect();
    let ispl = format!(
        "Agent A\n  Vars: {variables} end Vars\n  Actions = {{a}};\n  Protocol: Other: {{a}}; end Protocol\n  \
         Evolution: x0 = 1 if x0 = 0; end Evolution\nend Agent\nEvaluation\n  met if A.x0 = 1;\nend Evaluation\n\
         InitStates\n  {} = 121;\nend InitStates\nFormulae\n  AG met;\nend Formulae\n",
        sum.join(" + ")
    );
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("sum.ispl"), ispl).unwrap();
    for arguments in [
        &["check", "sum.ispl", "--engine", "enumerate", "--timeout", "300ms"][..],
        &["check", "sum.ispl", "--engine", "tableau", "--timeout", "300ms"],
        &["convert", "sum.ispl", "--to", "dot", "--timeout", "300ms"],
        &["sim", "sum.ispl", "--random", "2", "--timeout", "300ms"],
    ] {
        let started = Instant::now();
        let ran = run_in(directory.path(), arguments);
        assert_eq!(ran.status, 3, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        assert!(started.elapsed() < Duration::from_secs(20), "{arguments:?}");
    }
}

/// Every state of a grid of internal steps can become any below it and to the right: saturating squares the number of transitions.
#[test]
fn limits_are_kept_while_a_system_is_saturated() {
    const SIDE: usize = 200;
    let mut transitions = Vec::new();
    for state in 0..SIDE * SIDE {
        if state + SIDE < SIDE * SIDE {
            transitions.push(format!("({state}, \"tau\", {})", state + SIDE));
        }
        if state % SIDE + 1 < SIDE {
            transitions.push(format!("({state}, \"tau\", {})", state + 1));
        }
        transitions.push(format!("({state}, \"a{state}\", {})", SIDE * SIDE));
    }
    let header = format!("des (0, {}, {})", transitions.len(), SIDE * SIDE + 1);
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("grid.aut"), format!("{header}\n{}\n", transitions.join("\n")))
        .unwrap();
    let started = Instant::now();
    let ran = run_in(directory.path(), &["minimise", "grid.aut", "--relation", "weak", "--timeout", "500ms"]);
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// Diagrams of a product take minutes, and nobody used to ask meanwhile.
#[test]
fn a_time_limit_is_kept_while_the_model_is_encoded() {
    let product = "protocol Product\nroles A\nvar x, y : 0..4095 = {0, 4095}\nvar z : 0..16769025 = 0\nstart s\n\
                   s -- A: up when x < 4095 set x = x + 1 --> s\ns -- A: times set z = x * y --> s\n\
                   property never = AG z != 16769023\n";
    let started = Instant::now();
    let ran = run_on(product, &["check", "--engine", "bdd", "--timeout", "300ms"]);
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(started.elapsed() < Duration::from_secs(20));
}
