//! Sums that no command changes: what they make easy, and that they are right.

use std::fmt::Write as _;

use servanda_engine::{Halt, NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_pact::Protocol;
use servanda_sat::{Sat, SatOptions};
use servanda_syntax::SourceFile;
use servanda_testkit::random::Dice;

fn load(text: &str) -> Protocol {
    let loaded = servanda_pact::load(&SourceFile::new("net.pact", text), &[]);
    loaded.protocol.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))
}

/// Cards go round in a line of cells. Nothing but their number keeps counters within their ranges.
fn line_of_cells(cells: usize, made_by_mistake: &str) -> String {
    let mut text = format!("protocol Cells\nroles Ann\nvar idle[1..{cells}] : 0..5 = 5\n");
    let _ = writeln!(text, "var work[1..{cells}], done[1..{cells}] : 0..5 = 0\nstart s");
    for at in 1..=cells {
        let next = at % cells + 1;
        let _ = writeln!(
            text,
            "s -- Ann: begin{at} when idle[{at}] > 0 set idle[{at}] = idle[{at}] - 1, work[{at}] = work[{at}] + 1 --> s\n\
             s -- Ann: end{at} when work[{at}] > 0 set work[{at}] = work[{at}] - 1, done[{at}] = done[{at}] + 1 --> s\n\
             s -- Ann: pass{at} when done[{at}] > 0 & done[{next}] > 1\n  set done[{at}] = done[{at}] - 1, idle[{at}] = idle[{at}] + 1 --> s"
        );
    }
    let _ = writeln!(text, "{made_by_mistake}\nproperty all_there = AG idle[1] + work[1] + done[1] = 5");
    text
}

/// This took a minute of looking for an invariant in clauses where there are 110 states.
#[test]
fn ranges_that_follow_from_a_sum_are_proved_at_once() {
    let protocol = load(&line_of_cells(8, ""));
    let mut sat =
        Sat::new(&protocol.model, Options::default(), SatOptions::default(), &NoLimits).expect("no fault");
    assert!(sat.calls() < 40, "{} questions", sat.calls());
    let verdict = sat.decide(&protocol.properties[0].formula, &NoLimits).expect("an answer");
    assert_eq!(verdict, Verdict::True);
}

#[test]
fn a_range_that_is_left_is_found() {
    let mistake = "s -- Ann: oops when done[1] = 2 & work[2] = 1 set idle[1] = idle[1] + 4 --> s";
    let protocol = load(&line_of_cells(2, mistake));
    let sat = Sat::new(&protocol.model, Options::default(), SatOptions::default(), &NoLimits);
    assert!(matches!(sat, Err(Halt::Fault(_))));
}

/// Nets with random arcs, some of which reset or read: what is taken for a sum that stays must not exclude a reachable state.
#[test]
fn verdicts_on_random_nets_are_those_of_the_reference() {
    let (mut held, mut failed) = (0, 0);
    for seed in 0..120_u64 {
        let mut dice = Dice::new(seed);
        let mut roll = |sides: usize| dice.below(sides);
        let mut text =
            String::from("protocol Net\nroles Ann\nvar x[1..3] : 0..3 = 1\nvar m[1..2] : {a, b, c} = a\n");
        text += "var go : bool = true\nstart s\n";
        for number in 0..3 + roll(4) {
            let (from, to, machine) = (1 + roll(3), 1 + roll(3), 1 + roll(2));
            let (now, then) = (["a", "b", "c"][roll(3)], ["a", "b", "c"][roll(3)]);
            let mut updates = vec![format!("m[{machine}] = {then}")];
            let mut guard = format!("m[{machine}] = {now}");
            if from != to && roll(4) > 0 {
                guard += &format!(" & x[{from}] > 0 & x[{to}] < 3");
                updates.push(format!("x[{from}] = x[{from}] - 1, x[{to}] = x[{to}] + 1"));
            } else if roll(2) == 0 {
                guard += &format!(" & x[{from}] = {}", roll(4));
                updates.push(format!("x[{from}] = {}", roll(4)));
            } else {
                guard += if roll(2) == 0 { " & go" } else { " & !go" };
                updates.push(format!("go = {}", roll(2) == 0));
            }
            let _ = writeln!(text, "s -- Ann: t{number} when {guard} set {} --> s", updates.join(", "));
        }
        let conditions = [
            "x[1] + x[2] + x[3] = 3",
            "x[1] < 3",
            "m[1] != m[2] | go",
            "!(m[1] = b & m[2] = b)",
            "x[2] + x[3] > 0",
        ];
        for (number, condition) in conditions.iter().enumerate() {
            let _ = writeln!(text, "property p{number} = AG ({condition})");
        }
        let protocol = load(&text);
        let mut explored = Explored::new(&protocol.model, Options::default(), &NoLimits).expect("no fault");
        let mut sat = Sat::new(&protocol.model, Options::default(), SatOptions::default(), &NoLimits)
            .expect("no fault");
        for property in &protocol.properties {
            let expected = explored.decide(&property.formula, &NoLimits).expect("an answer");
            let found = sat.decide(&property.formula, &NoLimits).expect("an answer");
            assert_eq!(found, expected, "{text}\n{}", property.name);
            *(if expected == Verdict::True { &mut held } else { &mut failed }) += 1;
        }
    }
    assert!(held > 50 && failed > 30, "{held} and {failed}");
}
