//! What saturation once got wrong, against the reference engine.

use std::fmt::Write as _;

use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_model::Model;
use servanda_symbolic::Symbolic;
use servanda_syntax::SourceFile;

fn assert_same(model: &Model, formulas: &[String], text: &str) {
    let mut reference = Explored::new(model, Options::default(), &NoLimits).expect("a small model");
    let mut symbolic = Symbolic::new(model, Options::default(), 1 << 18, &NoLimits).expect("a small model");
    let expected = reference.space.counts();
    assert_eq!(symbolic.states(), expected.states, "states of\n{text}");
    assert_eq!(symbolic.deadlocks(), expected.deadlocks, "deadlocks of\n{text}");
    for formula in formulas {
        let parsed = parse_formula(formula).expect("a formula");
        let expected = reference.decide(&parsed, &NoLimits).expect("a verdict");
        assert_eq!(symbolic.decide(&parsed, &NoLimits).expect("a verdict"), expected, "{formula} in\n{text}");
    }
}

/// Of two commands that do the same, one where a flag is up and one where it is down, the steps together do not mention the flag: their
/// event begins below the digit at which each of them begins. Whichever variable is above the other in the order.
#[test]
fn events_begin_where_their_merged_steps_do() {
    for width in 2..5 {
        for shift in 1..=width {
            let mut text = "protocol Merged\nroles A\n".to_owned();
            for i in 0..width {
                let _ = writeln!(text, "var f{i} : bool = false\nvar n{i} : 0..3 = 0");
            }
            text.push_str("start s\n");
            for i in 0..width {
                let (flag, other) = (format!("f{}", (i + shift) % width), (i + 1) % width);
                for (name, when) in [("up", flag.clone()), ("down", format!("!{flag}"))] {
                    let step = format!("{name}{i} when {when} & n{i} < 3 set n{i} = n{i} + 1");
                    let _ = writeln!(text, "s -- A: {step} --> s");
                }
                let _ =
                    writeln!(text, "s -- A: turn{i} when n{other} = {} set f{i} = !f{i} --> s", 1 + i % 3);
            }
            let model = servanda_testkit::load(&text).model;
            let last = width - 1;
            let formulas = [
                format!("EF (n0 = 3 & n{last} = 0 & !f0)"),
                format!("AG EF (f0 & n{last} = 3)"),
                format!("E [n0 < 2 U f{last}]"),
                format!("AG (f0 -> EF n{last} = 3)"),
            ];
            assert_same(&model, &formulas, &text);
        }
    }
}

/// Agents that act in rounds, with a deadlock: its loop and the round are two parts, and the round alone may be one conjunct, over
/// actions that are no part of a state.
#[test]
fn rounds_are_not_saturated() {
    let agent = |name: &str, start: &str, moves: &str| {
        format!(
            "Agent {name}\n  Vars:\n    at : {{a, b, c}};\n  end Vars\n  Actions = {{go, wait}};\n  Protocol:\n    at = a : {{go, \
             wait}};\n    at = b : {{{start}}};\n  end Protocol\n  Evolution:\n{moves}  end Evolution\nend Agent\n"
        )
    };
    let moves = [
        "    at = b if at = a and Action = go;\n    at = c if at = b and Action = go;\n",
        "    at = b if at = a and Action = wait;\n    at = a if at = b and Action = wait;\n    at = c if at = b and Action = go;\n",
        "    at = c if at = a and Action = go;\n    at = b if at = a and Action = wait;\n    at = a if at = b;\n",
    ];
    for one in moves {
        for other in moves {
            for allowed in ["go", "wait", "go, wait"] {
                let text = format!(
                    "{}{}Evaluation\n  first if One.at = c;\n  second if Two.at = c;\n  home if One.at = a;\nend Evaluation\n\
                     InitStates\n  One.at = a and Two.at = a;\nend InitStates\nFormulae\n  AG home;\nend Formulae\n",
                    agent("One", allowed, one),
                    agent("Two", "go, wait", other)
                );
                let loaded = servanda_ispl::load(&SourceFile::new("rounds.ispl", &text));
                let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
                let formulas =
                    ["EF first", "EF (first & second)", "E [home U second]", "AG EF home", "EG home"];
                assert_same(&system.model, &formulas.map(str::to_owned), &text);
            }
        }
    }
}
