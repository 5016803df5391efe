//! How long it takes to prepare a judge for a large model, and to follow words in it. `cargo bench -p servanda-audit --bench judge`

#![allow(clippy::print_stdout, reason = "measurements are printed")]

use std::time::Instant;

use servanda_audit::judge::{Judge, Step, Terms};
use servanda_engine::NoLimits;

/// A protocol of some 10^5 states: two counters, a promise, properties of every kind.
const LARGE: &str = "
    roles Ann, Bob
    var x, y : 0..220 = 0
    var paid : bool = false
    commitment pay = SC(Ann, Bob, F paid)
    start idle
    idle -- Ann: up when x < 220 set x = x + 1 --> idle
    idle -- Ann: down when x > 0 set x = x - 1 --> idle
    idle -- Bob: up when y < 220 set y = y + 1 --> idle
    idle -- Bob: down when y > 0 set y = y - 1 --> idle
    idle -- Cr(Ann, pay) --> owing
    owing -- Sat(Ann, pay) set paid = true --> idle
    owing -- Bob: wait --> owing
    property low = A G (x < 200)
    property paid_at_last = A G (in owing -> F paid)
    property looks_back = A G (paid -> P in owing)
    property can_pay = EF paid
";

fn main() {
    let protocol = servanda_testkit::load(LARGE);
    let began = Instant::now();
    let mut judge = Judge::new(&protocol.model, &protocol.properties, &Terms::default(), &NoLimits)
        .expect("a model that can be explored");
    println!("{} states, 4 properties, 1 commitment: {:?}", judge.space().len(), began.elapsed());
    let word = ["Ann: up", "Bob: up", "Cr(Ann, pay)", "Bob: wait", "Sat(Ann, pay)", "Ann: down", "Bob: down"];
    let word: Vec<_> = word.iter().map(|text| judge.letter(text)).collect();
    let mut walk = |rounds: u32| {
        let began = Instant::now();
        let mut at = judge.begin().standing;
        for _ in 0..rounds {
            for letter in &word {
                match judge.step(at, *letter, &NoLimits) {
                    Ok(Step::Went { to, .. }) => at = to,
                    _ => at = judge.begin().standing,
                }
            }
        }
        began.elapsed().as_nanos() / u128::from(rounds) / word.len() as u128
    };
    println!("a first step: {} ns", walk(1));
    println!("a remembered step: {} ns", walk(1_000_000));
}
