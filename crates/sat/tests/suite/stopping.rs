//! Long work asks whether to go on, and stops when told: single questions that a solver works on for minutes, and encoding.

use std::fmt::Write as _;

use servanda_engine::{Halt, NoLimits, Options, Stop};
use servanda_sat::{Sat, SatOptions};
use servanda_testkit::Patience;

fn is_out_of_time<T>(result: Result<T, Halt>) -> bool {
    matches!(result, Err(Halt::Stopped { stop: Stop::Time, .. }))
}

/// Whether a prime of some digits is a product is one hard question for a solver, and the first that unrolling asks. It took 147 seconds of
/// a limit of 60, since nobody asked while CaDiCaL worked on it.
#[test]
fn a_hard_question_of_unrolling_asks_while_the_solver_works() {
    let protocol = servanda_testkit::load(
        "protocol Product\nroles A\nvar x, y : 2..8191\nvar z : 0..67092481 = 0\nstart s\n\
         s -- A: times set z = x * y --> s\nproperty never = AG z != 49979687\n",
    );
    let bounded = SatOptions { bound: Some(1), ..SatOptions::default() };
    let new = || Sat::new(&protocol.model, Options::default(), bounded, &NoLimits).expect("no fault");
    let formula = &protocol.properties[0].formula;
    let mut sat = new();
    let (before, endless) = (sat.calls(), Patience::endless());
    let _ = sat.decide(formula, &endless);
    let calls = sat.calls() - before;
    assert!(endless.asked() > 3 * calls, "asked {} times in {calls} questions", endless.asked());
    let patience = Patience::of(endless.asked() / 2);
    assert!(is_out_of_time(new().decide(formula, &patience)));
    assert_eq!(patience.asked(), endless.asked() / 2 + 1, "nothing is done after that");
}

/// Counters whose ranges nothing keeps but their sum: whether one leaves its range was a question of a minute, where there are 110 states.
#[test]
fn encoding_stops_at_any_question() {
    let cells = 8;
    let mut text = format!("protocol Cells\nroles Ann\nvar idle[1..{cells}] : 0..5 = 5\n");
    let _ = writeln!(text, "var done[1..{cells}] : 0..5 = 0\nstart s");
    for at in 1..=cells {
        let _ = writeln!(
            text,
            "s -- Ann: do{at} when idle[{at}] > 0 set idle[{at}] = idle[{at}] - 1, done[{at}] = done[{at}] + 1 --> s\n\
             s -- Ann: back{at} when done[{at}] > 0 set done[{at}] = done[{at}] - 1, idle[{at}] = idle[{at}] + 1 --> s"
        );
    }
    let model = servanda_testkit::load(&text).model;
    let new = |budget: &Patience| {
        Sat::new(&model, Options::default(), SatOptions::default(), budget).map(|sat| sat.calls())
    };
    let endless = Patience::endless();
    let calls = new(&endless).expect("no fault");
    assert!(endless.asked() > calls, "asked {} times in {calls} questions", endless.asked());
    assert!(endless.asked() < 2000, "asked {} times", endless.asked());
    for answers in (0..endless.asked()).step_by(1 + endless.asked() as usize / 20) {
        let patience = Patience::of(answers);
        assert!(is_out_of_time(new(&patience)), "{answers}");
        assert_eq!(patience.asked(), answers + 1, "nothing is done after that");
    }
}
