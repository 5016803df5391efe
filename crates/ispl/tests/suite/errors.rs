//! Every mistake is reported once, where it was made, with the nearest valid name where there is one.

use crate::support::findings;

/// A file with one agent beside the Environment; the parts are replaced by the tests.
fn file(vars: &str, protocol: &str, evolution: &str, rest: &str) -> String {
    format!(
        "\
Agent Environment
  Obsvars:
    seen : boolean;
  end Obsvars
  Vars:
    hidden : boolean;
  end Vars
  Actions = {{tick, tock}};
  Protocol:
    Other : {{tick, tock}};
  end Protocol
  Evolution:
  end Evolution
end Agent
Agent Ann
  Vars:
    x : 0 .. 3;
    mood : {{calm, cross}};
    {vars}
  end Vars
  Actions = {{go, stop}};
  Protocol:
    {protocol}
    Other : {{go, stop}};
  end Protocol
  Evolution:
    {evolution}
  end Evolution
end Agent
{rest}"
    )
}

const REST: &str = "\
Evaluation
  happy if Ann.mood = calm;
end Evaluation
InitStates
  Ann.x = 0;
end InitStates
Formulae
  AG happy;
end Formulae
";

/// A finding without its line.
fn column_and_rest(finding: &str) -> String {
    finding.split_once(':').map_or_else(String::new, |(_, rest)| rest.to_owned())
}

/// Findings without their lines, for one changed part.
fn part(vars: &str, protocol: &str, evolution: &str) -> Vec<String> {
    let found = findings(&file(vars, protocol, evolution, REST));
    found.into_iter().map(|f| column_and_rest(&f)).collect()
}

#[test]
fn the_frame_is_in_order() {
    assert_eq!(part("", "", ""), [""; 0]);
}

#[test]
fn mistakes_in_four_sections_are_all_reported_with_line_and_column() {
    let rest = "\
Evaluation
  happy if Ann.mod = calm;
  sad if Ann.mood = cros;
end Evaluation
InitStates
  Ann.x = 0 and Bob.y = 1;
end InitStates
Groups
  g = {Ann, Anne};
end Groups
Formulae
  AG hapy;
  K(An, happy);
  happy U sad;
end Formulae
";
    let text = file("y : bool;", "x = 1 : {goo};", "x = 1 if Environment.Action = tik;", rest);
    assert_eq!(
        findings(&text),
        [
            "19:9 unexpected-token expected `boolean`, `{a, b}` or `low .. high`, found `bool` | did you mean `boolean`?",
            "23:14 unknown-name `Ann` has no action called `goo` | did you mean `go`?",
            "27:35 unknown-name `Environment` has no action called `tik` | did you mean `tick`?",
            "31:16 unknown-name `Ann` has no variable called `mod` | did you mean `mood`?",
            "32:21 type `cros` is not one of {calm, cross} | did you mean `cross`?",
            "35:17 unknown-name no agent is called `Bob`",
            "38:13 unknown-name no agent is called `Anne` | did you mean `Ann`?",
            "41:6 unknown-name no proposition is called `hapy` | did you mean `happy`?",
            "42:5 unknown-name no agent is called `An` | did you mean `Ann`?",
            "43:3 path-formula a property must be a state formula, but this refers to a path | say of which paths: `A (happy U sad)` for all, `E (happy U sad)` for some",
        ]
    );
}

#[test]
fn declarations() {
    assert_eq!(
        part("y : 3 .. 1;", "", ""),
        ["9 empty-range no value lies in `3 .. 1` | write the smaller bound first"]
    );
    assert_eq!(part("y : {};", "", ""), ["9 empty-domain this variable has no values | name at least one"]);
    assert_eq!(part("y 0 .. 1;", "", ""), ["7 unexpected-token expected `:`, found `0`"]);
    assert_eq!(
        part("x : boolean;", "", ""),
        ["5 warning duplicate-name `Ann` has a variable called `x` already"]
    );
    assert_eq!(part("y : {a, b, a};", "", ""), ["16 warning duplicate-name this value is listed twice"]);
    assert_eq!(
        part("calm : boolean;", "", ""),
        [
            "5 warning ambiguous-name `calm` is the name of a value of an enumeration as well | in a comparison the variable is meant where its values fit"
        ]
    );
    // What a statement that cannot be read would have declared is not unknown.
    assert_eq!(part("y = boolean;", "y = true : {go};", ""), ["7 unexpected-token expected `:`, found `=`"]);
}

