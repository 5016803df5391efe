//! The model of an `.aut` file means what the file says.

use servanda_aut::{load, write};
use servanda_engine::{NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_lts::{Labels, Lts, State};
use servanda_model::CommandId;
use servanda_syntax::SourceFile;

const MACHINE: &str = "des (0, 5, 5)
(0, coin, 1)
(1, \"press tea\", 2)
(1, i, 3)
(2, 'cup(hot), 0)
(4, never, 0)
";

#[test]
fn formulas() {
    let system = load(&SourceFile::new("machine.aut", MACHINE)).system.unwrap();
    let mut explored = Explored::new(system.model(), Options::default(), &NoLimits).unwrap();
    assert_eq!((explored.space.len(), explored.space.transitions()), (4, 4));
    for (text, expected) in [
        ("E does(coin)", true),
        ("AG (does(coin) -> X in s1)", true),
        ("EF in s3", true),
        ("AG (in s1 -> E does(tau))", true),
        ("AG (in s1 -> E does(\"press tea\"))", true),
        ("AG (does(\"press tea\") -> X A does(\"'cup(hot)\"))", true),
        ("EF does(never)", false),
        ("EF does(\"no such label\")", false),
        ("EF A !does(_)", true),
    ] {
        let formula = system.formula(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert_eq!(explored.decide(&formula, &NoLimits).unwrap(), Verdict::from(expected), "{text}");
    }
    assert!(system.formula("EF in s4").is_err());
    assert!(system.formula("EF does(milk)").is_err());
}

#[test]
fn exploring_the_model_gives_the_system() {
    let system = load(&SourceFile::new("machine.aut", MACHINE)).system.unwrap();
    let explored = servanda_lts::explore(system.model(), &NoLimits).unwrap();
    assert_eq!(write(&explored), write(&system.lts().reachable()));
}

#[test]
fn what_cannot_be_written() {
    for (name, expected) in [
        ("i", "the label \"i\" would be read as an internal one"),
        ("tau<a>", "the label \"tau<a>\" would be read as an internal one"),
        ("a\nb", "the label \"a\\nb\" goes over several lines"),
    ] {
        let mut labels = Labels::new();
        let action = labels.number(name);
        let lts = Lts::new(1, State(0), vec![(State(0), action, State(0))], labels);
        assert_eq!(write(&lts).unwrap_err().to_string(), expected);
    }
}

/// Every command stands for a line; states that cannot be reached, or have no transition, have no commands.
#[test]
fn commands_know_their_lines() {
    let text =
        "des (2, 6, 6)\n(0, b, 1)\n(2, \"a, c\", 4)\n\n (4, tau, 5) \n(4, i, 5)\n(3, b, 3)\n(4, b, 0)\n";
    let source = SourceFile::new("lines.aut", text);
    let system = load(&source).system.unwrap();
    let commands: Vec<CommandId> =
        (0..system.model().behaviour.commands().len()).map(CommandId::from_index).collect();
    let places = system.places(&source, &commands);
    let mut lines: Vec<&str> = places.into_iter().map(|place| source.slice(place.unwrap())).collect();
    lines.sort_unstable();
    assert_eq!(lines, ["(0, b, 1)", "(2, \"a, c\", 4)", "(4, b, 0)", "(4, tau, 5)"]);
    assert_eq!(system.places(&source, &[CommandId::from_index(99)]), [None]);
}
