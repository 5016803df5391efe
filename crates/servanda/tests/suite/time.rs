//! Time that stops, and ends that are no deadlocks, by every engine.

use crate::program::run_on;

/// Waiting for an answer that may not come any more.
const STOPS: &str = "roles Ann
clock age : 0..3
start waiting
waiting -- Ann: answer when age < 2 set age = 0 --> waiting
wait waiting while age < 2
property p expect true = AG age < 3
";

/// The same where control may rest, and something that leads there.
const ENDS: &str = "roles Ann
clock age : 0..3
start waiting
waiting -- Ann: give_up when age = 2 --> gone
gone -- Ann: wave --> left
wait waiting while age < 2
wait gone while false
wait left while false
final left
property p expect true = AF in left
";

#[test]
fn time_that_stops_is_warned_of_with_a_run() {
    for engine in ["enumerate", "tableau", "bdd", "auto"] {
        let run = run_on(STOPS, &["check", "--engine", engine]);
        let shown = format!("{}{}", run.stdout, run.stderr);
        assert!(
            shown.contains(
                "warning[stopped-time]: time stops: no `tick` is possible any more from 1 reachable state"
            ),
            "{engine}: {shown}"
        );
        assert!(shown.contains("reached by:") && shown.matches("    tick").count() == 2, "{engine}: {shown}");
        assert_eq!(run.status, 0, "{engine}: {shown}");
    }
}

#[test]
fn an_end_is_no_deadlock_and_time_may_stop_there() {
    for engine in ["enumerate", "tableau", "bdd", "sat", "auto"] {
        let run = run_on(ENDS, &["check", "--engine", engine, "--deadlock", "error"]);
        let shown = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.status, 0, "{engine}: {shown}");
        assert!(!shown.contains("stopped-time") && !shown.contains("[deadlock]"), "{engine}: {shown}");
        let stuck = ENDS.replace("final left\n", "");
        let run = run_on(&stuck, &["check", "--engine", engine, "--deadlock", "error"]);
        assert_eq!(run.status, 1, "{engine}: {}{}", run.stdout, run.stderr);
    }
    for engine in ["enumerate", "tableau", "bdd"] {
        let run = run_on(ENDS, &["size", "--engine", engine]);
        let deadlocks = run.stdout.lines().find(|line| line.contains("deadlocks"));
        assert!(deadlocks.is_some_and(|line| line.trim_end().ends_with(" 0")), "{engine}: {}", run.stdout);
    }
}
