//! Random ISPL models: agents that act in rounds, lose moves, deadlock, are red or green, and fairness.

use servanda_engine::{Deadlock, Options, Validity};

use super::dice::Dice;

/// A source of random ISPL models, the same ones for the same seed.
pub(crate) struct IsplModels {
    dice: Dice,
}

impl IsplModels {
    /// The models of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        IsplModels { dice: Dice::new(seed) }
    }

    /// The next model, with the readings to decide it in.
    pub(crate) fn next_model(&mut self) -> (String, Options) {
        let dice = &mut self.dice;
        let text = model(dice);
        let deadlock = if dice.chance(50) { Deadlock::Loop } else { Deadlock::Strict };
        let validity = if dice.chance(30) { Validity::Reachable } else { Validity::Initial };
        (text, Options { deadlock, validity, ..Options::default() })
    }
}

/// A condition over the variables that the agent may read.
fn condition(dice: &mut Dice, own: &[&str], depth: usize) -> String {
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

fn agent(dice: &mut Dice, name: &str, environment: bool, single: bool) -> String {
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

fn formula(dice: &mut Dice, depth: usize) -> String {
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

fn model(dice: &mut Dice) -> String {
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