#[test]
fn protocols() {
    assert_eq!(
        part("", "hidden = true : {go};", ""),
        ["5 unknown-name nothing is called `hidden` here | did you mean `Environment.hidden`?"]
    );
    assert_eq!(
        part("", "Environment.hidden = true : {go};", ""),
        [
            "5 not-observable `Ann` does not observe `hidden` of the Environment | list it in the `Lobsvars` of `Ann`, or declare it in `Obsvars`"
        ]
    );
    assert_eq!(part("", "Action = go : {go};", ""), ["5 unknown-name nothing is called `Action` here"]);
    assert_eq!(
        part("", "Environment.Action = tick : {go};", ""),
        ["5 action-not-readable actions cannot be read here, only in the conditions of an evolution"]
    );
    assert_eq!(
        part("", "x = calm : {go};", ""),
        ["9 type `calm` is a value of an enumeration, which does not fit here"]
    );
    assert_eq!(
        part("", "x < mood : {go};", ""),
        ["9 type expected a number, found a value of an enumeration"]
    );
    assert_eq!(
        part("", "Environment.seen = 1 : {go};", ""),
        ["24 type expected a truth value, found a number | write `true`"]
    );
    assert_eq!(
        part("", "x = 9 : {go};", ""),
        ["5 warning out-of-range `Ann.x` is never 9: its values are 0..3"]
    );
    assert_eq!(
        part("", "x = 1 = 2 : {go};", ""),
        ["11 chained-comparison comparisons cannot be chained | join two comparisons with `and`"]
    );
    assert_eq!(part("", "(x = 1 : {go};", ""), ["12 unexpected-token expected `)`, found `:`"]);
    assert_eq!(
        part("", "Other : {go}; x = 1 : {stop};", ""),
        [
            "5 warning other-not-last `Other` refers to the states that no line matches, the lines after it included | write it last"
        ]
    );
}

#[test]
fn evolutions() {
    assert_eq!(
        part("", "", "z = 1 if x = 0;"),
        ["5 unknown-name `Ann` has no variable called `z` | did you mean `x`?"]
    );
    assert_eq!(
        part("", "", "Environment.seen = true if x = 0;"),
        ["5 not-its-own `Ann` can assign only to variables of its own"]
    );
    assert_eq!(
        part("", "", "x = 1 x = 2 if x = 0;"),
        ["11 unexpected-token expected `and` or `if`, found `x`"]
    );
    assert_eq!(
        part("", "", "x = 7 if x = 0;"),
        [
            "9 warning out-of-range `Ann.x` cannot become 7: its values are 0..3 | where this line is chosen the move is lost"
        ]
    );
    assert_eq!(
        part("", "", "x = 7/2 if x = 0;"),
        [
            "9 warning out-of-range `Ann.x` cannot become this: it is not an integer | where this line is chosen the move is lost"
        ]
    );
    assert_eq!(
        part("", "", "x = 1 and x = x if x = 0;"),
        ["19 warning assigned-twice `Ann.x` is assigned twice; where the values differ the move is lost"]
    );
    assert_eq!(part("", "", "mood = sad if x = 0;"), ["12 type `sad` is not one of {calm, cross}"]);
    assert_eq!(part("", "", "mood = x if x = 0;"), ["12 type expected one of {calm, cross}"]);
    assert_eq!(
        part("", "", "x = 1 if Action = Environment.Action;"),
        ["14 type an action can be compared only with the name of one"]
    );
    assert_eq!(
        part("", "", "x = 1 if x = 0 & x = 1;"),
        [
            "24 chained-comparison comparisons cannot be chained | join conditions with `and` and `or`: `&`, `|` and `^` bind tighter than `=`"
        ]
    );
    assert_eq!(
        part("", "", "x if x = 0;"),
        [
            "5 unexpected-token a line says which variable gets which value | write `variable = value if condition;`"
        ]
    );
    let single = format!("Semantics = SA;\n{}", file("", "", "x = 1 and mood = calm if x = 0;", REST));
    assert_eq!(
        findings(&single),
        [
            "28:5 several-assignments with `SingleAssignment` a line assigns to one variable | write one line for every variable, or use `Semantics = MultiAssignment;`"
        ]
    );
}

