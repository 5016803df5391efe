//! Nets by chance, with sums in guards and in questions, against the reference engine: states, deadlocks, CTL, and paths.

use std::fmt::Write as _;

use servanda_engine::{Deadlock, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_symbolic::Symbolic;

/// Numbers by chance (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % most
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// A net with so many places.
fn net(chance: &mut Chance, places: usize) -> String {
    let mut text = "protocol Net\nroles N\n".to_owned();
    let bound = 1 + chance.below(3);
    for place in 0..places {
        let _ = writeln!(text, "var p{place} : 0..{bound} = {}", chance.below(bound + 1));
    }
    text.push_str("start s\n");
    for transition in 0..2 + chance.below(2 * places) {
        let mut order: Vec<usize> = (0..places).collect();
        for at in 0..places {
            order.swap(at, chance.below(places));
        }
        let takes = &order[..1 + chance.below(2)];
        let gives = &order[2..2 + chance.below(3).min(places - 2)];
        let mut guard: Vec<String> = takes.iter().map(|place| format!("p{place} > 0")).collect();
        guard.extend(gives.iter().map(|place| format!("p{place} < {bound}")));
        if chance.below(4) == 0 {
            guard.push(condition(chance, places));
        }
        let less = takes.iter().map(|place| format!("p{place} = p{place} - 1"));
        let mut changes: Vec<String> =
            less.chain(gives.iter().map(|place| format!("p{place} = p{place} + 1"))).collect();
        if chance.below(8) == 0 {
            // A step that changes nothing.
            changes.clear();
        }
        let set = if changes.is_empty() { String::new() } else { format!("set {}", changes.join(", ")) };
        let _ = writeln!(text, "s -- N: t{transition} when {} {set} --> s", guard.join(" & "));
    }
    text
}

fn sum(chance: &mut Chance, places: usize) -> String {
    let terms: Vec<String> = (0..1 + chance.below(3)).map(|_| format!("p{}", chance.below(places))).collect();
    terms.join(" + ")
}

fn condition(chance: &mut Chance, places: usize) -> String {
    let comparison = chance.pick(&["<=", "<", "=", "!=", ">="]);
    if chance.below(2) == 0 {
        return format!("({} {comparison} {})", sum(chance, places), sum(chance, places));
    }
    format!("({} {comparison} {})", sum(chance, places), chance.below(4))
}

fn state(chance: &mut Chance, places: usize, depth: usize) -> String {
    if depth == 0 {
        return condition(chance, places);
    }
    let inner = state(chance, places, depth - 1);
    match chance.below(8) {
        0 => format!("E ({inner} U {})", state(chance, places, depth - 1)),
        1 => format!("A ({inner} U {})", state(chance, places, depth - 1)),
        2 => format!("({inner} | {})", state(chance, places, depth - 1)),
        3 => format!("!{inner}"),
        _ => format!("{} {inner}", chance.pick(&["EX", "AX", "EF", "AG", "EG", "AF"])),
    }
}

fn path(chance: &mut Chance, places: usize, depth: usize) -> String {
    if depth == 0 {
        return condition(chance, places);
    }
    let inner = path(chance, places, depth - 1);
    match chance.below(9) {
        0 | 1 => format!("({inner} U {})", path(chance, places, depth - 1)),
        2 => format!("({inner} R {})", path(chance, places, depth - 1)),
        3 => format!("({inner} | {})", path(chance, places, depth - 1)),
        4 => format!("({inner} & {})", path(chance, places, depth - 1)),
        5 => format!("!{inner}"),
        _ => format!("({} {inner})", chance.pick(&["X", "F", "G", "G F", "F G"])),
    }
}

#[test]
fn nets_by_chance_are_what_the_reference_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let times = number("SERVANDA_TIMES").unwrap_or(1);
    let mut chance =
        Chance(0x9e37_79b9_7f4a_7c15 ^ number("SERVANDA_SEED").unwrap_or(0).wrapping_mul(0x5851_f42d));
    let (mut asked, mut held) = (0, 0);
    for _ in 0..150 * times {
        let places = 3 + chance.below(4);
        let text = net(&mut chance, places);
        let fair = match chance.below(3) {
            0 => format!("fair {}\n", condition(&mut chance, places)),
            _ => String::new(),
        };
        let text = text + &fair;
        let model = servanda_testkit::load(&text).model;
        let deadlock = if chance.below(4) == 0 { Deadlock::Strict } else { Deadlock::Loop };
        let options = Options { deadlock, ..Options::default() };
        let mut reference = Explored::new(&model, options, &NoLimits).expect("a small model");
        let mut symbolic = Symbolic::new(&model, options, 1 << 18, &NoLimits).expect("a small model");
        let expected = reference.space.counts();
        assert_eq!(symbolic.states(), expected.states, "states of\n{text}");
        assert_eq!(symbolic.deadlocks(), expected.deadlocks, "deadlocks of\n{text}");
        for round in 0..8 {
            let formula = match round % 2 {
                0 => state(&mut chance, places, 3),
                _ => format!("{} {}", chance.pick(&["E", "A", "AG E"]), path(&mut chance, places, 3)),
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
