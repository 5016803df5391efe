//! Formulas decided for all states at once against the reference engine and against plain fixpoints; and when that is done.

use servanda_engine::{Budget, Engine as _, Halt, NoLimits, Options, Progress, Stop, Unkeepable, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::{Formula, parse_formula};
use servanda_model::{Command, Domain, Expr, Label, Model, Property, Variable, Visibility};
use servanda_testkit::random::Dice;
use servanda_testkit::{
    Counted, Patience, Reference, Trials, compare, compare_on_ispl, compare_ticking, compare_with_fair_steps,
    verdicts_of,
};

use super::fixpoints::Fixpoints;
use super::*;
use crate::Tableau;
use crate::automata_tests::{decided_by_reference, model};
use servanda_space::{Space, Step};

/// An engine that knows all states and steps, and decides for all at once what can be decided so.
fn knowing<'m>(model: &'m Model, options: Options, when: Labels) -> Result<Tableau<'m>, Halt> {
    let mut engine = Tableau::new(model, options, 1, &NoLimits)?;
    engine.common.space.explore(&NoLimits)?;
    engine.common.labelling.when = when;
    Ok(engine)
}

fn verdicts(model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>> {
    // Who cannot explore decides as far as the search comes.
    let engine =
        knowing(model, options, Labels::AtOnce).or_else(|_| Tableau::new(model, options, 1, &NoLimits));
    verdicts_of(properties, engine, |engine, formula| engine.decide(formula, &NoLimits))
}

#[test]
fn labels_agree_with_the_reference_engine_on_random_protocols() {
    let engine = Counted::new("tableau", verdicts);
    compare(Trials::from_environment(1000), &Reference, &engine);
    engine.assert_decided(80);
}

#[test]
fn labels_agree_with_the_reference_engine_where_ticks_are_counted() {
    let engine = Counted::new("tableau", verdicts);
    compare_ticking(Trials::from_environment(400), &Reference, &engine);
    engine.assert_decided(80);
}

#[test]
fn labels_agree_with_the_reference_engine_on_fairness_of_steps() {
    let engine = Counted::new("tableau", verdicts);
    compare_with_fair_steps(Trials::from_environment(400), &Reference, &engine);
    engine.assert_decided(70);
}

#[test]
fn labels_agree_with_the_reference_engine_on_random_ispl_models() {
    let engine = Counted::new("tableau", verdicts);
    compare_on_ispl(Trials::from_environment(1000), &Reference, &engine);
    engine.assert_decided(80);
}

#[test]
fn labels_agree_with_the_reference_engine_on_random_path_formulas() {
    let cases = u64::from(Trials::from_environment(3000).cases);
    let (mut decided, mut labelled) = (0, 0);
    for seed in 0..cases {
        let Some((model, formula, expected)) = decided_by_reference(seed) else { continue };
        let mut engine = knowing(&model, Options::default(), Labels::AtOnce).expect("a small model");
        let verdict = engine.decide(&formula, &NoLimits).expect("no fault");
        assert_eq!(verdict, expected, "seed {seed}: {formula}");
        decided += 1;
        labelled += u64::from(!engine.common.labelling.known.is_empty());
    }
    assert!(labelled > decided / 4 && labelled < decided, "{labelled} of {decided} with labels");
}

/// Forms that come down to sets, and some that nearly do.
#[test]
fn what_comes_down_to_sets_is_decided_so() {
    let forms = [
        ("A G F s = 1", true),
        ("A G (s = 1 -> F s = 2)", true),
        ("A ((s = 0 & does(m0)) U (s = 1 & X s = 2))", true),
        ("E ((does(m0) | X s = 3) U G does(m1))", true),
        ("E ((does(m0) -> X s = 3) R (s != 2 | does(m2)))", true),
        ("A F G s = 1", false),
        ("A G (does(m0) -> F s = 2)", true),
        ("E F (does(m0) & X s = 2 & (s != 3 U does(m1)))", true),
        ("E F (does(m0) & !(s = 3 U (does(m1) & X F s = 2)))", false),
        ("E (does(m1) & ((s != 3 & does(m0)) R (s != 2 | does(m2))))", true),
        ("E (does(m1) & (does(m1) U (s = 2 & G s != 1)) | X (does(m0) & X X does(m2)))", true),
        ("E (G F s = 1)", false),
        ("E (F s = 1 & F s = 2)", false),
        ("E ((F s = 1) U s = 2)", false),
        ("AG (s = 1 -> A [s = 1 U (s = 2 & EF s = 3)])", true),
    ];
    for seed in 0..200 {
        let model = model(&mut Dice::new(seed));
        for (text, comes_down) in forms {
            let formula = parse_formula(text).expect("a formula");
            let mut reference = Explored::new(&model, Options::default(), &NoLimits).expect("a small model");
            let mut engine = knowing(&model, Options::default(), Labels::AtOnce).expect("a small model");
            let id = engine.common.lowering.property(&formula).expect("a property");
            let some = match *engine.common.lowering.arena.state(id) {
                State::Not(some) => some,
                _ => id,
            };
            let State::Exists { path, over } = *engine.common.lowering.arena.state(some) else {
                panic!("{text} has no path quantifier in front");
            };
            assert_eq!(engine.common.may_be_labelled(0, path, over), comes_down, "{text}");
            let expected = reference.decide(&formula, &NoLimits).expect("no fault");
            assert_eq!(engine.decide(&formula, &NoLimits).ok(), Some(expected), "seed {seed}: {text}");
        }
    }
}

/// Some states in the order in which they are met, with random steps and a few long ways among them.
fn graph(dice: &mut Dice, states: usize) -> Model {
    let mut model = Model::new("Random");
    let domain = Domain::Range { low: 0, high: states as i64 - 1 };
    let at = model.add_variable(Variable::new("s".to_owned(), domain, vec![0], Visibility::Public));
    let label = model.add_label(Label::message("go".to_owned(), None));
    let mut step = |from: usize, to: usize| {
        let guard = Expr::variable(at).equals(Expr::Constant(from as i64));
        let updates = vec![(at, Expr::Constant(to as i64))];
        model.add_command(Command { guard, updates, ..Command::new(label) });
    };
    let spread = 1 + dice.below(states);
    // A way through all states that jumps, so that neither direction of a sweep settles it.
    let stride = [1, 7, 11, 13][dice.below(4)];
    for number in 1..states {
        step((number - 1) * stride % states, number * stride % states);
    }
    for _ in 0..dice.below(states) {
        let from = dice.below(states);
        step(from, (from + dice.below(spread)) % states);
    }
    model
}

/// A random condition on steps, with sets and without.
fn condition(dice: &mut Dice, states: usize) -> OnStep {
    let mut set = |percent: usize| {
        let mut set = StateSet::none(states);
        (0..states as u32).filter(|_| dice.chance(percent)).for_each(|state| set.insert(state));
        Arc::new(set)
    };
    let (here, there) = (set(85), set(85));
    match dice.below(5) {
        0 => OnStep::Always(true),
        1 | 2 => OnStep::Here(here),
        3 => OnStep::There(there),
        _ => OnStep::Or(Box::new(OnStep::Here(here)), Box::new(OnStep::There(there).not())),
    }
}

/// Repeats a step until nothing changes.
fn repeat(mut set: StateSet, space: &Space<'_>, rule: impl Fn(&StateSet, u32, &Step) -> bool) -> StateSet {
    loop {
        let mut again = StateSet::none(set.states());
        for state in 0..set.states() as u32 {
            if space.steps(state).iter().any(|step| rule(&set, state, step)) {
                again.insert(state);
            }
        }
        if again == set {
            return set;
        }
        set = again;
    }
}

/// Says whether there is room.
struct Room(bool);

impl Budget for Room {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        Ok(())
    }

    fn room(&self, _: usize) -> Result<(), Stop> {
        if self.0 { Ok(()) } else { Err(Stop::Memory) }
    }
}

