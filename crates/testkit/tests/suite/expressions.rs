//! Random expressions: compiled programs, diagrams and solvers against each other, faults included.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use servanda_engine::{Halt, NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::{Formula, parse_formula};
use servanda_model::{
    Arithmetic, Command, Comparison, Domain, Expr, FaultKind, Label, Layout, Model, NamedProposition,
    Program, States, Variable, VariableId, Visibility,
};
use servanda_sat::{Sat, SatOptions};
use servanda_symbolic::Symbolic;
use servanda_tableau::Tableau;
use servanda_testkit::{Trials, Tried, load};

const X: usize = 0;
const Y: usize = 1;
const B: usize = 2;

/// Three variables, all of whose values are initial.
fn model() -> Model {
    let mut model = Model::new("random");
    let mut add = |name: &str, domain: Domain| {
        let initial = (domain.low()..=domain.high()).collect();
        model.add_variable(Variable::new(name, domain, initial, Visibility::Public))
    };
    add("x", Domain::Range { low: 0, high: 2 });
    add("y", Domain::Range { low: -1, high: 2 });
    add("b", Domain::Bool);
    model
}

fn variable(number: usize) -> Expr {
    Expr::Variable(VariableId::from_index(number))
}

/// Numbers, as deep as told.
fn numbers(depth: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        (-2_i64..4).prop_map(Expr::Constant),
        Just(variable(X)),
        Just(variable(Y)),
        Just(Expr::Fault(FaultKind::ValueOutOfType)),
    ];
    let Some(below) = depth.checked_sub(1) else { return leaf.boxed() };
    let operators = proptest::sample::select(vec![
        Arithmetic::Add,
        Arithmetic::Subtract,
        Arithmetic::Multiply,
        Arithmetic::Divide,
        Arithmetic::Remainder,
        Arithmetic::Min,
        Arithmetic::Max,
    ]);
    prop_oneof![
        2 => leaf,
        2 => (numbers(below), operators, numbers(below)).prop_map(|(a, op, b)| a.calculated(op, b)),
        2 => (conditions(below), numbers(below), numbers(below))
            .prop_map(|(c, a, b)| Expr::If(Box::new(c), Box::new(a), Box::new(b))),
        2 => selections(below, numbers(below)),
    ]
    .boxed()
}

fn selections(depth: u32, options: BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    (numbers(depth), -1_i64..2, proptest::collection::vec(options, 1..4))
        .prop_map(|(index, low, options)| Expr::Select { index: Box::new(index), low, options })
        .boxed()
}

/// Conditions, as deep as told.
fn conditions(depth: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        4 => Just(variable(B)),
        4 => (0..2_usize, -1_i64..3).prop_map(|(of, value)| variable(of).equals(Expr::Constant(value))),
        1 => Just(Expr::Fault(FaultKind::IndexOutOfRange)),
    ];
    let Some(below) = depth.checked_sub(1) else { return leaf.boxed() };
    let comparisons = proptest::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
    ]);
    let parts = proptest::collection::vec(conditions(below), 2..4);
    prop_oneof![
        1 => leaf,
        2 => (numbers(below), comparisons, numbers(below))
            .prop_map(|(a, op, b)| Expr::Compare(op, Box::new(a), Box::new(b))),
        1 => conditions(below).prop_map(Expr::negate),
        2 => parts.clone().prop_map(Expr::And),
        2 => parts.prop_map(Expr::Or),
        1 => (conditions(below), conditions(below), conditions(below))
            .prop_map(|(c, a, b)| Expr::If(Box::new(c), Box::new(a), Box::new(b))),
        1 => selections(below, conditions(below)),
    ]
    .boxed()
}

fn formula(text: &str) -> Formula {
    parse_formula(text).expect("a formula")
}

/// The value of an expression is the same however it is found, where it is and where it is not.
#[test]
fn values_exist_where_they_are_and_are_the_same() {
    let model = model();
    let layout = Layout::new(&model);
    Trials::from_environment(3000).run(&numbers(3), |expr| {
        let program = Program::new(expr, &layout);
        for state in States::all(&model, &layout) {
            let value = program.evaluate(&state, &mut Vec::new());
            let leaf = |leaf: &Expr| match leaf {
                Expr::Variable(variable) => Some(layout.variable(*variable).read(&state)),
                _ => None,
            };
            if expr.known(&leaf) != value.map(Some) {
                return Err(format!("{expr:?} is {value:?} or {:?} in {state:?}", expr.known(&leaf)));
            }
            if value.is_err() && !expr.can_fault() {
                return Err(format!("{expr:?} has no value in {state:?}"));
            }
        }
        Ok(Tried::Holds)
    });
}

