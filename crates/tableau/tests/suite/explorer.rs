//! All states, with one thread or several; and only as many as it takes.

use std::fmt::Write as _;

use servanda_ccs::System;
use servanda_engine::{Budget, Counts, Engine as _, Halt, NoLimits, Options, Progress, Stop, Verdict};
use servanda_enumerate::Explored;
use servanda_model::Model;
use servanda_syntax::SourceFile;
use servanda_tableau::{Explorer, Tableau};
use servanda_testkit::Trials;

fn ccs(text: &str) -> System {
    let loaded = servanda_ccs::load(&SourceFile::new("test.ccs", text), None);
    loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics))
}

/// One-place buffers in a row: 2^N states.
fn ring(buffers: usize) -> String {
    let mut text = String::new();
    for i in 0..buffers {
        let _ = writeln!(text, "proc B{i} = m{i}.'m{}.B{i}", i + 1);
    }
    let names: Vec<String> = (0..buffers).map(|i| format!("B{i}")).collect();
    let hidden: Vec<String> = (1..buffers).map(|i| format!("m{i}")).collect();
    let _ = writeln!(text, "proc Row = ({}) \\ {{{}}}", names.join(" | "), hidden.join(", "));
    text
}

/// The counts do not depend on the number of threads, and are those of the reference engine.
fn assert_counts(model: &Model, text: &str) {
    let reference = Explored::new(model, Options::default(), &NoLimits).expect("a small model");
    let expected = reference.space.counts();
    let mut deadlocks = Vec::new();
    for threads in 1..=3 {
        let mut explorer = Explorer::new(model, threads, &NoLimits).expect("initial states");
        explorer.explore(&NoLimits).expect("no fault");
        let counts = Counts { bytes: expected.bytes, ..explorer.counts() };
        assert_eq!(counts, expected, "{threads} threads\n{text}");
        deadlocks.push(explorer.deadlock_example().map(|state| state.to_string()));
        let locations = |found: Vec<servanda_engine::UnreachableLocation>| format!("{found:?}");
        assert_eq!(
            locations(explorer.unreachable_locations()),
            locations(reference.space.unreachable_locations())
        );
    }
    deadlocks.dedup();
    assert_eq!(deadlocks.len(), 1, "the example of a deadlock depends on the threads\n{text}");
}

#[test]
fn counts_do_not_depend_on_threads() {
    assert_counts(&ccs(&ring(9)).model, "ring 9");
    // Two ways to do the same: one transition.
    let twice = "proc P = a.P + a.P + b.nil";
    assert_counts(&ccs(twice).model, twice);
    let both = "proc Q = a.Q\nproc P = Q | Q";
    assert_counts(&ccs(both).model, both);
}

/// States of three words, and more of them than the first tables have places for.
#[test]
fn counts_of_states_longer_than_a_word() {
    let text = "protocol Long\nroles A, B\nvar a, b, c : 0..4000000000 = 0\nstart s\n\
                s -- A: ha when a < 40000000 set a = a + 1000000 --> s\n\
                s -- B: hb when b < 40000000 set b = b + 1000000 --> s\n\
                s -- A: hc when a > b set c = a - b --> s\n";
    let model = servanda_testkit::load(text).model;
    assert!(servanda_model::Layout::new(&model).words() > 1);
    assert_counts(&model, text);
}

/// States so wide that they are kept as trees: random moves that count registers and copy them.
#[test]
fn counts_of_random_models_with_wide_states() {
    const REGISTERS: u64 = 14;
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    for _ in 0..150 {
        let mut text = "protocol Wide\nroles A\n".to_owned();
        for register in 0..REGISTERS {
            let _ = writeln!(text, "var r{register} : 0..1000000000000 = {}", random(3));
        }
        text.push_str("start s\n");
        for number in 0..4 + random(5) {
            let (from, to, other) = (random(REGISTERS), random(REGISTERS), random(REGISTERS));
            let most = 1 + random(3);
            let _ = match random(3) {
                0 => writeln!(text, "s -- A: m{number} when r{to} < {most} set r{to} = r{to} + 1 --> s"),
                1 => writeln!(text, "s -- A: m{number} when r{from} > r{other} set r{to} = r{from} --> s"),
                _ => writeln!(text, "s -- A: m{number} when r{to} > 0 set r{to} = r{other} --> s"),
            };
        }
        let model = servanda_testkit::load(&text).model;
        assert!(servanda_model::Layout::new(&model).words() >= 8, "{text}");
        assert_counts(&model, &text);
    }
}