#[test]
fn fixpoints_are_those_of_plain_iteration_with_and_without_the_steps_the_other_way() {
    let (mut followed, mut swept) = (0, 0);
    for seed in 0..600 {
        let mut dice = Dice::new(seed);
        let states = 2 + dice.below(120);
        let model = graph(&mut dice, states);
        let mut space = Space::new(&model, Deadlock::Loop, &NoLimits).expect("a model");
        space.explore(&NoLimits).expect("no fault");
        let states = space.len();
        let room = Room(dice.chance(70));
        let mut before = None;
        if room.0 && dice.chance(50) {
            before = Before::new(&space, || Ok::<(), Halt>(())).ok();
        }
        let (through, ends) = (condition(&mut dice, states), condition(&mut dice, states).not());
        let mut goal = StateSet::none(states);
        goal.insert(dice.below(states) as u32);
        let mut fixpoints = Fixpoints { space: &space, before: &mut before, budget: &room, visited: 0 };
        let least = fixpoints.least(goal.clone(), &through).expect("no limit");
        let greatest = fixpoints.greatest(&through, &ends).expect("no limit");
        let grown = repeat(goal.clone(), &space, |set, state, step| {
            goal.contains(state) || set.contains(step.target) && through.holds(state, step)
        });
        assert_eq!(least, grown, "seed {seed}");
        let shrunk = repeat(StateSet::all(states), &space, |set, state, step| {
            through.holds(state, step) && (ends.holds(state, step) || set.contains(step.target))
        });
        assert_eq!(greatest, shrunk, "seed {seed}");
        followed += usize::from(before.is_some());
        swept += usize::from(before.is_none());
    }
    assert!(followed > 100 && swept > 100, "{followed} with the steps the other way, {swept} without");
}

