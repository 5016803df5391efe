//! The examples, and families of any size.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::support::{example, holds, size, system};
use servanda_ccs::load;
use servanda_engine::{NoLimits, Options};
use servanda_symbolic::Symbolic;
use servanda_syntax::SourceFile;

/// Milner's scheduler with `cells` cells.
fn scheduler(cells: usize) -> String {
    let next = |cell: usize| (cell + 1) % cells;
    let mut text = format!("proc C0 = 'a0.('b0.'c{0}.D0 + 'c{0}.'b0.D0)\nproc D0 = c0.C0\n", next(0));
    for i in 1..cells {
        let n = next(i);
        let _ = writeln!(text, "proc C{i} = c{i}.'a{i}.('b{i}.'c{n}.C{i} + 'c{n}.'b{i}.C{i})");
    }
    let list = |prefix: &str, between: &str| {
        (0..cells).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(between)
    };
    let _ = writeln!(text, "proc Sched = ({}) \\ {{{}}}", list("C", " | "), list("c", ", "));
    text
}

/// One-place buffers in a row.
fn row(places: usize) -> String {
    let mut text = String::new();
    for i in 0..places {
        let _ = writeln!(text, "proc B{i} = m{i}.'m{}.B{i}", i + 1);
    }
    let buffers: Vec<String> = (0..places).map(|i| format!("B{i}")).collect();
    let inner: Vec<String> = (1..places).map(|i| format!("m{i}")).collect();
    let _ = writeln!(text, "proc Row = ({}) \\ {{{}}}", buffers.join(" | "), inner.join(", "));
    text
}

#[test]
fn pnaws() {
    let text = example("pnaws.ccs");
    let closed = system(&text, Some("Closed")).model;
    let (states, _, deadlocks) = size(&closed);
    assert_eq!((states, deadlocks), (148, 0));
    let agents: Vec<&str> = closed.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(agents, ["Spec", "Ag", "Ag_2"]);
    // Without the restriction nothing stops anybody: 8 states of Spec and 7 of each other.
    assert_eq!(size(&system(&text, Some("Open")).model).0, 8 * 7 * 7);
    let loaded = load(&SourceFile::new("pnaws.ccs", text.as_str()), None);
    assert_eq!(loaded.diagnostics[0].message, "several processes could be meant: Closed, Open");
    assert_eq!(loaded.processes.len(), 11);
}

#[test]
fn pnaws_formulas() {
    let text = example("pnaws.ccs");
    for (formula, expected) in [
        ("AG E does(_)", true),
        ("AG A does(tau)", true),
        ("EF E does(create)", true),
        ("E does('create)", false),
        ("AG A (does(create(phi)) -> X !(Spec in Spec & Ag in Ag & Ag_2 in Ag))", true),
        ("AG K(Spec, EF Spec in Spec)", true),
        ("EF K(Ag, Spec in Spec)", false),
    ] {
        assert_eq!(holds(&text, Some("Closed"), formula), expected, "{formula}");
    }
}

/// The cell whose turn it is waits for its start, or has passed the turn on and not: 3 states of it with the turn going
/// round, while each other cell has ended or not: `3 n 2^(n-1)`.
#[test]
fn schedulers() {
    for cells in 2..=8 {
        let model = system(&scheduler(cells), None).model;
        let (states, _, deadlocks) = size(&model);
        assert_eq!((states, deadlocks), (3 * cells as u64 * (1 << (cells - 1)), 0), "{cells} cells");
    }
    assert_eq!(size(&system(&example("scheduler.ccs"), None).model), (96, 240, 0));
}

/// The tasks start in turn and end in any order.
#[test]
fn scheduler_formulas() {
    let text = example("scheduler.ccs");
    for (formula, expected) in [
        ("AG E does(_)", true),
        ("A G F does('a0)", true),
        ("A (!does('a1) U does('a0))", true),
        ("AG A (does('a0) -> X (!does('a0) U does('a1)))", true),
        ("AG A (does('a0) -> X (!does('a1) U does('b0)))", false),
        ("EF E (does('b1) & X !does('b0) U does('b1))", true),
    ] {
        assert_eq!(holds(&text, None, formula), expected, "{formula}");
    }
}

#[test]
fn sessions_of_pnaws_side_by_side() {
    assert_eq!(size(&system(&example("pnaws-sessions.ccs"), None).model), (9_u64.pow(5), 590_490, 0));
}

#[test]
fn rows_of_buffers() {
    for places in 1..=10 {
        let (states, _, deadlocks) = size(&system(&row(places), None).model);
        assert_eq!((states, deadlocks), (1 << places, 0), "{places} places");
    }
    let model = system(&row(40), None).model;
    let symbolic = Symbolic::new(&model, Options::default(), 1 << 20, &NoLimits).expect("it fits");
    assert_eq!(symbolic.states(), (1u64 << 40).into());
}

/// Loading takes time in proportion to the text, whatever the number of states. The bound is far above what is needed,
/// so that a busy machine does not matter.
#[test]
fn large_files_load_at_once() {
    for text in [scheduler(200), row(1000), row(10_000)] {
        let start = Instant::now();
        let model = system(&text, None).model;
        assert!(model.behaviour.commands().len() < 30_000);
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}
