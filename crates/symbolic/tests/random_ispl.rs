//! The symbolic engine against the reference engine on random ISPL models: agents that act in rounds, lose moves, deadlock, are
//! red or green, and fairness.

use proptest::test_runner::{RngAlgorithm, TestRng};
use rand_like::Dice;
use servanda_engine::{Deadlock, NoLimits, Options, Validity, Verdict};
use servanda_enumerate::Explored;
use servanda_symbolic::Symbolic;
use servanda_syntax::SourceFile;

/// Small random choices from one seed.
mod rand_like {
    use proptest::prelude::Rng;

    pub(crate) struct Dice<R>(pub(crate) R);

    impl<R: Rng> Dice<R> {
        pub(crate) fn below(&mut self, limit: usize) -> usize {
            self.0.next_u32() as usize % limit
        }

        pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
            from[self.below(from.len())]
        }

        pub(crate) fn chance(&mut self, percent: usize) -> bool {
            self.below(100) < percent
        }
    }
}

type Die = Dice<TestRng>;

/// A condition over the variables that the agent may read.
fn condition(dice: &mut Die, own: &[&str], depth: usize) -> String {
    if depth == 0 || dice.chance(40) {
        let variable = own[dice.below(own.len())];
        return match variable.rsplit('.').next().unwrap_or(variable).chars().next() {
            Some('n') => format!("{variable} {} {}", dice.pick(&["=", "<>", "<", ">="]), dice.below(3)),
            _ => format!("{variable} = {}", dice.pick(&["true", "false"])),
        };
    }
    let (a, b) = (condition(dice, own, depth - 1), condition(dice, own, depth - 1));
    match dice.below(3) {
        0 => format!("({a} and {b})"),
        1 => format!("({a} or {b})"),
        _ => format!("!({a})"),
    }
}

fn agent(dice: &mut Die, name: &str, environment: bool, single: bool) -> String {
    let own = ["b", "n"];
    let readable: &[&str] = if environment { &["b", "n", "open"] } else { &["b", "n", "Environment.open"] };
    let mut text = format!("Agent {name}\n");
    if environment {
        text.push_str("Obsvars: open : boolean; end Obsvars\n");
    } else if dice.chance(30) {
        text.push_str("Lobsvars = {b};\n");
    }
    text.push_str("Vars: b : boolean; n : 0 .. 2; end Vars\n");
    if dice.chance(40) {
        text.push_str(&format!("RedStates: {}; end RedStates\n", condition(dice, &own, 1)));
    }
    text.push_str("Actions = {go, stop};\nProtocol:\n");
    for _ in 0..dice.below(3) {
        let line = condition(dice, readable, 1);
        text.push_str(&format!("{line} : {{{}}};\n", dice.pick(&["go", "stop", "go, stop"])));
    }
    // Sometimes nothing is permitted: a deadlock.
    if dice.chance(85) {
        text.push_str(&format!("Other : {{{}}};\n", dice.pick(&["go", "stop", "go, stop"])));
    } else {
        text.push_str("b = true : {go};\n");
    }
    text.push_str("end Protocol\nEvolution:\n");
    for _ in 0..1 + dice.below(3) {
        let mut assignments = vec![match dice.below(4) {
            0 => format!("b = {}", dice.pick(&["true", "false", "~b"])),
            1 => "n = n + 1".to_owned(),
            2 => format!("n = {}", dice.below(3)),
            _ => format!("{} = {}", if environment { "open" } else { "b" }, dice.pick(&["true", "false"])),
        }];
        if !single && dice.chance(30) && !assignments[0].starts_with('n') {
            assignments.push(format!("n = {}", dice.pick(&["n / 2", "0", "2 - n"])));
        }
        let who = dice.pick(&["Action", "Left.Action", "Right.Action", "Environment.Action"]);
        let own_name = format!("{name}.Action");
        let who = if who == own_name { "Action" } else { who };
        let guard = format!("{who} = {} and {}", dice.pick(&["go", "stop"]), condition(dice, readable, 1));
        text.push_str(&format!("{} if {guard};\n", assignments.join(" and ")));
    }
    text.push_str("end Evolution\nend Agent\n");
    text
}