/// A value that is known before all is known is the value, or there is none.
#[test]
fn what_is_known_early_stays() {
    let model = model();
    let layout = Layout::new(&model);
    Trials::from_environment(1000).run(&(conditions(3), 0..8_u8), |(expr, mask)| {
        let program = Program::new(expr, &layout);
        for state in States::all(&model, &layout) {
            let leaf = |leaf: &Expr| match leaf {
                Expr::Variable(variable) if mask >> variable.index() & 1 == 1 => {
                    Some(layout.variable(*variable).read(&state))
                }
                _ => None,
            };
            let value = program.evaluate(&state, &mut Vec::new());
            let agrees = match expr.known(&leaf) {
                Ok(Some(known)) => value.is_err() || value == Ok(known),
                Ok(None) => true,
                Err(_) => value.is_err(),
            };
            if !agrees {
                return Err(format!("{expr:?} is {value:?}, known as {:?}", expr.known(&leaf)));
            }
        }
        Ok(Tried::Holds)
    });
}

/// As a condition of initial states an expression leaves the same ones to diagrams as to programs.
#[test]
fn initial_conditions() {
    Trials::from_environment(400).run(&conditions(3), |expr| listed_as_they_are(model(), expr));
}

/// The same for what is remembered while variables get their values one after the other: many cases, and sums.
#[test]
fn initial_conditions_of_many_cases_and_sums() {
    let literal = prop_oneof![
        4 => (0..2_usize, -1_i64..3).prop_map(|(of, value)| variable(of).equals(Expr::Constant(value))),
        2 => Just(variable(B)),
        2 => Just(variable(B).negate()),
        1 => Just(variable(X).equals(variable(Y))),
        1 => Just(variable(3).equals(variable(X))),
    ];
    let case = proptest::collection::vec(literal, 1..4).prop_map(Expr::And);
    let cases = proptest::collection::vec(case, 4..9).prop_map(Expr::Or);
    let comparisons =
        proptest::sample::select(vec![Comparison::Equal, Comparison::NotEqual, Comparison::Less]);
    let weights = proptest::collection::vec(-3_i64..4, 4);
    let sums = (weights, comparisons, -6_i64..7).prop_map(|(weights, comparison, bound)| {
        let terms = (0..4)
            .zip(weights)
            .map(|(of, weight)| variable(of).calculated(Arithmetic::Multiply, Expr::Constant(weight)));
        let sum = terms.fold(Expr::Constant(0), |sum, term| sum.calculated(Arithmetic::Add, term));
        Expr::Compare(comparison, Box::new(sum), Box::new(Expr::Constant(bound)))
    });
    let parts = (cases.clone(), sums, cases, 0..8_usize);
    Trials::from_environment(400).run(&parts, |(first, sum, second, which)| {
        let parts = [first, sum, second].into_iter().enumerate();
        let chosen = parts.filter(|(at, _)| which >> at & 1 == 1).map(|(_, part)| part.clone());
        let mut model = model();
        let domain = Domain::Range { low: 1, high: 3 };
        // Values in no order, and one that is never had.
        model.add_variable(Variable::new("z", domain, vec![3, 1], Visibility::Public));
        listed_as_they_are(model, &Expr::And(chosen.collect()))
    });
}

/// The initial states are those where a condition holds, in the order of all without it.
fn listed_as_they_are(mut model: Model, expr: &Expr) -> Result<Tried, String> {
    let layout = Layout::new(&model);
    let program = Program::new(expr, &layout);
    let holds = |state: &Vec<u64>| program.holds(state, &mut Vec::new()) == Ok(true);
    let expected: Vec<_> = States::initial(&model, &layout).filter(holds).collect();
    model.initial = expr.clone();
    let listed: Vec<_> = States::initial(&model, &layout).collect();
    let explored = Explored::new(&model, Options::default(), &NoLimits).expect("no fault").space.len();
    let symbolic = Symbolic::new(&model, Options::default(), 1 << 18, &NoLimits).expect("no fault").states();
    if listed == expected && explored == expected.len() && symbolic == expected.len().into() {
        Ok(Tried::Holds)
    } else {
        Err(format!("{expr:?}: {expected:?}, but {listed:?}, {explored}, {symbolic}"))
    }
}

