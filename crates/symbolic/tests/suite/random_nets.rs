//! Nets by dice, with sums in guards and in questions, against the reference engine: states, deadlocks, CTL, and paths.

use std::fmt::Write as _;

use servanda_engine::{Deadlock, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_symbolic::Symbolic;
use servanda_testkit::random::Dice;

/// A net with so many places.
fn net(dice: &mut Dice, places: usize) -> String {
    let mut text = "protocol Net\nroles N\n".to_owned();
    let bound = 1 + dice.below(3);
    for place in 0..places {
        let _ = writeln!(text, "var p{place} : 0..{bound} = {}", dice.below(bound + 1));
    }
    text.push_str("start s\n");
    // Half of the nets give what they take, so that sums of tokens stay the same; some of these move single tokens between known values.
    let (gives_back, known) = (dice.below(2) == 0, dice.below(3) == 0);
    for transition in 0..2 + dice.below(2 * places) {
        let mut order: Vec<usize> = (0..places).collect();
        for at in 0..places {
            order.swap(at, dice.below(places));
        }
        let takes = &order[..1 + dice.below(2)];
        let gives = match gives_back {
            true => &order[takes.len()..(2 * takes.len()).min(places)],
            false => &order[2..2 + dice.below(3).min(places - 2)],
        };
        if gives_back && known && gives.len() == takes.len() {
            let guard = takes.iter().map(|place| format!("p{place} = 1"));
            let guard: Vec<String> = guard.chain(gives.iter().map(|place| format!("p{place} = 0"))).collect();
            let less = takes.iter().map(|place| format!("p{place} = 0"));
            let set: Vec<String> = less.chain(gives.iter().map(|place| format!("p{place} = 1"))).collect();
            let _ = writeln!(
                text,
                "s -- N: t{transition} when {} set {} --> s",
                guard.join(" & "),
                set.join(", ")
            );
            continue;
        }
        let mut guard: Vec<String> = takes.iter().map(|place| format!("p{place} > 0")).collect();
        guard.extend(gives.iter().map(|place| format!("p{place} < {bound}")));
        if dice.below(4) == 0 {
            guard.push(condition(dice, places));
        }
        let less = takes.iter().map(|place| format!("p{place} = p{place} - 1"));
        let mut changes: Vec<String> =
            less.chain(gives.iter().map(|place| format!("p{place} = p{place} + 1"))).collect();
        if dice.below(8) == 0 {
            // A step that changes nothing.
            changes.clear();
        }
        let set = if changes.is_empty() { String::new() } else { format!("set {}", changes.join(", ")) };
        let _ = writeln!(text, "s -- N: t{transition} when {} {set} --> s", guard.join(" & "));
    }
    text
}

fn sum(dice: &mut Dice, places: usize) -> String {
    let terms: Vec<String> = (0..1 + dice.below(3)).map(|_| format!("p{}", dice.below(places))).collect();
    terms.join(" + ")
}

fn condition(dice: &mut Dice, places: usize) -> String {
    let comparison = dice.pick(&["<=", "<", "=", "!=", ">="]);
    if dice.below(2) == 0 {
        return format!("({} {comparison} {})", sum(dice, places), sum(dice, places));
    }
    format!("({} {comparison} {})", sum(dice, places), dice.below(4))
}

fn state(dice: &mut Dice, places: usize, depth: usize) -> String {
    if depth == 0 {
        return condition(dice, places);
    }
    let inner = state(dice, places, depth - 1);
    match dice.below(8) {
        0 => format!("E ({inner} U {})", state(dice, places, depth - 1)),
        1 => format!("A ({inner} U {})", state(dice, places, depth - 1)),
        2 => format!("({inner} | {})", state(dice, places, depth - 1)),
        3 => format!("!{inner}"),
        _ => format!("{} {inner}", dice.pick(&["EX", "AX", "EF", "AG", "EG", "AF"])),
    }
}

fn path(dice: &mut Dice, places: usize, depth: usize) -> String {
    if depth == 0 {
        return condition(dice, places);
    }
    let inner = path(dice, places, depth - 1);
    match dice.below(9) {
        0 | 1 => format!("({inner} U {})", path(dice, places, depth - 1)),
        2 => format!("({inner} R {})", path(dice, places, depth - 1)),
        3 => format!("({inner} | {})", path(dice, places, depth - 1)),
        4 => format!("({inner} & {})", path(dice, places, depth - 1)),
        5 => format!("!{inner}"),
        _ => format!("({} {inner})", dice.pick(&["X", "F", "G", "G F", "F G"])),
    }
}

#[test]
fn random_nets_are_what_the_reference_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let times = number("SERVANDA_TIMES").unwrap_or(1);
    let mut dice =
        Dice::new(0x9e37_79b9_7f4a_7c15 ^ number("SERVANDA_SEED").unwrap_or(0).wrapping_mul(0x5851_f42d));
    let (mut asked, mut held) = (0, 0);
    for _ in 0..150 * times {
        let places = 3 + dice.below(4);
        let text = net(&mut dice, places);
        let fair = match dice.below(3) {
            0 => format!("fair {}\n", condition(&mut dice, places)),
            _ => String::new(),
        };
        let text = text + &fair;
        let model = servanda_testkit::load(&text).model;
        let deadlock = if dice.below(4) == 0 { Deadlock::Strict } else { Deadlock::Loop };
        let options = Options { deadlock, ..Options::default() };
        let mut reference = Explored::new(&model, options, &NoLimits).expect("a small model");
        let mut symbolic = Symbolic::new(&model, options, 1 << 18, &NoLimits).expect("a small model");
        let expected = reference.space.counts();
        assert_eq!(symbolic.states(), expected.states, "states of\n{text}");
        assert_eq!(symbolic.deadlocks(), expected.deadlocks, "deadlocks of\n{text}");
        for round in 0..8 {
            let formula = match round % 2 {
                0 => state(&mut dice, places, 3),
                _ => format!("{} {}", dice.pick(&["E", "A", "AG E"]), path(&mut dice, places, 3)),
            };
            let parsed = parse_formula(&formula).expect("a formula");
            let expected = reference.decide(&parsed, &NoLimits).expect("a verdict");
            let found = symbolic.decide(&parsed, &NoLimits).expect("a verdict");
            assert_eq!(found, expected, "{formula} with deadlocks {deadlock:?} in\n{text}");
            asked += 1;
            held += usize::from(expected == servanda_engine::Verdict::True);
        }
    }
    assert!(held * 5 > asked && held * 5 < 4 * asked, "{held} of {asked} hold");
}
