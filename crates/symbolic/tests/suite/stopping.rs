//! Long work asks whether to go on, and stops when told.

use servanda_engine::{Halt, NoLimits, Options, Stop};
use servanda_symbolic::{Sets, Symbolic};
use servanda_testkit::Patience;

const COMMANDS: u64 = 60;

fn many_commands() -> servanda_model::Model {
    let steps: String = (0..COMMANDS).map(|at| format!("s -- A: to{at} set x = {at} --> s\n")).collect();
    let text = format!("protocol Many\nroles A\nvar x : 0..{} = 0\nstart s\n{steps}", COMMANDS - 1);
    servanda_testkit::load(&text).model
}

fn is_out_of_time<T>(result: Result<T, Halt>) -> bool {
    matches!(result, Err(Halt::Stopped { stop: Stop::Time, .. }))
}

/// Evidence goes from set to set, over all commands each time.
#[test]
fn steps_between_sets_ask_before_each_command() {
    let model = many_commands();
    let symbolic = Symbolic::new(&model, Options::default(), 1 << 18, &NoLimits).expect("a small model");
    let mut sets = Sets::new(symbolic).expect("sets of states");
    let (points, steps) = (sets.points(), sets.steps(&[]).expect("all steps"));
    let endless = Patience::endless();
    assert!(sets.before(&points, &steps, &endless).is_ok_and(|before| before == points));
    assert!(sets.after(&points, &steps, &endless).is_ok_and(|after| after == points));
    assert!(endless.asked() >= 2 * COMMANDS, "asked {} times", endless.asked());
    let patience = Patience::of(COMMANDS / 2);
    assert!(is_out_of_time(sets.before(&points, &steps, &patience)));
    assert_eq!(patience.asked(), COMMANDS / 2 + 1, "nothing is done after that");
    let patience = Patience::of(COMMANDS / 2);
    assert!(is_out_of_time(sets.after(&points, &steps, &patience)));
    assert_eq!(patience.asked(), COMMANDS / 2 + 1, "nothing is done after that");
}

/// Wherever it stands, the encoding of a model ends with the first no.
#[test]
fn the_encoding_stops_at_any_question() {
    let model = many_commands();
    let new = |budget: &Patience| Symbolic::new(&model, Options::default(), 1 << 18, budget).map(drop);
    let endless = Patience::endless();
    new(&endless).expect("a small model");
    // The relation, what the reachable states leave of it, and where it leads from: each goes over all commands.
    assert!(endless.asked() >= 3 * COMMANDS, "asked {} times", endless.asked());
    for answers in (0..endless.asked()).step_by(7) {
        let patience = Patience::of(answers);
        assert!(is_out_of_time(new(&patience)), "{answers}");
        assert_eq!(patience.asked(), answers + 1, "nothing is done after that");
    }
}
