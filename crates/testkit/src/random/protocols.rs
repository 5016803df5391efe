//! Strategies for protocols.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use servanda_logic::{ActKind, Features};
use servanda_model::{ActReading, Strength};

use super::formulas::{access_guards, conditions, contents, pick, small_state_formulas, steps, tag};
use super::outline::{
    AccessOutline, CommitmentOutline, Initial, LabelOutline, NewValue, Outline, Roles, Side,
    TransitionOutline, Values, VariableOutline,
};
use super::sketch::Sketch;

fn values() -> BoxedStrategy<Values> {
    prop_oneof![
        6 => Just(Values::Bool),
        2 => (-1..=1_i64, 2..=3_u8).prop_map(|(low, size)| Values::Range { low, size }),
        2 => (2..=3_u8).prop_map(|size| Values::Enumeration { size }),
    ]
    .boxed()
}

fn initial() -> BoxedStrategy<Initial> {
    prop_oneof![
        6 => pick().prop_map(Initial::One),
        2 => vec(pick(), 1..=2).prop_map(Initial::Set),
        1 => Just(Initial::Undeclared),
    ]
    .boxed()
}

fn variable() -> BoxedStrategy<VariableOutline> {
    (values(), initial(), option::weighted(0.35, pick()), proptest::bool::weighted(0.1))
        .prop_map(|(values, initial, owner, is_array)| VariableOutline { values, initial, owner, is_array })
        .boxed()
}

fn commitment(features: Features) -> BoxedStrategy<CommitmentOutline> {
    let odd = proptest::bool::weighted;
    (pick(), pick(), odd(0.03), option::weighted(0.2, tag()), contents(features), odd(0.2), odd(0.2))
        .prop_map(|(debtor, creditor, is_to_itself, tag, content, is_family, is_private)| CommitmentOutline {
            debtor,
            creditor,
            is_to_itself,
            tag,
            content,
            is_family,
            is_private,
        })
        .boxed()
}

fn label(features: Features) -> BoxedStrategy<LabelOutline> {
    let side = prop_oneof![
        3 => Just(Side::Alone),
        2 => Just(Side::Sends),
        2 => Just(Side::Receives),
    ];
    let family = proptest::bool::weighted(0.2);
    let message = (pick(), option::weighted(0.8, pick()), side, family)
        .prop_map(|(name, by, side, is_family)| LabelOutline::Message { name, by, side, is_family });
    // Creations are what gives the other acts something to act on.
    let kind = prop_oneof![2 => Just(ActKind::Create), 5 => select(&ActKind::ALL[..])];
    let act = (kind, pick(), contents(features), proptest::bool::weighted(0.1), pick()).prop_map(
        |(kind, commitment, support, is_written_out, third)| LabelOutline::Act {
            kind,
            commitment,
            support,
            is_written_out,
            third,
        },
    );
    prop_oneof![3 => message, 4 => act].boxed()
}

fn new_value() -> BoxedStrategy<NewValue> {
    prop_oneof![
        4 => pick().prop_map(NewValue::Constant),
        2 => Just(NewValue::Step),
        1 => Just(NewValue::Up),
        1 => Just(NewValue::Down),
        1 => pick().prop_map(NewValue::Copy),
        1 => conditions().prop_map(NewValue::Whether),
    ]
    .boxed()
}

fn transition(features: Features) -> BoxedStrategy<TransitionOutline> {
    let guard = option::weighted(0.35, conditions());
    (pick(), label(features), guard, vec((pick(), new_value()), 0..=2), pick())
        .prop_map(|(from, label, guard, sets, to)| TransitionOutline { from, label, guard, sets, to })
        .boxed()
}

fn access() -> BoxedStrategy<AccessOutline> {
    (pick(), pick(), access_guards())
        .prop_map(|(debtor, creditor, guard)| AccessOutline { debtor, creditor, guard })
        .boxed()
}

/// Fairness constraints of steps.
pub fn step_fairness() -> BoxedStrategy<(Strength, Sketch)> {
    (select(&[Strength::Weak, Strength::Strong][..]), steps()).boxed()
}

/// Protocols whose contents and supports use nothing but these features. Fairness constraints and access guards
/// occur now and then; take them away with [`Outline::without_fairness`] and its kin where they are not wanted.
pub fn protocols(contents: Features) -> BoxedStrategy<Outline> {
    let reading =
        prop_oneof![4 => Just(ActReading::Actl), 1 => Just(ActReading::Scctl), 1 => Just(ActReading::Ctlca)];
    let roles = prop_oneof![5 => Just(Roles::Two), 2 => Just(Roles::Three), 2 => Just(Roles::Array)];
    let machines = prop_oneof![
        3 => vec(vec(transition(contents), 1..=8), 1),
        1 => vec(vec(transition(contents), 1..=5), 2),
    ];
    let fairness = prop_oneof![
        8 => Just(Vec::new()),
        1 => vec(small_state_formulas(Features::QUANTIFIERS | Features::FUTURE), 1..=2),
    ];
    let steps = prop_oneof![8 => Just(Vec::new()), 1 => vec(step_fairness(), 1..=3)];
    let red = vec((pick(), conditions()), 0..=2);
    let groups = vec(vec(pick(), 1..=3), 0..=2);
    let access = prop_oneof![4 => Just(Vec::new()), 1 => vec(access(), 1..=2)];
    let declared = (vec(variable(), 1..=3), vec(conditions(), 0..=1), red, groups);
    (
        reading,
        roles,
        declared,
        vec(commitment(contents), 0..=2),
        machines,
        2..=4_usize,
        access,
        (fairness, steps),
    )
        .prop_map(|(reading, roles, declared, commitments, machines, locations, access, fairness)| {
            let (fairness, step_fairness) = fairness;
            let (variables, definitions, red, groups) = declared;
            Outline {
                reading,
                roles,
                variables,
                definitions,
                red,
                commitments,
                machines,
                locations,
                is_deadlock_free: false,
                access,
                fairness,
                step_fairness,
                groups,
            }
        })
        .boxed()
}