/// What an engine says: a verdict, or that something is at fault.
fn outcome(verdict: Result<Verdict, Halt>) -> Option<Result<bool, ()>> {
    match verdict {
        Ok(verdict) => verdict.decided().map(Ok),
        Err(Halt::Fault(_)) => Some(Err(())),
        Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => None,
        Err(halt) => panic!("{halt:?}"),
    }
}

/// Every engine finds the same faults of guards, of assignments and of formulas, and otherwise the same verdicts.
#[test]
fn engines_agree_on_faults() {
    let commands = (conditions(2), numbers(2), numbers(2), conditions(1));
    Trials::from_environment(250).run(&(commands, conditions(2), 0..24_usize), |(command, holds, start)| {
        let mut model = model();
        let layout = Layout::new(&model);
        let label = model.add_label(Label::message("step", None));
        let (guard, x, y, b) = command.clone();
        let ids: Vec<VariableId> = model.variables().map(|(id, _)| id).collect();
        let fit = |value: Expr, low: i64, high: i64| value.max(Expr::Constant(low)).min(Expr::Constant(high));
        let updates = vec![(ids[X], fit(x, 0, 2)), (ids[Y], fit(y, -1, 2)), (ids[B], b)];
        model.add_command(Command { guard, updates, ..Command::new(label) });
        model.propositions.push(NamedProposition { name: "p".to_owned(), condition: holds.clone() });
        // One initial state: otherwise almost every model has a fault.
        let state = States::all(&model, &layout).nth(*start).expect("there are 24");
        let is =
            |id: &VariableId| Expr::Variable(*id).equals(Expr::Constant(layout.variable(*id).read(&state)));
        model.initial = Expr::and(ids.iter().map(is));
        let asked = formula("AG p");
        let options = Options::default();
        let expected = outcome(
            Explored::new(&model, options, &NoLimits).and_then(|mut engine| engine.decide(&asked, &NoLimits)),
        );
        let symbolic = Symbolic::new(&model, options, 1 << 18, &NoLimits)
            .and_then(|mut engine| engine.decide(&asked, &NoLimits));
        let by_solver = Sat::new(&model, options, SatOptions::default(), &NoLimits)
            .and_then(|mut engine| engine.decide(&asked, &NoLimits));
        let tableau = Tableau::new(&model, options, 1, &NoLimits)
            .and_then(|mut engine| engine.decide(&asked, &NoLimits));
        for (name, found) in [("bdd", outcome(symbolic)), ("sat", outcome(by_solver))] {
            if found.is_some() && found != expected {
                return Err(format!("{name} says {found:?} and not {expected:?}: {command:?}, {holds:?}"));
            }
        }
        // On the fly a counterexample may be found before a fault is.
        let found = outcome(tableau);
        if found != expected && !(found == Some(Ok(false)) && expected == Some(Err(()))) {
            return Err(format!("tableau says {found:?} and not {expected:?}: {command:?}, {holds:?}"));
        }
        Ok(Tried::Holds)
    });
}

/// The range of a remainder is wider than the remainder, also where all is known: both values of `x` were initial.
#[test]
fn an_initial_value_that_is_a_remainder_is_the_only_one() {
    for (condition, expected) in [
        ("x = (1 + 1) % 2", 2),
        ("x = (y + 1) % 2", 2),
        ("(x % 3 = 2 | x * x % 3 = 2 | y % 3 = 2 | y % 2 = 1 & x % 2 = 1)", 1),
    ] {
        let text = format!("roles A\nvar x, y : 0..1\ninit {condition} & y <= 1\nstart s\ns -- A: a --> s\n");
        let model = load(&text).model;
        let states = States::initial(&model, &Layout::new(&model)).count();
        assert_eq!(states, expected, "{condition}");
    }
}