/// Where there are many states the threads look for them, not the one that decides.
#[test]
fn all_states_are_found_by_the_explorer_where_there_are_many() {
    let model = ccs(&ring(14)).model;
    let mut engine = Tableau::new(&model, Options::default(), 2, &NoLimits).expect("initial states");
    engine.count(&NoLimits).expect("no fault");
    let counts = engine.counts().expect("all states are known");
    assert_eq!(counts.states, (1_u32 << 14).into());
    // A word for each state in tables that are half full, and no transitions.
    let bytes = counts.bytes.expect("states are held");
    assert!(bytes <= (1 << 14) * 8 * 4, "{bytes} bytes");
}

#[test]
fn counts_of_random_models_that_act_in_rounds() {
    for case in Trials::from_environment(200).ispl_models() {
        assert_counts(&case.model, &case.text);
    }
}

#[test]
fn counts_of_the_examples() {
    for name in ["auction2.pact", "handshake.pact", "netbill.pact", "pnaws.pact", "tunnel.pact"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let text = std::fs::read_to_string(path).expect("the example can be read");
        assert_counts(&servanda_testkit::load(&text).model, name);
    }
}

/// Stops everything after a little work.
struct Little;

impl Budget for Little {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        match progress {
            Progress::Exploring { states, .. } if states > 200_000 => Err(Stop::Time),
            Progress::Deciding { nodes } if nodes > 50_000 => Err(Stop::Time),
            _ => Ok(()),
        }
    }
}

#[test]
fn what_is_near_is_found_in_a_model_of_any_size() {
    let system = ccs(&ring(40));
    for threads in [1, 2] {
        let mut engine =
            Tableau::new(&system.model, Options::default(), threads, &Little).expect("one state");
        for (text, expected) in [
            ("AG !(B2 in B2_1)", Verdict::False),
            ("EF (B0 in B0_1 & B1 in B1_1)", Verdict::True),
            ("AG !does(m3)", Verdict::False),
            ("A G (does(m0) -> X does(m1))", Verdict::False),
            ("E (does(m0) U B3 in B3_1)", Verdict::False),
        ] {
            let formula = system.formula(text).expect("a formula");
            match (engine.decide(&formula, &Little), expected) {
                (Ok(verdict), expected) => assert_eq!(verdict, expected, "{text}"),
                (Err(halt), _) => panic!("{text}: {halt:?}"),
            }
        }
    }
}

#[test]
fn a_limit_ends_the_search_with_what_was_found() {
    let system = ccs(&ring(40));
    let mut explorer = Explorer::new(&system.model, 2, &NoLimits).expect("one state");
    match explorer.explore(&Little) {
        Err(Halt::Stopped { stop: Stop::Time, states, transitions }) => {
            assert!(states > 200_000 && transitions > states, "{states} states, {transitions} transitions");
        }
        other => panic!("{other:?}"),
    }
    assert!(!explorer.is_done());
}

/// What was stopped again and again finds as much in the end as what was not.
#[test]
fn a_search_that_was_stopped_can_go_on() {
    struct Impatient(std::sync::atomic::AtomicU64);
    impl Budget for Impatient {
        fn progress(&self, _: Progress) -> Result<(), Stop> {
            match self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 2 {
                0 => Ok(()),
                _ => Err(Stop::Time),
            }
        }
    }
    let system = ccs(&ring(19));
    for threads in 1..=3 {
        let mut explorer = Explorer::new(&system.model, threads, &NoLimits).expect("one state");
        let impatient = Impatient(0.into());
        let mut stops = 0;
        while explorer.explore(&impatient).is_err() {
            stops += 1;
        }
        assert!(stops > 1, "it was never stopped");
        let counts = explorer.counts();
        assert_eq!(
            (counts.states, counts.diameter),
            ((1_u32 << 19).into(), Some(19 * 20 / 2)),
            "{threads} threads"
        );
    }
}

