//! States on disk and checkpoints, as users meet them: runs that are killed and gone on with, full disks, mistakes.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::program::{Ran, command_in, run_in};

/// A model of 110,000 states.
const COUNTERS: &str = "roles Clerk[1..5]
var digit[1..5] : 0..9 = 0
var half : bool = true
start s
for i in 1..5 { s -- Clerk[i]: turn when digit[i] < 9 | i > 1 set digit[i] = (digit[i] + 1) % 10 --> s }
s -- Clerk[1]: halve when digit[1] = 4 set half = false --> t
property far expect false = AG !(digit[1] = 9 & digit[2] = 9)
";

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("counters.pact"), COUNTERS).unwrap();
    directory
}

fn counts(ran: &Ran) -> Vec<String> {
    let wanted = |line: &&str| {
        ["states", "transitions", "deadlocks", "diameter"].iter().any(|word| line.trim().starts_with(word))
    };
    ran.stdout.lines().filter(wanted).map(str::to_owned).collect()
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_right_counts() {
    let directory = directory();
    let expected = counts(&run_in(directory.path(), &["size", "counters.pact", "--engine", "enumerate"]));
    assert_eq!(expected.len(), 4);
    let mut arguments =
        vec!["size", "counters.pact", "--memory", "42M", "--spill", "spill", "--every", "10ms"];
    arguments.extend(["--checkpoint", "kept", "--resume", "kept"]);
    for (kill, workers) in ["1", "2", "3", "2", "1"].into_iter().enumerate() {
        let mut child =
            command_in(directory.path(), &[&arguments[..], &["--workers", workers, "-q"]].concat())
                .spawn()
                .unwrap();
        std::thread::sleep(Duration::from_millis(30 + 70 * kill as u64));
        // It may have come to its end.
        let _ = child.kill();
        child.wait().unwrap();
    }
    let ran = run_in(directory.path(), &arguments);
    assert_eq!((ran.status, counts(&ran)), (0, expected), "{}", ran.stderr);
    let left = std::fs::read_dir(directory.path().join("spill")).unwrap().count();
    assert_eq!(left, 0, "what was left by others is gone too");
}

#[test]
fn verdicts_and_evidence_are_those_of_states_in_memory() {
    let directory = directory();
    let check = |more: &[&str]| {
        let ran = run_in(directory.path(), &[&["check", "counters.pact", "--trace"], more].concat());
        (ran.status, ran.stdout)
    };
    assert_eq!(
        check(&["--memory", "42M", "--spill", "spill"]),
        check(&["--engine", "cluster", "--no-reduction"])
    );
}

#[test]
fn who_ends_a_run_is_told_how_to_go_on() {
    let directory = directory();
    std::fs::write(directory.path().join("large.pact"), COUNTERS.replace("1..5", "1..9")).unwrap();
    let size = ["size", "large.pact", "--timeout", "1s"];
    let ran = run_in(directory.path(), &[&size[..], &["--checkpoint", "kept"]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (3, "there is a checkpoint: go on with --resume kept\n"));
    let ran = run_in(directory.path(), &[&size[..], &["--resume", "kept", "--workers", "2"]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (3, "there is a checkpoint: go on with --resume kept\n"));
    let done = ["size", "counters.pact", "--checkpoint", "other", "--every", "0ms"];
    assert_eq!(run_in(directory.path(), &done).stderr, "");
}

/// A file that must not grow stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_ends_a_run_undecided() {
    let directory = directory();
    let program = env!("CARGO_BIN_EXE_servanda");
    let command = |arguments: &str| {
        let line = format!("trap '' XFSZ; ulimit -f 1; exec {program} {arguments}");
        let output =
            std::process::Command::new("sh").current_dir(directory.path()).args(["-c", &line]).output();
        let output = output.unwrap();
        let said =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.code(), said)
    };
    for arguments in [
        "size counters.pact --memory 42M --spill spill",
        "check counters.pact --memory 42M --spill spill --property far",
        "size counters.pact --checkpoint kept --every 0ms",
    ] {
        let (status, said) = command(arguments);
        assert_eq!(status, Some(3), "{arguments}: {said}");
        assert!(said.contains("on disk cannot be used") || said.contains("cannot be written"), "{said}");
    }
    // What is not whole is none; a small one from the beginning may be there.
    let expected = counts(&run_in(directory.path(), &["size", "counters.pact", "--engine", "enumerate"]));
    let go_on = ["size", "counters.pact", "--checkpoint", "kept", "--resume", "kept"];
    let ran = run_in(directory.path(), &go_on);
    assert_eq!((ran.status, counts(&ran)), (0, expected), "{}", ran.stderr);
}

#[test]
fn mistakes_are_told() {
    let directory = directory();
    let said = |arguments: &[&str]| -> (i32, String) {
        let ran = run_in(directory.path(), &[&["size", "counters.pact"], arguments].concat());
        (ran.status, ran.stderr.lines().next().unwrap_or_default().to_owned())
    };
    let mistakes: [(&[&str], &str); 5] = [
        (&["--spill", "x", "--engine", "bdd"], "only the engine cluster puts states on disk"),
        (&["--checkpoint", "x", "--engine", "tableau"], "only the engine cluster puts states on disk"),
        (&["--every", "1m"], "there is no --checkpoint"),
        (&["--spill", "counters.pact"], "counters.pact"),
        (&["--resume", "nowhere"], "there is no checkpoint"),
    ];
    for (arguments, message) in mistakes {
        let (status, said) = said(arguments);
        assert!(status == 2 && said.contains(message), "{arguments:?}: {status} {said}");
    }
    assert!(!Path::new(&directory.path().join("nowhere")).exists());
}

/// A model of 10^9 states, which nobody explores to the end.
fn large(directory: &Path) {
    std::fs::write(directory.join("large.pact"), COUNTERS.replace("1..5", "1..9")).unwrap();
}

/// What a run says that was sent a signal after a while.
#[cfg(unix)]
fn signalled(directory: &Path, arguments: &[&str], signal: &str, after: Duration) -> (Ran, Duration) {
    let mut command = command_in(directory, arguments);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn();
    let child = child.unwrap();
    std::thread::sleep(after);
    let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    (Ran { status: output.status.code().unwrap_or(-1), stdout, stderr }, begun.elapsed())
}

/// Only while something is put in order on disk a run has more time to end, and nothing is while the input is read.
#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_waited_for_no_longer_than_the_limit() {
    let directory = directory();
    assert!(
        std::process::Command::new("mkfifo").arg(directory.path().join("pipe")).status().unwrap().success()
    );
    let begun = Instant::now();
    let check = ["check", "pipe", "--input", "pact", "--checkpoint", "kept"];
    let ran = run_in(directory.path(), &[&check[..], &["--timeout", "1s"]].concat());
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    let (ran, left) = signalled(directory.path(), &check, "-TERM", Duration::from_millis(500));
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    assert!(left < Duration::from_secs(6), "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_has_a_checkpoint_written_and_one_while_it_is_read_ends_the_run_soon() {
    let directory = directory();
    large(directory.path());
    let way_on = "there is a checkpoint: go on with --resume kept\n";
    let (ran, _) = signalled(
        directory.path(),
        &["size", "large.pact", "--checkpoint", "kept", "--workers", "2"],
        "-INT",
        Duration::from_secs(3),
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (3, way_on));
    for (signal, more) in
        [("-TERM", vec!["--workers", "1"]), ("-INT", vec!["--spill", "spill", "--memory", "45M"])]
    {
        let resume = [&["size", "large.pact", "--resume", "kept"], &more[..]].concat();
        let (ran, left) = signalled(directory.path(), &resume, signal, Duration::from_millis(300));
        assert_eq!((ran.status, ran.stderr.as_str()), (3, way_on), "{}", ran.stdout);
        assert!(left < Duration::from_secs(10), "{left:?}");
    }
    let resume = ["size", "large.pact", "--resume", "kept", "--timeout", "3s"];
    let ran = run_in(directory.path(), &resume);
    assert_eq!((ran.status, ran.stderr.as_str()), (3, way_on), "{}", ran.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_leaves_a_checkpoint() {
    let directory = directory();
    std::fs::write(directory.path().join("more.pact"), COUNTERS.replace("1..5", "1..6")).unwrap();
    let size = |more: &[&str]| run_in(directory.path(), &[&["size", "more.pact"], more].concat());
    let expected = counts(&size(&["--engine", "cluster"]));
    assert_eq!(expected.len(), 4);
    for (workers, more) in [("1", vec!["--spill", "spill", "--memory", "50M"]), ("2", vec!["--workers", "1"])]
    {
        let kept = format!("kept-{workers}");
        let ran = size(&["--workers", workers, "--memory", "30M", "--checkpoint", &kept]);
        assert_eq!(ran.status, 3, "{}", ran.stdout);
        assert_eq!(ran.stderr, format!("there is a checkpoint: go on with --resume {kept}\n"));
        let ran = size(&[&["--resume", &kept], &more[..]].concat());
        assert_eq!((ran.status, counts(&ran)), (0, expected.clone()), "{}", ran.stderr);
    }
}

#[test]
fn processes_put_states_on_disk_and_go_on_with_what_others_left() {
    let directory = directory();
    let size = |more: &[&str]| run_in(directory.path(), &[&["size", "counters.pact"], more].concat());
    let expected = counts(&size(&["--engine", "enumerate"]));
    let spill = ["--spill", "spill", "--memory", "42M"];
    let spilled = size(&[&["--processes", "2"], &spill[..]].concat());
    assert_eq!((spilled.status, counts(&spilled)), (0, expected.clone()), "{}", spilled.stderr);
    // A limit in the middle, and then others go on.
    let ways: [(&[&str], &[&str]); 4] = [
        (&["--processes", "2"], &["--processes", "3"]),
        (&["--processes", "2", "--workers", "2"], &["--workers", "1"]),
        (&["--workers", "3"], &["--processes", "2", "--spill", "spill", "--memory", "42M"]),
        (&["--processes", "2", "--spill", "spill", "--memory", "42M"], &["--processes", "2"]),
    ];
    for (number, (first, second)) in ways.into_iter().enumerate() {
        let kept = format!("kept-{number}");
        let keep = ["--checkpoint", &kept, "--resume", &kept, "--every", "0ms"];
        let _ = size(&[&keep[..], first, &["--timeout", "400ms"]].concat());
        let ran = size(&[&keep[..], second].concat());
        assert_eq!((ran.status, counts(&ran)), (0, expected.clone()), "{first:?} {second:?}: {}", ran.stderr);
    }
}
