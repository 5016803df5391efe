//! Strategies for conditions and formulas.
//!
//! Formulas are built level by level: the formulas of one level have those of the level below as operands.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use servanda_logic::{ActKind, Binary, EpistemicOp, Features, Unary};

use super::outline::{Condition, Pick, Tag};
use super::shrink::{Shrinking, Sort};
use super::sketch::{ActSketch, GroupSketch, LabelSketch, Sketch, Written};

/// A choice with its weight.
type Weighted<T> = (u32, BoxedStrategy<T>);

pub(super) fn pick() -> impl Strategy<Value = Pick> + Clone {
    (0..12_u8).prop_map(Pick)
}

pub(super) const BOOLEAN: [Binary; 4] = [Binary::And, Binary::Or, Binary::Implies, Binary::Iff];

/// How two values are compared.
fn test() -> impl Strategy<Value = Binary> {
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    select(vec![Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual])
}

fn atom() -> BoxedStrategy<Sketch> {
    let integers = (pick(), test(), pick(), -1..=1_i64)
        .prop_map(|(left, test, right, shift)| Condition::Integers(left, test, right, shift));
    prop_oneof![
        6 => (pick(), test(), pick()).prop_map(|(variable, test, value)| Condition::Variable(variable, test, value)),
        3 => (pick(), pick()).prop_map(|(machine, location)| Condition::At(machine, location)),
        1 => integers,
        1 => pick().prop_map(Condition::Defined),
        1 => (pick(), test()).prop_map(|(array, test)| Condition::Elements(array, test)),
        1 => (pick(), written()).prop_map(|(commitment, written)| Condition::Active(commitment, written)),
    ]
    .prop_map(Sketch::Condition)
    .boxed()
}

/// Conditions on the state: boolean combinations of [`Condition`]s.
pub fn conditions() -> BoxedStrategy<Sketch> {
    let atom = atom();
    let constant = any::<bool>().prop_map(|value| Sketch::Condition(Condition::Constant(value)));
    prop_oneof![
        8 => atom.clone(),
        2 => unary(&[Unary::Not], &atom),
        2 => binary(&BOOLEAN, &atom, &atom),
        1 => constant,
    ]
    .boxed()
}

pub(super) fn tag() -> impl Strategy<Value = Tag> + Clone {
    prop_oneof![pick().prop_map(Tag::Name), pick().prop_map(Tag::Number)]
}

fn written() -> impl Strategy<Value = Written> {
    prop_oneof![
        6 => Just(Written::Named),
        1 => select(vec![
            Written::Out,
            Written::AnyContent,
            Written::AnyDebtor,
            Written::AnyCreditor,
            Written::AnyTag,
            Written::Any,
        ]),
    ]
}

fn act() -> BoxedStrategy<ActSketch> {
    let kind = prop_oneof![8 => select(&ActKind::ALL[..]).prop_map(Some), 1 => Just(None)];
    let third = option::weighted(0.8, pick());
    (kind, pick(), written(), proptest::bool::weighted(0.15), option::of(pick()), third)
        .prop_map(|(kind, commitment, written, any_actor, support, third)| ActSketch {
            kind,
            commitment,
            written,
            any_actor,
            support,
            third,
        })
        .boxed()
}

fn label(features: Features) -> BoxedStrategy<LabelSketch> {
    let mut choices: Vec<Weighted<LabelSketch>> = vec![
        (1, Just(LabelSketch::Any).boxed()),
        (3, pick().prop_map(LabelSketch::Message).boxed()),
        (2, pick().prop_map(LabelSketch::Sent).boxed()),
    ];
    if features.contains(Features::ACTS) {
        choices.push((3, act().prop_map(LabelSketch::Act).boxed()));
    }
    Union::new_weighted(choices).boxed()
}

fn group() -> BoxedStrategy<GroupSketch> {
    prop_oneof![
        3 => pick().prop_map(GroupSketch::Role),
        2 => pick().prop_map(GroupSketch::Declared),
        2 => vec(pick(), 1..=2).prop_map(GroupSketch::Listed),
        1 => Just(GroupSketch::Everybody),
    ]
    .boxed()
}

/// Joins two strategies for operands by one of these operators.
fn binary(
    ops: &[Binary],
    left: &BoxedStrategy<Sketch>,
    right: &BoxedStrategy<Sketch>,
) -> BoxedStrategy<Sketch> {
    (select(ops.to_vec()), left.clone(), right.clone())
        .prop_map(|(op, left, right)| left.binary(op, right))
        .boxed()
}

fn unary(ops: &[Unary], operand: &BoxedStrategy<Sketch>) -> BoxedStrategy<Sketch> {
    (select(ops.to_vec()), operand.clone()).prop_map(|(op, operand)| operand.unary(op)).boxed()
}

