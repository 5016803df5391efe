//! What `servanda check` says about the formulas that explain differences: it must see the same difference.

use proptest::prelude::*;
use servanda_engine::{NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_equiv::{Comparison, Relation, Side, usual_atom};
use servanda_lts::Lts;
use servanda_syntax::SourceFile;

use crate::systems::{answer, any_system, similar_systems, system};

fn decide(lts: &Lts, property: &str) -> bool {
    let text = servanda_aut::write(lts).unwrap();
    let system = servanda_aut::load(&SourceFile::new("test.aut", text)).system.unwrap();
    let formula = system.formula(property).unwrap_or_else(|errors| panic!("{property}: {errors:?}"));
    let mut explored = Explored::new(system.model(), Options::default(), &NoLimits).unwrap();
    explored.decide(&formula, &NoLimits).unwrap() == Verdict::True
}

/// The property of a difference, with `does(a)` only for labels that both systems have.
fn property(left: &Lts, right: &Lts, relation: impl Into<Comparison>) -> Option<(Side, String)> {
    let difference = answer(left, right, relation)?;
    let has = |lts: &Lts, label: &str| {
        let action = lts.labels().find(label);
        lts.all_states().any(|state| lts.edges(state).iter().any(|edge| Some(edge.action) == action))
    };
    let atom = |label: &str| usual_atom(label, has(left, label) && has(right, label));
    Some((difference.side, servanda_equiv::property(&difference, &atom)?))
}

fn seen(left: &Lts, right: &Lts) -> Result<(), TestCaseError> {
    // Only what can be reached has a label in the model.
    let (left, right) = (&left.reachable(), &right.reachable());
    for relation in Comparison::all() {
        if let Some((side, property)) = property(left, right, relation) {
            prop_assert_eq!(decide(left, &property), side == Side::Left, "{:?}: {}", relation, &property);
            prop_assert_eq!(decide(right, &property), side == Side::Right, "{:?}: {}", relation, &property);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strangers(left in any_system(), right in any_system()) {
        seen(&left, &right)?;
    }

    #[test]
    fn relatives((left, right) in similar_systems()) {
        seen(&left, &right)?;
    }
}

#[test]
fn words() {
    let early = system(&[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "the end", 4)]);
    let late = system(&[(0, "a", 1), (1, "b", 2), (1, "the end", 3)]);
    let told = |relation| property(&early, &late, relation).unwrap();
    assert_eq!(told(Relation::Strong), (Side::Left, "E (does(a) & X A !does(\"the end\"))".to_owned()));
    assert_eq!(told(Relation::Weak), (Side::Left, "E (does(a) & X !E does(b))".to_owned()));
    let both = "E (does(a) & X (E does(b) & E does(\"the end\")))";
    assert_eq!(told(Relation::Simulation), (Side::Right, both.to_owned()));
    let (one, other) = (system(&[(0, "tau", 1), (1, "a", 2), (2, "b", 3)]), system(&[(0, "a", 1)]));
    assert_eq!(
        property(&one, &other, Relation::Trace).unwrap().1,
        "E (does(\"tau\") U (does(a) & X E (does(\"tau\") U does(\"b\"))))"
    );
}
