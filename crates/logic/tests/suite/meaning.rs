//! Rewriting keeps the meaning: random path formulas, with past, are decided on random ultimately periodic paths.

use std::collections::HashSet;

use proptest::prelude::*;
use servanda_logic::{Binary, Bounded, Formula, Kind, Reference, Unary, Within, nnf};
use servanda_syntax::Span;

/// A path: a beginning and a part that repeats for ever. Each position says which of `p` and `q` hold,
/// and whether the step from it is a tick.
#[derive(Clone, Debug)]
struct Path {
    beginning: Vec<[bool; 3]>,
    loop_part: Vec<[bool; 3]>,
}

/// The path written out far enough that formulas with past have settled, from `back` on repeating.
struct Unrolled {
    positions: Vec<[bool; 3]>,
    back: usize,
}

impl Path {
    /// Each past operator needs at most one more round (`Y` one more position) until it repeats.
    fn unroll(&self, operators: usize) -> Unrolled {
        let mut positions = self.beginning.clone();
        for _ in 0..=operators {
            positions.extend_from_slice(&self.loop_part);
        }
        let back = positions.len();
        positions.extend_from_slice(&self.loop_part);
        Unrolled { positions, back }
    }
}

fn size(formula: &Formula) -> usize {
    let mut total = 1;
    formula.for_each_child(|child| total += size(child));
    total
}

/// The truth of the formula at every position. There is only this one path, so `A` and `E` add nothing.
fn decide(path: &Unrolled, formula: &Formula) -> Vec<bool> {
    let length = path.positions.len();
    let next = |position: usize| if position + 1 == length { path.back } else { position + 1 };
    let map = |truth: Vec<bool>, change: &dyn Fn(bool) -> bool| -> Vec<bool> {
        truth.into_iter().map(change).collect()
    };
    // The fixpoint of `goal | (hold & X ..)`, smallest or greatest; twice around the loop suffices.
    let future = |hold: &[bool], goal: &[bool], greatest: bool| -> Vec<bool> {
        let mut truth = vec![greatest; length];
        for _ in 0..2 {
            for position in (0..length).rev() {
                truth[position] = goal[position] || hold[position] && truth[next(position)];
            }
        }
        truth
    };
    let past = |hold: &[bool], goal: &[bool]| -> Vec<bool> {
        let mut before = false;
        let step = |position: usize| {
            before = goal[position] || hold[position] && before;
            before
        };
        (0..length).map(step).collect()
    };
    let always = vec![true; length];
    let never = vec![false; length];
    match formula.kind() {
        Kind::Bool(value) => vec![*value; length],
        Kind::Name(name) => {
            path.positions.iter().map(|holds| holds[usize::from(&*name.name == "q")]).collect()
        }
        Kind::Unary(op, operand) => {
            let truth = decide(path, operand);
            match op {
                Unary::Not => map(truth, &|value| !value),
                Unary::ForAll | Unary::Exists => truth,
                Unary::Next => (0..length).map(|position| truth[next(position)]).collect(),
                Unary::Finally => future(&always, &truth, false),
                Unary::Globally => future(&truth, &never, true),
                Unary::Previous => (0..length).map(|position| position > 0 && truth[position - 1]).collect(),
                Unary::Once => past(&always, &truth),
                Unary::Historically => {
                    let fails = map(truth, &|value| !value);
                    map(past(&always, &fails), &|value| !value)
                }
                other => panic!("{other:?} is not about one path"),
            }
        }
        Kind::Binary(op, left, right) => {
            let (left, right) = (decide(path, left), decide(path, right));
            let both = |join: &dyn Fn(bool, bool) -> bool| -> Vec<bool> {
                left.iter().zip(&right).map(|(left, right)| join(*left, *right)).collect()
            };
            match op {
                Binary::And => both(&|left, right| left && right),
                Binary::Or => both(&|left, right| left || right),
                Binary::Implies => both(&|left, right| !left || right),
                Binary::Iff => both(&|left, right| left == right),
                Binary::Until => future(&left, &right, false),
                Binary::WeakUntil => future(&left, &right, true),
                Binary::Release => future(&right, &both(&|left, right| left && right), true),
                Binary::Since => past(&left, &right),
                Binary::So => {
                    let implied = both(&|left, right| !left || right);
                    (0..length).map(|position| left[position] && implied[next(position)]).collect()
                }
                other => panic!("{other:?} is not decided here"),
            }
        }
        Kind::If(condition, then, otherwise) => {
            let (condition, then) = (decide(path, condition), decide(path, then));
            let otherwise = decide(path, otherwise);
            (0..length).map(|at| if condition[at] { then[at] } else { otherwise[at] }).collect()
        }
        Kind::Bounded(Bounded { bound, goal }) => {
            let Kind::Int(bound) = *bound.kind() else { panic!("{bound} is no number") };
            let until = |hold: &[bool], goal: &[bool]| -> Vec<bool> {
                (0..length).map(|start| within(path, bound, hold, goal, start)).collect()
            };
            match goal {
                Within::Finally(operand) => until(&always, &decide(path, operand)),
                Within::Globally(operand) => {
                    let fails = map(decide(path, operand), &|value| !value);
                    map(until(&always, &fails), &|value| !value)
                }
                Within::Until(left, right) => until(&decide(path, left), &decide(path, right)),
            }
        }
        other => panic!("{other:?} is not decided here"),
    }
}

