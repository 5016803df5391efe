//! Automata that are made as far as they are met, with conditions on loops beside them, against the reference engine; and how much is made.

use servanda_engine::{NoLimits, Options, Stop, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::{Formula, parse_formula};
use servanda_model::{Command, Domain, Expr, Label, LabelId, Model, Variable, VariableId, Visibility};
use servanda_testkit::Patience;
use servanda_testkit::random::Dice;

use crate::Tableau;
use crate::evaluate::Automata;

/// So many random models; more where the environment asks for more.
fn cases() -> u64 {
    servanda_testkit::Trials::from_environment(2500).cases.into()
}

const STATES: usize = 6;
const LABELS: usize = 3;

/// A few states with random steps between them.
pub(crate) fn model(dice: &mut Dice) -> Model {
    let mut model = Model::new("Random");
    let domain = Domain::Range { low: 0, high: STATES as i64 - 1 };
    let at: VariableId =
        model.add_variable(Variable::new("s".to_owned(), domain, vec![0], Visibility::Public));
    for label in 0..LABELS {
        model.add_label(Label::message(format!("m{label}"), None));
    }
    for from in 0..STATES {
        for _ in 0..dice.below(4) {
            let guard = Expr::variable(at).equals(Expr::Constant(from as i64));
            let target = Expr::Constant(dice.below(STATES) as i64);
            let label = LabelId(dice.below(LABELS) as u32);
            model.add_command(Command { guard, updates: vec![(at, target)], ..Command::new(label) });
        }
    }
    model
}

/// A condition on the state.
pub(crate) fn condition(dice: &mut Dice) -> String {
    let values: Vec<String> = (0..1 + dice.below(2)).map(|_| format!("s = {}", dice.below(STATES))).collect();
    let sign = if dice.chance(40) { "!" } else { "" };
    format!("{sign}({})", values.join(" | "))
}

/// Something that refers to what comes again and again.
fn recurring(dice: &mut Dice) -> String {
    let (p, q) = (condition(dice), condition(dice));
    match dice.below(10) {
        0 | 1 => format!("G F {p}"),
        2 => format!("F G {p}"),
        3 => format!("(G F {p} -> G F {q})"),
        4 => format!("(F G {p} | G F {q})"),
        5 => format!("G F does(m{})", dice.below(LABELS)),
        6 => format!("(G F {p} -> G F (does(m{}) & {q}))", dice.below(LABELS)),
        7 => format!("F ({p} & F G {q})"),
        8 => format!("F ({p} & X {q} & G F {p})"),
        _ => format!("!(F G {p})"),
    }
}

/// A path formula of at most so many temporal operators.
fn path(dice: &mut Dice, operators: usize) -> String {
    if operators == 0 {
        return match dice.below(6) {
            0 => format!("does(m{})", dice.below(LABELS)),
            1 => format!("({} <-> {})", condition(dice), condition(dice)),
            _ => condition(dice),
        };
    }
    let left = dice.below(operators);
    let (one, other) = (path(dice, operators - 1), path(dice, operators - 1 - left.min(operators - 1)));
    let half = path(dice, left.min(operators - 1) / 2);
    match dice.below(14) {
        0 => format!("X ({one})"),
        1 | 2 => format!("F ({one})"),
        3 | 4 => format!("G ({one})"),
        5 => format!("(({half}) U ({other}))"),
        6 => format!("(({half}) R ({other}))"),
        7 => format!("(({half}) W ({other}))"),
        8 => format!("(({half}) & ({other}))"),
        9 => format!("(({half}) | ({other}))"),
        10 => format!("(({half}) <-> ({other}))"),
        11 => format!("E ({one})"),
        12 => format!("A ({one})"),
        _ => format!("!({one})"),
    }
}

/// A property with fairness in front of it, or a nest of anything.
pub(crate) fn formula(dice: &mut Dice) -> Formula {
    let fair: Vec<String> = (0..dice.below(4)).map(|_| recurring(dice)).collect();
    let operators = dice.below(4);
    let goal = path(dice, operators);
    let text = match (fair.is_empty(), dice.below(3)) {
        (true, 0) => format!("A ({goal})"),
        (true, _) => format!("E ({goal})"),
        (false, 0) => format!("E ({} & ({goal}))", fair.join(" & ")),
        (false, 1) => format!("A ({} -> ({goal}))", fair.join(" & ")),
        (false, _) => format!("A G ({} -> E ({} & ({goal})))", condition(dice), fair.join(" & ")),
    };
    parse_formula(&text).unwrap_or_else(|_| panic!("{text} is no formula"))
}

/// A random model, a formula and its verdict by the reference engine, if that has one.
pub(crate) fn decided_by_reference(seed: u64) -> Option<(Model, Formula, Verdict)> {
    let mut dice = Dice::new(seed);
    let (model, formula) = (model(&mut dice), formula(&mut dice));
    let mut reference = Explored::new(&model, Options::default(), &NoLimits).expect("a small model");
    let expected = reference.decide(&formula, &NoLimits).expect("no fault");
    expected.decided()?;
    Some((model, formula, expected))
}

fn verdict(model: &Model, formula: &Formula, automata: Automata) -> Verdict {
    let mut engine = Tableau::new(model, Options::default(), 1, &NoLimits).expect("a small model");
    engine.common.automata = automata;
    engine.decide(formula, &NoLimits).expect("no fault")
}

#[test]
fn automata_made_as_they_are_met_agree_with_the_reference_engine() {
    let (mut decided, mut holding) = (0, 0);
    for seed in 0..cases() {
        let Some((model, formula, expected)) = decided_by_reference(seed) else { continue };
        decided += 1;
        holding += u64::from(expected == Verdict::True);
        for automata in [Automata::AsMet, Automata::Simplified] {
            assert_eq!(verdict(&model, &formula, automata), expected, "{automata:?}, seed {seed}: {formula}");
        }
    }
    assert!(decided > cases() * 3 / 4, "{decided} of {}", cases());
    assert!(holding > decided / 5 && holding < decided * 4 / 5, "{holding} of {decided}");
}

/// The states of a ring, one after the other; the first has a loop.
fn ring(states: usize) -> String {
    let mut text = "roles Ann start s0\ns0 -- stay --> s0\n".to_owned();
    for state in 0..states {
        text.push_str(&format!("s{state} -- go --> s{}\n", (state + 1) % states));
    }
    text
}

/// `part` for 1 to 14, joined.
fn each(join: &str, part: impl Fn(usize) -> String) -> String {
    (1..15).map(part).collect::<Vec<_>>().join(join)
}

#[test]
fn many_recurrences_beside_each_other_are_not_multiplied_out() {
    let again = each(" & ", |at| format!("G F in s{at}"));
    let strong = each(" & ", |at| format!("(G F in s{} -> G F in s{at})", at - 1));
    let weak = each(" & ", |at| format!("(F G !in s{at} -> G F in s0)"));
    let some = each(" | ", |at| format!("F in s{at}"));
    let answers = each(" & ", |at| format!("G (in s{} -> F in s{at})", at - 1));
    let stays = each(" & ", |at| format!("F (in s{at} | G in s0)"));
    let claims = [
        (format!("A (({again}) -> G (in s0 -> F in s3))"), true),
        (format!("A (({again}) -> G (in s0 -> X in s1))"), false),
        (format!("A (({strong}) -> F in s3)"), true),
        (format!("A (({weak}) -> F in s3)"), false),
        (format!("A ({some})"), false),
        (format!("A G ({some})"), false),
        (format!("E G ({some})"), true),
        (format!("A (G F !in s0 -> G ({some}))"), true),
        (format!("A (({answers}) -> F in s7)"), true),
        (format!("A (({stays}) -> F in s14)"), false),
    ];
    let model = servanda_testkit::load(&ring(15)).model;
    for (text, expected) in claims {
        let formula = parse_formula(&text).expect("a formula");
        let few = Patience::of(200_000);
        let mut engine = Tableau::new(&model, Options::default(), 1, &few).expect("a small model");
        assert_eq!(engine.decide(&formula, &few).ok(), Some(Verdict::from(expected)), "{text}");
    }
}

#[test]
fn many_commitments_in_force_are_not_multiplied_out() {
    let mut text = "roles Ann, Bob start s0\n".to_owned();
    for number in 0..20 {
        let kept = number % 14;
        text.push_str(&format!("commitment c{number} = SC(Ann, Bob, F (in d{kept} & F G !in s{number}))\n"));
        text.push_str(&format!("s{number} -- Cr(Ann, c{number}) --> s{}\n", number + 1));
    }
    text.push_str("s20 -- go --> d0\nd13 -- again --> d0\n");
    (1..14).for_each(|at| text.push_str(&format!("d{} -- go --> d{at}\n", at - 1)));
    text.push_str("property kept = AG (in s20 -> SC(Ann, Bob, F in d5))\n");
    text.push_str("property keepable = AG !SC(Ann, Bob, false)\n");
    let loaded = servanda_testkit::load(&text);
    for property in &loaded.properties {
        let few = Patience::of(200_000);
        let mut engine = Tableau::new(&loaded.model, Options::default(), 1, &few).expect("a small model");
        assert_eq!(engine.decide(&property.formula, &few).ok(), Some(Verdict::True), "{}", property.name);
    }
}

/// It is asked again and again while an automaton is made, and who says stop is heeded at once.
#[test]
fn making_an_automaton_can_be_stopped() {
    // At every position each of these may begin to be kept, or wait: that is multiplied out by nature.
    let parts: Vec<String> =
        (0..24).map(|at| format!("F (s != {} & X (s != {} U s = {}))", at % 6, at % 5, at % 4)).collect();
    let formula = parse_formula(&format!("E ({} & G s != 7)", parts.join(" & "))).expect("a formula");
    let model = model(&mut Dice::new(7));
    let decide = |reports: u64| {
        let few = Patience::of(reports);
        let mut engine = Tableau::new(&model, Options::default(), 1, &NoLimits).expect("a small model");
        (engine.decide(&formula, &few), few.asked().min(reports))
    };
    for reports in [0, 3, 20] {
        let (verdict, asked) = decide(reports);
        assert!(
            matches!(verdict, Err(servanda_engine::Halt::Stopped { stop: Stop::Time, .. })),
            "asked {asked} times, and then: {verdict:?}"
        );
        assert_eq!(asked, reports, "nothing is asked after the first no");
    }
}