/// After a state that cannot be expanded nothing may be taken for explored.
#[test]
fn a_search_that_met_a_fault_does_not_go_on() {
    let text = "protocol Fault\nroles A\nvar n : 0..3 = 0\nstart s\ns -- A: up set n = n + 1 --> s\n";
    let model = servanda_testkit::load(text).model;
    for threads in 1..=2 {
        let mut explorer = Explorer::new(&model, threads, &NoLimits).expect("one state");
        for _ in 0..2 {
            assert!(matches!(explorer.explore(&NoLimits), Err(Halt::Fault(_))), "{threads} threads");
            assert!(!explorer.is_done());
        }
    }
}

/// Of several faults at one distance the same is told, however many threads look.
#[test]
fn the_fault_that_is_told_does_not_depend_on_threads() {
    // At a distance of twelve steps `n` leaves its range in thousands of states.
    let text = "protocol Fault\nroles A\nvar n : 0..1 = 0\nvar v[1..6] : 0..7 = 0\nstart s\n\
                s -- A: up when (sum i in 1..6 : v[i]) > 10 set n = n + 1 --> s\n\
                for i in 1..6 { s -- A: more[i] when v[i] < 7 set v[i] = v[i] + 1 --> s }\n";
    let model = servanda_testkit::load(text).model;
    let told = |threads: usize| {
        let mut explorer = Explorer::new(&model, threads, &NoLimits).expect("one state");
        explorer.explore(&NoLimits).expect_err("a fault").to_string()
    };
    let expected = told(1);
    for threads in [2, 3, 4] {
        assert_eq!(told(threads), expected, "{threads} threads");
    }
}

/// A long way of single states is one thread's: no other is even started.
#[test]
fn narrow_levels_are_the_work_of_one_thread() {
    struct Threads(std::sync::Mutex<std::collections::HashSet<std::thread::ThreadId>>);
    impl Budget for Threads {
        fn progress(&self, _: Progress) -> Result<(), Stop> {
            self.0.lock().expect("nobody panics").insert(std::thread::current().id());
            Ok(())
        }
    }
    let text = "protocol Chain\nroles A\nvar n : 0..20000 = 0\nstart s\n\
                s -- A: up when n < 20000 set n = n + 1 --> s\n";
    let model = servanda_testkit::load(text).model;
    let seen = Threads(std::sync::Mutex::default());
    let mut explorer = Explorer::new(&model, 4, &seen).expect("one state");
    explorer.explore(&seen).expect("no fault");
    let counts = explorer.counts();
    assert_eq!((counts.states, counts.diameter), (20_001_u32.into(), Some(20_000)));
    assert_eq!(seen.0.lock().expect("nobody panics").len(), 1, "threads that worked");
}

#[test]
fn a_search_goes_on_where_the_last_one_ended() {
    let all_steps = Options { unreduced: true, ..Options::default() };
    let system = ccs(&ring(10));
    let mut engine = Tableau::new(&system.model, all_steps, 1, &NoLimits).expect("one state");
    let formula = |text| system.formula(text).expect("a formula");
    assert_eq!(engine.decide(&formula("EF B1 in B1_1"), &NoLimits).expect("no fault"), Verdict::True);
    assert_eq!(engine.counts(), None, "all states were explored for what is near");
    let full = (0..10).map(|i| format!("B{i} in B{i}_1")).collect::<Vec<_>>().join(" & ");
    let never_full = format!("AG !({full})");
    assert_eq!(engine.decide(&formula(&never_full), &NoLimits).expect("no fault"), Verdict::False);
    assert_eq!(
        engine.decide(&formula("AG (B0 in B0 | B0 in B0_1)"), &NoLimits).expect("no fault"),
        Verdict::True
    );
    assert_eq!(engine.counts().map(|counts| counts.states), Some((1_u32 << 10).into()));
}