/// Walks along until `goal` holds, `hold` does not, or there have been too many ticks.
fn within(path: &Unrolled, bound: i64, hold: &[bool], goal: &[bool], start: usize) -> bool {
    let (mut at, mut ticks) = (start, 0);
    // Whatever comes comes before the loop is begun again with as many ticks left.
    for _ in 0..(bound + 2) as usize * path.positions.len() {
        if goal[at] {
            return true;
        }
        ticks += i64::from(path.positions[at][2]);
        if !hold[at] || ticks > bound {
            return false;
        }
        at = if at + 1 == path.positions.len() { path.back } else { at + 1 };
    }
    false
}

fn path() -> impl Strategy<Value = Path> {
    let part = |least| proptest::collection::vec(any::<[bool; 3]>(), least..4);
    (part(0), part(1)).prop_map(|(beginning, loop_part)| Path { beginning, loop_part })
}

fn path_formula() -> impl Strategy<Value = Formula> {
    let node = |kind| Formula::new(kind, Span::default());
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(move |value| node(Kind::Bool(value))),
        4 => prop_oneof![Just("p"), Just("q")]
            .prop_map(move |name| node(Kind::Name(Reference::plain(name, Span::default())))),
    ];
    leaf.prop_recursive(5, 24, 2, move |inner| {
        let unary = prop::sample::select(vec![
            Unary::Not,
            Unary::Not,
            Unary::ForAll,
            Unary::Exists,
            Unary::Next,
            Unary::Finally,
            Unary::Globally,
            Unary::Previous,
            Unary::Once,
            Unary::Historically,
        ]);
        let binary = prop::sample::select(vec![
            Binary::And,
            Binary::Or,
            Binary::Implies,
            Binary::Iff,
            Binary::Until,
            Binary::WeakUntil,
            Binary::Release,
            Binary::Since,
            Binary::So,
        ]);
        let within =
            (0..3_i64, 0..3, inner.clone(), inner.clone()).prop_map(move |(bound, which, left, right)| {
                let goal = match which {
                    0 => Within::Finally(right),
                    1 => Within::Globally(right),
                    _ => Within::Until(left, right),
                };
                node(Kind::Bounded(Bounded { bound: node(Kind::Int(bound)), goal }))
            });
        prop_oneof![
            within,
            (unary, inner.clone()).prop_map(|(op, operand)| operand.unary(op)),
            (binary, inner.clone(), inner.clone()).prop_map(|(op, left, right)| left.binary(op, right)),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(c, a, b)| Formula::new(Kind::If(c, a, b), Span::default())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn rewriting_keeps_the_meaning(path in path(), formula in path_formula()) {
        let unrolled = path.unroll(size(&formula));
        // The last rounds may see rewritten past operators settle at different speeds; the first ones may not differ.
        let compared = path.beginning.len() + path.loop_part.len();
        let expected = decide(&unrolled, &formula);
        let rewritten = nnf(&formula);
        let found = decide(&unrolled, &rewritten);
        prop_assert_eq!(&found[..compared], &expected[..compared], "{} made of {}", rewritten, formula);
    }

    #[test]
    fn rewriting_settles(formula in path_formula()) {
        let normal = nnf(&formula);
        prop_assert_eq!(&nnf(&normal), &normal);
    }
}

#[test]
fn a_path_is_decided_as_one_expects() {
    let path = Path {
        beginning: vec![[true, false, true]],
        loop_part: vec![[false, false, true], [false, true, false]],
    };
    let truth = |text: &str| {
        let formula = servanda_logic::parse_formula(text).unwrap();
        decide(&path.unroll(size(&formula)), &formula)[..3].to_vec()
    };
    assert_eq!(truth("p"), [true, false, false]);
    assert_eq!(truth("X q"), [false, true, false]);
    assert_eq!(truth("G F q"), [true, true, true]);
    assert_eq!(truth("F G q"), [false, false, false]);
    assert_eq!(truth("p U q"), [false, false, true]);
    assert_eq!(truth("(p | !q) W q"), [true, true, true]);
    assert_eq!(truth("Y p"), [false, true, false]);
    assert_eq!(truth("H (p -> !Y true)"), [true, true, true]);
    assert_eq!(truth("(!q) S p"), [true, true, false]);
    assert_eq!(truth("p so !q"), [true, false, false]);
    assert_eq!(truth("F<=1 q"), [false, true, true]);
    assert_eq!(truth("F<=2 q"), [true, true, true]);
    assert_eq!(truth("p U<=1 q"), [false, false, true]);
    assert_eq!(truth("p U<=1 !p"), [true, true, true]);
    assert_eq!(truth("G<=0 !q"), [true, true, false]);
    assert_eq!(truth("G<=1 !q"), [true, false, false]);
}

#[test]
fn normal_form_examples() {
    let table = [
        ("!(p <-> q)", "p & !q | !p & q"),
        ("!(x = 1 & y < 2)", "x != 1 | y >= 2"),
        ("!A[p W q]", "E[!q U (!p & !q)]"),
        ("!AX EF p", "EX AG !p"),
        ("!AF<=3 !p", "EG<=3 p"),
        ("!E[p U<=(N + 1) !!q]", "A !(p U<=(N + 1) q)"),
        ("!(Y p | P q)", "!Y p & H !q"),
        ("!(p S !!q)", "!(p S q)"),
        ("!(p so q)", "!p | X (p & !q)"),
        ("!AY EP p", "EY AH !p"),
        ("!K(i, p -> q)", "!K(i, !p | q)"),
        ("!<g>(p U !!q)", "!<g>(p U q)"),
        ("!SC(i, j, p -> q)", "!SC(i, j, p -> q)"),
        ("!Cr(i, SC(i, j, !!q))", "!Cr(i, SC(i, j, !!q))"),
        ("!(all i in 1..N : p[i] -> q)", "any i in 1..N : p[i] & !q"),
        ("!(does(a) -> in s)", "does(a) & !in s"),
        ("!?!!p", "!?!!p"),
        ("!true | !!p", "false | p"),
    ];
    for (input, expected) in table {
        let formula = servanda_logic::parse_formula(input).unwrap();
        assert_eq!(nnf(&formula).to_string(), expected, "{input}");
    }
}

#[test]
fn nested_equivalences_stay_small() {
    let text = format!("!({}p)", "(p & q) <-> ".repeat(150));
    let normal = nnf(&servanda_logic::parse_formula(&text).unwrap());
    // As a tree this has more nodes than could be counted; shared, it has a few per equivalence.
    let mut seen: HashSet<*const Kind> = HashSet::new();
    let mut open = vec![normal];
    while let Some(formula) = open.pop() {
        if seen.insert(formula.kind()) {
            formula.for_each_child(|child| open.push(child.clone()));
        }
    }
    assert!(seen.len() < 150 * 12, "{}", seen.len());
}