/// A ring of so many places; a second counter can be anything.
fn ring(places: i64) -> Model {
    let mut model = Model::new("Ring");
    let mut counter = |name: &str, high| {
        let domain = Domain::Range { low: 0, high };
        model.add_variable(Variable::new(name, domain, vec![0], Visibility::Public))
    };
    let (x, y) = (counter("x", places - 1), counter("y", 9));
    let (on, up) = (model.add_label(Label::message("on", None)), model.add_label(Label::message("up", None)));
    for (variable, high, label) in [(x, places - 1, on), (y, 9, up)] {
        let value = || Expr::variable(variable);
        let more = vec![(variable, value().plus(Expr::Constant(1)))];
        let guard = value().less_than(Expr::Constant(high));
        model.add_command(Command { guard, updates: more, ..Command::new(label) });
        let guard = value().equals(Expr::Constant(high));
        model.add_command(Command {
            guard,
            updates: vec![(variable, Expr::Constant(0))],
            ..Command::new(label)
        });
    }
    model
}

/// For searches that leave nothing out.
fn unreduced() -> Options {
    Options { unreduced: true, ..Options::default() }
}

fn asked(text: &str) -> Formula {
    parse_formula(text).expect("a formula")
}

#[test]
fn a_search_that_takes_long_is_left_and_one_that_finds_something_near_is_not() {
    let model = ring(5000);
    let mut engine = knowing(&model, unreduced(), Labels::AfterSearch).expect("a model");
    for (text, verdict) in [("EF EG x < 3", Verdict::True), ("AG EX x = 1", Verdict::False)] {
        assert_eq!(engine.decide(&asked(text), &NoLimits).ok(), Some(verdict), "{text}");
        assert!(engine.common.labelling.known.is_empty(), "{text} is decided by what is near");
    }
    for (text, verdict) in
        [("AG EF (x = 0 & y = 0)", Verdict::True), ("AG (x = 4999 -> EX x = 0)", Verdict::True)]
    {
        let known = engine.common.labelling.known.len();
        assert_eq!(engine.decide(&asked(text), &NoLimits).ok(), Some(verdict), "{text}");
        assert!(engine.common.labelling.known.len() > known, "{text} takes all states");
    }
}