/// One level of state formulas over the level below.
fn state_level(
    features: Features,
    state: &BoxedStrategy<Sketch>,
    path: &BoxedStrategy<Sketch>,
) -> BoxedStrategy<Sketch> {
    let mut choices: Vec<Weighted<Sketch>> =
        vec![(1, state.clone()), (1, unary(&[Unary::Not], state)), (2, binary(&BOOLEAN, state, state))];
    let quantifier = [Unary::ForAll, Unary::Exists];
    if features.contains(Features::QUANTIFIERS) {
        let one = unary(&[Unary::Next, Unary::Finally, Unary::Globally], state);
        let two = binary(&[Binary::Until, Binary::WeakUntil, Binary::Release], state, state);
        choices.push((4, unary(&quantifier, &one)));
        choices.push((2, unary(&quantifier, &two)));
        if features.contains(Features::PATH_FORMULAS) {
            choices.push((8, unary(&quantifier, path)));
        }
    }
    if features.contains(Features::COMMITMENTS) {
        let written = (pick(), pick(), proptest::option::weighted(0.1, tag()), path.clone()).prop_map(
            |(debtor, creditor, tag, content)| Sketch::Committed {
                debtor,
                creditor,
                tag,
                content: Box::new(content),
            },
        );
        choices.push((3, written.boxed()));
        choices.push((1, pick().prop_map(Sketch::Promise).boxed()));
    }
    let mut modalities = Vec::new();
    if features.contains(Features::KNOWLEDGE) {
        modalities.extend([
            EpistemicOp::Knows,
            EpistemicOp::Knows,
            EpistemicOp::EverybodyKnows,
            EpistemicOp::DistributedKnowledge,
            EpistemicOp::CommonKnowledge,
        ]);
    }
    if features.contains(Features::CORRECT_BEHAVIOUR) {
        modalities.extend([EpistemicOp::Correct, EpistemicOp::KnowsAssumingCorrect, EpistemicOp::Believes]);
    }
    if !modalities.is_empty() {
        let knows = (select(modalities), pick(), group(), state.clone())
            .prop_map(|(op, agent, group, body)| Sketch::Knows { op, agent, group, body: Box::new(body) });
        choices.push((4, knows.boxed()));
    }
    if features.contains(Features::BRANCHING_PAST) {
        let ops = [Unary::AllPrevious, Unary::SomePrevious, Unary::AllPast, Unary::SomePast];
        choices.push((4, unary(&ops, state)));
    }
    if features.contains(Features::STRATEGIC) {
        let goal = prop_oneof![
            3 => unary(&[Unary::Next, Unary::Finally, Unary::Globally], state),
            1 => binary(&[Binary::Until], state, state),
        ];
        let able = (group(), goal).prop_map(|(group, goal)| Sketch::Able { group, goal: Box::new(goal) });
        choices.push((4, able.boxed()));
    }
    Union::new_weighted(choices).boxed()
}

/// One level of path formulas over the level below.
fn path_level(
    features: Features,
    state: &BoxedStrategy<Sketch>,
    path: &BoxedStrategy<Sketch>,
) -> BoxedStrategy<Sketch> {
    let mut choices: Vec<Weighted<Sketch>> = vec![
        (1, path.clone()),
        (1, state.clone()),
        (1, unary(&[Unary::Not], path)),
        (3, binary(&BOOLEAN, path, path)),
    ];
    if features.contains(Features::FUTURE) {
        choices.push((6, unary(&[Unary::Next, Unary::Finally, Unary::Globally], path)));
        let ops = [Binary::Until, Binary::WeakUntil, Binary::Release, Binary::So];
        choices.push((4, binary(&ops, path, path)));
    }
    if features.contains(Features::LINEAR_PAST) {
        choices.push((4, unary(&[Unary::Previous, Unary::Once, Unary::Historically], path)));
        choices.push((2, binary(&[Binary::Since], path, path)));
    }
    Union::new_weighted(choices).boxed()
}

/// State formulas and path formulas of a depth.
fn levels(features: Features, depth: usize) -> (BoxedStrategy<Sketch>, BoxedStrategy<Sketch>) {
    let mut state = conditions();
    let mut leaves: Vec<Weighted<Sketch>> = vec![(3, state.clone())];
    if features.contains(Features::DOES) {
        leaves.push((1, label(features).prop_map(Sketch::Does).boxed()));
    }
    if features.contains(Features::ACTS) {
        leaves.push((1, act().prop_map(Sketch::Act).boxed()));
    }
    let mut path = Union::new_weighted(leaves).boxed();
    for _ in 0..depth {
        (state, path) = (state_level(features, &state, &path), path_level(features, &state, &path));
    }
    (state, path)
}

/// How many levels of operators a formula has at most.
const DEPTH: usize = 3;

/// State formulas that use nothing but these features.
pub fn state_formulas(features: Features) -> BoxedStrategy<Sketch> {
    Shrinking { formulas: levels(features, DEPTH).0, sort: Sort::State }.boxed()
}

/// State formulas with fewer operators, for laws that build larger ones of them.
pub fn small_state_formulas(features: Features) -> BoxedStrategy<Sketch> {
    Shrinking { formulas: levels(features, DEPTH - 1).0, sort: Sort::State }.boxed()
}

/// Path formulas that use nothing but these features; state formulas are among them.
pub fn path_formulas(features: Features) -> BoxedStrategy<Sketch> {
    Shrinking { formulas: levels(features, DEPTH - 1).1, sort: Sort::Path }.boxed()
}

/// Contents of commitments and supports of acts: as small as path formulas get that still say something.
pub(super) fn contents(features: Features) -> BoxedStrategy<Sketch> {
    levels(features, 1).1
}

/// `does(..)`
pub fn steps() -> BoxedStrategy<Sketch> {
    label(Features::DOES | Features::ACTS).prop_map(Sketch::Does).boxed()
}

/// Boolean combinations of conditions and labels.
pub(super) fn access_guards() -> BoxedStrategy<Sketch> {
    levels(Features::DOES | Features::ACTS, 1).1
}