fn formula(dice: &mut Die, depth: usize) -> String {
    if depth == 0 || dice.chance(15) {
        return dice.pick(&["p", "q", "r", "Left.GreenStates"]).to_owned();
    }
    let a = formula(dice, depth - 1);
    match dice.below(12) {
        0 => format!("!({a})"),
        1 => format!("(({a}) and ({}))", formula(dice, depth - 1)),
        2 => format!("(({a}) -> ({}))", formula(dice, depth - 1)),
        3 | 4 => format!("{}({a})", dice.pick(&["AG", "EG", "AF", "EF", "AX", "EX"])),
        5 => format!("{}(({a}) U ({}))", dice.pick(&["A", "E"]), formula(dice, depth - 1)),
        6 => format!("K({}, {a})", dice.pick(&["Left", "Right", "Environment"])),
        7 => format!("{}(both, {a})", dice.pick(&["GK", "GCK", "DK"])),
        8 => format!("O({}, {a})", dice.pick(&["Left", "Right"])),
        9 => format!("<{}>{}({a})", dice.pick(&["both", "one"]), dice.pick(&["X ", "F ", "G "])),
        10 => format!("KH(Left, both, {a})"),
        _ => format!("{}({a})", dice.pick(&["EY", "AH", "EP"])),
    }
}

fn model(dice: &mut Die) -> String {
    let single = dice.chance(50);
    let mut text = format!("Semantics = {};\n", if single { "SA" } else { "MA" });
    for (name, environment) in [("Environment", true), ("Left", false), ("Right", false)] {
        text.push_str(&agent(dice, name, environment, single));
    }
    text.push_str("Evaluation\np if Left.b = true;\nq if Right.n = 2 or Environment.open = true;\n");
    text.push_str("r if Left.n + Right.n = 2;\nend Evaluation\n");
    text.push_str(
        "InitStates\nEnvironment.b = false and Left.n = 0 and Right.b = false and Environment.n = 0",
    );
    text.push_str(dice.pick(&["", " and Left.b = false", " and Right.n = 1 and Environment.open = false"]));
    text.push_str(";\nend InitStates\nGroups\nboth = {Left, Right};\none = {Left};\nend Groups\n");
    if dice.chance(15) {
        text.push_str(&format!("Fairness\n{};\nend Fairness\n", formula(dice, 0)));
    }
    text.push_str("Formulae\n");
    for _ in 0..3 {
        text.push_str(&formula(dice, 3));
        text.push_str(";\n");
    }
    let path = formula(dice, 1);
    text.push_str(&format!("LTL (G F ({path})) -> (X ({}) U ({path}));\n", dice.pick(&["p", "q"])));
    text.push_str("end Formulae\n");
    text
}

#[test]
fn diagrams_agree_with_the_reference_on_random_ispl() {
    let cases = std::env::var("SERVANDA_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3000);
    let mut dice = Dice(TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let (mut decided, mut asked) = (0, 0);
    for case in 0..cases {
        let text = model(&mut dice);
        let loaded = servanda_ispl::load(&SourceFile::new("random.ispl", text.as_str()));
        let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        let deadlock = if dice.chance(50) { Deadlock::Loop } else { Deadlock::Strict };
        let validity = if dice.chance(30) { Validity::Reachable } else { Validity::Initial };
        let options = Options { deadlock, validity, ..Options::default() };
        let mut symbolic = Symbolic::new(&system.model, options, 1 << 18, &NoLimits).expect("a small model");
        let mut explored = Explored::new(&system.model, options, &NoLimits).expect("a small model");
        let counts = explored.counts();
        assert_eq!(symbolic.states(), counts.states.into(), "states, case {case}\n{text}");
        assert_eq!(symbolic.deadlocks(), counts.deadlocks.into(), "deadlocks, case {case}\n{text}");
        assert_eq!(
            symbolic.transitions().expect("room"),
            counts.transitions.into(),
            "transitions, case {case}\n{text}"
        );
        let lost = symbolic.lost_moves().expect("room").len();
        assert_eq!(lost, explored.lost_moves().len(), "lost moves, case {case}\n{text}");
        for property in &system.properties {
            let left = explored.decide(&property.formula, &NoLimits).expect("no fault");
            let right = symbolic.decide(&property.formula, &NoLimits).expect("no fault");
            asked += 1;
            if let (Verdict::True | Verdict::False, Verdict::True | Verdict::False) = (&left, &right) {
                decided += 1;
                assert_eq!(left, right, "case {case}, {options:?}: {}\n{text}", property.text);
            }
        }
    }
    println!("{decided} of {asked} properties decided by both");
    assert!(decided * 10 > asked * 8, "only {decided} of {asked} properties were decided");
}
