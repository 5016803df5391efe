//! The comparison of engines finds what it is there to find.

use std::panic::{AssertUnwindSafe, catch_unwind};

use servanda_engine::Options;
use servanda_logic::{Formula, Kind, Unary};
use servanda_model::{Model, Property};
use servanda_testkit::{Decider, Reference, Trials, compare};

/// The reference engine, but wrong about formulas with one operator in them.
struct Wrong(Unary);

fn uses(formula: &Formula, op: Unary) -> bool {
    let mut found = matches!(formula.kind(), Kind::Unary(other, _) if *other == op);
    formula.for_each_child(|child| found |= uses(child, op));
    found
}

impl Decider for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn verdicts(&self, model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>> {
        let right = Reference.verdicts(model, properties, options);
        let twist = |(verdict, property): (Option<bool>, &Property)| {
            verdict.map(|verdict| verdict != uses(&property.formula, self.0))
        };
        right.into_iter().zip(properties).map(twist).collect()
    }
}

/// An engine that knows nothing.
struct Silent;

impl Decider for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn verdicts(&self, _: &Model, properties: &[Property], _: Options) -> Vec<Option<bool>> {
        vec![None; properties.len()]
    }
}

fn complaint(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it should have complained");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn an_engine_agrees_with_itself() {
    compare(Trials::from_environment(200), &Reference, &Reference);
}

#[test]
fn a_wrong_engine_is_found_and_its_mistake_shrunk() {
    for op in [Unary::SomePrevious, Unary::Globally, Unary::Once] {
        let message = complaint(|| compare(Trials { cases: 2000, seed: 1 }, &Reference, &Wrong(op)));
        println!("{message}");
        assert!(message.starts_with("enumerate says "), "{message}");
        assert!(message.lines().any(|line| line.starts_with("property ")), "{message}");
        assert!(message.lines().count() < 12, "this is not small:\n{message}");
    }
}

#[test]
fn no_verdict_disagrees_with_nothing_but_a_comparison_of_nothing_is_no_test() {
    let trials = Trials { cases: 50, seed: 1 };
    let message = complaint(|| compare(trials, &Reference, &Silent));
    assert!(message.contains("hardly tested"), "{message}");
}