#[test]
fn steps_that_were_not_kept_are_made_again_where_labels_need_them() {
    let model = ring(300);
    let formula = asked("AG EF (x = 0 & y = 0)");
    for room in [true, false] {
        let mut engine = Tableau::new(&model, unreduced(), 1, &NoLimits).expect("a model");
        engine.common.labelling.when = Labels::AtOnce;
        let (space, mut steps, mut state) = (&mut engine.common.space, Vec::new(), 0);
        while (state as usize) < space.len() {
            assert!(!space.is_closed());
            space.successors(state, &mut steps, &NoLimits).expect("no fault");
            state += 1;
        }
        assert!(space.is_closed() && space.kept_steps() == 0);
        assert_eq!(engine.decide(&formula, &Room(room)).ok(), Some(Verdict::True));
        assert_eq!(engine.common.labelling.known.is_empty(), !room);
    }
}

#[test]
fn verdicts_are_the_same_where_there_is_no_room_for_labels() {
    let model = ring(3000);
    for (text, verdict) in [
        ("AG EF (x = 0 & y = 0)", Verdict::True),
        ("AG (x = 2999 -> AF x = 0)", Verdict::False),
        ("A G (does(on) -> F x = 5)", Verdict::False),
    ] {
        for room in [true, false] {
            let mut engine = knowing(&model, unreduced(), Labels::AtOnce).expect("a model");
            assert_eq!(engine.decide(&asked(text), &Room(room)).ok(), Some(verdict.clone()), "{text}");
            assert_eq!(engine.common.labelling.known.is_empty(), !room, "{text}");
        }
    }
}

#[test]
fn labelling_can_be_stopped() {
    let model = ring(3000);
    let formula = asked("AG EF (x = 0 & y = 0)");
    for reports in 0..4 {
        let mut engine = knowing(&model, unreduced(), Labels::AtOnce).expect("a model");
        let stopped = engine.decide(&formula, &Patience::of(reports));
        assert!(
            matches!(stopped, Err(Halt::Stopped { stop: Stop::Time, .. })),
            "after {reports}: {stopped:?}"
        );
        // What was begun is of no harm to whoever asks again.
        assert_eq!(engine.decide(&formula, &NoLimits).ok(), Some(Verdict::True));
    }
}

#[test]
fn states_that_are_added_later_have_labels_of_their_own() {
    // x = 2 is reached by no run.
    let mut model = Model::new("Past");
    let domain = Domain::Range { low: 0, high: 2 };
    let x = model.add_variable(Variable::new("x", domain, vec![0], Visibility::Public));
    let on = model.add_label(Label::message("on", None));
    for (from, to) in [(0, 1), (1, 0), (2, 0)] {
        let guard = Expr::variable(x).equals(Expr::Constant(from));
        model.add_command(Command { guard, updates: vec![(x, Expr::Constant(to))], ..Command::new(on) });
    }
    let options = Options { past: servanda_engine::Past::All, ..Options::default() };
    let mut engine = knowing(&model, options, Labels::AtOnce).expect("a model");
    for (text, verdict) in [
        ("AG EF x = 1", Verdict::True),
        ("EY (x = 2 & EF x = 1 & EG x < 3 & !EX x = 2)", Verdict::True),
        ("EY (x = 2 & !EF x = 1)", Verdict::False),
    ] {
        assert_eq!(engine.decide(&asked(text), &NoLimits).ok(), Some(verdict), "{text}");
    }
}

#[test]
fn promises_that_cannot_be_kept_are_the_same_with_labels() {
    let text = "roles Ann, Bob\nvar n : 0..5 = 0\nstart s\n\
                commitment never = SC(Ann, Bob, G !in late)\ncommitment soon = SC(Ann, Bob, F in late)\n\
                s -- more when n < 5 set n = n + 1 --> s\n\
                s -- Cr(Ann, never) --> t\nt -- Cr(Ann, soon) --> u\n\
                u -- on --> late\nlate -- back --> late\n";
    let model = servanda_testkit::load(text).model;
    let found = |when| -> Vec<Unkeepable> {
        let mut engine = knowing(&model, Options::default(), when).expect("a model");
        let found = engine.unkeepable(&NoLimits).expect("no limit");
        assert_eq!(when == Labels::AtOnce, !engine.common.labelling.known.is_empty());
        found
    };
    let (with, without) = (found(Labels::AtOnce), found(Labels::Never));
    assert!(!with.is_empty());
    assert_eq!(format!("{with:?}"), format!("{without:?}"));
}