#[test]
fn formulas() {
    let with = |formulas: &str| {
        let rest = REST.replace("AG happy;", formulas);
        let found = findings(&file("", "", "", &rest));
        found.into_iter().map(|f| column_and_rest(&f)).collect::<Vec<_>>()
    };
    assert_eq!(with("AG (happy;"), ["12 unexpected-token expected `)`, found `;`"]);
    assert_eq!(
        with("AG happy happy;"),
        ["12 unexpected-token expected an operator or the end of the formula, found `happy`"]
    );
    assert_eq!(with("GK(g, happy);"), ["6 unknown-name no group is called `g`"]);
    assert_eq!(
        with("<Ann>happy;"),
        ["8 unexpected-token expected `X`, `F`, `G` or `(f U g)`, found `happy`"]
    );
    assert_eq!(
        with("Ann.GreenState;"),
        ["7 unknown-name `Ann` has no variable called `GreenState` | did you mean `GreenStates`?"]
    );
    assert_eq!(
        with("not happy;"),
        [
            "3 unknown-name no proposition is called `not` | write `!`",
            "7 unexpected-token expected an operator or the end of the formula, found `happy` | write `!`"
        ]
    );
    assert_eq!(
        with("happy & happy;"),
        [
            "9 unexpected-token expected an operator or the end of the formula, found `&` | write `and` between conditions; `&` is for boolean values"
        ]
    );
    for text in ["AF<=3 happy;", "E(happy U <= 3 happy);", "LTL F (happy U<=1 happy);"] {
        let found = with(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].contains("no-clock this counts ticks, and there is no clock"), "{text}: {found:?}");
    }
    assert_eq!(with("happy and ;"), ["13 unexpected-token expected a formula, found `;`"]);
    assert_eq!(with("E does(Ann.gone);"), ["14 unknown-name no action is called `gone`"]);
    assert_eq!(with("AG happy"), ["1 unexpected-token expected `;`, found `end`"]);
}

#[test]
fn structure() {
    let whole = file("", "", "", REST);
    let changed = |from: &str, to: &str| findings(&whole.replacen(from, to, 1));
    assert_eq!(
        changed("  end Vars\n  Actions = {go", "  Actions = {go"),
        ["20:3 unexpected-token expected `end Vars`, found `Actions`"]
    );
    assert_eq!(
        changed("end Evolution\nend Agent\nEvaluation", "end Evolution\nEvaluation"),
        ["29:1 unexpected-token expected `end Agent`, found `Evaluation`"]
    );
    assert_eq!(
        changed("  end Evolution\nend Agent\nEvaluation", "end Agent\nEvaluation"),
        ["28:1 unexpected-token expected `end Evolution`, found `end`"]
    );
    assert_eq!(
        changed("end Formulae", "end Formula"),
        ["38:1 unexpected-token expected `Formulae` after `end`, found `Formula`"]
    );
    assert_eq!(
        changed("end Formulae\n", ""),
        ["38:1 unexpected-token expected `end Formulae`, found the end of the text"]
    );
    assert_eq!(
        changed("Evaluation\n  happy", "Evalution\n  happy"),
        [
            "30:1 unexpected-token expected `Agent`, `Evaluation`, `InitStates`, `Groups`, `Fairness` or `Formulae`, found `Evalution` | did you mean `Evaluation`?",
        ]
    );
    assert_eq!(
        changed("Protocol:\n    \n", "Protocl:\n    \n").first().unwrap(),
        "22:3 unexpected-token expected `Vars`, `Actions`, `Protocol`, `Evolution`, another section of an agent, or `end Agent`, found `Protocl` | did you mean `Protocol`?"
    );
    assert_eq!(
        changed("Agent Ann", "Agent Environment").first().unwrap(),
        "15:7 duplicate-name two agents are called `Environment`"
    );
    assert_eq!(
        findings(""),
        ["1:1 no-agent there is no agent in this file | a file has at least one `Agent` block"]
    );
    assert_eq!(
        findings("// hello"),
        [
            "1:1 foreign-comment this is no comment in ISPL | write `--`: a comment reaches to the end of its line"
        ]
    );
}
